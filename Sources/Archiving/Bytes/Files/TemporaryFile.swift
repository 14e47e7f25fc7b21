// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file in an open folder, or at a path if that is `Platform.workingFolder`.
package struct FilePlace {
    let folder: Platform.OpenFile
    let name: String
}

/// The new version of a file, which is written under another name or without one, and then replaces it.
///
/// It is in the folder of the file, if the process may use that, otherwise in one of `ReplacementFolders`.
final class TemporaryFile {
    let target: FilePlace
    let file: Platform.OpenFile
    private let folder: Platform.OpenFile
    /// The folder that exists for only this file.
    private let ownFolder: (path: String, folders: ReplacementFolders)?
    private var name: String?

    /// Creates a file that is to replace the one at `path`, which has the access `access`, or to create it. A user without
    /// permission to read the old contents may not read the new ones.
    init(replacing path: String, _ access: Platform.FileAccess?) throws(Platform.Failure) {
        let name = path.fileName
        var opened: (folder: Platform.OpenFile, file: Platform.OpenFile, name: String?)
        do throws(Platform.Failure) {
            if ReplacementFolders.current?.isOwnFolderRefused ?? false { throw .forbidden }
            opened = try Self.make(in: path.folderPath, access)
            target = FilePlace(folder: opened.folder, name: name)
            ownFolder = nil
        } catch {
            guard error.reason == .forbidden, let folders = ReplacementFolders.current,
                let own = folders.makeFolder(forFileAt: path)
            else { throw error }
            do throws(Platform.Failure) { opened = try Self.make(in: own, access) } catch {
                ReplacementFolders.remove(own)
                throw error
            }
            target = FilePlace(folder: Platform.workingFolder, name: path)
            ownFolder = (own, folders)
        }
        (folder, file, self.name) = opened
    }

    private static func make(
        in path: String, _ access: Platform.FileAccess?
    ) throws(Platform.Failure) -> (folder: Platform.OpenFile, file: Platform.OpenFile, name: String?) {
        let folder = try Platform.openFolder(path)
        do throws(Platform.Failure) {
            let (file, name) = try makeFile(in: folder, access)
            return (folder, file, name)
        } catch {
            Platform.closeFile(folder)
            throw error
        }
    }

    /// Creates a file in `folder`, without a name if possible. A user without permission to read a file with the access
    /// `access` may not read it.
    static func makeFile(
        in folder: Platform.OpenFile, _ access: Platform.FileAccess?
    ) throws(Platform.Failure) -> (file: Platform.OpenFile, name: String?) {
        if let file = Platform.makeUnnamedFile(in: folder, access) { return (file, nil) }
        let (file, name) = try withNewName { name throws(Platform.Failure) in
            try Platform.makeFile(name, in: folder, access)
        }
        return (file, name)
    }

    deinit {
        Platform.closeFile(file)
        if let name { Platform.removeFile(name, in: folder) }
        Platform.closeFile(folder)
        if let ownFolder { ReplacementFolders.remove(ownFolder.path) }
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

    // MARK: - Replacing

    /// Gives the file a name, if it has none: only a file with a name can replace another.
    func giveName() throws(Platform.Failure) {
        guard name == nil else { return }
        (_, name) = try Self.withNewName { name throws(Platform.Failure) in
            try Platform.nameFile(file, name, in: folder)
        }
    }

    /// Replaces the target by the file, which has a name. If no other file has the name of the target, it gets that.
    func replaceTarget() throws(Platform.Failure) {
        guard let name else { return }
        do throws(Platform.Failure) {
            try Platform.renameFile(name, in: folder, to: target.name, in: target.folder)
        } catch {
            guard let ownFolder, error.reason == .forbidden || error == .otherVolume else { throw error }
            try ownFolder.folders.replaceFile(at: target.name, with: ownFolder.path + "/" + name)
        }
        self.name = nil
    }

    /// Waits until the name of the file is on the disk, if the system can do that. A folder that the process may not use
    /// cannot be flushed; some file systems write the name with the file.
    func flushName() throws(Platform.Failure) {
        if ownFolder == nil { try Platform.flushFolder(folder) } else { try Platform.flush(file) }
    }
}

// MARK: - Places

extension FilePlace {
    /// Returns whether both paths name one file in one folder, although their spellings or the links in them differ.
    package static func areSame(_ path: String, _ other: String) -> Bool {
        guard path != other else { return true }
        guard let first = try? FileReplacement.target(of: path), let second = try? FileReplacement.target(of: other),
            let folder = FileIdentity(first.path.folderPath), let otherFolder = FileIdentity(second.path.folderPath),
            folder.isSameFile(as: otherFolder)
        else { return false }
        let (name, otherName) = (first.path.fileName, second.path.fileName)
        if name.utf8.elementsEqual(otherName.utf8) { return true }
        // The file system may ignore the difference.
        guard let file = first.info?.identity, let otherFile = second.info?.identity else { return false }
        return file.isSameFile(as: otherFile) && name.lowercased() == otherName.lowercased()
    }
}

// MARK: - Paths

extension String {
    var folderPath: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    var fileName: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return self }
        return String(self[index(after: slash)...])
    }
}

