// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A type that says something about its archived form: the base of the protocols ``ArchiveDescribing``, ``ArchivedOnce``,
/// ``ArchiveMigrating``, ``ArchivedFields``, ``ArchivedCases`` and ``Coding``.
///
/// A type conforms to one of these. This protocol by itself has no effect: with it, the coders find by one look-up that a type
/// conforms to none of them, as most types do.
public protocol ArchivedType {}

/// A type that describes its archived form: its name, its former names, its version, and other types that its objects can be
/// read as.
///
/// ```swift
/// struct Contact: Codable, ArchiveDescribing {
///     static let archiveName = "Contact"
///     static let archiveAliases = ["Addresses.Person"]
///     static let archiveVersion = 2
///     /// In metres. Version 1 had centimetres.
///     var height: Double
///
///     init(from decoder: any Decoder) throws {
///         height = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .height)
///         if decoder.archivedVersion(of: Self.self) == 1 { height /= 100 }
///     }
/// }
/// ```
///
/// Every requirement has a default, so a type declares only what it needs. The values are stored in the type's class entry in
/// the archive. A value that is encoded as one number or string, or as an object of a Foundation class, has no class entry and
/// none of this information.
///
/// Classes inherit the conformance. A subclass has its own name and aliases, and declares them with `override class var`;
/// otherwise, it is written under its Swift name.
///
/// ``ArchiveMigrating`` and ``ArchivedOnce`` refine this protocol.
public protocol ArchiveDescribing: ArchivedType {
    /// The name of the type in archives, under `$classname`. A name in a ``ClassRegistry`` takes precedence.
    ///
    /// The default is the full Swift name, such as `Farm.Dog`.
    static var archiveName: String { get }
    /// Other names under which the type is read: its former names. The default is none.
    static var archiveAliases: [String] { get }
    /// The version of the type's encoded form. An archive stores the version at the time of encoding. Other programs ignore it.
    /// The default is 0.
    ///
    /// Each class of a class hierarchy has a version of its own.
    static var archiveVersion: Int { get }
    /// The archived names of other types, the best first, as which a program can read the type's objects if it does not know
    /// the type. The default is none.
    ///
    /// The names are stored under `$classhints`, as those of Cocoa's `classFallbacksForKeyedArchiver` are. A reader that finds
    /// no class under the archived name tries them in order; the decoders of this library do too.
    ///
    /// ```swift
    /// final class Circle: Codable, ArchiveDescribing {
    ///     static let archiveFallbacks = ["Shape"]
    /// }
    /// ```
    static var archiveFallbacks: [String] { get }
}

extension ArchiveDescribing {
    /// The full Swift name.
    public static var archiveName: String { ClassRegistry.swiftName(of: self) }
    /// None.
    public static var archiveAliases: [String] { [] }
    /// 0.
    public static var archiveVersion: Int { 0 }
    /// None.
    public static var archiveFallbacks: [String] { [] }

    /// The name that the type declares; `nil` if it is inherited from its superclass.
    static var ownName: String? { superclass?.archiveName == archiveName ? nil : archiveName }
    static var ownAliases: [String] { superclass?.archiveAliases == archiveAliases ? [] : archiveAliases }

    private static var superclass: (any ArchiveDescribing.Type)? {
        (self as? AnyClass).flatMap { _getSuperclass($0) }.flatMap { archiveDescription(of: $0) }
    }
}

/// Returns `type` as a type that conforms to a protocol which refines `ArchivedType`, such as `any ArchivedFields.Type`; nil if
/// it does not conform.
///
/// In Swift, the first look-up of a conformance visits all conformances in the process. Most types conform to none of these
/// protocols, so that the look-up of `ArchivedType` is the only one.
func conformance<Declared>(of type: any Any.Type, to declared: Declared.Type = Declared.self) -> Declared? {
    (type as? any ArchivedType.Type) as? Declared
}

func archiveDescription(of type: any Any.Type) -> (any ArchiveDescribing.Type)? { conformance(of: type) }
