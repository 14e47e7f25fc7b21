// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The header of a typedstream.
enum TypedStreamHeader {
    static let versions = 3...4

    /// The maximum number of superclasses of a class. It is low because readers visit all classes of each object.
    static let classChainLimit = 1000

    /// The name of the format. The byte order determines the order of its two halves.
    static func signature(_ byteOrder: TypedStream.ByteOrder) -> String {
        switch byteOrder {
        case .littleEndian: "streamtyped"
        case .bigEndian: "typedstream"
        }
    }

    static func byteOrder(ofSignature bytes: ArraySlice<UInt8>) -> TypedStream.ByteOrder? {
        [TypedStream.ByteOrder.littleEndian, .bigEndian].first { bytes.elementsEqual(signature($0).utf8) }
    }
}

/// The bytes before a value that are not the value itself: the integers from -128 to -111.
enum TypedStreamTag {
    /// An integer of 2 bytes follows.
    static let short: Int8 = -127
    /// An integer of 4 bytes follows.
    static let int: Int8 = -126
    /// The bytes of a floating-point number follow.
    static let real: Int8 = -125
    /// A new object, class or string follows in full.
    static let new: Int8 = -124
    static let null: Int8 = -123
    static let end: Int8 = -122
    /// An integer of 8 bytes follows.
    static let longLong: Int8 = -121
    /// Numbers other than tags, which take one byte. References count from the lowest of them.
    static let small: ClosedRange<Int64> = -110...127
    static let firstReference = -110
}

// MARK: - Integers

/// All integers are stored as signed: 255 as an unsigned byte of `I` is -1 with its four bytes.
extension TypeEncoding {
    func holds(_ value: Int64) -> Bool {
        switch kind {
        case .character: Int8(exactly: value) != nil
        case .short: Int16(exactly: value) != nil
        case .int: Int32(exactly: value) != nil
        case .long, .longLong: true
        default: false
        }
    }

    /// The value of this unsigned type that is stored as `stored`; nil if it is out of range.
    func unsigned(fromStored stored: Int64) -> UInt64? {
        switch kind {
        case .unsignedShort:
            Int16(exactly: stored).map { UInt64(UInt16(bitPattern: $0)) } ?? UInt16(exactly: stored).map { UInt64($0) }
        case .unsignedInt:
            Int32(exactly: stored).map { UInt64(UInt32(bitPattern: $0)) } ?? UInt32(exactly: stored).map { UInt64($0) }
        case .unsignedLong:
            // Four bytes if the value fits in them.
            Int32(exactly: stored).map { UInt64(UInt32(bitPattern: $0)) } ?? UInt64(bitPattern: stored)
        case .unsignedLongLong: UInt64(bitPattern: stored)
        default: nil
        }
    }

    /// The stored form of `value`, if it is in the range of this unsigned type.
    func stored(fromUnsigned value: UInt64) -> Int64? {
        switch kind {
        case .unsignedCharacter: UInt8(exactly: value).map { Int64(Int8(bitPattern: $0)) }
        case .bool: value <= 1 ? Int64(value) : nil
        case .unsignedShort: UInt16(exactly: value).map { Int64(Int16(bitPattern: $0)) }
        case .unsignedInt: UInt32(exactly: value).map { Int64(Int32(bitPattern: $0)) }
        case .unsignedLong:
            if let narrow = UInt32(exactly: value) {
                Int64(Int32(bitPattern: narrow))
            } else {
                // A value that would be read as four bytes cannot be written as eight.
                Int32(exactly: Int64(bitPattern: value)) == nil ? Int64(bitPattern: value) : nil
            }
        case .unsignedLongLong: Int64(bitPattern: value)
        default: nil
        }
    }
}
