// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

/// A key is unknown if the decoding of its object has not requested it, in whatever way a program requests keys.
@Suite(.inTurn) struct `A key is kept by a save` {
    private func hasChanges<Root>(_ document: ArchiveDocument<Root>) throws -> Bool { try document.hasChanges() }

    /// What another program has written: a tree of dictionaries, each an object.
    struct Other: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var values: [(String, Value)]

        indirect enum Value {
            case text(String)
            case item(Other)
            case list([Other])
        }

        init(_ values: KeyValuePairs<String, Value>) { self.values = values.map { ($0, $1) } }

        init(from decoder: any Decoder) throws { values = [] }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for (key, value) in values {
                switch value {
                case .text(let text): try container.encode(text, forKey: Key(stringValue: key))
                case .item(let item): try container.encode(item, forKey: Key(stringValue: key))
                case .list(let list): try container.encode(list, forKey: Key(stringValue: key))
                }
            }
        }
    }

    struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Returns the file that a program with the root `Root` leaves after `edit`.
    private func edited<Root: Codable>(
        _ value: Other, as type: Root.Type, decoder: ArchiveDecoder = ArchiveDecoder(),
        _ edit: (ArchiveDocument<Root>) throws -> Void
    ) throws -> KeyedArchive.Value {
        try TemporaryFolder.with { folder in
            try ArchiveEncoder().encode(value, to: folder["file"])
            let document = try ArchiveDocument<Root>(contentsOf: folder["file"], decoder: decoder)
            let wasChanged = try hasChanges(document)
            #expect(!wasChanged)
            try edit(document)
            try document.save()
            let isChanged = try hasChanges(document)
            #expect(!isChanged)
            return try KeyedArchive(Data(contentsOf: folder["file"])).root
        }
    }

    /// All keys and strings in a value, for comparison.
    private func text(_ value: KeyedArchive.Value?) -> String {
        guard let value else { return "absent" }
        if let text = value.string { return text }
        if !value.elements.isEmpty { return "[" + value.elements.map { text($0) }.joined(separator: ", ") + "]" }
        return "{" + value.keys.sorted().map { "\($0): \(text(value[$0]))" }.joined(separator: ", ") + "}"
    }

    private let item = Other(["a": .text("1"), "b": .text("2"), "c": .text("3")])

    // MARK: Requests of one object

    struct Plain: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var a: String?
        var b: String?
    }

    @Test func `unless the type decodes it and does not write it any more`() throws {
        #expect(text(try edited(item, as: Plain.self) { $0.root.b = nil }) == "{a: 1, c: 3}")
    }

    struct Last: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var c: String
        var new = "n"

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            c = try container.decode(String.self, forKey: .c)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            if c != "3" { try container.encode(new, forKey: .new) }
            try container.encode(c, forKey: .c)
        }

        enum CodingKeys: CodingKey { case new, c }
    }

    @Test func `if it is before the others or between them`() throws {
        let saved = try edited(item, as: Last.self) { $0.root.c = "4" }
        #expect(text(saved) == "{a: 1, b: 2, c: 4, new: n}")
    }

    /// A key that was asked about counts as one that was decoded.
    struct Asking: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var hasB: Bool
        var a: String
        var isWritten = true

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            hasB = container.contains(Key(stringValue: "b"))
            a = try container.decode(String.self, forKey: Key(stringValue: "a"))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(a, forKey: Key(stringValue: "a"))
            if isWritten { try container.encode("2", forKey: Key(stringValue: "b")) }
        }
    }

    @Test func `unless the type asks whether it is there`() throws {
        let saved = try edited(item, as: Asking.self) { $0.root.isWritten = false }
        #expect(text(saved) == "{a: 1, c: 3}")
    }

    /// The list of all keys is no request of each.
    struct Listing: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var values: [String: String] = [:]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            for key in container.allKeys where key.stringValue != "b" {
                values[key.stringValue] = try container.decode(String.self, forKey: key)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                try container.encode(value, forKey: Key(stringValue: key))
            }
        }
    }

    @Test func `if it is listed but not decoded`() throws {
        let saved = try edited(item, as: Listing.self) { $0.root.values = ["c": "4", "d": "5"] }
        #expect(text(saved) == "{b: 2, c: 4, d: 5}")
    }

    struct Empty: Codable, ArchiveDescribing {
        static let archiveName = "Item"
    }

    final class Holder<Item: Codable>: Codable, ArchiveDescribing {
        static var archiveName: String { "Item" }
        var name: String
        var item: Item
    }

    private var holder: Other { Other(["name": .text("h"), "item": .item(item), "more": .item(item)]) }

    @Test func `if the type has no keys at all`() throws {
        let saved = try edited(holder, as: Holder<Empty>.self) { $0.root.name = "i" }
        #expect(text(saved) == "{item: {a: 1, b: 2, c: 3}, more: {a: 1, b: 2, c: 3}, name: i}")
    }

    // MARK: Several decodings of one object

    /// Decodes the object twice: first its kind, then everything.
    struct Dispatching: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var value: Plain

        struct Head: Decodable { var a: String }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            _ = try container.decode(Head.self)
            value = try container.decode(Plain.self)
            _ = try container.decode(Head.self)
        }

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    @Test func `unless one of several decodings of the object has requested it`() throws {
        let saved = try edited(holder, as: Holder<Dispatching>.self) { $0.root.item.value.b = nil }
        #expect(text(saved["item"]) == "{a: 1, c: 3}")
    }

    /// An attempt that fails is no decoding.
    struct Trying: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var value: Plain

        struct Wrong: Decodable {
            var c: String
            var missing: Int
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            #expect(throws: (any Error).self) { try container.decode(Wrong.self) }
            value = try container.decode(Plain.self)
        }

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    @Test func `if only an attempt that failed has requested it`() throws {
        let saved = try edited(holder, as: Holder<Trying>.self) { $0.root.item.value.a = "9" }
        #expect(text(saved["item"]) == "{a: 9, b: 2, c: 3}")
    }

    // MARK: Attempts with the decoder itself

    /// Has a key that a newer program has given another kind, and one more. Both orders: the failing key last and first.
    private struct FormerLast: Decodable {
        var a: String
        var b: String
        var c: Int
    }

    private struct FormerFirst: Decodable {
        var c: Int
        var a: String
    }

    private struct FormerAbsent: Decodable {
        var c: String
        var a: String
        var absent: Int
    }

    private struct FormerMany: Decodable {
        init(from decoder: any Decoder) throws {
            for _ in 0..<3 {
                if (try? FormerLast(from: decoder)) != nil { return }
                _ = try? FormerAbsent(from: decoder)
            }
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "none of them"))
        }
    }

    enum Form: CaseIterable {
        case last, first, absent, many
        fileprivate var type: any Decodable.Type {
            switch self {
            case .last: FormerLast.self
            case .first: FormerFirst.self
            case .absent: FormerAbsent.self
            case .many: FormerMany.self
            }
        }
    }

    struct Alternative: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var a: String
        @TaskLocal static var form = Form.last

        init(from decoder: any Decoder) throws {
            #expect(throws: (any Error).self) { try Self.form.type.init(from: decoder) }
            a = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .a)
        }

        enum CodingKeys: CodingKey { case a }
    }

    @Test(arguments: Form.allCases) func `if only an attempt that failed has requested it from the decoder`(
        form: Form
    ) throws {
        try Alternative.$form.withValue(form) {
            let saved = try edited(holder, as: Holder<Alternative>.self) { $0.root.item.a = "9" }
            #expect(text(saved["item"]) == "{a: 9, b: 2, c: 3}")
            let first = try edited(item, as: Alternative.self) { $0.root.a = "9" }
            #expect(text(first) == "{a: 9, b: 2, c: 3}")
        }
    }

    struct SingleAlternative: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var value: Plain

        init(from decoder: any Decoder) throws {
            #expect(throws: (any Error).self) { try FormerAbsent(from: decoder) }
            value = try decoder.singleValueContainer().decode(Plain.self)
        }

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    @Test func `if the value is then decoded as a single one`() throws {
        let saved = try edited(holder, as: Holder<SingleAlternative>.self) { $0.root.item.value.a = "9" }
        #expect(text(saved["item"]) == "{a: 9, b: 2, c: 3}")
    }

    /// The attempt has decoded a part with a key that the present form of the part does not know.
    struct WithPart: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var part: Part

        private struct Former: Decodable {
            var item: Plain
            var absent: Int
        }

        private struct Present: Decodable {
            var item: Part
        }

        struct Part: Codable, ArchiveDescribing {
            static let archiveName = "Item"
            var a: String
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            #expect(throws: (any Error).self) { try container.decode(Former.self) }
            part = try container.decode(Present.self).item
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(part, forKey: Key(stringValue: "item"))
        }
    }

    @Test func `in a part that only an attempt that failed has requested with it`() throws {
        let saved = try edited(Other(["item": .item(holder)]), as: Holder3<WithPart>.self) { $0.root.item.part.a = "9" }
        #expect(text(saved["item"]?["item"]) == "{a: 9, b: 2, c: 3}")
    }

    final class Holder3<Item: Codable>: Codable, ArchiveDescribing {
        static var archiveName: String { "Item" }
        var item: Item
    }

    /// Decodes what it can, as a subclass does, and then other keys, as its superclass does: no attempt has failed.
    struct Lenient: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var a: String?
        var b: Int?
        var c: String?

        private enum OwnKeys: CodingKey { case a, b }
        private enum OtherKeys: CodingKey { case c }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: OwnKeys.self)
            a = try? container.decode(String.self, forKey: .a)
            b = try? container.decode(Int.self, forKey: .b)
            c = try decoder.container(keyedBy: OtherKeys.self).decode(String.self, forKey: .c)
        }
    }

    @Test func `if its value cannot be read, and no other key of the container`() throws {
        let saved = try edited(item, as: Lenient.self) { document in
            document.root.a = nil
            document.root.c = "9"
        }
        #expect(text(saved) == "{b: 2, c: 9}")
        let replaced = try edited(item, as: Lenient.self) { $0.root.b = 5 }
        #expect(replaced["b"]?.integer == 5)
    }

    /// Tries one key as several types.
    struct Either: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var a: String?
        var b: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if let number = try? container.decode(Int.self, forKey: .a) {
                a = "\(number)"
            } else {
                a = try container.decode(String.self, forKey: .a)
            }
            b = try container.decode(String.self, forKey: .b)
        }
    }

    @Test func `unless one of several requests for it has succeeded`() throws {
        #expect(text(try edited(item, as: Either.self) { $0.root.a = nil }) == "{b: 2, c: 3}")
    }

    final class CodingItem: Coding, ArchiveDescribing {
        static var archiveName: String { "Item" }
        static var supportsSecureCoding: Bool { true }
        var a: String
        var b: Int?

        init(coder: KeyedUnarchiver) throws {
            b = try? coder.decode(Int.self, forKey: "b")
            #expect(throws: (any Error).self) { try coder.decode(Int.self, forKey: "absent") }
            a = try coder.decode(String.self, forKey: "a")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(a, forKey: "a")
            if let b { coder.encode(b, forKey: "b") }
        }
    }

    struct CodingHolder: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var name: String
        @Coded var item: CodingItem
    }

    @Test func `if the unarchiver cannot read its value`() throws {
        let saved = try edited(holder, as: CodingHolder.self) { $0.root.item.a = "9" }
        #expect(text(saved["item"]) == "{a: 9, b: 2, c: 3}")
    }

    // MARK: Containers

    struct Nested: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var a: String
        var name: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            a = try container.nestedContainer(keyedBy: Key.self, forKey: Key(stringValue: "item"))
                .decode(String.self, forKey: Key(stringValue: "a"))
            name = try container.decode(String.self, forKey: Key(stringValue: "name"))
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var item = container.nestedContainer(keyedBy: Key.self, forKey: Key(stringValue: "item"))
            try item.encode(a, forKey: Key(stringValue: "a"))
            try container.encode(name, forKey: Key(stringValue: "name"))
        }
    }

    @Test func `in a nested container`() throws {
        let saved = try edited(holder, as: Nested.self) { $0.root.a = "9" }
        #expect(text(saved) == "{item: {a: 9, b: 2, c: 3}, more: {a: 1, b: 2, c: 3}, name: h}")
    }

    /// Keeps its container, and requests a key with it after the decoder has returned.
    final class Keeping: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var a: String
        var container: KeyedDecodingContainer<Key>?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            a = try container.decode(String.self, forKey: Key(stringValue: "a"))
            self.container = container
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(a, forKey: Key(stringValue: "a"))
        }
    }

    @Test func `until a container that the program has kept requests it`() throws {
        let saved = try edited(item, as: Keeping.self) { document in
            document.root.a = "9"
            try document.save()
            _ = try document.root.container?.decode(String.self, forKey: Key(stringValue: "b"))
            document.root.container = nil
            document.root.a = "8"
        }
        #expect(text(saved) == "{a: 8, c: 3}")
    }

    // MARK: Places

    struct Large: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var values: [String]
        static let numbers = Array(stride(from: 3, to: 300, by: 7)) + [1, 2]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            values = try Self.numbers.map { try container.decode(String.self, forKey: Key(stringValue: "k\($0)")) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for (number, value) in zip(Self.numbers, values) where value != "gone" {
                try container.encode(value, forKey: Key(stringValue: "k\(number)"))
            }
        }
    }

    /// The same after an attempt that fails.
    struct LargeAlternative: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var value: Large

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            for number in (100..<200).reversed() {
                _ = try container.decode(String.self, forKey: Key(stringValue: "k\(number)"))
            }
            #expect(throws: (any Error).self) { try container.decode(Int.self, forKey: Key(stringValue: "k1")) }
            value = try Large(from: decoder)
        }

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    @Test func `in an object with hundreds of keys after an attempt that failed`() throws {
        var large = Other([:])
        large.values = (0..<300).map { ("k\($0)", .text("\($0)")) }
        let saved = try edited(large, as: LargeAlternative.self) { $0.root.value.values[0] = "gone" }
        #expect(saved.keys.sorted() == (0..<300).filter { $0 != 3 }.map { "k\($0)" }.sorted())
    }

    @Test func `in an object with hundreds of keys`() throws {
        var large = Other([:])
        large.values = (0..<300).map { ("k\($0)", .text("\($0)")) }
        let saved = try edited(large, as: Large.self) { $0.root.values[0] = "gone" }
        let expected = (0..<300).filter { $0 != 3 }.map { "k\($0)" }
        #expect(saved.keys.sorted() == expected.sorted())
        #expect(saved["k299"]?.string == "299")
    }

    @Test func `in the top of the archive`() throws {
        try TemporaryFolder.with { folder in
            let archiver = KeyedArchiver()
            try archiver.encode(item, forKey: "other")
            try archiver.encode(item, forKey: "root")
            archiver.encode(7, forKey: "number")
            try archiver.finishEncoding().write(to: folder["file"])
            let document = try ArchiveDocument<Plain>(contentsOf: folder["file"])
            let wasChanged = try hasChanges(document)
            #expect(!wasChanged)
            document.root.a = "9"
            try document.compact()
            let archive = try KeyedArchive(Data(contentsOf: folder["file"]))
            #expect(text(archive.root) == "{a: 9, b: 2, c: 3}")
            #expect(text(archive.top["other"]) == "{a: 1, b: 2, c: 3}" && archive.top["number"]?.integer == 7)
        }
    }

    final class Shelf<Item: Codable>: Codable, ArchiveDescribing {
        static var archiveName: String { "Item" }
        var name: String
        @Deferred var item: Item?
    }

    @Test func `in a deferred part, which can be unloaded`() throws {
        let saved = try edited(holder, as: Shelf<Holder2>.self) { document in
            #expect(document.root.item?.a == "1")
            try document.root.$item.unload()
            document.root.name = "i"
            try document.save()
            #expect(!document.root.$item.isLoaded)
            document.root.item?.a = "9"
        }
        #expect(text(saved) == "{item: {a: 9, b: 2, c: 3}, more: {a: 1, b: 2, c: 3}, name: i}")
    }

    final class Holder2: Codable, ArchiveDescribing {
        static let archiveName = "Item"
        var a: String
    }

    @Test func `with what it refers to, also by a compaction`() throws {
        let saved = try edited(holder, as: Holder<Plain>.self) { document in
            document.root.name = "i"
            try document.compact()
            document.root.item.a = "9"
            try document.compact()
        }
        #expect(text(saved) == "{item: {a: 9, b: 2, c: 3}, more: {a: 1, b: 2, c: 3}, name: i}")
    }

    @Test func `unless the document discards unknown keys`() throws {
        try TemporaryFolder.with { folder in
            try ArchiveEncoder().encode(holder, to: folder["file"])
            let document = try ArchiveDocument<Holder<Plain>>(contentsOf: folder["file"], unknownKeys: .discard)
            let isChanged = try hasChanges(document)
            #expect(isChanged)
            try document.save()
            #expect(text(try KeyedArchive(Data(contentsOf: folder["file"])).root) == "{item: {a: 1, b: 2}, name: h}")
        }
    }

    // MARK: Enumerations and protocols

    enum Choice: Codable, ArchiveDescribing {
        static var archiveName: String { "Item" }
        case item(a: String)
        case none
    }

    @Test func `inside a case of an enumeration, until another case replaces it`() throws {
        let other = Other(["name": .text("h"), "item": .item(Other(["item": .item(item)]))])
        let saved = try edited(other, as: Holder<Choice>.self) { $0.root.item = .item(a: "9") }
        #expect(text(saved["item"]) == "{item: {a: 9, b: 2, c: 3}}")
        let replaced = try edited(other, as: Holder<Choice>.self) { $0.root.item = .none }
        #expect(text(replaced["item"]) == "{none: {}}")
    }
}
