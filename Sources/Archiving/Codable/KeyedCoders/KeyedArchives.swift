#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Whole archives by one call: an object under the key "root", as Cocoa's have it.

// MARK: - Writing

extension KeyedArchiver {
    /// An archive of `object`, under the key "root".
    ///
    /// ```swift
    /// let data = try KeyedArchiver.archivedData(withRootObject: window)
    /// ```
    ///
    /// - Parameters:
    ///   - object: The instance.
    ///   - requiringSecureCoding: Whether it is an error to encode an instance of a class that says that it does not support
    ///     secure coding.
    ///   - classes: The names that types have in the archive.
    /// - Throws: `ArchivingError`, and what `encode(with:)` throws.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func archivedData<Object: Coding>(
        withRootObject object: Object, requiringSecureCoding: Bool = true,
        classes: ClassRegistry = ClassRegistry()
    ) throws -> Data {
        try data(requiringSecureCoding, classes) { try $0.encode(object, forKey: $1) }
    }

    /// An archive of an instance of a class that is known when the program runs.
    ///
    /// - Throws: As for an instance of a known class.
    @_disfavoredOverload
    public static func archivedData(
        withRootObject object: any Coding, requiringSecureCoding: Bool = true,
        classes: ClassRegistry = ClassRegistry()
    ) throws -> Data {
        try data(requiringSecureCoding, classes) { try $0.encode(object, forKey: $1) }
    }

    /// An archive of `objects`, under the key "root".
    ///
    /// - Throws: As for an instance.
    public static func archivedData<Object: Coding>(
        withRootObject objects: [Object], requiringSecureCoding: Bool = true,
        classes: ClassRegistry = ClassRegistry()
    ) throws -> Data {
        try data(requiringSecureCoding, classes) { try $0.encode(objects, forKey: $1) }
    }

    /// An archive of `value`, under the key "root".
    ///
    /// - Throws: As for an instance, and what `encode(to:)` throws.
    @_disfavoredOverload
    public static func archivedData<Value: Encodable>(
        withRootObject value: Value, requiringSecureCoding: Bool = true,
        classes: ClassRegistry = ClassRegistry()
    ) throws -> Data {
        try data(requiringSecureCoding, classes) { try $0.encode(value, forKey: $1) }
    }

    /// Writes an archive of `object`, under the key "root", to the file at `url`.
    ///
    /// The file is replaced as a whole, as `ArchiveEncoder.encode(_:to:)` does it.
    ///
    /// - Throws: As `archivedData(withRootObject:requiringSecureCoding:classes:)`, and `CocoaError` where the file cannot be
    ///   written.
    public static func archive<Object: Coding>(
        rootObject object: Object, to url: URL, requiringSecureCoding: Bool = true,
        classes: ClassRegistry = ClassRegistry()
    ) throws {
        try ArchiveFile.write(
            archivedData(withRootObject: object, requiringSecureCoding: requiringSecureCoding, classes: classes),
            to: url)
    }

    /// Writes an archive of `objects`, under the key "root", to the file at `url`.
    ///
    /// - Throws: As for an instance.
    public static func archive<Object: Coding>(
        rootObject objects: [Object], to url: URL, requiringSecureCoding: Bool = true,
        classes: ClassRegistry = ClassRegistry()
    ) throws {
        try ArchiveFile.write(
            archivedData(withRootObject: objects, requiringSecureCoding: requiringSecureCoding, classes: classes),
            to: url)
    }

    /// Writes an archive of `value`, under the key "root", to the file at `url`.
    ///
    /// - Throws: As for an instance, and what `encode(to:)` throws.
    @_disfavoredOverload
    public static func archive<Value: Encodable>(
        rootObject value: Value, to url: URL, requiringSecureCoding: Bool = true,
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
    /// The instance under the key "root" of an archive.
    ///
    /// ```swift
    /// let window = try KeyedUnarchiver.unarchivedObject(of: Window.self, from: data)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class of the instance, or one that it inherits from.
    ///   - data: The whole archive.
    ///   - classes: The names that types have in the archive, and the subclasses that may stand in it.
    ///   - limits: How much the archive may ask for.
    /// - Throws: As `decode(_:forKey:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedObject<Object: Coding>(
        of type: Object.Type, from data: Data, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> Object {
        try root(of: data, classes, limits) { try $0.decode(type, forKey: $1) }
    }

    /// The value under the key "root" of an archive.
    ///
    /// - Throws: As `decode(_:forKey:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    @_disfavoredOverload
    public static func unarchivedObject<Value: Decodable>(
        of type: Value.Type, from data: Data, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> Value {
        try root(of: data, classes, limits) { try $0.decode(type, forKey: $1) }
    }

    /// What is under the key "root" of an archive, if it is one of `types`; nil where that is nil.
    ///
    /// - Throws: As `decodeObject(of:forKey:)`, and `UnarchivingError.Code.valueNotFound` where nothing is there.
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

    /// The array of instances under the key "root" of an archive.
    ///
    /// - Throws: As `decode(_:forKey:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedArray<Object: Coding>(
        of type: Object.Type, from data: Data, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> [Object] {
        try root(of: data, classes, limits) { try $0.decode([Object].self, forKey: $1) }
    }

    /// The dictionary of instances under the key "root" of an archive.
    ///
    /// - Throws: As `decode(_:forKey:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedDictionary<Object: Coding>(
        of type: Object.Type, from data: Data, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> [String: Object] {
        try root(of: data, classes, limits) { try $0.decode([String: Object].self, forKey: $1) }
    }

    /// The instance under the key "root" of the archive in a file, which is read as a whole.
    ///
    /// - Throws: As `decode(_:forKey:)`, and what the file system reports.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedObject<Object: Coding>(
        of type: Object.Type, from url: URL, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> Object {
        try unarchivedObject(of: type, from: Data(contentsOf: url), classes: classes, limits: limits)
    }

    /// The value under the key "root" of the archive in a file.
    ///
    /// - Throws: As `decode(_:forKey:)`, and what the file system reports.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    @_disfavoredOverload
    public static func unarchivedObject<Value: Decodable>(
        of type: Value.Type, from url: URL, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> Value {
        try unarchivedObject(of: type, from: Data(contentsOf: url), classes: classes, limits: limits)
    }

    /// What is under the key "root" of the archive in a file, which is read as a whole, if it is one of `types`; nil where
    /// that is nil.
    ///
    /// - Throws: As for data, and what the file system reports.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedObject(
        of types: [any Any.Type], from url: URL, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> Any? {
        try unarchivedObject(of: types, from: Data(contentsOf: url), classes: classes, limits: limits)
    }

    /// The array of instances under the key "root" of the archive in a file, which is read as a whole.
    ///
    /// - Throws: As `decode(_:forKey:)`, and what the file system reports.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedArray<Object: Coding>(
        of type: Object.Type, from url: URL, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> [Object] {
        try unarchivedArray(of: type, from: Data(contentsOf: url), classes: classes, limits: limits)
    }

    /// The dictionary of instances under the key "root" of the archive in a file, which is read as a whole.
    ///
    /// - Throws: As `decode(_:forKey:)`, and what the file system reports.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedDictionary<Object: Coding>(
        of type: Object.Type, from url: URL, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> [String: Object] {
        try unarchivedDictionary(of: type, from: Data(contentsOf: url), classes: classes, limits: limits)
    }

    private static func root<Result>(
        of data: Data, _ classes: ClassRegistry, _ limits: DecodingLimits,
        _ decode: (KeyedUnarchiver, String) throws -> Result
    ) throws -> Result {
        try unarchive(data, classes, limits) { try decode($0, KeyedArchiveFormat.rootKey) }
    }
}
