/// The errors of Codable, from those of the archive. This is the only place that makes them.
enum CodableErrors {
    @inline(never) static func nestedTooDeep(_ value: Any, depth: Int, path: [any CodingKey]) -> EncodingError {
        let sentence =
            StackGuard.sentence("The value is", depth) + ". Encode it on a thread with a larger stack, or make the long"
            + " chain of values one of class instances, which need no stack"
        return EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: path,
                debugDescription: sentence,
                underlyingError: ArchivingError(.nestedTooDeep, path: path, sentence)))
    }

    @inline(never) static func notEncodable(_ value: Any, path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: path,
                debugDescription:
                    "Found a \(type(of: value)) at \(path.pathDescription), which is neither Encodable nor an"
                    + " instance of a Coding class"))
    }

    @inline(never) static func valueContainsItself(_ value: Any, path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: path,
                debugDescription:
                    "A \(type(of: value)), which is archived once for each id, contains one with its own id"
                    + " at \(path.pathDescription). Refer to it by its id, or make it a class"))
    }

    @inline(never) static func negativeRange(location: Int, length: Int, path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            [location, length],
            EncodingError.Context(
                codingPath: path,
                debugDescription: "Found an NSRange of \(length) from \(location) on at \(path.pathDescription);"
                    + " neither can be negative in an archive"))
    }

    /// A value has encoded something into a keyed or an unkeyed container, and then a single value.
    @inline(never) static func notSingle(path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            path,
            EncodingError.Context(
                codingPath: path,
                debugDescription:
                    "The value at \(path.pathDescription) has encoded something into a keyed or an unkeyed container, and"
                    + " cannot be a single value as well. Encode it under a key, or as an element"))
    }

    /// A part of an archive that is not loaded is damaged, so that it cannot be copied.
    @inline(never) static func notCopied(_ error: KeyedArchiveError, path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            path,
            EncodingError.Context(
                codingPath: path,
                debugDescription:
                    "The deferred value at \(path.pathDescription) is not loaded, and its archive is damaged"
                    + " there: \(error.description). Assign another value",
                underlyingError: error))
    }

    @inline(never) static func notWritable(_ value: Any, _ error: PropertyListError) -> EncodingError {
        EncodingError.invalidValue(
            value, EncodingError.Context(codingPath: [], debugDescription: error.description, underlyingError: error))
    }
}

// MARK: - Between the layers

// What the keyed coders make of these is in `StandardCodingErrors`.

extension CodableErrors {
    /// What an encoder throws where a `Coding` class has failed with `error` inside `value`.
    @inline(never) static func encodingError(_ error: any Error, _ value: Any) -> any Error {
        guard let error = error as? ArchivingError else { return error }
        return EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: error.codingPath, debugDescription: error.debugDescription, underlyingError: error))
    }

    /// What a decoder throws where a `Coding` class has failed with `error`.
    @inline(never) static func decodingError(_ error: UnarchivingError, as type: any Any.Type) -> DecodingError {
        if let cycle = CycleReference(in: error) { return cycle.decodingError }
        let context = DecodingError.Context(
            codingPath: error.codingPath, debugDescription: error.debugDescription, underlyingError: error)
        switch error.code {
        case .valueNotFound: return .valueNotFound(type, context)
        case .typeMismatch, .classNotAllowed, .notSecure: return .typeMismatch(type, context)
        default: return .dataCorrupted(context)
        }
    }

    /// What `ArchiveDecoder` throws where the decoding has failed with `error`.
    @inline(never) static func decodingError(_ error: any Error) -> any Error {
        (error as? UnarchivingError).map { decodingError($0, as: Any.self) } ?? error
    }
}

// MARK: - Decoding

extension CodableErrors {
    /// The archive is not what the format says.
    @inline(never) static func damaged(_ error: KeyedArchiveError, path: [any CodingKey]) -> DecodingError {
        let underlying: (any Error)? =
            switch error.reason {
            case .propertyList(let error): error
            default: error.code == .limit ? UnarchivingError.damaged(error, path: path) : nil
            }
        return .dataCorrupted(
            DecodingError.Context(
                codingPath: path, debugDescription: error.description, underlyingError: underlying))
    }

