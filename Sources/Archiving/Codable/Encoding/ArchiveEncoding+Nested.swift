// MARK: - Nested containers

extension ArchiveEncoding {
    /// Returns the encoding of a container that its owner can fill until the archive is finished.
    ///
    /// - Parameter key: The key of the container, or nil in an unkeyed container. An existing value for the key is
    ///   continued if it has the same kind, and replaced otherwise.
    func nestedEncoding(_ form: Form, forKey key: Reference?, at step: CodingPathStep) -> ArchiveEncoding {
        guard let key, entries.mayHave(key), let position = entries.position(of: key) else {
            let encoding = makeNested(form, forKey: key, at: step)
            encoding.begin(form)
            return encoding
        }
        if let known = nested.last(where: { $0.key == key })?.encoding { return known }
        let written = entries.references[position]
        if let known = core.postponedEncoder(of: written), !known.isObject { return known }
        let encoding = makeNested(form, forKey: key, at: step)
        if !encoding.amend(written, as: form) { encoding.begin(newObject: form) }
        return encoding
    }

    /// Returns an encoding for a part of this encoding's value. It replaces the value for `key`.
    private func makeNested(_ form: Form, forKey key: Reference?, at step: CodingPathStep) -> ArchiveEncoding {
        let encoding = ArchiveEncoding(core, depth: depth + 1, parent: self)
        encoding.begin(type, archivedType: archivedType)
        encoding.keptClassUID = keptClassUID
        if form == .unkeyed { encoding.objectClass = .array }
        encoding.hasParent = true
        encoding.step = step
        encoding.inline = key != nil
        var position = entries.references.count
        // A placeholder until the encoding is finished.
        if let key {
            set(key, to: ArchiveGraph.null)
            position = entries.position(of: key) ?? position
            // The newest encoding for a key provides its value.
            dropNested(at: position)
        } else {
            entries.append(ArchiveGraph.null)
        }
        nested.append(Nested(encoding: encoding, position: position, key: key ?? 0))
        hasNested = true
        return encoding
    }

    /// Returns the encoding of the superclass's part. The part is written as an object of the superclass, and replaces
    /// the value for `key`.
    func superEncoding(forKey key: Reference?, at step: CodingPathStep) -> ArchiveEncoding {
        let encoding = makeNested(.undecided, forKey: key, at: step)
        encoding.isSuperclassPart = true
        if let own = (archivedType ?? type?.type) as? AnyClass, let superclass = _getSuperclass(own) {
            encoding.begin(type, archivedType: superclass)
        }
        return encoding
    }

    /// Closes the encodings inside this one, which is discarded.
    func abandonNested() {
        var encodings = [self]
        while let encoding = encodings.popLast() {
            let inner = encoding.takeNested().map(\.encoding)
            if encoding !== self { encoding.close() }
            encodings += inner
        }
    }

    func takeNested() -> [Nested] {
        hasNested = false
        defer { nested = [] }
        return nested
    }
}

// MARK: - Nested values

extension ArchiveEncoding {
    /// Calls `body` with an encoder for a nested value that `prepare` describes, and returns the reference to the value.
    @inline(__always)
    func encodeInSpare(
        _ body: (ValueEncoder) throws -> Void, preparing prepare: (ArchiveEncoding) -> Void
    ) throws -> Reference {
        // Another value that is encoded at the same time has the spare one. The encoder is a constant except for the check of
        // its references, and its own functions call its encoding, which would be retained for each call here.
        let encoder = spare.take() ?? makeSpare()
        let isReturned: Bool
        do {
            isReturned = try encoder.encode(body, preparing: prepare)
        } catch {
            abandon(consume encoder)
            throw error
        }
        var checked = consume encoder
        let isUnique = isReturned && isKnownUniquelyReferenced(&checked)
        let returned = consume checked
        guard isUnique else { return returned.encoding.postpone() }
        let reference = returned.write()
        spare = returned
        return reference
    }

    /// Calls `body` to encode an instance of `type`, and adds its keys and values alternating to `entries` instead of
    /// writing them.
    ///
    /// - Returns: Whether the instance has a keyed container, and the program holds neither its encoder nor that
    ///   container.
    func collect(
        _ type: EncodingType, into entries: PlainTable<Reference>, _ body: (ValueEncoder) throws -> Void
    ) throws -> Bool {
        var encoder = spare.take() ?? makeSpare()
        let encoding = encoder.encoding
        do {
            encoding.begin(type)
            encoding.isObject = true
            encoding.inline = true
            // It is written nowhere, so that it needs no slot.
            encoding.slot = ArchiveGraph.Slot(index: 0, uid: ArchiveGraph.null)
            try body(encoder)
        } catch {
            abandon(consume encoder)
            throw error
        }
        guard encoding.takeBackContainers(), isKnownUniquelyReferenced(&encoder) else {
            encoding.abandonNested()
            encoding.close()
            return false
        }
        defer { spare = encoder }
        return encoding.takeEntries(into: entries)
    }

    /// Discards the value of `encoder`, which failed to encode itself. If the program still holds the encoder, it is closed.
    @inline(never)
    private func abandon(_ encoder: consuming ValueEncoder) {
        let encoding = encoder.encoding
        let isReturned = encoding.takeBackContainers()
        encoding.abandonNested()
        guard isReturned, isKnownUniquelyReferenced(&encoder) else { return encoding.close() }
        encoding.reset()
        spare = encoder
    }

    @inline(never)
    private func makeSpare() -> ValueEncoder {
        ValueEncoder(ArchiveEncoding(core, depth: depth + 1, parent: self, keepsContainers: true))
    }

    /// Calls `body` with `encoder`, the encoder of the root object, for a value of `type`.
    static func encodeRoot(
        with encoder: inout ValueEncoder, _ type: EncodingType?, archivedType: (any Any.Type)? = nil,
        _ body: (ValueEncoder) throws -> Void
    ) throws -> Reference {
        let encoding = encoder.encoding
        encoding.begin(type, archivedType: archivedType)
        do {
            try body(encoder)
        } catch {
            _ = encoding.takeBackContainers()
            encoding.abandonNested()
            throw error
        }
        let isReturned = encoding.takeBackContainers()
        return isReturned && isKnownUniquelyReferenced(&encoder) ? encoding.write() : encoding.postpone()
    }
}

extension ValueEncoder {
    /// Calls `body` to encode a value that `prepare` describes.
    ///
    /// - Returns: Whether the program has released the containers.
    @inline(never)
    fileprivate func encode(
        _ body: (ValueEncoder) throws -> Void, preparing prepare: (ArchiveEncoding) -> Void
    ) throws -> Bool {
        prepare(encoding)
        try body(self)
        return encoding.takeBackContainers()
    }

    /// Writes the value, and prepares for the next one.
    @inline(never)
    fileprivate func write() -> ArchiveGraph.Reference { encoding.write() }
}
