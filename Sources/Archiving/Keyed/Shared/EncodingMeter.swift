/// Counts what is encoded: the instances, and the elements of collections.
///
/// After some of them it is looked whether the task is cancelled, and the caller is told how many objects the archive has.
struct EncodingMeter {
    /// What may still be counted before that.
    private var span = Self.spanLimit
    /// What is told of the progress; nil if nobody wants to know.
    var progress: ArchiveProgress.Handler?

    /// Instances and elements after which it is done: a part of a millisecond.
    private static var spanLimit: Int { 1 << 10 }
    /// Elements below which a collection is not counted.
    private static var collectionFloor: Int { 64 }

    /// Counts `count` instances or elements of what is being written to `graph`.
    @inline(never)
    mutating func count(_ count: Int, for graph: UnsafeMutablePointer<ArchiveGraph>) throws {
        span -= count
        if span > 0 { return }
        span = Self.spanLimit
        progress?(ArchiveProgress(completedCount: graph.pointee.objectCount, totalCount: nil))
        if Task.isCancelled { throw CancellationError() }
    }

    /// Counts an instance or an element, the one at `index`. Most of the time that is nothing but to look at the index.
    @inline(__always)
    mutating func count(at index: Int, for graph: UnsafeMutablePointer<ArchiveGraph>) throws {
        if index & (Self.spanLimit - 1) == Self.spanLimit - 1 { try count(Self.spanLimit, for: graph) }
    }

    /// Counts a collection of `count` elements, if these are so few that `count(at:for:)` has none, and still many.
    @inline(__always)
    mutating func count(
        collection count: Int, for graph: UnsafeMutablePointer<ArchiveGraph>
    ) throws {
        if count >= Self.collectionFloor, count < Self.spanLimit { try self.count(count, for: graph) }
    }
}

extension ArchiveGraph {
    /// The number of objects, without "$null".
    var objectCount: Int { slots.count - 1 }
}
