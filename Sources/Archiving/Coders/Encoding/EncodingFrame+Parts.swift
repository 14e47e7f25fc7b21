// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Nested containers

extension EncodingFrame {
    /// The frame of a part, which the program fills until the value is complete.
    struct Nested {
        var frame: EncodingFrame
        /// The index of the result in the references of the entries; -1 if another value has replaced this one.
        var position: Int
        /// 0 in an unkeyed container.
        var key: Reference

        var isReplaced: Bool { position < 0 }
    }

    /// Returns the frame of a container that its owner can fill until this value is complete.
    ///
    /// - Parameter key: The key of the container, or nil in an unkeyed container. An existing value for the key is
    ///   continued if it has the same kind, and replaced otherwise.
    func nestedFrame(_ form: EncodedObject.Form, forKey key: Reference?, at step: CodingPathStep) -> EncodingFrame {
        guard let key, entries.mayHave(key), let position = entries.position(of: key) else {
            let frame = makeNested(form, forKey: key, at: step)
            frame.begin(form)
            return frame
        }
        if let known = nested.last(where: { $0.key == key && !$0.isReplaced })?.frame { return known }
        let written = references[position]
        let frame = makeNested(form, forKey: key, at: step)
        if !frame.amend(written, as: form) { frame.begin(newObject: form) }
        return frame
    }

    /// Returns the frame of the superclass's part. The part is written as an object of the superclass, and replaces the value
    /// for `key`.
    func superFrame(forKey key: Reference?, at step: CodingPathStep) -> EncodingFrame {
        let frame = makeNested(.undecided, forKey: key, at: step, .superclass)
        if let own = (object.archivedType ?? type?.type) as? AnyClass, let superclass = _getSuperclass(own) {
            frame.object.archivedType = superclass
        }
        return frame
    }

    /// Returns a frame for a part of this frame's value. It replaces the value for `key`.
    private func makeNested(
        _ form: EncodedObject.Form, forKey key: Reference?, at step: CodingPathStep, _ role: Role = .single
    ) -> EncodingFrame {
        let frame = EncodingFrame(session, depth: depth + 1, parent: self, role)
        let part = EncodedObject(
            archivedType: object.archivedType, objectClass: form == .unkeyed ? .array : .type,
            placement: key == nil ? .slot : .inlineIfScalar, keptClassUID: object.keptClassUID)
        frame.begin(type, part, at: step)
        if !session.meter.hasRoom(atDepth: depth) { frame.refuse(at: step, in: self) }
        var position = references.count
        // A placeholder until the frame is finished.
        if let key {
            set(key, to: ArchiveGraph.null)
            position = entries.position(of: key) ?? position
            // The newest frame for a key provides its value.
            dropNested(at: position)
        } else {
            entries.append(ArchiveGraph.null)
        }
        changeNested { $0.append(Nested(frame: frame, position: position, key: key ?? 0)) }
        return frame
    }

    /// Discards the frames for the part at `position`. One that the program holds accepts data that are not written, until this
    /// value is complete.
    ///
    /// - Parameter exceptHeldParts: Whether a superclass's part that the program still holds replaces the value in the end.
    @inline(never)
    func dropNested(at position: Int, exceptHeldParts: Bool = false) {
        changeNested { nested in
            for index in nested.indices.reversed() where nested[index].position == position {
                if isKnownUniquelyReferenced(&nested[index].frame) {
                    nested.remove(at: index)
                } else if !exceptHeldParts || !nested[index].frame.isSuperclassPart {
                    nested[index].position = -1
                }
            }
        }
    }

    func abandonNested() {
        var frames = takeNested().map(\.frame)
        while let frame = frames.popLast() {
            frame.close()
            frames += frame.takeNested().map(\.frame)
        }
    }

    private func takeNested() -> [Nested] {
        changeNested { nested in
            defer { nested = [] }
            return nested
        }
    }
}

// MARK: - Complete values

extension EncodingFrame {
    /// Finishes the frames inside this one, the innermost first, and closes them. The loop takes no stack at any depth.
    @inline(never)
    private func finishNested() {
        var found: [(owner: EncodingFrame, nested: Nested)] = []
        var owners = [self]
        while let owner = owners.popLast() {
            for nested in owner.takeNested() {
                if nested.isReplaced {
                    nested.frame.close()
                    nested.frame.abandonNested()
                } else {
                    found.append((owner, nested))
                    owners.append(nested.frame)
                }
            }
        }
        for (owner, nested) in found.reversed() {
            owner.references[nested.position] = nested.frame.write()
            nested.frame.close()
        }
    }

    /// Writes the object, and returns the reference to it. The entries are empty afterwards.
    func write() -> Reference {
        if !nested.isEmpty { finishNested() }
        if object.form == .single, object.single != 0, object.slot.uid == 0 {
            require(
                references.count == 0,
                "A keyed or an unkeyed container was used after a single value was encoded in its place")
            return object.single
        }
        reserveSlot()
        writeObject(object.slot)
        entries.removeAll()
        return object.slot.uid
    }

