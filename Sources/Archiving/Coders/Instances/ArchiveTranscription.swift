// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Copies objects from an open archive into an archive that is being written.
///
/// Every object is written once. The caller supplies the reference for an object of a class through a closure. The copy is
/// iterative.
final class ArchiveTranscription {
    typealias Reference = ArchiveGraph.Reference

    private let source: ArchiveSource
    private let graph: ArchiveGraph
    private var slots: [UInt32: Reference] = [:]
    private var objects: [Int: Reference] = [:]
    /// The instances that represent objects of classes, by uid. If several instances represent one object, the first one is
    /// written.
    private var instances: [UInt32: AnyObject] = [:]
    /// The slots of objects that are referenced but not copied. They hold "$null" until the objects are copied.
    private var conditionalSlots: [UInt32: ArchiveGraph.Slot] = [:]
    private var remaining: [(uid: UInt32, slot: ArchiveGraph.Slot)] = []
    private var budget: Int

    init(_ source: ArchiveSource, into graph: ArchiveGraph) {
        self.source = source
        self.graph = graph
        budget = source.contents.referenceLimit
    }

    /// Returns the reference for the object of a class with this uid; `nil` to copy it like any other object.
    typealias ObjectReference = (UInt32) throws -> Reference?

    /// Returns the instance to write for the object `uid`: `instance`, or the one from an earlier call.
    func instance<Instance: AnyObject>(_ uid: UInt32, _ instance: Instance) -> Instance {
        if let known = instances[uid] as? Instance { return known }
        instances[uid] = instance
        return instance
    }

    /// Returns the contents of the object `uid` of a class, for its slot in the graph.
    ///
    /// Slots that share an object of the property list share its copy.
    ///
    /// - Parameter type: The type that the class entry names if this process reads the archive.
    func contents(of uid: UInt32, type: any Any.Type, _ object: ObjectReference) throws -> Reference {
        let archive = source.contents
        let value = try archive.object(uid)
        guard let classUID = try archive.classUID(of: value.node) else { throw KeyedArchiveError(.badClass(uid: uid)) }
        let contents = try copy(archive.object(inSlot: Int(uid)), object)
        try finish(object)
        if let entry = slots[classUID], let number = graph.uid(entry) {
            graph.foreignClassTypes[number] = type
        }
        return contents
    }

    func reference(to uid: UInt32, _ object: ObjectReference) throws -> Reference {
        let reference = try slot(uid, object)
        try finish(object)
        return reference
    }

    func copy(of reference: Int, _ object: ObjectReference) throws -> Reference {
        let copied = try copy(reference, object)
        try finish(object)
        return copied
    }

    /// Returns a reference to the object `uid` that does not copy it. It is nil for all readers unless another reference copies
    /// the object.
    func conditionalReference(to uid: UInt32) -> Reference {
        if let known = slots[uid] ?? conditionalSlots[uid]?.uid { return known }
        let slot = graph.reserveSlot()
        conditionalSlots[uid] = slot
        return slot.uid
    }

    private func finish(_ object: ObjectReference) throws {
        while let (uid, slot) = remaining.popLast() {
            let contents = source.contents
            let reference = contents.object(inSlot: Int(uid))
            graph.fill(slot, with: try copy(reference, object))
        }
    }

    private func slot(_ uid: UInt32, _ object: ObjectReference) throws -> Reference {
        let value = try source.contents.object(uid)
        if value.isNull { return ArchiveGraph.null }
        if let known = slots[uid] { return known }
        if let instance = try object(uid) {
            slots[uid] = instance
            return instance
        }
        let slot = conditionalSlots[uid] ?? graph.reserveSlot()
        slots[uid] = slot.uid
        remaining.append((uid, slot))
        return slot.uid
    }

    private struct Frame {
        let reference: Int
        let node: Node
        var parts: [Reference] = []
    }

    private func copy(_ reference: Int, _ object: ObjectReference) throws -> Reference {
        var frames: [Frame] = []
        var copied = try leafOrOpen(reference, &frames, object)
        while let last = frames.indices.last {
            if let part = copied { frames[last].parts.append(part) }
            if frames[last].parts.count < frames[last].node.referenceCount {
                let next = source.contents.list.reference(frames[last].parts.count, in: frames[last].node.payload)
                copied = try leafOrOpen(next, &frames, object)
            } else {
                let frame = frames.removeLast()
                let container = graph.container(frame.node.kind, of: frame.parts)
                objects[frame.reference] = container
                copied = container
            }
        }
        guard let copied else { preconditionFailure("A container was not closed") }
        return copied
    }

    /// Returns a copy of the object `reference` of the property list. For a container, opens a frame and returns `nil`.
    private func leafOrOpen(
        _ reference: Int, _ frames: inout [Frame], _ object: ObjectReference
    ) throws -> Reference? {
        if let known = objects[reference] { return known }
        let contents = source.contents
        let node = try contents.node(reference)
        switch node.kind {
        case .uid: return try slot(contents.uid(node), object)
        case .array, .set, .dictionary:
            guard frames.count < PropertyListLimits.nesting else {
                throw KeyedArchiveError(.nested(uid: nil, levels: PropertyListLimits.nesting))
            }
            budget -= node.referenceCount
            guard budget >= 0 else { throw KeyedArchiveError(.limit(.init("references"), contents.referenceLimit)) }
            frames.append(Frame(reference: reference, node: node))
            return nil
        default:
            let start = try KeyedArchiveError.converting(contents.list.offset(of: reference))
            let end = node.end(referenceSize: contents.list.referenceSize)
            let leaf = contents.list.objects.bytes.withBytes(start..<end) { graph.list.append(leaf: $0) }
            objects[reference] = leaf
            return leaf
        }
    }
}

extension ArchiveGraph {
    /// Writes a container of `parts`. The parts of a dictionary are all keys, then all values.
    fileprivate func container(_ kind: Node.Kind, of parts: [Reference]) -> Reference {
        switch kind {
        case .array: return list.append(array: parts)
        case .set: return list.append(set: parts)
        default: return list.append(keysAndValues: parts)
        }
    }
}
