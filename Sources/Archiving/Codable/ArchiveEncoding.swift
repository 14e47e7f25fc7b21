/// The encoder behind `ArchiveEncoder`: what `encode(to:)` is given.
///
/// One of these stands for a value that is being encoded. It collects references until the value is complete, then writes
/// one object. Encoders are used again: each keeps the encoder for the values inside it in `spare`. When a value has been
/// encoded and nobody else holds its encoder or a container of it, nothing more can come and the object is written. When
/// somebody does, the object has its uid, and what it holds is written at the end of the archive, so containers that are
/// kept open simply work.
final class ArchiveEncoding {
    typealias Reference = ArchiveGraph.Reference

    enum Form {
        case undecided, keyed, unkeyed, single
    }

    /// Which class an object is written as: its type's, or that of a Foundation container.
    enum ObjectClass {
        case type, array, set, dictionary
    }

    /// The graph that is being written; nil when the archive is finished and nothing can be written any more.
    private var openGraph: UnsafeMutablePointer<ArchiveGraph>?
    /// Valid while there is an open graph.
    unowned(unsafe) let session: EncodingSession
    private let depth: Int
    /// The encoder for values inside this one.
    private var spare: ArchiveEncoding?

    // What follows belongs to the value, and starts anew with the next one.

    /// Nil for the values of `$top`.
    unowned(unsafe) private var type: EncodingType?
    /// The class that the object is written as, where it is not `type`: a subclass, or the superclass in `super`.
    private var archivedType: (any Any.Type)?
    private var objectClass = ObjectClass.type
    private var form = Form.undecided
    /// Whether a scalar may stand as it is in the place that the value will have.
    private(set) var inline = false
    /// Whether the value is a class instance, which keeps the slot it has whatever it encodes.
    private var isInstance = false
    /// The slot of the object; its uid is 0 until it has one.
    private var slot = ArchiveGraph.Slot(index: 0, uid: 0)
    /// What was written through a single value container. 0 until then.
    private var single: Reference = 0
    /// Whether `single` is a number, a boolean or a string, which depends on nothing but the value.
    private var singleIsLeaf = false
    /// Keys and values in turn, or elements.
    private var references = PlainArray<Reference>(capacity: 16)
    /// A bit for each key; a key is surely new where its bit is not set.
    private var keyBits: UInt64 = 0
    /// The positions of keys, where there are many.
    private var keyPositions: [Reference: Int] = [:]
    /// Encoders for nested containers and superclasses.
    private var nested: [Nested] = []
    /// The encoder of the value that this one is a part of. It outlives this one's use, or is kept by `keptParent`.
    unowned(unsafe) private var parent: ArchiveEncoding?
    private var keptParent: ArchiveEncoding?
    private var step = CodingPathStep.root
    /// The value's entry in the table of paths; `root` while it has none.
    private var path = CodingPathTable.root

    private struct Nested {
        var encoder: ArchiveEncoding?
        /// Where in `references` the result belongs.
        var position: Int
        /// 0 in an unkeyed container.
        var key: Reference
    }

    init(session: EncodingSession, depth: Int) {
        self.session = session
        self.depth = depth
        openGraph = session.graph
    }

    /// Whether the archive is still being written.
    var isOpen: Bool { openGraph != nil }

    @inline(__always)
    var graph: UnsafeMutablePointer<ArchiveGraph> {
        guard let openGraph else {
            preconditionFailure("An encoder or a container was used after the archive it belongs to was finished")
        }
        return openGraph
    }
}

// MARK: - Values

extension ArchiveEncoding {
    /// Encodes `value` as a part of this one, and gives what stands for it.
    @inline(__always)
    func reference<Value: Encodable>(
        to value: Value, at step: CodingPathStep, inline: Bool
    ) throws -> Reference {
        try reference(to: value, type: session.type(Value.self), at: step, inline: inline)
    }

