/// A class that writes itself to a sequential archive, and makes itself from one, value after value: Cocoa's `NSCoding` as
/// `NSArchiver` uses it.
///
/// ```swift
/// class Item: SequentialCoding {
///     var name: String
///     var count: Int32
///
///     class var classVersion: Int { 1 }
///
///     required init(coder: SequentialUnarchiver) throws {
///         name = try coder.decode(String.self)
///         // Files of version 0 have no count.
///         count = coder.version(of: Item.self) == 0 ? 1 : try coder.decode(Int32.self)
///     }
///
///     func encode(with coder: SequentialArchiver) throws {
///         try coder.encode(name)
///         try coder.encode(count)
///     }
/// }
/// ```
///
/// Nothing in a sequential archive has a name: values are decoded in the order in which they were encoded, all of them. A
/// subclass calls `super` first in both. Every instance is archived once, however often it is referred to.
///
/// A class may be `Coding` as well: docs/typedstream-format.md shows one that is read from an old file and saved with keys.
///
/// The members with a default can be overridden by a subclass only if the class that conforms has them.
public protocol SequentialCoding: AnyObject, SequentialValue {
    /// The version of what the class itself writes, without its superclasses. It stands in the archive, for each class of the
    /// chain, so that later versions of the program know what they read. 0 unless the class says otherwise; a subclass that
    /// has another version than its superclass overrides it.
    static var classVersion: Int { get }

    /// Makes an instance from the values of `encode(with:)`.
    ///
    /// Where the archive has cycles it calls `coder.publish(self)` as soon as all stored properties have a value, before it
    /// decodes what may lead back to the instance.
    ///
    /// - Throws: What the coder throws, or an error of its own. Whoever asked for the instance gets it.
    init(coder: SequentialUnarchiver) throws

    /// Writes what makes up the instance.
    ///
    /// It is called once for each archive. The contents of an instance are asked for after those of the object that refers to
    /// it, not within them, so that long chains of references need no stack. In the file they are where Cocoa has them.
    ///
    /// - Throws: What the coder throws, or an error of its own. The archive fails with it.
    func encode(with coder: SequentialArchiver) throws

    /// What is archived in the place of this instance: itself unless the class says otherwise; nil for nothing. It is asked
    /// once for each archive.
    func replacementObject(for coder: SequentialArchiver) -> (any SequentialCoding)?

    /// What takes the place of this instance, which has just been made from an archive: itself unless the class says
    /// otherwise.
    ///
    /// - Throws: An error for whoever asked for the instance.
    func awakeAfter(using coder: SequentialUnarchiver) throws -> any SequentialCoding

    /// The class that the archive names as this instance's: its own unless the class says otherwise. It has to read the same
    /// values.
    var classForSequentialArchiver: any SequentialCoding.Type { get }
}

extension SequentialCoding {
    /// 0.
    public static var classVersion: Int { 0 }

    /// The instance itself.
    public func replacementObject(for coder: SequentialArchiver) -> (any SequentialCoding)? { self }

    /// The instance itself.
    public func awakeAfter(using coder: SequentialUnarchiver) throws -> any SequentialCoding { self }

    /// The instance's own class.
    public var classForSequentialArchiver: any SequentialCoding.Type { type(of: self) }
}

extension SequentialCoding {
    /// An object.
    public static var sequentialTypeEncoding: TypeEncoding { .object }

    /// The position of the instance among the objects of the archive.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` where the type is another one.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        guard type == .object else { throw coder.notEncodableError(self, as: type) }
        return .object(coder.index(of: self))
    }

    /// The instance at a position among the objects of the archive.
    ///
    /// - Throws: What `init(coder:)` throws; `SequentialCodingError`: `.valueNotFound` where nil is there,
    ///   `.typeMismatch` where no object is, `.classNotAllowed` where it is one of another class, `.cycle` and
    ///   `.damaged`.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Self {
        guard case .object(let index?) = value else { throw coder.typeMismatchError(self, found: value, of: type) }
        return try coder.instance(of: self, at: index)
    }
}
