// MARK: - Instances

extension KeyedUnarchiver {
    /// The instance under the key: of the class `type`, or of one that inherits from it and is registered in `classes`.
    ///
    /// - Throws: `UnarchivingError`: `valueNotFound` where nothing or nil is there, `typeMismatch` where it is no object,
    ///   `classNotAllowed` where it is an object of another class, `notSecure`, `cycle`, `limit` or `damaged`; also what
    ///   `init(coder:)` throws. Nothing of a class that is not allowed has been created then.
    /// - Complexity: O(*n*), where *n* is the number of objects that are made; O(1) where the object is there already.
    public func decode<Object: Coding>(_ type: Object.Type, forKey name: String) throws -> Object {
        try perform { try object(type, required(name) { value, _ in value }) { pathIndex() } }
    }

    /// The instance under the key; nil where nothing or nil is there.
    ///
    /// - Throws: As `decode(_:forKey:)`, but for `valueNotFound`.
    public func decodeIfPresent<Object: Coding>(_ type: Object.Type, forKey name: String) throws -> Object? {
        try optional {
            guard let value = try field(name), !value.isNull,
                try !isSkipped(type, value, path: { pathIndex() })
            else { return nil }
            return try object(type, value) { pathIndex() }
        }
    }

    /// The next value without a key, as an instance.
    ///
    /// - Throws: As `decode(_:forKey:)`.
    public func decode<Object: Coding>(_ type: Object.Type) throws -> Object {
        try perform { try object(type, nextRequired { value, _ in value }) { pathIndex() } }
    }

    /// The next value without a key, as an instance; nil where nothing or nil is there.
    ///
    /// - Throws: As `decode(_:forKey:)`, but for `valueNotFound`.
    public func decodeIfPresent<Object: Coding>(_ type: Object.Type) throws -> Object? {
        try optional {
            guard let value = try nextField().value, !value.isNull,
                try !isSkipped(type, value, path: { pathIndex() })
            else { return nil }
            return try object(type, value) { pathIndex() }
        }
    }

    /// The instance of `type` that `value` is.
    @inline(__always)
    func object<Object: Coding>(
        _ type: Object.Type, _ value: ArchivedValue, path: () -> CodingPathTable.Index
    ) throws -> Object {
        let object = try instance(record(type), value, allowed: .type(type), path: path)
        return Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
    }

    /// What `body` decodes, which may be nil, for a method that can say of an error that it is nil.
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

/// Arrays and dictionaries of instances. Other collections, and those of each other, are decoded as `Coded<…>`,
/// which is `Decodable`.
extension KeyedUnarchiver {
    /// The array of instances under the key.
    ///
    /// - Throws: As for an instance.
    public func decode<Object: Coding>(_ type: [Object].Type, forKey name: String) throws -> [Object] {
        try perform { try objects(Object.self, required(name) { value, _ in value }, as: type) }
    }

    /// The array of instances under the key; nil where nothing or nil is there.
    ///
    /// - Throws: As for an instance.
    public func decodeIfPresent<Object: Coding>(_ type: [Object].Type, forKey name: String) throws -> [Object]? {
        try optional { try present(name).map { try objects(Object.self, $0, as: type) } }
    }

    /// The dictionary of instances under the key.
    ///
    /// - Throws: As for an instance.
    public func decode<Object: Coding>(
        _ type: [String: Object].Type, forKey name: String
    ) throws -> [String: Object] {
        try perform { try dictionary(Object.self, required(name) { value, _ in value }) }
    }

    /// The dictionary of instances under the key; nil where nothing or nil is there.
    ///
    /// - Throws: As for an instance.
    public func decodeIfPresent<Object: Coding>(
        _ type: [String: Object].Type, forKey name: String
    ) throws -> [String: Object]? {
        try optional { try present(name).map { try dictionary(Object.self, $0) } }
    }

    /// The next value without a key, as an array of instances.
    ///
    /// - Throws: As for an instance.
    public func decode<Object: Coding>(_ type: [Object].Type) throws -> [Object] {
        try perform { try objects(Object.self, nextRequired { value, _ in value }, as: type) }
    }

    /// The next value without a key, as a dictionary of instances.
    ///
    /// - Throws: As for an instance.
    public func decode<Object: Coding>(_ type: [String: Object].Type) throws -> [String: Object] {
        try perform { try dictionary(Object.self, nextRequired { value, _ in value }) }
    }

    /// The value under `name`; nil where nothing or nil is there.
    private func present(_ name: String) throws -> ArchivedValue? {
        guard let value = try field(name), !value.isNull else { return nil }
        return value
    }

    /// The instances in the collection `value`, which was found last.
    private func objects<Object: Coding>(
        _ type: Object.Type, _ value: ArchivedValue, as collection: any Any.Type
    ) throws -> [Object] {
        let path = pathIndex()
        let archive = shared.pointee.archive
        let elements = try contents(at: path) { contents throws(KeyedArchiveError) in
            value.isNull ? nil : try contents.elements(of: value)
        }
        guard let elements else { throw mismatch(collection, value, path) }
        try visit(elements.count, at: path)
        var objects: [Object] = []
        objects.reserveCapacity(elements.count)
        for index in 0..<elements.count {
            let step = { [shared] in shared.pointee.paths.append(.index(index), to: path) }
            let element = try contents(at: step()) { contents throws(KeyedArchiveError) in
                try contents.value(elements.reference(index, in: archive))
            }
            if try isSkipped(type, element, path: step) { continue }
            objects.append(try object(type, element, path: step))
        }
        return objects
    }

    /// The instances in the dictionary `value`, which was found last.
    private func dictionary<Object: Coding>(
        _ type: Object.Type, _ value: ArchivedValue
    ) throws -> [String: Object] {
        let path = pathIndex()
        let archive = shared.pointee.archive
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
        .mismatch(type, found: value, in: shared.pointee.archive, path: keys(path))
    }
}

// MARK: - What is allowed

extension KeyedUnarchiver {
    /// What objects may be created as where a call does not say it: the class that was asked for by the call around, or the
    /// list that it gave; nil at the top of the archive, and everywhere where secure coding is not required.
    public var allowedClasses: [any Any.Type]? {
        guard requiresSecureCoding else { return nil }
        switch state.pointee.object.allowed {
        case .unlisted: return nil
        case .type(let type): return [type]
        case .list(let types): return types
        }
    }
}
