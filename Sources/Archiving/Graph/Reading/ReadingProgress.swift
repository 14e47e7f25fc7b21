/// How much of an archive was read, for a caller who wants to know.
///
/// Objects are counted where their slots are looked up, each once: `ArchiveContents.watched` gives up the short way past
/// there. So it costs those nothing who do not ask.
final class ReadingProgress {
    private var readSlots: BitSet
    private var readCount = 0
    /// What `readCount` has to be for the next call.
    private var nextCount = 1
    private let byteCount: Int
    private let handler: ArchiveProgress.Handler

    /// - Parameters:
    ///   - slotCount: The number of objects of the archive.
    ///   - byteCount: The size of the archive.
    ///   - handler: What is told.
    init(slotCount: Int, byteCount: Int, _ handler: @escaping ArchiveProgress.Handler) {
        readSlots = BitSet(count: slotCount)
        self.byteCount = byteCount
        self.handler = handler
    }

    /// Takes note that the object `uid`, of which there is one, was read.
    func note(_ uid: UInt32) {
        if readSlots.insert(Int(uid)) { readCount += 1 }
    }

    /// Tells how much was read so far, if that is more than it was: a thousand times at most.
    func report() {
        guard readCount >= nextCount else { return }
        nextCount = readCount + max(1, readSlots.limit / 1000)
        // There are more slots than objects: nothing is in the first one.
        let share = Double(readCount) / Double(max(1, readSlots.limit))
        handler(ArchiveProgress(completedCount: min(Int(share * Double(byteCount)), byteCount), totalCount: byteCount))
    }

    /// Tells that the archive is decoded.
    func finish() { handler(ArchiveProgress(completedCount: byteCount, totalCount: byteCount)) }
}

extension ArchiveContents {
    /// Takes note that the objects which `elements` refers to were read, if somebody wants to know.
    @inline(__always)
    func noteRead(_ elements: ArchivedElements) {
        if let progress = meter?.pointee.progress { note(elements, progress) }
    }

    @inline(never)
    private func note(_ elements: ArchivedElements, _ progress: ReadingProgress) {
        for position in 0..<elements.count {
            guard let node = try? list.node(elements.reference(position, in: self)), node.kind == .uid,
                let uid = try? list.objects.uid(node), Int(uid) < slotCount
            else { continue }
            progress.note(uid)
        }
    }
}
