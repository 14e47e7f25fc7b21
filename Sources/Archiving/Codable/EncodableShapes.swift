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

/// Finds the types that the archive has forms of its own for.
enum NativeTypes {}

extension NativeTypes {
    /// What writes the values of `type`, where `encode(to:)` does not.
    static func encodable<Value: Encodable>(_ type: Value.Type) -> (any NativelyEncodable.Type)? {
        if let native = numericArray(type) ?? type as? any NativelyEncodable.Type { return native }
        return isIndexSet(type) ? IndexSetEncoding<Value>.self : nil
    }

    private static func numericArray(_ type: any Any.Type) -> (any NativelyEncodable.Type)? {
        if type == [Int].self { return IntegerArrayEncoding<Int>.self }
        if type == [Int8].self { return IntegerArrayEncoding<Int8>.self }
        if type == [Int16].self { return IntegerArrayEncoding<Int16>.self }
        if type == [Int32].self { return IntegerArrayEncoding<Int32>.self }
        if type == [Int64].self { return IntegerArrayEncoding<Int64>.self }
        if type == [UInt8].self { return IntegerArrayEncoding<UInt8>.self }
        if type == [UInt16].self { return IntegerArrayEncoding<UInt16>.self }
        if type == [UInt32].self { return IntegerArrayEncoding<UInt32>.self }
        if type == [Double].self { return DoubleArrayEncoding.self }
        if type == [Float].self { return FloatArrayEncoding.self }
        return nil
    }
}

// MARK: - Scalars

/// An integer type all of whose values fit in 64 bits with a sign.
protocol NativelyEncodableInteger: NativelyEncodable, FixedWidthInteger {}

extension NativelyEncodableInteger {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.integer(Int64(truncatingIfNeeded: address.load(as: Self.self)), inline: inline)
    }
}

extension Int: NativelyEncodableInteger {}
extension Int8: NativelyEncodableInteger {}
extension Int16: NativelyEncodableInteger {}
extension Int32: NativelyEncodableInteger {}
extension Int64: NativelyEncodableInteger {}
extension UInt8: NativelyEncodableInteger {}
extension UInt16: NativelyEncodableInteger {}
extension UInt32: NativelyEncodableInteger {}

extension UInt: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.integer(UInt64(address.load(as: Self.self)), inline: inline)
    }
}

extension UInt64: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.integer(address.load(as: Self.self), inline: inline)
    }
}

extension Int128: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.integer(address.load(as: Self.self), inline: inline)
    }
}

extension UInt128: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.integer(address.load(as: Self.self), inline: inline)
    }
}

extension Bool: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.boolean(address.load(as: Self.self), inline: inline)
    }
}

extension Double: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.real(address.load(as: Self.self), inline: inline)
    }
}

extension Float: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.real(address.load(as: Self.self), inline: inline)
    }
}

extension String: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.string(address.assumingMemoryBound(to: Self.self).pointee)
    }
}

// MARK: - Arrays of numbers

private enum IntegerArrayEncoding<Integer: FixedWidthInteger>: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        address.assumingMemoryBound(to: [Integer].self).pointee.withUnsafeBufferPointer {
            encoder.graph.pointee.array(ofIntegers: $0)
        }
    }
}

private enum DoubleArrayEncoding: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        address.assumingMemoryBound(to: [Double].self).pointee.withUnsafeBufferPointer {
            encoder.graph.pointee.array(ofReals: $0)
        }
    }
}

private enum FloatArrayEncoding: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        address.assumingMemoryBound(to: [Float].self).pointee.withUnsafeBufferPointer {
            encoder.graph.pointee.array(ofReals: $0)
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
            encoder.frame.pointee.references.reserve(buffer.count)
            let type = encoder.core.pointee.type(Element.self)
            for index in buffer.indices {
                let element = try encoder.reference(to: buffer[index], type: type, at: .index(index), inline: false)
                encoder.frame.pointee.append(element)
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

extension Set: NativelyEncodable where Element: Encodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try encoder.encodeElements(of: .set, at: step) { encoder in
            let elements = address.assumingMemoryBound(to: Self.self).pointee
            encoder.frame.pointee.references.reserve(elements.count)
            let type = encoder.core.pointee.type(Element.self)
            for (index, element) in elements.enumerated() {
                encoder.frame.pointee.append(
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
        try encoder.encodeElements(of: .dictionary, at: step) { encoder in
            let dictionary = address.assumingMemoryBound(to: Self.self).pointee
            encoder.frame.pointee.references.reserve(2 * dictionary.count)
            let keyType = encoder.core.pointee.type(Key.self)
            let valueType = encoder.core.pointee.type(Value.self)
            for (key, value) in dictionary {
                let key = try encoder.reference(to: key, type: keyType, at: .root, inline: false)
                encoder.frame.pointee.append(key)
                let step = CodingPathStep.dictionaryKey(key)
                encoder.frame.pointee.append(try encoder.reference(to: value, type: valueType, at: step, inline: false))
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
