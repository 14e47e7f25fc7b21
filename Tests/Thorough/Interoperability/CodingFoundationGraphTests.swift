// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The graphs of `Coding` objects as Foundation's `NSKeyedUnarchiver` reads them. Its port to Linux overflows the stack if
/// objects form a cycle, so there is none here: GNUstep and plistlib read those.
@Suite(.inTurn) struct `Foundation reads graphs of Coding objects` {
    static let twins: [String: AnyClass] = [
        "Leaf": LeafObject.self, "NumberedLeaf": NumberedLeafObject.self, "LastLeaf": NumberedLeafObject.self,
    ]

    /// What Foundation reads; the classes are those of the leaves.
    private func read<Value>(
        _ write: @escaping (KeyedArchiver) throws -> Void, in place: ArchivePlace = .object,
        _ format: PropertyListFormat = .binary, by read: @escaping @Sendable (NSCoder) -> Value
    ) throws -> Value {
        try foundation(reads: write, in: place, format, classes: Self.twins, by: read)
    }
}

// MARK: - Collections

extension `Foundation reads graphs of Coding objects` {
    @Test(arguments: PropertyListFormat.allCases, ArchivePlace.allCases)
    func `arrays with the same instance twice`(format: PropertyListFormat, place: ArchivePlace) throws {
        let leaf = Leaf("a")
        let write: (KeyedArchiver) throws -> Void = { coder in
            try coder.encode([leaf, Leaf("b"), leaf], forKey: "leaves")
            try coder.encodeObject([leaf, NumberedLeaf("n", number: 7)] as [any Coding], forKey: "mixed")
            try coder.encode([] as [Leaf], forKey: "none")
        }
        let (leaves, mixed, none) = try read(write, in: place, format) { coder in
            (
                coder.decodeObject(of: [NSArray.self, LeafObject.self], forKey: "leaves") as? [LeafObject],
                coder.decodeObject(of: [NSArray.self, LeafObject.self], forKey: "mixed") as? [LeafObject],
                coder.decodeObject(of: [NSArray.self], forKey: "none") as? [LeafObject]
            )
        }
        #expect(leaves?.map(\.name) == ["a", "b", "a"])
        #expect(leaves?.first === leaves?.last && leaves?.first !== leaves?.dropFirst().first)
        #expect(
            mixed?.count == 2 && mixed?.first === leaves?.first && (mixed?.last as? NumberedLeafObject)?.number == 7)
        #expect(none == [])
    }

    @Test func `arrays of more objects than a byte can count`() throws {
        let names = (0..<1000).map { "leaf \($0)" }
        let write: (KeyedArchiver) throws -> Void = { try $0.encode(names.map { Leaf($0) }, forKey: "leaves") }
        let leaves = try read(write) {
            $0.decodeObject(of: [NSArray.self, LeafObject.self], forKey: "leaves") as? [LeafObject]
        }
        #expect(leaves?.map(\.name) == names)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `sets and dictionaries`(format: PropertyListFormat) throws {
        let leaf = Leaf("a")
        let write: (KeyedArchiver) throws -> Void = { coder in
            try coder.encode(Set([leaf, Leaf("b")]), forKey: "set")
            try coder.encode(["x": leaf, "y": Leaf("c")], forKey: "by name")
            try coder.encodeObject([1: leaf, -2: leaf] as [AnyHashable: Any], forKey: "by number")
        }
        let (set, byName, byNumber) = try read(write, format) { coder in
            (
                coder.decodeObject(of: [NSSet.self, LeafObject.self], forKey: "set") as? Set<LeafObject>,
                coder.decodeObject(of: [NSDictionary.self, NSString.self, LeafObject.self], forKey: "by name")
                    as? [String: LeafObject],
                coder.decodeObject(of: [NSDictionary.self, NSNumber.self, LeafObject.self], forKey: "by number")
                    as? [Int: LeafObject]
            )
        }
        #expect(set?.map(\.name).sorted() == ["a", "b"])
        #expect(byName?.mapValues(\.name) == ["x": "a", "y": "c"])
        #expect(set?.contains { $0 === byName?["x"] } == true)
        #expect(byNumber?.keys.sorted() == [-2, 1])
        #expect(byNumber?[1] === byName?["x"] && byNumber?[-2] === byName?["x"])
    }

    @Test func `whatever an object of any kind holds`() throws {
        let leaf = Leaf("a")
        let value: [Any] = [leaf, [leaf, 1, 2.5, true], ["k": leaf] as [AnyHashable: Any], "text", Data([7])]
        let write: (KeyedArchiver) throws -> Void = { try $0.encodeObject(value, forKey: "value") }
        let classes = [
            NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSData.self, LeafObject.self,
        ]
        let read = try read(write) { coder in
            coder.decodeObject(of: classes, forKey: "value") as? [Any]
        }
        let array = try #require(read)
        let object = try #require(array[0] as? LeafObject)
        let inner = try #require(array[1] as? [Any])
        #expect(inner[0] as? LeafObject === object)
        #expect(inner[1] as? Int == 1 && inner[2] as? Double == 2.5 && inner[3] as? Bool == true)
        #expect((array[2] as? [String: LeafObject])?["k"] === object)
        #expect(array[3] as? String == "text" && array[4] as? Data == Data([7]))
    }
}

