// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// An instance with references of every kind, which never publishes itself.
final class HostileLink: Coding {
    let next: HostileLink?
    let all: [HostileLink]
    let named: [String: HostileLink]
    let any: Any?

    init(coder: KeyedUnarchiver) throws {
        next = try coder.decodeIfPresent(HostileLink.self, forKey: "next")
        all = try coder.decodeIfPresent([HostileLink].self, forKey: "all") ?? []
        named = try coder.decodeIfPresent([String: HostileLink].self, forKey: "named") ?? [:]
        any = try coder.decodeObject(of: [HostileLink.self, [Any].self], forKey: "any")
    }

    func encode(with coder: KeyedArchiver) throws {
        try coder.encode(next, forKey: "next")
    }
}

/// Handmade archives in which instances are of the class "Link".
enum HostileArchive {
    static let link: PropertyList = ["$classname": "Link", "$classes": ["Link", "NSObject"]]
    static let array: PropertyList = ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]]
    static let set: PropertyList = ["$classname": "NSSet", "$classes": ["NSSet", "NSObject"]]
    static let dictionary: PropertyList = ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]]

    /// An unarchiver for `objects`, which have the uids from 1 on.
    static func unarchiver(
        _ objects: PropertyList..., top: PropertyList = ["root": .uid(1)], limits: DecodingLimits = DecodingLimits()
    ) throws -> KeyedUnarchiver {
        try unarchiver(objects: objects, top: top, limits: limits)
    }

    static func unarchiver(
        objects: [PropertyList], top: PropertyList = ["root": .uid(1)], limits: DecodingLimits = DecodingLimits()
    ) throws -> KeyedUnarchiver {
        let unarchiver = try KeyedUnarchiver(
            forReadingFrom: handmadeArchive(top: top, objects: objects), limits: limits)
        unarchiver.classes.register(HostileLink.self, aliases: ["Link"])
        return unarchiver
    }
}

@Suite(.inTurn)
struct `A damaged archive, read by key` {
    /// Reads all of `sample`, whatever fails.
    ///
    /// - Returns: The codes of what was thrown; an issue is recorded where that is no error of the unarchiver's.
    private func read(_ data: Data) -> [String] {
        var codes: [String] = []
        func attempt(_ body: () throws -> Any?) {
            do {
                _ = try body()
            } catch {
                let failure = KeyedFailure(error)
                if !(error is ArchivingError) || failure.text.isEmpty { Issue.record("\(failure)") }
                codes.append(failure.code)
            }
        }
        var opened: KeyedUnarchiver?
        attempt { opened = try KeyedUnarchiver(forReadingFrom: data) }
        guard let unarchiver = opened else { return codes }
        attempt { try unarchiver.decode([CodedNode].self, forKey: "nodes") }
        attempt { try unarchiver.decode([String: CodedItem].self, forKey: "items") }
        attempt { try unarchiver.decode(Set<HashedItem>.self, forKey: "set") }
        attempt { try unarchiver.decode(CodedBox.self, forKey: "box") }
        attempt { try unarchiver.decodeDouble(forKey: "real") }
        attempt { try unarchiver.decodeIfPresent(Date.self, forKey: "date") }
        attempt { try unarchiver.decodeRect(forKey: "rect") }
        attempt { try unarchiver.decodeBytes(forKey: "bytes") }
        attempt { try unarchiver.decodeNext(Int.self) }
        attempt { try unarchiver.decode(Reference<CodedItem>.self, forKey: "item") }
        attempt {
            try unarchiver.decodeObject(
                of: [[Any].self, [AnyHashable: Any].self, String.self, Int.self, CodedItem.self], forKey: "any")
        }
        attempt { unarchiver.allKeys.map { unarchiver.archivedClassName(forKey: $0) } }
        return codes
    }

