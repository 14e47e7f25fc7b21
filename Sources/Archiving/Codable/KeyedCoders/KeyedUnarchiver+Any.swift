#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Lists of types

/// Objects whose type is known when the program runs. A list says what they may be:
///
/// - a `Coding` class, or a `Decodable` type, by the name that its objects have in the archive; classes that inherit from
///   one in the list have to be registered in `classes`;
/// - leaves by their type: `String`, `Bool`, `Int` (and the other integer types), `Double`, `Float`, `Data`, `Date`,
///   `URL`, `UUID`, `Decimal`. A number is an `Int` where it fits, otherwise what of the list it fits;
/// - `UnknownObject`, which stands for an object of any class, Foundation's included, that no other type of the list does;
/// - containers only where they are listed: `[Any].self`, `Set<AnyHashable>.self`, `[AnyHashable: Any].self`. What is in
///   them may be what the list says as well. nil in them is `Optional<Any>.none`. A packed array of numbers is an array
///   where `Data.self` is not in the list.
///
/// The list holds for everything below the call that does not say itself what it decodes: an `init(coder:)` that calls
/// `decodeObject(forKey:)` gets what the list of the call around it allows. It is checked at every access, for objects that
/// are there already as well.
extension KeyedUnarchiver {
    /// What is under the key, if it is one of `types`; nil where nothing or nil is there.
    ///
    /// - Throws: `UnarchivingError.Code.classNotAllowed` where it is something else, of which nothing has been created;
    ///   otherwise as `decode(_:forKey:)`.
    public func decodeObject(of types: [any Any.Type], forKey name: String) throws -> Any? {
        try optional { try field(name).flatMap { try any($0, .list(types)) } }
    }

    /// What is under the key, if it is what the call around this one allows; nil where nothing or nil is there.
    ///
    /// Where secure coding is not required, everything is allowed that is registered in `classes`, and leaves and
    /// containers.
    ///
    /// - Throws: `UnarchivingError.Code.classNotAllowed` where nobody has said what is allowed, and as
    ///   `decodeObject(of:forKey:)`.
    public func decodeObject(forKey name: String) throws -> Any? {
        try optional { try field(name).flatMap { try any($0, inherited()) } }
    }

    /// The array under the key, each of whose elements is one of `types`; nil where nothing or nil is there.
    ///
    /// - Throws: As `decodeObject(of:forKey:)`.
    public func decodeArray(of types: [any Any.Type], forKey name: String) throws -> [Any]? {
        try optional {
            guard let value = try field(name), !shared.pointee.archive.isNil(value) else { return nil }
            return try list(types).elements(value, of: [Any].self)
        }
    }

    /// The dictionary under the key, each of whose keys and values is one of the types listed for it; nil where nothing
    /// or nil is there.
    ///
    /// - Throws: As `decodeObject(of:forKey:)`.
    public func decodeDictionary(
        keysOf keyTypes: [any Any.Type], valuesOf valueTypes: [any Any.Type], forKey name: String
    ) throws -> [AnyHashable: Any]? {
        try optional {
            guard let value = try field(name), !shared.pointee.archive.isNil(value) else { return nil }
            return try list(valueTypes).dictionary(value, keys: list(keyTypes))
        }
    }

    /// The next value without a key, if it is one of `types`; nil where nothing or nil is there.
    ///
    /// - Throws: As `decodeObject(of:forKey:)`.
    public func decodeObject(of types: [any Any.Type]) throws -> Any? {
        try optional { try nextField().value.flatMap { try any($0, .list(types)) } }
    }

    /// The next value without a key, if it is what the call around this one allows; nil where nothing or nil is there.
    ///
    /// - Throws: As `decodeObject(forKey:)`.
    public func decodeObject() throws -> Any? {
        try optional { try nextField().value.flatMap { try any($0, inherited()) } }
    }

    /// What the call around this one allows.
    private func inherited() -> AllowedTypes {
        guard requiresSecureCoding else { return .unlisted }
        return state.pointee.object.pointee.allowed
    }

    private func list(_ types: [any Any.Type]) -> AnyDecoding {
        AnyDecoding(self, AllowedTypeList(types), path: pathIndex())
    }

    /// What `value`, which was found last, is.
    private func any(_ value: ArchivedValue, _ allowed: AllowedTypes) throws -> Any? {
        if value.isNull { return nil }
        let list: AllowedTypeList
        switch allowed {
        case .list(let types): list = AllowedTypeList(types)
        case .type(let type): list = AllowedTypeList([type])
        case .unlisted:
            if requiresSecureCoding {
                let found = shared.pointee.archive.describe(value)
                throw UnarchivingError.noList(found, path: keys(pathIndex()))
            }
            list = AllowedTypeList(everything: shared.pointee.knownTypes)
        }
        let decoding = AnyDecoding(self, list, path: pathIndex())
        do {
            return decoding.isNil(value) ? nil : try decoding.value(value)
        } catch is SkippedObject {
            return nil
        }
    }
}

/// What may be created.
struct AllowedTypeList {
    let types: [any Any.Type]
    /// Whether leaves and containers of all kinds are allowed.
    let isEverything: Bool
    private let identifiers: Set<ObjectIdentifier>

    init(_ types: [any Any.Type]) {
        self.types = types
        isEverything = false
        identifiers = Set(types.map { ObjectIdentifier($0) })
    }

    /// Whatever is registered.
    init(everything types: [any Any.Type]) {
        self.types = types
        isEverything = true
        identifiers = []
    }

    func contains(_ type: any Any.Type) -> Bool { isEverything || contains(listed: type) }

    /// Whether `type` itself is in the list.
    func contains(listed type: any Any.Type) -> Bool { identifiers.contains(ObjectIdentifier(type)) }
}
