// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// An archive of the loaded part of a graph that was decoded from an open archive, with its instances.
///
/// Sendable: the instances are only retained and entered in a table.
package struct LoadedGraph: @unchecked Sendable {
    /// An object of the graph's archive, and the same object of the open archive.
    package struct Counterpart: Sendable {
        /// The uid in the archive of the graph.
        package let uid: UInt32
        /// The uid in the open archive.
        package let old: UInt32
    }

    /// The archive. Unloaded objects have empty slots in it.
    package let archive: ArchiveSource
    /// The objects of the open archive that are not loaded.
    package let references: [Counterpart]
    /// The instances from the open archive.
    package let instances: [Counterpart]
    /// The instances that are not in the open archive, with their uids in this archive. For a part: all instances.
    package let added: [LiveInstance]
    /// For a part: the instances that only conditional references reference.
    package let conditional: [LiveInstance]
    /// The types of the class entries in the archive, by uid.
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
        let classes = open?.addingNames(to: encoder.classes) ?? encoder.classes
        var encoder = encoder
        encoder.classes = classes
        let encoding = RootEncoding(encoder)
        // A file keeps its checksum, and a save adds one to a file without.
        encoding.session.graph.hasChecksum = open == nil && !isPart && encoder.checksum == .crc64
        let updated = open.map { UpdatedArchive($0, marked: marked.map { Set($0.lazy.map(ObjectIdentifier.init)) }) }
        encoding.session.changeExtras { $0.updated = updated }
        if marked != nil { encoding.session.conditionals.expectOtherSlots() }
        do {
            try encoding.session.encodeRoot(root)
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
                counterparts = encoding.session.counterparts(of: live, others: &others)
                unreached = others
            }
            try encoding.session.encodeInstances(others.lazy.map(\.object))
            if let updated { unreached.removeAll { updated.isPinned($0.object) } }
            var rest: [LiveInstance] = []
            counterparts += encoding.session.counterparts(of: others, others: &rest)
            conditional = isPart ? encoding.session.conditionalInstances : []
            var references: [Counterpart] = []
            updated?.visitReferences { references.append(Counterpart(uid: $0, old: $1)) }
            self.references = references
            instances = counterparts
            added = encoding.session.instances(besides: references, counterparts)
            let graph = encoding.session.graph
            classTypes = graph.classTypes
            defaultNames = graph.writtenTypes.filter { graph.classes.hasDefaultName($0) }
                .map { ClassRegistry.swiftName(of: $0) }
            let unregistered = isPart ? [] : graph.unregisteredTypes
            examples = marked == nil ? [] : added.examples(in: open)
            let bytes = try encoding.session.finish()
            archive = ArchiveSource(try StoredArchive(decoding: ArchiveStorage(bytes)), format: .binary)
            if let unregistered = UnregisteredTypes(unregistered, classes, in: KeyedArchive(archive)) {
                throw EncodingError.invalid(root, path: unregistered.path) { _, _ in unregistered.sentence }
            }
        } catch {
            throw (error as? PropertyListError).map { EncodingError.notWritable(root, $0) }
                ?? EncodingError.converted(error, root)
        }
    }
}

extension [LiveInstance] {
    /// One instance of each class, with an object of `archive` that has the same class.
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

extension RootEncoding {
    /// Encodes the instances among `live` that only weak references of encoded instances reference. The document keeps
    /// them: if it released them, these references would become nil, and the file would have others.
    fileprivate func encodeWeaklyReferenced(among live: [LiveInstance]) throws {
        guard !live.isEmpty, !session.conditionals.isEmpty else { return }
        var known: Set<ObjectIdentifier>?
        var next = 0
        // Encoding an instance may add others.
        while next < session.conditionals.all.count {
            let object = session.conditionals.all[next].object
            next += 1
            guard !session.hasInstance(object) else { continue }
            let fromFile = known ?? Set(live.lazy.map { ObjectIdentifier($0.object) })
            known = fromFile
            if fromFile.contains(ObjectIdentifier(object)) {
                try session.encodeInstances(CollectionOfOne(object))
            }
        }
    }
}

extension EncodingSession {
    fileprivate func hasInstance(_ object: AnyObject) -> Bool { instances.uid(of: object) != nil }

    fileprivate var conditionalInstances: [LiveInstance] {
        conditionals.all.map { LiveInstance(object: $0.object, uid: $0.slot.index) }
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
            guard let index = instances.index(of: instance.object, probably: next),
                let uid = graph.uid(instances.uid(at: index))
            else {
                others.append(instance)
                continue
            }
            next = index + 1
            known.append(LoadedGraph.Counterpart(uid: uid, old: instance.uid))
        }
        return known
    }

    /// Returns all instances but those of the objects in `references` and `known`.
    fileprivate func instances(
        besides references: [LoadedGraph.Counterpart], _ known: [LoadedGraph.Counterpart]
    ) -> [LiveInstance] {
        var isKnown = BitSet(count: graph.slots.count)
        for counterpart in references { _ = isKnown.insert(Int(counterpart.uid)) }
        for counterpart in known { _ = isKnown.insert(Int(counterpart.uid)) }
        var others: [LiveInstance] = []
        for index in 0..<self.instances.count {
            guard let uid = graph.uid(self.instances.uid(at: index)), isKnown.insert(Int(uid)) else { continue }
            others.append(LiveInstance(object: self.instances[index].object, uid: uid))
        }
        return others
    }
}
