#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Whole archives in one call: an object for the key "root", as in Cocoa.

// MARK: - Writing

extension KeyedArchiver {
    /// Returns an archive of `object` for the key "root".
    ///
    /// ```swift
    /// let data = try KeyedArchiver.archivedData(withRootObject: window)
    /// ```
    ///
    /// - Parameters:
    ///   - object: The instance.
    ///   - requiringSecureCoding: Whether an instance of a class that declares no support for secure coding is an
    ///     error.
    ///   - classes: The names that types have in the archive.
    /// - Returns: The archive.
    /// - Throws: `ArchivingError`, and errors of `encode(with:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func archivedData<Object: Coding>(
        withRootObject object: Object, requiringSecureCoding: Bool = true,
        classes: ClassRegistry = ClassRegistry()
    ) throws -> Data {
        try data(requiringSecureCoding, classes) { try $0.encode(object, forKey: $1) }
    }

    /// Returns an archive of an instance of a dynamic class.
    ///
    /// - Throws: As for an instance of a static class.
    @_disfavoredOverload
    public static func archivedData(
        withRootObject object: any Coding, requiringSecureCoding: Bool = true,
        classes: ClassRegistry = ClassRegistry()
    ) throws -> Data {
        try data(requiringSecureCoding, classes) { try $0.encode(object, forKey: $1) }
    }

    /// Returns an archive of `objects` for the key "root".
    ///
    /// - Throws: As for an instance.
    public static func archivedData<Object: Coding>(
        withRootObject objects: [Object], requiringSecureCoding: Bool = true,
        classes: ClassRegistry = ClassRegistry()
    ) throws -> Data {
        try data(requiringSecureCoding, classes) { try $0.encode(objects, forKey: $1) }
    }

    /// Returns an archive of `value` for the key "root".
    ///
    /// - Throws: As for an instance, and errors of `encode(to:)`.
    @_disfavoredOverload
    public static func archivedData<Value: Encodable>(
        withRootObject value: Value, requiringSecureCoding: Bool = true,
        classes: ClassRegistry = ClassRegistry()
    ) throws -> Data {
        try data(requiringSecureCoding, classes) { try $0.encode(value, forKey: $1) }
    }

    /// Writes an archive of `object` for the key "root" to the file at `url`.
    ///
    /// The file is replaced as a whole, as by `ArchiveEncoder.encode(_:to:)`.
    ///
    /// - Throws: The errors of `archivedData(withRootObject:requiringSecureCoding:classes:)`, and `CocoaError` if the
    ///   file cannot be written.
    public static func archiveRootObject<Object: Coding>(
        _ object: Object, to url: URL, requiringSecureCoding: Bool = true,
        classes: ClassRegistry = ClassRegistry()
    ) throws {
        try ArchiveFile.write(
            archivedData(withRootObject: object, requiringSecureCoding: requiringSecureCoding, classes: classes),
            to: url)
    }

    /// Writes an archive of `objects` for the key "root" to the file at `url`.
    ///
    /// - Throws: As for an instance.
    public static func archiveRootObject<Object: Coding>(
        _ objects: [Object], to url: URL, requiringSecureCoding: Bool = true,
        classes: ClassRegistry = ClassRegistry()
    ) throws {
        try ArchiveFile.write(
            archivedData(withRootObject: objects, requiringSecureCoding: requiringSecureCoding, classes: classes),
            to: url)
    }

    /// Writes an archive of `value` for the key "root" to the file at `url`.
    ///
    /// - Throws: As for an instance, and errors of `encode(to:)`.
    @_disfavoredOverload
    public static func archiveRootObject<Value: Encodable>(
        _ value: Value, to url: URL, requiringSecureCoding: Bool = true,
        classes: ClassRegistry = ClassRegistry()
    ) throws {
        try ArchiveFile.write(
            archivedData(withRootObject: value, requiringSecureCoding: requiringSecureCoding, classes: classes),
            to: url)
    }

    private static func data(
        _ requiresSecureCoding: Bool, _ classes: ClassRegistry,
        _ encode: (KeyedArchiver, String) throws -> Void
    ) throws -> Data {
        try archive(requiringSecureCoding: requiresSecureCoding, classes) {
            try encode($0, KeyedArchiveFormat.rootKey)
        }
    }
}

// MARK: - Reading

extension KeyedUnarchiver {
    /// Decodes the instance for the key "root" of an archive.
    ///
    /// ```swift
    /// let window = try KeyedUnarchiver.unarchivedObject(of: Window.self, from: data)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class of the instance, or a superclass of it.
    ///   - data: The whole archive.
    ///   - classes: The names of types in the archive, and the subclasses that it may contain.
    ///   - limits: The limits of the decoding.
    /// - Returns: The instance.
    /// - Throws: The errors of `decode(_:forKey:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedObject<Object: Coding>(
        of type: Object.Type, from data: Data, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> Object {
        try root(of: data, classes, limits) { try $0.decode(type, forKey: $1) }
    }

    /// Decodes the value for the key "root" of an archive.
    ///
    /// - Throws: The errors of `decode(_:forKey:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    @_disfavoredOverload
    public static func unarchivedObject<Value: Decodable>(
        of type: Value.Type, from data: Data, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> Value {
        try root(of: data, classes, limits) { try $0.decode(type, forKey: $1) }
    }

    /// Decodes the object for the key "root" of an archive as one of `types`. Returns `nil` if it is nil.
    ///
    /// - Throws: The errors of `decodeObject(of:forKey:)`, and `UnarchivingError.Code.valueNotFound` if the key is
    ///   absent.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedObject(
        of types: [any Any.Type], from data: Data, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> Any? {
        try root(of: data, classes, limits) { unarchiver, key in
            guard unarchiver.containsValue(forKey: key) else { throw unarchiver.notFound(key) }
            return try unarchiver.decodeObject(of: types, forKey: key)
        }
    }

    /// Decodes the array of instances for the key "root" of an archive.
    ///
    /// - Throws: The errors of `decode(_:forKey:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedArray<Object: Coding>(
        of type: Object.Type, from data: Data, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> [Object] {
        try root(of: data, classes, limits) { try $0.decode([Object].self, forKey: $1) }
    }

    /// Decodes the dictionary of instances for the key "root" of an archive.
    ///
    /// - Throws: The errors of `decode(_:forKey:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedDictionary<Object: Coding>(
        of type: Object.Type, from data: Data, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> [String: Object] {
        try root(of: data, classes, limits) { try $0.decode([String: Object].self, forKey: $1) }
    }

    private static func root<Result>(
        of data: Data, _ classes: ClassRegistry, _ limits: DecodingLimits,
        _ decode: (KeyedUnarchiver, String) throws -> Result
    ) throws -> Result {
        try unarchive(data, classes, limits) { try decode($0, KeyedArchiveFormat.rootKey) }
    }
}
