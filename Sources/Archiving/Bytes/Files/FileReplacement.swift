// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Replaces a file atomically: a reader finds the complete old contents or the complete new ones, even if the process or
/// the machine stops.
///
/// The new contents are written to a temporary file in the same folder and flushed to the disk. An atomic rename then
/// gives the file the name of the old one, and the folder is flushed. On Linux the temporary file has no name while it
/// is written, if the file system supports that, so that a killed process leaves no file behind. If the process may use
/// only the file, not its folder, the system may offer another folder for the temporary file (`ReplacementFolders`).
///
/// The new file keeps the permissions and attributes of the old one, and its owner and group if the process may set them;
/// without an old file it has the defaults of the process. Symbolic links are followed and kept.
///
/// A replacement that is released before `commit` has no effects: the old file is unchanged, and no other file remains.
final class FileReplacement {
    typealias Failure = Platform.Failure

    private let access: Platform.FileAccess?
    private let temporary: TemporaryFile

    init(_ path: String) throws(Failure) {
        let (target, old) = try Self.target(of: path)
        switch old?.kind {
        case nil, .file, .link: break
        case .folder: throw .isFolder
        case .other: throw .notRegular
        }
        let temporary = try TemporaryFile(replacing: target, old?.access)
        access = try old.map { old throws(Failure) in
            let access = FileReplacement.keepAttributes(of: temporary.target, old.access, in: temporary.file)
            // Until the file is complete, too.
            if access != old.access { try Platform.setAccess(of: temporary.file, to: access) }
            return access
        }
        self.temporary = temporary
    }

    /// Gives the file `new` the attributes of the file at `place`, which has the access `access`.
    ///
    /// - Returns: The access that the new file gets at the end.
    static func keepAttributes(
        of place: FilePlace, _ access: Platform.FileAccess, in new: Platform.OpenFile
    ) -> Platform.FileAccess {
        guard let old = try? Platform.openFile(place.name, in: place.folder) else { return access }
        defer { Platform.closeFile(old) }
        // What was for the users in a list, and perhaps not for the group, is not for the group.
        return Platform.copyAttributes(of: old, to: new) ? access : access.withoutGroup
    }

    var output: Output { Output(file: temporary.file) }

    /// Finishes the new file, so that `commit` has only to rename it.
    func finish() throws(Failure) {
        if let access { try Platform.setAccess(of: temporary.file, to: access) }
        try Platform.flush(temporary.file)
    }

    func open() throws(Failure) -> OpenedFile { try temporary.open() }

    /// Locks the file that is replaced.
    ///
    /// - Parameter milliseconds: How long the lock is tried.
    func lockTarget(_ milliseconds: Int = FileLock.patience) -> FileLock.Outcome {
        FileLock.lock(temporary.target, milliseconds)
    }

    func isTarget(_ expected: FileIdentity) -> Bool {
        (try? Platform.info(temporary.target.name, in: temporary.target.folder))?.identity == expected
    }

    /// Renames the new file. The caller holds a lock of the old one, if the system has locks and the file can be opened.
    ///
    /// - Throws: The failure of a system call. Then the old file is unchanged.
    func replaceTarget() throws(Failure) {
        try temporary.giveName()
        try temporary.replaceTarget()
    }

    func flushName() throws(Failure) { try temporary.flushName() }

    /// Replaces the file at `path` by one with the output of `contents`, or creates it.
    ///
    /// A file of another kind, such as a terminal or a pipe, cannot be replaced; `contents` is written to it.
    ///
    /// - Throws: The failure of a system call or of `contents`, or of a pipe whose reader closes it early. Then the old
    ///   file is unchanged, and no other file remains, unless the last step has failed: to flush the folder.
    static func replace(_ path: String, with contents: (Output) throws(Failure) -> Void) throws(Failure) {
        // First, since the link that represents an open pipe refers to no name.
        if case .other? = (try? Platform.info(path))?.kind { return try write(contents, toExisting: path) }
        let replacement = try FileReplacement(path)
        try contents(replacement.output)
        try replacement.finish()
        // A program that holds the lock for longer, such as one with a journal, finds that its file was replaced.
        let lock = replacement.lockTarget(FileLock.shortPatience)
        try withExtendedLifetime(lock) { () throws(Failure) in try replacement.replaceTarget() }
        try replacement.flushName()
    }

