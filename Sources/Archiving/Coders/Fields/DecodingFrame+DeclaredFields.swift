// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Values of fields

// Each function takes the reference in the field that was found last.

extension DecodingFrame {
    private var fieldStep: CodingPathStep { step(fields.next - 1) }

    @inline(never)
    private func resolveField(_ reference: Int) throws -> ArchivedValue { try resolve(reference, at: fieldStep) }

    @inline(__always)
    func fieldLeaf<Leaf: DecodableLeaf>(_ reference: Int) throws -> Leaf {
        if let offset = archive.leafOffset(reference), let leaf = Leaf.leaf(at: offset, in: archive) { return leaf }
        return try Leaf.leaf(resolveField(reference), in: self, at: fieldStep)
    }

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
            return try resolve(reference, at: step)
        }
        return try undamaged(archive.valueWithoutLongContents(reference), at: step)
    }

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

    // MARK: Instances

    func fieldInstance<Object: AnyObject & Decodable>(_ type: Object.Type, _ reference: Int) throws -> Object {
        guard let object = try fieldInstance(session.type(type), reference, isOptional: false) else {
            throw mismatch(type, .null, fieldStep)
        }
        return Reinterpretation.instance(object, as: type)
    }

    func fieldInstanceIfPresent<Object: AnyObject & Decodable>(
        _ type: Object.Type, _ reference: Int
    ) throws -> Object? {
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
        guard isInFieldOfInstance, session.unfilled.current != 0, session.observer?.keepsInstances != true else {
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
        let value = try resolve(reference, at: step)
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

    @inline(never)
    private func fieldInstances(
        _ known: DecodingType, _ elements: ArchivedElements, _ path: CodingPathTable.Index
    ) throws -> [AnyObject] {
        try elements.instances(in: archive) { reference, index in
            let object = try usualInstance(known, reference, at: { session.path(.index(index), in: path) })
            if let object { return object }
            let value = try undamaged(archive.value(reference), at: fieldStep)
            return try with(nil, .null, at: path) { try $0.instance(known, inField: value, at: .index(index)) }
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
        _ known: DecodingType, _ uid: UInt32, _ entry: DecodedInstanceTable.Index, at path: () -> CodingPathTable.Index
    ) throws -> AnyObject? {
        let value = try undamaged(archive.object(uid), at: fieldStep)
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

    /// Returns the instance for `value`. Its declared fields may be read later.
    private func instance(
        _ known: DecodingType, inField value: ArchivedValue, at step: CodingPathStep
    ) throws -> AnyObject {
        if value.uid != 0 || known.kind == .coding { isInFields = true }
        return try instance(known, value, at: step)
    }

    /// Lets the parts of the value be parts of the declared fields around it, if it is one.
    func continueFields() { if parent?.isInFields == true { isInFields = true } }

    /// Returns the program's key at `reference`; nil for a key of the format.
    func fieldName(_ reference: Int) throws -> String? {
        let name = try undamaged(archive.keyDescription(archive.value(reference)), at: .root)
        return fields.isDictionary ? name : KeyMangling.userKey(name)
    }
}

// MARK: - New instances

extension DecodingFrame {
    /// Creates the instance of a class with declared fields for `value`. Its fields are read later.
    ///
    /// - Parameters:
    ///   - entry: The entry of the instance, whose state is unknown.
    ///   - path: The coding path of the reference.
    func makeUnfilled(
        _ type: DecodingType, _ value: ArchivedValue, _ entry: DecodedInstanceTable.Index,
        at path: CodingPathTable.Index
    ) throws -> AnyObject {
        try countVisits(1)
        session.keep(1)
        if session.observer != nil, let known = session.earlierInstance(value.uid, as: type.identity, entry) {
            return known
        }
        let object =
            session.observer == nil ? type.makeUnfilled() : formerInstance(type, value.uid) ?? type.makeUnfilled()
        let index = instances.enter(unfilled: object, value.uid, as: type.identity, entry)
        session.unfilled.append(index, value.node, type, path: path)
        if session.observer != nil { session.noteDecoded(value.uid, index) }
        return object
    }

    /// Returns the instance of an earlier state of the file for the object `uid`, whose fields have their initial values.
    private func formerInstance(_ type: DecodingType, _ uid: UInt32) -> AnyObject? {
        guard let object = session.observer?.formerInstance(uid, as: type.identity) else { return nil }
        session.noteRestoration(type.makeUnfilled(object))
        return object
    }

    /// Reads the plain fields of all instances that were created without them, and then the postponed ones, unless these are being
    /// read: then code of the program gets instances whose own postponed fields are not set yet.
    ///
    /// An error fails the whole decoding: other values may have an instance with incomplete fields.
    ///
    /// - Parameter mark: Reads the fields that were postponed since then in any case: elements are going to be hashed.
    @inline(never)
    func fillInstances(after mark: UnfilledInstances.Mark? = nil) throws {
        let unfilled = session.unfilled
        let start = session.mark
        do {
            try fillPending()
            if unfilled.isFinishing {
                if let mark { try finishFields(after: mark) }
            } else {
                try unfilled.finishing { try finishFields(after: UnfilledInstances.Mark()) }
            }
            session.keep(since: start)
        } catch {
            session.fail(error)
            throw error
        }
    }

    private func fillPending() throws {
        guard session.unfilled.hasPending else { return }
        try session.unfilled.postponing(true) {
            while session.unfilled.hasPending {
                try withDecoder(nil, .null, at: CodingPathTable.root) { decoder in
                    repeat { try decoder.fillRun() } while session.unfilled.hasPending && decoder.isReturned
                }
            }
        }
    }

    /// Reads the fields that were postponed after `mark`: first those whose values code of the program creates, then those with
    /// elements to be hashed.
    private func finishFields(after mark: UnfilledInstances.Mark) throws {
        let unfilled = session.unfilled
        while let field = unfilled.postponed.take(after: mark.postponed) ?? unfilled.hashed.take(after: mark.hashed) {
            try checkStack()
            try unfilled.postponing(false) {
                let number = field.isWhole ? nil : Int(field.number)
                try read(field) { try $0.postpone(number, at: Int(field.position), after: $1) }
            }
            try fillPending()
        }
    }

    /// Reads a postponed field of an instance that is not released. Calls `failed` with an error, which leaves nothing.
    fileprivate func read(
        _ field: PostponedFields.Field, failed: (DecodingFrame, any Error) throws -> Void
    ) throws {
        let type = session.unfilled.reader(of: field)
        guard var owner = instances.completeInstance(field.owner), let fields = type.fields else { return }
        try withDecoder(type, object(field.uid), at: field.path) { decoder in
            let decoding = decoder.decoding
            let (mark, values) = (session.mark, session.awaited.values.count)
            do {
                try ValueAddress.with(&owner) { address in
                    if field.isWhole {
                        try session.unfilled.postponing(true, of: field.owner) {
                            try decoder.readMigratedFields(of: type, address)
                        }
                    } else if field.position == DecodingFields.migrated {
                        try decoder.readMigratedFields(Int(field.number), of: type, address)
                    } else {
                        try decoding.loadFields()
                        decoding.isInFields = true
                        try fields.read(Int(field.number), at: Int(field.position), address, decoding)
                    }
                }
                session.awaited.keepLent(after: values)
            } catch {
                session.leaveNothing(since: mark, after: error)
                try failed(decoding, error)
            }
        }
    }
}

extension ProgramDecoder {
    /// Reads the fields of the next instances that have the same reader, until the program holds this decoder.
    fileprivate func fillRun() throws {
        let (decoding, unfilled) = (decoding, decoding.session.unfilled)
        let instances = decoding.instances
        guard let (number, type) = unfilled.nextReader, let fields = type.fields
        else { preconditionFailure("An instance without declared fields waits for them") }
        var isFirst = true
        while let (item, outer) = unfilled.begin(ofReader: number) {
            defer { unfilled.end(outer) }
            guard var object = instances.completeInstance(item.entry) else { continue }
            let uid = instances.entry(item.entry).uid
            let value = try item.node.map { ArchivedValue(node: $0, uid: uid, isNull: false) } ?? decoding.object(uid)
            if isFirst {
                prepare(type, value, .found(at: item.path))
                isFirst = false
            } else {
                decoding.prepareNext(value, at: item.path)
            }
            if let migrations = type.facts.migrations, try needsMigration(migrations) {
                // The steps are code of the program.
                decoding.postpone(nil, at: DecodingFields.migrated, of: type)
                continue
            }
            try ValueAddress.with(&object) { address in
                decoding.isInFields = true
                try fields.read(address, from: decoding)
            }
            if !isReturned { return }
        }
    }
}

// MARK: - Postponed fields

/// Why a declared field is read later, in an error that a value in it throws.
enum Postponement: Error {
    case isProgramValue
    /// It is a conditional reference to an instance that no other reference has requested so far.
    case isConditional

    static let programValue: any Error = isProgramValue
}

extension DecodingFrame {
    /// Throws an error that postpones the declared field around the value, which code of the program creates.
    @inline(__always)
    func postponeProgramValue() throws {
        if isInFields, session.unfilled.isPostponing { throw Postponement.programValue }
    }

    /// Postpones the field with the number `number` until the other fields of all instances are set, if code of the program creates
    /// the value; until an instance is complete to which it refers; or, if it has elements to be hashed, until all fields are set.
    /// `error` says so; another one is thrown again.
    @inline(never)
    func postpone(_ number: Int?, at position: Int, after error: any Error) throws {
        let reason = error as? Postponement
        let cycle = reason == nil ? CycleReference(in: error) : nil
        guard reason != nil || cycle != nil, let type = ownType, type.isClass, session.top != nil,
            case .complete = instances.state(value.uid, as: type.identity)
        else { throw error }
        if case .isProgramValue? = reason { return postpone(number, at: position, of: type) }
        if let cycle, !instances.isInProgress(cycle.target), cycle.target != session.unfilled.current { throw error }
        session.dismiss(error)
        let field = postponedField(number, at: position, of: type)
        if let cycle, !instances.isInProgress(cycle.target) { return session.unfilled.hashed.append(field) }
        let waiting = WaitingDeclaredField(field, session)
        if let cycle {
            session.awaited.values.append(waiting)
            instances.wait(for: cycle.target, waiting)
        } else {
            session.awaited.conditional.append(waiting)
        }
    }

    /// Postpones a field of the value, an instance of the class `type`, whose value code of the program creates.
    ///
    /// - Parameter number: The number of the field; nil for all fields.
    fileprivate func postpone(_ number: Int?, at position: Int, of type: DecodingType) {
        session.unfilled.postponed.append(postponedField(number, at: position, of: type))
    }

    private func postponedField(_ number: Int?, at position: Int, of type: DecodingType) -> PostponedFields.Field {
        PostponedFields.Field(
            owner: instances.index(value.uid, type.identity), uid: value.uid,
            reader: session.unfilled.number(of: type), path: pathIndex(.root),
            number: number.map { UInt32(truncatingIfNeeded: $0) } ?? .max, position: Int32(clamping: position))
    }
}

private final class WaitingDeclaredField: WaitingValue {
    private let field: PostponedFields.Field
    private unowned let session: DecodingSession

    init(_ field: PostponedFields.Field, _ session: DecodingSession) {
        (self.field, self.session) = (field, session)
    }

    override func finish() throws -> DecodedInstanceTable.Index? {
        guard let top = session.top else { return nil }
        var target: DecodedInstanceTable.Index?
        try top.read(field) { _, error in
            guard let cycle = CycleReference(in: error), session.instances.isInProgress(cycle.target) else {
                throw error
            }
            session.dismiss(error)
            target = cycle.target
        }
        if target == nil, session.unfilled.isIncomplete { try top.fillInstances() }
        return target
    }
}
