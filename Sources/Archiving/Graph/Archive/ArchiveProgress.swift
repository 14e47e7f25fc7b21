/// How far an encoding, a decoding or the saving of a document is.
///
/// ```swift
/// let library = try await ArchiveDecoder().decode(Library.self, from: url) { progress in
///     print("\(progress.completedCount) of \(progress.totalCount ?? 0) bytes")
/// }
/// ```
///
/// The methods of ``ArchiveEncoder`` and ``ArchiveDecoder`` that take a closure for the progress call it again and again, one call
/// after the other, on the thread that encodes or decodes. A decoding calls it a thousand times at most, an encoding for each
/// thousand instances and elements. No call has a smaller ``completedCount`` than the one before it. The last call, if nothing has
/// failed, has ``fraction`` 1. What is small has only that one.
public struct ArchiveProgress: Sendable, Hashable {
    /// What is done. When decoding, bytes of the archive; when encoding, objects that are in the archive; when saving a document,
    /// bytes of the file.
    ///
    /// When decoding, the bytes are a share of ``totalCount``: that of the objects that were read so far, each once, among all
    /// objects of the archive. Objects that nothing asked for, as those of a ``Deferred`` property, are done with the last call.
    public let completedCount: Int
    /// What there is to do: the bytes of the archive when decoding, and of the file when saving a document. When encoding, `nil`,
    /// since nothing is known of the graph before; with the last call, the number of objects of the archive.
    public let totalCount: Int?

    /// The part that is done, from 0 to 1; `nil` if ``totalCount`` is.
    public var fraction: Double? {
        totalCount.map { $0 > 0 ? Double(completedCount) / Double($0) : 1 }
    }

    /// What is told of the progress.
    typealias Handler = @Sendable (ArchiveProgress) -> Void
}
