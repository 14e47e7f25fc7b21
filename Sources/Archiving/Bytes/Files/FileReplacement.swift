#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#endif

/// Writes a file so that whoever opens it finds what was there before or all that is new, whenever the process or the
/// machine stops.
///
/// The new contents go to a temporary file in the same folder, are flushed to the disk, and are given the name of the old
/// file by a rename, which the system does as a whole; then the folder is flushed. On Linux the temporary file has no name
/// while it is being written, where the file system allows that, so that a process that is killed leaves nothing behind.
enum FileReplacement {
    /// A call of the system that failed: its error number.
    struct Failure: Error {
        let number: CInt

        /// Takes the number from `errno`, so this comes first after the call.
        init() { number = errno }

        init(_ number: CInt) { self.number = number }

        /// The failure of a path that no file can have.
        static let badPath = Failure(EINVAL)
        /// The failure of a file that cannot be read to its end.
        static let unreadable = Failure(EIO)
        /// The failure of a task that was cancelled.
        static let cancelled = Failure(ECANCELED)
    }

    /// Replaces the file at `path` by one that holds what `contents` writes, or makes it.
    ///
    /// The file keeps its permissions, and its owner and group where the process may set them; a new file has those that
    /// the process gives to new files. Symbolic links are followed: the link stays. What is there and is no ordinary file,
    /// a terminal or a pipe, is written to, since it cannot be replaced.
    ///
    /// - Returns: The identity of the new file; nil if what is there is no ordinary file.
    /// - Throws: Where the system refuses a step, or nobody reads a pipe to its end, and what `contents` throws. Then the old
    ///   file is as it was, and there is no other file.
    @discardableResult
    static func replace(
        _ path: String, with contents: (Output) throws(Failure) -> Void
    ) throws(Failure) -> FileIdentity? {
        // First, since the link that stands for an open pipe leads to no name.
        var existing = stat()
        if stat(path, &existing) == 0 {
            switch existing.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw Failure(EISDIR)
            default:
                try write(contents, toExisting: path)
                return nil
            }
        }
        let (target, old) = try target(of: path)
        // Everything happens in the folder that this opens, wherever it may be moved.
        let folder = openFolder(folder(of: target))
        guard folder >= 0 else { throw Failure() }
        defer { Platform.close(folder) }
        // Nobody may read the new contents who may not read the old ones.
        let temporary = try TemporaryFile(in: folder, permissions: old.map { $0.st_mode & 0o777 } ?? 0o666)
        do throws(Failure) {
            try contents(Output(file: temporary.file))
            if let old { try temporary.take(permissionsOf: old) }
            try flush(temporary.file)
            try temporary.rename(to: name(of: target))
        } catch {
            temporary.discard()
            throw error
        }
        let identity = FileIdentity(of: temporary.file)
        temporary.close()
        // The file is replaced by now: that this fails, where folders cannot be flushed, takes nothing of that back.
        fsync(folder)
        return identity
    }

    /// A path without the symbolic links at its end, and what is there, if anything.
    private static func target(of path: String) throws(Failure) -> (path: String, info: stat?) {
        var path = path
        for _ in 0..<linkLimit {
            var info = stat()
            guard lstat(path, &info) == 0 else {
                let failure = Failure()
                if failure.number == ENOENT { return (path, nil) }
                throw failure
            }
            guard info.st_mode & S_IFMT == S_IFLNK else { return (path, info) }
            let link = try contents(ofLink: path)
            path = link.hasPrefix("/") ? link : folder(of: path) + "/" + link
        }
        throw Failure(ELOOP)
    }

    /// Links that are followed one after the other, as many as Linux follows.
    private static let linkLimit = 40

    private static func contents(ofLink path: String) throws(Failure) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return -1 }
            return readlink(path, base.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        guard count >= 0 else { throw Failure() }
        guard count > 0, count < bytes.count else { throw Failure(ENAMETOOLONG) }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private static func openFolder(_ path: String) -> CInt {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #if os(Linux) || os(Android)
            // One that may be written to but not listed. It cannot be flushed. 0o10000000 is O_PATH.
            if folder < 0, errno == EACCES { return open(path, 0o10_000_000 | O_DIRECTORY | O_CLOEXEC) }
        #endif
        return folder
    }

    /// The folder that the file at `path` is in.
    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// What the file at `path` is called in its folder.
    private static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.index(after: slash)...])
    }

    private static func write(
        _ contents: (Output) throws(Failure) -> Void, toExisting path: String
    ) throws(Failure) {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure() }
        defer { Platform.close(file) }
        let signal = BrokenPipeSignal(blockedFor: file)
        defer { signal.unblock() }
        try contents(Output(file: file))
    }

    /// A file that is being written from front to back.
    struct Output {
        fileprivate let file: CInt
        /// What is called with the number of bytes each time that some were written. It may end the writing.
        var checkpoint: ((Int) throws(Failure) -> Void)?

        fileprivate init(file: CInt) { self.file = file }

        /// The bytes that are written at once. Some systems refuse more than 2 GiB.
        private var step: Int { checkpoint == nil ? 1 << 30 : 1 << 23 }

        /// Writes `bytes` behind what was written before.
        func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = Platform.write(file, rest.baseAddress, min(rest.count, step))
                if count > 0 {
                    written += count
                    try checkpoint?(count)
                } else if count == 0 {
                    throw Failure(ENOSPC)
                } else if errno != EINTR {
                    throw Failure()
                }
            }
        }

        /// Writes the bytes in `range` of the file that is open as `source`.
        func copy(_ range: Range<Int>, of source: CInt) throws(Failure) {
            var position = range.lowerBound
            // The system copies, or lets both files share what they have in common. Not every file system can.
            while position < range.upperBound {
                let count = min(range.upperBound - position, step)
                let copied = Platform.copy(from: source, at: position, count: count, to: file)
                guard copied > 0 else {
                    if copied < 0, errno == EINTR { continue }
                    break
                }
                position += copied
                try checkpoint?(copied)
            }
            guard position < range.upperBound else { return }
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
            defer { buffer.deallocate() }
            while position < range.upperBound {
                let count = min(buffer.count, range.upperBound - position)
                let read = pread(source, buffer.baseAddress, count, off_t(position))
                if read > 0 {
                    try write(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
                    position += read
                } else if read == 0 {
                    // Another program has made the file shorter.
                    throw .unreadable
                } else if errno != EINTR {
                    throw Failure()
                }
            }
        }
    }

    /// Waits until what was written to `file` is on the disk.
    private static func flush(_ file: CInt) throws(Failure) {
        #if canImport(Darwin)
            // fsync leaves the data in the cache of the disk there.
            if fcntl(file, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(file) != 0 {
            if errno == EINTR { continue }
            // Some file systems have nothing to flush, and say so.
            if errno == EINVAL || errno == ENOTSUP { return }
            throw Failure()
        }
    }
}

