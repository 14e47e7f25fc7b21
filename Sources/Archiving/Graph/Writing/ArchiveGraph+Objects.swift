extension ArchiveGraph {
    /// Returns the uid of the class entry of `archivedClass`, one of Foundation's classes. Writes the entry on first use.
    ///
    /// - Complexity: O(*n*), where *n* is the number of Foundation classes in the archive.
    mutating func classUID(_ archivedClass: ArchivedClass) -> Reference {
        let name = key(archivedClass.name)
        for index in 0..<cocoaClasses.count where cocoaClasses[index].name == name {
            return cocoaClasses[index].uid
        }
        let uid = classEntry(name, archivedClass)
        cocoaClasses.append((name, uid))
        return uid
    }

    /// Writes a class entry for `archivedClass` and returns its uid. The caller ensures that the type has no entry yet.
    mutating func newClassUID(_ archivedClass: ArchivedClass) -> Reference {
        classEntry(list.append(archivedClass.name), archivedClass)
    }

    /// Writes a class entry and returns its uid.
    private mutating func classEntry(_ name: Reference, _ archivedClass: ArchivedClass) -> Reference {
        let classes: Reference
        if archivedClass.superclasses.isEmpty {
            classes = list.append(arrayOf: 2) { $0 == 0 ? name : ArchivePrologue.rootClassName }
        } else {
            let chain = [name] + archivedClass.superclasses.map { key($0) } + [ArchivePrologue.rootClassName]
            classes = chain.withUnsafeBufferPointer { list.append(array: $0) }
        }
        guard archivedClass.versions.isEmpty, archivedClass.fallbacks.isEmpty else {
            return classEntry(name, classes, archivedClass)
        }
        return leaf(dictionary(ArchivePrologue.classNameKey, name, ArchivePrologue.classesKey, classes))
    }

    /// Writes a class entry with versions or fallbacks and returns its uid.
    private mutating func classEntry(
        _ name: Reference, _ classes: Reference, _ archivedClass: ArchivedClass
    ) -> Reference {
        var pairs = [ArchivePrologue.classNameKey, name, ArchivePrologue.classesKey, classes]
        if !archivedClass.versions.isEmpty {
            pairs += [key("$classversions"), array(of: archivedClass.versions.map { list.append(Int64($0)) })]
        }
        if !archivedClass.fallbacks.isEmpty {
            pairs += [key("$classhints"), array(of: archivedClass.fallbacks.map { key($0) })]
        }
        return leaf(
            pairs.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return ArchiveGraph.null }
                return list.append(dictionary: base, count: buffer.count / 2)
            })
    }

    private mutating func array(of elements: [Reference]) -> Reference {
        elements.withUnsafeBufferPointer { list.append(array: $0) }
    }

    /// Writes a dictionary of two entries.
    @inline(__always)
    private mutating func dictionary(
        _ key1: Reference, _ value1: Reference, _ key2: Reference, _ value2: Reference
    ) -> Reference {
        var pairs = (key1, value1, key2, value2)
        return withUnsafePointer(to: &pairs) {
            list.appendInLine(dictionary: UnsafeRawPointer($0).assumingMemoryBound(to: Reference.self), count: 2)
        }
    }

    /// Assigns a uid to the new instance at `object`, and appends the instance to the pending instances.
    ///
    /// - Parameter path: The path of the first reference to the instance.
    @inline(__always)
    mutating func newInstance(
        _ object: UnsafeRawPointer, writer: Unmanaged<InstanceWriter>, path: CodingPathTable.Index
    ) -> Reference {
        let slot = conditionals.slot(of: object) ?? reserveSlot()
        objects.insert(object, uid: slot.uid)
        pending.append(PendingInstances.Item(writer: writer, slot: slot.index, path: path))
        return slot.uid
    }

    /// Returns the uid of the instance at `object` for a conditional reference. The slot holds "$null" unless an unconditional
    /// reference, earlier or later, archives the instance.
    mutating func conditionalInstance(_ object: UnsafeRawPointer) -> Reference {
        if let uid = objects.uid(of: object) { return uid }
        if let slot = conditionals.slot(of: object) { return slot.uid }
        let slot = reserveSlot()
        conditionals.insert(object, slot)
        return slot.uid
    }

    /// Writes an object of a class that is rare in archives, and returns its uid.
    ///
    /// - Parameter entries: The values and their keys, which are keys of the format.
    mutating func object(_ archivedClass: ArchivedClass, _ entries: [(key: String, value: Reference)]) -> Reference {
        var references = PlainArray<Reference>(capacity: 2 * entries.count + 2)
        for entry in entries {
            references.append(key(entry.key))
            references.append(entry.value)
        }
        let classUID = classUID(archivedClass)
        let slot = reserveSlot()
        fill(slot, entries: &references, classUID: classUID)
        return slot.uid
    }

    /// Fills `slot` with an object of one entry, the form of Foundation's containers and values.
    @inline(__always)
    mutating func fill(_ slot: Slot, key: Reference, value: Reference, class archivedClass: ArchivedClass) {
        let classUID = classUID(archivedClass)
        fill(slot, key: key, value: value, classUID: classUID)
    }

    /// Fills `slot` with an object of one entry and the class of `classUID`.
    @inline(__always)
    mutating func fill(_ slot: Slot, key: Reference, value: Reference, classUID: Reference) {
        fill(slot, with: dictionary(key, value, ArchivePrologue.classKey, classUID))
    }

    /// Fills `slot` with an object of two entries and the class of `classUID`.
    mutating func fill(
        _ slot: Slot, _ first: (key: Reference, value: Reference), _ second: (key: Reference, value: Reference),
        classUID: Reference
    ) {
        var pairs = (first, second, (ArchivePrologue.classKey, classUID))
        let object = withUnsafePointer(to: &pairs) {
            list.append(dictionary: UnsafeRawPointer($0).assumingMemoryBound(to: Reference.self), count: 3)
        }
        fill(slot, with: object)
    }

    /// Fills `slot` with an object that has `entries` and the class of `classUID`, and empties `entries`.
    @inline(__always)
    mutating func fill(_ slot: Slot, entries: inout PlainArray<Reference>, classUID: Reference) {
        entries.append(ArchivePrologue.classKey)
        entries.append(classUID)
        fill(slot, with: list.appendInLine(dictionary: entries.base, count: entries.count / 2))
        entries.removeAll()
    }
}

