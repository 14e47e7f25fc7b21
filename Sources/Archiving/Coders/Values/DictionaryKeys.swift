// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The form of a type of keys in an NSDictionary, determined once per process.
///
/// Other coders know only strings as keys, and the standard library converts keys of other types. The conversion is the
/// same here, so that the keys are those of JSON and of Cocoa's property lists.
final class DictionaryKeyForm: Sendable {
    /// Whether keys are encoded as their coding keys, and otherwise as elements.
    let hasCodingKeys: Bool
    /// The reader of keys that are not elements; nil if all of them are.
    let conversion: (any KeyConversion.Type)?

    private init<Key>(_ type: Key.Type) {
        if NativeTypes.leaf(type) != nil || NativeTypes.mayInclude(type) {
            // Types of the libraries keep their form if a later version of a library adds a conformance.
            conversion = (NativeTypes.leaf(type) as? any (FixedWidthInteger & DecodableLeaf).Type).map {
                Self.integers($0)
            }
            hasCodingKeys = false
        } else {
            conversion = (type as? any CodingKeyRepresentable.Type).map { Self.codingKeys($0) }
            // Instances, and other values that an archive has once, are one object wherever they are referenced.
            hasCodingKeys = conversion != nil && TypeDeclarations(type).kind == .value
        }
    }

    private static func integers<Key: FixedWidthInteger>(_ type: Key.Type) -> any KeyConversion.Type {
        IntegerKeys<Key>.self
    }

    private static func codingKeys<Key: CodingKeyRepresentable>(_ type: Key.Type) -> any KeyConversion.Type {
        CodingKeys<Key>.self
    }

    private static let known = MetatypeCache<DictionaryKeyForm>(.dictionaryKeys)

    static func of<Key>(_ type: Key.Type) -> DictionaryKeyForm { known.facts(of: type) { DictionaryKeyForm(type) } }
}

struct DictionaryKeyEncoding<Key: Encodable> {
    private let hasCodingKeys = DictionaryKeyForm.of(Key.self).hasCodingKeys
    private let type: EncodingType
    private var texts: Set<String> = []

    init(_ encoding: EncodingFrame) { type = encoding.session.type(Key.self) }

    /// Whether all keys are strings or integers in the archive.
    var areNames: Bool { hasCodingKeys || Key.self == String.self }

    /// Returns the reference to `key`, that of the entry at `position`.
    ///
    /// - Throws: An error if another key has the same coding key: readers would lose one of the two values.
    @inline(__always)
    mutating func reference(
        to key: Key, at position: Int, in encoding: EncodingFrame
    ) throws -> ArchiveGraph.Reference {
        guard hasCodingKeys, let representable = key as? any CodingKeyRepresentable else {
            return try encoding.reference(to: key, type: type, at: .key(inEntry: position), inline: false)
        }
        return try reference(to: representable, in: encoding)
    }

    @inline(never)
    private mutating func reference(
        to key: any CodingKeyRepresentable, in encoding: EncodingFrame
    ) throws -> ArchiveGraph.Reference {
        let codingKey = key.codingKey
        let text = codingKey.stringValue
        guard texts.insert(text).inserted else {
            throw EncodingError.invalid(key, path: encoding.keys(.root)) {
                "Found two keys of type \($0) with the coding key \"\(text)\" in the dictionary at \($1). Return another"
                    + " codingKey for each of them"
            }
        }
        // An integer as for a key of type Int, unless the key has another text, which would be lost.
        if let integer = codingKey.intValue, text == "\(integer)" {
            return encoding.graph.integer(Int64(integer), inline: false)
        }
        return encoding.graph.string(text)
    }
}

struct DictionaryKeyDecoding<Key: Decodable> {
    private let conversion = DictionaryKeyForm.of(Key.self).conversion
    private let type: DecodingType

    init(_ decoder: DecodingFrame) { type = decoder.session.type(Key.self) }
    var areLeaves: Bool { type.isLeaf }
    /// Whether different objects can be equal keys, such as "1" and 1.
    var areConverted: Bool { conversion != nil }

