import Synchronization

/// A `Coding` class whose instances stand for objects of classes that the program does not know.
protocol ForeignCoding: Coding {
    /// The dictionary, class and all, that the instance is written as.
    func contents(in archiver: KeyedArchiver) throws -> ArchiveGraph.Reference
}

/// The archive that instances of a `ForeignCoding` class stand for objects of, and what else was made from it.
///
/// Such an object is kept as it lies in the archive. What it refers to may be an instance that the program has: to be
/// written as that one, and not a second time as it lies in the archive. So every reading that makes such instances
/// notes, when it is complete, which instances those objects lead to. It does not keep them alive.
final class ForeignObjects: Sendable {
    let source: ArchiveSource
    private let links = Mutex(Links())

    private struct Links: ~Copyable {
        /// Instances by their uids.
        var instances: [UInt32: Link] = [:]
        /// Objects that were gone to and for which there was no instance.
        var open: Set<UInt32> = []
        /// Objects from where to go on.
        var starts: [UInt32] = []
        /// How many instances had been completed when the objects were gone to.
        var completionCount = 0
    }

    private struct Link: @unchecked Sendable {
        weak var instance: AnyObject?
    }

    init(_ stored: StoredArchive) {
        source = ArchiveSource(stored, format: .binary)
    }

    /// Takes note of an object that an instance stands for.
    func add(_ uid: UInt32) {
        links.withLock { $0.starts.append(uid) }
    }

    /// The instance that the program has of the object `uid`; nil where there is none any more.
    func instance(_ uid: UInt32) -> AnyObject? {
        links.withLock { $0.instances[uid]?.instance }
    }

    /// Notes the instances that the objects lead to.
    ///
    /// - Complexity: O(*n*), where *n* is the number of objects that they lead to and of which there are no instances.
    func link(_ instances: borrowing InstanceTable) {
        links.withLock { links in
            guard !links.starts.isEmpty || links.completionCount != instances.completionCount else { return }
            if links.completionCount != instances.completionCount {
                for uid in links.open {
                    guard let instance = instances.instance(uid) else { continue }
                    links.instances[uid] = Link(instance: instance)
                }
                links.open = links.open.filter { links.instances[$0] == nil }
                links.completionCount = instances.completionCount
            }
            let contents = source.contents
            var scan = ObjectScan(contents)
            var scanned = BitSet(count: contents.list.objectCount)
            while let uid = links.starts.popLast() {
                guard Int(uid) < contents.slotCount else { continue }
                // Several uids may have one object of the property list.
                let reference = contents.object(inSlot: Int(uid))
                guard reference < contents.list.objectCount, scanned.insert(reference),
                    !scan.isExceeded
                else { continue }
                scan.visitReferences(of: uid) { target in
                    guard links.instances[target] == nil, !links.open.contains(target) else { return }
                    if let instance = instances.instance(target) {
                        links.instances[target] = Link(instance: instance)
                    } else {
                        links.open.insert(target)
                        links.starts.append(target)
                    }
                }
            }
        }
    }
}

extension UnsafeMutablePointer<GraphReadingState> {
    /// Notes what the objects that nobody knows lead to, now that everything is made.
    func linkForeignObjects() {
        guard let foreign = pointee.foreign else { return }
        foreign.link(pointee.instances)
    }
}

extension KeyedUnarchiver {
    /// What belongs to all instances that stand for objects of the archive.
    var foreignObjects: ForeignObjects {
        if let known = shared.pointee.foreign { return known }
        let made = ForeignObjects(reading.archive)
        shared.pointee.foreign = made
        return made
    }

    /// The object that is being decoded.
    var decodedObject: ArchivedValue { state.pointee.object.pointee.value }

    /// Where it stands.
    var decodedPath: [any CodingKey] { keys(state.pointee.object.pointee.path) }
}
