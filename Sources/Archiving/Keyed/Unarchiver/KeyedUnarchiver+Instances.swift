/// Instances of `Coding` classes out of archived values: each is made once.
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

    /// What makes instances of `type` for references that wait.
    func reader(_ type: any Coding.Type) -> Unmanaged<InstanceReader> {
        record(type).pointee.reader._withUnsafeGuaranteedRef { .passUnretained($0) }
    }

    /// The instance of the class `type`, or of one that inherits from it, that `value` is. The table of instances retains
    /// it.
    func instance(
        _ type: any Coding.Type, _ value: ArchivedValue, at path: CodingPathTable.Index
    ) throws -> UnsafeRawPointer {
        try instance(record(type), value, allowed: .type(type)) { path }
    }

    /// The instance of a class that `value` is, which the table of instances retains.
    ///
    /// - Parameters:
    ///   - requested: The class that is asked for.
    ///   - allowed: What may be created inside where nobody says it.
    ///   - path: Where it is met.
    @inline(__always)
    func instance(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, allowed: AllowedTypes,
        path: () -> CodingPathTable.Index
    ) throws -> UnsafeRawPointer {
        if value.uid != 0, let known = knownInstance(requested, value.uid) { return known }
        return try otherInstance(requested, value, allowed, path)
    }

    /// The instance of the class `requested` that `reference` leads to.
    @inline(__always)
    func instance(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ reference: Int, path: () -> CodingPathTable.Index
    ) throws -> AnyObject {
        let uid = shared.pointee.archive.shortUID(reference)
        if let uid, let known = knownInstance(requested, uid) {
            return Unmanaged<AnyObject>.fromOpaque(known).takeUnretainedValue()
        }
        let value = try value(reference, uid, path)
        let object = try otherInstance(requested, value, .type(requested.pointee.type), path)
        return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    }

    /// The instance of the class `requested` that `reference` leads to; nil where that is nil, or left out.
    @inline(__always)
    func instanceIfPresent(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ reference: Int, path: () -> CodingPathTable.Index
    ) throws -> AnyObject? {
        let uid = shared.pointee.archive.shortUID(reference)
        if let uid, let known = knownInstance(requested, uid) {
            return Unmanaged<AnyObject>.fromOpaque(known).takeUnretainedValue()
        }
        let value = try value(reference, uid, path)
        if value.isNull { return nil }
        if shared.pointee.classes.unknownClasses == .skip, try isUnknown(requested, value, path: path) { return nil }
        let object = try otherInstance(requested, value, .type(requested.pointee.type), path)
        return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    }

    /// What `reference` leads to: by `uid`, if that is known.
    @inline(__always)
    private func value(
        _ reference: Int, _ uid: UInt32?, _ path: () -> CodingPathTable.Index
    ) throws -> ArchivedValue {
        do throws(KeyedArchiveError) {
            guard let uid else { return try shared.pointee.contents.value(reference) }
            return try shared.pointee.contents.object(uid)
        } catch {
            throw damaged(error, path())
        }
    }

    /// The instance that the object `uid` has become as `requested`; nil where it has not, or may be something else.
    @inline(__always)
    func knownInstance(_ requested: UnsafeMutablePointer<UnarchivedType>, _ uid: UInt32) -> UnsafeRawPointer? {
        guard case .complete(let object) = shared.pointee.instances.state(uid, as: requested.pointee.identity),
            !shared.pointee.hasReplacements
        else { return nil }
        shared.pointee.hashed.noteEarlierInstance()
        return object
    }

    /// As `instance(_:_:allowed:path:)`, of an instance that is not known to be there.
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

    /// The instance that `value`, an object of the class of `actual`, is, whatever it was replaced by.
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

    /// The instance that `value`, which has no uid, is: a new one each time.
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

    /// `object`, which was asked for as `requested`, and may have been replaced by something else.
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

    /// Makes the object `uid` for a reference at `path`, of a type that is known to be the right one.
    func make(_ type: UnsafeMutablePointer<UnarchivedType>, _ uid: UInt32, at path: CodingPathTable.Index) throws {
        guard case .unknown(let entry) = shared.pointee.instances.state(uid, as: type.pointee.identity) else { return }
        let value = try contents(at: path) { contents throws(KeyedArchiveError) in try contents.object(uid) }
        _ = try make(type, value, entry, .type(type.pointee.type), at: path)
    }

    /// Makes the instance that `value` is and enters it in the table.
    ///
    /// - Parameter entry: What the state of the instance, which is unknown, says.
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
        } check: { _, _ in
            guard hasRoom() else { throw nestedTooDeep(path) }
        }
    }

    /// What takes the place of the instance at `made`, which has just been made; nil where that is itself.
    ///
    /// - Throws: What `awakeAfter(using:)` throws, or that nothing may take the place any more. The instance is let go of
    ///   then.
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

    /// What takes the place of the instance at `made`, which names `own`, if the delegate agrees; nil where that is itself.
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

    /// What the delegate makes of `object`, whose place `own` takes.
    @inline(never)
    private func replacement(for object: any Coding, _ own: any Coding) -> any Coding {
        guard let delegate else { return own }
        if own !== object { delegate.unarchiver(self, willReplace: object, with: own) }
        let result = delegate.unarchiver(self, didDecode: own) ?? own
        if result !== own { delegate.unarchiver(self, willReplace: own, with: result) }
        return result
    }

    /// A new instance of `type`, which the caller owns, from `value`.
    func read(
        _ type: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, _ allowed: AllowedTypes,
        at path: CodingPathTable.Index
    ) throws -> UnsafeRawPointer {
        if requiresSecureCoding, !type.pointee.isSecure { throw notSecure(type, path) }
        guard hasRoom() else { throw nestedTooDeep(path) }
        try visit(1, at: path)
        var object = UnarchivedObject(
            value, shared.pointee.archive, path: path, type: type.pointee.type, allowed: allowed)
        return try with(&object) { try type.pointee.reader._withUnsafeGuaranteedRef { try $0.read() } }
    }

    /// Lets `body` decode the fields of `object`, which is not copied: the one around it is set aside by its address.
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

    /// Whether the limits and the stack have room for one more object.
    @inline(__always)
    func hasRoom() -> Bool {
        let depth = state.pointee.depth
        return depth < shared.pointee.limits.nesting
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
            UnarchivingError.nestedTooDeepSentence(limit: shared.pointee.limits.nesting, depth: state.pointee.depth)
                + ", or read what makes the chain with decodeReference(_:forKey:)")
    }

    /// Counts objects that are about to be decoded.
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
    /// What `read` finds in the archive.
    @inline(__always)
    func contents<Result>(
        at path: @autoclosure () -> CodingPathTable.Index, _ read: (ArchiveContents) throws(KeyedArchiveError) -> Result
    ) throws -> Result {
        do throws(KeyedArchiveError) {
            return try read(shared.pointee.archive)
        } catch {
            throw damaged(error, path())
        }
    }

    /// The error of an archive that is damaged at `path`. Out of line, as all that makes errors: it would make the stack of
    /// those who decode one inside the other larger.
    @inline(never)
    func damaged(_ error: KeyedArchiveError, _ path: CodingPathTable.Index) -> UnarchivingError {
        .damaged(error, path: keys(path))
    }

    /// The way to an entry of the table of paths as a user sees it.
    func keys(_ path: CodingPathTable.Index) -> [any CodingKey] {
        shared.pointee.keys(shared.pointee.paths.steps(to: path))
    }
}
