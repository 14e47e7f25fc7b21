// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The conversions to the errors of Codable, `EncodingError` and `DecodingError`, and the failures that only the coders of
// Codable have. `UnarchivingError` and `ArchivingError` have the conversions for the keyed coders.

/// Creates the errors of Codable.
enum CodableErrors {
    @inline(never) static func nestedTooDeep(
        _ value: Any, depth: Int, limit: Int, path: [any CodingKey]
    ) -> EncodingError {
        let sentence =
            depth >= limit
            ? "The value is nested deeper than the limit of \(limit) levels. Raise `limits.nesting` of the encoder and of the"
                + " decoder, or make the values of the chain class instances, behind @Reference or @References"
            : StackGuard.sentence("The value is", depth) + ". Encode it on a thread with a larger stack, or make the"
                + " values of the chain class instances, behind @Reference or @References"
        return invalid(value, sentence, path: path, underlying: ArchivingError(.limit, path: path, sentence))
    }

    @inline(never) static func notEncodable(_ value: Any, path: [any CodingKey]) -> EncodingError {
        invalid(
            value,
            "Found a \(type(of: value)) at \(path.pathDescription), which is neither Encodable nor an"
                + " instance of a Coding class", path: path)
    }

    /// A value of the protocol `requested`, which does not require its types to be Codable.
    @inline(never) static func notEncodable(
        _ value: Any, as requested: any Any.Type, path: [any CodingKey]
    ) -> EncodingError {
        invalid(
            value,
            "Found a \(type(of: value)) at \(path.pathDescription), which is neither Encodable nor an"
                + " instance of a Coding class" + ProtocolConformance.advice(for: requested), path: path)
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
        invalid(
            value,
            sentence, path: path, underlying: ArchivingError(.notEncodable, path: path, sentence))
    }

    @inline(never) static func valueContainsItself(_ value: Any, path: [any CodingKey]) -> EncodingError {
        invalid(
            value,
            "Found a \(type(of: value)) at \(path.pathDescription) inside the one with the same id. A value that"
                + " is archived once for each id cannot contain itself. Store its id, or make the type a class",
            path: path)
    }

    @inline(never) static func negativeRange(location: Int, length: Int, path: [any CodingKey]) -> EncodingError {
        invalid(
            [location, length],
            "Found an NSRange with location \(location) and length \(length) at \(path.pathDescription)."
                + " Both must be 0 or greater", path: path)
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
        invalid(
            value,
            "Found a value of the type \(type(of: value)), which \(type(of: encoder)) cannot write. \(advice)",
            path: encoder.codingPath)
    }

    private static var phoneticName: String {
        "a name with a phonetic representation, which the Codable form of PersonNameComponents does not have. Store the"
            + " phonetic representation as a name of its own"
    }

    @inline(never) static func phoneticName(_ value: Any, path: [any CodingKey]) -> EncodingError {
        invalid(
            value,
            "Found at \(path.pathDescription) \(phoneticName), and set it to nil", path: path)
    }

    @inline(never) static func phoneticName(path: [any CodingKey]) -> DecodingError {
        invalid(
            "Found at \(path.pathDescription) \(phoneticName), or decode a type of the program's own with the keys of"
                + " NSPersonNameComponents", path: path)
    }

    /// Two keys of a dictionary have the same coding key.
    @inline(never) static func equalCodingKeys(_ key: Any, _ text: String, path: [any CodingKey]) -> EncodingError {
        invalid(
            key,
            "Found two keys of type \(type(of: key)) with the coding key \"\(text)\" in the dictionary at"
                + " \(path.pathDescription). Return another codingKey for each of them", path: path)
    }

    /// A value encoded into a keyed or unkeyed container, and then encoded a single value.
    @inline(never) static func notSingle(path: [any CodingKey]) -> EncodingError {
        invalid(
            path,
            "The value at \(path.pathDescription) was encoded into a keyed or an unkeyed container, and"
                + " cannot be a single value as well. Encode that value for a key, or as an element", path: path)
    }

