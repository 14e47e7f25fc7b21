// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The Codable side of one reading of an archive: the state that the decoders of its values share.
///
/// Decoders retain their session, and with it the archive.
final class DecodingSession {
    let reading: GraphReading
    /// The decoding of `$top`; nil before it begins, and after the root object and all waiting values are decoded.
    private(set) var top: ArchiveDecoding?
    private let types = MetatypeTable<DecodingType>()
    let keys = DecodingKeys()
    /// The offsets of the next elements of an array of leaves.
    let offsets = PlainBlock(repeating: 0, count: LeafOffsets.blockSize)
    private var nestingLimit: Int
    /// Whether the program held a decoder after its value was decoded.
    var hadKeptDecoder = false
    /// The depth of the deepest decoder.
    private var deepest = 0
    /// The unarchiver that belongs to the session; nil until it is needed.
    private var ownUnarchiver: KeyedUnarchiver?

    fileprivate init(_ reading: GraphReading) {
        self.reading = reading
        nestingLimit = reading.settings.limits.nesting
    }

    deinit {
        ownUnarchiver?.leaveSession()
        for type in types.records { type.reset() }
    }

    /// The unarchiver with which `Coding` classes decode themselves.
    var unarchiver: KeyedUnarchiver {
        if let known = reading.unarchiver { return known }
        let made = KeyedUnarchiver(reading, belongingTo: self)
        ownUnarchiver = made
        return made
    }

    /// Removes the check for each object if the file of the archive is fully loaded.
    @inline(never)
    func noteLoadedFile() { reading.noteLoadedFile() }

}

// MARK: - Types

extension DecodingSession {
    /// Returns the record of `type`.
    @inline(__always)
    func type<Value: Decodable>(_ type: Value.Type) -> DecodingType {
        types.record(of: type) ?? makeType(type)
    }

    /// Creates the record of a type. The type is dynamic, so that the function is compiled once.
    @inline(never)
    private func makeType(_ type: any Decodable.Type) -> DecodingType { make(type) }

    private func make<Value: Decodable>(_ type: Value.Type) -> DecodingType {
        let facts = DecodingFacts.facts(of: type)
        let made =
            facts.kind == .instance
            ? (type as? any (AnyObject & Decodable).Type).map { makeClass($0, facts) } : nil
        let record = made ?? DecodingType(facts, in: self)
        types.enter(record, for: type)
        return record
    }

    private func makeClass<Value: AnyObject & Decodable>(_ type: Value.Type, _ facts: DecodingFacts) -> DecodingType {
        if let declared = type as? any (AnyObject & ArchivedFields).Type { return makeFieldsClass(declared, facts) }
        return DecodingClass<Value>(facts, in: self)
    }

    private func makeFieldsClass<Value: AnyObject & ArchivedFields>(
        _ type: Value.Type, _ facts: DecodingFacts
    ) -> DecodingType {
        FieldsClass<Value>(facts, in: self)
    }

    /// Returns the record of a registered type, or nil if the type is not `Decodable`.
    func type(registered type: any Any.Type) -> DecodingType? {
        guard let decodable = type as? any Decodable.Type else { return nil }
        return self.type(decodable)
    }
}

// MARK: - Nesting

extension DecodingSession {
    /// Records a decoder of the depth `depth`.
    func note(depth: Int) {
        deepest = max(deepest, depth)
    }

    /// Counts the root object, which has no decoder of its own, as a level of nesting.
    func countRoot() { nestingLimit &-= 1 }

    /// Returns the number of values around the one whose decoder has the depth `depth`.
    func level(of depth: Int) -> Int { depth + (reading.settings.limits.nesting - nestingLimit) }

    /// Returns whether the limits and the stack allow another level of nesting below `depth`.
    @inline(__always)
    func hasRoom(atDepth depth: Int) -> Bool {
        depth < nestingLimit && (depth < StackGuard.freeDepth || reading.hasStack())
    }
}

// MARK: - Parts

extension OpenArchive {
    /// Calls `body` with the decoder of `$top` to decode a part of the archive. The calling thread must not be decoding
    /// the archive.
    func decode<Value>(_ body: (ProgramDecoder) throws -> Value) throws -> Value {
        try DecodingSession.decode(DecodingSession.top(of: source.stored, settings), resuming: self, body)
    }
}

