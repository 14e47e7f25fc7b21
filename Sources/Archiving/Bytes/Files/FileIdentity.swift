#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#endif

/// What tells whether a file is the one that it was, with the same contents.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64
    private let byteCount: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// The identity of the file at `path`; nil if there is none.
    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        self.init(info)
    }

    /// The identity of the file that is open as `file`; nil if the system does not tell.
    init?(of file: CInt) {
        var info = stat()
        guard fstat(file, &info) == 0 else { return nil }
        self.init(info)
    }

    private init(_ info: stat) {
        device = UInt64(truncatingIfNeeded: info.st_dev)
        number = UInt64(truncatingIfNeeded: info.st_ino)
        byteCount = Int64(info.st_size)
        #if canImport(Darwin)
            let changed = info.st_mtimespec
        #else
            let changed = info.st_mtim
        #endif
        seconds = Int(changed.tv_sec)
        nanoseconds = Int(changed.tv_nsec)
    }
}
