/// Who is told what an archiver does with instances of `Coding` classes, and may replace them.
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
/// Every method has a default that changes nothing.
public protocol KeyedArchiverDelegate: AnyObject {
    /// What is archived in the place of `object`: itself, another instance, or nil for nothing.
    ///
    /// It is called once for each instance, when it is met for the first time, also by a conditional reference, and after
    /// the instance has named a replacement of its own: `object` is that replacement then.
    func archiver(_ archiver: KeyedArchiver, willEncode object: any Coding) -> (any Coding)?

    /// The contents of `object` are written. It is called once for each instance that is archived.
    func archiver(_ archiver: KeyedArchiver, didEncode object: any Coding)

    /// `replacement`, nil for nothing, is archived wherever `object` is encoded. It is called for each change that the
    /// instance itself or the delegate asks for, before anything of the replacement is written.
    func archiver(_ archiver: KeyedArchiver, willReplace object: any Coding, with replacement: (any Coding)?)

    /// The archive is about to be finished. Values can still be encoded.
    func archiverWillFinish(_ archiver: KeyedArchiver)

    /// The archive is finished.
    func archiverDidFinish(_ archiver: KeyedArchiver)
}

extension KeyedArchiverDelegate {
    /// The object itself.
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
