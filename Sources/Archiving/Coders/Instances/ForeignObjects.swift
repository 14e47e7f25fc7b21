// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The archive whose objects the instances of a class for objects of unknown classes represent, and the other instances decoded from
/// it.
///
/// Such an object is kept in its archived form. If it references an instance that the program has, that instance must
/// be encoded, not a second copy from the archive. So every decoding that creates such instances records at its end the
/// instances that the objects reference. It does not retain them.
final class ForeignObjects: Sendable {
    let source: ArchiveSource
    private let table: Table

    /// The links, which the source retains.
    private final class Table: DecodedInstances {
        let links = Mutex(Links())

        func instance(_ uid: UInt32) -> AnyObject? { links.withLock { $0.instances[uid]?.instance } }
    }

    private struct Links: ~Copyable {
        var instances: [UInt32: Link] = [:]
        /// Visited objects without an instance.
        var open: Set<UInt32> = []
        /// Objects from which to continue.
        var starts: [UInt32] = []
        /// The number of completed instances at the last visit.
        var completionCount = 0
    }

    private struct Link: @unchecked Sendable {
        weak var instance: AnyObject?
    }

    init(_ stored: StoredArchive) {
        table = Table()
        source = ArchiveSource(stored, format: .binary, instances: table)
    }

    /// Records an object that an instance or a `KeyedArchive.Value` represents.
    func add(_ uid: UInt32) { table.links.withLock { $0.starts.append(uid) } }

    /// Records the instances that the objects reference.
    ///
    /// - Complexity: O(*n*), where *n* is the number of reachable objects without an instance.
    func link(_ instances: InstanceTable) {
        // Without instances, nothing has to be read.
        guard instances.completionCount > 0 else { return }
        table.links.withLock { links in
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

extension KeyedUnarchiver {
    /// The state that all instances of foreign objects in the archive share.
    var foreignObjects: ForeignObjects {
        if let known = session.foreign { return known }
        let made = ForeignObjects(session.stored)
        session.foreign = made
        return made
    }

    var decodedObject: ArchivedValue { frame.value }

    var decodedPath: [any CodingKey] { frame.path() }
}
