// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The decoding of one value of the archive, with its parts.
///
/// Each decoding keeps one for its nested values as its spare, which is reused. Programs receive a `ProgramDecoder`.
@usableFromInline
package final class DecodingFrame {
    let session: DecodingSession
    package let archive: ArchiveContents
    let instances: DecodedInstanceTable
    let keys: DecodingKeys
    private let depth: Int

    private(set) var value = ArchivedValue.null
    /// The type of the value; nil for the values of `$top`, and for Foundation containers.
    private(set) var ownType: DecodingType?
    var form = Form.value
    private var place = Place.found(at: CodingPathTable.root)
    /// Whether only declared fields get the values, which may refer to instances whose own fields are read later.
    var isInFields = false
    /// The decoding that has created this one, and outlives its use, or is `keptParent`; nil for the root.
    private unowned let creator: DecodingFrame?
    /// The surrounding decoding, if this one may outlive the surrounding value, and the sign that it is in use.
    private var keptParent: DecodingFrame?
    private var keptUse: Use?
    /// The fields of a keyed container. The count is -1 until a container is requested.
    var fields = ObjectFields()
    private var spare: ProgramDecoder?
    /// The sign that decodings of parts, which may outlive the value, refer to this one; nil if there was none.
    private var use: Use?

    /// A sign of use: those that use a decoding retain it.
    private final class Use {}

    enum Form {
        case value
        /// An object of its class with its single value under `$0`: a class instance or a polymorphic value.
        case object
        /// An object of its class that is known to have fields.
        case fields
        case superclassPart
    }

    struct Place {
        /// Whether the value is a part of the creator's value. Otherwise it was found in the list of work.
        let isPart: Bool
        let step: CodingPathStep
        /// The value's entry in the table of paths; `root` if it has none yet.
        fileprivate var path = CodingPathTable.root

        static func part(at step: CodingPathStep) -> Place { Place(isPart: true, step: step) }

        static func found(at path: CodingPathTable.Index) -> Place { Place(isPart: false, step: .root, path: path) }
    }

    init(_ session: DecodingSession, in creator: DecodingFrame?) {
        self.session = session
        self.creator = creator
        depth = creator.map { $0.depth + 1 } ?? 0
        archive = session.archive
        instances = session.instances
        keys = session.keys.requested
        session.note(depth: depth)
    }

    deinit {
        // What the program requested of a value whose decoder it has held. A damaged key is not one that could be kept.
        if keptParent != nil { try? recordRequestsIfNeeded(nil) }
        // Released in a loop: a value can create a chain of nested containers that is longer than the stack allows.
        var parent = takeKeptParent()
        while isKnownUniquelyReferenced(&parent) { parent = parent?.takeKeptParent() }
    }

    private func takeKeptParent() -> DecodingFrame? {
        let parent = keptParent
        keptParent = nil
        return parent
    }

    func prepareTop() {
        value = ArchivedValue(node: archive.top, uid: 0, isNull: false)
        ownType = nil
        fields.count = -1
    }

    /// Finds the fields of the value, an object that is known to have fields, or `$top`.
    @inline(__always)
    func openFields() {
        let node = value.node
        fields = ObjectFields(
            keys: node.payload, values: node.payload &+ node.count &* archive.list.referenceSize, count: node.count,
            isDictionary: false)
    }

    func prepareRoot(_ root: ArchivedValue, _ known: DecodingType) {
        value = root
        ownType = known
        fields.count = -1
    }
}

// MARK: - Values

extension DecodingFrame {
    @inline(__always)
    func resolve(_ reference: Int, at step: @autoclosure () -> CodingPathStep) throws -> ArchivedValue {
        // Without `undamaged`, whose closure might not be inlined.
        do throws(KeyedArchiveError) { return try archive.value(reference) } catch { throw damaged(error, step()) }
    }

    @inline(never)
    package func damaged(_ error: KeyedArchiveError, _ step: CodingPathStep) -> DecodingError {
        unread(.damaged(error), step)
    }

    @inline(__always)
    package func decode<Value: Decodable>(
        _ type: Value.Type, from value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        try decode(type, session.type(type), from: value, at: step)
    }

    // It is compiled once: the compiler would make a copy for each type of numbers.
    @_semantics("optimize.sil.specialize.generic.never")
    func decode<Value: Decodable>(
        _ type: Value.Type, _ known: DecodingType, from value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        let mark = session.mark
        do {
            switch known.kind {
            case .native:
                return try known.nativeReading(as: type, self, value, step)
            case .value:
                if isInFields, !known.facts.isDeclared { try postponeProgramValue() }
                return try withDecoder(known, value, step) { try $0.value(Value.self) }
            case .once:
                return try decodeOnce(type, known, from: value, at: step)
            case .instance, .coding:
                return Reinterpretation.instance(try decodeInstance(known, from: value, at: step), as: type)
            }
        } catch {
            leaveNothing(at: step, since: mark, after: error)
            return try emptyValue(of: type, after: error, for: value, at: step)
        }
    }

