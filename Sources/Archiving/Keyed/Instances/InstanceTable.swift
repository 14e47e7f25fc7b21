/// The class instances that were made from an archive, by uid and type, so that every reference to one gives the same.
///
/// The type is the one that was made, whatever it was asked for as: a `Dog` that is asked for as an `Animal` is entered
/// as a `Dog`.
struct InstanceTable: ~Copyable {
    /// The number of an entry, from 1 up.
    typealias Index = UInt32

    enum State {
        /// Nobody has asked for it, or it failed before. The entry is 0 where there is none yet.
        case unknown(Index)
        /// It is being decoded.
        case inProgress(Index)
        /// It is there, and the table retains it.
        case complete(UnsafeRawPointer)
    }

    /// Not private: Swift 6.3 crashes on a debug build where another file destroys a table of private entries.
    struct Entry: BitwiseCopyable {
        var type: UnsafeRawPointer
        /// The instance; before it is complete, the `AwaitedInstance` that references to it share, if any. Retained.
        var object: UnsafeRawPointer?
        /// The entry of the same uid for another type. 0 for none.
        var next: Index
        /// 0 while nobody is at it; `complete` and more when the instance is there, more by the number of instances that
        /// were completed before it; otherwise the place in `inProgress` plus 1.
        var progress: UInt32

        static var complete: UInt32 { 1 << 31 }

        @inline(__always)
        var isComplete: Bool { progress >= Self.complete }
    }

    /// What is known of an instance only while it is being decoded.
    struct Progress: BitwiseCopyable {
        var index: Index
        var uid: UInt32
        /// Whether a reference that leads back was given the published instance.
        var isHandedOut = false
        /// The instance, once it has published itself. Retained.
        var published: UnsafeRawPointer?
        /// The first of the values that wait for it.
        var waiting = DeferredValues.none
        /// The first of the values that it will own.
        var owned = DeferredValues.none
        /// The first of the properties that get it when it is complete.
        var waitingReferences: BackReference.Number = 0
        /// The first of its own properties that get another instance later.
        var ownedReferences: BackReference.Number = 0
    }

    /// The first entry of each uid, 0 for none. Untouched pages cost nothing. nil while there are no entries.
    var first: UnsafeMutablePointer<Index>?
    /// Where `first` lies if the archive has few slots.
    private let firstOfFew: TableMemory<Index>
    var entries: PlainArray<Entry>
    /// The instances that are being decoded, each inside the one before it.
    var inProgress: PlainArray<Progress>
    var backReferences = PlainArray<BackReference>()
    private var slotCount: Int
    /// How many instances were completed so far.
    var completionCount = 0
    /// Whether references have waited for instances.
    private var hadAwaited = false
    /// Objects that have more than one entry.
    private(set) var repeatedUIDs = PlainArray<UInt32>()

    /// Slots that are few.
    private static var fewSlots: Int { 128 }
    /// Entries for which there is memory from one archive to the next.
    private static var keptCapacity: Int { 1024 }

    init(slotCount: Int, in arena: inout Arena) {
        self.slotCount = slotCount
        firstOfFew = TableMemory(capacity: Self.fewSlots, in: &arena)
        entries = PlainArray(capacity: 16, in: &arena)
        inProgress = PlainArray(capacity: 8, in: &arena)
    }

    /// Makes ready for another archive.
    @inline(__always)
    mutating func restart(slotCount: Int) {
        if first != nil { removeAll() }
        self.slotCount = slotCount
    }

    /// Lets go of the instances. Whoever keeps the table calls it before the arena goes.
    mutating func removeAll() {
        guard let first else { return }
        // What was made in vain is held by the table, or by what was made in vain, and a long chain of it must not be
        // released recursively. What is in a plain property was complete before the instance that has it; what a reference
        // leads to mostly was complete after it.
        let places = placesByCompletion()
        if hadAwaited {
            for position in 0..<places.count {
                let place = Int(places[position])
                if let object = entries[place].object, isUnshared(place) {
                    entries.base[place].object = nil
                    Unmanaged<AnyObject>.fromOpaque(object).release()
                }
            }
        }
        for position in (0..<places.count).reversed() {
            let place = Int(places[position])
            if let object = entries[place].object { Unmanaged<AnyObject>.fromOpaque(object).release() }
            entries.base[place].object = nil
        }
        // What references have waited for in vain.
        for place in 0..<entries.count {
            if let object = entries[place].object { Unmanaged<AnyObject>.fromOpaque(object).release() }
        }
        for index in 0..<inProgress.count {
            if let published = inProgress[index].published { Unmanaged<AnyObject>.fromOpaque(published).release() }
        }
        if slotCount > Self.fewSlots {
            Platform.releaseZeroed(first, byteCount: slotCount * MemoryLayout<Index>.stride)
        } else {
            first.update(repeating: 0, count: slotCount)
        }
        self.first = nil
        entries.capacity > Self.keptCapacity ? entries.releaseMemory() : entries.removeAll()
        inProgress.capacity > Self.keptCapacity ? inProgress.releaseMemory() : inProgress.removeAll()
        backReferences.releaseMemory()
        repeatedUIDs.releaseMemory()
        completionCount = 0
        hadAwaited = false
    }
}

// MARK: - Entries

