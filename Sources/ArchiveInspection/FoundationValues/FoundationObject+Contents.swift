// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import AttributedTexts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Attributed strings

extension FoundationObject {
    func string() throws(KeyedArchiveError) -> String? {
        try required(try contents.text(archived), "NS.string", "a string")
    }

    mutating func attributedString() throws(KeyedArchiveError) -> FoundationValue? {
        guard let string = try text("NSString") else { return try lacks("NSString", "a string") }
        let archived = try AttributedRuns(of: string, &entries)
        if let error = archived.shortfall { throw error }
        var reader = AttributeReading(source)
        var known: [Int: [String: KeyedArchive.Value]] = [:]
        var runs: [(range: Range<String.Index>, attributes: [String: KeyedArchive.Value])] = []
        for (range, position) in archived.runs {
            if known[position] == nil, let dictionary = try archived.dictionary(at: position, in: contents) {
                guard let attributes = try reader.attributes(dictionary) else {
                    throw entries.damaged("NSAttributes", archived.wanted)
                }
                known[position] = attributes
            }
            runs.append((range, known[position] ?? [:]))
        }
        return .attributedString(string, runs: runs)
    }
}

/// Reads the attributes of runs. Their total number is limited to the archive's byte count: dictionaries can share contents, so
/// that a few bytes could expand to a huge number of attributes.
private struct AttributeReading {
    private let source: ArchiveSource
    private var room: Int

    init(_ source: ArchiveSource) {
        self.source = source
        room = source.contents.byteCount
    }

    /// The attributes in a dictionary; nil if `value` is not a dictionary or has keys that are not strings.
    mutating func attributes(_ value: ArchivedValue) throws(KeyedArchiveError) -> [String: KeyedArchive.Value]? {
        let object = FoundationObject(value, isItself: false, in: source)
        guard value.node.kind == .dictionary, let (keys, values) = try object.dictionaryReferences() else { return nil }
        room -= keys.count
        guard room >= 0 else { return nil }
        let contents = source.contents
        var attributes: [String: KeyedArchive.Value] = [:]
        for position in 0..<keys.count {
            let key = try contents.value(keys.reference(position, in: contents))
            guard let name = try contents.text(key) else { return nil }
            guard HashedText.isSafe(name) else { throw ArchiveContents.unsafeText(name) }
            attributes[name] = source.value(values.reference(position, in: contents))
        }
        return attributes
    }
}

// MARK: - Character sets

extension FoundationObject {
    /// The members of an NSCharacterSet; nil for GNUstep's sets for the parts of URLs, which have no number in Cocoa.
    mutating func characterSet() throws(KeyedArchiveError) -> FoundationValue? {
        guard let (members, isInverted) = try contents.characters(archived) else {
            return try lacks("NSBitmap", "data")
        }
        var number: Int?
        var range: Range<Int>?
        var string: String?
        var bitmap: Data?
        switch members {
        case .builtIn(let found, let bits): (number, bitmap) = (found, bits.map { Data($0) })
        case .range(let found): range = found
        case .string(let archived):
            string = try contents.text(archived)
            guard string != nil else { throw entries.damaged("NSString", "a string") }
        case .bitmap(let bits): bitmap = Data(bits)
        case .unknown: return nil
        }
        return .characterSet(builtIn: number, range: range, string: string, bitmap: bitmap, isInverted: isInverted)
    }
}

// AppKit and UIKit write colors and fonts in more ways than are known here. An object that lacks a key, or has another kind of
// value under it, is therefore of an unknown form, not damaged. `AttributedText` reads the same objects.
extension FoundationObject {
    /// The color; nil for unknown forms, such as patterns.
    func color() throws(KeyedArchiveError) -> FoundationValue? {
        var entries = entries
        if try entries.has("NSComponents"), try entries.has("NSCustomColorSpace"),
            let space = try entries.reference("NSCustomColorSpace")
        {
            var object = AppKitObject(archived, contents)
            guard try object.integer("NSColorSpace") != nil,
                let numbers = try object.numbers("NSComponents", limit: 16), (2...16).contains(numbers.count)
            else { return nil }
            return .customColor(components: numbers, space: source.value(space))
        }
        return try AppKitObject.color(archived, in: contents).map { .color($0) }
    }

    /// The font of AppKit or UIKit; nil for unknown forms.
    func font() throws(KeyedArchiveError) -> FoundationValue? {
        try AppKitObject.font(archived, in: contents).map { .font($0) }
    }
}

