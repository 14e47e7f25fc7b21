// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// An array of numbers in one data object: a header that describes their type, followed by the numbers without gaps.
///
/// Format: `docs/keyed-archive-format.md`, section 5.
package struct PackedNumbers {
    /// The type of each number.
    package struct Element: BitwiseCopyable, Equatable {
        /// The kinds of numbers, by their letters in the header.
        package enum Kind: UInt8, BitwiseCopyable {
            /// A signed integer in two's complement: "i".
            case signed = 0x69
            /// An unsigned integer: "u".
            case unsigned = 0x75
            /// An IEEE 754 real: "f".
            case real = 0x66
        }

        let kind: Kind
        /// The number of bytes of a number: 1, 2, 4 or 8.
        package let width: Int

        init(_ kind: Kind, width: Int) {
            self.kind = kind
            self.width = width
        }

        /// Creates the element type of a header that ends in `letter` and `digit`. Fails if there is no such type.
        fileprivate init?(letter: UInt8, digit: UInt8) {
            guard let kind = Kind(rawValue: letter) else { return nil }
            let width = Int(digit) - 0x30
            guard [1, 2, 4, 8].contains(width), kind != .real || width >= 4 else { return nil }
            self.init(kind, width: width)
        }

        /// The Swift type of the numbers.
        package var name: String {
            switch kind {
            case .signed: "Int\(8 * width)"
            case .unsigned: "UInt\(8 * width)"
            case .real: width == 4 ? "Float" : "Double"
            }
        }
    }

    /// The type of each number.
    package let element: Element
    /// The numbers, in little-endian byte order.
    private let bytes: StoredBytes

    /// The number of numbers.
    package var count: Int { bytes.count / element.width }
}

// MARK: - Header

/// The reason why data contains no packed numbers.
package enum PackedNumbersError: Error, Equatable {
    /// The data does not start with the header.
    case noHeader
    /// The header ends in two bytes that name no number type.
    case unknownElement(UInt8, UInt8)
    /// The size of the bytes after the header is not a multiple of the size of a number.
    case length(PackedNumbers.Element, byteCount: Int)
}

extension PackedNumbers {
    /// The size of the header: "packed", the letter of the kind, and the digit of the width.
    static var headerSize: Int { 8 }

    /// Creates the numbers of `data`, which must start with a header.
    package init(_ data: StoredBytes) throws(PackedNumbersError) {
        guard data.count >= Self.headerSize, data.has("packed", at: 0) else { throw .noHeader }
        let (letter, digit) = (data[Self.headerSize - 2], data[Self.headerSize - 1])
        guard let element = Element(letter: letter, digit: digit) else { throw .unknownElement(letter, digit) }
        let bytes = data.part(Self.headerSize..<data.count)
        guard bytes.count % element.width == 0 else { throw .length(element, byteCount: bytes.count) }
        self.element = element
        self.bytes = bytes
    }

    /// The header of numbers of `element`.
    static func header(of element: Element) -> [UInt8] {
        Array("packed".utf8) + [element.kind.rawValue, 0x30 + UInt8(truncatingIfNeeded: element.width)]
    }
}

extension PackedNumbersError {
    /// Returns an error sentence for the data `found` at `place`, where a `type` is expected.
    func sentence(_ found: String, at place: String, as type: any Any.Type) -> String {
        let start = "Found \(found) at \(place), where \(type) is expected, "
        let bytes = "Decode Data to get the raw bytes"
        switch self {
        case .noHeader:
            return start + "but the data has no packed numbers: it does not start with \"packed\" and their type. "
                + bytes
        case .unknownElement(let letter, let digit):
            return start + "but its packed numbers have the type "
                + ReadableText.literal(String(decoding: [letter, digit], as: UTF8.self))
                + ", which is not one of i1, i2, i4, i8, u1, u2, u4, u8, f4 and f8: the archive is damaged, or was"
                + " written by a later version. " + bytes
        case .length(let element, let byteCount):
            return start + "but the \(byteCount) bytes after the header are not a whole number of"
                + " \(element.name) values of \(element.width) bytes each: the archive is damaged. " + bytes
        }
    }
}

// MARK: - Numbers

extension PackedNumbers {
    /// Returns the signed integer at `index`, which is less than `count`.
    @inline(__always)
    func signed(at index: Int) -> Int64 {
        switch element.width {
        case 1: Int64(load(Int8.self, at: index))
        case 2: Int64(load(Int16.self, at: index))
        case 4: Int64(load(Int32.self, at: index))
        default: load(Int64.self, at: index)
        }
    }

    /// Returns the unsigned integer at `index`, which is less than `count`.
    @inline(__always)
    func unsigned(at index: Int) -> UInt64 {
        switch element.width {
        case 1: UInt64(load(UInt8.self, at: index))
        case 2: UInt64(load(UInt16.self, at: index))
        case 4: UInt64(load(UInt32.self, at: index))
        default: load(UInt64.self, at: index)
        }
    }

    /// Returns the real at `index`, which is less than `count`.
    @inline(__always)
    func real(at index: Int) -> Double {
        element.width == 4
            ? Double(Float(bitPattern: load(UInt32.self, at: index)))
            : Double(bitPattern: load(UInt64.self, at: index))
    }

    @inline(__always)
    private func load<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at index: Int) -> Number {
        bytes.littleEndian(type, at: index &* MemoryLayout<Number>.size)
    }

    /// The numbers, which are stored as `Number` is in memory.
    fileprivate func copy<Number: BitwiseCopyable>(as type: Number.Type) -> [Number] { bytes.elements(of: type) }

    /// Returns the number at `index`, which is less than `count`, in readable form.
    package func text(at index: Int) -> String {
        switch element.kind {
        case .signed: signed(at: index).description
        case .unsigned: unsigned(at: index).description
        case .real: element.width == 4 ? Float(real(at: index)).description : real(at: index).description
        }
    }
}

