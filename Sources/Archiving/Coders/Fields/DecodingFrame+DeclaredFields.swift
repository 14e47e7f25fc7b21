// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The functions with which declared fields read their values. Each takes the reference in the field that was found last.

// MARK: - Values

extension DecodingFrame {
    /// The step to the field that was found last.
    private var fieldStep: CodingPathStep { step(fields.next - 1) }

    /// Returns the value in the field.
    @inline(never)
    private func resolveField(_ reference: Int) throws -> ArchivedValue { try resolve(reference, at: fieldStep) }

    /// Returns the number or string in the field.
    @inline(__always)
    func fieldLeaf<Leaf: DecodableLeaf>(_ reference: Int) throws -> Leaf {
        if let offset = archive.leafOffset(reference), let leaf = Leaf.leaf(at: offset, in: archive) { return leaf }
        return try Leaf.leaf(resolveField(reference), in: self, at: fieldStep)
    }

    /// Returns the same, or nil.
    @inline(__always)
    func fieldLeafIfPresent<Leaf: DecodableLeaf>(_ reference: Int) throws -> Leaf? {
        if let offset = archive.leafOffset(reference), let leaf = Leaf.leaf(at: offset, in: archive) { return leaf }
        let value = try resolveField(reference)
        return isNil(value) ? nil : try Leaf.leaf(value, in: self, at: fieldStep)
    }

    @usableFromInline
    func fieldValue<Value: Decodable>(_ type: Value.Type, _ reference: Int) throws -> Value {
        let step = fieldStep
        return try decode(type, session.type(type), from: resolve(reference, for: type, at: step), at: step)
    }

    func fieldValueIfPresent<Value: Decodable>(_ type: Value.Type, _ reference: Int) throws -> Value? {
        let step = fieldStep
        let value = try resolve(reference, for: type, at: step)
        let known = session.type(type)
        if try isNil(value) || isSkipped(known, value, at: step) { return nil }
        return try decode(type, known, from: value, at: step)
    }

    /// Returns the value at `reference`. The contents of a deferred value are not loaded.
    @inline(__always)
    private func resolve(_ reference: Int, for type: any Any.Type, at step: CodingPathStep) throws -> ArchivedValue {
        if archive.list.isPresent || !(type is any DeferredDecodable.Type) {
            return try resolveWithoutCall(reference, at: step)
        }
        return try undamaged(archive.valueWithoutLongContents(reference), at: step)
    }

    /// Returns the value of `type` for `rawValue`.
    @inlinable
    @inline(__always)
    func field<Value: RawRepresentable>(rawValue: Value.RawValue, as type: Value.Type = Value.self) throws -> Value {
        guard let value = Value(rawValue: rawValue) else { throw unknownRawValue(rawValue, type) }
        return value
    }

    @usableFromInline
    @inline(never)
    func unknownRawValue<RawValue>(_ rawValue: RawValue, _ type: any Any.Type) -> any Error {
        // The sentence is that of the standard library.
        let sentence = "Cannot initialize \(type) from invalid \(RawValue.self) value \(rawValue)"
        return DecodingError.invalid(path: path(fieldStep)) { _ in sentence }
    }
}

// MARK: - Class instances

extension DecodingFrame {
    func fieldInstance<Object: AnyObject & Decodable>(_ type: Object.Type, _ reference: Int) throws -> Object {
        guard let object = try fieldInstance(session.type(type), reference, isOptional: false) else {
            throw mismatch(type, .null, fieldStep)
        }
        return Reinterpretation.instance(object, as: type)
    }

    func fieldInstanceIfPresent<Object: AnyObject & Decodable>(_ type: Object.Type, _ reference: Int) throws -> Object?
    {
        let object = try fieldInstance(session.type(type), reference, isOptional: true)
        return object.map { Reinterpretation.instance($0, as: type) }
    }

    /// Returns the instance that is decoded for another reference, earlier or later; nil if there is none.
    func fieldConditionalInstance<Object: AnyObject & Decodable>(
        _ type: Object.Type, _ reference: Int
    ) throws -> Object? {
        let known = session.type(type)
        if let object = try usualInstance(known, reference, creating: false, at: { CodingPathTable.root }) {
            return Reinterpretation.instance(object, as: type)
        }
        let value = try resolveField(reference)
        if isNil(value) { return nil }
        if let object = instances.made(value.uid).first(where: { session.isSubclass($0.type, of: type) })?.object {
            return Reinterpretation.instance(try checked(object, known, fieldStep), as: type)
        }
        if session.awaited.isEnding { return nil }
        // The reference decodes the instance without an owner that could get it later, and in a document, which keeps the instance
        // alive: a save must not take an instance that is not loaded for nil.
        guard isInFieldOfInstance, session.unfilled.current != 0, session.open?.keepsInstances != true else {
            return try fieldInstanceIfPresent(type, reference)
        }
        throw Postponement.isConditional
    }

