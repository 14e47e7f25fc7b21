// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An error of a document or of a deferred property: a document cannot be saved or reverted, or a property cannot be loaded,
/// unloaded or encoded.
public struct ArchiveDocumentError: Error, Equatable, CustomStringConvertible {
    /// The kind of the error.
    public let code: Code
    /// The path of the part that cannot be saved or encoded; `nil` for other errors.
    public let part: KeyedArchive.Path?

    init(_ code: Code, _ part: KeyedArchive.Path? = nil) {
        self.code = code
        self.part = part
    }

    /// The error of a document whose file at `url` is another one than it has read, or is not there.
    init(changeAt url: URL) { self.init(FileIdentity(url.path) == nil ? .fileMissing : .fileChanged) }

    /// A sentence that says what was found and what to do.
    public var description: String {
        switch code {
        case .noFile: "The document has no file. Save it with save(to:)"
        case .saving: "An asynchronous call is saving the document. Wait until it returns"
        case .fileChanged:
            "Another program has changed the file of the document since it was read. Merge both with merge(), save the"
                + " document to another file with save(to:), or read the file again with revert(). If save(to:) throws this error, parts of the file were"
                + " overwritten before they were read: assign new values to these"
        case .unreadablePartModified:
            "The program has modified \(part.map { "the deferred property \($0)" } ?? "a deferred property"), which could not"
                + " be read. Assign a whole value to the property to replace what the archive has, or read the archive again"
        case .partChanged:
            "The value of a deferred property was changed since it was decoded, and the archive has the old one. Save it first"
        case .tooEarly:
            "An initializer read a deferred property while its archive was being decoded. Read it after the decoder has"
                + " returned"
        case .fileMissing:
            "The file of the document is not at its location any more: another program has deleted, moved or renamed it."
                + " Save the document with save(to:), to the same location or to another one"
        case .documentInUse:
            "The file is open with a journal, in another program or in this one, and only its document may save it. Close that"
                + " document with close(): one that was never closed is open until it is released. Or save to another file"
                + " with save(to:)"
        case .journalOfAnotherFile:
            "The journal beside the file belongs to other contents of it: another program has replaced or changed the file."
                + " Nothing was read. The saves since are only in the journal: restore the file that they belong to, or open"
                + " the file without them with journal: .ignored, which keeps the journal"
        case .damagedJournal:
            "The journal beside the file is damaged, and not only at its end. Nothing was read. Open the last checkpoint,"
                + " without the saves since, with journal: .ignored, which keeps the journal"
        case .foreignJournal:
            "The name of the journal is that of a file that is no journal. Rename that file, or open the document with"
                + " journal: .disabled, which leaves it alone"
        case .journalOfEarlierVersion:
            "The journal beside the file was written by an earlier version of this library. Open the document with that version"
                + " and call checkpoint(), or open the file without the journal with journal: .ignored, which keeps it"
        case .journalUnsupported:
            "The file cannot have a journal: its volume is read-only, or its file system has no locks. Open the document"
                + " with journal: .disabled"
        case .unreadJournal:
            "The journal beside the file has saves that this document has not read. Nothing was written. Open the file with"
                + " journal: .enabled or .disabled to read them, or call revert(); save the document to another file with"
                + " save(to:); or remove the journal to discard its saves"
        case .mergeWithJournal:
            "A document with a journal cannot be merged with the changes of other programs. Save it to another file with"
                + " save(to:), and open its file without a journal to merge both"
        case .outdatedSnapshot:
            "The document was saved, reverted or closed after the snapshot was taken. Take a new one"
        case .notObserved:
            "The changes of the instance cannot be tracked: its encode(to:) reads no observed property. A synthesized one reads"
                + " the storage. Declare the fields of the class (ArchivedFields), write encode(to:), or mark the instance with"
                + " markChanged(_:)"
        default: "The document cannot be saved: \(code)"
        }
    }
}

extension ArchiveDocumentError {
    /// The kind of an error: one of the static members. Later versions may add kinds, so compare with those that you know.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: ErrorName

        private init(_ name: StaticString) { self.name = ErrorName(name) }

        /// The name of the static member, such as "noFile".
        public var description: String { name.description }

