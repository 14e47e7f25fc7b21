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

/// An error of a document: it cannot be saved or reverted.
public struct ArchiveDocumentError: Error, Equatable, CustomStringConvertible {
    /// The kind of an error: the static members of `ErrorCode<ArchiveDocumentError>`.
    public typealias Code = ErrorCode<ArchiveDocumentError>

    /// The kind of the error.
    public let code: Code
    /// The path of the part that cannot be saved; `nil` for other errors.
    public let part: KeyedArchive.Path?

    init(_ code: Code, _ part: KeyedArchive.Path? = nil) {
        self.code = code
        self.part = part
    }

    /// A sentence that says what was found and what to do.
    public var description: String {
        switch code {
        case .noFile: "The document has no file. Save it with save(to:)"
        case .saving: "An asynchronous call is saving the document. Wait until it returns"
        case .fileChanged:
            "Another program has changed the file of the document since it was read. Save the document to another file with"
                + " save(to:), or read the file again with revert(). If save(to:) throws this error, parts of the file were"
                + " overwritten before they were read: assign new values to these"
        case .unreadablePartModified:
            "The program has modified \(part.map { "the deferred property \($0)" } ?? "a deferred property"), which could not"
                + " be read from the file. Assign a whole value to the property to replace what the file has, or read the"
                + " file again with revert()"
        default: "The document cannot be saved: \(code)"
        }
    }
}

extension ErrorCode where Failure == ArchiveDocumentError {
    /// The document has no file.
    public static var noFile: Self { Self("noFile") }
    /// Another program has changed the file.
    public static var fileChanged: Self { Self("fileChanged") }
    /// The program has modified a deferred property in place, although it could not be read.
    public static var unreadablePartModified: Self { Self("unreadablePartModified") }
    /// An asynchronous call is saving the document.
    public static var saving: Self { Self("saving") }
}