// MARK: - Beginning and ending

extension DecodingSession {
    /// The decoder of `$top` of the last small decoding, with its session.
    static let idle = IdleObject<ProgramDecoder>()

    /// Calls `body` with `top`, the decoder of `$top`, to decode the root object of its archive.
    ///
    /// - Parameter open: The open archive of its deferred parts, if there is one.
    static func decode<Value>(
        _ top: consuming ProgramDecoder, resuming open: OpenArchive? = nil, _ body: (ProgramDecoder) throws -> Value
    ) throws -> Value {
        top.decoding.session.begin(top.decoding)
        if let open { top.decoding.reading.resume(open) }
        // Instances of a failed decoding are released in the call, while the table of instances still retains their
        // references. Otherwise a long chain would be released recursively.
        let value = try top.decoding.session.decode(top, body)
        leave(consume top)
        return value
    }

    /// Returns the decoder of `$top` that an earlier call has left, or a new one, for `archive`.
    ///
    /// - Throws: `DecodingError` if calls are nested so deeply that the stack is full.
    static func top(
        of archive: StoredArchive, _ settings: consuming ReadingSettings
    ) throws -> ProgramDecoder {
        guard let kept = idle.take() else {
            do throws(KeyedArchiveError) {
                return try newTop(of: archive, settings)
            } catch {
                throw DecodingError(damaged: error)
            }
        }
        kept.decoding.reading.begin(archive, settings)
        return kept
    }

    /// Returns the decoder of `$top` that an earlier call has left, or a new one, for the archive in `storage`.
    ///
    /// - Throws: `KeyedArchiveError` if the bytes are not a keyed archive, or if the stack is full.
    static func top(
        of storage: ArchiveStorage, _ settings: consuming ReadingSettings
    ) throws(KeyedArchiveError) -> ProgramDecoder {
        let binary = try StoredArchive.binary(storage)
        guard binary.pages == nil, let kept = idle.take() else {
            return try newTop(of: StoredArchive(binary), settings)
        }
        do throws(KeyedArchiveError) {
            try kept.decoding.reading.begin(binary, settings)
        } catch {
            kept.decoding.reading.reset()
            idle.leave(consume kept)
            throw error
        }
        return kept
    }

    /// Returns a new decoder of `$top` for `archive`. Another call has the idle one, perhaps one of the calling thread: an
    /// initializer may decode data of an archive as another archive.
    private static func newTop(
        of archive: StoredArchive, _ settings: consuming ReadingSettings
    ) throws(KeyedArchiveError) -> ProgramDecoder {
        if !idle.isFirstNeed(), StackGuard.isExhausted {
            throw KeyedArchiveError(
                .other(
                    .limit, uid: nil,
                    sentence: "Decoders were called inside each other until the stack was full. Decode on a thread"
                        + " with a larger stack if you trust the archive"))
        }
        return ProgramDecoder(DecodingSession(GraphReading(archive, settings)), isReused: true)
    }

    /// Leaves `top` for another call, if the program has no reference to it, and everything is small.
    fileprivate static func leave(_ top: consuming ProgramDecoder) {
        guard isKnownUniquelyReferenced(&top), top.isReturned, top.decoding.session.isReusable else { return }
        top.decoding.session.reset()
        top.decoding.reading.reset()
        top.decoding.prepareTop()
        idle.leave(top)
    }

    /// Begins with an archive, of which `top` decodes `$top`.
    fileprivate func begin(_ top: ArchiveDecoding) {
        nestingLimit = reading.settings.limits.nesting
        top.prepareTop()
        setTop(top)
    }

    fileprivate func setTop(_ new: ArchiveDecoding?) {
        // The old one is released outside of the access, which then needs no exclusivity check.
        let old = top
        top = new
        withExtendedLifetime(old) {}
    }

