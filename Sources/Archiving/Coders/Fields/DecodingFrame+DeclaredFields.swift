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
        let known = session.type(type)
        if let object = try usualInstance(known, reference, at: { pathIndex(fieldStep) }) {
            return Reinterpretation.instance(object, as: type)
        }
        return try decodeFieldInstance(type, known, reference)
    }

    func fieldInstanceIfPresent<Object: AnyObject & Decodable>(_ type: Object.Type, _ reference: Int) throws -> Object?
    {
        let known = session.type(type)
        if let object = try usualInstance(known, reference, at: { pathIndex(fieldStep) }) {
            return Reinterpretation.instance(object, as: type)
        }
        return try otherInstance(known, reference).map { Reinterpretation.instance($0, as: type) }
    }

    /// Returns the instance of the class `known` at `reference`, which is not known yet; nil if the value is nil.
    @inline(never)
    private func otherInstance(_ known: DecodingType, _ reference: Int) throws -> AnyObject? {
        let step = fieldStep
        let value = try resolve(reference, at: step)
        if try isNil(value) || isSkipped(known, value, at: step) { return nil }
        return try fieldInstance(known, value, at: step)
    }

    /// Returns the instance that is decoded for another reference, earlier or later; nil if there is none.
    func fieldConditionalInstance<Object: AnyObject & Decodable>(
        _ type: Object.Type, _ reference: Int
    ) throws -> Object? {
        let known = session.type(type)
        if let object = knownInstance(known, reference) { return Reinterpretation.instance(object, as: type) }
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
        throw ConditionalReference()
    }

    func fieldInstances<Object: AnyObject & Decodable>(_ type: Object.Type, _ reference: Int) throws -> [Object] {
        let known = session.type(type)
        let step = fieldStep
        let value = try resolveWithoutCall(reference, at: step)
        guard let elements = usualElements(of: value), !skipsUnknownObjects else {
            return try decode([Object].self, from: value, at: step)
        }
        try countFewElements(elements.count, at: step)
        if elements.count == 0 { return [] }
        return Reinterpretation.instances(try fieldInstances(known, elements, pathIndex(step)), of: type)
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
    @inline(__always)
    private func usualInstance(
        _ known: DecodingType, _ reference: Int, at path: () -> CodingPathTable.Index
    ) throws -> AnyObject? {
        guard let uid = archive.shortUID(reference), !session.hasReplacements else { return nil }
        let entry = instances.index(uid, known.identity)
        switch instances.state(entry) {
        case .inProgress: return nil
        case .complete(let object):
            session.hashed.noteEarlierInstance()
            return object
        case .unknown: return known.fields == nil ? nil : try newInstance(known, uid, entry, at: path)
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

    /// The complete instance of the class `known` that `reference` references; nil if it is not known yet.
    @inline(__always)
    private func knownInstance(_ known: DecodingType, _ reference: Int) -> AnyObject? {
        guard let uid = archive.shortUID(reference), !session.hasReplacements,
            case .complete(let object) = instances.state(uid, as: known.identity)
        else { return nil }
        session.hashed.noteEarlierInstance()
        return object
    }

    /// Returns the instance at `reference`, the element at `index` of the array at `path`.
    @inline(never)
    private func element(
        _ known: DecodingType, _ reference: Int, _ index: Int, _ path: CodingPathTable.Index
    ) throws -> AnyObject {
        let value = try undamaged(archive.value(reference), at: fieldStep)
        return try with(nil, .null, at: path) { try $0.fieldInstance(known, value, at: .index(index)) }
    }

    @inline(never)
    private func decodeFieldInstance<Object: AnyObject & Decodable>(
        _ type: Object.Type, _ known: DecodingType, _ reference: Int
    ) throws -> Object {
        let step = fieldStep
        let value = try resolve(reference, at: step)
        if isNil(value) { throw mismatch(type, .null, step) }
        return Reinterpretation.instance(try fieldInstance(known, value, at: step), as: type)
    }

    /// Returns the instance for `value`. Its declared fields may be read later.
    private func fieldInstance(_ known: DecodingType, _ value: ArchivedValue, at step: CodingPathStep) throws
        -> AnyObject
    {
        if value.uid == 0, known.kind != .coding { return try instanceWithoutUID(known, value, at: step) }
        isInFields = true
        return try instance(known, value, at: step)
    }
}

// MARK: - Fields

extension DecodingFrame {
    /// Lets the parts of the value be parts of the declared fields around it, if it is one.
    func continueFields() { if parent?.isInFields == true { isInFields = true } }

    /// Counts the entries of an object.
    @inline(never)
    func countFields(_ count: Int) throws { try undamaged(session.countWork(count), at: .root) }

    /// Returns whether the key at `reference` is the ASCII string `name`.
    func isKey(_ reference: Int, _ name: String) -> Bool { (try? archive.isASCII(reference, name)) ?? false }

    /// Returns the program's key at `reference`; nil for a key of the format.
    func fieldName(_ reference: Int) throws -> String? {
        let name = try undamaged(archive.keyDescription(archive.value(reference)), at: .root)
        return fields.isDictionary ? name : KeyMangling.userKey(name)
    }

    /// Returns the position of the field with the program's key `name`; nil if it is absent.
    func position(ofField name: String) throws -> Int? { try field(ArchiveKey(stringValue: name), nil) }

    /// Postpones the field at `position` until the other fields of all instances are set, if code of the program creates the value; until
    /// an instance is complete to which it refers; or, if it has elements to be hashed, until all fields are set. `error` says so;
    /// another one is thrown again.
    @inline(never)
    func postpone(_ field: Int, of fields: ReadFields, _ position: Int, after error: any Error) throws {
        let isProgramValue = error is ProgramValue
        let cycle = isProgramValue ? nil : CycleReference(in: error)
        guard isProgramValue || cycle != nil || error is ConditionalReference, let type = ownType, type.isClass,
            session.top != nil, case .complete = instances.state(value.uid, as: type.identity)
        else { throw error }
        if isProgramValue { return postpone(field, of: type, at: position) }
        if let cycle, !instances.isInProgress(cycle.target), cycle.target != session.unfilled.current { throw error }
        session.dismiss(error)
        let waiting = WaitingDeclaredField(
            field, at: position, in: fields, of: type, uid: value.uid, path: pathIndex(.root), session)
        guard let cycle else {
            session.awaited.conditional.append(waiting)
            return
        }
        if instances.isInProgress(cycle.target) {
            session.awaited.values.append(waiting)
            instances.wait(for: cycle.target, waiting)
        } else {
            postpone(field, of: type, at: position, isHashed: true)
        }
    }
}

extension DecodingFrame {
    /// Postpones a field of the value, an instance of the class `type`.
    ///
    /// - Parameter field: The number of the field; nil for all fields.
    func postpone(_ field: Int?, of type: DecodingType, at position: Int, isHashed: Bool = false) {
        session.unfilled.postpone(
            field, at: position, of: instances.index(value.uid, type.identity), value.uid, type, path: pathIndex(.root),
            isHashed: isHashed)
    }

    /// Throws an error that postpones the declared field around the value, which code of the program creates.
    @inline(__always)
    func postponeProgramValue() throws {
        if isInFields, session.unfilled.isPostponing { throw ProgramValue.error }
    }
}

/// A value that code of the program creates.
struct ProgramValue: Error {
    /// The error that postpones a field, allocated once.
    static let error: any Error = ProgramValue()
}

/// A conditional reference to an instance that no other reference has requested so far.
private struct ConditionalReference: Error {}

/// A declared field of an instance whose value cannot be decoded yet.
private final class WaitingDeclaredField: WaitingValue {
    private let field: Int
    private let position: Int
    private let fields: ReadFields
    private let type: DecodingType
    private let uid: UInt32
    private let path: CodingPathTable.Index
    /// The session, which owns the waiting values.
    private unowned let session: DecodingSession

    init(
        _ field: Int, at position: Int, in fields: ReadFields, of type: DecodingType, uid: UInt32,
        path: CodingPathTable.Index, _ session: DecodingSession
    ) {
        self.field = field
        self.position = position
        self.fields = fields
        self.type = type
        self.uid = uid
        self.path = path
        self.session = session
    }

    private var instance: AnyObject? {
        guard case .complete(let object) = session.instances.state(uid, as: type.identity) else { return nil }
        return object
    }

    override func finish() throws -> InstanceTable.Index? {
        guard let top = session.top, var owner = instance else { return nil }
        let (mark, values) = (session.mark, session.awaited.values.count)
        do {
            if position == ReadFields.migrated {
                try top.withDecoder(type, top.object(uid), at: path) { decoder in
                    try ValueAddress.with(&owner) { try decoder.readMigratedFieldAgain(field, of: type, $0) }
                }
            } else {
                try top.with(type, top.object(uid), at: path) { decoding in
                    try decoding.loadFields()
                    decoding.isInFields = true
                    try ValueAddress.with(&owner) { try fields.readAgain(field, at: position, $0, decoding) }
                }
            }
        } catch {
            session.leaveNothing(since: mark, after: error)
            guard let cycle = CycleReference(in: error), session.instances.isInProgress(cycle.target) else {
                throw error
            }
            session.dismiss(error)
            return cycle.target
        }
        session.keepCollections(after: values)
        if top.session.unfilled.isIncomplete { try top.fillInstances() }
        return nil
    }
}
