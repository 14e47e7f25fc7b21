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
    private let depth: Int
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

// MARK: - Values

extension ArchiveEncoding {
    /// Encodes `value` as a part of this one, and gives what stands for it.
    @inline(__always)
    func reference<Value: Encodable>(
        to value: Value, at step: CodingPathStep, inline: Bool
    ) throws -> Reference {
        try reference(to: value, type: core.pointee.type(Value.self), at: step, inline: inline)
    }

    @inline(__always)
    func reference<Value: Encodable>(
        to value: Value, type: UnsafeMutablePointer<EncodingType>, at step: CodingPathStep, inline: Bool
    ) throws -> Reference {
        try withUnsafePointer(to: value) {
            try reference(toValueAt: UnsafeRawPointer($0), type: type, at: step, inline: inline)
        }
    }

    /// Encodes the value of `type` at `address` as a part of this one, and gives what stands for it.
    func reference(
        toValueAt address: UnsafeRawPointer, type: UnsafeMutablePointer<EncodingType>, at step: CodingPathStep,
        inline: Bool
    ) throws -> Reference {
        guard core.pointee.hasStack(atDepth: depth) else { throw nestedTooDeep(type, address, step) }
        switch type.pointee.kind {
        case .native:
            guard let native = type.pointee.native else { return ArchiveGraph.null }
            return try native.write(valueAt: address, in: self, at: step, inline: inline)
        case .value:
            return try encode(valueAt: address, type, at: step, inline: inline)
        case .memoizable:
            let byte = address.load(as: UInt8.self)
            let known = type.pointee.remembered(byte, inline: inline)
            if known != 0 { return known }
            let made = try encode(valueAt: address, type, at: step, inline: inline)
            if frame.pointee.spareWroteLeaf {
                type.pointee.remember(made, for: byte, inline: inline, in: &graph.pointee.arena)
            }
            return made
        case .once:
            return try type.pointee.values._withUnsafeGuaranteedRef {
                try $0.referenceOnce(toValueAt: address, in: self, type, at: step)
            }
        case .instance:
            guard let writer = type.pointee.writer else { return ArchiveGraph.null }
            let object = address.load(as: UnsafeRawPointer.self)
            let graph = graph
            if let known = graph.pointee.objects.uid(of: object) { return known }
            let dynamicType: AnyClass = self.dynamicType(of: object)
            if dynamicType != type.pointee.type, let writer = core.pointee.codingWriter(of: dynamicType) {
                return try writer._withUnsafeGuaranteedRef { try $0.reference(to: object) { pathIndex(step) } }
            }
            return graph.pointee.newInstance(object, writer: writer, path: pathIndex(step))
        case .coding:
            guard let writer = type.pointee.codingWriter else { return ArchiveGraph.null }
            let object = address.load(as: UnsafeRawPointer.self)
            return try writer._withUnsafeGuaranteedRef { try $0.reference(to: object) { pathIndex(step) } }
        }
    }

    /// Lets the value at `address` encode itself as a part of this one.
    private func encode(
        valueAt address: UnsafeRawPointer, _ type: UnsafeMutablePointer<EncodingType>, at step: CodingPathStep,
        inline: Bool
    ) throws -> Reference {
        try encode(type, at: step, inline: inline) { encoder in
            try type.pointee.values._withUnsafeGuaranteedRef { try $0.encode(valueAt: address, to: encoder) }
        }
    }

    /// The entry in the table of paths for the part at `step`.
    func pathIndex(_ step: CodingPathStep) -> CodingPathTable.Index {
        let graph = graph
        return graph.pointee.paths.append(step, to: frame.pathIndex(&graph.pointee.paths))
    }

    /// The class of the instance at `object`.
    @inline(__always)
    private func dynamicType(of object: UnsafeRawPointer) -> AnyClass {
        Swift.type(of: Unmanaged<AnyObject>.fromOpaque(object)._withUnsafeGuaranteedRef { $0 })
    }

