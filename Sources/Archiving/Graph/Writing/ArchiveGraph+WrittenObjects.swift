// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
    /// Returns `node.count` references of the container `node`, starting at `position`.
    func references(_ node: Node, from position: Int) -> [BinaryPropertyListWriter.Reference] {
        let width = BigEndianWidth(referenceSize)
        return (position..<position + node.count).map {
            BinaryPropertyListWriter.Reference(
                truncatingIfNeeded: bytes.number(at: node.payload + $0 * referenceSize, width))
        }
    }
}
