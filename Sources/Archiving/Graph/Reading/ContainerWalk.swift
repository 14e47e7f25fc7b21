// Every walk through the objects of an archive is the one here, with another answer to the references that it meets.

extension ArchiveContents {
    /// Looks at the references in `node` and in whatever `next` adds, one container after the other, without recursion.
    ///
    /// - Parameters:
    ///   - withKeys: Whether the keys of dictionaries are looked at as well.
    ///   - limit: How many references are looked at, at most. Containers that go beyond it are left out.
    ///   - next: Returns the container that is looked at because of a reference: the one that it names, the object that a uid
    ///     in its place leads to, or nil for none.
    /// - Returns: How many references the containers have that were met; more than `limit` if some of them were left out.
    package func visitContents(of node: Node, withKeys: Bool = true, limit: Int, _ next: (Int) -> Int?) -> Int {
        var remaining: [Int] = []
        var referenceCount = 0
        var node: Node? = node
        repeat {
            if let node {
                referenceCount += node.referenceCount
                guard referenceCount <= limit else { return referenceCount }
                for position in (withKeys || node.kind != .dictionary ? 0 : node.count)..<node.referenceCount {
                    if let container = next(list.reference(position, in: node.payload)) { remaining.append(container) }
                }
            }
            guard let reference = remaining.popLast() else { return referenceCount }
            node = try? self.node(reference)
        } while true
    }

    /// References that a walk through all of the archive looks at, at most.
    ///
    /// Each takes a byte at least, so that there are never more than bytes, unless objects lie in each other, as no writer
    /// lays them; with those, few bytes could ask for more than any machine has time for.
    package var referenceLimit: Int { 16 * list.objects.limit }

    /// The uid that the object `reference` of the property list is, of an object that there is; nil for what is no uid.
    package func uid(at reference: Int) -> UInt32? {
        guard let node = try? node(reference), node.kind == .uid, let uid = try? uid(node), Int(uid) < slotCount else {
            return nil
        }
        return uid
    }
}