    /// What stands for an instance in a reference that does not archive it: it comes back as nil unless another reference
    /// archives it.
    func conditionalReference<Object: AnyObject & Encodable>(
        to object: Object, at step: CodingPathStep
    ) throws -> Reference {
        let type = core.pointee.type(Object.self)
        let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        let writer = type.pointee.codingWriter ?? core.pointee.codingWriter(of: dynamicType(of: address))
        if let writer {
            return try writer._withUnsafeGuaranteedRef {
                try $0.conditionalReference(to: address) { pathIndex(step) }
            }
        }
        guard case .instance = type.pointee.kind else { return ArchiveGraph.null }
        return graph.pointee.conditionalInstance(address)
    }

    @inline(never)
    private func nestedTooDeep(
        _ type: UnsafeMutablePointer<EncodingType>, _ address: UnsafeRawPointer, _ step: CodingPathStep
    ) -> EncodingError {
        let value = type.pointee.values._withUnsafeGuaranteedRef { $0.value(at: address) }
        return CodableErrors.nestedTooDeep(value, depth: depth, path: keys(step))
    }

    /// What a user sees of the way to the part of this value at `step`.
    func keys(_ step: CodingPathStep) -> [any CodingKey] {
        core.pointee.keys(frame.steps(graph.pointee.paths) + [step])
    }

    /// Lets `body` encode a value of `type` with an encoder for it.
    @inline(__always)
    func encode(
        _ type: UnsafeMutablePointer<EncodingType>?, at step: CodingPathStep, inline: Bool,
        _ body: (ArchiveEncoding) throws -> Void
    ) throws -> Reference {
        try encodeInSpare(body) { frame in
            frame.pointee.type = type
            frame.pointee.parent = self.frame
            frame.pointee.step = step
            frame.pointee.inline = inline
        }
    }

    /// Lets `body` encode a value of `type` as an object of its class.
    func encodeObject(
        _ type: UnsafeMutablePointer<EncodingType>, at step: CodingPathStep, _ body: (ArchiveEncoding) throws -> Void
    ) throws -> Reference {
        let slot = graph.pointee.reserveSlot()
        return try encodeInSpare(body) { frame in
            frame.pointee.type = type
            frame.pointee.parent = self.frame
            frame.pointee.step = step
            frame.pointee.inline = true
            frame.pointee.isObject = true
            frame.pointee.slot = slot
        }
    }

    /// Lets `body` encode the root object, a value of `type`, with `encoder` itself.
    static func encodeRoot(
        with encoder: inout ArchiveEncoding, _ type: UnsafeMutablePointer<EncodingType>?,
        _ body: (ArchiveEncoding) throws -> Void
    ) throws -> Reference {
        let root = Unmanaged.passUnretained(encoder)
        try root._withUnsafeGuaranteedRef {
            $0.frame.pointee.type = type
            $0.frame.pointee.lendsContainers = true
            do {
                try body($0)
                $0.takeBackContainer()
            } catch {
                $0.takeBackContainer()
                $0.abandonNested()
                throw error
            }
        }
        let isUnique = isKnownUniquelyReferenced(&encoder)
        return root._withUnsafeGuaranteedRef { isUnique ? $0.write() : $0.postpone() }
    }

    /// Lets `body` add the elements of an array or a set, or the keys and values of a dictionary in turn.
    @inline(__always)
    func encodeElements(
        of objectClass: EncodingFrame.ObjectClass, at step: CodingPathStep, _ body: (ArchiveEncoding) throws -> Void
    ) throws -> Reference {
        try encode(nil, at: step, inline: false) { encoder in
            encoder.frame.pointee.objectClass = objectClass
            encoder.begin(.unkeyed)
            try body(encoder)
        }
    }

    /// Lets `body` write the contents of `instance`, which has its slot.
    func encode(
        _ instance: PendingInstance, _ type: UnsafeMutablePointer<EncodingType>,
        _ body: (ArchiveEncoding) throws -> Void
    ) throws {
        let dynamicType: AnyClass = dynamicType(of: instance.object)
        _ = try encodeInSpare(body) { frame in
            frame.pointee.type = type
            frame.pointee.archivedType = dynamicType == type.pointee.type ? nil : dynamicType
            frame.pointee.isObject = true
            frame.pointee.slot = instance.slot
            frame.pointee.inline = true
            frame.pointee.path = instance.path
        }
    }

