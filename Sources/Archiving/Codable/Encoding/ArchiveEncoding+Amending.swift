// Containers that continue an encoded value. A value may encode another value through a single value container or under
// a key, and then request a container in the same place. Like Foundation's coders, this adds to the existing value.

extension ArchiveEncoding {
    /// Changes the kind of container of a value that has requested another kind before.
    @inline(never)
    func change(to form: EncodingFrame.Form) {
        switch frame.pointee.form {
        case .undecided: begin(newObject: form)
        case .single:
            if core.pointee.postponedEncoder(of: frame.pointee.single) != nil { hasTwoKinds() }
            if !amend(frame.pointee.single, as: form) { hasTwoKinds() }
        case .keyed, .unkeyed: hasTwoKinds()
        }
    }

    /// Reserves a slot for an object that begins empty.
    func begin(newObject form: EncodingFrame.Form) {
        frame.pointee.form = form
        reserveSlot()
    }

    func reserveSlot() {
        if frame.pointee.slot.uid == 0 { frame.pointee.slot = graph.pointee.reserveSlot() }
    }

    /// Begins a container with the contents of the object `written`, and replaces this encoder's value with it.
    ///
    /// - Returns: Whether a container of the form `form` can continue the object.
    func amend(_ written: Reference, as form: EncodingFrame.Form) -> Bool {
        if let object = graph.pointee.instance(written), graph.pointee.isUnwritten(written) {
            return amendCopy(of: object, as: form)
        }
        var entries: [Reference] = []
        switch (graph.pointee.parts(of: written), form) {
        case (.fields(let pairs, let classUID), .keyed):
            entries = pairs
            keepClass(classUID)
        case (.entries(let pairs), .keyed):
            for index in stride(from: 0, to: pairs.count, by: 2) {
                guard let name = graph.pointee.fieldName(ofDictionaryKey: pairs[index]) else { return false }
                let value = graph.pointee.isNil(pairs[index + 1]) ? ArchiveGraph.null : pairs[index + 1]
                entries += [graph.pointee.userKey(name), value]
            }
        case (.elements(let elements, let classUID), .unkeyed):
            entries = elements
            classUID == 0 ? becomeArray() : keepClass(classUID)
        case (.entries(let pairs), .unkeyed):
            // Keys that are neither strings nor integers have no names: other coders write such a dictionary as an
            // array.
            if let key = pairs.first, graph.pointee.fieldName(ofDictionaryKey: key) != nil { return false }
            entries = pairs
            becomeArray()
        default: return false
        }
        if form == .keyed {
            for index in stride(from: 0, to: entries.count, by: 2) {
                _ = frame.pointee.entries.set(entries[index], to: entries[index + 1])
            }
        } else {
            for element in entries { frame.pointee.entries.append(element) }
        }
        frame.pointee.form = form
        frame.pointee.single = 0
        takeSlot(of: written)
        return true
    }

    /// Begins a container with a copy of an instance that is written separately.
    private func amendCopy(of object: UnsafeRawPointer, as form: EncodingFrame.Form) -> Bool {
        let object = Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
        guard let value = object as? any Encodable, !(object is any Coding) else { return false }
        if !frame.pointee.isObject { frame.pointee.archivedType = type(of: object) }
        frame.pointee.form = .undecided
        frame.pointee.single = 0
        // An error here is thrown again when the instance itself is written.
        try? value.encode(to: self)
        begin(form)
        return true
    }

    private func becomeArray() {
        if !frame.pointee.isObject { frame.pointee.objectClass = .array }
    }

    /// Keeps the class of the written object, unless this value is an object of its own class.
    private func keepClass(_ classUID: Reference) {
        guard !frame.pointee.isObject else { return }
        frame.pointee.keptClassUID = classUID
        frame.pointee.objectClass = .type
        frame.pointee.type = nil
        frame.pointee.archivedType = nil
    }

    /// Takes the slot of the written object, unless other values reference it.
    private func takeSlot(of written: Reference) {
        let isShared = graph.pointee.isShared(written) || core.pointee.isStoredOnce(written)
        guard !isShared, let index = graph.pointee.uid(written) else {
            guard !core.pointee.isPostponed(self) else { hasTwoKinds() }
            return reserveSlot()
        }
        graph.pointee.clear(written)
        if frame.pointee.slot.uid == 0 { frame.pointee.slot = ArchiveGraph.Slot(index: index, uid: written) }
    }

    /// Traps for a value that requests two kinds of container.
    func hasTwoKinds() -> Never {
        let type = (frame.pointee.type?.pointee.type ?? frame.pointee.archivedType).map { "\($0)" } ?? "A value"
        misuse(
            "\(type) requested two kinds of container. A value has one: keyed, unkeyed, or single value")
    }
}

// MARK: - Single values

extension ArchiveEncoding {
    /// Sets the value of a single value container to `value`.
    @inline(__always)
    func setSingle(_ value: Reference) throws {
        if frame.pointee.form != .undecided { try becomeSingle() }
        frame.pointee.form = .single
        frame.pointee.single = value
    }

    /// Makes a container without contents a single value.
    ///
    /// - Throws: An error if the container has contents.
    @inline(never)
    private func becomeSingle() throws {
        guard frame.pointee.form != .single else {
            misuse("A single value container takes one value, and received a second one")
        }
        guard frame.pointee.entries.references.count == 0 else { throw CodableErrors.notSingle(path: keys(.root)) }
        if !frame.pointee.isObject, !core.pointee.isPostponed(self) {
            frame.pointee.slot = ArchiveGraph.Slot(index: 0, uid: 0)
        }
    }
}

extension ArchiveGraph {
    /// Returns whether the object `uid` is not written yet.
    fileprivate func isUnwritten(_ uid: Reference) -> Bool { self.uid(uid).map { slots[Int($0)] == 0 } ?? false }

    /// Sets the slot of `uid` to "$null" again.
    fileprivate mutating func clear(_ uid: Reference) {
        if let slot = self.uid(uid) { slots[Int(slot)] = 0 }
    }
}
