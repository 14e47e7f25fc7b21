// MARK: - Instances

extension KeyedUnarchiver {
    /// Returns the instance under the key: of the class `type`, or of a class that inherits from it and is registered
    /// in `classes`.
    ///
    /// - Throws: `UnarchivingError` with the code `valueNotFound` if the key is absent or holds nil, `typeMismatch` if
    ///   the value is not an object, or `classNotAllowed` if it is an object of another class. Other codes are
    ///   `notSecure`, `cycle`, `limit` and `damaged`. Errors from `init(coder:)` are passed on. A class that is not
    ///   allowed is never instantiated.
    /// - Complexity: O(*n*), where *n* is the number of decoded objects; O(1) if the object was decoded before.
    public func decode<Object: Coding>(_ type: Object.Type, forKey name: String) throws -> Object {
        Self.object(type, try requiredInstance(record(type), name))
    }

    /// Returns the instance under the key, or `nil` if the key is absent or holds nil.
    ///
    /// - Throws: As `decode(_:forKey:)`, except `valueNotFound`.
    public func decodeIfPresent<Object: Coding>(_ type: Object.Type, forKey name: String) throws -> Object? {
        // Without `map`, whose code would not know the type.
        let object = try instanceIfPresent(record(type), name) { error in
            _ = try placeholder(ifPresent: type, after: error, name) { try $0.decodeIfPresent(type, forKey: name) }
        }
        guard let object else { return nil }
        return Self.object(type, object)
    }

    /// Returns the next value without a key, as an instance.
    ///
    /// - Throws: As `decode(_:forKey:)`.
    public func decode<Object: Coding>(_ type: Object.Type) throws -> Object {
        try perform { try object(type, nextRequired { value, _ in value }) { pathIndex() } }
    }

    /// Returns the next value without a key, as an instance, or `nil` if there is no further value or it is nil.
    ///
    /// - Throws: As `decode(_:forKey:)`, except `valueNotFound`.
    public func decodeIfPresent<Object: Coding>(_ type: Object.Type) throws -> Object? {
        try optional {
            guard let value = try nextField().value, !value.isNull,
                try !isSkipped(type, value, path: { pathIndex() })
            else { return nil }
            return try object(type, value) { pathIndex() }
        }
    }

    /// Returns `instance`, which was decoded as `type`, with that static type.
    @inline(__always)
    private static func object<Object: Coding>(_ type: Object.Type, _ instance: AnyObject) -> Object {
        unsafeDowncast(instance, to: type)
    }

    /// The instance of the class `requested` under `name`.
    private func requiredInstance(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ name: String
    ) throws -> AnyObject {
        if let known = knownInstance(requested, name) { return known }
        return try perform {
            if let error, try isOver() { throw error }
            guard let reference = try fieldReference(name) else { throw notFound(name) }
            return try instance(requested, reference) { pathIndex() }
        }
    }

    /// The instance of the class `requested` under `name`; nil if the key is absent or holds nil.
    ///
    /// - Parameter recover: Lets the property wait if the error reports an incomplete instance; otherwise throws the
    ///   error.
    private func instanceIfPresent(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ name: String, recover: (any Error) throws -> Void
    ) throws -> AnyObject? {
        if let known = knownInstance(requested, name) { return known }
        return try optional {
            guard let reference = try fieldReference(name) else { return nil }
            do {
                return try instanceIfPresent(requested, reference) { pathIndex() }
            } catch {
                try recover(error)
                return nil
            }
        }
    }

    /// The instance of the class `requested` under `name`, if an `init(coder:)` requests it, it is in the next field,
    /// and it was decoded before; nil if the general path has to decode it.
    @inline(__always)
    private func knownInstance(_ requested: UnsafeMutablePointer<UnarchivedType>, _ name: String) -> AnyObject? {
        guard error == nil, state.pointee.depth > 0, !state.pointee.isFinished,
            let position = nextPosition(ifNamed: name),
            let uid = archive.shortUID(reference(at: position)),
            let known = knownInstance(requested, uid)
        else { return nil }
        state.pointee.object.pointee.fields.next = position &+ 1
        return Unmanaged<AnyObject>.fromOpaque(known).takeUnretainedValue()
    }

