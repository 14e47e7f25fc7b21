// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A regular file that is open for reading, with the identity that it had when it was opened.
///
/// While it is open, the system gives its number to no other file. So a file with the same identity is this file, and no
/// program has changed it, as far as the resolution of file times shows it.
package final class OpenedFile: Sendable {
    let file: Platform.OpenFile
    package let identity: FileIdentity

    package convenience init?(_ path: String) {
        // A pipe must be opened only once, by its reader.
        guard let info = try? Platform.info(path), info.kind == .file,
            let file = try? Platform.openFile(path, toWrite: false)
        else { return nil }
        try? self.init(file)
    }

    /// Takes ownership of `file`, which is closed if it is not a regular file.
    init(_ file: Platform.OpenFile) throws(Platform.Failure) {
        do throws(Platform.Failure) {
            let info = try Platform.info(of: file)
            guard info.kind == .file else { throw .notRegular }
            identity = info.identity
            self.file = file
        } catch {
            Platform.closeFile(file)
            throw error
        }
    }

    deinit { Platform.closeFile(file) }

    /// Whether no program has changed the file since it was opened. It may have been renamed or unlinked.
    var isUnchanged: Bool { FileIdentity(of: file) == identity }

    package func isUnchanged(at path: String) -> Bool { FileIdentity(path) == identity }

    /// Returns the contents of a small file; nil if they cannot be read, or another program has changed the file.
    func contents() -> StoredBytes? {
        guard let count = Int(exactly: identity.byteCount) else { return nil }
        let memory = OwnedMemory(byteCount: count)
        // After the read: a change during it is noticed.
        guard read(0..<count, into: memory), isUnchanged else { return nil }
        return StoredBytes(memory)
    }

    /// Reads the bytes in `range` of the file to the same place in `memory`, and returns whether all could be read.
    func read(_ range: Range<Int>, into memory: OwnedMemory) -> Bool {
        var position = range.lowerBound
        while position < range.upperBound {
            let part = position..<min(range.upperBound, position + (1 << 30))
            guard let count = try? Platform.readFile(file, at: position, into: memory, part), count > 0 else {
                return false
            }
            position += count
        }
        return true
    }
}

// MARK: - Identity

/// The identity of a file and its contents, which changes when another program writes to the file.
package struct FileIdentity: Equatable, Sendable {
    package let device: UInt64
    package let number: UInt64
    package let byteCount: Int64
    package let seconds: Int64
    package let nanoseconds: Int64
}

extension FileIdentity {
    package init?(_ path: String) {
        guard let info = try? Platform.info(path) else { return nil }
        self = info.identity
    }

    /// The identity of the file that is open as `file`; nil if the system does not report it.
    init?(of file: Platform.OpenFile) {
        guard let info = try? Platform.info(of: file) else { return nil }
        self = info.identity
    }

    package func isSameFile(as other: FileIdentity) -> Bool { device == other.device && number == other.number }
}

extension Data {
    /// Reads the file at `url` as a whole.
    ///
    /// - Throws: The error of the file system. That of Foundation for a folder has no sentence.
    package init(contentsOfFile url: URL) throws {
        if url.isFileURL, let info = try? Platform.info(url.path), info.kind == .folder {
            // The keys of NSError, for which FoundationEssentials has no constants.
            throw CocoaError(
                .fileReadUnknown,
                userInfo: [
                    "NSURL": url, "NSFilePath": url.path,
                    "NSLocalizedDescription": "The folder “\(url.lastPathComponent)” is not an archive.",
                    "NSLocalizedFailureReason": "Found a folder at \(url.path), where a file is expected.",
                    "NSLocalizedRecoverySuggestion": "Choose a file, perhaps one in the folder.",
                    "NSUnderlyingError": POSIXError(.EISDIR),
                ])
        }
        try self.init(contentsOf: url)
    }
}
