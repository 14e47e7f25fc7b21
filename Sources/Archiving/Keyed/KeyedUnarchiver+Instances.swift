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
            guard let uid else { return try shared.pointee.archive.value(reference) }
            return try shared.pointee.archive.object(uid)
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
    private func checked(
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
        let shared = shared
        let index = shared.pointee.instances.begin(value.uid, as: type.pointee.identity, entry)
        let finished: FinishedInstance
        let object: UnsafeRawPointer
        do {
            let made = try read(type, value, allowed, at: path)
            if let other = try replacement(for: made, type, index, at: path) {
                object = UnsafeRawPointer(Unmanaged.passRetained(other as AnyObject).toOpaque())
                Unmanaged<AnyObject>.fromOpaque(made).release()
                finished = shared.pointee.instances.complete(index, with: object, isReplacement: true)
            } else {
                object = made
                finished = shared.pointee.instances.complete(index, with: object)
            }
        } catch {
            throw giveUp(index, type, error, path)
        }
        if !finished.isEmpty {
            guard hasRoom() else { throw nestedTooDeep(path) }
            let wanted = Unmanaged<AnyObject>.fromOpaque(object).retain()
            defer { wanted.release() }
            try shared.finish(finished, object)
        }
        return object
    }

    /// Takes note of an instance that failed with `error`.
    ///
    /// - Returns: What to throw.
    @inline(never)
    private func giveUp(
        _ index: InstanceTable.Index, _ type: UnsafeMutablePointer<UnarchivedType>, _ error: any Error,
        _ path: CodingPathTable.Index
    ) -> any Error {
        let failed = shared.pointee.instances.abandon(index)
        var error = error
        if var cycle = CycleReference(in: error) {
            shared.pointee.noteBlocked(index, by: cycle)
            if cycle.target == index, cycle.targetPath == nil {
                cycle.targetPath = path
                error = UnarchivingError.cycle(cycle)
            }
        }
        shared.giveUp(failed, error, reader(type.pointee.type)) { path }
        return error
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
        let state = state
        if requiresSecureCoding, !type.pointee.isSecure { throw notSecure(type, path) }
        guard hasRoom() else { throw nestedTooDeep(path) }
        try visit(1, at: path)
        // Not copied: it is set aside by the address of the one around it.
        var object = UnarchivedObject(
            value, shared.pointee.archive, path: path, type: type.pointee.type, allowed: allowed)
        return try withUnsafeMutablePointer(to: &object) { object in
            let outer = state.pointee.object
            state.pointee.object = object
            state.pointee.depth += 1
            defer {
                state.pointee.object = outer
                state.pointee.depth -= 1
            }
            return try type.pointee.reader._withUnsafeGuaranteedRef { try $0.read() }
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

// MARK: - Classes

extension KeyedUnarchiver {
    /// The type that `value` is made as where `requested` is asked for: the class that its entry names, if that is
    /// `requested`, or a registered one that inherits from it.
    ///
    /// - Throws: Where it is something else, or no object at all.
    @inline(__always)
    private func actualType(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, _ path: () -> CodingPathTable.Index
    ) throws -> UnsafeMutablePointer<UnarchivedType> {
        let found: UInt32?
        do throws(KeyedArchiveError) {
            found = value.isNull ? nil : try shared.pointee.archive.classUID(of: value.node)
        } catch {
            throw damaged(error, path())
        }
        guard let uid = found else { throw noObject(requested, value, path()) }
        return try requested.pointee.matches[uid] ?? findActualType(requested, uid, value, path)
    }

    @inline(never)
    private func noObject(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, _ path: CodingPathTable.Index
    ) -> UnarchivingError {
        .mismatch(requested.pointee.type, found: value, in: shared.pointee.archive, path: keys(path))
    }

    @inline(never)
    private func findActualType(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ uid: UInt32, _ value: ArchivedValue,
        _ path: () -> CodingPathTable.Index
    ) throws -> UnsafeMutablePointer<UnarchivedType> {
        let name = try contents(at: path()) { contents throws(KeyedArchiveError) in try contents.className(uid) }
        let type = requested.pointee.type
        let mismatch: ClassMismatch
        do throws(ClassMismatch) {
            let named = try namedType(requested, uid, name)
            if let coding = named as? any Coding.Type {
                let actual = record(coding)
                requested.pointee.matches.remember(actual, forClass: uid)
                return actual
            }
            mismatch = ClassMismatch(name: name, chain: [], isStructural: false)
        } catch {
            mismatch = error
        }
        throw UnarchivingError.otherClass(
            mismatch, of: value, requested: type, classes: shared.pointee.classes, path: keys(path()))
    }
}

// MARK: - Classes that nobody knows

extension KeyedUnarchiver {
    /// Whether `value`, which is asked for as `requested`, is left out: an object of a class that nobody knows, where the
    /// registry says so.
    @inline(__always)
    func isSkipped<Object: Coding>(
        _ requested: Object.Type, _ value: ArchivedValue, path: () -> CodingPathTable.Index
    ) throws -> Bool {
        shared.pointee.classes.unknownClasses == .skip ? try isUnknown(record(requested), value, path: path) : false
    }

    /// Whether nobody knows the class of what `reference` leads to, which is asked for as `requested`.
    @inline(never)
    func isUnknown(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ reference: Int, path: () -> CodingPathTable.Index
    ) throws -> Bool {
        let value = try contents(at: path()) { contents throws(KeyedArchiveError) in try contents.value(reference) }
        return try isUnknown(requested, value, path: path)
    }

    /// Whether nobody knows the class of `value`, which is asked for as `requested`.
    @inline(never)
    func isUnknown(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, path: () -> CodingPathTable.Index
    ) throws -> Bool {
        let uid = try contents(at: path()) { contents throws(KeyedArchiveError) in
            value.isNull ? nil : try contents.classUID(of: value.node)
        }
        guard let uid, requested.pointee.matches[uid] == nil else { return false }
        if requested.pointee.matches.isSkipped(uid) { return true }
        let name = try contents(at: path()) { contents throws(KeyedArchiveError) in try contents.className(uid) }
        do throws(ClassMismatch) {
            _ = try namedType(requested, uid, name)
            return false
        } catch {
            if error.isUnknown { requested.pointee.matches.rememberSkipped(uid) }
            return error.isUnknown
        }
    }

    /// The type that objects of the class `name`, whose entry is `uid`, are made as where `requested` is asked for.
    private func namedType(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ uid: UInt32, _ name: String
    ) throws(ClassMismatch) -> any Any.Type {
        let delegate = delegate
        return try shared.pointee.type(
            ofClass: uid, named: name, as: requested.pointee.type, &requested.pointee.matches, .strict
        ) { name, chain in
            delegate?.unarchiver(self, cannotDecodeObjectOfClassName: name, originalClasses: chain)
        }
    }
}

// MARK: - References

extension KeyedUnarchiver {
    /// An instance that a reference leads to: as it is, or to be made when there is nothing else to do.
    enum ReferencedInstance {
        case complete(UnsafeRawPointer)
        case awaited(AwaitedInstance)
    }

    /// The instance of the class `requested` that `value`, which has a uid, is for a reference.
    func awaitedInstance(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, path: () -> CodingPathTable.Index
    ) throws -> ReferencedInstance {
        let actual = try actualType(requested, value, path)
        let identity = actual.pointee.identity
        switch shared.pointee.instances.state(value.uid, as: identity) {
        case .complete(let object):
            shared.pointee.hashed.noteEarlierInstance()
            return .complete(try checked(object, requested, value, path))
        case .inProgress(let index):
            if let published = shared.pointee.instances.takePublished(index) { return .complete(published) }
            shared.pointee.hashed.noteOpenReference(to: index)
            return .awaited(shared.pointee.instances.awaited(value.uid, as: identity).0)
        case .unknown:
            let (awaited, isNew) = shared.pointee.instances.awaited(value.uid, as: identity)
            let reader = reader(actual.pointee.type)
            // What is to be hashed needs it soon, also where somebody else waits for it already.
            if shared.pointee.hashed.isHashing {
                shared.pointee.awaited.append(.needed(reader, uid: value.uid, path: path()))
            } else if isNew {
                shared.pointee.awaited.append(.awaited(reader, uid: value.uid, path: path()))
            }
            return .awaited(awaited)
        }
    }

    /// What a weak reference to the instance that `value` is begins with: the instance if it is there, or what gets it
    /// later if anything else asks for it.
    func awaitedWeakInstance(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, path: () -> CodingPathTable.Index
    ) throws -> (object: UnsafeRawPointer?, awaited: AwaitedWeakInstance?) {
        let actual = try actualType(requested, value, path)
        if case .complete(let object) = shared.pointee.instances.state(value.uid, as: actual.pointee.identity) {
            return (try checked(object, requested, value, path), nil)
        }
        let awaited = AwaitedWeakInstance()
        shared.pointee.awaited.append(
            AwaitedWork.WeakReference(awaited: awaited, uid: value.uid, type: actual.pointee.identity))
        return (nil, awaited)
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
