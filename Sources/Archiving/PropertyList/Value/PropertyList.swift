#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A property list as a tree of values, whatever format it was read from.
///
/// Archives, preferences and many of Apple's other files are property lists. Here is how to look into one:
///
///     let list = try PropertyList(Data(contentsOf: url))
///     if case .string(let name) = list["$archiver"] { print(name) }
///     print(list)
///
/// and how to make one:
///
///     let list: PropertyList = ["name": "Bella", "ages": [3, 4.5], "isCow": true]
///     let xml = try list.data(format: .xml)
///
/// The binary format comes back exactly as it was: every kind of number, the order of dictionaries, even keys that occur
/// twice. What XML does not hold is told at `data(format:)`.
///
/// Two lists are equal where they hold equal values of the same kinds. The order of dictionaries does not count; that of
/// arrays and sets does. Reals are equal where their bits are, so a NaN equals itself and -0.0 is not 0.0.
public enum PropertyList: Sendable {
    /// Nothing: the binary format has a marker for it, which no known writer uses.
    case null
    /// True or false.
    case boolean(Bool)
    /// An integer of up to 128 bits with its sign. Apple's readers take no more than 64.
    case integer(Int128)
    /// A 64-bit real.
    case real(Double)
    /// A 32-bit real, which the binary format keeps apart from the 64-bit ones.
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
    /// The value that is in `data`, in either format.
    ///
    /// The bytes may come from anywhere. What they say is checked before it is used; containers are followed 512 levels
    /// deep, and a list that unfolds to more than 16 MiB and 128 times its size, by referring to the same objects from many
    /// places, is refused. Strings lose surrogates without a partner to U+FFFD.
    ///
    /// - Throws: `PropertyListError` where the bytes are not a property list, with the place, or have a dictionary with a
    ///   key that is not a string.
    /// - Complexity: O(*n*), where *n* is the number of bytes that the list unfolds to.
    public init(_ data: Data) throws(PropertyListError) {
        let result = data.withUnsafeBytes { bytes in
            Result { () throws(PropertyListError) in try PropertyList(bytes) }
        }
        self = try result.get()
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(PropertyListError) {
        switch PropertyListFormat(detectedIn: bytes) {
        case .binary:
            let list = try BinaryPropertyListReader(bytes)
            self = try PropertyListUnfolding.value(of: list, byteCount: bytes.count)
        case .xml:
            let binary = try XMLPropertyListReader.binary(from: bytes)
            defer { if let base = binary.baseAddress { Platform.release(base) } }
            let list = try BinaryPropertyListReader(UnsafeRawBufferPointer(binary))
            self = try PropertyListUnfolding.value(of: list, byteCount: bytes.count)
        case nil: throw PropertyListError(.notAPropertyList, at: 0)
        }
    }

    /// The list in the given format. Equal strings, numbers, dates and data are written once in the binary format.
    ///
    /// XML has no null and no set, and takes a date only where it is finite; such a list is refused. A date loses its fraction
    /// of a second, a 32-bit real becomes a 64-bit one of the same value, every NaN the same one, and a dictionary whose only
    /// entry is "CF$UID" with an integer reads as a uid, or is refused where that has more than 32 bits. Control characters other than tab, line feed and carriage return go
    /// out as they are: CoreFoundation and this library read them, stricter XML readers do not.
    ///
    /// - Throws: `PropertyListError` where the list is nested deeper than 512 levels, is larger than 4 GiB, or has what XML
    ///   has not.
    /// - Complexity: O(*n*), where *n* is the number of bytes of the result.
    public func data(format: PropertyListFormat = .binary) throws(PropertyListError) -> Data {
        let isXML = format == .xml
        // XML has a place for each leaf, and what it may unfold to is measured by the binary form.
        let binary = try PropertyListFolding.binary(of: self, sharesLeaves: !isXML)
        guard isXML else { return Data(adopting: binary) }
        defer { if let base = binary.baseAddress { Platform.release(base) } }
        let list = try BinaryPropertyListReader(UnsafeRawBufferPointer(binary))
        return Data(adopting: try XMLPropertyListWriter.xml(of: list))
    }
}

extension Data {
    /// Data that takes over `bytes`, which `Platform` allocated, and releases them.
    fileprivate init(adopting bytes: UnsafeMutableRawBufferPointer) {
        if let base = bytes.baseAddress {
            self.init(bytesNoCopy: base, count: bytes.count, deallocator: .custom { Platform.release($0, $1) })
        } else {
            self.init()
        }
    }
}

extension Platform {
    fileprivate static func release(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) { release(memory) }
}

// MARK: - Parts

extension PropertyList {
    /// The value for `key`; nil where this is no dictionary, or one without that key.
    public subscript(key: String) -> PropertyList? {
        if case .dictionary(let dictionary) = self { dictionary[key] } else { nil }
    }

    /// The element at `position`; nil where this is no array, or one with fewer elements.
    public subscript(position: Int) -> PropertyList? {
        if case .array(let array) = self, array.indices.contains(position) { array[position] } else { nil }
    }
}

// MARK: - Literals

extension PropertyList: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// An integer.
    public init(integerLiteral value: Int128) { self = .integer(value) }
    /// A 64-bit real.
    public init(floatLiteral value: Double) { self = .real(value) }
}

extension PropertyList: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array.
    public init(arrayLiteral elements: PropertyList...) { self = .array(elements) }
    /// A dictionary, in the order in which it is written.
    public init(dictionaryLiteral elements: (String, PropertyList)...) {
        self = .dictionary(Dictionary(elements.map { (key: $0.0, value: $0.1) }))
    }
}
