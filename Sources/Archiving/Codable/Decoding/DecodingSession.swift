#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The Codable side of one reading of an archive.
///
/// The state that decoders use at every call is in `core`, at a fixed address. Access needs no reference counting and
/// no exclusivity check. Decoders retain their session, and with it the archive.
final class DecodingSession {
    private let reading: GraphReading
    let core: UnsafeMutablePointer<DecodingCore>
    /// The program's unarchiver that owns the session; nil for a session of an `ArchiveDecoder`, or if the unarchiver
    /// was deallocated.
    fileprivate unowned(unsafe) var owner: KeyedUnarchiver?
    /// The unarchiver that belongs to the session; nil until it is needed.
    @exclusivity(unchecked) private var ownUnarchiver: KeyedUnarchiver?
    /// The decoder of `$top` in a separate trial decoding of the same archive.
    private var trial: ArchiveDecoding?
    /// The closure that receives the errors of parts that are decoded later.
    @exclusivity(unchecked) fileprivate var deferredErrorHandler: (@Sendable (any Error) -> Void)?

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

    /// The unarchiver with which `Coding` classes decode themselves.
    var unarchiver: KeyedUnarchiver {
        if let known = ownUnarchiver ?? owner { return known }
        let made = KeyedUnarchiver(reading, belongingTo: self)
        ownUnarchiver = made
        return made
    }
}

extension DecodingSession {
    /// Returns the result of `body` in a separate trial decoding, which has its own instances and omits all waiting
    /// values.
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
    /// The `userInfo` of the decoders that `init(from:)` receives.
    var userInfo: [CodingUserInfoKey: any Sendable] {
        get { core.pointee.userInfo }
        set { core.pointee.userInfo = newValue }
    }
}

extension DecodingSession {
    /// Removes the check for each object if the file of the archive is fully loaded.
    @inline(never)
    func noteLoadedFile() { reading.noteLoadedFile() }
}

extension DecodingSession {
    /// The open archive for the parts that are decoded later.
    var openArchive: OpenArchive {
        reading.openArchive(userInfo: userInfo, errorHandler: deferredErrorHandler)
    }
}

extension OpenArchive {
    /// Calls `body` with the decoder of `$top` to decode a part of the archive. The calling thread must not be decoding
    /// the archive.
    func decode<Value>(_ body: (ArchiveDecoding) throws -> Value) throws -> Value {
        try DecodingSession.decode(
            source.stored, settings, userInfo: userInfo, resuming: self, body)
    }
}

// MARK: - Beginning and ending

extension DecodingSession {
    /// The decoder of `$top` of the last small decoding, with its session.
    static let idle = IdleObject<ArchiveDecoding>()

    /// Calls `body` with the decoder of `$top` to decode the root object of `archive`.
    ///
    /// - Parameters:
    ///   - open: The open archive of its deferred parts, if there is one.
    ///   - progress: The receiver of the progress, without the final report.
    static func decode<Value>(
        _ archive: StoredArchive, _ settings: consuming ReadingSettings,
        userInfo: [CodingUserInfoKey: any Sendable], resuming open: OpenArchive? = nil,
        deferredErrorHandler: (@Sendable (any Error) -> Void)? = nil, progress: ReadingProgress? = nil,
        _ body: (ArchiveDecoding) throws -> Value
    ) throws -> Value {
        KeptContainers.letGo()
        var top: ArchiveDecoding
        if let kept = idle.take() {
            top = kept
            top.session.reading.begin(archive, settings)
        } else {
            top = ArchiveDecoding(session: DecodingSession(GraphReading(archive, settings)), depth: 0)
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
            // Instances of a failed decoding are destroyed here, while the table of instances still retains their
            // references. Otherwise a long chain would be released recursively.
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
                let error = $0.core.pointee.state.outcome($0.explained(error))
                $0.session.reading.giveUp()
                return CodableErrors.decodingError(error)
            }
        }
        // Before another thread can take the session.
        if progress != nil { top.session.reading.progress = nil }
        top.core.pointee.top = nil
        decoder._withUnsafeGuaranteedRef { $0.session.closeUnarchiver() }
        if isKnownUniquelyReferenced(&top), decoder._withUnsafeGuaranteedRef({ $0.session.isReusable }) {
            keep(top)
        }
        return value
    }

    /// Whether the session can be reused: everything is small, and the program has no reference to its coders.
    private var isReusable: Bool {
        // `Coding` classes of the program may still refer to the unarchiver.
        core.pointee.isReusable && reading.state.pointee.isSmall && ownUnarchiver == nil
    }

    /// Prepares the session for another archive, which may be read on another thread. The reading's owner resets the
    /// reading.
    private func reset() {
        core.pointee.reset()
        if deferredErrorHandler != nil { deferredErrorHandler = nil }
    }

    /// Closes the unarchiver, for `Coding` classes that have kept it.
    private func closeUnarchiver() { ownUnarchiver?.close() }

    private static func keep(_ top: ArchiveDecoding) {
        top.prepareTop()
        top.session.reset()
        top.session.reading.reset()
        idle.leave(top)
    }
}

/// The decoder of `$top` that a program's unarchiver keeps for Codable values, with its session.
private final class TopDecoding {
    let top: ArchiveDecoding

    init(_ unarchiver: KeyedUnarchiver) {
        top = ArchiveDecoding(session: DecodingSession(unarchiver.reading, owner: unarchiver), depth: 0)
        top.core.pointee.begin([:])
        top.prepareTop()
        top.core.pointee.top = Unmanaged.passUnretained(top)
    }

    deinit {
        // The program may still hold one of the session's decoders.
        top.core.pointee.top = nil
        top.session.owner = nil
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
        if let topDecoding { return unsafeDowncast(topDecoding, to: TopDecoding.self).top }
        let own = TopDecoding(self)
        topDecoding = own
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
    /// Returns the result of `decode` with a new unarchiver for the archive in `data`.
    static func unarchive<Result>(
        _ data: Data, _ classes: ClassRegistry, _ limits: DecodingLimits, _ decode: (KeyedUnarchiver) throws -> Result
    ) throws -> Result {
        KeptContainers.letGo()
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data, limits: limits)
        unarchiver.classes = classes
        defer { unarchiver.finishDecoding() }
        return try decode(unarchiver)
    }
}
