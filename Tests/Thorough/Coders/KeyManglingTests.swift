// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn)
struct `Keys` {
    /// Names that are special to the format, or unusual, and their stored forms.
    static let names: [(name: String, written: String)] = [
        ("", ""), (" ", " "), ("$", "$$"), ("$$", "$$$"), ("$class", "$$class"), ("$$class", "$$$class"),
        ("$0", "$$0"), ("$1", "$$1"), ("$null", "$$null"), ("$top", "$$top"), ("a$", "a$"), ("a", "a"),
        ("NS.objects", "NS.objects"), ("NS.keys", "NS.keys"), ("NS.string", "NS.string"), ("NS.data", "NS.data"),
        ("NS.time", "NS.time"), ("NS.object.0", "NS.object.0"), ("NS.intval", "NS.intval"), ("root", "root"),
        ("CF$UID", "CF$UID"), ("\u{43a}\u{43b}\u{44e}\u{447}", "\u{43a}\u{43b}\u{44e}\u{447}"),
        ("$\u{e9}", "$$\u{e9}"), ("\u{1f404}", "\u{1f404}"), ("<&>\"'", "<&>\"'"), ("two\nlines", "two\nlines"),
        ("nul\0", "nul\0"), ("0", "0"), (String(repeating: "k", count: 1000), String(repeating: "k", count: 1000)),
    ]

    @Test(arguments: KeyedPlace.allCases)
    func `with a dollar sign in front are stored with one more`(place: KeyedPlace) throws {
        let data = try place.archive { archiver in
            for (index, (name, _)) in Self.names.enumerated() { archiver.encode(index, forKey: name) }
        }
        let entries = try place.entries(in: InspectedArchive(data))
        #expect(entries.keys == Self.names.map(\.written))
        for (index, (_, written)) in Self.names.enumerated() { #expect(entries[written] == .integer(Int128(index))) }
    }

    @Test(arguments: [3, 15, 16, 40]) func `are distinct if each is created and released in turn`(length: Int) throws {
        let archiver = KeyedArchiver()
        for round in 0..<3 {
            for index in 0..<500 {
                // A string of its own each time; the next may get the memory of the last.
                var name = String(index)
                while name.utf8.count < length { name += "x" }
                if round == 0 { archiver.encode(index, forKey: name) }
                if round > 0 { archiver.encode(round * 1_000 + index, forKey: "\(round)" + name) }
            }
        }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        for index in 0..<500 {
            let name = String(index) + String(repeating: "x", count: max(0, length - String(index).utf8.count))
            #expect(try unarchiver.decode(Int.self, forKey: name) == index)
            #expect(try unarchiver.decode(Int.self, forKey: "1" + name) == 1_000 + index)
            #expect(try unarchiver.decode(Int.self, forKey: "2" + name) == 2_000 + index)
        }
    }

    @Test(arguments: KeyedPlace.allCases, PropertyListFormat.allCases)
    func `come back whatever they are`(place: KeyedPlace, format: PropertyListFormat) throws {
        // XML has no control characters.
        let names = Self.names.map(\.name).filter { format == .binary || !$0.contains("\0") }
        let data = try place.archive(format: format) { archiver in
            for name in names { archiver.encode(name, forKey: name) }
        }
        try place.read(data) { unarchiver throws in
            #expect(unarchiver.allKeys == names)
            for name in names.reversed() {
                #expect(unarchiver.containsValue(forKey: name))
                #expect(try unarchiver.decode(String.self, forKey: name) == name)
            }
            for missing in ["$$$", "$objects", "$2", "key", "$$$class"] {
                #expect(!unarchiver.containsValue(forKey: missing))
            }
        }
    }

    @Test func `of the format's own names make no other object of theirs`() throws {
        let unarchiver = try unarchiver { archiver in
            try archiver.encode(
                Scribe { archiver in
                    archiver.encode("class", forKey: "$class")
                    archiver.encode("objects", forKey: "NS.objects")
                    archiver.encode("keys", forKey: "NS.keys")
                }, forKey: "object")
        }
        let name = try #require(unarchiver.archivedClassName(forKey: "object"))
        #expect(InspectedArchive.lastPart(of: name) == "Scribe")
        unarchiver.userInfo[ScribeReader.key] = ScribeReader { coder throws in
            #expect(try coder.decodeIfPresent(String.self, forKey: "$class") == "class")
            #expect(try coder.decodeIfPresent(String.self, forKey: "NS.objects") == "objects")
            #expect(coder.allKeys == ["$class", "NS.objects", "NS.keys"])
        }
        _ = try unarchiver.decode(Scribe.self, forKey: "object")
    }

    /// A dollar and an accent are one character of Swift's, and two in the file.
    @Test(arguments: KeyedPlace.allCases)
    func `may start with a dollar under an accent`(place: KeyedPlace) throws {
        let name = "$\u{301}x"
        let data = try place.archive { $0.encode(5, forKey: name) }
        try place.read(data) { unarchiver throws in
            #expect(try unarchiver.decode(Int.self, forKey: name) == 5)
            #expect(unarchiver.allKeys.map { Array($0.unicodeScalars) } == [Array(name.unicodeScalars)])
        }
    }

    @Test(arguments: KeyedPlace.allCases)
    func `may be a thousand and more in one object`(place: KeyedPlace) throws {
        for count in TableSizes.upTo(1024) + [10_000] {
            let data = try place.archive { archiver in
                for index in 0..<count { archiver.encode(index, forKey: "\(index)") }
            }
            #expect(try place.entries(in: InspectedArchive(data)).count == count)
            try place.read(data) { unarchiver throws in
                #expect(unarchiver.allKeys.count == count)
                for index in (0..<count).reversed() where try unarchiver.decodeInteger(forKey: "\(index)") != index {
                    Issue.record("\(index) of \(count)")
                }
                #expect(!unarchiver.containsValue(forKey: "\(count)"))
            }
        }
    }
}

// MARK: - Twice

/// A class, and one that inherits from it, which share a key.
class KeyedParent: Coding {
    init() {}
    required init(coder: KeyedUnarchiver) throws {}
    func encode(with coder: KeyedArchiver) throws { coder.encode(1, forKey: "size") }
}

final class KeyedChild: KeyedParent {
    override func encode(with coder: KeyedArchiver) throws {
        try super.encode(with: coder)
        coder.encode(2, forKey: "size")
    }
}

@Suite(.inTurn)
struct `A key that is used twice` {
    /// The error of `finishEncoding()`, which comes each time.
    private func failure(_ archiver: KeyedArchiver) throws -> KeyedFailure {
        let error = try keyedFailure { try archiver.finishEncoding() }
        #expect(try keyedFailure { try archiver.finishEncoding() }.text == error.text)
        #expect(try keyedFailure { try archiver.finishEncoding() }.text == error.text)
        return error
    }

