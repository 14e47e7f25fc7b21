// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Archiving

@Suite(.inTurn) struct `Decimal numbers` {
    private static func number(_ significand: UInt128, _ exponent: Int, isNegative: Bool = false) -> DecimalNumber {
        DecimalNumber(significand: significand, exponent: exponent, isNegative: isNegative, isCompact: false)
    }

    @Test(arguments: [
        ("0", number(0, 0)), ("-0", number(0, 0)), ("+7", number(7, 0)), ("-12.50", number(1250, -2, isNegative: true)),
        (".5", number(5, -1)), ("5.", number(5, 0)), ("1.23456789E4", number(123_456_789, -4)),
        ("1e-128", number(1, -128)),
        ("10e-129", number(1, -128)), ("1E+127", number(1, 127)), ("1e129", number(100, 127)),
        ("0e30000", number(0, 0)),
        ("340282366920938463463374607431768211455", number(.max, 0)), ("NaN", .nan),
    ])
    func `are read from digits`(text: String, number: DecimalNumber) {
        #expect(DecimalNumber(text) == number)
    }

    @Test(arguments: [
        "", "-", ".", "e5", "1e", "1e+", "1x", "1e5x", "--1", "1.2.3", " 1", "1 ", "0x10", "inf", "1e-129", "1e200",
        "1e32768",
        "1e-99999999999999999999", "340282366920938463463374607431768211456", "١",
    ])
    func `are not read from anything else`(text: String) {
        #expect(DecimalNumber(text) == nil)
    }
}
