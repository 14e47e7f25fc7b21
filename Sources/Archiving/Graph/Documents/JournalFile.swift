// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The file of a journal, beside that of an archive. One document has it open at a time, if the system has locks.
package final class JournalFile: Sendable {
    private let file: Platform.OpenFile
    private let folder: Platform.OpenFile
    private let name: String
    private let url: URL

    /// The error of a journal that another document has open.
    package struct InUse: Error {}

    private init(_ file: Platform.OpenFile, _ name: String, in folder: Platform.OpenFile, _ url: URL) {
        self.file = file
        self.folder = folder
        self.name = name
        self.url = url
    }

    deinit {
        Platform.closeFile(file)
        Platform.closeFile(folder)
    }

    /// The suffix that the name of an archive gets for its journal.
    private static let suffix = ".journal"

    /// Returns whether the archive at `url` has a journal.
    package static func exists(for url: URL) -> Bool {
        guard url.isFileURL, let target = try? FileReplacement.target(of: url.path) else { return false }
        return (try? Platform.info(target.path + suffix, isLinkFollowed: false)) != nil
    }

    /// Opens the journal of the archive at `url`, and locks it.
    ///
    /// - Returns: Nil if there is none.
    /// - Throws: `InUse` if another document has it open, and `CocoaError`.
    package static func opened(for url: URL) throws -> JournalFile? {
        try with(url) { name, folder, _ throws(Platform.Failure) in
            do throws(Platform.Failure) { return try Platform.openFileToAppend(name, in: folder) } catch {
                if error == .missing { return nil }
                throw error
            }
        }
    }

    /// Creates a journal for the archive at `url`, and locks it. Only users who may read the archive may read it.
    ///
    /// - Throws: `InUse` if there is a journal, and `CocoaError`.
    package static func made(for url: URL) throws -> JournalFile {
        let made = try with(url) { name, folder, access throws(Platform.Failure) in
            do throws(Platform.Failure) {
                let file = try Platform.makeFile(name, in: folder, access)
                if let access { try? Platform.setAccess(of: file, to: access) }
                return file
            } catch {
                if error == .exists { return nil }
                throw error
            }
        }
        guard let made else { throw InUse() }
        return made
    }

    private static func with(
        _ url: URL,
        _ open: (String, Platform.OpenFile, Platform.FileAccess?) throws(Platform.Failure) -> Platform.OpenFile?
    ) throws -> JournalFile? {
        let journal: JournalFile? = try ArchiveFile.withErrors(url) { path throws(Platform.Failure) in
            let (target, info) = try FileReplacement.target(of: path)
            let folder = try Platform.openFolder(target.folderPath)
            let name = target.fileName + suffix
            do throws(Platform.Failure) {
                if let file = try open(name, folder, info?.access) { return JournalFile(file, name, in: folder, url) }
            } catch {
                Platform.closeFile(folder)
                throw error
            }
            Platform.closeFile(folder)
            return nil
        }
        if let journal, Platform.tryLock(journal.file) == .taken { throw InUse() }
        // The document that had the journal open may have removed it since.
        if let journal, !journal.hasName { return nil }
        return journal
    }

    /// Whether the file still has its name.
    private var hasName: Bool {
        guard let own = FileIdentity(of: file), let named = try? Platform.info(name, in: folder).identity else {
            return false
        }
        return own.isSameFile(as: named)
    }
}

// MARK: - Contents

extension JournalFile {
    /// Returns the contents.
    ///
    /// - Throws: `CocoaError`.
    package func contents() throws -> StoredBytes {
        let opened = try withErrors { () throws(Platform.Failure) in
            try OpenedFile(try Platform.openFile(name, in: folder))
        }
        guard let bytes = opened.contents() else { throw CocoaError(.fileReadUnknown) }
        return bytes
    }

    /// Appends `bytes`, and waits until they are on the disk.
    ///
    /// - Throws: `CocoaError`. Then a part of the bytes may be in the file.
    package func append(_ bytes: StoredBytes) throws {
        try withErrors { () throws(Platform.Failure) in
            try bytes.withBytes { span throws(Platform.Failure) in
                var written = 0
                while written < span.byteCount {
                    let part = span.extracting(written..<min(written + 1 << 30, span.byteCount))
                    written += try Platform.append(part, to: file)
                }
            }
            try Platform.flush(file)
        }
    }

    /// Waits until the name of a new journal is on the disk.
    package func flushName() { Platform.flushFolder(folder) }

    /// Removes the bytes from `count` on.
    ///
    /// - Throws: `CocoaError`.
    package func truncate(to count: Int) throws {
        try withErrors { () throws(Platform.Failure) in
            try Platform.truncate(file, to: count)
            try Platform.flush(file)
        }
    }

    /// Removes the file, unless its name is that of another file.
    package func remove() {
        if hasName { Platform.removeFile(name, in: folder) }
        flushName()
    }

    private func withErrors<Result>(_ body: () throws(Platform.Failure) -> Result) throws -> Result {
        try ArchiveFile.withErrors(url) { _ throws(Platform.Failure) in try body() }
    }
}
