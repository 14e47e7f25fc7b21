// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// References to the elements of a container: in the file, or collected if another coder wrote a key for each element.
package struct ArchivedElements: Sendable {
    package let count: Int
    private let list: Int
    /// nil, not empty, for elements in the file: an array, even an empty one, is counted as a reference.
    private let collected: [Int]?

    package init(_ node: Node) {
        count = node.count
        list = node.payload
        collected = nil
    }

    package init(_ references: [Int]) {
        count = references.count
        list = 0
        collected = references
    }

    var listOffset: Int? { collected == nil && count > 0 ? list : nil }

    @inline(__always)
    package func reference(_ position: Int, in archive: ArchiveContents) -> Int {
        precondition(position >= 0 && position < count, "Element \(position) is out of range: count is \(count)")
        return collected?[position] ?? archive.list.reference(position, in: list)
    }
}

extension ArchivedElements {
    /// Returns the instances that `instance` returns for the elements, without those for which it returns nil. The elements were
    /// counted before.
    ///
    /// It is the loop of all arrays of instances. Their class is no generic parameter: code with it would look it up at every step.
    @inline(__always)
    func instances(
        in archive: ArchiveContents, _ instance: (_ reference: Int, _ index: Int) throws -> AnyObject?
    ) rethrows -> [AnyObject] {
        var objects: [AnyObject] = []
        objects.reserveCapacity(count)
        for index in 0..<count {
            if let object = try instance(reference(index, in: archive), index) { objects.append(object) }
        }
        return objects
    }
}

extension ArchiveContents {
    package func dictionaryEntries(
        of node: Node, uid: UInt32
    ) throws(KeyedArchiveError) -> (keys: Node, values: Node)? {
        guard let keys = try value(of: "NS.keys", in: node)?.node, keys.kind == .array,
            let values = try value(of: "NS.objects", in: node)?.node, values.kind == .array
        else { return nil }
        guard keys.count == values.count else {
            throw KeyedArchiveError(.unequalCounts(keys: keys.count, objects: values.count, uid: uid))
        }
        return (keys, values)
    }

    @inline(never)
    fileprivate func dictionaryOfAnyForm(_ value: ArchivedValue) throws(KeyedArchiveError) -> (
        keys: ArchivedElements, values: ArchivedElements
    )? {
        guard value.node.kind == .dictionary, let uid = try classUID(of: value.node),
            case .dictionary = try classKind(uid)
        else { return nil }
        if let (keys, values) = try dictionaryEntries(of: value.node, uid: value.uid) {
            noteDictionary(value.node, classUID: uid)
            return (ArchivedElements(keys), ArchivedElements(values))
        }
        let keys = try numberedElements(of: value.node, prefix: "NS.key.")
        let values = try numberedElements(of: value.node, prefix: "NS.object.")
        guard keys.count == values.count else {
            throw KeyedArchiveError(.unequalCounts(keys: keys.count, objects: values.count, uid: value.uid))
        }
        return (keys, values)
    }

    private func noteDictionary(_ node: Node, classUID: UInt32) {
        guard let notes, node.count == 3 else { return }
        let keys = list.reference(0, in: node.payload)
        let elements = list.reference(1, in: node.payload)
        guard let first = try? self.node(keys), list.isString(first, "NS.keys"),
            let second = try? self.node(elements), list.isString(second, "NS.objects")
        else { return }
        notes.keysKey = keys
        notes.elementsKey = elements
        notes.dictionaryClass = classUID
    }

    @inline(never)
    fileprivate func elementsOfAnyForm(_ value: ArchivedValue) throws(KeyedArchiveError) -> ArchivedElements? {
        switch value.node.kind {
        case .array, .set: return ArchivedElements(value.node)
        case .dictionary:
            // A dictionary stores its values under the key of an array's elements.
            if value.node.count > 2, try self.value(of: "NS.keys", in: value.node) != nil { return nil }
            if let index = try index(of: "NS.objects", in: value.node) {
                if index == 0 { notes?.elementsKey = list.reference(0, in: value.node.payload) }
                let elements = try self.value(list.reference(value.node.count + index, in: value.node.payload)).node
                if elements.kind == .array || elements.kind == .set { return ArchivedElements(elements) }
            }
            let numbered = try numberedElements(of: value.node, prefix: "NS.object.")
            if numbered.count > 0 { return numbered }
            if let elements = try oldStyleArray(value) { return elements }
            if let counted = try countedElements(of: value.node) { return counted.elements }
            // An empty array in the form of other coders has only its class.
            guard value.node.count == 1, let uid = try classUID(of: value.node), case .elements = try classKind(uid)
            else { return nil }
            return numbered
        default: return nil
        }
    }

    /// Returns the elements of a C array of Cocoa's `encodeArray(ofObjCType:count:at:)`: an object with `NS.type`, whose
    /// `NS.count` elements are values without keys; `nil` if `value` is not such an array.
    private func oldStyleArray(_ value: ArchivedValue) throws(KeyedArchiveError) -> ArchivedElements? {
        var entries = entries(of: value)
        guard try entries["NS.type"] != nil, let count = try entries.integer("NS.count") else { return nil }
        let elements = try numberedElements(of: value.node, prefix: "$")
        guard elements.count == count else {
            throw entries.damaged("NS.count", "the number of elements, which is \(elements.count)")
        }
        return elements
    }

