// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Whole archives in one call: an object for the key "root", as in Cocoa.

extension KeyedUnarchiver {
    /// Decodes the instance, or the collection of instances, for the key "root" of an archive.
    ///
    /// ```swift
    /// let window = try KeyedUnarchiver.unarchivedObject(of: Window.self, from: data)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class of the instance, or a superclass of it; or another `ArchivableValue`, such as `[Window]`.
    ///   - data: The whole archive.
    ///   - classes: The names of types in the archive, and the subclasses that it may contain.
    ///   - limits: The limits of the decoding.
    /// - Returns: The instance.
    /// - Throws: The errors of `decode(_:forKey:)`.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedObject<Archivable: ArchivableValue>(
        of type: Archivable.Type, from data: Data, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> Archivable {
        try unarchive(data, classes, limits) { try $0.decode(type, forKey: KeyedArchiveFormat.rootKey) }
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
        try unarchive(data, classes, limits) { try $0.decode(type, forKey: KeyedArchiveFormat.rootKey) }
    }

    /// Decodes the object for the key "root" of an archive as one of `types`. Returns `nil` if it is nil.
    ///
    /// - Throws: The errors of `decodeObject(of:forKey:)`, and `ArchivingError.Code.valueNotFound` if the key is
    ///   absent.
    /// - Complexity: O(*n*), where *n* is the number of objects.
    public static func unarchivedObject(
        of types: [any Any.Type], from data: Data, classes: ClassRegistry = ClassRegistry(),
        limits: DecodingLimits = DecodingLimits()
    ) throws -> Any? {
        try unarchive(data, classes, limits) { unarchiver in
            try unarchiver.requireField(KeyedArchiveFormat.rootKey)
            return try unarchiver.decodeObject(of: types, forKey: KeyedArchiveFormat.rootKey)
        }
    }

    private static func unarchive<Result>(
        _ data: Data, _ classes: ClassRegistry, _ limits: DecodingLimits, _ decode: (KeyedUnarchiver) throws -> Result
    ) throws -> Result {
        let unarchiver = try KeyedUnarchiver(data, ReadingSettings(classes: classes, limits: limits))
        defer { unarchiver.finishDecoding() }
        return try decode(unarchiver)
    }
}
