/// Constants and encodings of the binary format that the reader and the writer share.
package enum BinaryFormat {
    package static let trailerSize = 32
    package static let headerSize = 8
    /// Smaller counts are stored in the low bits of the marker.
    static let inlineCountLimit = 15
    /// The writer stores offsets in 32 bits, and uids may not be wider in the file.
    static let byteLimit = Int(UInt32.max)

    static var header: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: headerText.utf8Start, count: headerSize)
    }

    static var headerText: StaticString { "bplist00" }

    /// CoreFoundation rejects a file whose object count is not below 256 to the power of the reference size.
    static func objectLimit(referenceSize: Int) -> Int {
        referenceSize < MemoryLayout<Int>.size ? 1 << (8 * referenceSize) - 1 : .max
    }

    /// The number of bytes of the marker and count of a counted object, as this writer stores them.
    @inline(__always)
    package static func headSize(count: Int) -> Int {
        if count < inlineCountLimit { return 1 }
        return count <= 0xFF ? 3 : count <= 0xFFFF ? 4 : UInt64(count) <= 0xFFFF_FFFF ? 6 : 10
    }

    /// The marker and count of an ASCII string of at most 255 bytes, the first byte lowest: one byte if it is short,
    /// otherwise three.
    @inline(__always)
    fileprivate static func shortASCIIHead(count: Int) -> (bytes: UInt32, isShort: Bool) {
        let isShort = count < inlineCountLimit
        let short = UInt32(Marker.ascii) | UInt32(truncatingIfNeeded: count)
        let long = UInt32(Marker.longASCII.byteSwapped) | UInt32(truncatingIfNeeded: count) << 16
        return (isShort ? short : long, isShort)
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

// MARK: - Storing one object

/// Stores small objects in the binary format. Each function stores one object at this address and returns its size in
/// bytes.
extension UnsafeMutableRawPointer {
    /// Stores an integer in its narrowest form: 1, 2 or 4 bytes unsigned, 8 bytes signed. At most 9 bytes.
    @inline(__always)
    func store(integer value: Int64) -> Int {
        // Without branches: the widths of consecutive numbers are hard to predict. Eight bytes are stored for every
        // width.
        let unsigned = UInt64(bitPattern: value)
        let byteCount = (71 &- (unsigned | 1).leadingZeroBitCount) &>> 3
        // The base-2 logarithm of the width (1, 2, 4 or 8 bytes) for each number of significant bytes, four bits each.
        let logarithm = (0x3_3332_2100 as UInt64) &>> UInt64(truncatingIfNeeded: 4 &* byteCount) & 3
        let size = 1 &<< Int(truncatingIfNeeded: logarithm)
        storeBytes(of: BinaryFormat.Marker.integer | UInt8(truncatingIfNeeded: logarithm), as: UInt8.self)
        let shifted = unsigned &<< UInt64(truncatingIfNeeded: 64 &- 8 &* size)
        storeBytes(of: shifted.bigEndian, toByteOffset: 1, as: UInt64.self)
        return 1 &+ size
    }

    /// Stores a uid in 1, 2 or 4 bytes, the widths that every known reader accepts. At most 5 bytes.
    @inline(__always)
    func store(uid: UInt32) -> Int {
        if uid <= 0xFF {
            storeBytes(of: BinaryFormat.Marker.uid, as: UInt8.self)
            storeBytes(of: UInt8(truncatingIfNeeded: uid), toByteOffset: 1, as: UInt8.self)
            return 2
        }
        if uid <= 0xFFFF {
            storeBytes(of: BinaryFormat.Marker.uid | 1, as: UInt8.self)
            storeBytes(of: UInt16(truncatingIfNeeded: uid).bigEndian, toByteOffset: 1, as: UInt16.self)
            return 3
        }
        storeBytes(of: BinaryFormat.Marker.uid | 3, as: UInt8.self)
        storeBytes(of: uid.bigEndian, toByteOffset: 1, as: UInt32.self)
        return 5
    }

    /// Stores a 64-bit real, or a date, according to its marker. 9 bytes.
    @inline(__always)
    func store(real value: Double, marker: UInt8 = BinaryFormat.Marker.real64) -> Int {
        storeBytes(of: marker, as: UInt8.self)
        storeBytes(of: value.bitPattern.bigEndian, toByteOffset: 1, as: UInt64.self)
        return 9
    }

    /// Stores a 32-bit real. 5 bytes.
    @inline(__always)
    func store(real value: Float) -> Int {
        storeBytes(of: BinaryFormat.Marker.real32, as: UInt8.self)
        storeBytes(of: value.bitPattern.bigEndian, toByteOffset: 1, as: UInt32.self)
        return 5
    }

    /// Stores a marker with its count. A count of 15 or more follows as an integer object. At most 10 bytes.
    @inline(__always)
    func store(marker: UInt8, count: Int) -> Int {
        if count < BinaryFormat.inlineCountLimit {
            storeBytes(of: marker | UInt8(truncatingIfNeeded: count), as: UInt8.self)
            return 1
        }
        storeBytes(of: marker | 0x0F, as: UInt8.self)
        return 1 &+ (self + 1).store(integer: Int64(count))
    }

    /// Stores the marker and count of an ASCII string of at most 255 bytes, without a branch. It requires space for 4
    /// bytes.
    @inline(__always)
    func store(shortASCII count: Int) -> Int {
        let head = BinaryFormat.shortASCIIHead(count: count)
        storeBytes(of: head.bytes.littleEndian, as: UInt32.self)
        return head.isShort ? 1 : 3
    }

    /// Stores a string as UTF-16 with `unitCount` units, from its valid UTF-8, which is not ASCII. It requires space
    /// for `UTF16Transcoder.slack` bytes more than it returns.
    @inline(__always)
    func store(nonASCII utf8: UnsafeBufferPointer<UInt8>, unitCount: Int) -> Int {
        let head = store(marker: BinaryFormat.Marker.utf16, count: unitCount)
        UTF16Transcoder.storeBigEndian(validUTF8: utf8, at: self + head)
        return head &+ 2 &* unitCount
    }

    /// As `store(nonASCII:unitCount:)`, for a string of at most 255 units, which are counted while they are stored.
    @inline(__always)
    func store(shortNonASCII utf8: UnsafeBufferPointer<UInt8>) -> Int {
        let unitCount = (UTF16Transcoder.storeBigEndian(validUTF8: utf8, at: self + 3) - (self + 3)) / 2
        guard unitCount < BinaryFormat.inlineCountLimit else {
            storeBytes(of: BinaryFormat.Marker.utf16 | 0x0F, as: UInt8.self)
            storeBytes(of: BinaryFormat.Marker.integer, toByteOffset: 1, as: UInt8.self)
            storeBytes(of: UInt8(truncatingIfNeeded: unitCount), toByteOffset: 2, as: UInt8.self)
            return 3 &+ 2 &* unitCount
        }
        // The count is stored in the marker.
        storeBytes(of: BinaryFormat.Marker.utf16 | UInt8(truncatingIfNeeded: unitCount), as: UInt8.self)
        (self + 1).copyMemory(from: self + 3, byteCount: 2 &* unitCount)
        return 1 &+ 2 &* unitCount
    }

    /// Stores a number in `size` bytes, 1 to 4.
    @inline(__always)
    func store(number: UInt32, size: Int) {
        switch size {
        case 1: storeBytes(of: UInt8(truncatingIfNeeded: number), as: UInt8.self)
        case 2: storeBytes(of: UInt16(truncatingIfNeeded: number).bigEndian, as: UInt16.self)
        case 3:
            storeBytes(of: UInt16(truncatingIfNeeded: number >> 8).bigEndian, as: UInt16.self)
            storeBytes(of: UInt8(truncatingIfNeeded: number), toByteOffset: 2, as: UInt8.self)
        default: storeBytes(of: number.bigEndian, as: UInt32.self)
        }
    }

    /// Stores `count` numbers in `size` bytes each, 1 to 4: the references of a container, or the offset table.
    @inline(__always)
    func store(numbers count: Int, size: Int, _ number: (Int) -> UInt32) -> Int {
        switch size {
        case 1:
            for index in 0..<count {
                storeBytes(of: UInt8(truncatingIfNeeded: number(index)), toByteOffset: index, as: UInt8.self)
            }
        case 2:
            for index in 0..<count {
                let value = UInt16(truncatingIfNeeded: number(index)).bigEndian
                storeBytes(of: value, toByteOffset: index &* 2, as: UInt16.self)
            }
        case 3:
            guard count > 0 else { break }
            // Four bytes, the last of which the next number overwrites.
            for index in 0..<(count &- 1) {
                storeBytes(of: (number(index) << 8).bigEndian, toByteOffset: index &* 3, as: UInt32.self)
            }
            (self + (count &- 1) &* 3).store(number: number(count &- 1), size: 3)
        default:
            for index in 0..<count {
                storeBytes(of: number(index).bigEndian, toByteOffset: index &* 4, as: UInt32.self)
            }
        }
        return count &* size
    }

    /// Stores the `count` numbers at `source`, of `size` bytes each, 1 to 3, in one byte more each. The source may
    /// overlap the target, at lower addresses: the last number is moved first.
    func widenNumbers(_ count: Int, at source: UnsafeRawPointer, size: Int) {
        switch size {
        case 1:
            for index in stride(from: count &- 1, through: 0, by: -1) {
                let value = UInt16(source.load(fromByteOffset: index, as: UInt8.self))
                storeBytes(of: value.bigEndian, toByteOffset: index &* 2, as: UInt16.self)
            }
        case 2:
            for index in stride(from: count &- 1, through: 0, by: -1) {
                let value = source.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self)
                storeBytes(of: 0, toByteOffset: index &* 3, as: UInt8.self)
                storeBytes(of: value, toByteOffset: index &* 3 &+ 1, as: UInt16.self)
            }
        default:
            for index in stride(from: count &- 1, through: 0, by: -1) {
                let high = source.load(fromByteOffset: index &* 3, as: UInt8.self)
                let low = source.loadUnaligned(fromByteOffset: index &* 3 &+ 1, as: UInt16.self)
                storeBytes(of: UInt16(high).bigEndian, toByteOffset: index &* 4, as: UInt16.self)
                storeBytes(of: low, toByteOffset: index &* 4 &+ 2, as: UInt16.self)
            }
        }
    }
}

extension UnsafeRawPointer {
    /// Returns whether the object that was written here has this marker and count.
    @inline(__always)
    func hasHead(_ marker: UInt8, count: Int) -> Bool {
        let first = load(as: UInt8.self)
        if count < BinaryFormat.inlineCountLimit { return first == marker | UInt8(truncatingIfNeeded: count) }
        let size = BinaryFormat.headSize(count: count) &- 2
        return first == marker | 0x0F && (self + 1).load(as: UInt8.self) & 0x0F == size.trailingZeroBitCount
            && (self + 2).loadBigEndian(size: size) == count
    }

    /// Returns whether the object that was written here is an ASCII string of `count` bytes, at most 255. At least four
    /// bytes must be readable here. Without a branch.
    @inline(__always)
    func hasHead(shortASCII count: Int) -> Bool {
        let head = BinaryFormat.shortASCIIHead(count: count)
        let bytes = UInt32(littleEndian: loadUnaligned(as: UInt32.self))
        return (bytes ^ head.bytes) & (head.isShort ? 0xFF : 0xFF_FFFF) == 0
    }
}
