#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An archive of the loaded part of a document, with its instances.
///
/// Sendable: the instances are only retained and entered in a table.
struct DocumentGraph: @unchecked Sendable {
    /// The archive. Unloaded objects have empty slots in it.
    let archive: StoredArchive
    /// The counterparts of its objects in the document's file.
    let counterparts: Counterparts
    /// The instances that are not in the file, with their uids in this archive. For a part: all instances.
    let added: [LiveInstance]
    /// For a part: the instances that only conditional references reference.
    let conditional: [LiveInstance]
    /// The instances from the file that the loaded part of the root does not reference, not even weakly.
    var unreached: [LiveInstance] = []

    /// Encodes `root`, which may be from the file `open`.
    ///
    /// - Parameter isPart: Whether `root` is a part that is compared alone. Otherwise all instances from the file are
    ///   encoded as well, because an unloaded part may reference them.
    init(of root: some Encodable, _ encoder: ArchiveEncoder, updating open: OpenArchive?, isPart: Bool = false) throws {
        let classes = open?.addingNames(to: encoder.classes) ?? encoder.classes
        let encoding = RootEncoding(classes: classes, userInfo: encoder.userInfo, encoder.numericArrays)
        encoding.foundationReader = encoder.foundationReader
        let writing = encoding.session.writing
        let updated = open.map { UpdatedArchive($0) }
        writing.state.pointee.updated = updated
        do {
            try encoding.session.encodeRoot(root)
            // After the root: the instances that its encoding has loaded are among them.
            let live = isPart ? [] : open?.liveInstances ?? []
            try encoding.encodeWeaklyReferenced(among: live)
            unreached = live.filter { !writing.graph.pointee.hasInstance($0.object) }
            try encoding.session.encodeInstances(unreached.lazy.map(\.object))
            conditional = isPart ? writing.graph.pointee.conditionalInstances : []
            (counterparts, added) = writing.graph.pointee.counterparts(live, updated)
            let bytes = try writing.finish()
            do throws(KeyedArchiveError) {
                archive = try StoredArchive(ArchiveStorage(owning: bytes))
            } catch {
                throw CodableErrors.damaged(error, path: [])
            }
            encoding.end()
        } catch {
            encoding.giveUp()
            throw (error as? PropertyListError).map { CodableErrors.notWritable(root, $0) }
                ?? CodableErrors.encodingError(error, root)
        }
    }

    /// Returns the data to write to the file, which is `old`.
    func update(_ old: ArchiveContents) throws -> ArchiveUpdate {
        try ArchiveUpdate(of: old, to: archive.contents, counterparts)
    }

    /// Enters the instances that are new in the file in the table of `open`.
    ///
    /// - Parameter uids: Their uids in the file; 0 for an instance that is not in it.
    func enterInstances(in open: OpenArchive, as uids: [UInt32]) {
        open.enter(
            zip(added, uids).compactMap { instance, uid in
                uid == 0
                    ? nil
                    : DecodedInstance(
                        object: instance.object, uid: uid, type: TypeAddress.of(type(of: instance.object)))
            })
    }
}

extension RootEncoding {
    /// Encodes the instances among `live` that only weak references of encoded instances reference. The document keeps
    /// them: if it released them, these references would become nil, and the file would have others.
    fileprivate func encodeWeaklyReferenced(among live: [LiveInstance]) throws {
        let graph = session.writing.graph
        guard !live.isEmpty, !graph.pointee.conditionals.isEmpty else { return }
        var known: Set<ObjectIdentifier>?
        var next = 0
        // Encoding an instance may add others.
        while next < graph.pointee.conditionals.all.count {
            let object = graph.pointee.conditionals.all[next].object
            next += 1
            guard !graph.pointee.hasInstance(object) else { continue }
            let fromFile = known ?? Set(live.lazy.map { ObjectIdentifier($0.object) })
            known = fromFile
            if fromFile.contains(ObjectIdentifier(object)) {
                try session.encodeInstances(CollectionOfOne(object))
            }
        }
    }
}

extension ArchiveGraph {
    fileprivate func hasInstance(_ object: AnyObject) -> Bool {
        objects.uid(of: UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())) != nil
    }

    fileprivate var conditionalInstances: [LiveInstance] {
        conditionals.all.map { LiveInstance(object: $0.object, uid: $0.slot.index) }
    }

    /// Returns the counterparts of the objects in the archive `updated`, the source of the instances `live`, and the
    /// other instances.
    fileprivate func counterparts(
        _ live: [LiveInstance], _ updated: UpdatedArchive?
    ) -> (Counterparts, added: [LiveInstance]) {
        var counterparts = Counterparts(count: slots.count)
        updated?.visitReferences { counterparts.set($0, .reference, $1) }
        for instance in live {
            let address = UnsafeRawPointer(Unmanaged.passUnretained(instance.object).toOpaque())
            guard let reference = objects.uid(of: address), let uid = uid(reference) else { continue }
            counterparts.set(uid, .instance, instance.uid)
        }
        var added: [LiveInstance] = []
        for index in 0..<objects.count {
            let (address, reference) = objects[index]
            guard let uid = uid(reference), counterparts.kind(uid) == .value else { continue }
            counterparts.set(uid, .added)
            let object = Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
            added.append(LiveInstance(object: object, uid: uid))
        }
        return (counterparts, added)
    }
}
