// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
