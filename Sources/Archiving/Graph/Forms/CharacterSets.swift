// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

package enum ArchivedCharacters {
    /// One of Foundation's own sets. The bitmap, if there is one, is that of the final set.
    case builtIn(Int, bitmap: [UInt8]?)
    case range(Range<Int>)
    case string(ArchivedValue)
    case bitmap([UInt8])
    case unknown
}

extension ArchivedCharacters {
    package static var scalars: Range<Int> { 0..<0x11_0000 }

    /// Cocoa's numbers for the sets that GNUstep numbers 0, 1 and so on.
    fileprivate static var builtInSets: [Int] { [10, 1, 4, 9, 12, 5, 6, 8, 11, 14, 7, 3, 2, 13, 15] }

    /// Whether the members are a bitmap that is stored inverted, if the set is.
    fileprivate var isFinal: Bool { if case .builtIn(_, _?) = self { true } else { false } }
}

extension ArchiveContents {
    package func characters(
        _ value: ArchivedValue
    ) throws(KeyedArchiveError) -> (members: ArchivedCharacters, isInverted: Bool)? {
        var entries = entries(of: value)
        let isInverted = try entries.boolean("NSIsInverted") ?? false
        for key in ["NSBuiltinID", "NSBuiltinID2"] as [StaticString] {
            guard let number = try entries.integer(key), number != 0 else { continue }
            guard number > 0 else { throw entries.damaged(key, "the number of a character set") }
            // With a bitmap, writers use this key: `NSIsInverted` would invert the bitmap again, which is stored inverted.
            let isNumberInverted = try entries.boolean("NSIsInverted2") ?? false
            return (.builtIn(number, bitmap: try bitmap(&entries)), isInverted || isNumberInverted)
        }
        if let packed = try entries.integer("NSRange", as: Int64.self) {
            // The location is in the upper 32 bits, the length in the lower 32 bits.
            let start = Int(UInt32(truncatingIfNeeded: packed >> 32))
            let length = Int(UInt32(truncatingIfNeeded: packed))
            let end = ArchivedCharacters.scalars.upperBound
            guard start <= end, length <= end - start else {
                throw entries.damaged("NSRange", "a range of Unicode scalars")
            }
            return (.range(start..<start + length), isInverted)
        }
        for key in ["NSString", "NSStringObject"] as [StaticString] {
            if let text = try entries[key], !text.isNull { return (.string(text), isInverted) }
        }
        if let bitmap = try bitmap(&entries) { return (.bitmap(bitmap), isInverted) }
        guard let first = try entries["$0"], !first.isNull else { return nil }
        guard first.node.kind == .integer, let index = try entries.integer("$0") else {
            // GNUstep's other sets are bitmaps.
            guard let bytes = try entries.copiedBytes("$0") else { return nil }
            return (.bitmap(bytes), false)
        }
        guard index >= 0 else { throw entries.damaged("$0", "the number of a character set") }
        guard index < ArchivedCharacters.builtInSets.count else { return (.unknown, false) }
        return (.builtIn(ArchivedCharacters.builtInSets[index], bitmap: nil), false)
    }

    private func bitmap(_ entries: inout ObjectEntries) throws(KeyedArchiveError) -> [UInt8]? {
        if let bytes = try entries.copiedBytes("NSBitmap") { return bytes }
        return try entries.copiedBytes("NSBitmapObject")
    }
}

// MARK: - Bitmaps

/// The members of a character set as bits, in Foundation's form: 8192 bytes for the first plane, and for each other plane
/// with members its number and 8192 bytes.
struct CharacterBitmap {
    private static var planeSize: Int { 0x1_0000 / 8 }
    private static var planeCount: Int { 17 }
    /// A longer string would take about as much space as a bitmap, and more time.
    private static var stringLimit: Int { 256 }

    /// The number of bytes that count as one decoded value, for the limit of a decoding's work.
    static var bytesPerVisit: Int { 64 }

    private var planes: [UInt8]

    private init() { planes = [UInt8](repeating: 0, count: Self.planeCount * Self.planeSize) }

    init(_ range: Range<Int>) {
        self.init()
        for scalar in range { insert(scalar) }
    }

    init(_ scalars: String.UnicodeScalarView) {
        self.init()
        for scalar in scalars { insert(Int(scalar.value)) }
    }

    init?(_ bytes: some Collection<UInt8>) {
        self.init()
        let size = Self.planeSize
        // GNUstep has the planes one after another, without numbers. The end may be cut off in the first plane.
        if bytes.count <= size || bytes.count % size == 0 && bytes.count <= planes.count {
            planes.replaceSubrange(0..<bytes.count, with: bytes)
            return
        }
        guard bytes.count % (size + 1) == size else { return nil }
        planes.replaceSubrange(0..<size, with: bytes.prefix(size))
        var rest = bytes.dropFirst(size)
        var last = 0
        while let plane = rest.first {
            guard Int(plane) > last, Int(plane) < Self.planeCount else { return nil }
            last = Int(plane)
            planes.replaceSubrange(last * size..<(last + 1) * size, with: rest.dropFirst().prefix(size))
            rest = rest.dropFirst(size + 1)
        }
    }

