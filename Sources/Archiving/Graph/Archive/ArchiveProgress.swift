// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The progress of an encoding, a decoding, or the saving of a document.
///
/// ```swift
/// let library = try await ArchiveDecoder().decode(Library.self, from: url) { progress in
///     print("\(progress.completedCount) of \(progress.totalCount ?? 0) bytes")
/// }
/// ```
///
/// The methods of ``ArchiveEncoder`` and ``ArchiveDecoder`` with a progress closure call it on the thread that encodes or
/// decodes, and calls never overlap. A decoder calls it at most a thousand times, an encoder once for each thousand instances
/// and elements. ``completedCount`` never decreases. After success, the last call has ``fraction`` 1. Small archives report
/// only this last call.
public struct ArchiveProgress: Sendable, Hashable {
    /// The completed part: bytes of the archive when decoding, objects in the archive when encoding, bytes of the file when
    /// saving a document.
    ///
    /// When decoding, the count is a share of ``totalCount``: the share of the distinct objects that were read so far among all
    /// objects of the archive. Objects that the decoder does not read, such as those of a `@Deferred` property, count as
    /// completed in the last call.
    public let completedCount: Int
    /// The total: the bytes of the archive when decoding, and of the file when saving a document. When encoding, the total is
    /// `nil`, because the encoder does not know the size of the graph in advance. The last call reports the number of objects
    /// in the archive.
    public let totalCount: Int?

    package init(completedCount: Int, totalCount: Int?) {
        self.completedCount = completedCount
        self.totalCount = totalCount
    }

    /// The completed fraction, from 0 to 1; `nil` if ``totalCount`` is `nil`.
    public var fraction: Double? {
        totalCount.map { $0 > 0 ? Double(completedCount) / Double($0) : 1 }
    }

    package typealias Handler = @Sendable (ArchiveProgress) -> Void
}

/// Measures which part of an archive was read, and reports it to a caller.
///
/// Each object counts once, at the first lookup of its slot. `ArchiveContents.watched` disables the fast path around this
/// lookup, so that decoding without progress has no additional cost.
final class ReadingProgress {
    private var readSlots: BitSet
    private var readCount = 0
    private var nextCount = 1
    private let byteCount: Int
    private let handler: ArchiveProgress.Handler

    /// - Parameters:
    ///   - slotCount: The number of objects of the archive.
    ///   - byteCount: The size of the archive.
    ///   - handler: The closure that receives the progress.
    init(slotCount: Int, byteCount: Int, _ handler: @escaping ArchiveProgress.Handler) {
        readSlots = BitSet(count: slotCount)
        self.byteCount = byteCount
        self.handler = handler
    }

    func note(_ uid: UInt32) {
        if readSlots.insert(Int(uid)) { readCount += 1 }
    }

    /// Reports the progress if it has increased, at most a thousand times.
    func report() {
        guard readCount >= nextCount else { return }
        nextCount = readCount + max(1, readSlots.limit / 1000)
        // There are more slots than objects, because the first slot holds no object.
        let share = Double(readCount) / Double(max(1, readSlots.limit))
        handler(ArchiveProgress(completedCount: min(Int(share * Double(byteCount)), byteCount), totalCount: byteCount))
    }

    func finish() { handler(ArchiveProgress(completedCount: byteCount, totalCount: byteCount)) }
}

extension ArchiveContents {
    @inline(__always)
    func noteRead(_ elements: ArchivedElements) {
        if let progress = meter?.progress { note(elements, progress) }
    }

    @inline(never)
    private func note(_ elements: ArchivedElements, _ progress: ReadingProgress) {
        for position in 0..<elements.count {
            guard let node = try? list.node(elements.reference(position, in: self)), node.kind == .uid,
                let uid = try? list.uid(node), Int(uid) < slotCount
            else { continue }
            progress.note(uid)
        }
    }
}