    func reference<Value: Encodable>(
        to value: Value, type: EncodingType, at step: CodingPathStep, inline: Bool
    ) throws -> Reference {
        guard session.hasStack(atDepth: depth) else {
            throw CodableErrors.nestedTooDeep(value, path: session.keys(steps() + [step]))
        }
        switch type.facts.shape {
        case .native(let writer):
            return try withUnsafePointer(to: value) { try writer(UnsafeRawPointer($0), self, step, inline) }
        case .instance:
            let object = withUnsafePointer(to: value) { UnsafeRawPointer($0).load(as: UnsafeRawPointer.self) }
            return session.archiver.uid(of: object, writer: type) { session.paths.append(step, to: pathIndex()) }
        case .value:
            guard type.facts.isMemoizable else {
                return try encode(type, at: step, inline: inline) { try value.encode(to: $0) }
            }
            let byte = withUnsafePointer(to: value) { UnsafeRawPointer($0).load(as: UInt8.self) }
            let known = type.memo(byte, inline: inline)
            if known != 0 { return known }
            let made = try encode(type, at: step, inline: inline) { try value.encode(to: $0) }
            if spare?.singleIsLeaf == true { type.remember(made, for: byte, inline: inline) }
            return made
        }
    }

    /// Lets `body` encode a value of `type` with an encoder for it.
    @inline(__always)
    func encode(
        _ type: EncodingType?, at step: CodingPathStep, inline: Bool, _ body: (ArchiveEncoding) throws -> Void
    ) throws -> Reference {
        try encodeInSpare(body) { encoder in
            encoder.type = type
            encoder.parent = self
            encoder.step = step
            encoder.inline = inline
        }
    }

    /// Lets `body` add the elements of an array or a set.
    @inline(__always)
    func encodeElements(
        of objectClass: ObjectClass, at step: CodingPathStep, _ body: (ArchiveEncoding) throws -> Void
    ) throws -> Reference {
        try encode(nil, at: step, inline: false) { encoder in
            encoder.objectClass = objectClass
            encoder.begin(.unkeyed)
            try body(encoder)
        }
    }

    /// Lets `body` write the contents of `instance`, which has its slot.
    func encode(
        _ instance: KeyedArchiver.PendingInstance, _ type: EncodingType, _ body: (ArchiveEncoding) throws -> Void
    ) throws {
        let dynamicType: AnyClass = Swift.type(of: Unmanaged<AnyObject>.fromOpaque(instance.object).takeUnretainedValue())
        _ = try encodeInSpare(body) { encoder in
            encoder.type = type
            encoder.archivedType = dynamicType == type.facts.type ? nil : dynamicType
            encoder.isInstance = true
            encoder.slot = instance.slot
            encoder.inline = true
            encoder.path = instance.path
        }
    }

    @inline(__always)
    private func encodeInSpare(
        _ body: (ArchiveEncoding) throws -> Void, preparing prepare: (ArchiveEncoding) -> Void
    ) throws -> Reference {
        if spare == nil { spare = ArchiveEncoding(session: session, depth: depth + 1) }
        do {
            try useSpare(prepare, body)
        } catch {
            abandonSpare()
            throw error
        }
        return finishSpare()
    }

    /// A function of its own, so that no reference to the spare encoder outlives it.
    @inline(never)
    private func useSpare(
        _ prepare: (ArchiveEncoding) -> Void, _ body: (ArchiveEncoding) throws -> Void
    ) throws {
        guard let spare else { return }
        prepare(spare)
        try body(spare)
    }
}

// MARK: - Collecting

extension ArchiveEncoding {
    /// Settles the kind of container.
    @inline(__always)
    func begin(_ form: Form) {
        if self.form != form { change(to: form) }
    }

    @inline(never)
    private func change(to form: Form) {
        guard self.form == .undecided else {
            preconditionFailure(
                "\(type.map { "\($0.facts.type)" } ?? "A value") asked its encoder for two kinds of container;"
                    + " a value has one: keyed, unkeyed, or a single value")
        }
        self.form = form
        if form != .single { reserveSlot() }
    }

    private func reserveSlot() {
        if slot.uid == 0 { slot = graph.pointee.reserveSlot() }
    }

    /// For the values of `$top`, which has keys but no slot.
    func beginTop() {
        form = .keyed
    }

