#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The system's services for the archiver: memory that grows in place, and the bounds of a thread's stack. Files are in
/// `Platform+Files`. No other file of the library calls the system.
enum Platform {
    /// Allocates `byteCount` bytes, all zero. Large blocks consist of untouched pages, so unused parts cost nothing.
    static func allocateZeroed(byteCount: Int) -> UnsafeMutableRawPointer {
        if byteCount > ClearedMemory.floor { ClearedMemory.note(byteCount) }
        // In small pages, at any size: some tables have an entry for each object of a file of which few objects are
        // read.
        guard let memory = calloc(1, byteCount) else { preconditionFailure("Out of memory: \(byteCount) bytes") }
        return memory
    }

    /// As `allocateZeroed(byteCount:)`, for a table with an entry for each object of a file of which many parts may be
    /// read in order: the heap would fill a reused block with zeros, even if little of it is used.
    static func reserveZeroed(byteCount: Int) -> UnsafeMutableRawPointer {
        guard byteCount > heapLimit else { return allocateZeroed(byteCount: byteCount) }
        guard let memory = reserve(byteCount: byteCount) else {
            preconditionFailure("Out of memory: \(byteCount) bytes")
        }
        return memory
    }

    /// Releases memory from `reserveZeroed`.
    static func releaseZeroed(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        byteCount > heapLimit ? unreserve(memory, byteCount: byteCount) : release(memory)
    }

    /// The largest block that the heap clears in less time than the system needs to map pages: some microseconds.
    private static var heapLimit: Int { 1 << 18 }

    /// Resizes `memory` to `byteCount` bytes, moved if necessary, and keeps its contents.
    static func reallocate(_ memory: UnsafeMutableRawPointer?, byteCount: Int) -> UnsafeMutableRawPointer {
        guard let moved = realloc(memory, byteCount) else { preconditionFailure("Out of memory: \(byteCount) bytes") }
        preferLargePages(moved, byteCount: byteCount)
        return moved
    }

    /// The factor by which a block of `byteCount` bytes that is too small grows.
    ///
    /// Blocks of middle size grow fast. Each size in between would leave a gap that no larger block fits in, and that
    /// counts as used memory; the excess of a block does not count until it is touched. Large blocks have their own
    /// pages, and leave no gap. (An immediate large size would be slow: the C library returns unused memory at the end
    /// of the heap to the system, and its first use costs again in the next call.)
    static func growth(ofByteCount byteCount: Int) -> Int {
        (16 << 10)..<(512 << 10) ~= byteCount ? 4 : 2
    }

    /// Requests pages of 2 MiB for a large block. Otherwise its first use would cost a page fault for each 4 KiB.
    @inline(__always)
    private static func preferLargePages(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        #if os(Linux) || os(Android)
            if byteCount >= 4 << 20 { preferLargePages(inLargeBlock: memory, byteCount: byteCount) }
        #endif
    }

    #if os(Linux) || os(Android)
        @inline(never)
        private static func preferLargePages(inLargeBlock memory: UnsafeMutableRawPointer, byteCount: Int) {
            // From the first to the last byte, in small pages: a mapping that has large pages only in a part becomes
            // two mappings, and cannot grow in place.
            let start = Int(bitPattern: memory) & ~4095
            let end = (Int(bitPattern: memory) + byteCount + 4095) & ~4095
            // A system without such pages, or with others, rejects the request, which does no harm.
            madvise(UnsafeMutableRawPointer(bitPattern: start), end - start, CInt(MADV_HUGEPAGE))
        }
    #endif

    static func release(_ memory: UnsafeMutableRawPointer) {
        free(memory)
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
        let memory: UnsafeMutableRawPointer? = mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard let memory, Int(bitPattern: memory) != -1 else { return nil }
        #if os(Linux) || os(Android)
            // Not 2 MiB for each byte that is used.
            madvise(memory, byteCount, CInt(MADV_NOHUGEPAGE))
        #endif
        return memory
    }

    /// Releases memory from `reserve`.
    static func unreserve(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        munmap(memory, byteCount)
    }

    /// A nonzero number of the calling thread that no other living thread has.
    static var currentThread: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }

    /// The lowest address that the calling thread's stack can grow down to, or 0 if it cannot be determined.
    ///
    /// The call costs a system call or more on some platforms: glibc reads the memory map for the main thread. So
    /// callers make it once per deep call, not once per level.
    static func stackLimit() -> UInt {
        #if canImport(Darwin)
            let thread = pthread_self()
            let top = UInt(bitPattern: pthread_get_stackaddr_np(thread))
            let size = UInt(pthread_get_stacksize_np(thread))
            return top > size ? top - size : 0
        #else
            var attributes = pthread_attr_t()
            guard let getAttributes, getAttributes(pthread_self(), &attributes) == 0 else { return 0 }
            defer { pthread_attr_destroy(&attributes) }
            var lowest: UnsafeMutableRawPointer?
            var size = 0
            guard pthread_attr_getstack(&attributes, &lowest, &size) == 0 else { return 0 }
            return UInt(bitPattern: lowest)
        #endif
    }

    #if !canImport(Darwin)
        private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt

        /// `pthread_getattr_np`, which Swift's C module omits since it is not a POSIX function.
        private static let getAttributes: GetAttributes? = loadedFunction("pthread_getattr_np").map {
            unsafeBitCast($0, to: GetAttributes.self)
        }
    #endif

    /// The function `name` of the libraries that the process has loaded; nil if none of them has it.
    static func loadedFunction(_ name: String) -> UnsafeMutableRawPointer? {
        #if canImport(Darwin)
            dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
        #else
            dlsym(nil, name)
        #endif
    }
}
