// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn)
struct `A request of an unarchiver that fails` {
    private struct Reason: Error, Equatable { var number: Int }

    /// An unarchiver for a string, numbers and an item.
    private func unarchiver() throws -> KeyedUnarchiver {
        try TestSupport.unarchiver { archiver in
            archiver.encode("text", forKey: "text")
            archiver.encode(7, forKey: "seven")
            archiver.encode(Data([1]), forKey: "data")
            try archiver.encode(CodedItem("item", 1), forKey: "item")
            archiver.encodeNext(9)
        }
    }

    /// Ways to meet another kind of value, and the path to it.
    static let failures: [(String, @Sendable (KeyedUnarchiver) throws -> Any?)] = [
        ("text", { try $0.decodeInteger(forKey: "text") }), ("text", { try $0.decodeBool(forKey: "text") }),
        ("seven", { try $0.decodeBool(forKey: "seven") }),
        ("text", { try $0.decodeDouble(forKey: "text") }),
        ("seven", { try $0.decodeIfPresent(String.self, forKey: "seven") }),
        ("text", { try $0.decodeIfPresent(Data.self, forKey: "text") }),
        ("text", { try $0.decodeIfPresent(Date.self, forKey: "text") }),
        ("text", { try $0.decodeBytes(forKey: "text") }),
        ("data", { try $0.decodeBytes(forKey: "data", minimumLength: 2) }),
        ("text", { try $0.decodePoint(forKey: "text") }),
        ("text", { try $0.decodeRect(forKey: "text") }),
        ("text", { try $0.decodeIfPresent(Int.self, forKey: "text") }),
        ("text", { try $0.decodeIfPresent(CodedItem.self, forKey: "text") }),
        ("text", { try $0.decodeIfPresent([CodedItem].self, forKey: "text") }),
        ("text", { try $0.decodeIfPresent([Int].self, forKey: "text") }),
        ("text", { try $0.decodeObject(of: [Int.self], forKey: "text") }),
        ("item", { try $0.decodeObject(of: [HashedItem.self], forKey: "item") }),
        ("text", { try $0.decodeObject(forKey: "text") }),
        ("text", { try $0.decodeArray(of: [Int.self], forKey: "text") }),
        ("text", { try $0.decode(Reference<CodedItem>.self, forKey: "text").wrappedValue }),
        ("text", { try $0.decode(WeakReference<CodedItem>.self, forKey: "text").wrappedValue }),
        ("$0", { try $0.decodeNextIfPresent(String.self) }), ("$0", { try $0.decodeNextPoint() }),
    ]

    @Test(arguments: failures.indices)
    func `throws an error with the path, and leaves nothing behind`(index: Int) throws {
        let (path, decode) = Self.failures[index]
        let unarchiver = try unarchiver()
        let error = try keyedFailure { try decode(unarchiver) as Any }
        #expect(error.path == path)
        #expect(error.says("\"\(path)\""))
        // A value without a key is the next one only once.
        if path != "$0" { #expect(try keyedFailure { try decode(unarchiver) as Any }.text == error.text) }
        #expect(try unarchiver.decodeInteger(forKey: "seven") == 7)
        #expect(try unarchiver.decode(CodedItem.self, forKey: "item").name == "item")
    }

    @Test func `throws the error of an initializer as it is`() throws {
        let data = try KeyedPlace.object.archive { $0.encode("text", forKey: "number") }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.userInfo[ScribeReader.key] = ScribeReader { _ in throw Reason(number: 1) }
        #expect(throws: Reason(number: 1)) { try unarchiver.decode(Scribe.self, forKey: "root") }
        #expect(throws: Reason(number: 1)) { try unarchiver.decodeIfPresent(Scribe.self, forKey: "root") }
        unarchiver.userInfo[ScribeReader.key] = ScribeReader { _ = try $0.decodeInteger(forKey: "number") }
        let error = try keyedFailure { try unarchiver.decodeIfPresent(Scribe.self, forKey: "root") }
        #expect(error.code == "typeMismatch" && error.path == "root.number")
    }
}