    /// Returns the result of `body` with `top` after everything that waits is decoded. It is the end of the decoding.
    private func decode<Value>(_ top: ProgramDecoder, _ body: (ProgramDecoder) throws -> Value) throws -> Value {
        do {
            try top.decoding.checkObjectCount()
            let value = try body(top)
            try reading.finish()
            if let error = ownUnarchiver?.error { throw error }
            reading.pauseDecoding(isComplete: true)
            end()
            return value
        } catch {
            reading.pauseDecoding(isComplete: false)
            end()
            let outcome = reading.explained(reading.outcome(error))
            reading.giveUp()
            throw CodableErrors.decodingError(outcome)
        }
    }

    private func end() {
        if reading.progress != nil { reading.progress = nil }
        setTop(nil)
        // For `Coding` classes that have kept it.
        ownUnarchiver?.close()
    }

    /// Whether the session can be reused: everything is small, and the program has no reference to its coders.
    private var isReusable: Bool {
        // `Coding` classes of the program may still refer to the unarchiver.
        !hadKeptDecoder && deepest <= StackGuard.reusableDepth && !types.hasGrown && !keys.hasGrown
            && reading.isSmall && (ownUnarchiver == nil || isKnownUniquelyReferenced(&ownUnarchiver))
    }

    /// Prepares the session for another archive, which may be read on another thread.
    private func reset() {
        for type in types.records { type.reset() }
        keys.reset()
        if ownUnarchiver != nil { ownUnarchiver = nil }
    }
}

/// The decoder of `$top` that an unarchiver of the program keeps for Codable values, with its session.
private final class TopDecoding {
    let top: ProgramDecoder

    init(_ top: ProgramDecoder) { self.top = top }

    deinit {
        // The program may still hold one of the session's decoders.
        top.decoding.session.setTop(nil)
    }
}

extension KeyedUnarchiver {
    /// Creates the unarchiver that `session` owns and passes to `Coding` classes.
    fileprivate convenience init(_ reading: GraphReading, belongingTo session: DecodingSession) {
        self.init(reading)
        belong(to: session)
    }

    /// The decoder of `$top` that the unarchiver itself owns, created if it does not exist.
    private var ownTopDecoder: ArchiveDecoding {
        if let known = topDecoding as? ProgramDecoder { return known.decoding }
        if let known = topDecoding as? TopDecoding { return known.top.decoding }
        let spare = spareDecoder as? ProgramDecoder
        let top = spare ?? ProgramDecoder(DecodingSession(reading), isReused: true)
        top.decoding.session.begin(top.decoding)
        // The call that has passed the spare decoder also ends its session.
        topDecoding = spare ?? TopDecoding(top)
        return top.decoding
    }

    /// The decoder of `$top` on the Codable side.
    var topDecoder: ArchiveDecoding {
        (ownerSession as? DecodingSession)?.top ?? ownTopDecoder
    }
}

// MARK: - Whole archives

extension KeyedUnarchiver {
    /// Returns the result of `decode` with a new unarchiver for the archive in `data`.
    static func unarchive<Result>(
        _ data: Data, _ settings: ReadingSettings, _ decode: (KeyedUnarchiver) throws -> Result
    ) throws -> Result {
        let top: ProgramDecoder
        do throws(KeyedArchiveError) {
            let storage = ArchiveStorage(data)
            try ArchiveChecksum.Policy.ifPresent.check(storage)
            top = try DecodingSession.top(of: storage, settings)
            try top.decoding.reading.checkObjectCount()
        } catch {
            throw UnarchivingError(.damaged(error, path: []))
        }
        do {
            let (result, isReleased) = try unarchive(KeyedUnarchiver(top.decoding.reading, top), decode)
            top.decoding.session.setTop(nil)
            if isReleased { DecodingSession.leave(consume top) }
            return result
        } catch {
            top.decoding.session.setTop(nil)
            throw error
        }
    }

    /// Returns the result of `decode` with `unarchiver`, and whether the program has no reference to the unarchiver. The
    /// unarchiver is released before its reading is left for another call.
    private static func unarchive<Result>(
        _ unarchiver: consuming KeyedUnarchiver, _ decode: (KeyedUnarchiver) throws -> Result
    ) throws -> (result: Result, isReleased: Bool) {
        let result: Result
        do {
            result = try decode(unarchiver)
        } catch {
            unarchiver.finishDecoding()
            throw error
        }
        unarchiver.finishDecoding()
        return (result, isKnownUniquelyReferenced(&unarchiver))
    }
}
