// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Decodes class instances. Each is created once.
extension DecodingFrame {
    var typeInProgress: (any Any.Type)? { ownType?.type }

    /// Returns whether a reference to `value`, requested as `known`, can be resolved later.
    func canAwait(_ known: DecodingType, _ value: ArchivedValue) -> Bool {
        known.isClass && value.uid != 0 && session.top != nil
    }

    /// Returns the object `uid`, which was found in the archive before.
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
            return try session.unarchiver.instance(known, value, at: .path(pathIndex(step)))
        }
        return try withDecoder(known, value, step) { try known.read($0) }
    }

    /// Reads the fields of the instances that were created without, before other code than declared fields gets a value.
    @inline(__always)
    func fillIfNeeded() throws {
        if session.unfilled.isIncomplete, !isInFields { try fillInstances() }
    }

    func newInstance(
        _ type: DecodingType, _ value: ArchivedValue, _ entry: InstanceTable.Index, classUID: UInt32?,
        as requested: DecodingType, at step: CodingPathStep
    ) throws -> AnyObject {
        try checkUnblocked(entry)
        if type.fields != nil { return try makeUnfilled(type, value, entry, at: pathIndex(step)) }
        try postponeProgramValue()
        if type.kind == .coding {
            return try session.unarchiver.newInstance(
                type, value, entry, classUID: classUID, as: requested.kind == .coding ? requested : type,
                at: .path(pathIndex(step)))
        }
        return try makeInstance(type, value, entry) { body in
            try withDecoder(type, value, step) { decoder in
                decoder.decoding.hasFields = classUID == type.plainClassUID
                return try body(decoder)
            }
        } fail: { index, error in
            session.failed(index, error, type) { pathIndex(step) }
        }
    }

    /// Creates the instance for `value`, which a reference at `path` needs. `type` is its actual type.
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
        _ type: DecodingType, _ value: ArchivedValue, _ entry: InstanceTable.Index,
        with withDecoder: ((ProgramDecoder) throws -> AnyObject) throws -> AnyObject,
        fail: (InstanceTable.Index, any Error) -> any Error
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