    @Test func `lets the encoding of its object fail, with the class and the key in the error`() throws {
        let archiver = KeyedArchiver()
        let thrown = try keyedFailure {
            try archiver.encodeObject([CodedItem("a", 1), KeyedChild()] as [any Coding], forKey: "all")
        }
        #expect(thrown.code == "duplicateKey")
        #expect(thrown.path == "all[1]")
        #expect(thrown.says("KeyedChild", "\"size\"", "\"all[1]\""))
        #expect(try failure(archiver).text == thrown.text)
    }

    @Test func `lets the archive fail where it is at the top, which encode itself does not say`() throws {
        let archiver = KeyedArchiver()
        archiver.encode(1, forKey: "count")
        archiver.encode(2, forKey: "count")
        archiver.encode(3, forKey: "other")
        let error = try failure(archiver)
        #expect(error.code == "duplicateKey")
        #expect(error.says("\"count\""))
    }

    /// Ways to encode something under the key.
    static let ways: [@Sendable (KeyedArchiver, String) throws -> Void] = [
        { $0.encode(true, forKey: $1) }, { $0.encode(1, forKey: $1) }, { $0.encode(UInt128.max, forKey: $1) },
        { $0.encode(1.5, forKey: $1) }, { $0.encode(Float(1), forKey: $1) }, { $0.encode("text", forKey: $1) },
        { $0.encode(Data(), forKey: $1) }, { $0.encode(Date(), forKey: $1) }, { $0.encodeNil(forKey: $1) },
        { $0.encodeBytes([1], forKey: $1) }, { $0.encodePoint(x: 1, y: 2, forKey: $1) },
        { try $0.encode(CodedItem("a", 1), forKey: $1) }, { try $0.encode([CodedItem("a", 1)], forKey: $1) },
        { try $0.encodeConditional(CodedItem("a", 1), forKey: $1) }, { try $0.encode([1, 2], forKey: $1) },
        { try $0.encodeObject(["a", 1] as [Any], forKey: $1) },
    ]

    @Test(arguments: ["key", "", "$key", "$0", "caf\u{e9}"])
    func `is an error whatever value it has`(key: String) throws {
        for first in Self.ways.indices {
            let second = (first + 5) % Self.ways.count
            let archiver = KeyedArchiver()
            _ = try? archiver.encode(
                Scribe { coder in
                    try Self.ways[first](coder, key)
                    try Self.ways[second](coder, key)
                }, forKey: "object")
            let error = try failure(archiver)
            #expect(error.code == "duplicateKey")
            #expect(error.path == "object")
            #expect(error.says("Scribe", "\"\(key)\""), "\(error)")
        }
    }

    @Test(arguments: [0] + TableSizes.upTo(1024) + [9_999])
    func `is found among many`(position: Int) throws {
        let archiver = KeyedArchiver()
        for index in 0..<10_000 { archiver.encode(index, forKey: "key \(index)") }
        archiver.encode(1, forKey: "key \(position)")
        #expect(try failure(archiver).says("\"key \(position)\""))
    }

    @Test func `is found where a Codable value has the same key as a scalar`() throws {
        let archiver = KeyedArchiver()
        try archiver.encode(["a": 1], forKey: "value")
        archiver.encode(1, forKey: "value")
        #expect(try failure(archiver).says("\"value\""))
    }

    @Test func `is none where it is used in two objects, or with and without a dollar`() throws {
        let data = try KeyedPlace.top.archive { archiver in
            try archiver.encode(KeyedParent(), forKey: "size")
            try archiver.encode(KeyedParent(), forKey: "second")
            archiver.encode(1, forKey: "$size")
            archiver.encode(2, forKey: "$$size")
            archiver.encode(3, forKey: "Size")
            archiver.encodeNext(4)
            archiver.encode(5, forKey: "$0")
        }
        #expect(try KeyedUnarchiver(forReadingFrom: data).decodeInteger(forKey: "$size") == 1)
    }

    /// Readers find each of them by its bytes.
    @Test func `is not one in another spelling`() throws {
        let archiver = KeyedArchiver()
        archiver.encode(1, forKey: "caf\u{e9}")
        archiver.encode(2, forKey: "cafe\u{301}")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        #expect(try unarchiver.decodeInteger(forKey: "cafe\u{301}") == 2)
        #expect(try unarchiver.decodeInteger(forKey: "caf\u{e9}") == 1)
    }
}
