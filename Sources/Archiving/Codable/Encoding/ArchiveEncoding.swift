/// The encoder behind `ArchiveEncoder`: what `encode(to:)` is given.
///
/// One of these stands for a value that is being encoded. It collects references until the value is complete, then writes
/// one object. Encoders are used again: each keeps the encoder for the values inside it as its spare. When a value has
/// been encoded and nobody else holds its encoder or a container of it, nothing more can come and the object is written.
/// When somebody does, the object has its uid, and what it holds is written at the end of the archive, so containers that
/// are kept open simply work.
final class ArchiveEncoding {
    typealias Reference = ArchiveGraph.Reference

    /// What is collected, at an address of its own: using it takes no check for exclusive access.
    let frame: UnsafeMutablePointer<EncodingFrame>
    /// This encoder, as values are given it.
    let borrowed: UnsafeMutablePointer<BorrowedEncoder>
    /// Valid while the encoder is open.
    let core: UnsafeMutablePointer<EncodingCore>
    let depth: Int
    /// The graph that is being written; nil when the archive is finished and nothing can be written any more.
    ///
    /// Read at every call, and changed once, by `close()`, when nobody is reading it.
    @exclusivity(unchecked) private var openGraph: UnsafeMutablePointer<ArchiveGraph>?

    init(core: UnsafeMutablePointer<EncodingCore>, depth: Int) {
        self.core = core
        self.depth = depth
        openGraph = core.pointee.graph
        frame = EncodingFrame.make(in: &core.pointee.graph.pointee.arena)
        borrowed =
            core.pointee.graph.pointee.arena.take(1, of: BorrowedEncoder.self) ?? .allocate(capacity: 1)
        frame.pointee.encoder = Unmanaged.passUnretained(self)
        BorrowedEncoder.lend(self, at: borrowed)
        core.pointee.note(depth: depth)
    }

    deinit {
        releaseFrame()
    }

    private func releaseFrame() {
        guard let graph = openGraph else { return }
        ReusableContainer.invalidate(frame.pointee.lent)
        frame.deinitialize(count: 1)
        if !graph.pointee.arena.contains(frame) { frame.deallocate() }
        if !graph.pointee.arena.contains(borrowed) { borrowed.deallocate() }
    }

    /// Traps where the archive is finished: the frame and the session are gone then.
    @inline(__always)
    func checkOpen() {
        _ = graph
    }

    /// Whether the archive is still being written.
    var isOpen: Bool { openGraph != nil }

    @inline(__always)
    var graph: UnsafeMutablePointer<ArchiveGraph> {
        guard let openGraph else {
            misuse("An encoder or a container was used after the archive it belongs to was finished")
        }
        return openGraph
    }

    /// Takes no more, and lets go of the session and of its frame, which it may outlive.
    func close() {
        releaseFrame()
        openGraph = nil
    }
}

// MARK: - Containers

extension ArchiveEncoding {
    /// Settles the kind of container.
    @inline(__always)
    func begin(_ form: EncodingFrame.Form) {
        if frame.pointee.form != form { change(to: form) }
    }

    /// The encoder of a container that is written whenever its owner likes, until the archive is finished.
    ///
    /// - Parameter key: The key that it stands under; nil in an unkeyed container. The container goes on with what is under
    ///   that key already, if it is of the same kind, and replaces it otherwise.
    func nestedEncoder(
        _ form: EncodingFrame.Form, forKey key: Reference?, at step: CodingPathStep
    ) -> ArchiveEncoding {
        guard let key, frame.pointee.entries.mayHave(key), let position = frame.pointee.entries.position(of: key) else {
            let encoder = makeNested(form, forKey: key, at: step)
            encoder.begin(form)
            return encoder
        }
        if let known = frame.pointee.nested.last(where: { $0.key == key })?.encoder { return known }
        let written = frame.pointee.entries.references[position]
        if let known = core.pointee.postponedEncoder(of: written), !known.frame.pointee.isObject { return known }
        let encoder = makeNested(form, forKey: key, at: step)
        if !encoder.amend(written, as: form) { encoder.begin(newObject: form) }
        return encoder
    }

    /// An encoder for a part of this one's value. What was under `key` is replaced.
    private func makeNested(
        _ form: EncodingFrame.Form, forKey key: Reference?, at step: CodingPathStep
    ) -> ArchiveEncoding {
        let encoder = ArchiveEncoding(core: core, depth: depth + 1)
        encoder.frame.pointee.type = frame.pointee.type
        encoder.frame.pointee.archivedType = frame.pointee.archivedType
        encoder.frame.pointee.keptClassUID = frame.pointee.keptClassUID
        if form == .unkeyed { encoder.frame.pointee.objectClass = .array }
        encoder.frame.pointee.parent = frame
        encoder.frame.pointee.step = step
        encoder.frame.pointee.inline = key != nil
        var position = frame.pointee.entries.references.count
        // "$null" stands here until the encoder is finished.
        if let key {
            frame.pointee.set(key, to: ArchiveGraph.null)
            position = frame.pointee.entries.position(of: key) ?? position
            // The newest encoder for a key is the one whose value stays.
            frame.pointee.dropNested(at: position)
        } else {
            frame.pointee.entries.append(ArchiveGraph.null)
        }
        frame.pointee.nested.append(EncodingFrame.Nested(encoder: encoder, position: position, key: key ?? 0))
        return encoder
    }

