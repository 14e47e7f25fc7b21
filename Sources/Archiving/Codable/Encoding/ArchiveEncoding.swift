/// The encoder that `encode(to:)` receives from `ArchiveEncoder`.
///
/// An `ArchiveEncoding` encodes one value. It collects references until the value is complete, then writes one object.
/// Encoders are reused: each keeps the encoder for its nested values as its spare. After a value is encoded, its object
/// is written at once if the program holds neither its encoder nor one of its containers. Otherwise the object gets its
/// uid, and its contents are written at the end of the archive. Containers that the program keeps open therefore stay
/// usable.
final class ArchiveEncoding {
    typealias Reference = ArchiveGraph.Reference

    /// The collected data, at a fixed address: access needs no exclusivity check.
    let frame: UnsafeMutablePointer<EncodingFrame>
    /// This encoder in the form that values receive without reference counting, if there is such a form.
    let borrowed: UnsafeMutablePointer<BorrowedEncoder>?
    /// Valid while the encoder is open.
    let core: UnsafeMutablePointer<EncodingCore>
    let depth: Int
    /// The graph that is being written; nil after the archive is finished.
    ///
    /// Read at every call, and changed once, by `close()`, while no call reads it.
    @exclusivity(unchecked) private var openGraph: UnsafeMutablePointer<ArchiveGraph>?

    init(core: UnsafeMutablePointer<EncodingCore>, depth: Int) {
        self.core = core
        self.depth = depth
        openGraph = core.pointee.graph
        frame = EncodingFrame.make(in: &core.pointee.graph.pointee.arena)
        borrowed =
            RuntimeLayout.holds(.existentials)
            ? core.pointee.graph.pointee.arena.take(1, of: BorrowedEncoder.self) ?? .allocate(capacity: 1) : nil
        frame.pointee.encoder = Unmanaged.passUnretained(self)
        if let borrowed { BorrowedEncoder.lend(self, at: borrowed) }
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
        if let borrowed, !graph.pointee.arena.contains(borrowed) { borrowed.deallocate() }
    }

    /// Traps after the archive is finished, because the frame and the session no longer exist.
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

    /// Closes the encoder and releases the session and the frame, which it may outlive.
    func close() {
        releaseFrame()
        openGraph = nil
    }
}

// MARK: - Containers

extension ArchiveEncoding {
    /// Sets the kind of container.
    @inline(__always)
    func begin(_ form: EncodingFrame.Form) {
        if frame.pointee.form != form { change(to: form) }
    }

    /// Returns the encoder of a container that its owner can fill until the archive is finished.
    ///
    /// - Parameter key: The key of the container, or nil in an unkeyed container. An existing value for the key is
    ///   continued if it has the same kind, and replaced otherwise.
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

    /// Returns an encoder for a part of this encoder's value. It replaces the value for `key`.
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
        // A placeholder until the encoder is finished.
        if let key {
            frame.pointee.set(key, to: ArchiveGraph.null)
            position = frame.pointee.entries.position(of: key) ?? position
            // The newest encoder for a key provides its value.
            frame.pointee.dropNested(at: position)
        } else {
            frame.pointee.entries.append(ArchiveGraph.null)
        }
        frame.pointee.nested.append(EncodingFrame.Nested(encoder: encoder, position: position, key: key ?? 0))
        return encoder
    }

    /// Returns the encoder of the superclass's part. The part is written as an object of the superclass, and replaces
    /// the value for `key`.
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
    /// Finishes the encoders inside this one that the program does not hold, the innermost first. The loop takes no
    /// stack at any depth.
    @inline(never)
    private func finishNested() {
        var found: [(frame: UnsafeMutablePointer<EncodingFrame>, index: Int, isUnique: Bool)] = []
        var frames = [frame]
        while let frame = frames.popLast() {
            for index in frame.pointee.nested.indices {
                let isUnique = isKnownUniquelyReferenced(&frame.pointee.nested[index].encoder)
                found.append((frame, index, isUnique))
                // The encoders inside an encoder that the program holds are finished with it.
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

    /// Writes the object, prepares the encoder for the next value, and returns the reference to this one.
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

    /// Adds the keys and values of a keyed container alternating to `entries`, and prepares the encoder for the next
    /// value.
    ///
    /// - Returns: Whether the value has a keyed container.
    func takeEntries(into entries: inout PlainArray<Reference>) -> Bool {
        let frame = frame
        if !frame.pointee.nested.isEmpty { finishNested() }
        let isKeyed = frame.pointee.form == .keyed
        if isKeyed { entries.append(contentsOf: frame.pointee.entries.references) }
        frame.pointee.reset()
        return isKeyed
    }

    /// Fills the slot with the collected data.
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

    /// Postpones the writing until the end of the archive, because the program can still add to the value.
    func postpone() -> Reference {
        frame.pointee.keptParent = frame.pointee.parent?.pointee.encoder?.takeUnretainedValue()
        core.pointee.postpone(self)
        if isCompleteSingle { return frame.pointee.single }
        frame.pointee.inline = frame.pointee.isObject
        reserveSlot()
        return frame.pointee.slot.uid
    }

    /// Writes the postponed value. After that the encoder accepts no more data.
    func writePostponed() {
        if frame.pointee.isReplaced {
            abandonNested()
        } else {
            if !frame.pointee.nested.isEmpty { finishNested() }
            if !isCompleteSingle { writeObject() }
        }
        close()
    }

    /// Whether the value is stored elsewhere, so that there is no object to write.
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
