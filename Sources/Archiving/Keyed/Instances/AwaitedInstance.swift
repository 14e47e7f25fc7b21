import Synchronization

/// The shared state of all references to an instance that is not decoded yet.
///
/// It is fulfilled once, on the decoding thread, and may be read on any thread.
final class AwaitedInstance: Sendable {
    /// The instance, retained. 0 until it is complete.
    private let address = Atomic<UInt>(0)

    deinit {
        if let object = pointer { Unmanaged<AnyObject>.fromOpaque(object).release() }
    }

    /// The instance; nil until it is complete.
    var pointer: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) }

    /// Sets the target of all references to the instance at `object`, and retains it.
    func fulfil(_ object: UnsafeRawPointer) {
        guard address.load(ordering: .relaxed) == 0 else { return }
        _ = Unmanaged<AnyObject>.fromOpaque(object).retain()
        address.store(UInt(bitPattern: object), ordering: .releasing)
    }

    /// Replaces the target of all references by the instance at `object`, which it retains, or by nothing. Only the
    /// decoding may have the references at this time.
    func replace(with object: UnsafeRawPointer?) {
        object.map { _ = Unmanaged<AnyObject>.fromOpaque($0).retain() }
        let old = address.exchange(UInt(bitPattern: object), ordering: .acquiringAndReleasing)
        UnsafeRawPointer(bitPattern: old).map { Unmanaged<AnyObject>.fromOpaque($0).release() }
    }
}

/// The shared state of all weak references to an instance that is not decoded yet.
final class AwaitedWeakInstance: Sendable {
    /// A weak reference to the instance, which does not change any more.
    private final class Target {
        private(set) weak var object: AnyObject?

        init(_ object: AnyObject) {
            self.object = object
        }
    }

    /// The position of the instance in an archive that stays open.
    final class Origin: Sendable {
        let archive: OpenArchive
        let uid: UInt32
        private let type: UInt

        init(_ archive: OpenArchive, _ uid: UInt32, as type: UnsafeRawPointer) {
            self.archive = archive
            self.uid = uid
            self.type = UInt(bitPattern: type)
        }

        /// The program's instance.
        fileprivate var object: AnyObject? {
            UnsafeRawPointer(bitPattern: type).flatMap { archive.instance(uid, as: $0) }
        }
    }

    /// The target, retained. 0 until the instance is complete.
    private let address = Atomic<UInt>(0)
    /// The origin, retained. 0 if the archive does not stay open.
    private let originAddress = Atomic<UInt>(0)

    deinit {
        target?.release()
        if let origin = UnsafeRawPointer(bitPattern: originAddress.load(ordering: .acquiring)) {
            Unmanaged<Origin>.fromOpaque(origin).release()
        }
    }

    /// The position of the instance in an archive that stays open, from which it can be decoded later, or again.
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

    /// The instance; nil until it is complete, and after it was deallocated.
    var object: AnyObject? { target?.takeUnretainedValue().object ?? origin?.object }

    /// Sets the target of all references to `object`, which they do not retain.
    func fulfil(_ object: AnyObject) {
        guard address.load(ordering: .relaxed) == 0 else { return }
        address.store(UInt(bitPattern: Unmanaged.passRetained(Target(object)).toOpaque()), ordering: .releasing)
    }
}