// MARK: - Types

/// A number type that can be read from packed numbers of any type.
protocol PackableNumber: BitwiseCopyable, SendableMetatype {
    /// The packed type of these numbers; `nil` for a type that can only be read.
    static var packedElement: PackedNumbers.Element? { get }

    /// The lowest bytes, in the size of a packed number.
    var packedBits: UInt64 { get }

    /// Creates an integer equal to `integer`, if this type can represent it, or the nearest real.
    init?(packed integer: Int64)
    init?(packed integer: UInt64)
    /// Creates an integer equal to `real`, or the nearest real, if this type can represent it.
    init?(packed real: Double)

    /// Returns the numbers up to the first one that this type cannot represent.
    static func unpack(_ numbers: PackedNumbers) -> [Self]
}

extension PackableNumber {
    /// Creates the number at `index` of `numbers`, which is less than their count. Fails if this type cannot represent it.
    @inline(__always)
    init?(_ numbers: PackedNumbers, at index: Int) {
        switch numbers.element.kind {
        case .signed: self.init(packed: numbers.signed(at: index))
        case .unsigned: self.init(packed: numbers.unsigned(at: index))
        case .real: self.init(packed: numbers.real(at: index))
        }
    }

    /// Returns whether numbers in memory and numbers of `element` in data have the same bytes.
    private static func lies(as element: PackedNumbers.Element) -> Bool {
        #if _endian(little)
            element == packedElement && element.width == MemoryLayout<Self>.stride
        #else
            false
        #endif
    }

    static func unpack(_ numbers: PackedNumbers) -> [Self] {
        if lies(as: numbers.element) { return numbers.copy(as: Self.self) }
        var unpacked: [Self] = []
        unpacked.reserveCapacity(numbers.count)
        for index in 0..<numbers.count {
            guard let number = Self(numbers, at: index) else { break }
            unpacked.append(number)
        }
        return unpacked
    }

    /// Writes `numbers` as one data object and returns its uid; `nil` if the type can only be read.
    static func pack(_ numbers: Span<Self>, in graph: ArchiveGraph) -> ArchiveGraph.Reference? {
        guard let element = packedElement else { return nil }
        let header = PackedNumbers.header(of: element)
        if lies(as: element) {
            return header.withBytes { start in
                numbers.withBytes { graph.leaf(graph.list.append(data: start, $0)) }
            }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count * element.width)
        for index in numbers.indices {
            let bits = numbers[index].packedBits
            for byte in 0..<element.width { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * byte))) }
        }
        return graph.data(header + bytes)
    }
}

extension PackableNumber where Self: FixedWidthInteger {
    static var packedElement: PackedNumbers.Element? {
        switch Self.bitWidth {
        // Int and UInt have 4 bytes on some platforms, and the same packed type on all.
        case _ where Self.self == Int.self || Self.self == UInt.self:
            PackedNumbers.Element(isSigned ? .signed : .unsigned, width: 8)
        case 8, 16, 32, 64: PackedNumbers.Element(isSigned ? .signed : .unsigned, width: bitWidth / 8)
        default: nil
        }
    }

    var packedBits: UInt64 { UInt64(truncatingIfNeeded: self) }

    @inline(__always)
    init?(packed integer: Int64) { self.init(exactly: integer) }
    @inline(__always)
    init?(packed integer: UInt64) { self.init(exactly: integer) }
    @inline(__always)
    init?(packed real: Double) { self.init(exactly: real) }
}

extension Int: PackableNumber {}
extension Int8: PackableNumber {}
extension Int16: PackableNumber {}
extension Int32: PackableNumber {}
extension Int64: PackableNumber {}
extension Int128: PackableNumber {}
extension UInt: PackableNumber {}
extension UInt8: PackableNumber {}
extension UInt16: PackableNumber {}
extension UInt32: PackableNumber {}
extension UInt64: PackableNumber {}
extension UInt128: PackableNumber {}

extension Double: PackableNumber {
    static var packedElement: PackedNumbers.Element? { PackedNumbers.Element(.real, width: 8) }

    var packedBits: UInt64 { bitPattern }

    @inline(__always)
    init?(packed integer: Int64) { self.init(integer) }
    @inline(__always)
    init?(packed integer: UInt64) { self.init(integer) }
    @inline(__always)
    init?(packed real: Double) { self = real }
}

extension Float: PackableNumber {
    static var packedElement: PackedNumbers.Element? { PackedNumbers.Element(.real, width: 4) }

    var packedBits: UInt64 { UInt64(bitPattern) }

    @inline(__always)
    init?(packed integer: Int64) { self.init(integer) }
    @inline(__always)
    init?(packed integer: UInt64) { self.init(integer) }
    @inline(__always)
    init?(packed real: Double) { self.init(nearest: real) }
}

extension PackedNumbers {
    /// Returns `type`, if arrays of it can be packed; `nil` otherwise.
    static func packable(_ type: any Any.Type) -> (any PackableNumber.Type)? {
        if type == Double.self { return Double.self }
        if type == Float.self { return Float.self }
        if type == Int.self { return Int.self }
        if type == UInt8.self { return UInt8.self }
        if type == Int32.self { return Int32.self }
        if type == UInt32.self { return UInt32.self }
        if type == Int64.self { return Int64.self }
        if type == UInt64.self { return UInt64.self }
        if type == Int16.self { return Int16.self }
        if type == UInt16.self { return UInt16.self }
        if type == Int8.self { return Int8.self }
        if type == UInt.self { return UInt.self }
        return nil
    }
}
