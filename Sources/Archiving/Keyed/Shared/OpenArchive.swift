import Synchronization

/// An archive that stays open after a value was decoded from it: parts of it are decoded when they are first read.
///
/// It knows the instances that were made from the archive and that the program still has, so that a part that is decoded later
/// refers to these. It does not keep them.
///
/// Sendable: the instances are entered and found under a lock, and the rest does not change.
final class OpenArchive: @unchecked Sendable {
    /// The archive. An archive that is saved is another one afterwards, with the same uids.
    var source: ArchiveSource {
        get { currentSource.withLock { $0 } }
        set { currentSource.withLock { $0 = newValue } }
    }
    private let currentSource: Mutex<ArchiveSource>
    let classes: ClassRegistry
    /// The types of class entries, by uid, if the archive was made in this process.
    let types: [UInt32: any Any.Type]
    let limits: DecodingLimits
    /// What `init(from:)` finds in its decoder's `userInfo`.
    let userInfo: [CodingUserInfoKey: any Sendable]
    /// What is called with the error of a part that is read without `try`.
    let errorHandler: (@Sendable (any Error) -> Void)?

    /// The objects that parts of the program's are, and how many.
    private let parts = Mutex<[UInt32: Int]>([:])
    /// Behind `instancesLock`.
    private var instances = LiveInstances()
    private let instancesLock = Mutex(())
    /// Whether any instance was entered.
    private let hasInstances = Atomic(false)
    /// Held while a part is decoded: two that refer to one object get one instance.
    private let lock = Mutex(())
    /// The threads that are decoding the archive. Their own code may read a part meanwhile.
    private let decodingThreads = Mutex<[UInt]>([])

    init(
        _ stored: StoredArchive, classes: ClassRegistry, types: [UInt32: any Any.Type], limits: DecodingLimits,
        userInfo: [CodingUserInfoKey: any Sendable], errorHandler: (@Sendable (any Error) -> Void)?
    ) {
        currentSource = Mutex(ArchiveSource(stored, format: .binary))
        self.classes = classes
        self.types = types
        self.limits = limits
        self.userInfo = userInfo
        self.errorHandler = errorHandler
    }
}

// MARK: - One decoding at a time

extension OpenArchive {
    /// Whether the calling thread is decoding the archive. No part can be decoded on this thread meanwhile: it would not see the
    /// instances that are not complete.
    var isDecodingHere: Bool { decodingThreads.withLock { $0.contains(Platform.currentThread) } }

    /// Begins a decoding on this thread, which ends with `endDecoding()`.
    func beginDecoding() {
        decodingThreads.withLock { $0.append(Platform.currentThread) }
    }

    /// Ends the decoding that was begun last on this thread.
    func endDecoding() {
        decodingThreads.withLock { threads in
            if let place = threads.lastIndex(of: Platform.currentThread) { threads.remove(at: place) }
        }
    }

    /// Lets `body` decode a part, one thread after the other. Not on a thread that is decoding the archive.
    func withDecodingLock(_ body: () throws -> Void) throws {
        try lock.withLock { _ in try body() }
    }
}

// MARK: - Parts

extension OpenArchive {
    /// Takes note that the program has a part that is the object `uid`: it is needed, whatever the archive refers to.
    func addPart(_ uid: UInt32) {
        parts.withLock { $0[uid, default: 0] += 1 }
    }

    /// Takes note that a part is gone.
    func removePart(_ uid: UInt32) {
        parts.withLock { parts in
            let count = (parts[uid] ?? 1) - 1
            parts[uid] = count > 0 ? count : nil
        }
    }

    /// The objects that parts of the program's are.
    var partUIDs: [UInt32] { parts.withLock { Array($0.keys) } }
}

// MARK: - Instances

extension OpenArchive {
    /// Enters instances that were decoded. The caller keeps them meanwhile.
    func enter(_ decoded: [DecodedInstance]) {
        guard !decoded.isEmpty else { return }
        // An instance that goes must not meet the lock: its own code may run.
        let others = withInstances { instances in
            let others = instances.reserve(decoded.count)
            for instance in decoded {
                let object = Unmanaged<AnyObject>.fromOpaque(instance.object).takeUnretainedValue()
                instances.insert(object, instance.uid, as: instance.type)
            }
            return others
        }
        withExtendedLifetime(others) {}
        hasInstances.store(true, ordering: .releasing)
    }

    /// Keeps the instances that are decoded from now on, and those that the program has.
    func keepInstances() {
        withInstances { instances in
            instances.keepsInstances = true
            instances.keepAll()
        }
    }

    /// Lets go of all kept instances, and keeps none from then on.
    func stopKeepingInstances() {
        withExtendedLifetime(
            withInstances { instances in
                instances.keepsInstances = false
                return instances.releaseAll()
            }
        ) {}
    }

    /// Lets go of the kept instances that nothing else refers to.
    func releaseUnusedInstances() {
        // Their own code may run when they go, and must not meet the lock.
        withExtendedLifetime(withInstances { $0.releaseAll() }) {}
        withInstances { $0.keepAll() }
    }

