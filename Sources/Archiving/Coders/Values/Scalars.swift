// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The forms of Bool, the integers, Float, Double and String in archives, and of arrays of them.

// MARK: - Integers

extension Int: EncodableShortInteger, DecodableArrayElement {
    enum ArrayForm: IntegerArray, LeafArrayDecoding { typealias Element = Int }
}

extension Int8: EncodableShortInteger, DecodableArrayElement {
    enum ArrayForm: IntegerArray, LeafArrayDecoding { typealias Element = Int8 }
}

extension Int16: EncodableShortInteger, DecodableArrayElement {
    enum ArrayForm: IntegerArray, LeafArrayDecoding { typealias Element = Int16 }
}

extension Int32: EncodableShortInteger, DecodableArrayElement {
    enum ArrayForm: IntegerArray, LeafArrayDecoding { typealias Element = Int32 }
}

extension Int64: EncodableShortInteger, DecodableArrayElement {
    enum ArrayForm: IntegerArray, LeafArrayDecoding { typealias Element = Int64 }
}

extension UInt8: EncodableShortInteger, DecodableArrayElement {
    enum ArrayForm: IntegerArray, LeafArrayDecoding { typealias Element = UInt8 }
}

extension UInt16: EncodableShortInteger, DecodableArrayElement {
    enum ArrayForm: IntegerArray, LeafArrayDecoding { typealias Element = UInt16 }
}

extension UInt32: EncodableShortInteger, DecodableArrayElement {
    enum ArrayForm: IntegerArray, LeafArrayDecoding { typealias Element = UInt32 }
}

extension UInt: EncodableLeaf, DecodableArrayElement {
    enum ArrayForm: LeafArrayDecoding { typealias Element = UInt }

    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        graph.integer(UInt64(self), inline: inline)
    }
}

extension UInt64: EncodableLeaf, DecodableArrayElement {
    enum ArrayForm: LeafArrayDecoding { typealias Element = UInt64 }

    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        graph.integer(self, inline: inline)
    }
}

extension Int128: EncodableLeaf, DecodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        graph.integer(self, inline: inline)
    }
}

extension UInt128: EncodableLeaf, DecodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        graph.integer(self, inline: inline)
    }
}

// MARK: - Bool, real numbers and strings

extension Bool: EncodableLeaf, DecodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        graph.boolean(self, inline: inline)
    }

    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Bool {
        try decoder.boolean(value, at: step())
    }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents, _ numbers: NumberReader) -> Bool? {
        archive.booleanLeaf(at: offset)
    }
}

extension Double: EncodableLeaf, DecodableArrayElement {
    enum ArrayForm: NumberArray, LeafArrayDecoding {
        typealias Element = Double

        static func uid(of numbers: Span<Double>, in graph: ArchiveGraph) -> ArchiveGraph.Reference {
            graph.array(ofReals: numbers)
        }
    }

    static var encodingFormOfArrays: (any NativelyEncodable.Type)? { ArrayForm.self }
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference { graph.real(self, inline: inline) }

    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Double {
        try decoder.double(value, at: step())
    }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents, _ numbers: NumberReader) -> Double? {
        numbers.real64(at: offset)
    }
}

extension Float: EncodableLeaf, DecodableArrayElement {
    enum ArrayForm: NumberArray, LeafArrayDecoding {
        typealias Element = Float

        static func uid(of numbers: Span<Float>, in graph: ArchiveGraph) -> ArchiveGraph.Reference {
            graph.array(ofReals: numbers)
        }
    }

    static var encodingFormOfArrays: (any NativelyEncodable.Type)? { ArrayForm.self }
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference { graph.real(self, inline: inline) }

    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Float {
        try decoder.float(value, at: step())
    }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents, _ numbers: NumberReader) -> Float? {
        numbers.real32(at: offset)
    }
}

extension String: EncodableLeaf, DecodableArrayElement {
    enum ArrayForm: LeafArrayDecoding { typealias Element = String }

    static var encodingFormOfArrays: (any NativelyEncodable.Type)? { ArrayForm.self }
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference { graph.string(self) }

    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> String {
        try decoder.string(value, at: step())
    }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents, _ numbers: NumberReader) -> String? {
        offset == 0 ? nil : archive.stringLeaf(at: offset)
    }
}
