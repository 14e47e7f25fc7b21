// What was written as an object, read back: a value may be encoded as a whole and get more afterwards.

extension ArchiveGraph {
    /// What an object consists of, as a container takes it up again.
    enum ObjectParts {
        /// The keys and the values of fields in turn, and the uid of the class entry; 0 for none.
        case fields([Reference], classUID: Reference)
        /// The uids of keys and values of a dictionary in turn.
        case entries([Reference])
        /// The uids of elements, and the uid of the class entry; 0 for Foundation's own.
        case elements([Reference], classUID: Reference)
    }

    /// What the object behind `uid` consists of; nil where it has no parts, or is one of Foundation's values.
    ///
    /// - Complexity: O(*n*), where *n* is the number of parts.
    mutating func parts(of uid: Reference) -> ObjectParts? {
        var classUID: Reference = 0
        var uid = uid
        while let slot = self.uid(uid), let (node, objects) = list.object(slots[Int(slot)]) {
            if node.kind == .data { return packedElements(objects.bytes(node)).map { .elements($0, classUID: 0) } }
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

    /// The uids of the numbers that are packed in `data`, one for each; nil where none are.
    private mutating func packedElements(_ data: UnsafeRawBufferPointer) -> [Reference]? {
        // The list moves when it grows.
        let copy = [UInt8](data)
        return copy.withUnsafeBytes { bytes in
            guard let numbers = try? PackedNumbers(bytes) else { return nil }
            return (0..<numbers.count).map { index in
                switch numbers.element.kind {
                case .signed: integer(numbers.signed(at: index), inline: false)
                case .unsigned: integer(numbers.unsigned(at: index), inline: false)
                case .real where numbers.element.width == 4: real(Float(numbers.real(at: index)), inline: false)
                case .real: real(numbers.real(at: index), inline: false)
                }
            }
        }
    }

    /// The string or the integer behind the uid `key`, as a keyed container has it; nil for another value.
    func fieldName(ofDictionaryKey key: Reference) -> String? {
        guard let slot = uid(key), let (node, objects) = list.object(slots[Int(slot)]) else { return nil }
        switch node.kind {
        case .ascii, .utf16: return objects.string(node)
        case .integer: return String(objects.integer(node))
        default: return nil
        }
    }

    /// The instance whose uid object is `uid`; nil where it is that of something else.
    ///
    /// - Complexity: O(*n*), where *n* is the number of instances.
    func instance(_ uid: Reference) -> UnsafeRawPointer? { objects.object(uid) }

    /// Whether more than one value may be the object behind `uid`.
    ///
    /// - Complexity: O(*n*), where *n* is the number of instances.
    func isShared(_ uid: Reference) -> Bool {
        isEmptyCollection(uid) || instance(uid) != nil || !transcriptions.isEmpty
    }
}

extension NodeScanner {
    /// The references that the container `node` has from `position` on, as many as its count says.
    fileprivate func references(_ node: Node, from position: Int) -> [BinaryPropertyListWriter.Reference] {
        let width = BigEndianWidth(referenceSize)
        return (position..<position + node.count).map {
            BinaryPropertyListWriter.Reference(
                truncatingIfNeeded: width.load(base + (node.payload + $0 * referenceSize)))
        }
    }
}
