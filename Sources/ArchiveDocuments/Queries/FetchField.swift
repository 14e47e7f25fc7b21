// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The element that a predicate is evaluated for.
final class FetchElement<Element>: FetchExpression<Element> {
    override var text: String { "element" }

    override func object(_ reader: FetchReader) throws -> FetchedObject {
        guard let element = reader.element else { throw FetchDoubt.error }
        return .stored(element)
    }
}

/// A property of an object.
final class FetchField<Root, Output>: FetchExpression<Output> {
    private let root: FetchNode
    private let isOfElement: Bool
    private let keyPath: KeyPath<Root, Output>
    private let number: Int
    /// Reads the value; nil for references to objects, and for values that are not read in place.
    private let leaf: FetchLeaf<Output>?
    private let key: String?

    init(_ root: FetchNode, _ keyPath: KeyPath<Root, Output>, _ translation: FetchTranslation) {
        self.root = root
        isOfElement = root is FetchElement<Root>
        self.keyPath = keyPath
        number = translation.add(FetchProperty(keyPath: keyPath))
        leaf = FetchLeaf<Output>.make()
        key = StoredClass.field(keyPath, declaredBy: Root.self)?.keys[0]
    }

    private var isReference: Bool {
        Output.self is AnyClass || (Output.self as? any FetchOptionalType.Type)?.isReference == true
    }

    override var text: String { (isOfElement ? "" : root.text + ".") + (key ?? "(an undeclared property)") }

    override var doubts: [String] {
        if key == nil { return root.doubts + ["a property of \(Root.self) that its fields do not declare"] }
        return root.doubts + (leaf != nil || isReference ? [] : ["the type \(Output.self)"])
    }

    /// The number of the property among those of the translation.
    override var property: Int? { isOfElement && key != nil ? number : nil }

    /// The position of the field in the last elements of the class with this number, and the reference of its key.
    private var layoutNumber = 0
    private var position = 0
    private var keyReference = -1

    @inline(__always)
    private func find<Result>(
        _ reader: FetchReader, _ live: (Root) throws -> Result, _ present: (Int) throws -> Result,
        absent: (Output) throws -> Result
    ) throws -> Result {
        if isOfElement, reader.layoutNumber == layoutNumber, position < reader.count,
            reader.list.reference(position, in: reader.payload) == keyReference
        {
            return try present(reader.list.reference(reader.count &+ position, in: reader.payload))
        }
        return try findOther(reader, live, present, absent)
    }

    @inline(never)
    private func findOther<Result>(
        _ reader: FetchReader, _ live: (Root) throws -> Result, _ present: (Int) throws -> Result,
        _ absent: (Output) throws -> Result
    ) throws -> Result {
        let object: StoredObject
        switch try root.object(reader) {
        case .none: throw FetchDoubt.error
        case .live(let instance):
            guard let instance = instance as? Root else { throw FetchDoubt.error }
            return try live(instance)
        case .stored(let stored): object = stored
        }
        guard let place = object.layout.places[number] else { throw FetchDoubt.error }
        let (node, list) = (object.node, reader.list)
        guard let position = place.find(in: node, of: reader.contents) else {
            if reader.contents.excess != nil { throw FetchDoubt.error }
            return try absent(place.absentValue(keyPath, object.layout))
        }
        if isOfElement {
            let reference = list.reference(position, in: node.payload)
            if reader.contents.isStoredKey(reference, place.field.keys[0]) {
                (layoutNumber, self.position, keyReference) = (reader.layoutNumber, position, reference)
            }
        }
        return try present(list.reference(node.count &+ position, in: node.payload))
    }

    override func value(_ reader: FetchReader) throws -> Output {
        guard let leaf else {
            return try find(reader, { $0[keyPath: keyPath] }, { _ in throw FetchDoubt.error }, absent: { $0 })
        }
        return try find(reader, { $0[keyPath: keyPath] }, { try leaf.value($0, reader) }, absent: { $0 })
    }

    override func reference(_ reader: FetchReader) throws -> Int? {
        try find(reader, { _ in nil }, { $0 }, absent: { _ in nil })
    }

    override func isNil(_ reader: FetchReader) throws -> Bool {
        guard isReference else { return try super.isNil(reader) }
        if case .none = try object(reader) { return true }
        return false
    }

