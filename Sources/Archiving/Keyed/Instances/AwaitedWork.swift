/// What references have asked for and is still to be made: instances, and values that are deferred.
///
/// It is a list and no recursion, so that references cost no stack, however long the chain.
struct AwaitedWork: ~Copyable {
    enum Item: BitwiseCopyable {
        /// An instance that references wait for, if they still do.
        case awaited(Unmanaged<InstanceReader>, uid: UInt32, path: CodingPathTable.Index)
        /// An instance that a deferred value needs.
        case needed(Unmanaged<InstanceReader>, uid: UInt32, path: CodingPathTable.Index)
        /// A property whose instance has failed, and may be made after all.
        case reference(Unmanaged<InstanceReader>, BackReference.Number, path: CodingPathTable.Index)
        /// A deferred value that has not yet said what it needs.
        case unprepared(DeferredValues.Number)
        /// A deferred value that has what it needs.
        case prepared(DeferredValues.Number)

        /// Whether it is an instance that is to be made.
        var isInstance: Bool {
            switch self {
            case .awaited, .needed: true
            case .reference, .unprepared, .prepared: false
            }
        }
    }

    /// An instance that could not be made for the references that wait for it.
    struct Failure {
        var uid: UInt32
        var type: UnsafeRawPointer
        var error: any Error
    }

    /// A weak reference, which gets its instance at the end, if anything else has asked for it.
    struct WeakReference {
        var awaited: AwaitedWeakInstance
        var uid: UInt32
        var type: UnsafeRawPointer
    }

    private var items = PlainArray<Item>()
    /// How many of the items are instances that nobody has tried to make yet.
    private var untriedCount = 0
    /// How many items, from the first on, are deferred values that have waited before: they are not looked at again while
    /// earlier instances are made.
    fileprivate private(set) var settledCount = 0
    private(set) var weakReferences: [WeakReference] = []
    private var hadWeakReferences = false
    /// What could not be made at the end.
    fileprivate var failures: [Failure] = []
    var deferred = DeferredValues()
    /// Deferred values with elements that are hashed when everything else is in its place.
    fileprivate var hashed: [DeferredValues.Number] = []
    /// How many instances are complete and have what waits for them put into its place, one because of the other.
    var finishingDepth = 0

    var count: Int { items.count }

    /// How many deferred values have elements that are hashed later.
    var hashedCount: Int { hashed.count }

    /// Whether there was never anything to do.
    var isUnused: Bool {
        items.count == 0 && !items.isOwned && weakReferences.isEmpty && !hadWeakReferences && deferred.isEmpty
    }

    /// Whether there are instances to be made that nobody has tried to make yet.
    var hasUntried: Bool { untriedCount > 0 }

    mutating func append(_ item: Item) {
        items.append(item)
        if item.isInstance { untriedCount += 1 }
    }

    /// Puts back what was tried in vain: the deferred values first.
    mutating func putBack(_ tried: [Item]) {
        for item in tried.reversed() where !item.isInstance { items.append(item) }
        settledCount = items.count
        for item in tried.reversed() where item.isInstance { items.append(item) }
        untriedCount = 0
    }

    mutating func append(_ reference: WeakReference) {
        weakReferences.append(reference)
        hadWeakReferences = true
    }

    /// Forgets the weak references for which `isDone` holds.
    mutating func removeWeakReferences(_ isDone: (WeakReference) -> Bool) {
        if !weakReferences.isEmpty { weakReferences.removeAll(where: isDone) }
    }

    /// Forgets the instance `uid` that `reader` makes, if it was asked for last.
    fileprivate mutating func removeLast(_ uid: UInt32, of reader: InstanceReader) {
        guard items.count > 0, case .awaited(let last, uid, _) = items[items.count - 1],
            last._withUnsafeGuaranteedRef({ $0 === reader })
        else { return }
        _ = popLast(after: 0)
    }