// MARK: - Pipes

/// The signal that ends a process which writes into a pipe that nobody reads any more. While it is blocked, that is an error
/// of the call, like any other.
private struct BrokenPipeSignal {
    #if canImport(Darwin)
        init(blockedFor file: CInt) { _ = fcntl(file, F_SETNOSIGPIPE, 1) }

        func unblock() {}
    #else
        /// What the thread had blocked before.
        private var blocked = sigset_t()
        private let wasPending: Bool

        /// Blocks it for the calling thread: the system sends it to the thread that writes.
        init(blockedFor file: CInt) {
            var pending = sigset_t()
            sigpending(&pending)
            wasPending = sigismember(&pending, SIGPIPE) == 1
            var signals = Self.signals
            pthread_sigmask(SIG_BLOCK, &signals, &blocked)
        }

        func unblock() {
            var signals = Self.signals
            var none = timespec()
            // One that has come from writing is taken away.
            while !wasPending, sigtimedwait(&signals, nil, &none) < 0, errno == EINTR {}
            var blocked = blocked
            pthread_sigmask(SIG_SETMASK, &blocked, nil)
        }

        private static var signals: sigset_t {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            return signals
        }
    #endif
}

// MARK: - Temporary files

/// A file that is being written beside the one that it is to replace.
private final class TemporaryFile {
    let file: CInt
    /// The folder that it is in, which is open.
    private let folder: CInt
    /// Nil while it has none.
    private var name: String?

