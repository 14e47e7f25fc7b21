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
        case .journalOfAnotherFile:
            "The journal of the document belongs to another version of its file: another program has replaced the file, or"
                + " changed its time. Nothing was read. The saves since the journal's file are only in the journal: restore"
                + " that file, or remove the journal to open the file without them"
        case .damagedJournal:
            "The journal of the document is damaged, and not only at its end. Nothing was read. Remove the journal to open"
                + " the last checkpoint without the saves since"
        case .journalInUse: "Another document has the journal of the file open"
        case .unreadJournal:
            "The file of the document has a journal, with saves that this document has not read. Open it with a journal"
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
        /// Another program has changed the file.
        public static var fileChanged: Self { Self("fileChanged") }
        /// An asynchronous call is saving the document.
        public static var saving: Self { Self("saving") }
        /// The document was saved, reverted or closed after a snapshot of it was taken.
        public static var outdatedSnapshot: Self { Self("outdatedSnapshot") }
        /// The file has a journal of another version of the file.
        public static var journalOfAnotherFile: Self { Self("journalOfAnotherFile") }
        /// The journal of the file is damaged, and not only by a save that was interrupted.
        public static var damagedJournal: Self { Self("damagedJournal") }
        /// Another document has the journal of the file open.
        public static var journalInUse: Self { Self("journalInUse") }
        /// A document without a journal was to replace a file that has one.
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
        case .journalInUse: "The document is open elsewhere."
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
        case .journalInUse: "Close the document elsewhere, and try again."
        case .unreadJournal: "Open the document with its journal."
        case .mergeWithJournal: "Save the document to another file."
        default: "Try again."
        }
    }
}
