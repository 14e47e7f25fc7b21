// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Constants and encodings of the binary format that the reader and the writer share.
package enum BinaryFormat {
    package static let trailerSize = 32
    package static let headerSize = 8
    /// Smaller counts are stored in the low bits of the marker.
    static let inlineCountLimit = 15
    /// The writer stores offsets in 32 bits, and uids may not be wider in the file.
    static let byteLimit = Int(UInt32.max)

    static var header: StaticString { "bplist00" }

    /// CoreFoundation rejects a file whose object count is not below 256 to the power of the reference size.
    static func objectLimit(referenceSize: Int) -> Int {
        referenceSize < MemoryLayout<Int>.size ? 1 << (8 * referenceSize) - 1 : .max
    }

    package static func referenceSize(objectCount: Int) -> Int {
        var size = 1
        while objectCount > objectLimit(referenceSize: size) { size += 1 }
        return size
    }

    @inline(__always)
    package static func headSize(count: Int) -> Int {
        if count < inlineCountLimit { return 1 }
        return count <= 0xFF ? 3 : count <= 0xFFFF ? 4 : UInt64(count) <= 0xFFFF_FFFF ? 6 : 10
    }

    enum Marker {
        static let null: UInt8 = 0x00
        static let `false`: UInt8 = 0x08
        static let `true`: UInt8 = 0x09
        static let integer: UInt8 = 0x10
        static let real32: UInt8 = 0x22
        static let real64: UInt8 = 0x23
        static let date: UInt8 = 0x33
        static let data: UInt8 = 0x40
        static let ascii: UInt8 = 0x50
        /// The marker of an ASCII string followed by that of its count, which is one byte.
        static let longASCII: UInt16 = 0x5F10
        static let utf16: UInt8 = 0x60
        static let uid: UInt8 = 0x80
        static let array: UInt8 = 0xA0
        static let set: UInt8 = 0xC0
        static let dictionary: UInt8 = 0xD0
    }
}

// MARK: - Appending one object

/// Small objects in the binary format.
extension ShortRecord {
    /// An integer in its narrowest form: 1, 2 or 4 bytes unsigned, 8 bytes signed.
    @inline(__always)
    init(_ value: Int64) {
        // Without branches: the widths of consecutive numbers are hard to predict.
        let unsigned = UInt64(bitPattern: value)
        let byteCount = (71 &- (unsigned | 1).leadingZeroBitCount) &>> 3
        // The base-2 logarithm of the width (1, 2, 4 or 8 bytes) for each number of significant bytes, four bits each.
        let logarithm = (0x3_3332_2100 as UInt64) &>> UInt64(truncatingIfNeeded: 4 &* byteCount) & 3
        let size = 1 &<< Int(truncatingIfNeeded: logarithm)
        self.init(
            BinaryFormat.Marker.integer | UInt8(truncatingIfNeeded: logarithm), highest: size,
            of: unsigned &<< UInt64(truncatingIfNeeded: 64 &- 8 &* size))
    }

    /// A 64-bit real, or a date, according to its marker.
    @inline(__always)
    init(_ value: Double, marker: UInt8 = BinaryFormat.Marker.real64) {
        self.init(marker, highest: 8, of: value.bitPattern)
    }

    @inline(__always)
    init(_ value: Float) {
        self.init(BinaryFormat.Marker.real32, highest: 4, of: UInt64(value.bitPattern) << 32)
    }

    /// A uid in 1, 2 or 4 bytes, the widths that every known reader accepts.
    @inline(__always)
    init(uid: UInt32) {
        let size = uid <= 0xFF ? 1 : uid <= 0xFFFF ? 2 : 4
        self.init(
            BinaryFormat.Marker.uid | UInt8(truncatingIfNeeded: size &- 1), highest: size,
            of: UInt64(uid) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* size))
    }
}

extension ByteWriter {
    /// Appends a marker with its count. A count of 15 or more follows as an integer object.
    @inline(__always)
    func append(marker: UInt8, count: Int) {
        if count < BinaryFormat.inlineCountLimit { return append(marker | UInt8(truncatingIfNeeded: count)) }
        append(marker | 0x0F)
        append(ShortRecord(Int64(count)))
    }
}
