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

    @Test(arguments: [
        (0.0, number(0, 0)), (-0.0, number(0, 0)), (1.0, number(1, 0)), (-2.625, number(2625, -3, isNegative: true)),
        (0.5, number(5, -1)), (100.0, number(100, 0)),
        (0x1p-55, number(27_755_575_615_628_913_510_590_791_702_270_507_812_5, -55)),
        (0x1p127, number(1 << 127, 0)), (9_007_199_254_740_993.0, number(9_007_199_254_740_992, 0)), (.nan, .nan),
        // 5²² · 2¹²⁰, which is 2⁹⁸ · 10²², with as few zeros in the exponent as it needs to fit.
        (0x1.0F0CF064DD592p+171, number((1 << 98) * 1_000_000_000, 13)),
    ])
    func `are equal to reals that a decimal number can be equal to`(real: Double, number: DecimalNumber) {
        #expect(DecimalNumber(exactly: real) == number)
    }

    @Test(arguments: [
        0.1, 19.99, 1e300, -1e-300, .infinity, -.infinity, .leastNonzeroMagnitude, .leastNormalMagnitude,
        .greatestFiniteMagnitude, 0x1p-56, 0x1p128,
    ])
    func `are not made of other reals`(real: Double) {
        #expect(DecimalNumber(exactly: real) == nil)
    }
}
