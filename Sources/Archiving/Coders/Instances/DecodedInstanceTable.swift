// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The class instances of an archive by uid and type, so that every reference to an object gives the same instance.
///
/// The type is that of the instance, not the requested one: a `Dog` that is requested as an `Animal` is entered as a
/// `Dog`.
final class DecodedInstanceTable {
    typealias Index = UInt32

    enum State {
        /// It was not requested yet, or it failed before. The entry is 0 if there is none yet.
        case unknown(Index)
        case inProgress(Index)
        case complete(AnyObject)
    }

    struct Entry: BitwiseCopyable {
        let type: any Any.Type
        /// The entry of the same uid for another type. 0 for none.
        let next: Index
        let uid: UInt32
        /// 0 if the instance is neither complete nor in progress. If it is complete, `complete` plus the number of
        /// instances that were completed before it; otherwise its place in `inProgress` plus 1.
        var progress: UInt32 = 0
        /// The place in `awaited` of the state that references to the instance share, plus 1; 0 for none.
        var awaited: UInt32 = 0

        static var complete: UInt32 { 1 << 31 }
        var isComplete: Bool { progress >= Self.complete }

        @inline(__always)
        var place: Int { Int(progress &- Self.complete) }
    }

    enum Publication: UInt8 {
        case none, published, handedOut
    }

    struct Progress: BitwiseCopyable {
        var index: Index
        var uid: UInt32
        var publication = Publication.none
        var waiting = WaitingValues.none
    }

    /// The first entry of each uid, 0 for none.
    private let first = UnsetNumbers()
    let entries = PlainTable<Entry>()
    /// The instances in progress, each nested in the previous one.
    let inProgress = PlainTable<Progress>()
    /// The complete instances, in the order of their completion, without those that were released.
    private let completed = ObjectList()
    private let published = ValueList<(place: Int, object: AnyObject)>()
    /// The shared states of references to instances that are not complete. nil for one that has its instance.
    private let awaited = ValueList<AwaitedInstance?>()
    let fulfilled = FulfilledReferences()
    /// Published instances that failed after others had received them: others may reference them without retaining
    /// them.
    let abandoned = ValueList<AnyObject>()
    /// Whether an instance was replaced by one of another class, so that the entry of an instance does not determine its class.
    var hasReplacements = false

    private static var keptCapacity: Int { 1024 }
    init(slotCount: Int) { first.restart(limit: slotCount) }

    deinit { removeAll() }

    func restart(slotCount: Int) {
        removeAll()
        hasReplacements = false
        first.restart(limit: slotCount)
    }

    /// Releases the instances.
    ///
    /// References that the decoder has set, and that were not forgotten, are cleared: the decoding has failed.
    func removeAll() {
        if entries.count > 0 { removeEntries() }
    }

    private func removeEntries() {
        forgetReferences(isFailure: true)
        // Unneeded instances are retained by the table, or by each other, and a long chain of them must not be released
        // recursively. The instances in plain properties were completed before their owner; those behind references
        // usually after it.
        completed.removeAll(
            isReversed: true, releasingUnsharedFirst: !awaited.isEmpty, keepingCapacity: Self.keptCapacity)
        awaited.removeAll()
        published.removeAll()
        abandoned.removeAll()
        first.removeAll()
        entries.removeAll(keepingCapacity: Self.keptCapacity)
        inProgress.removeAll(keepingCapacity: Self.keptCapacity)
    }
}

// MARK: - References of a decoding that may fail

extension DecodedInstanceTable {
    /// Forgets the references that the decoder has set. If the decoding has failed, they are cleared, so that its instances release each
    /// other. The table still retains them: a long chain of them is not released recursively.
    func forgetReferences(isFailure: Bool) {
        if !fulfilled.isEmpty { fulfilled.removeAll(isFailure: isFailure) }
    }
}

// MARK: - Entries

extension DecodedInstanceTable {
    /// The entry of the object `uid` as `type`; 0 if there is none.
    @inline(__always)
    func index(_ uid: UInt32, _ type: any Any.Type) -> Index {
        var index = first[Int(uid)]
        while index != 0 {
            let entry = entries[Int(index) &- 1]
            if entry.type == type { return index }
            index = entry.next
        }
        return 0
    }

    @inline(__always)
    func addIndex(_ uid: UInt32, _ type: any Any.Type, progress: UInt32 = 0) -> Index {
        let next = first[Int(uid)]
        entries.append(Entry(type: type, next: next, uid: uid, progress: progress))
        let index = Index(truncatingIfNeeded: entries.count)
        first[Int(uid)] = index
        return index
    }

    func entry(_ index: Index) -> Entry { entries[Int(index) &- 1] }

    @inline(__always)
    func state(_ index: Index) -> State {
        guard index != 0 else { return .unknown(0) }
        let entry = entries[Int(index) &- 1]
        if entry.isComplete, let object = completed.instance(at: entry.place) { return .complete(object) }
        return entry.progress == 0 ? .unknown(index) : .inProgress(index)
    }

