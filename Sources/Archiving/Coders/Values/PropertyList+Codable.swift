// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - In archives

extension PropertyList: NativelyDecodable {
    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Self {
        try decoder.propertyList(value, at: step, level: 0)
    }
}

extension DecodingFrame {
    fileprivate func propertyList(_ value: ArchivedValue, at step: CodingPathStep, level: Int) throws -> PropertyList {
        if value.node.kind == .null || isNil(value) { return .null }
        let known: CocoaClass? =
            switch value.node.kind {
            case .true, .false, .integer, .real32, .real64: .number
            case .ascii, .utf16: .string
            case .date: .date
            case .data: .data
            case .array: .array
            case .set: .set
            case .dictionary: try knownClass(of: value, at: step)
            case .null, .uid: nil
            }
        switch known {
        case .string: return .string(try string(value, at: step))
        case .date: return .date(try Date.leaf(value, in: self, at: step))
        case .data: return .data(try Data.leaf(value, in: self, at: step))
        case .number:
            let found = try undamaged(archive.number(value), at: step)
            guard found.node.kind != .dictionary else { throw notAPropertyList(value, step) }
            return number(found.node)
        case .array: return .array(try propertyLists(value, at: step, level))
        case .set: return .set(try propertyLists(value, at: step, level))
        case .dictionary: return .dictionary(try entries(value, at: step, level))
        default: throw notAPropertyList(value, step)
        }
    }

    /// Returns the class of the object `value`. A subclass can have more contents than its superclass, and has none here.
    private func knownClass(of value: ArchivedValue, at step: CodingPathStep) throws -> CocoaClass? {
        try contents(at: step) { contents throws(KeyedArchiveError) -> CocoaClass? in
            guard let uid = try contents.classUID(of: value.node),
                let found = try contents.nearestClass(uid, CocoaClass.init(named:)), found.isItself
            else { return nil }
            return found.class
        }
    }

    private func number(_ node: Node) -> PropertyList {
        let objects = archive.list.objects
        return switch node.kind {
        case .true: .boolean(true)
        case .false: .boolean(false)
        case .real32: .real32(objects.real32(node))
        case .real64: .real(objects.real64(node))
        default: .integer(objects.integer(node))
        }
    }

    /// Returns the elements of `value`. The array grows with the decoded elements, which the limit of work bounds.
    private func propertyLists(_ value: ArchivedValue, at step: CodingPathStep, _ level: Int) throws -> [PropertyList] {
        try container(value, at: step, level) { decoder in
            let elements = try decoder.elements(of: value, at: .root)
            try decoder.countVisits(elements.count)
            var lists: [PropertyList] = []
            for position in 0..<elements.count {
                let step = CodingPathStep.index(position)
                let element = try decoder.resolve(elements.reference(position, in: decoder.archive), at: step)
                lists.append(try decoder.propertyList(element, at: step, level: level + 1))
            }
            return lists
        }
    }

    private func entries(
        _ value: ArchivedValue, at step: CodingPathStep, _ level: Int
    ) throws -> PropertyList.Dictionary {
        try container(value, at: step, level) { decoder in
            guard let (keys, values) = try decoder.dictionary(value, at: .root) else {
                throw decoder.notAPropertyList(value, .root)
            }
            try decoder.countVisits(DecodingMeter.stepsPerEntry * keys.count)
            let archive = decoder.archive
            var entries = PropertyList.Dictionary()
            for position in 0..<keys.count {
                let reference = keys.reference(position, in: archive)
                let step = CodingPathStep.dictionaryKey(UInt32(truncatingIfNeeded: reference))
                let keyStep = CodingPathStep.key(inEntry: position)
                let key = try decoder.string(try decoder.resolve(reference, at: keyStep), at: keyStep)
                try decoder.checkHashed(key, at: step)
                let value = try decoder.resolve(values.reference(position, in: archive), at: step)
                // As Foundation, and as for a Swift dictionary.
                entries.setLast(key: key, value: try decoder.propertyList(value, at: step, level: level + 1))
            }
            return entries
        }
    }

    private func container<Result>(
        _ value: ArchivedValue, at step: CodingPathStep, _ level: Int, _ body: (DecodingFrame) throws -> Result
    ) throws -> Result {
        // Within this limit, recursion over the list fits on any stack.
        guard level < PropertyListLimits.nesting else {
            throw DecodingError(.nestedTooDeep(limit: PropertyListLimits.nesting, depth: level, path: path(step)))
        }
        return try with(nil, value, step, body)
    }

    @inline(never)
    private func notAPropertyList(_ value: ArchivedValue, _ step: CodingPathStep) -> DecodingError {
        let found = archive.describe(value)
        return DecodingError.invalid(as: PropertyList.self, path: path(step)) {
            "Found \(found) at \($0), which no PropertyList can represent. Decode a KeyedArchive.Value, or a"
                + " [String: PropertyList] of its fields"
        }
    }
}