    @inline(__always)
    private func encodeInSpare(
        _ body: (ArchiveEncoding) throws -> Void, preparing prepare: (UnsafeMutablePointer<EncodingFrame>) -> Void
    ) throws -> Reference {
        let frame = frame
        if frame.pointee.isSpareBusy { return try encodeInExtra(body, preparing: prepare) }
        // Unretained: a reference of this function's own would hide whether somebody else has one.
        let encoder = spareEncoder()
        frame.pointee.isSpareBusy = true
        do {
            try encoder._withUnsafeGuaranteedRef {
                prepare($0.frame)
                try body($0)
                $0.takeBackContainer()
            }
        } catch {
            encoder._withUnsafeGuaranteedRef { $0.takeBackContainer() }
            frame.pointee.isSpareBusy = false
            if Self.abandon(&frame.pointee.spare) { dropSpare() }
            throw error
        }
        frame.pointee.isSpareBusy = false
        guard isKnownUniquelyReferenced(&frame.pointee.spare) else {
            defer { dropSpare() }
            frame.pointee.spareWroteLeaf = false
            return encoder._withUnsafeGuaranteedRef { $0.postpone() }
        }
        return encoder._withUnsafeGuaranteedRef {
            frame.pointee.spareWroteLeaf = $0.frame.pointee.singleIsLeaf
            return $0.write()
        }
    }

    @inline(__always)
    private func takeBackContainer() {
        ReusableContainer.takeBack(&frame.pointee.lent, from: self)
    }

    @inline(__always)
    private func spareEncoder() -> Unmanaged<ArchiveEncoding> {
        if let encoder = frame.pointee.spareReference { return encoder }
        return makeSpare()
    }

    @inline(never)
    private func makeSpare() -> Unmanaged<ArchiveEncoding> {
        let spare = ArchiveEncoding(core: core, depth: depth + 1)
        spare.frame.pointee.lendsContainers = true
        frame.pointee.spare = spare
        let reference = Unmanaged.passUnretained(spare)
        frame.pointee.spareReference = reference
        return reference
    }

    private func dropSpare() {
        frame.pointee.spare = nil
        frame.pointee.spareReference = nil
    }

    /// Encodes while the spare encoder is in use, with one that is made for this.
    @inline(never)
    private func encodeInExtra(
        _ body: (ArchiveEncoding) throws -> Void, preparing prepare: (UnsafeMutablePointer<EncodingFrame>) -> Void
    ) throws -> Reference {
        var extra: ArchiveEncoding? = ArchiveEncoding(core: core, depth: depth + 1)
        guard let encoder = extra.map({ Unmanaged.passUnretained($0) }) else { return ArchiveGraph.null }
        do {
            try encoder._withUnsafeGuaranteedRef {
                prepare($0.frame)
                try body($0)
            }
        } catch {
            _ = Self.abandon(&extra)
            throw error
        }
        let isUnique = isKnownUniquelyReferenced(&extra)
        frame.pointee.spareWroteLeaf = false
        return encoder._withUnsafeGuaranteedRef { isUnique ? $0.write() : $0.postpone() }
    }

    /// Forgets a value that failed to encode itself.
    ///
    /// - Returns: Whether somebody else still holds its encoder, which takes no more.
    @inline(never)
    private static func abandon(_ encoder: inout ArchiveEncoding?) -> Bool {
        encoder?.abandonNested()
        if isKnownUniquelyReferenced(&encoder) {
            encoder?.frame.pointee.reset()
            return false
        }
        encoder?.close()
        return true
    }

    /// Closes the encoders inside this one, which is given up.
    private func abandonNested() {
        var encoders = [self]
        while let encoder = encoders.popLast() {
            let inner = encoder.frame.pointee.nested.compactMap(\.encoder)
            encoder.frame.pointee.nested = []
            if encoder !== self { encoder.close() }
            encoders += inner
        }
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
        if let known = core.pointee.lateEncoder(of: written), !known.frame.pointee.isObject { return known }
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

extension ArchiveEncoding {
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
    private func write() -> Reference {
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
    private func postpone() -> Reference {
        frame.pointee.keptParent = frame.pointee.parent?.pointee.encoder?.takeUnretainedValue()
        core.pointee.addLate(self)
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
