/// What is taken over from an archive that was read into one that is being written, as it is.
///
/// Everything that stands in the archive once is written once. Objects of classes are not the business of this: who asks
/// says what stands for them. It does not recurse.
final class ArchiveTranscription {
    typealias Reference = ArchiveGraph.Reference

    private let source: ArchiveSource
    private let graph: UnsafeMutablePointer<ArchiveGraph>
    /// The uid objects of the slots that were taken over.
    private var slots: [UInt32: Reference] = [:]
    /// The objects of the property list that were taken over, by their references there.
    private var objects: [Int: Reference] = [:]
    /// What stands for objects of classes, by their uids: of several instances for one object the first that was met.
    private var instances: [UInt32: AnyObject] = [:]
    /// Slots of objects that are referred to and were not taken over. They stay "$null" unless they are.
    private var conditionalSlots: [UInt32: ArchiveGraph.Slot] = [:]
    /// Slots whose contents are still to be taken over.
    private var remaining: [(uid: UInt32, slot: ArchiveGraph.Slot)] = []
    /// References that may still be taken over.
    private var budget: Int

    init(_ source: ArchiveSource, into graph: UnsafeMutablePointer<ArchiveGraph>) {
        self.source = source
        self.graph = graph
        budget = source.contents.referenceLimit
    }

    /// What stands for an object of a class, by its uid; nil for one that is taken over like everything else.
    typealias ObjectReference = (UInt32) throws -> Reference?

    /// The instance that is written for the object `uid`: `instance`, unless there was another one before.
    func instance<Instance: AnyObject>(_ uid: UInt32, _ instance: Instance) -> Instance {
        if let known = instances[uid] as? Instance { return known }
        instances[uid] = instance
        return instance
    }

    /// What the object `uid` of a class is, for its slot in the graph.
    ///
    /// Slots that hold the same object of the property list hold the same again.
    ///
    /// - Parameter type: What its class entry stands for where the archive is read in this process.
    func contents(of uid: UInt32, type: any Any.Type, _ object: ObjectReference) throws -> Reference {
        let archive = source.contents
        let value = try archive.object(uid)
        guard let classUID = try archive.classUID(of: value.node) else { throw KeyedArchiveError(.badClass(uid: uid)) }
        let contents = try copy(archive.object(inSlot: Int(uid)), object)
        try finish(object)
        if let entry = slots[classUID], let number = graph.pointee.uid(entry) {
            graph.pointee.foreignClassTypes[number] = type
        }
        return contents
    }

    /// What stands for the object `uid`, taken over with everything that it refers to.
    func reference(to uid: UInt32, _ object: ObjectReference) throws -> Reference {
        let reference = try slot(uid, object)
        try finish(object)
        return reference
    }

    /// What stands for the object `uid` in a reference that does not take it over: nil for every reader unless another one does.
    func conditionalReference(to uid: UInt32) -> Reference {
        if let known = slots[uid] ?? conditionalSlots[uid]?.uid { return known }
        let slot = graph.pointee.reserveSlot()
        conditionalSlots[uid] = slot
        return slot.uid
    }

    private func finish(_ object: ObjectReference) throws {
        while let (uid, slot) = remaining.popLast() {
            let contents = source.contents
            let reference = contents.object(inSlot: Int(uid))
            graph.pointee.fill(slot, with: try copy(reference, object))
        }
    }

    /// What stands for the object `uid`.
    private func slot(_ uid: UInt32, _ object: ObjectReference) throws -> Reference {
        let value = try source.contents.object(uid)
        if value.isNull { return ArchiveGraph.null }
        if let known = slots[uid] { return known }
        if let instance = try object(uid) {
            slots[uid] = instance
            return instance
        }
        let slot = conditionalSlots[uid] ?? graph.pointee.reserveSlot()
        slots[uid] = slot.uid
        remaining.append((uid, slot))
        return slot.uid
    }

    /// A container whose contents are being taken over.
    private struct Frame {
        let reference: Int
        let node: Node
        /// What was taken over of its contents.
        var parts: [Reference] = []
    }

    /// What stands for the object `reference` of the property list.
    private func copy(_ reference: Int, _ object: ObjectReference) throws -> Reference {
        var frames: [Frame] = []
        var copied = try leafOrOpen(reference, &frames, object)
        while let last = frames.indices.last {
            if let part = copied { frames[last].parts.append(part) }
            let frame = frames[last]
            guard frame.parts.count < frame.node.referenceCount else {
                frames.removeLast()
                let container = graph.pointee.container(frame.node.kind, of: frame.parts)
                objects[frame.reference] = container
                copied = container
                continue
            }
            let next = source.contents.list.reference(frame.parts.count, in: frame.node.payload)
            copied = try leafOrOpen(next, &frames, object)
        }
        guard let copied else { preconditionFailure("A container was left open") }
        return copied
    }

    /// What stands for the object `reference` of the property list; nil where it is a container, which is opened.
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
            let start = try contents.offset(of: reference)
            let bytes = UnsafeRawBufferPointer(
                start: contents.list.objects.base + start,
                count: node.end(referenceSize: contents.list.referenceSize) - start)
            let leaf = graph.pointee.list.append(leaf: bytes)
            objects[reference] = leaf
            return leaf
        }
    }
}

extension ArchiveContents {
    fileprivate func offset(of reference: Int) throws(KeyedArchiveError) -> Int {
        do throws(PropertyListError) { return try list.offset(of: reference) } catch { throw KeyedArchiveError(error) }
    }
}

extension ArchiveGraph {
    /// What was taken over from `source` so far.
    mutating func transcription(
        of source: ArchiveSource, _ make: () -> ArchiveTranscription
    ) -> ArchiveTranscription {
        if let known = transcriptions[ObjectIdentifier(source)] { return known }
        let made = make()
        transcriptions[ObjectIdentifier(source)] = made
        return made
    }

    /// A container of `parts`; of a dictionary all keys, then all values.
    fileprivate mutating func container(_ kind: Node.Kind, of parts: [Reference]) -> Reference {
        switch kind {
        case .array: return parts.withUnsafeBufferPointer { list.append(array: $0) }
        case .set: return parts.withUnsafeBufferPointer { list.append(set: $0) }
        default:
            var pairs = PlainArray<Reference>(capacity: parts.count)
            let count = parts.count / 2
            for index in 0..<count {
                pairs.append(parts[index])
                pairs.append(parts[count + index])
            }
            return list.append(dictionary: pairs.base, count: count)
        }
    }
}
