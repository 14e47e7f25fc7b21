import Synchronization

/// What references share that lead to an instance which is still to be made.
///
/// It is fulfilled once, on the thread that decodes, and may be read on any.
final class AwaitedInstance: Sendable {
    /// The instance, retained. 0 until it is there.
    private let address = Atomic<UInt>(0)

    deinit {
        if let object = pointer { Unmanaged<AnyObject>.fromOpaque(object).release() }
    }

    /// The instance; nil until it is there.
    var pointer: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) }

    /// Gives all references the instance at `object`, and retains it.
    func fulfil(_ object: UnsafeRawPointer) {
        guard address.load(ordering: .relaxed) == 0 else { return }
        _ = Unmanaged<AnyObject>.fromOpaque(object).retain()
        address.store(UInt(bitPattern: object), ordering: .releasing)
    }

    /// Gives all references the instance at `object`, which it retains, or nothing, in the place of what they have. Only
    /// while nobody has them but the decoding.
    func replace(with object: UnsafeRawPointer?) {
        object.map { _ = Unmanaged<AnyObject>.fromOpaque($0).retain() }
        let old = address.exchange(UInt(bitPattern: object), ordering: .acquiringAndReleasing)
        UnsafeRawPointer(bitPattern: old).map { Unmanaged<AnyObject>.fromOpaque($0).release() }
    }
}

/// What weak references share that lead to an instance which is still to be made.
final class AwaitedWeakInstance: Sendable {
    /// The instance as it was when it was there. It does not change any more.
    private final class Target {
        private(set) weak var object: AnyObject?

        init(_ object: AnyObject) {
            self.object = object
        }
    }

    /// Where the instance is in an archive that stays open.
    final class Origin: Sendable {
        let archive: OpenArchive
        let uid: UInt32
        private let type: UInt

        init(_ archive: OpenArchive, _ uid: UInt32, as type: UnsafeRawPointer) {
            self.archive = archive
            self.uid = uid
            self.type = UInt(bitPattern: type)
        }

        /// The instance that the program has.
        fileprivate var object: AnyObject? {
            UnsafeRawPointer(bitPattern: type).flatMap { archive.instance(uid, as: $0) }
        }
    }

    /// The target, retained. 0 until it is there.
    private let address = Atomic<UInt>(0)
    /// The origin, retained. 0 if the archive does not stay open.
    private let originAddress = Atomic<UInt>(0)

    deinit {
        target?.release()
        if let origin = UnsafeRawPointer(bitPattern: originAddress.load(ordering: .acquiring)) {
            Unmanaged<Origin>.fromOpaque(origin).release()
        }
    }

    /// Where the instance is in an archive that stays open: it can be decoded later, or again.
    var origin: Origin? {
        UnsafeRawPointer(bitPattern: originAddress.load(ordering: .acquiring)).map {
            Unmanaged<Origin>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Lets references find the instance if it is decoded later.
    func setOrigin(_ origin: @autoclosure () -> Origin) {
        guard originAddress.load(ordering: .relaxed) == 0 else { return }
        let made = Unmanaged.passRetained(origin())
        originAddress.store(UInt(bitPattern: made.toOpaque()), ordering: .releasing)
    }

    private var target: Unmanaged<Target>? {
        UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)).map { .fromOpaque($0) }
    }

    /// The instance; nil until it is there, and when it is gone.
    var object: AnyObject? { target?.takeUnretainedValue().object ?? origin?.object }

    /// Gives all references `object`, which they do not retain.
    func fulfil(_ object: AnyObject) {
        guard address.load(ordering: .relaxed) == 0 else { return }
        address.store(UInt(bitPattern: Unmanaged.passRetained(Target(object)).toOpaque()), ordering: .releasing)
    }
}