    private func sample(_ format: PropertyListFormat = .binary) throws -> Data {
        let parent = CodedNode("parent")
        parent.children = [CodedNode("a"), CodedNode("caf\u{e9}")]
        for child in parent.children { child.parent = parent }
        let item = CodedItem("item", 70_000)
        let archiver = KeyedArchiver()
        archiver.outputFormat = format
        try archiver.encode([parent], forKey: "nodes")
        try archiver.encode(["a": item, "b": CodedItem("b", -1)], forKey: "items")
        try archiver.encode(Set([HashedItem("x"), HashedItem("y")]), forKey: "set")
        try archiver.encode(CodedBox(item: item, title: "title"), forKey: "box")
        archiver.encode(1.5, forKey: "real")
        archiver.encode(Date(timeIntervalSinceReferenceDate: 1), forKey: "date")
        archiver.encodeRect(x: 1, y: 2, width: 3, height: 4, forKey: "rect")
        archiver.encodeBytes([1, 2, 3], forKey: "bytes")
        archiver.encodeNext(5)
        try archiver.encode(item, forKey: "item")
        try archiver.encodeObject(["list": [1, "two", item]] as [String: Any], forKey: "any")
        return try archiver.finishEncoding()
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `is read where nothing is wrong`(format: PropertyListFormat) throws {
        #expect(read(try sample(format)).isEmpty)
    }

    @Test func `that ends early is refused, wherever it ends`() throws {
        let data = try sample()
        for length in 0..<data.count where read(data.prefix(length)) != ["damaged"] {
            Issue.record("\(length) of \(data.count) bytes")
        }
        let xml = try sample(.xml)
        let end = try #require(xml.range(of: Data("</plist>".utf8), options: .backwards))
        for length in stride(from: 0, to: end.lowerBound, by: 13) where read(xml.prefix(length)) != ["damaged"] {
            Issue.record("\(length) of \(xml.count) bytes of XML")
        }
    }

    @Test(arguments: [0x00, 0x01, 0x7F, 0x80, 0xD1, 0xFF] as [UInt8])
    func `with one byte replaced gives values or errors of the unarchiver`(replacement: UInt8) throws {
        let data = try sample()
        var refused = 0
        for offset in data.indices {
            var damaged = data
            damaged[offset] = replacement
            if !read(damaged).isEmpty { refused += 1 }
        }
        #expect(refused > data.count / 10)
    }

    @Test func `with one bit flipped gives values or errors of the unarchiver`() throws {
        let data = try sample()
        for offset in data.indices {
            for bit in 0..<8 {
                var damaged = data
                damaged[offset] ^= 1 << UInt8(bit)
                _ = read(damaged)
            }
        }
    }

    @Test func `whose bytes are none says so, with the error of the property list underneath`() throws {
        for data in [Data(), Data("x".utf8), Data("bplist00".utf8), Data(count: 1000), try sample().dropLast(3)] {
            do {
                _ = try KeyedUnarchiver(forReadingFrom: data)
                Issue.record("No error")
            } catch let error as ArchivingError {
                #expect(error.code == .damaged)
                #expect(error.codingPath.isEmpty)
                #expect(error.underlyingError is PropertyListError)
                #expect(error.description == error.debugDescription)
            }
        }
    }

    // MARK: - Entries

    /// Objects that are no instances, by what is wrong, with the code and words of the error.
    static let entries: [(PropertyList, [PropertyList], String, [String])] = [
        (.uid(99), [], "damaged", ["99"]),
        (.uid(UInt32.max), [], "damaged", ["4294967295"]),
        (.uid(1), [.uid(2), [:]], "damaged", ["1"]),
        (.uid(1), [["next": .uid(0), "$class": .uid(77)]], "damaged", ["77"]),
        (.uid(1), [["next": .uid(0), "$class": .uid(2)], "Link"], "damaged", ["2", "class"]),
        (.uid(1), [["next": .uid(0), "$class": .uid(2)], ["$classes": ["Link"]]], "damaged", ["2", "$classname"]),
        (.uid(1), [["next": .uid(0), "$class": .uid(2)], ["$classname": 5]], "damaged", ["2", "$classname"]),
        (.uid(1), [["next": .uid(0), "$class": .uid(2)], [5]], "damaged", ["2"]),
        (.uid(1), [["next": .uid(0), "$class": .uid(0)]], "damaged", ["class"]),
        (.uid(1), [["next": .uid(0), "$class": .uid(1)]], "damaged", ["class", "1"]),
        (.uid(1), [["next": .uid(0), "$class": "Link"]], "typeMismatch", ["dictionary of 2 entries"]),
        (.uid(1), [["next": .uid(0)]], "typeMismatch", ["dictionary of 1 entries"]),
        (.uid(1), [[:]], "typeMismatch", ["dictionary of 0 entries"]),
        (.uid(1), [[.uid(1)]], "typeMismatch", ["array of 1 elements"]),
        (.uid(1), ["$null"], "valueNotFound", ["nil"]),
        (.uid(1), [.null], "valueNotFound", ["nil"]),
        (.uid(1), [["$class": .uid(2)], ["$classname": "Other"]], "classNotAllowed", ["Other", "HostileLink"]),
        (.uid(1), [["$class": .uid(2)], ["$classname": ""]], "classNotAllowed", ["HostileLink"]),
    ]

    @Test(arguments: entries.indices)
    func `with something else in the place of an object says what, and where`(index: Int) throws {
        let (root, objects, code, words) = Self.entries[index]
        let unarchiver = try HostileArchive.unarchiver(objects: objects, top: ["root": root])
        for _ in 0..<2 {
            let error = try keyedFailure { try unarchiver.decode(HostileLink.self, forKey: "root") }
            #expect(error.code == code, "\(error)")
            #expect(error.path == "root")
            for word in words { #expect(error.says(word), "\(error)") }
        }
        guard code == "damaged" else { return }
        for error in [
            try keyedFailure { try unarchiver.decodeIfPresent(HostileLink.self, forKey: "root") as Any },
            try keyedFailure { try unarchiver.decodeObject(of: [HostileLink.self], forKey: "root") as Any },
            try keyedFailure { try unarchiver.decode(Reference<HostileLink>.self, forKey: "root") },
        ] {
            #expect(error.code == code, "\(error)")
            #expect(error.path == "root")
        }
    }

    @Test func `with a uid in the place of an object is an error`() throws {
        for object in [PropertyList.uid(1), .uid(2), .uid(0)] {
            let unarchiver = try HostileArchive.unarchiver(object, "text")
            #expect(throws: ArchivingError.self) { try unarchiver.decodeObject(of: [String.self], forKey: "root") }
            #expect(throws: ArchivingError.self) { try unarchiver.decode(String.self, forKey: "root") }
            #expect(throws: ArchivingError.self) { try unarchiver.decode(HostileLink.self, forKey: "root") }
        }
    }

    @Test func `with a bad uid in a collection names the place in it`() throws {
        let link: PropertyList = ["$class": .uid(4)]
        let unarchiver = try HostileArchive.unarchiver(
            ["NS.objects": [.uid(3), .uid(50)], "$class": .uid(5)],
            ["NS.keys": ["a", "b"], "NS.objects": [.uid(3), .uid(60)], "$class": .uid(6)], link, HostileArchive.link,
            HostileArchive.array, HostileArchive.dictionary, top: ["list": .uid(1), "table": .uid(2)])
        let list = try keyedFailure { try unarchiver.decode([HostileLink].self, forKey: "list") }
        #expect(list.code == "damaged")
        #expect(list.path == "list[1]")
        #expect(list.says("50"))
        let table = try keyedFailure { try unarchiver.decode([String: HostileLink].self, forKey: "table") }
        #expect(table.code == "damaged")
        #expect(table.path == "table.b")
        #expect(table.says("60"))
    }

    @Test(arguments: [(2, 1), (1, 2), (0, 1), (1, 0)])
    func `with more keys than values, or the reverse, is an error`(keys: Int, values: Int) throws {
        let unarchiver = try HostileArchive.unarchiver(
            [
                "NS.keys": .array((0..<keys).map { .string("\($0)") }),
                "NS.objects": .array((0..<values).map { _ in .uid(2) }), "$class": .uid(4),
            ], ["$class": .uid(3)], HostileArchive.link, HostileArchive.dictionary)
        for error in [
            try keyedFailure { try unarchiver.decode([String: HostileLink].self, forKey: "root") },
            try keyedFailure { try unarchiver.decode([String: Coded<HostileLink>].self, forKey: "root") },
            try keyedFailure {
                try unarchiver.decodeDictionary(keysOf: [String.self], valuesOf: [HostileLink.self], forKey: "root")
                    as Any
            },
            try keyedFailure {
                try unarchiver.decodeObject(
                    of: [[AnyHashable: Any].self, String.self, HostileLink.self], forKey: "root") as Any
            },
        ] {
            #expect(error.code == "damaged", "\(error)")
            #expect(error.path == "root")
            #expect(error.says("\(keys)", "\(values)"))
        }
    }
}