        /// The document has no file.
        public static var noFile: Self { Self("noFile") }
        /// Another program has changed the file, or a snapshot of the document has that was not adopted.
        public static var fileChanged: Self { Self("fileChanged") }
        /// Another program has deleted, moved or renamed the file.
        public static var fileMissing: Self { Self("fileMissing") }
        /// An asynchronous call is saving the document.
        public static var saving: Self { Self("saving") }
        /// The document was saved, reverted or closed after a snapshot of it was taken.
        public static var outdatedSnapshot: Self { Self("outdatedSnapshot") }
        /// The file has a journal of other contents of the file.
        public static var journalOfAnotherFile: Self { Self("journalOfAnotherFile") }
        /// The journal of the file is damaged, and not only by a save that was interrupted.
        public static var damagedJournal: Self { Self("damagedJournal") }
        /// The name of the file's journal is that of another file, which is no journal.
        public static var foreignJournal: Self { Self("foreignJournal") }
        /// The journal of the file was written by an earlier version of this library.
        public static var journalOfEarlierVersion: Self { Self("journalOfEarlierVersion") }
        /// The file cannot have a journal, because it cannot be locked, or its volume is read-only.
        public static var journalUnsupported: Self { Self("journalUnsupported") }
        /// Another document has the file open with a journal, in this program or another one.
        public static var documentInUse: Self { Self("documentInUse") }
        /// The journal of the file has saves that the document has not read.
        public static var unreadJournal: Self { Self("unreadJournal") }
        /// A document with a journal was to be merged with the changes of another program.
        public static var mergeWithJournal: Self { Self("mergeWithJournal") }
        /// The program has modified a deferred property in place, although it could not be read.
        public static var unreadablePartModified: Self { Self("unreadablePartModified") }
        /// The value of a deferred property was changed since it was decoded, so that it cannot be unloaded.
        public static var partChanged: Self { Self("partChanged") }
        /// An instance cannot be tracked, because its `encode(to:)` reads no observed property.
        public static var notObserved: Self { Self("notObserved") }
        /// A deferred property was loaded while its archive was being decoded on the same thread.
        public static var tooEarly: Self { Self("tooEarly") }
    }
}

// MARK: - For people

extension ArchiveDocumentError: LocalizedError {
    /// A sentence for a person.
    public var errorDescription: String? {
        switch code {
        case .noFile: "The document has no file."
        case .saving: "The document is being saved."
        case .fileChanged: "Another program has changed the file of the document."
        case .unreadablePartModified, .tooEarly: "A part of the document cannot be read."
        case .partChanged: "A part of the document has unsaved changes."
        case .journalOfAnotherFile: "The file of the document was replaced, and has unsaved changes beside it."
        case .damagedJournal: "The recent changes of the document are damaged."
        case .fileMissing: "The file of the document was deleted or moved."
        case .documentInUse: "The document is open elsewhere."
        case .foreignJournal: "A file that is not part of the document has the name of its journal."
        case .journalOfEarlierVersion: "The recent changes of the document are in an older format."
        case .journalUnsupported: "The document cannot be changed where it is."
        case .unreadJournal: "The file of the document has recent changes that were not read."
        case .mergeWithJournal: "The changes of another program cannot be merged."
        default: "The document cannot be saved."
        }
    }

    /// The finding, and a remedy for the program: the ``description``.
    public var failureReason: String? { description }

    /// The remedy.
    public var recoverySuggestion: String? {
        switch code {
        case .noFile: "Choose a place for the document."
        case .saving: "Wait until the document is saved, and try again."
        case .fileChanged: "Save the document to another file, or revert to the changed file."
        case .unreadablePartModified, .tooEarly: "Open the document again."
        case .partChanged: "Save the document first."
        case .journalOfAnotherFile:
            "Restore the file that was replaced, or open the document without the recent changes."
        case .damagedJournal: "Open the document without the recent changes."
        case .fileMissing: "Save the document again."
        case .documentInUse: "Close the document elsewhere, and try again."
        case .foreignJournal: "Rename the other file."
        case .journalOfEarlierVersion: "Open the document with the program that has changed it last."
        case .journalUnsupported: "Copy the document to another volume."
        case .unreadJournal: "Open the document again, or save it to another file."
        case .mergeWithJournal: "Save the document to another file."
        default: "Try again."
        }
    }
}