    func fieldInstances<Object: AnyObject & Decodable>(_ type: Object.Type, _ reference: Int) throws -> [Object] {
        let step = fieldStep
        if archive.isKnownEmptyArray(reference) {
            try countFewElements(0, at: step)
            return []
        }
        let value = try resolveWithoutCall(reference, at: step)
        guard let elements = usualElements(of: value), !skipsUnknownObjects else {
            return try decode([Object].self, from: value, at: step)
        }
        try countFewElements(elements.count, at: step)
        if elements.count == 0 {
            archive.noteEmpty(value, reference)
            return []
        }
        return Reinterpretation.instances(try fieldInstances(session.type(type), elements, pathIndex(step)), of: type)
    }

    /// Returns the instances of the class `known` in `elements`, of the array at `path`.
    @inline(never)
    private func fieldInstances(
        _ known: DecodingType, _ elements: ArchivedElements, _ path: CodingPathTable.Index
    ) throws -> [AnyObject] {
        try elements.instances(in: archive) { reference, index in
            try usualInstance(known, reference, at: { session.path(.index(index), in: path) })
                ?? element(known, reference, index, path)
        }
    }

    /// Returns the instance of the class `known` that `reference` references in the usual cases: it is complete, or it is new, and the
    /// class has declared fields. Returns nil in all others.
    ///
    /// - Parameters:
    ///   - isCreating: Whether the reference creates an instance.
    ///   - path: The coding path of the reference.
    @inline(__always)
    private func usualInstance(
        _ known: DecodingType, _ reference: Int, creating isCreating: Bool = true, at path: () -> CodingPathTable.Index
    ) throws -> AnyObject? {
        guard let uid = archive.shortUID(reference), !instances.hasReplacements else { return nil }
        let entry = instances.index(uid, known.identity)
        switch instances.state(entry) {
        case .inProgress: return nil
        case .complete(let object):
            session.hashed.noteEarlierInstance()
            return object
        case .unknown:
            return isCreating && known.fields != nil ? try newInstance(known, uid, entry, at: path) : nil
        }
    }

    /// Returns the new instance of the object `uid` if that is of the class `known`, which has declared fields; nil otherwise.
    @inline(never)
    private func newInstance(
        _ known: DecodingType, _ uid: UInt32, _ entry: InstanceTable.Index, at path: () -> CodingPathTable.Index
    ) throws -> AnyObject? {
        let value = try undamaged(archive.objectWithoutCall(uid), at: fieldStep)
        guard let classUID = try classUID(of: value, fieldStep), known.matches.isFirst(known, forClass: classUID) else {
            return nil
        }
        return try makeUnfilled(known, value, entry, at: path())
    }

    /// Returns the instance of the class `known` in the field; nil if the value is nil, or of an unknown class that is skipped.
    @inline(__always)
    private func fieldInstance(_ known: DecodingType, _ reference: Int, isOptional: Bool) throws -> AnyObject? {
        try usualInstance(known, reference, at: { pathIndex(fieldStep) }) ?? otherInstance(known, reference, isOptional)
    }

    @inline(never)
    private func otherInstance(_ known: DecodingType, _ reference: Int, _ isOptional: Bool) throws -> AnyObject? {
        let step = fieldStep
        let value = try resolve(reference, at: step)
        if try isNil(value) || isOptional && isSkipped(known, value, at: step) { return nil }
        return try instance(known, inField: value, at: step)
    }

    /// Returns the instance at `reference`, the element at `index` of the array at `path`.
    @inline(never)
    private func element(
        _ known: DecodingType, _ reference: Int, _ index: Int, _ path: CodingPathTable.Index
    ) throws -> AnyObject {
        let value = try undamaged(archive.value(reference), at: fieldStep)
        return try with(nil, .null, at: path) { try $0.instance(known, inField: value, at: .index(index)) }
    }

    /// Returns the instance for `value`. Its declared fields may be read later.
    private func instance(
        _ known: DecodingType, inField value: ArchivedValue, at step: CodingPathStep
    ) throws -> AnyObject {
        if value.uid != 0 || known.kind == .coding { isInFields = true }
        return try instance(known, value, at: step)
    }
}

// MARK: - Keys

extension DecodingFrame {
    /// Lets the parts of the value be parts of the declared fields around it, if it is one.
    func continueFields() { if parent?.isInFields == true { isInFields = true } }

    /// Returns the program's key at `reference`; nil for a key of the format.
    func fieldName(_ reference: Int) throws -> String? {
        let name = try undamaged(archive.keyDescription(archive.value(reference)), at: .root)
        return fields.isDictionary ? name : KeyMangling.userKey(name)
    }
}
