// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A file beside another one, whose name is that of the other with a suffix, and which is written at its end.
///
/// Users without permission to read the other file may not read it. It has the access control list and the attributes of the
/// other file, too.
package final class CompanionFile: Sendable {
    package typealias Failure = Platform.Failure

    private let file: Platform.OpenFile
    private let place: FilePlace
    private let main: FilePlace

    package enum Found {
        case nothing
        case other
        case file(CompanionFile)
    }

    /// Takes ownership of `file`, the companion of the file at `path`, which is no link.
    private init(_ file: Platform.OpenFile, _ suffix: String, of path: String) {
        self.file = file
        place = FilePlace(folder: Platform.workingFolder, name: path + suffix)
        main = FilePlace(folder: Platform.workingFolder, name: path)
    }

    deinit { Platform.closeFile(file) }

    // MARK: - Opening

    /// Opens the companion of the file at `path`, to read it and perhaps to write to it. Only a regular file that begins with
    /// `title` is one.
    package static func find(
        _ suffix: String, of path: String, beginningWith title: [UInt8], toWrite: Bool
    ) throws(Failure) -> Found {
        let path = try FileReplacement.target(of: path).path
        do throws(Failure) {
            guard try Platform.info(path + suffix, in: Platform.workingFolder).kind == .file else { return .other }
            let file = try Platform.openFile(path + suffix, in: Platform.workingFolder, toWrite: toWrite)
            let companion = CompanionFile(file, suffix, of: path)
            return try companion.contents(title.count).elementsEqual(title) ? .file(companion) : .other
        } catch {
            if error == .missing { return .nothing }
            throw error
        }
    }

    /// Creates the companion of the file at `path`, with `contents` that are on the disk.
    ///
    /// It gets its name when it is complete, so a program that ends before leaves no part of it.
    ///
    /// - Returns: The file; nil if there is one with its name, which stays as it is, or if the folder permits none.
    package static func make(
        _ suffix: String, of path: String, _ contents: StoredBytes
    ) throws(Failure) -> CompanionFile? {
        let path = try FileReplacement.target(of: path).path
        do throws(Failure) {
            let folder = try Platform.openFolder(path.folderPath)
            defer { Platform.closeFile(folder) }
            let access = try Platform.info(path).access.ofCompanion
            let (file, temporaryName) = try TemporaryFile.makeFile(in: folder, access)
            let companion = CompanionFile(file, suffix, of: path)
            defer { if let temporaryName { Platform.removeFile(temporaryName, in: folder) } }
            try companion.adaptAccess()
            try companion.write(contents, at: 0)
            let name = companion.place.name
            if let temporaryName {
                do throws(Failure) {
                    try Platform.nameFile(temporaryName, in: folder, name, in: Platform.workingFolder)
                } catch {
                    // Not every file system gives a file two names, of which one is removed.
                    guard error != .exists, (try? Platform.info(name, in: Platform.workingFolder)) == nil else {
                        return nil
                    }
                    try Platform.renameFile(temporaryName, in: folder, to: name, in: Platform.workingFolder)
                }
            } else {
                try Platform.nameFile(file, name, in: Platform.workingFolder)
            }
            do throws(Failure) { try Platform.flushFolder(folder) } catch {
                companion.remove()
                throw error
            }
            return companion
        } catch {
            if error == .exists || error.reason == .forbidden { return nil }
            throw error
        }
    }

    // MARK: - Contents

    /// Returns whether the file has its name, and `count` bytes unless that is nil: false if another program has removed,
    /// replaced or changed it.
    package func isIntact(count: Int?) -> Bool {
        guard let own = FileIdentity(of: file), let named = try? Platform.info(place.name, in: place.folder).identity
        else {
            return false
        }
        return own.isSameFile(as: named) && count.map { Int64($0) == own.byteCount } ?? true
    }

    /// Returns the first `limit` bytes. Another program may change the file meanwhile, remove it, or give its name to another
    /// one.
    package func contents(_ limit: Int = .max) throws(Failure) -> StoredBytes {
        let size = Int(clamping: try Platform.info(of: file).byteCount)
        let memory = OwnedMemory(byteCount: min(size, limit))
        var count = 0
        while count < memory.count {
            let range = count..<min(memory.count, count + (1 << 30))
            let read = try Platform.readFile(file, at: count, into: memory, range)
            if read == 0 { break }
            count += read
        }
        return StoredBytes(memory).part(0..<count)
    }

    /// Writes `bytes` at `offset`, and waits until they are on the disk.
    ///
    /// - Throws: The failure of a system call. Then a part of the bytes may be in the file.
    package func write(_ bytes: StoredBytes, at offset: Int) throws(Failure) {
        try FileReplacement.Output(file: file).replace(bytes, at: offset)
        try Platform.flush(file)
    }

    package func truncate(to count: Int) throws(Failure) {
        try Platform.truncate(file, to: count)
        try Platform.flush(file)
    }

    /// Gives the file the access that the other one has now, if there is one.
    package func adaptAccess() throws(Failure) {
        guard let access = try? Platform.info(main.name).access.ofCompanion else { return }
        try Platform.setAccess(of: file, to: FileReplacement.keepAttributes(of: main, access, in: file))
    }

    // MARK: - Name

    package func flushName() throws(Failure) {
        let folder = try Platform.openFolder(place.name.folderPath)
        defer { Platform.closeFile(folder) }
        try Platform.flushFolder(folder)
    }

    /// Removes the file, unless its name is that of another file.
    package func remove() {
        if isIntact(count: nil) { Platform.removeFile(place.name, in: place.folder) }
    }
}
