// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn)
struct `What is missing, or nil` {
    /// Lets `body` read an object, and a top, that have nil under "nil", a number under "number" and nothing else.
    private func read(_ body: @escaping (KeyedUnarchiver, String) throws -> Void) throws {
        for place in KeyedPlace.allCases {
            let data = try place.archive { archiver in
                archiver.encodeNil(forKey: "nil")
                archiver.encode(5, forKey: "number")
            }
            for key in ["nil", "missing"] { try place.read(data) { try body($0, key) } }
        }
    }

    @Test func `is 0, false or nil by Cocoa's rule`() throws {
        try read { unarchiver, key throws in
            #expect(try unarchiver.decodeBool(forKey: key) == false)
            #expect(try unarchiver.decodeInteger(forKey: key) == 0)
            #expect(try unarchiver.decodeFloat(forKey: key) == 0)
            #expect(try unarchiver.decodeDouble(forKey: key) == 0)
            #expect(try unarchiver.decodeIfPresent(String.self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent(Data.self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent(Date.self, forKey: key) == nil)
            #expect(try unarchiver.decodeBytes(forKey: key) == nil)
            #expect(try unarchiver.decodeBytes(forKey: key, minimumLength: 3) == nil)
            #expect(try unarchiver.decodePoint(forKey: key) == (0, 0))
            #expect(try unarchiver.decodeSize(forKey: key) == (0, 0))
            #expect(try unarchiver.decodeRect(forKey: key) == (0, 0, 0, 0))
        }
    }

    @Test func `is nil where an object may be missing`() throws {
        try read { unarchiver, key throws in
            #expect(try unarchiver.decodeObject(forKey: key) == nil)
            #expect(try unarchiver.decodeObject(of: [CodedItem.self], forKey: key) == nil)
            #expect(try unarchiver.decodeObject(of: [], forKey: key) == nil)
            #expect(try unarchiver.decodeArray(of: [CodedItem.self], forKey: key) == nil)
            #expect(try unarchiver.decodeDictionary(keysOf: [String.self], valuesOf: [], forKey: key) == nil)
            #expect(try unarchiver.decode(Reference<CodedItem>.self, forKey: key).wrappedValue == nil)
            #expect(try unarchiver.decode(WeakReference<CodedItem>.self, forKey: key).wrappedValue == nil)
            #expect(unarchiver.archivedClassName(forKey: key) == nil)
        }
    }

    @Test func `is the value that a wrapper has for it, as in the containers of Codable`() throws {
        try read { unarchiver, key throws in
            #expect(try unarchiver.decode(Coded<CodedItem?>.self, forKey: key).wrappedValue == nil)
            #expect(try unarchiver.decode(DefaultEmpty<[Int]>.self, forKey: key).wrappedValue == [])
        }
    }

    @Test func `is nil for decodeIfPresent`() throws {
        try read { unarchiver, key throws in
            #expect(try unarchiver.decodeIfPresent(Bool.self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent(Int.self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent(UInt128.self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent(Float.self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent(Double.self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent(String.self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent(Data.self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent(Date.self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent(URL.self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent([Int].self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent(CodedBox.self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent(CodedItem.self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent([CodedItem].self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent(Set<HashedItem>.self, forKey: key) == nil)
            #expect(try unarchiver.decodeIfPresent([String: CodedItem].self, forKey: key) == nil)
        }
    }

    @Test func `is an error for decode, which does not distinguish it from nil`() throws {
        try read { unarchiver, key throws in
            let bodies: [() throws -> Any] = [
                { try unarchiver.decode(Bool.self, forKey: key) },
                { try unarchiver.decode(Int.self, forKey: key) },
                { try unarchiver.decode(UInt128.self, forKey: key) },
                { try unarchiver.decode(Float.self, forKey: key) },
                { try unarchiver.decode(Double.self, forKey: key) },
                { try unarchiver.decode(String.self, forKey: key) },
                { try unarchiver.decode(Data.self, forKey: key) },
                { try unarchiver.decode(Date.self, forKey: key) },
                { try unarchiver.decode(URL.self, forKey: key) },
                { try unarchiver.decode([Int].self, forKey: key) },
                { try unarchiver.decode(CodedBox.self, forKey: key) },
                { try unarchiver.decode(CodedItem.self, forKey: key) },
                { try unarchiver.decode([CodedItem].self, forKey: key) },
                { try unarchiver.decode(Set<HashedItem>.self, forKey: key) },
                { try unarchiver.decode([String: CodedItem].self, forKey: key) },
            ]
            for (index, body) in bodies.enumerated() {
                let error = try keyedFailure(body)
                #expect(error.code == "valueNotFound", "\(index)")
                if key == "missing" {
                    #expect(error.says("\"missing\"", "\"number\""), "\(index): \(error)")
                } else {
                    #expect(error.path.hasSuffix("nil"), "\(index): \(error)")
                    #expect(error.says("nil"), "\(index): \(error)")
                }
            }
        }
    }

