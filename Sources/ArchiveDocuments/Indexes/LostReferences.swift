import Archiving

/// The check whether the changes of a document can have removed the last reference to an object of an index.
///
/// Each changed instance is compared with its object in the file: what that reaches, up to the objects that the instance still
/// references, is not referenced by the instance any more. If no such object is in an index, the top of the archive still
/// reaches all that it has reached.
struct LostReferences {
    private let old: ArchiveContents
    private let new: ArchiveContents
    private let counterparts: Counterparts
    /// The classes of the objects in the indexes.
    private let classes: Set<UInt32>
    private var remainingSteps = stepLimit

    /// The number of objects that are compared.
    private static let stepLimit = 100_000

    /// Returns whether the changed instances of `update` may have lost references.
    static func exist(
        in update: borrowing ArchiveUpdate, _ counterparts: Counterparts, _ stored: StoredIndexes?
    ) -> Bool {
        var check = LostReferences(update.old, update.new, counterparts, stored)
        for (new, old) in update.changed where check.loses(new, old) { return true }
        return update.top != nil && check.losesTop()
    }

    /// Returns whether the loaded instances of `graph` may have lost references.
    static func exist(in graph: DocumentGraph, of file: ArchiveContents, _ stored: StoredIndexes?) -> Bool {
        var check = LostReferences(file, graph.objects.archive.contents, graph.counterparts, stored)
        for instance in graph.objects.instances where check.loses(instance.uid, instance.old) { return true }
        return check.losesTop()
    }

    private init(
        _ old: ArchiveContents, _ new: ArchiveContents, _ counterparts: Counterparts, _ stored: StoredIndexes?
    ) {
        self.old = old
        self.new = new
        self.counterparts = counterparts
        var classes: Set<UInt32> = []
        for (name, _) in stored?.indexes ?? [] {
            for (uid, part) in stored?.index(name)?.classes ?? [:] where part != .none { classes.insert(uid) }
        }
        self.classes = classes
    }

    private mutating func loses(_ uid: UInt32, _ oldUID: UInt32) -> Bool {
        guard let node = try? new.object(uid).node, let oldNode = try? old.object(oldUID).node else { return true }
        return loses(node, oldNode)
    }

    private mutating func losesTop() -> Bool { loses(new.top, old.top) }

    private mutating func loses(_ node: Node, _ oldNode: Node) -> Bool {
        do {
            // Most instances reference the same objects in the same order.
            let kept = try references(of: node)
            var known: Set<UInt32> = []
            var remaining = try old.uids(in: oldNode)
            while let uid = remaining.popLast() {
                guard uid != 0, !kept.contains(uid), known.insert(uid).inserted else { continue }
                remainingSteps -= 1
                guard remainingSteps > 0 else { return true }
                let object = try old.object(uid)
                guard object.node.kind == .dictionary else { continue }
                if let classUID = try old.classUID(of: object.node), classes.contains(classUID) { return true }
                remaining += try old.uids(in: object.node)
            }
            return false
        } catch {
            return true
        }
    }

    /// The objects of the file that the value `node` of the new archive references, through values and new instances.
    private mutating func references(of node: Node) throws -> Set<UInt32> {
        var references: Set<UInt32> = []
        var known: Set<UInt32> = []
        var remaining = try new.uids(in: node)
        while let uid = remaining.popLast() {
            switch counterparts.kind(uid) {
            case .instance, .reference: references.insert(counterparts[uid])
            case .value, .added:
                guard uid != 0, known.insert(uid).inserted else { continue }
                remaining += try new.uids(in: new.object(uid).node)
            }
        }
        return references
    }
}
