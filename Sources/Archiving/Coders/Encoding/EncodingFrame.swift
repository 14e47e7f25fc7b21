// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The encoding of one value by `ArchiveEncoder`.
///
/// An encoding collects references until the value is complete, then writes one object. Encodings are reused: each keeps
/// the one for its nested values as its spare. After a value is encoded, its object is written. The encoding is used for the next
/// value if the program holds neither its encoder (`ValueEncoder`) nor one of its containers. Otherwise it is closed: the
/// program may use them only until the `encode(to:)` that received them returns.
@usableFromInline
final class EncodingFrame {
    typealias Reference = ArchiveGraph.Reference

    enum Form {
        case undecided, keyed, unkeyed, single
    }

    /// The class of an object in the archive: that of its type, or of a Foundation container.
    enum ObjectClass {
        case type, array, set, dictionary
    }

    /// Whether the encoding accepts data.
    private enum Access {
        case open
        /// The value is nested too deeply, so that encoding in it is an error.
        case tooDeep
        /// The `encode(to:)` of the value has returned.
        case closed
    }

    let session: EncodingSession
    let graph: ArchiveGraph
    let depth: Int
    private var access = Access.open

    // MARK: The value

    /// nil for the values of `$top`, and for Foundation containers.
    var type: EncodingType?
    /// The class of the object in the archive if it is not `type`: a subclass, or the superclass in `super`.
    var archivedType: (any Any.Type)?
    var objectClass = ObjectClass.type
    private(set) var form = Form.undecided
    /// Whether a scalar can be stored inline in the value's place.
    var inline = false
    /// Whether the value is always an object of its class in its slot: a class instance or a polymorphic value.
    var isObject = false
    /// The uid of the class entry of `type`; 0 if it is unknown, or the class is another one.
    var typeClassUID: Reference = 0
    /// The class entry of an object that another value began, if there is neither `type` nor `archivedType`.
    var keptClassUID: Reference = 0
    /// The slot of the object. The uid is 0 if it has none yet.
    var slot = ArchiveGraph.Slot(index: 0, uid: 0)
    /// The value that a single value container encoded; 0 before.
    var single: Reference = 0
    let entries: EntryList
    /// The keys of the declared fields that are collected. The references of the entries have the values.
    let fieldKeys = PlainTable<Reference>()
    /// The references of the entries.
    let references: PlainTable<Reference>
    /// Whether this is the encoding of a superclass's part.
    var isSuperclassPart = false

    // MARK: The place

    /// The encoding of the surrounding value.
    unowned let parent: EncodingFrame?
    /// Whether the value is a part of the value of `parent`; otherwise it is one from a work list.
    var hasParent = false
    var step = CodingPathStep.root
    /// The step to the declared field that is being encoded.
    var fieldStep = CodingPathStep.root
    /// The value's entry in the table of paths; `root` if it has none yet.
    var path = CodingPathTable.root

    // MARK: Nested encodings

    /// Encodings of nested containers and superclasses.
    var nested: [Nested] = []
    var hasNested = false
    /// The reused encoding for nested values; nil while it is in use.
    private var spare: SpareEncoding?
    /// Whether the program holds another encoder of the value than that of the encoding.
    var isHeld = false
    /// Whether keyed containers are kept for the next value.
    let keepsContainers: Bool
    /// The keyed container that was used last. The next value gets it if its keys have the same type.
    private var lastContainer: KeptEncodingContainer?
    /// Whether the value has it.
    private var hasLastContainer = false
    /// The other containers that the value has.
    private var otherLent: [KeptEncodingContainer] = []
    private var hasOtherLent = false

    struct Nested {
        var encoding: EncodingFrame
        /// The index of the result in the references of the entries; -1 if another value has replaced this one.
        var position: Int
        /// 0 in an unkeyed container.
        var key: Reference

        var isReplaced: Bool { position < 0 }
    }

    /// The number of references for which there is memory at first.
    private static var initialReferences: Int { 24 }

    init(_ session: EncodingSession, depth: Int, parent: EncodingFrame?, keepsContainers: Bool = false) {
        self.session = session
        self.depth = depth
        self.parent = parent
        self.keepsContainers = keepsContainers
        graph = session.graph
        entries = EntryList(capacity: Self.initialReferences)
        references = entries.references
        session.note(depth: depth)
    }

    /// Sets the type of the next value. It is often the same as before, which then needs no reference counting.
    @inline(__always)
    func begin(_ type: EncodingType?, archivedType: (any Any.Type)? = nil) {
        if self.type !== type { self.type = type }
        self.archivedType = archivedType
        typeClassUID = archivedType == nil ? type?.knownClassUID ?? 0 : 0
    }

