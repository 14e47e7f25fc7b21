import Archiving
import Synchronization

/// A part of an archive that is decoded when it is read. All copies of a `Deferred` property share it.
///
/// Sendable if its values are: a lock protects the mutable state.
final class DeferredPart<Value>: @unchecked Sendable {
    /// The part of the archive with the value.
    let origin: OpenArchive.Part
    private let decode: (OpenArchive.Part) throws -> Value
    /// Returns whether a value is encoded as in the archive.
    private let isUnchanged: (OpenArchive.Part, Value) throws -> Bool
    private let lock = Mutex(())
    /// The value, if it is loaded.
    private var value: Value?
    /// The error of the last attempt, if it failed.
    private var failure: (any Error)?

    init(
        _ origin: OpenArchive.Part, decode: @escaping (OpenArchive.Part) throws -> Value,
        isUnchanged: @escaping (OpenArchive.Part, Value) throws -> Bool
    ) {
        self.origin = origin
        self.decode = decode
        self.isUnchanged = isUnchanged
        origin.archive.addPart(origin.uid)
    }

    deinit {
        origin.archive.removePart(origin.uid)
    }

    var isLoaded: Bool { locked { value != nil } }

    var error: (any Error)? { locked { failure } }

    /// Returns the value, decoded if it is not loaded; nil if that fails or has failed before.
    var valueForReading: Value? {
        let (known, hasFailed) = locked { (value, failure != nil) }
        if known != nil || hasFailed { return known }
        do {
            return try load()
        } catch {
            origin.archive.errorHandler?(error)
            return nil
        }
    }

    /// Returns the value, decoded if it is not loaded.
    func load() throws -> Value {
        if let known = locked({ value }) { return known }
        // Instances that are being created cannot be referenced yet. A later attempt finds them.
        if origin.archive.isDecodingHere { throw ArchiveDocumentError(.tooEarly) }
        var loaded: Value?
        try origin.archive.withDecodingLock {
            loaded = locked { value }
            guard loaded == nil else { return }
            do {
                let made = try decode(origin)
                locked { (value, failure) = (made, nil) }
                origin.archive.recordError(nil, of: origin.uid)
                loaded = made
            } catch {
                locked { failure = error }
                origin.archive.recordError(error, of: origin.uid)
                throw error
            }
        }
        guard let loaded else { preconditionFailure("A deferred part has neither a value nor an error") }
        return loaded
    }

    /// Releases the value if it is equal to the one in the archive.
    func unload() throws {
        guard let known = locked({ value }) else { return }
        guard try isUnchanged(origin, known) else { throw ArchiveDocumentError(.partChanged) }
        locked { value = nil }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        var result: Result?
        lock.withLock { _ in result = body() }
        guard let result else { preconditionFailure("The lock did not run its body") }
        return result
    }
}
