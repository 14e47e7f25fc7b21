// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A class whose instances a document finds by the values of their properties, without reading the others.
///
/// ```swift
/// final class Note: ArchivedFields, ArchiveIndexed {
///     var tag = ""
///     var year = 0
///     var text = ""
///
///     init() {}
///
///     static let fields = FieldList<Note> {
///         Field("tag", \.tag)
///         Field("year", \.year)
///         Field("text", \.text)
///     }
///     static let indexes = [ArchiveIndex<Note>(\.tag, \.year)]
/// }
/// ```
///
/// A fetch finds the newest notes of a tag in a few steps. Saves keep the index in the file up to date. <doc:Indexes> describes
/// which predicates use it.
public protocol ArchiveIndexed: ArchivedFields, AnyObject {
    /// The class that declares the indexes: the class itself, or a superclass.
    associatedtype IndexRoot: AnyObject, SendableMetatype

    /// The indexes.
    static var indexes: [ArchiveIndex<IndexRoot>] { get }
}

/// An order of the instances of a class, which a document keeps in its file.
///
/// The instances are sorted by the first property, those with the same value by the second one, and so on. An index serves
/// predicates that compare its first properties with constants: any number by `==`, and then one by `<`, `<=`, `>`, `>=` or a
/// range. It also serves the order of the properties that follow those which are compared by `==`.
///
/// An index takes four bytes of the file for each instance. A file has at most 64 indexes; further ones are not written.
public struct ArchiveIndex<Element: AnyObject & SendableMetatype>: Sendable {
    let definition: IndexDefinition

    /// Creates an index.
    ///
    /// - Parameters:
    ///   - first: The first property. The class declares all properties of an index as fields of their own.
    ///   - keyPaths: The other properties.
    public init<First: ArchiveIndexKey, each Key: ArchiveIndexKey>(
        _ first: any KeyPath<Element, First> & Sendable, _ keyPaths: repeat any KeyPath<Element, each Key> & Sendable
    ) {
        var columns = [IndexColumn(first)]
        repeat columns.append(IndexColumn(each keyPaths))
        definition = IndexDefinition(type: Element.self, columns: columns)
    }
}

/// A type by whose values an index sorts instances: numbers, strings, dates, Boolean values, and optional ones.
///
/// An enumeration with a raw value of these types gets the conformance by its declaration alone. An index finds its values by
/// `==`.
public protocol ArchiveIndexKey: Decodable, SendableMetatype {
    /// The value in the order of an index.
    var archiveIndexValue: ArchiveIndexValue { get }
    /// Whether the order of an index is that of `<`.
    static var hasArchiveIndexOrder: Bool { get }
}

extension ArchiveIndexKey {
    /// Whether the order of an index is that of `<`: false for types of a program, which have an order of their own.
    public static var hasArchiveIndexOrder: Bool { false }
}

extension ArchiveIndexKey where Self: RawRepresentable, RawValue: ArchiveIndexKey {
    /// The raw value in the order of an index.
    public var archiveIndexValue: ArchiveIndexValue { rawValue.archiveIndexValue }
}

/// A value in the order of an index: nil, then numbers, then strings.
public struct ArchiveIndexValue: Sendable {
    enum Value {
        case null
        case integer(Int)
        case real(Double)
        case text(String)
    }

    let value: Value

    /// Returns a negative number if `left` is first, a positive one if `right` is, and 0 if they have the same place.
    static func compare(_ left: ArchiveIndexValue, _ right: ArchiveIndexValue) -> Int {
        switch (left.value, right.value) {
        case (.integer(let left), .integer(let right)): left < right ? -1 : left == right ? 0 : 1
        case (.real(let left), .real(let right)):
            // NaN is last.
            left < right ? -1 : right < left ? 1 : (left == left ? 0 : 1) - (right == right ? 0 : 1)
        case (.text(let left), .text(let right)): left == right ? 0 : left < right ? -1 : 1
        default: left.rank - right.rank
        }
    }

    private var rank: Int {
        switch value {
        case .null: 0
        case .integer: 1
        case .real: 2
        case .text: 3
        }
    }
}

extension ArchiveIndexValue: Hashable {
    /// Returns whether the values have the same place in the order of an index.
    public static func == (left: ArchiveIndexValue, right: ArchiveIndexValue) -> Bool { compare(left, right) == 0 }

