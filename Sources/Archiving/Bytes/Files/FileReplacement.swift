/// Replaces files atomically: a reader finds the complete old contents or the complete new ones, even if the process or
/// the machine stops.
///
/// The new contents are written to a temporary file in the same folder and flushed to the disk. An atomic rename then
/// gives the file the name of the old one, and the folder is flushed. On Linux the temporary file has no name while it
/// is written, if the file system supports that, so that a killed process leaves no file behind.
enum FileReplacement {
    typealias Failure = Platform.Failure

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
        switch (try? Platform.info(path))?.kind {
        case nil, .file, .link: break
        case .folder: throw .isFolder
        case .other:
            try write(contents, toExisting: path)
            return nil
        }
        let (target, old) = try target(of: path)
        // All steps use the folder that this opens, even if it is moved.
        let folder = try Platform.openFolder(folder(of: target))
        defer { Platform.closeFile(folder) }
        let temporary = try TemporaryFile(in: folder, insteadOf: old?.access)
        do throws(Failure) {
            try contents(Output(file: temporary.file))
            if let old { try Platform.setAccess(of: temporary.file, to: old.access) }
            try Platform.flush(temporary.file)
            try temporary.rename(to: name(of: target))
        } catch {
            temporary.discard()
            throw error
        }
        let identity = FileIdentity(of: temporary.file)
        Platform.closeFile(temporary.file)
        // The file is replaced already. A failure of this call, on systems that cannot flush folders, does not undo
        // that.
        Platform.flushFolder(folder)
        return identity
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
        func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = try Platform.append(UnsafeRawBufferPointer(rebasing: rest.prefix(step)), to: file)
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
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
            defer { buffer.deallocate() }
            while position < range.upperBound {
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(range.upperBound - position))
                let count = try Platform.readFile(source, at: position, into: part)
                // Another program has truncated the file.
                guard count > 0 else { throw .unreadable }
                try write(UnsafeRawBufferPointer(rebasing: part.prefix(count)))
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

    /// Renames the file to `target`, in its folder. An existing file of that name is replaced.
    func rename(to target: String) throws(Platform.Failure) {
        // Only a file with a name can replace another.
        if name == nil {
            (_, name) = try Self.withNewName { name throws(Platform.Failure) in
                try Platform.nameFile(file, name, in: folder)
            }
        }
        guard let name else { return }
        try Platform.renameFile(file, name, to: target, in: folder)
        self.name = nil
    }

    /// Closes and removes the file.
    func discard() {
        Platform.closeFile(file)
        if let name { Platform.removeFile(name, in: folder) }
    }
}

// MARK: - Identity

/// The identity of a file and its contents, which changes when another program writes to the file.
struct FileIdentity: Equatable {
    let device: UInt64
    let number: UInt64
    let byteCount: Int64
    /// The time of the last change.
    let seconds: Int64
    let nanoseconds: Int64
}

extension FileIdentity {
    /// The identity of the file at `path`; nil if there is none.
    init?(_ path: String) {
        guard let info = try? Platform.info(path) else { return nil }
        self = info.identity
    }

    /// The identity of the file that is open as `file`; nil if the system does not report it.
    init?(of file: Platform.OpenFile) {
        guard let info = try? Platform.info(of: file) else { return nil }
        self = info.identity
    }
}