    @Test func `is distinguished by containsValue and allKeys`() throws {
        for place in KeyedPlace.allCases {
            let data = try place.archive { archiver in
                archiver.encode(0, forKey: "zero")
                archiver.encodeNil(forKey: "nil")
                archiver.encodeNext("without a key")
                try archiver.encodeConditional(CodedItem("gone", 0), forKey: "gone")
                archiver.encode("", forKey: "")
                archiver.encode(1, forKey: "$dollar")
            }
            try place.read(data) { unarchiver throws in
                #expect(unarchiver.allKeys == ["zero", "nil", "gone", "", "$dollar"])
                for key in unarchiver.allKeys { #expect(unarchiver.containsValue(forKey: key)) }
                for key in ["missing", "$0", "$class", "Zero", "zero "] {
                    #expect(!unarchiver.containsValue(forKey: key))
                }
                #expect(try unarchiver.decodeIfPresent(CodedItem.self, forKey: "gone") == nil)
            }
        }
    }

    @Test func `is no matter of order: values are decoded in any, several times, or not at all`() throws {
        let count = 100
        let item = CodedItem("item", 1)
        let unarchiver = try unarchiver { archiver in
            for index in 0..<count { archiver.encode(index * index, forKey: "\(index)") }
            try archiver.encode(item, forKey: "item")
            archiver.encode("never read", forKey: "unread")
        }
        for index in (0..<count).reversed() {
            #expect(try unarchiver.decodeInteger(forKey: "\(index)") == index * index)
        }
        for index in stride(from: 0, to: count, by: 7) {
            for _ in 0..<2 { #expect(try unarchiver.decode(Int.self, forKey: "\(index)") == index * index) }
        }
        let first = try unarchiver.decode(CodedItem.self, forKey: "item")
        #expect(try unarchiver.decode(CodedItem.self, forKey: "item") === first)
        unarchiver.finishDecoding()
        unarchiver.finishDecoding()
    }

    @Test func `names of classes are those of objects, and leaves have none`() throws {
        let unarchiver = try unarchiver { archiver in
            archiver.classes.register(CodedItem.self, name: "LOItem")
            try archiver.encode(CodedItem("a", 1), forKey: "item")
            try archiver.encode([CodedItem](), forKey: "array")
            try archiver.encode(["a": 1], forKey: "dictionary")
            try archiver.encode(Set([1]), forKey: "set")
            try archiver.encode(try #require(URL(string: "https://example.org")), forKey: "url")
            archiver.encode(Date(), forKey: "date")
            archiver.encode("text", forKey: "string")
            archiver.encode(7, forKey: "int")
            archiver.encode(Data([1]), forKey: "data")
            archiver.encodeNil(forKey: "nil")
        }
        let names = [
            "item": "LOItem", "array": "NSArray", "dictionary": "NSDictionary", "set": "NSSet", "url": "NSURL",
            "date": "NSDate",
        ]
        for key in unarchiver.allKeys { #expect(unarchiver.archivedClassName(forKey: key) == names[key]) }
        #expect(unarchiver.archivedClassName(forKey: "missing") == nil)
        #expect(unarchiver.archivedVersion() == nil)
    }

    @Test func `names of classes of other writers are theirs`() throws {
        let data = try handmadeArchive(
            top: ["list": .uid(1), "plain": ["a": 1]], ["NS.objects": [], "$class": .uid(2)],
            ["$classname": "NSMutableArray", "$classes": ["NSMutableArray", "NSArray", "NSObject"]])
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        #expect(unarchiver.archivedClassName(forKey: "list") == "NSMutableArray")
        #expect(unarchiver.archivedClassName(forKey: "plain") == nil)
    }
}

/// An item for sets, equal where its name is.
final class HashedItem: Coding, Hashable {
    let name: String

    init(_ name: String) { self.name = name }

    init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }

    func encode(with coder: KeyedArchiver) { coder.encode(name, forKey: "name") }

    static func == (left: HashedItem, right: HashedItem) -> Bool { left.name == right.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
