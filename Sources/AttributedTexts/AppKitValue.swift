// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// A value of an attribute that is an object of one of AppKit's classes. Each type lists its fields once, for the writer and for
/// the decision whether an object holds more than the value.
protocol AppKitValue: Hashable, Sendable {
    static var archivedClass: ArchivedClass { get }

    /// Fails if the object has another form.
    init?(_ object: inout AppKitObject) throws(KeyedArchiveError)

    var fields: [AppKitField] { get }
}

typealias AppKitField = (key: StaticString, value: AppKitFieldValue)

enum AppKitFieldValue {
    case null
    case integer(Int)
    case real(Double)
    case text(String)
    case data([UInt8])
    case object(any AppKitValue)
    case list([any AppKitValue])
}

/// The object that a value was read from, if it holds more than the value. It does not count in comparisons.
package struct OriginalObject: Hashable, Sendable {
    package let object: (any AnyObject & Sendable)?

    package init(_ object: (any AnyObject & Sendable)? = nil) { self.object = object }

    package static func == (left: OriginalObject, right: OriginalObject) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

// MARK: - Reading

/// The entries of an object that is read as a value. An entry of an unexpected kind makes the object one of another form.
package struct AppKitObject {
    private var entries: ObjectEntries
    private let contents: ArchiveContents
    private let depth: Int
    private var isOther = false
    /// Whether the value lacks something that the object has.
    var holdsMore = false

    /// The maximum number of entries. AppKit's objects have about 20.
    private static var entryLimit: Int { 64 }
    private static var elementLimit: Int { 256 }
    /// The maximum number of objects inside each other. A catalog's color may be a color of another catalog.
    private static var depthLimit: Int { 16 }

    package init(_ value: ArchivedValue, _ contents: ArchiveContents, depth: Int = 0) {
        entries = ObjectEntries(value, in: contents)
        self.contents = contents
        self.depth = depth
    }

    /// Returns the value of an object, and whether the object holds nothing else; nil if it has another form.
    static func read<Value: AppKitValue>(
        _ type: Value.Type, _ value: ArchivedValue, in contents: ArchiveContents, depth: Int = 0
    ) throws(KeyedArchiveError) -> (value: Value, isWhole: Bool)? {
        guard value.node.kind == .dictionary, value.node.count <= entryLimit, depth < depthLimit else { return nil }
        // The elements of a list may be one object.
        try contents.countWork(1 + value.node.count)
        var object = AppKitObject(value, contents, depth: depth)
        guard let made = try Value(&object), !object.isOther else { return nil }
        let fields = made.fields
        guard !object.holdsMore, value.node.count == fields.count + 1,
            let classUID = try contents.classUID(of: value.node),
            try contents.className(classUID) == Value.archivedClass.name
        else { return (made, false) }
        for field in fields {
            guard try object.entries.reference(field.key) != nil else { return (made, false) }
        }
        return (made, true)
    }

    /// Returns nil if the object has another form.
    package static func font(
        _ value: ArchivedValue, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> AttributedText.Font? {
        try read(AttributedText.Font.self, value, in: contents)?.value
    }

    package static func color(
        _ value: ArchivedValue, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> AttributedText.Color? {
        try read(AttributedText.Color.self, value, in: contents)?.value
    }

    private mutating func entry<Value>(
        _ key: StaticString, _ convert: (ArchivedValue, ArchiveContents) throws(KeyedArchiveError) -> Value?
    ) throws(KeyedArchiveError) -> Value? {
        guard let entry = try entries[key], !entry.isNull else { return nil }
        let value = try convert(entry, contents)
        if value == nil { isOther = true }
        return value
    }

    package mutating func integer(_ key: StaticString) throws(KeyedArchiveError) -> Int? {
        try entry(key) { entry, contents throws(KeyedArchiveError) in
            let number = try contents.number(entry).node
            return number.kind == .integer ? Int(exactly: contents.list.objects.integer(number)) : nil
        }
    }

    mutating func real(_ key: StaticString) throws(KeyedArchiveError) -> Double? {
        try entry(key) { entry, contents throws(KeyedArchiveError) in
            let (number, objects) = (try contents.number(entry).node, contents.list.objects)
            let real: Double? =
                switch number.kind {
                case .integer: Double(objects.integer(number))
                case .real64: objects.real64(number)
                case .real32: Double(objects.real32(number))
                default: nil
                }
            return real?.isFinite == true ? real : nil
        }
    }

    package mutating func text(_ key: StaticString) throws(KeyedArchiveError) -> String? {
        try entry(key) { entry, contents throws(KeyedArchiveError) in try contents.text(entry) }
    }

    /// Returns the numbers in the data for `key`: ASCII digits separated by spaces, usually with a 0 at the end.
    package mutating func numbers(_ key: StaticString, limit: Int) throws(KeyedArchiveError) -> [Double]? {
        try entry(key) { entry, contents throws(KeyedArchiveError) in
            guard let bytes = try contents.data(entry), bytes.count <= 32 * limit else { return nil }
            let parts = (bytes.last == 0 ? bytes.dropLast() : bytes[...]).split(separator: UInt8(ascii: " "))
            let numbers = parts.compactMap { Double(String(decoding: $0, as: UTF8.self)) }
            return numbers.count == parts.count && numbers.allSatisfy(\.isFinite) ? numbers : nil
        }
    }

    mutating func object<Value: AppKitValue>(
        _ key: StaticString, as type: Value.Type
    ) throws(KeyedArchiveError) -> Value? {
        let depth = depth + 1
        let read = try entry(key) { entry, contents throws(KeyedArchiveError) in
            try Self.read(type, entry, in: contents, depth: depth)
        }
        if read?.isWhole == false { holdsMore = true }
        return read?.value
    }

    mutating func list<Value: AppKitValue>(
        _ key: StaticString, of type: Value.Type
    ) throws(KeyedArchiveError) -> [Value]? {
        let depth = depth + 1
        let list = try entry(key) { entry, contents throws(KeyedArchiveError) -> [(value: Value, isWhole: Bool)]? in
            guard let elements = try contents.elements(of: entry), elements.count <= Self.elementLimit else {
                return nil
            }
            var list: [(value: Value, isWhole: Bool)] = []
            for position in 0..<elements.count {
                let element = try contents.value(elements.reference(position, in: contents))
                guard let read = try Self.read(type, element, in: contents, depth: depth) else { return nil }
                list.append(read)
            }
            return list
        }
        if list?.contains(where: { !$0.isWhole }) == true { holdsMore = true }
        return list?.map(\.value)
    }
}

// MARK: - Writing

extension ArchiveGraph {
    func object(_ value: any AppKitValue) -> Reference {
        object(type(of: value).archivedClass, value.fields.map { ($0.key.description, reference($0.value)) })
    }

    private func reference(_ value: AppKitFieldValue) -> Reference {
        switch value {
        case .null: return ArchiveGraph.null
        case .integer(let number): return integer(Int64(number), inline: true)
        case .real(let number): return real(number, inline: true)
        case .text(let text): return string(text)
        case .data(let bytes): return dataInLine(bytes)
        case .object(let value): return object(value)
        case .list(let values): return array(values.map { object($0) })
        }
    }
}

// MARK: - Attributes

/// A value that only archives represent.
protocol OnlyArchivable: FrameEncodable, FrameDecodable, Codable {}

private let advice = "Use ArchiveEncoder and ArchiveDecoder; other coders can have the `string` of a text"

extension OnlyArchivable {
    /// Decodes the value from an archive.
    ///
    /// - Throws: `DecodingError`: also if `decoder` does not decode an archive.
    public init(from decoder: any Decoder) throws {
        let frame = DecodingFrame.behind(decoder)
        guard let frame else { throw DecodingError.needsArchive(Self.self, advice, decoder) }
        self = try frame.decode(Self.self, from: frame.ownValue, at: .root)
    }

    /// Encodes the value in an archive.
    ///
    /// - Throws: `EncodingError.invalidValue` if an attribute cannot be encoded, and if `encoder` does not encode an archive.
    public func encode(to encoder: any Encoder) throws {
        guard EncodingFrame.isBehind(encoder) else { throw EncodingError.needsArchive(self, advice, encoder) }
        var container = encoder.singleValueContainer()
        try container.encode(self)
    }
}

/// A value of AppKit that an archive also holds outside a text.
protocol ArchivedAttribute: AppKitValue, OnlyArchivable {
    var original: OriginalObject { get set }
}

extension ArchivedAttribute {
    /// The object that the value was read from, if it is one of a keyed archive and the value has not been changed since.
    var unchangedOriginal: UnknownObject? {
        guard let unknown = original.object as? UnknownObject, let archived = unknown.value.archived,
            let read = try? AppKitObject.read(Self.self, archived, in: unknown.value.source.contents)
        else { return nil }
        return read.value == self ? unknown : nil
    }

    static func attribute(_ value: ArchivedValue, in frame: DecodingFrame, at step: CodingPathStep) throws -> Self? {
        let read = try frame.undamaged(AppKitObject.read(Self.self, value, in: frame.archive), at: step)
        guard let read else { return nil }
        var made = read.value
        if !read.isWhole, value.uid != 0 {
            made.original = OriginalObject(try frame.decode(UnknownObject.self, from: value, at: step))
        }
        return made
    }

    package static func decoded(_ value: ArchivedValue, in frame: DecodingFrame, at step: CodingPathStep) throws -> Self
    {
        guard let made = try attribute(value, in: frame, at: step) else { throw frame.mismatch(Self.self, value, step) }
        return made
    }

    package static func encoded(
        _ value: Self, in frame: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        if let unknown = value.unchangedOriginal { return try frame.reference(to: unknown, at: step, inline: false) }
        return frame.graph.object(value)
    }
}
