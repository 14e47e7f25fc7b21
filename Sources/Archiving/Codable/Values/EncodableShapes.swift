#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A type that the archive has a form of its own for: `encode(to:)` is not asked.
///
/// Array, Set, Dictionary and Optional conform where their elements are encodable. The standard library's own code for
/// them is not specialised, and cannot know NSArray, NSSet and NSDictionary.
protocol NativelyEncodable: SendableMetatype {
    /// Writes the value at `address` as a part of `encoder`.
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference

    /// What writes the values: the type itself, or something that is made for it.
    static var encodingForm: any NativelyEncodable.Type { get }
}

extension NativelyEncodable {
    static var encodingForm: any NativelyEncodable.Type { self }
}

/// Finds the types that the archive has forms of its own for.
enum NativeTypes {}

extension NativeTypes {
    /// What writes the values of `type`, where `encode(to:)` does not.
    static func encodable<Value: Encodable>(_ type: Value.Type) -> (any NativelyEncodable.Type)? {
        if let native = leafArray(type) { return native }
        // To find out that a type does not conform takes long, once for each protocol: there is one for all forms.
        if let native = type as? any NativelyEncodable.Type { return native.encodingForm }
        return unnamedEncodable(type)
    }

    /// Whether values of `type` surely hold no class instances, so that a copy is the value itself.
    static func holdNoInstances<Value>(_ type: Value.Type) -> Bool {
        _isPOD(type) || type is any EncodableLeaf.Type || leafArray(type) != nil || type == Data.self
            || type == URL.self
    }

    /// What writes arrays of `type` in a loop of its own: those of numbers and of strings.
    private static func leafArray(_ type: any Any.Type) -> (any NativelyEncodable.Type)? {
        if type == [String].self { return StringArray.self }
        if type == [Int].self { return NumberArrays.OfInt.self }
        if type == [Int8].self { return NumberArrays.OfInt8.self }
        if type == [Int16].self { return NumberArrays.OfInt16.self }
        if type == [Int32].self { return NumberArrays.OfInt32.self }
        if type == [Int64].self { return NumberArrays.OfInt64.self }
        if type == [UInt8].self { return NumberArrays.OfUInt8.self }
        if type == [UInt16].self { return NumberArrays.OfUInt16.self }
        if type == [UInt32].self { return NumberArrays.OfUInt32.self }
        if type == [Double].self { return NumberArrays.OfDouble.self }
        if type == [Float].self { return NumberArrays.OfFloat.self }
        return nil
    }
}

// MARK: - Scalars and strings

/// A type whose values are leaves: they need no encoder.
protocol EncodableLeaf: NativelyEncodable {
    /// What stands for the value: itself where a scalar may be inline, otherwise a uid.
    func reference(in graph: UnsafeMutablePointer<ArchiveGraph>, inline: Bool) -> ArchiveGraph.Reference
}

extension EncodableLeaf {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        address.assumingMemoryBound(to: Self.self).pointee.reference(in: encoder.graph, inline: inline)
    }
}

/// An integer type all of whose values fit in 64 bits with a sign.
protocol EncodableShortInteger: EncodableLeaf, FixedWidthInteger {}

extension EncodableShortInteger {
    func reference(in graph: UnsafeMutablePointer<ArchiveGraph>, inline: Bool) -> ArchiveGraph.Reference {
        graph.pointee.integer(Int64(truncatingIfNeeded: self), inline: inline)
    }
}

extension Int: EncodableShortInteger {}
extension Int8: EncodableShortInteger {}
extension Int16: EncodableShortInteger {}
extension Int32: EncodableShortInteger {}
extension Int64: EncodableShortInteger {}
extension UInt8: EncodableShortInteger {}
extension UInt16: EncodableShortInteger {}
extension UInt32: EncodableShortInteger {}

extension UInt: EncodableLeaf {
    func reference(in graph: UnsafeMutablePointer<ArchiveGraph>, inline: Bool) -> ArchiveGraph.Reference {
        graph.pointee.integer(UInt64(self), inline: inline)
    }
}

