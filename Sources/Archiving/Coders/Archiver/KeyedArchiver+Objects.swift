// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Instances

extension KeyedArchiver {
    /// The reference to `object`, the value under `key`.
    @inline(__always)
    func reference<Object: Coding>(to object: Object, at key: ArchiveGraph.Reference) throws -> ArchiveGraph.Reference {
        try reference(to: object) { pathIndex(key) }
    }
}

// MARK: - Conditional instances

/// Encodes references that do not archive the referenced instance. They are decoded as nil unless another reference in
/// the archive, earlier or later, archives the instance; then they are decoded as that instance.
extension KeyedArchiver {
    /// Encodes a reference that does not archive `object`, for a key.
    ///
    /// ```swift
    /// try coder.encodeConditional(superview, forKey: "superview")
    /// ```
    ///
    /// - Throws: `ArchivingError.Code.notSecure`.
    public func encodeConditional(_ object: (any Coding)?, forKey name: String) throws {
        try setConditional(name, object)
    }

    /// Encodes a reference that does not archive `object`, as the next value without a key.
    ///
    /// - Throws: `ArchivingError.Code.notSecure`.
    public func encodeNextConditional(_ object: (any Coding)?) throws { try setConditional(nil, object) }

    func setConditional(_ name: String?, _ object: (any Coding)?) throws {
        try set(name) { key in
            guard let object else { return ArchiveGraph.null }
            session.updated?.pin(object)
            return try conditionalReference(to: object) { pathIndex(key) }
        }
    }
}

// MARK: - Collections of instances

/// Writes arrays, sets and dictionaries of instances as Cocoa's NSArray, NSSet and NSDictionary.
extension KeyedArchiver {
    @inline(__always)
    func reference<Object: Coding>(
        toArray objects: [Object], at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        // Code with the class as a generic parameter would look it up at every step.
        let objects = Reinterpretation.objects(objects)
        if objects.isEmpty { return graph.emptyArray() }
        return try reference(toArray: objects, at: key, session.type(coding: Object.self))
    }

    private func reference(
        toArray objects: [AnyObject], at key: ArchiveGraph.Reference, _ type: EncodingType
    ) throws -> ArchiveGraph.Reference {
        let slot = graph.reserveSlot()
        try withReferences(to: objects, at: key, type) { graph.fill(slot, array: $0) }
        return slot.uid
    }

    func reference<Object: Coding & Hashable>(
        toSet objects: Set<Object>, at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        if objects.isEmpty { return graph.emptySet() }
        let objects = Reinterpretation.objects(Array(objects))
        let slot = graph.reserveSlot()
        try withReferences(to: objects, at: key, session.type(coding: Object.self)) {
            graph.fill(slot, elements: $0, classUID: graph.classUID(.set))
        }
        return slot.uid
    }

    /// Calls `body` with the references to `objects`, the elements of the value under `key`.
    @inline(__always)
    private func withReferences(
        to objects: [AnyObject], at key: ArchiveGraph.Reference, _ type: EncodingType,
        _ body: (PlainTable<ArchiveGraph.Reference>.Suffix) -> Void
    ) throws {
        let elements = session.elements
        let start = elements.count
        defer { elements.truncate(to: start) }
        try type.codingWriter?.appendReferences(to: objects, in: self, at: key)
        body(elements.suffix(from: start))
    }

    func reference<Object: Coding>(
        toDictionary objects: [String: Object], at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        try reference(objects, at: key) { try reference(to: $0, path: $1) }
    }

    /// The reference to a dictionary.
    private func reference<Value>(
        _ dictionary: [String: Value], at key: ArchiveGraph.Reference,
        _ element: (Value, () -> CodingPathTable.Index) throws -> ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        if dictionary.isEmpty { return graph.emptyDictionary() }
        let slot = graph.reserveSlot()
        let path = pathIndex(key)
        var pairs: [ArchiveGraph.Reference] = []
        pairs.reserveCapacity(2 * dictionary.count)
        for (name, value) in dictionary {
            let name = graph.string(name)
            pairs.append(name)
            pairs.append(try element(value) { session.path(.dictionaryKey(name), in: path) })
        }
        graph.fill(slot, dictionary: pairs)
        return slot.uid
    }
}