extension FoundationObject {
    mutating func elements() throws(KeyedArchiveError) -> KeyedArchive.Contents<KeyedArchive.Value>? {
        if let elements = try contents.elements(of: archived) {
            return source.elements(elements)
        }
        // An empty NSOrderedSet, and an empty array from a foreign coder, have only a class.
        if archived.node.count == 1 {
            return source.elements(ArchivedElements([]))
        }
        return try lacks("NS.objects", "an array")
    }

    /// The keys and values of an NSDictionary.
    func dictionary() throws(KeyedArchiveError) -> KeyedArchive.Contents<
        (key: KeyedArchive.Value, value: KeyedArchive.Value)
    >? {
        guard let (keys, values) = try dictionaryReferences() else { return try lacks("NS.keys", "an array") }
        return source.entries(keys, values)
    }

    /// The references of the keys and of the values of an NSDictionary in any of its forms; nil for other objects.
    func dictionaryReferences() throws(KeyedArchiveError) -> (keys: ArchivedElements, values: ArchivedElements)? {
        var entries = entries
        let isNative = (keys: try entries["NS.keys"] != nil, values: try entries["NS.objects"] != nil)
        if isNative.keys || isNative.values {
            if let (keys, values) = try contents.dictionaryEntries(of: archived.node, uid: archived.uid) {
                return (ArchivedElements(keys), ArchivedElements(values))
            }
            let isKeys = try entries["NS.keys"]?.node.kind == .array
            throw entries.damaged(isKeys ? "NS.objects" : "NS.keys", "an array")
        }
        let keys = try contents.numberedElements(of: archived.node, prefix: "NS.key.")
        let values = try contents.numberedElements(of: archived.node, prefix: "NS.object.")
        guard keys.count == values.count else {
            throw KeyedArchiveError(.unequalCounts(keys: keys.count, objects: values.count, uid: archived.uid))
        }
        return keys.count > 0 || archived.node.count == 1 ? (keys, values) : nil
    }

    mutating func countedSet() throws(KeyedArchiveError) -> [(value: KeyedArchive.Value, count: Int)]? {
        let values: [Int]
        let counts: [Int]
        let key: StaticString
        let total: Int
        if let count = try entries.integer("NS.count") {
            key = "NS.count"
            total = count
            values = try references("NS.object")
            counts = try references("NS.count")
        } else if let count = try entries.integer("$0") {
            // GNUstep's values have no keys: the number of elements, then each element followed by its count.
            key = "$0"
            total = count
            let all = try references("$").dropFirst()
            values = stride(from: 1, through: all.count, by: 2).map { all[$0] }
            counts = stride(from: 2, through: all.count, by: 2).map { all[$0] }
        } else {
            return try lacks("NS.count", "an integer")
        }
        guard total == values.count, total == counts.count else {
            throw entries.damaged(key, "the number of elements, \(values.count), and of their counts, \(counts.count)")
        }
        var result: [(value: KeyedArchive.Value, count: Int)] = []
        result.reserveCapacity(total)
        for (position, (value, count)) in zip(values, counts).enumerated() {
            guard case .integer(let number)? = try contents.numberValue(contents.value(count)), number > 0,
                let count = Int(exactly: number)
            else {
                let name = key.description == "$0" ? "$\(2 * position + 2)" : "NS.count\(position)"
                throw entries.damaged(name, "an integer above 0")
            }
            result.append((source.value(value), count))
        }
        return result
    }

    private func references(_ prefix: String) throws(KeyedArchiveError) -> [Int] {
        let elements = try contents.numberedElements(of: archived.node, prefix: prefix)
        return (0..<elements.count).map { elements.reference($0, in: contents) }
    }

    mutating func cArray() throws(KeyedArchiveError) -> (
        type: String, elements: KeyedArchive.Contents<KeyedArchive.Value>
    )? {
        guard let type = try entries.integer("NS.type") else { return try lacks("NS.type", "an integer") }
        // The type is an ASCII character.
        guard (1...127).contains(type), let scalar = Unicode.Scalar(UInt32(type)) else {
            throw entries.damaged("NS.type", "the type of a value in C")
        }
        guard try entries["NS.count"] != nil, let elements = try contents.elements(of: archived) else {
            return try lacks("NS.count", "an integer")
        }
        return (String(Character(scalar)), source.elements(elements))
    }
}

extension ObjectEntries {
    /// The error for a key that is known only at run time.
    func damaged(_ key: String, _ wanted: String) -> KeyedArchiveError {
        let sentence = "The keyed archive is damaged: \(key) of the object at uid \(uid) is not \(wanted)"
        return KeyedArchiveError(.other(.damaged, uid: uid, sentence: sentence))
    }
}