    @inline(__always)
    func key(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Key {
        guard let conversion else { return try decoder.decode(Key.self, type, from: value, at: step) }
        return try key(value, conversion, in: decoder, at: step)
    }

    @inline(never)
    private func key(
        _ value: ArchivedValue, _ conversion: any KeyConversion.Type, in decoder: DecodingFrame,
        at step: CodingPathStep
    ) throws -> Key {
        if let key = try conversion.key(value, in: decoder, at: step) as? Key { return key }
        do {
            return try decoder.decode(Key.self, type, from: value, at: step)
        } catch DecodingError.typeMismatch where value.node.kind != .dictionary {
            // The initializer expects a leaf of another kind, or an object.
            throw decoder.mismatch(Key.self, value, step)
        }
    }
}

/// A reader of keys in another form than that of elements.
protocol KeyConversion: SendableMetatype {
    /// Returns the key `value`; nil if it can only be an element.
    static func key(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Any?
}

/// Reads integers from decimal digits: Cocoa's property lists have no other keys than strings.
private enum IntegerKeys<Key: FixedWidthInteger>: KeyConversion {
    static func key(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Any? {
        guard value.node.kind != .integer, let text = try decoder.keyText(value, at: step) else { return nil }
        return Key(text)
    }
}

private enum CodingKeys<Key: CodingKeyRepresentable>: KeyConversion {
    static func key(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Any? {
        if value.node.kind == .integer, let integer = Int(exactly: decoder.archive.list.integer(value.node)) {
            return Key(codingKey: DictionaryCodingKey(intValue: integer))
        }
        guard let text = try decoder.keyText(value, at: step) else { return nil }
        return Key(codingKey: DictionaryCodingKey(stringValue: text))
    }
}

/// A key as the standard library passes it to `CodingKeyRepresentable`: a text of decimal digits has its integer.
private struct DictionaryCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = Int(stringValue)
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}

extension DecodingFrame {
    @inline(never)
    fileprivate func keyText(_ value: ArchivedValue, at step: CodingPathStep) throws -> String? {
        let text = try undamaged(archive.text(value), at: step)
        if let text { try checkHashed(text, at: step) }
        return text
    }
}

/// The form of dictionaries from strings to strings, each in one specialised loop without an encoder.
enum StringDictionaryForm: CodedShape {
    static func write(
        _ dictionary: [String: String], in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        let graph = encoding.graph
        if dictionary.isEmpty { return graph.emptyDictionary() }
        let slot = graph.reserveSlot()
        let start = graph.collected.count
        for (key, value) in dictionary { graph.collected.append(graph.string(key), graph.string(value)) }
        graph.fill(slot, dictionary: graph.collected.suffix(from: start))
        graph.collected.truncate(to: start)
        return slot.uid
    }

    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> [String: String] {
        guard let (keys, values) = try decoder.dictionary(value, at: step) else {
            // Fields of an object, or the alternating keys and values of other encoders.
            return try decoder.read([String: String].self, as: [String: String].self, value, at: step)
        }
        return try decoder.with(nil, value, step) { decoder in
            try decoder.countVisits(DecodingMeter.stepsPerEntry * keys.count)
            let archive = decoder.archive
            var result = [String: String](
                minimumCapacity: min(keys.count, archive.capacity(for: (String, String).self)))
            for index in 0..<keys.count {
                let reference = keys.reference(index, in: archive)
                let step = CodingPathStep.dictionaryKey(UInt32(truncatingIfNeeded: reference))
                let key = try text(reference, in: decoder, at: .key(inEntry: index))
                try decoder.checkHashed(key, at: step)
                result[key] = try text(values.reference(index, in: archive), in: decoder, at: step)
            }
            return result
        }
    }

    @inline(__always)
    private static func text(_ reference: Int, in decoder: DecodingFrame, at step: CodingPathStep) throws -> String {
        if let offset = decoder.archive.leafOffset(reference),
            let usual = String.leaf(at: offset, in: decoder.archive)
        {
            return usual
        }
        return try String.leaf(decoder.resolve(reference, at: step), in: decoder, at: step)
    }
}
