// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension ArchiveGraph {
    /// Returns the uid of the class entry of `archivedClass`, one of Foundation's classes. Writes the entry on first use.
    ///
    /// - Complexity: O(*n*), where *n* is the number of Foundation classes in the archive.
    func classUID(_ archivedClass: ArchivedClass) -> Reference {
        let name = key(archivedClass.name)
        for index in 0..<cocoaClasses.count where cocoaClasses[index].name == name {
            return cocoaClasses[index].uid
        }
        let uid = classEntry(name, archivedClass)
        cocoaClasses.append(CocoaClassEntry(name: name, uid: uid))
        return uid
    }

    /// Writes a class entry for `archivedClass` and returns its uid. The caller ensures that the type has no entry yet.
    func newClassUID(_ archivedClass: ArchivedClass) -> Reference {
        classEntry(list.append(archivedClass.name), archivedClass)
    }

    private func classEntry(_ name: Reference, _ archivedClass: ArchivedClass) -> Reference {
        let classes: Reference
        if archivedClass.superclasses.isEmpty {
            classes = list.append(arrayOf: name, ArchivePrologue.rootClassName)
        } else {
            let chain = [name] + archivedClass.superclasses.map { key($0) } + [ArchivePrologue.rootClassName]
            classes = list.append(array: chain)
        }
        guard archivedClass.versions.isEmpty, archivedClass.fallbacks.isEmpty else {
            return classEntry(name, classes, archivedClass)
        }
        return leaf(list.append(ArchivePrologue.classNameKey, name, ArchivePrologue.classesKey, classes))
    }

    private func classEntry(
        _ name: Reference, _ classes: Reference, _ archivedClass: ArchivedClass
    ) -> Reference {
        var pairs = [ArchivePrologue.classNameKey, name, ArchivePrologue.classesKey, classes]
        if !archivedClass.versions.isEmpty {
            pairs += [key("$classversions"), list.append(array: archivedClass.versions.map { list.append(Int64($0)) })]
        }
        if !archivedClass.fallbacks.isEmpty {
            pairs += [key("$classhints"), list.append(array: archivedClass.fallbacks.map { key($0) })]
        }
        return leaf(list.append(pairs: pairs))
    }

    /// Writes an object of a class that is rare in archives, and returns its uid.
    ///
    /// - Parameter entries: The values and their keys, which are keys of the format.
    package func object(_ archivedClass: ArchivedClass, _ entries: [(key: String, value: Reference)]) -> Reference {
        let references = PlainTable<Reference>(capacity: 2 * entries.count + 2)
        for entry in entries {
            references.append(key(entry.key))
            references.append(entry.value)
        }
        let classUID = classUID(archivedClass)
        let slot = reserveSlot()
        fill(slot, entries: references, classUID: classUID)
        return slot.uid
    }

    @inline(__always)
    func fill(_ slot: Slot, key: Reference, value: Reference, classUID: Reference) {
        fill(slot, with: list.append(key, value, ArchivePrologue.classKey, classUID))
    }

    func fill(
        _ slot: Slot, _ first: (key: Reference, value: Reference), _ second: (key: Reference, value: Reference),
        classUID: Reference
    ) {
        fill(
            slot,
            with: list.append(
                (first.key, second.key, ArchivePrologue.classKey), (first.value, second.value, classUID)))
    }

    @inline(__always)
    func fill(_ slot: Slot, entries: PlainTable<Reference>, classUID: Reference) {
        entries.append(ArchivePrologue.classKey, classUID)
        fill(slot, with: entries.withSpan { list.append(pairs: $0) })
        entries.removeAll()
    }
}

// MARK: - Collections

/// The references to the contents of a collection: a table, or an array.
protocol ReferenceList {
    var count: Int { get }
    subscript(index: Int) -> ArchiveGraph.Reference { get }
    @inline(__always)
    func withReferences<Result>(_ body: (Span<ArchiveGraph.Reference>) -> Result) -> Result
}

extension PlainTable: ReferenceList where Element == ArchiveGraph.Reference {
    @inline(__always)
    func withReferences<Result>(_ body: (Span<ArchiveGraph.Reference>) -> Result) -> Result { withSpan(body) }
}

