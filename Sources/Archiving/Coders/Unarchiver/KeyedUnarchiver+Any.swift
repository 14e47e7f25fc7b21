// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Lists of types

/// Objects of dynamic types. An allow-list names the accepted types:
///
/// - A `Coding` class or a `Decodable` type accepts objects with its name in the archive. Subclasses of a listed class
///   have to be registered in `classes`.
/// - Leaf types accept leaves: `String`, `Bool`, `Int` (and the other integer types), `Double`, `Float`, `Data`,
///   `Date`, `URL`, `UUID`, `Decimal`, `AttributedText`. A number is decoded as `Int` if it fits, otherwise as a listed type that it
///   fits.
/// - `UnknownObject` accepts an object of any class, including Foundation's, that no other listed type accepts.
/// - Container types accept containers: `[Any].self`, `Set<AnyHashable>.self`, `[AnyHashable: Any].self`. The list also
///   applies to their contents. nil in them is `Optional<Any>.none`.
///
/// The list applies to all nested calls that name no type: an `init(coder:)` that calls `decodeObject(forKey:)` gets
/// the types of the surrounding call. It is checked at every access, even to an instance that is already decoded.
extension KeyedUnarchiver {
    /// Decodes the object for a key as one of `types`. Returns `nil` if there is no value or it is nil.
    ///
    /// - Throws: `ArchivingError.Code.classNotAllowed` for an object of another type, which is not created; otherwise
    ///   the errors of `decode(_:forKey:)`.
    public func decodeObject(of types: [any Any.Type], forKey name: String) throws -> Any? {
        try object(name, allowed(types))
    }

    /// Decodes the next object without a key as one of `types`. Returns `nil` if there is no value or it is nil.
    ///
    /// - Throws: The errors of `decodeObject(of:forKey:)`.
    public func decodeNextObject(of types: [any Any.Type]) throws -> Any? { try object(nil, allowed(types)) }

    /// Decodes the object for a key as a type that the surrounding call allows. Returns `nil` if there is no value or it
    /// is nil.
    ///
    /// Without secure coding, all types in `classes`, leaves and containers are allowed.
    ///
    /// - Throws: `ArchivingError.Code.classNotAllowed` if no surrounding call has an allow-list, and the errors of
    ///   `decodeObject(of:forKey:)`.
    public func decodeObject(forKey name: String) throws -> Any? { try object(name, inherited()) }

    /// Decodes the next object without a key as a type that the surrounding call allows. Returns `nil` if there is no
    /// value or it is nil.
    ///
    /// - Throws: The errors of `decodeObject(forKey:)`.
    public func decodeNextObject() throws -> Any? { try object(nil, inherited()) }

    private func object(_ name: String?, _ allowed: AllowedTypes) throws -> Any? {
        try perform { frame in
            guard let (value, step) = try present(name) else { return nil }
            let list = try list(allowed, for: value, in: frame, at: step)
            let decoding = AnyDecoding(frame, list, at: step)
            do {
                return decoding.isNil(value) ? nil : try decoding.value(value)
            } catch is SkippedObject {
                return nil
            }
        }
    }

    /// Decodes the array for a key, with elements of `types`. Returns `nil` if there is no value or it is nil.
    ///
    /// - Throws: The errors of `decodeObject(of:forKey:)`.
    public func decodeArray(of types: [any Any.Type], forKey name: String) throws -> [Any]? {
        try perform {
            guard let (value, step) = try present(name), !$0.archive.isNil(value) else { return nil }
            return try AnyDecoding($0, AllowedTypeList(types), at: step).elements(value)
        }
    }

    /// Decodes the dictionary for a key, with keys and values of the listed types. Returns `nil` if there is no value or
    /// it is nil.
    ///
    /// - Throws: The errors of `decodeObject(of:forKey:)`.
    public func decodeDictionary(
        keysOf keyTypes: [any Any.Type], valuesOf valueTypes: [any Any.Type], forKey name: String
    ) throws -> [AnyHashable: Any]? {
        try perform {
            guard let (value, step) = try present(name), !$0.archive.isNil(value) else { return nil }
            let decoding = AnyDecoding($0, AllowedTypeList(valueTypes), at: step)
            return try decoding.dictionary(value, keys: AllowedTypeList(keyTypes))
        }
    }

    private func inherited() -> AllowedTypes { requiresSecureCoding ? allowed : .unlisted }

    private func list(
        _ allowed: AllowedTypes, for value: ArchivedValue, in frame: DecodingFrame, at step: CodingPathStep
    ) throws -> AllowedTypeList {
        switch allowed {
        case .list(let number): return AllowedTypeList(allowedTypes(number))
        case .type(let type): return AllowedTypeList([type])
        case .unlisted:
            guard !requiresSecureCoding else {
                throw ArchivingError.noList(frame.archive.describe(value), path: frame.path(step))
            }
            return AllowedTypeList(everything: session.settings.knownTypes)
        }
    }
}

struct AllowedTypeList {
    let types: [any Any.Type]
    /// Whether leaves and containers of all kinds are allowed.
    let isEverything: Bool
    /// Whether objects of classes that a Swift value does not represent, such as an NSOrderedSet, are of no other listed type
    /// than `UnknownObject`.
    let isExact: Bool
    private let identifiers: Set<ObjectIdentifier>

    init(_ types: [any Any.Type]) {
        self.init(types, isExact: false)
    }

    /// Allows `types`, but only for objects that are written again as objects of the same class or its immutable superclass.
    init(exactly types: [any Any.Type]) {
        self.init(types, isExact: true)
    }

    private init(_ types: [any Any.Type], isExact: Bool) {
        self.types = types
        self.isExact = isExact
        isEverything = false
        identifiers = Set(types.map { ObjectIdentifier($0) })
    }

    /// Allows every registered type, and all leaves and containers.
    init(everything types: [any Any.Type]) {
        self.types = types
        isExact = false
        isEverything = true
        identifiers = []
    }

    func contains(_ type: any Any.Type) -> Bool { isEverything || contains(listed: type) }

    func contains(listed type: any Any.Type) -> Bool { identifiers.contains(ObjectIdentifier(type)) }
}
