/// The distinct scalars of a property list, in an order that depends only on their values.
///
/// A scalar is an object without references: a number, a string, data, a date, a Boolean. Its *rank* is its position in the
/// order: Booleans, integers by value, reals by value, dates, data by their bytes, strings by their UTF-8. Numbers of different
/// types are different scalars: 1, true and 1.0 are three. Strings with the same text are equal, whatever their encoding in the
/// list.
struct CanonicalScalars: ~Copyable {
    typealias Rank = UInt32
    typealias Reference = BinaryPropertyListWriter.Reference

    /// The maximum number of objects, and of parts of objects, in a list, so that they fit into 32-bit tables.
    static let countLimit = Int(UInt32.max / 8)
    /// The rank of an object that is not a scalar.
    static let noRank = Rank.max

    struct Scalar: BitwiseCopyable {
        enum Kind: UInt8 {
            case null, `false`, `true`, integer, real32, real64, date, data, string
        }

        /// As much of the value as fits, in a form that preserves the order of values.
        var prefix: UInt64 = 0
        /// The position of the contents: an offset in the list or, for a transcoded string, in `transcoded`.
        var start: UInt32
        var byteCount: UInt32
        var reference: UInt32
        var kind: Kind
        var isTranscoded = false
    }

    private let objects: NodeScanner
    /// The scalars, by rank.
    private var scalars: [Scalar]
    /// The ranks, by reference.
    private var ranks: [Rank]
    /// The UTF-8 of strings that are not stored as ASCII.
    private var transcoded = ByteWriter(capacity: 16)
    /// The same bytes, after all scalars were read.
    private var transcodedBytes = StoredBytes.empty

    private init(_ list: BinaryPropertyListReader) {
        objects = list.objects
        scalars = []
        ranks = Array(repeating: Self.noRank, count: list.objectCount)
    }

    /// Reads the scalars of `list`.
    ///
    /// - Throws: `PropertyListError` if an object of the list is damaged, or the list is larger than the writer supports.
    /// - Complexity: O(*n* log *n*) comparisons, where *n* is the number of objects.
    static func read(_ list: BinaryPropertyListReader) throws(PropertyListError) -> CanonicalScalars {
        guard list.objectCount <= countLimit, list.objects.limit <= BinaryFormat.byteLimit else {
            throw PropertyListError(.tooLarge, at: 0)
        }
        let transcodedLimit = min(
            BinaryFormat.byteLimit, PropertyListLimits.expansion(ofByteCount: list.objects.limit))
        var scalars = CanonicalScalars(list)
        for reference in 0..<list.objectCount {
            guard var scalar = scalars.scalar(try list.node(reference)) else { continue }
            scalar.reference = UInt32(truncatingIfNeeded: reference)
            scalars.scalars.append(scalar)
            guard scalars.transcoded.count <= transcodedLimit else { throw PropertyListError(.tooLarge, at: 0) }
        }
        scalars.sort()
        return scalars
    }

    /// Sorts the scalars, and removes duplicates.
    private mutating func sort() {
        transcodedBytes = transcoded.takeBytes()
        let comparison = ScalarComparison(objects: objects, transcoded: transcodedBytes)
        scalars.sort { comparison.order($0, $1) < 0 }
        var count = 0
        for index in 0..<scalars.count {
            let scalar = scalars[index]
            if count == 0 || comparison.order(scalars[count - 1], scalar) != 0 {
                scalars[count] = scalar
                count += 1
            }
            ranks[Int(scalar.reference)] = Rank(truncatingIfNeeded: count - 1)
        }
        scalars.removeLast(scalars.count - count)
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
        rank != Self.noRank && scalars[Int(rank)].kind == .string
    }