// MARK: - Identity

extension `Foundation reads graphs of Coding objects` {
    @Test(arguments: PropertyListFormat.allCases)
    func `one instance from several keys at the top`(format: PropertyListFormat) throws {
        let leaf = Leaf("a")
        let write: (KeyedArchiver) throws -> Void = { coder in
            try coder.encode(leaf, forKey: "first")
            coder.encode(5, forKey: "count")
            try coder.encode(Record { try $0.encode(leaf, forKey: "leaf") }, forKey: "record")
            try coder.encode(leaf, forKey: "$second")
        }
        let (first, second, count) = try read(write, in: .top, format) { coder in
            (
                coder.decodeObject(of: LeafObject.self, forKey: "first"),
                coder.decodeObject(of: LeafObject.self, forKey: "$second"), coder.decodeInteger(forKey: "count")
            )
        }
        #expect(first?.name == "a" && first === second && count == 5)
    }

    @Test func `instances that look alike as two`() throws {
        let write: (KeyedArchiver) throws -> Void = { coder in
            try coder.encode(Leaf("a"), forKey: "one")
            try coder.encode(Leaf("a"), forKey: "two")
        }
        let (one, two) = try read(write) { coder in
            (
                coder.decodeObject(of: LeafObject.self, forKey: "one"),
                coder.decodeObject(of: LeafObject.self, forKey: "two")
            )
        }
        #expect(one?.name == "a" && two?.name == "a" && one !== two)
    }

    @Test(arguments: PropertyListFormat.allCases, ArchivePlace.allCases)
    func `conditional references before and after the object, and to nothing`(
        format: PropertyListFormat, place: ArchivePlace
    ) throws {
        let (leaf, absent) = (Leaf("a"), Leaf("b"))
        let write: (KeyedArchiver) throws -> Void = { coder in
            try coder.encodeConditional(leaf, forKey: "before")
            try coder.encodeConditional(absent, forKey: "absent")
            try coder.encode([Record { try $0.encode(leaf, forKey: "leaf") }], forKey: "records")
            try coder.encode(leaf, forKey: "leaf")
            try coder.encodeConditional(leaf, forKey: "after")
            try coder.encodeConditional(nil as Leaf?, forKey: "none")
        }
        let leaves = try read(write, in: place, format) { coder in
            ["before", "leaf", "after", "absent", "none"].map {
                coder.decodeObject(of: LeafObject.self, forKey: $0)
            }
        }
        #expect(leaves.map { $0?.name } == ["a", "a", "a", nil, nil])
        #expect(leaves[0] === leaves[1] && leaves[1] === leaves[2])
    }

    /// Codable and Coding share instances and slots.
    @Test func `Codable values in the same graph`() throws {
        struct Shelf: Encodable, ArchiveDescribing {
            static let archiveName = "Shelf"
            @Coded var leaf: Leaf
            @Coded var leaves: [Leaf]
            var farm = SampleFarm.example
        }
        let leaf = Leaf("a")
        let write: (KeyedArchiver) throws -> Void = { coder in
            try coder.encode(leaf, forKey: "leaf")
            try coder.encode(Shelf(leaf: leaf, leaves: [leaf, Leaf("b")]), forKey: "shelf")
            try coder.encode(["one": 1, "two": 2], forKey: "numbers")
            try coder.encode(URL(string: "https://example.org/a?b"), forKey: "url")
        }
        let classes = Self.twins.merging(["Shelf": ShelfObject.self]) { $1 }
        let (object, shelf, numbers, url) = try foundation(reads: write, classes: classes) { coder in
            (
                coder.decodeObject(of: LeafObject.self, forKey: "leaf"),
                coder.decodeObject(of: ShelfObject.self, forKey: "shelf"),
                coder.decodeObject(of: [NSDictionary.self, NSString.self, NSNumber.self], forKey: "numbers")
                    as? [String: Int],
                coder.decodeObject(of: NSURL.self, forKey: "url")
            )
        }
        #expect(object?.name == "a" && shelf?.leaf === object)
        #expect(shelf?.leaves.map(\.name) == ["a", "b"] && shelf?.leaves.first === object)
        #expect(numbers == ["one": 1, "two": 2])
        #expect(url?.relativeString == "https://example.org/a?b")
    }
}

private final class ShelfObject: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let leaf: LeafObject
    let leaves: [LeafObject]

    init?(coder: NSCoder) {
        guard let leaf = coder.decodeObject(of: LeafObject.self, forKey: "leaf"),
            let leaves = coder.decodeObject(of: [NSArray.self, LeafObject.self], forKey: "leaves") as? [LeafObject]
        else { return nil }
        self.leaf = leaf
        self.leaves = leaves
    }

    func encode(with coder: NSCoder) {}
}