    /// An unloaded part of an archive is damaged and cannot be copied.
    @inline(never) static func notCopied(_ error: KeyedArchiveError, path: [any CodingKey]) -> EncodingError {
        invalid(
            path,
            "The deferred value at \(path.pathDescription) is not loaded, and cannot be copied because its archive"
                + " is damaged: \(error.description). Assign another value", path: path, underlying: error)
    }

    /// The value of another archive is damaged and cannot be copied.
    @inline(never) static func notCopied(
        _ value: KeyedArchive.Value, _ error: KeyedArchiveError, path: [any CodingKey]
    ) -> EncodingError {
        invalid(
            value,
            "The KeyedArchive.Value at \(path.pathDescription) cannot be copied because its archive is damaged:"
                + " \(error.description)", path: path, underlying: error)
    }

    @inline(never) static func notWritable(_ value: Any, _ error: PropertyListError) -> EncodingError {
        // Paths of encoders begin in the root object.
        let isBelowRoot = error.codingPath.first?.stringValue == "root"
        let error = isBelowRoot ? error.moved(to: Array(error.codingPath.dropFirst())) : error
        return invalid(
            value,
            error.description, path: error.codingPath, underlying: error)
    }

    static func invalid(
        _ value: Any, _ sentence: String, path: [any CodingKey], underlying: (any Error)? = nil
    ) -> EncodingError {
        .invalidValue(
            shown(value),
            EncodingError.Context(codingPath: path.shortened, debugDescription: sentence, underlyingError: underlying))
    }

    /// Returns `value`, or its type if it is nested so deeply, or so large, that its description could overflow the stack.
    private static func shown(_ value: Any) -> Any {
        var budget = 256
        return isShallow(value, 16, &budget) ? value : type(of: value)
    }

    /// Returns whether `value` has at most `levels` levels of parts, and at most `budget` parts.
    private static func isShallow(_ value: Any, _ levels: Int, _ budget: inout Int) -> Bool {
        budget -= 1
        guard levels > 0, budget > 0 else { return false }
        // An instance is described by its type.
        guard !(type(of: value) is AnyClass) else { return true }
        return Mirror(reflecting: value).children.allSatisfy { isShallow($0.value, levels - 1, &budget) }
    }
}

// MARK: - Conversions

extension DecodingError: CoderError {
    var isLimit: Bool { (carriedError as? UnarchivingError)?.isLimit ?? false }

    var carriedError: (any Error)? {
        guard case .dataCorrupted(let context) = self else { return nil }
        return context.underlyingError
    }

    /// Creates the error of a decoder that failed with `failure`.
    @inline(never)
    init(_ failure: ReadingFailure) {
        // `DecodingError` has no case for these kinds, but the error of the keyed coders has a code.
        let underlying =
            switch failure.kind {
            case .limit, .outOfRange, .classNotAllowed, .notSecure, .replaced: UnarchivingError(failure)
            default: failure.underlying
            }
        let context = Context(
            codingPath: failure.path.shortened, debugDescription: failure.sentence, underlyingError: underlying)
        switch failure.kind {
        case .keyNotFound(let key): self = .keyNotFound(key, context)
        case .null: self = .valueNotFound(failure.type, context)
        case .mismatch, .classNotAllowed, .notSecure: self = .typeMismatch(failure.type, context)
        case .damaged, .limit, .outOfRange, .cycle, .replaced: self = .dataCorrupted(context)
        }
    }
}

extension StoredArchive {
    /// Creates the archive in `storage` for a decoder of Codable, whose error it throws.
    init(decoding storage: ArchiveStorage) throws {
        do throws(KeyedArchiveError) { try self.init(storage) } catch { throw DecodingError(damaged: error) }
    }
}

extension CycleReference {
    /// The error that carries the reference through initializers of Codable types.
    var decodingError: DecodingError { DecodingError(failure) }
}

extension CodableErrors {
    /// Converts `error`, which a `Coding` class threw inside `value`, to the error of an encoder.
    @inline(never) static func encodingError(_ error: any Error, _ value: Any) -> any Error {
        guard let error = error as? ArchivingError else { return error }
        return invalid(value, error.debugDescription, path: error.codingPath, underlying: error)
    }

