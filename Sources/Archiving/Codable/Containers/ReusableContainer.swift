import Synchronization

/// A keyed container that is lent to one coder after another.
///
/// Creating a keyed container costs an allocation and several type lookups in Swift's runtime, more than the coding of
/// most values. The containers of one key type are therefore reused. One is lent when a program requests a container,
/// and taken back when the coder's value is complete. If the program still holds it then, it stays with the program and
/// retains its coder (`KeptContainers`), and the next value gets a new one.
class ReusableContainer {
    /// The coder object of this container; nil while it is not lent.
    @exclusivity(unchecked) private(set) var coder: UnsafeRawPointer?
    /// The retained coder, if the container may outlive its value.
    private var kept: AnyObject?
    /// The container itself, which references this object.
    @exclusivity(unchecked) fileprivate var place: UnsafeMutablePointer<ContainerObject>?
    /// The list for returned containers; nil for an owning container. A session retains it, and outlives its lent
    /// containers.
    private unowned(unsafe) let home: ReusableContainers?
    /// The next container in the list of free ones, or in the list of those that were lent to the same coder.
    @exclusivity(unchecked) fileprivate var next: Unmanaged<ReusableContainer>?

    fileprivate init(_ coder: AnyObject, home: ReusableContainers) {
        self.coder = UnsafeRawPointer(Unmanaged.passUnretained(coder).toOpaque())
        self.home = home
    }

    /// Creates the base of a container that is not lent: it owns its coder.
    init(givingAway coder: AnyObject) {
        self.coder = UnsafeRawPointer(Unmanaged.passUnretained(coder).toOpaque())
        kept = coder
        home = nil
    }

    /// Takes back the containers that were lent to `coder`, whose value is complete.
    @inline(__always)
    static func takeBack(_ lent: inout Unmanaged<ReusableContainer>?, from coder: AnyObject) {
        while let container = lent { takeBack(container, &lent, from: coder) }
    }

    /// Takes back the container that was lent to `coder` last, if it is no longer used.
    static func takeBackLast(_ lent: inout Unmanaged<ReusableContainer>?, from coder: AnyObject) {
        guard let container = lent, container._withUnsafeGuaranteedRef({ $0.isReturned }) else { return }
        takeBack(container, &lent, from: coder)
    }

    @inline(__always)
    private static func takeBack(
        _ container: Unmanaged<ReusableContainer>, _ lent: inout Unmanaged<ReusableContainer>?, from coder: AnyObject
    ) {
        container._withUnsafeGuaranteedRef {
            lent = $0.next
            $0.takeBack(from: coder)
        }
    }

    /// Whether this is the only reference to the container.
    fileprivate var isReturned: Bool {
        guard let place else { return false }
        return isKnownUniquelyReferenced(&place.pointee)
    }

    private func takeBack(from coder: AnyObject) {
        guard let home else { return }
        guard isReturned else {
            next = nil
            kept = coder
            return KeptContainers.keep(self)
        }
        self.coder = nil
        home.put(self)
    }

    /// Disables the containers that were lent to a coder before the coder is deallocated.
    static func invalidate(_ lent: Unmanaged<ReusableContainer>?) {
        var rest = lent
        while let container = rest {
            container._withUnsafeGuaranteedRef {
                rest = $0.next
                $0.next = nil
                $0.coder = nil
                $0.isReturned ? $0.discard() : KeptContainers.keep($0)
            }
        }
    }

    /// Releases the container and this object.
    fileprivate func discard() {
        if let place {
            self.place = nil
            place.deinitialize(count: 1)
            place.deallocate()
        }
        Unmanaged.passUnretained(self).release()
    }

    fileprivate func lend(to coder: AnyObject) {
        self.coder = UnsafeRawPointer(Unmanaged.passUnretained(coder).toOpaque())
    }
}

/// A substitute for the standard library's class of a container, for reference counting only. `AnyObject` does not
/// work: its reference counting is not known in every build.
private final class ContainerObject {}

/// The containers of one key type in one session that are not lent.
final class ReusableContainers {
    @exclusivity(unchecked) private var first: Unmanaged<ReusableContainer>?

    deinit {
        while let container = take() { container._withUnsafeGuaranteedRef { $0.discard() } }
    }

