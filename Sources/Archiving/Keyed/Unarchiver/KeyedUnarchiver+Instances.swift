/// Decodes instances of `Coding` classes, each of them once.
extension KeyedUnarchiver {
    /// The record of a class.
    @inline(__always)
    func record<Object: Coding>(_ type: Object.Type) -> UnsafeMutablePointer<UnarchivedType> {
        let key = PointerTable<UnarchivedType>.key(type)
        if let known = state.pointee.types.find(key) { return known }
        return makeRecord(type, key)
    }

    @inline(never)
    private func makeRecord<Object: Coding>(
        _ type: Object.Type, _ key: UnsafeRawPointer
    ) -> UnsafeMutablePointer<UnarchivedType> {
        let reader = CodingReading<Object>(self, identity: key)
        keep(reader)
        let record = UnarchivedType(
            type: type, identity: key, isSecure: type.supportsSecureCoding, reader: .passUnretained(reader))
        let shared = shared
        let made = state.pointee.types.insert(key, record, in: &shared.pointee.arena)
        reader.type = made
        return made
    }

    /// The reader of `type`, for references that wait.
    func reader(_ type: any Coding.Type) -> Unmanaged<InstanceReader> {
        record(type).pointee.reader._withUnsafeGuaranteedRef { .passUnretained($0) }
    }

    /// Returns the instance of the class `type`, or of a class that inherits from it, for `value`. The table of
    /// instances retains it.
    func instance(
        _ type: any Coding.Type, _ value: ArchivedValue, at path: CodingPathTable.Index
    ) throws -> UnsafeRawPointer {
        try instance(record(type), value, allowed: .type(type)) { path }
    }

    /// Returns the instance of a class for `value`. The table of instances retains it.
    ///
    /// - Parameters:
    ///   - requested: The requested class.
    ///   - allowed: The types that calls inside without a type may create.
    ///   - path: The coding path of the value.
    @inline(__always)
    func instance(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, allowed: AllowedTypes,
        path: () -> CodingPathTable.Index
    ) throws -> UnsafeRawPointer {
        if value.uid != 0, let known = knownInstance(requested, value.uid) { return known }
        return try otherInstance(requested, value, allowed, path)
    }

    /// The instance of the class `requested` that `reference` references.
    @inline(__always)
    func instance(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ reference: Int, path: () -> CodingPathTable.Index
    ) throws -> AnyObject {
        let uid = archive.shortUID(reference)
        if let uid, let known = knownInstance(requested, uid) {
            return Unmanaged<AnyObject>.fromOpaque(known).takeUnretainedValue()
        }
        let value = try value(reference, uid, path)
        let object = try otherInstance(requested, value, .type(requested.pointee.type), path)
        return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    }

    /// The instance of the class `requested` that `reference` references; nil if the value is nil or is skipped.
    @inline(__always)
    func instanceIfPresent(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ reference: Int, path: () -> CodingPathTable.Index
    ) throws -> AnyObject? {
        let uid = archive.shortUID(reference)
        if let uid, let known = knownInstance(requested, uid) {
            return Unmanaged<AnyObject>.fromOpaque(known).takeUnretainedValue()
        }
        let value = try value(reference, uid, path)
        if value.isNull { return nil }
        if shared.pointee.settings.classes.unknownClasses == .skip, try isUnknown(requested, value, path: path) {
            return nil
        }
        let object = try otherInstance(requested, value, .type(requested.pointee.type), path)
        return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    }

    /// The value that `reference` refers to: by `uid`, if that is known.
    @inline(__always)
    private func value(
        _ reference: Int, _ uid: UInt32?, _ path: () -> CodingPathTable.Index
    ) throws -> ArchivedValue {
        do throws(KeyedArchiveError) {
            guard let uid else { return try archive.value(reference) }
            return try archive.object(uid)
        } catch {
            throw damaged(error, path())
        }
    }

    /// The complete instance of the object `uid` as `requested`; nil if there is none, or it may have been replaced.
    @inline(__always)
    func knownInstance(_ requested: UnsafeMutablePointer<UnarchivedType>, _ uid: UInt32) -> UnsafeRawPointer? {
        guard case .complete(let object) = shared.pointee.instances.state(uid, as: requested.pointee.identity),
            !shared.pointee.hasReplacements
        else { return nil }
        shared.pointee.hashed.noteEarlierInstance()
        return object
    }

    /// As `instance(_:_:allowed:path:)`, for an instance that is not known to be complete.
    @inline(never)
    private func otherInstance(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, _ allowed: AllowedTypes,
        _ path: () -> CodingPathTable.Index
    ) throws -> UnsafeRawPointer {
        shared.pointee.hashed.noteEarlierInstance()
        if shared.pointee.hasReplacements, value.uid != 0,
            case .complete(let object) = shared.pointee.instances.state(value.uid, as: requested.pointee.identity)
        {
            return try checked(object, requested, value, path)
        }
        let object = try instance(as: actualType(requested, value, path), value, allowed, path)
        return try checked(object, requested, value, path)
    }

