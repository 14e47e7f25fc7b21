/// The class instances of an archive by uid and type, so that every reference to an object gives the same instance.
///
/// The type is that of the instance, not the requested one: a `Dog` that is requested as an `Animal` is entered as a
/// `Dog`.
struct InstanceTable: ~Copyable {
    /// The number of an entry, from 1 up.
    typealias Index = UInt32

    enum State {
        /// It was not requested yet, or it failed before. The entry is 0 if there is none yet.
        case unknown(Index)
        /// It is being decoded.
        case inProgress(Index)
        /// It is complete, and the table retains it.
        case complete(UnsafeRawPointer)
    }

    /// Not private: Swift 6.3 crashes on a debug build if another file destroys a table of private entries.
    struct Entry: BitwiseCopyable {
        var type: UnsafeRawPointer
        /// The instance; before it is complete, the `AwaitedInstance` that references to it share, if any. Retained.
        var object: UnsafeRawPointer?
        /// The entry of the same uid for another type. 0 for none.
        var next: Index
        /// 0 if the instance is neither complete nor in progress. If it is complete, `complete` plus the number of
        /// instances that were completed before it; otherwise its place in `inProgress` plus 1.
        var progress: UInt32
        var uid: UInt32

        static var complete: UInt32 { 1 << 31 }

        @inline(__always)
        var isComplete: Bool { progress >= Self.complete }
    }

    /// The state of an instance only while it is in progress.
    struct Progress: BitwiseCopyable {
        var index: Index
        var uid: UInt32
        /// Whether a reference back received the published instance.
        var isHandedOut = false
        /// The instance, once it has published itself. Retained.
        var published: UnsafeRawPointer?
        /// The first of the values that wait for it.
        var waiting = WaitingValues.none
        /// The first of the values that it will own.
        var owned = WaitingValues.none
        /// The first of the properties that get it when it is complete.
        var waitingReferences: BackReference.Number = 0
        /// The first of its own properties that get another instance later.
        var ownedReferences: BackReference.Number = 0
    }

    /// The first entry of each uid, 0 for none. Untouched pages cost nothing. nil if there are no entries.
    var first: UnsafeMutablePointer<Index>?
    /// The memory of `first` if the archive has few slots.
    private let firstOfFew: TableMemory<Index>
    var entries: PlainArray<Entry>
    /// The instances in progress, each nested in the previous one.
    var inProgress: PlainArray<Progress>
    var backReferences = PlainArray<BackReference>()
    /// The references that are cleared if the decoding fails.
    var lateReferences: LateReferences
    /// Published instances that failed after others had received them. Retained: others may reference them without
    /// retaining them.
    private var abandoned = PlainArray<UnsafeRawPointer>()
    private var slotCount: Int
    /// The number of completed instances.
    var completionCount = 0
    /// Whether references have waited for instances.
    private var hadAwaited = false
    /// Objects with more than one entry.
    private(set) var repeatedUIDs = PlainArray<UInt32>()

    /// The greatest number of slots that counts as few.
    private static var fewSlots: Int { 128 }
    /// The number of entries whose memory is kept for the next archive.
    private static var keptCapacity: Int { 1024 }

    init(slotCount: Int, in arena: inout Arena) {
        self.slotCount = slotCount
        firstOfFew = TableMemory(capacity: Self.fewSlots, in: &arena)
        entries = PlainArray(capacity: 16, in: &arena)
        inProgress = PlainArray(capacity: 8, in: &arena)
        lateReferences = LateReferences(in: &arena)
    }

    /// Prepares for another archive.
    @inline(__always)
    mutating func restart(slotCount: Int) {
        if first != nil { removeAll() }
        self.slotCount = slotCount
    }

    /// Releases the instances. The owner of the table calls it before it releases the arena.
    ///
    /// References that the decoder has set since the last call of `keepReferences()` are cleared: the decoding has
    /// failed.
    mutating func removeAll() {
        guard let first else { return }
        clearReferences()
        // Unneeded instances are retained by the table, or by each other, and a long chain of them must not be released
        // recursively. The instances in plain properties were completed before their owner; those behind references
        // usually after it.
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
        // The objects of references that waited in vain.
        for place in 0..<entries.count {
            if let object = entries[place].object { Unmanaged<AnyObject>.fromOpaque(object).release() }
        }
        for index in 0..<inProgress.count {
            if let published = inProgress[index].published { Unmanaged<AnyObject>.fromOpaque(published).release() }
        }
        for place in 0..<abandoned.count { Unmanaged<AnyObject>.fromOpaque(abandoned[place]).release() }
        abandoned.releaseMemory()
        if slotCount > Self.fewSlots {
            Platform.releaseZeroed(first, byteCount: slotCount * MemoryLayout<Index>.stride)
        } else {
            first.update(repeating: 0, count: slotCount)
        }
        self.first = nil
        entries.capacity > Self.keptCapacity ? entries.releaseMemory() : entries.removeAll()
        inProgress.capacity > Self.keptCapacity ? inProgress.releaseMemory() : inProgress.removeAll()
        repeatedUIDs.releaseMemory()
        completionCount = 0
        hadAwaited = false
    }
}

