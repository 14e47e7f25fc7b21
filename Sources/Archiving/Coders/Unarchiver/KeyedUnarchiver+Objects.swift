// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Instances

extension KeyedUnarchiver {
    /// Decodes the instance for the key `name`, or the next value without a key if `name` is nil.
    func decodeInstance<Object: Coding>(_ type: Object.Type, forKey name: String?) throws -> Object {
        guard let name else { return try nextInstance(type) }
        let instance = try knownInstance(type, name) ?? requiredInstance(record(type), name)
        return Self.object(type, instance)
    }

    /// The same for an instance that may be absent or nil.
    func decodeInstanceIfPresent<Object: Coding>(_ type: Object.Type, forKey name: String?) throws -> Object? {
        guard let name else { return try nextInstanceIfPresent(type) }
        // Without `map`, whose code would not know the type.
        if let (reference, position) = nextReference(name) {
            if let uid = archive.shortUID(reference) {
                if let known = knownInstance(type, uid) {
                    current.fields.next = position &+ 1
                    return Self.object(type, known)
                }
            } else if archive.isNull(reference) {
                current.fields.next = position &+ 1
                return nil
            }
        }
        guard let instance = try instanceIfPresent(record(type), name) else { return nil }
        return Self.object(type, instance)
    }

    /// The instance that is the next value without a key.
    @inline(never)
    private func nextInstance<Object: Coding>(_ type: Object.Type) throws -> Object {
        try perform { try object(type, requiredField(nil), at: .field) }
    }

    /// The same for an instance that may be absent or nil.
    @inline(never)
    private func nextInstanceIfPresent<Object: Coding>(_ type: Object.Type) throws -> Object? {
        try perform { () -> Object? in
            guard let value = try present(nil), try !isSkipped(type, value, at: .field) else {
                return nil
            }
            return try object(type, value, at: .field)
        }
    }

    /// Returns `instance`, which was decoded as `type`, with that static type.
    @inline(__always)
    private static func object<Object: Coding>(_ type: Object.Type, _ instance: AnyObject) -> Object {
        Reinterpretation.instance(instance, as: type)
    }

    /// The instance of the class `requested` under `name`.
    @inline(never)
    private func requiredInstance(
        _ requested: DecodingType, _ name: String
    ) throws -> AnyObject {
        try perform {
            guard let reference = try fieldReference(name) else { throw notFound(name) }
            return try instance(requested, reference, at: .field)
        }
    }

    /// The instance of the class `requested` under `name`; nil if the key is absent or holds nil.
    @inline(never)
    private func instanceIfPresent(_ requested: DecodingType, _ name: String) throws -> AnyObject? {
        try perform {
            guard let reference = try fieldReference(name) else { return nil }
            return try instanceIfPresent(requested, reference, at: .field)
        }
    }

    /// The instance of the class `type` under `name`, if an `init(coder:)` requests it, it is in the next field,
    /// and it was decoded before; nil if the general path has to decode it.
    @inline(__always)
    private func knownInstance(_ type: any Any.Type, _ name: String) -> AnyObject? {
        guard let (reference, position) = nextReference(name),
            let uid = archive.shortUID(reference),
            let known = knownInstance(type, uid)
        else { return nil }
        current.fields.next = position &+ 1
        return known
    }

    /// The reference in the field `name`, if an `init(coder:)` requests it and it is the next field, and the position of the
    /// field.
    @inline(__always)
    private func nextReference(_ name: String) -> (reference: Int, position: Int)? {
        guard depth > 0, !isFinished, let position = nextPosition(ifNamed: name) else { return nil }
        return (reference(at: position), position)
    }

    /// Returns whether an `init(coder:)` requests the field `name`, it is the next one, and it holds an empty array that was
    /// decoded before. The field is then decoded.
    @inline(never)
    private func takeEmptyArray(_ name: String) -> Bool {
        guard let (reference, position) = nextReference(name), archive.isKnownEmptyArray(reference) else {
            return false
        }
        current.fields.next = position &+ 1
        return true
    }