    /// The instance of `value`, an object of the class of `actual`. It may be a replacement.
    func instance(
        as actual: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, _ allowed: AllowedTypes,
        _ path: () -> CodingPathTable.Index
    ) throws -> UnsafeRawPointer {
        guard value.uid != 0 else { return try detachedInstance(actual, value, allowed, at: path()) }
        switch shared.pointee.instances.state(value.uid, as: actual.pointee.identity) {
        case .complete(let object): return object
        case .inProgress(let index):
            if let published = shared.pointee.instances.takePublished(index) { return published }
            throw cycle(to: index, path())
        case .unknown(let entry):
            if entry != 0, let error = blocked(entry) { throw error }
            return try make(actual, value, entry, allowed, at: path())
        }
    }

    /// The instance of `value`, which has no uid: a new one each time.
    @inline(never)
    private func detachedInstance(
        _ actual: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, _ allowed: AllowedTypes,
        at path: CodingPathTable.Index
    ) throws -> UnsafeRawPointer {
        let made = try read(actual, value, allowed, at: path)
        defer { Unmanaged<AnyObject>.fromOpaque(made).release() }
        let (instance, own) = try actual.pointee.reader._withUnsafeGuaranteedRef {
            ($0.instance(made), try $0.awakened(made))
        }
        let object = hasDelegate ? replacement(for: instance, own ?? instance) : own ?? instance
        if !shared.pointee.isSubclass(type(of: object), of: actual.pointee.type) {
            shared.pointee.hasReplacements = true
        }
        state.pointee.detached.append(object)
        return UnsafeRawPointer(Unmanaged.passUnretained(object as AnyObject).toOpaque())
    }

    @inline(never)
    private func cycle(to index: InstanceTable.Index, _ path: CodingPathTable.Index) -> UnarchivingError {
        .cycle(shared.pointee.cycle(to: index, at: path))
    }

    @inline(never)
    private func blocked(_ entry: InstanceTable.Index) -> UnarchivingError? {
        shared.pointee.blocked(entry).map { .cycle($0) }
    }

    /// Returns `object`, which was requested as `requested`, after a check of its class if instances may have been
    /// replaced.
    @inline(__always)
    func checked(
        _ object: UnsafeRawPointer, _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue,
        _ path: () -> CodingPathTable.Index
    ) throws -> UnsafeRawPointer {
        if shared.pointee.hasReplacements { try checkClass(object, requested, path) }
        return object
    }

    @inline(never)
    private func checkClass(
        _ object: UnsafeRawPointer, _ requested: UnsafeMutablePointer<UnarchivedType>,
        _ path: () -> CodingPathTable.Index
    ) throws {
        let type: any AnyObject.Type = Swift.type(of: Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue())
        guard shared.pointee.isSubclass(type, of: requested.pointee.type) else {
            throw UnarchivingError.notAllowed(
                "an instance of \(type)", allowed: [requested.pointee.type], path: keys(path()))
        }
    }

    /// Decodes the object `uid` for a reference at `path`. `type` is known to be right.
    func make(_ type: UnsafeMutablePointer<UnarchivedType>, _ uid: UInt32, at path: CodingPathTable.Index) throws {
        guard case .unknown(let entry) = shared.pointee.instances.state(uid, as: type.pointee.identity) else { return }
        let value = try contents(at: path) { contents throws(KeyedArchiveError) in try contents.object(uid) }
        _ = try make(type, value, entry, .type(type.pointee.type), at: path)
    }

    /// Decodes the instance of `value` and enters it in the table.
    ///
    /// - Parameter entry: The index from the `unknown` state of the instance.
    private func make(
        _ type: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, _ entry: InstanceTable.Index,
        _ allowed: AllowedTypes, at path: CodingPathTable.Index
    ) throws -> UnsafeRawPointer {
        let reader = type.pointee.reader._withUnsafeGuaranteedRef { Unmanaged<InstanceReader>.passUnretained($0) }
        return try shared.makeInstance(value.uid, as: type.pointee.identity, entry, by: reader) {
            path
        } read: { index in
            let made = try read(type, value, allowed, at: path)
            guard let other = try replacement(for: made, type, index, at: path) else { return (made, false) }
            Unmanaged<AnyObject>.fromOpaque(made).release()
            return (UnsafeRawPointer(Unmanaged.passRetained(other as AnyObject).toOpaque()), true)
        } check: {
            guard hasRoom() else { throw nestedTooDeep(path) }
        }
    }

    /// The replacement of the new instance at `made`; nil if it is not replaced.
    ///
    /// - Throws: An error from `awakeAfter(using:)`, or one that says that the instance can no longer be replaced. The
    ///   instance is released in both cases.
    @inline(__always)
    private func replacement(
        for made: UnsafeRawPointer, _ type: UnsafeMutablePointer<UnarchivedType>, _ index: InstanceTable.Index,
        at path: CodingPathTable.Index
    ) throws -> (any Coding)? {
        do {
            let own = try type.pointee.reader._withUnsafeGuaranteedRef { try $0.awakened(made) }
            if own == nil, !hasDelegate { return nil }
            return try replacement(for: made, own, type, index, at: path)
        } catch {
            Unmanaged<AnyObject>.fromOpaque(made).release()
            throw error
        }
    }