    /// Returns the rank of the string `text`; `noRank` if there is none.
    ///
    /// - Complexity: O(log *n*).
    func rank(of text: String) -> Rank {
        let wanted = text.withUTF8Span { StoredBytes(copying: $0) }
        let comparison = ScalarComparison(objects: objects, transcoded: transcodedBytes)
        var low = 0
        var high = scalars.count
        while low < high {
            let middle = (low + high) / 2
            let isString = scalars[middle].kind == .string
            let order = isString ? ScalarComparison.order(comparison.bytes(scalars[middle]), wanted) : -1
            if order == 0 { return Rank(truncatingIfNeeded: middle) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return Self.noRank
    }

    /// Writes the scalar of `rank`.
    func append(_ rank: Rank, to list: inout BinaryPropertyListWriter) -> Reference {
        let scalar = scalars[Int(rank)]
        let comparison = ScalarComparison(objects: objects, transcoded: transcodedBytes)
        func node(_ kind: Node.Kind) -> Node {
            Node(kind: kind, count: Int(scalar.byteCount), payload: Int(scalar.start))
        }
        switch scalar.kind {
        case .null: return list.appendNull()
        case .false: return list.append(false)
        case .true: return list.append(true)
        case .integer: return list.append(objects.integer(node(.integer)))
        case .real32: return list.append(objects.real32(node(.real32)))
        case .real64: return list.append(objects.real64(node(.real64)))
        case .date: return list.append(date: objects.real64(node(.date)))
        case .data: return comparison.bytes(scalar).withBytes { list.append(data: $0) }
        case .string: return comparison.bytes(scalar).withBytes { list.append(utf8: $0) }
        }
    }
}

// MARK: - Reading

extension CanonicalScalars {
    /// Returns the scalar of `node`; `nil` if it is not a scalar.
    private mutating func scalar(_ node: Node) -> Scalar? {
        var scalar = Scalar(
            start: UInt32(truncatingIfNeeded: node.payload), byteCount: UInt32(truncatingIfNeeded: node.count),
            reference: 0, kind: .null)
        switch node.kind {
        case .null: break
        case .false: scalar.kind = .false
        case .true: scalar.kind = .true
        case .integer:
            scalar.kind = .integer
            scalar.prefix = UInt64(bitPattern: Int64(clamping: objects.integer(node))) ^ Self.signBit
        case .real32:
            scalar.kind = .real32
            // The conversion is exact and preserves the order.
            scalar.prefix = Self.ordered(UInt64(objects.real32(node).bitPattern) << 32)
        case .real64, .date:
            scalar.kind = node.kind == .date ? .date : .real64
            scalar.prefix = Self.ordered(objects.real64(node).bitPattern)
        case .data:
            scalar.kind = .data
            scalar.prefix = objects.bytes(node).withBytes { Self.prefix($0) }
        case .ascii, .utf16:
            scalar.kind = .string
            let bytes = objects.bytes(node)
            if node.kind == .utf16 || !bytes.withBytes({ $0.isASCII }) {
                transcode(node, to: &scalar)
            } else {
                scalar.prefix = bytes.withBytes { Self.prefix($0) }
            }
        case .uid, .array, .set, .dictionary: return nil
        }
        return scalar
    }

    private mutating func transcode(_ node: Node, to scalar: inout Scalar) {
        scalar.start = UInt32(truncatingIfNeeded: transcoded.count)
        let text = objects.string(node)
        transcoded.append(utf8: text)
        scalar.prefix = text.withUTF8Span { Self.prefix($0) }
        scalar.byteCount = UInt32(truncatingIfNeeded: transcoded.count) &- scalar.start
        scalar.isTranscoded = true
    }

    private static let signBit: UInt64 = 1 << 63

    /// Returns the bits of a real, changed so that their order is the order of the reals: -NaN, -∞, …, -0.0, 0.0, …, ∞, NaN.
    private static func ordered(_ bits: UInt64) -> UInt64 {
        bits & signBit != 0 ? ~bits : bits | signBit
    }

    /// Returns the first eight bytes as a big-endian number, padded with zeros.
    private static func prefix(_ bytes: RawSpan) -> UInt64 {
        if bytes.byteCount >= 8 { return bytes.bigEndian(UInt64.self, at: 0) }
        return (0..<8).reduce(0) { $0 << 8 | UInt64($1 < bytes.byteCount ? bytes[$1] : 0) }
    }
}

/// Compares scalars in place.
private struct ScalarComparison {
    let objects: NodeScanner
    let transcoded: StoredBytes

    /// Returns a negative number if `left` comes first, 0 if both are equal, and a positive number otherwise.
    @inline(__always)
    func order(_ left: CanonicalScalars.Scalar, _ right: CanonicalScalars.Scalar) -> Int {
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue ? -1 : 1 }
        if left.prefix != right.prefix { return left.prefix < right.prefix ? -1 : 1 }
        switch left.kind {
        case .null, .false, .true, .real32, .real64, .date: return 0
        case .integer: return order(ofIntegers: left, right)
        case .data, .string: return Self.order(bytes(left), bytes(right))
        }
    }

    func bytes(_ scalar: CanonicalScalars.Scalar) -> StoredBytes {
        let start = Int(scalar.start)
        return (scalar.isTranscoded ? transcoded : objects.bytes).part(start..<start + Int(scalar.byteCount))
    }

    /// If the prefixes are equal, the numbers are equal too, or both exceed 64 bits.
    private func order(ofIntegers left: CanonicalScalars.Scalar, _ right: CanonicalScalars.Scalar) -> Int {
        let first = objects.integer(Node(kind: .integer, count: Int(left.byteCount), payload: Int(left.start)))
        let second = objects.integer(Node(kind: .integer, count: Int(right.byteCount), payload: Int(right.start)))
        return first == second ? 0 : first < second ? -1 : 1
    }

    static func order(_ left: StoredBytes, _ right: StoredBytes) -> Int {
        let count = min(left.count, right.count)
        var offset = 0
        while offset &+ 8 <= count {
            let first = left.word(at: offset)
            let second = right.word(at: offset)
            if first != second { return first < second ? -1 : 1 }
            offset &+= 8
        }
        while offset < count {
            if left[offset] != right[offset] { return left[offset] < right[offset] ? -1 : 1 }
            offset &+= 1
        }
        return left.count - right.count
    }
}
