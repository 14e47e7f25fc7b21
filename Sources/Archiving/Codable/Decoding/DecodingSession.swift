#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The Codable side of one reading of an archive.
///
/// What decoders use at every call is in `core`, at an address that does not move, so that using it takes no reference
/// count and no check for exclusive access. Decoders keep their session, and with it the archive.
final class DecodingSession {
    private let reading: GraphReading
    let core: UnsafeMutablePointer<DecodingCore>
    /// The unarchiver of the program's that keeps the session; nil if the session is that of an `ArchiveDecoder`, or the
    /// unarchiver is gone.
    fileprivate unowned(unsafe) var owner: KeyedUnarchiver?
    /// The unarchiver that belongs to the session; nil while nobody has needed it.
    private var ownUnarchiver: KeyedUnarchiver?
    /// The decoder of `$top` in a decoding of its own of the same archive, which only tries something.
    private var trial: ArchiveDecoding?
    /// What is called with the errors of parts that are decoded later.
    fileprivate var deferredErrorHandler: (@Sendable (any Error) -> Void)?

    fileprivate init(_ reading: GraphReading, owner: KeyedUnarchiver? = nil) {
        self.reading = reading
        self.owner = owner
        core = reading.state.pointee.arena.take(1, of: DecodingCore.self) ?? .allocate(capacity: 1)
        core.initialize(to: DecodingCore(state: reading.state, address: core))
    }

    deinit {
        ownUnarchiver?.leaveSession()
        trial?.core.pointee.top = nil
        core.deinitialize(count: 1)
        if !reading.state.pointee.arena.contains(core) { core.deallocate() }
    }

    /// What `Coding` classes decode themselves with.
    var unarchiver: KeyedUnarchiver {
        if let known = ownUnarchiver ?? owner { return known }
        let made = KeyedUnarchiver(reading, belongingTo: self)
        ownUnarchiver = made
        return made
    }
}

extension DecodingSession {
    /// What `body` decodes in a decoding beside this one, which has instances of its own and leaves all deferred values out.
    func attempt<Result>(_ body: (ArchiveDecoding) throws -> Result) rethrows -> Result {
        let top = trial ?? makeTrial()
        return try body(top)
    }

    private func makeTrial() -> ArchiveDecoding {
        let other = reading.other()
        let made = ArchiveDecoding(session: DecodingSession(other), depth: 0)
        made.core.pointee.begin(userInfo)
        made.prepareTop()
        made.core.pointee.top = .passUnretained(made)
        other.state.pointee.hashed.isTrial = true
        trial = made
        return made
    }
}

extension DecodingSession {
    /// What `init(from:)` finds in its decoder's `userInfo`.
    var userInfo: [CodingUserInfoKey: any Sendable] {
        get { core.pointee.userInfo }
        set { core.pointee.userInfo = newValue }
    }
}

extension DecodingSession {
    /// Reads on without a check for each object if the file that holds the archive is loaded.
    @inline(never)
    func noteLoadedFile() { reading.noteLoadedFile() }
}

extension DecodingSession {
    /// What parts of the archive keep that are decoded later.
    var openArchive: OpenArchive {
        reading.openArchive(userInfo: userInfo, errorHandler: deferredErrorHandler)
    }
}

extension OpenArchive {
    /// Lets `body` decode a part of the archive with the decoder of `$top`. Not on a thread that is decoding the archive.
    func decode<Value>(_ body: (ArchiveDecoding) throws -> Value) throws -> Value {
        try DecodingSession.decode(
            source.stored, classes: classes, types: types, limits: limits, userInfo: userInfo, resuming: self, body)
    }
}

// MARK: - Beginning and ending

extension DecodingSession {
    /// The decoder of `$top` of the last small decoding, with its session.
    private static let idle = IdleObject<ArchiveDecoding>()

    /// Lets `body` decode the root object of `archive` with the decoder of `$top`.
    ///
    /// - Parameters:
    ///   - open: What parts of the archive keep that were left for later, if there are any.
    ///   - progress: What is told how much was read, except that all is.
    static func decode<Value>(
        _ archive: StoredArchive, classes: ClassRegistry, types: [UInt32: any Any.Type] = [:], limits: DecodingLimits,
        userInfo: [CodingUserInfoKey: any Sendable], resuming open: OpenArchive? = nil,
        deferredErrorHandler: (@Sendable (any Error) -> Void)? = nil, progress: ReadingProgress? = nil,
        _ body: (ArchiveDecoding) throws -> Value
    ) throws -> Value {
        KeptContainers.letGo()
        var top: ArchiveDecoding
        if let kept = idle.take() {
            top = kept
            top.session.reading.begin(archive, classes: classes, types: types, limits: limits)
            try? top.session.ownUnarchiver?.begin()
        } else {
            let reading = GraphReading(archive, classes: classes, types: types, limits: limits)
            top = ArchiveDecoding(session: DecodingSession(reading), depth: 0)
        }
        top.core.pointee.begin(userInfo)
        if let open { top.session.reading.resume(open) }
        if let deferredErrorHandler { top.session.deferredErrorHandler = deferredErrorHandler }
        if let progress { top.session.reading.progress = progress }
        top.prepareTop()
        let decoder = Unmanaged.passUnretained(top)
        top.core.pointee.top = decoder
        let value: Value
        do {
            try decoder._withUnsafeGuaranteedRef { try $0.checkObjectCount() }
            // What is made in vain is destroyed here, while the table of instances still holds what it refers to: otherwise
            // a long chain would be released recursively.
            value = try decoder._withUnsafeGuaranteedRef {
                let value = try body($0)
                try $0.finishReferences()
                if let error = $0.session.ownUnarchiver?.error { throw error }
                $0.session.reading.pauseDecoding(isComplete: true)
                return value
            }
        } catch {
            if progress != nil { top.session.reading.progress = nil }
            top.core.pointee.top = nil
            top.session.reading.pauseDecoding(isComplete: false)
            throw decoder._withUnsafeGuaranteedRef {
                $0.session.closeUnarchiver()
                let error = $0.core.pointee.state.pointee.outcome($0.explained(error))
                return CodableErrors.decodingError(error)
            }
        }
        // Before anybody else can take the session.
        if progress != nil { top.session.reading.progress = nil }
        top.core.pointee.top = nil
        decoder._withUnsafeGuaranteedRef { $0.session.closeUnarchiver() }
        if isKnownUniquelyReferenced(&top), decoder._withUnsafeGuaranteedRef({ $0.session.isReusable }) {
            keep(top)
        }
        return value
    }

