// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Each file of this folder handles a family of Cocoa's classes: its keys, how `ArchiveGraph` writes them and `ArchiveContents`
// reads them as numbers, texts and bytes, and the type of Foundation that they are. Format: `docs/keyed-archive-format.md`,
// section 4.
//
// An object is identified by its keys, since classes with other names (subclasses, bridges to other languages) have the same
// keys. A reading function returns nil for another object, and throws an error if the object is damaged.

/// A type of FoundationEssentials whose values are objects of a Cocoa class.
package protocol CocoaValue: Codable, SendableMetatype {
    /// Writes the value and returns its uid.
    func object(in graph: ArchiveGraph) throws -> ArchiveGraph.Reference

    /// Returns the value of the object `value`; nil for another object.
    ///
    /// - Throws: `KeyedArchiveError` if the object is damaged, `ValueFailure` if it, or a part of it, is of another type.
    static func read(_ value: ArchivedValue, in contents: ArchiveContents) throws -> Self?

    /// Decodes the form of the type's own `encode(to:)`, which other encoders write.
    static func ownForm(from decoder: any Decoder) throws -> Self
}

extension CocoaValue {
    package static func ownForm(from decoder: any Decoder) throws -> Self { try Self(from: decoder) }

    /// Returns the value of a part of an object; nil if it is absent or nil.
    static func part(_ value: ArchivedValue?, in contents: ArchiveContents) throws -> Self? {
        guard let value, !value.isNull else { return nil }
        guard let found = try read(value, in: contents) else { throw ValueFailure.mismatch(Self.self, value) }
        return found
    }
}

extension KeyedArchiveError {
    /// Returns the error of an object whose parts a type of Foundation cannot have.
    static func invalid(_ value: ArchivedValue? = nil, _ sentence: String) -> KeyedArchiveError {
        KeyedArchiveError(.other(.damaged, uid: value?.uid, sentence: sentence))
    }
}

/// The error of a value of Foundation that has no form in archives.
struct UnwritableValue: Error {
    let sentence: @Sendable (_ place: String) -> String
}

// MARK: - Types without a name here

/// The form of a type of only the full Foundation or CoreGraphics. Such a type is found by its name at run time, because naming it
/// in code would load the full Foundation.
protocol UnnamedForm: SendableMetatype {
    /// What the values are in archives: numbers, texts, bytes.
    associatedtype Parts

    static var cocoaClass: CocoaClass { get }

    /// Returns whether values of `type` have the layout in memory that the form needs.
    static func fits<Value>(_ type: Value.Type) -> Bool

    static func parts<Value: Codable>(of value: Value) throws -> Parts
    /// Returns the value with `parts`; nil if the type cannot represent them.
    static func value<Value: Codable>(of parts: Parts, as type: Value.Type) throws -> Value?

    /// Writes a value of `type`, for a key or (`inline` is false) as an element, and returns its uid.
    static func write(_ parts: Parts, of type: any Any.Type, in graph: ArchiveGraph, inline: Bool) throws
        -> ArchiveGraph.Reference
    /// Returns the parts of the object `value`; nil for another object.
    static func read(_ value: ArchivedValue, as type: any Any.Type, in contents: ArchiveContents) throws -> Parts?
    /// Decodes the form of the type's own `encode(to:)`, if the type itself does not check it; otherwise returns nil.
    static func ownParts(from decoder: any Decoder) throws -> Parts?

    /// Returns whether `value`, an object of the class, is a value of `type`.
    static func matches(
        _ value: ArchivedValue, _ type: any Any.Type, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> Bool
}

extension UnnamedForm {
    static func fits<Value>(_ type: Value.Type) -> Bool { true }

    static func ownParts(from decoder: any Decoder) -> Parts? { nil }

    static func matches(
        _ value: ArchivedValue, _ type: any Any.Type, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> Bool { true }
}

/// The form of a struct of real numbers.
protocol StructForm: UnnamedForm where Parts == [Double] {
    static var count: Int { get }
}

extension StructForm {
    static func fits<Value>(_ type: Value.Type) -> Bool { Reinterpretation.isStructure(ofReals: count, type) }
    static func parts<Value: Codable>(of value: Value) -> [Double] { Reinterpretation.reals(count, in: value) }
    static func value<Value: Codable>(of parts: [Double], as type: Value.Type) -> Value? {
        Reinterpretation.structure(ofReals: parts, as: type)
    }
}

enum UnnamedForms {
    /// Returns the form of the values of `type`, if it is one of these types; nil if its memory has another layout than is known.
    static func form(of type: any Any.Type) -> (any UnnamedForm.Type)? {
        guard let form = form(named: _typeName(type, qualified: true)) else { return nil }
        func fits<Value>(_ type: Value.Type) -> Bool { form.fits(type) }
        return _openExistential(type, do: fits) ? form : nil
    }

    private static func form(named name: String) -> (any UnnamedForm.Type)? {
        switch name {
        case "Foundation.IndexSet": IndexSetForm.self
        // CGPoint, CGSize or CGRect of any platform.
        case "Foundation.CGPoint", "__C.CGPoint": PointForm.self
        case "Foundation.CGSize", "__C.CGSize": SizeForm.self
        case "Foundation.CGRect", "__C.CGRect": RectForm.self
        case "Foundation._NSRange", "__C._NSRange": RangeForm.self
        case "Foundation.CharacterSet": CharacterSetForm.self
        case "Foundation.PersonNameComponents": PersonNameForm.self
        case "Foundation.AffineTransform": AffineTransformForm.self
        default: name.hasPrefix(MeasurementForm.typeName) && name.last == ">" ? MeasurementForm.self : nil
        }
    }
}
