// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The contents of a property list` {
    private static let list: PropertyList = [
        "yes": true, "three": 3, "half": 0.5, "text": "Bella", "both": [1, "two"], "inner": ["key": 7],
        "large": .integer(Int128(Int64.max) + 1), "odd": .integer(9_007_199_254_740_993), "short": .real32(1.5),
        "when": .date(Date(timeIntervalSinceReferenceDate: 60)), "bytes": .data(Data([1, 2])), "reference": .uid(4),
        "nothing": .null, "group": .set([5]),
    ]

    @Test func `are those of its kind`() {
        let list = Self.list
        #expect(list["yes"]?.boolean == true)
        #expect(list["three"]?.integer == 3)
        #expect(list["half"]?.double == 0.5)
        #expect(list["text"]?.string == "Bella")
        #expect(list["both"]?.array == [1, "two"])
        #expect(list["inner"]?.dictionary?["key"]?.integer == 7)
        #expect(list["when"]?.date == Date(timeIntervalSinceReferenceDate: 60))
        #expect(list["bytes"]?.data == Data([1, 2]))
        #expect(list["reference"]?.uid == 4)
        #expect(list["group"] == .set([5]))
        #expect(list["nothing"] == .null)
    }

    @Test func `are numbers of other kinds if these hold the same value`() {
        let list = Self.list
        #expect(list["three"]?.double == 3)
        #expect(list["short"]?.double == 1.5)
        #expect(list["large"]?.integer == nil && list["large"] == .integer(9_223_372_036_854_775_808))
        #expect(list["odd"]?.double == nil && list["odd"]?.integer == 9_007_199_254_740_993)
        #expect(list["half"]?.integer == nil && list["yes"]?.integer == nil)
    }

    @Test func `are nil for other kinds`() {
        let values = Self.list.dictionary?.values ?? []
        #expect(values.count == 14)
        // A kind has one of these; an integer is a number with a fraction as well if that holds it.
        for value in values {
            let contents: [Any?] = [
                value.boolean, value.string, value.data, value.date, value.uid, value.array, value.dictionary,
                value.integer ?? value.double,
            ]
            // Null and sets have none.
            let hasProperty =
                switch value {
                case .null, .set: false
                default: true
                }
            #expect(contents.compactMap { $0 }.count == (hasProperty ? 1 : 0), "\(value)")
        }
    }
}