    /// Takes what was asked for last, if it was asked for after the first `mark` things.
    mutating func popLast(after mark: Int) -> Item? {
        guard items.count > mark else { return nil }
        let item = items.removeLast()
        if item.isInstance, untriedCount > 0 { untriedCount -= 1 }
        if settledCount > items.count { settledCount = items.count }
        return item
    }
}

/// A deferred value has elements to be hashed for which it is too early.
struct TooEarly: Error {}

extension GraphReadingState {
    /// Two classes that the object `uid` was made as and of which neither inherits from the other; nil where there are
    /// none.
    fileprivate func unrelatedClasses(_ uid: UInt32) -> (any Any.Type, any Any.Type)? {
        // A value is none, and an object that is kept as it lies in the archive is in nobody's way.
        let made = instances.made(uid).filter { $0.type is AnyClass && !($0.type is any ForeignCoding.Type) }
        for (position, one) in made.enumerated() {
            for other in made[..<position] where !isRelated(one, other) { return (other.type, one.type) }
        }
        return nil
    }

    /// Whether one is of a class that the other one inherits from. An instance that was replaced may be of another class
    /// than it was made as.
    private func isRelated(
        _ one: (type: any Any.Type, object: AnyObject), _ other: (type: any Any.Type, object: AnyObject)
    ) -> Bool {
        for left in [one.type, Swift.type(of: one.object)] {
            for right in [other.type, Swift.type(of: other.object)]
            where isSubclass(left, of: right) || isSubclass(right, of: left) { return true }
        }
        return one.object === other.object
    }
}

extension UnsafeMutablePointer<GraphReadingState> {
    /// Makes whatever was asked for, and what that asks for.
    func finishWork() throws {
        while pointee.awaited.count > 0 || !pointee.awaited.hashed.isEmpty {
            try finishWork(after: 0, isEnd: true)
            try finishHashed()
        }
        try checkFailures()
    }

    /// Makes whatever was asked for after the first `mark` things, and what those ask for.
    ///
    /// - Parameter isEnd: Whether nothing is being decoded any more, so that an instance which cannot be made is tried once.
    func finishWork(after mark: Int, isEnd: Bool = false) throws {
        while let item = pointee.awaited.popLast(after: mark) {
            switch item {
            case .awaited(let reader, let uid, let path):
                try reader._withUnsafeGuaranteedRef { try make(uid, $0, path, isEnd: isEnd) }
            case .needed(let reader, let uid, let path):
                try reader._withUnsafeGuaranteedRef { try makeUnknown(uid, $0, path) }
            case .reference(let reader, let number, let path):
                try reader._withUnsafeGuaranteedRef { try fill(number, $0, path) }
            case .unprepared(let number):
                guard let value = pointee.awaited.deferred[number] else { continue }
                pointee.awaited.append(.prepared(number))
                try value.prepare()
            case .prepared(let number):
                try finish(number)
            }
        }
    }

    /// Makes the instances that were asked for before the elements which are going to be hashed: an element that was made
    /// before may refer to them. What cannot be made yet is left for later.
    func finishEarlierInstances() {
        pointee.hashed.isFinishingEarlier = true
        defer { pointee.hashed.isFinishingEarlier = false }
        var tried: [AwaitedWork.Item] = []
        while let item = pointee.awaited.popLast(after: pointee.awaited.settledCount) {
            switch item {
            case .awaited(let reader, let uid, let path), .needed(let reader, let uid, let path):
                if case .awaited = item, !isWanted(uid, reader) { continue }
                let mark = pointee.awaited.count
                do {
                    try reader._withUnsafeGuaranteedRef { try makeUnknown(uid, $0, path) }
                } catch {
                    pointee.dismiss(error)
                    while let left = pointee.awaited.popLast(after: mark) { tried.append(left) }
                    tried.append(item)
                }
            case .reference, .unprepared, .prepared: tried.append(item)
            }
        }
        pointee.awaited.putBack(tried)
    }

