#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The numbers and texts that a type of Foundation's tells an encoder, in that order and with their keys.
///
/// Some types cannot be taken apart in any other way: Decimal keeps its parts to itself, and IndexSet and Measurement
/// cannot be named without loading all of Foundation. What they tell Codable is all that there is, and makes an equal
/// value again.
struct PlainFields {
    struct Field {
        /// Empty in an unkeyed container.
        var key: String
        /// The integer; the place in `reals` or `texts` of anything else.
        var value: Int
    }

    fileprivate(set) var list: [Field]
    fileprivate var reals: [Double] = []
    fileprivate var texts: [String] = []

    /// What `value` tells.
    init(of value: some Encodable) throws {
        let encoder = PlainFieldEncoder()
        try value.encode(to: encoder)
        self = encoder.fields
    }

    fileprivate init() {
        list = []
        list.reserveCapacity(4 + DecimalNumber.wordLimit)
    }

    var count: Int { list.count }

    /// The value that is made of the fields.
    func value<Value: Decodable>(of type: Value.Type) throws -> Value {
        try Value(from: PlainFieldDecoder(self))
    }

    fileprivate mutating func append(_ key: String, _ value: Int) {
        list.append(Field(key: key, value: value))
    }

    fileprivate mutating func append(_ key: String, _ real: Double) {
        list.append(Field(key: key, value: reals.count))
        reals.append(real)
    }

    fileprivate mutating func append(_ key: String, _ text: String) {
        list.append(Field(key: key, value: texts.count))
        texts.append(text)
    }
}

// MARK: - Decimal

extension DecimalNumber {
    /// The parts of a Decimal.
    init(_ fields: PlainFields) {
        var significand: UInt128 = 0
        var shift: UInt128 = 0
        var named: (exponent: Int, length: Int, isNegative: Bool, isCompact: Bool) = (0, 0, false, false)
        for field in fields.list {
            switch field.key {
            case "exponent": named.exponent = field.value
            case "length": named.length = field.value
            case "isNegative": named.isNegative = field.value != 0
            case "isCompact": named.isCompact = field.value != 0
            default:
                significand |= UInt128(UInt16(truncatingIfNeeded: field.value)) << shift
                shift += UInt128(UInt16.bitWidth)
            }
        }
        self.init(
            significand: named.length == 0 ? 0 : significand, exponent: named.exponent, isNegative: named.isNegative,
            isCompact: named.isCompact, isNaN: named.length == 0 && named.isNegative)
    }

    /// What a Decimal is made of.
    var fields: PlainFields {
        var fields = PlainFields()
        fields.append("exponent", exponent)
        fields.append("length", wordCount)
        fields.append("isNegative", isNegative ? 1 : 0)
        fields.append("isCompact", isCompact ? 1 : 0)
        for index in 0..<Self.wordLimit {
            fields.append("", Int(UInt16(truncatingIfNeeded: significand >> UInt128(index * UInt16.bitWidth))))
        }
        return fields
    }

    /// The number in the form of Decimal's own `encode(to:)`, which Decimal reads without checking it.
    init(from decoder: ArchiveDecoding) throws {
        enum Keys: CodingKey {
            case exponent, length, isNegative, isCompact, mantissa
        }
        let container = try decoder.container(keyedBy: Keys.self)
        let exponent = try container.decode(Int8.self, forKey: .exponent)
        let length = try container.decode(Int.self, forKey: .length)
        let isNegative = try container.decode(Bool.self, forKey: .isNegative)
        let isCompact = try container.decode(Bool.self, forKey: .isCompact)
        let words = try container.decode([UInt16].self, forKey: .mantissa)
        guard words.count == Self.wordLimit, (0...Self.wordLimit).contains(length) else {
            throw CodableErrors.invalid(
                "A decimal number of \(length) words out of \(words.count); there are 8 words", path: decoder.path())
        }
        let significand = words.prefix(length).reversed().reduce(UInt128(0)) { $0 << 16 | UInt128($1) }
        self.init(
            significand: significand, exponent: Int(exponent), isNegative: isNegative, isCompact: isCompact,
            isNaN: isNegative && length == 0)
    }
}

// MARK: - IndexSet

extension PlainFields {
    private static var location: String { "location" }
    private static var length: String { "length" }

    /// The ranges of an IndexSet.
    var indexRanges: [Range<Int>] {
        var ranges: [Range<Int>] = []
        var location = 0
        for field in list {
            if field.key == Self.location { location = field.value }
            if field.key == Self.length { ranges.append(location..<location + field.value) }
        }
        return ranges
    }

    /// What an IndexSet is made of.
    init(indexRanges: [Range<Int>]) {
        list = []
        list.reserveCapacity(2 * indexRanges.count)
        for range in indexRanges {
            append(Self.location, range.lowerBound)
            append(Self.length, range.count)
        }
    }

    /// The ranges in the form of IndexSet's own `encode(to:)`, which IndexSet reads without checking them.
    init(indexSetFrom decoder: ArchiveDecoding) throws {
        struct Indexes: Decodable {
            struct Interval: Decodable {
                var location, length: Int
            }
            var indexes: [Interval]
        }
        list = []
        for interval in try Indexes(from: decoder).indexes {
            guard interval.location >= 0, interval.length >= 0, interval.location <= Int.max - interval.length else {
                throw CodableErrors.invalid(
                    "There is no range of \(interval.length) indexes from \(interval.location) on", path: decoder.path()
                )
            }
            append(Self.location, interval.location)
            append(Self.length, interval.length)
        }
    }
}

// MARK: - Measurement

extension PlainFields {
    private static var coefficient: String { "coefficient" }
    private static var constant: String { "constant" }

