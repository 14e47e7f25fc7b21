// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - In archives

extension KeyedArchive.Value: NativelyDecodable {
    static func read(_ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep) throws -> Self {
        try decoder.archiveValue(value, at: step)
    }
}

extension DecodingFrame {
    fileprivate func archiveValue(_ value: ArchivedValue, at step: CodingPathStep) throws -> KeyedArchive.Value {
        let objects = session.unarchiver.foreignObjects
        // Nil is the object 0.
        guard value.uid == 0, !value.isNull, value.node.kind != .null else {
            if value.uid != 0 { objects.add(value.uid) }
            return objects.source.object(value.uid)
        }
        let reference = try undamaged(archive.reference(to: value.node), at: step)
        guard let reference else { throw mismatch(KeyedArchive.Value.self, value, step) }
        return objects.source.value(reference)
    }
}

extension ArchiveContents {
    /// Returns a reference to the object `node` of the property list.
    ///
    /// Writers store objects in the order of their references, encoders all but the last three. Then the search takes O(log *n*) time,
    /// otherwise O(*n*), where *n* is the number of objects.
    fileprivate func reference(to node: Node) throws(KeyedArchiveError) -> Int? {
        let first = firstIndex(below: max(0, list.objectCount - 3)) {
            (try? list.offset(of: $0)) ?? .max >= node.payload
        }
        if isNode(node, first - 1) { return first - 1 }
        try countWork(list.objectCount)
        return (0..<list.objectCount).first { isNode(node, $0) }
    }

    private func isNode(_ node: Node, _ reference: Int) -> Bool {
        guard reference >= 0, let found = try? self.node(reference) else { return false }
        return found.payload == node.payload && found.kind == node.kind
    }
}

extension KeyedArchive.Value: NativelyEncodable {
    static func write(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        // It refers to no instance in progress.
        do {
            let archiver = encoding.session.archiver
            let path = encoding.pathIndex(step)
            if let reference = try archiver.reference(to: value, at: path, inline: inline) { return reference }
        } catch let error as KeyedArchiveError {
            throw EncodingError.invalid(value, path: encoding.keys(step), underlying: error) {
                "The KeyedArchive.Value at \($1) cannot be copied because its archive is damaged: \(error.description)"
            }
        }
        throw EncodingError.invalid(value, path: encoding.keys(step)) {
            "Found the top of an archive at \($1), which is no object. Encode its values"
        }
    }
}

// MARK: - Codable

extension KeyedArchive.Value: Codable {
    /// Decodes a value of any class and kind, without reading its contents.
    ///
    /// ```swift
    /// let favourites = try ArchiveDecoder().decode([String: KeyedArchive.Value].self, from: data)
    /// let name = favourites["name"]?.string
    /// let color = try favourites["color"]?.decode(Color.self)
    /// ```
    ///
    /// The value belongs to the archive that is being decoded, whose bytes it retains. Nil is a value of the kind
    /// `null`.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if `decoder` does not decode an archive.
    /// - Complexity: O(1) for an object. O(log *n*) for a value inside an object, where *n* is the number of objects; O(*n*)
    ///   if the archive's objects are in an unusual order.
    public init(from decoder: any Decoder) throws {
        guard decoder is ProgramDecoder else {
            throw DecodingError.needsArchive(Self.self, "Use ArchiveDecoder, or decode a PropertyList", decoder)
        }
        self = try decoder.singleValueContainer().decode(KeyedArchive.Value.self)
    }

    /// Encodes a copy of the value, with all objects that it references.
    ///
    /// Each object is written once, also if several values of one archive reference it. If the value was decoded together
    /// with instances that it references, the new archive contains these instances in their current state, as for an
    /// `UnknownObject`.
    ///
    /// - Throws: `EncodingError.invalidValue` if the value is ``KeyedArchive/top`` or damaged, or if `encoder` does not encode
    ///   an archive.
    /// - Complexity: O(*n*), where *n* is the number of objects that the value references.
    public func encode(to encoder: any Encoder) throws {
        guard encoder is ValueEncoder else {
            throw EncodingError.needsArchive(self, "Use ArchiveEncoder, or encode a PropertyList", encoder)
        }
        var container = encoder.singleValueContainer()
        try container.encode(self)
    }
}
