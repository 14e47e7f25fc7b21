// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What lists of types allow.
extension `Values of any type` {
    /// Values that need something in the list, and how it is said.
    static let containers: [(@Sendable () -> Any, any Any.Type)] = [
        ({ [1] as [Any] }, [Any].self), ({ ["a": 1] as [String: Any] }, [AnyHashable: Any].self),
        ({ Set<AnyHashable>([1]) }, Set<AnyHashable>.self),
    ]

    @Test(arguments: containers.indices)
    func `are containers only where those are listed`(index: Int) throws {
        let (make, type) = Self.containers[index]
        let leaves: [any Any.Type] = [Int.self, String.self]
        let others = Self.containers.indices.filter { $0 != index }.map { Self.containers[$0].1 }
        for types in [leaves, leaves + others, []] {
            let error = try keyedFailure { try back(make(), of: types) as Any }
            #expect(error.code == "classNotAllowed")
            #expect(error.path == "value")
        }
        #expect(try back(make(), of: leaves + [type]) != nil)
        // What is inside counts as well.
        #expect(try keyedFailure { try back(make(), of: [type]) as Any }.code == "classNotAllowed")
    }

    @Test func `in arrays and dictionaries may be listed by the method`() throws {
        let array = try unarchiver(for: [1, "two", nil] as [Any?])
        let elements = try #require(try array.decodeArray(of: [Int.self, String.self], forKey: "value"))
        #expect(elements.count == 3)
        #expect(elements[0] as? Int == 1)
        #expect(isNil(elements[2]))
        let error = try keyedFailure { try array.decodeArray(of: [Int.self], forKey: "value") as Any }
        #expect(error.code == "classNotAllowed")
        #expect(error.path == "value[1]")
        #expect(error.says("the string \"two\""))
        let dictionary = try unarchiver(for: ["a": 1, "b": 2] as [String: Any])
        let entries = try dictionary.decodeDictionary(keysOf: [String.self], valuesOf: [Int.self], forKey: "value")
        #expect(entries as? [String: Int] == ["a": 1, "b": 2])
        let others: [(keys: [any Any.Type], values: [any Any.Type])] = [
            ([Int.self], [Int.self]), ([String.self], [String.self]), ([], [Int.self]), ([String.self], []),
        ]
        for (keys, values) in others {
            let error = try keyedFailure {
                try dictionary.decodeDictionary(keysOf: keys, valuesOf: values, forKey: "value") as Any
            }
            #expect(error.code == "classNotAllowed")
        }
    }

    @Test func `are no array where a dictionary or a leaf is, and no dictionary where an array is`() throws {
        let unarchiver = try Archiving.KeyedUnarchiver(
            forReadingFrom: KeyedPlace.top.archive { archiver in
                try archiver.encodeObject(["a": 1] as [String: Any], forKey: "dictionary")
                try archiver.encodeObject([1] as [Any], forKey: "array")
                archiver.encode("text", forKey: "text")
            })
        let types: [any Any.Type] = [Int.self, String.self]
        for key in ["dictionary", "text"] {
            let error = try keyedFailure { try unarchiver.decodeArray(of: types, forKey: key) as Any }
            #expect(error.code == "typeMismatch")
            #expect(error.path == key)
        }
        for key in ["array", "text"] {
            let error = try keyedFailure {
                try unarchiver.decodeDictionary(keysOf: types, valuesOf: types, forKey: key) as Any
            }
            #expect(error.code == "typeMismatch")
            #expect(error.path == key)
        }
    }

    @Test func `in an array that was made before are checked again`() throws {
        let unarchiver = try unarchiver(for: [CodedItem("item", 1), HashedItem("other")] as [Any])
        #expect(try unarchiver.decodeArray(of: [CodedItem.self, HashedItem.self], forKey: "value")?.count == 2)
        for error in [
            try keyedFailure { try unarchiver.decodeArray(of: [CodedItem.self], forKey: "value") as Any },
            try keyedFailure { try unarchiver.decode([CodedItem].self, forKey: "value") },
            try keyedFailure {
                try unarchiver.decodeObject(of: [CodedItem.self, HashedItem.self], forKey: "value") as Any
            },
        ] { #expect(error.code == "classNotAllowed") }
    }

    @Test func `are checked where they have no class, as leaves and bare collections`() throws {
        let top: PropertyList = [
            "text": .uid(1), "number": .uid(2), "data": .uid(3), "bool": .uid(4), "dictionary": .uid(5),
            "array": .uid(6), "inline": "text",
        ]
        let data = try handmadeArchive(top: top, "text", 7, .data(Data([1])), true, ["name": "Rex"], [.uid(1)])
        let unarchiver = try Archiving.KeyedUnarchiver(forReadingFrom: data)
        for key in unarchiver.allKeys {
            #expect(throws: ArchivingError.self, "\(key)") {
                try unarchiver.decodeObject(of: [AnyShape.self], forKey: key)
            }
            #expect(throws: ArchivingError.self, "\(key)") { try unarchiver.decode(AnyShape.self, forKey: key) }
        }
    }

    @Test func `without a list are an error where secure coding is required, and at the top`() throws {
        let error = try keyedFailure { try unarchiver(for: 5).decodeObject(forKey: "value") as Any }
        #expect(error.code == "classNotAllowed")
        #expect(error.path == "value")
        let trusting = try unarchiver(for: [1, "a", AnyHolder(2.5), nil] as [Any?], secure: false)
        trusting.classes.register(AnyHolder.self)
        let values = try #require(trusting.decodeObject(forKey: "value") as? [Any])
        #expect(values[0] as? Int == 1)
        #expect(values[1] as? String == "a")
        #expect((values[2] as? AnyHolder)?.content as? Double == 2.5)
        #expect(isNil(values[3]))
    }
}
