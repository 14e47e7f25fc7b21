/// Who is told what an unarchiver does with instances of `Coding` classes, and may replace them.
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
/// Every method has a default that changes nothing.
public protocol KeyedUnarchiverDelegate: AnyObject {
    /// The class for objects of the class `name`, which nobody knows; nil for none, which is an error.
    ///
    /// It has to be the class that was asked for, or inherit from it. It is called once for each class entry of the
    /// archive and class that was asked for.
    ///
    /// - Parameters:
    ///   - unarchiver: The one that met the object.
    ///   - name: The name in the archive.
    ///   - originalClasses: The names of the class and its superclasses in the archive.
    func unarchiver(
        _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
    ) -> (any Any.Type)?

    /// What takes the place of `object`, which has just been made and has named a replacement of its own already: itself,
    /// another instance, or nil to leave it as it is. It is called once for each instance.
    func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: any Coding) -> (any Coding)?

    /// `replacement` stands wherever `object` is referred to. It is called for each change that the instance itself or
    /// the delegate asks for.
    func unarchiver(
        _ unarchiver: KeyedUnarchiver, willReplace object: any Coding, with replacement: any Coding)

    /// The archive is about to be closed. Values can still be decoded.
    func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver)

    /// The archive is closed.
    func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver)
}

extension KeyedUnarchiverDelegate {
    /// None.
    public func unarchiver(
        _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
    ) -> (any Any.Type)? { nil }

    /// The object itself.
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
