#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A type whose values are leaves: they need no decoder.
protocol DecodableLeaf: NativelyDecodable {
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> Self

    /// The value that lies at `offset` in its usual form; nil where there is another, about which `leaf(_:in:at:)` decides.
    static func leaf(at offset: Int, in archive: ArchiveContents) -> Self?
}

extension DecodableLeaf {
    static var isLeaf: Bool { true }

    static func leaf(at offset: Int, in archive: ArchiveContents) -> Self? { nil }
}

extension DecodableLeaf {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        address.initializeMemory(as: Self.self, to: try leaf(value, in: decoder, at: step))
    }
}

extension DecodableLeaf where Self: FixedWidthInteger {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> Self {
        try decoder.integer(value, at: step())
    }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents) -> Self? {
        archive.integerLeaf(at: offset)
    }
}

extension Int: DecodableLeaf {}
extension Int8: DecodableLeaf {}
extension Int16: DecodableLeaf {}
extension Int32: DecodableLeaf {}
extension Int64: DecodableLeaf {}
extension Int128: DecodableLeaf {}
extension UInt: DecodableLeaf {}
extension UInt8: DecodableLeaf {}
extension UInt16: DecodableLeaf {}
extension UInt32: DecodableLeaf {}
extension UInt64: DecodableLeaf {}
extension UInt128: DecodableLeaf {}

extension Bool: DecodableLeaf {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> Bool {
        try decoder.boolean(value, at: step())
    }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents) -> Bool? {
        archive.booleanLeaf(at: offset)
    }
}

extension Double: DecodableLeaf {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> Double {
        try decoder.double(value, at: step())
    }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents) -> Double? {
        archive.doubleLeaf(at: offset)
    }
}

extension Float: DecodableLeaf {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> Float {
        try decoder.float(value, at: step())
    }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents) -> Float? {
        archive.floatLeaf(at: offset)
    }
}

extension String: DecodableLeaf {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> String {
        try decoder.string(value, at: step())
    }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents) -> String? {
        archive.stringLeaf(at: offset)
    }
}

/// Arrays of leaves: one loop, specialised for the element.
protocol LeafArrayDecoding: NativelyDecodable {
    associatedtype Element: DecodableLeaf
}

extension LeafArrayDecoding {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        let result =
            try fewElements(of: value, in: decoder, at: step)
            ?? decoder.with(nil, value, step) { try array(in: $0) }
        address.initializeMemory(as: [Element].self, to: result)
    }

    /// Elements from which on an array is worth looking them up together.
    private static var worthwhile: Int { 8 }

    /// The elements of a short array, if it and all of them have their usual form: there are many such arrays, and a decoder
    /// for each costs more than what is in it.
    private static func fewElements(
        of value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> [Element]? {
        let archive = decoder.archive
        guard let elements = archive.usualElements(of: value), elements.count < worthwhile else { return nil }
        let bytesBefore = archive.meter?.pointee.bytes
        var result: [Element] = []
        // The initialiser of an array for so many elements is not specialised, and looks up its type; this is.
        result.reserveCapacity(elements.count)
        for position in 0..<elements.count {
            guard let offset = archive.leafOffset(elements.reference(position, in: archive)),
                let element = Element.leaf(at: offset, in: archive)
            else {
                // The strings in front of it are counted when they are decoded with the others.
                if let bytesBefore { archive.meter?.pointee.takeBack(to: bytesBefore) }
                return nil
            }
            result.append(element)
        }
        try decoder.checkRoom(step)
        try decoder.countVisits(elements.count)
        return result
    }

    private static func array(in decoder: ArchiveDecoding) throws -> [Element] {
        guard let elements = try decoder.elementsUnlessPacked() else { return try decoder.packedElements() }
        try decoder.countVisits(elements.count)
        let archive = decoder.archive
        return try [Element](unsafeUninitializedCapacity: elements.count) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            if let leaves = LeafOffsets(elements, in: archive) {
                return try decode(leaves, of: elements, in: decoder, into: base, &count)
            }
            while count < elements.count { try decode(elements, in: decoder, into: base, &count) }
        }
    }

    @inline(__always)
    private static func decode(
        _ leaves: LeafOffsets, of elements: ArchivedElements, in decoder: ArchiveDecoding,
        into base: UnsafeMutablePointer<Element>, _ count: inout Int
    ) throws {
        var leaves = leaves
        let archive = decoder.archive
        try withUnsafeTemporaryAllocation(of: Int.self, capacity: LeafOffsets.blockSize) { buffer in
            guard let block = buffer.baseAddress else { return }
            while count < elements.count {
                let blockCount = min(LeafOffsets.blockSize, elements.count &- count)
                leaves.load(blockCount, into: block)
                var index = 0
                while index < blockCount {
                    let target = base + count
                    var usual = 0
                    while index < blockCount, block[index] != 0,
                        let element = Element.leaf(at: block[index], in: archive)
                    {
                        (target + usual).initialize(to: element)
                        usual &+= 1
                        index &+= 1
                    }
                    count &+= usual
                    if index < blockCount {
                        try decode(elements, in: decoder, into: base, &count)
                        index &+= 1
                    }
                }
            }
        }
    }

    /// Decodes the element at `count`, whatever its form.
    @inline(never)
    private static func decode(
        _ elements: ArchivedElements, in decoder: ArchiveDecoding, into base: UnsafeMutablePointer<Element>,
        _ count: inout Int
    ) throws {
        let value = try decoder.resolve(elements.reference(count, in: decoder.archive), at: .index(count))
        (base + count).initialize(to: try Element.leaf(value, in: decoder, at: .index(count)))
        count &+= 1
    }
}

/// What reads arrays of leaves: a type for each element. A type that had the element as a parameter would run code that does
/// not know it, and asks for it at every step.
enum LeafArrays {
    enum OfInt: LeafArrayDecoding { typealias Element = Int }
    enum OfInt8: LeafArrayDecoding { typealias Element = Int8 }
    enum OfInt16: LeafArrayDecoding { typealias Element = Int16 }
    enum OfInt32: LeafArrayDecoding { typealias Element = Int32 }
    enum OfInt64: LeafArrayDecoding { typealias Element = Int64 }
    enum OfUInt: LeafArrayDecoding { typealias Element = UInt }
    enum OfUInt8: LeafArrayDecoding { typealias Element = UInt8 }
    enum OfUInt16: LeafArrayDecoding { typealias Element = UInt16 }
    enum OfUInt32: LeafArrayDecoding { typealias Element = UInt32 }
    enum OfUInt64: LeafArrayDecoding { typealias Element = UInt64 }
    enum OfDouble: LeafArrayDecoding { typealias Element = Double }
    enum OfFloat: LeafArrayDecoding { typealias Element = Float }
    enum OfString: LeafArrayDecoding { typealias Element = String }
    enum OfData: LeafArrayDecoding { typealias Element = Data }
    enum OfDate: LeafArrayDecoding { typealias Element = Date }
    enum OfURL: LeafArrayDecoding { typealias Element = URL }
    enum OfUUID: LeafArrayDecoding { typealias Element = UUID }
}
