import Synchronization

/// An archive that stays open after a value was decoded from it: parts of it are decoded when they are first read.
///
/// It knows the instances that were made from the archive and that the program still has, so that a part that is decoded later
/// refers to these. It does not keep them.
///
/// Sendable: the instances are entered and found under a lock, and the rest does not change.
final class OpenArchive: @unchecked Sendable {
    /// The archive.
    let source: ArchiveSource
    let classes: ClassRegistry
    /// The types of class entries, by uid, if the archive was made in this process.
    let types: [UInt32: any Any.Type]
    let limits: DecodingLimits
    /// What `init(from:)` finds in its decoder's `userInfo`.
    let userInfo: [CodingUserInfoKey: any Sendable]
    /// What is called with the error of a part that is read without `try`.
    let errorHandler: (@Sendable (any Error) -> Void)?

    private let instances = Mutex(LiveInstances())
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
        source = ArchiveSource(stored, format: .binary)
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

// MARK: - Instances

extension OpenArchive {
    /// Enters instances that were decoded. Somebody keeps them meanwhile.
    func enter(_ instances: [DecodedInstance]) {
        guard !instances.isEmpty else { return }
        self.instances.withLock { live in
            for instance in instances {
                let object = Unmanaged<AnyObject>.fromOpaque(instance.object).takeUnretainedValue()
                live.insert(object, for: LiveInstances.Key(instance.uid, instance.type))
            }
        }
        hasInstances.store(true, ordering: .releasing)
    }

    /// The instance that the object `uid` has become as `type`, if the program still has it.
    func instance(_ uid: UInt32, as type: UnsafeRawPointer) -> AnyObject? {
        guard hasInstances.load(ordering: .acquiring) else { return nil }
        return find { $0.instance(for: LiveInstances.Key(uid, type)) }
    }

    /// The instance that the object `uid` has become, whatever its type, if the program still has it.
    func instance(_ uid: UInt32) -> AnyObject? {
        guard hasInstances.load(ordering: .acquiring) else { return nil }
        return find { $0.instance(uid) }
    }

    private func find(_ body: (inout LiveInstances) -> AnyObject?) -> AnyObject? {
        // The lock keeps the table, not the instance, which is as safe as the program that has it.
        struct Found: @unchecked Sendable { let object: AnyObject? }
        return instances.withLock { Found(object: body(&$0)) }.object
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
private struct LiveInstances: @unchecked Sendable {
    struct Key: Hashable {
        var uid: UInt32
        /// The address of the metatype.
        var type: UInt

        init(_ uid: UInt32, _ type: UnsafeRawPointer) {
            self.uid = uid
            self.type = UInt(bitPattern: type)
        }
    }

    private struct Entry {
        let type: UInt
        weak var instance: AnyObject?
    }

    /// Most objects have become instances of one type.
    private var entries: [UInt32: Entry] = [:]
    private var others: [Key: Entry] = [:]
    /// The number of entries from which on those of instances that are gone are removed.
    private var sweepCount = 1024

    mutating func insert(_ instance: AnyObject, for key: Key) {
        if entries.count + others.count >= sweepCount { sweep() }
        let entry = Entry(type: key.type, instance: instance)
        if let known = entries[key.uid], known.type != key.type, known.instance != nil {
            others[key] = entry
        } else {
            entries[key.uid] = entry
        }
    }

    func instance(for key: Key) -> AnyObject? {
        if let entry = entries[key.uid], entry.type == key.type { return entry.instance }
        return others.isEmpty ? nil : others[key]?.instance
    }

    func instance(_ uid: UInt32) -> AnyObject? {
        if let instance = entries[uid]?.instance { return instance }
        return others.lazy.first { $0.key.uid == uid && $0.value.instance != nil }?.value.instance
    }

    private mutating func sweep() {
        entries = entries.filter { $0.value.instance != nil }
        others = others.filter { $0.value.instance != nil }
        sweepCount = max(1024, 2 * (entries.count + others.count))
    }
}