// MARK: - References of a decoding that may fail

extension InstanceTable {
    /// Clears the references that the decoder has set, so that the instances of a decoding that has failed release each
    /// other. The table still retains them: a long chain of them is not released recursively.
    @inline(__always)
    mutating func clearReferences() {
        if !lateReferences.isEmpty || backReferences.count > 0 { forgetReferences(isFailure: true) }
    }

    /// Forgets the references that the decoder has set: the decoding has succeeded.
    @inline(__always)
    mutating func keepReferences() {
        if !lateReferences.isEmpty || backReferences.count > 0 { forgetReferences(isFailure: false) }
    }

    @inline(never)
    private mutating func forgetReferences(isFailure: Bool) {
        if isFailure {
            lateReferences.clear { completeInstance($0) }
            for place in 0..<backReferences.count { clear(backReferences[place]) }
        }
        lateReferences.removeAll(keepingCapacity: Self.keptCapacity)
        backReferences.releaseMemory()
    }

    /// Retains an instance that has failed although others have it.
    mutating func keepAbandoned(_ published: UnsafeRawPointer) { abandoned.append(published) }
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

    /// The entry of the object `uid` as `type`; 0 if there is none.
    @inline(__always)
    func index(_ uid: UInt32, _ type: UnsafeRawPointer) -> Index {
        guard let first else { return 0 }
        var index = first[Int(uid)]
        while index != 0, entries[Int(index) &- 1].type != type { index = entries[Int(index) &- 1].next }
        return index
    }

    /// The entry of the object `uid` as `type`, created if there is none.
    private mutating func makeIndex(_ uid: UInt32, _ type: UnsafeRawPointer) -> Index {
        let known = index(uid, type)
        return known != 0 ? known : addIndex(uid, type)
    }

    @inline(__always)
    mutating func addIndex(_ uid: UInt32, _ type: UnsafeRawPointer) -> Index {
        let first = firstEntries()
        let next = first[Int(uid)]
        if next != 0 { repeatedUIDs.append(uid) }
        entries.append(Entry(type: type, object: nil, next: next, progress: 0, uid: uid))
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

    /// The state of the object `uid`, a uid of the archive, as `type`.
    @inline(__always)
    func state(_ uid: UInt32, as type: UnsafeRawPointer) -> State {
        state(index(uid, type))
    }

    /// The shared state of references to the object `uid` as `type`, which is not complete. It is created for the first
    /// reference.
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

    /// Returns whether a reference still waits for the object `uid` as `type`, which was awaited.
    mutating func isWanted(_ uid: UInt32, as type: UnsafeRawPointer) -> Bool {
        let index = Int(index(uid, type)) - 1
        guard index >= 0, entries[index].progress == 0, let object = entries[index].object else { return false }
        var awaited = Unmanaged<AwaitedInstance>.fromOpaque(object).takeRetainedValue()
        // The table's own reference is now in `awaited`, so that it is the only one if no other object has one.
        let isWanted = !isKnownUniquelyReferenced(&awaited)
        _ = Unmanaged.passRetained(awaited)
        return isWanted
    }
}

// MARK: - Any type

extension InstanceTable {
    /// The complete instance of the object `uid`, of any type; nil if there is none.
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
    /// The instance of the object `uid` with the entry `index`; nil if it is not complete, or no longer.
    func decoded(_ uid: UInt32, _ index: Index) -> DecodedInstance? {
        guard let object = completeInstance(index) else { return nil }
        return DecodedInstance(
            object: Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue(), uid: uid,
            type: entries[Int(index) - 1].type)
    }

    /// Calls `body` with the uids of the objects of all complete instances, and their entries.
    ///
    /// - Complexity: O(*n*), where *n* is the number of entries.
    func visitComplete(_ body: (UInt32, Index) -> Void) {
        for index in 0..<entries.count where entries[index].isComplete {
            body(entries[index].uid, Index(truncatingIfNeeded: index + 1))
        }
    }
}

extension InstanceTable {
    /// The complete instances of the object `uid`, each with its type.
    func made(_ uid: UInt32) -> [(type: any Any.Type, object: AnyObject)] {
        guard let first else { return [] }
        var made: [(type: any Any.Type, object: AnyObject)] = []
        var index = first[Int(uid)]
        while index != 0 {
            let entry = entries[Int(index) - 1]
            if entry.isComplete, let object = entry.object {
                // Types are identified by the addresses of their metatypes.
                let type = TypeAddress.type(at: entry.type)
                made.append((type, Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()))
            }
            index = entry.next
        }
        return made
    }

    /// Forgets the objects with more than one entry.
    mutating func forgetRepeated() { repeatedUIDs.removeAll() }
}