    /// The number of elements so far.
    var elementCount: Int { references.count }

    @inline(__always)
    func append(_ element: Reference) {
        references.append(element)
    }

    func reserveElements(_ count: Int) {
        references.reserve(count)
    }

    /// Enters `value` under `key`. What was under that key before is replaced, as other encoders do.
    @inline(__always)
    func set(_ key: Reference, to value: Reference) {
        let bit: UInt64 = 1 &<< UInt64(key & 63)
        if keyBits & bit != 0, let position = position(of: key) {
            references[position] = value
            if !nested.isEmpty { nested.removeAll { $0.position == position } }
        } else {
            keyBits |= bit
            references.append(key)
            references.append(value)
        }
    }

    /// Entries up to which a key is searched one by one.
    private static var linearSearchLimit: Int { 64 }

    /// Where the value of `key` is in `references`; nil where there is none.
    @inline(never)
    private func position(of key: Reference) -> Int? {
        if references.count <= 2 * Self.linearSearchLimit {
            for index in stride(from: 0, to: references.count, by: 2) where references[index] == key {
                return index + 1
            }
            return nil
        }
        // Catches up with what was appended since it was last asked.
        for index in stride(from: 2 * keyPositions.count, to: references.count, by: 2) {
            keyPositions[references[index]] = index + 1
        }
        return keyPositions[key]
    }

    func setSingle(_ value: Reference, isLeaf: Bool) {
        guard single == 0 else {
            preconditionFailure("A single value container takes one value, and was given a second one")
        }
        single = value
        singleIsLeaf = isLeaf
    }
}

// MARK: - Encoders inside

extension ArchiveEncoding {
    /// The encoder of a container that is written whenever its owner likes, until the archive is finished.
    ///
    /// - Parameter key: The key that it stands under; nil in an unkeyed container.
    func nestedEncoder(_ form: Form, forKey key: Reference?, at step: CodingPathStep) -> ArchiveEncoding {
        if let key, let known = nested.first(where: { $0.key == key })?.encoder { return known }
        let encoder = ArchiveEncoding(session: session, depth: depth + 1)
        encoder.type = type
        encoder.archivedType = archivedType
        if form == .unkeyed { encoder.objectClass = .array }
        encoder.parent = self
        encoder.step = step
        encoder.inline = key != nil
        if form != .undecided { encoder.begin(form) }
        var position = references.count
        // "$null" stands here until the encoder is finished.
        if let key {
            set(key, to: ArchiveGraph.null)
            position = self.position(of: key) ?? position
        } else {
            append(ArchiveGraph.null)
        }
        nested.append(Nested(encoder: encoder, position: position, key: key ?? 0))
        return encoder
    }

    /// The encoder of the superclass's part, which is written as an object of the superclass.
    func superEncoder(forKey key: Reference?, at step: CodingPathStep) -> ArchiveEncoding {
        let encoder = nestedEncoder(.undecided, forKey: key, at: step)
        if let own = (archivedType ?? type?.facts.type) as? AnyClass, let superclass = _getSuperclass(own) {
            encoder.archivedType = superclass
        }
        return encoder
    }
}

// MARK: - Finishing

extension ArchiveEncoding {
    /// Ends the spare encoder, whose value has encoded itself, and gives what stands for the value.
    @inline(__always)
    private func finishSpare() -> Reference {
        if spare?.nested.isEmpty == false { spare?.finishNested() }
        if isKnownUniquelyReferenced(&spare) { return spare?.write() ?? ArchiveGraph.null }
        return retireSpare()
    }

    /// Lets go of the spare encoder, which somebody else still holds.
    @inline(never)
    private func retireSpare() -> Reference {
        let result = spare?.postpone() ?? ArchiveGraph.null
        spare = nil
        return result
    }

    private func finishNested() {
        for index in nested.indices {
            if nested[index].encoder?.nested.isEmpty == false { nested[index].encoder?.finishNested() }
            let isUnique = isKnownUniquelyReferenced(&nested[index].encoder)
            let encoder = nested[index].encoder
            references[nested[index].position] = (isUnique ? encoder?.write() : encoder?.postpone()) ?? ArchiveGraph.null
        }
        nested = []
    }

