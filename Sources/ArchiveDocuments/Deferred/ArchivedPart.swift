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

// MARK: - Coding

/// A value that an archive decodes later: a part of an open archive, which reads its contents when the program needs them.
package protocol PartDecodable: DeferredDecodable {
    /// The type of the value in the archive.
    associatedtype Contents: Decodable

    /// Creates a value with `contents`, which were decoded at once.
    init(contents: Contents)

    /// Creates a value whose contents are `part`.
    init(part: OpenArchive.Part)
}

/// A value that an archive may have decoded later.
package protocol PartEncodable: FrameEncodable {
    /// The type of the value in the archive.
    associatedtype Contents: Encodable

    /// The contents, decoded if they are not loaded.
    var contents: Contents { get }

    /// Returns the part of an open archive with the contents, or nil if they are loaded.
    ///
    /// - Parameter path: The coding path of the value, for an error.
    /// - Throws: An error if the value can be encoded neither as the part nor as its contents.
    func unloadedPart(at path: () -> [any CodingKey]) throws -> OpenArchive.Part?

    /// Decodes the contents if they are not loaded.
    func load() throws
}

extension OpenArchive {
    package struct Part: Sendable {
        package let archive: OpenArchive
        package let uid: UInt32

        package init(archive: OpenArchive, uid: UInt32) {
            self.archive = archive
            self.uid = uid
        }
    }
}

extension PartDecodable {
    /// Returns the value of `decoder`, as `init(from:)` has to create it. With a decoder of another kind, its contents are
    /// decoded at once.
    package static func decoded(from decoder: any Decoder) throws -> Self {
        if let archive = DecodingFrame.behind(decoder) {
            return try archive.decode(Self.self, from: archive.ownValue, at: .root)
        }
        return Self(contents: try decoder.singleValueContainer().decode(Contents.self))
    }

    package static func decoded(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Self {
        let observer = try decoder.observer(deferring: value, at: step) { OpenArchive($0, $1) }
        guard let archive = observer as? OpenArchive else {
            return Self(contents: try decoder.decode(Contents.self, from: value, at: step))
        }
        return Self(part: OpenArchive.Part(archive: archive, uid: value.uid))
    }
}

extension PartEncodable {
    /// Encodes the value into `encoder`, as `encode(to:)` has to. An archive gets unloaded contents as a copy; other
    /// encoders load them.
    package func encodeContents(to encoder: any Encoder) throws {
        if try unloadedPart(at: { encoder.codingPath }) != nil, !EncodingFrame.isBehind(encoder) { try load() }
        var container = encoder.singleValueContainer()
        try EncodingFrame.isBehind(encoder) ? container.encode(self) : container.encode(contents)
    }

    package static func encoded(
        _ value: Self, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        if let part = try value.unloadedPart(at: { encoding.keys(step) }) {
            // A deep copy has its own instances.
            if encoding.isDeepCopy {
                try value.load()
            } else {
                return try encoding.reference(toObject: part.uid, of: part.archive, at: step)
            }
        }
        return try encoding.reference(to: value.contents, at: step, inline: inline)
    }
}
