// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

struct EncodedObject: BitwiseCopyable {
    enum Form {
        case undecided, keyed, unkeyed, single
    }

    enum Class {
        case type, array, set, dictionary
    }

    enum Placement {
        /// In a slot of its own.
        case slot
        /// In a slot of its own, or inline in the value's place if it is a scalar.
        case inlineIfScalar
        /// In a slot, always as an object of its class: a class instance or a polymorphic value.
        case object
    }

    /// The type that names the class in the archive if it is not that of the frame: a subclass, or the superclass in `super`.
    var archivedType: (any Any.Type)?
    var objectClass = Class.type
    var form = Form.undecided
    var placement = Placement.slot
    /// The class entry of an object that another value began, if there is neither a type nor `archivedType`.
    var keptClassUID: ArchiveGraph.Reference = 0
    var slot = ArchiveGraph.Slot(index: 0, uid: 0)
    /// The value that a single value container encoded; 0 before.
    var single: ArchiveGraph.Reference = 0

    var isObject: Bool { placement == .object }
    var holdsScalarsInline: Bool { placement != .slot }
}

/// The encoding of one value by `ArchiveEncoder`.
///
/// A frame collects references until the value is complete, then writes one object. Frames are reused: each keeps the one for
/// its nested values as its spare. After a value is encoded, its object is written. The frame is used for the next value if the
/// program holds neither its encoder (`ValueEncoder`) nor one of its containers. Otherwise it is closed: the program may use
/// them only until the `encode(to:)` that received them returns.
@usableFromInline
package final class EncodingFrame {
    package typealias Reference = ArchiveGraph.Reference

    private enum Access {
        case open
        /// The frame is open, and the program holds another encoder of the value than that of the frame.
        case held
        /// The value is nested too deeply, so that encoding in it is an error.
        case tooDeep
        case closed
    }

    enum Role {
        /// The frame encodes one value after another, and keeps keyed containers for the next one.
        case spare
        /// It is that of a nested container, or the outermost one.
        case single
        case superclass
    }

    let session: EncodingSession
    package let graph: ArchiveGraph
    unowned let parent: EncodingFrame?
    let depth: Int
    private let role: Role
    private var access = Access.open

    /// nil for the values of `$top`, and for Foundation containers.
    private(set) var type: EncodingType?
    var object = EncodedObject()
    let entries: EntryList
    let references: PlainTable<Reference>
    /// The keys of the declared fields that are collected. The references of the entries have the values.
    let fieldKeys = PlainTable<Reference>()

    private var step = CodingPathStep.root
    var fieldStep = CodingPathStep.root
    /// The value's entry in the table of paths; `unknownPath` until a part of the value of `parent` needs one.
    var path = CodingPathTable.root

    private(set) var nested: [Nested] = []
    private var spare: SpareEncoding?
    /// The keyed container that was used last. The next value gets it if its keys have the same type.
    private var container: KeptEncodingContainer?
    private var otherContainers: [KeptEncodingContainer] = []

    private static var initialReferences: Int { 24 }
    /// The number of containers that a frame keeps, besides those that a value has at once.
    private static var keptContainers: Int { 16 }
    static var unknownPath: CodingPathTable.Index { .max }

    init(_ session: EncodingSession, depth: Int, parent: EncodingFrame?, _ role: Role = .single) {
        (self.session, self.depth, self.parent, self.role) = (session, depth, parent, role)
        graph = session.graph
        entries = EntryList(capacity: Self.initialReferences)
        references = entries.references
        session.meter.note(depth: depth)
    }

    /// Begins a value of `type` at `step` of the surrounding one. The type is often the same as before, which then needs no
    /// reference counting.
    @inline(__always)
    func begin(
        _ type: EncodingType?, _ object: EncodedObject, at step: CodingPathStep,
        path: CodingPathTable.Index = unknownPath
    ) {
        if self.type !== type { self.type = type }
        self.object = object
        self.step = step
        self.path = path
    }
}

// MARK: - Opening and closing