    /// Returns the value of the type `type` that `form` reads. The form is dynamic, so that it is not compiled for each
    /// caller.
    @inline(never)
    func read<Value>(
        _ form: any NativelyDecodable.Type, as type: Value.Type, _ value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        func read<Form: NativelyDecodable>(_ form: Form.Type) throws -> Value {
            Reinterpretation.same(try form.read(value, in: self, at: step), as: type)
        }
        return try read(form)
    }
}

// MARK: - Nested decoders

extension DecodingFrame {
    @inline(__always)
    func withDecoder<Result>(
        _ type: DecodingType?, _ value: ArchivedValue, _ step: CodingPathStep,
        _ body: (ProgramDecoder) throws -> Result
    ) throws -> Result {
        try checkRoom(step)
        return try withSpare(type, value, .part(at: step), body)
    }

    @inline(__always)
    func with<Result>(
        _ type: DecodingType?, _ value: ArchivedValue, _ step: CodingPathStep,
        _ body: (DecodingFrame) throws -> Result
    ) throws -> Result {
        try withDecoder(type, value, step) { try body($0.decoding) }
    }

    /// Calls `body` with a decoder for `value`, which was found at `path` outside this decoder's value.
    @inline(__always)
    func withDecoder<Result>(
        _ type: DecodingType?, _ value: ArchivedValue, at path: CodingPathTable.Index,
        _ body: (ProgramDecoder) throws -> Result
    ) throws -> Result {
        try checkRoom(.root)
        return try withSpare(type, value, .found(at: path), body)
    }

    @inline(__always)
    func with<Result>(
        _ type: DecodingType?, _ value: ArchivedValue, at path: CodingPathTable.Index,
        _ body: (DecodingFrame) throws -> Result
    ) throws -> Result {
        try withDecoder(type, value, at: path) { try body($0.decoding) }
    }

    @inline(__always)
    private func withSpare<Result>(
        _ type: DecodingType?, _ value: ArchivedValue, _ place: Place, _ body: (ProgramDecoder) throws -> Result
    ) throws -> Result {
        let decoder = takeSpare()
        decoder.prepare(type, value, place)
        do {
            let result = try body(decoder)
            takeBack(consume decoder)
            return result
        } catch {
            throw takeBack(consume decoder, after: error)
        }
    }

    /// Takes the spare decoder for a value. Another value that is decoded at the same time gets another decoder.
    @inline(__always)
    private func takeSpare() -> ProgramDecoder {
        let taken = spare
        spare = nil
        return taken ?? makeSpare()
    }

    @inline(never)
    private func makeSpare() -> ProgramDecoder { ProgramDecoder(session, in: self) }

    /// Makes `decoder` the spare one after its value is complete, unless the program still holds it: the program may read
    /// its path.
    @inline(never)
    private func takeBack(_ decoder: consuming ProgramDecoder) {
        guard isKnownUniquelyReferenced(&decoder), decoder.isReturned else {
            session.noteUse()
            return decoder.decoding.keepParent(self)
        }
        // The old one is released outside of the access, which then needs no exclusivity check.
        let old = spare
        spare = decoder
        withExtendedLifetime(old) {}
    }

    @inline(never)
    private func takeBack(_ decoder: consuming ProgramDecoder, after error: any Error) -> any Error {
        let explained = decoder.decoding.explained(error)
        takeBack(consume decoder)
        return explained
    }

    var isKept: Bool { keptParent != nil }

    private func keepParent(_ parent: DecodingFrame) {
        keptParent = parent
        keptUse = parent.use ?? parent.makeUse()
    }

    private func makeUse() -> Use {
        let made = Use()
        use = made
        return made
    }

    @inline(__always)
    fileprivate var isUnused: Bool { use == nil || isKnownUniquelyReferenced(&use) }

    @inline(__always)
    func prepareNext(_ value: ArchivedValue, at path: CodingPathTable.Index) {
        self.value = value
        place = .found(at: path)
        form = .object
        fields.count = -1
    }

    @inline(__always)
    fileprivate func prepare(_ type: DecodingType?, _ value: ArchivedValue, _ place: Place) {
        self.place = place
        // Usually the type of the previous value.
        if ownType !== type { ownType = type }
        self.value = value
        if value.node.kind == .dictionary, value.node.count == 1 { prepareForNull() }
        form = type.map { $0.kind == .instance || $0.kind == .once } == true ? .object : .value
        isInFields = type == nil && creator?.isInFields ?? false
        fields.count = -1
    }

    /// Makes the value nil if it is the NSNull that represents nil in collections, and not an instance.
    @inline(never)
    private func prepareForNull() {
        if let ownType, ownType.isClass { return }
        if archive.isNil(value) { value = .null }
    }

    /// Returns a decoder for a part that its owner may hold indefinitely: a nested container or the superclass's part.
    func nestedDecoder(for value: ArchivedValue, at step: CodingPathStep) throws -> ProgramDecoder {
        try checkRoom(step)
        let decoder = ProgramDecoder(session, in: self)
        decoder.decoding.prepare(ownType, value, .part(at: step))
        decoder.decoding.form = .value
        decoder.decoding.isInFields = isInFields
        decoder.decoding.keepParent(self)
        return decoder
    }

