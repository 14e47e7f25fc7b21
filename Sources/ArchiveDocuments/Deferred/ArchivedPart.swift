// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Synchronization

/// A part of an archive that is decoded when it is read. All copies of a property or a list share it.
///
/// Sendable if its values are: a lock protects the mutable state.
class ArchivedPart: @unchecked Sendable {
    final let origin: OpenArchive.Part
    private let lock = Mutex(())
    /// The error of the last attempt, if it failed.
    private final var failure: (any Error)?

    init(_ origin: OpenArchive.Part) {
        self.origin = origin
        origin.archive.addPart(origin.uid)
    }

    deinit {
        origin.archive.removePart(origin.uid)
    }

    final var error: (any Error)? { locked { failure } }

    /// Calls `body`, which decodes, one thread at a time, and records its error.
    final func reading<Result>(_ body: () throws -> Result) throws -> Result {
        // Instances that are being created cannot be referenced yet. A later attempt finds them.
        if origin.archive.isDecodingHere { throw ArchiveDocumentError(.tooEarly) }
        var result: Result?
        try origin.archive.withDecodingLock {
            do {
                result = try body()
            } catch {
                record(error)
                throw error
            }
        }
        guard let result else { preconditionFailure("A part has neither a value nor an error") }
        return result
    }

    /// Records the error of an attempt, or that it succeeded if `error` is nil.
    final func record(_ error: (any Error)?) {
        locked { failure = error }
        origin.archive.recordError(error, of: origin.uid)
    }

    /// Returns the result of `body`; nil if it throws an error, which the error handler gets.
    final func ifReadable<Result>(_ body: () throws -> Result) -> Result? {
        do {
            return try body()
        } catch {
            origin.archive.errorHandler?(error)
            return nil
        }
    }

    /// Returns the result of `body`, which reads the archive without decoding.
    static func undamaged<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as KeyedArchiveError { throw DecodingError(damaged: error) }
    }

    /// Returns the uid of the element at `position` of an array or a dictionary of the archive.
    ///
    /// - Throws: `ArchiveDocumentError` if it has fewer elements than before, and `DecodingError` if it is damaged.
    static func uid(_ position: Int, of elements: PartElements) throws -> UInt32 {
        guard position < elements.count else { throw ArchiveDocumentError(.fileChanged) }
        return try undamaged { try elements.uid(at: position) }
    }

    final func locked<Result>(_ body: () -> Result) -> Result {
        var result: Result?
        lock.withLock { _ in result = body() }
        guard let result else { preconditionFailure("The lock did not run its body") }
        return result
    }
}
