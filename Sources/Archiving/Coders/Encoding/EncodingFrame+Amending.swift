// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Containers that continue an encoded value. A value may encode another value through a single value container or under
// a key, and then request a container in the same place. Like Foundation's coders, this adds to the existing value.

extension EncodingFrame {
    /// Begins a container with the contents of the object `written`, and replaces this encoding's value with it.
    ///
    /// - Returns: Whether a container of the form `form` can continue the object.
    func amend(_ written: Reference, as form: Form) -> Bool {
        if let object = session.instances.object(written), graph.isUnwritten(written) {
            return amendCopy(of: object, as: form)
        }
        var parts: [Reference] = []
        switch (graph.parts(of: written), form) {
        case (.fields(let pairs, let classUID), .keyed):
            parts = pairs
            keepClass(classUID)
        case (.entries(let pairs), .keyed):
            for index in stride(from: 0, to: pairs.count, by: 2) {
                guard let name = graph.fieldName(ofDictionaryKey: pairs[index]) else { return false }
                let value = graph.isNil(pairs[index + 1]) ? ArchiveGraph.null : pairs[index + 1]
                parts += [graph.userKey(name), value]
            }
        case (.elements(let elements, let classUID), .unkeyed):
            parts = elements
            classUID == 0 ? becomeArray() : keepClass(classUID)
        case (.entries(let pairs), .unkeyed):
            // Keys that are neither strings nor integers have no names: other coders write such a dictionary as an
            // array.
            if let key = pairs.first, graph.fieldName(ofDictionaryKey: key) != nil { return false }
            parts = pairs
            becomeArray()
        default: return false
        }
        if form == .keyed {
            for index in stride(from: 0, to: parts.count, by: 2) { _ = entries.set(parts[index], to: parts[index + 1]) }
        } else {
            for element in parts { entries.append(element) }
        }
        self.continue(as: form)
        takeSlot(of: written)
        return true
    }

    /// Begins a container with a copy of an instance that is written separately.
    private func amendCopy(of object: AnyObject, as form: Form) -> Bool {
        guard let value = object as? any Encodable, !(object is any Coding) else { return false }
        if !isObject { begin(type, archivedType: Swift.type(of: object)) }
        self.continue(as: .undecided)
        var encoder = ValueEncoder(self)
        // An error here is thrown again when the instance itself is written.
        try? value.encode(to: encoder)
        if !isKnownUniquelyReferenced(&encoder) { isHeld = true }
        begin(form)
        return true
    }

    private func becomeArray() {
        if !isObject { objectClass = .array }
    }

    /// Keeps the class of the written object, unless this value is an object of its own class.
    private func keepClass(_ classUID: Reference) {
        guard !isObject else { return }
        keptClassUID = classUID
        objectClass = .type
        begin(nil)
    }

    /// Takes the slot of the written object, unless other values reference it.
    private func takeSlot(of written: Reference) {
        let isShared = session.isShared(written) || session.storedOnce.values.contains(written)
        guard !isShared, let index = graph.uid(written) else { return reserveSlot() }
        graph.clear(written)
        if slot.uid == 0 { slot = ArchiveGraph.Slot(index: index, uid: written) }
    }
}

extension ArchiveGraph {
    /// Returns whether the object `uid` is not written yet.
    fileprivate func isUnwritten(_ uid: Reference) -> Bool { self.uid(uid).map { slots[Int($0)] == 0 } ?? false }

    /// Sets the slot of `uid` to "$null" again.
    fileprivate func clear(_ uid: Reference) {
        if let slot = self.uid(uid) { slots[Int(slot)] = 0 }
    }
}
