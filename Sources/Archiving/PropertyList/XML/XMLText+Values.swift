// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads the values of elements from their text. White space around a number or a date is ignored.
extension XMLText {
    private var trimmed: Slice<StoredBytes> {
        var rest = bytes[...]
        while let first = rest.first, first.isXMLWhiteSpace { rest = rest.dropFirst() }
        while let last = rest.last, last.isXMLWhiteSpace { rest = rest.dropLast() }
        return rest
    }

    /// An integer: decimal, or hexadecimal after "0x", with an optional sign.
    func integer() throws(PropertyListError) -> Int128 {
        var rest = trimmed
        var sign = ""
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
            sign = rest.removeFirst() == UInt8(ascii: "-") ? "-" : ""
            // CoreFoundation permits white space here.
            while let first = rest.first, first.isXMLWhiteSpace { rest.removeFirst() }
        }
        var radix = 10
        if rest.first == UInt8(ascii: "0"), let second = rest.dropFirst().first, second | 0x20 == UInt8(ascii: "x") {
            radix = 16
            rest.removeFirst(2)
        }
        // The number itself may have no sign, which `Int128` would accept.
        guard rest.first?.digitValue(radix: radix) != nil,
            let value = Int128(sign + String(decoding: rest, as: UTF8.self), radix: radix)
        else { throw damaged("an <integer> that is not a number of at most 128 bits") }
        return value
    }

    /// A real: a decimal fraction with an optional exponent, or the name of a NaN or an infinity, in any case.
    func real() throws(PropertyListError) -> Double {
        let text = trimmed
        let isDecimal = text.allSatisfy {
            switch $0 {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        let string = String(decoding: text, as: UTF8.self)
        if isDecimal, let value = Double(string) { return value }
        // The texts below are short. A long one may take long to compare.
        switch text.count <= 16 ? string.lowercased() : "" {
        case "nan": return .nan
        case "inf", "+inf", "infinity", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default: throw damaged("a <real> that is not a number")
        }
    }

    /// The seconds from 2001-01-01 to a date like 2018-06-04T17:00:00Z, with an optional fraction of a second.
    func date() throws(PropertyListError) -> Double {
        var rest = trimmed
        func malformed() -> PropertyListError { damaged("a <date> unlike 2018-06-04T17:00:00Z") }
        func skip(_ character: Unicode.Scalar) throws(PropertyListError) {
            guard rest.popFirst() == UInt8(ascii: character) else { throw malformed() }
        }
        func number(digits range: ClosedRange<Int>) throws(PropertyListError) -> Int {
            var value = 0
            var count = 0
            while let digit = rest.first?.digitValue(radix: 10), count < range.upperBound {
                value = value * 10 + digit
                count += 1
                rest = rest.dropFirst()
            }
            guard count >= range.lowerBound else { throw malformed() }
            return value
        }

        let isBeforeYearZero = rest.first == UInt8(ascii: "-")
        if isBeforeYearZero { try skip("-") }
        let year = try number(digits: 1...GregorianDate.yearDigitLimit)
        try skip("-")
        let month = try number(digits: 2...2)
        try skip("-")
        let day = try number(digits: 2...2)
        try skip("T")
        let hour = try number(digits: 2...2)
        try skip(":")
        let minute = try number(digits: 2...2)
        try skip(":")
        let second = try number(digits: 2...2)
        let fraction = try fractionOfSecond(&rest)
        try skip("Z")
        let date = GregorianDate(
            year: isBeforeYearZero ? -year : year, month: month, day: day, hour: hour, minute: minute, second: second)
        guard rest.isEmpty, date.isValid else { throw malformed() }
        return Double(date.secondsSinceReference) + fraction
    }

    private func fractionOfSecond(_ rest: inout Slice<StoredBytes>) throws(PropertyListError) -> Double {
        guard rest.first == UInt8(ascii: ".") else { return 0 }
        let digits = rest.dropFirst().prefix { $0.digitValue(radix: 10) != nil }
        rest = rest.dropFirst(1 + digits.count)
        guard let value = Double("0." + String(decoding: digits, as: UTF8.self)) else {
            throw damaged("a <date> unlike 2018-06-04T17:00:00Z")
        }
        return value
    }

    func base64() throws(PropertyListError) -> Data {
        let digits = Data(bytes.filter { !$0.isXMLWhiteSpace })
        // Foundation ignores additional padding.
        guard digits.count % 4 == 0, !digits.suffix(3).elementsEqual("===".utf8), let data = Data(base64Encoded: digits)
        else { throw damaged("text that is not base64") }
        return data
    }
}
