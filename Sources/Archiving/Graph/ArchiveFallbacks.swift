/// A type whose objects another program may read as something else where it does not know the type.
///
/// ```swift
/// final class Circle: Codable, ArchiveFallbacks {
///     static let archiveFallbacks = ["Shape"]
/// }
/// ```
///
/// The names are a part of the type's class entry in the archive (`$classhints`, Cocoa's `classFallbacksForKeyedArchiver`).
/// A reader that finds no class under the archived name tries them in order, this library's decoders included.
public protocol ArchiveFallbacks: ArchiveDescribing {
    /// Names under which the type's objects may be read as well, the best first. They are names in archives, as
    /// `ClassRegistry` has them.
    static var archiveFallbacks: [String] { get }
}
