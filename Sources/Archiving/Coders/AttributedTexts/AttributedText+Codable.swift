// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension AttributedText: OnlyArchivable {
    static var advice: String { "Other coders can have its `string`" }
}

// MARK: - Writing

extension AttributedText {
    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        try encoding.encodeSingle(at: step, inline: inline) { encoding in
            var writing = AttributedTextWriting(encoding)
            try encoding.setSingle(writing.object(value))
        }
    }
}

/// Writes the runs of a text. Equal attributes are written once, and adjacent runs with the same attributes are one run.
private struct AttributedTextWriting {
    private typealias Reference = ArchiveGraph.Reference

    private let encoder: EncodingFrame
    /// The dictionaries, and their positions by the references of their names and values.
    private var dictionaries: [Reference] = []
    private var positions: [[Reference]: Int] = [:]
    /// Values without identity that have been written.
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
            let slot = graph.reserveSlot()
            graph.fill(slot, array: dictionaries)
            entries += [("NSAttributes", slot.uid), ("NSAttributeInfo", info)]
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
        if pairs.isEmpty {
            dictionaries.append(graph.emptyDictionary())
        } else {
            let slot = graph.reserveSlot()
            graph.fill(slot, dictionary: pairs)
            dictionaries.append(slot.uid)
        }
        positions[pairs] = dictionaries.count - 1
        return dictionaries.count - 1
    }

    private mutating func reference(to value: Any, at step: CodingPathStep) throws -> Reference {
        let key = identity(of: value)
        if let key, let known = written[key] { return known }
        let object = try encoder.reference(to: AnyArchived(value), at: step, inline: false)
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
        func append(_ text: String) {
            bytes += Array(text.utf8) + [0xFF]
        }
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

extension AttributedText {
    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Self {
        try decoder.with(nil, value, step) { try AttributedTextReading($0).text(value) }
    }
}

/// Reads a text. An object of another class with the same keys, such as an NSTextStorage, is read as well.
private struct AttributedTextReading {
    private let decoder: DecodingFrame
    private let list: AllowedTypeList
    /// The types of the program that attributes may have.
    private let registered: [any Any.Type]

    init(_ decoder: DecodingFrame) {
        self.decoder = decoder
        let settings = decoder.session.settings
        registered = settings.requiresSecureCoding ? [] : settings.knownTypes
        list = AllowedTypeList(Self.types + registered, .exact)
    }

    /// The types of attributes, apart from those of AppKit's objects.
    private static var types: [any Any.Type] {
        [
            String.self, Bool.self, Double.self, Float.self, Data.self, Date.self, URL.self, UUID.self, Decimal.self,
            [Any].self, [AnyHashable: Any].self, Set<AnyHashable>.self, AttributedText.self, UnknownObject.self,
        ] + AnyDecoding.integers
    }

    func text(_ value: ArchivedValue) throws -> AttributedText {
        let parts = try decoder.undamaged(Self.parts(of: value, in: decoder.archive), at: .root)
        guard let (string, archived) = parts else { throw decoder.mismatch(AttributedText.self, value, .root) }
        guard let archived else { return AttributedText(string) }
        /// The attributes by position. A caller that visits the runs visits them each time.
        var known: [Int: [String: Any]] = [:]
        var runs: [(range: Range<String.Index>, attributes: [String: Any])] = []
        for (range, position) in archived.runs {
            let attributes = try known[position] ?? self.attributes(at: position, of: archived)
            known[position] = attributes
            try decoder.countVisits(1 + attributes.count)
            runs.append((range, attributes))
        }
        return AttributedText(string, runs: runs)
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
        return try dictionary.map { try attributes($0) } ?? [:]
    }

    private func attributes(_ value: ArchivedValue) throws -> [String: Any] {
        guard let (keys, values) = try decoder.dictionary(value, at: .root) else {
            throw decoder.damaged(
                KeyedArchiveError(
                    .badEntry(.init("NSAttributes"), uid: value.uid, wanted: "dictionaries of attributes")), .root)
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
            guard let name else {
                throw decoder.damaged(
                    KeyedArchiveError(
                        .badEntry(.init("NSAttributes"), uid: value.uid, wanted: "names that are strings")), .root)
            }
            guard HashedText.isSafe(name) else { throw decoder.damaged(ArchiveContents.unsafeText(name), step) }
            attributes[name] = try attribute(value, at: step)
        }
        return attributes
    }

    private func attribute(_ value: ArchivedValue, at step: CodingPathStep) throws -> Any {
        let known = AnyDecoding(decoder, list, at: step)
        if known.isNil(value) { return Any?.none as Any }
        let name = try decoder.contents(at: step) { contents throws(KeyedArchiveError) -> String? in
            guard value.node.kind == .dictionary, let uid = try contents.classUID(of: value.node) else {
                return nil
            }
            return try contents.className(uid)
        }
        if let type = name.flatMap(Self.attributeType), !isRegistered(name),
            let attribute = try type.attribute(value, in: decoder, at: step)
        {
            return attribute
        }
        return try known.value(value)
    }

    private func isRegistered(_ name: String?) -> Bool {
        let classes = decoder.session.settings.classes
        return name.map { name in registered.contains { classes.isName(name, of: $0) } } ?? false
    }

    /// Returns the type of AppKit's and UIKit's objects of a class.
    private static func attributeType(ofClassNamed name: String) -> (any ArchivedAttribute.Type)? {
        switch name {
        case "NSFont", "UIFont": AttributedText.Font.self
        case "NSColor", "UIColor": AttributedText.Color.self
        case "NSParagraphStyle", "NSMutableParagraphStyle": AttributedText.ParagraphStyle.self
        default: nil
        }
    }
}
