// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Encodes values as keyed archives. An archive stores each class instance once, however many references it has.
///
/// ```swift
/// let data = try ArchiveEncoder().encode(farm)
/// let again = try ArchiveDecoder().decode(Farm.self, from: data)
/// ```
///
/// An encoder is a value that holds only settings. It can be reused, and used by many tasks at once. It writes the
/// archive format of Cocoa's `NSKeyedArchiver`, which `NSKeyedUnarchiver` reads.
///
/// It has no unknown keys to keep, because it writes only what the value encodes. An `ArchiveDocument` of the product
/// `ArchiveDocuments` keeps those of its file.
public struct ArchiveEncoder: Sendable {
    /// The format of the archive: binary by default.
    public var outputFormat = PropertyListFormat.binary
    /// Options for the bytes of the archive: none by default.
    public var outputFormatting: OutputFormatting = []
    /// The implementation of Foundation that reads the archive: that of the platform by default.
    public var foundationReader = FoundationReader.platform
    /// The checksum of the archive: none by default. With one, `encode` takes a second pass over the bytes of the archive.
    public var checksum = ArchiveChecksum.none
    /// The limits on the encoded values.
    public var limits = EncodingLimits()
    /// The names that types have in the archive. Empty by default: every type has its own name.
    public var classes: ClassRegistry
    /// The `userInfo` of the encoders that `encode(to:)` receives.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder of binary archives.
    ///
    /// - Parameter classes: The names that types have in the archive.
    public init(classes: ClassRegistry = ClassRegistry()) { self.classes = classes }
}

// MARK: - Options

extension ArchiveEncoder {
    /// Options for the arrangement of an archive's bytes.
    public struct OutputFormatting: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The same value gives the same bytes in every process: keys are sorted, and so are the elements of sets and
        /// the entries of dictionaries, whose order in memory differs from run to run.
        ///
        /// The option requires a second pass over the archive. It takes O(*n* log *n*) time, where *n* is the number of
        /// objects, or O(*n* log² *n*) if a set, or the keys of a dictionary, have several structs or instances. Those are
        /// distinguished by their contents and by the references to them. Only very regular graphs of instances that are
        /// equal in both can still differ in their order.
        public static let sortedKeys = OutputFormatting(rawValue: 1 << 0)
    }

    /// An implementation of Foundation, whose `NSKeyedUnarchiver` reads the archive.
    ///
    /// ```swift
    /// var encoder = ArchiveEncoder()
    /// encoder.foundationReader = .apple
    /// let data = try encoder.encode(DateComponents(year: 2026, month: 11))
    /// ```
    ///
    /// Only `DateComponents` without a calendar or without a time zone need it: no form of these is read by both
    /// implementations. The default is the implementation of the platform on which the archive is written. A program on
    /// Linux whose archives are read on Apple's platforms sets `.apple`. Decoders of this library read all forms without a
    /// setting.
    public enum FoundationReader: Hashable, Sendable {
        /// Foundation of macOS, iOS and Apple's other platforms. It refuses a calendar or a time zone that is
        /// nil, so the archive has no key for it.
        case apple
        /// Foundation of Linux, Windows and other platforms, `swift-corelibs-foundation`. It refuses an absent key, so
        /// the archive has a calendar or a time zone that is nil.
        case openSource

        package static var platform: FoundationReader {
            ArchiveGraph.readersRequireDateParts ? .openSource : .apple
        }
    }
}

// MARK: - Encoding

