/// The waiting work of a decoding: instances that references request, and waiting values.
///
/// It is a list instead of recursion, so that chains of references take no stack, at any length.
struct AwaitedWork: ~Copyable {
    enum Item: BitwiseCopyable {
        /// An instance that references wait for, if they still exist.
        case awaited(Unmanaged<InstanceReader>, uid: UInt32, path: CodingPathTable.Index)
        /// An instance that a waiting value needs.
        case needed(Unmanaged<InstanceReader>, uid: UInt32, path: CodingPathTable.Index)
        /// A property whose target has failed and may be decoded after all.
        case reference(Unmanaged<InstanceReader>, BackReference.Number, path: CodingPathTable.Index)
        /// A waiting value that has not requested the instances it needs.
        case unprepared(WaitingValues.Number)
        /// A waiting value whose instances were requested.
        case prepared(WaitingValues.Number)

        /// Whether the item is an instance to decode.
        var isInstance: Bool {
            switch self {
            case .awaited, .needed: true
            case .reference, .unprepared, .prepared: false
            }
        }
    }

    /// An instance that could not be decoded for the references that wait for it.
    struct Failure {
        var uid: UInt32
        var type: UnsafeRawPointer
        var error: any Error
    }

    /// A weak reference, which gets its instance at the end if another reference has decoded it.
    struct WeakReference {
        var awaited: AwaitedWeakInstance
        var uid: UInt32
        var type: UnsafeRawPointer
    }

    private var items = PlainArray<Item>()
    /// The number of items that are instances without an attempt to decode them.
    private var untriedCount = 0
    /// The number of leading items that are waiting values which have waited before. They are skipped while earlier
    /// instances are decoded.
    fileprivate private(set) var settledCount = 0
    private(set) var weakReferences: [WeakReference] = []
    private var hadWeakReferences = false
    /// The instances that could not be decoded at the end.
    fileprivate var failures: [Failure] = []
    var values = WaitingValues()
    /// waiting values with elements to be hashed after all other values are set.
    fileprivate var hashed: [WaitingValues.Number] = []
    /// The depth of nested completions: a completed instance sets the values that wait for it, which may complete
    /// another one.
    var finishingDepth = 0

    var count: Int { items.count }

    /// The number of waiting values with elements to be hashed later.
    var hashedCount: Int { hashed.count }

    /// Whether no work was ever added.
    var isUnused: Bool {
        items.count == 0 && !items.isOwned && weakReferences.isEmpty && !hadWeakReferences && values.isEmpty
    }

    /// Whether there are instances without an attempt to decode them.
    var hasUntried: Bool { untriedCount > 0 }

    mutating func append(_ item: Item) {
        items.append(item)
        if item.isInstance { untriedCount += 1 }
    }

    /// Puts back items that were tried without success: the waiting values first.
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

    /// Forgets the weak references for which `isDone` returns true.
    mutating func removeWeakReferences(_ isDone: (WeakReference) -> Bool) {
        if !weakReferences.isEmpty { weakReferences.removeAll(where: isDone) }
    }

    /// Removes the request for the instance `uid` that `reader` decodes, if it is the last one.
    fileprivate mutating func removeLast(_ uid: UInt32, of reader: InstanceReader) {
        guard items.count > 0, case .awaited(let last, uid, _) = items[items.count - 1],
            last._withUnsafeGuaranteedRef({ $0 === reader })
        else { return }
        _ = popLast(after: 0)
    }

    /// Removes and returns the last item, if it was added after the first `mark` items.
    mutating func popLast(after mark: Int) -> Item? {
        guard items.count > mark else { return nil }
        let item = items.removeLast()
        if item.isInstance, untriedCount > 0 { untriedCount -= 1 }
        if settledCount > items.count { settledCount = items.count }
        return item
    }
}

/// A waiting value has elements that must not be hashed yet.
struct TooEarly: Error {}

extension GraphReadingState {
    /// Two unrelated classes of which the object `uid` has instances; nil if there are none.
    fileprivate func unrelatedClasses(_ uid: UInt32) -> (any Any.Type, any Any.Type)? {
        // Values have no class, and an object in its archived form conflicts with no class.
        let made = instances.made(uid).filter { $0.type is AnyClass && !($0.type is any ForeignCoding.Type) }
        for (position, one) in made.enumerated() {
            for other in made[..<position] where !isRelated(one, other) { return (other.type, one.type) }
        }
        return nil
    }

    /// Returns whether the class of one inherits from the other's. An instance that was replaced may have another class
    /// than the type that it was decoded as.
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
    /// Decodes all requested instances and values, and those that they request.
    func finishWork() throws {
        while pointee.awaited.count > 0 || !pointee.awaited.hashed.isEmpty {
            try finishWork(after: 0, isEnd: true)
            try finishHashed()
        }
        endReencoding()
        try checkFailures()
    }

