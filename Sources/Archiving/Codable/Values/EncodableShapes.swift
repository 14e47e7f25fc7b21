#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A type for which archives have their own form. `encode(to:)` is not called.
///
/// Array, Set, Dictionary and Optional conform if their elements are encodable. The standard library's own code for
/// them is not specialised, and does not know NSArray, NSSet and NSDictionary.
protocol NativelyEncodable: SendableMetatype {
    /// Writes the value at `address` as a part of `encoder`.
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference

    /// The writer of the values: the type itself, or another type.
    static var encodingForm: any NativelyEncodable.Type { get }
    /// The writer of arrays of the type in a specialised loop, if there is one.
    static var encodingFormOfArrays: (any NativelyEncodable.Type)? { get }
    /// The writer of dictionaries from strings to the type in a specialised loop, if there is one.
    static var encodingFormOfDictionaries: (any NativelyEncodable.Type)? { get }
    /// Whether the values are numbers, strings, or arrays of these, which hold no references.
    static var isEncodableLeaf: Bool { get }
}

extension NativelyEncodable {
    static var encodingForm: any NativelyEncodable.Type { self }
    static var encodingFormOfArrays: (any NativelyEncodable.Type)? { nil }
    static var encodingFormOfDictionaries: (any NativelyEncodable.Type)? { nil }
    static var isEncodableLeaf: Bool { false }
}

/// Finds the types for which archives have their own forms.
enum NativeTypes {
    /// The prefixes of the qualified names of these types. A type in an extension of one of them has its own module as
    /// prefix.
    private static let nameStarts = [
        "Swift.", "FoundationEssentials.", "Foundation.", "__C.", "Archiving.", "ArchiveDocuments.",
    ]

    /// Returns whether `type` is declared in one of these modules. Most types conform to no such protocol, and a failed
    /// conformance lookup is slow.
    @inline(never)
    static func mayInclude(_ type: any Any.Type) -> Bool {
        let name = ClassRegistry.swiftName(of: type)
        return nameStarts.contains { name.hasPrefix($0) }
    }

    /// Returns the writer of the values of `type`, or nil if `encode(to:)` writes them.
    static func encodable<Value: Encodable>(_ type: Value.Type) -> (any NativelyEncodable.Type)? {
        guard mayInclude(type) else { return nil }
        // All forms share one protocol, so that one cast is enough.
        if let native = type as? any NativelyEncodable.Type { return native.encodingForm }
        if let deferred = type as? any DeferredEncodable.Type { return deferred.encodingForm }
        return unnamedEncodable(type)
    }

    /// Returns the writer of arrays of `type` in a specialised loop, if there is one.
    static func encodableArrays(of type: any Any.Type) -> (any NativelyEncodable.Type)? {
        mayInclude(type)
            ? (type as? any NativelyEncodable.Type)?.encodingFormOfArrays : RawValueTypes.encodableArrays(of: type)
    }

    /// Returns the writer of dictionaries from strings to `type` in a specialised loop, if there is one.
    static func encodableDictionaries(of type: any Any.Type) -> (any NativelyEncodable.Type)? {
        mayInclude(type) ? (type as? any NativelyEncodable.Type)?.encodingFormOfDictionaries : nil
    }

    /// Returns whether values of `type` certainly hold no class instances, so that a copy is the value itself.
    static func holdNoInstances<Value>(_ type: Value.Type) -> Bool {
        _isPOD(type) || type == Data.self || type == URL.self
            || (type as? any NativelyEncodable.Type)?.encodingForm.isEncodableLeaf == true
    }
}

// MARK: - Arrays and sets

extension ArchiveEncoding {
    /// Returns the reference to the elements in `buffer`, as an array.
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

    /// Adds the `count` values of `type` from `base` on, `stride` bytes apart.
    @inline(__always)
    private func addElements(
        _ base: UnsafeRawPointer, count: Int, stride: Int, _ type: UnsafeMutablePointer<EncodingType>
    ) throws {
        let frame = frame
        try core.pointee.countCollection(count)
        for index in 0..<count {
            try core.pointee.countElement(at: index)
            let element = try reference(
                toValueAt: base + index &* stride, type: type, at: .index(index), inline: false)
            frame.pointee.entries.append(element)
        }
    }
}

extension Array: NativelyEncodable where Element: Encodable {
    static var encodingForm: any NativelyEncodable.Type {
        NativeTypes.encodableArrays(of: Element.self) ?? self
    }

    static var encodingFormOfDictionaries: (any NativelyEncodable.Type)? {
        Element.self == String.self ? String.ListDictionaryForm.self : nil
    }

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
            try encoder.core.pointee.countCollection(elements.count)
            for (index, element) in elements.enumerated() {
                try encoder.core.pointee.countElement(at: index)
                encoder.frame.pointee.entries.append(
                    try encoder.reference(to: element, type: type, at: .index(index), inline: false))
            }
        }
    }
}

// MARK: - Dictionaries

extension Dictionary: NativelyEncodable where Key: Encodable, Value: Encodable {
    static var encodingForm: any NativelyEncodable.Type {
        Key.self == String.self ? NativeTypes.encodableDictionaries(of: Value.self) ?? self : self
    }

    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        if address.assumingMemoryBound(to: Self.self).pointee.isEmpty {
            return encoder.graph.pointee.emptyDictionary()
        }
        return try encoder.encodeElements(of: .dictionary, at: step) { encoder in
            let dictionary = address.assumingMemoryBound(to: Self.self).pointee
            encoder.frame.pointee.entries.references.reserve(2 * dictionary.count)
            var keys = DictionaryKeyEncoding<Key>(encoder)
            let valueType = encoder.core.pointee.type(Value.self)
            try encoder.core.pointee.countCollection(dictionary.count)
            for (index, (key, value)) in dictionary.enumerated() {
                try encoder.core.pointee.countElement(at: index)
                let key = try keys.reference(to: key, in: encoder)
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
        try withPresent(inOptionalAt: address, of: Wrapped.self) { value in
            let type = encoder.core.pointee.type(Wrapped.self)
            reference = try encoder.reference(toValueAt: value, type: type, at: step, inline: inline)
        }
        return reference
    }
}