extension ArchiveEncoder {
    /// Returns the archive of `value`.
    ///
    /// - Throws: Errors of `encode(to:)`. `EncodingError.invalidValue` if values are nested deeper than the stack or
    ///   `limits` allow, or if the archive would exceed 4 GiB. Its `codingPath` is shortened as by `ArchiveDecoder`.
    ///   `CancellationError` if the task is cancelled during the encoding of a large value.
    /// - Complexity: O(*n*), where *n* is the number of encoded values. A class instance is encoded once.
    public func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try data(of: value) { try $0.encodeRoot(value) }.data
    }

    /// Returns the archive of a value that needs a configuration to encode itself.
    ///
    /// - Throws: The errors of `encode(_:)`.
    public func encode<Value: EncodableWithConfiguration>(
        _ value: Value, configuration: Value.EncodingConfiguration
    ) throws -> Data {
        try data(of: value) {
            try $0.encodeRoot(value, configuration: configuration)
        }.data
    }

    /// Writes the archive of `value` to the file at `url`.
    ///
    /// The file is replaced as a whole. A reader finds either the old or the new archive, even if the process or the
    /// machine stops at any moment. An error leaves the old file in place. The encoder writes the archive to a
    /// temporary file in the same folder, flushes it to the disk, and renames it.
    ///
    /// The file keeps its permissions, its extended attributes and access control lists as far as the system allows, and its owner if the
    /// process may change owners. If `url` is a symbolic link, the linked file is replaced. If it is a device or a pipe,
    /// the archive is written to it.
    ///
    /// - Throws: The errors of `encode(_:)`. `CocoaError` if the file cannot be written: its code and its underlying
    ///   `POSIXError` have the reason.
    public func encode<Value: Encodable>(_ value: Value, to url: URL) throws {
        try ArchiveFile.write(encode(value), to: url)
    }

    /// Writes the archive of a value that needs a configuration to encode itself to the file at `url`.
    ///
    /// - Throws: The errors of `encode(_:to:)`.
    public func encode<Value: EncodableWithConfiguration>(
        _ value: Value, configuration: Value.EncodingConfiguration, to url: URL
    ) throws {
        try ArchiveFile.write(encode(value, configuration: configuration), to: url)
    }

    private func data<Value>(
        of value: borrowing Value, _ progress: ArchiveProgress.Handler? = nil, _ body: (EncodingSession) throws -> Void
    ) throws -> (data: Data, objectCount: Int) {
        let encoding = RootEncoding(self, progress)
        do {
            try body(encoding.session)
        } catch {
            throw EncodingError.converted(error, copy value)
        }
        let (unregistered, objectCount) = (encoding.session.graph.unregisteredTypes, encoding.session.graph.objectCount)
        let data: Data
        let refused: UnregisteredTypes?
        do throws(PropertyListError) {
            data = try encoding.session.finish(outputFormat, isCanonical: outputFormatting.contains(.sortedKeys))
            refused = UnregisteredTypes(unregistered, classes, in: try KeyedArchive(data))
        } catch {
            throw EncodingError.notWritable(copy value, error)
        }
        if let refused { throw EncodingError.invalid(copy value, path: refused.path) { _, _ in refused.sentence } }
        return (data, objectCount)
    }
}

/// A call that writes an archive. Its session ends with it.
struct RootEncoding: ~Copyable {
    let session: EncodingSession

    init(_ encoder: borrowing ArchiveEncoder, _ progress: ArchiveProgress.Handler? = nil) {
        self.init(EncodingSession.begin(), encoder)
        if let progress { session.meter.progress = progress }
    }

    /// Begins an encoding in which types with declared fields encode themselves.
    init(ignoringFields encoder: borrowing ArchiveEncoder) {
        let session = EncodingSession()
        session.changeExtras { $0.purpose = .comparison }
        self.init(session, encoder)
    }

    private init(_ session: EncodingSession, _ encoder: borrowing ArchiveEncoder) {
        self.session = session
        let graph = session.graph
        if !encoder.classes.isEmpty { graph.classes = encoder.classes }
        let userInfo = encoder.userInfo
        if !userInfo.isEmpty { session.changeExtras { $0.userInfo = userInfo } }
        graph.writesAbsentDateParts = encoder.foundationReader == .openSource
        if encoder.checksum == .crc64 { graph.hasChecksum = true }
        session.meter.limits = encoder.limits
    }

    deinit { session.end() }
}

// MARK: - Outside the caller's actor

extension ArchiveEncoder {
    /// Returns the archive of `value`, encoded outside the caller's actor.
    ///
    /// ```swift
    /// let data = try await ArchiveEncoder().encode(library) { progress in
    ///     print(progress.completedCount)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - value: The root of the graph. The encoder takes it over: a class instance that the caller still uses has to
    ///     be `Sendable`.
    ///   - progress: A closure that receives the number of encoded objects, on the encoding thread; `nil` for no
    ///     reports.
    /// - Returns: The archive.
    /// - Throws: The errors of `encode(_:)`, and `CancellationError` if the task is cancelled.
    /// - Complexity: As for `encode(_:)`.
    public func encode<Value: Encodable>(
        _ value: sending Value, progress: (@Sendable (ArchiveProgress) -> Void)?
    ) async throws -> Data {
        try Task.checkCancellation()
        let (data, objectCount) = try data(of: value, progress) { try $0.encodeRoot(value) }
        progress?(ArchiveProgress(completedCount: objectCount, totalCount: objectCount))
        return data
    }

    /// Writes the archive of `value` to the file at `url`, outside the caller's actor.
    ///
    /// The file is replaced as by `encode(_:to:)`. If the task is cancelled during the encoding, the old file is
    /// unchanged.
    ///
    /// - Parameters:
    ///   - value: The root of the graph, as for `encode(_:progress:)`.
    ///   - url: The location of the file.
    ///   - progress: A closure that receives the number of encoded objects, on the encoding thread; `nil` for no
    ///     reports. The last call follows after the file is written.
    /// - Throws: The errors of `encode(_:to:)`, and `CancellationError` if the task is cancelled.
    /// - Complexity: As for `encode(_:)`.
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
        /// The type of an encoded value.
        public typealias Output = Data
    }
#endif
