// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Counts encoded instances and elements of collections.
///
/// At intervals, it checks for cancellation of the task and reports the number of objects in the archive.
final class EncodingMeter {
    /// The remaining count until the next check.
    private var span = EncodingMeter.spanLimit
    /// The handler of progress; nil if the caller requests none.
    var progress: ArchiveProgress.Handler?

    /// Instances and elements between two checks: a part of a millisecond.
    private static var spanLimit: Int { 1 << 10 }
    /// The size below which collections are not counted.
    private static var collectionFloor: Int { 64 }

    /// Starts again for another archive.
    func reset() {
        span = Self.spanLimit
        progress = nil
    }

    /// Counts `count` instances or elements of the graph.
    @inline(never)
    func count(_ count: Int, for graph: ArchiveGraph) throws {
        span = span - count
        if span > 0 { return }
        span = Self.spanLimit
        progress?(ArchiveProgress(completedCount: graph.objectCount, totalCount: nil))
        if Task.isCancelled { throw CancellationError() }
    }

    /// Counts the instance or element at `index`. Most calls only test the index.
    @inline(__always)
    func count(at index: Int, for graph: ArchiveGraph) throws {
        if index & (Self.spanLimit - 1) == Self.spanLimit - 1 { try count(Self.spanLimit, for: graph) }
    }

    /// Counts a collection of `count` elements if it is too small for `count(at:for:)` but large enough to matter.
    @inline(__always)
    func count(
        collection count: Int, for graph: ArchiveGraph
    ) throws {
        if count >= Self.collectionFloor, count < Self.spanLimit { try self.count(count, for: graph) }
    }
}

extension ArchiveGraph {
    /// The number of objects, without "$null".
    var objectCount: Int { slots.count - 1 }
}