    @inline(__always)
    func isBegun(_ index: Index) -> Bool { index != 0 && entries[Int(index) &- 1].progress != 0 }

    @inline(__always)
    func state(_ uid: UInt32, as type: any Any.Type) -> State { state(index(uid, type)) }

    /// Returns `entry`, complete with `object`, which the references that wait for it get.
    @inline(__always)
    func completed(_ entry: Entry, with object: consuming AnyObject) -> Entry {
        var entry = entry
        if entry.awaited != 0 {
            fulfil(entry.awaited, with: object)
            entry.awaited = 0
        }
        entry.progress = Entry.complete | UInt32(truncatingIfNeeded: completed.count)
        completed.append(object)
        return entry
    }

    var lastCompleted: AnyObject { completed[completed.count &- 1] }
    var completionCount: Int { completed.count }
}

// MARK: - Awaited instances

extension DecodedInstanceTable {
    /// The shared state of references to the object `uid` as `type`, which is not complete. It is created for the first
    /// reference.
    func awaited(_ uid: UInt32, as type: any Any.Type) -> (AwaitedInstance, isNew: Bool) {
        let known = index(uid, type)
        let place = Int(known != 0 ? known : addIndex(uid, type)) - 1
        let number = entries[place].awaited
        if number != 0, let known = awaited[Int(number) - 1] { return (known, false) }
        let made = AwaitedInstance()
        entries[place].awaited = UInt32(truncatingIfNeeded: awaited.append(made))
        return (made, true)
    }

    @inline(never)
    private func fulfil(_ number: UInt32, with object: AnyObject) {
        guard let state = awaited[Int(number) - 1] else { return }
        awaited[Int(number) - 1] = nil
        state.fulfil(object)
        fulfilled.append(state)
    }

    /// Returns whether a reference still waits for the object `uid` as `type`, which was awaited. If none does, a later one requests
    /// it again.
    func isWanted(_ uid: UInt32, as type: any Any.Type) -> Bool {
        let index = index(uid, type)
        guard index != 0 else { return false }
        let entry = entry(index)
        guard entry.progress == 0, entry.awaited != 0 else { return false }
        let place = Int(entry.awaited) - 1
        if awaited[place] != nil, !awaited.change({ isKnownUniquelyReferenced(&$0[place]) }) { return true }
        entries[Int(index) - 1].awaited = 0
        awaited[place] = nil
        return false
    }
}

// MARK: - Published instances

extension DecodedInstanceTable {
    /// Publishes `object`: references back to the object `uid`, the innermost one in progress, resolve to it.
    func publish(_ object: AnyObject, as uid: UInt32) {
        let place = inProgress.count - 1
        guard place >= 0, inProgress[place].uid == uid, inProgress[place].publication == .none else { return }
        inProgress[place].publication = .published
        published.append((place, object))
    }

    /// The published instance of the entry `index`, for a reference back to it; nil if there is none.
    func takePublished(_ index: Index) -> AnyObject? {
        let place = place(index)
        guard inProgress[place].publication != .none else { return nil }
        inProgress[place].publication = .handedOut
        // Ordered by place: instances publish themselves while they are the innermost one.
        return published[firstIndex(below: published.count) { published[$0].place >= place }].object
    }

    func reference(to object: AnyObject) -> AwaitedInstance {
        let made = AwaitedInstance()
        made.fulfil(object)
        fulfilled.append(made)
        return made
    }

    func removePublished() -> AnyObject? { published.popLast()?.object }
}

// MARK: - Unneeded instances

extension DecodedInstanceTable {
    /// Releases the complete instances at `places` that only this table retains, and forgets their places. Instances
    /// that only such an instance retains are released too, if their places come later.
    func releaseUnheld(at places: inout [UInt32]) {
        fulfilled.observe()
        places.removeAll { !isHeld(Int($0)) }
    }

    /// The places of the entries of complete instances, in the order of completion.
    func completePlaces() -> [UInt32] {
        var places: [UInt32?] = Array(repeating: nil, count: completed.count)
        for place in 0..<entries.count where entries[place].isComplete {
            places[entries[place].place] = UInt32(truncatingIfNeeded: place)
        }
        return places.compactMap { $0 }
    }

    /// Returns whether an object outside this table retains the complete instance of the entry at `place`. If none does,
    /// the table releases it.
    private func isHeld(_ place: Int) -> Bool {
        let entry = entries[place]
        guard entry.isComplete else { return false }
        weak let remaining = completed.instance(at: entry.place)
        // The entry has no instance that may be released.
        entries[place].progress = 0
        completed.replace(at: entry.place, with: nil)
        guard let remaining else { return false }
        completed.replace(at: entry.place, with: remaining)
        entries[place] = entry
        return true
    }
}

// MARK: - Any type

