// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Nested containers

extension EncodingFrame {
    /// Returns the encoding of a container that its owner can fill until this value is complete.
    ///
    /// - Parameter key: The key of the container, or nil in an unkeyed container. An existing value for the key is
    ///   continued if it has the same kind, and replaced otherwise.
    func nestedEncoding(_ form: Form, forKey key: Reference?, at step: CodingPathStep) -> EncodingFrame {
        guard let key, entries.mayHave(key), let position = entries.position(of: key) else {
            let encoding = makeNested(form, forKey: key, at: step)
            encoding.begin(form)
            return encoding
        }
        if let known = nested.last(where: { $0.key == key && !$0.isReplaced })?.encoding { return known }
        let written = entries.references[position]
        let encoding = makeNested(form, forKey: key, at: step)
        if !encoding.amend(written, as: form) { encoding.begin(newObject: form) }
        return encoding
    }

    /// Returns an encoding for a part of this encoding's value. It replaces the value for `key`.
    private func makeNested(_ form: Form, forKey key: Reference?, at step: CodingPathStep) -> EncodingFrame {
        let encoding = EncodingFrame(session, depth: depth + 1, parent: self)
        encoding.begin(type, archivedType: archivedType)
        encoding.keptClassUID = keptClassUID
        if form == .unkeyed { encoding.objectClass = .array }
        encoding.hasParent = true
        encoding.step = step
        encoding.inline = key != nil
        if !session.hasRoom(atDepth: depth) { encoding.refuse(at: step, in: self) }
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
    func superEncoding(forKey key: Reference?, at step: CodingPathStep) -> EncodingFrame {
        let encoding = makeNested(.undecided, forKey: key, at: step)
        encoding.isSuperclassPart = true
        if let own = (archivedType ?? type?.type) as? AnyClass, let superclass = _getSuperclass(own) {
            encoding.begin(type, archivedType: superclass)
        }
        return encoding
    }

    /// Closes this encoding, whose value is discarded, and the encodings inside it.
    func abandon() {
        close()
        abandonNested()
    }

    /// Closes the encodings inside this one.
    func abandonNested() {
        var encodings = takeNested().map(\.encoding)
        while let encoding = encodings.popLast() {
            encoding.close()
            encodings += encoding.takeNested().map(\.encoding)
        }
    }

    func takeNested() -> [Nested] {
        hasNested = false
        defer { nested = [] }
        return nested
    }
}

// MARK: - Nested values

/// An encoding that encodes one nested value after another, with its encoder.
struct SpareEncoding: ~Copyable {
    let encoding: EncodingFrame
    /// The only reference to the `ValueEncoder` of the encoding, unless the program holds it. It has the form in which
    /// `encode(to:)` receives it, so that passing it needs no reference counting.
    private(set) var encoder: any Encoder

    init(_ encoding: EncodingFrame) {
        self.encoding = encoding
        encoder = ValueEncoder(encoding)
    }

    /// Returns whether the program has released the encoder.
    @inline(__always)
    mutating func isReturned() -> Bool { Reinterpretation.isOnlyReference(&encoder, to: ValueEncoder.self) }

    /// Takes back from the value what the program has received for it.
    ///
    /// - Returns: Whether the program has released all of it.
    @inline(__always)
    mutating func takeBack() -> Bool { encoding.takeBackContainers() && isReturned() && !encoding.isHeld }
}

extension EncodingFrame {
    /// Calls `body` with an encoder for a nested value that `prepare` describes, and returns the reference to the value.
    @inline(__always)
    func encodeInSpare(
        _ body: (any Encoder) throws -> Void, preparing prepare: (EncodingFrame) -> Void
    ) throws -> Reference {
        var taken = takeSpare()
        do {
            prepare(taken.encoding)
            try body(taken.encoder)
        } catch {
            abandon(consume taken)
            throw error
        }
        let isReturned = taken.takeBack()
        let reference = taken.encoding.write()
        if isReturned { leave(taken) } else { taken.encoding.closeHeld() }
        return reference
    }

    /// Calls `body` with the encoding of a nested value that `prepare` describes, and returns the reference to the value. The
    /// program gets no encoder of this value, only those of its parts.
    @inline(__always)
    func encodeParts(
        _ body: (EncodingFrame) throws -> Void, preparing prepare: (EncodingFrame) -> Void
    ) throws -> Reference {
        let taken = takeSpare()
        do {
            prepare(taken.encoding)
            try body(taken.encoding)
        } catch {
            abandon(consume taken)
            throw error
        }
        let reference = taken.encoding.write()
        leave(taken)
        return reference
    }

    /// Discards the value of `failed`, which failed to encode itself. If the program still holds its encoder, it is closed.
    @inline(never)
    private func abandon(_ failed: consuming SpareEncoding) {
        failed.encoding.abandonNested()
        guard failed.takeBack() else { return failed.encoding.closeHeld() }
        failed.encoding.reset()
        leave(failed)
    }
}
