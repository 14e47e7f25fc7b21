/// A class that writes itself to a keyed archive, and makes itself from one, by key: Cocoa's `NSCoding` for Swift classes.
///
/// ```swift
/// class Item: Coding {
///     var name: String
///     var value: Int
///
///     required init(coder: KeyedUnarchiver) throws {
///         name = try coder.decode(String.self, forKey: "name")
///         value = try coder.decodeInteger(forKey: "value")
///     }
///
///     func encode(with coder: KeyedArchiver) throws {
///         coder.encode(name, forKey: "name")
///         coder.encode(value, forKey: "value")
///     }
/// }
/// ```
///
/// A subclass overrides both and calls `super`. The keys of the whole chain belong to one object, so each class chooses
/// names that the others do not use. Every instance is archived once, however often and from wherever it is referred to.
///
/// A `Codable` type has `Coding` instances in properties that are declared `@Coded`; a `Coding` class encodes any
/// `Encodable` value under a key. A class that is both is archived by this protocol.
///
/// The members with a default can be overridden by a subclass only if the class that conforms has them: Swift finds what
/// a protocol asks for in the class that names the protocol.
public protocol Coding: AnyObject, SendableMetatype {
    /// Makes an instance from what the archive has under the keys of `encode(with:)`.
    ///
    /// It is called once for each object of an archive. Where the archive has cycles it calls `coder.publish(self)` as
    /// soon as all stored properties have a value, before it decodes what may lead back to the instance.
    ///
    /// - Throws: What the coder throws, or an error of its own. Whoever asked for the instance gets it.
    init(coder: KeyedUnarchiver) throws

    /// Writes what makes up the instance.
    ///
    /// It is called once for each archive. The contents of an instance are written after those of the object that refers
    /// to it, not within them, so that long chains of references need no stack.
    ///
    /// - Throws: What the coder throws, or an error of its own. The archive fails with it.
    func encode(with coder: KeyedArchiver) throws

    /// What is archived in the place of this instance: itself unless the class says otherwise; nil for nothing. It is
    /// asked once for each archive, before the archiver's delegate is.
    func replacementObject(for coder: KeyedArchiver) -> (any Coding)?

    /// What takes the place of this instance, which has just been made from an archive: itself unless the class says
    /// otherwise. It is asked before the unarchiver's delegate is.
    ///
    /// - Throws: An error for whoever asked for the instance.
    func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding

    /// The class that the archive names as this instance's: its own unless the class says otherwise. It has to read the
    /// same keys.
    var archivedClass: any Coding.Type { get }

    /// The class that objects of this class are made as: this one unless it says otherwise. It has to be one that may
    /// stand where the object is asked for.
    static var unarchivedClass: any Coding.Type { get }

    /// Whether the class checks what it decodes, and may be made from an archive that comes from outside. True unless the
    /// class says otherwise.
    static var supportsSecureCoding: Bool { get }
}

/// `value` as an instance of a `Coding` class; nil where it is something else.
///
/// Only instances are cast: off Apple's platforms a cast to a protocol of classes first turns values into objects, with
/// all that is in them.
func codingObject(_ value: Any) -> (any Coding)? {
    type(of: value) is AnyClass ? value as? any Coding : nil
}

extension Coding {
    /// The instance itself.
    public func replacementObject(for coder: KeyedArchiver) -> (any Coding)? { self }

    /// The instance itself.
    public func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding { self }

    /// The instance's own class.
    public var archivedClass: any Coding.Type { type(of: self) }

    /// The class itself.
    public static var unarchivedClass: any Coding.Type { self }

    /// True.
    public static var supportsSecureCoding: Bool { true }
}
