extension OpenArchive {
    /// Decodes the object `uid`; returns `empty` if it is an object of an unknown class that is skipped.
    func decode<Value: Decodable>(
        _ type: Value.Type, _ uid: UInt32, ifSkipped empty: @autoclosure () -> Value
    ) throws -> Value {
        do {
            return try decode { top in
                let value = try top.object(uid)
                let known = top.core.pointee.type(type)
                if try top.isSkipped(known, value, at: .root) { return empty() }
                return try top.decode(type, known, from: value, at: .root)
            }
        } catch let error as DecodingError {
            throw CodableErrors.error(error, inside: path(to: uid))
        }
    }

    /// The parts that could not be read, in the order of their uids.
    var unreadableParts: [ArchiveUnreadablePart] {
        let errors = partErrors.sorted { $0.key < $1.key }
        guard !errors.isEmpty else { return [] }
        let paths = KeyedArchive(source).paths(to: Set(errors.map { source.object($0.key) }))
        return errors.map { uid, error in
            ArchiveUnreadablePart(path: paths[source.object(uid)] ?? KeyedArchive.Path(), error: error)
        }
    }

    /// Returns the keys and positions on the path from the top of the archive to the object `uid`.
    private func path(to uid: UInt32) -> [any CodingKey] {
        let path = KeyedArchive(source).path(to: source.object(uid))
        return (path?.steps ?? []).map { step in
            switch step {
            case .key(let key): ArchiveKey(stringValue: key)
            case .index(let index): ArchiveKey(intValue: index)
            }
        }
    }
}

extension KeyedArchive.Path {
    /// Creates the path of a coding path.
    init(_ keys: [any CodingKey]) {
        self.init(keys.map { key in key.intValue.map { .index($0) } ?? .key(key.stringValue) })
    }
}

extension CodableErrors {
    /// Returns `error`, met inside a value at `path`, with the whole path.
    @inline(never) fileprivate static func error(_ error: DecodingError, inside path: [any CodingKey]) -> DecodingError
    {
        func context(_ inner: DecodingError.Context) -> DecodingError.Context {
            DecodingError.Context(
                codingPath: path + inner.codingPath, debugDescription: inner.debugDescription,
                underlyingError: inner.underlyingError)
        }
        switch error {
        case .typeMismatch(let type, let inner): return .typeMismatch(type, context(inner))
        case .valueNotFound(let type, let inner): return .valueNotFound(type, context(inner))
        case .keyNotFound(let key, let inner): return .keyNotFound(key, context(inner))
        case .dataCorrupted(let inner): return .dataCorrupted(context(inner))
        @unknown default: return error
        }
    }
}
