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

extension Platform {
    enum LockOutcome {
        case locked
        case taken
        case impossible
    }

    struct FileInfo {
        enum Kind { case file, folder, link, other }

        let kind: Kind
        let byteCount: Int64
        let identity: FileIdentity
        let access: FileAccess
    }
}

// MARK: - Files

extension Platform {
    typealias OpenFile = CInt

    /// The folder that relative paths begin at, which is open until the process ends.
    static var workingFolder: OpenFile { AT_FDCWD }

    struct FileAccess: Equatable {
        fileprivate var permissions: mode_t
        fileprivate let owner: uid_t
        fileprivate let group: gid_t

        /// The access to a file beside that with this access, which has a part of its contents. Its owner may write to it.
        var ofCompanion: FileAccess {
            var access = self
            access.permissions = permissions & 0o777 | 0o200
            return access
        }

        var withoutGroup: FileAccess {
            var access = self
            access.permissions &= ~0o2070 | (permissions & 0o007) << 3
            return access
        }
    }

    static func info(_ path: String, isLinkFollowed: Bool = true) throws(Failure) -> FileInfo {
        // Safe because the calls only fill in the status.
        try status { unsafe isLinkFollowed ? stat(path, &$0) : lstat(path, &$0) }
    }

    static func info(of file: OpenFile) throws(Failure) -> FileInfo {
        // Safe because the call only fills in the status.
        try status { unsafe fstat(file, &$0) }
    }

    /// The status of the file `name` in `folder`, not of the target of a symbolic link.
    static func info(_ name: String, in folder: OpenFile) throws(Failure) -> FileInfo {
        // Safe because the call only fills in the status.
        try status { unsafe fstatat(folder, name, &$0, AT_SYMLINK_NOFOLLOW) }
    }

    private static func status(_ body: (inout stat) -> CInt) throws(Failure) -> FileInfo {
        var info = stat()
        guard body(&info) == 0 else { throw Failure() }
        return FileInfo(info)
    }

