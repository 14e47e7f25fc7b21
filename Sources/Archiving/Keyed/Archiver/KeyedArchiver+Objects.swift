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
    /// Encodes a reference that does not archive `object`, for a key or as the object's next value without a key.
    ///
    /// ```swift
    /// try coder.encodeConditional(superview, forKey: "superview")
    /// ```
    ///
    /// - Throws: `ArchivingError.Code.notSecure`.
    public func encodeConditional(_ object: (any Coding)?, forKey name: String? = nil) throws {
        try set(name) { key in
            guard let object else { return ArchiveGraph.null }
            return try conditionalReference(to: object) { pathIndex(key) }
        }
    }
}

// MARK: - Collections of instances

/// Writes arrays, sets and dictionaries of instances as Cocoa's NSArray, NSSet and NSDictionary.
extension KeyedArchiver {
    func reference<Object: Coding>(
        toArray objects: [Object], at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        // Code with the class as a generic parameter would look it up at every step.
        try reference(toArray: Reinterpretation.objects(objects), at: key) { writer(Object.self) }
    }

    private func reference(
        toArray objects: [AnyObject], at key: ArchiveGraph.Reference, _ writer: () -> CodingWriter
    ) throws -> ArchiveGraph.Reference {
        if objects.isEmpty { return graph.emptyArray() }
        let writer = writer()
        return try references(objects.count, at: key) {
            try reference(to: objects[$0], writer, path: $1)
        } fill: {
            graph.fill($0, array: $1)
        }
    }

    func reference<Object: Coding & Hashable>(
        toSet objects: Set<Object>, at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        if objects.isEmpty { return graph.emptySet() }
        let objects = Array(objects)
        let writer = writer(Object.self)
        return try references(objects.count, at: key) {
            try reference(to: objects[$0], writer, path: $1)
        } fill: {
            graph.fill($0, elements: $1, classUID: graph.classUID(.set))
        }
    }

    func reference<Object: Coding>(
        toDictionary objects: [String: Object], at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        try reference(objects, at: key) { try reference(to: $0, path: $1) }
    }

    /// The reference to a collection of `count` elements. `element` returns the reference to each, and `fill` writes
    /// the object from its slot and these references.
    @inline(__always)
    private func references(
        _ count: Int, at key: ArchiveGraph.Reference,
        _ element: (Int, () -> CodingPathTable.Index) throws -> ArchiveGraph.Reference,
        fill: (ArchiveGraph.Slot, PlainTable<ArchiveGraph.Reference>.Suffix) -> Void
    ) throws -> ArchiveGraph.Reference {
        let slot = graph.reserveSlot()
        let start = tables.elements.count
        defer { tables.elements.truncate(to: start) }
        var path: CodingPathTable.Index?
        for index in 0..<count {
            let reference = try element(index) {
                let collection = path ?? pathIndex(key)
                path = collection
                return writing.path(.index(index), in: collection)
            }
            tables.elements.append(reference)
        }
        fill(slot, tables.elements.suffix(from: start))
        return slot.uid
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
            pairs.append(try element(value) { writing.path(.dictionaryKey(name), in: path) })
        }
        graph.fill(slot, dictionary: pairs)
        return slot.uid
    }
}
