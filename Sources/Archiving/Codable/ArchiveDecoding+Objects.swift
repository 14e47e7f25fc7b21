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
                guard let entries = try archive.dictionaryEntries(of: node, uid: value.uid) else { break }
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

    /// The references of the keys and of the values of a dictionary in any of its forms: an NSDictionary, one that a
    /// foreign coder wrote (`NS.key.0`, `NS.object.0` …); nil where `value` is no such thing.
    func dictionary(_ value: ArchivedValue, at step: CodingPathStep) throws -> (
        keys: ArchivedElements, values: ArchivedElements
    )? {
        try contents(at: step) { contents throws(KeyedArchiveError) in try contents.dictionary(value) }
    }

    /// The elements of an array, a set, an object with `NS.objects`, or one that a foreign coder wrote (`NS.object.0` …).
    func elements(of value: ArchivedValue, at step: CodingPathStep) throws -> ArchivedElements {
        let elements = try contents(at: step) { contents throws(KeyedArchiveError) in
            try contents.elements(of: value)
        }
        guard let elements else {
            throw CodableErrors.mismatch([Any].self, found: value, in: archive, path: path(step))
        }
        return elements
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
