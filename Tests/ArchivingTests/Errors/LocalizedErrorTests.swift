// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

/// The texts of errors for people: a program shows them in an alert.
@Suite(.inTurn) struct `An error for a person` {
    /// An error, and what an alert says about it.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sentence: String
        let suggestion: String
        let run: @Sendable () throws -> Void
    }

    struct Unlisted: ArchivedFields, Codable {
        var name = ""
        static let fields = FieldList<Unlisted> {}
    }

    static let examples = [
        Example(
            testDescription: "KeyedArchiveError", sentence: "The file is plain text, not a keyed archive.",
            suggestion: "Choose a file that a keyed archiver wrote."
        ) { _ = try KeyedArchive(Data("abc".utf8)) },
        Example(
            testDescription: "PropertyListError", sentence: "The file is plain text, not a property list.",
            suggestion: "Choose a file in the binary or the XML property list format."
        ) { _ = try PropertyList(Data("abc".utf8)) },
        Example(
            testDescription: "ArchivingError", sentence: "The archive does not have a value that is required.",
            suggestion: "Open the file with the version of the program that wrote it."
        ) {
            let archiver = KeyedArchiver()
            archiver.encode(1, forKey: "one")
            _ = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding()).decode(Int.self, forKey: "two")
        },
        Example(
            testDescription: "ArchivingError", sentence: "The values cannot be archived.",
            suggestion: "Report the error to the author of the program."
        ) {
            let archiver = KeyedArchiver()
            archiver.encode(1, forKey: "one")
            archiver.encode(2, forKey: "one")
            _ = try archiver.finishEncoding()
        },
        Example(
            testDescription: "FieldError", sentence: "The declared fields of a type do not match the type.",
            suggestion: "Correct the declaration of each field that a difference names."
        ) { try ArchiveEncoder().checkFields(of: Unlisted(name: "a")) },
        Example(
            testDescription: "TypedStreamError", sentence: "The file is not a typedstream.",
            suggestion: "Choose a file that a sequential archiver wrote."
        ) { _ = try SequentialUnarchiver(forReadingFrom: Data("abc".utf8)) },
        Example(
            testDescription: "ArchiveDocumentError", sentence: "The document has no file.",
            suggestion: "Choose a place for the document."
        ) { try ArchiveDocument(root: [1]).save() },
    ]

    @Test(arguments: examples)
    func `has a sentence, what was found, and what to do`(example: Example) throws {
        let error = try #require(throws: (any Error).self) { try example.run() }
        #expect("\(type(of: error))" == example.testDescription)
        #expect(error.localizedDescription == example.sentence)
        let localized = try #require(error as? any LocalizedError)
        #expect(localized.failureReason == "\(error)")
        #expect(localized.recoverySuggestion == example.suggestion)
    }

    @Test func `says that a folder is no file`() throws {
        let folder = FileManager.default.temporaryDirectory
        let openings: [() throws -> Void] = [
            { _ = try KeyedArchive(contentsOf: folder) },
            { _ = try KeyedUnarchiver(contentsOf: folder) },
            { _ = try SequentialUnarchiver(contentsOf: folder) },
            { _ = try ArchiveDocument<[Int]>(contentsOf: folder) },
        ]
        for open in openings {
            let error = try #require(throws: CocoaError.self) { try open() }
            #expect(error.code == .fileReadUnknown)
            #expect(error.localizedDescription == "The folder “\(folder.lastPathComponent)” is not an archive.")
        }
    }
}
