// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A class that encodes itself to a sequential archive, and decodes itself from one, value by value: Cocoa's `NSCoding` as used
/// by `NSArchiver`.
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
///         count = coder.archivedVersion(of: Item.self) == 0 ? 1 : try coder.decode(Int32.self)
///     }
///
///     func encode(with coder: SequentialArchiver) throws {
///         try coder.encode(name)
///         try coder.encode(count)
///     }
/// }
/// ```
///
/// The values in a sequential archive have no names. `init(coder:)` decodes all of them, in the order in which they were encoded.
/// In both methods a subclass calls `super` first. Every instance is archived once, however many references to it there are.
///
/// A class can conform to `Coding` as well: docs/typedstream-format.md shows a class that is read from an old file and saved with
/// keys.
///
/// A subclass can override the members with a default only if the conforming class declares them.
public protocol SequentialCoding: AnyObject, SequentialValue {
    /// The version of the values that the class itself encodes, without its superclasses. The archive stores it for each class of
    /// the chain, so that later versions of the program can read old files. 0 by default. A subclass whose version differs from
    /// its superclass's version overrides it.
    static var classVersion: Int { get }

    /// Creates an instance from the values that `encode(with:)` encoded.
    ///
    /// If the archive has cycles, the initializer calls `coder.publish(self)` as soon as all stored properties have a value,
    /// before it decodes references that can be part of a cycle.
    ///
    /// - Throws: The errors of the coder, or its own. The call that decodes the instance throws them.
    init(coder: SequentialUnarchiver) throws

    /// Encodes the contents of the instance.
    ///
    /// The archiver calls it once for each archive. It encodes the contents of a referenced instance after those of the referring
    /// object, not within them, so that long chains of references need no stack. The order in the file is Cocoa's.
    ///
    /// - Throws: The errors of the coder, or its own. They end the archive.
    func encode(with coder: SequentialArchiver) throws

    /// Returns the instance to be archived instead of this one: the instance itself by default, or `nil` for null. The archiver
    /// calls it once for each archive.
    func replacementObject(for coder: SequentialArchiver) -> (any SequentialCoding)?

    /// Returns the replacement for this instance after it has been decoded: the instance itself by default.
    ///
    /// - Throws: An error, which the call that decodes the instance throws.
    func awakeAfter(using coder: SequentialUnarchiver) throws -> any SequentialCoding

    /// The class whose name is archived for this instance: its own by default. The class must decode the same values.
    var archivedClass: any SequentialCoding.Type { get }
}

extension SequentialCoding {
    /// 0.
    public static var classVersion: Int { 0 }

    /// Returns the instance itself.
    public func replacementObject(for coder: SequentialArchiver) -> (any SequentialCoding)? { self }

    /// Returns the instance itself.
    public func awakeAfter(using coder: SequentialUnarchiver) throws -> any SequentialCoding { self }

    /// The instance's own class.
    public var archivedClass: any SequentialCoding.Type { type(of: self) }
}

extension SequentialCoding {
    /// Returns the position of the instance among the objects of the archive.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable` if the type is another one.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        guard type == .object else { throw coder.notEncodableError(self, as: type) }
        return .object(coder.index(of: self))
    }

    /// Returns the instance at a position among the objects of the archive.
    ///
    /// - Throws: The errors of `init(coder:)`; `ArchivingError`: `.valueNotFound` for nil, `.typeMismatch` for values
    ///   other than objects, `.classNotAllowed` for an object of another class, `.cycle` and `.damaged`.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Self {
        guard case .object(let index?) = value else { throw coder.typeMismatchError(self, found: value, of: type) }
        return try coder.instance(of: self, at: index)
    }
}