extension EncodingFrame {
    var isOpen: Bool { access != .closed }

    @inline(__always)
    func checkOpen() {
        if access == .closed { wasLeft() }
    }

    /// Traps after the `encode(to:)` of the value has returned.
    ///
    /// - Throws: An error if the value is nested too deeply.
    @inline(__always)
    func checkAccess() throws {
        if access != .open { try refuse() }
    }

    @inline(never)
    private func refuse() throws {
        checkOpen()
        if access == .tooDeep, let failure = session.failure { throw failure }
    }

    private func wasLeft() -> Never {
        misuse(
            "An encoder or a container was used after the encode(to:) that received it had returned. Encode the whole"
                + " value there")
    }

    /// Makes encoding in the value, which has no room at `step` of the surrounding one, an error, which fails the archive:
    /// requesting a container throws none.
    func refuse(at step: CodingPathStep, in parent: EncodingFrame) {
        if session.failure == nil { session.fail(parent.nestedTooDeep(typeName ?? "a nested container", step)) }
        access = .tooDeep
        require(
            !session.meter.isStackFull,
            "Values encoded themselves into superEncoder(), or with a configuration, inside each other until the stack was full,"
                + " as instances in a cycle do. Encode an instance with encode(_:forKey:), which archives each once")
    }

    @inline(never)
    func nestedTooDeep(_ value: Any, _ step: CodingPathStep) -> EncodingError {
        let limit = session.meter.limits.nesting
        return EncodingError.invalid(value, .limit, path: keys(step)) { _, _ in
            (depth >= limit
                ? "The value is nested deeper than the limit of \(limit) levels. Raise `limits.nesting` of the encoder and of the"
                    + " decoder"
                : StackGuard.sentence("The value is", depth) + ". Encode it on a thread with a larger stack")
                + ", or make the values of the chain class instances, behind @Reference or @References"
        }
    }

    var isSuperclassPart: Bool { role == .superclass }

    /// Takes the type from an object that keeps the class entry of another one.
    func forgetType() {
        type = nil
        object.archivedType = nil
    }

    private var typeName: String? { (type?.type ?? object.archivedType).map { "\($0)" } }

    func close() {
        access = .closed
        releaseParts()
    }

    /// Notes that the program holds another encoder of the value than that of the frame.
    func noteHeld() {
        if access == .open { access = .held }
    }
}

// MARK: - Containers

extension EncodingFrame {
    @inline(__always)
    func begin(_ form: EncodedObject.Form) {
        if object.form == .undecided { begin(newObject: form) } else if object.form != form { change(to: form) }
    }

    @inline(never)
    private func change(to form: EncodedObject.Form) {
        if object.form == .single, amend(object.single, as: form) { return }
        misuse(
            "\(typeName ?? "A value") requested two kinds of container. A value has one: keyed, unkeyed, or single value"
        )
    }

    func begin(newObject form: EncodedObject.Form) {
        object.form = form
        reserveSlot()
    }

    func reserveSlot() {
        if object.slot.uid == 0 { object.slot = graph.reserveSlot() }
    }

    /// Returns a keyed container of this frame. `holder` is an object that the container retains unless it is kept.
    @inline(__always)
    func keyedContainer<Key: CodingKey>(_ type: Key.Type, holder: AnyObject?) -> KeyedEncodingContainer<Key> {
        checkOpen()
        begin(.keyed)
        if let container, container.isFree(keyedBy: type) { return container.lend(keyedBy: type) }
        return otherContainer(type, holder)
    }

    /// A function of its own, since only this needs the type of the container, which Swift's runtime looks up.
    @inline(never)
    private func otherContainer<Key: CodingKey>(
        _ type: Key.Type, _ holder: AnyObject?
    ) -> KeyedEncodingContainer<Key> {
        let keys = session.keyTable(type)
        guard role == .spare else { return KeyedEncodingContainer(KeyedEncoding(self, keys, holder: holder)) }
        if let index = otherContainers.firstIndex(where: { $0.isFree(keyedBy: type) }) {
            let free = changeContainers { $0.remove(at: index) }
            use(free)
            return free.lend(keyedBy: type)
        }
        return newContainer(keys, holder)
    }