    @inline(__always)
    private func take() -> Unmanaged<ReusableContainer>? {
        guard let container = first else { return nil }
        first = container._withUnsafeGuaranteedRef { $0.next }
        return container
    }

    fileprivate func put(_ container: ReusableContainer) {
        container.next = first
        first = Unmanaged.passUnretained(container)
    }

    /// Returns a free container for `coder`, entered in `lent`, or nil if there is none.
    @inline(__always)
    func lend(to coder: AnyObject, _ lent: inout Unmanaged<ReusableContainer>?) -> Unmanaged<ReusableContainer>? {
        // A class and its superclass both request a container; others request one repeatedly.
        if lent != nil { ReusableContainer.takeBackLast(&lent, from: coder) }
        guard let container = take() else { return nil }
        container._withUnsafeGuaranteedRef {
            $0.next = lent
            $0.lend(to: coder)
        }
        lent = container
        return container
    }

    /// Returns a new container for `coder`, created by `make` and entered in `lent`. It is a reference
    /// (`RuntimeLayout`).
    func lendNew<Container>(
        to coder: AnyObject, _ lent: inout Unmanaged<ReusableContainer>?, _ make: (ReusableContainer) -> Container
    ) -> Container {
        let made = TypedContainer<Container>(coder, home: self)
        let place = UnsafeMutablePointer<ContainerObject>.allocate(capacity: 1)
        UnsafeMutableRawPointer(place).initializeMemory(as: Container.self, to: make(made))
        made.place = place
        made.next = lent
        lent = Unmanaged.passRetained(made)
        return made.container()
    }
}

extension Unmanaged<ReusableContainer> {
    /// Returns the container as the expected type.
    @inline(__always)
    func container<Container>() -> Container {
        _withUnsafeGuaranteedRef { unsafeDowncast($0, to: TypedContainer<Container>.self).container() }
    }
}

/// A container with a static type, so that lending it needs no type lookup.
private final class TypedContainer<Container>: ReusableContainer {
    override init(_ coder: AnyObject, home: ReusableContainers) { super.init(coder, home: home) }

    @inline(never)
    func container() -> Container {
        guard let place else { preconditionFailure("A container has no place") }
        return UnsafeRawPointer(place).assumingMemoryBound(to: Container.self).pointee
    }
}

// MARK: - Containers held by the program

/// The containers that the program still held when their values were complete.
///
/// A container does not retain the objects that it references: counting that reference for each field would cost as
/// much as finding the field. This list retains them while the program holds the container. The end of that time is not
/// reported, so a few entries are tested whenever a container is added and whenever a coder begins.
enum KeptContainers {
    private struct Kept: @unchecked Sendable {
        let container: Unmanaged<ReusableContainer>
    }

    private struct List {
        var kept: [Kept] = []
        /// The index of the next entry to test.
        var next = 0
    }

    private static let list = Mutex(List())
    /// The number of containers in the list.
    private static let count = Atomic<Int>(0)

    /// The number of containers tested at a time, so that no call has to test all of them.
    private static var step: Int { 8 }

    /// Adds `container`, which owns itself from now on.
    @inline(never)
    fileprivate static func keep(_ container: ReusableContainer) {
        letGo()
        let kept = Kept(container: .passUnretained(container))
        list.withLock { list in
            list.kept.append(kept)
            count.store(list.kept.count, ordering: .relaxed)
        }
    }

    /// Releases some of the containers that the program no longer holds.
    static func letGo() {
        guard count.load(ordering: .relaxed) > 0 else { return }
        let returned = list.withLock { list in
            var returned: [Kept] = []
            for _ in 0..<min(step, list.kept.count) {
                if list.next >= list.kept.count { list.next = 0 }
                if list.kept[list.next].container._withUnsafeGuaranteedRef({ $0.isReturned }) {
                    list.kept.swapAt(list.next, list.kept.count - 1)
                    returned.append(list.kept.removeLast())
                } else {
                    list.next += 1
                }
            }
            count.store(list.kept.count, ordering: .relaxed)
            return returned
        }
        // Outside the lock: the coder may hold the last reference to other containers.
        for kept in returned { kept.container._withUnsafeGuaranteedRef { $0.discard() } }
    }
}
