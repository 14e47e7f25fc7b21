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
    /// The uids in the document's file of these objects, by their uids here.
    let external: [UInt32: UInt32]
    /// The instances, with their uids here.
    private let instances: [(object: AnyObject, uid: UInt32)]
    /// The uids in the file of the instances that are there, by the uids here.
    let known: [UInt32: UInt32]

    /// Encodes `root`, which may be from the file `open`.
    ///
    /// - Parameter withAllInstances: Whether all instances that were made from the file are encoded as well.
    init(
        of root: some Encodable, _ encoder: ArchiveEncoder, updating open: OpenArchive?, withAllInstances: Bool = true
    ) throws {
        let live = open?.liveInstances ?? []
        let encoding = RootEncoding(classes: encoder.classes, userInfo: encoder.userInfo, encoder.numericArrays)
        let writing = encoding.session.writing
        let updated = open.map { UpdatedArchive($0, live) }
        writing.state.pointee.updated = updated
        do {
            let others = withAllInstances ? live.map(\.object) : []
            try encoding.session.encodeRoot(DocumentRoot(root: root, others: others))
            instances = writing.graph.pointee.instances
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
        external = updated?.uids ?? [:]
        let uids = updated?.instances ?? [:]
        var known: [UInt32: UInt32] = [:]
        var taken: Set<UInt32> = []
        for instance in instances {
            // Of two instances for one object the first has its uid.
            guard let uid = uids[ObjectIdentifier(instance.object)], taken.insert(uid).inserted else { continue }
            known[instance.uid] = uid
        }
        self.known = known
    }

    /// What has to be written for the file, which is `old`.
    func update(_ old: ArchiveContents) -> ArchiveUpdate {
        ArchiveUpdate(of: old, to: archive.contents, known: known, external: external, added: added)
    }

    /// The uids of the instances that are not in the file.
    var added: Set<UInt32> { Set(instances.lazy.map(\.uid).filter { known[$0] == nil }) }

    /// Enters the instances in the table of `open`.
    ///
    /// - Parameter uid: The uid in the file of the instance with this uid here.
    func enterInstances(in open: OpenArchive, _ uid: (UInt32) -> UInt32?) {
        open.enter(
            instances.compactMap { instance in
                guard let uid = uid(instance.uid) else { return nil }
                return DecodedInstance(
                    object: UnsafeRawPointer(Unmanaged.passUnretained(instance.object).toOpaque()), uid: uid,
                    type: TypeAddress.of(type(of: instance.object)))
            })
    }
}

extension ArchiveGraph {
    /// The instances that were written, with their uids.
    fileprivate var instances: [(object: AnyObject, uid: UInt32)] {
        (0..<objects.count).compactMap { index in
            let (address, reference) = objects[index]
            guard let uid = uid(reference) else { return nil }
            return (Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue(), uid)
        }
    }
}

/// The root of a document, and instances that are encoded although nothing that is loaded refers to them: something that is not
/// loaded may.
private struct DocumentRoot<Root: Encodable>: Encodable, NativelyEncodable {
    let root: Root
    let others: [AnyObject]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
    }

    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let document = address.assumingMemoryBound(to: Self.self).pointee
        let root = try encoder.reference(to: document.root, at: step, inline: inline)
        for other in document.others { _ = try encoder.reference(toInstance: other, at: step) }
        return root
    }
}
