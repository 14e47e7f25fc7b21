extension ArchiveGraph {
    /// The uid of the class entry of `archivedClass`, one of Foundation's, which is written where there is none yet.
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

    /// The uid of a new class entry for `archivedClass`. Whoever asks knows that there is none for the same type.
    mutating func newClassUID(_ archivedClass: ArchivedClass) -> Reference {
        classEntry(list.append(archivedClass.name), archivedClass)
    }

    /// The uid of a new class entry.
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

    /// The uid of a new class entry with versions or fallbacks.
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

    /// A dictionary of two entries.
    @inline(__always)
    private mutating func dictionary(
        _ key1: Reference, _ value1: Reference, _ key2: Reference, _ value2: Reference
    ) -> Reference {
        var pairs = (key1, value1, key2, value2)
        return withUnsafePointer(to: &pairs) {
            list.appendInLine(dictionary: UnsafeRawPointer($0).assumingMemoryBound(to: Reference.self), count: 2)
        }
    }

    /// The uid of the instance at `object`, which has none yet: it gets a slot, and its contents are put on the work list.
    ///
    /// - Parameter path: Where it is met.
    @inline(__always)
    mutating func newInstance(
        _ object: UnsafeRawPointer, writer: Unmanaged<InstanceWriter>, path: CodingPathTable.Index
    ) -> Reference {
        let slot = conditionals.slot(of: object) ?? reserveSlot()
        objects.insert(object, uid: slot.uid)
        pending.append(PendingInstances.Item(writer: writer, slot: slot.index, path: path))
        return slot.uid
    }

    /// The uid of the instance at `object` for a reference that does not archive it: its slot stays "$null" unless another
    /// reference, earlier or later, does.
    mutating func conditionalInstance(_ object: UnsafeRawPointer) -> Reference {
        if let uid = objects.uid(of: object) { return uid }
        if let slot = conditionals.slot(of: object) { return slot.uid }
        let slot = reserveSlot()
        conditionals.insert(object, slot)
        return slot.uid
    }

    /// The uid of an object of a class that archives have few of.
    ///
    /// - Parameter entries: What stands under each key, which is one of the format's own.
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

    /// Fills `slot` with an object of one entry, as the Foundation containers and values are.
    @inline(__always)
    mutating func fill(_ slot: Slot, key: Reference, value: Reference, class archivedClass: ArchivedClass) {
        let classUID = classUID(archivedClass)
        fill(slot, key: key, value: value, classUID: classUID)
    }

    /// Fills `slot` with an object of one entry and the class behind `classUID`.
    @inline(__always)
    mutating func fill(_ slot: Slot, key: Reference, value: Reference, classUID: Reference) {
        fill(slot, with: dictionary(key, value, ArchivePrologue.classKey, classUID))
    }

    /// Fills `slot` with an object of two entries and the class behind `classUID`.
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

    /// Fills `slot` with the array whose elements are behind the uids `elements`.
    mutating func fill(_ slot: Slot, array elements: UnsafeBufferPointer<Reference>) {
        fill(slot, writtenArray: list.append(arrayOf: elements.count) { elements[$0] })
    }

    /// Fills `slot` with the array whose elements' uids are in the list `array`.
    @inline(never)
    mutating func fill(_ slot: Slot, writtenArray array: Reference) {
        if objectsKey == 0 { objectsKey = key("NS.objects") }
        if arrayClass == 0 { arrayClass = classUID(.array) }
        fill(slot, with: dictionary(objectsKey, array, ArchivePrologue.classKey, arrayClass))
    }

    /// Fills `slot` with an object of the class behind `classUID` whose only contents are `elements`.
    mutating func fill(_ slot: Slot, elements: UnsafeBufferPointer<Reference>, classUID: Reference) {
        let array = list.append(array: elements)
        if objectsKey == 0 { objectsKey = key("NS.objects") }
        fill(slot, with: dictionary(objectsKey, array, ArchivePrologue.classKey, classUID))
    }

    /// Fills `slot` with a dictionary: at `pairs` lie the uids of a key, its value, the next key, its value and so on.
    mutating func fill(_ slot: Slot, dictionary pairs: UnsafeBufferPointer<Reference>) {
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

    /// Fills `slot` with an object that has `entries` and the class behind `classUID`. The entries are given back empty.
    @inline(__always)
    mutating func fill(_ slot: Slot, entries: inout PlainArray<Reference>, classUID: Reference) {
        entries.append(ArchivePrologue.classKey)
        entries.append(classUID)
        fill(slot, with: list.appendInLine(dictionary: entries.base, count: entries.count / 2))
        entries.removeAll()
    }
}
