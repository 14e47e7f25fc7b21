#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#endif

/// What the C library has to do for the archiver: memory that grows in place, and the bounds of a thread's stack.
enum Platform {
    /// Memory of `byteCount` bytes, all zero. Large blocks come from untouched pages, so what is never used costs nothing.
    static func allocateZeroed(byteCount: Int) -> UnsafeMutableRawPointer {
        guard let memory = calloc(1, byteCount) else { preconditionFailure("Out of memory: \(byteCount) bytes") }
        return memory
    }

    /// `memory` with room for `byteCount` bytes, moved where it must be; what it held is kept.
    static func reallocate(_ memory: UnsafeMutableRawPointer?, byteCount: Int) -> UnsafeMutableRawPointer {
        guard let moved = realloc(memory, byteCount) else { preconditionFailure("Out of memory: \(byteCount) bytes") }
        return moved
    }

    static func release(_ memory: UnsafeMutableRawPointer) {
        free(memory)
    }

    /// How memory that a file is mapped to is going to be read.
    enum Access {
        /// Here and there.
        case random
        /// All of it, or who knows.
        case normal
    }

    #if canImport(Darwin)
        /// Nothing: Foundation knows better there from which volumes files can be mapped.
        static func map(_ path: String, ifLargerThan floor: Int, _ access: Access) -> UnsafeRawBufferPointer? { nil }
        static func unmap(_ bytes: UnsafeRawBufferPointer) {}
        static func advise(_ access: Access, for bytes: UnsafeRawBufferPointer) {}
    #else
        /// The contents of the file at `path`, mapped into memory; nil where it is no ordinary file of more than `floor`
        /// bytes, or cannot be read or mapped.
        ///
        /// - Parameter access: How it is going to be read.
        static func map(_ path: String, ifLargerThan floor: Int, _ access: Access) -> UnsafeRawBufferPointer? {
            let file = open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { close(file) }
            var info = stat()
            guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG, let count = Int(exactly: info.st_size),
                count > floor
            else { return nil }
            let memory =
                access == .random ? mapInSmallPages(file, count) : mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0)
            guard let memory, Int(bitPattern: memory) != -1 else { return nil }
            let bytes = UnsafeRawBufferPointer(start: memory, count: count)
            if access == .random { advise(access, for: bytes) }
            return bytes
        }

        /// The first `count` bytes of `file`, mapped to an address at which the system cannot take pages of 2 MiB. With those,
        /// each byte that is looked at would bring 2 MiB with it.
        private static func mapInSmallPages(_ file: CInt, _ count: Int) -> UnsafeMutableRawPointer? {
            let largePage = 2 << 20
            let pageSize = Int(sysconf(CInt(_SC_PAGESIZE)))
            let reserved = mmap(
                nil, count + 2 * largePage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
            guard let reserved, Int(bitPattern: reserved) != -1 else { return nil }
            let start = Int(bitPattern: reserved)
            let place = (start + largePage - 1) & ~(largePage - 1) + pageSize
            let memory = mmap(
                UnsafeMutableRawPointer(bitPattern: place), count, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0)
            guard let memory, Int(bitPattern: memory) != -1 else {
                munmap(reserved, count + 2 * largePage)
                return nil
            }
            let end = place + (count + pageSize - 1) & ~(pageSize - 1)
            munmap(reserved, place - start)
            munmap(UnsafeMutableRawPointer(bitPattern: end), start + count + 2 * largePage - end)
            return memory
        }

        /// Gives up what `map` gave.
        static func unmap(_ bytes: UnsafeRawBufferPointer) {
            munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
        }

        /// Says how what `map` gave is going to be read: without that the system reads ahead.
        static func advise(_ access: Access, for bytes: UnsafeRawBufferPointer) {
            guard let base = bytes.baseAddress else { return }
            madvise(UnsafeMutableRawPointer(mutating: base), bytes.count, access == .random ? MADV_RANDOM : MADV_NORMAL)
        }
    #endif

    /// The lowest address that the calling thread's stack can grow down to, or 0 where it cannot be told.
    ///
    /// The answer costs a system call or more on some platforms (glibc reads the memory map for the main thread), so it
    /// is asked for once per deep call, not once per level.
    static func stackLimit() -> UInt {
        #if canImport(Darwin)
            let thread = pthread_self()
            let top = UInt(bitPattern: pthread_get_stackaddr_np(thread))
            let size = UInt(pthread_get_stacksize_np(thread))
            return top > size ? top - size : 0
        #elseif canImport(Glibc) || canImport(Musl) || canImport(Bionic)
            var attributes = pthread_attr_t()
            guard let getAttributes, getAttributes(pthread_self(), &attributes) == 0 else { return 0 }
            defer { pthread_attr_destroy(&attributes) }
            var lowest: UnsafeMutableRawPointer?
            var size = 0
            guard pthread_attr_getstack(&attributes, &lowest, &size) == 0 else { return 0 }
            return UInt(bitPattern: lowest)
        #else
            return 0
        #endif
    }

    #if canImport(Glibc) || canImport(Musl) || canImport(Bionic)
        private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt

        /// `pthread_getattr_np`, which the C module leaves out because it is no POSIX function.
        private static let getAttributes: GetAttributes? = dlsym(nil, "pthread_getattr_np").map {
            unsafeBitCast($0, to: GetAttributes.self)
        }
    #endif
}
