// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import AttributedTexts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Numbers

extension SequentialArchiver {
    /// Returns the position of an NSNumber. As in Foundation, its type is `i` if the number is in range.
    func number<Integer: FixedWidthInteger>(_ number: Integer) -> Int {
        if let value = Int32(exactly: number) { return self.number(.int, .integer(Int64(value))) }
        if let value = Int64(exactly: number) { return self.number(.longLong, .integer(value)) }
        if let value = UInt64(exactly: number) { return self.number(.unsignedLongLong, .unsigned(value)) }
        // No conforming type has more than 64 bits.
        preconditionFailure("An integer of more than 64 bits cannot be archived")
    }

    /// Returns the position of an NSNumber of the type `c`, which Foundation uses for Bools.
    func number(_ number: Bool) -> Int { self.number(.character, .integer(number ? 1 : 0)) }

    func number(_ type: TypeEncoding, _ value: TypedStream.Value) -> Int {
        let number = group(type, value)
        return leaf(NumberKey(type: type, bits: value.bits)) {
            let type = TypedStream.Value.cString(cStringIndex(of: Array(type.description.utf8)))
            return add(.number, [group(.cString, type), number])
        }
    }

    private struct NumberKey: Hashable {
        let type: TypeEncoding
        let bits: UInt64
    }
}

extension TypedStream.Value {
    fileprivate var bits: UInt64 {
        switch self {
        case .integer(let number): UInt64(bitPattern: number)
        case .unsigned(let number): number
        case .float(let number): UInt64(number.bitPattern)
        case .double(let number): number.bitPattern
        default: 0
        }
    }
}

// MARK: - Objects

extension SequentialArchiver {
    func add(_ class: SequentialFoundationClass, _ groups: [TypedStream.Group]) -> Int { add(`class`.chain, groups) }

    func add(_ chain: [(name: String, version: Int)], _ groups: [TypedStream.Group]) -> Int {
        let index = addObject()
        complete(index, classIndex(of: chain), groups)
        return index
    }

    /// Returns the position of the object for `key`, which is created if necessary. Equal texts and numbers share one object.
    func leaf(_ key: some Hashable, _ make: () -> Int) -> Int {
        if let index = leafIndexes[AnyHashable(key)] { return index }
        let index = make()
        leafIndexes[AnyHashable(key)] = index
        return index
    }

    func string(_ text: String) -> Int {
        // Swift considers texts with differently composed characters equal, but they are different NSStrings.
        let bytes = Array(text.utf8)
        return leaf(bytes) { add(.string, [group(.bytes, .bytes(bytes))]) }
    }

    /// The position of the NSNull that represents nil in containers.
    var null: Int { leaf(SequentialFoundationClass.null) { add(.null, []) } }

    func data(_ data: Data) -> Int {
        add(
            .data,
            [
                group(.int, .integer(Int64(data.count))),
                group(.array(count: data.count, of: .character), .bytes([UInt8](data))),
            ])
    }

    func date(_ date: Date) -> Int {
        add(.date, [group(.double, .double(date.timeIntervalSinceReferenceDate))])
    }

    func url(_ url: URL) -> Int {
        var groups = [group(.character, .integer(url.baseURL == nil ? 0 : 1))]
        if let base = url.baseURL { groups.append(group(.object, .object(self.url(base)))) }
        groups.append(group(.object, .object(string(url.relativeString))))
        return add(.url, groups)
    }

    /// Returns the position of an object with `elements`: their number as a value of `countType`, then each in a group of its
    /// own.
    func container(
        _ class: SequentialFoundationClass, count: Int, _ countType: TypeEncoding, _ elements: [Int]
    ) throws -> Int {
        guard Int32(exactly: count) != nil else {
            throw error(.notEncodable, "Found a container of \(count) elements; at most \(Int32.max) can be archived")
        }
        let count: TypedStream.Value = countType == .int ? .integer(Int64(count)) : .unsigned(UInt64(count))
        return add(`class`, [group(countType, count)] + elements.map { group(.object, .object($0)) })
    }

