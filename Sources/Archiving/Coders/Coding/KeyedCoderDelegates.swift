// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// An object that observes how an archiver encodes instances of `Coding` classes, and can replace them.
///
/// ```swift
/// final class WithoutPhotos: KeyedArchiverDelegate {
///     private(set) var count = 0
///
///     func archiver(_ archiver: KeyedArchiver, willEncode object: any Coding) -> (any Coding)? {
///         guard object is Photo else { return object }
///         count += 1
///         return nil
///     }
/// }
///
/// let withoutPhotos = WithoutPhotos()
/// archiver.delegate = withoutPhotos  // which the archiver does not keep alive
/// try archiver.encode(album, forKey: "album")
/// ```
///
/// Every method has a default implementation that changes nothing.
public protocol KeyedArchiverDelegate: AnyObject {
    /// Returns the object to archive instead of `object`: itself, another instance, or `nil` for nothing.
    ///
    /// The archiver calls it once for each instance, at its first reference, conditional or not. If the instance has
    /// named a replacement, `object` is that replacement.
    func archiver(_ archiver: KeyedArchiver, willEncode object: any Coding) -> (any Coding)?

    /// Notifies the delegate that the contents of `object` are written. The archiver calls it once for each archived
    /// instance.
    func archiver(_ archiver: KeyedArchiver, didEncode object: any Coding)

    /// Notifies the delegate that `replacement`, or nothing if it is nil, is archived instead of `object` in all its
    /// places. The archiver calls it for each replacement by the instance or the delegate, before it writes anything of
    /// the replacement.
    func archiver(_ archiver: KeyedArchiver, willReplace object: any Coding, with replacement: (any Coding)?)

    /// Notifies the delegate that the archive is about to be finished. Values can still be encoded.
    func archiverWillFinish(_ archiver: KeyedArchiver)

    func archiverDidFinish(_ archiver: KeyedArchiver)
}

extension KeyedArchiverDelegate {
    /// Returns the object itself.
    public func archiver(_ archiver: KeyedArchiver, willEncode object: any Coding) -> (any Coding)? { object }

    /// Does nothing.
    public func archiver(_ archiver: KeyedArchiver, didEncode object: any Coding) {}

    /// Does nothing.
    public func archiver(
        _ archiver: KeyedArchiver, willReplace object: any Coding, with replacement: (any Coding)?
    ) {}

    /// Does nothing.
    public func archiverWillFinish(_ archiver: KeyedArchiver) {}

    /// Does nothing.
    public func archiverDidFinish(_ archiver: KeyedArchiver) {}
}

// MARK: - Unarchivers

/// An object that observes how an unarchiver decodes instances of `Coding` classes, and can replace them.
///
/// ```swift
/// final class NearestShape: KeyedUnarchiverDelegate {
///     func unarchiver(
///         _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
///     ) -> (any Any.Type)? {
///         originalClasses.contains("Shape") ? Shape.self : nil
///     }
/// }
///
/// let nearestShape = NearestShape()
/// unarchiver.delegate = nearestShape  // which the unarchiver does not keep alive
/// let shape = try unarchiver.decode(Shape.self, forKey: "shape")
/// ```
///
/// Every method has a default implementation that changes nothing.
public protocol KeyedUnarchiverDelegate: AnyObject {
    /// Returns the class for objects of the unknown class `name`, or `nil` to let the decoding fail.
    ///
    /// The class must be the requested class or inherit from it. The unarchiver calls the method once for each pair of
    /// a class entry in the archive and a requested class.
    ///
    /// - Parameters:
    ///   - unarchiver: The unarchiver of the object.
    ///   - name: The class name in the archive.
    ///   - originalClasses: The names of the class and its superclasses in the archive.
    func unarchiver(
        _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
    ) -> (any Any.Type)?

    /// Returns the replacement of `object`, which has just been decoded and has already named its own replacement:
    /// itself, another instance, or `nil` to leave it unchanged. The unarchiver calls it once for each instance.
    func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: any Coding) -> (any Coding)?

    /// Notifies the delegate that all references to `object` become references to `replacement`. The unarchiver calls
    /// it for each replacement by the instance or the delegate.
    func unarchiver(
        _ unarchiver: KeyedUnarchiver, willReplace object: any Coding, with replacement: any Coding)

    /// Notifies the delegate that the archive is about to be closed. Values can still be decoded.
    func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver)

    /// Notifies the delegate that the archive is closed.
    func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver)
}

extension KeyedUnarchiverDelegate {
    /// Returns `nil`.
    public func unarchiver(
        _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
    ) -> (any Any.Type)? { nil }

    /// Returns the object itself.
    public func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: any Coding) -> (any Coding)? { object }

    /// Does nothing.
    public func unarchiver(
        _ unarchiver: KeyedUnarchiver, willReplace object: any Coding, with replacement: any Coding
    ) {}

    /// Does nothing.
    public func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver) {}

    /// Does nothing.
    public func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver) {}
}
