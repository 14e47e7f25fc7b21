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
}

extension EncodingFacts {
    /// What writes the values of `type`, where `encode(to:)` does not.
    static func nativeWriter<Value: Encodable>(for type: Value.Type) -> ValueWriter? {
        if let writer = scalarWriter(for: type) ?? numericArrayWriter(for: type) { return writer }
        if let native = type as? any NativelyEncodable.Type {
            return { try native.write(valueAt: $0, in: $1, at: $2, inline: $3) }
        }
        return nil
    }

    private static func scalarWriter(for type: any Any.Type) -> ValueWriter? {
        if type == Int.self { return integerWriter(Int.self) }
        if type == Int8.self { return integerWriter(Int8.self) }
        if type == Int16.self { return integerWriter(Int16.self) }
        if type == Int32.self { return integerWriter(Int32.self) }
        if type == Int64.self { return integerWriter(Int64.self) }
        if type == UInt8.self { return integerWriter(UInt8.self) }
        if type == UInt16.self { return integerWriter(UInt16.self) }
        if type == UInt32.self { return integerWriter(UInt32.self) }
        if type == UInt.self {
            return { $1.graph.pointee.integer(UInt64($0.load(as: UInt.self)), inline: $3) }
        }
        if type == UInt64.self { return { $1.graph.pointee.integer($0.load(as: UInt64.self), inline: $3) } }
        if type == Int128.self { return { $1.graph.pointee.integer($0.load(as: Int128.self), inline: $3) } }
        if type == UInt128.self { return { $1.graph.pointee.integer($0.load(as: UInt128.self), inline: $3) } }
        if type == Bool.self { return { $1.graph.pointee.boolean($0.load(as: Bool.self), inline: $3) } }
        if type == Double.self { return { $1.graph.pointee.real($0.load(as: Double.self), inline: $3) } }
        if type == Float.self { return { $1.graph.pointee.real($0.load(as: Float.self), inline: $3) } }
        if type == String.self {
            return { address, encoder, _, _ in
                encoder.graph.pointee.string(address.assumingMemoryBound(to: String.self).pointee)
            }
        }
        return nil
    }

    private static func integerWriter<Integer: FixedWidthInteger & Sendable>(_: Integer.Type) -> ValueWriter {
        { address, encoder, _, inline in
            encoder.graph.pointee.integer(Int64(truncatingIfNeeded: address.load(as: Integer.self)), inline: inline)
        }
    }

    private static func numericArrayWriter(for type: any Any.Type) -> ValueWriter? {
        if type == [Int].self { return integerArrayWriter(Int.self) }
        if type == [Int8].self { return integerArrayWriter(Int8.self) }
        if type == [Int16].self { return integerArrayWriter(Int16.self) }
        if type == [Int32].self { return integerArrayWriter(Int32.self) }
        if type == [Int64].self { return integerArrayWriter(Int64.self) }
        if type == [UInt8].self { return integerArrayWriter(UInt8.self) }
        if type == [UInt16].self { return integerArrayWriter(UInt16.self) }
        if type == [UInt32].self { return integerArrayWriter(UInt32.self) }
        if type == [Double].self {
            return { address, encoder, _, _ in
                address.assumingMemoryBound(to: [Double].self).pointee.withUnsafeBufferPointer {
                    encoder.graph.pointee.array(ofReals: $0)
                }
            }
        }
        if type == [Float].self {
            return { address, encoder, _, _ in
                address.assumingMemoryBound(to: [Float].self).pointee.withUnsafeBufferPointer {
                    encoder.graph.pointee.array(ofReals: $0)
                }
            }
        }
        return nil
    }

    private static func integerArrayWriter<Integer: FixedWidthInteger & Sendable>(_: Integer.Type) -> ValueWriter {
        { address, encoder, _, _ in
            address.assumingMemoryBound(to: [Integer].self).pointee.withUnsafeBufferPointer {
                encoder.graph.pointee.array(ofIntegers: $0)
            }
        }
    }
}

// MARK: - Arrays and sets

extension ArchiveEncoding {
    /// The elements in `buffer` as an object of the class that `objectClass` tells.
    fileprivate func array<Element: Encodable>(
        of buffer: UnsafeBufferPointer<Element>, at step: CodingPathStep
    ) throws -> Reference {
        try encodeElements(of: .array, at: step) { encoder in
            encoder.reserveElements(buffer.count)
            let type = encoder.session.type(Element.self)
            for index in buffer.indices {
                let element = try encoder.reference(to: buffer[index], type: type, at: .index(index), inline: false)
                encoder.append(element)
            }
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

extension ArraySlice: NativelyEncodable where Element: Encodable {
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
        try encoder.encodeElements(of: .set, at: step) { encoder in
            let elements = address.assumingMemoryBound(to: Self.self).pointee
            encoder.reserveElements(elements.count)
            let type = encoder.session.type(Element.self)
            for (index, element) in elements.enumerated() {
                encoder.append(try encoder.reference(to: element, type: type, at: .index(index), inline: false))
            }
        }
    }
}

// MARK: - Dictionaries

extension Dictionary: NativelyEncodable where Key: Encodable, Value: Encodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try encoder.encodeElements(of: .dictionary, at: step) { encoder in
            let dictionary = address.assumingMemoryBound(to: Self.self).pointee
            encoder.reserveElements(2 * dictionary.count)
            let keyType = encoder.session.type(Key.self)
            let valueType = encoder.session.type(Value.self)
            for (key, value) in dictionary {
                let key = try encoder.reference(to: key, type: keyType, at: .root, inline: false)
                encoder.append(key)
                let step = CodingPathStep.dictionaryKey(key)
                encoder.append(try encoder.reference(to: value, type: valueType, at: step, inline: false))
            }
        }
    }
}

// MARK: - Optionals

extension Optional: NativelyEncodable where Wrapped: Encodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        guard let value = address.assumingMemoryBound(to: Self.self).pointee else { return ArchiveGraph.null }
        return try encoder.reference(to: value, at: step, inline: inline)
    }
}
