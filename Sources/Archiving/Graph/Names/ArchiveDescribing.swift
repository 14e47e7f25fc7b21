/// A type that says how it is archived: its name, its former names, its version, and what else its objects may be read as.
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
/// Every requirement has a default, so a type declares only what it needs. All of it is a part of the type's class entry in
/// the archive. A value that is written as one number or string, or as one of Foundation's classes, has no class entry,
/// and none of this.
///
/// Classes inherit the conformance. A subclass has its own name and aliases, and declares them with `override class var`;
/// without that, it is written under its Swift name.
///
/// ``ArchiveMigrating`` and ``ArchivedOnce`` refine this protocol.
public protocol ArchiveDescribing {
    /// The name of the type in archives, under `$classname`. A name in a ``ClassRegistry`` takes precedence.
    ///
    /// The default is the full Swift name, such as `Farm.Dog`.
    static var archiveName: String { get }
    /// Other names under which the type is read: those that it had before. The default is none.
    static var archiveAliases: [String] { get }
    /// The version of the form that the type is written in. Old files have the number of the form that they were written
    /// in, and other programs ignore it. The default is 0.
    ///
    /// Each class of a class hierarchy has a version of its own.
    static var archiveVersion: Int { get }
    /// Names of other types, the best first, that a program may read the type's objects as if it does not know the type.
    /// The names are those in archives. The default is none.
    ///
    /// The names are stored under `$classhints`, as those of Cocoa's `classFallbacksForKeyedArchiver` are. A reader that
    /// finds no class under the archived name tries them in order; the decoders of this library do too.
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
    /// The aliases that the type declares, without those of its superclass.
    static var ownAliases: [String] { superclass?.archiveAliases == archiveAliases ? [] : archiveAliases }

    private static var superclass: (any ArchiveDescribing.Type)? {
        (self as? AnyClass).flatMap { _getSuperclass($0) } as? any ArchiveDescribing.Type
    }
}

/// What `type` says of itself, if it is of `kind`.
///
/// Swift needs long to find out that a type does not conform to a protocol. Most types describe nothing: then this is one
/// question for the protocols that refine `ArchiveDescribing`.
@inline(__always)
func archiveDescription<Description>(of type: any Any.Type, as kind: Description.Type) -> Description? {
    (type as? any ArchiveDescribing.Type) as? Description
}
