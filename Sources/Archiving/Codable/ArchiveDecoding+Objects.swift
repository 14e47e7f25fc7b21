/// Objects and containers out of archived values.
extension ArchiveDecoding {
    /// Finds the fields of this decoder's value, for keyed containers.
    func loadFields() throws {
        guard frame.pointee.fields.count < 0 else { return }
        guard value.node.kind == .dictionary else {
            throw CodableErrors.mismatch([String: Any].self, found: value, in: archive, path: path())
        }
        do throws(KeyedArchiveError) {
            if let fields = try fields(of: value.node) {
                frame.pointee.fields = fields
                return
            }
        } catch {
            throw CodableErrors.damaged(error, path: path())
        }
        throw CodableErrors.mismatch([String: Any].self, found: value, in: archive, path: path())
    }

    /// The fields of the dictionary object `node`; nil where it is of a class without.
    private func fields(of node: Node) throws(KeyedArchiveError) -> ArchivedFields? {
        if !frame.pointee.hasFields, try archive.mayBeCollection(node), let uid = try archive.classUID(of: node),
            uid != frame.pointee.type?.pointee.plainClassUID
        {
            switch try archive.classKind(uid) {
            case .elements: return nil
            case .dictionary:
                guard let entries = try dictionaryEntries(of: node) else { break }
                return ArchivedFields(
                    keys: entries.keys.payload, values: entries.values.payload, count: entries.keys.count,
                    isDictionary: true)
            case .fields: frame.pointee.type?.pointee.plainClassUID = uid
            }
        }
        return ArchivedFields(
            keys: node.payload, values: node.payload &+ node.count &* archive.list.referenceSize, count: node.count,
            isDictionary: false)
    }

    /// The keys and the values of an NSDictionary; nil where they are not written as its own class writes them.
    private func dictionaryEntries(of node: Node) throws(KeyedArchiveError) -> (keys: Node, values: Node)? {
        guard let keys = try archive.value(of: "NS.keys", in: node)?.node, keys.kind == .array,
            let values = try archive.value(of: "NS.objects", in: node)?.node, values.kind == .array
        else { return nil }
        guard keys.count == values.count else {
            throw KeyedArchiveError(.unequalCounts(keys: keys.count, objects: values.count))
        }
        return (keys, values)
    }

    /// The references of the keys and of the values of a dictionary in any of its forms: an NSDictionary, one that a
    /// foreign coder wrote (`NS.key.0`, `NS.object.0` …); nil where `value` is no such thing.
    func dictionary(_ value: ArchivedValue, at step: CodingPathStep) throws -> (
        keys: ArchivedElements, values: ArchivedElements
    )? {
        guard value.node.kind == .dictionary else { return nil }
        do throws(KeyedArchiveError) {
            guard let uid = try archive.classUID(of: value.node), case .dictionary = try archive.classKind(uid)
            else { return nil }
            if let (keys, values) = try dictionaryEntries(of: value.node) {
                return (ArchivedElements(keys), ArchivedElements(values))
            }
            let keys = try archive.numberedElements(of: value.node, prefix: "NS.key.")
            let values = try archive.numberedElements(of: value.node, prefix: "NS.object.")
            guard keys.count == values.count else {
                throw KeyedArchiveError(.unequalCounts(keys: keys.count, objects: values.count))
            }
            return (keys, values)
        } catch {
            throw CodableErrors.damaged(error, path: path(step))
        }
    }

    /// The elements of an array, a set, an object with `NS.objects`, or one that a foreign coder wrote (`NS.object.0` …).
    func elements(of value: ArchivedValue, at step: CodingPathStep) throws -> ArchivedElements {
        do throws(KeyedArchiveError) {
            switch value.node.kind {
            case .array, .set: return ArchivedElements(value.node)
            case .dictionary:
                if let elements = try archive.value(of: "NS.objects", in: value.node)?.node,
                    elements.kind == .array || elements.kind == .set
                {
                    return ArchivedElements(elements)
                }
                let numbered = try archive.numberedElements(of: value.node, prefix: "NS.object.")
                if numbered.count > 0 { return numbered }
                // An array that a foreign coder wrote without elements has nothing but its class.
                if value.node.count == 1, let uid = try archive.classUID(of: value.node),
                    case .elements = try archive.classKind(uid)
                {
                    return numbered
                }
            default: break
            }
        } catch {
            throw CodableErrors.damaged(error, path: path(step))
        }
        throw CodableErrors.mismatch([Any].self, found: value, in: archive, path: path(step))
    }

    /// What a class wrote as its single value, `$0`; every other value is its own single value.
    @inline(__always)
    func singleValue(of value: ArchivedValue, at step: CodingPathStep) throws -> ArchivedValue {
        guard frame.pointee.isObject, value.node.kind == .dictionary else { return value }
        return try singleValueOfObject(value, at: step)
    }

    @inline(never)
    func singleValueOfObject(_ value: ArchivedValue, at step: CodingPathStep) throws -> ArchivedValue {
        guard value.node.count <= 2 else { return value }
        do throws(KeyedArchiveError) {
            return try archive.value(of: "$0", in: value.node) ?? value
        } catch {
            throw CodableErrors.damaged(error, path: path(step))
        }
    }
}

/// References to the elements of a container, in the file or, where a foreign coder wrote one key for each, collected.
struct ArchivedElements {
    let count: Int
    private let list: Int
    private let collected: [Int]

    init(_ node: Node) {
        count = node.count
        list = node.payload
        collected = []
    }

    init(_ references: [Int]) {
        count = references.count
        list = 0
        collected = references
    }

    /// The reference at `position`, which is below `count`.
    @inline(__always)
    func reference(_ position: Int, in archive: ArchiveContents) -> Int {
        precondition(position >= 0 && position < count, "Element \(position) of \(count)")
        return collected.isEmpty ? archive.list.reference(position, in: list) : collected[position]
    }
}

extension ArchiveContents {
    /// The values of the keys `prefix0`, `prefix1` and so on, up to the first that is missing.
    ///
    /// - Complexity: O(*n*), where *n* is the number of entries.
    fileprivate func numberedElements(
        of dictionary: Node, prefix: String
    ) throws(KeyedArchiveError) -> ArchivedElements {
        var references: [Int: Int] = [:]
        for index in 0..<dictionary.count {
            let key = try node(list.reference(index, in: dictionary.payload))
            guard key.kind == .ascii, key.count > prefix.utf8.count, key.count < 32 else { continue }
            let name = list.objects.string(key)
            guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)) else { continue }
            references[number] = list.reference(dictionary.count + index, in: dictionary.payload)
        }
        var elements: [Int] = []
        while let reference = references[elements.count] { elements.append(reference) }
        return ArchivedElements(elements)
    }
}