extension DecodedInstanceTable {
    func instance(_ uid: UInt32) -> AnyObject? { made(uid).first?.object }

    func made(_ uid: UInt32) -> [(type: any Any.Type, object: AnyObject)] {
        var made: [(type: any Any.Type, object: AnyObject)] = []
        var index = first[Int(uid)]
        while index != 0 {
            if let object = completeInstance(index) { made.append((entry(index).type, object)) }
            index = entry(index).next
        }
        return made
    }

    /// The instance of the object `uid` with the entry `index`; nil if it is not complete, or no longer.
    func decoded(_ uid: UInt32, _ index: Index) -> DecodedInstance? {
        completeInstance(index).map { DecodedInstance(object: $0, uid: uid, type: entry(index).type) }
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

// MARK: - Decoding

extension DecodedInstanceTable {
    /// Records that the object `uid` is being decoded as `type`.
    ///
    /// - Parameter entry: The index from its `unknown` state.
    @inline(__always)
    func begin(_ uid: UInt32, as type: any Any.Type, _ entry: Index) -> Index {
        let progress = UInt32(truncatingIfNeeded: inProgress.count &+ 1)
        let index = entry != 0 ? entry : addIndex(uid, type, progress: progress)
        if entry != 0 { entries[Int(entry) &- 1].progress = progress }
        inProgress.append(Progress(index: index, uid: uid))
        return index
    }

    /// Enters the instance of an object.
    ///
    /// - Parameter isReplacement: Whether it replaces the instance that its initializer created, which no other object
    ///   has.
    /// - Returns: The first of the values that waited for it.
    @inline(__always)
    @discardableResult
    func complete(
        _ index: Index, with object: consuming AnyObject, isReplacement: Bool = false
    ) -> WaitingValues.Number {
        let progress = inProgress.removeLast()
        assert(
            progress.index == index, "Instances are completed in the order opposite to that in which they were begun")
        if progress.publication != .none {
            require(
                removePublished() === object || isReplacement,
                "An initializer published an instance other than its own")
        }
        entries[Int(index) &- 1] = completed(entries[Int(index) &- 1], with: object)
        return progress.waiting
    }

    /// Enters `object` as the instance of the object `uid`, before its declared fields are set.
    ///
    /// - Parameter entry: The index from its `unknown` state.
    @inline(__always)
    func enter(unfilled object: AnyObject, _ uid: UInt32, as type: any Any.Type, _ entry: Index) -> Index {
        let index = entry != 0 ? entry : addIndex(uid, type)
        entries[Int(index) &- 1] = completed(entries[Int(index) &- 1], with: object)
        return index
    }

    /// Records that the decoding of an object failed, and returns the state in which it was. It may be requested again.
    func abandon(_ index: Index) -> Progress {
        let progress = inProgress.removeLast()
        assert(progress.index == index, "Instances are given up in the order opposite to that in which they were begun")
        entries[Int(index) - 1].progress = 0
        if progress.publication != .none, let published = removePublished(), progress.publication == .handedOut {
            abandoned.append(published)
        }
        return progress
    }
}

// MARK: - Instances in progress

extension DecodedInstanceTable {
    func place(_ index: Index) -> Int { Int(entry(index).progress) - 1 }
    var innermost: Index? { inProgress.count > 0 ? inProgress[inProgress.count - 1].index : nil }

    /// The first instance in progress that references, or waiting values, wait for; nil if there is none.
    var firstAwaitedInProgress: Index? {
        for place in 0..<inProgress.count where isAwaited(inProgress[place]) { return inProgress[place].index }
        return nil
    }

    private func isAwaited(_ progress: Progress) -> Bool { progress.waiting != 0 || entry(progress.index).awaited != 0 }
    func isAwaited(_ index: Index) -> Bool { isAwaited(inProgress[place(index)]) }
    func isUnpublished(_ index: Index) -> Bool { isInProgress(index) && inProgress[place(index)].publication == .none }

    func isInProgress(_ index: Index) -> Bool {
        if case .inProgress = state(index) { return true }
        return false
    }

    /// Returns whether other objects have the instance in progress with the entry `index`, which has published itself.
    func isHandedOut(_ index: Index) -> Bool { inProgress[place(index)].publication == .handedOut }
    func object(_ index: Index) -> (uid: UInt32, type: any Any.Type) { (entry(index).uid, entry(index).type) }
    /// Whether the instance with the entry `index` is complete. It may have been released since.
    func isComplete(_ index: Index) -> Bool { index != 0 && entry(index).isComplete }

    func completeInstance(_ index: Index) -> AnyObject? {
        if case .complete(let object) = state(index) { return object }
        return nil
    }
}

// MARK: - What waits for an instance in progress

extension DecodedInstanceTable {
    func wait(for index: Index, _ value: WaitingValue) {
        let place = place(index)
        value.nextWaiting = inProgress[place].waiting
        inProgress[place].waiting = value.number
    }
}