    /// The path in the symbolic link at `path`, which may be relative to the folder of the link.
    static func contents(ofLink path: String) throws(Failure) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        // Safe because the call writes at most as many bytes as there are.
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                unsafe bytes.baseAddress.map { unsafe readlink(path, $0, bytes.count) } ?? -1
            }
        }
        guard count >= 0 else { throw Failure() }
        guard count > 0, count < bytes.count else { throw .nameTooLong }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    static func isAbsolute(_ path: String) -> Bool { path.hasPrefix("/") }

    static func openFile(_ path: String, toWrite: Bool) throws(Failure) -> OpenFile {
        // Safe because the call only reads the path.
        let file = unsafe open(path, toWrite ? Opening.toWrite : Opening.toRead)
        guard file >= 0 else { throw Failure() }
        return file
    }

    /// Opens the file `name` in `folder` to read it, and perhaps to write to it. A symbolic link is an error, and a pipe is not
    /// waited for.
    static func openFile(_ name: String, in folder: OpenFile, toWrite: Bool = false) throws(Failure) -> OpenFile {
        // Safe because the call only reads the name.
        let file = unsafe openat(
            folder, name, (toWrite ? Opening.toChange : Opening.toRead) | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { throw Failure() }
        return file
    }

    static func truncate(_ file: OpenFile, to count: Int) throws(Failure) {
        while ftruncate(file, off_t(count)) != 0 {
            if errno != EINTR { throw Failure() }
        }
    }

    static func openFolder(_ path: String) throws(Failure) -> OpenFile {
        // Safe because the calls only read the path.
        var folder = unsafe open(path, Opening.folder)
        #if os(Linux) || os(Android)
            // A folder with permission to write but not to list. It cannot be flushed. 0o10000000 is O_PATH.
            if folder < 0, errno == EACCES { folder = unsafe open(path, 0o10_000_000 | O_DIRECTORY | O_CLOEXEC) }
        #endif
        guard folder >= 0 else { throw Failure() }
        return folder
    }

    static func closeFile(_ file: OpenFile) { _ = close(file) }

    /// Reads bytes at `position`, as many as the system returns at once. Returns their number; 0 at the end of the file.
    static func readFile(
        _ file: OpenFile, at position: Int, into bytes: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        while true {
            // Safe because the call writes at most as many bytes as there are.
            let count = unsafe pread(file, base, bytes.count, off_t(position))
            if count >= 0 { return count }
            if errno != EINTR { throw Failure() }
        }
    }

    /// Appends a part of `bytes`, which are not empty, to the file. Returns the number of written bytes, at least 1.
    static func append(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(Failure) -> Int {
        // Safe because the call reads as many bytes as there are.
        try written { unsafe write(file, bytes.baseAddress, bytes.count) }
    }

    /// Replaces bytes of the file at `position` by a part of `bytes`, which are not empty.
    ///
    /// - Returns: The number of written bytes, at least 1.
    static func replace(_ bytes: UnsafeRawBufferPointer, at position: Int, of file: OpenFile) throws(Failure) -> Int {
        // Safe because the call reads as many bytes as there are.
        try written { unsafe pwrite(file, bytes.baseAddress, bytes.count, off_t(position)) }
    }

    private static func written(_ call: () -> Int) throws(Failure) -> Int {
        while true {
            let count = call()
            if count > 0 { return count }
            if count == 0 { throw .full }
            if errno != EINTR { throw Failure() }
        }
    }

    /// Lets the system append `count` bytes at `position` of one file to another.
    ///
    /// - Returns: The number of copied bytes; 0 if the system cannot copy them.
    static func copy(from source: OpenFile, at position: Int, count: Int, to target: OpenFile) -> Int {
        #if os(Linux) || os(Android)
            // Safe because the call only changes the offset.
            guard let copyFileRange = unsafe copyFileRange else { return 0 }
            while true {
                var offset = Int64(position)
                let copied = unsafe copyFileRange(source, &offset, target, nil, count, 0)
                if copied >= 0 || errno != EINTR { return max(copied, 0) }
            }
        #else
            return 0
        #endif
    }

    #if os(Linux) || os(Android)
        private typealias CopyFileRange =
            @convention(c) (
                CInt, UnsafeMutablePointer<Int64>?, CInt, UnsafeMutablePointer<Int64>?, Int, CUnsignedInt
            ) -> Int

        /// `copy_file_range`, which some C libraries have, and Swift's C module omits.
        // Safe because the function has this type in the headers of the C libraries.
        private static let copyFileRange = unsafe loadedFunction("copy_file_range", as: CopyFileRange.self)
    #endif

    static func flush(_ file: OpenFile) throws(Failure) {
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

    /// Waits until the names in `folder` are on the disk, if the system can flush folders.
    static func flushFolder(_ folder: OpenFile) throws(Failure) {
        do throws(Failure) { try flush(folder) } catch {
            // A folder that the process may not list is open as a path only, and cannot be flushed.
            if error != .notOpen { throw error }
        }
    }

    static func isReadOnly(_ name: String, in folder: OpenFile) -> Bool {
        !isPossible(W_OK, name, in: folder) && errno == EROFS
    }

    private static func isPossible(_ mode: CInt, _ name: String, in folder: OpenFile) -> Bool {
        // Safe because the call only reads the name.
        unsafe faccessat(folder, name, mode, 0) == 0
    }
}

// MARK: - Locks

extension Platform {
    /// Locks `file` until it is closed, unless it is locked already.
    static func tryLock(_ file: OpenFile) -> LockOutcome {
        while true {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return .locked }
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return .taken
            default: return .impossible
            }
        }
    }

    static func pause(milliseconds: UInt32) { usleep(milliseconds * 1000) }
}

extension Platform.FileInfo {
    fileprivate init(_ info: stat) {
        kind =
            switch info.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        byteCount = Int64(info.st_size)
        #if canImport(Darwin)
            let changed = info.st_mtimespec
        #else
            let changed = info.st_mtim
        #endif
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: info.st_dev), number: UInt64(truncatingIfNeeded: info.st_ino),
            byteCount: byteCount, seconds: Int64(changed.tv_sec), nanoseconds: Int64(changed.tv_nsec))
        access = Platform.FileAccess(
            permissions: info.st_mode & 0o7777, owner: info.st_uid, group: info.st_gid)
    }
}

// MARK: - New files

extension Platform {
    /// Creates a file without a name in the folder that is open as `folder`; nil if the system has no such files. Only
    /// users who may read a file with the access `access` may read it.
    static func makeUnnamedFile(in folder: OpenFile, _ access: FileAccess?) -> OpenFile? {
        #if os(Linux) || os(Android)
            // Not every file system or kernel supports it, and those that do not report different errors.
            // 0o20000000 is that bit of O_TMPFILE, a macro that is not imported.
            // Safe because the call only reads the path.
            let unnamed = unsafe openat(folder, ".", 0o20_000_000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, mode(access))
            guard unnamed >= 0 else { return nil }
            // The file gets its name by this path, which does not exist on systems without `/proc`.
            if isPossible(F_OK, link(to: unnamed), in: workingFolder) { return unnamed }
            closeFile(unnamed)
        #endif
        return nil
    }

