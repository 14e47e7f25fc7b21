// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A report of the data that a save has written.
public struct ArchiveSaveReport: Sendable, Hashable {
    /// The number of written bytes, without those that were copied from the old file.
    public let bytesWritten: Int
    /// The number of new and changed instances.
    public let objectsWritten: Int
    /// The number of instances that are unchanged compared with the file. Unloaded instances do not count.
    public let objectsKept: Int

    init(bytesWritten: Int = 0, objectsWritten: Int = 0, objectsKept: Int = 0) {
        self.bytesWritten = bytesWritten
        self.objectsWritten = objectsWritten
        self.objectsKept = objectsKept
    }
}
