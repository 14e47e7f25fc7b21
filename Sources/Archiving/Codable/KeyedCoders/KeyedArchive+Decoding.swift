// MARK: - Parts

extension KeyedArchive.Value {
    /// The value of `type` that this one is: one part of an archive, without the rest.
    ///
    /// ```swift
    /// let archive = try KeyedArchive(contentsOf: url)
    /// let owner = try archive.root["owner"]!.decode(Owner.self)
    /// ```
    ///
    /// It reads the part, and what the part refers to. Within it every object is one instance; another call makes other
    /// ones. `top` is decoded as an object whose properties are what was encoded by key.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The settings to decode with.
    /// - Throws: As `ArchiveDecoder.decode(_:from:)`.
    /// - Complexity: O(*n*), where *n* is the number of values that are decoded.
    @_disfavoredOverload
    public func decode<Value: Decodable>(
        _ type: Value.Type, using decoder: ArchiveDecoder = ArchiveDecoder()
    ) throws -> Value {
        let archived = try found { CodableErrors.damaged($0, path: []) }
        return try DecodingSession.decode(
            source.stored, classes: decoder.classes, limits: decoder.limits, userInfo: decoder.userInfo,
            deferredErrorHandler: decoder.deferredErrorHandler
        ) { try $0.decode(type, from: archived, at: .root) }
    }

    /// The instance of a `Coding` class that this value is: one part of an archive, without the rest.
    ///
    /// - Parameters:
    ///   - type: The class of the instance, or one that it inherits from; then its own is registered in `decoder.classes`.
    ///   - decoder: The settings to decode with.
    /// - Throws: As `KeyedUnarchiver.decode(_:forKey:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects that are made.
    public func decode<Object: Coding>(
        _ type: Object.Type, using decoder: ArchiveDecoder = ArchiveDecoder()
    ) throws -> Object {
        let archived = try found { UnarchivingError.damaged($0, path: []) }
        let unarchiver = KeyedUnarchiver(
            GraphReading(source.stored, classes: decoder.classes, limits: decoder.limits), requiringSecureCoding: true)
        if !decoder.userInfo.isEmpty { unarchiver.userInfo = decoder.userInfo }
        defer { unarchiver.finishDecoding() }
        return try unarchiver.perform { try unarchiver.object(type, archived) { CodingPathTable.root } }
    }

    /// What the archive has here.
    private func found(_ error: (KeyedArchiveError) -> any Error) throws -> ArchivedValue {
        guard let archived else { throw error(damage ?? KeyedArchiveError(.notAnArchive)) }
        return archived
    }
}
