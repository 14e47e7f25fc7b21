// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A type whose values are leaves, which need no encoder.
protocol EncodableLeaf: NativelyEncodable where Encoded == Self {
    /// Returns the reference to the value: an inline scalar if that is possible, otherwise a uid.
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference
}

extension EncodableLeaf {
    static var nestsNothing: Bool { true }

    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        value.reference(in: encoding.graph, inline: inline)
    }
}

/// An integer type whose values all fit in a signed integer of 64 bits.
protocol EncodableShortInteger: EncodableLeaf, FixedWidthInteger {
    associatedtype ArrayForm: IntegerArray
}

extension EncodableShortInteger {
    static var encodingFormOfArrays: (any NativelyEncodable.Type)? { ArrayForm.self }

    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        graph.integer(Int64(truncatingIfNeeded: self), inline: inline)
    }
}

// MARK: - Arrays

/// A writer of arrays of numbers in one loop. Each element type has its own: a generic type would run unspecialised
/// code, with a lookup at every step.
protocol NumberArray: NativelyEncodable where Encoded == [Element] {
    associatedtype Element: BitwiseCopyable

    static func uid(of numbers: Span<Element>, in graph: ArchiveGraph) -> ArchiveGraph.Reference
}

extension NumberArray {
    static func write(
        _ numbers: [Element], in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        let graph = encoding.graph
        return numbers.withSpan { numbers in
            numbers.isEmpty ? graph.emptyArray() : uid(of: numbers, in: graph)
        }
    }
}

protocol IntegerArray: NumberArray where Element: FixedWidthInteger {}

extension IntegerArray {
    static func uid(of numbers: Span<Element>, in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        graph.array(ofIntegers: numbers)
    }
}

extension String.ArrayForm: NativelyEncodable {
    static func write(
        _ strings: [String], in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        strings.isEmpty ? encoding.graph.emptyArray() : encoding.graph.array(ofStrings: strings)
    }
}

/// A type whose values are leaves, which need no decoder.
protocol DecodableLeaf: NativelyDecodable {
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Self

    /// Returns the value at `offset` if it has its usual form, or nil. `leaf(_:in:at:)` decodes other forms. There is no value at
    /// offset 0.
    ///
    /// - Parameter numbers: Those of the archive, which a loop over many values has in registers.
    static func leaf(at offset: Int, in archive: ArchiveContents, _ numbers: NumberReader) -> Self?
}

extension DecodableLeaf {
    static var isLeaf: Bool { true }

    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Self {
        try leaf(value, in: decoder, at: step)
    }

    static func leaf(at offset: Int, in archive: ArchiveContents, _ numbers: NumberReader) -> Self? { nil }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents) -> Self? {
        leaf(at: offset, in: archive, archive.list.numbers)
    }
}

extension DecodableLeaf where Self: FixedWidthInteger {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Self {
        try decoder.integer(value, at: step())
    }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents, _ numbers: NumberReader) -> Self? {
        numbers.shortInteger(at: offset).flatMap { Self(exactly: $0) }
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
protocol LeafArrayDecoding: NativelyDecodable where Decoded == [Element] {
    associatedtype Element: DecodableLeaf
}

extension LeafArrayDecoding {
    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> [Element] {
        if let few = try fewElements(of: value, in: decoder, at: step) { return few }
        let references = try decoder.elements(of: value, at: step)
        var elements: [Element] = []
        try decoder.withContainer(value, step) { elements = try array(of: references, in: $0) }
        return elements
    }

    /// Returns the elements of a short array if it and all of them have their usual form. Such arrays are common, and a
    /// decoder for each costs more than their elements.
    private static func fewElements(
        of value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> [Element]? {
        guard let elements = decoder.usualElements(of: value), elements.count < DecodingFrame.fewElements else {
            return nil
        }
        let archive = decoder.archive
        let mark = archive.meter?.mark
        var result: [Element] = []
        // The array initializer with a capacity is not specialised and looks up its type; this call is specialised.
        result.reserveCapacity(elements.count)
        for position in 0..<elements.count {
            guard let offset = archive.leafOffset(elements.reference(position, in: archive)),
                let element = Element.leaf(at: offset, in: archive)
            else {
                // The general path decodes and counts the preceding strings again.
                if let mark { archive.meter?.takeBack(to: mark) }
                return nil
            }
            result.append(element)
        }
        try decoder.countFewElements(elements.count, at: step)
        return result
    }

    private static func array(
        of elements: ArchivedElements, in decoder: DecodingFrame
    ) throws -> [Element] {
        try decoder.countVisits(elements.count)
        return try [Element](filling: elements.count) { filling in
            if var leaves = LeafOffsets(elements, in: decoder.archive) {
                return try decode(&leaves, of: elements, in: decoder, into: &filling)
            }
            while filling.count < elements.count { try decodeNext(of: elements, in: decoder, into: &filling) }
        }
    }

    @inline(__always)
    private static func decode(
        _ leaves: inout LeafOffsets, of elements: ArchivedElements, in decoder: DecodingFrame,
        into filling: inout ArrayFilling<Element>
    ) throws {
        let archive = decoder.archive
        let numbers = archive.list.numbers
        try decoder.session.offsets.withSpan { block in
            while filling.count < elements.count {
                let blockCount = min(LeafOffsets.blockSize, elements.count &- filling.count)
                leaves.load(blockCount, into: &block)
                var index = 0
                while index < blockCount {
                    index = filling.append(block, blockCount, from: index) {
                        Element.leaf(at: $0, in: archive, numbers)
                    }
                    guard index < blockCount else { break }
                    try decodeNext(of: elements, in: decoder, into: &filling)
                    index &+= 1
                }
            }
        }
    }

    @inline(never)
    private static func decodeNext(
        of elements: ArchivedElements, in decoder: DecodingFrame, into filling: inout ArrayFilling<Element>
    ) throws {
        let step = CodingPathStep.index(filling.count)
        let value = try decoder.resolve(elements.reference(filling.count, in: decoder.archive), at: step)
        filling.append(try Element.leaf(value, in: decoder, at: step))
    }
}

// Shared by the arrays of all leaf types.

extension DecodingFrame {
    /// The number of elements from which a lookup in blocks is faster.
    static var fewElements: Int { 8 }

    @inline(never)
    func usualElements(of value: ArchivedValue) -> ArchivedElements? { archive.usualElements(of: value) }

    @inline(never)
    func countFewElements(_ count: Int, at step: CodingPathStep) throws {
        try checkRoom(step)
        try countVisits(count)
    }

    @inline(never)
    fileprivate func withContainer(
        _ value: ArchivedValue, _ step: CodingPathStep, _ body: (DecodingFrame) throws -> Void
    ) throws {
        try with(nil, value, step, body)
    }
}
