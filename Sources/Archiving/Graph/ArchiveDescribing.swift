/// A type that says something itself about how it is archived: what ``ArchiveNamed``, ``ArchiveVersioned``,
/// ``ArchiveFallbacks`` and ``ArchivedOnce`` have in common.
///
/// To conform to this alone says nothing. It is there because finding out that a type does not conform to a protocol takes
/// Swift long, once for each type and each protocol. Most types conform to none of these, which
/// the first call in a process so finds out with one question instead of four.
public protocol ArchiveDescribing {}

/// What `type` says of itself, if it is of `kind`.
@inline(__always)
func archiveDescription<Description>(of type: any Any.Type, as kind: Description.Type) -> Description? {
    (type as? any ArchiveDescribing.Type) as? Description
}
