/// A type whose values are leaves, which need no decoder.
protocol DecodableLeaf: NativelyDecodable {
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> Self

    /// Returns the value at `offset` if it has its usual form, or nil. `leaf(_:in:at:)` decodes other forms.
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

// MARK: - Arrays

/// A leaf whose arrays are read in one loop.
protocol DecodableArrayElement: DecodableLeaf {
    associatedtype ArrayForm: LeafArrayDecoding
}

extension DecodableArrayElement {
    static var decodingFormOfArrays: (any NativelyDecodable.Type)? { ArrayForm.self }
}

/// A reader of arrays of leaves in one loop. Each element type has its own, as for `NumberArray`.
protocol LeafArrayDecoding: NativelyDecodable {
    associatedtype Element: DecodableLeaf
}

extension LeafArrayDecoding {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        address.initializeMemory(as: [Element].self, to: try elements(of: value, in: decoder, at: step))
    }

    /// Returns the elements of `value`.
    static func elements(
        of value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> [Element] {
        if let few = try fewElements(of: value, in: decoder, at: step) { return few }
        var elements: [Element] = []
        try decoder.withContainer(value, step) { elements = try array(in: $0) }
        return elements
    }

    /// Returns the elements of a short array if it and all of them have their usual form. Such arrays are common, and a
    /// decoder for each costs more than their elements.
    private static func fewElements(
        of value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> [Element]? {
        try withUnsafeTemporaryAllocation(of: Int.self, capacity: ArchiveDecoding.fewElements) { offsets in
            guard let base = offsets.baseAddress, let count = decoder.offsets(ofFewElements: value, into: base) else {
                return nil
            }
            let archive = decoder.archive
            let bytesBefore = archive.meter?.bytes
            var result: [Element] = []
            // The array initializer with a capacity is not specialised and looks up its type; this call is specialised.
            result.reserveCapacity(count)
            for position in 0..<count {
                guard let element = Element.leaf(at: base[position], in: archive) else {
                    // The general path decodes and counts the preceding strings again.
                    if let bytesBefore { archive.meter?.takeBack(to: bytesBefore) }
                    return nil
                }
                result.append(element)
            }
            try decoder.countFewElements(count, at: step)
            return result
        }
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

    /// Decodes the element at `count`, in any form.
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

// Shared by the arrays of all leaf types.

extension ArchiveDecoding {
    /// The number of elements from which a lookup in blocks is faster.
    static var fewElements: Int { 8 }

    /// Stores the offsets of the elements of the short array `value` at `offsets`.
    ///
    /// - Returns: Their number; nil if the array has many elements, or if it or an element does not have its usual
    ///   form.
    @inline(never)
    fileprivate func offsets(ofFewElements value: ArchivedValue, into offsets: UnsafeMutablePointer<Int>) -> Int? {
        let contents = archive
        guard let elements = contents.usualElements(of: value), elements.count < Self.fewElements else {
            return nil
        }
        for position in 0..<elements.count {
            let reference = elements.reference(position, in: contents)
            guard let offset = contents.leafOffset(reference) else { return nil }
            offsets[position] = offset
        }
        return elements.count
    }

    /// Counts a short array and its elements.
    @inline(never)
    fileprivate func countFewElements(_ count: Int, at step: CodingPathStep) throws {
        try checkRoom(step)
        try countVisits(count)
    }

    /// Calls `body` with a decoder for the container `value`.
    @inline(never)
    func withContainer(
        _ value: ArchivedValue, _ step: CodingPathStep, _ body: (ArchiveDecoding) throws -> Void
    ) throws {
        try with(nil, value, step, body)
    }
}
