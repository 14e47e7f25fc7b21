// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The instance that is archived for a referenced one, with the number of the writer of its contents.
enum ArchivedInstance {
    /// The referenced instance itself, which still has no uid.
    case itself(writer: UInt32)
    /// The instance that the program named, which may be the referenced one, and may have a uid.
    case named(AnyObject, writer: UInt32)
    case null
}

// MARK: - References

extension EncodingSession {
    /// Returns the reference to `object`, an instance of the class with the record `type`, or of a subclass.
    ///
    /// An instance that has a uid keeps it. Otherwise its class may name another instance that is archived for it. That one
    /// gets the slot of its conditional references, or a new slot, unless it has a uid.
    ///
    /// - Parameter path: The coding path of the reference.
    @inline(__always)
    func reference(
        to object: AnyObject, _ type: EncodingType, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        if let known = instances.uid(of: object) { return known }
        return try newReference(to: object, type, path())
    }

    @inline(__always)
    func newReference(
        to object: AnyObject, _ type: EncodingType, _ path: CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        guard type.kind == .instance, Swift.type(of: object) == type.type else {
            return try otherReference(to: object, type, path)
        }
        return newInstance(object, writer: type.writerNumber, path: path)
    }

    @inline(never)
    private func otherReference(
        to object: AnyObject, _ type: EncodingType, _ path: CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        switch try archivedInstance(for: object, type, path) {
        case .itself(let writer): newInstance(object, writer: writer, path: path)
        case .named(let named, let writer): instances.uid(of: named) ?? newInstance(named, writer: writer, path: path)
        case .null: ArchiveGraph.null
        }
    }

    /// Returns the reference to a collection of `objects`, instances of the class with the record `type` or of subclasses.
    ///
    /// - Parameters:
    ///   - path: The coding path of the collection.
    ///   - fill: A function that fills the slot of the collection with the references to its elements.
    @inline(__always)
    func reference(
        toCollection objects: [AnyObject], _ type: EncodingType, path: () -> CodingPathTable.Index,
        _ fill: (ArchiveGraph.Slot, PlainTable<ArchiveGraph.Reference>.Suffix) -> Void
    ) throws -> ArchiveGraph.Reference {
        let slot = graph.reserveSlot()
        let start = graph.collected.count
        defer { graph.collected.truncate(to: start) }
        try appendReferences(to: objects, type, path: path)
        fill(slot, graph.collected.suffix(from: start))
        return slot.uid
    }

    private func appendReferences(
        to objects: [AnyObject], _ type: EncodingType, path: () -> CodingPathTable.Index
    ) throws {
        // Constants, so that the loop does not retain the tables.
        let (collected, instances, paths) = (graph.collected, instances, paths)
        collected.reserve(objects.count)
        try countCollection(objects.count)
        var known: CodingPathTable.Index?
        try objects.withSpan { objects in
            try objects.forEachInPlace { object, index in
                try countElement(at: index)
                if let uid = instances.uid(of: object) { return collected.append(uid) }
                let place = known ?? path()
                known = place
                collected.append(try newReference(to: object, type, paths.append(.index(index), to: place)))
            }
        }
    }

    /// Returns the reference to `object` for a property that does not archive it. It is decoded as nil unless another
    /// reference archives the instance.
    func conditionalReference(
        to object: AnyObject, _ type: EncodingType, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        if let known = instances.uid(of: object) { return known }
        let archived =
            switch try archivedInstance(for: object, type, path()) {
            case .itself: object
            case .named(let named, _): named
            case .null: nil as AnyObject?
            }
        guard let archived else { return ArchiveGraph.null }
        return instances.uid(of: archived) ?? conditionalInstance(archived)
    }

    /// Returns the instance that is archived for `object`, which has no uid. An instance of a `Coding` class can name another one,
    /// also if only its subclass conforms to `Coding`.
    ///
    /// - Parameter path: The coding path of the reference, for an error.
    @inline(__always)
    private func archivedInstance(
        for object: AnyObject, _ type: EncodingType, _ path: CodingPathTable.Index
    ) throws -> ArchivedInstance {
        if let writer = type.codingWriter { return try writer.archivedInstance(for: object, in: self, path) }
        let own: AnyClass = Swift.type(of: object)
        if type.kind == .instance, own == type.type { return .itself(writer: type.writerNumber) }
        let writer = self.type(ofSubclass: own, type).codingWriter
        return try writer?.archivedInstance(for: object, in: self, path) ?? .itself(writer: type.writerNumber)
    }
}

// MARK: - Instances

