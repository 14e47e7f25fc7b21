/// The decoder that `init(from:)` receives from `ArchiveDecoder`.
///
/// An `ArchiveDecoding` decodes one value of the archive. Decoders are reused: each keeps the decoder for its nested
/// values as its spare. A decoder that the program still holds after its value is decoded stays usable and is replaced.
final class ArchiveDecoding {
    let session: DecodingSession
    /// The session's core.
    let core: UnsafeMutablePointer<DecodingCore>
    /// The contents of the archive.
    let archive: ArchiveContents
    /// The facts about the value, at a fixed address: access needs no exclusivity check.
    let frame: UnsafeMutablePointer<DecodingFrame>
    private let depth: Int

    init(session: DecodingSession, depth: Int) {
        self.session = session
        self.depth = depth
        core = session.core
        archive = core.pointee.contents
        frame = DecodingFrame.make(in: &core.pointee.state.pointee.arena)
        frame.pointee.decoder = Unmanaged.passUnretained(self)
        core.pointee.note(depth: depth)
    }

    deinit {
        // Released in a loop: a value can create a chain of nested containers that is longer than the stack allows.
        var parent = frame.pointee.keptParent.take()
        while isKnownUniquelyReferenced(&parent) { parent = parent?.frame.pointee.keptParent.take() }
        ReusableContainer.invalidate(frame.pointee.lent)
        frame.deinitialize(count: 1)
        if !core.pointee.state.pointee.arena.contains(frame) { frame.deallocate() }
    }

    /// Makes this the decoder of `$top`.
    func prepareTop() {
        frame.pointee.value = ArchivedValue(node: archive.top, uid: 0, isNull: false)
        frame.pointee.type = nil
        frame.pointee.forgetFields()
    }

    /// Decodes the root object with the decoder of `$top`, which has no other task.
    func decodeRoot<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let root = try root()
        let known = core.pointee.type(type)
        guard case .value = known.pointee.kind else { return try decode(type, known, from: root, at: .root) }
        try checkRoom(.root)
        core.pointee.countRoot()
        frame.pointee.value = root
        frame.pointee.type = known
        frame.pointee.forgetFields()
        frame.pointee.lendsContainers = true
        defer {
            takeBackContainer()
            frame.pointee.lendsContainers = false
        }
        return try self.value(Value.self)
    }

    @inline(__always)
    var value: ArchivedValue { frame.pointee.value }
}

// MARK: - Values

extension ArchiveDecoding {
    /// Returns the value at `reference`.
    @inline(never)
    func resolve(_ reference: Int, at step: CodingPathStep) throws -> ArchivedValue {
        try resolveInLine(reference, at: step)
    }

    /// Inlined `resolve(_:at:)`, for the path of every value with an initializer.
    @inline(__always)
    func resolveInLine(_ reference: Int, at step: @autoclosure () -> CodingPathStep) throws -> ArchivedValue {
        do throws(KeyedArchiveError) {
            return try archive.value(reference)
        } catch {
            throw damaged(error, step())
        }
    }

    @inline(never)
    func damaged(_ error: KeyedArchiveError, _ step: CodingPathStep) -> DecodingError {
        CodableErrors.damaged(error, path: path(step))
    }

    /// Decodes `value` as a part of this decoder's value.
    @inline(__always)
    func decode<Value: Decodable>(
        _ type: Value.Type, from value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        try decode(type, core.pointee.type(type), from: value, at: step)
    }

    func decode<Value: Decodable>(
        _ type: Value.Type, _ known: UnsafeMutablePointer<DecodingType>, from value: ArchivedValue,
        at step: CodingPathStep
    ) throws -> Value {
        switch known.pointee.kind {
        case .native:
            return try decodeNative(type, known, from: value, at: step)
        case .value:
            return try with(known, value, step) { try $0.value(Value.self) }
        case .once:
            return try decodeOnce(type, known, from: value, at: step)
        case .instance, .coding:
            return try decodeInstance(type, known, from: value, at: step)
        }
    }