    /// The instance of `type` for `value`.
    @inline(__always)
    func object<Object: Coding>(
        _ type: Object.Type, _ value: ArchivedValue, at place: ValuePlace
    ) throws -> Object {
        Self.object(type, try instance(record(type), value, at: place))
    }
}

// MARK: - Collections of instances

/// A collection of instances of a `Coding` class.
protocol InstanceCollection: ArchivableValue, FillableCollection {
    /// Decodes `value`, which was found last.
    static func read(_ value: ArchivedValue, with coder: KeyedUnarchiver) throws -> Self
}

extension Array: InstanceCollection where Element: Coding {
    static func read(_ value: ArchivedValue, with coder: KeyedUnarchiver) throws -> Self {
        Reinterpretation.instances(try coder.instances(coder.record(Element.self), value), of: Element.self)
    }
}

extension Dictionary: InstanceCollection where Key == String, Value: Coding {
    static func read(_ value: ArchivedValue, with coder: KeyedUnarchiver) throws -> Self {
        try coder.dictionary(Value.self, value)
    }
}

extension KeyedUnarchiver {
    /// Decodes the collection for the key `name`, or the next value without a key if `name` is nil. A collection that
    /// refers back to an incomplete instance waits for it.
    func decodeCollection<Instances: InstanceCollection>(
        _ type: Instances.Type, forKey name: String?
    ) throws -> Instances {
        try perform { try read(type, requiredField(name)) }
    }

    /// The collection `value`, which was found last.
    private func read<Instances: InstanceCollection>(
        _ type: Instances.Type, _ value: ArchivedValue
    ) throws -> Instances {
        do {
            return try type.read(value, with: self)
        } catch {
            return try emptyCollection(after: error, type) { try type.read(value, with: $0) }
        }
    }

    /// The same for an array. Arrays are frequent, and code with the type of the array as a generic parameter would look it
    /// up at every call.
    func decodeArray<Object: Coding>(_ type: Object.Type, forKey name: String?) throws -> [Object] {
        if let name, takeEmptyArray(name) { return [] }
        return try arrayOfInstances(type, name)
    }

    @inline(never)
    private func arrayOfInstances<Object: Coding>(_ type: Object.Type, _ name: String?) throws -> [Object] {
        try perform {
            let value = try requiredField(name)
            do {
                return Reinterpretation.instances(try instances(record(type), value), of: type)
            } catch {
                return try emptyCollection(after: error, [Object].self) { try [Object].read(value, with: $0) }
            }
        }
    }

    /// As `decodeCollection(_:forKey:)`, for a collection that may be absent or nil.
    func decodeCollectionIfPresent<Instances: InstanceCollection>(
        _ type: Instances.Type, forKey name: String?
    ) throws -> Instances? {
        try perform { try present(name).map { try read(type, $0) } }
    }

    /// Returns an empty collection for the value that was found last, whose elements refer back to an instance in progress, as
    /// `error` says. It is filled when that instance is complete.
    ///
    /// - Parameter decode: Decodes the collection, with the unarchiver that it receives: a closure that retained the unarchiver would
    ///   be a cycle for as long as the value waits.
    /// - Throws: `error`, if it is another one.
    @inline(never)
    private func emptyCollection<Elements: FillableCollection>(
        after error: any Error, _ type: Elements.Type, _ decode: @escaping (KeyedUnarchiver) throws -> Elements
    ) throws -> Elements {
        let owner = current
        guard !session.openCycles.isEmpty, let cycle = CycleReference(in: error), session.mayWait(for: cycle.target)
        else {
            throw error
        }
        let value = try undamaged(archive.value(reference(at: owner.fields.next - 1)), at: pathIndex())
        var count = try undamaged(archive.dictionary(value), at: pathIndex())?.keys.count
        if count == nil { count = try undamaged(archive.elements(of: value), at: pathIndex())?.count }
        let empty = session.emptyCollection(waitingFor: cycle, capacity: count ?? 0, at: pathIndex()) {
            [unowned self] () -> Elements? in
            guard hasRoom() else { throw nestedTooDeep(owner.path) }
            return try with(owner) { try decode(self) }
        }
        guard let empty else { throw error }
        return empty
    }