    /// The path without symbolic links at its end, and the status of the existing file, if any.
    static func target(of path: String) throws(Failure) -> (path: String, info: Platform.FileInfo?) {
        var path = path
        for _ in 0..<linkLimit {
            let info: Platform.FileInfo
            do throws(Failure) { info = try Platform.info(path, isLinkFollowed: false) } catch {
                if error == .missing { return (path, nil) }
                throw error
            }
            guard info.kind == .link else { return (path, info) }
            let link = try Platform.contents(ofLink: path)
            path = Platform.isAbsolute(link) ? link : path.folderPath + "/" + link
        }
        throw .linksInCircle
    }

    /// The number of links that are followed, as on Linux.
    private static let linkLimit = 40

    private static func write(
        _ contents: (Output) throws(Failure) -> Void, toExisting path: String
    ) throws(Failure) {
        let file = try Platform.openFile(path, toWrite: true)
        defer { Platform.closeFile(file) }
        let signal = BrokenPipeSignal(blockedFor: file)
        defer { signal.unblock() }
        try contents(Output(file: file))
    }

    struct Output {
        fileprivate let file: Platform.OpenFile
        /// A function that is called with the number of bytes after each write. It may end the writing by an error.
        var checkpoint: ((Int) throws(Failure) -> Void)?

        init(file: Platform.OpenFile) { self.file = file }

        /// The maximum number of bytes of a single write. Some systems reject more than 2 GiB.
        private var step: Int { checkpoint == nil ? 1 << 30 : 1 << 23 }

        func write(_ bytes: RawSpan) throws(Failure) {
            var written = 0
            while written < bytes.byteCount {
                let part = bytes.extracting(written..<min(written + step, bytes.byteCount))
                let count = try Platform.append(part, to: file)
                written += count
                try checkpoint?(count)
            }
        }

        /// Replaces the bytes at `offset` by `bytes`. Later writes are still appended.
        func replace(_ bytes: StoredBytes, at offset: Int) throws(Failure) {
            try bytes.withBytes { bytes throws(Failure) in
                var written = 0
                while written < bytes.byteCount {
                    written += try Platform.replace(
                        bytes.extracting(written..<bytes.byteCount), at: offset + written, of: file)
                }
            }
        }

        func copy(_ range: Range<Int>, of source: Platform.OpenFile) throws(Failure) {
            var position = range.lowerBound
            // The system copies the bytes, or lets both files share them. Not every file system supports it.
            while position < range.upperBound {
                // Linux takes several times as long to copy much more at once.
                let count = min(range.upperBound - position, 1 << 23)
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

/// Buffered output to a file, written in large chunks, or an edit of a file.
struct ChunkedOutput: ~Copyable {
    /// The file; nil if an edit is recorded.
    private let output: FileReplacement.Output?
    private var recorder = FileEditRecorder()
    private var buffer = ByteWriter(capacity: Self.capacity)
    private(set) var count = 0

    private static var capacity: Int { 1 << 18 }

    init(_ output: FileReplacement.Output?) { self.output = output }

    var isRecording: Bool { output == nil }

    mutating func recordCopy(_ range: Range<Int>) {
        recorder.copy(range, after: buffer.count)
        count += range.count
    }

    mutating func takeEdit() -> FileEdit { recorder.finish(buffer.takeBytes()) }

    mutating func write(_ bytes: RawSpan) throws(FileReplacement.Failure) {
        count += bytes.byteCount
        guard let output else { return buffer.append(contentsOf: bytes) }
        if !buffer.hasRoom(for: bytes.byteCount) { try finish() }
        if bytes.byteCount <= Self.capacity {
            buffer.append(contentsOf: bytes)
        } else {
            try output.write(bytes)
        }
    }

    mutating func write(_ bytes: StoredBytes, _ range: Range<Int>) throws(FileReplacement.Failure) {
        try bytes.withBytes(range) { bytes throws(FileReplacement.Failure) in try write(bytes) }
    }

    mutating func write(_ writer: borrowing ByteWriter) throws(FileReplacement.Failure) {
        try writer.withBytes { bytes throws(FileReplacement.Failure) in try write(bytes) }
    }

    mutating func write(
        _ count: Int, _ body: (FileReplacement.Output) throws(FileReplacement.Failure) -> Void
    ) throws(FileReplacement.Failure) {
        try finish()
        if let output { try body(output) }
        self.count += count
    }

    mutating func write(number: UInt64, size: Int) throws(FileReplacement.Failure) {
        if !buffer.hasRoom(for: size) { try finish() }
        buffer.append(number: number, size: size)
        count += size
    }

    mutating func finish() throws(FileReplacement.Failure) {
        guard let output, buffer.count > 0 else { return }
        try buffer.withBytes { bytes throws(FileReplacement.Failure) in try output.write(bytes) }
        buffer.truncate(to: 0)
    }
}
