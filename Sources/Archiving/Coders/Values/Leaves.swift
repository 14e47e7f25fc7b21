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

extension EncodableLeaf where Self: FixedWidthInteger {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        graph.integer(self, inline: inline)
    }
}

/// A type whose values are leaves, which need no decoder.
protocol DecodableLeaf: NativelyDecodable {
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Self

    /// Returns the value at `offset` if it has its usual form, or nil. `leaf(_:in:at:)` decodes other forms.
    static func leaf(at offset: Int, in archive: ArchiveContents) -> Self?
}

extension DecodableLeaf {
    static var isLeaf: Bool { true }

    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Self {
        try leaf(value, in: decoder, at: step)
    }

    static func leaf(at offset: Int, in archive: ArchiveContents) -> Self? { nil }
}

extension DecodableLeaf where Self: FixedWidthInteger {
    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Self {
        try decoder.integer(value, at: step())
    }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents) -> Self? { archive.integerLeaf(at: offset) }
}

// MARK: - Arrays of numbers

/// A type of numbers whose arrays are written and read by one loop for all types.
protocol NumberLeaf: EncodableLeaf, DecodableLeaf, BitwiseCopyable {
    associatedtype ArrayForm: NumberArray where ArrayForm.Number == Self

    static var form: NumberForm { get }
    /// The bits of the number, as `NumberForm` has them.
    var bits: UInt64 { get }
}

extension NumberLeaf {
    static var encodingFormOfArrays: (any NativelyEncodable.Type)? { ArrayForm.self }
    static var decodingFormOfArrays: (any NativelyDecodable.Type)? { ArrayForm.self }
}

extension NumberLeaf where Self: FixedWidthInteger {
    static var form: NumberForm { NumberForm(integer: Self.self) }
    var bits: UInt64 { UInt64(truncatingIfNeeded: self) }
}

/// The form of arrays of a type of numbers. Each type has its own, in which only the array itself depends on the type: a
/// generic type would run unspecialised code.
protocol NumberArray: CodedShape where Encoded == [Number], Decoded == [Number] {
    associatedtype Number: NumberLeaf
}

extension NumberArray {
    static func write(
        _ numbers: [Number], in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        let graph = encoding.graph
        if numbers.isEmpty { return graph.emptyArray() }
        return numbers.withSpan { numbers in
            numbers.withBytes { graph.array(of: $0, count: numbers.count, Number.form) }
        }
    }

    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> [Number] {
        let elements = try decoder.leafElements(of: value, at: step)
        return try [Number](numbers: elements.count) { numbers in
            try decoder.readNumbers(elements, of: value, at: step, Number.form, into: &numbers) {
                try Number.leaf($0, in: $1, at: $2).bits
            }
        }
    }
}

// MARK: - Arrays of strings

extension String {
    enum ArrayForm: CodedShape {
        static func write(
            _ strings: [String], in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
        ) -> ArchiveGraph.Reference {
            strings.isEmpty ? encoding.graph.emptyArray() : encoding.graph.array(ofStrings: strings)
        }

        static func read(
            _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
        ) throws -> [String] {
            let elements = try decoder.leafElements(of: value, at: step)
            var strings: [String] = []
            // The array initializer with a capacity is not specialised and looks up its type; this call is specialised.
            strings.reserveCapacity(elements.count)
            let archive = decoder.archive
            try decoder.readLeaves(elements, of: value, at: step, into: &strings) { strings, offset in
                guard let string = archive.stringLeaf(at: offset) else { return false }
                strings.append(string)
                return true
            } other: {
                $0.append(try leaf($1, in: $2, at: $3))
            }
            return strings
        }
    }

    static var encodingFormOfArrays: (any NativelyEncodable.Type)? { ArrayForm.self }
    static var decodingFormOfArrays: (any NativelyDecodable.Type)? { ArrayForm.self }
}

// MARK: - Reading

extension DecodingFrame {
    /// Returns the elements of `value`, an array of leaves, and counts them.
    @inline(never)
    fileprivate func leafElements(of value: ArchivedValue, at step: CodingPathStep) throws -> ArchivedElements {
        if let elements = usualElements(of: value) {
            try countFewElements(elements.count, at: step)
            return elements
        }
        return try with(nil, value, step) { decoder in
            let elements = try decoder.elements(of: decoder.value, at: .root)
            try decoder.countVisits(elements.count)
            return elements
        }
    }

    /// Reads `elements`, those of the array `value`, into an array of numbers. `other` returns the bits of a number in another
    /// form than the usual one.
    @inline(never)
    fileprivate func readNumbers(
        _ elements: ArchivedElements, of value: ArchivedValue, at step: CodingPathStep, _ form: NumberForm,
        into numbers: inout NumberFilling, other: (ArchivedValue, DecodingFrame, CodingPathStep) throws -> UInt64
    ) throws {
        let archive = archive
        try readLeaves(elements, of: value, at: step, into: &numbers) { numbers, offset in
            guard let bits = archive.numberLeaf(at: offset, form) else { return false }
            numbers.append(bits)
            return true
        } other: {
            $0.append(try other($1, $2, $3))
        }
    }

    /// Reads `elements`, those of the array `value`, into `leaves`. `usual` appends the leaf at an offset, or returns false if it
    /// has another form, which `other` appends.
    @inline(__always)
    fileprivate func readLeaves<Leaves: ~Copyable>(
        _ elements: ArchivedElements, of value: ArchivedValue, at step: CodingPathStep, into leaves: inout Leaves,
        usual: (inout Leaves, _ offset: Int) -> Bool,
        other: (inout Leaves, ArchivedValue, DecodingFrame, CodingPathStep) throws -> Void
    ) throws {
        let archive = archive
        let count = elements.count
        var index = 0
        // Leaves in their usual form need no decoder, which would cost more than those of a short array.
        while index < count, let offset = archive.leafOffset(elements.reference(index, in: archive)),
            usual(&leaves, offset)
        {
            index &+= 1
        }
        guard index < count else { return }
        try with(nil, value, step) { decoder in
            while index < count {
                let reference = elements.reference(index, in: archive)
                if let offset = archive.leafOffset(reference), usual(&leaves, offset) {
                } else {
                    let step = CodingPathStep.index(index)
                    try other(&leaves, try decoder.resolve(reference, at: step), decoder, step)
                }
                index &+= 1
            }
        }
    }

    @inline(never)
    func usualElements(of value: ArchivedValue) -> ArchivedElements? { archive.usualElements(of: value) }

    /// Counts the elements of an array that is read without a decoder.
    @inline(never)
    func countFewElements(_ count: Int, at step: CodingPathStep) throws {
        try checkRoom(step)
        try countVisits(count)
    }
}
