// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A lock of a file, which is held until the last reference to this object is released, or the process ends.
///
/// Every program that replaces a document holds the lock of the old file from its last look at the file until the rename, so
/// that no two of them find the same file and replace it. A document with a journal holds it from its opening until it is
/// closed. Other programs are not prevented from anything.
package final class FileLock: Sendable {
    /// The locked file, under a descriptor that nothing else uses, and that no other program inherits.
    private let file: OpenedFile

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

    private init(_ file: OpenedFile) { self.file = file }

    /// Locks the file at `place`.
    ///
    /// - Parameter milliseconds: How long the lock is tried.
    static func lock(_ place: FilePlace, _ milliseconds: Int = patience) -> Outcome {
        for _ in 0..<milliseconds {
            guard let file = try? OpenedFile(Platform.openFile(place.name, in: place.folder)) else {
                return .impossible
            }
            switch Platform.tryLock(file.file) {
            case .locked:
                let lock = FileLock(file)
                // Another program may have replaced the file before it was locked.
                if let named = try? Platform.info(place.name, in: place.folder), lock.isLock(of: named.identity) {
                    return .locked(lock)
                }
            case .taken: Platform.pause(milliseconds: 1)
            case .impossible: return .impossible
            }
        }
        return .taken
    }

    static func lock(_ file: OpenedFile) -> FileLock? {
        Platform.tryLock(file.file) == .locked ? FileLock(file) : nil
    }

    /// Locks the file at `path`, or the target of a symbolic link. On a volume that cannot be written to, that is impossible.
    package static func lock(_ path: String) throws(Platform.Failure) -> Outcome {
        let place = FilePlace(folder: Platform.workingFolder, name: try FileReplacement.target(of: path).path)
        return Platform.isReadOnly(place.name, in: place.folder) ? .impossible : lock(place)
    }

    package func isLock(of identity: FileIdentity) -> Bool { file.identity.isSameFile(as: identity) }

    package func ifStill(at path: String) -> FileLock? {
        FileIdentity(path).map(isLock) ?? false ? self : nil
    }
}
