// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The forms of Bool, the integers, Float, Double and String in archives, and of arrays of them.

// MARK: - Integers

extension Int: NumberLeaf {
    enum ArrayForm: NumberArray { typealias Number = Int }
}

extension Int8: NumberLeaf {
    enum ArrayForm: NumberArray { typealias Number = Int8 }
}

extension Int16: NumberLeaf {
    enum ArrayForm: NumberArray { typealias Number = Int16 }
}

extension Int32: NumberLeaf {
    enum ArrayForm: NumberArray { typealias Number = Int32 }
}

extension Int64: NumberLeaf {
    enum ArrayForm: NumberArray { typealias Number = Int64 }
}

extension UInt8: NumberLeaf {
    enum ArrayForm: NumberArray { typealias Number = UInt8 }
}

extension UInt16: NumberLeaf {
    enum ArrayForm: NumberArray { typealias Number = UInt16 }
}

extension UInt32: NumberLeaf {
    enum ArrayForm: NumberArray { typealias Number = UInt32 }
}

// A number above `Int64.max` has a form of its own, which the loop over arrays does not write.

extension UInt: NumberLeaf {
    enum ArrayForm: NumberArray { typealias Number = UInt }

    static var encodingFormOfArrays: (any NativelyEncodable.Type)? { nil }
}

extension UInt64: NumberLeaf {
    enum ArrayForm: NumberArray { typealias Number = UInt64 }

    static var encodingFormOfArrays: (any NativelyEncodable.Type)? { nil }
}

extension Int128: EncodableLeaf, DecodableLeaf {}
extension UInt128: EncodableLeaf, DecodableLeaf {}

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
    static func leaf(at offset: Int, in archive: ArchiveContents) -> Bool? { archive.booleanLeaf(at: offset) }
}

extension Double: NumberLeaf {
    enum ArrayForm: NumberArray { typealias Number = Double }

    static var form: NumberForm { NumberForm(realOfSize: 8) }
    var bits: UInt64 { bitPattern }

    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference { graph.real(self, inline: inline) }

    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Double {
        try decoder.double(value, at: step())
    }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents) -> Double? { archive.doubleLeaf(at: offset) }
}

extension Float: NumberLeaf {
    enum ArrayForm: NumberArray { typealias Number = Float }

    static var form: NumberForm { NumberForm(realOfSize: 4) }
    var bits: UInt64 { UInt64(bitPattern) }

    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference { graph.real(self, inline: inline) }

    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Float {
        try decoder.float(value, at: step())
    }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents) -> Float? { archive.floatLeaf(at: offset) }
}

extension String: EncodableLeaf, DecodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference { graph.string(self) }

    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> String {
        try decoder.string(value, at: step())
    }

    @inline(__always)
    static func leaf(at offset: Int, in archive: ArchiveContents) -> String? { archive.stringLeaf(at: offset) }
}