    /// Whether nothing else refers to a coder, and everything is small.
    fileprivate var isReusable: Bool {
        guard core.pointee.isReusable, reading.state.pointee.isSmall else { return false }
        return ownUnarchiver == nil || ownUnarchiver?.isReusable == true && SoleReference.isSole(&ownUnarchiver)
    }

    /// Makes ready for another archive, which may be read on another thread. The reading is reset by its owner.
    fileprivate func reset() {
        core.pointee.reset()
        ownUnarchiver?.reset()
        if deferredErrorHandler != nil { deferredErrorHandler = nil }
    }

    /// Lets nothing be decoded any more by `Coding` classes that have kept their unarchiver.
    private func closeUnarchiver() { ownUnarchiver?.close() }

    private static func keep(_ top: ArchiveDecoding) {
        top.prepareTop()
        top.session.reset()
        top.session.reading.reset()
        idle.leave(top)
    }
}

/// The decoder of `$top` that an unarchiver of the program's keeps for Codable values, with its session.
private final class TopDecoding {
    private(set) var top: ArchiveDecoding

    init(_ unarchiver: KeyedUnarchiver) {
        top = ArchiveDecoding(session: DecodingSession(unarchiver.reading, owner: unarchiver), depth: 0)
    }

    /// Begins with the archive that the unarchiver has now.
    func begin() {
        top.core.pointee.begin([:])
        top.prepareTop()
        top.core.pointee.top = Unmanaged.passUnretained(top)
    }

    /// Whether nothing else refers to a decoder, and everything is small.
    var isReusable: Bool { isKnownUniquelyReferenced(&top) && top.session.isReusable }

    /// Makes ready for another archive.
    func reset() {
        top.core.pointee.top = nil
        top.prepareTop()
        top.session.reset()
    }

    deinit {
        // Something may still refer to one of the session's decoders.
        top.core.pointee.top = nil
        top.session.owner = nil
    }
}

extension KeyedUnarchiver {
    /// An unarchiver that `session` gives to `Coding` classes, and keeps.
    fileprivate convenience init(_ reading: GraphReading, belongingTo session: DecodingSession) {
        self.init(reading, requiringSecureCoding: !reading.state.pointee.isCopy)
        belong(to: session)
    }

    /// The decoder of `$top` that the unarchiver itself keeps, made if there is none.
    private var ownTopDecoder: ArchiveDecoding {
        if usesTopDecoding, let topDecoding { return unsafeDowncast(topDecoding, to: TopDecoding.self).top }
        let own = topDecoding.map { unsafeDowncast($0, to: TopDecoding.self) } ?? TopDecoding(self)
        topDecoding = own
        usesTopDecoding = true
        own.begin()
        return own.top
    }

    /// The decoder of `$top` on the Codable side.
    var topDecoder: ArchiveDecoding {
        if let session {
            let session = unsafeDowncast(session, to: DecodingSession.self)
            if let top = session.core.pointee.top { return top.takeUnretainedValue() }
        }
        return ownTopDecoder
    }
}

// MARK: - Whole archives

extension KeyedUnarchiver {
    /// The unarchiver of the last small archive that one call read.
    private static let idle = IdleObject<KeyedUnarchiver>()

    /// What `decode` decodes with an unarchiver of its own for the archive in `data`.
    static func unarchive<Result>(
        _ data: Data, _ classes: ClassRegistry, _ limits: DecodingLimits, _ decode: (KeyedUnarchiver) throws -> Result
    ) throws -> Result {
        KeptContainers.letGo()
        var unarchiver: KeyedUnarchiver
        if let kept = idle.take() {
            unarchiver = kept
            unarchiver.reading.begin(try archive(in: data), classes: classes, types: [:], limits: limits)
            try unarchiver.begin()
        } else {
            unarchiver = try KeyedUnarchiver(forReadingFrom: data, limits: limits)
            unarchiver.classes = classes
        }
        let result: Result
        do {
            result = try decode(unarchiver)
        } catch {
            unarchiver.finishDecoding()
            throw error
        }
        unarchiver.finishDecoding()
        // From then on it may be another thread's.
        if unarchiver.isSmall, SoleReference.isSole(&unarchiver) {
            unarchiver.resetAll()
            idle.leave(unarchiver)
        }
        return result
    }

    /// Whether nothing of the unarchiver outlasts the archive, what decodes Codable values included.
    private var isSmall: Bool {
        guard isReusable, reading.state.pointee.isSmall else { return false }
        return topDecoding.map { unsafeDowncast($0, to: TopDecoding.self).isReusable } ?? true
    }

    /// Makes ready for another archive, which may be read on another thread.
    private func resetAll() {
        topDecoding.map { unsafeDowncast($0, to: TopDecoding.self).reset() }
        reset()
        reading.reset()
    }
}
