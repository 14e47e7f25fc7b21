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
    public func encodeConditional<Object: Coding>(_ object: Object?, forKey name: String? = nil) throws {
        try set(name) { try conditionalReference(toOptional: object, at: $0) }
    }

    /// Encodes a reference that does not archive `object`, of a class that is known only at run time, for a key or as
    /// the object's next value without a key.
    ///
    /// - Throws: `ArchivingError.Code.notSecure`.
    @_disfavoredOverload
    public func encodeConditional(_ object: (any Coding)?, forKey name: String? = nil) throws {
        try set(name) { try conditionalReference(toAny: object, at: $0) }
    }

    private func conditionalReference<Object: Coding>(
        toOptional object: Object?, at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        guard let object else { return ArchiveGraph.null }
        return try conditionalReference(to: object) { pathIndex(key) }
    }

    private func conditionalReference(
        toAny object: (any Coding)?, at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        guard let object else { return ArchiveGraph.null }
        return try conditionalReference(toOptional: object, at: key)
    }
}

// MARK: - Collections of instances

/// Writes arrays, sets and dictionaries of instances as Cocoa's NSArray, NSSet and NSDictionary.
extension KeyedArchiver {
    @inline(__always)
    func reference<Object: Coding>(
        toArray objects: [Object], at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        if objects.isEmpty { return graph.pointee.emptyArray() }
        return try reference(objects, at: key) { graph, slot, elements in graph.pointee.fill(slot, array: elements) }
    }

    func reference<Object: Coding & Hashable>(
        toSet objects: Set<Object>, at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        if objects.isEmpty { return graph.pointee.emptySet() }
        return try reference(Array(objects), at: key) { graph, slot, elements in
            graph.pointee.fill(slot, elements: elements, classUID: graph.pointee.classUID(.set))
        }
    }

    /// The reference to a collection of `objects`, whose object `fill` writes.
    @inline(__always)
    private func reference<Object: Coding>(
        _ objects: [Object], at key: ArchiveGraph.Reference, fill: Fill
    ) throws -> ArchiveGraph.Reference {
        // Code with the class as a generic parameter would look it up at every step.
        try reference(
            toInstances: Reinterpretation.objects(objects), writer(Object.self), at: key, fill: fill)
    }

    /// Writes the object of a collection from its slot and the references to its elements.
    private typealias Fill = (
        UnsafeMutablePointer<ArchiveGraph>, ArchiveGraph.Slot, UnsafeBufferPointer<ArchiveGraph.Reference>
    ) -> Void

    /// The reference to a collection of `objects`, each of which `writer` writes.
    private func reference(
        toInstances objects: [AnyObject], _ writer: Unmanaged<CodingWriter>, at key: ArchiveGraph.Reference, fill: Fill
    ) throws -> ArchiveGraph.Reference {
        try objects.withUnsafeBufferPointer { buffer in
            // As addresses: an instance that is taken out of the array would be retained and released.
            let addresses = UnsafeRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: UnsafeRawPointer.self)
            return try references(buffer.count, at: key) { index, path in
                guard let addresses else { return ArchiveGraph.null }
                return try writer._withUnsafeGuaranteedRef { try $0.reference(to: addresses[index], path: path) }
            } fill: {
                fill($0, $1, $2)
            }
        }
    }

    func reference<Object: Coding>(
        toDictionary objects: [String: Object], at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        try reference(objects, at: key) { try reference(to: $0, path: $1) }
    }

    /// The reference to a collection of `count` elements. `element` returns the reference to each, and `fill` writes
    /// the object.
    @inline(__always)
    private func references(
        _ count: Int, at key: ArchiveGraph.Reference,
        _ element: (Int, () -> CodingPathTable.Index) throws -> ArchiveGraph.Reference, fill: Fill
    ) throws -> ArchiveGraph.Reference {
        let graph = graph
        let state = state
        let slot = graph.pointee.reserveSlot()
        let start = state.pointee.elements.count
        defer { state.pointee.elements.truncate(to: start) }
        var path: CodingPathTable.Index?
        for index in 0..<count {
            state.pointee.elements.append(
                try element(index) {
                    let collection = path ?? pathIndex(key)
                    path = collection
                    return graph.pointee.paths.append(.index(index), to: collection)
                })
        }
        fill(graph, slot, UnsafeBufferPointer(start: state.pointee.elements.base + start, count: count))
        return slot.uid
    }

    /// The reference to a dictionary.
    private func reference<Value>(
        _ dictionary: [String: Value], at key: ArchiveGraph.Reference,
        _ element: (Value, () -> CodingPathTable.Index) throws -> ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        if dictionary.isEmpty { return graph.pointee.emptyDictionary() }
        let slot = graph.pointee.reserveSlot()
        let path = pathIndex(key)
        var pairs = PlainArray<ArchiveGraph.Reference>(capacity: 2 * dictionary.count)
        for (name, value) in dictionary {
            let name = graph.pointee.string(name)
            pairs.append(name)
            pairs.append(
                try element(value) { graph.pointee.paths.append(.dictionaryKey(name), to: path) })
        }
        graph.pointee.fill(slot, dictionary: UnsafeBufferPointer(pairs.elements))
        return slot.uid
    }
}