/// The system's way to replace a file whose folder the process may not use.
///
/// A sandboxed process on Apple's systems has access to the file that the user chose, but to nothing else in its folder.
/// The system creates a folder elsewhere on the same volume for the new version, and permits to rename that to the chosen
/// file. Foundation writes files in the same way (`Data+Writing.swift` of swift-foundation).
package struct ReplacementFolders: Sendable {
    private let makeFolder: @Sendable (_ path: String) throws -> String
    /// Replaces the file at a path by the one at another, which the system refuses to rename.
    private let replaceFile: @Sendable (_ path: String, _ new: String) throws -> Void
    /// Whether the folder of the file is not even tried. In a test it may be one that the process may use.
    let isOwnFolderRefused: Bool

    package init(
        isOwnFolderRefused: Bool = false, makeFolder: @escaping @Sendable (_ path: String) throws -> String,
        replaceFile: @escaping @Sendable (_ path: String, _ new: String) throws -> Void
    ) {
        self.isOwnFolderRefused = isOwnFolderRefused
        self.makeFolder = makeFolder
        self.replaceFile = replaceFile
    }

    private static var ofSystem: ReplacementFolders? {
        #if canImport(Darwin)
            ReplacementFolders { path in
                try FileManager.default.url(
                    for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: URL(fileURLWithPath: path),
                    create: true
                ).path
            } replaceFile: { path, new in
                _ = try FileManager.default.replaceItemAt(
                    URL(fileURLWithPath: path), withItemAt: URL(fileURLWithPath: new))
            }
        #else
            nil
        #endif
    }

    // MARK: - For tests

    private static let substitute = TaskLocal<ReplacementFolders?>(wrappedValue: nil)

    static var current: ReplacementFolders? { substitute.get() ?? ofSystem }

    package func use<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.substitute.withValue(self, operation: body)
    }

    package func use<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.substitute.withValue(self, operation: body)
    }
}

// MARK: - Steps

extension ReplacementFolders {
    /// Creates a folder for a new version of the file at `path`, and returns its path; nil if the system refuses it.
    func makeFolder(forFileAt path: String) -> String? { try? makeFolder(path) }

    func replaceFile(at path: String, with new: String) throws(Platform.Failure) {
        do { try replaceFile(path, new) } catch { throw Platform.Failure(error) }
    }

    static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}

// MARK: - Errors of Foundation

extension Platform.Failure {
    init(_ error: any Error) {
        var innermost = error
        while let underlying = (innermost as? CocoaError)?.underlying { innermost = underlying }
        if let system = innermost as? POSIXError {
            self.init(system.code.rawValue)
            return
        }
        self =
            switch (innermost as? CocoaError)?.code {
            case .fileNoSuchFile?, .fileReadNoSuchFile?: .missing
            case .fileWriteNoPermission?, .fileReadNoPermission?: .forbidden
            case .fileWriteOutOfSpace?: .full
            case .fileWriteVolumeReadOnly?: .readOnly
            default: .unreadable
            }
    }
}
