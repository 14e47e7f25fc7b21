// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// An archive of the loaded part of a graph that was decoded from an open archive, with its instances.
///
/// Sendable: the instances are only retained and entered in a table.
package struct LoadedGraph: @unchecked Sendable {
    package struct Counterpart: Sendable {
        package let uid: UInt32
        package let old: UInt32
    }

    package let archive: ArchiveSource
    package let references: [Counterpart]
    package let instances: [Counterpart]
    /// The instances that are not in the open archive, with their uids in this archive. For a part: all instances.
    package private(set) var added: [LiveInstance]
    /// The uids in this archive of added instances that were released: only the encoding had them.
    package private(set) var released: [UInt32] = []
    /// For a part: the instances that only conditional references reference.
    package let conditional: [LiveInstance]
    package let classTypes: [UInt32: any Any.Type]
    /// For marked instances: new instances, and an object of the open archive with the same class as each.
    package let examples: [Counterpart]
    /// The names of the types that are written under their Swift names.
    package let defaultNames: [String]
    /// The instances from the open archive that the loaded part of the root does not reference, not even weakly, and that all weak
    /// references find again.
    package var unreached: [LiveInstance] = []

    /// Encodes `root`, which may be from the archive `open`.
    ///
    /// - Parameter isPart: Whether `root` is a part that is compared alone. Otherwise all instances from the archive are
    ///   encoded as well, because an unloaded part may reference them.
    /// - Parameter marked: The instances that may have changed. Of the instances from the archive, only these are encoded.
    ///   If it is nil, all are.
    package init(
        of root: some Encodable, _ encoder: ArchiveEncoder, updating open: OpenArchive?, isPart: Bool = false,
        marked: [AnyObject]? = nil
    ) throws {
        var encoder = encoder
        encoder.classes = open?.addingNames(to: encoder.classes) ?? encoder.classes
        let updated = open.map { UpdatedArchive($0, marked: marked.map { Set($0.lazy.map(ObjectIdentifier.init)) }) }
        // A file keeps its checksum, and a save adds one to a file without.
        let encoding = UpdatingEncoding(
            encoder, for: updated, hasMarks: marked != nil,
            hasChecksum: open == nil && !isPart && encoder.checksum == .crc64)
        do {
            try encoding.encodeRoot(root)
            // After the root: the instances that its encoding has loaded are among them.
            var others: [LiveInstance] = []
            var counterparts: [Counterpart] = []
            if let marked {
                others = marked.compactMap { object in
                    open?.uid(of: object).map { LiveInstance(object: object, uid: $0) }
                }
            } else {
                let live = isPart ? [] : open?.liveInstances ?? []
                try encoding.encodeWeaklyReferenced(among: live)
                counterparts = encoding.counterparts(of: live, others: &others)
                unreached = others
            }
            try encoding.encodeInstances(others.lazy.map(\.object))
            if let updated { unreached.removeAll { updated.isPinned($0.object) } }
            var rest: [LiveInstance] = []
            counterparts += encoding.counterparts(of: others, others: &rest)
            conditional = isPart ? encoding.conditionalInstances : []
            var references: [Counterpart] = []
            updated?.visitReferences { references.append(Counterpart(uid: $0, old: $1)) }
            self.references = references
            instances = counterparts
            added = encoding.instances(besides: references, counterparts)
            (classTypes, defaultNames) = (encoding.classTypes, encoding.defaultNames)
            examples = marked == nil ? [] : added.examples(in: open)
            archive = try encoding.finish(root, allowsAll: isPart)
        } catch {
            throw UpdatingEncoding.error(error, encoding: root)
        }
    }
}