extension UInt64: EncodableLeaf {
    func reference(in graph: UnsafeMutablePointer<ArchiveGraph>, inline: Bool) -> ArchiveGraph.Reference {
        graph.pointee.integer(self, inline: inline)
    }
}

extension Int128: EncodableLeaf {
    func reference(in graph: UnsafeMutablePointer<ArchiveGraph>, inline: Bool) -> ArchiveGraph.Reference {
        graph.pointee.integer(self, inline: inline)
    }
}

extension UInt128: EncodableLeaf {
    func reference(in graph: UnsafeMutablePointer<ArchiveGraph>, inline: Bool) -> ArchiveGraph.Reference {
        graph.pointee.integer(self, inline: inline)
    }
}

extension Bool: EncodableLeaf {
    func reference(in graph: UnsafeMutablePointer<ArchiveGraph>, inline: Bool) -> ArchiveGraph.Reference {
        graph.pointee.boolean(self, inline: inline)
    }
}

extension Double: EncodableLeaf {
    func reference(in graph: UnsafeMutablePointer<ArchiveGraph>, inline: Bool) -> ArchiveGraph.Reference {
        graph.pointee.real(self, inline: inline)
    }
}

extension Float: EncodableLeaf {
    func reference(in graph: UnsafeMutablePointer<ArchiveGraph>, inline: Bool) -> ArchiveGraph.Reference {
        graph.pointee.real(self, inline: inline)
    }
}

extension String: EncodableLeaf {
    func reference(in graph: UnsafeMutablePointer<ArchiveGraph>, inline: Bool) -> ArchiveGraph.Reference {
        graph.pointee.string(self)
    }
}

// MARK: - Arrays of numbers

/// An array whose elements are written by one loop.
private protocol NumberArray: NativelyEncodable {
    associatedtype Number

    static func uid(of numbers: UnsafeBufferPointer<Number>, in graph: UnsafeMutablePointer<ArchiveGraph>)
        -> ArchiveGraph.Reference
}

extension NumberArray {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        address.assumingMemoryBound(to: [Number].self).pointee.withUnsafeBufferPointer {
            if let packed = encoder.packedReference(to: $0) { return packed }
            let graph = encoder.graph
            return $0.isEmpty ? graph.pointee.emptyArray() : uid(of: $0, in: graph)
        }
    }
}

private protocol IntegerArray: NumberArray where Number: FixedWidthInteger {}

extension IntegerArray {
    static func uid(
        of numbers: UnsafeBufferPointer<Number>, in graph: UnsafeMutablePointer<ArchiveGraph>
    ) -> ArchiveGraph.Reference {
        graph.pointee.array(ofIntegers: numbers)
    }
}

/// What writes arrays of numbers: a type for each element. A type that had the element as a parameter would run code that
/// does not know it, and asks for it at every step.
private enum NumberArrays {
    enum OfInt: IntegerArray { typealias Number = Int }
    enum OfInt8: IntegerArray { typealias Number = Int8 }
    enum OfInt16: IntegerArray { typealias Number = Int16 }
    enum OfInt32: IntegerArray { typealias Number = Int32 }
    enum OfInt64: IntegerArray { typealias Number = Int64 }
    enum OfUInt8: IntegerArray { typealias Number = UInt8 }
    enum OfUInt16: IntegerArray { typealias Number = UInt16 }
    enum OfUInt32: IntegerArray { typealias Number = UInt32 }

    enum OfDouble: NumberArray {
        static func uid(
            of numbers: UnsafeBufferPointer<Double>, in graph: UnsafeMutablePointer<ArchiveGraph>
        ) -> ArchiveGraph.Reference {
            graph.pointee.array(ofReals: numbers)
        }
    }

    enum OfFloat: NumberArray {
        static func uid(
            of numbers: UnsafeBufferPointer<Float>, in graph: UnsafeMutablePointer<ArchiveGraph>
        ) -> ArchiveGraph.Reference {
            graph.pointee.array(ofReals: numbers)
        }
    }
}

