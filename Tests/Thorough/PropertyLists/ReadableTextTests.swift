// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `Readable text` {
    @Test(
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.500Z"), (0.001, "2001-01-01T00:00:00.001Z"),
            (-0.25, "2000-12-31T23:59:59.750Z"), (59.9999, "2001-01-01T00:01:00Z"), (0.0001, "2001-01-01T00:00:00Z"),
            (.infinity, "date inf"), (-.infinity, "date -inf"), (1e300, "date 1e+300"),
            // 2^53, from where on seconds are not exact.
            (9_007_199_254_740_992, "date 9007199254740992.0"),
        ] as [(Double, String)])
    func `has dates to the millisecond`(seconds: Double, expected: String) {
        #expect(ReadableText.date(seconds) == expected)
        #expect(PropertyList.date(Date(timeIntervalSinceReferenceDate: seconds)).description == expected)
    }

    @Test func `is the same in property lists`() {
        #expect(PropertyList.string("it's\n\u{2028}").description == #""it's\n\u{2028}""#)
        #expect(PropertyList.dictionary(["\u{301}": "\u{301}"]).description == "{\n    \"\\u{301}\": \"\\u{301}\"\n}")
        #expect(PropertyList.data(Data()).description == "0 bytes <>")
    }

    @Test(arguments: [
        (0, "20 bytes"), (1, "20 bytes <00 …>"), (20, "20 bytes <00010203 04050607 08090a0b 0c0d0e0f 10111213>"),
    ])
    func `has as many bytes as are wanted`(limit: Int, expected: String) {
        var output = ""
        ReadableText.write(Data(0..<20), shownByteCount: limit, to: &output)
        #expect(output == expected)
    }
}
