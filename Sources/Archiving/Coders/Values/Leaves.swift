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
        if let few = try fewNumbers(of: value, in: decoder, at: step) { return few }
        let elements = try decoder.leafElements(of: value, at: step)
        return try [Number](numbers: elements.count) { numbers in
            try decoder.readNumbers(elements, of: value, at: step, Number.form, into: &numbers) {
                try Number.leaf($0, in: $1, at: $2).bits
            }
        }
    }

    /// Returns the elements of a short array if it and all of them have their usual form. Such arrays are common, and the general
    /// way costs more than their elements.
    private static func fewNumbers(
        of value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> [Number]? {
        guard let elements = decoder.usualElements(of: value), elements.count < DecodingFrame.fewElements else {
            return nil
        }
        let archive = decoder.archive
        var result: [Number] = []
        // The array initializer with a capacity is not specialised and looks up its type; this call is specialised.
        result.reserveCapacity(elements.count)
        for position in 0..<elements.count {
            guard let offset = archive.leafOffset(elements.reference(position, in: archive)),
                let number = Number.leaf(at: offset, in: archive)
            else { return nil }
            result.append(number)
        }
        try decoder.countFewElements(elements.count, at: step)
        return result
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
    /// The number of elements from which on an array of numbers is read by the loop for all types.
    static var fewElements: Int { 8 }

    /// Returns the elements of `value`, an array of leaves, and counts them.
    @inline(never)
    fileprivate func leafElements(of value: ArchivedValue, at step: CodingPathStep) throws -> ArchivedElements {
        if let elements = archive.usualElements(of: value) {
            if elements.count < Self.fewElements { try checkRoom(step) }
            try countVisits(elements.count)
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
        let reader = archive.list.numbers
        try readLeaves(elements, of: value, at: step, into: &numbers) { numbers, offset in
            guard let bits = reader.number(at: offset, form) else { return false }
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
        if count < Self.fewElements {
            // Leaves in their usual form need no decoder, which costs more than those of a short array.
            while index < count, let offset = archive.leafOffset(elements.reference(index, in: archive)),
                usual(&leaves, offset)
            {
                index &+= 1
            }
            if index == count { return }
        }
        try with(nil, value, step) { decoder in
            func readOther(_ index: Int) throws {
                let step = CodingPathStep.index(index)
                let value = try decoder.resolve(elements.reference(index, in: archive), at: step)
                try other(&leaves, value, decoder, step)
            }
            if index == 0, var offsets = LeafOffsets(elements, in: archive) {
                try decoder.session.offsets.withSpan { block in
                    while index < count {
                        let blockCount = min(LeafOffsets.blockSize, count &- index)
                        offsets.load(blockCount, into: &block)
                        for position in 0..<blockCount
                        where block[position] == 0 || !usual(&leaves, block[position]) {
                            try readOther(index &+ position)
                        }
                        index &+= blockCount
                    }
                }
            }
            while index < count {
                try readOther(index)
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
