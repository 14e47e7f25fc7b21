// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The bytes of a typedstream, which are read from front to back. Each access is checked.
struct TypedStreamInput {
    private let bytes: [UInt8]
    private(set) var position = 0
    private(set) var byteOrder = TypedStream.ByteOrder.littleEndian

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    var remaining: Int { bytes.count - position }

    /// Reads the start of the file, which determines the byte order, and returns the version of the format.
    mutating func header() throws(TypedStreamError) -> Int {
        guard bytes.count >= 13, bytes[1] == 11, let byteOrder = TypedStreamHeader.byteOrder(ofSignature: bytes[2..<13])
        else {
            throw TypedStreamError(
                .notATypedStream, at: 0,
                "The data is no typedstream: it does not begin with a version and \"streamtyped\" or \"typedstream\"")
        }
        guard TypedStreamHeader.versions.contains(Int(bytes[0])) else {
            throw TypedStreamError(.unknownVersion, at: 0, "Unknown typedstream version \(bytes[0]); 3 and 4 are known")
        }
        self.byteOrder = byteOrder
        position = 13
        return Int(bytes[0])
    }
}

// MARK: - Bytes

extension TypedStreamInput {
    mutating func byte() throws(TypedStreamError) -> Int8 {
        guard position < bytes.count else { throw truncated(1) }
        defer { position += 1 }
        return Int8(bitPattern: bytes[position])
    }

    /// Reads the next byte if it is `tag`, and returns whether it is.
    mutating func skip(_ tag: Int8) throws(TypedStreamError) -> Bool {
        guard position < bytes.count else { throw truncated(1) }
        guard Int8(bitPattern: bytes[position]) == tag else { return false }
        position += 1
        return true
    }

    mutating func run(_ count: Int) throws(TypedStreamError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw truncated(count) }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private func truncated(_ count: Int) -> TypedStreamError {
        TypedStreamError(.truncated, at: position, "\(count) bytes are announced, but only \(remaining) remain")
    }
}

// MARK: - Numbers

extension TypedStreamInput {
    mutating func length() throws(TypedStreamError) -> Int {
        let start = position
        let length = try integer()
        guard length >= 0, length <= remaining else {
            throw TypedStreamError(.badCount, at: start, "A length of \(length) bytes, but only \(remaining) remain")
        }
        return Int(length)
    }

    /// Reads an integer of any length. Those of unsigned types are stored as signed.
    mutating func integer() throws(TypedStreamError) -> Int64 {
        let start = position
        let head = try byte()
        switch head {
        case TypedStreamTag.short: return Int64(Int16(truncatingIfNeeded: try unsigned(2)))
        case TypedStreamTag.int: return Int64(Int32(truncatingIfNeeded: try unsigned(4)))
        case TypedStreamTag.longLong: return Int64(bitPattern: try unsigned(8))
        default:
            guard TypedStreamTag.small.contains(Int64(head)) else {
                throw TypedStreamError(
                    .badValue, at: start, "The byte 0x\(String(bytes[start], radix: 16)) where an integer is expected")
            }
            return Int64(head)
        }
    }

    mutating func version() throws(TypedStreamError) -> Int {
        let start = position
        let stored = try integer()
        guard let version = Int(exactly: stored) else {
            throw TypedStreamError(.badValue, at: start, "The version \(stored), which is too large for this system")
        }
        return version
    }

    /// Reads a floating-point number that is stored as an integer; nil if its own bytes follow.
    mutating func integerOfReal() throws(TypedStreamError) -> Int64? {
        try skip(TypedStreamTag.real) ? nil : try integer()
    }

    mutating func unsigned(_ size: Int) throws(TypedStreamError) -> UInt64 {
        let run = try run(size)
        var value: UInt64 = 0
        switch byteOrder {
        case .littleEndian: for byte in run.reversed() { value = value << 8 | UInt64(byte) }
        case .bigEndian: for byte in run { value = value << 8 | UInt64(byte) }
        }
        return value
    }
}
