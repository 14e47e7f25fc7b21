// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The values of attributes that are objects of AppKit's classes. Each type lists its fields once, for the writer and for the
// decision whether an object holds more than the value.

/// A value that is written as an object with `fields`.
protocol AppKitValue: Hashable, Sendable {
    static var archivedClass: ArchivedClass { get }

    /// Creates the value of `object`. Returns nil if the object has another form.
    init?(_ object: inout AppKitObject) throws(KeyedArchiveError)

    /// The entries of the object that represents the value.
    var fields: [AppKitField] { get }
}

/// An entry of such an object.
struct AppKitField {
    enum Value {
        case null
        case integer(Int)
        case real(Double)
        case text(String)
        case data([UInt8])
        case object(any AppKitValue)
        case list([any AppKitValue])
    }

    let key: StaticString
    let value: Value

    init(_ key: StaticString, _ value: Value) {
        self.key = key
        self.value = value
    }
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
    /// The maximum number of tab stops or lists of a paragraph.
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

    /// Returns the font of an NSFont or UIFont; nil if it has another form.
    package static func font(
        _ value: ArchivedValue, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> AttributedText.Font? {
        try read(AttributedText.Font.self, value, in: contents)?.value
    }

    /// Returns the color of an NSColor or UIColor; nil if it has another form.
    package static func color(
        _ value: ArchivedValue, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> AttributedText.Color? {
        try read(AttributedText.Color.self, value, in: contents)?.value
    }

    /// Returns the value for `key`; nil if it is absent or nil.
    package mutating func entry(_ key: StaticString) throws(KeyedArchiveError) -> ArchivedValue? {
        guard let entry = try entries[key], !entry.isNull else { return nil }
        return entry
    }

    private mutating func other<Value>() -> Value? {
        isOther = true
        return nil
    }

    package mutating func integer(_ key: StaticString) throws(KeyedArchiveError) -> Int? {
        guard let entry = try entry(key) else { return nil }
        let number = try contents.number(entry).node
        guard number.kind == .integer, let integer = Int(exactly: contents.list.objects.integer(number)) else {
            return other()
        }
        return integer
    }

    mutating func real(_ key: StaticString) throws(KeyedArchiveError) -> Double? {
        guard let entry = try entry(key) else { return nil }
        let node = try contents.number(entry).node
        guard case .number(let number) = contents.list.objects.real(node, as: Double.self), number.isFinite else {
            return other()
        }
        return number
    }

    package mutating func text(_ key: StaticString) throws(KeyedArchiveError) -> String? {
        guard let entry = try entry(key) else { return nil }
        guard let text = try contents.text(entry) else { return other() }
        return text
    }

    /// Returns the numbers in the data for `key`: ASCII digits separated by spaces, usually with a 0 at the end.
    package mutating func numbers(_ key: StaticString, limit: Int) throws(KeyedArchiveError) -> [Double]? {
        guard let entry = try entry(key) else { return nil }
        guard let bytes = try contents.data(entry), bytes.count <= 32 * limit else { return other() }
        let text = bytes.last == 0 ? bytes.dropLast() : bytes[...]
        var numbers: [Double] = []
        for part in text.split(separator: UInt8(ascii: " ")) {
            guard let number = Double(String(decoding: part, as: UTF8.self)), number.isFinite else { return other() }
            numbers.append(number)
        }
        return numbers
    }

    mutating func object<Value: AppKitValue>(
        _ key: StaticString, as type: Value.Type
    ) throws(KeyedArchiveError) -> Value? {
        guard let entry = try entry(key) else { return nil }
        return try nested(entry, as: type)
    }

    mutating func list<Value: AppKitValue>(
        _ key: StaticString, of type: Value.Type
    ) throws(KeyedArchiveError) -> [Value]? {
        guard let entry = try entry(key) else { return nil }
        guard let elements = try contents.elements(of: entry), elements.count <= Self.elementLimit else {
            return other()
        }
        var values: [Value] = []
        for position in 0..<elements.count {
            let element = try contents.value(elements.reference(position, in: contents))
            guard let value = try nested(element, as: type) else { return nil }
            values.append(value)
        }
        return values
    }

    private mutating func nested<Value: AppKitValue>(
        _ value: ArchivedValue, as type: Value.Type
    ) throws(KeyedArchiveError) -> Value? {
        guard let (made, isWhole) = try Self.read(type, value, in: contents, depth: depth + 1) else { return other() }
        if !isWhole { holdsMore = true }
        return made
    }
}

// MARK: - Writing

extension ArchiveGraph {
    /// Writes the object for a value and returns its uid.
    func object(_ value: any AppKitValue) -> Reference {
        var entries: [(key: String, value: Reference)] = []
        for field in value.fields { entries.append((field.key.description, reference(field.value))) }
        return object(type(of: value).archivedClass, entries)
    }

    private func reference(_ value: AppKitField.Value) -> Reference {
        switch value {
        case .null: return ArchiveGraph.null
        case .integer(let number): return integer(Int64(number), inline: true)
        case .real(let number): return real(number, inline: true)
        case .text(let text): return string(text)
        case .data(let bytes): return dataInLine(bytes)
        case .object(let value): return object(value)
        case .list(let values):
            let uids = values.map { object($0) }
            let slot = reserveSlot()
            fill(slot, array: uids)
            return slot.uid
        }
    }
}

// MARK: - Attributes

protocol ArchivedAttribute: AppKitValue, OnlyArchivable {
    var original: OriginalObject { get set }
}

/// A value that only archives represent.
protocol OnlyArchivable: NativelyEncodable, NativelyDecodable, Codable {
    /// The advice in the error of another coder.
    static var advice: String { get }
}

extension OnlyArchivable {
    static var advice: String { "Use ArchiveEncoder and ArchiveDecoder" }

    /// Decodes the value from an archive.
    ///
    /// - Throws: `DecodingError`: also if `decoder` does not decode an archive.
    public init(from decoder: any Decoder) throws {
        guard decoder is ProgramDecoder else { throw DecodingError.needsArchive(Self.self, Self.advice, decoder) }
        self = try decoder.singleValueContainer().decode(Self.self)
    }

    /// Encodes the value in an archive.
    ///
    /// - Throws: `EncodingError.invalidValue` if an attribute cannot be encoded, and if `encoder` does not encode an archive.
    public func encode(to encoder: any Encoder) throws {
        guard encoder is ValueEncoder else { throw EncodingError.needsArchive(self, Self.advice, encoder) }
        var container = encoder.singleValueContainer()
        try container.encode(self)
    }
}

extension ArchivedAttribute {
    /// The object that the value was read from, if it is one of a keyed archive and the value has not been changed since.
    var unchangedOriginal: UnknownObject? {
        guard let unknown = original.object as? UnknownObject, let archived = unknown.value.archived,
            let read = try? AppKitObject.read(Self.self, archived, in: unknown.value.source.contents)
        else { return nil }
        return read.value == self ? unknown : nil
    }

    /// Returns the value of an object; nil if the object has another form.
    static func attribute(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Self? {
        let read = try decoder.undamaged(AppKitObject.read(Self.self, value, in: decoder.archive), at: step)
        guard var made = read?.value else { return nil }
        if read?.isWhole == false, value.uid != 0 {
            let unknown = try decoder.instance(
                decoder.session.type(coding: UnknownObject.self), value, at: step)
            made.original = OriginalObject(Reinterpretation.instance(unknown, as: UnknownObject.self))
        }
        return made
    }

    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Self {
        guard let made = try attribute(value, in: decoder, at: step) else {
            throw decoder.mismatch(Self.self, value, step)
        }
        return made
    }

    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        if let unknown = value.unchangedOriginal { return try encoding.reference(toCoding: unknown, at: step) }
        return encoding.graph.object(value)
    }
}
