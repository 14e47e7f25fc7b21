import Synchronization

/// A keyed container that is lent to one coder after the other.
///
/// Making a keyed container costs an allocation and several look-ups of types in Swift's runtime, more than most values need
/// to be coded. So the containers of one key type go round: one is lent when a coder is asked for a container, and taken
/// back when the coder's value is complete. Where the program still holds it then, it stays with the program, and keeps its
/// coder alive (`KeptContainers`); a new one is made for the next value.
class ReusableContainer {
    /// The coder, an object, whose container this is; nil while it is nobody's.
    @exclusivity(unchecked) private(set) var coder: UnsafeRawPointer?
    /// The coder, where the container may outlive its value.
    private var kept: AnyObject?
    /// The container itself, which refers to this.
    @exclusivity(unchecked) fileprivate var place: UnsafeMutablePointer<ContainerObject>?
    /// Where it goes when it is taken back; nil for one that was given away. A session keeps it, and outlives what it lends.
    private unowned(unsafe) let home: ReusableContainers?
    /// The one behind this among those that are nobody's, or among those that were lent to the same coder.
    @exclusivity(unchecked) fileprivate var next: Unmanaged<ReusableContainer>?

    fileprivate init(_ coder: AnyObject, home: ReusableContainers) {
        self.coder = UnsafeRawPointer(Unmanaged.passUnretained(coder).toOpaque())
        self.home = home
    }

    /// What a container refers to that is not lent, but given away together with its coder.
    init(givingAway coder: AnyObject) {
        self.coder = UnsafeRawPointer(Unmanaged.passUnretained(coder).toOpaque())
        kept = coder
        home = nil
    }

    /// Takes back what was lent to `coder`, whose value is complete.
    @inline(__always)
    static func takeBack(_ lent: inout Unmanaged<ReusableContainer>?, from coder: AnyObject) {
        while let container = lent { takeBack(container, &lent, from: coder) }
    }

    /// Takes back the container that was lent to `coder` last, where nobody uses it any more.
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

    /// Whether nobody but this refers to the container.
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

    /// Lets nobody use the container that was lent to a coder which is going away.
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

    /// Lets go of the container, and of itself.
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

/// Stands for the standard library's class that a container is a reference to, where nothing but its reference count matters.
/// That of `AnyObject` is not known in every build.
private final class ContainerObject {}

/// The containers of one key type in one session that are nobody's at the moment.
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

    /// A container for `coder`, noted in `lent`; nil where there is none yet.
    @inline(__always)
    func lend(to coder: AnyObject, _ lent: inout Unmanaged<ReusableContainer>?) -> Unmanaged<ReusableContainer>? {
        // A class and its superclass both ask; others ask again and again.
        if lent != nil { ReusableContainer.takeBackLast(&lent, from: coder) }
        guard let container = take() else { return nil }
        container._withUnsafeGuaranteedRef {
            $0.next = lent
            $0.lend(to: coder)
        }
        lent = container
        return container
    }

    /// A new container for `coder`, noted in `lent`, that `make` makes. It is a reference (`RuntimeLayout`).
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
    /// The container, which is of the type that is expected.
    @inline(__always)
    func container<Container>() -> Container {
        _withUnsafeGuaranteedRef { unsafeDowncast($0, to: TypedContainer<Container>.self).container() }
    }
}

/// A container whose type is known from the object, so that handing it out needs no look-up.
private final class TypedContainer<Container>: ReusableContainer {
    override init(_ coder: AnyObject, home: ReusableContainers) { super.init(coder, home: home) }

    @inline(never)
    func container() -> Container {
        guard let place else { preconditionFailure("A container that was given away") }
        return UnsafeRawPointer(place).assumingMemoryBound(to: Container.self).pointee
    }
}

// MARK: - Kept by the program

/// The containers that the program still held when their values were complete.
///
/// A container does not keep what it refers to: to count that reference for each field would cost as much as to find the
/// field. So somebody has to keep it for as long as the program holds the container, and nobody says when that ends: a few
/// are looked at whenever another one comes, and whenever a coder begins.
enum KeptContainers {
    private struct Kept: @unchecked Sendable {
        let container: Unmanaged<ReusableContainer>
    }

    private struct List {
        var kept: [Kept] = []
        /// The one to look at next.
        var next = 0
    }

    private static let list = Mutex(List())
    /// The number of containers in the list.
    private static let count = Atomic<Int>(0)

    /// Containers that are looked at at a time, so that no call has to look at all of them.
    private static var step: Int { 8 }

    /// Keeps `container`, which owns itself from now on.
    @inline(never)
    fileprivate static func keep(_ container: ReusableContainer) {
        letGo()
        let kept = Kept(container: .passUnretained(container))
        list.withLock { list in
            list.kept.append(kept)
            count.store(list.kept.count, ordering: .relaxed)
        }
    }

    /// Lets go of some of those that the program does not hold any more.
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
        // Not under the lock: the coder may be the last one to hold others.
        for kept in returned { kept.container._withUnsafeGuaranteedRef { $0.discard() } }
    }
}
