/// The decoder behind `ArchiveDecoder`: what `init(from:)` is given.
///
/// One of these stands for a value in the archive that is being decoded. Decoders are used again: each keeps the decoder
/// for the values inside it in `spare`. One that somebody still holds after its value is decoded is left to them, with
/// everything that it needs.
final class ArchiveDecoding {
    let session: DecodingSession
    private let depth: Int
    /// The decoder for values inside this one.
    private var spare: ArchiveDecoding?

    // What follows belongs to the value, and changes with the next one.

    private(set) var value = ArchivedValue.null
    /// Nil for the values of `$top`, and for parts without a type of their own.
    unowned(unsafe) private var type: DecodingType?
    /// The decoder of the value that this one is a part of. It outlives this one's use, or is kept by `keptParent`.
    unowned(unsafe) private var parent: ArchiveDecoding?
    private var keptParent: ArchiveDecoding?
    private var step = CodingPathStep.root
    /// The fields of a keyed container. Their count is -1 until somebody asks for them.
    var fields = ArchivedFields()
    /// Whether the value was read as a number or a string and nothing more.
    private var readLeaf = false

    init(session: DecodingSession, depth: Int) {
        self.session = session
        self.depth = depth
    }

    /// The decoder whose parts are the values of `$top`.
    static func top(session: DecodingSession) -> ArchiveDecoding {
        let decoder = ArchiveDecoding(session: session, depth: 0)
        decoder.value = ArchivedValue(node: session.archive.top, uid: 0, isNull: false)
        return decoder
    }

    @inline(__always)
    var archive: KeyedArchive { session.archive }

    /// A class entry that is known to be no dictionary's. 0 for none.
    var knownPlainClassUID: UInt32 {
        get { type?.plainClassUID ?? 0 }
        set { type?.plainClassUID = newValue }
    }
}

// MARK: - Values

extension ArchiveDecoding {
    /// Decodes what stands at `reference` as a part of this value.
    @inline(__always)
    func decode<Value: Decodable>(
        _ type: Value.Type, from reference: Int, at step: CodingPathStep
    ) throws -> Value {
        try decode(type, session.type(type), from: try resolve(reference, at: step), at: step)
    }

    /// What stands at `reference`.
    @inline(__always)
    func resolve(_ reference: Int, at step: CodingPathStep) throws -> ArchivedValue {
        do throws(KeyedArchiveError) {
            return try archive.value(reference)
        } catch {
            throw CodableErrors.damaged(error, path: path(step))
        }
    }