    func element<Element: SequentialValue>(_ element: Element) throws -> Int {
        guard case .object(let index) = try nested({ try element.sequentialValue(as: .object, in: self) }) else {
            throw notEncodableError(element, as: .object)
        }
        return index ?? null
    }
}

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

private struct SharedValue {
    /// Nil while the value is being created.
    let value: Any?
    let work: Int
}

/// The 8-bit encoding of NeXT's systems, used in old files: ASCII and 128 other characters.
package enum NextStepText {
    /// The characters from 0x80 on, from Unicode's table of the encoding. Two of them are undefined.
    private static let upperHalf: [Unicode.Scalar] = Array(
        ("\u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿"
            + "¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ—±¼½¾àáâãäåçèéêëìÆíªîïðñŁØŒºòóôõöæùúûıüýłøœßþÿ\u{FFFD}\u{FFFD}").unicodeScalars)

    package static func string(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            text.append(byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte) - 0x80])
        }
        return String(text)
    }
}

extension TypedStream {
    /// A C value with its type: the content of an NSValue.
    public struct TypedValue: Sendable, Equatable {
        /// The type.
        public var type: TypeEncoding
        /// The value.
        public var value: Value

        /// Creates a value of a type.
        public init(_ type: TypeEncoding, _ value: Value) {
            self.type = type
            self.value = value
        }
    }
}

/// It is an NSValue, or the value itself if its type is requested. Values with references into their archive (to an object, a class
/// or a C string) cannot be encoded.
extension TypedStream.TypedValue: SequentialStoredValue {
    func stored(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        guard !value.isReferring else { throw coder.notEncodableError(self, as: type) }
        if type == self.type { return value }
        guard type == .object else { throw coder.notEncodableError(self, as: type) }
        let name = TypedStream.Value.cString(coder.cStringIndex(of: Array(self.type.description.utf8)))
        return .object(
            coder.add(.value, [TypedStream.Group([.cString], [name]), TypedStream.Group([self.type], [value])]))
    }

    static func read(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> TypedStream.TypedValue {
        guard case .object(let index?) = value else { return TypedStream.TypedValue(type, value) }
        return try coder.typedValue(at: index)
    }
}

// MARK: - Decoding

/// Objects whose type is known only at run time:
///
/// - an NSString is a `String`, NSData `Data`, NSDate a `Date`, NSURL a `URL`, NSAttributedString an `AttributedText`;
/// - an NSNumber is an `Int`, or a `UInt` if it is out of range, a `Float` or a `Double`; of the type `B` a `Bool`. Foundation
///   writes both Bools and small integers as `c`, so these are decoded as `Int`;
/// - an NSValue is a `TypedStream.TypedValue`;
/// - an NSArray is `[Any]`, an NSSet `Set<AnyHashable>`, an NSDictionary `[AnyHashable: Any]`; nil and NSNull in them are
///   `Optional<Any>.none`;
/// - objects of classes that are registered are instances of those; others are `UnknownSequentialObject`.
extension SequentialUnarchiver {
    /// Decodes the next object of any class; `nil` for nil.
    ///
    /// - Throws: As `decode(_:)`.
    public func decodeObject() throws -> Any? {
        try nextGroup { group in
            guard group.types == [.object], case .object(let index) = group.values[0] else {
                throw typeMismatchError(
                    Any.self, found: group.values.first ?? .ignored, of: group.types.first ?? .ignored)
            }
            return try index.flatMap { try any(at: $0) }
        }
    }

    /// Returns the object at a position; nil for NSNull and for skipped objects.
    func any(at index: Int) throws -> Any? {
        switch foundationClass(at: index) {
        case .string: return try string(at: index)
        case .data: return try data(at: index)
        case .date: return try date(at: index)
        case .url: return try url(at: index)
        case .number: return try anyNumber(at: index)
        case .value: return try typedValue(at: index)
        case .null: return nil
        case .attributedString: return try attributedText(at: index)
        case .array: return try shared(index) { try withObject(index) { try anyElements(.int) } }
        case .set:
            return try shared(index) {
                try withObject(index) { Set(try anyElements(.unsignedInt).map { try anyHashable($0) }) }
            }
        case .dictionary: return try shared(index) { try withObject(index) { try anyEntries() } }
        case nil: return try anyInstance(at: index)
        }
    }

