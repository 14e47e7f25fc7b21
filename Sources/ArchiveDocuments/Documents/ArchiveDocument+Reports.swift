import Archiving

/// A part of a document's file that could not be read.
public struct ArchiveUnreadablePart: Sendable {
    /// The path of the part in the file. It is empty if the damaged file has no path to the part any more.
    public let path: KeyedArchive.Path
    /// The error of the last attempt to read the part.
    public let error: any Error
}

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
