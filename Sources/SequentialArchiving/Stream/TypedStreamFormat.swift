/// What a typedstream begins with.
enum TypedStreamHeader {
    /// The versions of the format that are known.
    static let versions = 3...4

    /// Classes above each other, at most. Whoever reads an object goes through all of its classes, so there have to be few.
    static let classChainLimit = 1000

    /// The name of the format, of which one half is the other in the other byte order.
    static func signature(_ byteOrder: TypedStream.ByteOrder) -> StaticString {
        switch byteOrder {
        case .littleEndian: "streamtyped"
        case .bigEndian: "typedstream"
        }
    }

    /// The byte order that a signature says; nil where it is none.
    static func byteOrder(ofSignature bytes: ArraySlice<UInt8>) -> TypedStream.ByteOrder? {
        for byteOrder in [TypedStream.ByteOrder.littleEndian, .bigEndian] {
            let known = signature(byteOrder).withUTF8Buffer { bytes.elementsEqual($0) }
            if known { return byteOrder }
        }
        return nil
    }
}

/// The bytes that begin a value and are not the value itself: the integers from -128 to -111.
enum TypedStreamTag {
    /// An integer of 2 bytes follows.
    static let short: Int8 = -127
    /// An integer of 4 bytes follows.
    static let int: Int8 = -126
    /// The bytes of a number with a fraction follow.
    static let real: Int8 = -125
    /// What is met for the first time follows in full.
    static let new: Int8 = -124
    /// Nothing.
    static let null: Int8 = -123
    /// The end of an object.
    static let end: Int8 = -122
    /// An integer of 8 bytes follows.
    static let longLong: Int8 = -121
    /// Numbers that are no tags, so that they take one byte. References count from the lowest of them.
    static let small: ClosedRange<Int64> = -110...127
    /// What stands for the first entry of a table.
    static let firstReference = -110
}

// MARK: - Integers

/// Integers are stored as if all types had a sign: 255 in an unsigned byte of `I` is -1 with its four bytes.
extension TypeEncoding {
    /// Whether a value of this type, which has a sign, can be `value`.
    func holds(_ value: Int64) -> Bool {
        switch self {
        case .character: Int8(exactly: value) != nil
        case .short: Int16(exactly: value) != nil
        case .int: Int32(exactly: value) != nil
        case .long, .longLong: true
        default: false
        }
    }

    /// The value of this type, which has no sign, that is stored as `stored`; nil where the type does not hold it.
    func unsigned(fromStored stored: Int64) -> UInt64? {
        switch self {
        case .unsignedShort:
            Int16(exactly: stored).map { UInt64(UInt16(bitPattern: $0)) } ?? UInt16(exactly: stored).map { UInt64($0) }
        case .unsignedInt:
            Int32(exactly: stored).map { UInt64(UInt32(bitPattern: $0)) } ?? UInt32(exactly: stored).map { UInt64($0) }
        case .unsignedLong:
            // Four bytes where that is what it was written from.
            Int32(exactly: stored).map { UInt64(UInt32(bitPattern: $0)) } ?? UInt64(bitPattern: stored)
        case .unsignedLongLong: UInt64(bitPattern: stored)
        default: nil
        }
    }

    /// What is stored for `value`, if this type, which has no sign, holds it.
    func stored(fromUnsigned value: UInt64) -> Int64? {
        switch self {
        case .unsignedCharacter: UInt8(exactly: value).map { Int64(Int8(bitPattern: $0)) }
        case .bool: value <= 1 ? Int64(value) : nil
        case .unsignedShort: UInt16(exactly: value).map { Int64(Int16(bitPattern: $0)) }
        case .unsignedInt: UInt32(exactly: value).map { Int64(Int32(bitPattern: $0)) }
        case .unsignedLong:
            if let narrow = UInt32(exactly: value) {
                Int64(Int32(bitPattern: narrow))
            } else {
                // What would come back as four bytes cannot be written as eight.
                Int32(exactly: Int64(bitPattern: value)) == nil ? Int64(bitPattern: value) : nil
            }
        case .unsignedLongLong: Int64(bitPattern: value)
        default: nil
        }
    }
}
