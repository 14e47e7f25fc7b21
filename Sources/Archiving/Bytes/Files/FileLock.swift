// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A lock of the file that a replacement replaces. Programs that use this library hold it between their last look at the
/// file and the rename, so that no two of them find the same file and replace it.
///
/// The system releases the lock when the process ends, and other programs are not prevented from anything.
struct FileLock {
    /// The locked file, or nil if there is no lock.
    private let file: Platform.OpenFile?

    /// How often the lock is tried, with a millisecond in between: the others hold it much more briefly.
    private static let attempts = 2000

    /// Locks the file `name` in `folder`. There is no lock if no file has this name or the system cannot lock it.
    ///
    /// - Throws: `Failure.locked` if another program holds the lock, and `isRequired` is true.
    init(_ name: String, in folder: Platform.OpenFile, isRequired: Bool) throws(Platform.Failure) {
        for _ in 0..<Self.attempts {
            guard let file = try? Platform.openFile(name, in: folder) else {
                self.file = nil
                return
            }
            let outcome = Platform.tryLock(file)
            // Another program may have replaced the file before it was locked.
            if outcome == .locked, let opened = FileIdentity(of: file),
                let named = try? Platform.info(name, in: folder).identity, opened.isSameFile(as: named)
            {
                self.file = file
                return
            }
            Platform.closeFile(file)
            switch outcome {
            case .locked: continue
            case .taken: Platform.pause(milliseconds: 1)
            case .impossible:
                self.file = nil
                return
            }
        }
        if isRequired { throw .locked }
        file = nil
    }

    /// Releases the lock.
    func release() {
        if let file { Platform.closeFile(file) }
    }
}