    /// Writes the object, makes ready for the next value, and gives what stands for this one.
    private func write() -> Reference {
        defer { reset() }
        if form == .single, !isInstance {
            return single != 0 ? single : emptyObject()
        }
        reserveSlot()
        writeObject()
        return slot.uid
    }

    private func emptyObject() -> Reference {
        reserveSlot()
        graph.pointee.fill(slot, entries: &references, classUID: classUID)
        return slot.uid
    }

    /// Fills the slot with what was collected.
    private func writeObject() {
        switch form {
        case .undecided, .keyed:
            graph.pointee.fill(slot, entries: &references, classUID: classUID)
        case .unkeyed:
            let elements = UnsafeBufferPointer(references.elements)
            switch objectClass {
            case .type: graph.pointee.fill(slot, elements: elements, classUID: classUID)
            case .array: graph.pointee.fill(slot, array: elements)
            case .set:
                let classUID = graph.pointee.classUID(.set)
                graph.pointee.fill(slot, elements: elements, classUID: classUID)
            case .dictionary: graph.pointee.fill(slot, dictionary: elements)
            }
        case .single:
            if isInstance {
                if single != 0 {
                    references.append(graph.pointee.key("$0"))
                    references.append(single)
                }
                graph.pointee.fill(slot, entries: &references, classUID: classUID)
            } else if single != 0 {
                graph.pointee.fill(slot, withContentsOf: single)
            }
        }
    }

    private var classUID: Reference {
        if let archivedType { return session.classUID(of: archivedType) }
        return type?.classUID ?? graph.pointee.classUID(ArchivedClass(ArchivedClass.rootName))
    }

    /// Puts off the writing until the end of the archive, for what may still come.
    private func postpone() -> Reference {
        keptParent = parent
        if form == .single, single != 0, !isInstance { return single }
        inline = isInstance
        reserveSlot()
        session.addLate(self)
        return slot.uid
    }

    /// Writes what was put off. Nothing can be added from here on.
    func writePostponed() {
        finishNested()
        writeObject()
        close()
    }

    /// Takes no more, and lets go of the session, which it may outlive.
    func close() {
        openGraph = nil
    }

    /// Forgets the value of the spare encoder, which failed to encode itself.
    private func abandonSpare() {
        spare?.abandonNested()
        if isKnownUniquelyReferenced(&spare) {
            spare?.reset()
        } else {
            spare?.close()
            spare = nil
        }
    }

    private func abandonNested() {
        for index in nested.indices {
            nested[index].encoder?.abandonNested()
            nested[index].encoder?.close()
        }
        nested = []
    }

    @inline(__always)
    private func reset() {
        type = nil
        archivedType = nil
        objectClass = .type
        form = .undecided
        isInstance = false
        slot = ArchiveGraph.Slot(index: 0, uid: 0)
        single = 0
        references.removeAll()
        keyBits = 0
        if !keyPositions.isEmpty { keyPositions = [:] }
        parent = nil
        path = CodingPathTable.root
    }
}

// MARK: - Path

extension ArchiveEncoding {
    /// The steps from the root of the archive to the value.
    func steps() -> [CodingPathStep] {
        var steps: [CodingPathStep] = []
        var encoder = self
        while let parent = encoder.parent {
            steps.append(encoder.step)
            encoder = parent
        }
        return session.paths.steps(to: encoder.path) + steps.reversed()
    }

    /// The value's entry in the table of paths.
    func pathIndex() -> CodingPathTable.Index {
        if parent == nil || path != CodingPathTable.root { return path }
        var missing: [ArchiveEncoding] = []
        var encoder = self
        while let parent = encoder.parent, encoder.path == CodingPathTable.root {
            missing.append(encoder)
            encoder = parent
        }
        var index = encoder.path
        for encoder in missing.reversed() {
            index = session.paths.append(encoder.step, to: index)
            encoder.path = index
        }
        return index
    }
}