    private func isWanted(_ uid: UInt32, _ reader: Unmanaged<InstanceReader>) -> Bool {
        reader._withUnsafeGuaranteedRef { pointee.instances.isWanted(uid, as: $0.identity) }
    }

    /// Makes the instance of the object `uid` unless it is there, or being made.
    private func makeUnknown(_ uid: UInt32, _ reader: InstanceReader, _ path: CodingPathTable.Index) throws {
        if case .unknown = pointee.instances.state(uid, as: reader.identity) { try reader.make(uid, at: path) }
    }

    /// Makes the instance of the object `uid` if references still wait for it.
    private func make(
        _ uid: UInt32, _ reader: InstanceReader, _ path: CodingPathTable.Index, isEnd: Bool
    ) throws {
        guard pointee.instances.isWanted(uid, as: reader.identity) else { return }
        do {
            try reader.make(uid, at: path)
        } catch {
            guard isEnd else { throw error }
            // Whether anybody wants it is found out once for all that have failed.
            pointee.awaited.removeLast(uid, of: reader)
            pointee.awaited.failures.append(.init(uid: uid, type: reader.identity, error: error))
        }
    }

    /// Makes the instance that the property of the reference `number` is to get, and that has failed before, if anything
    /// but the table still holds the owner.
    private func fill(_ number: BackReference.Number, _ reader: InstanceReader, _ path: CodingPathTable.Index) throws {
        guard let reference = pointee.instances.backReference(number),
            let owner = pointee.instances.completeInstance(reference.owner),
            pointee.instances.isHeld(reference.ownerUID, owner)
        else { return }
        try makeUnknown(reference.targetUID, reader, path)
        if pointee.instances.isInProgress(reference.target) {
            pointee.instances.waitAgain(reference)
        } else {
            pointee.instances.fill(reference)
        }
    }

    /// Throws where references wait for an instance that could not be made.
    ///
    /// It may be that only instances wait for it which nobody has but the table: those of a part that failed, and whose
    /// error somebody has caught.
    private func checkFailures() throws {
        guard !pointee.awaited.failures.isEmpty else { return }
        let failures = pointee.awaited.failures
        pointee.awaited.failures = []
        try releaseUnheld()
        for failure in failures {
            if pointee.instances.isWanted(failure.uid, as: failure.type) { throw failure.error }
            pointee.dismiss(failure.error)
        }
    }

    /// Throws where one object has become instances of two classes that have nothing to do with each other.
    ///
    /// A part that failed may have asked for another class than the one that was tried instead: only what somebody has
    /// counts.
    func checkClasses() throws {
        guard pointee.instances.repeatedUIDs.count > 0 else { return }
        let uids = pointee.instances.repeatedUIDs.elements.filter { pointee.unrelatedClasses($0) != nil }
        pointee.instances.forgetRepeated()
        guard !uids.isEmpty else { return }
        try releaseUnheld()
        for uid in uids {
            if let (one, other) = pointee.unrelatedClasses(uid) { throw UnarchivingError.twoClasses(uid, one, other) }
        }
    }

    /// Lets go of the complete instances that nobody has but the table, and of what only those hold.
    ///
    /// To release an instance makes others unheld: in plain properties those that were complete before it, behind references
    /// mostly those that were complete after it. So one pass in either direction is enough, unless chains of both kinds are
    /// mixed. Each pass counts as work.
    private func releaseUnheld() throws {
        var places = pointee.instances.completePlaces()
        var count: Int
        repeat {
            count = places.count
            do throws(KeyedArchiveError) {
                try pointee.countWork(count)
            } catch {
                throw UnarchivingError.damaged(error, path: [])
            }
            places.reverse()
            pointee.instances.releaseUnheld(at: &places)
        } while places.count < count
    }

    /// Decodes the deferred value `number`, or lets it wait: for another instance that it leads back to, or, where it has
    /// elements to be hashed, for all values that have none.
    func finish(_ number: DeferredValues.Number) throws {
        guard !pointee.hashed.isTrial, let value = pointee.awaited.deferred[number] else { return }
        do {
            let (target, _) = try attempt(value, .early)
            finish(value, target)
        } catch is TooEarly {
            pointee.awaited.hashed.append(number)
        }
    }

