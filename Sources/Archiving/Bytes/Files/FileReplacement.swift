/// Replaces a file atomically: a reader finds the complete old contents or the complete new ones, even if the process or
/// the machine stops.
///
/// The new contents are written to a temporary file in the same folder and flushed to the disk. An atomic rename then
/// gives the file the name of the old one, and the folder is flushed. On Linux the temporary file has no name while it
/// is written, if the file system supports that, so that a killed process leaves no file behind.
///
/// The new file keeps the permissions of the old one, and its owner and group if the process may set them; without an
/// old file it has the defaults of the process. Symbolic links are followed and kept.
///
/// A replacement that is released before `commit` has no effects: the old file is unchanged, and no other file remains.
final class FileReplacement {
    typealias Failure = Platform.Failure

    /// The name of the file in its folder.
    private let name: String
    /// The access of the old file, if there is one.
    private let access: Platform.FileAccess?
    /// All steps use the folder that this opens, even if it is moved.
    private let folder: Platform.OpenFile
    private let temporary: TemporaryFile

    /// Begins to replace the file at `path`, or to create it.
    init(_ path: String) throws(Failure) {
        let (target, old) = try Self.target(of: path)
        switch old?.kind {
        case nil, .file, .link: break
        case .folder: throw .isFolder
        case .other: throw .notRegular
        }
        name = Self.name(of: target)
        access = old?.access
        folder = try Platform.openFolder(Self.folder(of: target))
        do throws(Failure) {
            temporary = try TemporaryFile(in: folder, insteadOf: access)
        } catch {
            Platform.closeFile(folder)
            throw error
        }
    }

    deinit {
        temporary.discard()
        Platform.closeFile(folder)
    }

    /// The contents of the new file.
    var output: Output { Output(file: temporary.file) }

    /// Finishes the new file, so that `commit` has only to rename it.
    func finish() throws(Failure) {
        if let access { try Platform.setAccess(of: temporary.file, to: access) }
        try Platform.flush(temporary.file)
    }

    /// Opens the new file for reading, under its own descriptor.
    func open() throws(Failure) -> OpenedFile { try temporary.open() }

    /// Renames the new file.
    ///
    /// All programs that use this library hold a lock of the old file meanwhile, if the system has locks and the file
    /// can be opened.
    ///
    /// - Parameter expected: The identity that the old file must have; nil for a file in any state.
    /// - Returns: Whether the file is replaced: false if the old file has another identity.
    /// - Throws: The failure of a system call, or `Failure.locked` if another program holds a lock. Then the old file is
    ///   unchanged.
    func commit(ifStill expected: FileIdentity?) throws(Failure) -> Bool {
        try temporary.giveName()
        do {
            let lock = try FileLock(name, in: folder, isRequired: expected != nil)
            defer { lock.release() }
            if let expected, (try? Platform.info(name, in: folder))?.identity != expected { return false }
            try temporary.rename(to: name)
        }
        // The file is replaced already. A failure of this call, on systems that cannot flush folders, does not undo
        // that.
        Platform.flushFolder(folder)
        return true
    }

    /// Replaces the file at `path` by one with the output of `contents`, or creates it.
    ///
    /// A file of another kind, such as a terminal or a pipe, cannot be replaced; `contents` is written to it.
    ///
    /// - Throws: The failure of a system call or of `contents`, or of a pipe whose reader closes it early. Then the old
    ///   file is unchanged, and no other file remains.
    static func replace(_ path: String, with contents: (Output) throws(Failure) -> Void) throws(Failure) {
        // First, since the link that represents an open pipe refers to no name.
        if case .other? = (try? Platform.info(path))?.kind { return try write(contents, toExisting: path) }
        let replacement = try FileReplacement(path)
        try contents(replacement.output)
        try replacement.finish()
        _ = try replacement.commit(ifStill: nil)
    }

    /// The path without symbolic links at its end, and the status of the existing file, if any.
    private static func target(of path: String) throws(Failure) -> (path: String, info: Platform.FileInfo?) {
        var path = path
        for _ in 0..<linkLimit {
            let info: Platform.FileInfo
            do throws(Failure) { info = try Platform.info(path, isLinkFollowed: false) } catch {
                if error == .missing { return (path, nil) }
                throw error
            }
            guard info.kind == .link else { return (path, info) }
            let link = try Platform.contents(ofLink: path)
            path = Platform.isAbsolute(link) ? link : folder(of: path) + "/" + link
        }
        throw .linksInCircle
    }