    static func openUnnamedFile(_ file: OpenFile) throws(Failure) -> OpenFile {
        #if os(Linux) || os(Android)
            return try openFile(link(to: file), toWrite: false)
        #else
            throw Failure(ENOTSUP)
        #endif
    }

    /// Gives a file without a name the name `name`. Throws `Failure.exists` if another file has it.
    static func nameFile(_ file: OpenFile, _ name: String, in folder: OpenFile) throws(Failure) {
        #if os(Linux) || os(Android)
            try nameFile(link(to: file), in: workingFolder, name, in: folder)
        #else
            throw Failure(ENOTSUP)
        #endif
    }

    static func nameFile(
        _ path: String, in pathFolder: OpenFile, _ name: String, in folder: OpenFile
    ) throws(Failure) {
        // Safe because the call only reads the path and the name.
        guard unsafe linkat(pathFolder, path, folder, name, AT_SYMLINK_FOLLOW) == 0 else { throw Failure() }
    }

    static func makeFile(_ name: String, in folder: OpenFile, _ access: FileAccess?) throws(Failure) -> OpenFile {
        // Safe because the call only reads the name.
        let file = unsafe openat(folder, name, Opening.new, mode(access))
        guard file >= 0 else { throw Failure() }
        return file
    }

    static func renameFile(
        _ name: String, in folder: OpenFile, to newName: String, in newFolder: OpenFile
    ) throws(Failure) {
        // Safe because the call only reads the names.
        guard unsafe renameat(folder, name, newFolder, newName) == 0 else { throw Failure() }
    }

    static func removeFile(_ name: String, in folder: OpenFile) {
        // Safe because the call only reads the name.
        unsafe unlinkat(folder, name, 0)
    }

    private static func mode(_ access: FileAccess?) -> mode_t { access.map { $0.permissions & 0o777 } ?? 0o666 }

    #if os(Linux) || os(Android)
        private static func link(to file: OpenFile) -> String { "/proc/self/fd/\(file)" }
    #endif

    /// Sets the owner, group and permissions to those in `access`, as far as the system permits.
    static func setAccess(of file: OpenFile, to access: FileAccess) throws(Failure) {
        // Not every user may change the owner of a file, but every user may set a group that they belong to.
        if fchown(file, access.owner, access.group) != 0 { _ = fchown(file, uid_t.max, access.group) }
        let own = try info(of: file).access
        // The set-ID bits and the group permissions apply only to the old owner and group.
        var permissions = own.group == access.group ? access.permissions : access.withoutGroup.permissions
        if own.owner != access.owner { permissions &= ~0o4000 }
        guard fchmod(file, permissions) != 0 else { return }
        // A file system without permissions rejects the call. The file was created with at most the required
        // permissions.
        guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else { throw Failure() }
    }
}

// MARK: - Attributes

extension Platform {
    /// Gives the new file `new` the attributes of the file that it replaces, `old`, as far as the system permits: extended
    /// attributes and access control lists, and on Apple's systems the class of data protection and the creation date.
    /// Call it before anything is written to the new file.
    ///
    /// - Returns: Whether the permissions of the group mean the same for both files: false if the old one has an access
    ///   control list that the new one lacks.
    static func copyAttributes(of old: OpenFile, to new: OpenFile) -> Bool {
        #if canImport(Darwin)
            _ = fcopyfile(old, new, nil, copyfile_flags_t(COPYFILE_ACL))
            _ = fcopyfile(old, new, nil, copyfile_flags_t(COPYFILE_XATTR))
            let protection = fcntl(old, F_GETPROTECTIONCLASS)
            if protection > 0 { _ = fcntl(new, F_SETPROTECTIONCLASS, protection) }
            var status = stat()
            // Safe because the call only fills in the status.
            guard unsafe fstat(old, &status) == 0 else { return true }
            var created = status.st_birthtimespec
            var list = attrlist()
            list.bitmapcount = u_short(ATTR_BIT_MAP_COUNT)
            list.commonattr = attrgroup_t(ATTR_CMN_CRTIME)
            // Safe because the call only reads the list and the time.
            _ = unsafe fsetattrlist(new, &list, &created, MemoryLayout<timespec>.size, 0)
            return true
        #else
            guard let functions = AttributeFunctions.loaded else { return true }
            for name in functions.names(old) where name.hasPrefix("user.") {
                if let value = functions.value(name, of: old) { _ = functions.set(name, value, of: new) }
            }
            let list = "system.posix_acl_access"
            if let value = functions.value(list, of: old) { return functions.set(list, value, of: new) }
            // The default of its folder.
            if functions.value(list, of: new) != nil { functions.remove(list, of: new) }
            return true
        #endif
    }