    /// Another kind of value stands where a value of `type` was asked for.
    @inline(never) static func mismatch(
        _ type: any Any.Type, found value: ArchivedValue, in archive: ArchiveContents, path: [any CodingKey]
    ) -> DecodingError {
        if value.isNull {
            return .valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: path,
                    debugDescription: "Found nil at \(path.pathDescription), where \(type) is wanted."
                        + " Decode an optional, or use decodeIfPresent"))
        }
        return mismatch(type, found: archive.describe(value), path: path)
    }

    /// Another kind of value, which `found` describes, stands where a value of `type` was asked for.
    @inline(never) static func mismatch(_ type: any Any.Type, found: String, path: [any CodingKey]) -> DecodingError {
        .typeMismatch(
            type,
            DecodingError.Context(
                codingPath: path, debugDescription: "Found \(found) at \(path.pathDescription), where \(type) is wanted"
            ))
    }

    /// A number stands there that `type` cannot hold exactly.
    @inline(never) static func inexact(
        _ type: any Any.Type, found value: ArchivedValue, in archive: ArchiveContents, path: [any CodingKey]
    ) -> DecodingError {
        inexact(type, found: archive.describe(value), path: path)
    }

    /// A number stands there, which `found` describes, that `type` cannot hold exactly.
    @inline(never) static func inexact(_ type: any Any.Type, found: String, path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: path,
                debugDescription: "Found \(found) at \(path.pathDescription), which \(type) cannot hold exactly",
                underlyingError: UnarchivingError.outOfRange(type, found: found, path: path)))
    }

    /// Data stands where an array is wanted, and has no numbers packed.
    @inline(never) static func notPacked(
        _ error: PackedNumbersError, as type: any Any.Type, found: String, path: [any CodingKey]
    ) -> DecodingError {
        let sentence = error.sentence(found, at: path.pathDescription, as: type)
        let context = DecodingError.Context(codingPath: path, debugDescription: sentence)
        return error == .noHeader ? .typeMismatch(type, context) : .dataCorrupted(context)
    }

    @inline(never) static func keyNotFound(_ key: any CodingKey, present: [String], path: [any CodingKey])
        -> DecodingError
    {
        .keyNotFound(
            key,
            DecodingError.Context(
                codingPath: path,
                debugDescription: UnarchivingError.keyNotFoundSentence(key.stringValue, present: present, path: path)))
    }

    @inline(never) static func missingRoot(_ key: String, present: [String], hasValuesWithoutKey: Bool) -> DecodingError
    {
        .keyNotFound(
            ArchiveKey(stringValue: key),
            DecodingError.Context(
                codingPath: [],
                debugDescription: UnarchivingError.missingRootSentence(
                    key, present: present, hasValuesWithoutKey: hasValuesWithoutKey)))
    }

    @inline(never) static func atEnd(_ type: any Any.Type, count: Int, path: [any CodingKey]) -> DecodingError {
        .valueNotFound(
            type,
            DecodingError.Context(
                codingPath: path,
                debugDescription:
                    "The container at \(Array(path.dropLast()).pathDescription) has \(count) elements, and"
                    + " all of them were decoded; there is no \(type) left"))
    }

    /// The error that tells all of a cycle.
    @inline(never) static func cycle(_ cycle: CycleReference, begun: [any CodingKey], path: [any CodingKey])
        -> DecodingError
    {
        invalid(cycle.sentence(begun: begun, path: path), path: path)
    }

    /// An object of another class stands where `requested` was asked for.
    @inline(never) static func otherClass(
        _ mismatch: ClassMismatch, of value: ArchivedValue, requested: any Any.Type, classes: ClassRegistry,
        path: [any CodingKey]
    ) -> DecodingError {
        .typeMismatch(
            requested,
            DecodingError.Context(
                codingPath: path,
                debugDescription: mismatch.sentence(of: value, requested: requested, classes: classes, path: path)))
    }

    /// A polymorphic value is of a type that nobody registered, or that is something else than is asked for.
    @inline(never) static func notRegistered(
        _ name: String, as requested: any Any.Type, path: [any CodingKey],
        _ policy: ClassRegistry.UnknownClassPolicy = .fail
    ) -> DecodingError {
        .typeMismatch(
            requested,
            DecodingError.Context(
                codingPath: path,
                debugDescription:
                    "Found a value of \(UnarchivingError.shown(name)) at \(path.pathDescription), where \(requested) is"
                    + " wanted, and no type that is one is registered under that name. Register it:"
                    + " `classes.register(….self, name: \"\(UnarchivingError.shown(name))\")`"
                    + policy.restriction(to: requested)))
    }

    @inline(never) static func valueContainsItself(_ uid: UInt32, path: [any CodingKey]) -> DecodingError {
        invalid("The archive is damaged: the value with uid \(uid) contains itself", path: path)
    }

    @inline(never) static func nestedTooDeep(limit: Int, depth: Int, path: [any CodingKey]) -> DecodingError {
        let sentence = UnarchivingError.nestedTooDeepSentence(limit: limit, depth: depth)
        return .dataCorrupted(
            DecodingError.Context(
                codingPath: path, debugDescription: sentence,
                underlyingError: UnarchivingError(.limit, path: path, sentence)))
    }

    /// A value of Foundation's told an encoder of something else than is known of its type.
    @inline(never) static func unknownParts(_ value: Any) -> EncodingError {
        .invalidValue(
            value,
            EncodingError.Context(
                codingPath: [],
                debugDescription: "A value of Foundation consists of other parts than expected: \(value)"))
    }

    /// A type of Foundation's asked a decoder for a part that it did not tell an encoder of.
    @inline(never) static func noField(_ key: String) -> DecodingError {
        invalid("A value of Foundation has a part \"\(key)\" that it had not before", path: [])
    }

    /// An object of a version that the program does not know yet.
    @inline(never) static func newerVersion(
        _ version: Int, of type: any ArchiveMigrating.Type, path: [any CodingKey]
    ) -> DecodingError {
        invalid(
            "The \(type) at \(path.pathDescription) is of version \(version), and this program knows the versions up to"
                + " \(type.archiveVersion). Open it with the program that has written it", path: path)
    }

    /// What a migration has set cannot be decoded as `type`, as `error` says.
    @inline(never) static func notMigrated(_ error: any Error, as type: any Any.Type, path: [any CodingKey])
        -> DecodingError
    {
        .typeMismatch(
            type,
            DecodingError.Context(
                codingPath: path,
                debugDescription: "The value that a migration has set at \(path.pathDescription) cannot be decoded as"
                    + " \(type)", underlyingError: error))
    }

    @inline(never) static func invalid(_ sentence: String, path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: sentence))
    }
}
