// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A collection, or a wrapper around one, that an initializer can receive empty.
protocol FilledLater {
    /// Returns the empty collection for `value`, which waits for the target of `cycle`; nil if it cannot wait.
    static func emptyValue(
        waitingFor cycle: CycleReference, for value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Self?
}

extension DecodingFrame {
    /// Returns an empty collection for `value`, whose elements refer back to an instance in progress, as `error` says. It is filled
    /// when that instance is complete.
    ///
    /// - Throws: `error`, as the program receives it, if it is another one, or if the value is no collection, or if a declared field around it waits instead.
    @inline(never)
    func emptyValue<Value>(
        of type: Value.Type, after error: any Error, for value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        guard !session.openCycles.isEmpty, let form = type as? any FilledLater.Type,
            let cycle = CycleReference(in: error), session.top != nil, !isInFieldOfInstance,
            session.mayWait(for: cycle.target),
            let empty = try form.emptyValue(waitingFor: cycle, for: value, in: self, at: step) as? Value
        else {
            // Only the library receives the errors of declared fields.
            throw isInFields ? error : DecodingError.converted(error)
        }
        return empty
    }

    /// Returns an empty collection for `value`, which waits for the target of `cycle`.
    ///
    /// - Parameter decode: Decodes the collection.
    func emptyCollection<Elements: FillableCollection>(
        _ type: Elements.Type, waitingFor cycle: CycleReference, for value: ArchivedValue, at step: CodingPathStep,
        decode: @escaping (DecodingFrame) throws -> Elements
    ) throws -> Elements? {
        // The entries of an object with fields are those of a dictionary.
        let count = (try? referringElements(of: value, at: step).count) ?? value.node.count
        // The archive determines the capacity, which is reserved before the elements are decoded.
        if count > archive.capacity(for: Elements.Element.self) {
            try countVisits(count * max(1, MemoryLayout<Elements.Element>.stride / 16))
        }
        let path = pathIndex(step)
        // The session owns the waiting values, and these closures with them.
        return session.emptyCollection(waitingFor: cycle, capacity: count, at: path) { [unowned session] in
            guard let top = session.top else { return nil }
            return try top.with(nil, .null, at: path, decode)
        }
    }

    /// Returns the elements of a collection, or the values of a dictionary.
    func referringElements(of value: ArchivedValue, at step: CodingPathStep) throws -> ArchivedElements {
        // The test for a dictionary has to read the class entry. It comes after the usual form.
        if let elements = archive.usualElements(of: value) { return elements }
        return try dictionary(value, at: step)?.values ?? elements(of: value, at: step)
    }

    /// Whether the value belongs to a declared field of an instance whose fields are being read, with only declared fields in
    /// between. That field waits: code of the program could catch the error that postpones it.
    var isInFieldOfInstance: Bool {
        var decoding = self
        guard isInFields else { return false }
        while decoding.ownType?.isClass != true {
            guard let parent = decoding.parent, parent.isInFields else { return false }
            decoding = parent
        }
        return decoding.value.uid != 0
    }
}

// MARK: - References

extension DecodingFrame {
    /// Returns whether a reference to `value`, requested as `known`, can be resolved later.
    func canAwait(_ known: DecodingType, _ value: ArchivedValue) -> Bool {
        known.isClass && value.uid != 0 && session.top != nil
    }

    /// Adds `value` to the waiting work.
    func addWaiting(_ value: WaitingValue) {
        session.awaited.values.append(value)
        session.awaited.append(.unprepared(value.number))
    }
}

// MARK: - Collections

extension FilledLater where Self: FillableCollection & NativelyDecodable, Decoded == Self {
    static func emptyValue(
        waitingFor cycle: CycleReference, for value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Self? {
        try decoder.emptyCollection(Self.self, waitingFor: cycle, for: value, at: step) {
            try read(value, in: $0, at: .root)
        }
    }
}

extension Array: FilledLater where Element: Decodable {}
extension ContiguousArray: FilledLater where Element: Decodable {}
extension Set: FilledLater where Element: Decodable {}
extension Dictionary: FilledLater where Key: Decodable, Value: Decodable {}

extension TransparentWrapper where Self: NativelyDecodable, Decoded == Self {
    static func emptyValue(
        waitingFor cycle: CycleReference, for value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Self? {
        guard let type = Wrapped.self as? any FillableCollection.Type else { return nil }
        func empty<Elements: FillableCollection>(_ type: Elements.Type) throws -> Self? {
            try decoder.emptyCollection(type, waitingFor: cycle, for: value, at: step) {
                Reinterpretation.same(try read(value, in: $0, at: .root).wrappedValue, as: type)
            }.map { Self(wrappedValue: Reinterpretation.same($0, as: Wrapped.self)) }
        }
        return try empty(type)
    }
}