extension PlainTable.Suffix: ReferenceList where Element == ArchiveGraph.Reference {
    @inline(__always)
    func withReferences<Result>(_ body: (Span<ArchiveGraph.Reference>) -> Result) -> Result {
        table.withSpan { body($0.extracting(start...)) }
    }
}

extension Array: ReferenceList where Element == ArchiveGraph.Reference {
    @inline(__always)
    func withReferences<Result>(_ body: (Span<ArchiveGraph.Reference>) -> Result) -> Result { withSpan(body) }
}

extension ArchiveGraph {
    /// Writes an array with `elements` and returns its uid. An empty one is an object of its own.
    package func array(_ elements: [Reference]) -> Reference { newSlot { fill($0, array: elements) } }

    /// Writes a dictionary and returns its uid. `pairs` holds the uids of keys and values alternating.
    package func dictionary(_ pairs: [Reference]) -> Reference {
        pairs.isEmpty ? emptyDictionary() : newSlot { fill($0, dictionary: pairs) }
    }

    func fill(_ slot: Slot, array elements: some ReferenceList) {
        fill(slot, writtenArray: list(of: elements))
    }

    /// Fills `slot` with an array object whose elements' uids are in the list `array`.
    @inline(never)
    func fill(_ slot: Slot, writtenArray array: Reference) {
        if cocoaNames.arrayClass == 0 { cocoaNames.arrayClass = classUID(.array) }
        fill(slot, writtenArray: array, classUID: cocoaNames.arrayClass)
    }

    private func fill(_ slot: Slot, writtenArray array: Reference, classUID: Reference) {
        if cocoaNames.objectsKey == 0 { cocoaNames.objectsKey = key("NS.objects") }
        fill(slot, with: list.append(cocoaNames.objectsKey, array, ArchivePrologue.classKey, classUID))
    }

    func fill(_ slot: Slot, elements: some ReferenceList, classUID: Reference) {
        fill(slot, writtenArray: list(of: elements), classUID: classUID)
    }

    /// Fills `slot` with a dictionary. `pairs` holds the uids of keys and values alternating.
    func fill(_ slot: Slot, dictionary pairs: some ReferenceList) {
        if pairs.withReferences(hasNil) { return fill(slot, dictionary: withoutNil(pairs)) }
        let keys = pairs.withReferences { list.append(arrayOf: $0, from: 0, by: 2) }
        let values = pairs.withReferences { list.append(arrayOf: $0, from: 1, by: 2) }
        if cocoaNames.keysKey == 0 { cocoaNames.keysKey = key("NS.keys") }
        if cocoaNames.objectsKey == 0 { cocoaNames.objectsKey = key("NS.objects") }
        if cocoaNames.dictionaryClass == 0 { cocoaNames.dictionaryClass = classUID(.dictionary) }
        fill(slot, (cocoaNames.keysKey, keys), (cocoaNames.objectsKey, values), classUID: cocoaNames.dictionaryClass)
    }

    private func list(of elements: some ReferenceList) -> Reference {
        if elements.withReferences(hasNil) { return list.append(array: withoutNil(elements)) }
        return elements.withReferences { list.append(array: $0) }
    }

    /// Returns whether nil is among `elements`. The loop has no early exit, so that the compiler vectorises it.
    @inline(__always)
    private func hasNil(_ elements: Span<Reference>) -> Bool {
        var found: Reference = 0
        for index in elements.indices { found |= elements[index] == Self.null ? 1 : 0 }
        return found != 0
    }

    /// Returns `elements` with the NSNull instead of nil: Cocoa's collections hold no nil, and drop uid 0 when they are
    /// decoded.
    @inline(never)
    private func withoutNil(_ elements: some ReferenceList) -> [Reference] {
        let null = nullObject()
        return (0..<elements.count).map { elements[$0] == Self.null ? null : elements[$0] }
    }
}

// MARK: - Empty collections

extension ArchiveGraph {
    @inline(__always)
    func emptyArray() -> Reference {
        if cocoaNames.emptyArray == 0 { cocoaNames.emptyArray = newSlot { fill($0, array: []) } }
        return cocoaNames.emptyArray
    }