extension LoadedGraph {
    /// Returns the uids of the instances that only the encoding has made: the graph and other such instances retain them.
    ///
    /// - Parameter releases: Whether they are released. Otherwise an instance that another one retains is not found.
    mutating func findTemporaryInstances(releases: Bool) -> [UInt32] {
        var temporary: [UInt32] = []
        // In the order of the archive, in which a box is usually before the one that it has, and back. A box releases no other one:
        // the graph still retains those after it.
        for _ in 0..<(releases ? 2 : 1) {
            added.reverse()
            var checked: [LiveInstance] = []
            while let instance = added.popLast() {
                let uid = instance.uid
                // Optional: Swift would check a copy of a value of the type `AnyObject`.
                var object: AnyObject? = (consume instance).object
                let isTemporary = isKnownUniquelyReferenced(&object)
                if isTemporary { temporary.append(uid) }
                if let object, !isTemporary || !releases { checked.append(LiveInstance(object: object, uid: uid)) }
            }
            added = checked
            if releases { added.reverse() }
        }
        if releases { released = temporary }
        return temporary
    }

    /// The uids in this archive of all instances that are not in the open archive.
    package var addedUIDs: [UInt32] { added.map(\.uid) + released }
}

extension [LiveInstance] {
    fileprivate func examples(in archive: OpenArchive?) -> [LoadedGraph.Counterpart] {
        var known: Set<ObjectIdentifier> = []
        return compactMap { instance in
            let type: AnyClass = type(of: instance.object)
            guard known.insert(ObjectIdentifier(type)).inserted else { return nil }
            return archive?.example(of: type).map { LoadedGraph.Counterpart(uid: instance.uid, old: $0) }
        }
    }
}

extension OpenArchive {
    /// Enters instances that were added to the archive under the uids `uids`; 0 for one that is not in it.
    package func enter(_ added: [LiveInstance], as uids: [UInt32]) {
        enter(
            zip(added, uids).compactMap { instance, uid in
                uid == 0
                    ? nil
                    : DecodedInstance(
                        object: instance.object, uid: uid, type: type(of: instance.object))
            })
    }
}

extension UpdatingEncoding {
    /// Encodes the instances among `live` that only weak references of encoded instances reference. The document keeps
    /// them: if it released them, these references would become nil, and the file would have others.
    fileprivate func encodeWeaklyReferenced(among live: [LiveInstance]) throws {
        guard !live.isEmpty, conditionalCount > 0 else { return }
        var known: Set<ObjectIdentifier>?
        var next = 0
        // Encoding an instance may add others.
        while next < conditionalCount {
            let object = conditionalInstance(at: next).object
            next += 1
            guard !has(object) else { continue }
            let fromFile = known ?? Set(live.lazy.map { ObjectIdentifier($0.object) })
            known = fromFile
            if fromFile.contains(ObjectIdentifier(object)) { try encodeInstances(CollectionOfOne(object)) }
        }
    }

    fileprivate var conditionalInstances: [LiveInstance] {
        (0..<conditionalCount).map { index in
            let (object, uid) = conditionalInstance(at: index)
            return LiveInstance(object: object, uid: uid)
        }
    }

    /// Returns the objects of the instances `live`, with their uids in the archive that these are from.
    ///
    /// - Parameter others: Gets the instances that are not encoded.
    fileprivate func counterparts(
        of live: [LiveInstance], others: inout [LiveInstance]
    ) -> [LoadedGraph.Counterpart] {
        var known: [LoadedGraph.Counterpart] = []
        known.reserveCapacity(live.count)
        // Most instances are encoded in the order of their decoding, so that each follows the last one.
        var next = 0
        for instance in live {
            guard let (index, uid) = place(of: instance.object, probably: next) else {
                others.append(instance)
                continue
            }
            next = index + 1
            known.append(LoadedGraph.Counterpart(uid: uid, old: instance.uid))
        }
        return known
    }

    fileprivate func instances(
        besides references: [LoadedGraph.Counterpart], _ known: [LoadedGraph.Counterpart]
    ) -> [LiveInstance] {
        var isKnown = BitSet(count: slotCount)
        for counterpart in references { _ = isKnown.insert(Int(counterpart.uid)) }
        for counterpart in known { _ = isKnown.insert(Int(counterpart.uid)) }
        var others: [LiveInstance] = []
        for index in 0..<instanceCount {
            let (object, uid) = instance(at: index)
            guard let uid, isKnown.insert(Int(uid)) else { continue }
            others.append(LiveInstance(object: object, uid: uid))
        }
        return others
    }
}
