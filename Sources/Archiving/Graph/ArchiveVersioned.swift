/// A type whose archived form has a version, which old files carry.
///
/// ```swift
/// struct Contact: Codable, ArchiveVersioned {
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
/// The number is a part of the type's class entry in the archive; other programs pass over it. Every class of a chain has
/// its own. A value that is written as one number or string, or as one of Foundation's classes, has no class entry, and
/// with it no version.
public protocol ArchiveVersioned: ArchiveDescribing {
    /// The version of what is written now. 0 is that of a type which says nothing.
    static var archiveVersion: Int { get }
}