    /// Prepares for the next value, whose type `begin(_:archivedType:)` sets.
    @inline(__always)
    func reset() {
        keptClassUID = 0
        objectClass = .type
        form = .undecided
        isObject = false
        slot = ArchiveGraph.Slot(index: 0, uid: 0)
        single = 0
        entries.removeAll()
        hasParent = false
        path = CodingPathTable.root
    }
}

// MARK: - Opening and closing

extension EncodingFrame {
    /// Whether the `encode(to:)` of the value has not returned.
    var isOpen: Bool { access != .closed }

    /// Traps after the `encode(to:)` of the value has returned.
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
        if let failure = session.failure { throw failure }
    }

    private func wasLeft() -> Never {
        misuse(
            "An encoder or a container was used after the encode(to:) that received it had returned. Encode the whole"
                + " value there")
    }

    /// Makes encoding in the value, which has no room at `step` of the surrounding one, an error, which fails the archive:
    /// requesting a container throws none.
    @inline(never)
    func refuse(at step: CodingPathStep, in parent: EncodingFrame) {
        let value = (type?.type ?? archivedType).map { "\($0)" } ?? "a nested container"
        if session.failure == nil { session.fail(parent.nestedTooDeep(value, step)) }
        access = .tooDeep
        require(
            !session.isStackFull,
            "Values encoded themselves into superEncoder(), or with a configuration, inside each other until the stack was full,"
                + " as instances in a cycle do. Encode an instance with encode(_:forKey:), which archives each once")
    }

    /// Ends the use of the encoding, which the program may still hold.
    func close() { access = .closed }

    /// Ends the use of the encoding, which keeps containers and which the program holds. Its session is not used again.
    func closeHeld() {
        close()
        session.hasHeldEncoding = true
    }
}

// MARK: - The spare encoding

extension EncodingFrame {
    /// Takes the spare encoding. Another value that is encoded at the same time has it, and this one then gets a new one.
    @inline(__always)
    func takeSpare() -> SpareEncoding { spare.take() ?? makeSpare() }

    @inline(never)
    private func makeSpare() -> SpareEncoding {
        SpareEncoding(EncodingFrame(session, depth: depth + 1, parent: self, keepsContainers: true))
    }

    /// Leaves `returned` for the next value.
    @inline(__always)
    func leave(_ returned: consuming SpareEncoding) {
        // An assignment would release the old one during the access to the property. The compiler then checks all accesses to it at
        // run time.
        var old: SpareEncoding? = consume returned
        swap(&spare, &old)
    }

    /// Releases the spare encoding.
    func releaseSpare() { _ = spare.take() }
}

// MARK: - Containers

extension EncodingFrame {
    /// Sets the kind of container.
    @inline(__always)
    func begin(_ form: Form) {
        if self.form == .undecided { begin(newObject: form) } else if self.form != form { change(to: form) }
    }

    /// Changes the kind of container of a value that has requested another kind before.
    @inline(never)
    private func change(to form: Form) {
        switch self.form {
        case .undecided: break
        case .single:
            if !amend(single, as: form) { hasTwoKinds() }
        case .keyed, .unkeyed: hasTwoKinds()
        }
    }

    /// Reserves a slot for an object that begins empty.
    func begin(newObject form: Form) {
        self.form = form
        reserveSlot()
    }

    func reserveSlot() {
        if slot.uid == 0 { slot = graph.reserveSlot() }
    }

    /// Traps for a value that requests two kinds of container.
    func hasTwoKinds() -> Never {
        let type = (type?.type ?? archivedType).map { "\($0)" } ?? "A value"
        misuse(
            "\(type) requested two kinds of container. A value has one: keyed, unkeyed, or single value")
    }

    /// Continues a written object, whose parts are in the entries.
    func `continue`(as form: Form) {
        self.form = form
        single = 0
    }

    /// Returns a keyed container of this encoding. `holder` is an object that the container retains unless it is kept.
    @inline(__always)
    func keyedContainer<Key: CodingKey>(_ type: Key.Type, holder: AnyObject?) -> KeyedEncodingContainer<Key> {
        checkOpen()
        begin(.keyed)
        if let lastContainer, lastContainer.isFree(keyedBy: type) {
            hasLastContainer = true
            return lastContainer.lend(keyedBy: type)
        }
        return otherContainer(type, holder)
    }

    @inline(never)
    private func otherContainer<Key: CodingKey>(
        _ type: Key.Type, _ holder: AnyObject?
    ) -> KeyedEncodingContainer<Key> {
        let keys = session.keyTable(type)
        if keepsContainers, let free = keys.freeContainer(of: self) {
            note(lent: free)
            return free.lend(keyedBy: type)
        }
        return newContainer(keys, holder)
    }