    /// The instance of `type` for `value`.
    @inline(__always)
    func object<Object: Coding>(
        _ type: Object.Type, _ value: ArchivedValue, path: () -> CodingPathTable.Index
    ) throws -> Object {
        let object = try instance(record(type), value, allowed: .type(type), path: path)
        return Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
    }

    /// Returns the result of `body`, which may be nil, for a method that can return nil instead of an error.
    @inline(__always)
    func optional<Result>(_ body: () throws -> Result?) throws -> Result? {
        if error != nil, try isOver() { return nil }
        do {
            return try perform(body)
        } catch {
            return try handle(error, else: nil)
        }
    }
}

// MARK: - Collections of instances

/// Arrays and dictionaries of instances. Other collections, and nested collections, are decoded as `Coded<…>`, which is
/// `Decodable`.
extension KeyedUnarchiver {
    /// Returns the array of instances under the key.
    ///
    /// - Throws: As for an instance.
    public func decode<Object: Coding>(_ type: [Object].Type, forKey name: String) throws -> [Object] {
        do {
            return Self.array(of: Object.self, try requiredInstances(record(Object.self), name))
        } catch {
            return try placeholder(after: error, type, name) { try $0.decode(type, forKey: name) }
        }
    }

    /// Returns the array of instances under the key, or `nil` if the key is absent or holds nil.
    ///
    /// - Throws: As for an instance.
    public func decodeIfPresent<Object: Coding>(_ type: [Object].Type, forKey name: String) throws -> [Object]? {
        try optional {
            do {
                return try present(name).map { Self.array(of: Object.self, try instances(record(Object.self), $0)) }
            } catch {
                return try placeholder(ifPresent: type, after: error, name) {
                    try $0.decodeIfPresent(type, forKey: name)
                }
            }
        }
    }

    /// Returns the dictionary of instances under the key.
    ///
    /// - Throws: As for an instance.
    public func decode<Object: Coding>(
        _ type: [String: Object].Type, forKey name: String
    ) throws -> [String: Object] {
        do {
            return try perform { try dictionary(Object.self, requiredField(name)) }
        } catch {
            return try placeholder(after: error, type, name) { try $0.decode(type, forKey: name) }
        }
    }

    /// Returns the dictionary of instances under the key, or `nil` if the key is absent or holds nil.
    ///
    /// - Throws: As for an instance.
    public func decodeIfPresent<Object: Coding>(
        _ type: [String: Object].Type, forKey name: String
    ) throws -> [String: Object]? {
        try optional {
            do {
                return try present(name).map { try dictionary(Object.self, $0) }
            } catch {
                return try placeholder(ifPresent: type, after: error, name) {
                    try $0.decodeIfPresent(type, forKey: name)
                }
            }
        }
    }

    /// Returns the next value without a key, as an array of instances.
    ///
    /// - Throws: As for an instance.
    public func decode<Object: Coding>(_ type: [Object].Type) throws -> [Object] {
        let objects = try perform { try instances(record(Object.self), nextRequired { value, _ in value }) }
        return Self.array(of: Object.self, objects)
    }

    /// Returns the next value without a key, as a dictionary of instances.
    ///
    /// - Throws: As for an instance.
    public func decode<Object: Coding>(_ type: [String: Object].Type) throws -> [String: Object] {
        try perform { try dictionary(Object.self, nextRequired { value, _ in value }) }
    }

    /// The value under `name`; nil if the key is absent or holds nil.
    private func present(_ name: String) throws -> ArchivedValue? {
        guard let value = try field(name), !value.isNull else { return nil }
        return value
    }

    /// The value under `name`, which may be nil.
    @inline(__always)
    private func requiredField(_ name: String) throws -> ArchivedValue {
        if let error, try isOver() { throw error }
        guard let value = try field(name) else { throw notFound(name) }
        return value
    }

