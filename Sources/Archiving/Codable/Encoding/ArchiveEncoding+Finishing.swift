// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension ArchiveEncoding: PostponedObject {
    /// Finishes the encodings inside this one that the program does not hold, the innermost first. The loop takes no
    /// stack at any depth.
    @inline(never)
    private func finishNested() {
        var found: [(owner: ArchiveEncoding, nested: Nested, isUnique: Bool)] = []
        var owners = [self]
        while let owner = owners.popLast() {
            var nested = owner.takeNested()
            for index in nested.indices {
                let isUnique = isKnownUniquelyReferenced(&nested[index].encoding)
                found.append((owner, nested[index], isUnique))
                // The encodings inside one that the program holds are finished with it.
                if isUnique { owners.append(nested[index].encoding) }
            }
        }
        for (owner, nested, isUnique) in found.reversed() {
            let result = isUnique ? nested.encoding.write() : nested.encoding.postpone()
            owner.entries.references[nested.position] = result
        }
    }

    /// Writes the object, prepares for the next value, and returns the reference to this one.
    func write() -> Reference {
        if hasNested { finishNested() }
        if isCompleteSingle {
            let result = single
            reset()
            return result
        }
        reserveSlot()
        writeObject()
        let result = slot.uid
        reset()
        return result
    }

    /// Fills the slot with the collected data.
    private func writeObject() {
        switch form {
        case .undecided, .keyed: break
        case .unkeyed:
            switch objectClass {
            case .array: graph.fill(slot, array: references)
            case .dictionary: graph.fill(slot, dictionary: references)
            case .set: graph.fill(slot, elements: references, classUID: graph.classUID(.set))
            case .type: graph.fill(slot, elements: references, classUID: classUID)
            }
            return
        case .single:
            if single != 0 {
                if !isObject { return graph.fill(slot, withContentsOf: single) }
                references.append(graph.key("$0"))
                references.append(single)
            }
        }
        let classUID = classUID
        graph.fill(slot, entries: references, classUID: classUID)
    }

    @inline(__always)
    private var classUID: Reference { typeClassUID != 0 ? typeClassUID : findClassUID() }

    @inline(never)
    private func findClassUID() -> Reference {
        if let archivedType { return graph.classUID(of: archivedType) }
        if let type { return type.classUID(in: graph) }
        if keptClassUID != 0 { return keptClassUID }
        return graph.classUID(ArchivedClass(ArchivedClass.rootName))
    }

    func keepParent() {
        guard hasParent, let parent else { return }
        keptParent = parent
        parent.hasKeptPart = true
    }

    /// Postpones the writing until the end of the archive, because the program can still add to the value.
    func postpone() -> Reference {
        keepParent()
        writing.postpone(self)
        if isCompleteSingle { return single }
        inline = isObject
        reserveSlot()
        return slot.uid
    }

    /// Writes the postponed value. After that the encoding accepts no more data.
    func writePostponed() {
        if isReplaced {
            abandonNested()
        } else {
            if hasNested { finishNested() }
            if !isCompleteSingle { writeObject() }
        }
        close()
    }

    /// Whether the value is stored elsewhere, so that there is no object to write.
    @inline(__always)
    private var isCompleteSingle: Bool {
        guard form == .single, single != 0, slot.uid == 0 else { return false }
        require(
            entries.references.count == 0,
            "A keyed or an unkeyed container was used after a single value was encoded in its place")
        return true
    }
}
