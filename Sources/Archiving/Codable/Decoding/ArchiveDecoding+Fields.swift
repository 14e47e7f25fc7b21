/// Finding the fields of an object by key.
extension ArchiveDecoding {
    /// The next field, if its key is the object `reference`: fields are mostly asked for in the order of the file.
    @inline(__always)
    func nextField(ifKey reference: Int) -> Int? {
        let position = frame.pointee.fields.next
        guard position < frame.pointee.fields.count,
            archive.list.reference(position, in: frame.pointee.fields.keys) == reference
        else { return nil }
        frame.pointee.fields.next = position &+ 1
        return position
    }

    /// The position of the field of `key`; nil where there is none. What was found is noted in `entry`.
    @inline(never)
    func field(_ key: some CodingKey, _ entry: UnsafeMutablePointer<DecodingKeyTable.Entry>?) throws -> Int? {
        try field(named: key.stringValue, entry)
    }

    /// As `field(_:_:)`, of a key that the compiler wrote for a class with the macro `@Observable`.
    @inline(never)
    func observedField(_ key: some CodingKey, _ entry: UnsafeMutablePointer<DecodingKeyTable.Entry>) throws -> Int? {
        let name = key.stringValue
        guard let plainName = ObservedKeys.plainName(of: key, name) else { return try field(named: name, entry) }
        // Archives that this library did not write, or not lately, have the name with an underscore.
        return try field(named: plainName, entry) ?? field(named: name, nil)
    }

    @inline(__always)
    private func field(
        named name: String, _ entry: UnsafeMutablePointer<DecodingKeyTable.Entry>?
    ) throws -> Int? {
        let isMangled = !frame.pointee.fields.isDictionary && name.utf8.first == UInt8(ascii: "$")
        guard let position = isMangled ? try position(of: "$" + name, entry) : try position(of: name, entry)
        else { return nil }
        entry?.pointee.referencePlusOne = archive.list.reference(position, in: frame.pointee.fields.keys) &+ 1
        frame.pointee.fields.next = position + 1
        return position
    }

    @inline(never)
    private func position(
        of name: String, _ entry: UnsafeMutablePointer<DecodingKeyTable.Entry>?
    ) throws -> Int? {
        let state = core.pointee.state
        do throws(KeyedArchiveError) {
            if let next = try frame.pointee.fields.next(ifNamed: name, in: core.pointee.contents) { return next }
            let number: KeyNames.Number
            if let entry, entry.pointee.number != 0, !frame.pointee.fields.isDictionary {
                number = entry.pointee.number
            } else {
                number = state.pointee.keyNames.number(of: name)
                if !frame.pointee.fields.isDictionary { entry?.pointee.number = number }
            }
            return try frame.pointee.position(of: number, in: state)
        } catch {
            throw CodableErrors.damaged(error, path: path())
        }
    }

    /// What stands in the field at `position`.
    @inline(never)
    func fieldValue(_ position: Int) throws -> ArchivedValue { try fieldValueInLine(position) }

    /// As `fieldValue(_:)`, for where every value of a type with an initializer passes.
    @inline(__always)
    func fieldValueInLine(_ position: Int) throws -> ArchivedValue {
        let reference = core.pointee.contents.pointee.list.reference(position, in: frame.pointee.fields.values)
        return try resolveInLine(reference, at: step(position))
    }

    /// As `fieldValue(_:)`, of a field that may be read later: the bytes of long data and strings are not loaded.
    @inline(never)
    func fieldValueWithoutLongContents(_ position: Int) throws -> ArchivedValue {
        let reference = core.pointee.contents.pointee.list.reference(position, in: frame.pointee.fields.values)
        do throws(KeyedArchiveError) {
            return try core.pointee.contents.pointee.valueWithoutLongContents(reference)
        } catch {
            throw damaged(error, step(position))
        }
    }

    /// The number in the field at `position`, where it has its usual form.
    @inline(__always)
    func leaf<Leaf: DecodableLeaf>(_ position: Int) -> Leaf? {
        let archive = archive
        let reference = archive.list.reference(position, in: frame.pointee.fields.values)
        return archive.leafOffset(reference).flatMap { Leaf.leaf(at: $0, in: archive) }
    }

    /// The string in the field at `position`, where it has its usual form.
    @inline(never)
    func usualString(_ position: Int) -> String? {
        let contents = core.pointee.contents
        let reference = contents.pointee.list.reference(position, in: frame.pointee.fields.values)
        return contents.pointee.leafOffset(reference).flatMap { contents.stringLeaf(at: $0) }
    }

    /// The step to the field at `position`.
    @inline(__always)
    func step(_ position: Int) -> CodingPathStep {
        let key = UInt32(truncatingIfNeeded: archive.list.reference(position, in: frame.pointee.fields.keys))
        return frame.pointee.fields.isDictionary ? .dictionaryKey(key) : .key(key)
    }

    /// The keys that users gave the fields: without those of the format itself.
    func keyNames() -> [String] { keyNames(limit: .max) { try? archive.keyDescription($0) } }

    /// The first of those keys, for an error: it may not cost more than what failed.
    func firstKeyNames() -> [String] {
        keyNames(limit: UnarchivingError.shownKeyCount + 1) { archive.keyExcerpt($0) }
    }

    private func keyNames(limit: Int, _ text: (ArchivedValue) -> String?) -> [String] {
        guard frame.pointee.fields.count > 0 else { return [] }
        // What cannot be counted any more lets the whole decoding fail in the end.
        let fieldCount = frame.pointee.fields.count
        let count = (try? archive.countWork(DecodingMeter.stepsPerEntry * fieldCount)) == nil ? 0 : fieldCount
        var names: [String] = []
        for position in 0..<count where names.count < limit {
            guard let key = try? archive.value(archive.list.reference(position, in: frame.pointee.fields.keys)),
                let name = text(key)
            else { continue }
            if frame.pointee.fields.isDictionary {
                names.append(name)
            } else if let name = KeyMangling.userKey(name) {
                names.append(name)
            }
        }
        return names
    }

    /// The root object of the archive, for the decoder of `$top`.
    func root() throws -> ArchivedValue {
        let contents = core.pointee.contents
        let top = contents.pointee.top
        // Mostly there is nothing else. What cannot be read is told of below.
        if top.count == 1,
            (try? contents.isASCII(
                contents.pointee.list.reference(0, in: top.payload), KeyedArchiveFormat.rootKey)) == true
        {
            return try resolve(contents.pointee.list.reference(1, in: top.payload), at: .root)
        }
        return try searchedRoot()
    }

    @inline(never)
    private func searchedRoot() throws -> ArchivedValue {
        try loadFields()
        guard let position = try field(ArchiveKey(stringValue: KeyedArchiveFormat.rootKey), nil) else {
            throw CodableErrors.missingRoot(
                KeyedArchiveFormat.rootKey, present: firstKeyNames(),
                hasValuesWithoutKey: (try? archive.value(of: "$0", in: archive.top)) != nil)
        }
        return try resolve(archive.list.reference(position, in: frame.pointee.fields.values), at: .root)
    }

    /// A decoder for the superclass's part under `key`. Where there is none, the part is nil.
    ///
    /// - Parameter step: The step to the part, where that is known without looking for it.
    func superDecoder(forKey key: some CodingKey, at step: CodingPathStep?) throws -> ArchiveDecoding {
        guard let position = try field(key, nil) else {
            return try superDecoder(for: .null, at: step ?? core.pointee.state.pointee.step(toMissing: key.stringValue))
        }
        return try superDecoder(for: fieldValue(position), at: step ?? self.step(position))
    }
}
