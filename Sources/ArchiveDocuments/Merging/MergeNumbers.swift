// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Numbers for the values and the keys of the three archives of a merge: equal ones have the same number.
///
/// Values are compared by their bytes. Comparing or hashing a `String` with many combining marks takes unbounded time.
final class MergeNumbers {
    private var values: [[UInt8]: Int] = [:]
    private var keys: [[UInt8]: Int] = [:]
    /// The keys by their numbers.
    private(set) var names: [String] = [""]

    /// Returns the number of a key or a class name, which is not 0.
    func key(_ name: String) -> Int {
        let text = Array(name.utf8)
        if let known = keys[text] { return known }
        keys[text] = names.count
        names.append(name)
        return names.count - 1
    }

    private func number(_ bytes: [UInt8]) -> Int {
        if let known = values[bytes] { return known }
        values[bytes] = values.count + 1
        return values.count
    }

    /// Returns the number of the identity of an object.
    func identity(_ uid: Int, _ origin: MergeOrigin) -> Int {
        var bytes: [UInt8] = [Tag.identity.rawValue, UInt8(origin.rawValue)]
        bytes.append(integer: uid)
        return number(bytes)
    }

    private enum Tag: UInt8 {
        case null, boolean, integer, real, real32, string, date, data, uid, array, set, dictionary, identity
    }

    /// Returns the number of `value` of the archive `side`, in which referenced objects have their numbers.
    ///
    /// - Parameter isObject: Whether the value is a whole object: its class counts by its name.
    func number(of value: PropertyList, in side: borrowing MergeSide, isObject: Bool = false) -> Int {
        var bytes: [UInt8] = []
        var remaining: [PropertyList] = []
        if isObject, case .dictionary(let entries) = value,
            entries.contains(where: { $0.key.utf8.elementsEqual("$class".utf8) })
        {
            append(entries, in: side, classAsName: true, &bytes, &remaining)
        } else {
            remaining.append(value)
        }
        while let next = remaining.popLast() {
            switch next {
            case .null: bytes.append(Tag.null.rawValue)
            case .boolean(let value): bytes += [Tag.boolean.rawValue, value ? 1 : 0]
            case .integer(let value):
                bytes.append(Tag.integer.rawValue)
                bytes.append(integer: Int(truncatingIfNeeded: value))
                bytes.append(integer: Int(truncatingIfNeeded: value >> 64))
            case .real(let value): bytes.append(Tag.real.rawValue, value.bitPattern)
            case .real32(let value): bytes.append(Tag.real32.rawValue, UInt64(value.bitPattern))
            case .date(let value):
                bytes.append(Tag.date.rawValue, value.timeIntervalSinceReferenceDate.bitPattern)
            case .string(let text):
                bytes.append(Tag.string.rawValue, UInt64(text.utf8.count))
                bytes += text.utf8
            case .data(let data):
                bytes.append(Tag.data.rawValue, UInt64(data.count))
                bytes += data
            case .uid(let uid):
                bytes.append(Tag.uid.rawValue)
                bytes.append(integer: side.numbers[Int(uid)])
            case .array(let elements):
                bytes.append(Tag.array.rawValue, UInt64(elements.count))
                remaining += elements.reversed()
            case .set(let elements):
                bytes.append(Tag.set.rawValue, UInt64(elements.count))
                remaining += elements.reversed()
            case .dictionary(let entries): append(entries, in: side, classAsName: false, &bytes, &remaining)
            }
        }
        return number(bytes)
    }

    private func append(
        _ entries: PropertyList.Dictionary, in side: borrowing MergeSide, classAsName: Bool, _ bytes: inout [UInt8],
        _ remaining: inout [PropertyList]
    ) {
        bytes.append(Tag.dictionary.rawValue, UInt64(entries.count))
        let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for entry in sorted.reversed() {
            var value = entry.value
            if classAsName, entry.key.utf8.elementsEqual("$class".utf8), case .uid(let uid) = value {
                value = .integer(Int128(side.entryNames[Int(uid)]))
            }
            remaining.append(value)
            remaining.append(.string(entry.key))
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(integer: Int) {
        append(0, UInt64(bitPattern: Int64(integer)))
    }

    fileprivate mutating func append(_ tag: UInt8, _ number: UInt64) {
        append(tag)
        for shift in stride(from: 0, to: 64, by: 8) { append(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }
}
