// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension AttributedText: OnlyArchivable {
    package static var cocoaClass: CocoaClass? { .attributedString }

    package static func decoded(_ value: ArchivedValue, in frame: DecodingFrame, at step: CodingPathStep) throws -> Self
    {
        try frame.reading(value, at: step) { try AttributedTextReading($0).text(value) }
    }

    package static func encoded(
        _ value: Self, in frame: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try frame.encodeSingle(at: step, inline: inline) { frame in
            var writing = AttributedTextWriting(frame)
            try frame.setSingle(writing.object(value))
        }
    }
}

// MARK: - Writing

/// Writes the runs of a text. Equal attributes are written once, and adjacent runs with the same attributes are one run.
private struct AttributedTextWriting {
    private typealias Reference = ArchiveGraph.Reference

    private let encoder: EncodingFrame
    private var dictionaries: [Reference] = []
    private var positions: [[Reference]: Int] = [:]
    private var written: [AnyHashable: Reference] = [:]

    private var graph: ArchiveGraph { encoder.graph }

    init(_ encoder: EncodingFrame) { self.encoder = encoder }

    mutating func object(_ text: AttributedText) throws -> ArchiveGraph.Reference {
        var entries = [("NSString", graph.string(text.string))]
        var runs: [(length: Int, position: Int)] = []
        for run in text.runs {
            let position = try position(of: run.attributes)
            let length = text.string.utf16.distance(from: run.range.lowerBound, to: run.range.upperBound)
            if let last = runs.last, last.position == position {
                runs[runs.count - 1].length += length
            } else {
                runs.append((length, position))
            }
        }
        if runs.count == 1 {
            entries.append(("NSAttributes", dictionaries[0]))
        } else if runs.count > 1 {
            var packed = PackedIntegers()
            for run in runs {
                packed.append(UInt64(run.length))
                packed.append(UInt64(run.position))
            }
            let info = graph.data(packed.bytes)
            entries += [("NSAttributes", graph.array(dictionaries)), ("NSAttributeInfo", info)]
        }
        return graph.object(ArchivedClass("NSAttributedString"), entries)
    }

    private mutating func position(of attributes: [String: Any]) throws -> Int {
        var pairs: [Reference] = []
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            let name = graph.string(name)
            pairs += [name, try reference(to: value, at: .dictionaryKey(name))]
        }
        if let known = positions[pairs] { return known }
        dictionaries.append(graph.dictionary(pairs))
        positions[pairs] = dictionaries.count - 1
        return dictionaries.count - 1
    }

    private mutating func reference(to value: Any, at step: CodingPathStep) throws -> Reference {
        let key = identity(of: value)
        if let key, let known = written[key] { return known }
        let object = try encoder.reference(toAny: value, at: step)
        let reference = object == ArchiveGraph.null ? graph.nullObject() : object
        if let key { written[key] = reference }
        return reference
    }

    /// Returns a key that only equal values have; nil for values that are not shared, or that the archive shares by itself.
    private func identity(of value: Any) -> AnyHashable? {
        switch value {
        case let value as any ArchivedAttribute:
            if let original = value.unchangedOriginal { return AnyHashable(ObjectIdentifier(original)) }
            var bytes: [UInt8] = []
            value.appendIdentity(to: &bytes)
            return AnyHashable(bytes)
        case let value as URL: return AnyHashable(value)
        default: return nil
        }
    }
}

extension AppKitValue {
    /// Appends bytes that only equal values have. They are compared faster than the values, and no text among them is
    /// normalized.
    fileprivate func appendIdentity(to bytes: inout [UInt8]) {
        func append(_ text: String) { bytes += Array(text.utf8) + [0xFF] }
        append(Self.archivedClass.name)
        for field in fields {
            append(field.key.description)
            switch field.value {
            case .null: break
            case .integer(let number): append(String(number))
            case .real(let number): append(String(number.bitPattern))
            case .text(let text): append(text)
            case .data(let data): bytes += data + [0xFF]
            case .object(let value): value.appendIdentity(to: &bytes)
            case .list(let values): for value in values { value.appendIdentity(to: &bytes) }
            }
        }
        bytes.append(0xFE)
    }
}

// MARK: - Reading

/// Reads a text. An object of another class with the same keys, such as an NSTextStorage, is read as well.
private struct AttributedTextReading {
    private let decoder: DecodingFrame
    private let list: AllowedTypeList

    init(_ decoder: DecodingFrame) {
        self.decoder = decoder
        list = .exact([AttributedText.self], in: decoder)
    }

    func text(_ value: ArchivedValue) throws -> AttributedText {
        let parts = try decoder.undamaged(Self.parts(of: value, in: decoder.archive), at: .root)
        guard let (string, archived) = parts else { throw decoder.mismatch(AttributedText.self, value, .root) }
        guard let archived else { return AttributedText(string) }
        var known: [Int: [String: Any]] = [:]
        var runs: [(range: Range<String.Index>, attributes: [String: Any])] = []
        for (range, position) in archived.runs {
            let attributes = try known[position] ?? self.attributes(at: position, of: archived)
            known[position] = attributes
            try decoder.countVisits(1 + attributes.count)
            runs.append((range, attributes))
        }
        return AttributedText(string, archived: runs, archived.shortfall.map { decoder.damaged($0, .root) })
    }