    @inline(never)
    private func newContainer<Key: CodingKey>(
        _ keys: EncodingKeyTable, _ holder: AnyObject?
    ) -> KeyedEncodingContainer<Key> {
        let made = KeyedEncodingContainer<Key>(KeyedEncoding(self, keys, holder: nil))
        guard let kept = ReusedContainer.keeping(made) else {
            return KeyedEncodingContainer(KeyedEncoding(self, keys, holder: holder))
        }
        use(KeptEncodingContainer(kept))
        return made
    }

    private func use(_ next: KeptEncodingContainer) {
        if let container, container.isLent || otherContainers.count < Self.keptContainers {
            changeContainers { $0.append(container) }
        }
        container = next
    }

    /// Calls `body` with the other containers, outside of the property, so that its accesses need no exclusivity check.
    private func changeContainers<Result>(_ body: (inout [KeptEncodingContainer]) -> Result) -> Result {
        var changed = otherContainers
        otherContainers = []
        defer { otherContainers = changed }
        return body(&changed)
    }

    /// Takes back from the value what the program has received for it, besides its encoder, and returns whether it has
    /// released all.
    @inline(__always)
    func takeBack() -> Bool {
        // Taken out of the property, the container needs no reference counting.
        guard let last = container.take() else { return access == .open }
        let isReturned = !last.isLent || last.takeBack()
        container = isReturned ? consume last : nil
        return isReturned && access == .open && (otherContainers.isEmpty || takeBackOthers())
    }

    @inline(never)
    private func takeBackOthers() -> Bool { otherContainers.allSatisfy { !$0.isLent || $0.takeBack() } }
}

// MARK: - Entries

extension EncodingFrame {
    /// Calls `body` with the nested frames, outside of the property, so that its accesses need no exclusivity check.
    func changeNested<Result>(_ body: (inout [Nested]) -> Result) -> Result {
        var changed = nested
        nested = []
        defer { nested = changed }
        return body(&changed)
    }

    @inline(__always)
    package func setSingle(_ value: Reference) throws {
        if object.form != .undecided { try becomeSingle() }
        object.form = .single
        object.single = value
    }

    /// Makes a container without contents a single value.
    ///
    /// - Throws: An error if the container has contents.
    @inline(never)
    private func becomeSingle() throws {
        require(object.form != .single, "A single value container takes one value, and received a second one")
        guard references.count == 0 else {
            let path = keys(.root)
            throw EncodingError.invalid(path, path: path) {
                "The value at \($1) was encoded into a keyed or an unkeyed container, and cannot be a single value as well."
                    + " Encode that value for a key, or as an element"
            }
        }
        if !object.isObject { object.slot = ArchiveGraph.Slot(index: 0, uid: 0) }
    }

    /// Sets the value for `key`. It replaces an earlier value, as in other encoders.
    @inline(__always)
    func set(_ key: Reference, to value: Reference) {
        if let position = entries.set(key, to: value), !nested.isEmpty {
            dropNested(at: position, exceptHeldParts: true)
        }
    }
}

// MARK: - Coding paths

extension EncodingFrame {
    var codingPath: [any CodingKey] { isOpen ? keys(.root) : [] }

    package func keys(_ step: CodingPathStep) -> [any CodingKey] { session.codingPath(pathIndex(step)) }

    func pathIndex(_ step: CodingPathStep) -> CodingPathTable.Index {
        session.path(step, in: path == Self.unknownPath ? makePath() : path)
    }

    @inline(never)
    private func makePath() -> CodingPathTable.Index {
        if let parent, parent.path != Self.unknownPath {
            // Usually the surrounding value has its entry. This case needs no list.
            path = session.path(step, in: parent.path)
            return path
        }
        var missing: [EncodingFrame] = []
        var frame = self
        while frame.path == Self.unknownPath, let parent = frame.parent {
            missing.append(frame)
            frame = parent
        }
        var index = frame.path
        for frame in missing.reversed() {
            index = session.path(frame.step, in: index)
            frame.path = index
        }
        return index
    }
}