    override func object(_ reader: FetchReader) throws -> FetchedObject {
        guard let type = Self.objectType else { throw FetchDoubt.error }
        return try find(
            reader, { try Self.object($0[keyPath: keyPath]) }, { try reader.object($0, as: type) },
            absent: { try Self.object($0) })
    }

    private static var objectType: (any Any.Type)? {
        Output.self is AnyClass ? Output.self : (Output.self as? any FetchOptionalType.Type)?.wrapped
    }

    private static func object(_ value: Output) throws -> FetchedObject {
        if Output.self is AnyClass { return .live(value as AnyObject) }
        guard let optional = value as? any FetchOptional else { throw FetchDoubt.error }
        return optional.instance.map { .live($0) } ?? .none
    }
}

/// An optional type, as a metatype.
protocol FetchOptionalType {
    static var isReference: Bool { get }
    static var wrapped: any Any.Type { get }
    /// The reader of values of the type; nil if they are not read in place.
    static var leaf: AnyObject? { get }
}

extension Optional: FetchOptionalType {
    static var isReference: Bool { Wrapped.self is AnyClass }
    static var wrapped: any Any.Type { Wrapped.self }
    static var leaf: AnyObject? { FetchLeaf<Wrapped>.make().map { OptionalLeaf($0) } }
}

// MARK: - Values

/// Reads the values of a field in place, as the decoder would decode them.
class FetchLeaf<Value> {
    func value(_ reference: Int, _ reader: FetchReader) throws -> Value { throw FetchDoubt.error }

    /// Returns the reader of values of the type; nil if they are not read in place.
    static func make() -> FetchLeaf<Value>? {
        if let type = Value.self as? any FetchOptionalType.Type { return type.leaf as? FetchLeaf<Value> }
        if let type = Value.self as? any FetchLeafValue.Type { return type.anyLeaf as? FetchLeaf<Value> }
        guard !(Value.self is AnyClass), let type = Value.self as? any (RawRepresentable & Decodable).Type else {
            return nil
        }
        return rawLeaf(type) as? FetchLeaf<Value>
    }

    private static func rawLeaf<Raw: RawRepresentable & Decodable>(_ type: Raw.Type) -> AnyObject? {
        Raw.RawValue.self is any FetchLeafValue.Type ? RawValueLeaf<Raw>() : nil
    }
}

/// A type whose values are read in place.
protocol FetchLeafValue {
    static var anyLeaf: AnyObject { get }
}

private final class IntegerLeaf: FetchLeaf<Int> {
    override func value(_ reference: Int, _ reader: FetchReader) throws -> Int {
        guard let number = reader.contents.storedInteger(reference) else { throw FetchDoubt.error }
        return number
    }
}

private final class NarrowIntegerLeaf<Integer: FixedWidthInteger>: FetchLeaf<Integer> {
    override func value(_ reference: Int, _ reader: FetchReader) throws -> Integer {
        guard let number = reader.contents.storedInteger(reference), let exact = Integer(exactly: number) else {
            throw FetchDoubt.error
        }
        return exact
    }
}

private final class RealLeaf: FetchLeaf<Double> {
    override func value(_ reference: Int, _ reader: FetchReader) throws -> Double {
        guard let number = reader.contents.storedReal(reference) else { throw FetchDoubt.error }
        return number
    }
}

private final class FloatLeaf: FetchLeaf<Float> {
    override func value(_ reference: Int, _ reader: FetchReader) throws -> Float {
        guard let number = reader.contents.storedFloat(reference) else { throw FetchDoubt.error }
        return number
    }
}

private final class BooleanLeaf: FetchLeaf<Bool> {
    override func value(_ reference: Int, _ reader: FetchReader) throws -> Bool {
        guard let value = reader.contents.storedBoolean(reference) else { throw FetchDoubt.error }
        return value
    }
}

private final class TextLeaf: FetchLeaf<String> {
    override func value(_ reference: Int, _ reader: FetchReader) throws -> String {
        guard let text = reader.contents.storedText(reference) else { throw FetchDoubt.error }
        return text
    }
}

private final class DateLeaf: FetchLeaf<Date> {
    override func value(_ reference: Int, _ reader: FetchReader) throws -> Date {
        guard let seconds = reader.contents.storedDate(reference) else { throw FetchDoubt.error }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }
}

