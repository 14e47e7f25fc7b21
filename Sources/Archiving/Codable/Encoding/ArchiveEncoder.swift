#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Turns values into keyed archives: data in which every class instance stands once, however often it is referred to.
///
/// ```swift
/// let data = try ArchiveEncoder().encode(farm)
/// let again = try ArchiveDecoder().decode(Farm.self, from: data)
/// ```
///
/// An encoder is a value that holds settings and nothing else. One can be used again and again, and by many tasks at
/// once. What it writes is the container of Cocoa's `NSKeyedArchiver`, which `NSKeyedUnarchiver` reads.
public struct ArchiveEncoder: Sendable {
    /// How the bytes of an archive may be arranged.
    public typealias OutputFormatting = KeyedArchiver.OutputFormatting
    /// How arrays of numbers may be archived.
    public typealias NumericArrays = KeyedArchiver.NumericArrays

    /// How the archive is written. Binary, unless set.
    public var outputFormat = PropertyListFormat.binary
    /// How the bytes of the archive may be arranged. None, unless set.
    public var outputFormatting: OutputFormatting = []
    /// How arrays of numbers are archived. As objects, unless set.
    public var numericArrays = NumericArrays.objects
    /// The names that types have in the archive. Empty unless set: every type has its own name.
    public var classes = ClassRegistry()
    /// What `encode(to:)` finds in its encoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// An encoder that writes binary archives.
    public init() {}
}

// MARK: - Encoding

extension ArchiveEncoder {
    /// The archive of `value`.
    ///
    /// - Throws: What `encode(to:)` throws; `EncodingError.invalidValue` where values are nested deeper than the stack
    ///   allows, or the archive would be larger than 4 GiB; `CancellationError` if the task is cancelled meanwhile, and the
    ///   value is large.
    /// - Complexity: O(*n*), where *n* is the number of values that are encoded. A class instance is encoded once.
    public func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try data(of: value) { try $0.encodeRoot(value) }.data
    }

    /// The archive of a value that needs a configuration to encode itself.
    ///
    /// - Throws: As `encode(_:)`.
    public func encode<Value: EncodableWithConfiguration>(
        _ value: Value, configuration: Value.EncodingConfiguration
    ) throws -> Data {
        try data(of: value) {
            try $0.encodeRoot(value, configuration: configuration)
        }.data
    }

    /// The archive of a value that takes its configuration from `Provider`.
    ///
    /// - Throws: As `encode(_:)`.
    public func encode<Value: EncodableWithConfiguration, Provider: EncodingConfigurationProviding>(
        _ value: Value, configuration: Provider.Type
    ) throws -> Data where Provider.EncodingConfiguration == Value.EncodingConfiguration {
        try encode(value, configuration: configuration.encodingConfiguration)
    }

    /// Writes the archive of `value` to the file at `url`.
    ///
    /// The file is replaced as a whole: whoever reads it finds the old archive or the new one, also after the process or the
    /// machine has stopped at any moment, and where anything fails the old one is still there. For that the archive is
    /// written to a temporary file in the same folder and flushed to the disk before it takes the old one's name.
    ///
    /// The file keeps its permissions, and its owner where the process may give files away; extended attributes and access
    /// lists it does not keep. A symbolic link stays, and the file that it leads to is replaced. Where there is a device or a
    /// pipe, the archive is written to it.
    ///
    /// - Throws: As `encode(_:)`, and `CocoaError` where the file cannot be written: its code says why, and the
    ///   `POSIXError` below it.
    public func encode<Value: Encodable>(_ value: Value, to url: URL) throws {
        try ArchiveFile.write(encode(value), to: url)
    }

    /// Writes the archive of a value that needs a configuration to encode itself to the file at `url`.
    ///
    /// - Throws: As `encode(_:to:)`.
    public func encode<Value: EncodableWithConfiguration>(
        _ value: Value, configuration: Value.EncodingConfiguration, to url: URL
    ) throws {
        try ArchiveFile.write(encode(value, configuration: configuration), to: url)
    }

    /// Writes the archive of a value that takes its configuration from `Provider` to the file at `url`.
    ///
    /// - Throws: As `encode(_:to:)`.
    public func encode<Value: EncodableWithConfiguration, Provider: EncodingConfigurationProviding>(
        _ value: Value, configuration: Provider.Type, to url: URL
    ) throws where Provider.EncodingConfiguration == Value.EncodingConfiguration {
        try encode(value, configuration: configuration.encodingConfiguration, to: url)
    }

    /// The archive that `body` encodes, and the number of its objects.
    private func data(
        of value: Any, _ progress: ArchiveProgress.Handler? = nil, _ body: (EncodingSession) throws -> Void
    ) throws -> (data: Data, objectCount: Int) {
        let encoding = RootEncoding(classes: classes, userInfo: userInfo, numericArrays)
        if let progress { encoding.progress = progress }
        do {
            try body(encoding.session)
        } catch {
            encoding.giveUp()
            throw CodableErrors.encodingError(error, value)
        }
        do throws(PropertyListError) {
            let objectCount = encoding.session.writing.graph.pointee.objectCount
            let data = try encoding.session.writing.finish(outputFormat, outputFormatting)
            encoding.end()
            return (data, objectCount)
        } catch {
            encoding.giveUp()
            throw CodableErrors.notWritable(value, error)
        }
    }
}

// MARK: - Away from the caller's actor

extension ArchiveEncoder {
    /// The archive of `value`, encoded away from the caller's actor.
    ///
    /// ```swift
    /// let data = try await ArchiveEncoder().encode(library) { progress in
    ///     print(progress.completedCount)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - value: The root of the graph, which belongs to the encoding from then on: a class instance that the caller still uses
    ///     has to be `Sendable`.
    ///   - progress: What is told how many objects are encoded, on the thread that encodes; `nil` for nothing.
    /// - Throws: As `encode(_:)`, and `CancellationError` if the task is cancelled.
    /// - Complexity: As `encode(_:)`.
    public func encode<Value: Encodable>(
        _ value: sending Value, progress: (@Sendable (ArchiveProgress) -> Void)?
    ) async throws -> Data {
        try Task.checkCancellation()
        let (data, objectCount) = try data(of: value, progress) { try $0.encodeRoot(value) }
        progress?(ArchiveProgress(completedCount: objectCount, totalCount: objectCount))
        return data
    }

    /// Writes the archive of `value` to the file at `url`, away from the caller's actor.
    ///
    /// The file is replaced as by `encode(_:to:)`. If the task is cancelled while `value` is encoded, the old one is as it was.
    ///
    /// - Parameters:
    ///   - value: The root of the graph, as for `encode(_:progress:)`.
    ///   - url: Where the file is, or is going to be.
    ///   - progress: What is told how many objects are encoded, on the thread that encodes; `nil` for nothing. The last call
    ///     follows when the file is written.
    /// - Throws: As `encode(_:to:)`, and `CancellationError` if the task is cancelled.
    /// - Complexity: As `encode(_:)`.
    public func encode<Value: Encodable>(
        _ value: sending Value, to url: URL, progress: (@Sendable (ArchiveProgress) -> Void)?
    ) async throws {
        try Task.checkCancellation()
        let (data, objectCount) = try data(of: value, progress) { try $0.encodeRoot(value) }
        try Task.checkCancellation()
        try ArchiveFile.write(data, to: url)
        progress?(ArchiveProgress(completedCount: objectCount, totalCount: objectCount))
    }
}

#if canImport(Combine)
    import Combine

    extension ArchiveEncoder: TopLevelEncoder {
        /// What is encoded to.
        public typealias Output = Data
    }
#endif