extension PropertyList: NativelyEncodable {
    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let graph = encoding.graph
        switch value {
        // Cocoa's collections have no nil.
        case .null: return inline ? ArchiveGraph.null : graph.nullObject()
        case .boolean(let value): return graph.boolean(value, inline: inline)
        case .integer(let value): return graph.integer(value, inline: inline)
        case .real(let value): return graph.real(value, inline: inline)
        case .real32(let value): return graph.real(value, inline: inline)
        case .string(let value): return graph.string(value)
        case .date(let value): return graph.date(value.timeIntervalSinceReferenceDate)
        case .data(let value): return value.withBytes { graph.data($0) }
        case .uid: throw EncodingError.notEncodable(value, path: encoding.keys(step))
        case .array(let elements):
            return try elements.withSpan { try encoding.collection(of: $0, as: .array, at: step) }
        case .set(let elements): return try elements.withSpan { try encoding.collection(of: $0, as: .set, at: step) }
        case .dictionary(let entries):
            return entries.isEmpty ? graph.emptyDictionary() : try encoding.reference(to: entries, at: step)
        }
    }
}

extension EncodingFrame {
    fileprivate func reference(to entries: PropertyList.Dictionary, at step: CodingPathStep) throws -> Reference {
        try encodeElements(of: .dictionary, at: step) { encoder in
            let type = encoder.session.type(PropertyList.self)
            try encoder.session.countCollection(entries.count)
            for (index, entry) in entries.enumerated() {
                try encoder.session.countElement(at: index)
                let key = encoder.graph.string(entry.key)
                let step = CodingPathStep.dictionaryKey(key)
                guard entries.firstPosition(of: entry.key) == index else {
                    throw EncodingError.repeatedKey(entry.key, .dictionary(entries), path: encoder.keys(step))
                }
                encoder.entries.append(key)
                encoder.entries.append(
                    try encoder.reference(to: entry.value, type: type, at: step, inline: false))
            }
        }
    }
}

// MARK: - Codable

extension PropertyList: Codable {
    /// Decodes a value of any kind.
    ///
    /// ```swift
    /// let settings = try ArchiveDecoder().decode([String: PropertyList].self, from: data)
    /// ```
    ///
    /// From an archive, the value is a number, a string, a date, data, or an NSArray, NSSet or NSDictionary of such values
    /// whose keys are strings. NSNumber, NSString, NSDate and NSData and the mutable classes are the values that they
    /// contain. Nil and NSNull are ``null``. An object with several references is one value for each of them, and each
    /// counts as work (`DecodingLimits.work`). Containers may be nested 512 levels deep. An object of any other class is an
    /// error: decode it as a `KeyedArchive.Value`, or its fields as `[String: PropertyList]`.
    ///
    /// From other decoders, the value has the kind that the decoder finds. In JSON a date and data are what the encoder's
    /// strategy has made of them: strings or numbers.
    ///
    /// - Throws: `DecodingError`.
    /// - Complexity: O(*n*), where *n* is the number of values.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if decoder is ProgramDecoder {
            self = try container.decode(PropertyList.self)
        } else if container.decodeNil() {
            self = .null
        } else if let leaf = Self.leaf(container) {
            self = leaf
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([PropertyList].self))
        } else if (try? decoder.container(keyedBy: ArchiveKey.self)) != nil {
            // The container of a dictionary, not of fields: decoders leave its keys unchanged.
            let entries = try container.decode([String: PropertyList].self)
            self = .dictionary(Dictionary(entries.map { (key: $0.key, value: $0.value) }))
        } else if let date = try? container.decode(Date.self) {
            self = .date(date)
        } else {
            self = .data(try container.decode(Data.self))
        }
    }

    /// Returns the Boolean value, number or string in `container`. A decoder of text finds dates and data in strings, so these
    /// come last.
    private static func leaf(_ container: any SingleValueDecodingContainer) -> PropertyList? {
        if let value = try? container.decode(Bool.self) { return .boolean(value) }
        if let value = try? container.decode(Int64.self) { return .integer(Int128(value)) }
        if let value = try? container.decode(UInt64.self) { return .integer(Int128(value)) }
        if let value = try? container.decode(Double.self) { return .real(value) }
        if let value = try? container.decode(String.self) { return .string(value) }
        return nil
    }

    /// Encodes the value as its kind.
    ///
    /// An archive gets the objects that Cocoa writes: NSArray, NSSet, NSDictionary, NSString, NSNumber, NSDate and NSData.
    /// ``null`` is nil, and NSNull in a collection. Reals of 32 bits and integers of 128 bits keep their size.
    ///
    /// Other encoders get dates and data as their strategies say. Their dictionaries have no order, and a real of 32 bits
    /// becomes the number of the same value.
    ///
    /// - Throws: `EncodingError` for a ``uid(_:)``, for a dictionary that has a key twice, and, with other encoders than those of
    ///   archives, for a ``set(_:)``.
    /// - Complexity: O(*n*), where *n* is the number of values.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if encoder is ValueEncoder { return try container.encode(self) }
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value):
            if let narrow = Int64(exactly: value) {
                try container.encode(narrow)
            } else if let narrow = UInt64(exactly: value) {
                try container.encode(narrow)
            } else {
                try container.encode(value)
            }
        case .real(let value): try container.encode(value)
        case .real32(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .array(let elements): try container.encode(elements)
        case .dictionary(let entries):
            var contents = Swift.Dictionary<String, PropertyList>(minimumCapacity: entries.count)
            for entry in entries where contents.updateValue(entry.value, forKey: entry.key) != nil {
                throw EncodingError.repeatedKey(entry.key, self, path: encoder.codingPath)
            }
            try container.encode(contents)
        case .uid, .set: throw EncodingError.notEncodable(self, path: encoder.codingPath)
        }
    }
}
