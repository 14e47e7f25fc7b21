// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Decodes instances of `Coding` classes, each of them once.
extension KeyedUnarchiver {
    /// The record of a class.
    @inline(__always)
    func record<Object: Coding>(_ type: Object.Type) -> DecodingType { session.type(coding: type) }

    /// Returns the instance of the class `requested`, or of a class that inherits from it, for `value`. The table of instances
    /// retains it.
    ///
    /// - Parameter place: The place of the value.
    @inline(__always)
    func instance(_ requested: DecodingType, _ value: ArchivedValue, at place: ValuePlace) throws -> AnyObject {
        if value.uid != 0, let known = knownInstance(requested.identity, value.uid) { return known }
        return try otherInstance(requested, value, place)
    }

    /// The instance of the class `requested` that `reference` references.
    @inline(__always)
    func instance(
        _ requested: DecodingType, _ reference: Int, at place: ValuePlace
    ) throws -> AnyObject {
        let uid = archive.shortUID(reference)
        if let uid, let known = knownInstance(requested.identity, uid) { return known }
        return try otherInstance(requested, value(reference, uid, place), place)
    }

    /// The instance of the class `requested` that `reference` references; nil if the value is nil or is skipped.
    @inline(__always)
    func instanceIfPresent(
        _ requested: DecodingType, _ reference: Int, at place: ValuePlace
    ) throws -> AnyObject? {
        let uid = archive.shortUID(reference)
        if let uid, let known = knownInstance(requested.identity, uid) { return known }
        let value = try value(reference, uid, place)
        if value.isNull { return nil }
        if session.settings.classes.unknownClasses == .skip, try isUnknownObject(requested, value, place) {
            return nil
        }
        return try otherInstance(requested, value, place)
    }

    /// The value that `reference` refers to: by `uid`, if that is known.
    @inline(__always)
    private func value(
        _ reference: Int, _ uid: UInt32?, _ place: ValuePlace
    ) throws -> ArchivedValue {
        do throws(KeyedArchiveError) {
            guard let uid else { return try archive.value(reference) }
            return try archive.objectWithoutCall(uid)
        } catch {
            throw unread(.damaged(error), pathIndex(place))
        }
    }

    /// The complete instance of the object `uid` as `type`; nil if there is none, or it may have been replaced.
    @inline(__always)
    func knownInstance(_ type: any Any.Type, _ uid: UInt32) -> AnyObject? {
        guard case .complete(let object) = instances.state(uid, as: type),
            !session.hasReplacements
        else { return nil }
        session.hashed.noteEarlierInstance()
        return object
    }

    /// As `instance(_:_:at:)`, for an instance that is not known to be complete.
    @inline(never)
    private func otherInstance(
        _ requested: DecodingType, _ value: ArchivedValue, _ place: ValuePlace
    ) throws -> AnyObject {
        if value.uid != 0 { return try foundInstance(requested, value, at: place) }
        session.hashed.noteEarlierInstance()
        let actual = try actualType(requested, classUID: classUID(of: value, place), value, place)
        let made = try detachedInstance(actual, value, .type(requested.type), at: pathIndex(place))
        return try checked(made, requested, place)
    }

    func newInstance(
        _ type: DecodingType, _ value: ArchivedValue, _ entry: InstanceTable.Index, classUID: UInt32?,
        as requested: DecodingType, at place: ValuePlace
    ) throws -> AnyObject {
        session.hashed.noteEarlierInstance()
        try checkUnblocked(entry)
        return try make(type, value, entry, .type(requested.type), at: pathIndex(place))
    }

    /// The instance of `value`, an object of the class of `actual`. It may be a replacement.
    func instance(
        as actual: DecodingType, _ value: ArchivedValue, _ allowed: AllowedTypes, _ place: ValuePlace
    ) throws -> AnyObject {
        guard value.uid != 0 else { return try detachedInstance(actual, value, allowed, at: pathIndex(place)) }
        switch instances.state(value.uid, as: actual.identity) {
        case .complete(let object): return object
        case .inProgress(let index):
            if let published = instances.takePublished(index) { return published }
            throw cycle(to: index, at: place)
        case .unknown(let entry):
            try checkUnblocked(entry)
            return try make(actual, value, entry, allowed, at: pathIndex(place))
        }
    }

    /// The instance of `value`, which has no uid: a new one each time.
    @inline(never)
    private func detachedInstance(
        _ actual: DecodingType, _ value: ArchivedValue, _ allowed: AllowedTypes,
        at path: CodingPathTable.Index
    ) throws -> AnyObject {
        let mark = session.mark
        let made = try read(actual, value, allowed, at: path)
        // It stays until the decoding ends.
        session.keep(since: mark)
        let (instance, own) = (actual.instance(made), try actual.awakened(made, self))
        let object = hasDelegate ? replacement(for: instance, own ?? instance) : own ?? instance
        if !session.isSubclass(type(of: object), of: actual.type) {
            session.hasReplacements = true
        }
        detached.append(object)
        return object
    }

    /// Decodes the object `uid` for a reference at `path`. `type` is known to be right.
    func make(_ type: DecodingType, _ uid: UInt32, at path: CodingPathTable.Index) throws {
        guard case .unknown(let entry) = instances.state(uid, as: type.identity) else { return }
        let value = try undamaged(archive.object(uid), at: path)
        _ = try make(type, value, entry, .type(type.type), at: path)
    }