    /// The parts of a Measurement; nil where these are of another type.
    var measurement: (value: Double, symbol: String, converter: (coefficient: Double, constant: Double)?)? {
        guard let value = reals.first, let symbol = texts.first, texts.count == 1, list.count == reals.count + 1 else {
            return nil
        }
        switch reals.count {
        case 1: return (value, symbol, nil)
        case 3: return (value, symbol, (reals[1], reals[2]))
        default: return nil
        }
    }

    /// What a Measurement is made of.
    init(_ measurement: ArchivedMeasurement) {
        list = []
        append("value", measurement.value)
        append("symbol", measurement.symbol)
        guard let converter = measurement.converter else { return }
        append(Self.coefficient, converter.coefficient)
        append(Self.constant, converter.constant)
    }
}

// MARK: - Encoding

/// An encoder that collects numbers and texts, whatever the containers they are in.
private final class PlainFieldEncoder: Encoder {
    var fields = PlainFields()

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keyed(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed(encoder: self) }
    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    static func refuse(_ value: Any) -> EncodingError { CodableErrors.unknownParts(value) }

    struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: PlainFieldEncoder

        var codingPath: [any CodingKey] { [] }

        func encode(_ value: Bool, forKey key: Key) { encoder.fields.append(key.stringValue, value ? 1 : 0) }
        func encode(_ value: Int, forKey key: Key) { encoder.fields.append(key.stringValue, value) }
        func encode(_ value: Int32, forKey key: Key) { encoder.fields.append(key.stringValue, Int(value)) }
        func encode(_ value: UInt32, forKey key: Key) { encoder.fields.append(key.stringValue, Int(value)) }
        func encode(_ value: Double, forKey key: Key) { encoder.fields.append(key.stringValue, value) }
        func encode(_ value: String, forKey key: Key) { encoder.fields.append(key.stringValue, value) }
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { throw refuse(value) }
        func encodeNil(forKey key: Key) throws { throw refuse(key) }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type, forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            encoder.container(keyedBy: keyType)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
        func superEncoder() -> any Encoder { encoder }
        func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }

    struct Unkeyed: UnkeyedEncodingContainer {
        let encoder: PlainFieldEncoder

        var codingPath: [any CodingKey] { [] }
        var count: Int { encoder.fields.count }

        func encode(_ value: UInt16) { encoder.fields.append("", Int(value)) }
        func encode<Value: Encodable>(_ value: Value) throws { throw refuse(value) }
        func encodeNil() throws { throw refuse(Int?.none as Any) }

        func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey>
        {
            encoder.container(keyedBy: keyType)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
        func superEncoder() -> any Encoder { encoder }
    }

    struct Single: SingleValueEncodingContainer {
        let encoder: PlainFieldEncoder

        var codingPath: [any CodingKey] { [] }

        func encode<Value: Encodable>(_ value: Value) throws { throw refuse(value) }
        func encodeNil() throws { throw refuse(Int?.none as Any) }
    }
}

// MARK: - Decoding

/// A decoder that gives out numbers and texts one after the other, whatever the containers they are asked for in.
private final class PlainFieldDecoder: Decoder {
    private var list: [PlainFields.Field]
    private let reals: [Double]
    private let texts: [String]
    private var next = 0

    init(_ fields: PlainFields) {
        list = fields.list
        reals = fields.reals
        texts = fields.texts
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var isAtEnd: Bool { next >= list.count }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Unkeyed(decoder: self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { Single() }

    /// The next field with the key, which nearly always is the next one at all.
    func take<Integer: FixedWidthInteger>(_ key: String, as type: Integer.Type) throws -> Integer {
        guard let position = list[next...].firstIndex(where: { $0.key == key }) else {
            throw CodableErrors.noField(key)
        }
        list.swapAt(position, next)
        next += 1
        guard let integer = Integer(exactly: list[next - 1].value) else { throw CodableErrors.noField(key) }
        return integer
    }

    func takeReal(_ key: String) throws -> Double {
        let place = try take(key, as: Int.self)
        guard reals.indices.contains(place) else { throw CodableErrors.noField(key) }
        return reals[place]
    }

    func takeText(_ key: String) throws -> String {
        let place = try take(key, as: Int.self)
        guard texts.indices.contains(place) else { throw CodableErrors.noField(key) }
        return texts[place]
    }

    struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: PlainFieldDecoder

        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool { false }
        func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
            try decoder.take(key.stringValue, as: Int.self) != 0
        }
        func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder.take(key.stringValue, as: type) }
        func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder.take(key.stringValue, as: type) }
        func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
            try decoder.take(key.stringValue, as: type)
        }
        func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder.takeReal(key.stringValue) }
        func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder.takeText(key.stringValue) }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            throw CodableErrors.noField(key.stringValue)
        }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type, forKey key: Key
        ) -> KeyedDecodingContainer<NestedKey> {
            decoder.container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { decoder.unkeyedContainer() }
        func superDecoder() -> any Decoder { decoder }
        func superDecoder(forKey key: Key) -> any Decoder { decoder }
    }

    struct Unkeyed: UnkeyedDecodingContainer {
        let decoder: PlainFieldDecoder

        var codingPath: [any CodingKey] { [] }
        var count: Int? { nil }
        var isAtEnd: Bool { decoder.isAtEnd }
        var currentIndex: Int { decoder.next }

        func decodeNil() -> Bool { false }
        func decode(_ type: UInt16.Type) throws -> UInt16 { try decoder.take("", as: type) }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw CodableErrors.noField("") }

        func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedDecodingContainer<NestedKey> {
            decoder.container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { self }
        func superDecoder() -> any Decoder { decoder }
    }

    struct Single: SingleValueDecodingContainer {
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool { false }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw CodableErrors.noField("") }
    }
}
