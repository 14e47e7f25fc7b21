// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decodes values from keyed archives: those of `ArchiveEncoder`, and those of Cocoa's `NSKeyedArchiver`.
///
/// ```swift
/// let farm = try ArchiveDecoder().decode(Farm.self, from: data)
/// ```
///
/// A decoder is a value that holds only settings. It can be reused, and used by many tasks at once. Data may come from
/// any source: damaged data and values of other types are errors. The decoder creates only the requested types and
/// those in `classes`; no other name in an archive creates anything.
public struct ArchiveDecoder: Sendable {
    package var settings = ReadingSettings()
    /// The names that types have in the archive. Empty by default: every type has its own name.
    public var classes: ClassRegistry {
        get { settings.classes }
        _modify { yield &settings.classes }
    }
    /// The limits that an archive must not exceed.
    public var limits: DecodingLimits {
        get { settings.limits }
        _modify { yield &settings.limits }
    }
    /// The requirement for the checksum of an archive: `ifPresent` by default.
    ///
    /// The whole archive is read to compute its checksum before a value is decoded. For a large file of which only a part is
    /// decoded, as with `@Deferred`, set `ignored`.
    public var checksum = ArchiveChecksum.Policy.ifPresent
    /// The `userInfo` of the decoders that `init(from:)` receives.
    public var userInfo: [CodingUserInfoKey: any Sendable] {
        get { settings.userInfo }
        _modify { yield &settings.userInfo }
    }

    /// Creates a decoder with the limits of `DecodingLimits()`.
    ///
    /// - Parameter classes: The names of types, and the subclasses that archives may contain, such as `[Dog.self, Cat.self]`.
    public init(classes: ClassRegistry = ClassRegistry()) { settings.classes = classes }

    init(_ settings: ReadingSettings) {
        self.settings = settings
        self.settings.classTypes = [:]
    }
}

// MARK: - Decoding

extension ArchiveDecoder {
    /// Decodes the value in a binary or XML archive.
    ///
    /// - Parameters:
    ///   - type: The type of the root object.
    ///   - data: The whole archive.
    /// - Returns: The decoded value.
    /// - Throws: `DecodingError`: `dataCorrupted` if the data is not a keyed archive, is damaged, or holds a number
    ///   that the requested type cannot represent; `typeMismatch`, `valueNotFound` or `keyNotFound` if its contents do
    ///   not match the type; the underlying error says what was found and what to do. It is an `ArchivingError`, or the
    ///   `KeyedArchiveError` or `PropertyListError` of data that are damaged or no archive. In a `codingPath` of more than 200 characters and 17 keys, one key replaces those in the middle, and says how many they are. `CancellationError` if the task is cancelled during the decoding of a large
    ///   archive. Errors of `init(from:)`.
    /// - Complexity: O(*n*), where *n* is the number of decoded values.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decodeRoot(type, ArchiveStorage(data))
    }

    /// Decodes the value in an archive with a configuration.
    ///
    /// - Throws: The errors of `decode(_:from:)`.
    public func decode<Value: DecodableWithConfiguration>(
        _ type: Value.Type, from data: Data, configuration: Value.DecodingConfiguration
    ) throws -> Value {
        try decode(type, ArchiveStorage(data), configuration)
    }

    /// Decodes the value in the archive at `url`.
    ///
    /// A binary archive of more than 1 MiB is read page by page. Pages that only `@Deferred` properties need are read
    /// with these properties; the file stays open until then. A replacement of the file, as by
    /// `ArchiveEncoder.encode(_:to:)`, has no effect on the decoding. If another program shortens the file or writes
    /// into it, the archive counts as damaged.
    ///
    /// - Throws: The errors of `decode(_:from:)`, and those of the file system.
    public func decode<Value: Decodable>(_ type: Value.Type, from url: URL) throws -> Value {
        try decodeRoot(type, ArchiveStorage(contentsOf: url))
    }

    /// Decodes the value in the archive at `url` with a configuration.
    ///
    /// - Throws: The errors of `decode(_:from:)`, and those of the file system.
    public func decode<Value: DecodableWithConfiguration>(
        _ type: Value.Type, from url: URL, configuration: Value.DecodingConfiguration
    ) throws -> Value {
        try decode(type, ArchiveStorage(contentsOf: url), configuration)
    }

    private func decodeRoot<Value: Decodable>(
        _ type: Value.Type, _ storage: ArchiveStorage, _ progress: ArchiveProgress.Handler? = nil
    ) throws -> Value {
        try decode(storage, progress) { try $0.decodeRoot(type) }
    }

    private func decode<Value: DecodableWithConfiguration>(
        _ type: Value.Type, _ storage: ArchiveStorage, _ configuration: Value.DecodingConfiguration
    ) throws -> Value {
        try decode(storage) { top in
            try top.decoding.withDecoder(nil, try top.decoding.root(), .root) {
                try Value(from: $0, configuration: configuration)
            }
        }
    }

    private func decode<Value>(
        _ storage: ArchiveStorage, _ handler: ArchiveProgress.Handler? = nil,
        _ body: (ProgramDecoder) throws -> Value
    ) throws -> Value {
        let session: DecodingSession
        do throws(KeyedArchiveError) {
            try checksum.check(storage)
            session = try DecodingSession.begin(storage, settings)
        } catch {
            throw DecodingError(damaged: error)
        }
        let progress = handler.map {
            ReadingProgress(slotCount: session.archive.slotCount, byteCount: storage.bytes.count, $0)
        }
        if let progress { session.progress = progress }
        let value = try session.decode(body)
        progress?.finish()
        return value
    }
}