    /// Decodes the instance of `value` and enters it in the table.
    ///
    /// - Parameter entry: The index from the `unknown` state of the instance.
    private func make(
        _ type: DecodingType, _ value: ArchivedValue, _ entry: InstanceTable.Index,
        _ allowed: AllowedTypes, at path: CodingPathTable.Index
    ) throws -> AnyObject {
        try session.makeInstance(value.uid, as: type.identity, entry, by: type) { index in
            let made = try read(type, value, allowed, at: path)
            guard let other = try replacement(for: made, type, index, at: path) else { return (made, false) }
            return (other, true)
        } fail: { index, error in
            session.failed(index, error, type) { path }
        } check: {
            guard hasRoom() else { throw nestedTooDeep(path) }
        }
    }

    /// The replacement of the new instance `made`; nil if it is not replaced.
    ///
    /// - Throws: An error from `awakeAfter(using:)`, or one that says that the instance can no longer be replaced.
    @inline(__always)
    private func replacement(
        for made: AnyObject, _ type: DecodingType, _ index: InstanceTable.Index, at path: CodingPathTable.Index
    ) throws -> (any Coding)? {
        let own = try type.awakened(made, self)
        if own == nil, !hasDelegate { return nil }
        return try replacement(for: made, own, type, index, at: path)
    }

    /// The replacement of the instance `made`, which proposes `own`, after the delegate; nil if it is not replaced.
    @inline(never)
    private func replacement(
        for made: AnyObject, _ own: (any Coding)?, _ type: DecodingType,
        _ index: InstanceTable.Index, at path: CodingPathTable.Index
    ) throws -> (any Coding)? {
        let instance = type.instance(made)
        let object = hasDelegate ? replacement(for: instance, own ?? instance) : own ?? instance
        guard object !== instance else { return nil }
        let isSubclass = session.isSubclass(Swift.type(of: object), of: type.type)
        let mayReplace =
            !instances.isHandedOut(index)
            && (isSubclass || !instances.isAwaited(index))
        guard mayReplace else {
            throw ArchivingError.replaced(type.type, by: Swift.type(of: object), path: keys(path))
        }
        if !isSubclass { session.hasReplacements = true }
        return object
    }

    /// The delegate's replacement of `object`, which proposes `own`.
    @inline(never)
    private func replacement(for object: any Coding, _ own: any Coding) -> any Coding {
        guard let delegate else { return own }
        if own !== object { delegate.unarchiver(self, willReplace: object, with: own) }
        let result = delegate.unarchiver(self, didDecode: own) ?? own
        if result !== own { delegate.unarchiver(self, willReplace: own, with: result) }
        return result
    }

    /// Creates a new instance of `type` from `value`.
    func read(
        _ type: DecodingType, _ value: ArchivedValue, _ allowed: AllowedTypes,
        at path: CodingPathTable.Index
    ) throws -> AnyObject {
        if requiresSecureCoding, !type.facts.isSecure {
            throw ArchivingError.notSecure(reading: type.type, path: keys(path))
        }
        guard hasRoom() else { throw nestedTooDeep(path) }
        try visit(1, at: path)
        let object = UnarchivedObject(value, archive, path: path, type: type.type, allowed: allowed)
        return try with(object) {
            let made = try type.read(self)
            if session.requests != nil { try recordRequests(type.type) }
            return made
        }
    }

    /// Runs `body` to decode the fields of `object`.
    @inline(__always)
    func with<Result>(_ object: UnarchivedObject, _ body: () throws -> Result) rethrows -> Result {
        let outer = current
        current = object
        depth += 1
        defer {
            current = outer
            depth -= 1
        }
        return try body()
    }

    /// Returns whether the limits and the stack allow one more level.
    @inline(__always)
    func hasRoom() -> Bool {
        depth < session.settings.limits.nesting
            && (depth < StackGuard.freeDepth / 2 || session.hasStack())
    }

    @inline(never)
    func nestedTooDeep(_ path: CodingPathTable.Index) -> ArchivingError {
        .nestedTooDeep(
            limit: session.settings.limits.nesting, depth: depth, path: keys(path),
            advice: ", or decode the links of the chain with decode(Reference.self, forKey:)")
    }

    /// Counts objects before they are decoded.
    @inline(__always)
    func visit(_ count: Int, at path: @autoclosure () -> CodingPathTable.Index) throws {
        try undamaged(session.visit(count), at: path())
    }
}

// MARK: - Errors

extension KeyedUnarchiver {
    /// Returns the result of `read`, an expression that reads the archive, with its error converted to an
    /// `ArchivingError`.
    @inline(__always)
    func undamaged<Result>(
        _ read: @autoclosure () throws(KeyedArchiveError) -> Result, at path: @autoclosure () -> CodingPathTable.Index
    ) throws -> Result {
        do throws(KeyedArchiveError) { return try read() } catch { throw unread(.damaged(error), path()) }
    }

    /// Returns the error of a value at `path` that cannot be decoded as requested. Functions that create errors are out
    /// of line: inlined, they would enlarge the stack frames of nested decoding.
    @inline(never)
    func unread(_ failure: ValueFailure, _ path: CodingPathTable.Index) -> ArchivingError {
        .value(failure, in: session, path: keys(path))
    }

    /// The coding path of an entry in the table of paths, for the user.
    func keys(_ path: CodingPathTable.Index) -> [any CodingKey] { session.codingPath(path) }
}
