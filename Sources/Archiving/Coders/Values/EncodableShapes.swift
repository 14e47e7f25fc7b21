// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
    associatedtype Encoded = Self

    static func write(
        _ value: Encoded, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference

    /// The writer of the values: the type itself, or another type.
    static var encodingForm: any NativelyEncodable.Type { get }
    /// The writer of arrays of the type in a specialised loop, if there is one.
    static var encodingFormOfArrays: (any NativelyEncodable.Type)? { get }
    /// Whether the values are leaves, which nest nothing in the value that has them.
    static var nestsNothing: Bool { get }
}

extension NativelyEncodable {
    static var encodingForm: any NativelyEncodable.Type { self }
    static var encodingFormOfArrays: (any NativelyEncodable.Type)? { nil }
    static var nestsNothing: Bool { false }
}

/// A type of another product whose values a frame writes.
package protocol FrameEncodable: Encodable {
    static func encoded(
        _ value: Self, in frame: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference
}

extension FrameEncodable {
    fileprivate static var encodingForm: any NativelyEncodable.Type { FrameEncoding<Self>.self }
}

private enum FrameEncoding<Value: FrameEncodable>: NativelyEncodable {
    static func write(
        _ value: Value, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try Value.encoded(value, in: encoding, at: step, inline: inline)
    }
}

/// A type that writes and reads values of another type.
typealias CodedShape = NativelyEncodable & NativelyDecodable

/// Names for source files that have only conformances, which casts find.
///
/// A linker takes an object of a static library only if other code names something in it. So each of these files declares a type
/// here, and the file of the cast has a list of these types (`scripts/check-static-linking`).
package enum LinkedFiles {}

/// Finds the types for which archives have their own forms.
enum NativeTypes {
    /// The prefixes of the qualified names of these types. A type in an extension of one of them has its own module as
    /// prefix.
    private static let nameStarts = [
        "Swift.", "FoundationEssentials.", "Foundation.", "__C.", "Archiving.", "ArchiveDocuments.", "AttributedTexts.",
    ]

    /// Returns whether `type` is declared in one of these modules. Most types conform to no such protocol, and a failed
    /// conformance lookup is slow.
    @inline(never)
    static func mayInclude(_ type: any Any.Type) -> Bool {
        let name = ClassRegistry.swiftName(of: type)
        return nameStarts.contains { name.hasPrefix($0) }
    }

    /// The leaves of the standard library and of Foundation, which need no look-up, and arrays of strings.
    private static let leaves: [any CodedShape.Type] = [
        String.self, [String].self, Int.self, Double.self, Bool.self, Data.self, Date.self, UUID.self, URL.self,
        Decimal.self,
        Float.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self, UInt16.self,
        UInt32.self, UInt64.self, UInt128.self, DateInterval.self, DateComponents.self, Calendar.self, TimeZone.self,
        Locale.self, IndexPath.self,
    ]

    static func leaf(_ type: any Any.Type) -> (any CodedShape.Type)? { leaves.first { $0 == type } }

    /// Returns the writer of the values of `type`, or nil if `encode(to:)` writes them.
    static func encodable<Value: Encodable>(_ type: Value.Type) -> (any NativelyEncodable.Type)? {
        if let leaf = leaf(type) { return leaf.encodingForm }
        guard mayInclude(type) else { return nil }
        // All forms share one protocol, so that one cast is enough.
        if let native = type as? any NativelyEncodable.Type { return native.encodingForm }
        if let other = type as? any FrameEncodable.Type { return other.encodingForm }
        return unnamed(type)
    }

    /// Returns whether values of `type` certainly hold no class instances, so that a copy is the value itself.
    static func holdNoInstances<Value>(_ type: Value.Type) -> Bool { _isPOD(type) || leaf(type) != nil }
}

// MARK: - Arrays and sets

extension EncodingFrame {
    func collection<Element: Encodable>(
        of elements: Span<Element>, as objectClass: EncodedObject.Class, at step: CodingPathStep
    ) throws -> Reference {
        if elements.isEmpty { return objectClass == .set ? graph.emptySet() : graph.emptyArray() }
        return try encodeElements(of: objectClass, at: step) { encoding in
            let type = try encoding.beginElements(elements.count, of: Element.self)
            try elements.forEachInPlace { element, index in
                try encoding.add(element, type, at: index)
            }
        }
    }

    /// Counts the elements that are added next, and returns the record of their type.
    fileprivate func beginElements<Element: Encodable>(_ count: Int, of type: Element.Type) throws -> EncodingType {
        entries.references.reserve(count)
        try session.countCollection(count)
        return session.type(type)
    }

    @inline(__always)
    fileprivate func add<Element: Encodable>(_ element: borrowing Element, _ type: EncodingType, at index: Int) throws {
        try session.countElement(at: index)
        entries.append(try reference(to: element, type: type, at: .index(index), inline: false))
    }
}

extension Array: NativelyEncodable where Element: Encodable {
    static var encodingForm: any NativelyEncodable.Type { NativeTypes.leaf(Element.self)?.encodingFormOfArrays ?? self }

    static func write(
        _ value: [Element], in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try value.withSpan { try encoding.collection(of: $0, as: .array, at: step) }
    }
}

extension ContiguousArray: NativelyEncodable where Element: Encodable {
    static func write(
        _ value: ContiguousArray, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try Array.write(Array(value), in: encoding, at: step, inline: inline)
    }
}

extension Set: NativelyEncodable where Element: Encodable {
    static func write(
        _ elements: Set, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        if elements.isEmpty { return encoding.graph.emptySet() }
        return try encoding.encodeElements(of: .set, at: step) { encoding in
            let type = try encoding.beginElements(elements.count, of: Element.self)
            var index = 0
            for element in elements {
                try encoding.add(element, type, at: index)
                index += 1
            }
        }
    }
}

// MARK: - Dictionaries

extension Dictionary: NativelyEncodable where Key: Encodable, Value: Encodable {
    static var encodingForm: any NativelyEncodable.Type {
        Key.self == String.self && Value.self == String.self ? StringDictionaryForm.self : self
    }

    static func write(
        _ dictionary: Dictionary, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        if dictionary.isEmpty { return encoding.graph.emptyDictionary() }
        return try encoding.encodeElements(of: .dictionary, at: step) { encoding in
            encoding.entries.references.reserve(2 * dictionary.count)
            var keys = DictionaryKeyEncoding<Key>(encoding)
            let valueType = encoding.session.type(Value.self)
            try encoding.session.countCollection(dictionary.count)
            var index = 0
            for (key, value) in dictionary {
                try encoding.session.countElement(at: index)
                let key = try keys.reference(to: key, at: index, in: encoding)
                encoding.entries.append(key)
                let step = keys.areNames ? .dictionaryKey(key) : encoding.session.step(toValueOf: key, at: index)
                encoding.entries.append(try encoding.reference(to: value, type: valueType, at: step, inline: false))
                index += 1
            }
        }
    }
}

// MARK: - Optionals

extension Optional: NativelyEncodable where Wrapped: Encodable {
    static func write(
        _ value: Wrapped?, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        var reference = ArchiveGraph.null
        try withPresent(value) { reference = try encoding.reference(to: $0, at: step, inline: inline) }
        return reference
    }
}

/// Calls `body` with the value in `optional`, if there is one, in place.
///
/// Any other access to an optional of a generic type copies it first, with a type lookup.
@inline(__always)
func withPresent<Value: ~Copyable>(_ optional: borrowing Value?, _ body: (borrowing Value) throws -> Void) rethrows {
    switch optional {
    case .none: break
    case .some(let value): try body(value)
    }
}
