/// Reads the values of elements from their text. White space around a number or a date is ignored.
extension XMLText {
    /// The bytes without the white space around them.
    private var trimmed: Slice<StoredBytes> {
        var rest = bytes[...]
        while let first = rest.first, first.isXMLWhiteSpace { rest = rest.dropFirst() }
        while let last = rest.last, last.isXMLWhiteSpace { rest = rest.dropLast() }
        return rest
    }

    /// An integer: decimal, or hexadecimal after "0x", with an optional sign.
    func integer() throws(PropertyListError) -> Int128 {
        var rest = trimmed
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") {
            rest = rest.dropFirst()
            // CoreFoundation permits white space here.
            while let first = rest.first, first.isXMLWhiteSpace { rest = rest.dropFirst() }
        }
        var radix = 10
        if rest.first == UInt8(ascii: "0"), let second = rest.dropFirst().first, second | 0x20 == UInt8(ascii: "x") {
            radix = 16
            rest = rest.dropFirst(2)
        }
        guard !rest.isEmpty else { throw damaged(at: 0, "an <integer> without digits") }
        var value: Int128 = 0
        for index in rest.indices {
            guard let digit = rest[index].digitValue(radix: radix) else {
                throw damaged(at: index, "an <integer> with a character that is not a digit")
            }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: Int128(radix))
            // Negative numbers are computed downwards, since the least integer has no positive counterpart.
            let (sum, isTooLargeBySum) = product.addingReportingOverflow(Int128(isNegative ? -digit : digit))
            guard !isTooLarge, !isTooLargeBySum else { throw damaged(at: 0, "an <integer> of more than 128 bits") }
            value = sum
        }
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
        switch string.lowercased() {
        case "nan": return .nan
        case "inf", "+inf", "infinity", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default: throw damaged(at: 0, "a <real> that is not a number")
        }
    }

    /// The seconds from 2001-01-01 to a date like 2018-06-04T17:00:00Z, with an optional fraction of a second.
    func date() throws(PropertyListError) -> Double {
        var rest = trimmed
        func malformed() -> PropertyListError { damaged(at: 0, "a <date> unlike 2018-06-04T17:00:00Z") }
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
            throw damaged(at: 0, "a <date> unlike 2018-06-04T17:00:00Z")
        }
        return value
    }

    /// The bytes of this base64 text, with any white space in it.
    func base64() throws(PropertyListError) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count / 4 * 3 + 3)
        var group: UInt32 = 0
        var digitCount = 0
        var paddingCount = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if let digit = byte.base64Value {
                guard paddingCount == 0 else { throw damaged(at: index, "base64 that continues after its end") }
                group = group << 6 | digit
                digitCount += 1
                guard digitCount == 4 else { continue }
                output.append(UInt8(truncatingIfNeeded: group >> 16))
                output.append(UInt8(truncatingIfNeeded: group >> 8))
                output.append(UInt8(truncatingIfNeeded: group))
                digitCount = 0
            } else if byte == UInt8(ascii: "=") {
                paddingCount += 1
            } else if !byte.isXMLWhiteSpace {
                throw damaged(at: index, "a character that is not base64")
            }
        }
        switch (digitCount, paddingCount) {
        case (0, 0): break
        case (2, 2):
            output.append(UInt8(truncatingIfNeeded: group >> 4))
        case (3, 1):
            output.append(UInt8(truncatingIfNeeded: group >> 10))
            output.append(UInt8(truncatingIfNeeded: group >> 2))
        default: throw damaged(at: 0, "base64 that does not end with a group of four characters")
        }
        return output
    }
}

extension UInt8 {
    /// The six bits of this character in base64.
    @inline(__always)
    fileprivate var base64Value: UInt32? {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(self - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(self - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