    /// The number of links that are followed, as on Linux.
    private static let linkLimit = 40

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
        let file = try Platform.openFile(path, toWrite: true)
        defer { Platform.closeFile(file) }
        let signal = BrokenPipeSignal(blockedFor: file)
        defer { signal.unblock() }
        try contents(Output(file: file))
    }

    /// A file that is written sequentially.
    struct Output {
        fileprivate let file: Platform.OpenFile
        /// A function that is called with the number of bytes after each write. It may end the writing by an error.
        var checkpoint: ((Int) throws(Failure) -> Void)?

        fileprivate init(file: Platform.OpenFile) { self.file = file }

        /// The maximum number of bytes of a single write. Some systems reject more than 2 GiB.
        private var step: Int { checkpoint == nil ? 1 << 30 : 1 << 23 }

        /// Appends `bytes` to the file.
        func write(_ bytes: RawSpan) throws(Failure) {
            var written = 0
            while written < bytes.byteCount {
                let part = bytes.extracting(written..<min(written + step, bytes.byteCount))
                let count = try Platform.append(part, to: file)
                written += count
                try checkpoint?(count)
            }
        }

        /// Appends the bytes in `range` of the file that is open as `source`.
        func copy(_ range: Range<Int>, of source: Platform.OpenFile) throws(Failure) {
            var position = range.lowerBound
            // The system copies the bytes, or lets both files share them. Not every file system supports it.
            while position < range.upperBound {
                let count = min(range.upperBound - position, step)
                let copied = Platform.copy(from: source, at: position, count: count, to: file)
                guard copied > 0 else { break }
                position += copied
                try checkpoint?(copied)
            }
            guard position < range.upperBound else { return }
            let buffer = OwnedMemory(byteCount: 1 << 20)
            while position < range.upperBound {
                let wanted = min(buffer.count, range.upperBound - position)
                let count = try Platform.readFile(source, at: position, into: buffer, 0..<wanted)
                // Another program has truncated the file.
                guard count > 0 else { throw .unreadable }
                try StoredBytes(buffer).withBytes(0..<count) { bytes throws(Failure) in try write(bytes) }
                position += count
            }
        }
    }
}

// MARK: - Temporary files

/// A file that is written in the folder of the file that it replaces.
private final class TemporaryFile {
    let file: Platform.OpenFile
    /// The open folder that contains it.
    private let folder: Platform.OpenFile
    /// Nil while it has no name.
    private var name: String?

    /// Creates a file in the folder that is open as `folder`. A user without permission to read the old contents, whose
    /// file had the access `access`, may not read the new ones.
    init(in folder: Platform.OpenFile, insteadOf access: Platform.FileAccess?) throws(Platform.Failure) {
        self.folder = folder
        if let unnamed = Platform.makeUnnamedFile(in: folder, access) {
            file = unnamed
            return
        }
        (file, name) = try Self.withNewName { name throws(Platform.Failure) in
            try Platform.makeFile(name, in: folder, access)
        }
    }

    /// Calls `body` with new names until one is a name that no file has. It is short enough for every file system.
    private static func withNewName<Result>(
        _ body: (String) throws(Platform.Failure) -> Result
    ) throws(Platform.Failure) -> (Result, String) {
        while true {
            let name = ".\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
            do throws(Platform.Failure) { return (try body(name), name) } catch {
                if error != .exists { throw error }
            }
        }
    }

    /// Gives the file a name, if it has none: only a file with a name can replace another.
    func giveName() throws(Platform.Failure) {
        guard name == nil else { return }
        (_, name) = try Self.withNewName { name throws(Platform.Failure) in
            try Platform.nameFile(file, name, in: folder)
        }
    }

    /// Renames the file, which has a name, to `target` in its folder. An existing file of that name is replaced.
    func rename(to target: String) throws(Platform.Failure) {
        guard let name else { return }
        try Platform.renameFile(file, name, to: target, in: folder)
        self.name = nil
    }

    /// Opens the file for reading.
    func open() throws(Platform.Failure) -> OpenedFile {
        let opened: OpenedFile
        if let name {
            opened = try OpenedFile(Platform.openFile(name, in: folder))
        } else {
            opened = try OpenedFile(Platform.openUnnamedFile(file))
        }
        guard FileIdentity(of: file) == opened.identity else { throw .unreadable }
        return opened
    }

    /// Closes the file, and removes it if it was not renamed.
    func discard() {
        Platform.closeFile(file)
        if let name { Platform.removeFile(name, in: folder) }
    }
}