    /// Decodes all items that were added after the first `mark` items, and those that they request.
    ///
    /// - Parameter isEnd: Whether no other decoding is in progress, so that an instance that cannot be decoded is tried
    ///   once.
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
                guard let value = pointee.awaited.values[number] else { continue }
                pointee.awaited.append(.prepared(number))
                try value.prepare()
            case .prepared(let number):
                try finish(number)
            }
        }
    }

    /// Decodes the instances that were requested before the elements to be hashed, since an element that was decoded
    /// earlier may refer to them. Instances that cannot be decoded yet are left for later.
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

    /// Decodes the instance of the object `uid`, unless it is complete or in progress.
    private func makeUnknown(_ uid: UInt32, _ reader: InstanceReader, _ path: CodingPathTable.Index) throws {
        if case .unknown = pointee.instances.state(uid, as: reader.identity) { try reader.make(uid, at: path) }
    }

    /// Decodes the instance of the object `uid` if references still wait for it.
    private func make(
        _ uid: UInt32, _ reader: InstanceReader, _ path: CodingPathTable.Index, isEnd: Bool
    ) throws {
        guard pointee.instances.isWanted(uid, as: reader.identity) else { return }
        do {
            try reader.make(uid, at: path)
        } catch {
            guard isEnd else { throw error }
            // A single later check determines which of the failed instances are still needed.
            pointee.awaited.removeLast(uid, of: reader)
            pointee.awaited.failures.append(.init(uid: uid, type: reader.identity, error: error))
        }
    }

    /// Decodes the instance for the property of the reference `number`, which has failed before, if an object outside
    /// the table retains the owner.
    private func fill(_ number: BackReference.Number, _ reader: InstanceReader, _ path: CodingPathTable.Index) throws {
        endReencoding()
        guard let reference = pointee.instances.backReference(number),
            let owner = pointee.instances.completeInstance(reference.owner),
            pointee.instances.isHeld(reference.ownerUID, owner)
        else { return }
        try makeUnknown(reference.targetUID, reader, path)
        if pointee.instances.isInProgress(reference.target) {
            pointee.instances.waitAgain(reference)
        } else {
            try fill(number)
        }
    }

    /// Throws if references wait for an instance that could not be decoded.
    ///
    /// It is no error if only instances that the table alone retains wait for it: those of a part whose error the
    /// program has caught.
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

    /// Throws if one object has become instances of two unrelated classes.
    ///
    /// A part that failed may have requested another class than the later attempt. So only instances that are retained
    /// outside the table count.
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

    /// Releases the complete instances that only the table retains, and the instances that only those retain.
    ///
    /// The release of an instance can leave others unretained: instances in plain properties were completed before it,
    /// and instances behind references usually after it. So one pass in each direction is enough, unless chains of both
    /// kinds are mixed. Each pass counts as work.
    private func releaseUnheld() throws {
        endReencoding()
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

    /// Decodes the waiting value `number`, or lets it wait: for another instance that it refers back to or, if it has
    /// elements to be hashed, for all values without such elements.
    func finish(_ number: WaitingValues.Number) throws {
        guard !pointee.hashed.isTrial, let value = pointee.awaited.values[number] else { return }
        do {
            let (target, _) = try attempt(value, .early)
            finish(value, target)
        } catch is TooEarly {
            pointee.awaited.hashed.append(number)
        }
    }

    private func finish(_ value: WaitingValue, _ target: InstanceTable.Index?) {
        if let target {
            pointee.instances.wait(for: target, value)
        } else if !value.isPostponed {
            pointee.awaited.values.remove(value)
        }
    }

    /// Decodes `value`.
    ///
    /// - Returns: The instance that it has to wait for, and functions that compute the hashes of its elements.
    /// - Throws: `TooEarly` if it has elements that must not be hashed yet.
    private func attempt(
        _ value: WaitingValue, _ stage: HashedElements.Stage
    ) throws -> (target: InstanceTable.Index?, hashes: [() -> Int]) {
        let outer = pointee.beginAttempt(stage)
        let target: InstanceTable.Index?
        do {
            target = try value.finish()
        } catch {
            if pointee.endAttempt(outer)?.isTooEarly ?? false { throw TooEarly() }
            // The elements of an instance inside that have to be hashed cannot wait either.
            guard CycleReference(in: error) != nil, stage != .always else { throw error }
            pointee.dismiss(error)
            if stage == .early { throw TooEarly() }
            return try attempt(value, .always)
        }
        let attempt = pointee.endAttempt(outer)
        if attempt?.isTooEarly ?? false { throw TooEarly() }
        return (target, attempt?.hashes ?? [])
    }

    /// Decodes the waiting values with elements to be hashed, except the first `mark` ones. All other values are set.
    ///
    /// The hashes of a value's elements may depend on another value. It is an error if they depend on the value itself:
    /// no order is right for it. The others are decoded again until no hash changes. This terminates, since none of
    /// them depends on itself.
    func finishHashed(after mark: Int = 0) throws {
        guard pointee.awaited.hashed.count > mark else { return }
        if pointee.awaited.hasUntried { finishEarlierInstances() }
        let numbers = Array(pointee.awaited.hashed[mark...])
        pointee.awaited.hashed.removeSubrange(mark...)
        var values: [WaitingValue] = []
        var isKnown = true
        for number in numbers {
            guard let value = pointee.awaited.values[number] else { continue }
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
        // Hashing a value that may depend on itself might not terminate.
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

    /// Sets the weak references whose instances are complete. The others keep waiting.
    func fulfilWeakReferences() {
        let instances = self
        pointee.awaited.removeWeakReferences { reference in
            if let open = instances.pointee.open {
                reference.awaited.setOrigin(.init(open, reference.uid, as: reference.type))
            }
            guard let instance = instances.completeInstance(reference.uid, as: reference.type) else { return false }
            // A replacement may have another class. Types are identified by the addresses of their metatypes.
            let type = TypeAddress.type(at: reference.type)
            if instances.pointee.isSubclass(Swift.type(of: instance), of: type) { reference.awaited.fulfil(instance) }
            return true
        }
    }

    /// The instance of the object `uid` as `type`, from this decoding or an earlier one; nil if there is none.
    private func completeInstance(_ uid: UInt32, as type: UnsafeRawPointer) -> AnyObject? {
        if case .complete(let object) = pointee.instances.state(uid, as: type) {
            return Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
        }
        return pointee.open?.instance(uid, as: type)
    }
}
