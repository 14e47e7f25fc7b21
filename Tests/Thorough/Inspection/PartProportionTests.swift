// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// What a call for one object costs if the archive has very many others: steps and cleared memory are counted, not seconds.
@Suite(.inTurn) struct `A call for a part is in proportion to the part` {
    /// A class whose name no archive here has.
    final class Page: Codable {
        var text: String
        var lines: [String]
    }

    /// A class that decodes itself.
    final class CodedPage: Coding {
        let text: String

        init(coder: KeyedUnarchiver) throws { text = try coder.decodeIfPresent(String.self, forKey: "text") ?? "" }
        func encode(with coder: KeyedArchiver) throws { coder.encode(text, forKey: "text") }
    }

    /// An archive with `count` pages under "root", each with a text of its own and a list.
    static func archive(_ count: Int) throws -> KeyedArchive {
        try KeyedArchive(
            RawArchive.data { archive in
                archive.list(
                    (0..<count).map { number in
                        let lines = archive.list([archive.object(archive.text("a line of more than 15 characters"))])
                        let text = archive.text("the text of page \(number), which is long")
                        return archive.object(archive.fields([("text", text), ("lines", lines)], class: "Other.Page"))
                    })
            })
    }

    static let small = Result { try archive(10) }
    /// Three tables of one bit or more for each object are larger than any block of the heap that is not counted.
    static let large = Result { try archive(50_000) }

    /// A call for a value, and what it returns as text.
    struct Call: Sendable, CustomTestStringConvertible {
        let name: String
        let body: @Sendable (KeyedArchive.Value) throws -> String

        init(_ name: String, _ body: @escaping @Sendable (KeyedArchive.Value) throws -> String) {
            self.name = name
            self.body = body
        }

        var testDescription: String { name }
    }

    static let calls = [
        Call("propertyList()") { "\(try $0["lines"].map { try $0.propertyList() } ?? .null)" },
        Call("tree") { String($0.tree.dropFirst(20)) },
        Call("description") { $0.kind == .object ? $0["text"]?.description ?? "" : "" },
        Call("reachableObjects") { "\($0.reachableObjects.count)" },
        Call("reachableByteCount") { "\($0.reachableByteCount > 0)" },
        Call("foundationValue()") { "\(try $0["lines"]?.foundationValue() == nil)" },
        Call("decode(_:) of a Codable class") { try $0.decode(Page.self).lines.joined() },
        Call("decode(_:) of a Coding class") { page in
            var decoder = ArchiveDecoder()
            decoder.classes.register(CodedPage.self, name: "Other.Page")
            return String(try page.decode(CodedPage.self, using: decoder).text.prefix(8))
        },
        Call("decode(_:) of an unknown object") { "\(try $0.decode(UnknownObject.self).value.className ?? "")" },
    ]

    @Test(arguments: calls)
    func `clears no memory for the other objects`(call: Call) throws {
        let (small, large) = try (Self.small.get(), Self.large.get())
        var texts: [String] = []
        for archive in [small, large] {
            let page = try #require(archive.root.elements.dropFirst(7).first)
            #expect(try ClearedMemory.byteCount { texts.append(try call.body(page)) } == 0)
        }
        #expect(texts[0] == texts[1] || call.name == "tree" || call.name == "propertyList()", "\(texts)")
        #expect(!texts[0].isEmpty)
    }

    @Test func `counts what a call for the whole archive clears`() throws {
        let large = try Self.large.get()
        // A bit for each object of the property list, of which each page has more than three.
        #expect(ClearedMemory.byteCount { _ = large.problems() } >= 2 * 3 * 50_000 / 8)
    }

    /// The least limit of work with which `body` succeeds.
    private func work(_ body: (DecodingLimits) throws -> Void) throws -> Int {
        var limits = DecodingLimits()
        var (low, high) = (0, 1 << 22)
        limits.work = high
        try body(limits)
        while low < high {
            let middle = (low + high) / 2
            limits.work = middle
            if (try? body(limits)) == nil { low = middle + 1 } else { high = middle }
        }
        return low
    }

    @Test func `takes the same steps for a class whose name no class is registered for`() throws {
        let counts = try [10, 100, 1_000].map { count in
            let archive = try Self.archive(count)
            let page = try #require(archive.root.elements.dropFirst(7).first)
            return try work { limits in
                var decoder = ArchiveDecoder()
                decoder.limits = limits
                _ = try page.decode(Page.self, using: decoder)
            }
        }
        // The first call of each archive reads all names of classes, and has no limit that matters.
        #expect(counts[0] == counts[1] && counts[1] == counts[2], "\(counts)")
        #expect(counts[0] < 100)
    }

    /// A page with the one that comes after it in a part of its own.
    final class Leaf: Codable {
        var number: Int
        @Deferred var next: [Leaf]
    }

    @Test func `takes the same steps for each part in a chain of deferred parts`() throws {
        let counts = try [10, 100, 1_000].map { count in
            let data = RawArchive.data { archive in
                (0..<count).reduce(archive.list([])) { next, number in
                    let number = archive.object(archive.integer(number))
                    return archive.list([
                        archive.object(archive.fields([("number", number), ("next", next)], class: "Other.Leaf"))
                    ])
                }
            }
            let archive = try KeyedArchive(data)
            // All parts have one decoder, whose limit applies to each of them.
            return try work { limits in
                var decoder = ArchiveDecoder()
                decoder.limits = limits
                var leaf = try archive.root.decode([Leaf].self, using: decoder).first
                var read = 0
                while let current = leaf {
                    read += 1
                    try current.$next.load()
                    leaf = current.next.first
                }
                #expect(read == count)
            }
        }
        #expect(counts[0] == counts[1] && counts[1] == counts[2], "\(counts)")
    }
}