extension EncodingSession {
    /// Assigns a uid to `object`, which has none, and appends it to the pending instances. An instance with conditional
    /// references gets their slot.
    ///
    /// - Parameters:
    ///   - writer: The number of the writer of its contents.
    ///   - path: The path of the first reference to the instance.
    @inline(__always)
    func newInstance(
        _ object: consuming AnyObject, writer: UInt32, path: CodingPathTable.Index
    ) -> ArchiveGraph.Reference {
        if !conditionals.isEmpty, let known = instanceWithSlot(object, writer: writer, path: path) { return known }
        let slot = graph.reserveSlot()
        instances.insert(object, uid: slot.uid)
        pending.append(PendingInstances.Item(writer: writer, slot: slot.index, path: path))
        return slot.uid
    }

    /// As `newInstance(_:writer:path:)`, for an instance that has a slot: that of its conditional references, or that of an
    /// unmarked instance of the updated archive, which is not written, and not in the table. Nil for any other instance.
    @inline(never)
    private func instanceWithSlot(
        _ object: AnyObject, writer: UInt32, path: CodingPathTable.Index
    ) -> ArchiveGraph.Reference? {
        if let unmarked = extras.observer?.reference(toUnmarked: object, in: graph) { return unmarked }
        guard let slot = conditionals.slot(of: object) else { return nil }
        instances.insert(object, uid: slot.uid)
        pending.append(PendingInstances.Item(writer: writer, slot: slot.index, path: path))
        return slot.uid
    }

    /// Returns the uid of the instance `object`, which has none, for a conditional reference. The slot holds "$null" unless a
    /// later reference archives the instance.
    func conditionalInstance(_ object: AnyObject) -> ArchiveGraph.Reference {
        if let slot = conditionals.slot(of: object) { return slot.uid }
        if let unmarked = extras.observer?.reference(toUnmarked: object, in: graph) { return unmarked }
        let slot = graph.reserveSlot()
        conditionals.insert(object, slot)
        return slot.uid
    }

    /// Returns whether several values may share the object of `uid`.
    ///
    /// - Complexity: O(*n*), where *n* is the number of instances.
    func isShared(_ uid: ArchiveGraph.Reference) -> Bool {
        graph.isEmptyCollection(uid) || instances.object(uid) != nil || !extras.transcriptions.isEmpty
    }
}

// MARK: - The work list

extension EncodingSession {
    /// Writes the contents of the pending instances, outside of any call that does. An error fails the archive, and the first one is
    /// thrown.
    ///
    /// - Parameter explained: A function that converts an error to one that the coder throws.
    func write(_ explained: (any Error) -> any Error = { $0 }) throws {
        // The program may be on another thread than before.
        meter.resetStack()
        do {
            try working {
                var count = 0
                // Most instances have the writer of the one before.
                while let number = pending.firstWriter() { try writers[Int(number)].writePending(of: self, &count) }
            }
        } catch {
            fail(explained(error))
        }
        if let failure { throw explained(failure) }
    }

    /// Removes and returns the next instance whose contents are to be written; nil if there is none, or if its writer has another
    /// number than `writer`.
    ///
    /// - Parameter count: The number of instances that the call has written.
    @inline(__always)
    func nextPendingInstance(of writer: UInt32, _ count: inout Int) throws -> PendingInstance? {
        guard let (item, number) = pending.popFirst(of: writer) else { return nil }
        try meter.count(at: count, for: graph)
        count &+= 1
        let (object, uid) = instances[number]
        let slot = ArchiveGraph.Slot(index: item.slot, uid: uid)
        return PendingInstance(object: object, slot: slot, path: item.path)
    }
}

// MARK: - Coding paths

extension EncodingSession {
    /// Returns the entry in the table of paths for the part at `step` of the value with the entry `parent`.
    ///
    /// It is a function of the session, since callers of the table's own would retain the table.
    @inline(never)
    func path(_ step: CodingPathStep, in parent: CodingPathTable.Index) -> CodingPathTable.Index {
        step.kind == .none ? parent : paths.append(step, to: parent)
    }

    func codingPath(_ index: CodingPathTable.Index) -> [any CodingKey] {
        paths.path(to: index) { step in
            step.kind == .key
                ? ArchiveKey(stringValue: graph.userKeyName(step.value)) : graph.dictionaryKey(step.value)
        }
    }

    @inline(never)
    func step(_ key: some CodingKey, _ reference: ArchiveGraph.Reference) -> CodingPathStep {
        key.intValue == nil ? .key(reference) : paths.step(to: key)
    }

    func step(toValueOf key: ArchiveGraph.Reference, at position: Int) -> CodingPathStep {
        graph.isNamed(key: key) ? .dictionaryKey(key) : .value(inEntry: position)
    }
}
