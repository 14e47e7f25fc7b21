// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The class instances of a graph and their uids.
///
/// The table retains every instance: otherwise, a temporary instance could be deallocated before the archive is finished, and a
/// later instance with the same identity would get its uid.
///
/// A list holds the instances in the order of their insertion, and a hash table of their numbers finds them. The table releases
/// instances in the order of the list. Instances that were encoded in order are mostly adjacent in memory, so this order causes
/// fewer cache misses than the order of hashes.
///
/// The list and the hash table are a large part of the memory of a graph during encoding. Both are therefore narrow: 12 bytes
/// for an instance, and 4 for a hash bucket, of which there are 1.25 to 2.5 for each instance.
final class EncodedInstanceTable {
    typealias Reference = BinaryPropertyListWriter.Reference

    private let objects = ObjectList()
    private let uids = PlainTable<Reference>()
    /// Each bucket holds the number of an instance plus 1 in the low bits that `mask` covers. The bits above are bits of its
    /// hash, which distinguish nearly all other instances. 0 marks a free bucket.
    private let entries = PlainTable<UInt32>(repeating: 0, count: EncodedInstanceTable.initialCapacity)
    private var mask = UInt32(EncodedInstanceTable.initialCapacity - 1)
    private var limit = EncodedInstanceTable.limit(ofBuckets: EncodedInstanceTable.initialCapacity)
    /// The instance that was looked up last and not found, and the bucket that it gets; nil for none.
    private var missed: ObjectIdentifier?
    private var missedPlace = 0

    static var initialCapacity: Int { 32 }

    static func limit(ofBuckets bucketCount: Int) -> Int { bucketCount / 5 * 4 }

    var bucketCount: Int { entries.count }

    private static var keptCapacity: Int { 512 }

    var hasGrown: Bool { entries.count > Self.keptCapacity }

    /// Releases the hash table, because no more instances are looked up. The instances are released later, since their own code
    /// may run then.
    func endSearch() {
        missed = nil
        entries.removeAll(keepingCapacity: 0)
    }

    func removeAll() {
        guard uids.count > 0 else { return }
        // The next archive probably has as many instances.
        empty(bucketCount: uids.count * 8 < entries.count ? Self.initialCapacity : entries.count)
        uids.removeAll()
        objects.removeAll(keepingCapacity: Self.keptCapacity)
    }

    @inline(__always)
    private static func hash(_ identity: ObjectIdentifier) -> UInt32 {
        // Instances are at addresses that are multiples of 16.
        let bits = UInt64(UInt32(truncatingIfNeeded: UInt(bitPattern: identity) >> 4))
        return UInt32(truncatingIfNeeded: (bits &* 0x9E37_79B9_7F4A_7C15) >> 24)
    }

    @inline(__always)
    subscript(index: Int) -> (object: AnyObject, uid: Reference) { (objects[index], uids[index]) }

    func uid(at index: Int) -> Reference { uids[index] }

    var count: Int { uids.count }

    /// Returns the instance whose uid object is `uid`; `nil` if there is none.
    ///
    /// - Complexity: O(*n*), where *n* is the number of instances.
    func object(_ uid: Reference) -> AnyObject? {
        (0..<uids.count).first { uids[$0] == uid }.map { objects[$0] }
    }

    @inline(__always)
    func uid(of object: AnyObject) -> Reference? { search(object).map { uids[$0] } }

    func index(of object: AnyObject, probably guess: Int) -> Int? {
        guess < objects.count && objects.has(object, at: guess) ? guess : search(object)
    }

    @inline(__always)
    private func search(_ object: AnyObject) -> Int? {
        let identity = ObjectIdentifier(object)
        let hash = Self.hash(identity)
        var place = hash & mask
        while true {
            let entry = entries[Int(place)]
            if entry == 0 { break }
            if (entry ^ hash) & ~mask == 0 {
                let index = Int(entry & mask) &- 1
                if objects.has(object, at: index) { return index }
            }
            place = (place &+ 1) & mask
        }
        (missed, missedPlace) = (identity, Int(place))
        return nil
    }

    /// Inserts `object`, which the table does not contain, and retains it.
    func insert(_ object: consuming AnyObject, uid: Reference) {
        if uids.count >= limit { grow() }
        let identity = ObjectIdentifier(copy object)
        objects.append(object)
        uids.append(uid)
        let number = UInt32(truncatingIfNeeded: uids.count)
        if missed == identity, entries[missedPlace] == 0 {
            // Other instances cannot have freed a bucket since.
            entries[missedPlace] = Self.hash(identity) & ~mask | number
        } else {
            enter(Self.hash(identity), number: number)
        }
    }

    @inline(__always)
    private func enter(_ hash: UInt32, number: UInt32) {
        var place = hash & mask
        while entries[Int(place)] != 0 { place = (place &+ 1) & mask }
        entries[Int(place)] = hash & ~mask | number
    }

    private func empty(bucketCount: Int) {
        missed = nil
        entries.reset(repeating: 0, count: bucketCount)
        limit = Self.limit(ofBuckets: bucketCount)
        mask = UInt32(truncatingIfNeeded: bucketCount - 1)
    }

    @inline(never)
    private func grow() {
        let capacity = entries.count * 2
        // The list has all information to rebuild the buckets, so the old ones are released before the new ones are allocated.
        entries.removeAll(keepingCapacity: 0)
        empty(bucketCount: capacity)
        for index in 0..<objects.count {
            enter(Self.hash(ObjectIdentifier(objects[index])), number: UInt32(truncatingIfNeeded: index + 1))
        }
    }
}

// MARK: - Conditional instances

/// Instances with only conditional references so far, and the slots that are reserved for them.
final class ConditionalInstances {
    /// The instances in the order of their first references, with their slots. The table retains them, for the reason
    /// given at `EncodedInstanceTable`.
    let all = ValueList<(object: AnyObject, slot: ArchiveGraph.Slot)>()
    private var places: [ObjectIdentifier: Int] = [:]

    /// Whether no instance has a slot before its first strong reference. It is false also while an archive is updated with
    /// marked instances: others may have slots.
    private(set) var isEmpty = true

    /// Announces that instances without conditional references may have slots.
    func expectOtherSlots() { isEmpty = false }

    @inline(__always)
    func slot(of object: AnyObject) -> ArchiveGraph.Slot? { isEmpty ? nil : knownSlot(of: object) }

    @inline(never)
    private func knownSlot(of object: AnyObject) -> ArchiveGraph.Slot? {
        places[ObjectIdentifier(object)].map { all[$0].slot }
    }

    func insert(_ object: AnyObject, _ slot: ArchiveGraph.Slot) {
        places[ObjectIdentifier(object)] = all.count
        all.append((object, slot))
        isEmpty = false
    }
}
