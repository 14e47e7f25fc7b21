// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// An object whose encoding fails on request.
final class FailingItem: Coding {
    struct Failure: Error, Equatable { var number = 1 }

    let fails: Bool
    var next: FailingItem?

    init(fails: Bool, next: FailingItem? = nil) {
        self.fails = fails
        self.next = next
    }

    init(coder: KeyedUnarchiver) throws {
        fails = try coder.decodeBool(forKey: "fails")
        next = try coder.decodeIfPresent(FailingItem.self, forKey: "next")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(fails, forKey: "fails")
        try coder.encode(next, forKey: "next")
        if fails { throw Failure() }
    }
}

/// A class that is not for archives from outside.
final class InsecureItem: Coding {
    static var supportsSecureCoding: Bool { false }
    init() {}
    init(coder: KeyedUnarchiver) throws {}
    func encode(with coder: KeyedArchiver) throws { coder.encode(1, forKey: "value") }
}

@Suite(.inTurn)
struct `An archiver in which something fails` {
    struct FailingValue: Encodable {
        var items: [CodedItem] = []

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(1)
            for item in items { try container.encode(Coded(wrappedValue: item)) }
            throw FailingItem.Failure(number: 2)
        }
    }

    @Test func `throws what encode(with:) has thrown at once, and at the end, and gives no data`() throws {
        let archiver = KeyedArchiver()
        archiver.encode(1, forKey: "before")
        let chain = FailingItem(fails: false, next: FailingItem(fails: false, next: FailingItem(fails: true)))
        #expect(throws: FailingItem.Failure()) { try archiver.encode(chain, forKey: "chain") }
        archiver.encode(2, forKey: "after")
        for _ in 0..<3 {
            #expect(throws: FailingItem.Failure()) { try archiver.finishEncoding() }
            #expect(throws: FailingItem.Failure()) { try archiver.finishEncoding() }
        }
    }

    @Test func `does not fail the next one, which archives the same instances`() throws {
        let good = FailingItem(fails: false)
        for _ in 0..<3 {
            #expect(throws: FailingItem.Failure()) {
                try KeyedArchiver.archivedData(withRootObject: FailingItem(fails: true, next: good))
            }
            let data = try KeyedArchiver.archivedData(withRootObject: good)
            #expect(try KeyedUnarchiver.unarchivedObject(of: FailingItem.self, from: data).next == nil)
        }
    }

    @Test func `fails where encode(with:) fails in an array, a dictionary, a Codable value or any object`() throws {
        struct Box: Encodable { @Coded var item: FailingItem }
        let ways: [(KeyedArchiver) throws -> Void] = [
            { try $0.encode([FailingItem(fails: false), FailingItem(fails: true)], forKey: "value") },
            { try $0.encode(["a": FailingItem(fails: true)], forKey: "value") },
            { try $0.encode(Box(item: FailingItem(fails: true)), forKey: "value") },
            { try $0.encodeObject([1, FailingItem(fails: true)] as [Any], forKey: "value") },
            { try $0.encodeNext(FailingItem(fails: true)) },
            { try $0.encodeObject(FailingItem(fails: true) as (any Coding)?, forKey: "value") },
        ]
        for (index, way) in ways.enumerated() {
            let archiver = KeyedArchiver()
            #expect(throws: FailingItem.Failure.self, "\(index)") { try way(archiver) }
            #expect(throws: FailingItem.Failure.self, "\(index)") { try archiver.finishEncoding() }
        }
    }

    @Test(arguments: KeyedPlace.allCases)
    func `has nothing under the key of a Codable value that failed, and is good`(place: KeyedPlace) throws {
        let shared = CodedItem("shared", 7)
        let data = try place.archive { archiver in
            archiver.encode("before", forKey: "before")
            #expect(throws: FailingItem.Failure(number: 2)) {
                try archiver.encode(FailingValue(items: [shared, CodedItem("only there", 0)]), forKey: "failed")
            }
            try archiver.encode(shared, forKey: "shared")
            archiver.encode("again", forKey: "again")
        }
        try place.read(data) { unarchiver throws in
            #expect(unarchiver.allKeys == ["before", "shared", "again"])
            #expect(!unarchiver.containsValue(forKey: "failed"))
            #expect(try unarchiver.decode(CodedItem.self, forKey: "shared").value == 7)
            #expect(try unarchiver.decodeIfPresent(String.self, forKey: "again") == "again")
        }
    }

    @Test func `may have something else under the key of a value that failed`() throws {
        let unarchiver = try unarchiver { archiver in
            try? archiver.encode(FailingValue(), forKey: "value")
            archiver.encode("instead", forKey: "value")
        }
        #expect(try unarchiver.decodeIfPresent(String.self, forKey: "value") == "instead")
    }

    @Test func `names the place of an instance without secure coding`() throws {
        let ways: [(String, (KeyedArchiver) throws -> Void)] = [
            ("item", { try $0.encode(InsecureItem(), forKey: "item") }),
            ("item", { try $0.encodeConditional(InsecureItem(), forKey: "item") }),
            ("items[0]", { try $0.encode([InsecureItem()], forKey: "items") }),
            ("items.k", { try $0.encode(["k": InsecureItem()], forKey: "items") }),
            ("items[1]", { try $0.encodeObject([1, InsecureItem()] as [Any], forKey: "items") }),
            ("items.k", { try $0.encodeObject(["k": InsecureItem()] as [String: Any], forKey: "items") }),
        ]
        for (path, way) in ways {
            let archiver = KeyedArchiver()
            let error = try keyedFailure { try way(archiver) }
            #expect(error.code == "notSecure")
            #expect(error.path == path)
            #expect(error.says("InsecureItem", "\"\(path)\""))
            // Nothing of it was in the archive.
            archiver.encode(1, forKey: "count")
            #expect(try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding()).allKeys == ["count"])
        }
    }

    @Test func `is good where an object goes on without what is not for secure coding`() throws {
        let data = try KeyedPlace.object.archive { archiver in
            let error = try keyedFailure { try archiver.encode([InsecureItem()], forKey: "items") }
            #expect(error.code == "notSecure")
            #expect(error.path == "root.items[0]")
            archiver.encode(1, forKey: "items")
        }
        try KeyedPlace.object.read(data) { unarchiver throws in
            #expect(try unarchiver.decodeInteger(forKey: "items") == 1)
        }
    }

    @Test func `gives an error, and not a crash, for values that are nested too deep`() async {
        await #expect(processExitsWith: .success) {
            let depth = 100_000
            // A stack that is large enough for the destruction of the value.
            try onThread(stackSize: 512 << 20) {
                var value: [Any] = []
                for _ in 0..<depth { value = [value] }
                let boxed = Handed(value: value)
                let error = try onThread(stackSize: 1 << 20) {
                    let archiver = KeyedArchiver()
                    let error = try keyedFailure { try archiver.encodeObject(boxed.value, forKey: "value") }
                    archiver.encode(1, forKey: "after")
                    #expect(try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding()).allKeys == ["after"])
                    return error
                }
                #expect(error.code == "limit")
                #expect(error.path.hasPrefix("value[0][0]"))
                #expect(error.says("nested", "stack"))
            }
        }
    }
}