    private func decodeNative<Value: Decodable>(
        _ type: Value.Type, _ known: UnsafeMutablePointer<DecodingType>, from value: ArchivedValue,
        at step: CodingPathStep
    ) throws -> Value {
        guard let native = known.pointee.native else { preconditionFailure("A native type has no reader") }
        // The standard library's temporary allocation looks up type metadata at every call.
        let address = core.pointee.scratch.push(MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
        defer { core.pointee.scratch.pop(address, MemoryLayout<Value>.size) }
        try native.read(value, in: self, at: step, into: address)
        return address.assumingMemoryBound(to: Value.self).move()
    }
}

// MARK: - Nested decoders

extension ArchiveDecoding {
    /// Calls `body` with a decoder for `value`, a part of this decoder's value.
    @inline(__always)
    func with<Result>(
        _ type: UnsafeMutablePointer<DecodingType>?, _ value: ArchivedValue, _ step: CodingPathStep,
        _ body: (ArchiveDecoding) throws -> Result
    ) throws -> Result {
        try checkRoom(step)
        return try withSpare(body) { [frame] in $0.prepare(type, value, parent: frame, step) }
    }

    /// Calls `body` with a decoder for `value`, which was found at `path` outside this decoder's value.
    func with<Result>(
        _ type: UnsafeMutablePointer<DecodingType>?, _ value: ArchivedValue, at path: CodingPathTable.Index,
        _ body: (ArchiveDecoding) throws -> Result
    ) throws -> Result {
        try checkRoom(.root)
        return try withSpare(body) {
            $0.prepare(type, value, parent: nil, .root)
            $0.frame.pointee.path = path
        }
    }

    @inline(__always)
    private func withSpare<Result>(
        _ body: (ArchiveDecoding) throws -> Result, preparing prepare: (ArchiveDecoding) -> Void
    ) throws -> Result {
        let frame = frame
        if frame.pointee.isSpareBusy { return try withExtra(body, preparing: prepare) }
        // Unretained: a retain here would hide whether the program holds the decoder.
        let decoder = frame.pointee.spareReference ?? makeSpare()
        frame.pointee.isSpareBusy = true
        defer {
            frame.pointee.isSpareBusy = false
            decoder._withUnsafeGuaranteedRef { $0.takeBackContainer() }
            if !isKnownUniquelyReferenced(&frame.pointee.spare) { retireSpare() }
        }
        return try decoder._withUnsafeGuaranteedRef {
            prepare($0)
            return try body($0)
        }
    }

    @inline(__always)
    private func takeBackContainer() {
        ReusableContainer.takeBack(&frame.pointee.lent, from: self)
    }

    @inline(never)
    private func makeSpare() -> Unmanaged<ArchiveDecoding> {
        let spare = ArchiveDecoding(session: session, depth: depth + 1)
        spare.frame.pointee.lendsContainers = true
        frame.pointee.spare = spare
        let reference = Unmanaged.passUnretained(spare)
        frame.pointee.spareReference = reference
        return reference
    }

    /// Releases the spare decoder, which the program still holds and whose path it may read.
    @inline(never)
    private func retireSpare() {
        core.pointee.hadKeptDecoder = true
        frame.pointee.spare?.frame.pointee.keptParent = self
        // This decoder no longer takes them back.
        frame.pointee.spare?.frame.pointee.lendsContainers = false
        frame.pointee.spare = nil
        frame.pointee.spareReference = nil
    }

    /// Decodes with a new decoder while the spare one is in use.
    @inline(never)
    private func withExtra<Result>(
        _ body: (ArchiveDecoding) throws -> Result, preparing prepare: (ArchiveDecoding) -> Void
    ) throws -> Result {
        let decoder = ArchiveDecoding(session: session, depth: depth + 1)
        prepare(decoder)
        decoder.frame.pointee.keptParent = self
        return try body(decoder)
    }

