// MARK: - Waiting properties

extension KeyedUnarchiver {
    /// Returns the placeholder, such as an empty collection, for the property under `name`, whose value refers back to
    /// an incomplete instance according to `error`.
    ///
    /// - Parameter decode: Decodes the value under `name`.
    /// - Throws: `error`, if it is not such an error, or the property cannot be set later.
    @inline(never)
    func placeholder<Value>(
        after error: any Error, _ type: Value.Type, _ name: String, _ decode: @escaping () throws -> Value
    ) throws -> Value {
        guard let placeholder = try placeholder(for: error, type, name, isOptional: false, decode) else { throw error }
        return placeholder
    }

    /// The same for a value that may be absent. Its placeholder is nil or an empty collection.
    @inline(never)
    func placeholder<Value>(
        ifPresent type: Value.Type, after error: any Error, _ name: String, _ decode: @escaping () throws -> Value?
    ) throws -> Value? {
        try placeholder(for: error, type, name, isOptional: true, decode)
    }

    private func placeholder<Value>(
        for error: any Error, _ type: Value.Type, _ name: String, isOptional: Bool,
        _ decode: @escaping () throws -> Value?
    ) throws -> Value? {
        let owner = state.pointee.object.pointee
        guard let cycle = CycleReference(in: error), shared.pointee.instances.isInProgress(cycle.target),
            let ownerType = owner.type, let ownerClass = ownerType as? AnyClass,
            let coding = ownerType as? any Coding.Type
        else { throw error }
        if state.pointee.isRehearsing {
            shared.pointee.openCycles.remove(cycle)
            return isOptional ? nil : Placeholder(type)?.value(of: type)
        }
        let waiting = WaitingOwner(
            uid: owner.value.uid, identity: PointerTable<UnarchivedType>.key(ownerType), facts: .facts(of: ownerClass)
        ) { [unowned self] _ in
            let isNested = state.pointee.isRehearsing
            state.pointee.isRehearsing = true
            defer { state.pointee.isRehearsing = isNested }
            return .fromOpaque(try read(record(coding), owner.value, owner.allowed, at: owner.path))
        }
        let ownerProperty = OwnerProperty(type, OwnerFacts.DecodedKey(name, type), named: name, of: waiting)
        do throws(CycleReference) {
            return try shared.placeholder(for: cycle, ownerProperty, isOptional: isOptional, at: pathIndex()) {
                [unowned self] in
                try within(owner, decode)
            }
        } catch {
            throw UnarchivingError.cycle(error)
        }
    }

    /// Runs `body` to decode the fields of `object`, which was decoded before.
    private func within<Result>(_ object: UnarchivedObject, _ body: () throws -> Result) throws -> Result {
        guard hasRoom() else { throw nestedTooDeep(object.path) }
        var object = object
        object.forgetPosition()
        return try with(&object, body)
    }
}
