// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A property list as a tree of values, from any format.
///
/// Archives, preferences and many of Apple's other files are property lists. Read one and examine it:
///
///     let list = try PropertyList(Data(contentsOf: url))
///     if case .string(let name) = list["$archiver"] { print(name) }
///     print(list)
///
/// Create one:
///
///     let list: PropertyList = ["name": "Bella", "ages": [3, 4.5], "isCow": true]
///     let xml = try list.data(format: .xml)
///
/// The binary format preserves every value exactly: every kind of number, the order of dictionaries, even keys that
/// occur twice. `data(format:)` describes the values that XML cannot represent.
///
/// Two lists are equal if they contain equal values of the same kinds. The order of dictionaries does not count; that
/// of arrays and sets does. Reals are equal if their bits are equal, so a NaN equals itself and -0.0 is not 0.0.
public enum PropertyList: Hashable, Sendable {
    /// Null: the binary format has a marker for it, which no known writer uses.
    case null
    /// True or false.
    case boolean(Bool)
    /// A signed integer of up to 128 bits. Apple's readers accept at most 64.
    case integer(Int128)
    /// A 64-bit real.
    case real(Double)
    /// A 32-bit real, which the binary format distinguishes from the 64-bit ones.
    case real32(Float)
    /// A string.
    case string(String)
    /// A point in time.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// A reference to one of an archive's objects, by its number.
    case uid(UInt32)
    /// Values in their order.
    case array([PropertyList])
    /// The values of a set in the order of the file: the binary format has it, and no known writer uses it.
    case set([PropertyList])
    /// Values by their keys.
    case dictionary(Dictionary)
}

// MARK: - Bytes

extension PropertyList {
    /// Reads the value in `data`, in either format.
    ///
    /// The data may come from an untrusted source. Every value is checked before use. Containers may be nested 512
    /// levels deep. A list that expands to more than 16 MiB plus 128 times its size, through many references to the
    /// same objects, is rejected. Unpaired surrogates in strings become U+FFFD.
    ///
    /// - Throws: `PropertyListError` with the byte offset if the data is not a property list, or has a dictionary with
    ///   a key that is not a string.
    /// - Complexity: O(*n*), where *n* is the number of bytes that the list expands to.
    public init(_ data: Data) throws(PropertyListError) {
        let bytes = StoredBytes(data)
        let binary: StoredBytes
        switch PropertyListFormat(detectedIn: bytes) {
        case .binary: binary = bytes
        case .xml: binary = try XMLPropertyListReader.binary(from: bytes)
        case nil: throw PropertyListError.notAPropertyList(bytes)
        }
        self = try PropertyListUnfolding.value(of: try BinaryPropertyListReader(binary), byteCount: bytes.count)
    }

    /// Returns the list in the given format. The binary format stores equal strings, numbers, dates and data once.
    ///
    /// XML has no null, no set, and no date that is not finite; a list with such a value is rejected. A date loses its
    /// fraction of a second, a 32-bit real becomes the 64-bit real of the same value, and all NaNs become the same. A
    /// dictionary whose only entry is "CF$UID" with an integer is read as a uid, or rejected if the integer has more
    /// than 32 bits. XML has no characters U+0000 to U+001F, except tab, line feed and carriage return, and no U+FFFE and
    /// U+FFFF; ``replacingCharactersUnrepresentableInXML()`` replaces them.
    ///
    /// If the list is an archive with a checksum (`ArchiveChecksum`), its binary form has the checksum of the result, and its
    /// XML form has none.
    ///
    /// - Throws: `PropertyListError` if the list is nested deeper than 512 levels, is larger than 4 GiB, or has a value
    ///   that XML cannot represent. The error names the path of that value.
    /// - Complexity: O(*n*), where *n* is the number of bytes of the result.
    public func data(format: PropertyListFormat = .binary) throws(PropertyListError) -> Data {
        guard format == .xml else { return try sealedBytes().data }
        // XML stores each occurrence of a leaf, and the binary form determines the limit of its expansion.
        let binary = try PropertyListFolding.binary(of: withoutChecksum, sharesLeaves: false)
        return try XMLPropertyListWriter.xml(of: try BinaryPropertyListReader(binary)).data
    }
}

// MARK: - Parts

extension PropertyList {
    /// The value for `key`; `nil` if this is not a dictionary, or has no such key.
    public subscript(key: String) -> PropertyList? {
        if case .dictionary(let dictionary) = self { dictionary[key] } else { nil }
    }

    /// The element at `position`; `nil` if this is not an array, or has fewer elements.
    public subscript(position: Int) -> PropertyList? {
        if case .array(let array) = self, array.indices.contains(position) { array[position] } else { nil }
    }
}

// MARK: - Literals

extension PropertyList: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int128) { self = .integer(value) }
    /// Creates a 64-bit real.
    public init(floatLiteral value: Double) { self = .real(value) }
}

extension PropertyList: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an array.
    public init(arrayLiteral elements: PropertyList...) { self = .array(elements) }
    /// Creates a dictionary in the order of the literal.
    public init(dictionaryLiteral elements: (String, PropertyList)...) {
        self = .dictionary(Dictionary(elements.map { (key: $0.0, value: $0.1) }))
    }
}

/// A format of property lists.
public enum PropertyListFormat: Hashable, Sendable, CaseIterable {
    /// Apple's binary format: starts with "bplist00", is compact, and represents every value.
    case binary
    /// Apple's XML format, in UTF-8, which can be read and edited as text. It has no null, no set and no 32-bit real.
    case xml
}

// MARK: - Detection

extension PropertyListFormat {
    /// Detects the format of `data` from its first bytes; `nil` if they match neither format.
    ///
    /// A binary list starts with "bplist0". XML starts with `<`, after an optional byte order mark and white space, in
    /// UTF-8 or UTF-16. The rest is not examined.
    public init?(detectedIn data: Data) {
        guard let format = PropertyListFormat(detectedIn: StoredBytes(data)) else { return nil }
        self = format
    }

    package init?(detectedIn bytes: StoredBytes) {
        if BinaryPropertyListReader.hasHeader(bytes) {
            self = .binary
        } else if XMLEncoding(detectedIn: bytes) != nil {
            self = .xml
        } else {
            return nil
        }
    }
}

// MARK: - Limits

/// The limits of readers and writers of both formats, for every list.
package enum PropertyListLimits {
    /// The number of levels of nested containers, as in CoreFoundation. Within it, recursion over a value, as in its
    /// deinitialization, fits on the stack of any thread.
    package static let nesting = 512

    /// The number of bytes that every list may expand to.
    static let expansionFloor = 16 << 20
    /// The number of bytes that a list may expand to for each byte of the file.
    static let expansionFactor = 128

    /// The maximum number of bytes that a list of `byteCount` bytes may expand to.
    ///
    /// Many references may name one object of a binary list, and so a few hundred bytes can describe a tree of 2^100
    /// leaves ("billion laughs"). Code that expands a list counts bytes and stops at this limit.
    static func expansion(ofByteCount byteCount: Int) -> Int {
        proportional(expansionFloor, perByte: expansionFactor, ofByteCount: byteCount)
    }

    /// `floor`, and `perByte` for each of `byteCount` bytes; `Int.max` if that is more.
    static func proportional(_ floor: Int, perByte: Int, ofByteCount byteCount: Int) -> Int {
        let (product, overflow) = byteCount.multipliedReportingOverflow(by: perByte)
        return overflow || product > Int.max - floor ? Int.max : product + floor
    }
}
