// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A conditional object` {
    /// A value of these fields. Those whose keys end in a question mark are conditional.
    private static func value(_ fields: [(key: AnyKey, owner: Owner)]) -> Encoding {
        Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            for (key, owner) in fields {
                if key.stringValue.hasSuffix("?") {
                    try container.encodeConditional(owner, forKey: key)
                } else {
                    try container.encode(owner, forKey: key)
                }
            }
        }
    }

    // MARK: - By hand

    @Test func `that nothing else archives leaves its slot as it is, "$null"`() throws {
        let value = Self.value([("a?", Owner("unseen"))])
        var encoder = ArchiveEncoder()
        encoder.classes.register(Encoding.self, name: "Value")
        #expect(
            try PropertyList(encoder.encode(value)) == [
                "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
                "$objects": [
                    "$null",
                    ["a?": .uid(2), "$class": .uid(3)],
                    "$null",
                    ["$classname": "Value", "$classes": ["Value", "NSObject"]],
                ],
            ])
    }

    @Test func `that is archived later has the uid that it was given first`() throws {
        let owner = Owner("seen")
        let value = Self.value([("a?", owner), ("b", owner)])
        var encoder = ArchiveEncoder()
        encoder.classes.register(Encoding.self, name: "Value")
        encoder.classes.register(Owner.self, name: "Owner")
        #expect(
            try PropertyList(encoder.encode(value)) == [
                "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
                "$objects": [
                    "$null",
                    ["a?": .uid(2), "b": .uid(2), "$class": .uid(3)],
                    ["name": .uid(4), "$class": .uid(5)],
                    ["$classname": "Value", "$classes": ["Value", "NSObject"]],
                    "seen",
                    ["$classname": "Owner", "$classes": ["Owner", "NSObject"]],
                ],
            ])
    }

    // MARK: - Alone

    @Test func `is nil in one slot for all references to it`() throws {
        let owner = Owner("unseen")
        let archive = try InspectedArchive(of: Self.value([("a?", owner), ("b?", owner), ("c?", Owner("another"))]))
        #expect(archive.text == "Encoding{a?: @null, b?: @null, c?: @null}")
        let root = try #require(archive.follow(archive.root))
        #expect(root["a?"] == root["b?"])
        #expect(root["a?"] != root["c?"])
        // Uid 0, and one for each instance.
        #expect(archive.objects.filter { $0 == "$null" }.count == 3)
        #expect(!archive.objects.contains("unseen") && !archive.objects.contains("another"))
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `is decoded as nil`(format: PropertyListFormat) throws {
        let data = try ArchiveEncoder(format).encode(Self.value([("a?", Owner("unseen"))]))
        try decoding(data) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            #expect(container.contains("a?"))
            #expect(try container.decodeNil(forKey: "a?"))
            #expect(try container.decodeIfPresent(Owner.self, forKey: "a?") == nil)
            #expect(try container.decode(Owner?.self, forKey: "a?") == nil)
            #expect(try container.decode(Reference<Owner>.self, forKey: "a?").wrappedValue == nil)
            let error = try failure { try container.decode(Owner.self, forKey: "a?") }
            #expect(error.kind == .valueNotFound)
            #expect(error.path == "a?")
        }
    }

    @Test func `is not asked to encode itself`() throws {
        final class Unwilling: Encodable {
            struct Failure: Error {}
            func encode(to encoder: any Encoder) throws { throw Failure() }
        }
        let unwilling = Unwilling()
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encodeConditional(unwilling)
        }
        #expect(try archiveText(value) == "Encoding[@null]")
        #expect(throws: Unwilling.Failure.self) {
            try ArchiveEncoder().encode(
                Encoding { encoder in
                    var container = encoder.unkeyedContainer()
                    try container.encodeConditional(unwilling)
                    try container.encode(unwilling)
                })
        }
    }

    @Test func `does not archive what is behind it`() throws {
        final class Node: Codable {
            var child: Owner
            init(_ child: Owner) { self.child = child }
        }
        let owner = Owner("unseen")
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encodeConditional(owner)
            try container.encodeConditional(Node(owner))
        }
        #expect(try archiveText(value) == "Encoding[@null, @null]")
    }

    // MARK: - Archived somewhere

    @Test(arguments: [["a?", "b"], ["b", "a?"], ["a?", "b", "c?"], ["b", "a?", "c", "d?"]])
    func `is the instance that is archived earlier or later`(keys: [String]) throws {
        let owner = Owner("seen")
        let data = try ArchiveEncoder().encode(Self.value(keys.map { (AnyKey($0), owner) }))
        #expect(try InspectedArchive(data).count(ofClass: "Owner") == 1)
        let owners = try ArchiveDecoder().decode([String: Owner].self, from: data)
        #expect(owners.count == keys.count)
        #expect(owners["b"]?.name == "seen")
        #expect(owners.values.allSatisfy { $0 === owners["b"] })
    }

    /// Where an instance is archived, beside a conditional reference to it.
    enum Place: String, CaseIterable, Sendable {
        case element, value, key, property, inheritedPart, keyedContainer, unkeyedContainer, reference, references, set
        case otherInstance

        final class Box: Codable {
            var owners: [[Owner?]]
            init(_ owner: Owner) { owners = [[nil, owner]] }
        }

        struct Holder: Codable {
            @Reference var reference: Owner? = nil
            @References var references: [Owner] = []
        }

        struct Key: Codable, Hashable {
            var owner: Owner
            static func == (left: Key, right: Key) -> Bool { left.owner === right.owner }
            func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(owner)) }
        }

        func encode(_ owner: Owner, _ container: inout KeyedEncodingContainer<AnyKey>) throws {
            switch self {
            case .element: try container.encode([[owner]], forKey: "strong")
            case .value: try container.encode(["k": ["l": owner]], forKey: "strong")
            case .key: try container.encode([Key(owner: owner): 1], forKey: "strong")
            case .property: try container.encode(Key(owner: owner), forKey: "strong")
            case .set: try container.encode(Set([Key(owner: owner)]), forKey: "strong")
            case .inheritedPart:
                var inherited = container.superEncoder(forKey: "strong").container(keyedBy: AnyKey.self)
                try inherited.encode(owner, forKey: "owner")
            case .keyedContainer:
                var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "strong")
                try nested.encode(owner, forKey: "owner")
            case .unkeyedContainer:
                var nested = container.nestedUnkeyedContainer(forKey: "strong")
                try nested.encode(owner)
            case .reference:
                try container.encode(Holder(reference: owner, references: []), forKey: "strong")
            case .references:
                try container.encode(Holder(reference: nil, references: [owner]), forKey: "strong")
            case .otherInstance: try container.encode([Box(owner)], forKey: "strong")
            }
        }
    }

    @Test(arguments: Place.allCases, [true, false])
    func `is the instance that is archived at any depth`(place: Place, isFirst: Bool) throws {
        let owner = Owner("seen")
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            if isFirst { try container.encodeConditional(owner, forKey: "conditional") }
            try place.encode(owner, &container)
            if !isFirst { try container.encodeConditional(owner, forKey: "conditional") }
        }
        let archive = try InspectedArchive(of: value)
        #expect(archive.count(ofClass: "Owner") == 1)
        let found = try #require(archive.follow(archive.follow(archive.root)?["conditional"]))
        #expect(archive.className(of: found).map(InspectedArchive.lastPart) == "Owner")
        #expect(archive.follow(found["name"]) == "seen")
        #expect(archive.objects.filter { $0 == "$null" }.count == 1)
    }

    @Test(arguments: [true, false])
    func `in a container inside is as good as in the one around it`(isArchived: Bool) throws {
        let owner = Owner("seen")
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var keyed = container.nestedContainer(keyedBy: AnyKey.self, forKey: "keyed")
            try keyed.encodeConditional(owner, forKey: "a")
            var unkeyed = container.nestedUnkeyedContainer(forKey: "unkeyed")
            try unkeyed.encodeConditional(owner)
            var inherited = container.superEncoder().unkeyedContainer()
            try inherited.encodeConditional(owner)
            if isArchived { try container.encode(owner, forKey: "strong") }
        }
        let text = try archiveText(value)
        if isArchived {
            #expect(
                text
                    == """
                    Encoding{keyed: Encoding{a: #1=Owner{name: @"seen"}}, unkeyed: NSArray[#1], \
                    super: Encoding[#1], strong: #1}
                    """)
        } else {
            #expect(text == "Encoding{keyed: Encoding{a: @null}, unkeyed: NSArray[@null], super: Encoding[@null]}")
        }
    }

    @Test func `in an array keeps its place`() throws {
        let (seen, unseen) = (Owner("seen"), Owner("unseen"))
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encodeConditional(unseen)
            try container.encodeConditional(seen)
            try container.encode(seen)
            try container.encodeConditional(unseen)
            #expect(container.count == 4)
        }
        let again = try transcode(value, as: [Owner?].self)
        #expect(again.map { $0?.name } == [nil, "seen", "seen", nil])
        #expect(again[1] === again[2])
        let weak = try transcode(value, as: [WeakReference<Owner>].self)
        #expect(weak.map { $0.wrappedValue?.name } == [nil, nil, nil, nil])
    }

    @Test func `that is set and then archived under the same key is archived`() throws {
        let owner = Owner("seen")
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encodeConditional(Owner("unseen"), forKey: "k")
            try container.encode(owner, forKey: "k")
        }
        #expect(try transcode(value, as: [String: Owner].self).mapValues(\.name) == ["k": "seen"])
    }
}
