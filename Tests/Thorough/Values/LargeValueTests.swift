// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `What is large or one of many` {
    struct Point: Codable, Hashable {
        var x: Int
    }

    @Test(arguments: ["x", "\u{e9}", "\u{1f404}"])
    func `as a string of 10 MB comes back`(unit: String) throws {
        let text = String(repeating: unit, count: 10_000_000 / unit.utf8.count)
        #expect(try roundTrip(text) == text)
        #expect(try roundTrip(["a": text], format: .xml)["a"] == text)
    }

    /// The tables of numbers and strings are exact up to some thousand entries; nothing may depend on that.
    private static let limits = [BinaryFormat.inlineCountLimit, NumberTable.limit, ArchiveGraph.stringLimit]

    @Test(arguments: [1, 300, 70_000] + limits.flatMap { [$0 - 1, $0, $0 + 1] })
    func `as arrays of many different elements comes back in order`(count: Int) throws {
        let integers = (0..<count).map { $0 &* 2_654_435_761 }
        #expect(try roundTrip(integers + integers.reversed()) == integers + integers.reversed())
        let reals = integers.map { Double($0) / 7 }
        #expect(try roundTrip(reals + reals) == reals + reals)
        let floats = integers.map { Float($0) }
        #expect(try roundTrip(floats) == floats)
        let texts = integers.map { "text \($0 % (count / 2 + 1))" }
        #expect(try roundTrip(texts) == texts)
        let points = integers.map { Point(x: $0) }
        #expect(try roundTrip(points) == points)
        let small = integers.map { Int16(truncatingIfNeeded: $0) }
        #expect(try roundTrip(small) == small)
    }

    private final class Owner: Codable {
        let name: String
        init(_ name: String) { self.name = name }
    }

    @Test(arguments: TableSizes.upTo(4096) + [100_000])
    func `as an instance of many has its own uid`(count: Int) throws {
        let owners = (0..<count).map { Owner("\($0 % 10)") }
        let again = try roundTrip([owners, owners.reversed()])
        #expect(Set(again[0].map { ObjectIdentifier($0) }).count == count)
        for index in 0..<count where again[0][index] !== again[1][count - 1 - index] {
            Issue.record("\(index) became two instances")
            return
        }
        #expect(again[0].map(\.name) == owners.map(\.name))
    }
}