    private mutating func insert(_ scalar: Int) { planes[scalar >> 3] |= 1 << UInt8(scalar & 7) }

    mutating func invert() {
        for index in planes.indices { planes[index] = ~planes[index] }
    }

    var bytes: [UInt8] {
        let size = Self.planeSize
        var bytes = [UInt8](planes.prefix(size))
        for plane in 1..<Self.planeCount {
            let members = planes[plane * size..<(plane + 1) * size]
            guard members.contains(where: { $0 != 0 }) else { continue }
            bytes.append(UInt8(plane))
            bytes += members
        }
        return bytes
    }

    enum ShortForm {
        case range(Range<Int>)
        case string(String)
    }

    /// The members as a range, if there is only one, or as a short string; `nil` if the bitmap is the shortest form.
    var shortForm: ShortForm? {
        let count = planes.reduce(0) { $0 + $1.nonzeroBitCount }
        guard count > 0, let firstByte = planes.firstIndex(where: { $0 != 0 }),
            let lastByte = planes.lastIndex(where: { $0 != 0 })
        else { return .range(0..<0) }
        let first = firstByte * 8 + planes[firstByte].trailingZeroBitCount
        let last = lastByte * 8 + 7 - planes[lastByte].leadingZeroBitCount
        if last - first + 1 == count { return .range(first..<last + 1) }
        guard count <= Self.stringLimit else { return nil }
        var text = String.UnicodeScalarView()
        for byte in firstByte...lastByte where planes[byte] != 0 {
            for bit in 0..<8 where planes[byte] & 1 << UInt8(bit) != 0 {
                // A string has no surrogates, and one in XML no control characters.
                guard let scalar = Unicode.Scalar(UInt32(byte * 8 + bit)), XMLCharacters.include(scalar) else {
                    return nil
                }
                text.append(scalar)
            }
        }
        return .string(String(text))
    }
}

// MARK: - As the value of a CharacterSet

extension CharacterBitmap: CocoaParts {
    static var cocoaClass: CocoaClass { .characterSet }
    /// A set can be much larger than its form in the archive.
    var visits: Int { bytes.count / Self.bytesPerVisit }

    init<Value: Codable>(of value: Value) throws {
        guard case .data(let bytes)? = try EncodedParts(of: value).list.first?.part, let bitmap = Self(bytes) else {
            throw UnwritableValue.unknownParts(value)
        }
        self = bitmap
    }

    func value<Value: Codable>(as type: Value.Type) throws -> Value? {
        try EncodedParts([("bitmap", .data(Data(bytes)))]).value(of: type)
    }

    func object(in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        let entry: (key: String, value: ArchiveGraph.Reference)
        switch shortForm {
        case .range(let range):
            let packed = Int64(range.lowerBound) << 32 | Int64(range.count)
            entry = ("NSRange", graph.integer(packed, inline: true))
        case .string(let text): entry = ("NSString", graph.list.append(text))
        case nil: entry = ("NSBitmap", graph.dataInLine(bytes))
        }
        return graph.object("NSCharacterSet", [entry])
    }

    static func read(_ value: ArchivedValue, in contents: ArchiveContents) throws -> CharacterBitmap? {
        guard let (members, isInverted) = try contents.characters(value) else { return nil }
        var bitmap: CharacterBitmap
        switch members {
        case .range(let range): bitmap = CharacterBitmap(range)
        case .string(let text): bitmap = CharacterBitmap(try contents.requiredText(text).unicodeScalars)
        case .bitmap(let bytes), .builtIn(_, let bytes?): bitmap = try checked(bytes, value)
        case .builtIn(let number, nil):
            guard let bytes = LoadedFoundation.bitmap(ofCharacterSet: number) else {
                throw KeyedArchiveError.invalid(
                    value,
                    "Found Foundation's character set \(number), whose members are not in the archive. This program cannot look"
                        + " them up: it needs the full Foundation as a dynamic library, and the set has to be one of 1 to 15"
                )
            }
            bitmap = try checked(bytes, value)
        case .unknown: throw OtherContents(found: "a character set of GNUstep's own")
        }
        if isInverted, !members.isFinal { bitmap.invert() }
        return bitmap
    }

    /// CharacterSet reads its own form without checking it.
    static func ownForm(from decoder: any Decoder) throws -> CharacterBitmap? {
        struct OwnForm: Decodable {
            var bitmap: Data
        }
        return try checked(OwnForm(from: decoder).bitmap)
    }

    private static func checked(
        _ bytes: some Collection<UInt8>, _ value: ArchivedValue? = nil
    ) throws(KeyedArchiveError) -> CharacterBitmap {
        if let bitmap = CharacterBitmap(bytes) { return bitmap }
        throw .invalid(value, "Found a character set whose bitmap has another form than planes of 8192 bytes")
    }
}
