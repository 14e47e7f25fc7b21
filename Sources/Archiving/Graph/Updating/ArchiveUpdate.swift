/// What has to be appended to an archive to bring it up to date with a newer archive of the same graph.
///
/// Objects keep their uids. An instance that both archives have, and whose contents are the same, is kept as it is in the old one.
/// A changed one gets new contents, a new one a new uid. Values that are no instances, such as strings and arrays, are kept if an
/// equal one is in the same place.
///
/// The old archive may be a file that is read page by page: only what is compared is read. What is damaged in it counts as
/// changed.
final class ArchiveUpdate {
    let old: ArchiveContents
    private let new: ArchiveContents
    private let comparison: ArchiveComparison

    /// The uids in the old archive that new objects of the new one got, by their uids there; 0 for others.
    private var assigned: [UInt32]
    private var remaining: [(new: UInt32, uid: UInt32)] = []
    /// The objects of the property list behind the old ones.
    private(set) var bytes = ByteWriter(capacity: 1024)
    /// Where each of them is in `bytes`.
    private(set) var offsets: [Int] = []
    /// The slots of the old archive that change, and the objects of the property list that they refer to from then on.
    private(set) var changedSlots: [(uid: UInt32, reference: Int)] = []
    /// What the slots behind the old ones refer to.
    private(set) var addedSlots: [Int] = []
    /// The new `$top`; nil if the old one stays.
    private(set) var top: Int?
    /// The objects of the new property list that were appended, by their numbers: 1 for the first one. Empty until then.
    private var copied: [UInt32] = []
    private var uidObjects: [UInt32: Int] = [:]
    /// The instances that stay as they are.
    private(set) var keptCount = 0
    /// The instances that are changed or new.
    private(set) var writtenCount = 0

    /// Compares the archives, and takes what has changed.
    ///
    /// - Parameter counterparts: What the objects of the new archive are in the old one.
    /// - Throws: `PropertyListError` if the new archive is damaged, which is none that this library has written.
    init(
        of old: ArchiveContents, to new: ArchiveContents, _ counterparts: Counterparts
    ) throws(PropertyListError) {
        self.old = old
        self.new = new
        comparison = ArchiveComparison(of: new, to: old, counterparts)
        assigned = [UInt32](repeating: 0, count: counterparts.count)
        for uid in 0..<UInt32(truncatingIfNeeded: counterparts.count) where counterparts.kind(uid) == .instance {
            if comparison.isUnchanged(uid) {
                keptCount += 1
            } else {
                writtenCount += 1
                changedSlots.append((counterparts[uid], try copy(new.object(inSlot: Int(uid)), depth: 0)))
            }
        }
        if !comparison.isTopEqual { top = try copyContainer(new.top, depth: 0) }
        while let next = remaining.popLast() {
            addedSlots[Int(next.uid) - old.slotCount] = try copy(new.object(inSlot: Int(next.new)), depth: 0)
        }
    }

    /// Whether nothing has to be written.
    var isEmpty: Bool { changedSlots.isEmpty && addedSlots.isEmpty && top == nil }

    /// The uid that a new object got, by its uid in the new archive; 0 if it got none.
    func assignedUID(_ uid: UInt32) -> UInt32 { assigned[Int(uid)] }
}

// MARK: - Copying

extension ArchiveUpdate {
    /// The uid of what the object `uid` of the new archive is, which is put on the list if the old archive does not have it.
    private func place(_ uid: UInt32) -> UInt32 {
        guard Int(uid) < assigned.count, let object = try? new.object(uid) else { return 0 }
        let known = comparison.counterpart(uid)
        if known != 0 { return known }
        if assigned[Int(uid)] != 0 { return assigned[Int(uid)] }
        if object.isNull { return 0 }
        let place = UInt32(truncatingIfNeeded: old.slotCount + addedSlots.count)
        assigned[Int(uid)] = place
        if comparison.counterparts.kind(uid) == .added { writtenCount += 1 }
        addedSlots.append(0)
        remaining.append((uid, place))
        return place
    }

    /// Appends the object `reference` of the new property list.
    ///
    /// - Returns: Its number behind the objects of the old one.
    private func copy(_ reference: Int, depth: Int) throws(PropertyListError) -> Int {
        if copied.isEmpty { copied = [UInt32](repeating: 0, count: new.list.objectCount) }
        let node = try new.list.node(reference)
        if copied[reference] != 0 { return old.list.objectCount + Int(copied[reference]) - 1 }
        let number: Int
        switch node.kind {
        case .uid: return uidObject(place(try new.list.objects.uid(node)))
        case .array, .set, .dictionary:
            guard depth < PropertyListLimits.nesting else { throw PropertyListError(.nestedTooDeep, at: node.payload) }
            number = try copyContainer(node, depth: depth)
        default:
            let start = try new.list.offset(of: reference)
            number = append(
                UnsafeRawBufferPointer(
                    start: new.list.objects.base + start, count: node.end(referenceSize: new.list.referenceSize) - start
                ))
        }
        copied[reference] = UInt32(truncatingIfNeeded: offsets.count)
        return number
    }

    private func copyContainer(_ node: Node, depth: Int) throws(PropertyListError) -> Int {
        var references: [Int] = []
        references.reserveCapacity(node.referenceCount)
        for position in 0..<node.referenceCount {
            references.append(try copy(new.list.reference(position, in: node.payload), depth: depth + 1))
        }
        let size = old.list.referenceSize
        let offset = bytes.count
        bytes.reserve(10)
        let marker: UInt8 =
            switch node.kind {
            case .dictionary: BinaryFormat.Marker.dictionary
            case .set: BinaryFormat.Marker.set
            default: BinaryFormat.Marker.array
            }
        bytes.advance(bytes.end.store(marker: marker, count: node.count))
        for reference in references { bytes.append(number: UInt64(reference), size: size) }
        return added(at: offset)
    }

    private func uidObject(_ uid: UInt32) -> Int {
        if let known = uidObjects[uid] { return known }
        let offset = bytes.count
        bytes.reserve(5)
        bytes.advance(bytes.end.store(uid: uid))
        let number = added(at: offset)
        uidObjects[uid] = number
        return number
    }

    private func append(_ object: UnsafeRawBufferPointer) -> Int {
        let offset = bytes.count
        bytes.append(contentsOf: object)
        return added(at: offset)
    }

    private func added(at offset: Int) -> Int {
        offsets.append(offset)
        return old.list.objectCount + offsets.count - 1
    }
}