private final class OptionalLeaf<Wrapped>: FetchLeaf<Wrapped?> {
    private let wrapped: FetchLeaf<Wrapped>

    init(_ wrapped: FetchLeaf<Wrapped>) { self.wrapped = wrapped }

    override func value(_ reference: Int, _ reader: FetchReader) throws -> Wrapped? {
        reader.contents.isStoredNil(reference) ? nil : try wrapped.value(reference, reader)
    }
}

/// Decodes values of types that refer to no instances.
private final class DecodedLeaf<Value: Decodable>: FetchLeaf<Value> {
    override func value(_ reference: Int, _ reader: FetchReader) throws -> Value {
        // Nil would be an error.
        if reader.contents.isStoredNil(reference) { throw FetchDoubt.error }
        return try reader.decode(Value.self, reference)
    }
}

/// Decodes enumerations with raw values, once for each object of the archive and each integer.
private final class RawValueLeaf<Value: RawRepresentable & Decodable>: FetchLeaf<Value> {
    private var objects: [UInt32: Value] = [:]
    private var integers: [Int: Value] = [:]

    override func value(_ reference: Int, _ reader: FetchReader) throws -> Value {
        if let uid = reader.contents.storedUID(reference) {
            if let known = objects[uid] { return known }
            if reader.contents.isStoredNil(reference) { throw FetchDoubt.error }
            let value = try reader.decode(Value.self, reference)
            objects[uid] = value
            return value
        }
        guard let node = try? reader.contents.node(reference), node.kind == .integer,
            let number = reader.contents.storedInteger(reference)
        else { return try reader.decode(Value.self, reference) }
        if let known = integers[number] { return known }
        let value = try reader.decode(Value.self, reference)
        integers[number] = value
        return value
    }
}

extension Int: FetchLeafValue { static var anyLeaf: AnyObject { IntegerLeaf() } }
extension Int8: FetchLeafValue { static var anyLeaf: AnyObject { NarrowIntegerLeaf<Int8>() } }
extension Int16: FetchLeafValue { static var anyLeaf: AnyObject { NarrowIntegerLeaf<Int16>() } }
extension Int32: FetchLeafValue { static var anyLeaf: AnyObject { NarrowIntegerLeaf<Int32>() } }
extension Int64: FetchLeafValue { static var anyLeaf: AnyObject { NarrowIntegerLeaf<Int64>() } }
extension UInt: FetchLeafValue { static var anyLeaf: AnyObject { NarrowIntegerLeaf<UInt>() } }
extension UInt8: FetchLeafValue { static var anyLeaf: AnyObject { NarrowIntegerLeaf<UInt8>() } }
extension UInt16: FetchLeafValue { static var anyLeaf: AnyObject { NarrowIntegerLeaf<UInt16>() } }
extension UInt32: FetchLeafValue { static var anyLeaf: AnyObject { NarrowIntegerLeaf<UInt32>() } }
extension UInt64: FetchLeafValue { static var anyLeaf: AnyObject { NarrowIntegerLeaf<UInt64>() } }
extension Double: FetchLeafValue { static var anyLeaf: AnyObject { RealLeaf() } }
extension Float: FetchLeafValue { static var anyLeaf: AnyObject { FloatLeaf() } }
extension Bool: FetchLeafValue { static var anyLeaf: AnyObject { BooleanLeaf() } }
extension String: FetchLeafValue { static var anyLeaf: AnyObject { TextLeaf() } }
extension Date: FetchLeafValue { static var anyLeaf: AnyObject { DateLeaf() } }
extension Data: FetchLeafValue { static var anyLeaf: AnyObject { DecodedLeaf<Data>() } }
extension URL: FetchLeafValue { static var anyLeaf: AnyObject { DecodedLeaf<URL>() } }
extension UUID: FetchLeafValue { static var anyLeaf: AnyObject { DecodedLeaf<UUID>() } }
extension Decimal: FetchLeafValue { static var anyLeaf: AnyObject { DecodedLeaf<Decimal>() } }
extension Array: FetchLeafValue where Element: FetchLeafValue & Decodable {
    static var anyLeaf: AnyObject { DecodedLeaf<[Element]>() }
}
extension Set: FetchLeafValue where Element: FetchLeafValue & Decodable {
    static var anyLeaf: AnyObject { DecodedLeaf<Set<Element>>() }
}