    /// Converts `error`, which a `Coding` class threw, to the error of a decoder.
    @inline(never) static func decodingError(_ error: UnarchivingError, as type: any Any.Type) -> DecodingError {
        if let cycle = CycleReference(in: error) { return cycle.decodingError }
        let context = DecodingError.Context(
            codingPath: error.codingPath.shortened, debugDescription: error.debugDescription, underlyingError: error)
        switch error.code {
        case .valueNotFound: return .valueNotFound(type, context)
        case .typeMismatch, .classNotAllowed, .notSecure: return .typeMismatch(type, context)
        default: return .dataCorrupted(context)
        }
    }

    /// Converts `error` to the error of `ArchiveDecoder`, unless it is the program's own.
    @inline(never) static func decodingError(_ error: any Error) -> any Error {
        switch error {
        case let failure as ReadingFailure: DecodingError(failure)
        case let error as UnarchivingError: decodingError(error, as: Any.self)
        default: error
        }
    }
}

// MARK: - Decoding

extension CodableErrors {
    /// The object, described by `found`, is no value of a property list.
    @inline(never) static func notAPropertyList(found: String, path: [any CodingKey]) -> DecodingError {
        mismatch(
            PropertyList.self,
            "Found \(found) at \(path.pathDescription), which no PropertyList can represent. Decode a"
                + " KeyedArchive.Value, or a [String: PropertyList] of its fields", path: path)
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

    /// The type of a polymorphic value is not registered, or is not a `requested`.
    @inline(never) static func notRegistered(
        _ name: String, as requested: any Any.Type, path: [any CodingKey],
        _ policy: ClassRegistry.UnknownClassPolicy = .fail
    ) -> DecodingError {
        mismatch(
            requested,
            "Found a value of \(ReadingFailure.shown(name)) at \(path.pathDescription), where \(requested) is"
                + " wanted, and no such type is registered under that name. Register it:"
                + " `classes.register(….self, name: \"\(ReadingFailure.shown(name))\")`"
                + policy.restriction(to: requested), path: path)
    }

    /// The type that is registered under the name of the class is not Codable.
    @inline(never) static func notDecodable(
        _ type: any Any.Type, as requested: any Any.Type, path: [any CodingKey]
    ) -> DecodingError {
        mismatch(
            requested,
            "Found a value of \(type) at \(path.pathDescription), which is neither Decodable nor a Coding class"
                + ProtocolConformance.advice(for: requested), path: path)
    }

    @inline(never) static func valueContainsItself(_ uid: UInt32, path: [any CodingKey]) -> DecodingError {
        invalid("The archive is damaged: the value with uid \(uid) contains itself", path: path)
    }

    /// A Foundation value encoded other parts than its known type has.
    @inline(never) static func unknownParts(_ value: Any) -> EncodingError {
        invalid(value, "Found a Foundation value with unexpected parts: \(value)", path: [])
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

    /// The keys `names` are not the name of one declared case of `type`.
    @inline(never) static func noCase(
        of type: any Any.Type, _ names: [String], path: [any CodingKey]
    ) -> DecodingError {
        let found = names.count == 1 ? "\"\(names[0])\", which is no case of \(type)" : "\(names.count) keys"
        return mismatch(
            type, "A value of \(type) has one key, the name of its case. At \(path.pathDescription) is \(found)",
            path: path)
    }

    /// No declared case has `value`.
    @inline(never) static func noCase(_ value: Any, path: [any CodingKey]) -> EncodingError {
        invalid(
            value,
            "\(type(of: value)).cases has no case for \(shown(value)) at \(path.pathDescription). Declare the case",
            path: path)
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
        mismatch(
            type,
            "The value that a migration has set at \(path.pathDescription) cannot be decoded as"
                + " \(type). Set a value of that type", path: path, underlying: error)
    }

    @inline(never) static func invalid(_ sentence: String, path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: path, debugDescription: sentence))
    }

    private static func mismatch(
        _ type: any Any.Type, _ sentence: String, path: [any CodingKey], underlying: (any Error)? = nil
    ) -> DecodingError {
        DecodingError(ReadingFailure(.mismatch, type, path: path, sentence, underlying: underlying))
    }
}