// MARK: - Nested values

/// A frame that encodes one nested value after another, with its encoder.
struct SpareEncoding: ~Copyable {
    let frame: EncodingFrame
    /// The only reference to the `ValueEncoder` of the frame, unless the program holds it. It has the form in which
    /// `encode(to:)` receives it, so that passing it needs no reference counting.
    private(set) var encoder: any Encoder

    init(_ frame: EncodingFrame) {
        self.frame = frame
        encoder = ValueEncoder(frame)
    }

    /// Takes back from the value what the program has received for it, and returns whether it has released all.
    @inline(__always)
    mutating func takeBack() -> Bool {
        frame.takeBack() && Reinterpretation.isOnlyReference(&encoder, to: ValueEncoder.self)
    }
}

extension EncodingFrame {
    /// Calls `body` with the frame and the encoder of a nested value, and returns the reference to the value.
    ///
    /// - Parameter passesEncoder: Whether the program may get the encoder of the value, not only those of its parts.
    @inline(__always)
    func encodeNested(
        _ type: EncodingType?, _ object: EncodedObject, at step: CodingPathStep,
        path: CodingPathTable.Index = unknownPath, passesEncoder: Bool = true,
        _ body: (EncodingFrame, any Encoder) throws -> Void
    ) throws -> Reference {
        // Another value that is encoded at the same time may have the spare frame, and this one then gets a new one.
        let taken = spare.take() ?? makeSpare()
        taken.frame.begin(type, object, at: step, path: path)
        do {
            try body(taken.frame, taken.encoder)
        } catch {
            abandon(consume taken)
            throw error
        }
        return finish(taken, passesEncoder: passesEncoder)
    }

    private func finish(_ taken: consuming SpareEncoding, passesEncoder: Bool) -> Reference {
        let isReturned = !passesEncoder || taken.takeBack()
        let reference = taken.frame.write()
        if isReturned { leave(taken) } else { closeHeld(taken) }
        return reference
    }

    @inline(never)
    private func makeSpare() -> SpareEncoding {
        SpareEncoding(EncodingFrame(session, depth: depth + 1, parent: self, .spare))
    }

    @inline(__always)
    private func leave(_ returned: consuming SpareEncoding) {
        // An assignment would release the old one during the access to the property. The compiler then checks all accesses to it at
        // run time.
        var old: SpareEncoding? = consume returned
        swap(&spare, &old)
        if let old { old.frame.releaseParts() }
    }

    func releaseParts() {
        container = nil
        otherContainers = []
        var next = spare.take()
        while let nested = next.take() {
            nested.frame.container = nil
            nested.frame.otherContainers = []
            next = nested.frame.spare.take()
        }
    }

    /// Discards the value of `failed`, which failed to encode itself. If the program still holds its encoder, it is closed.
    @inline(never)
    private func abandon(_ failed: consuming SpareEncoding) {
        failed.frame.abandonNested()
        guard failed.takeBack() else { return closeHeld(failed) }
        failed.frame.removeFields()
        failed.frame.entries.removeAll()
        leave(failed)
    }

    private func closeHeld(_ held: consuming SpareEncoding) {
        held.frame.close()
        session.meter.noteHeld()
    }
}

// MARK: - Values

extension EncodingFrame {
    @inline(__always)
    func reference<Value: Encodable>(
        to value: borrowing Value, type: EncodingType, at step: CodingPathStep, inline: Bool
    ) throws -> Reference {
        guard session.meter.hasRoom(atDepth: depth) || session.meter.hasRoom(forLeaf: type.nestsNothing) else {
            throw nestedTooDeep(copy value, step)
        }
        return try type.encoding(value, self, type, EncodingPlace(step: step, inline: inline).number)
    }

    @inline(__always)
    package func reference<Value: Encodable>(
        to value: borrowing Value, at step: CodingPathStep, inline: Bool
    ) throws -> Reference {
        try reference(to: value, type: session.type(Value.self), at: step, inline: inline)
    }