    @inline(__always)
    func emptySet() -> Reference {
        if cocoaNames.emptySet == 0 {
            cocoaNames.emptySet = newSlot { fill($0, elements: [], classUID: classUID(.set)) }
        }
        return cocoaNames.emptySet
    }

    @inline(__always)
    func emptyDictionary() -> Reference {
        if cocoaNames.emptyDictionary == 0 { cocoaNames.emptyDictionary = newSlot { fill($0, dictionary: []) } }
        return cocoaNames.emptyDictionary
    }

    @inline(never)
    private func newSlot(_ fill: (Slot) -> Void) -> Reference {
        let slot = reserveSlot()
        fill(slot)
        return slot.uid
    }

    func isEmptyCollection(_ uid: Reference) -> Bool {
        [cocoaNames.emptyArray, cocoaNames.emptySet, cocoaNames.emptyDictionary].contains(uid)
    }
}

// Reads back written objects: a container that is requested after its value was encoded continues with the value.

extension ArchiveGraph {
    enum ObjectParts {
        /// The keys and the values of fields alternating, and the uid of the class entry; 0 for none.
        case fields([Reference], classUID: Reference)
        /// The uids of keys and values of a dictionary alternating.
        case entries([Reference])
        /// The uids of elements, and the uid of the class entry; 0 for Foundation's classes.
        case elements([Reference], classUID: Reference)
    }

    /// Returns the parts of the object of `uid`; `nil` if it has no parts, or is a value of Foundation.
    ///
    /// - Complexity: O(*n*), where *n* is the number of parts.
    func parts(of uid: Reference) -> ObjectParts? {
        var classUID: Reference = 0
        var uid = uid
        while let slot = self.uid(uid), let (node, objects) = list.object(slots[Int(slot)]) {
            guard node.kind == .dictionary else { return nil }
            let keys = objects.references(node, from: 0)
            let values = objects.references(node, from: node.count)
            var pairs: [Reference] = []
            for (key, value) in zip(keys, values) {
                if key != ArchivePrologue.classKey {
                    pairs += [key, value]
                } else if classUID == 0 {
                    classUID = value
                }
            }
            let isCocoa = isCocoaClass(classUID)
            if pairs.count == 2, isString(pairs[0], "$0") {
                // The single value of an object of another class.
                uid = pairs[1]
            } else if pairs.count == 2, isString(pairs[0], "NS.objects"), let elements = references(inArray: pairs[1]) {
                return .elements(elements, classUID: isCocoa ? 0 : classUID)
            } else if isCocoa {
                guard pairs.count == 4, isString(pairs[0], "NS.keys"), isString(pairs[2], "NS.objects"),
                    let keys = references(inArray: pairs[1]), let values = references(inArray: pairs[3])
                else { return nil }
                return .entries(zip(keys, values).flatMap { [$0, $1] })
            } else {
                return .fields(pairs, classUID: classUID)
            }
        }
        return nil
    }

    private func isCocoaClass(_ classUID: Reference) -> Bool {
        (0..<cocoaClasses.count).contains { cocoaClasses[$0].uid == classUID }
    }

    private func isString(_ reference: Reference, _ text: StaticString) -> Bool {
        list.object(reference).map { $0.objects.isString($0.node, text) } ?? false
    }

    private func references(inArray reference: Reference) -> [Reference]? {
        guard let (node, objects) = list.object(reference), node.kind == .array else { return nil }
        return objects.references(node, from: 0)
    }

    /// Returns the string or the integer of the uid `key` as a key of a keyed container; `nil` for another value.
    func fieldName(ofDictionaryKey key: Reference) -> String? {
        guard let slot = uid(key), let (node, objects) = list.object(slots[Int(slot)]) else { return nil }
        switch node.kind {
        case .ascii, .utf16: return objects.string(node)
        case .integer: return String(objects.integer(node))
        default: return nil
        }
    }
}

extension NodeScanner {
    func references(_ node: Node, from position: Int) -> [BinaryPropertyListWriter.Reference] {
        let width = BigEndianWidth(referenceSize)
        return (position..<position + node.count).map {
            BinaryPropertyListWriter.Reference(
                truncatingIfNeeded: bytes.number(at: node.payload + $0 * referenceSize, width))
        }
    }
}
