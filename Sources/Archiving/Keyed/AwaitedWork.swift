/// What references have asked for and is still to be made: instances, and values that are deferred.
///
/// It is a list and no recursion, so that references cost no stack, however long the chain.
struct AwaitedWork: ~Copyable {
    enum Item: BitwiseCopyable {
        /// An instance that references wait for, if they still do.
        case awaited(Unmanaged<InstanceReader>, uid: UInt32, path: CodingPathTable.Index)
        /// An instance that a deferred value needs.
        case needed(Unmanaged<InstanceReader>, uid: UInt32, path: CodingPathTable.Index)
        /// A deferred value that has not yet said what it needs.
        case unprepared(DeferredValues.Number)
        /// A deferred value that has what it needs.
        case prepared(DeferredValues.Number)

        /// Whether it is an instance that is to be made.
        var isInstance: Bool {
            switch self {
            case .awaited, .needed: true
            case .unprepared, .prepared: false
            }
        }
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
    private(set) var weakReferences: [WeakReference] = []
    private var hadWeakReferences = false
    var deferred = DeferredValues()

    var count: Int { items.count }

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

    /// Puts back what was tried in vain.
    mutating func putBack(_ tried: [Item]) {
        for item in tried.reversed() { items.append(item) }
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

    /// Takes what was asked for last, if it was asked for after the first `mark` things.
    mutating func popLast(after mark: Int) -> Item? {
        guard items.count > mark else { return nil }
        let item = items.removeLast()
        if item.isInstance, untriedCount > 0 { untriedCount -= 1 }
        return item
    }
}

/// Makes the instances of one class. The layers above make subclasses: one for each way in which a class can be read.
class InstanceReader {
    /// The class, as the table of instances knows it.
    final let identity: UnsafeRawPointer

    init(identity: UnsafeRawPointer) {
        self.identity = identity
    }

    /// Makes the instance of the object `uid` and enters it in the table of instances.
    ///
    /// - Parameter path: Where the reference stands that it is made for.
    func make(_ uid: UInt32, at path: CodingPathTable.Index) throws {
        preconditionFailure("InstanceReader is abstract")
    }
}

extension UnsafeMutablePointer<UnarchivingState> {
    /// Makes whatever was asked for after the first `mark` things, and what those ask for.
    func finishWork(after mark: Int = 0) throws {
        while let item = pointee.awaited.popLast(after: mark) {
            switch item {
            case .awaited(let reader, let uid, let path):
                try reader._withUnsafeGuaranteedRef { try make(uid, $0, path, isEnd: mark == 0) }
            case .needed(let reader, let uid, let path):
                try reader._withUnsafeGuaranteedRef { try makeUnknown(uid, $0, path) }
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
        while let item = pointee.awaited.popLast(after: 0) {
            switch item {
            case .awaited(let reader, let uid, let path), .needed(let reader, let uid, let path):
                if case .awaited = item, !isWanted(uid, reader) { continue }
                let mark = pointee.awaited.count
                do {
                    try reader._withUnsafeGuaranteedRef { try makeUnknown(uid, $0, path) }
                } catch {
                    while let left = pointee.awaited.popLast(after: mark) { tried.append(left) }
                    tried.append(item)
                }
            case .unprepared, .prepared: tried.append(item)
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
            // It may be that only instances wait for it which nobody has but the table: those of a part that failed, and
            // whose error somebody has caught.
            guard isEnd else { throw error }
            pointee.instances.releaseUnheld()
            if pointee.instances.isWanted(uid, as: reader.identity) { throw error }
        }
    }

    /// Decodes the deferred value `number`, or lets it wait for another instance that it leads back to.
    private func finish(_ number: DeferredValues.Number) throws {
        guard let value = pointee.awaited.deferred[number] else { return }
        if let target = try value.finish() {
            pointee.instances.wait(for: target, value)
        } else {
            pointee.awaited.deferred.remove(value)
        }
    }

    /// Finishes what an instance owns and what has waited for it.
    ///
    /// An error lets the whole decoding fail: the instance is known to others, and not what it should be.
    func finish(_ finished: FinishedInstance, _ object: UnsafeRawPointer) throws {
        do {
            var number = finished.owned
            while let value = pointee.awaited.deferred[number] {
                number = value.nextOwned
                try value.ownerIsComplete(object)
            }
            // In the order in which they were deferred: what is hashed comes after what its hash may go by.
            var waiting: [DeferredValues.Number] = []
            number = finished.waiting
            while let value = pointee.awaited.deferred[number] {
                waiting.append(number)
                number = value.nextWaiting
            }
            for number in waiting.reversed() { try finish(number) }
        } catch {
            pointee.fail(error)
            throw error
        }
    }

    /// Takes note of what an instance that failed with `error` has left behind.
    ///
    /// - Parameters:
    ///   - reader: What makes the instance, if references can wait for it.
    ///   - path: Where the reference stands that it was made for.
    func giveUp(
        _ failed: FailedInstance, _ error: any Error, _ reader: Unmanaged<InstanceReader>?,
        path: () -> CodingPathTable.Index
    ) {
        if failed.wasHandedOut { pointee.fail(error) }
        // What has waited for it tries again when everything else is there.
        var number = failed.waiting
        while let value = pointee.awaited.deferred[number] {
            number = value.nextWaiting
            value.isLeftOver = true
            pointee.awaited.append(.prepared(value.number))
        }
        if failed.isAwaited, let reader { pointee.awaited.append(.awaited(reader, uid: failed.uid, path: path())) }
    }

    /// Gives weak references those of their instances that are there. The others keep waiting.
    func fulfilWeakReferences() {
        let instances = self
        pointee.awaited.removeWeakReferences { reference in
            guard
                case .complete(let object) = instances.pointee.instances.state(reference.uid, as: reference.type)
            else { return false }
            let instance = Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
            // One that was replaced may be of another class. Types are known by the addresses of their metatypes.
            let type = unsafeBitCast(reference.type, to: Any.Type.self)
            if instances.pointee.isSubclass(Swift.type(of: instance), of: type) { reference.awaited.fulfil(instance) }
            return true
        }
    }
}
