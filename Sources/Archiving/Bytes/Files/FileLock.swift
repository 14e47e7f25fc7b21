// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A lock of a file, which is held until the last reference to this object is released, or the process ends.
///
/// Every program that replaces a document holds the lock of the old file from its last look at the file until the rename, so
/// that no two of them find the same file and replace it. A document with a journal holds it from its opening until it is
/// closed. Other programs are not prevented from anything.
package final class FileLock: Sendable {
    /// The locked file, under a descriptor that no other program inherits.
    private let file: Platform.OpenFile
    private let identity: FileIdentity

    /// The outcome of an attempt to lock a file.
    package enum Outcome {
        case locked(FileLock)
        /// Another document or program holds the lock, and has not released it during the attempts.
        case taken
        /// The file cannot be opened, or the system cannot lock it.
        case impossible
    }

    /// How long a document waits for the lock: a program that only replaces the file holds it more briefly.
    static let patience = 1000
    /// How long a program waits that replaces any file. Of another program's work, only the moment between its last look at the
    /// file and the rename matters.
    static let shortPatience = 100

    /// Takes ownership of `file`.
    private init?(_ file: Platform.OpenFile) {
        guard let identity = FileIdentity(of: file) else {
            Platform.closeFile(file)
            return nil
        }
        self.file = file
        self.identity = identity
    }

    deinit { Platform.closeFile(file) }

    /// Locks the file `name` in `folder`.
    ///
    /// - Parameter milliseconds: How long the lock is tried.
    static func lock(_ name: String, in folder: Platform.OpenFile, _ milliseconds: Int = patience) -> Outcome {
        for _ in 0..<milliseconds {
            guard let file = try? Platform.openFile(name, in: folder), let lock = FileLock(file) else {
                return .impossible
            }
            switch Platform.tryLock(file) {
            case .locked:
                // Another program may have replaced the file before it was locked.
                if let named = try? Platform.info(name, in: folder).identity, lock.isLock(of: named) {
                    return .locked(lock)
                }
            case .taken: Platform.pause(milliseconds: 1)
            case .impossible: return .impossible
            }
        }
        return .taken
    }

    /// Locks the new file `file`, which no other program has open; nil if the system cannot.
    static func lock(_ file: Platform.OpenFile) -> FileLock? {
        guard let copy = try? Platform.duplicate(file), let lock = FileLock(copy) else { return nil }
        return Platform.tryLock(copy) == .locked ? lock : nil
    }

    /// Locks the file at `path`, or the target of a symbolic link.
    ///
    /// - Returns: The outcome, and whether the file is on a volume that cannot be written to.
    package static func lock(_ path: String) throws(Platform.Failure) -> (outcome: Outcome, isReadOnly: Bool) {
        let target = try FileReplacement.target(of: path).path
        let folder = try Platform.openFolder(target.folderPath)
        defer { Platform.closeFile(folder) }
        return (lock(target.fileName, in: folder), Platform.isReadOnly(folder))
    }

    /// Returns whether the lock is that of the file with `identity`, with the same or other contents.
    package func isLock(of identity: FileIdentity) -> Bool { self.identity.isSameFile(as: identity) }
}
