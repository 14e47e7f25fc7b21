// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension EncodingFrame {
    /// Encodes `value` as a part of this encoding's value and returns the reference to it.
    @inline(__always)
    func reference<Value: Encodable>(
        to value: borrowing Value, at step: CodingPathStep, inline: Bool
    ) throws -> Reference {
        try reference(to: value, type: session.type(Value.self), at: step, inline: inline)
    }

    /// Encodes `value`, whose type has the record `type`, as a part of this encoding's value and returns the reference to
    /// it.
    @inline(__always)
    func reference<Value: Encodable>(
        to value: borrowing Value, type: EncodingType, at step: CodingPathStep, inline: Bool
    ) throws -> Reference {
        guard session.hasRoom(atDepth: depth) || session.hasRoom(forLeaf: type) else {
            throw nestedTooDeep(copy value, step)
        }
        return try type.encoding(value, self, type, EncodingPlace(step: step, inline: inline).number)
    }

    /// Returns the reference to an instance of a `Coding` class.
    func reference(toCoding object: any Coding, at step: CodingPathStep) throws -> Reference {
        try session.archiver.reference(to: object) { pathIndex(step) }
    }

    /// Returns a conditional reference to an instance. It is decoded as nil unless a strong reference archives the
    /// instance.
    func conditionalReference<Object: AnyObject & Encodable>(
        to object: Object, at step: CodingPathStep
    ) throws -> Reference {
        let type = session.type(Object.self)
        guard type.kind == .instance || type.kind == .coding else { return ArchiveGraph.null }
        return try session.conditionalReference(to: object, type) { pathIndex(step) }
    }

    @inline(never)
    func nestedTooDeep(_ value: Any, _ step: CodingPathStep) -> EncodingError {
        EncodingError.nestedTooDeep(value, depth: depth, limit: session.limits.nesting, path: keys(step))
    }

    /// Calls `body` with an encoder for a value of `type`.
    @inline(__always)
    func encode(
        _ type: EncodingType, at step: CodingPathStep, inline: Bool, _ body: (any Encoder) throws -> Void
    ) throws -> Reference {
        try encodeInSpare(body) { encoding in
            encoding.begin(type)
            encoding.hasParent = true
            encoding.step = step
            encoding.inline = inline
        }
    }

    /// Calls `body` with an encoder for the root object, which is of the type `type` and has no record.
    func reference(ofRoot type: any Any.Type, _ body: (any Encoder) throws -> Void) throws -> Reference {
        guard session.hasRoom(atDepth: depth) else { throw nestedTooDeep(type, .root) }
        return try encodeInSpare(body) { encoding in
            encoding.begin(nil, archivedType: type)
            encoding.hasParent = true
            encoding.step = .root
            encoding.inline = false
        }
    }

    /// Calls `body` with an encoder for a value of `type`, which becomes an object of its class.
    func encodeObject(
        _ type: EncodingType, at step: CodingPathStep, _ body: (any Encoder) throws -> Void
    ) throws -> Reference {
        let slot = graph.reserveSlot()
        return try encodeInSpare(body) { encoding in
            encoding.begin(type)
            encoding.hasParent = true
            encoding.step = step
            encoding.inline = true
            encoding.isObject = true
            encoding.slot = slot
        }
    }

    /// Calls `body` to add the elements of an array or a set, or the alternating keys and values of a dictionary.
    @inline(__always)
    func encodeElements(
        of objectClass: ObjectClass, at step: CodingPathStep, _ body: (EncodingFrame) throws -> Void
    ) throws -> Reference {
        try encodeParts(body) { encoding in
            encoding.begin(nil)
            encoding.hasParent = true
            encoding.step = step
            encoding.inline = false
            encoding.objectClass = objectClass
            encoding.begin(.unkeyed)
        }
    }

    /// Calls `body` with the encoding of a nested value that writes its own object, and returns the reference to it.
    @inline(__always)
    func encodeObject(
        at step: CodingPathStep, _ body: (EncodingFrame) throws -> Reference
    ) throws -> Reference {
        let taken = takeSpare()
        let encoding = taken.encoding
        encoding.hasParent = true
        encoding.step = step
        do {
            let reference = try body(encoding)
            encoding.endObject()
            leave(taken)
            return reference
        } catch {
            encoding.removeFields()
            encoding.endObject()
            leave(taken)
            throw error
        }
    }

    /// Calls `body` to encode parts of a value, and then to set its single value.
    func encodeSingle(
        at step: CodingPathStep, inline: Bool, _ body: (EncodingFrame) throws -> Void
    ) throws -> Reference {
        try encodeParts(body) { encoding in
            encoding.begin(nil)
            encoding.hasParent = true
            encoding.step = step
            encoding.inline = inline
        }
    }

    /// Calls `body` to write the contents of `instance`, which has its slot.
    @inline(__always)
    func encode(_ instance: PendingInstance, _ type: EncodingType, _ body: (any Encoder) throws -> Void) throws {
        let own: AnyClass = Swift.type(of: instance.object)
        _ = try encodeInSpare(body) { encoding in
            encoding.begin(type, archivedType: own == type.type ? nil : own)
            encoding.isObject = true
            encoding.slot = instance.slot
            encoding.inline = true
            encoding.path = instance.path
        }
    }
}

// MARK: - Instances

extension EncodingFrame {
    /// Prepares the encoding of an object that `encodeObject(at:_:)` has begun for the next value.
    @inline(__always)
    fileprivate func endObject() {
        hasParent = false
        path = CodingPathTable.root
    }

    /// Returns the reference to `object`, which is of the class with the record `type` or of a subclass.
    @inline(__always)
    func reference(
        to object: AnyObject, ofClass type: EncodingType, path: () -> CodingPathTable.Index
    ) throws -> Reference {
        if type.kind == .instance || type.kind == .coding { return try session.reference(to: object, type, path: path) }
        guard let value = object as? any Encodable else { preconditionFailure("\(type.type) is not encodable") }
        return try reference(to: value, at: .root, inline: false)
    }
}