    private func anyNumber(at index: Int) throws -> Any {
        let number = try typedValue(at: index)
        switch number.value {
        // `Int` has 32 bits on some systems.
        case .integer(let value): return Int(exactly: value) ?? value
        case .unsigned(let value) where number.type == .bool: return value != 0
        case .unsigned(let value): return Int(exactly: value) ?? UInt(value)
        case .float(let value): return value
        case .double(let value): return value
        default: throw error(.damaged, "Found an NSNumber of the type \"\(TypeEncoding.start(of: [number.type]))\"")
        }
    }

    func typedValue(at index: Int) throws -> TypedStream.TypedValue {
        switch foundationClass(at: index) {
        case .value, .number: break
        default: throw typeMismatchError(TypedStream.TypedValue.self, found: .object(index), of: .object)
        }
        return try withObject(index) {
            let (type, value) = try objectiveCValue()
            return TypedStream.TypedValue(type, value)
        }
    }

    private func anyElements(_ countType: TypeEncoding) throws -> [Any] {
        try (0..<(try elementCount(countType))).map { _ in try anyElement() }
    }

    /// Decodes the next element of a container. Nil becomes `Optional<Any>.none`.
    private func anyElement() throws -> Any { try decodeObject() ?? (Any?.none as Any) }

    private func anyEntries() throws -> [AnyHashable: Any] {
        var entries: [AnyHashable: Any] = [:]
        for _ in 0..<(try elementCount(.int, groupsEach: 2)) {
            let key = try anyHashable(try anyElement())
            entries[key] = try anyElement()
        }
        return entries
    }

    private func anyHashable(_ value: Any) throws -> AnyHashable {
        guard let hashable = value as? AnyHashable else {
            throw error(
                .typeMismatch,
                "Found a \(Swift.type(of: value)) as a key or an element of a set, but it is not Hashable. Decode the container"
                    + " by its type, or make the class Hashable")
        }
        if HashedSets.areTooDeep(value) { throw error(.limit, "Found \(HashedSets.sentence)") }
        return try self.hashable(hashable)
    }
}

// MARK: - Encoding

extension SequentialArchiver {
    /// Encodes a value whose type is known only at run time, as an object. The value is a result of `decodeObject()` or another
    /// `SequentialValue`.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable` for other values.
    public func encodeObject(_ value: Any?) throws {
        try append(.object, .object(value.flatMap { try anyIndex(of: $0) }))
    }

    private func anyIndex(of value: Any) throws -> Int? {
        try nested { try unguardedIndex(of: value) }
    }

    private func unguardedIndex(of value: Any) throws -> Int? {
        switch value {
        case let value as any SequentialValue:
            guard case .object(let index) = try value.sequentialValue(as: .object, in: self) else {
                throw notEncodableError(value, as: .object)
            }
            return index
        case let values as [Any]:
            return try container(.array, count: values.count, .int, values.map { try anyElement($0) })
        case let values as Set<AnyHashable>:
            return try container(.set, count: values.count, .unsignedInt, values.map { try anyElement($0.base) })
        case let entries as [AnyHashable: Any]:
            let contents = try entries.flatMap { [try anyElement($0.key.base), try anyElement($0.value)] }
            return try container(.dictionary, count: entries.count, .int, contents)
        case Optional<Any>.none: return nil
        case let value as AnyHashable where !(value.base is AnyHashable): return try unguardedIndex(of: value.base)
        default: throw notEncodableError(value, as: .object)
        }
    }

    func anyElement(_ value: Any) throws -> Int { try anyIndex(of: value) ?? null }
}
