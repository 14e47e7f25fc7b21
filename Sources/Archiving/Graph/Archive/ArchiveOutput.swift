// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The contents of a new file that has an archive, written from the objects of other archives.
package struct ArchiveOutput: ~Copyable {
    private var chunks: ChunkedOutput

    fileprivate init(_ output: FileReplacement.Output?) { chunks = ChunkedOutput(output) }

    /// Returns the output of `contents` as an edit of the one archive of which it writes ranges.
    package static func edit(_ contents: (inout ArchiveOutput) throws -> Void) throws -> FileEdit {
        var output = ArchiveOutput(nil)
        try contents(&output)
        return output.chunks.takeEdit()
    }

    package var count: Int { chunks.count }

    /// Writes the objects of a checksum, which are the first of a file, and returns the offsets of its key and of its
    /// value. The checksum is computed when the file is complete.
    package mutating func writeChecksum() throws -> (key: Int, value: Int) {
        let start = count
        try chunks.write(number: StoredChecksum.signature, size: 8)
        try chunks.write(number: 0, size: 8)
        return (start, start + StoredChecksum.keySize)
    }

    package mutating func writeHeader() throws {
        try write(BinaryFormat.headerSize) { $0.append(BinaryFormat.header) }
    }

    package mutating func write(_ source: ArchiveSource) throws {
        let bytes = source.stored.storage.bytes
        try chunks.write(bytes, 0..<bytes.count)
    }

    package mutating func write(_ range: Range<Int>, of source: ArchiveSource) throws {
        guard range.lowerBound >= 0, range.upperBound <= source.stored.storage.bytes.count else {
            throw FileReplacement.Failure.unreadable
        }
        if chunks.isRecording { return chunks.recordCopy(range) }
        try source.stored.storage.copy(range, to: &chunks)
    }

    /// Writes an object of `list` up to its references.
    package mutating func write(_ reference: Int, of list: BinaryPropertyListReader) throws {
        guard let object = try? list.bytesWithoutReferences(ofObject: reference) else {
            throw FileReplacement.Failure.unreadable
        }
        try chunks.write(object, 0..<object.count)
    }

    package mutating func write(_ objects: borrowing AppendedObjects) throws {
        try chunks.write(objects.bytes)
    }

    package mutating func write(data: [UInt8]) throws { try write(data.count + 16) { $0.append(data: data) } }

    package mutating func write(integer: Int) throws { try write(16) { $0.append(longInteger: Int64(integer)) } }

    /// Writes the head of an array or a dictionary, which its references follow: of a dictionary, those of the keys first.
    package mutating func writeHead(of kind: Node.Kind, count: Int) throws {
        try write(16) { $0.append(headOf: kind, count: count) }
    }

    private mutating func write(_ capacity: Int, _ append: (ByteWriter) -> Void) throws {
        let object = ByteWriter(capacity: capacity)
        append(object)
        try chunks.write(object)
    }

    package mutating func write(_ numbers: [Int], size: Int) throws {
        for number in numbers { try chunks.write(number: UInt64(number), size: size) }
    }

    package mutating func write(_ number: UInt64, size: Int) throws {
        try chunks.write(number: number, size: size)
    }

    /// Writes the trailer of a property list, which ends the file.
    ///
    /// - Parameters:
    ///   - offsetSize: The number of bytes of each entry of the offset table.
    ///   - referenceSize: The number of bytes of a reference.
    ///   - objectCount: The number of objects.
    ///   - top: The number of the top object.
    ///   - table: The offset of the offset table.
    package mutating func finish(
        offsetSize: Int, referenceSize: Int, objectCount: Int, top: Int, table: Int
    ) throws {
        try chunks.write(number: UInt64(offsetSize) << 8 | UInt64(referenceSize), size: 8)
        try chunks.write(number: UInt64(objectCount), size: 8)
        try chunks.write(number: UInt64(top), size: 8)
        try chunks.write(number: UInt64(table), size: 8)
        try chunks.finish()
    }

    fileprivate mutating func finish() throws { try chunks.finish() }

    package static var unreadable: any Error { FileReplacement.Failure.unreadable }
}

extension FileReplacement {
    fileprivate func updateChecksum() throws(Failure) {
        let head = OwnedMemory(byteCount: StoredChecksum.objects.upperBound)
        let file = try open()
        guard file.identity.byteCount >= Int64(head.count) else { return }
        guard file.read(0..<head.count, into: head) else { throw .unreadable }
        guard StoredChecksum.hasPlace(StoredBytes(head)) else { return }
        guard let sum = file.checksum() else { throw .unreadable }
        try output.replace(StoredChecksum.bytes(of: sum), at: StoredChecksum.place.lowerBound)
    }
}

