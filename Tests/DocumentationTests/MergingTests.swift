// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

/// The code of the catalog's article on merges, and of the comments of their types.
@Suite(.inTurn)
struct `The article on merges`: DocumentedOutput {
    private final class Book: ArchivedFields {
        var title = ""
        init() {}
        convenience init(_ title: String) {
            self.init()
            self.title = title
        }
        static let fields = FieldList<Book> { Field("title", \.title) }
    }

    private struct Library: Codable {
        var books = [Book("Emma"), Book("Persuasion")]
    }

    private func withChangedFile(_ body: (ArchiveDocument<Library>, URL) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            try ArchiveDocument(root: Library()).save(to: folder["library"])
            let document = try ArchiveDocument<Library>(contentsOf: folder["library"])
            let other = try ArchiveDocument<Library>(contentsOf: folder["library"])
            other.root.books[0].title = "Emma II"
            other.root.books.append(Book("Sanditon"))
            try other.save()
            document.root.books[0].title = "Emma I"
            try body(document, folder["library"])
        }
    }

    @Test func `merges a document`() throws {
        try withChangedFile { document, url in
            do {
                try document.save()
            } catch let error as ArchiveDocumentError where error.code == .fileChanged {
                try document.merge { conflict in
                    print(conflict)  // root.books[0].title: base "Emma", mine "Emma I", theirs "Emma II"
                    return .mine
                }
            }
            #expect(document.root.books.map(\.title) == ["Emma I", "Persuasion", "Sanditon"])
        }
    }

    @Test func `reports changes`() throws {
        try withChangedFile { document, _ in
            if let merge = try document.changesOfOthers() {
                for change in merge.changesOfTheirs { print(change) }
            }
            let merge = try #require(try document.changesOfOthers())
            #expect(merge.changesOfTheirs.count == 2 && merge.changesOfMine.count == 1)
        }
    }

    @Test func `merges archives`() throws {
        func library(_ titles: String...) -> PropertyList {
            let books = titles.indices.map { PropertyList.uid(UInt32(4 + $0)) }
            return [
                "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
                "$objects": .array(
                    [
                        "$null", ["NS.objects": .array(books), "$class": .uid(2)],
                        ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]], "end",
                    ] + titles.map { .string($0) }),
            ]
        }
        let base = try KeyedArchive(library("a", "b", "c"))
        let mine = try KeyedArchive(library("mine", "b", "c"))
        let theirs = try KeyedArchive(library("theirs", "b", "c"))
        func first() throws -> Data {
            let merge = try ArchiveMerge(base: base, mine: mine, theirs: theirs)
            for conflict in merge.conflicts { print(conflict) }
            let data = try merge.data { conflict in .mine }
            return data
        }
        let merge = try ArchiveMerge(base: base, mine: mine, theirs: theirs)
        for conflict in merge.conflicts { print(conflict.path) }
        let data = try merge.data { conflict in conflict.kind == .list ? .both : .theirs }
        #expect(try KeyedArchive(data).root.elements.compactMap(\.string) == ["theirs", "mine", "b", "c"])
        #expect(try KeyedArchive(first()).root.elements.compactMap(\.string) == ["mine", "b", "c"])
    }
}
