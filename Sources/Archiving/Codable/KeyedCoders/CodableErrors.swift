/// Creates all errors of Codable from those of the archive.
enum CodableErrors {
    @inline(never) static func nestedTooDeep(_ value: Any, depth: Int, path: [any CodingKey]) -> EncodingError {
        let sentence =
            StackGuard.sentence("The value is", depth) + ". Encode it on a thread with a larger stack, or make the"
            + " values of the long chain class instances, which take no stack"
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

    /// A uid, or a set for another encoder.
    @inline(never) static func notEncodable(_ list: PropertyList, path: [any CodingKey]) -> EncodingError {
        let (kind, advice) =
            list.uid != nil
            ? ("uid", "it refers to an object of another archive. Encode a KeyedArchive.Value")
            : ("set", "only archives have sets. Encode an array")
        return notEncodable(
            list, "Found a \(kind) at \(path.pathDescription), which cannot be encoded: \(advice)", path: path)
    }

    /// A dictionary of a property list has `key` twice.
    @inline(never) static func repeatedKey(
        _ key: String, _ list: PropertyList, path: [any CodingKey]
    ) -> EncodingError {
        notEncodable(
            list,
            "Found the key \(ReadableText.literal(key)) twice in the dictionary at \(path.pathDescription), which can have"
                + " it once. Remove an entry", path: path)
    }

    @inline(never) static func topIsNoValue(_ value: KeyedArchive.Value, path: [any CodingKey]) -> EncodingError {
        notEncodable(
            value, "Found the top of an archive at \(path.pathDescription), which is no object. Encode its values",
            path: path)
    }

    private static func notEncodable(_ value: Any, _ sentence: String, path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: path, debugDescription: sentence,
                underlyingError: ArchivingError(.notEncodable, path: path, sentence)))
    }

    @inline(never) static func valueContainsItself(_ value: Any, path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: path,
                debugDescription:
                    "Found a \(type(of: value)) at \(path.pathDescription) inside the one with the same id. A value that"
                    + " is archived once for each id cannot contain itself. Store its id, or make the type a class"))
    }

    @inline(never) static func negativeRange(location: Int, length: Int, path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            [location, length],
            EncodingError.Context(
                codingPath: path,
                debugDescription:
                    "Found an NSRange with location \(location) and length \(length) at \(path.pathDescription)."
                    + " Both must be 0 or greater"))
    }

    /// A value that only archives represent, requested from another decoder.
    @inline(never) static func needsArchive(_ type: any Any.Type, _ advice: String, _ decoder: any Decoder)
        -> DecodingError
    {
        invalid(
            "A value of the type \(type) needs an archive, and \(Swift.type(of: decoder)) has none. \(advice)",
            path: decoder.codingPath)
    }

    /// A value that only archives represent, given to another encoder.
    @inline(never) static func needsArchive(_ value: Any, _ advice: String, _ encoder: any Encoder) -> EncodingError {
        EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: encoder.codingPath,
                debugDescription:
                    "Found a value of the type \(type(of: value)), which \(type(of: encoder)) cannot write. \(advice)"))
    }

    private static var phoneticName: String {
        "a name with a phonetic representation, which the Codable form of PersonNameComponents does not have. Store the"
            + " phonetic representation as a name of its own"
    }

    @inline(never) static func phoneticName(_ value: Any, path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: path,
                debugDescription: "Found at \(path.pathDescription) \(phoneticName), and set it to nil"))
    }

    @inline(never) static func phoneticName(path: [any CodingKey]) -> DecodingError {
        invalid(
            "Found at \(path.pathDescription) \(phoneticName), or decode a type of the program's own with the keys of"
                + " NSPersonNameComponents", path: path)
    }

    /// Two keys of a dictionary have the same coding key.
    @inline(never) static func equalCodingKeys(_ key: Any, _ text: String, path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            key,
            EncodingError.Context(
                codingPath: path,
                debugDescription:
                    "Found two keys of type \(type(of: key)) with the coding key \"\(text)\" in the dictionary at"
                    + " \(path.pathDescription). Return another codingKey for each of them"))
    }

    /// A value encoded into a keyed or unkeyed container, and then encoded a single value.
    @inline(never) static func notSingle(path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            path,
            EncodingError.Context(
                codingPath: path,
                debugDescription:
                    "The value at \(path.pathDescription) was encoded into a keyed or an unkeyed container, and"
                    + " cannot be a single value as well. Encode that value for a key, or as an element"))
    }

    /// An unloaded part of an archive is damaged and cannot be copied.
    @inline(never) static func notCopied(_ error: KeyedArchiveError, path: [any CodingKey]) -> EncodingError {
        EncodingError.invalidValue(
            path,
            EncodingError.Context(
                codingPath: path,
                debugDescription:
                    "The deferred value at \(path.pathDescription) is not loaded, and cannot be copied because its archive"
                    + " is damaged: \(error.description). Assign another value",
                underlyingError: error))
    }

    /// The value of another archive is damaged and cannot be copied.
    @inline(never) static func notCopied(
        _ value: KeyedArchive.Value, _ error: KeyedArchiveError, path: [any CodingKey]
    ) -> EncodingError {
        EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: path,
                debugDescription:
                    "The KeyedArchive.Value at \(path.pathDescription) cannot be copied because its archive is damaged:"
                    + " \(error.description)",
                underlyingError: error))
    }

    @inline(never) static func notWritable(_ value: Any, _ error: PropertyListError) -> EncodingError {
        // Paths of encoders begin in the root object.
        let isBelowRoot = error.codingPath.first?.stringValue == "root"
        let error = isBelowRoot ? error.moved(to: Array(error.codingPath.dropFirst())) : error
        return EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: error.codingPath, debugDescription: error.description, underlyingError: error))
    }
}

