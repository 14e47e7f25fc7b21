// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn)
struct `Values without a key` {
    @Test func `are stored under $0, $1 and so on, counted for each object and for the top`() throws {
        let inner = Scribe { archiver in
            archiver.encodeNext("inner")
            archiver.encodeNext(1.5)
        }
        let outer = Scribe { archiver in
            archiver.encodeNext(7)
            try archiver.encodeNext(inner)
            archiver.encodeNext(true)
        }
        let archiver = KeyedArchiver()
        archiver.encodeNext(1)
        try archiver.encodeNext(outer)
        archiver.encodeNext(2)
        try archiver.encodeNext(inner)
        archiver.encodeNext(nil as Bool?)
        let archive = try InspectedArchive(archiver.finishEncoding())
        let top = try KeyedPlace.top.entries(in: archive)
        #expect(top.keys == ["$0", "$1", "$2", "$3", "$4"])
        #expect(top["$0"] == .integer(1))
        #expect(top["$2"] == .integer(2))
        #expect(top["$4"] == .uid(0))
        let object = try #require(archive.follow(top["$1"]))
        #expect(object["$0"] == .integer(7))
        #expect(object["$1"] == top["$3"])
        #expect(object["$2"] == .boolean(true))
        #expect(archive.follow(archive.follow(top["$3"])?["$0"]) == "inner")
        #expect(archive.follow(top["$3"])?["$1"] == .real(1.5))
    }

    @Test(arguments: KeyedPlace.allCases)
    func `come back in the order in which they were encoded, whatever else is decoded`(place: KeyedPlace) throws {
        let item = CodedItem("item", 4)
        let data = try place.archive { archiver in
            archiver.encodeNext("first")
            archiver.encode(10, forKey: "a")
            try archiver.encodeNext(item)
            try archiver.encodeNext([item, item])
            archiver.encode(11, forKey: "b")
            try archiver.encodeNext(["x": item])
            try archiver.encodeNext([1, 2, 3])
            try archiver.encodeNextConditional(item)
            archiver.encodeNext(nil as Data?)
            archiver.encodeNext(UInt8(200))
        }
        try place.read(data) { unarchiver throws in
            #expect(unarchiver.allKeys == ["a", "b"])
            #expect(try unarchiver.decodeInteger(forKey: "b") == 11)
            #expect(try unarchiver.decodeNext(String.self) == "first")
            let item = try unarchiver.decodeNext(CodedItem.self)
            #expect(item.name == "item")
            #expect(try unarchiver.decodeNext([CodedItem].self).allSatisfy { $0 === item })
            #expect(try unarchiver.decodeNext([String: CodedItem].self)["x"] === item)
            #expect(try unarchiver.decodeInteger(forKey: "a") == 10)
            #expect(try unarchiver.decodeNext([Int].self) == [1, 2, 3])
            #expect(try unarchiver.decodeNextIfPresent(CodedItem.self) === item)
            #expect(try unarchiver.decodeNextIfPresent(Data.self) == nil)
            #expect(try unarchiver.decodeNext(UInt8.self) == 200)
        }
    }

    @Test(arguments: KeyedPlace.allCases)
    func `are an error, or nil, where all of them were decoded`(place: KeyedPlace) throws {
        let data = try place.archive { $0.encodeNext(1) }
        try place.read(data) { unarchiver throws in
            #expect(try unarchiver.decodeNext(Int.self) == 1)
            for _ in 0..<3 {
                let error = try keyedFailure { try unarchiver.decodeNext(Int.self) }
                #expect(error.code == "valueNotFound")
                #expect(error.says("$1"))
                #expect(try keyedFailure { try unarchiver.decodeNext(CodedItem.self) }.code == "valueNotFound")
                #expect(try unarchiver.decodeNextIfPresent(Int.self) == nil)
                #expect(try unarchiver.decodeNextIfPresent(CodedItem.self) == nil)
                #expect(try unarchiver.decodeNextObject(of: [Int.self]) == nil)
                #expect(try unarchiver.decodeNextBytes() == nil)
                #expect(try unarchiver.decodeNextPoint() == (0, 0))
                #expect(try unarchiver.decodeNextRect() == (0, 0, 0, 0))
            }
        }
    }

    @Test func `are counted anew in each object, those that are read within others too`() throws {
        final class Pair: Coding {
            let name: String
            let next: Pair?
            let number: Int

            init(_ name: String, _ next: Pair?, _ number: Int) {
                self.name = name
                self.next = next
                self.number = number
            }

            init(coder: KeyedUnarchiver) throws {
                name = try coder.decodeNext(String.self)
                next = try coder.decodeNextIfPresent(Pair.self)
                number = try coder.decodeNext(Int.self)
            }

            func encode(with coder: KeyedArchiver) throws {
                coder.encodeNext(name)
                try coder.encodeNext(next)
                coder.encodeNext(number)
            }
        }
        let list = Pair("a", Pair("b", Pair("c", nil, 3), 2), 1)
        let unarchiver = try unarchiver { archiver in
            archiver.encodeNext("before")
            try archiver.encodeNext(list)
            archiver.encodeNext("after")
        }
        #expect(try unarchiver.decodeNext(String.self) == "before")
        let first = try unarchiver.decodeNext(Pair.self)
        #expect([first.name, first.next?.name, first.next?.next?.name] == ["a", "b", "c"])
        #expect([first.number, first.next?.number, first.next?.next?.number] == [1, 2, 3])
        #expect(first.next?.next?.next == nil)
        #expect(try unarchiver.decodeNext(String.self) == "after")
    }

    @Test func `may be thousands, beside thousands with a key`() throws {
        let count = 5_000
        let unarchiver = try unarchiver { archiver in
            for index in 0..<count {
                archiver.encodeNext(index)
                archiver.encode(-index, forKey: "key \(index)")
            }
        }
        #expect(unarchiver.allKeys.count == count)
        for index in 0..<count where try unarchiver.decodeNext(Int.self) != index { Issue.record("\(index)") }
        for index in (0..<count).reversed() {
            guard try unarchiver.decodeInteger(forKey: "key \(index)") != -index else { continue }
            Issue.record("key \(index)")
        }
    }

    @Test(arguments: KeyedPlace.allCases)
    func `take no place where they fail`(place: KeyedPlace) throws {
        struct Failing: Encodable {
            func encode(to encoder: any Encoder) throws { throw CocoaError(.featureUnsupported) }
        }
        let data = try place.archive { archiver in
            archiver.encodeNext("first")
            #expect(throws: CocoaError.self) { try archiver.encodeNext(Failing()) }
            archiver.encodeNext("second")
        }
        try place.read(data) { unarchiver throws in
            #expect(try unarchiver.decodeNext(String.self) == "first")
            #expect(try unarchiver.decodeNext(String.self) == "second")
        }
    }
}
