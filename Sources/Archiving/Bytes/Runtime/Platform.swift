// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The system's services for the archiver: memory that grows in place, the bounds of a thread's stack, and the signal of a
/// pipe. Files are in `Platform+Files`. No other file of the library calls the system.
package enum Platform {
    /// Allocates `byteCount` bytes, all zero. Large blocks consist of untouched pages, so unused parts cost nothing.
    static func allocateZeroed(byteCount: Int) -> UnsafeMutableRawPointer {
        if byteCount > ClearedMemory.floor { ClearedMemory.note(byteCount) }
        // In small pages, at any size: some tables have an entry for each object of a file of which few objects are
        // read.
        // Safe because calloc returns memory of this size, or nil.
        guard let memory = unsafe calloc(1, byteCount) else {
            preconditionFailure("Out of memory: \(byteCount) bytes")
        }
        return unsafe memory
    }

    /// As `allocateZeroed(byteCount:)`, for a table with an entry for each object of a file of which many parts may be
    /// read in order: the heap would fill a reused block with zeros, even if little of it is used.
    static func reserveZeroed(byteCount: Int) -> UnsafeMutableRawPointer {
        // Safe because both return memory of this size.
        if byteCount <= heapLimit { return unsafe allocateZeroed(byteCount: byteCount) }
        guard let memory = unsafe reserve(byteCount: byteCount) else {
            preconditionFailure("Out of memory: \(byteCount) bytes")
        }
        return unsafe memory
    }

    static func releaseZeroed(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        // Safe because the size decides in the same way where the memory came from.
        unsafe byteCount > heapLimit ? unreserve(memory, byteCount: byteCount) : release(memory)
    }

    /// The largest block that the heap clears in less time than the system needs to map pages: some microseconds.
    private static var heapLimit: Int { 1 << 18 }

    static func reallocate(_ memory: UnsafeMutableRawPointer?, byteCount: Int) -> UnsafeMutableRawPointer {
        // Safe because realloc returns memory of this size, or nil, and the caller's address is from here.
        guard let moved = unsafe realloc(memory, byteCount) else {
            preconditionFailure("Out of memory: \(byteCount) bytes")
        }
        unsafe preferLargePages(moved, byteCount: byteCount)
        return unsafe moved
    }

    /// Resizes `memory`, which has `byteCount` bytes, so that it has at least `neededByteCount`, which are more, moved if
    /// necessary, and keeps its contents.
    ///
    /// Blocks of middle size grow fast. Each size in between would leave a gap that no larger block fits in, and that
    /// counts as used memory; the excess of a block does not count until it is touched. (An immediate large size would be
    /// slow: the C library returns unused memory at the end of the heap to the system, and its first use costs again in the
    /// next call. So would pages of its own for each large block.)
    ///
    /// - Returns: The memory, and the number of its bytes.
    static func grow(
        _ memory: UnsafeMutableRawPointer?, from byteCount: Int, neededByteCount: Int
    ) -> (memory: UnsafeMutableRawPointer, byteCount: Int) {
        let isMiddle = byteCount >= 16 << 10 && byteCount < 512 << 10
        let grown = max(isMiddle ? 4 * byteCount : 2 * byteCount, neededByteCount)
        // Safe because the caller's memory is from here.
        return unsafe (reallocate(memory, byteCount: grown), grown)
    }

    /// Requests pages of 2 MiB for a large block. Otherwise its first use would cost a page fault for each 4 KiB.
    @inline(__always)
    private static func preferLargePages(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        preferLargePages(at: UInt(bitPattern: memory), byteCount: byteCount)
    }

    /// Requests pages of 2 MiB for the memory at `address`, all of which is about to be used.
    @inline(__always)
    static func preferLargePages(at address: UInt, byteCount: Int) {
        #if os(Linux) || os(Android)
            if byteCount >= 4 << 20 { preferLargePages(inLargeBlock: address, byteCount: byteCount) }
        #endif
    }

    #if os(Linux) || os(Android)
        @inline(never)
        private static func preferLargePages(inLargeBlock address: UInt, byteCount: Int) {
            // From the first to the last byte, in small pages: a mapping that has large pages only in a part becomes
            // two mappings, and cannot grow in place.
            let start = address & ~4095
            let end = (address + UInt(byteCount) + 4095) & ~4095
            // A system without such pages, or with others, rejects the request, which does no harm.
            // Safe because the request changes no contents of any pages, and is rejected if there is no memory.
            unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), CInt(MADV_HUGEPAGE))
        }
    #endif

    static func release(_ memory: UnsafeMutableRawPointer) {
        // Safe because the caller's address is from here, and the caller is its only owner.
        unsafe free(memory)
    }

    /// Reserves `byteCount` bytes, all zero. A page takes memory only when it is used; nil if the system has no
    /// addresses left.
    static func reserve(byteCount: Int) -> UnsafeMutableRawPointer? {
        #if canImport(Darwin)
            let anonymous = MAP_ANON
        #else
            let anonymous = MAP_ANONYMOUS
        #endif
        let flags = MAP_PRIVATE | anonymous | MAP_NORESERVE
        // Some C libraries declare that the result is never nil.
        // Safe because mmap returns new memory of this size, or nil or -1.
        let memory: UnsafeMutableRawPointer? = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard let memory = unsafe memory, Int(bitPattern: memory) != -1 else { return nil }
        #if os(Linux) || os(Android)
            // Not 2 MiB for each byte that is used.
            unsafe madvise(memory, byteCount, CInt(MADV_NOHUGEPAGE))
        #endif
        return unsafe memory
    }

    static func unreserve(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        // Safe because the caller's memory is from `reserve`, with this size, and the caller is its only owner.
        unsafe munmap(memory, byteCount)
    }

    /// A nonzero number of the calling thread that no other living thread has.
    package static var currentThread: UInt {
        #if canImport(Darwin)
            // Safe because the address is only compared.
            unsafe UInt(bitPattern: pthread_self())
        #elseif canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }

    /// The lowest address that the calling thread's stack can grow down to, or 0 if it cannot be determined.
    ///
    /// The system is asked once for each thread: for the main thread, glibc reads the memory map, which takes longer than a small
    /// archive.
    static func stackLimit() -> UInt {
        guard let key = stackLimitKey else { return measuredStackLimit() }
        // Safe because the key is valid, and the value is a number: the limit, plus 1.
        if let known = unsafe pthread_getspecific(key) { return UInt(bitPattern: known) - 1 }
        let limit = measuredStackLimit()
        // Safe as above.
        unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: limit &+ 1))
        return limit
    }

    /// The key of the thread's own variable with the limit of its stack; nil if the process has no more of them.
    private static let stackLimitKey: pthread_key_t? = {
        var key = pthread_key_t()
        // Safe because the call fills in the key, whose values need no destructor.
        return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    private static func measuredStackLimit() -> UInt {
        #if canImport(Darwin)
            // Safe because the thread is the calling one, and the address is only compared.
            let (top, size) = unsafe (
                UInt(bitPattern: pthread_get_stackaddr_np(pthread_self())),
                UInt(pthread_get_stacksize_np(pthread_self()))
            )
            return top > size ? top - size : 0
        #else
            var attributes = pthread_attr_t()
            // Safe because the functions only fill in the attributes, and destroy those that were filled in.
            guard unsafe getAttributes?(pthread_self(), &attributes) == 0 else { return 0 }
            defer { unsafe pthread_attr_destroy(&attributes) }
            var lowest: UnsafeMutableRawPointer?
            var size = 0
            guard unsafe pthread_attr_getstack(&attributes, &lowest, &size) == 0 else { return 0 }
            return UInt(bitPattern: lowest)
        #endif
    }

    #if !canImport(Darwin)
        private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt

        /// `pthread_getattr_np`, which Swift's C module omits since it is not a POSIX function.
        // Safe because the function has this type in the headers of the C library.
        private static let getAttributes = unsafe loadedFunction("pthread_getattr_np", as: GetAttributes.self)
    #endif

    /// The function `name` of the libraries that the process has loaded, which has the type `Function`; nil if none of them
    /// has it.
    static func loadedFunction<Function>(_ name: String, as type: Function.Type) -> Function? {
        // Safe because the caller knows the type of the function, which never moves: no library is unloaded.
        unsafe dlsym(allLibraries, name).map { unsafe unsafeBitCast($0, to: type) }
    }

    /// The constant `RTLD_DEFAULT` of the C library, a macro that is not imported.
    private static var allLibraries: UnsafeMutableRawPointer? {
        // Safe because `dlsym` only compares the address.
        #if canImport(Darwin)
            unsafe UnsafeMutableRawPointer(bitPattern: -2)
        #elseif os(Android) && _pointerBitWidth(_32)
            unsafe UnsafeMutableRawPointer(bitPattern: -1)
        #else
            nil
        #endif
    }
}

