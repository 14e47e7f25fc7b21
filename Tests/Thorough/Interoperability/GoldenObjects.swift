// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import ThoroughSupport

/// The objects that plistlib found in an archive of the corpus.
struct GoldenObjects {
    let list: [GoldenDump]

    /// Nil where the file is no archive, or one that plistlib cannot read.
    init?(_ name: String) throws {
        guard let objects = try GoldenDump(of: name)?["plist"]?["$objects"]?.array else { return nil }
        list = objects
    }

    /// The object that `value` refers to, where it is a uid; nil for nil.
    func follow(_ value: GoldenDump?) -> GoldenDump? {
        guard let uid = value?.uid else { return value }
        return uid != 0 && list.indices.contains(Int(uid)) ? list[Int(uid)] : nil
    }

    /// The entry that describes the class of `object`.
    func classEntry(of object: GoldenDump) -> GoldenDump? { follow(object["$class"]) }

    /// The text of the string that `value` is or refers to, in any of its forms.
    func text(_ value: GoldenDump?) -> String? {
        let object = follow(value)
        if let bytes = object?["NS.bytes"]?.data { return String(decoding: bytes, as: UTF8.self) }
        return object?.string ?? object?["NS.string"]?.string
    }

    /// The bytes of the data that `value` is or refers to, in either of its forms.
    func bytes(_ value: GoldenDump?) -> Data? {
        let object = follow(value)
        return object?.data ?? follow(object?["NS.data"])?.data
    }

    /// The packed integers in the data that `value` is or refers to, seven bits in a byte.
    func integers(_ value: GoldenDump?) -> [Int] {
        var integers: [Int] = []
        var shift = 0
        for byte in bytes(value) ?? Data() {
            if shift == 0 { integers.append(0) }
            integers[integers.count - 1] += Int(byte & 127) << shift
            shift = byte < 128 ? 0 : shift + 7
        }
        return integers
    }

    /// What the entries of an NSDecimalNumber say.
    func decimal(_ object: GoldenDump) -> Decimal? {
        guard let words = object["NS.mantissa"]?.data, let length = object["NS.length"]?.integer,
            let exponent = object["NS.exponent"]?.integer
        else { return nil }
        let isNegative = object["NS.negative"] == .boolean(true)
        guard length > 0 || !isNegative else { return .nan }
        let isLittle = object["NS.mantissa.bo"]?.integer == 1
        let significand = (0..<length).reversed().reduce(UInt128(0)) { sum, index in
            let (low, high) = isLittle ? (2 * index, 2 * index + 1) : (2 * index + 1, 2 * index)
            return sum << 16 | UInt128(words[high]) << 8 | UInt128(words[low])
        }
        return Decimal(string: (isNegative ? "-" : "") + "\(significand)e\(exponent)")
    }
}
