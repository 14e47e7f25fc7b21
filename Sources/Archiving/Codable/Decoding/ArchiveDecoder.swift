#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Turns keyed archives back into values: those of `ArchiveEncoder`, and those of Cocoa's `NSKeyedArchiver`.
///
/// ```swift
/// let farm = try ArchiveDecoder().decode(Farm.self, from: data)
/// ```
///
/// A decoder is a value that holds settings and nothing else. One can be used again and again, and by many tasks at
/// once. Data may come from anywhere: what is damaged, or another kind of thing than was asked for, is an error. Only the
/// types that are asked for, and those in `classes`, are ever created; no other name in an archive creates anything.
public struct ArchiveDecoder: Sendable {
    /// The names that types have in the archive. Empty unless set: every type has its own name.
    public var classes = ClassRegistry()
    /// How much an archive may ask for.
    public var limits = DecodingLimits()
    /// What `init(from:)` finds in its decoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// What is called with the error of a `@Deferred` property that is read without `try` and cannot be decoded, on the thread
    /// that reads it. The property is empty then. Nothing is called unless set.
    public var deferredErrorHandler: (@Sendable (any Error) -> Void)?

    /// A decoder with the limits that `DecodingLimits()` has.
    public init() {}
}

// MARK: - Decoding

extension ArchiveDecoder {
    /// The value in an archive, binary or XML.
    ///
    /// - Parameters:
    ///   - type: The type of the root object.
    ///   - data: The whole archive.
    /// - Throws: `DecodingError`: `dataCorrupted` where the data is no keyed archive, is damaged, or holds a number that
    ///   the type asked for does not have; `typeMismatch`, `valueNotFound` and `keyNotFound` where it holds
    ///   something else than the type asks for. `CancellationError` if the task is cancelled meanwhile, and the archive is
    ///   large. Also what `init(from:)` throws.
    /// - Complexity: O(*n*), where *n* is the number of values that are decoded.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decodeRoot(type, ArchiveStorage(data))
    }

    /// The value in an archive, of a type that needs a configuration to decode itself.
    ///
    /// - Throws: As `decode(_:from:)`.
    public func decode<Value: DecodableWithConfiguration>(
        _ type: Value.Type, from data: Data, configuration: Value.DecodingConfiguration
    ) throws -> Value {
        try decode(type, ArchiveStorage(data), configuration)
    }

    /// The value in an archive, of a type that takes its configuration from `Provider`.
    ///
    /// - Throws: As `decode(_:from:)`.
    public func decode<Value: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
        _ type: Value.Type, from data: Data, configuration: Provider.Type
    ) throws -> Value where Provider.DecodingConfiguration == Value.DecodingConfiguration {
        try decode(type, from: data, configuration: configuration.decodingConfiguration)
    }

    /// The value in an archive, and the format of the archive, which is in `format` afterwards, also if decoding fails.
    /// `format` is unchanged if the data is in neither.
    ///
    /// - Throws: As `decode(_:from:)`.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, format: inout PropertyListFormat
    ) throws -> Value {
        if let detected = PropertyListFormat(detectedIn: data) { format = detected }
        return try decode(type, from: data)
    }

    /// The value in an archive, of a type that needs a configuration to decode itself, and the format of the archive.
    ///
    /// - Throws: As `decode(_:from:)`.
    public func decode<Value: DecodableWithConfiguration>(
        _ type: Value.Type, from data: Data, format: inout PropertyListFormat,
        configuration: Value.DecodingConfiguration
    ) throws -> Value {
        if let detected = PropertyListFormat(detectedIn: data) { format = detected }
        return try decode(type, from: data, configuration: configuration)
    }

    /// The value in an archive, of a type that takes its configuration from `Provider`, and the format of the archive.
    ///
    /// - Throws: As `decode(_:from:)`.
    public func decode<Value: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
        _ type: Value.Type, from data: Data, format: inout PropertyListFormat, configuration: Provider.Type
    ) throws -> Value where Provider.DecodingConfiguration == Value.DecodingConfiguration {
        try decode(type, from: data, format: &format, configuration: configuration.decodingConfiguration)
    }

    /// The value in the archive at `url`.
    ///
    /// A binary archive of more than 1 MiB is read page by page. Pages that only `@Deferred` properties need are read when the
    /// properties are; the file stays open until then. A file that is replaced meanwhile, as `ArchiveEncoder.encode(_:to:)`
    /// replaces files, changes nothing. A file that another program shortens or writes into is a damaged archive.
    ///
    /// - Throws: As `decode(_:from:)`, and what the file system reports.
    public func decode<Value: Decodable>(_ type: Value.Type, from url: URL) throws -> Value {
        try decodeRoot(type, ArchiveStorage(contentsOf: url))
    }

    /// The value in the archive at `url`, of a type that needs a configuration to decode itself.
    ///
    /// - Throws: As `decode(_:from:)`, and what the file system reports.
    public func decode<Value: DecodableWithConfiguration>(
        _ type: Value.Type, from url: URL, configuration: Value.DecodingConfiguration
    ) throws -> Value {
        try decode(type, ArchiveStorage(contentsOf: url), configuration)
    }

    /// The value in the archive at `url`, of a type that takes its configuration from `Provider`.
    ///
    /// - Throws: As `decode(_:from:)`, and what the file system reports.
    public func decode<Value: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
        _ type: Value.Type, from url: URL, configuration: Provider.Type
    ) throws -> Value where Provider.DecodingConfiguration == Value.DecodingConfiguration {
        try decode(type, from: url, configuration: configuration.decodingConfiguration)
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
            try top.with(nil, try top.root(), .root) { try Value(from: $0, configuration: configuration) }
        }
    }

    /// Lets `body` decode the archive in `storage` with the decoder of `$top`.
    private func decode<Value>(
        _ storage: ArchiveStorage, _ handler: ArchiveProgress.Handler? = nil,
        _ body: (ArchiveDecoding) throws -> Value
    ) throws -> Value {
        let archive: StoredArchive
        do throws(KeyedArchiveError) {
            archive = try StoredArchive(storage)
        } catch {
            throw CodableErrors.damaged(error, path: [])
        }
        let progress = handler.map {
            ReadingProgress(slotCount: archive.contents.slotCount, byteCount: storage.bytes.count, $0)
        }
        let value = try DecodingSession.decode(
            archive, classes: classes, limits: limits, userInfo: userInfo, deferredErrorHandler: deferredErrorHandler,
            progress: progress, body)
        progress?.finish()
        return value
    }
}