    func nested<Container>(
        _ value: ArchivedValue, _ step: CodingPathStep, _ body: (ProgramDecoder) throws -> Container
    ) throws -> Container {
        let mark = session.mark
        do { return try body(nestedDecoder(for: value, at: step)) } catch {
            leaveNothing(at: step, since: mark, after: error)
            throw error
        }
    }

    func superDecoder(for value: ArchivedValue, at step: CodingPathStep) throws -> ProgramDecoder {
        let decoder = try nestedDecoder(for: value, at: step)
        decoder.decoding.form = .superclassPart
        return decoder
    }

    func checkStack() throws { guard session.hasStack() else { throw nestedTooDeep(.root) } }

    @inline(__always)
    func checkRoom(_ step: CodingPathStep) throws {
        guard session.hasRoom(atDepth: depth) else { throw nestedTooDeep(step) }
        if !session.meter.take(1) { try failVisits(step) }
    }

    @inline(__always)
    package func countVisits(_ count: Int) throws { if !session.meter.take(count) { try failVisits(.root) } }

    @inline(never)
    private func failVisits(_ step: CodingPathStep) throws { try undamaged(session.countWork(0), at: step) }

    @inline(never)
    private func nestedTooDeep(_ step: CodingPathStep) -> DecodingError {
        if let uid = repeatedUID() {
            return .invalid(path: path(step)) { _ in "The archive is damaged: the value with uid \(uid) contains itself"
            }
        }
        let advice =
            typeInProgress is any Coding.Type
            ? "decode the links of the chain with decode(Reference.self, forKey:)"
            : "make the values of the chain class instances, behind @Reference or @References"
        return DecodingError(
            .nestedTooDeep(
                limit: session.settings.limits.nesting, depth: session.level(of: depth), path: path(step),
                advice: ", or " + advice))
    }
}

extension ProgramDecoder {
    /// Prepares the decoding. A function of the decoder, so that its decoding needs no reference of its own.
    @inline(never)
    func prepare(_ type: DecodingType?, _ value: ArchivedValue, _ place: DecodingFrame.Place) {
        decoding.prepare(type, value, place)
    }

    /// Whether the program holds neither a container nor a decoder of a part, so that the decoder can be used for another
    /// value. The caller has checked that the program does not hold the decoder itself.
    var isReturned: Bool { areContainersReturned && decoding.isUnused }
}

// MARK: - Surrounding values

extension DecodingFrame {
    package static func behind(_ decoder: any Decoder) -> DecodingFrame? {
        guard let decoding = (decoder as? ProgramDecoder)?.decoding else { return nil }
        decoding.noteOtherRequest()
        return decoding
    }

    /// The decoding of the surrounding value; nil for the root, and for an instance from the list of work.
    var parent: DecodingFrame? { place.isPart ? creator : nil }

    var isObject: Bool { form == .object || form == .fields }

    /// The decoding of the class instance whose contents or superclass's part this one decodes; nil if it is of another
    /// kind.
    var instance: DecodingFrame? {
        var decoding = self
        while decoding.form == .superclassPart, let parent = decoding.parent { decoding = parent }
        guard decoding.isObject, let type = decoding.ownType, type.kind == .instance, type.fields == nil else {
            return nil
        }
        return decoding
    }

    var typeInProgress: (any Any.Type)? {
        var decoding: DecodingFrame? = self
        while let next = decoding {
            if let type = next.ownType { return type.type }
            decoding = next.parent
        }
        return nil
    }

    private func repeatedUID() -> UInt32? {
        var uids: Set<UInt32> = []
        var decoding: DecodingFrame? = self
        while let next = decoding {
            let uid = next.value.uid
            // A single value has the same place as the value around it.
            if uid != 0, next.place.step.kind != .none, !uids.insert(uid).inserted { return uid }
            decoding = next.parent
        }
        return nil
    }
}

// MARK: - Paths

extension DecodingFrame {
    @inline(never)
    func path(_ step: CodingPathStep = .root) -> [any CodingKey] { session.codingPath(pathIndex(step)) }

    func pathIndex(_ step: CodingPathStep) -> CodingPathTable.Index { session.path(step, in: ownPathIndex()) }

    @inline(__always)
    private func ownPathIndex() -> CodingPathTable.Index {
        if place.path != CodingPathTable.root || !place.isPart { return place.path }
        return makePathIndex()
    }

    @inline(never)
    private func makePathIndex() -> CodingPathTable.Index {
        if let creator, creator.place.path != CodingPathTable.root || !creator.place.isPart {
            // Usually the surrounding value has its entry. This case needs no list.
            place.path = session.path(place.step, in: creator.place.path)
            return place.path
        }
        var missing: [DecodingFrame] = []
        var decoding = self
        while decoding.place.path == CodingPathTable.root, let parent = decoding.parent {
            missing.append(decoding)
            decoding = parent
        }
        var index = decoding.place.path
        for decoding in missing.reversed() {
            index = session.path(decoding.place.step, in: index)
            decoding.place.path = index
        }
        return index
    }
}