    /// A function of its own, since only this needs the type of the container, which Swift's runtime looks up.
    @inline(never)
    private func newContainer<Key: CodingKey>(
        _ keys: EncodingKeyTable, _ holder: AnyObject?
    ) -> KeyedEncodingContainer<Key> {
        if keepsContainers {
            let container = KeyedEncodingContainer<Key>(KeyedEncoding(self, keys, holder: nil))
            if let kept = keys.keep(container, of: self) {
                note(lent: kept)
                return container
            }
        }
        return KeyedEncodingContainer(KeyedEncoding(self, keys, holder: holder))
    }

    private func note(lent kept: KeptEncodingContainer) {
        if hasLastContainer, let lastContainer {
            otherLent.append(lastContainer)
            hasOtherLent = true
        }
        lastContainer = kept
        hasLastContainer = true
    }

    /// Releases the container that was used last, which refers to this encoding.
    func releaseContainer() { lastContainer = nil }

    /// Takes the containers back that the value has.
    ///
    /// - Returns: Whether the program has released them.
    @inline(__always)
    func takeBackContainers() -> Bool {
        // Taken out of the property, the container needs no reference counting.
        guard hasLastContainer, let container = lastContainer.take() else { return true }
        hasLastContainer = false
        let isReturned = container.takeBack()
        lastContainer = isReturned ? consume container : nil
        return hasOtherLent ? takeBackOthers() && isReturned : isReturned
    }

    @inline(never)
    private func takeBackOthers() -> Bool {
        hasOtherLent = false
        defer { otherLent = [] }
        return otherLent.reduce(true) { $1.takeBack() && $0 }
    }
}

// MARK: - Single values

extension EncodingFrame {
    /// Sets the value of a single value container to `value`.
    @inline(__always)
    func setSingle(_ value: Reference) throws {
        if form != .undecided { try becomeSingle() }
        form = .single
        single = value
    }

    /// Makes a container without contents a single value.
    ///
    /// - Throws: An error if the container has contents.
    @inline(never)
    private func becomeSingle() throws {
        guard form != .single else {
            misuse("A single value container takes one value, and received a second one")
        }
        guard entries.references.count == 0 else {
            let path = keys(.root)
            throw EncodingError.invalid(path, path: path) {
                "The value at \($1) was encoded into a keyed or an unkeyed container, and cannot be a single value as well."
                    + " Encode that value for a key, or as an element"
            }
        }
        if !isObject { slot = ArchiveGraph.Slot(index: 0, uid: 0) }
    }
}

// MARK: - Entries

extension EncodingFrame {
    /// Sets the value for `key`. It replaces an earlier value, as in other encoders.
    @inline(__always)
    func set(_ key: Reference, to value: Reference) {
        if let position = entries.set(key, to: value), hasNested { replaceNested(at: position) }
    }

    /// Replaces the encodings for the part at `position` with an encoded value.
    ///
    /// A superclass's part that the program still holds replaces the value in the end.
    @inline(never)
    private func replaceNested(at position: Int) {
        for index in nested.indices.reversed() where nested[index].position == position {
            let isHeld = !isKnownUniquelyReferenced(&nested[index].encoding)
            if isHeld, nested[index].encoding.isSuperclassPart { continue }
            dropNested(index, isHeld: isHeld)
        }
    }

    /// Discards the encodings for the part at `position`.
    func dropNested(at position: Int) {
        for index in nested.indices.reversed() where nested[index].position == position {
            dropNested(index, isHeld: !isKnownUniquelyReferenced(&nested[index].encoding))
        }
    }

    /// Discards a nested encoding. One that the program holds accepts data that are not written, until this value is complete.
    private func dropNested(_ index: Int, isHeld: Bool) {
        if isHeld { nested[index].position = -1 } else { nested.remove(at: index) }
    }
}

// MARK: - Coding paths

extension EncodingFrame {
    /// The coding path of the value.
    var codingPath: [any CodingKey] { isOpen ? keys(.root) : [] }

    /// Returns the coding path of the part at `step`.
    func keys(_ step: CodingPathStep) -> [any CodingKey] { session.codingPath(pathIndex(step)) }

    /// Returns the entry in the table of paths for the part at `step`.
    func pathIndex(_ step: CodingPathStep) -> CodingPathTable.Index {
        let own = path == CodingPathTable.root && hasParent ? makePath() : path
        return session.path(step, in: own)
    }

    /// Returns the value's entry in the table of paths, which it and maybe the surrounding values do not have yet.
    @inline(never)
    private func makePath() -> CodingPathTable.Index {
        if let parent, parent.path != CodingPathTable.root || !parent.hasParent {
            path = session.path(step, in: parent.path)
            return path
        }
        var missing: [EncodingFrame] = []
        var encoding = self
        while encoding.hasParent, encoding.path == CodingPathTable.root, let parent = encoding.parent {
            missing.append(encoding)
            encoding = parent
        }
        var index = encoding.path
        for encoding in missing.reversed() {
            index = session.paths.append(encoding.step, to: index)
            encoding.path = index
        }
        return index
    }
}
