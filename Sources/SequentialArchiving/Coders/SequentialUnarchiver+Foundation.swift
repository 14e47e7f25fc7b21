// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Leaves

extension SequentialUnarchiver {
    private func contents<Result>(
        _ index: Int, _ class: SequentialFoundationClass, as type: any Any.Type, _ body: () throws -> Result
    ) throws -> Result {
        guard foundationClass(at: index) == `class` else {
            throw typeMismatchError(type, found: .object(index), of: .object)
        }
        return try withObject(index, body)
    }

    /// Decodes the next value of a Foundation object, which must have the type `encoding`.
    func next(_ encoding: TypeEncoding) throws -> TypedStream.Value {
        try nextGroup { group in
            guard group.types == [encoding] else {
                throw error(
                    .damaged,
                    "Found values of the types \"\(TypeEncoding.start(of: group.types))\", where the class has"
                        + " \"\(TypeEncoding.start(of: [encoding]))\"")
            }
            return group.values[0]
        }
    }

    /// Whether the object at a position is the NSNull that represents nil.
    func isNull(at index: Int) -> Bool { foundationClass(at: index) == .null }

    func string(at index: Int) throws -> String {
        try contents(index, .string, as: String.self) {
            guard case .bytes(let bytes) = try next(.bytes) else { return "" }
            try counted(bytes: bytes?.count ?? 0)
            guard let text = String(validating: bytes ?? [], as: UTF8.self) else {
                throw error(.damaged, "Found an NSString whose bytes are not UTF-8")
            }
            return text
        }
    }

    /// Returns the text of bytes in UTF-8 or, if they are not valid UTF-8, in the 8-bit encoding of NeXT's systems.
    func text(_ bytes: [UInt8]) throws -> String {
        try counted(bytes: bytes.count)
        return String(validating: bytes, as: UTF8.self) ?? NextStepText.string(bytes)
    }

    func data(at index: Int) throws -> Data {
        try contents(index, .data, as: Data.self) {
            let length = try next(.int).integer
            let bytes = try nextGroup { group in
                guard group.types.count == 1, case .bytes(let bytes?) = group.values[0], bytes.count == length else {
                    throw error(.damaged, "Found an NSData whose length is not that of its bytes")
                }
                return bytes
            }
            return try counted(Data(bytes))
        }
    }

    func date(at index: Int) throws -> Date {
        try contents(index, .date, as: Date.self) {
            Date(timeIntervalSinceReferenceDate: try next(.double).real ?? 0)
        }
    }

    /// The maximum number of URLs in a chain of base URLs. Real chains are much shorter, and the time and stack for a URL
    /// increase with their number.
    private static let urlLimit = 16

    func url(at index: Int) throws -> URL {
        try contents(index, .url, as: URL.self) {
            guard count(ofInnermost: .url) <= Self.urlLimit else {
                throw error(.damaged, "Found more than \(Self.urlLimit) URLs that are relative to each other")
            }
            let hasBase = try next(.character).integer != 0
            let base = hasBase ? try decode(URL.self) : nil
            let text = try decode(String.self)
            // Foundation does not create empty URLs.
            guard let url = URL(string: text, relativeTo: base) else {
                throw error(.damaged, "Found an NSURL with \"\(Self.start(of: text))\", which is not a URL")
            }
            return url
        }
    }

    func number<Number: SequentialValue>(_ type: Number.Type, at index: Int) throws -> Number {
        try contents(index, .number, as: type) {
            let (encoding, value) = try objectiveCValue()
            switch value {
            case .integer, .unsigned, .float, .double:
                return try type.fromSequentialValue(value, of: encoding, in: self)
            default: throw error(.damaged, "Found an NSNumber of the type \"\(TypeEncoding.start(of: [encoding]))\"")
            }
        }
    }

    /// Decodes the contents of an NSValue: a type, and a value of that type.
    func objectiveCValue() throws -> (TypeEncoding, TypedStream.Value) {
        guard case .cString(let index?) = try next(.cString) else {
            throw error(.damaged, "Found an NSValue without a type")
        }
        try counted(bytes: stream.cStrings[index].count)
        guard let text = String(validating: stream.cStrings[index], as: UTF8.self),
            let type = try? TypeEncoding(parsing: text)
        else { throw error(.damaged, "Found an NSValue of an unknown type") }
        return (type, try next(type))
    }
}

// MARK: - Counting