    /// Returns `objects`, all of which were decoded as an `Object`, with that static type.
    @inline(__always)
    private static func array<Object: Coding>(of type: Object.Type, _ objects: [AnyObject]) -> [Object] {
        Reinterpretation.instances(objects, of: type)
    }

    /// The array of instances of the class `requested` under `name`.
    private func requiredInstances(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ name: String
    ) throws -> [AnyObject] {
        try perform { try instances(requested, requiredField(name)) }
    }

    /// The instances of the class `requested` in the collection `value`, which was found last.
    ///
    /// The array does not have their static type: code with the class as a generic parameter would look it up at every
    /// step.
    private func instances(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue
    ) throws -> [AnyObject] {
        let shared = shared
        let found: ArchivedElements?
        do throws(KeyedArchiveError) {
            found = value.isNull ? nil : try archive.elements(of: value)
        } catch {
            throw damaged(error, pathIndex())
        }
        guard let elements = found else { throw noCollection(of: requested.pointee.type, value, pathIndex()) }
        if elements.count == 0 { return [] }
        let path = pathIndex()
        try visit(elements.count, at: path)
        let skipsUnknownObjects = shared.pointee.settings.classes.unknownClasses == .skip
        return try [AnyObject](unsafeUninitializedCapacity: elements.count) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            for index in 0..<elements.count {
                let step = { shared.pointee.paths.append(.index(index), to: path) }
                let reference = elements.reference(index, in: archive)
                if skipsUnknownObjects, try isUnknown(requested, reference, path: step) { continue }
                (base + count).initialize(to: try instance(requested, reference, path: step))
                count &+= 1
            }
        }
    }

    /// The error of `value`, which is not a collection of instances of `type`.
    @inline(never)
    private func noCollection<Object: Coding>(
        of type: Object.Type, _ value: ArchivedValue, _ path: CodingPathTable.Index
    ) -> UnarchivingError {
        mismatch([Object].self, value, path)
    }

    /// The instances in the dictionary `value`, which was found last.
    private func dictionary<Object: Coding>(
        _ type: Object.Type, _ value: ArchivedValue
    ) throws -> [String: Object] {
        let path = pathIndex()
        let entries = try contents(at: path) { contents throws(KeyedArchiveError) in
            value.isNull ? nil : try contents.dictionary(value)
        }
        guard let (keys, values) = entries else { throw mismatch([String: Object].self, value, path) }
        try visit(DecodingMeter.stepsPerEntry * keys.count, at: path)
        var objects: [String: Object] = [:]
        for index in 0..<keys.count {
            let key = keys.reference(index, in: archive)
            let step = { [shared] in
                shared.pointee.paths.append(.dictionaryKey(UInt32(truncatingIfNeeded: key)), to: path)
            }
            let (text, element) = try contents(at: step()) { contents throws(KeyedArchiveError) in
                (
                    try contents.text(contents.value(key)),
                    try contents.value(values.reference(index, in: archive))
                )
            }
            guard let text else {
                let found = try contents(at: path) { contents throws(KeyedArchiveError) in try contents.value(key) }
                throw mismatch(String.self, found, path)
            }
            guard HashedText.isSafe(text) else {
                throw UnarchivingError.damaged(ArchiveContents.unsafeText(text), path: self.keys(step()))
            }
            if try isSkipped(type, element, path: step) { continue }
            objects[text] = try object(type, element, path: step)
        }
        return objects
    }
}

extension KeyedUnarchiver {
    @inline(never)
    private func mismatch(
        _ type: any Any.Type, _ value: ArchivedValue, _ path: CodingPathTable.Index
    ) -> UnarchivingError {
        .mismatch(type, found: value, in: archive, path: keys(path))
    }
}

// MARK: - Allowed classes

extension KeyedUnarchiver {
    /// The types that a call without a type may create: the class that the enclosing call requested, or the list that
    /// it passed; `nil` at the top of the archive, and everywhere if secure coding is not required.
    public var allowedClasses: [any Any.Type]? {
        guard requiresSecureCoding else { return nil }
        switch state.pointee.object.pointee.allowed {
        case .unlisted: return nil
        case .type(let type): return [type]
        case .list(let types): return types
        }
    }
}