    private func writeObject(_ slot: ArchiveGraph.Slot) {
        if object.form == .unkeyed {
            switch object.objectClass {
            case .array: graph.fill(slot, array: references)
            case .dictionary: graph.fill(slot, dictionary: references)
            case .set: graph.fill(slot, elements: references, classUID: graph.classUID(.set))
            case .type: graph.fill(slot, elements: references, classUID: classUID)
            }
            return
        }
        if object.form == .single, object.single != 0 {
            if !object.isObject { return graph.fill(slot, withContentsOf: object.single) }
            references.append(graph.key("$0"))
            references.append(object.single)
        }
        graph.fill(slot, entries: references, classUID: classUID)
    }

    private var classUID: Reference {
        if let archivedType = object.archivedType { return graph.classUID(of: archivedType) }
        if let type { return type.knownClassUID != 0 ? type.knownClassUID : type.classUID(in: graph) }
        if object.keptClassUID != 0 { return object.keptClassUID }
        return graph.classUID(ArchivedClass(ArchivedClass.rootName))
    }
}

// MARK: - Containers that continue a value

/// A value may encode another value through a single value container or under a key, and then request a container in the same
/// place. Like Foundation's coders, this adds to the existing value.
extension EncodingFrame {
    /// Begins a container with the contents of the object `written`, and replaces this frame's value with it.
    ///
    /// - Returns: Whether a container of the form `form` can continue the object.
    func amend(_ written: Reference, as form: EncodedObject.Form) -> Bool {
        if let object = session.instances.object(written), graph.isUnwritten(written) {
            return amendCopy(of: object, as: form)
        }
        switch (graph.parts(of: written), form) {
        case (.fields(let pairs, let classUID), .keyed):
            add(pairs)
            keepClass(classUID)
        case (.entries(let pairs), .keyed):
            var parts: [Reference] = []
            for index in stride(from: 0, to: pairs.count, by: 2) {
                guard let name = graph.fieldName(ofDictionaryKey: pairs[index]) else { return false }
                let value = graph.isNil(pairs[index + 1]) ? ArchiveGraph.null : pairs[index + 1]
                parts += [graph.userKey(name), value]
            }
            add(parts)
        case (.elements(let elements, let classUID), .unkeyed):
            for element in elements { entries.append(element) }
            classUID == 0 ? becomeArray() : keepClass(classUID)
        case (.entries(let pairs), .unkeyed):
            // Keys that are neither strings nor integers have no names: other coders write such a dictionary as an
            // array.
            if let key = pairs.first, graph.fieldName(ofDictionaryKey: key) != nil { return false }
            for part in pairs { entries.append(part) }
            becomeArray()
        default: return false
        }
        object.form = form
        object.single = 0
        takeSlot(of: written)
        return true
    }

    private func add(_ pairs: [Reference]) {
        for index in stride(from: 0, to: pairs.count, by: 2) { _ = entries.set(pairs[index], to: pairs[index + 1]) }
    }

    /// Begins a container with a copy of an instance that is written separately.
    private func amendCopy(of instance: AnyObject, as form: EncodedObject.Form) -> Bool {
        guard let value = instance as? any Encodable, !(instance is any Coding) else { return false }
        if !object.isObject { object.archivedType = Swift.type(of: instance) }
        object.form = .undecided
        object.single = 0
        var encoder = ValueEncoder(self)
        // An error here is thrown again when the instance itself is written.
        try? value.encode(to: encoder)
        if !isKnownUniquelyReferenced(&encoder) { noteHeld() }
        begin(form)
        return true
    }

    private func becomeArray() {
        if !object.isObject { object.objectClass = .array }
    }

    /// Keeps the class of the written object, unless this value is an object of its own class.
    private func keepClass(_ classUID: Reference) {
        guard !object.isObject else { return }
        forgetType()
        object.keptClassUID = classUID
        object.objectClass = .type
    }

    /// Takes the slot of the written object, unless other values reference it.
    private func takeSlot(of written: Reference) {
        let isShared = session.isShared(written) || session.extras.storedOnce.values.contains(written)
        guard !isShared, let index = graph.uid(written) else { return reserveSlot() }
        graph.fill(ArchiveGraph.Slot(index: index, uid: written), with: 0)
        if object.slot.uid == 0 { object.slot = ArchiveGraph.Slot(index: index, uid: written) }
    }
}

extension ArchiveGraph {
    /// Returns whether the object `uid` is not written yet.
    fileprivate func isUnwritten(_ uid: Reference) -> Bool { self.uid(uid).map { slots[Int($0)] == 0 } ?? false }
}
