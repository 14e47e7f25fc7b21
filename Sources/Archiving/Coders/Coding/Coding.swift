// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A class whose instances encode themselves to a keyed archive, and decode themselves from one, by key: Cocoa's
/// `NSCoding` for Swift classes.
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
/// A subclass overrides both and calls `super`. The keys of all its classes belong to one object, so each class uses
/// keys that the others do not use. Every instance is archived once, regardless of the number of references to it.
///
/// A `Codable` type declares properties with `Coding` instances as `@Coded`; a `Coding` class encodes any `Encodable`
/// value under a key. A class that conforms to both is archived by this protocol.
///
/// A subclass can override a member with a default implementation only if the conforming class implements it: Swift
/// finds the implementations of a protocol's requirements in the class that declares the conformance.
public protocol Coding: AnyObject, ArchivedType, ArchivableValue, SendableMetatype {
    /// Creates an instance from the values under the keys of `encode(with:)`.
    ///
    /// The unarchiver calls it once for each object of an archive. If the archive has cycles, the initializer calls
    /// `coder.publish(self)` before it decodes values that may refer back to the instance, as soon as all stored
    /// properties have a value.
    ///
    /// - Throws: Errors from the coder, or its own errors. The caller that requested the instance receives them.
    init(coder: KeyedUnarchiver) throws

    /// Encodes the state of the instance.
    ///
    /// The archiver calls it once for each archive. It writes the contents of an instance after those of the
    /// referencing object, not within them, so that long chains of references take no stack.
    ///
    /// - Throws: Errors from the coder, or its own errors. The archive fails with them.
    func encode(with coder: KeyedArchiver) throws

    /// Returns the object to archive instead of this instance, or `nil` to archive nothing. The default is the instance
    /// itself. The archiver calls it once for each archive, before its delegate.
    func replacementObject(for coder: KeyedArchiver) -> (any Coding)?

    /// Returns the replacement of this instance, which has just been decoded. The default is the instance itself. The
    /// unarchiver calls it before its delegate.
    ///
    /// - Throws: An error for the caller that requested the instance.
    func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding

    /// The class that the archive names as the class of this instance. The default is its own class. The named class
    /// must read the same keys.
    var archivedClass: any Coding.Type { get }

    /// The class that objects of this class are decoded as. The default is this class. It must be a type that the
    /// request for the object allows.
    static var unarchivedClass: any Coding.Type { get }

    /// A Boolean value that indicates whether the class validates the values that it decodes, and may be decoded from
    /// untrusted archives. The default is true.
    static var supportsSecureCoding: Bool { get }
}

/// Returns `value` as an instance of a `Coding` class; nil if it is something else.
///
/// Only instances are cast: on platforms other than Apple's, a cast to a protocol of classes first boxes a value, with
/// all its contents, as an object.
func codingObject(_ value: Any) -> (any Coding)? {
    type(of: value) is AnyClass ? value as? any Coding : nil
}

extension Coding {
    /// Returns the instance itself.
    public func replacementObject(for coder: KeyedArchiver) -> (any Coding)? { self }

    /// Returns the instance itself.
    public func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding { self }

    /// The instance's own class.
    public var archivedClass: any Coding.Type { type(of: self) }

    /// The class itself.
    public static var unarchivedClass: any Coding.Type { self }

    /// True.
    public static var supportsSecureCoding: Bool { true }
}
