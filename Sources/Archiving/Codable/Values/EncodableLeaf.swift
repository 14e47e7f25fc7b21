/// A type whose values are leaves, which need no encoder.
protocol EncodableLeaf: NativelyEncodable {
    /// Returns the reference to the value: an inline scalar if that is possible, otherwise a uid.
    func reference(in graph: UnsafeMutablePointer<ArchiveGraph>, inline: Bool) -> ArchiveGraph.Reference
}

extension EncodableLeaf {
    static var isEncodableLeaf: Bool { true }

    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        address.assumingMemoryBound(to: Self.self).pointee.reference(in: encoder.graph, inline: inline)
    }
}

/// An integer type whose values all fit in a signed integer of 64 bits.
protocol EncodableShortInteger: EncodableLeaf, FixedWidthInteger {
    associatedtype ArrayForm: IntegerArray
}

extension EncodableShortInteger {
    static var encodingFormOfArrays: (any NativelyEncodable.Type)? { ArrayForm.self }

    func reference(in graph: UnsafeMutablePointer<ArchiveGraph>, inline: Bool) -> ArchiveGraph.Reference {
        graph.pointee.integer(Int64(truncatingIfNeeded: self), inline: inline)
    }
}

// MARK: - Arrays

/// A writer of arrays of numbers in one loop. Each element type has its own: a generic type would run unspecialised
/// code, with a lookup at every step.
protocol NumberArray: NativelyEncodable {
    associatedtype Element

    static func uid(of numbers: UnsafeBufferPointer<Element>, in graph: UnsafeMutablePointer<ArchiveGraph>)
        -> ArchiveGraph.Reference
}

extension NumberArray {
    static var isEncodableLeaf: Bool { true }

    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        address.assumingMemoryBound(to: [Element].self).pointee.withUnsafeBufferPointer {
            if let packed = encoder.packedReference(to: $0) { return packed }
            let graph = encoder.graph
            return $0.isEmpty ? graph.pointee.emptyArray() : uid(of: $0, in: graph)
        }
    }
}

protocol IntegerArray: NumberArray where Element: FixedWidthInteger {}

extension IntegerArray {
    static func uid(
        of numbers: UnsafeBufferPointer<Element>, in graph: UnsafeMutablePointer<ArchiveGraph>
    ) -> ArchiveGraph.Reference {
        graph.pointee.array(ofIntegers: numbers)
    }
}

/// A writer of arrays of strings in one loop without an encoder.
protocol StringArray: NativelyEncodable {}

extension StringArray {
    static var isEncodableLeaf: Bool { true }

    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        address.assumingMemoryBound(to: [String].self).pointee.withUnsafeBufferPointer {
            $0.isEmpty ? encoder.graph.pointee.emptyArray() : encoder.graph.pointee.array(ofStrings: $0)
        }
    }
}