    /// The replacement of the instance at `made`, which proposes `own`, after the delegate; nil if it is not replaced.
    @inline(never)
    private func replacement(
        for made: UnsafeRawPointer, _ own: (any Coding)?, _ type: UnsafeMutablePointer<UnarchivedType>,
        _ index: InstanceTable.Index, at path: CodingPathTable.Index
    ) throws -> (any Coding)? {
        let instance = type.pointee.reader._withUnsafeGuaranteedRef { $0.instance(made) }
        let object = hasDelegate ? replacement(for: instance, own ?? instance) : own ?? instance
        guard object !== instance else { return nil }
        let isSubclass = shared.pointee.isSubclass(Swift.type(of: object), of: type.pointee.type)
        let mayReplace =
            !shared.pointee.instances.isHandedOut(index)
            && (isSubclass || !shared.pointee.instances.isAwaited(index))
        guard mayReplace else { throw replaced(type, object, path) }
        if !isSubclass { shared.pointee.hasReplacements = true }
        return object
    }

    @inline(never)
    private func replaced(
        _ type: UnsafeMutablePointer<UnarchivedType>, _ object: any Coding, _ path: CodingPathTable.Index
    ) -> UnarchivingError {
        .replaced(type.pointee.type, by: Swift.type(of: object), path: keys(path))
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

    /// Creates a new instance of `type`, which the caller owns, from `value`.
    func read(
        _ type: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, _ allowed: AllowedTypes,
        at path: CodingPathTable.Index
    ) throws -> UnsafeRawPointer {
        if requiresSecureCoding, !type.pointee.isSecure { throw notSecure(type, path) }
        guard hasRoom() else { throw nestedTooDeep(path) }
        try visit(1, at: path)
        var object = UnarchivedObject(
            value, archive, path: path, type: type.pointee.type, allowed: allowed)
        return try with(&object) { try type.pointee.reader._withUnsafeGuaranteedRef { try $0.read() } }
    }

    /// Runs `body` to decode the fields of `object`, which is not copied. The outer object is saved by its address.
    @inline(__always)
    func with<Result>(_ object: inout UnarchivedObject, _ body: () throws -> Result) rethrows -> Result {
        let state = state
        return try withUnsafeMutablePointer(to: &object) { object in
            let outer = state.pointee.object
            state.pointee.object = object
            state.pointee.depth += 1
            defer {
                state.pointee.object = outer
                state.pointee.depth -= 1
            }
            return try body()
        }
    }

    /// Returns whether the limits and the stack allow one more level.
    @inline(__always)
    func hasRoom() -> Bool {
        let depth = state.pointee.depth
        return depth < shared.pointee.settings.limits.nesting
            && (depth < StackGuard.freeDepth / 2 || shared.pointee.stack.hasRoom())
    }

    @inline(never)
    private func notSecure(
        _ type: UnsafeMutablePointer<UnarchivedType>, _ path: CodingPathTable.Index
    ) -> UnarchivingError {
        .notSecure(type.pointee.type, path: keys(path))
    }

    @inline(never)
    func nestedTooDeep(_ path: CodingPathTable.Index) -> UnarchivingError {
        UnarchivingError(
            .limit, path: keys(path),
            UnarchivingError.nestedTooDeepSentence(
                limit: shared.pointee.settings.limits.nesting, depth: state.pointee.depth)
                + ", or decode the links of the chain with decode(Reference.self, forKey:)")
    }

    /// Counts objects before they are decoded.
    @inline(__always)
    func visit(_ count: Int, at path: @autoclosure () -> CodingPathTable.Index) throws {
        do throws(KeyedArchiveError) {
            try shared.pointee.visit(count)
        } catch {
            throw damaged(error, path())
        }
    }
}

// MARK: - Errors

extension KeyedUnarchiver {
    /// Returns the result of `read` for the archive.
    @inline(__always)
    func contents<Result>(
        at path: @autoclosure () -> CodingPathTable.Index,
        _ read: (ArchiveContents) throws(KeyedArchiveError) -> Result
    ) throws -> Result {
        do throws(KeyedArchiveError) {
            return try read(archive)
        } catch {
            throw damaged(error, path())
        }
    }

    /// The error of an archive that is damaged at `path`. Functions that create errors are out of line: inlined, they
    /// would enlarge the stack frames of nested decoding.
    @inline(never)
    func damaged(_ error: KeyedArchiveError, _ path: CodingPathTable.Index) -> UnarchivingError {
        .damaged(error, path: keys(path))
    }

    /// The coding path of an entry in the table of paths, for the user.
    func keys(_ path: CodingPathTable.Index) -> [any CodingKey] {
        shared.keys(shared.pointee.paths.steps(to: path))
    }
}