/// Arrays of strings: one loop without an encoder.
private enum StringArray: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        address.assumingMemoryBound(to: [String].self).pointee.withUnsafeBufferPointer {
            $0.isEmpty ? encoder.graph.pointee.emptyArray() : encoder.graph.pointee.array(ofStrings: $0)
        }
    }
}

// MARK: - Arrays and sets

extension ArchiveEncoding {
    /// The elements in `buffer` as an object of the class that `objectClass` tells.
    fileprivate func array<Element: Encodable>(
        of buffer: UnsafeBufferPointer<Element>, at step: CodingPathStep
    ) throws -> Reference {
        if let packed = packedReference(to: buffer) { return packed }
        guard let base = buffer.baseAddress, buffer.count > 0 else { return graph.pointee.emptyArray() }
        return try encodeElements(of: .array, at: step) { encoder in
            encoder.frame.pointee.entries.references.reserve(buffer.count)
            try encoder.addElements(
                UnsafeRawPointer(base), count: buffer.count, stride: MemoryLayout<Element>.stride,
                encoder.core.pointee.type(Element.self))
        }
    }

    /// Adds the `count` values of `type` that lie from `base` on, `stride` bytes apart.
    private func addElements(
        _ base: UnsafeRawPointer, count: Int, stride: Int, _ type: UnsafeMutablePointer<EncodingType>
    ) throws {
        let frame = frame
        for index in 0..<count {
            let element = try reference(
                toValueAt: base + index &* stride, type: type, at: .index(index), inline: false)
            frame.pointee.entries.append(element)
        }
    }
}

extension Array: NativelyEncodable where Element: Encodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try address.assumingMemoryBound(to: Self.self).pointee.withUnsafeBufferPointer {
            try encoder.array(of: $0, at: step)
        }
    }
}

extension ContiguousArray: NativelyEncodable where Element: Encodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try address.assumingMemoryBound(to: Self.self).pointee.withUnsafeBufferPointer {
            try encoder.array(of: $0, at: step)
        }
    }
}

extension Set: NativelyEncodable where Element: Encodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        if address.assumingMemoryBound(to: Self.self).pointee.isEmpty { return encoder.graph.pointee.emptySet() }
        return try encoder.encodeElements(of: .set, at: step) { encoder in
            let elements = address.assumingMemoryBound(to: Self.self).pointee
            encoder.frame.pointee.entries.references.reserve(elements.count)
            let type = encoder.core.pointee.type(Element.self)
            for (index, element) in elements.enumerated() {
                encoder.frame.pointee.entries.append(
                    try encoder.reference(to: element, type: type, at: .index(index), inline: false))
            }
        }
    }
}

// MARK: - Dictionaries

extension Dictionary: NativelyEncodable where Key: Encodable, Value: Encodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        if address.assumingMemoryBound(to: Self.self).pointee.isEmpty {
            return encoder.graph.pointee.emptyDictionary()
        }
        return try encoder.encodeElements(of: .dictionary, at: step) { encoder in
            let dictionary = address.assumingMemoryBound(to: Self.self).pointee
            encoder.frame.pointee.entries.references.reserve(2 * dictionary.count)
            let keyType = encoder.core.pointee.type(Key.self)
            let valueType = encoder.core.pointee.type(Value.self)
            for (key, value) in dictionary {
                let key = try encoder.reference(to: key, type: keyType, at: .root, inline: false)
                encoder.frame.pointee.entries.append(key)
                let step = CodingPathStep.dictionaryKey(key)
                encoder.frame.pointee.entries.append(
                    try encoder.reference(to: value, type: valueType, at: step, inline: false))
            }
        }
    }
}

// MARK: - Optionals

extension Optional: NativelyEncodable where Wrapped: Encodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        var reference = ArchiveGraph.null
        try address.assumingMemoryBound(to: BorrowedOptional<Wrapped>.self).pointee.withValue { value in
            let type = encoder.core.pointee.type(Wrapped.self)
            reference = try encoder.reference(toValueAt: value, type: type, at: step, inline: inline)
        }
        return reference
    }
}