// MARK: - Pipes

/// The signal that ends a process that writes to a pipe without a reader. While it is blocked, the call reports an
/// error instead.
struct BrokenPipeSignal {
    #if canImport(Darwin)
        init(blockedFor file: Platform.OpenFile) { _ = fcntl(file, F_SETNOSIGPIPE, 1) }

        func unblock() {}
    #else
        private var blocked = sigset_t()
        private let wasPending: Bool

        /// Blocks the signal for the calling thread: the system sends it to the thread that writes.
        init(blockedFor file: Platform.OpenFile) {
            var pending = sigset_t()
            // Safe because the calls only read and fill in sets of signals.
            unsafe sigpending(&pending)
            wasPending = unsafe sigismember(&pending, SIGPIPE) == 1
            var signals = Self.signals
            unsafe pthread_sigmask(SIG_BLOCK, &signals, &blocked)
        }

        func unblock() {
            var signals = Self.signals
            var none = timespec()
            // Consumes a signal that the write has caused. Safe because the calls only read the sets and the time.
            while !wasPending, unsafe sigtimedwait(&signals, nil, &none) < 0, errno == EINTR {}
            var blocked = blocked
            unsafe pthread_sigmask(SIG_SETMASK, &blocked, nil)
        }

        private static var signals: sigset_t {
            var signals = sigset_t()
            // Safe because the calls only change the set.
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGPIPE)
            return signals
        }
    #endif
}
