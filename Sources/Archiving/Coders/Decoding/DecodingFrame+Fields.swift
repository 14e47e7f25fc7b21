// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Finds the fields of an object by key.
extension DecodingFrame {
    /// Returns the next field, if its key is the object `reference`. Fields are usually requested in the order of the
    /// file.
    @inline(__always)
    func nextField(ifKey reference: Int) -> Int? {
        let position = fields.next
        guard position < fields.count,
            archive.list.reference(position, in: fields.keys) == reference
        else { return nil }
        fields.next = position &+ 1
        return position
    }

    /// Returns the position of the field of `key`, or nil if it is absent. The entry at `place` remembers the key's
    /// reference.
    @inline(never)
    func field(_ key: some CodingKey, _ place: Int?) throws -> Int? {
        try field(named: key.stringValue, place)
    }

    /// Returns the same as `field(_:_:)` for a key that the compiler synthesised for a class with the macro
    /// `@Observable`.
    @inline(never)
    func observedField(_ key: some CodingKey, _ place: Int) throws -> Int? {
        let name = key.stringValue
        guard let plainName = ObservedKeys.plainName(of: key, name) else { return try field(named: name, place) }
        // Archives of other programs and of old versions of this library have the name with an underscore.
        return try field(named: plainName, place) ?? field(named: name, nil)
    }

    @inline(__always)
    private func field(named name: String, _ place: Int?) throws -> Int? {
        guard let place else {
            var key = RequestedKey()
            return try field(named: name, &key)
        }
        var key = keys[place]
        let number = key.number
        // Dictionaries have keys that are not mangled, and so other names.
        if fields.isDictionary { key.number = 0 }
        defer {
            if fields.isDictionary { key.number = number }
            keys[place] = key
        }
        return try field(named: name, &key)
    }

    /// Returns the position of the field for the program's key `name`, or nil if it is absent.
    ///
    /// - Parameter key: The facts about the key, which are completed.
    @inline(never)
    func field(named name: String, _ key: inout RequestedKey) throws -> Int? {
        let name = fields.isDictionary ? name : KeyMangling.archivedKey(name)
        do throws(KeyedArchiveError) {
            return try position(of: name, &key)
        } catch {
            throw damaged(error, .root)
        }
    }

    /// Returns the position of the field `name`, as the archive has it, or nil if it is absent. The next field is expected after it.
    @inline(__always)
    private func position(of name: String, _ key: inout RequestedKey) throws(KeyedArchiveError) -> Int? {
        // Examined outside of the property, so that accesses to it need no exclusivity check.
        var fields = fields
        var position = try fields.next(ifNamed: name, in: archive)
        if position == nil {
            position = try fields.position(of: name, &key.number, in: session)
            self.fields = fields
        }
        guard let position else { return nil }
        // Another object may have both keys of which this is one only by Unicode's rules.
        if !session.keys.names.hasEqualKeys || fields.isExact(name, at: position, in: session) {
            key.referencePlusOne = archive.list.reference(position, in: fields.keys) &+ 1
        }
        if position != fields.next { beginRun(at: position) }
        self.fields.next = position &+ 1
        return position
    }

    /// Returns the position of the next field without a key of the program, `$0` and so on, and its name. The position is nil if all
    /// of them were found.
    func nextUnkeyedField() throws -> (name: String, position: Int?) {
        let name = "$\(fields.unkeyedCount)"
        var key = RequestedKey()
        do throws(KeyedArchiveError) {
            let position = try position(of: name, &key)
            if position != nil { fields.unkeyedCount += 1 }
            return (name, position)
        } catch {
            throw damaged(error, .root)
        }
    }

    /// Returns the value in the field at `position`.
    func fieldValue(_ position: Int) throws -> ArchivedValue {
        try resolve(archive.list.reference(position, in: fields.values), at: step(position))
    }

    /// Returns the same as `fieldValue(_:)` without loading the bytes of long data and strings, for a field that may be
    /// read later.
    @inline(never)
    func fieldValueWithoutLongContents(_ position: Int) throws -> ArchivedValue {
        let reference = archive.list.reference(position, in: fields.values)
        return try undamaged(archive.valueWithoutLongContents(reference), at: step(position))
    }

    /// Returns the number in the field at `position` if it has the usual form.
    @inline(__always)
    func leaf<Leaf: DecodableLeaf>(_ position: Int) -> Leaf? {
        let archive = archive
        let reference = archive.list.reference(position, in: fields.values)
        return archive.leafOffset(reference).flatMap { Leaf.leaf(at: $0, in: archive) }
    }

    @inline(__always)
    func step(_ position: Int) -> CodingPathStep {
        let key = UInt32(truncatingIfNeeded: archive.list.reference(position, in: fields.keys))
        return fields.isDictionary ? .dictionaryKey(key) : .key(key)
    }

    /// Returns the user's keys of the fields, without those of the format.
    func keyNames() -> [String] { fields.keyNames(in: archive) }

    /// Returns the error of an absent field of `key`.
    @inline(never)
    func notFound(_ key: some CodingKey) -> DecodingError {
        noteFailedRequest()
        let failure = ArchivingError.keyNotFound(
            key.stringValue, present: fields.firstKeyNames(in: archive), path: path())
        return DecodingError(failure, key: key)
    }

    /// Returns the root object of the archive. Called on the decoder of `$top`.
    func root() throws -> ArchivedValue {
        let contents = archive
        let top = contents.top
        // Fast path: usually the root is the only entry. The search below reports unreadable entries.
        if top.count == 1,
            (try? contents.isASCII(
                contents.list.reference(0, in: top.payload), KeyedArchiveFormat.rootKey)) == true
        {
            return try resolve(contents.list.reference(1, in: top.payload), at: .root)
        }
        return try searchedRoot()
    }

    @inline(never)
    private func searchedRoot() throws -> ArchivedValue {
        try loadFields()
        guard let position = try field(ArchiveKey(stringValue: KeyedArchiveFormat.rootKey), nil) else {
            throw DecodingError(
                .missingRoot(fields, in: archive), key: ArchiveKey(stringValue: KeyedArchiveFormat.rootKey))
        }
        return try resolve(archive.list.reference(position, in: fields.values), at: .root)
    }

    /// Returns a decoder for the superclass's part for `key`. An absent part is nil.
    ///
    /// - Parameter step: The step to the part, if it is known without a search.
    func superDecoder(forKey key: some CodingKey, at step: CodingPathStep?) throws -> ProgramDecoder {
        guard let position = try field(key, nil) else {
            return try superDecoder(for: .null, at: step ?? session.step(toMissing: key.stringValue))
        }
        return try superDecoder(for: fieldValue(position), at: step ?? self.step(position))
    }
}
