extension ArchiveEncoding {
    /// Encodes `value` as a part of this encoding's value and returns the reference to it.
    @inline(__always)
    func reference<Value: Encodable>(
        to value: borrowing Value, at step: CodingPathStep, inline: Bool
    ) throws -> Reference {
        try reference(to: value, type: core.type(Value.self), at: step, inline: inline)
    }

    /// Encodes `value`, whose type has the record `type`, as a part of this encoding's value and returns the reference to
    /// it.
    @inline(__always)
    func reference<Value: Encodable>(
        to value: borrowing Value, type: EncodingType, at step: CodingPathStep, inline: Bool
    ) throws -> Reference {
        guard core.hasStack(atDepth: depth) else { throw nestedTooDeep(copy value, step) }
        return try type.encoding(value, self, type, EncodingPlace(step: step, inline: inline).number)
    }

    /// Returns the reference to `object`, an instance of the class of `type` or of a subclass.
    @inline(__always)
    func reference(toInstance object: AnyObject, _ type: EncodingType, at step: CodingPathStep) throws -> Reference {
        if let known = graph.objects.uid(of: object) { return known }
        let own: AnyClass = Swift.type(of: object)
        if own != type.type, let known = try reference(toSubclassInstance: object, own, step) { return known }
        let path = pathIndex(step)
        return graph.newInstance(object, writer: type.writerNumber, path: path)
    }

    /// Returns the reference to an instance of the class `type` if that conforms to `Coding`, and its superclass does not.
    @inline(never)
    private func reference(
        toSubclassInstance object: AnyObject, _ type: AnyClass, _ step: CodingPathStep
    ) throws -> Reference? {
        guard let writer = core.codingWriter(of: type) else { return nil }
        return try core.archiver.reference(to: object, writer) { pathIndex(step) }
    }

    /// Returns the reference to an instance of a `Coding` class.
    func reference(toCoding object: any Coding, at step: CodingPathStep) throws -> Reference {
        let archiver = core.archiver
        return try archiver.reference(to: object) { pathIndex(step) }
    }

    /// Returns a conditional reference to an instance. It is decoded as nil unless a strong reference archives the
    /// instance.
    func conditionalReference<Object: AnyObject & Encodable>(
        to object: Object, at step: CodingPathStep
    ) throws -> Reference {
        let type = core.type(Object.self)
        if let writer = type.codingWriter ?? core.codingWriter(of: Swift.type(of: object)) {
            return try writer.conditionalReference(to: object, in: core.archiver) { pathIndex(step) }
        }
        return type.kind == .instance ? graph.conditionalInstance(object) : ArchiveGraph.null
    }

    @inline(never)
    private func nestedTooDeep(_ value: Any, _ step: CodingPathStep) -> EncodingError {
        CodableErrors.nestedTooDeep(value, depth: depth, path: keys(step))
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
        of objectClass: ObjectClass, at step: CodingPathStep, _ body: (ArchiveEncoding) throws -> Void
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

    /// Calls `body` to encode parts of a value, and then to set its single value.
    func encodeSingle(
        at step: CodingPathStep, inline: Bool, _ body: (ArchiveEncoding) throws -> Void
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
