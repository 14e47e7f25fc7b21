// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Waiting properties

extension KeyedUnarchiver {
    /// Returns the placeholder, such as an empty collection, for the property under `name`, whose value refers back to
    /// an incomplete instance according to `error`.
    ///
    /// - Parameter decode: Decodes the value under `name`, with the unarchiver that it receives: a closure that retained
    ///   the unarchiver would be a cycle for as long as the value waits.
    /// - Throws: `error`, if it is not such an error, or the property cannot be set later.
    @inline(never)
    func placeholder<Value>(
        after error: any Error, _ type: Value.Type, _ name: String,
        _ decode: @escaping (KeyedUnarchiver) throws -> Value
    ) throws -> Value {
        guard let placeholder = try placeholder(for: error, type, name, isOptional: false, decode) else { throw error }
        return placeholder
    }

    /// The same for a value that may be absent. Its placeholder is nil or an empty collection.
    @inline(never)
    func placeholder<Value>(
        ifPresent type: Value.Type, after error: any Error, _ name: String,
        _ decode: @escaping (KeyedUnarchiver) throws -> Value?
    ) throws -> Value? {
        try placeholder(for: error, type, name, isOptional: true, decode)
    }

    private func placeholder<Value>(
        for error: any Error, _ type: Value.Type, _ name: String, isOptional: Bool,
        _ decode: @escaping (KeyedUnarchiver) throws -> Value?
    ) throws -> Value? {
        let owner = current
        guard let cycle = CycleReference(in: error), instances.isInProgress(cycle.target),
            let ownerType = owner.type, let ownerClass = ownerType as? AnyClass,
            let coding = ownerType as? any Coding.Type
        else { throw error }
        let facts = OwnerFacts.facts(of: ownerClass)
        let waitingOwner = WaitingOwner(
            uid: owner.uid, identity: ownerType, facts: facts,
            reader: record(coding), container: [])
        let field = facts.field(
            DecodedField.Key(name, ofType: KeyedUnarchiver.self, type), type, encodedName: name, shownName: name)
        let waiting = WaitingField<Value>(owner: waitingOwner, field: field)
        do throws(CycleReference) {
            return try reading.placeholder(for: cycle, waiting, isOptional: isOptional, at: pathIndex()) {
                [unowned self] in
                try within(owner) { try decode(self) }
            }
        } catch {
            throw UnarchivingError(error.failure)
        }
    }

    /// Runs `body` to decode the fields of `object`, which was decoded before.
    private func within<Result>(_ object: UnarchivedObject, _ body: () throws -> Result) throws -> Result {
        guard hasRoom() else { throw nestedTooDeep(object.path) }
        var object = object
        object.fields.restart()
        return try with(object, body)
    }
}
