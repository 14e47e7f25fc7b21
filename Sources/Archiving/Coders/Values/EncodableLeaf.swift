// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A type whose values are leaves, which need no encoder.
protocol EncodableLeaf: NativelyEncodable where Encoded == Self {
    /// Returns the reference to the value: an inline scalar if that is possible, otherwise a uid.
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference
}

extension EncodableLeaf {
    static var isEncodableLeaf: Bool { true }
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
    static var isEncodableLeaf: Bool { true }

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

/// A writer of arrays of strings in one loop without an encoder.
protocol StringArray: NativelyEncodable where Encoded == [String] {}

extension StringArray {
    static var isEncodableLeaf: Bool { true }

    static func write(
        _ strings: [String], in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        strings.isEmpty ? encoding.graph.emptyArray() : encoding.graph.array(ofStrings: strings)
    }
}
