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
    private(set) var classKey = 0
    private(set) var superKey = 0

    init() {
        classKey = key("$class")
        superKey = key("super")
    }

    /// Returns the number of a key or a class name, which is 0 for an empty one.
    func key(_ name: String) -> Int {
        if name.isEmpty { return 0 }
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

    private enum Tag: UInt8 {
        case null, boolean, integer, real, real32, string, date, data, uid, array, set, dictionary, identity, collection
    }

    /// Returns the numbers of all values of an archive: equal values have equal numbers, and nil has 0.
    ///
    /// - Parameters:
    ///   - isKnown: Whether an object is that of the base with the same uid.
    ///   - isSame: Whether an object has an identity for this comparison, because both archives have it.
    func numbers(
        of side: MergeSide, _ origin: MergeOrigin, isKnown: (Int) -> Bool, isSame: (Int) -> Bool
    ) -> [Int] {
        var numbers = [Int](repeating: 0, count: side.values.count)
        for value in side.values.indices where side.hasIdentity[value] || side.forms[value] == .record {
            var bytes: [UInt8] = []
            bytes.append(Tag.identity.rawValue, isKnown(value) ? 0 : UInt64(origin.rawValue))
            bytes.append(Tag.identity.rawValue, UInt64(value))
            numbers[value] = number(bytes)
        }
        // The descriptions of classes are parts of other values.
        for value in side.order where side.forms[value] == .leaf {
            numbers[value] = number(ofPlain: value, in: side, numbers)
        }
        for value in side.order where side.forms[value] != .leaf && side.forms[value] != .null {
            if side.forms[value] == .record, isSame(value) { continue }
            numbers[value] =
                side.forms[value] == .unit
                ? number(ofPlain: value, in: side, numbers) : number(ofContents: value, in: side, numbers)
        }
        return numbers
    }

    private func number(ofContents value: Int, in side: MergeSide, _ numbers: [Int]) -> Int {
        var bytes: [UInt8] = []
        bytes.append(Tag.collection.rawValue, UInt64(side.forms[value].rawValue))
        bytes.append(Tag.string.rawValue, UInt64(side.classes[value]))
        func append(_ entries: [(Int, Int)]) {
            for entry in entries.sorted(by: { $0 < $1 }) {
                bytes.append(integer: entry.0)
                bytes.append(integer: entry.1)
            }
        }
        switch side.contents[value] {
        case .record(let fields)?: append(fields.map { ($0.key, numbers[$0.value]) })
        case .list(let elements)?: for element in elements { bytes.append(integer: numbers[element]) }
        case .set(let elements)?: append(elements.map { (0, numbers[$0]) })
        case .dictionary(let entries)?: append(entries.map { (numbers[$0.key], numbers[$0.value]) })
        case nil: break
        }
        return number(bytes)
    }

    /// Returns the number of a value that is taken as a whole. The class of an object counts by its name.
    private func number(ofPlain value: Int, in side: MergeSide, _ numbers: [Int]) -> Int {
        var bytes: [UInt8] = []
        var remaining: [PropertyList] = []
        if side.forms[value] == .unit, case .dictionary(let entries) = side.values[value] {
            bytes.append(Tag.string.rawValue, UInt64(side.classes[value]))
            append(entries.filter { !$0.key.utf8.elementsEqual("$class".utf8) }, &bytes, &remaining)
        } else {
            remaining.append(side.values[value])
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
            case .date(let value): bytes.append(Tag.date.rawValue, value.timeIntervalSinceReferenceDate.bitPattern)
            case .string(let text):
                bytes.append(Tag.string.rawValue, UInt64(text.utf8.count))
                bytes += text.utf8
            case .data(let data):
                bytes.append(Tag.data.rawValue, UInt64(data.count))
                bytes += data
            case .uid(let uid):
                bytes.append(Tag.uid.rawValue)
                bytes.append(integer: numbers[Int(uid)])
            case .array(let elements):
                bytes.append(Tag.array.rawValue, UInt64(elements.count))
                remaining += elements.reversed()
            case .set(let elements):
                bytes.append(Tag.set.rawValue, UInt64(elements.count))
                remaining += elements.reversed()
            case .dictionary(let entries): append(Array(entries), &bytes, &remaining)
            }
        }
        return number(bytes)
    }

    private func append(
        _ entries: [PropertyList.Dictionary.Element], _ bytes: inout [UInt8], _ remaining: inout [PropertyList]
    ) {
        bytes.append(Tag.dictionary.rawValue, UInt64(entries.count))
        for entry in entries.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }).reversed() {
            remaining.append(entry.value)
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