    /// Returns the elements of an NSCountedSet, each once, and the count of each; `nil` if `node` is another object or
    /// inconsistent.
    ///
    /// - Complexity: O(*n*), where *n* is the number of entries.
    package func countedElements(
        of node: Node
    ) throws(KeyedArchiveError) -> (elements: ArchivedElements, counts: ArchivedElements)? {
        guard node.kind == .dictionary, node.count % 2 == 0,
            let total = try value(of: "NS.count", in: node)?.node, total.kind == .integer
        else { return nil }
        let elements = try numberedElements(of: node, prefix: "NS.object")
        let counts = try numberedElements(of: node, prefix: "NS.count")
        // The other two entries are the number of elements and the class.
        guard list.integer(total) == elements.count, elements.count == counts.count,
            2 * elements.count == node.count - 2
        else { return nil }
        return (elements, counts)
    }

    /// Returns the values of the keys `prefix0`, `prefix1` and so on, up to the first missing key.
    ///
    /// - Complexity: O(*n*), where *n* is the number of entries.
    package func numberedElements(
        of dictionary: Node, prefix: String
    ) throws(KeyedArchiveError) -> ArchivedElements {
        try countWork(dictionary.count)
        var references: [Int: Int] = [:]
        for index in 0..<dictionary.count {
            let key = try node(list.reference(index, in: dictionary.payload))
            guard key.kind == .ascii, key.count > prefix.utf8.count, key.count < 32 else { continue }
            let name = list.string(key)
            // Accepts only the form of writers, without a sign and leading zeros.
            guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)),
                name.utf8.count == prefix.utf8.count + String(number).utf8.count, number >= 0
            else { continue }
            references[number] = list.reference(dictionary.count + index, in: dictionary.payload)
        }
        var elements: [Int] = []
        while let reference = references[elements.count] { elements.append(reference) }
        return ArchivedElements(elements)
    }
}

extension ArchiveContents {
    /// Returns the elements of an array, a set, an object with `NS.objects`, or an object in the form of other coders
    /// (`NS.object.0` …); `nil` if `value` has no elements.
    @inline(never)
    package func elements(of value: ArchivedValue) throws(KeyedArchiveError) -> ArchivedElements? {
        if let array = try onlyArray(of: value.node) { return ArchivedElements(array) }
        return try elementsOfAnyForm(value)
    }

    /// Returns `elements(of:)` for an array in its usual form; `nil` if `value` has another form or is damaged.
    @inline(__always)
    func usualElements(of value: ArchivedValue) -> ArchivedElements? {
        guard let array = try? onlyArray(of: value.node) else { return nil }
        return ArchivedElements(array)
    }

    /// Returns whether `node` is a collection in its usual form, which represents no single value.
    func isUsualCollection(_ node: Node) -> Bool {
        guard let notes, node.kind == .dictionary, node.count == 2 || node.count == 3,
            list.reference(node.count &- 1, in: node.payload) == notes.classKey,
            list.reference(node.count &- 2, in: node.payload) == notes.elementsKey
        else { return false }
        return node.count == 2 || list.reference(0, in: node.payload) == notes.keysKey
    }

    func isKnownEmptyArray(_ reference: Int) -> Bool { reference == notes?.emptyArray }

    func noteEmpty(_ value: ArchivedValue, _ reference: Int) {
        if usualElements(of: value)?.count == 0 { notes?.emptyArray = reference }
    }

    /// Returns the array in the object `node` if it has only its class and elements under a known key, the usual form of
    /// arrays.
    @inline(__always)
    private func onlyArray(of node: Node) throws(KeyedArchiveError) -> Node? {
        // Only the key, so that the notes need no reference of their own.
        guard let key = notes?.elementsKey, node.kind == .dictionary, node.count == 2,
            list.reference(0, in: node.payload) == key
        else { return nil }
        let array = try self.node(list.reference(2, in: node.payload))
        return array.kind == .array ? array : nil
    }

    /// Returns the references of the keys and of the values of an NSDictionary, in its own form or in the form of other
    /// coders (`NS.key.0`, `NS.object.0` …); `nil` if `value` is not a dictionary.
    package func dictionary(
        _ value: ArchivedValue
    ) throws(KeyedArchiveError) -> (keys: ArchivedElements, values: ArchivedElements)? {
        if let (keys, values) = try usualDictionary(value.node) {
            return (ArchivedElements(keys), ArchivedElements(values))
        }
        return try dictionaryOfAnyForm(value)
    }

    /// Returns the keys and the values of the object `node` if it has only them, under known keys, and a known class, the
    /// usual form of dictionaries.
    private func usualDictionary(_ node: Node) throws(KeyedArchiveError) -> (keys: Node, values: Node)? {
        guard node.kind == .dictionary, node.count == 3,
            list.reference(0, in: node.payload) == notes?.keysKey,
            list.reference(1, in: node.payload) == notes?.elementsKey,
            list.reference(2, in: node.payload) == notes?.classKey,
            let uid = shortUID(list.reference(5, in: node.payload)), uid == notes?.dictionaryClass
        else { return nil }
        let keys = try self.node(list.reference(3, in: node.payload))
        let values = try self.node(list.reference(4, in: node.payload))
        return keys.kind == .array && values.kind == .array && keys.count == values.count ? (keys, values) : nil
    }
}
