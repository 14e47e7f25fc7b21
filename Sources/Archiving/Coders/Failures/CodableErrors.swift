// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The errors of Codable, which the program receives from encoders and decoders. They are made from an `ArchivingError` as soon as
// one is found: every call of a container is called by the program.

// MARK: - Decoding

extension DecodingError {
    /// Creates the error of a decoder that failed with `failure`.
    ///
    /// The text is short. The underlying error has what was found and what to do, which are described only if the error is read.
    ///
    /// - Parameter key: The key, if it is absent.
    @inline(never)
    init(_ failure: ArchivingError, key: (any CodingKey)? = nil) {
        let path = failure.codingPath.shortened
        func context(_ text: String) -> Context {
            Context(codingPath: path, debugDescription: text, underlyingError: failure)
        }
        switch failure.code.name {
        case .valueNotFound:
            self =
                key.map { .keyNotFound($0, context("The object has no value for the key")) }
                ?? .valueNotFound(failure.type, context("There is no value"))
        case .typeMismatch: self = .typeMismatch(failure.type, context("The value has another type"))
        case .classNotAllowed, .notSecure:
            self = .typeMismatch(failure.type, context("The object has a class that is not allowed"))
        case .numberOutOfRange: self = .dataCorrupted(context("The type cannot represent the number"))
        case .limit: self = .dataCorrupted(context("A limit is exceeded"))
        case .replaced: self = .dataCorrupted(context("An object was replaced"))
        case .damaged, .cycle, .duplicateKey, .notEncodable, .unrepresentableInXML:
            // A reference back has no sentence of its own.
            let isCycle = failure.underlyingError is CycleReference
            let text = isCycle ? failure.description : "The value cannot be decoded"
            self = .dataCorrupted(
                Context(codingPath: path, debugDescription: text, underlyingError: failure.carried))
        }
    }

    package init(damaged error: KeyedArchiveError) { self = DecodingError(.damaged(error, path: [])) }

    static func converted(_ error: any Error) -> any Error {
        (error as? ArchivingError).map { DecodingError($0) } ?? error
    }

    package func inside(_ path: [any CodingKey]) -> DecodingError {
        guard let inner = context else { return self }
        let underlying = (inner.underlyingError as? ArchivingError)?.inside(path) ?? inner.underlyingError
        return with(
            Context(
                codingPath: path + inner.codingPath, debugDescription: inner.debugDescription,
                underlyingError: underlying))
    }

    func with(_ context: Context) -> DecodingError {
        switch self {
        case .typeMismatch(let type, _): return .typeMismatch(type, context)
        case .valueNotFound(let type, _): return .valueNotFound(type, context)
        case .keyNotFound(let key, _): return .keyNotFound(key, context)
        default: return .dataCorrupted(context)
        }
    }
}

extension StoredArchive {
    /// Creates the archive in `storage` for a decoder of Codable, whose error it throws.
    init(decoding storage: ArchiveStorage) throws {
        do throws(KeyedArchiveError) { try self.init(storage) } catch { throw DecodingError(damaged: error) }
    }
}

extension DecodingError {
    /// An archive that contradicts itself, or the requested `type` if there is one.
    @inline(never) static func invalid(
        as type: (any Any.Type)? = nil, path: [any CodingKey], underlying: (any Error)? = nil,
        _ sentence: @escaping @Sendable (_ place: String) -> String
    ) -> DecodingError {
        DecodingError(
            ArchivingError(
                type == nil ? .damaged : .typeMismatch, type ?? Any.self, path: path, underlying: underlying, sentence))
    }

    @inline(never) package static func needsArchive(
        _ type: any Any.Type, _ advice: String, _ decoder: any Decoder
    ) -> DecodingError {
        let other = "\(Swift.type(of: decoder))"
        return invalid(path: decoder.codingPath) { _ in
            "A value of the type \(type) needs an archive, and \(other) has none. \(advice)"
        }
    }

    @inline(never) static func atEnd(_ type: any Any.Type, count: Int, path: [any CodingKey]) -> DecodingError {
        DecodingError(
            ArchivingError(.valueNotFound, type, path: path) { _ in
                "The container at \(Array(path.dropLast()).pathDescription) has \(count) elements, and"
                    + " all of them were decoded. Check isAtEnd before decoding another \(type)"
            })
    }