    /// Forgets the instances of objects that are not in the archive any more.
    func forgetInstances(where isGone: (UInt32) -> Bool) {
        withExtendedLifetime(withInstances { $0.remove(where: isGone) }) {}
    }

    /// The instance that the object `uid` has become as `type`, if the program still has it.
    func instance(_ uid: UInt32, as type: UnsafeRawPointer) -> AnyObject? {
        guard hasInstances.load(ordering: .acquiring) else { return nil }
        return withInstances { $0.instance(uid, as: type) }
    }

    /// The instance that the object `uid` has become, whatever its type, if the program still has it.
    func instance(_ uid: UInt32) -> AnyObject? {
        guard hasInstances.load(ordering: .acquiring) else { return nil }
        return withInstances { $0.instance(uid) }
    }

    /// The instances that the program has, each once, with the uids of their objects.
    var liveInstances: [(object: AnyObject, uid: UInt32)] { withInstances { $0.all } }

    private func withInstances<Result>(_ body: (inout LiveInstances) -> Result) -> Result {
        var result: Result?
        instancesLock.withLock { _ in result = body(&instances) }
        guard let result else { preconditionFailure("A lock that does not run its body") }
        return result
    }
}

/// An instance that a decoding has completed, which its table of instances keeps.
struct DecodedInstance: BitwiseCopyable {
    let object: UnsafeRawPointer
    let uid: UInt32
    /// The type that it was made as.
    let type: UnsafeRawPointer
}

/// Instances by the objects that they were made from. It does not keep them.
private struct LiveInstances {
    /// An object, so that a growing table moves nothing but references: to move a weak one takes long.
    private final class Entry {
        /// The address of the metatype.
        let type: UInt
        weak var instance: AnyObject?
        /// The instance, if it is kept.
        var kept: AnyObject?
        /// The entry of the same object for another type. Most objects have become instances of one type.
        var next: Entry?

        init(_ type: UInt, _ instance: AnyObject, _ next: Entry?) {
            self.type = type
            self.instance = instance
            self.next = next
        }
    }

    private var entries: [UInt32: Entry] = [:]
    /// Whether instances are kept: what was changed in them is saved, whatever becomes of what refers to them.
    var keepsInstances = false
    /// The number of objects from which on those are removed whose instances are gone.
    private var sweepCount = 1024

    /// Makes room for more objects.
    ///
    /// - Returns: Instances that are to be let go of when nothing is locked.
    mutating func reserve(_ count: Int) -> [AnyObject] {
        let others = entries.count + count >= sweepCount ? sweep() : []
        entries.reserveCapacity(entries.count + count)
        return others
    }

    mutating func insert(_ instance: AnyObject, _ uid: UInt32, as type: UnsafeRawPointer) {
        let type = UInt(bitPattern: type)
        let first = entries[uid]
        var entry = first
        while let known = entry {
            if known.type == type {
                known.instance = instance
                if keepsInstances { known.kept = instance }
                return
            }
            entry = known.next
        }
        let made = Entry(type, instance, first)
        if keepsInstances { made.kept = instance }
        entries[uid] = made
    }

    /// Lets go of the instances, and gives back what has to be released when nothing is locked.
    func releaseAll() -> [AnyObject] {
        var released: [AnyObject] = []
        visit { entry in
            if let kept = entry.kept { released.append(kept) }
            entry.kept = nil
        }
        return released
    }

    /// Keeps the instances that the program has.
    func keepAll() {
        visit { $0.kept = $0.instance }
    }

    private func visit(_ body: (Entry) -> Void) {
        for first in entries.values {
            var entry: Entry? = first
            while let known = entry {
                body(known)
                entry = known.next
            }
        }
    }

    func instance(_ uid: UInt32, as type: UnsafeRawPointer) -> AnyObject? {
        var entry = entries[uid]
        while let known = entry {
            if known.type == UInt(bitPattern: type) { return known.instance }
            entry = known.next
        }
        return nil
    }

    func instance(_ uid: UInt32) -> AnyObject? {
        var entry = entries[uid]
        while let known = entry {
            if let instance = known.instance { return instance }
            entry = known.next
        }
        return nil
    }

    var all: [(object: AnyObject, uid: UInt32)] {
        var all: [(object: AnyObject, uid: UInt32)] = []
        for (uid, first) in entries {
            var entry: Entry? = first
            while let known = entry {
                if let instance = known.instance {
                    all.append((instance, uid))
                    break
                }
                entry = known.next
            }
        }
        return all
    }

    /// Forgets objects.
    ///
    /// - Returns: What is to be let go of when nothing is locked.
    mutating func remove(where isGone: (UInt32) -> Bool) -> [AnyObject] {
        let gone = entries.filter { isGone($0.key) }
        for uid in gone.keys { entries[uid] = nil }
        return Array(gone.values)
    }

    private mutating func sweep() -> [AnyObject] {
        var instances: [AnyObject] = []
        entries = entries.filter { uid, _ in
            guard let instance = instance(uid) else { return false }
            instances.append(instance)
            return true
        }
        sweepCount = max(1024, 2 * entries.count)
        return instances
    }
}
