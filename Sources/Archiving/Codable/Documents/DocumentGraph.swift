#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The archive of what is loaded of a document, with its instances.
///
/// Sendable: the instances are only kept, and entered in a table.
struct DocumentGraph: @unchecked Sendable {
    /// The archive, in which objects that are not loaded have slots without contents.
    let archive: StoredArchive
    /// What its objects are in the document's file.
    let counterparts: Counterparts
    /// The instances that are not in the file, with their uids here. Of a part, all instances.
    let added: [LiveInstance]
    /// Instances that are only referred to by references that do not archive them, of a part.
    let conditional: [LiveInstance]
    /// The instances from the file that the root does not refer to, as far as it is loaded.
    var unreached: [LiveInstance] = []

    /// Encodes `root`, which may be from the file `open`.
    ///
    /// - Parameter isPart: Whether `root` is a part that is looked at alone. Otherwise, all instances that were made from the file are
    ///   encoded as well: something that is not loaded may refer to them.
    init(of root: some Encodable, _ encoder: ArchiveEncoder, updating open: OpenArchive?, isPart: Bool = false) throws {
        let classes = open?.addingNames(to: encoder.classes) ?? encoder.classes
        let encoding = RootEncoding(classes: classes, userInfo: encoder.userInfo, encoder.numericArrays)
        let writing = encoding.session.writing
        let updated = open.map { UpdatedArchive($0) }
        writing.state.pointee.updated = updated
        do {
            try encoding.session.encodeRoot(root)
            // After that: what encoding has loaded is among them.
            let live = isPart ? [] : open?.liveInstances ?? []
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

    /// What has to be written for the file, which is `old`.
    func update(_ old: ArchiveContents) throws -> ArchiveUpdate {
        try ArchiveUpdate(of: old, to: archive.contents, counterparts)
    }

    /// Enters the instances that were not in the file, and are now, in the table of `open`.
    ///
    /// - Parameter uids: Their uids in the file.
    func enterInstances(in open: OpenArchive, as uids: [UInt32]) {
        open.enter(
            zip(added, uids).compactMap { instance, uid in
                uid == 0
                    ? nil
                    : DecodedInstance(
                        object: UnsafeRawPointer(Unmanaged.passUnretained(instance.object).toOpaque()), uid: uid,
                        type: TypeAddress.of(type(of: instance.object)))
            })
    }
}

extension ArchiveGraph {
    fileprivate func hasInstance(_ object: AnyObject) -> Bool {
        objects.uid(of: UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())) != nil
    }

    fileprivate var conditionalInstances: [LiveInstance] {
        conditionals.all.map { LiveInstance(object: $0.object, uid: $0.slot.index) }
    }

    /// What the objects are in the archive `updated`, from which the instances `live` were made, and the other instances.
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
