import Synchronization

/// A part of an archive that is decoded when it is read: what the copies of a `Deferred` property share.
///
/// Sendable if values are: what changes is behind a lock.
final class DeferredPart<Value>: @unchecked Sendable {
    let archive: OpenArchive
    /// The uid of the object that the value is.
    let uid: UInt32
    private let decode: (OpenArchive, UInt32) throws -> Value
    /// Whether what is encoded of a value is what the archive has.
    private let isUnchanged: (OpenArchive, UInt32, Value) throws -> Bool
    private let lock = Mutex(())
    /// The value, if it is loaded.
    private var value: Value?
    /// The error of the last attempt, if that failed.
    private var failure: (any Error)?

    init(
        of archive: OpenArchive, uid: UInt32, decode: @escaping (OpenArchive, UInt32) throws -> Value,
        isUnchanged: @escaping (OpenArchive, UInt32, Value) throws -> Bool
    ) {
        self.archive = archive
        self.uid = uid
        self.decode = decode
        self.isUnchanged = isUnchanged
        archive.addPart(uid)
    }

    deinit {
        archive.removePart(uid)
    }

    var isLoaded: Bool { locked { value != nil } }

    var error: (any Error)? { locked { failure } }

    /// The value, decoded if it is not loaded; nil if that fails, or has failed before.
    var valueForReading: Value? {
        let (known, hasFailed) = locked { (value, failure != nil) }
        if known != nil || hasFailed { return known }
        do {
            return try load()
        } catch {
            archive.errorHandler?(error)
            return nil
        }
    }

    /// The value, decoded if it is not loaded.
    func load() throws -> Value {
        if let known = locked({ value }) { return known }
        // Instances that are being created cannot be referred to yet. Another attempt finds them.
        if archive.isDecodingHere { throw DeferredError(.tooEarly) }
        var loaded: Value?
        try archive.withDecodingLock {
            loaded = locked { value }
            guard loaded == nil else { return }
            do {
                let made = try decode(archive, uid)
                locked { (value, failure) = (made, nil) }
                loaded = made
            } catch {
                locked { failure = error }
                throw error
            }
        }
        guard let loaded else { preconditionFailure("A part was neither loaded nor in error") }
        return loaded
    }

    /// Lets go of the value, if it is what the archive has.
    func unload() throws {
        guard let known = locked({ value }) else { return }
        guard try isUnchanged(archive, uid, known) else { throw DeferredError(.changed) }
        locked { value = nil }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        var result: Result?
        lock.withLock { _ in result = body() }
        guard let result else { preconditionFailure("A lock that does not run its body") }
        return result
    }
}