    func decode<Value: Decodable>(
        _ type: Value.Type, _ known: DecodingType, from value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        switch known.facts.shape {
        case .native(let reader):
            return try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
                guard let address = memory.baseAddress else { preconditionFailure("An allocation without an address") }
                try reader(value, self, step, UnsafeMutableRawPointer(address))
                return address.move()
            }
        case .value:
            guard known.facts.isMemoizable else { return try decodeInSpare(type, known, from: value, at: step) }
            if let byte = known.memo(value.node.payload) {
                return withUnsafePointer(to: byte) {
                    UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee
                }
            }
            let result = try decodeInSpare(type, known, from: value, at: step)
            if spare?.readLeaf == true {
                known.remember(
                    withUnsafePointer(to: result) { UnsafeRawPointer($0).load(as: UInt8.self) },
                    for: value.node.payload)
            }
            return result
        case .instance:
            return try decodeInstance(type, known, from: value, at: step)
        }
    }

    private func decodeInstance<Value: Decodable>(
        _ type: Value.Type, _ known: DecodingType, from value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        guard value.uid != 0 else { return try decodeInSpare(type, known, from: value, at: step) }
        let unarchiver = session.unarchiver
        switch unarchiver.instances.state(value.uid, as: known.identity) {
        case .complete(let object):
            return withUnsafePointer(to: object) {
                UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee
            }
        case .inProgress:
            throw CodableErrors.cycle(
                to: value.uid, type: type, begun: pathOfOpenInstance(value.uid, known), path: path(step))
        case .unknown:
            break
        }
        unarchiver.instances.begin(value.uid, as: known.identity)
        do {
            let result = try decodeInSpare(type, known, from: value, at: step)
            let object = withUnsafePointer(to: result) { UnsafeRawPointer($0).load(as: UnsafeRawPointer.self) }
            unarchiver.instances.complete(value.uid, as: known.identity, with: object)
            return result
        } catch {
            unarchiver.instances.abandon(value.uid, as: known.identity)
            throw error
        }
    }

    /// Lets `init(from:)` read `value`.
    private func decodeInSpare<Value: Decodable>(
        _ type: Value.Type, _ known: DecodingType, from value: ArchivedValue, at step: CodingPathStep
    ) throws -> Value {
        try with(known, value, step) { try Value(from: $0) }
    }

    /// Lets `body` read `value` with a decoder for it.
    @inline(__always)
    func with<Result>(
        _ type: DecodingType?, _ value: ArchivedValue, _ step: CodingPathStep, _ body: (ArchiveDecoding) throws -> Result
    ) throws -> Result {
        guard session.hasRoom(atDepth: depth) else { throw nestedTooDeep(step) }
        do throws(KeyedArchiveError) {
            try session.unarchiver.visit()
        } catch {
            throw CodableErrors.damaged(error, path: path(step))
        }
        if spare == nil { spare = ArchiveDecoding(session: session, depth: depth + 1) }
        defer { if !isKnownUniquelyReferenced(&spare) { retireSpare() } }
        return try useSpare(type, value, step, body)
    }

    /// A function of its own, so that no reference to the spare decoder outlives it.
    @inline(never)
    private func useSpare<Result>(
        _ type: DecodingType?, _ value: ArchivedValue, _ step: CodingPathStep,
        _ body: (ArchiveDecoding) throws -> Result
    ) throws -> Result {
        guard let spare else { preconditionFailure("The spare decoder was made before it was used") }
        spare.prepare(type, value, parent: self, step)
        return try body(spare)
    }

    @inline(__always)
    private func prepare(
        _ type: DecodingType?, _ value: ArchivedValue, parent: ArchiveDecoding, _ step: CodingPathStep
    ) {
        self.type = type
        self.value = value
        self.parent = parent
        self.step = step
        fields.count = -1
        readLeaf = false
    }

    /// Lets go of the spare decoder, which somebody else still holds.
    @inline(never)
    private func retireSpare() {
        spare?.keptParent = self
        spare = nil
    }

    /// A decoder for a part that its owner may hold as long as they like: a nested container or the superclass's part.
    func nestedDecoder(for value: ArchivedValue, at step: CodingPathStep) throws -> ArchiveDecoding {
        guard session.hasRoom(atDepth: depth) else { throw nestedTooDeep(step) }
        let decoder = ArchiveDecoding(session: session, depth: depth + 1)
        decoder.prepare(type, value, parent: self, step)
        decoder.keptParent = self
        return decoder
    }

    func noteLeaf() { readLeaf = true }
}

// MARK: - Paths

extension ArchiveDecoding {
    /// The steps from the root of the archive to the value, then `last`.
    func path(_ last: CodingPathStep = .root) -> [any CodingKey] {
        var steps = [last]
        var decoder = self
        while let parent = decoder.parent {
            steps.append(decoder.step)
            decoder = parent
        }
        return steps.reversed().compactMap(key)
    }

    private func key(_ step: CodingPathStep) -> (any CodingKey)? {
        switch step.kind {
        case .none: nil
        case .index: ArchiveKey(intValue: Int(step.value))
        case .key: ArchiveKey(stringValue: keyName(step.value, isMangled: true))
        case .dictionaryKey: ArchiveKey(stringValue: keyName(step.value, isMangled: false))
        }
    }

    private func keyName(_ reference: UInt32, isMangled: Bool) -> String {
        guard let value = try? archive.value(Int(reference)) else { return "" }
        let name = archive.keyDescription(value)
        return isMangled && name.hasPrefix("$$") ? String(name.dropFirst()) : name
    }

    private func nestedTooDeep(_ step: CodingPathStep) -> DecodingError {
        var uids: Set<UInt32> = []
        var decoder: ArchiveDecoding? = self
        while let next = decoder {
            let uid = next.value.uid
            if uid != 0, next.parent?.value.uid != uid, !uids.insert(uid).inserted {
                return CodableErrors.valueContainsItself(uid, path: path(step))
            }
            decoder = next.parent
        }
        return CodableErrors.nestedTooDeep(limit: session.unarchiver.limits.nesting, depth: depth, path: path(step))
    }

    /// The path of the instance that is being decoded from `uid`.
    private func pathOfOpenInstance(_ uid: UInt32, _ type: DecodingType) -> [any CodingKey] {
        var decoder: ArchiveDecoding? = self
        while let next = decoder {
            if next.value.uid == uid, next.type === type { return next.path() }
            decoder = next.parent
        }
        return []
    }
}