    @inline(__always)
    private func prepare(
        _ type: UnsafeMutablePointer<DecodingType>?, _ value: ArchivedValue,
        parent: UnsafeMutablePointer<DecodingFrame>?, _ step: CodingPathStep
    ) {
        frame.pointee.type = type
        frame.pointee.value = value
        if value.node.kind == .dictionary, value.node.count == 1 { prepareForNull() }
        frame.pointee.parent = parent
        frame.pointee.step = step
        frame.pointee.path = CodingPathTable.root
        frame.pointee.isObject = type.map { $0.pointee.kind == .instance || $0.pointee.kind == .once } ?? false
        frame.pointee.hasFields = false
        frame.pointee.forgetFields()
    }

    /// Makes the value nil if it is the NSNull that represents nil in collections, and not an instance.
    @inline(never)
    private func prepareForNull() {
        if let type = frame.pointee.type, type.pointee.isClass { return }
        if archive.isNil(value) { frame.pointee.value = .null }
    }

    /// Returns a decoder for a part that its owner may hold indefinitely: a nested container or the superclass's part.
    func nestedDecoder(for value: ArchivedValue, at step: CodingPathStep) throws -> ArchiveDecoding {
        try checkRoom(step)
        let decoder = ArchiveDecoding(session: session, depth: depth + 1)
        decoder.prepare(frame.pointee.type, value, parent: frame, step)
        decoder.frame.pointee.isObject = false
        decoder.frame.pointee.keptParent = self
        return decoder
    }

    /// Returns a decoder for the superclass's part of the value.
    func superDecoder(for value: ArchivedValue, at step: CodingPathStep) throws -> ArchiveDecoding {
        let decoder = try nestedDecoder(for: value, at: step)
        decoder.frame.pointee.isSuperclassPart = true
        return decoder
    }

    /// Throws an error if the stack has no space for another round.
    func checkStack() throws {
        guard core.pointee.hasStack() else { throw nestedTooDeep(.root) }
    }

    /// Throws an error if no value may be nested in this one, at `step`. Counts the nested value.
    @inline(__always)
    func checkRoom(_ step: CodingPathStep) throws {
        guard core.pointee.hasRoom(atDepth: depth) else { throw nestedTooDeep(step) }
        try countVisits(1)
    }

    /// Throws an error if the archive has more objects than the limits allow.
    @inline(__always)
    func checkObjectCount() throws {
        do throws(KeyedArchiveError) {
            try core.pointee.state.pointee.checkObjectCount()
        } catch {
            throw damaged(error, .root)
        }
    }

    /// Counts values before they are decoded.
    @inline(__always)
    func countVisits(_ count: Int) throws {
        if !core.pointee.state.pointee.takeVisits(count) { try failVisits() }
    }

    @inline(never)
    private func failVisits() throws {
        do throws(KeyedArchiveError) {
            try core.pointee.state.pointee.visit(0)
        } catch {
            throw damaged(error, .root)
        }
    }

    @inline(never)
    private func nestedTooDeep(_ step: CodingPathStep) -> DecodingError {
        if let uid = frame.repeatedUID() { return CodableErrors.valueContainsItself(uid, path: path(step)) }
        let limit = core.pointee.state.pointee.settings.limits.nesting
        return CodableErrors.nestedTooDeep(limit: limit, depth: core.pointee.level(of: depth), path: path(step))
    }
}

// MARK: - Paths

extension ArchiveDecoding {
    /// Returns the path from the root of the archive to the value, followed by `last`.
    func path(_ last: CodingPathStep...) -> [any CodingKey] {
        keys(frame.steps(core.pointee.state.pointee.paths) + last)
    }

    func keys(_ steps: [CodingPathStep]) -> [any CodingKey] { core.pointee.state.keys(steps) }
}