    @inline(never) static func notRegistered(
        _ name: String, as requested: any Any.Type, path: [any CodingKey],
        _ policy: ClassRegistry.UnknownClassPolicy = .fail
    ) -> DecodingError {
        invalid(as: requested, path: path) {
            "Found a value of \(ArchivingError.shown(name)) at \($0), where \(requested) is"
                + " wanted, and no such type is registered under that name. Register it:"
                + " `classes.register(….self, name: \"\(ArchivingError.shown(name))\")`"
                + policy.restriction(to: requested)
        }
    }

    @inline(never) static func notDecodable(
        _ type: any Any.Type, as requested: any Any.Type, path: [any CodingKey]
    ) -> DecodingError {
        invalid(as: requested, path: path) {
            "Found a value of \(type) at \($0), which is neither Decodable nor a Coding class"
                + ProtocolConformance.advice(for: requested)
        }
    }
}

// MARK: - Encoding

extension EncodingError {
    @inline(never)
    init(_ failure: ArchivingError, _ value: Any) {
        self = .invalidValue(
            Self.shown(value),
            Context(
                codingPath: failure.codingPath.shortened, debugDescription: "The value cannot be encoded",
                underlyingError: failure.carried))
    }

    static func converted(_ error: any Error, _ value: Any) -> any Error {
        (error as? ArchivingError).map { EncodingError($0, value) } ?? error
    }

    @inline(never) static func notWritable(_ value: Any, _ error: PropertyListError) -> EncodingError {
        // Paths of encoders begin in the root object.
        let isBelowRoot = error.codingPath.first?.stringValue == "root"
        return EncodingError(
            .notWritable(isBelowRoot ? error.moved(to: Array(error.codingPath.dropFirst())) : error), value)
    }

    @inline(never) static func invalid(
        _ value: Any, _ code: ArchivingError.Code = .notEncodable, path: [any CodingKey],
        underlying: (any Error)? = nil,
        _ sentence: (_ type: any Any.Type, _ place: String) -> String
    ) -> EncodingError {
        let sentence = sentence(type(of: value), path.pathDescription)
        return EncodingError(
            ArchivingError(code, isWriting: true, path: path, underlying: underlying) { _ in sentence }, value)
    }

    /// A value that is not Codable, maybe of the protocol `requested`, which does not require its types to be.
    @inline(never) static func notEncodable(
        _ value: Any, as requested: any Any.Type = Any.self, path: [any CodingKey]
    ) -> EncodingError {
        invalid(value, path: path) {
            "Found a \($0) at \($1), which is neither Encodable nor an instance of a Coding class"
                + ProtocolConformance.advice(for: requested)
        }
    }

    @inline(never) static func notEncodable(_ list: PropertyList, path: [any CodingKey]) -> EncodingError {
        let (kind, advice) =
            list.uid != nil
            ? ("uid", "it refers to an object of another archive. Encode a KeyedArchive.Value")
            : ("set", "only archives have sets. Encode an array")
        return invalid(list, path: path) { "Found a \(kind) at \($1), which cannot be encoded: \(advice)" }
    }

    @inline(never) static func repeatedKey(
        _ key: String, _ list: PropertyList, path: [any CodingKey]
    ) -> EncodingError {
        invalid(list, path: path) {
            "Found the key \(ReadableText.literal(key)) twice in the dictionary at \($1), which can have"
                + " it once. Remove an entry"
        }
    }

    @inline(never) package static func needsArchive(_ value: Any, _ advice: String, _ encoder: any Encoder)
        -> EncodingError
    {
        invalid(value, path: encoder.codingPath) { type, _ in
            "Found a value of the type \(type), which \(Swift.type(of: encoder)) cannot write. \(advice)"
        }
    }

    /// Returns `value`, or its type if it is nested so deeply, or so large, that its description could overflow the stack.
    static func shown(_ value: Any) -> Any {
        var budget = 256
        return isShallow(value, 16, &budget) ? value : type(of: value)
    }

    private static func isShallow(_ value: Any, _ levels: Int, _ budget: inout Int) -> Bool {
        budget -= 1
        guard levels > 0, budget > 0 else { return false }
        // An instance is described by its type.
        guard !(type(of: value) is AnyClass) else { return true }
        return Mirror(reflecting: value).children.allSatisfy { isShallow($0.value, levels - 1, &budget) }
    }
}