    func reference(toCoding object: any Coding, at step: CodingPathStep) throws -> Reference {
        try session.archiver.reference(to: object) { pathIndex(step) }
    }

    /// Returns a conditional reference to an instance. It is decoded as nil unless a strong reference archives the
    /// instance.
    func conditionalReference<Object: AnyObject & Encodable>(
        to object: Object, at step: CodingPathStep
    ) throws -> Reference {
        let type = session.type(Object.self)
        guard type.kind == .instance || type.kind == .coding else { return ArchiveGraph.null }
        return try session.conditionalReference(to: object, type) { pathIndex(step) }
    }

    @inline(__always)
    func encode(
        _ type: EncodingType, at step: CodingPathStep, inline: Bool, _ body: (any Encoder) throws -> Void
    ) throws -> Reference {
        try encodeNested(type, EncodedObject(placement: inline ? .inlineIfScalar : .slot), at: step) { try body($1) }
    }

    /// Calls `body` with an encoder for the root object, which is of the type `type` and has no record.
    func reference(ofRoot type: any Any.Type, _ body: (any Encoder) throws -> Void) throws -> Reference {
        guard session.meter.hasRoom(atDepth: depth) else { throw nestedTooDeep(type, .root) }
        return try encodeNested(nil, EncodedObject(archivedType: type), at: .root) { try body($1) }
    }

    func encodeObject(
        _ type: EncodingType, at step: CodingPathStep, _ body: (any Encoder) throws -> Void
    ) throws -> Reference {
        let object = EncodedObject(placement: .object, slot: graph.reserveSlot())
        return try encodeNested(type, object, at: step) { try body($1) }
    }

    @inline(__always)
    func encode(_ instance: PendingInstance, _ type: EncodingType, _ body: (any Encoder) throws -> Void) throws {
        let own: AnyClass = Swift.type(of: instance.object)
        let object = EncodedObject(
            archivedType: own == type.type ? nil : own, placement: .object, slot: instance.slot)
        _ = try encodeNested(type, object, at: .root, path: instance.path) { try body($1) }
    }

    /// Calls `body` to add the elements of an array or a set, or the alternating keys and values of a dictionary.
    @inline(__always)
    func encodeElements(
        of objectClass: EncodedObject.Class, at step: CodingPathStep, _ body: (EncodingFrame) throws -> Void
    ) throws -> Reference {
        let object = EncodedObject(objectClass: objectClass, form: .unkeyed, slot: graph.reserveSlot())
        return try encodeNested(nil, object, at: step, passesEncoder: false) { frame, _ in try body(frame) }
    }

    /// Calls `body` with the frame of a nested value, of which it writes the object `reference`, and returns that.
    @inline(__always)
    func encodeWritten(
        _ reference: Reference, _ type: EncodingType, at step: CodingPathStep, _ body: (EncodingFrame) throws -> Void
    ) throws -> Reference {
        let object = EncodedObject(form: .single, single: reference)
        return try encodeNested(type, object, at: step, passesEncoder: false) { frame, _ in try body(frame) }
    }

    package func encodeSingle(
        at step: CodingPathStep, inline: Bool, _ body: (EncodingFrame) throws -> Void
    ) throws -> Reference {
        try encodeNested(
            nil, EncodedObject(placement: inline ? .inlineIfScalar : .slot), at: step, passesEncoder: false
        ) { frame, _ in
            try body(frame)
        }
    }

    package static func isBehind(_ encoder: any Encoder) -> Bool { encoder is ValueEncoder }

    /// Returns a reference to an instance that was decoded from an archive, or nil if it cannot be encoded.
    package func reference(toInstance instance: AnyObject, at step: CodingPathStep) throws -> UInt32? {
        if let encodable = instance as? any Encodable { return try reference(to: encodable, at: step, inline: false) }
        guard let coding = codingObject(instance) else { return nil }
        return try reference(to: Coded(coding), at: step, inline: false)
    }
}
