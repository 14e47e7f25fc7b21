// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension DecodingFrame {
    func canAwait(_ known: DecodingType, _ value: ArchivedValue) -> Bool {
        known.isClass && value.uid != 0 && session.top != nil
    }

    func object(_ uid: UInt32) throws -> ArchivedValue {
        return try undamaged(archive.object(uid), at: .root)
    }

    /// Returns the class instance for `value`, a new one if the archive can have no reference to it.
    @inline(__always)
    func decodeInstance(
        _ known: DecodingType, from value: ArchivedValue, at step: CodingPathStep
    ) throws -> AnyObject {
        if value.uid != 0 || known.kind == .coding { return try instance(known, value, at: step) }
        if known.fields == nil { try postponeProgramValue() }
        let object = try instanceWithoutUID(known, value, at: step)
        try fillIfNeeded()
        return object
    }

    /// Returns the complete instance of the object `uid` as `type`; nil if there is none, or it may have been replaced.
    @inline(__always)
    func knownInstance(_ type: any Any.Type, _ uid: UInt32) -> AnyObject? {
        guard case .complete(let object) = instances.state(uid, as: type), !instances.hasReplacements else {
            return nil
        }
        session.hashed.noteEarlierInstance()
        return object
    }

    /// Returns the class instance for `value`. The table of instances retains it.
    func instance(
        _ known: DecodingType, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> AnyObject {
        guard value.uid != 0 else { return try instanceWithoutUID(known, value, at: step) }
        let object = try foundInstance(known, value, at: step)
        if known.kind != .coding { try fillIfNeeded() }
        return object
    }

    /// Returns a new instance for `value`, to which no reference can lead.
    @inline(never)
    func instanceWithoutUID(
        _ known: DecodingType, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> AnyObject {
        if known.kind == .coding {
            try postponeProgramValue()
            session.hashed.noteEarlierInstance()
            let actual = try actualType(known, classUID: classUID(of: value, step), value, step)
            let made = try session.unarchiver.makeDetached(actual, value, .type(known.type), in: self, at: step)
            return try checked(made, known, step)
        }
        return try withDecoder(known, value, step) { try known.read($0) }
    }

    /// Reads the fields of the instances that were created without, before other code than declared fields gets a value.
    @inline(__always)
    func fillIfNeeded() throws {
        if session.unfilled.isIncomplete, !isInFields { try fillInstances() }
    }

    func newInstance(
        _ type: DecodingType, _ value: ArchivedValue, _ entry: DecodedInstanceTable.Index, classUID: UInt32?,
        as requested: DecodingType, at step: CodingPathStep
    ) throws -> AnyObject {
        try checkUnblocked(entry)
        if type.fields != nil { return try makeUnfilled(type, value, entry, at: pathIndex(step)) }
        try postponeProgramValue()
        if type.kind == .coding {
            session.hashed.noteEarlierInstance()
            let requested = requested.kind == .coding ? requested : type
            return try session.unarchiver.make(type, value, entry, .type(requested.type), in: self, at: step)
        }
        return try makeInstance(type, value, entry) { body in
            try withDecoder(type, value, step) { decoder in
                if classUID == type.plainClassUID { decoder.decoding.form = .fields }
                return try body(decoder)
            }
        } fail: { index, error in
            session.failed(index, error, type) { pathIndex(step) }
        }
    }

    func makeInstance(
        _ type: DecodingType, _ value: ArchivedValue, at path: CodingPathTable.Index
    ) throws {
        let entry = instances.index(value.uid, type.identity)
        guard !instances.isBegun(entry) else { return }
        if type.fields != nil {
            _ = try makeUnfilled(type, value, entry, at: path)
            return try fillInstances()
        }
        _ = try makeInstance(type, value, entry) { body in
            try withDecoder(type, value, at: path, body)
        } fail: { index, error in
            session.failed(index, error, type) { path }
        }
    }

    /// Creates the instance for `value` with the decoder that `withDecoder` provides.
    ///
    /// - Parameter entry: The entry of the instance, whose state is unknown.
    @inline(__always)
    private func makeInstance(
        _ type: DecodingType, _ value: ArchivedValue, _ entry: DecodedInstanceTable.Index,
        with withDecoder: ((ProgramDecoder) throws -> AnyObject) throws -> AnyObject,
        fail: (DecodedInstanceTable.Index, any Error) -> any Error
    ) throws -> AnyObject {
        try session.makeInstance(value.uid, as: type.identity, entry, by: type) { _ in
            (try withDecoder { try type.read($0) }, false)
        } fail: {
            fail($0, $1)
        } check: {
            // The finished work starts at the top of the path, but not at the top of the stack.
            try checkStack()
        }
    }
}

// MARK: - Classes

extension DecodingFrame {
    @inline(__always)
    func classUID(of value: ArchivedValue, _ step: CodingPathStep) throws -> UInt32? {
        try undamaged(archive.classUID(of: value.node), at: step)
    }

    /// Returns the record of the type that is created for `value` if the class of `requested` is requested: the class
    /// that its entry names, if that is registered and inherits from the requested one.
    @inline(__always)
    func actualType(
        _ requested: DecodingType, classUID uid: UInt32?, _ value: ArchivedValue, _ step: CodingPathStep
    ) throws -> DecodingType {
        guard let uid else {
            // The initializer of a Codable class may read other values.
            if requested.kind == .coding { throw unread(.mismatch(requested.type, value), step) }
            return requested
        }
        return try requested.matches[uid] ?? findActualType(requested, uid, value, step)
    }

    @inline(never)
    private func findActualType(
        _ requested: DecodingType, _ uid: UInt32, _ value: ArchivedValue, _ step: CodingPathStep
    ) throws -> DecodingType {
        try found(at: step) { archive throws(ValueFailure) in
            let actual = try session.record(of: value, classUID: uid, as: requested)
            actual.noteClass(uid, in: archive)
            return actual
        }
    }

    @inline(never)
    func isUnknownObject(_ requested: DecodingType, _ value: ArchivedValue, _ step: CodingPathStep) throws -> Bool {
        guard !value.isNull, let uid = try classUID(of: value, step) else { return false }
        return try found(at: step) { _ throws(ValueFailure) in try session.isUnknown(classUID: uid, as: requested) }
    }

    /// Returns `object`, requested as `requested`, after a check of its class: a replacement may have another one.
    @inline(__always)
    func checked(_ object: AnyObject, _ requested: DecodingType, _ step: CodingPathStep) throws -> AnyObject {
        if instances.hasReplacements { try checkClass(object, requested, step) }
        return object
    }

    @inline(never)
    private func checkClass(_ object: AnyObject, _ requested: DecodingType, _ step: CodingPathStep) throws {
        // Values that are archived once are boxed in instances of a private class.
        guard requested.identity is AnyClass else { return }
        let failure = session.replacementFailure(object, allowedBy: [requested.identity]) {
            session.codingPath(pathIndex(step))
        }
        if let failure { throw failure }
    }
}

// MARK: - Instances

extension DecodingFrame {
    /// Returns the instance for `value`, which has a uid and is requested as `known`. The table of instances retains it.
    func foundInstance(_ known: DecodingType, _ value: ArchivedValue, at step: CodingPathStep) throws -> AnyObject {
        let entry = instances.index(value.uid, known.identity)
        if instances.isBegun(entry) { return try begunInstance(entry, known, step) }
        let classUID = try classUID(of: value, step)
        // Without a reference to the type in the table, which is usually the known one.
        if let classUID, known.matches.isFirst(known, forClass: classUID) {
            return try checked(
                newInstance(known, value, entry, classUID: classUID, as: known, at: step), known, step)
        }
        return try otherInstance(known, value, entry, classUID, step)
    }

    /// As `foundInstance(_:_:at:)`, for an object whose class may be another one than the requested class.
    @inline(never)
    private func otherInstance(
        _ known: DecodingType, _ value: ArchivedValue, _ entry: DecodedInstanceTable.Index, _ classUID: UInt32?,
        _ step: CodingPathStep
    ) throws -> AnyObject {
        let actual = try actualType(known, classUID: classUID, value, step)
        var entry = entry
        if actual !== known {
            entry = instances.index(value.uid, actual.identity)
            if instances.isBegun(entry) { return try begunInstance(entry, known, step) }
        }
        return try checked(newInstance(actual, value, entry, classUID: classUID, as: known, at: step), known, step)
    }

    private func begunInstance(
        _ entry: DecodedInstanceTable.Index, _ known: DecodingType, _ step: CodingPathStep
    ) throws -> AnyObject {
        guard case .complete(let object) = instances.state(entry) else {
            guard let published = instances.takePublished(entry) else { throw cycle(to: entry, at: step) }
            return published
        }
        session.hashed.noteEarlierInstance()
        return try checked(object, known, step)
    }
}

// MARK: - Unknown classes

// Objects of unknown classes if `ClassRegistry.unknownClasses` is `.skip`. A caller that can omit a value tests it
// before decoding it: a caught error could come from anything inside the value.

extension DecodingFrame {
    var skipsUnknownObjects: Bool { session.settings.classes.unknownClasses == .skip }

    @inline(__always)
    func isSkipped(_ known: DecodingType, _ value: ArchivedValue, at step: CodingPathStep) throws -> Bool {
        skipsUnknownObjects ? try isUnknown(known, value, at: step) : false
    }

    @inline(never)
    func isUnknown(_ known: DecodingType, _ value: ArchivedValue, at step: CodingPathStep) throws -> Bool {
        switch known.kind {
        case .native:
            return try known.facts.native?.isUnknown(value, in: self, at: step) ?? false
        case .coding, .instance: return try !isNil(value) && isUnknownObject(known, value, step)
        case .value, .once: return false
        }
    }

    func isUnregistered(_ value: ArchivedValue, at step: CodingPathStep) throws -> Bool {
        guard !isNil(value), let uid = try classUID(of: value, step) else { return false }
        return try undamaged(session.type(ofClass: uid, named: archive.className(uid)) == nil, at: step)
    }
}

// MARK: - References

enum ReferencedInstance {
    case complete(AnyObject)
    /// It is complete when the root object is decoded.
    case awaited(AwaitedInstance)
}

extension DecodingFrame {
    @inline(never)
    func cycle(to index: DecodedInstanceTable.Index, at step: CodingPathStep) -> ArchivingError {
        ArchivingError(session.cycle(to: index, from: typeInProgress, at: pathIndex(step)))
    }

    @inline(__always)
    func checkUnblocked(_ entry: DecodedInstanceTable.Index) throws {
        if entry != 0, let cycle = session.blocked(entry) { throw ArchivingError(cycle) }
    }

    func stateOfReference(
        _ requested: DecodingType, _ value: ArchivedValue, _ step: CodingPathStep
    ) throws -> (DecodingType, DecodedInstanceTable.State) {
        let state = instances.state(value.uid, as: requested.identity)
        if case .complete(let object) = state {
            _ = try checked(object, requested, step)
            return (requested, state)
        }
        let uid = try classUID(of: value, step)
        if let uid, requested.matches.isFirst(requested, forClass: uid) { return (requested, state) }
        let type = try actualType(requested, classUID: uid, value, step)
        let actual = type === requested ? state : instances.state(value.uid, as: type.identity)
        if case .complete(let object) = actual { _ = try checked(object, requested, step) }
        return (type, actual)
    }

    /// Returns the instance of the class of `requested` for `value`, which has a uid, without recursion: in its current
    /// state, or to be decoded later.
    func awaitedInstance(
        _ requested: DecodingType, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> ReferencedInstance {
        let (type, state) = try stateOfReference(requested, value, step)
        // What it appends to the waiting work.
        session.keep(1)
        switch state {
        case .complete(let object):
            session.hashed.noteEarlierInstance()
            return .complete(object)
        case .inProgress(let index):
            if let published = instances.takePublished(index) {
                // Not the instance itself: the reference can be cleared if the decoding fails.
                return .awaited(instances.reference(to: published))
            }
            session.hashed.noteOpenReference(to: index)
            return .awaited(instances.awaited(value.uid, as: type.identity).0)
        case .unknown:
            let (instance, isNew) = instances.awaited(value.uid, as: type.identity)
            // Elements to be hashed need it soon, even if another reference already waits for it.
            if session.hashed.isHashing {
                require(type, value, at: step)
            } else if isNew {
                session.awaited.append(.awaited(type, uid: value.uid, path: pathIndex(step)))
            }
            return .awaited(instance)
        }
    }

    func requireInstance(_ requested: DecodingType, _ value: ArchivedValue, at step: CodingPathStep) throws {
        let (type, state) = try stateOfReference(requested, value, step)
        if case .unknown = state { require(type, value, at: step) }
    }

    private func require(_ type: DecodingType, _ value: ArchivedValue, at step: CodingPathStep) {
        session.awaited.append(.needed(type, uid: value.uid, path: pathIndex(step)))
    }

    /// Returns the contents of a weak reference to the instance for `value`: the existing instance, or an awaited one.
    /// An awaited instance is set if another reference requests it.
    func awaitedWeakInstance(
        _ requested: DecodingType, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> (object: AnyObject?, awaited: AwaitedWeakInstance?) {
        let (type, state) = try stateOfReference(requested, value, step)
        // An instance of a part may be deallocated and decoded again.
        if case .complete(let object) = state, session.observer == nil { return (object, nil) }
        session.keep(1)
        let instance = AwaitedWeakInstance()
        session.awaited.append(AwaitedWork.WeakRequest(awaited: instance, uid: value.uid, type: type.identity))
        return (nil, instance)
    }
}

// MARK: - Hashed elements

extension DecodingFrame {
    /// Returns the values that `body` reads, with all of their references resolved, because their hashes may depend on
    /// these.
    ///
    /// - Parameter value: The value that contains them.
    func resolved<Result>(
        _ value: ArchivedValue, at step: CodingPathStep, _ body: () throws -> Result
    ) throws -> Result {
        // Elements of an instance whose fields are being read are hashed after all fields are.
        let owner = session.unfilled.current
        if owner != 0 { throw ArchivingError(session.cycle(to: owner, at: pathIndex(step))) }
        return try session.resolved(at: { pathIndex(step) }, check: { try checkStack() }, { try filled(body) })
    }

    /// Returns the values that `body` reads, after the fields of the instances that it has requested are read: hashes may depend on
    /// these.
    private func filled<Result>(_ body: () throws -> Result) throws -> Result {
        let mark = session.unfilled.mark
        let result = try body()
        if session.unfilled.isIncomplete { try fillInstances(after: mark) }
        return result
    }

    /// Lets the elements of `collection` be looked up at the end, if their hashes may depend on values that are not set yet.
    func checkLater<Elements: FillableCollection>(_ collection: Elements, at step: CodingPathStep) {
        if session.isIncomplete { session.checkLater(at: pathIndex(step)) { collection.isFound } }
    }
}