// MARK: - Conversions between the layers

// `StandardCodingErrors` has the conversions in the other direction, for the keyed coders.

extension CodableErrors {
    /// Converts `error`, which a `Coding` class threw inside `value`, to the error of an encoder.
    @inline(never) static func encodingError(_ error: any Error, _ value: Any) -> any Error {
        guard let error = error as? ArchivingError else { return error }
        return EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: error.codingPath, debugDescription: error.debugDescription, underlyingError: error))
    }

    /// Converts `error`, which a `Coding` class threw, to the error of a decoder.
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

    /// Converts `error`, which failed the decoding, to the error of `ArchiveDecoder`.
    @inline(never) static func decodingError(_ error: any Error) -> any Error {
        (error as? UnarchivingError).map { decodingError($0, as: Any.self) } ?? error
    }
}

// MARK: - Decoding

extension CodableErrors {
    /// The archive violates the format.
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

    /// The value has another kind than the requested `type`.
    @inline(never) static func mismatch(
        _ type: any Any.Type, found value: ArchivedValue, in archive: ArchiveContents, path: [any CodingKey]
    ) -> DecodingError {
        if archive.isNil(value) {
            return .valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: path,
                    debugDescription: "Found nil at \(path.pathDescription), where \(type) is expected."
                        + " Decode an optional, or use decodeIfPresent"))
        }
        return mismatch(type, found: archive.describe(value), path: path)
    }

    /// The value, described by `found`, has another kind than the requested `type`.
    @inline(never) static func mismatch(_ type: any Any.Type, found: String, path: [any CodingKey]) -> DecodingError {
        .typeMismatch(
            type,
            DecodingError.Context(
                codingPath: path,
                debugDescription: "Found \(found) at \(path.pathDescription), where \(type) is expected"
            ))
    }

    /// The object, described by `found`, is no value of a property list.
    @inline(never) static func notAPropertyList(found: String, path: [any CodingKey]) -> DecodingError {
        .typeMismatch(
            PropertyList.self,
            DecodingError.Context(
                codingPath: path,
                debugDescription:
                    "Found \(found) at \(path.pathDescription), which no PropertyList can represent. Decode a"
                    + " KeyedArchive.Value, or a [String: PropertyList] of its fields"))
    }

    /// `type` cannot hold the number exactly.
    @inline(never) static func inexact(
        _ type: any Any.Type, found value: ArchivedValue, in archive: ArchiveContents, path: [any CodingKey]
    ) -> DecodingError {
        inexact(type, found: archive.describe(value), path: path)
    }

    /// `type` cannot hold the number, described by `found`, exactly.
    @inline(never) static func inexact(_ type: any Any.Type, found: String, path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: path,
                debugDescription: "Found \(found) at \(path.pathDescription), which \(type) cannot hold exactly",
                underlyingError: UnarchivingError.outOfRange(type, found: found, path: path)))
    }

    /// The requested value is an array, and the data contains no packed numbers.
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
                    + " all of them were decoded. Check isAtEnd before decoding another \(type)"))
    }

    /// Two keys of a dictionary became equal by conversion.
    @inline(never) static func equalKeys(_ key: Any, path: [any CodingKey]) -> DecodingError {
        invalid(
            "Found two keys of the dictionary at \(Array(path.dropLast()).pathDescription) that are both \(key) as"
                + " \(type(of: key)). Decode the keys as String, or as the type that encoded them", path: path)
    }

    /// A cycle, with all of its steps.
    @inline(never) static func cycle(_ cycle: CycleReference, begun: [any CodingKey], path: [any CodingKey])
        -> DecodingError
    {
        invalid(cycle.sentence(begun: begun, path: path), path: path)
    }

    /// The class of the object does not match `requested`.
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

    /// The object is of another class, and has fields but none of the keys in `missed`, which `requested` requested.
    @inline(never) static func foreignClass(
        _ name: String, of value: ArchivedValue, requested: any Any.Type, missed: [String], present: [String],
        path: [any CodingKey]
    ) -> DecodingError {
        let name = UnarchivingError.shown(name)
        let keys = missed.isEmpty ? "keys" : "keys, such as \(UnarchivingError.shownKeys(missed))"
        return .typeMismatch(
            requested,
            DecodingError.Context(
                codingPath: path,
                debugDescription:
                    "Found an object of \(name) (uid \(value.uid)) at \(path.pathDescription), where \(requested) is"
                    + " expected. It has none of the requested \(keys). Its keys are"
                    + " \(UnarchivingError.shownKeys(present)). Decode a type with these keys, or, if \(name) is another"
                    + " name of \(requested), register it: `classes.register(\(requested).self, aliases: [\"\(name)\"])`"
            ))
    }

    /// The type of a polymorphic value is not registered, or is not a `requested`.
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
                    + " wanted, and no such type is registered under that name. Register it:"
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

    /// A Foundation value encoded other parts than its known type has.
    @inline(never) static func unknownParts(_ value: Any) -> EncodingError {
        .invalidValue(
            value,
            EncodingError.Context(
                codingPath: [],
                debugDescription: "Found a Foundation value with unexpected parts: \(value)"))
    }

    /// A Foundation type requested a part that it had not encoded.
    @inline(never) static func noField(_ key: String) -> DecodingError {
        invalid("A Foundation type requested the part \"\(key)\", which it does not encode", path: [])
    }

    /// `type` has no value with the raw value. The sentence is that of the standard library.
    @inline(never) static func noValue<RawValue>(
        of type: any Any.Type, for rawValue: RawValue, path: [any CodingKey]
    ) -> DecodingError {
        invalid("Cannot initialize \(type) from invalid \(RawValue.self) value \(rawValue)", path: path)
    }

    /// The version of the object is newer than the program.
    @inline(never) static func newerVersion(
        _ version: Int, of type: any ArchiveMigrating.Type, path: [any CodingKey]
    ) -> DecodingError {
        invalid(
            "The \(type) at \(path.pathDescription) has version \(version), and this program knows the versions up to"
                + " \(type.archiveVersion). Open it with the program that wrote it", path: path)
    }

    /// A value that a migration has set cannot be decoded as `type`, because of `error`.
    @inline(never) static func notMigrated(_ error: any Error, as type: any Any.Type, path: [any CodingKey])
        -> DecodingError
    {
        .typeMismatch(
            type,
            DecodingError.Context(
                codingPath: path,
                debugDescription: "The value that a migration has set at \(path.pathDescription) cannot be decoded as"
                    + " \(type). Set a value of that type", underlyingError: error))
    }

    @inline(never) static func invalid(_ sentence: String, path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: sentence))
    }
}
