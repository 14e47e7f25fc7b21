#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Bionic)
    import Bionic
#endif

/// Replaces files atomically: a reader finds the complete old contents or the complete new ones, even if the process or
/// the machine stops.
///
/// The new contents are written to a temporary file in the same folder and flushed to the disk. An atomic rename then
/// gives the file the name of the old one, and the folder is flushed. On Linux the temporary file has no name while it
/// is written, if the file system supports that, so that a killed process leaves no file behind.
enum FileReplacement {
    /// The error number of a failed system call.
    struct Failure: Error {
        let number: CInt

        /// Reads the number from `errno`. Call it immediately after the system call.
        init() { number = errno }

        init(_ number: CInt) { self.number = number }

        /// The failure of a path that no file can have.
        static let badPath = Failure(EINVAL)
        /// The failure of a file that cannot be read completely.
        static let unreadable = Failure(EIO)
        /// The failure of a cancelled task.
        static let cancelled = Failure(ECANCELED)
    }

    /// Replaces the file at `path` by one with the output of `contents`, or creates it.
    ///
    /// The file keeps its permissions, and its owner and group if the process may set them; a new file has the defaults
    /// of the process. Symbolic links are followed and kept. A file of another kind, such as a terminal or a pipe,
    /// cannot be replaced; `contents` is written to it.
    ///
    /// - Returns: The identity of the new file; nil if the existing file is not a regular file.
    /// - Throws: The failure of a system call or of `contents`, or of a pipe whose reader closes it early. Then the old
    ///   file is unchanged, and no other file remains.
    @discardableResult
    static func replace(
        _ path: String, with contents: (Output) throws(Failure) -> Void
    ) throws(Failure) -> FileIdentity? {
        // First, since the link that represents an open pipe refers to no name.
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
        // All steps use the folder that this opens, even if it is moved.
        let folder = openFolder(folder(of: target))
        guard folder >= 0 else { throw Failure() }
        defer { Platform.close(folder) }
        // A user without permission to read the old contents may not read the new ones.
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
        // The file is replaced already. A failure of this call, on systems that cannot flush folders, does not undo
        // that.
        fsync(folder)
        return identity
    }

    /// The path without symbolic links at its end, and the status of the existing file, if any.
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

    /// The number of links that are followed, as on Linux.
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
            // A folder with permission to write but not to list. It cannot be flushed. 0o10000000 is O_PATH.
            if folder < 0, errno == EACCES { return open(path, 0o10_000_000 | O_DIRECTORY | O_CLOEXEC) }
        #endif
        return folder
    }

    /// The folder that contains the file at `path`.
    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The name of the file at `path` in its folder.
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

    /// A file that is written sequentially.
    struct Output {
        fileprivate let file: CInt
        /// A function that is called with the number of bytes after each write. It may end the writing by an error.
        var checkpoint: ((Int) throws(Failure) -> Void)?

        fileprivate init(file: CInt) { self.file = file }

        /// The maximum number of bytes of a single write. Some systems reject more than 2 GiB.
        private var step: Int { checkpoint == nil ? 1 << 30 : 1 << 23 }

        /// Appends `bytes` to the file.
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

        /// Appends the bytes in `range` of the file that is open as `source`.
        func copy(_ range: Range<Int>, of source: CInt) throws(Failure) {
            var position = range.lowerBound
            // The system copies the bytes, or lets both files share them. Not every file system supports it.
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
                    // Another program has truncated the file.
                    throw .unreadable
                } else if errno != EINTR {
                    throw Failure()
                }
            }
        }
    }

    /// Waits until the written data of `file` is on the disk.
    private static func flush(_ file: CInt) throws(Failure) {
        #if canImport(Darwin)
            // On Darwin, fsync leaves the data in the cache of the disk.
            if fcntl(file, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(file) != 0 {
            if errno == EINTR { continue }
            // Some file systems have nothing to flush, and report that.
            if errno == EINVAL || errno == ENOTSUP { return }
            throw Failure()
        }
    }
}

// MARK: - Pipes

/// The signal that ends a process that writes to a pipe without a reader. While it is blocked, the call reports an
/// error instead.
private struct BrokenPipeSignal {
    #if canImport(Darwin)
        init(blockedFor file: CInt) { _ = fcntl(file, F_SETNOSIGPIPE, 1) }

        func unblock() {}
    #else
        /// The signals that the thread had blocked before.
        private var blocked = sigset_t()
        private let wasPending: Bool

        /// Blocks the signal for the calling thread: the system sends it to the thread that writes.
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
            // Consumes a signal that the write has caused.
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

/// A file that is written in the folder of the file that it replaces.
private final class TemporaryFile {
    let file: CInt
    /// The open folder that contains it.
    private let folder: CInt
    /// Nil while it has no name.
    private var name: String?

    /// Creates a file in the folder that is open as `folder`.
    init(in folder: CInt, permissions: mode_t) throws(FileReplacement.Failure) {
        self.folder = folder
        #if os(Linux) || os(Android)
            // Not every file system and kernel supports unnamed files; those without support report various errors.
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
        /// `O_TMPFILE`, a macro that Swift does not import.
        private static let unnamedFile: CInt = 0o20_000_000 | O_DIRECTORY

        /// The path of an open file without a name. It does not exist on systems without `/proc`.
        private static func link(to file: CInt) -> String { "/proc/self/fd/\(file)" }
    #endif

    /// A name that no file has. It is short enough for every file system.
    private static func newName() -> String {
        ".\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
    }

    /// Sets the owner, group and permissions of the file that `old` describes, as far as the system permits.
    func take(permissionsOf old: stat) throws(FileReplacement.Failure) {
        // Not every user may change the owner of a file, but every user may set a group that they belong to.
        if fchown(file, old.st_uid, old.st_gid) != 0 { _ = fchown(file, uid_t.max, old.st_gid) }
        var own = stat()
        guard fstat(file, &own) == 0 else { throw FileReplacement.Failure() }
        var permissions = old.st_mode & 0o7777
        // The set-ID bits and the group permissions apply only to the old owner and group.
        if own.st_uid != old.st_uid { permissions &= ~0o4000 }
        if own.st_gid != old.st_gid { permissions &= ~0o2070 | (permissions & 0o007) << 3 }
        guard fchmod(file, permissions) != 0 else { return }
        // A file system without permissions rejects the call. The file was created with at most the required
        // permissions.
        guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else { throw FileReplacement.Failure() }
    }

    /// Renames the file to `target`, in its folder. An existing file of that name is replaced.
    func rename(to target: String) throws(FileReplacement.Failure) {
        if name == nil { try giveName() }
        guard let name, renameat(folder, name, folder, target) == 0 else { throw FileReplacement.Failure() }
        self.name = nil
    }

    /// Gives the file its own name: only a file with a name can replace another.
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

    /// Removes the file.
    func discard() {
        if let name { unlinkat(folder, name, 0) }
        close()
    }
}

// MARK: - Identity

/// The identity of a file and its contents, which changes when another program writes to the file.
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

    /// The identity of the file that is open as `file`; nil if the system does not report it.
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