// MARK: - Outside the caller's actor

extension ArchiveDecoder {
    /// Decodes the value in an archive outside the caller's actor.
    ///
    /// ```swift
    /// let library = try await ArchiveDecoder().decode(Library.self, from: data) { progress in
    ///     print(progress.fraction ?? 0)
    /// }
    /// ```
    ///
    /// The decoding runs on a thread of Swift's concurrency, which may have a small stack. Deeply nested values become
    /// an error there sooner than on the main thread; ``Reference`` and ``References`` take no stack.
    ///
    /// - Parameters:
    ///   - type: The type of the root object.
    ///   - data: The whole archive.
    ///   - progress: A closure that receives the decoded amount, on the decoding thread; `nil` for no reports. With a
    ///     closure, decoding takes up to 50 % longer, and more than twice as long for arrays of numbers.
    /// - Returns: The decoded value.
    /// - Throws: The errors of `decode(_:from:)`, and `CancellationError` if the task is cancelled.
    /// - Complexity: O(*n*), where *n* is the number of decoded values.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, progress: (@Sendable (ArchiveProgress) -> Void)?
    ) async throws -> sending Value {
        try Task.checkCancellation()
        return Reinterpretation.unshared(try decodeRoot(type, ArchiveStorage(data), progress))
    }

    /// Reads and decodes the value in the archive at `url` outside the caller's actor.
    ///
    /// - Parameters:
    ///   - type: The type of the root object.
    ///   - url: The location of the archive.
    ///   - progress: As for `decode(_:from:progress:)` with data.
    /// - Returns: The decoded value.
    /// - Throws: The errors of `decode(_:from:)`, and `CancellationError` if the task is cancelled.
    /// - Complexity: O(*n*), where *n* is the number of decoded values.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from url: URL, progress: (@Sendable (ArchiveProgress) -> Void)?
    ) async throws -> sending Value {
        try Task.checkCancellation()
        return Reinterpretation.unshared(try decodeRoot(type, ArchiveStorage(contentsOf: url), progress))
    }
}

#if canImport(Combine)
    import Combine

    extension ArchiveDecoder: TopLevelDecoder {
        /// The type of a decoded archive.
        public typealias Input = Data
    }
#endif
