// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The archived forms of NSAffineTransform: the numbers m11, m12, m21, m22, tX and tY.
enum AffineMatrix {
    static var count: Int { 6 }
    static let identity = [1.0, 0, 0, 1, 0, 0]
    /// The key of the numbers in Apple's archives: 32-bit reals in big-endian order, fewer than six if others are those of
    /// the identity.
    static var key: StaticString { "NSTransformStruct" }
    /// The key of the same numbers with 64 bits, which only this library reads.
    static var exactKey: StaticString { "exact" }

    /// Returns the numbers in the data of Apple's archives; `nil` if it has another form.
    static func numbers(in bytes: [UInt8]) -> [Double]? {
        func numbers(from start: Int) -> [Double] {
            stride(from: start, to: bytes.count, by: 4).map { offset in
                let bits = bytes[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                return Double(Float(bitPattern: bits))
            }
        }
        switch (bytes.count, bytes.first) {
        case (24, _): return numbers(from: 0)
        case (16, _):
            let numbers = numbers(from: 0)
            return [numbers[0], 0, 0, numbers[1], numbers[2], numbers[3]]
        case (9, 1): return [1, 0, 0, 1] + numbers(from: 1)
        case (9, 2):
            let numbers = numbers(from: 1)
            return [numbers[0], 0, 0, numbers[1], 0, 0]
        default: return nil
        }
    }

    /// Returns `bits` in big-endian order.
    static func bytes<Bits: FixedWidthInteger>(_ bits: [Bits]) -> [UInt8] {
        bits.flatMap { bits in
            stride(from: Bits.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> Bits($0)) }
        }
    }

    /// Returns the numbers in the data of the key `exact`; `nil` if it has another form.
    static func exactNumbers(in bytes: [UInt8]) -> [Double]? {
        guard bytes.count == 8 * count else { return nil }
        return stride(from: 0, to: bytes.count, by: 8).map { offset in
            Double(bitPattern: bytes[offset..<offset + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
    }
}

extension ArchiveGraph {
    /// Writes an NSAffineTransform and returns its uid.
    ///
    /// Apple's frameworks read the numbers in `NSTransformStruct`; Foundation on Linux and GNUstep read the same numbers in
    /// a C array. Both forms have 32 bits per number, so exact numbers follow if those are rounded.
    func affineTransform(_ numbers: [Double]) -> Reference {
        let rounded = numbers.map { Float($0) }
        var array = [
            (key: "NS.count", value: integer(Int64(AffineMatrix.count), inline: true)),
            (key: "NS.size", value: integer(Int64(MemoryLayout<Float>.size), inline: true)),
            (key: "NS.type", value: integer(Int64(UInt8(ascii: "f")), inline: true)),
        ]
        for (index, number) in rounded.enumerated() { array.append(("$\(index)", real(number, inline: true))) }
        var entries = [
            (key: "\(AffineMatrix.key)", value: dataInLine(AffineMatrix.bytes(rounded.map(\.bitPattern)))),
            (key: "$0", value: object(.cArray, array)),
        ]
        if !zip(numbers, rounded).allSatisfy({ $0.bitPattern == Double($1).bitPattern }) {
            let exact = dataInLine(AffineMatrix.bytes(numbers.map(\.bitPattern)))
            entries.append(("\(AffineMatrix.exactKey)", exact))
        }
        return object(.affineTransform, entries)
    }
}

extension ArchiveContents {
    /// Returns the six numbers of an NSAffineTransform; `nil` if `value` is another object.
    func affineTransform(_ value: ArchivedValue) throws(KeyedArchiveError) -> [Double]? {
        var entries = entries(of: value)
        if let bytes = try entries.copiedBytes(AffineMatrix.key) {
            guard let numbers = AffineMatrix.numbers(in: bytes) else {
                throw entries.damaged(AffineMatrix.key, "the numbers of an affine transform")
            }
            guard let exactBytes = try entries.copiedBytes(AffineMatrix.exactKey) else { return numbers }
            // A program that changes the transform may keep this entry.
            guard let exact = AffineMatrix.exactNumbers(in: exactBytes),
                zip(exact, numbers).allSatisfy({ Double(Float($0)) == $1 || $0.isNaN && $1.isNaN })
            else { throw entries.damaged(AffineMatrix.exactKey, "the numbers in NSTransformStruct before rounding") }
            return exact
        }
        guard let uid = try classUID(of: value.node), try className(uid) == ArchivedClass.affineTransform.name else {
            return nil
        }
        // Apple's frameworks write no numbers for the identity.
        guard let array = try entries["$0"] else { return AffineMatrix.identity }
        var elements = self.entries(of: array)
        guard try elements.integer("NS.count") == AffineMatrix.count else {
            throw entries.damaged("$0", "a C array of six numbers")
        }
        var numbers: [Double] = []
        for key in ["$0", "$1", "$2", "$3", "$4", "$5"] as [StaticString] {
            guard let number = try elements.real(key) else { throw elements.damaged(key, "a number") }
            numbers.append(number)
        }
        return numbers
    }
}