// MARK: - Collections

extension ArchiveGraph {
    /// Fills `slot` with the array whose elements have the uids `elements`.
    mutating func fill(_ slot: Slot, array elements: UnsafeBufferPointer<Reference>) {
        if hasNil(elements) { return withoutNil(elements).withUnsafeBufferPointer { fill(slot, array: $0) } }
        fill(slot, writtenArray: list.append(arrayOf: elements.count) { elements[$0] })
    }

    /// Fills `slot` with an array object whose elements' uids are in the list `array`.
    @inline(never)
    mutating func fill(_ slot: Slot, writtenArray array: Reference) {
        if objectsKey == 0 { objectsKey = key("NS.objects") }
        if arrayClass == 0 { arrayClass = classUID(.array) }
        fill(slot, with: dictionary(objectsKey, array, ArchivePrologue.classKey, arrayClass))
    }

    /// Fills `slot` with an object of the class of `classUID` whose only contents are `elements`.
    mutating func fill(_ slot: Slot, elements: UnsafeBufferPointer<Reference>, classUID: Reference) {
        if hasNil(elements) {
            return withoutNil(elements).withUnsafeBufferPointer { fill(slot, elements: $0, classUID: classUID) }
        }
        let array = list.append(array: elements)
        if objectsKey == 0 { objectsKey = key("NS.objects") }
        fill(slot, with: dictionary(objectsKey, array, ArchivePrologue.classKey, classUID))
    }

    /// Fills `slot` with a dictionary. `pairs` holds the uids of keys and values alternating.
    mutating func fill(_ slot: Slot, dictionary pairs: UnsafeBufferPointer<Reference>) {
        if hasNil(pairs) { return withoutNil(pairs).withUnsafeBufferPointer { fill(slot, dictionary: $0) } }
        let count = pairs.count / 2
        let keys = list.append(arrayOf: count) { pairs[2 &* $0] }
        let values = list.append(arrayOf: count) { pairs[2 &* $0 &+ 1] }
        var entries = PlainArray<Reference>(capacity: 6)
        entries.append(key("NS.keys"))
        entries.append(keys)
        entries.append(key("NS.objects"))
        entries.append(values)
        let classUID = classUID(.dictionary)
        fill(slot, entries: &entries, classUID: classUID)
    }

    /// Returns whether nil is among `elements`. The loop has no early exit, so that the compiler vectorises it.
    @inline(__always)
    private func hasNil(_ elements: UnsafeBufferPointer<Reference>) -> Bool {
        var found: Reference = 0
        for element in elements { found |= element == Self.null ? 1 : 0 }
        return found != 0
    }

    /// Returns `elements` with the NSNull instead of nil: Cocoa's collections hold no nil, and drop uid 0 when they are
    /// decoded.
    @inline(never)
    private mutating func withoutNil(_ elements: UnsafeBufferPointer<Reference>) -> [Reference] {
        let null = nullObject()
        return elements.map { $0 == Self.null ? null : $0 }
    }
}
