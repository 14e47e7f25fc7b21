// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// An archive of the loaded part of a document, compared with the document's file.
struct DocumentGraph: Sendable {
    var objects: LoadedGraph
    let counterparts: Counterparts
    let kept: KeptContents?

    /// Encodes `root`, which may be from the file `open`.
    ///
    /// - Parameter isPart: Whether `root` is a part that is compared alone. Otherwise all instances from the file are
    ///   encoded as well, because an unloaded part may reference them.
    /// - Parameter marked: The instances that may have changed; nil if all may have.
    /// - Parameter keepsAdded: Whether a fetch may return the instances that only the encoding has made.
    init(
        of root: some Encodable, _ encoder: ArchiveEncoder, updating open: OpenArchive?, isPart: Bool = false,
        marked: [AnyObject]? = nil, keepsAdded: Bool = false
    ) throws {
        objects = try LoadedGraph(of: root, encoder, updating: open, isPart: isPart, marked: marked)
        var counterparts = Counterparts(count: objects.archive.contents.slotCount)
        for reference in objects.references { counterparts.set(reference.uid, .reference, reference.old) }
        for instance in objects.instances { counterparts.set(instance.uid, .instance, instance.old) }
        let unreached = Set(objects.unreached.lazy.map(\.uid))
        for instance in objects.instances where unreached.contains(instance.old) {
            counterparts.unused[instance.old] = instance.uid
        }
        for uid in objects.addedUIDs { counterparts.set(uid, .added) }
        for uid in objects.findTemporaryInstances(releases: !keepsAdded) { counterparts.set(uid, .temporary) }
        self.counterparts = counterparts
        kept = KeptContents(of: open, objects.classTypes)
    }

    /// The objects of the file for each compared instance, at most, for which the whole file is loaded: present objects are
    /// compared faster.
    private static let objectsPerInstance = 16

    func update(_ old: ArchiveSource) throws -> ArchiveUpdate {
        if old.contents.slotCount / Self.objectsPerInstance < objects.instances.count { old.expectWalk() }
        return try ArchiveUpdate(
            of: old.contents, to: objects.archive.contents, counterparts, keeping: kept, examples: objects.examples)
    }
}
