// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Each file of this folder handles a family of Cocoa's classes: its keys, how `ArchiveGraph` writes them and `ArchiveContents`
// reads them as numbers, texts and bytes, and the type of Foundation that they are. Format: `docs/keyed-archive-format.md`,
// section 4.
//
// An object is identified by its keys, since classes with other names (subclasses, bridges to other languages) have the same
// keys. A reading function returns nil for another object, and throws an error if the object is damaged.

/// A value that is an object of a Cocoa class: a type of FoundationEssentials, or the parts of one of the full Foundation.
package protocol CocoaValue: SendableMetatype {
    func object(in graph: ArchiveGraph) throws -> ArchiveGraph.Reference
    /// The same for a value under a key, which may have a shorter form.
    func objectUnderKey(in graph: ArchiveGraph) throws -> ArchiveGraph.Reference

    /// Returns the value of the object `value`; nil for another object.
    ///
    /// - Throws: `KeyedArchiveError` if the object is damaged; `ValueFailure` or `OtherContents` if it, or a part of it, is of
    ///   another type.
    static func read(_ value: ArchivedValue, in contents: ArchiveContents) throws -> Self?

    /// The decoded values that this one counts as, for the limit of a decoding's work, besides what reading it has counted.
    var visits: Int { get }

    /// Decodes the form of the type's own `encode(to:)`, which other encoders write. Returns nil if the type itself does.
    static func ownForm(from decoder: any Decoder) throws -> Self?
}

extension CocoaValue {
    package func objectUnderKey(in graph: ArchiveGraph) throws -> ArchiveGraph.Reference { try object(in: graph) }
    package static func ownForm(from decoder: any Decoder) throws -> Self? { nil }
    package var visits: Int { 0 }

    /// Returns the value of a part of an object; nil if it is absent or nil.
    static func part(_ value: ArchivedValue?, in contents: ArchiveContents) throws -> Self? {
        guard let value, !value.isNull else { return nil }
        guard let found = try read(value, in: contents) else { throw ValueFailure.mismatch(Self.self, value) }
        return found
    }
}

extension KeyedArchiveError {
    static func invalid(_ value: ArchivedValue? = nil, _ sentence: String) -> KeyedArchiveError {
        KeyedArchiveError(.other(.damaged, uid: value?.uid, sentence: sentence))
    }
}

/// The error of an object of the right class whose contents are those of another type.
struct OtherContents: Error {
    let found: String
}

struct UnwritableValue: Error {
    let sentence: @Sendable (_ place: String) -> String
}

// MARK: - Types without a name here

/// The parts of a value of only the full Foundation or CoreGraphics: numbers, texts, bytes. Its type is found by its name at run
/// time, because naming it in code would load the full Foundation.
protocol CocoaParts: CocoaValue {
    static var cocoaClass: CocoaClass { get }

    /// Returns whether values of `type` have the layout in memory that the parts need.
    static func fit<Value>(_ type: Value.Type) -> Bool

    init<Value: Codable>(of value: Value) throws
    /// Returns the value with these parts; nil if the type cannot represent them.
    func value<Value: Codable>(as type: Value.Type) throws -> Value?
}

extension CocoaParts {
    static func fit<Value>(_ type: Value.Type) -> Bool { true }

    static func match<Value: Codable>(
        _ value: ArchivedValue, as type: Value.Type, in contents: ArchiveContents
    ) throws -> Bool {
        switch cocoaClass {
        // The class is that of several types.
        case .value: try read(value, in: contents) != nil
        case .measurement:
            try MeasurementParts.read(value, in: contents)?.unitName == MeasurementParts.unitName(of: type)
        default: true
        }
    }
}

extension CocoaClass {
    /// Returns the parts of the values of `type`, if it is one of these types; nil if its memory has another layout than is known.
    static func parts(of type: any Any.Type) -> (any CocoaParts.Type)? {
        guard let parts = parts(ofTypeNamed: _typeName(type, qualified: true)) else { return nil }
        func fit<Value>(_ type: Value.Type) -> Bool { parts.fit(type) }
        return _openExistential(type, do: fit) ? parts : nil
    }

    private static func parts(ofTypeNamed name: String) -> (any CocoaParts.Type)? {
        switch name {
        case "Foundation.IndexSet": IndexRanges.self
        // CGPoint, CGSize or CGRect of any platform.
        case "Foundation.CGPoint", "__C.CGPoint": Geometry.Point.self
        case "Foundation.CGSize", "__C.CGSize": Geometry.Size.self
        case "Foundation.CGRect", "__C.CGRect": Geometry.Rect.self
        case "Foundation._NSRange", "__C._NSRange": StoredRange.self
        case "Foundation.CharacterSet": CharacterBitmap.self
        case "Foundation.PersonNameComponents": PersonNameParts.self
        case "Foundation.AffineTransform": AffineMatrix.self
        default: name.hasPrefix(MeasurementParts.typeName) && name.last == ">" ? MeasurementParts.self : nil
        }
    }
}
