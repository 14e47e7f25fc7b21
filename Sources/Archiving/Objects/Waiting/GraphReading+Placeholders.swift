// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The instance with a waiting property, while it is in progress.
struct WaitingOwner {
    let uid: UInt32
    /// The class, as identified in the table of instances.
    let identity: any Any.Type
    let facts: OwnerFacts
    let reader: InstanceReader
    /// The keys of the superclass parts around the property, the outermost first.
    let container: [String]
}

/// A key under which the initializer of an instance decodes a `Value`.
struct WaitingField<Value> {
    let owner: WaitingOwner
    let field: DecodedField
}

// MARK: - Waiting

extension GraphReading {
    /// Lets a property wait until the instance that `cycle` refers back to is complete.
    ///
    /// - Parameters:
    ///   - path: The coding path of the value.
    ///   - isOptional: Whether the value may be absent, so that its placeholder can be nil.
    ///   - attempt: Decodes the value in a separate decoding with its own instances; nil if that is not possible.
    ///   - decode: Decodes the value; returns nil if the decoding is over.
    /// - Returns: The placeholder; nil for nil.
    /// - Throws: `cycle` with the reason why no property can be set later.
    func placeholder<Value>(
        for cycle: CycleReference, _ waiting: WaitingField<Value>, isOptional: Bool,
        at path: @autoclosure () -> CodingPathTable.Index, attempt: (() throws -> Value?)? = nil,
        decode: @escaping () throws -> Value?
    ) throws(CycleReference) -> Value? {
        let (owner, field) = (waiting.owner, waiting.field)
        let isNil = isOptional && !(Value.self is any PlaceholderCollection.Type)
        let empty = isNil ? nil : Placeholder(Value.self)
        guard !field.candidates.isEmpty, isOptional || empty != nil else {
            throw cycle.hindered(by: field.obstacle(decoding: Value.self, in: owner.facts))
        }
        guard case .inProgress(let index) = instances.state(owner.uid, as: owner.identity) else {
            throw cycle.hindered(by: "the instance with \"\(field.shownName)\" is not an object of the archive")
        }
        let made = empty?.make()
        // A placeholder without storage does not show which of two values it stands for.
        if made?.storage == nil, isWaiting(field, by: index) {
            throw cycle.hindered(by: "\"\(field.shownName)\" is decoded twice")
        }
        let property = WaitingProperty(
            waiting, in: self, at: path(), storage: made?.storage, attempt: attempt, decode: decode)
        keep(4)
        awaited.values.append(property)
        instances.own(index, property)
        instances.wait(for: cycle.target, property)
        hashed.noteOpenReference(to: cycle.target)
        openCycles.remove(cycle)
        return made?.value
    }

    /// Returns whether the instance with the entry `owner` already waits for the value of `field`.
    private func isWaiting(_ field: DecodedField, by owner: InstanceTable.Index) -> Bool {
        if instances.isReferring(owner, field) { return true }
        var number = instances.firstOwned(owner)
        while let value = awaited.values[number] {
            // If the value cannot be counted, the whole decoding fails in the end.
            if value.key === field || (try? visit()) == nil { return true }
            number = value.nextOwned
        }
        return false
    }

    /// Returns the instance in progress that `body`, which decodes a waiting value, refers back to; nil if the value
    /// is decoded.
    func unlessInProgress(_ body: () throws -> Void) throws -> InstanceTable.Index? {
        do {
            try body()
            return nil
        } catch {
            guard let cycle = CycleReference(in: error), instances.isInProgress(cycle.target) else {
                throw error
            }
            openCycles.remove(cycle)
            hashed.noteOpenReference(to: cycle.target)
            return cycle.target
        }
    }
}

extension CycleReference {
    /// The same with the reason why no property can be set later. The innermost obstacle is the one to report.
    fileprivate func hindered(by obstacle: String) -> CycleReference {
        var cycle = self
        if cycle.obstacle == nil { cycle.obstacle = obstacle }
        return cycle
    }
}