// MARK: - Away from the caller's actor

extension ArchiveDecoder {
    /// The value in an archive, decoded away from the caller's actor.
    ///
    /// ```swift
    /// let library = try await ArchiveDecoder().decode(Library.self, from: data) { progress in
    ///     print(progress.fraction ?? 0)
    /// }
    /// ```
    ///
    /// Decoding takes place on a thread of Swift's concurrency, which may have a small stack. Values that are nested deep are an
    /// error there sooner than on the main thread; ``Reference`` and ``References`` take no stack.
    ///
    /// - Parameters:
    ///   - type: The type of the root object.
    ///   - data: The whole archive.
    ///   - progress: What is told how much is decoded, on the thread that decodes; `nil` for nothing. If it is given, decoding takes
    ///     up to half as long again, and more than twice as long for arrays of numbers.
    /// - Throws: As `decode(_:from:)`, and `CancellationError` if the task is cancelled.
    /// - Complexity: O(*n*), where *n* is the number of values that are decoded.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, progress: (@Sendable (ArchiveProgress) -> Void)?
    ) async throws -> sending Value {
        try Task.checkCancellation()
        // All that it could share with the caller is the type.
        nonisolated(unsafe) let value = try decodeRoot(type, ArchiveStorage(data), progress)
        return value
    }

    /// The value in the archive at `url`, read and decoded away from the caller's actor.
    ///
    /// - Parameters:
    ///   - type: The type of the root object.
    ///   - url: Where the archive is.
    ///   - progress: As for `decode(_:from:progress:)` with data.
    /// - Throws: As `decode(_:from:)`, and `CancellationError` if the task is cancelled.
    /// - Complexity: O(*n*), where *n* is the number of values that are decoded.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from url: URL, progress: (@Sendable (ArchiveProgress) -> Void)?
    ) async throws -> sending Value {
        try Task.checkCancellation()
        // All that it could share with the caller is the type.
        nonisolated(unsafe) let value = try decodeRoot(type, ArchiveStorage(contentsOf: url), progress)
        return value
    }
}

#if canImport(Combine)
    import Combine

    extension ArchiveDecoder: TopLevelDecoder {
        /// What is decoded.
        public typealias Input = Data
    }
#endif