    /// The encoder of the superclass's part, which is written as an object of the superclass, and replaces what was under
    /// `key`.
    func superEncoder(forKey key: Reference?, at step: CodingPathStep) -> ArchiveEncoding {
        let encoder = makeNested(.undecided, forKey: key, at: step)
        encoder.frame.pointee.isSuperclassPart = true
        let own = frame.pointee.archivedType ?? frame.pointee.type?.pointee.type
        if let own = own as? AnyClass, let superclass = _getSuperclass(own) {
            encoder.frame.pointee.archivedType = superclass
        }
        return encoder
    }
}

// MARK: - Finishing

extension ArchiveEncoding: PostponedObject {
    /// Ends the encoders inside this one that nobody else holds, the innermost first. However deep they are nested, this
    /// takes no stack.
    @inline(never)
    private func finishNested() {
        var found: [(frame: UnsafeMutablePointer<EncodingFrame>, index: Int, isUnique: Bool)] = []
        var frames = [frame]
        while let frame = frames.popLast() {
            for index in frame.pointee.nested.indices {
                let isUnique = isKnownUniquelyReferenced(&frame.pointee.nested[index].encoder)
                found.append((frame, index, isUnique))
                // What is inside an encoder that somebody holds is ended with it.
                if isUnique, let inner = frame.pointee.nested[index].encoder?.frame { frames.append(inner) }
            }
        }
        for (frame, index, isUnique) in found.reversed() {
            let encoder = frame.pointee.nested[index].encoder
            if isUnique { encoder?.frame.pointee.nested = [] }
            let result = isUnique ? encoder?.write() : encoder?.postpone()
            frame.pointee.entries.references[frame.pointee.nested[index].position] = result ?? ArchiveGraph.null
        }
        frame.pointee.nested = []
    }

    /// Writes the object, makes ready for the next value, and gives what stands for this one.
    func write() -> Reference {
        let frame = frame
        if !frame.pointee.nested.isEmpty { finishNested() }
        let result: Reference
        if isCompleteSingle {
            result = frame.pointee.single
        } else {
            reserveSlot()
            writeObject()
            result = frame.pointee.slot.uid
        }
        frame.pointee.reset()
        return result
    }

    /// Fills the slot with what was collected.
    private func writeObject() {
        let graph = graph
        let slot = frame.pointee.slot
        switch frame.pointee.form {
        case .undecided, .keyed: break
        case .unkeyed:
            let elements = UnsafeBufferPointer(frame.pointee.entries.references.elements)
            switch frame.pointee.objectClass {
            case .array: graph.pointee.fill(slot, array: elements)
            case .dictionary: graph.pointee.fill(slot, dictionary: elements)
            case .set: graph.pointee.fill(slot, elements: elements, classUID: graph.pointee.classUID(.set))
            case .type: graph.pointee.fill(slot, elements: elements, classUID: classUID)
            }
            return
        case .single:
            let single = frame.pointee.single
            if single != 0 {
                if !frame.pointee.isObject { return graph.pointee.fill(slot, withContentsOf: single) }
                frame.pointee.entries.references.append(graph.pointee.key("$0"))
                frame.pointee.entries.references.append(single)
            }
        }
        let classUID = classUID
        graph.pointee.fill(slot, entries: &frame.pointee.entries.references, classUID: classUID)
    }

    @inline(__always)
    private var classUID: Reference {
        if frame.pointee.archivedType == nil, let type = frame.pointee.type, type.pointee.classUID != 0 {
            return type.pointee.classUID
        }
        return makeClassUID()
    }

    @inline(never)
    private func makeClassUID() -> Reference {
        if let archivedType = frame.pointee.archivedType { return core.pointee.classUID(of: archivedType) }
        if let type = frame.pointee.type { return type.pointee.makeClassUID(graph) }
        if frame.pointee.keptClassUID != 0 { return frame.pointee.keptClassUID }
        return graph.pointee.classUID(ArchivedClass(ArchivedClass.rootName))
    }

    /// Puts off the writing until the end of the archive, for what may still come.
    func postpone() -> Reference {
        frame.pointee.keptParent = frame.pointee.parent?.pointee.encoder?.takeUnretainedValue()
        core.pointee.postpone(self)
        if isCompleteSingle { return frame.pointee.single }
        frame.pointee.inline = frame.pointee.isObject
        reserveSlot()
        return frame.pointee.slot.uid
    }

    /// Writes what was put off. Nothing can be added from here on.
    func writePostponed() {
        if frame.pointee.isReplaced {
            abandonNested()
        } else {
            if !frame.pointee.nested.isEmpty { finishNested() }
            if !isCompleteSingle { writeObject() }
        }
        close()
    }

    /// Whether the value is one that stands elsewhere, so that there is no object to write.
    private var isCompleteSingle: Bool {
        guard frame.pointee.form == .single, frame.pointee.single != 0, frame.pointee.slot.uid == 0 else {
            return false
        }
        require(
            frame.pointee.entries.references.count == 0,
            "A keyed or an unkeyed container was used after a single value was encoded in its place")
        return true
    }
}