/// A complete new file that has not replaced the old one yet. It is removed if it is released before that.
package struct ArchiveDraft {
    private let url: URL
    private let replacement: FileReplacement
    package let file: OpenedFile

    /// Writes the output of `contents` to a new file beside the one at `url`.
    ///
    /// - Parameters:
    ///   - url: The location of the file that the new one is to replace.
    ///   - isContinued: A function that is called with the number of bytes after each write, and after the last one
    ///     with 0. If it returns false, the writing ends.
    ///   - contents: Writes the file.
    /// - Throws: The errors of `ArchiveFile.write(_:to:)`, also if the file at `url` is not a regular file, and those of
    ///   `contents`. `CancellationError` if `isContinued` returned false.
    package init(
        for url: URL, whileContinued isContinued: @escaping (Int) -> Bool = { _ in true },
        _ contents: (inout ArchiveOutput) throws -> Void
    ) throws {
        self.url = url
        var failure: (any Error)?
        do {
            (replacement, file) = try ArchiveFile.withErrors(url) { path throws(FileReplacement.Failure) in
                let replacement = try FileReplacement(path)
                var target = replacement.output
                target.checkpoint = { count throws(FileReplacement.Failure) in
                    if !isContinued(count) { throw .cancelled }
                }
                var output = ArchiveOutput(target)
                do {
                    try contents(&output)
                    try output.finish()
                } catch let error as FileReplacement.Failure {
                    throw error
                } catch {
                    failure = error
                    throw .unreadable
                }
                if !isContinued(0) { throw .cancelled }
                try replacement.updateChecksum()
                try replacement.finish()
                return (replacement, try replacement.open())
            }
        } catch {
            throw failure ?? error
        }
    }

    package func lockTarget() -> FileLock.Outcome { replacement.lockTarget() }

    package func lock() -> FileLock? { (try? replacement.open()).flatMap { FileLock.lock($0) } }

    package func isTarget(_ expected: OpenedFile) -> Bool { replacement.isTarget(expected.identity) }

    /// Replaces the file at the URL.
    ///
    /// - Throws: `CocoaError`. Then the old file is unchanged.
    package func replaceTarget() throws {
        try ArchiveFile.withErrors(url) { _ throws(Platform.Failure) in try replacement.replaceTarget() }
    }

    /// Waits until the name of the new file is on the disk. A failure does not undo the replacement.
    package func flushName() throws {
        try ArchiveFile.withErrors(url) { _ throws(Platform.Failure) in try replacement.flushName() }
    }
}

package enum ArchiveFile {
    /// Atomically replaces or creates the file at `url` with `data`. A reader finds either the old or the new contents, even if
    /// the process or the machine stops at any moment.
    ///
    /// - Throws: `CocoaError`, with the underlying system error. The old file is unchanged.
    package static func write(_ data: Data, to url: URL) throws {
        try write(to: url) { output throws(FileReplacement.Failure) in
            try StoredBytes(data).withBytes { bytes throws(FileReplacement.Failure) in try output.write(bytes) }
        }
    }

    /// Atomically replaces or creates the file at `url` with the output of `contents`.
    ///
    /// - Throws: The errors of `write(_:to:)`, and `CancellationError` if `contents` is cancelled.
    static func write(
        to url: URL, _ contents: (FileReplacement.Output) throws(FileReplacement.Failure) -> Void
    ) throws {
        try withErrors(url) { path throws(FileReplacement.Failure) in
            try FileReplacement.replace(path, with: contents)
        }
    }

    package static func withErrors<Result>(
        _ url: URL, _ body: (_ path: String) throws(Platform.Failure) -> Result
    ) throws -> Result {
        guard url.isFileURL else { throw error(.fileWriteUnsupportedScheme, url) }
        do throws(FileReplacement.Failure) {
            // For the system, a path ends at a NUL, so it would name another file.
            guard !url.path.utf8.contains(0) else { throw .badPath }
            return try body(url.path)
        } catch {
            if error == .cancelled { throw CancellationError() }
            throw Self.error(code(of: error), url, error)
        }
    }

    private static func code(of failure: FileReplacement.Failure) -> CocoaError.Code {
        switch failure.reason {
        case .missing: .fileNoSuchFile
        case .forbidden: .fileWriteNoPermission
        case .full: .fileWriteOutOfSpace
        case .readOnly: .fileWriteVolumeReadOnly
        case .badName: .fileWriteInvalidFileName
        case .other: .fileWriteUnknown
        }
    }

    private static func error(
        _ code: CocoaError.Code, _ url: URL, _ failure: FileReplacement.Failure? = nil
    ) -> CocoaError {
        // The keys of NSError, for which FoundationEssentials has no constants.
        if let failure, let number = POSIXError.Code(rawValue: failure.number) {
            return CocoaError(
                code, userInfo: ["NSURL": url, "NSFilePath": url.path, "NSUnderlyingError": POSIXError(number)])
        }
        return CocoaError(code, userInfo: ["NSURL": url, "NSFilePath": url.path])
    }
}