extension SequentialUnarchiver {
    func counted(bytes byteCount: Int) throws {
        try counted { () throws(KeyedArchiveError) in try meter.countBytes(byteCount) }
    }

    func count(_ steps: Int) throws {
        try counted { () throws(KeyedArchiveError) in try meter.count(steps) }
    }

    private func counted(_ count: () throws(KeyedArchiveError) -> Void) throws {
        do {
            try count()
        } catch {
            throw self.error(.limit, error.description)
        }
    }

    func counted(_ data: Data) throws -> Data {
        try counted(bytes: data.count)
        return data
    }
}

// MARK: - Containers

extension SequentialUnarchiver {
    /// Returns the value of the object at a position. The value is created once, however many references to it there are.
    ///
    /// Its cost counts for each reference, because a caller that visits the result visits the value each time.
    func shared<Value>(_ index: Int, _ make: () throws -> Value) throws -> Value {
        let key = ValueKey(index: index, type: ObjectIdentifier(Value.self))
        if let known = values[key] as? SharedValue {
            // If `Value` is an optional, a missing value would convert to it.
            guard let made = known.value, let value = made as? Value else {
                throw error(.cycle, "The \(describe(index)) contains itself, which is impossible for a Swift value")
            }
            try count(known.work)
            return value
        }
        values[key] = SharedValue(value: nil, work: 0)
        let before = meter.work
        do {
            let value = try make()
            values[key] = SharedValue(value: value, work: before - meter.work)
            return value
        } catch {
            values[key] = nil
            throw error
        }
    }

    func array<Element: SequentialValue>(of type: Element.Type, at index: Int) throws -> [Element] {
        try shared(index) {
            switch foundationClass(at: index) {
            case .array: try contents(index, .array, as: [Element].self) { try elements(.int, type) }
            default: try contents(index, .set, as: [Element].self) { try elements(.unsignedInt, type) }
            }
        }
    }

    func set<Element: SequentialValue>(of type: Element.Type, at index: Int) throws -> Set<Element> {
        try shared(index) {
            try contents(index, .set, as: Set<Element>.self) {
                Set(try elements(.unsignedInt, type).map { try hashable($0) })
            }
        }
    }

    func dictionary<Key: SequentialValue, Value: SequentialValue>(
        of keyType: Key.Type, _ type: Value.Type, at index: Int
    ) throws -> [Key: Value] {
        try shared(index) {
            try contents(index, .dictionary, as: [Key: Value].self) {
                var result: [Key: Value] = [:]
                for _ in 0..<(try elementCount(.int, groupsEach: 2)) {
                    let key = try decode(keyType)
                    guard let value = try present(type) else { continue }
                    result[try hashable(key)] = value
                }
                return result
            }
        }
    }

    /// Decodes the number of elements, which precedes them as a value of `type`.
    func elementCount(_ type: TypeEncoding, groupsEach: Int = 1) throws -> Int {
        let count = try next(type).integer ?? -1
        let left = remainingGroups
        guard count >= 0, count <= left / groupsEach else {
            throw error(.damaged, "Found a container of \(count) elements, but only \(left / groupsEach) are stored")
        }
        return count
    }

    private func elements<Element: SequentialValue>(
        _ countType: TypeEncoding, _ type: Element.Type
    ) throws -> [Element] {
        let count = try elementCount(countType)
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for _ in 0..<count {
            if let element = try present(type) { elements.append(element) }
        }
        return elements
    }

    /// Decodes the next element; nil for a skipped object of an unknown class.
    private func present<Element: SequentialValue>(_ type: Element.Type) throws -> Element? {
        try nextGroup { group in
            guard group.types == [.object] else { throw error(.damaged, "Found an element that is not an object") }
            if case .object(let index?) = group.values[0], isSkipped(type, at: index) { return nil }
            return try type.fromSequentialValue(group.values[0], of: .object, in: self)
        }
    }

    /// Checks that `value` can be hashed at reasonable cost, and returns it.
    func hashable<Value>(_ value: Value) throws -> Value {
        if let text = value as? String, !HashedText.isSafe(text) {
            throw error(
                .limit,
                "Found a text with more than \(HashedText.markLimit) combining marks in a row as a key or an element of a set:"
                    + " comparisons with it would take too long")
        }
        return value
    }
}

/// The value of an object and its cost.
private struct SharedValue {
    /// Nil while the value is being created.
    let value: Any?
    let work: Int
}