extension InstanceTable {
    private mutating func firstEntries() -> UnsafeMutablePointer<Index> {
        if let first { return first }
        let made =
            slotCount > Self.fewSlots
            ? Platform.reserveZeroed(byteCount: slotCount * MemoryLayout<Index>.stride)
                .bindMemory(to: Index.self, capacity: slotCount)
            : firstOfFew.base
        first = made
        return made
    }

    /// The entry of the object `uid` as `type`; 0 where there is none.
    @inline(__always)
    private func index(_ uid: UInt32, _ type: UnsafeRawPointer) -> Index {
        guard let first else { return 0 }
        var index = first[Int(uid)]
        while index != 0, entries[Int(index) &- 1].type != type { index = entries[Int(index) &- 1].next }
        return index
    }

    /// The entry of the object `uid` as `type`, made where there is none.
    private mutating func makeIndex(_ uid: UInt32, _ type: UnsafeRawPointer) -> Index {
        let known = index(uid, type)
        return known != 0 ? known : addIndex(uid, type)
    }

    @inline(__always)
    mutating func addIndex(_ uid: UInt32, _ type: UnsafeRawPointer) -> Index {
        let first = firstEntries()
        let next = first[Int(uid)]
        if next != 0 { repeatedUIDs.append(uid) }
        entries.append(Entry(type: type, object: nil, next: next, progress: 0))
        let index = Index(truncatingIfNeeded: entries.count)
        first[Int(uid)] = index
        return index
    }

    @inline(__always)
    func state(_ index: Index) -> State {
        guard index != 0 else { return .unknown(0) }
        let entry = entries[Int(index) &- 1]
        if entry.isComplete, let object = entry.object { return .complete(object) }
        return entry.progress == 0 ? .unknown(index) : .inProgress(index)
    }

    /// What is known of the object `uid`, a uid of the archive, as `type`.
    @inline(__always)
    func state(_ uid: UInt32, as type: UnsafeRawPointer) -> State {
        state(index(uid, type))
    }

    /// What waits for the object `uid` as `type`, whose state is not complete, made where nothing does yet.
    mutating func awaited(_ uid: UInt32, as type: UnsafeRawPointer) -> (AwaitedInstance, isNew: Bool) {
        let index = Int(makeIndex(uid, type)) - 1
        if let known = entries[index].object {
            return (Unmanaged<AwaitedInstance>.fromOpaque(known).takeUnretainedValue(), false)
        }
        hadAwaited = true
        let made = AwaitedInstance()
        entries[index].object = UnsafeRawPointer(Unmanaged.passRetained(made).toOpaque())
        return (made, true)
    }

    /// Whether somebody still wants the object `uid` as `type`, which was awaited.
    mutating func isWanted(_ uid: UInt32, as type: UnsafeRawPointer) -> Bool {
        let index = Int(index(uid, type)) - 1
        guard index >= 0, entries[index].progress == 0, let object = entries[index].object else { return false }
        var awaited = Unmanaged<AwaitedInstance>.fromOpaque(object).takeRetainedValue()
        // The table's own reference is in `awaited` now, so that it is the only one where nobody else has one.
        let isWanted = !isKnownUniquelyReferenced(&awaited)
        _ = Unmanaged.passRetained(awaited)
        return isWanted
    }
}

// MARK: - Whatever the type

extension InstanceTable {
    /// The complete instance of the object `uid`, as whichever type it was made; nil where there is none.
    func instance(_ uid: UInt32) -> AnyObject? {
        guard let first, Int(uid) < slotCount else { return nil }
        var index = first[Int(uid)]
        while index != 0 {
            let entry = entries[Int(index) - 1]
            if entry.isComplete, let object = entry.object {
                return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
            }
            index = entry.next
        }
        return nil
    }
}

extension InstanceTable {
    /// Hands all complete instances to `body`, with the uids of their objects and the types that they were made as.
    ///
    /// - Complexity: O(*n*), where *n* is the number of objects of the archive, if any instance is complete.
    func visitComplete(_ body: (UInt32, UnsafeRawPointer, UnsafeRawPointer) -> Void) {
        guard let first, completionCount > 0 else { return }
        for uid in 0..<slotCount {
            var index = first[uid]
            while index != 0 {
                let entry = entries[Int(index) - 1]
                if entry.isComplete, let object = entry.object {
                    body(UInt32(truncatingIfNeeded: uid), entry.type, object)
                }
                index = entry.next
            }
        }
    }
}

extension InstanceTable {
    /// The complete instances that were made as `type`, with the uids of their objects, among the first `count` objects.
    func complete(as type: UnsafeRawPointer, among count: Int) -> [(uid: UInt32, object: UnsafeRawPointer)] {
        (0..<UInt32(min(count, slotCount))).compactMap { uid in
            guard case .complete(let object) = state(uid, as: type) else { return nil }
            return (uid, object)
        }
    }
}

extension InstanceTable {
    /// The complete instances that the object `uid` has become, each with the type that it was made as.
    func made(_ uid: UInt32) -> [(type: any Any.Type, object: AnyObject)] {
        guard let first else { return [] }
        var made: [(type: any Any.Type, object: AnyObject)] = []
        var index = first[Int(uid)]
        while index != 0 {
            let entry = entries[Int(index) - 1]
            if entry.isComplete, let object = entry.object {
                // Types are known by the addresses of their metatypes.
                let type = TypeAddress.type(at: entry.type)
                made.append((type, Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()))
            }
            index = entry.next
        }
        return made
    }

    /// Forgets which objects have more than one entry.
    mutating func forgetRepeated() { repeatedUIDs.removeAll() }
}