    /// Makes a file in the folder that is open as `folder`.
    init(in folder: CInt, permissions: mode_t) throws(FileReplacement.Failure) {
        self.folder = folder
        #if os(Linux) || os(Android)
            // Not every file system has them, nor every kernel, and those that have none say so in many ways.
            let unnamed = openat(folder, ".", Self.unnamedFile | O_WRONLY | O_CLOEXEC, permissions)
            if unnamed >= 0 {
                if access(Self.link(to: unnamed), F_OK) == 0 {
                    file = unnamed
                    return
                }
                Platform.close(unnamed)
            }
        #endif
        var made: CInt
        var name: String
        repeat {
            name = Self.newName()
            made = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions)
        } while made < 0 && errno == EEXIST
        guard made >= 0 else { throw FileReplacement.Failure() }
        file = made
        self.name = name
    }

    #if os(Linux) || os(Android)
        /// `O_TMPFILE`, which is a macro that is not imported.
        private static let unnamedFile: CInt = 0o20_000_000 | O_DIRECTORY

        /// What leads to an open file that has no name; nothing where there is no `/proc`.
        private static func link(to file: CInt) -> String { "/proc/self/fd/\(file)" }
    #endif

    /// A name that nobody has. It is short, so that it fits wherever any name does.
    private static func newName() -> String {
        ".\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
    }

    /// Sets owner, group and permissions to those of the file that `old` is about, as far as that is allowed.
    func take(permissionsOf old: stat) throws(FileReplacement.Failure) {
        // Not everyone may give files away. To a group that they are in, they may.
        if fchown(file, old.st_uid, old.st_gid) != 0 { _ = fchown(file, uid_t.max, old.st_gid) }
        var own = stat()
        guard fstat(file, &own) == 0 else { throw FileReplacement.Failure() }
        var permissions = old.st_mode & 0o7777
        // What was allowed in the name of somebody else is not allowed in the name of this one.
        if own.st_uid != old.st_uid { permissions &= ~0o4000 }
        if own.st_gid != old.st_gid { permissions &= ~0o2070 | (permissions & 0o007) << 3 }
        guard fchmod(file, permissions) != 0 else { return }
        // A file system without permissions refuses. The file was made with no more than those that it should have.
        guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else { throw FileReplacement.Failure() }
    }

    /// Gives it the name `target`, in its folder, which another file may have until then.
    func rename(to target: String) throws(FileReplacement.Failure) {
        if name == nil { try giveName() }
        guard let name, renameat(folder, name, folder, target) == 0 else { throw FileReplacement.Failure() }
        self.name = nil
    }

    /// Gives it a name of its own: only a file that has one can take that of another.
    private func giveName() throws(FileReplacement.Failure) {
        #if os(Linux) || os(Android)
            repeat {
                let name = Self.newName()
                if linkat(AT_FDCWD, Self.link(to: file), folder, name, AT_SYMLINK_FOLLOW) == 0 {
                    self.name = name
                    return
                }
            } while errno == EEXIST
            throw FileReplacement.Failure()
        #endif
    }

    func close() {
        Platform.close(file)
    }

    /// Removes it.
    func discard() {
        if let name { unlinkat(folder, name, 0) }
        close()
    }
}

// MARK: - Identity

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