    /// Adds the value to `hasher`.
    public func hash(into hasher: inout Hasher) {
        switch value {
        case .null: break
        case .integer(let number): hasher.combine(number)
        case .real(let number): hasher.combine(number == number ? number : 0)
        case .text(let text): hasher.combine(text)
        }
    }
}

extension [ArchiveIndexValue] {
    static func compare(_ left: [ArchiveIndexValue], _ right: [ArchiveIndexValue]) -> Int {
        for (left, right) in zip(left, right) {
            let result = ArchiveIndexValue.compare(left, right)
            if result != 0 { return result }
        }
        return 0
    }
}

// MARK: - Key types

extension ArchiveIndexKey where Self: FixedWidthInteger {
    /// The number in the order of an index.
    public var archiveIndexValue: ArchiveIndexValue {
        Int(exactly: self).map { ArchiveIndexValue(value: .integer($0)) }
            ?? ArchiveIndexValue(value: .real(Double(self)))
    }
    /// True: the order of an index is that of numbers.
    public static var hasArchiveIndexOrder: Bool { true }
}

extension Int: ArchiveIndexKey {}
extension Int8: ArchiveIndexKey {}
extension Int16: ArchiveIndexKey {}
extension Int32: ArchiveIndexKey {}
extension Int64: ArchiveIndexKey {}
extension UInt8: ArchiveIndexKey {}
extension UInt16: ArchiveIndexKey {}
extension UInt32: ArchiveIndexKey {}

extension Double: ArchiveIndexKey {
    /// The number in the order of an index; NaN is last.
    public var archiveIndexValue: ArchiveIndexValue { ArchiveIndexValue(value: .real(self)) }
    /// True: the order of an index is that of numbers.
    public static var hasArchiveIndexOrder: Bool { true }
}

extension Float: ArchiveIndexKey {
    /// The number in the order of an index; NaN is last.
    public var archiveIndexValue: ArchiveIndexValue { ArchiveIndexValue(value: .real(Double(self))) }
    /// True: the order of an index is that of numbers.
    public static var hasArchiveIndexOrder: Bool { true }
}

extension Bool: ArchiveIndexKey {
    /// The value in the order of an index: false is before true.
    public var archiveIndexValue: ArchiveIndexValue { ArchiveIndexValue(value: .integer(self ? 1 : 0)) }
}

extension String: ArchiveIndexKey {
    /// The string in the order of an index.
    public var archiveIndexValue: ArchiveIndexValue { ArchiveIndexValue(value: .text(self)) }
    /// True: the order of an index is that of strings.
    public static var hasArchiveIndexOrder: Bool { true }
}

extension Date: ArchiveIndexKey {
    /// The date in the order of an index.
    public var archiveIndexValue: ArchiveIndexValue {
        ArchiveIndexValue(value: .real(timeIntervalSinceReferenceDate))
    }
    /// True: the order of an index is that of dates.
    public static var hasArchiveIndexOrder: Bool { true }
}

extension Optional: ArchiveIndexKey where Wrapped: ArchiveIndexKey {
    /// The value in the order of an index; nil is first.
    public var archiveIndexValue: ArchiveIndexValue { self?.archiveIndexValue ?? ArchiveIndexValue(value: .null) }
}

// MARK: - Definitions

/// The properties of an index.
struct IndexDefinition: Sendable {
    let type: any (AnyObject & SendableMetatype).Type
    let columns: [IndexColumn]

    /// Returns the name of the index in a file of a program with the class names `classes`; nil if the class does not declare a
    /// property as a field.
    func name(_ classes: ClassRegistry) -> String? {
        var keys: [String] = []
        for column in columns {
            guard let field = StoredClass.field(column.keyPath, declaredBy: type) else { return nil }
            keys.append(field.keys[0])
        }
        return "\(classes.name(for: type)): \(keys.joined(separator: ", "))"
    }
}

/// A property of an index.
struct IndexColumn: Sendable {
    let keyPath: any AnyKeyPath & Sendable
    /// Whether the order of the values is that of `<`.
    let isOrdered: Bool
    let makeReader: @Sendable () -> IndexValueReader

    init<Element, Key: ArchiveIndexKey>(_ keyPath: any KeyPath<Element, Key> & Sendable) {
        self.keyPath = keyPath
        isOrdered = Key.hasArchiveIndexOrder
        makeReader = { IndexValueReader.make(Key.self) }
    }
}

extension ArchiveIndexed {
    static var indexDefinitions: [IndexDefinition] { indexes.map(\.definition) }
}
