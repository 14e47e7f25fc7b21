// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The distinct scalars of a property list, in an order that depends only on their values.
///
/// A scalar is an object without references: a number, a string, data, a date, a Boolean. Its *rank* is its position in the
/// order: Booleans, integers by value, reals by value, dates, data by their bytes, strings by their UTF-8. Numbers of different
/// types are different scalars: 1, true and 1.0 are three. Strings with the same text are equal, whatever their encoding in the
/// list.
struct CanonicalScalars {
    typealias Rank = UInt32
    typealias Reference = BinaryPropertyListWriter.Reference

    /// The maximum number of objects, and of parts of objects, in a list, so that they fit into 32-bit tables.
    static let countLimit = Int(UInt32.max / 8)
    /// The rank of an object that is not a scalar.
    static let noRank = Rank.max

    /// The scalars, by rank.
    private var scalars: [Scalar] = []
    /// The ranks, by reference.
    private var ranks: [Rank]

    /// Reads the scalars of `list`.
    ///
    /// - Throws: `PropertyListError` if an object of the list is damaged, or the list is larger than the writer supports.
    /// - Complexity: O(*n* log *n*) comparisons, where *n* is the number of objects.
    init(_ list: BinaryPropertyListReader) throws(PropertyListError) {
        guard list.objectCount <= Self.countLimit, list.objects.limit <= BinaryFormat.byteLimit else {
            throw PropertyListError(.tooLarge, at: 0)
        }
        ranks = Array(repeating: Self.noRank, count: list.objectCount)
        var byteCount = 0
        let byteLimit = min(BinaryFormat.byteLimit, PropertyListLimits.expansion(ofByteCount: list.objects.limit))
        var found: [(scalar: Scalar, reference: Int)] = []
        for reference in 0..<list.objectCount {
            guard let scalar = Scalar(try list.node(reference), in: list.objects) else { continue }
            found.append((scalar, reference))
            byteCount += scalar.byteCount
            guard byteCount <= byteLimit else { throw PropertyListError(.tooLarge, at: 0) }
        }
        found.sort { $0.scalar < $1.scalar }
        for (scalar, reference) in found {
            if scalars.last != scalar { scalars.append(scalar) }
            ranks[reference] = Rank(truncatingIfNeeded: scalars.count - 1)
        }
    }
}

// MARK: - Lookup

extension CanonicalScalars {
    var count: Int { scalars.count }

    /// Returns the rank of the existing object `reference`; `noRank` if it is not a scalar.
    func rank(of reference: Int) -> Rank {
        ranks[reference]
    }

    func isString(_ rank: Rank) -> Bool {
        guard rank != Self.noRank, case .string = scalars[Int(rank)] else { return false }
        return true
    }

    /// Returns the rank of the string `text`; `noRank` if there is none.
    ///
    /// - Complexity: O(log *n*).
    func rank(of text: String) -> Rank {
        let wanted = Scalar.string(Scalar.Bytes(Array(text.utf8)))
        var low = 0
        var high = scalars.count
        while low < high {
            let middle = (low + high) / 2
            if scalars[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < scalars.count && scalars[low] == wanted ? Rank(truncatingIfNeeded: low) : Self.noRank
    }

    func append(_ rank: Rank, to list: inout BinaryPropertyListWriter) -> Reference {
        switch scalars[Int(rank)] {
        case .null: list.appendNull()
        case .false: list.append(false)
        case .true: list.append(true)
        case .integer(let value): list.append(value)
        case .real32(let real): list.append(Float(bitPattern: UInt32(truncatingIfNeeded: real.bits >> 32)))
        case .real64(let real): list.append(Double(bitPattern: real.bits))
        case .date(let real): list.append(date: Double(bitPattern: real.bits))
        case .data(let bytes): bytes.bytes.withBytes { list.append(data: $0) }
        case .string(let bytes): bytes.bytes.withBytes { list.append(utf8: $0) }
        }
    }
}

// MARK: - Scalars

extension CanonicalScalars {
    /// A scalar. Its order is that of the cases, then that of the values.
    private enum Scalar: Comparable {
        case null, `false`, `true`
        case integer(Int128)
        case real32(Real)
        case real64(Real)
        case date(Real)
        case data(Bytes)
        /// The UTF-8.
        case string(Bytes)

        /// The scalar of `node`; nil if it is not a scalar.
        init?(_ node: Node, in objects: NodeScanner) {
            switch node.kind {
            case .null: self = .null
            case .false: self = .false
            case .true: self = .true
            case .integer: self = .integer(objects.integer(node))
            case .real32: self = .real32(Real(UInt64(objects.real32(node).bitPattern) << 32))
            case .real64: self = .real64(Real(objects.real64(node).bitPattern))
            case .date: self = .date(Real(objects.real64(node).bitPattern))
            case .data: self = .data(Bytes(Array(objects.bytes(node))))
            case .ascii, .utf16: self = .string(Bytes(Array(objects.string(node).utf8)))
            case .uid, .array, .set, .dictionary: return nil
            }
        }

        var byteCount: Int {
            switch self {
            case .data(let bytes), .string(let bytes): bytes.bytes.count
            default: 0
            }
        }

        /// The bits of a real in the order of the reals: -NaN, -∞, …, -0.0, 0.0, …, ∞, NaN.
        struct Real: Comparable {
            let bits: UInt64

            init(_ bits: UInt64) { self.bits = bits }

            private var order: Int64 {
                let bits = Int64(bitPattern: bits)
                return bits < 0 ? bits ^ .max : bits
            }

            static func < (left: Self, right: Self) -> Bool { left.order < right.order }
        }

        /// Bytes in lexicographic order.
        struct Bytes: Comparable {
            let bytes: [UInt8]

            init(_ bytes: [UInt8]) { self.bytes = bytes }

            static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
        }
    }
}