    /// The value for the key `name`, or the next one without a key; nil if there is none or it is nil.
    func present(_ name: String?) throws -> ArchivedValue? {
        guard let found = try found(name).value, !found.isNull else { return nil }
        return found
    }

    /// The instances of the class `requested` in the collection `value`, which was found last.
    func instances(_ requested: DecodingType, _ value: ArchivedValue) throws -> [AnyObject] {
        let found = try undamaged(value.isNull ? nil : archive.elements(of: value), at: pathIndex())
        guard let elements = found else { throw noCollection(of: requested.type, value, pathIndex()) }
        if elements.count > 0 { return try instances(requested, elements) }
        archive.noteEmpty(value, reference(at: current.fields.next &- 1))
        return []
    }

    /// The instances in `elements`, of the collection that was found last. Many collections have none, and need no call.
    @inline(never)
    private func instances(
        _ requested: DecodingType, _ elements: ArchivedElements
    ) throws -> [AnyObject] {
        let path = pathIndex()
        try visit(elements.count, at: path)
        let skipsUnknownObjects = session.settings.classes.unknownClasses == .skip
        return try elements.instances(in: archive) { reference, index in
            let place = ValuePlace.part(.index(index), of: path)
            if skipsUnknownObjects, try isUnknown(requested, reference, at: place) { return nil }
            return try instance(requested, reference, at: place)
        }
    }

    /// The error of `value`, which is not a collection of instances of `type`.
    @inline(never)
    private func noCollection(
        of type: any Any.Type, _ value: ArchivedValue, _ path: CodingPathTable.Index
    ) -> ArchivingError {
        func array<Element>(of type: Element.Type) -> any Any.Type { [Element].self }
        return unread(.mismatch(_openExistential(type, do: array), value), path)
    }

    /// The instances in the dictionary `value`, which was found last.
    fileprivate func dictionary<Object: Coding>(
        _ type: Object.Type, _ value: ArchivedValue
    ) throws -> [String: Object] {
        let path = pathIndex()
        let entries = try undamaged(value.isNull ? nil : archive.dictionary(value), at: path)
        guard let (keys, values) = entries else { throw unread(.mismatch([String: Object].self, value), path) }
        try visit(DecodingMeter.stepsPerEntry * keys.count, at: path)
        var objects: [String: Object] = [:]
        for index in 0..<keys.count {
            let key = keys.reference(index, in: archive)
            let place = ValuePlace.part(.dictionaryKey(UInt32(truncatingIfNeeded: key)), of: path)
            let name = try undamaged(archive.value(key), at: pathIndex(place))
            guard let text = try undamaged(archive.text(name), at: pathIndex(place)) else {
                throw unread(.mismatch(String.self, name), path)
            }
            guard HashedText.isSafe(text) else {
                throw unread(.damaged(ArchiveContents.unsafeText(text)), pathIndex(place))
            }
            let element = try undamaged(archive.value(values.reference(index, in: archive)), at: pathIndex(place))
            if try isSkipped(type, element, at: place) { continue }
            objects[text] = try object(type, element, at: place)
        }
        return objects
    }
}

// MARK: - Allowed classes

extension KeyedUnarchiver {
    /// The types that a call without a type may create: the class that the enclosing call requested, or the list that
    /// it passed; `nil` at the top of the archive, and everywhere if secure coding is not required.
    public var allowedClasses: [any Any.Type]? {
        guard requiresSecureCoding else { return nil }
        switch current.allowed {
        case .unlisted: return nil
        case .type(let type): return [type]
        case .list(let number): return allowedTypes(number)
        }
    }
}
