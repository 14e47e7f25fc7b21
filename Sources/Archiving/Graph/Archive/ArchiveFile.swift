// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The file that an archive is written to.
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

// MARK: - Archives in files

extension ArchiveSource {
    /// Opens the archive in the file at `url`, page by page if it is large.
    ///
    /// - Parameters:
    ///   - file: The file, or nil if it is not a regular one. It is open also after it was read whole, so that no
    ///     other file gets its number.
    ///   - checksum: The requirement for its checksum.
    /// - Throws: `DecodingError` if the file has no keyed archive, or another checksum, and the errors of the file system.
    package convenience init(
        contentsOf url: URL, openedAs file: inout OpenedFile?, _ checksum: ArchiveChecksum.Policy
    ) throws {
        let storage = try ArchiveStorage(contentsOf: url, openedAs: &file)
        do throws(KeyedArchiveError) { try checksum.check(storage) } catch { throw DecodingError(damaged: error) }
        self.init(try StoredArchive(decoding: storage), format: .binary)
    }

    /// Opens the archive in `file`, which this process has written.
    package convenience init(_ file: OpenedFile) throws {
        guard let storage = ArchiveStorage(file) else { throw CocoaError(.fileReadUnknown) }
        self.init(try StoredArchive(decoding: storage), format: .binary)
    }

    /// Opens the archive in `version`.
    ///
    /// - Throws: `DecodingError` if it has no keyed archive, and `CocoaError` if another program has changed the file.
    package convenience init(_ version: FileVersion) throws {
        guard let storage = ArchiveStorage(version) else { throw CocoaError(.fileReadUnknown) }
        self.init(try StoredArchive(decoding: storage), format: .binary)
    }

    /// Returns the contents of `file`, from which the archive was read, for edits; nil if they were converted.
    package func version(of file: OpenedFile) -> FileVersion? {
        let storage = stored.storage
        let head = OwnedMemory(byteCount: BinaryFormat.headerSize)
        guard file.identity.byteCount == Int64(storage.bytes.count), file.read(0..<head.count, into: head),
            BinaryPropertyListReader.hasHeader(StoredBytes(head))
        else { return nil }
        return storage.pages.map { FileVersion($0) } ?? FileVersion(storage.bytes)
    }
}