    #if !canImport(Darwin)
        /// The functions for extended attributes, which Linux's C libraries have, and Swift's C module omits.
        @safe private struct AttributeFunctions: Sendable {
            private typealias List = @convention(c) (CInt, UnsafeMutableRawPointer?, Int) -> Int
            private typealias Get = @convention(c) (CInt, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
            private typealias Set = @convention(c) (CInt, UnsafePointer<CChar>, UnsafeRawPointer?, Int, CInt) -> CInt
            private typealias Remove = @convention(c) (CInt, UnsafePointer<CChar>) -> CInt

            private let listNames: List
            private let getValue: Get
            private let setValue: Set
            private let removeName: Remove

            static let loaded: AttributeFunctions? = {
                // Safe because the functions have these types in the headers of the C libraries.
                guard let list = unsafe loadedFunction("flistxattr", as: List.self),
                    let get = unsafe loadedFunction("fgetxattr", as: Get.self),
                    let set = unsafe loadedFunction("fsetxattr", as: Set.self),
                    let remove = unsafe loadedFunction("fremovexattr", as: Remove.self)
                else { return nil }
                return unsafe AttributeFunctions(
                    listNames: list, getValue: get, setValue: set, removeName: remove)
            }()

            func names(_ file: OpenFile) -> [String] {
                // Safe because the call writes at most as many bytes as there are.
                let names = unsafe Self.bytes { unsafe listNames(file, $0, $1) } ?? []
                return names.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            }

            func value(_ name: String, of file: OpenFile) -> [UInt8]? {
                // Safe because the call writes at most as many bytes as there are.
                unsafe Self.bytes { unsafe getValue(file, name, $0, $1) }
            }

            func set(_ name: String, _ value: [UInt8], of file: OpenFile) -> Bool {
                // Safe because the call only reads the name and as many bytes as there are.
                unsafe value.withUnsafeBytes { unsafe setValue(file, name, $0.baseAddress, $0.count, 0) } == 0
            }

            func remove(_ name: String, of file: OpenFile) {
                // Safe because the call only reads the name.
                _ = unsafe removeName(file, name)
            }

            /// The bytes that `fill` writes to a buffer, whose number it returns, also for a buffer of no bytes; nil if it
            /// fails.
            private static func bytes(_ fill: (UnsafeMutableRawPointer?, Int) -> Int) -> [UInt8]? {
                let count = fill(nil, 0)
                guard count >= 0 else { return nil }
                if count == 0 { return [] }
                var bytes = [UInt8](repeating: 0, count: count)
                // Safe because the buffer has as many bytes.
                let filled = unsafe bytes.withUnsafeMutableBytes { unsafe fill($0.baseAddress, $0.count) }
                return filled < 0 ? nil : Array(bytes.prefix(filled))
            }
        }
    #endif
}

private enum Opening {
    static let toRead = O_RDONLY | O_CLOEXEC
    static let toWrite = O_WRONLY | O_CLOEXEC
    static let toChange = O_RDWR | O_CLOEXEC
    static let folder = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    static let new = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
}

extension Platform {
    package struct Failure: Error, Equatable {
        package let number: CInt

        /// Reads the number from `errno`. Call it immediately after the system call.
        init() { number = errno }

        init(_ number: CInt) { self.number = number }

        static let badPath = Failure(EINVAL)
        static let unreadable = Failure(EIO)
        static let cancelled = Failure(ECANCELED)
        /// The failure of a file that is neither a regular file nor a folder.
        static let notRegular = Failure(ESPIPE)
        /// The failure of a descriptor that is not open for the operation.
        static let notOpen = Failure(EBADF)
        static let missing = Failure(ENOENT)
        static let exists = Failure(EEXIST)
        static let isFolder = Failure(EISDIR)
        static let linksInCircle = Failure(ELOOP)
        static let full = Failure(ENOSPC)
        static let nameTooLong = Failure(ENAMETOOLONG)
        static let forbidden = Failure(EACCES)
        static let readOnly = Failure(EROFS)
        static let otherVolume = Failure(EXDEV)

        enum Reason { case missing, forbidden, full, readOnly, badName, other }

        var reason: Reason {
            switch number {
            case ENOENT, ENOTDIR: .missing
            case EACCES, EPERM: .forbidden
            case ENOSPC, EFBIG, EDQUOT: .full
            case EROFS: .readOnly
            case ENAMETOOLONG, EINVAL: .badName
            default: .other
            }
        }
    }
}
