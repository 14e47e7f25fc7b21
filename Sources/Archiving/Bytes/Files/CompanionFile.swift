// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A file beside another one, whose name is that of the other with a suffix, and which is written at its end.
///
/// Users without permission to read the other file may not read it. It has the access control list and the attributes of the
/// other file, too.
package final class CompanionFile: Sendable {
    package typealias Failure = Platform.Failure

    /// Open for writing, or only for reading.
    private let file: Platform.OpenFile
    private let place: Place
    /// The time of the other file's last change when this one got its access.
    private let adapted = Mutex<FileTime?>(nil)

    /// The file that has the name of a companion.
    package enum Found {
        case nothing
        /// Something that is not a regular file.
        case other
        case file(CompanionFile)
    }

    /// The names of a companion and of the other file, in their open folder.
    private final class Place: Sendable {
        let folder: Platform.OpenFile
        let mainName: String
        let name: String

        /// - Parameter path: The path of the other file, or of a symbolic link to it.
        init(_ suffix: String, _ path: String) throws(Failure) {
            let target = try FileReplacement.target(of: path).path
            folder = try Platform.openFolder(target.folderPath)
            mainName = target.fileName
            name = mainName + suffix
        }

        deinit { Platform.closeFile(folder) }

        /// Gives the name of the companion to the file `temporaryName`.
        func giveName(to temporaryName: String) throws(Failure) {
            do throws(Failure) { try Platform.nameFile(temporaryName, in: folder, name, in: folder) } catch {
                // Some file systems have one name for each file.
                guard error != .exists, (try? Platform.info(name, in: folder)) == nil else { throw .exists }
                try Platform.renameFile(temporaryName, in: folder, to: name, in: folder)
            }
        }
    }

    /// Takes ownership of `file`.
    private init(_ file: Platform.OpenFile, at place: Place) {
        self.file = file
        self.place = place
    }

    deinit { Platform.closeFile(file) }

    // MARK: - Opening

    /// Opens the companion of the file at `path`, to write to it or only to read it.
    package static func find(_ suffix: String, of path: String, toWrite: Bool) throws(Failure) -> Found {
        let place = try Place(suffix, path)
        let kind: Platform.FileInfo.Kind
        do throws(Failure) { kind = try Platform.info(place.name, in: place.folder).kind } catch {
            if error == .missing { return .nothing }
            throw error
        }
        guard kind == .file else { return .other }
        let file: Platform.OpenFile
        do throws(Failure) { file = try Platform.openFile(place.name, in: place.folder, toWrite: toWrite) } catch {
            if error == .missing { return .nothing }
            throw error
        }
        return .file(CompanionFile(file, at: place))
    }

    /// Creates the companion of the file at `path`, with `contents` that are on the disk.
    ///
    /// It gets its name when it is complete, so a program that ends before leaves no part of it.
    ///
    /// - Returns: The file; nil if there is one with its name, which stays as it is.
    package static func make(
        _ suffix: String, of path: String, _ contents: StoredBytes
    ) throws(Failure) -> CompanionFile? {
        let place = try Place(suffix, path)
        let access = try Platform.info(place.mainName, in: place.folder).access.ofCompanion
        let (file, temporaryName) = try TemporaryFile.makeFile(in: place.folder, access)
        let companion = CompanionFile(file, at: place)
        defer { if let temporaryName { Platform.removeFile(temporaryName, in: place.folder) } }
        try companion.adaptAccess()
        try companion.write(contents, at: 0)
        do throws(Failure) {
            if let temporaryName {
                try place.giveName(to: temporaryName)
            } else {
                try Platform.nameFile(file, place.name, in: place.folder)
            }
        } catch {
            if error == .exists { return nil }
            throw error
        }
        do throws(Failure) { try companion.flushName() } catch {
            companion.remove()
            throw error
        }
        return companion
    }

    // MARK: - Contents

    /// Returns whether the file has its name, and `count` bytes unless that is nil: false if another program has removed,
    /// replaced or changed it.
    package func isIntact(count: Int?) -> Bool {
        guard let own = FileIdentity(of: file) else { return false }
        return hasName && (count.map { Int64($0) == own.byteCount } ?? true)
    }

    /// Returns the contents. Another program may append to the file meanwhile.
    package func contents() throws(Failure) -> StoredBytes {
        let opened = try OpenedFile(try Platform.openFile(place.name, in: place.folder))
        guard let own = FileIdentity(of: file), own.isSameFile(as: opened.identity), let bytes = opened.bytes() else {
            throw .unreadable
        }
        return bytes
    }

    /// Writes `bytes` at `offset`, and waits until they are on the disk.
    ///
    /// - Throws: The failure of a system call. Then a part of the bytes may be in the file.
    package func write(_ bytes: StoredBytes, at offset: Int) throws(Failure) {
        try FileReplacement.Output(file: file).replace(bytes, at: offset)
        try Platform.flush(file)
    }

    /// Removes the bytes from `count` on.
    package func truncate(to count: Int) throws(Failure) {
        try Platform.truncate(file, to: count)
        try Platform.flush(file)
    }

    /// Gives the file the access that the other one has now, if there is one.
    package func adaptAccess() throws(Failure) {
        let info: Platform.FileInfo
        do throws(Failure) { info = try Platform.info(place.mainName, in: place.folder) } catch {
            if error == .missing { return }
            throw error
        }
        guard adapted.withLock({ $0 }) != info.changed else { return }
        let main = FilePlace(folder: place.folder, name: place.mainName)
        let access = FileReplacement.keepAttributes(of: main, info.access.ofCompanion, in: file)
        try Platform.setAccess(of: file, to: access)
        adapted.withLock { $0 = info.changed }
    }

    // MARK: - Name

    private var hasName: Bool {
        guard let own = FileIdentity(of: file), let named = try? Platform.info(place.name, in: place.folder).identity
        else {
            return false
        }
        return own.isSameFile(as: named)
    }

    /// Waits until the names in the folder are on the disk.
    package func flushName() throws(Failure) { try Platform.flushFolder(place.folder) }

    /// Removes the file, unless its name is that of another file.
    package func remove() {
        if hasName { Platform.removeFile(place.name, in: place.folder) }
    }
}