    private func finish(_ value: DeferredValue, _ target: InstanceTable.Index?) {
        if let target {
            pointee.instances.wait(for: target, value)
        } else if !value.isPostponed {
            pointee.awaited.deferred.remove(value)
        }
    }

    /// Decodes `value`.
    ///
    /// - Returns: What it has to wait for, and what computes the hashes of its elements.
    /// - Throws: `TooEarly` where it has elements that must not be hashed yet.
    private func attempt(
        _ value: DeferredValue, _ stage: HashedElements.Stage
    ) throws -> (target: InstanceTable.Index?, hashes: [() -> Int]) {
        let outer = pointee.beginAttempt(stage)
        let target: InstanceTable.Index?
        do {
            target = try value.finish()
        } catch {
            if pointee.endAttempt(outer)?.isTooEarly ?? false { throw TooEarly() }
            // What an instance inside has to hash can neither be deferred.
            guard CycleReference(in: error) != nil, stage != .always else { throw error }
            pointee.dismiss(error)
            if stage == .early { throw TooEarly() }
            return try attempt(value, .always)
        }
        let attempt = pointee.endAttempt(outer)
        if attempt?.isTooEarly ?? false { throw TooEarly() }
        return (target, attempt?.hashes ?? [])
    }

    /// Decodes the deferred values that have elements to be hashed, of those that were asked for after the first `mark`
    /// ones. Everything else is in its place.
    ///
    /// One may be what the elements of another one are hashed by. A value that its own elements are hashed by is an error:
    /// no order is right for it. The others are decoded anew until no hash changes any more, which comes to an end, since
    /// none of them goes by itself.
    func finishHashed(after mark: Int = 0) throws {
        guard pointee.awaited.hashed.count > mark else { return }
        if pointee.awaited.hasUntried { finishEarlierInstances() }
        let numbers = Array(pointee.awaited.hashed[mark...])
        pointee.awaited.hashed.removeSubrange(mark...)
        var values: [DeferredValue] = []
        var isKnown = true
        for number in numbers {
            guard let value = pointee.awaited.deferred[number] else { continue }
            let (target, hashes) = try attempt(value, .last)
            finish(value, target)
            guard target == nil, !hashes.isEmpty else { continue }
            value.hashes = hashes
            switch try value.isHashedByItself() {
            case true?: throw value.circularHash()
            case false?: break
            case nil: isKnown = false
            }
            values.append(value)
        }
        // What may be hashed by itself is not hashed when it is in its place: that might not come to an end.
        guard values.count > 1, isKnown else { return }
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for value in values where value.hash() != value.knownHash {
                value.hashes = try attempt(value, .last).hashes
                value.knownHash = value.hash()
                hasChanged = true
            }
        }
    }

    /// Gives weak references those of their instances that are there. The others keep waiting.
    func fulfilWeakReferences() {
        let instances = self
        pointee.awaited.removeWeakReferences { reference in
            if let open = instances.pointee.open {
                reference.awaited.setOrigin(.init(open, reference.uid, as: reference.type))
            }
            guard let instance = instances.completeInstance(reference.uid, as: reference.type) else { return false }
            // One that was replaced may be of another class. Types are known by the addresses of their metatypes.
            let type = TypeAddress.type(at: reference.type)
            if instances.pointee.isSubclass(Swift.type(of: instance), of: type) { reference.awaited.fulfil(instance) }
            return true
        }
    }

    /// The instance that the object `uid` has become as `type`, in this decoding or before; nil if it has not.
    private func completeInstance(_ uid: UInt32, as type: UnsafeRawPointer) -> AnyObject? {
        if case .complete(let object) = pointee.instances.state(uid, as: type) {
            return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
        }
        return pointee.open?.instance(uid, as: type)
    }
}