    /// Returns the text and the runs of an NSAttributedString, or the text of an NSString; nil for other values.
    private static func parts(
        of value: ArchivedValue, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> (String, AttributedRuns?)? {
        if let string = try contents.text(value) { return (string, nil) }
        var entries = ObjectEntries(value, in: contents)
        guard let text = try entries["NSString"], let string = try contents.text(text) else { return nil }
        return (string, try AttributedRuns(of: string, &entries))
    }

    private func attributes(at position: Int, of runs: AttributedRuns) throws -> [String: Any] {
        let dictionary = try decoder.undamaged(runs.dictionary(at: position, in: decoder.archive), at: .root)
        guard let value = dictionary else { return [:] }
        guard let (keys, values) = try decoder.dictionary(value, at: .root) else {
            throw badAttributes(value, "dictionaries of attributes")
        }
        try decoder.countVisits(DecodingMeter.stepsPerEntry * keys.count)
        var attributes: [String: Any] = [:]
        for position in 0..<keys.count {
            let key = keys.reference(position, in: decoder.archive)
            let step = CodingPathStep.dictionaryKey(UInt32(truncatingIfNeeded: key))
            let (name, value) = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in
                let name = try contents.text(try contents.value(key))
                return (name, try contents.value(values.reference(position, in: contents)))
            }
            guard let name else { throw badAttributes(value, "names that are strings") }
            guard HashedText.isSafe(name) else { throw decoder.damaged(ArchiveContents.unsafeText(name), step) }
            attributes[name] = try attribute(value, at: step)
        }
        return attributes
    }

    private func badAttributes(_ value: ArchivedValue, _ wanted: String) -> DecodingError {
        decoder.damaged(KeyedArchiveError(.badEntry(.init("NSAttributes"), uid: value.uid, wanted: wanted)), .root)
    }

    private func attribute(_ value: ArchivedValue, at step: CodingPathStep) throws -> Any {
        let name = try decoder.contents(at: step) { contents throws(KeyedArchiveError) -> String? in
            guard value.node.kind == .dictionary, let uid = try contents.classUID(of: value.node) else { return nil }
            return try contents.className(uid)
        }
        if let name, let type = Self.attributeType(ofClassNamed: name), !list.hasType(named: name, in: decoder),
            let attribute = try type.attribute(value, in: decoder, at: step)
        {
            return attribute
        }
        return try decoder.object(value, of: list, at: step) ?? (Any?.none as Any)
    }

    private static func attributeType(ofClassNamed name: String) -> (any ArchivedAttribute.Type)? {
        switch name {
        case "NSFont", "UIFont": AttributedText.Font.self
        case "NSColor", "UIColor": AttributedText.Color.self
        case "NSParagraphStyle", "NSMutableParagraphStyle": AttributedText.ParagraphStyle.self
        default: nil
        }
    }
}

/// The runs of an NSAttributedString: parts of its text, each with a dictionary of attributes.
package struct AttributedRuns {
    /// The range of each run, and the position of its dictionary. They cover the whole text unless there is a `shortfall`, and none
    /// is empty.
    package private(set) var runs: [(range: Range<String.Index>, position: Int)] = []
    /// The error if the runs end before the text.
    package private(set) var shortfall: KeyedArchiveError?
    /// The only dictionary, or the list of dictionaries; nil if the text has no attributes.
    private var attributes: ArchivedValue?
    private var list: ArchivedElements?

    package var wanted: String {
        (list == nil ? "a dictionary" : "an array of dictionaries") + " whose keys are strings"
    }

    /// Reads the runs of `text`, the text of the object with `entries`.
    ///
    /// - Throws: `KeyedArchiveError` if the runs are damaged, or longer than the text.
    package init(of text: String, _ entries: inout ObjectEntries) throws(KeyedArchiveError) {
        guard !text.isEmpty else { return }
        let hasInfo = try entries.has("NSAttributeInfo")
        if try entries.has("NSAttributes") { attributes = try entries["NSAttributes"] }
        guard hasInfo else {
            // If the text has only one run, its attributes are stored without a list.
            runs = [(text.startIndex..<text.endIndex, 0)]
            return
        }
        guard let attributes, let list = try entries.contents.elements(of: attributes) else {
            throw entries.damaged("NSAttributes", "an array of dictionaries")
        }
        self.list = list
        // Each run has its length in UTF-16 and the position of its attributes in the list.
        guard let bytes = try entries.bytes("NSAttributeInfo"), let integers = PackedIntegers.integers(in: bytes),
            integers.count % 2 == 0
        else { throw entries.damaged("NSAttributeInfo", "data with pairs of integers") }
        var start = text.startIndex
        var rest = text.utf16.count
        for index in stride(from: 0, to: integers.count, by: 2) {
            guard let length = Int(exactly: integers[index]), length <= rest else { throw Self.badLengths(entries) }
            guard let position = Int(exactly: integers[index + 1]), position < list.count else {
                let wanted = "positions in NSAttributes, which has \(list.count) dictionaries"
                throw entries.damaged("NSAttributeInfo", wanted)
            }
            guard length > 0 else { continue }
            let end = text.utf16.index(start, offsetBy: length)
            runs.append((start..<end, position))
            start = end
            rest -= length
        }
        if rest > 0 { shortfall = Self.badLengths(entries) }
    }

    private static func badLengths(_ entries: ObjectEntries) -> KeyedArchiveError {
        entries.damaged("NSAttributeInfo", "lengths of runs that add up to that of the string")
    }

    /// Returns the dictionary of attributes at `position`; nil if the text has no attributes.
    package func dictionary(
        at position: Int, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> ArchivedValue? {
        guard let list else { return attributes }
        return try contents.value(list.reference(position, in: contents))
    }
}
