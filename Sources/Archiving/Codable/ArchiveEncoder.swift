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
    public struct OutputFormatting: OptionSet, Sendable {
        /// The bits of the options.
        public let rawValue: UInt

        /// Options from their bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The same value gives the same bytes in every process: keys are sorted, and so are the elements of sets and the
        /// entries of dictionaries, whose order in memory differs from run to run.
        ///
        /// It costs a second pass over the archive, in O(*n* log *n*), where *n* is the number of objects, or
        /// O(*n* log² *n*) where sets or keys of dictionaries hold objects. Class instances in sets are told apart by
        /// what they hold and by what refers to them. Only very regular graphs of instances that are equal in all of
        /// that can still differ in their order.
        public static let sortedKeys = OutputFormatting(rawValue: 1 << 0)
    }

    /// Binary, unless set.
    public var outputFormat = PropertyListFormat.binary
    /// None, unless set.
    public var outputFormatting: OutputFormatting = []
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
    ///   allows, or the archive would be larger than 4 GiB.
    /// - Complexity: O(*n*), where *n* is the number of values that are encoded. A class instance is encoded once.
    public func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try data(of: value) { try $0.encodeRoot(value) }
    }

    /// The archive of a value that needs a configuration to encode itself.
    ///
    /// - Throws: As `encode(_:)`.
    public func encode<Value: EncodableWithConfiguration>(
        _ value: Value, configuration: Value.EncodingConfiguration
    ) throws -> Data {
        try data(of: value) {
            try $0.encodeRoot(value, configuration: configuration)
        }
    }

    /// Writes the archive of `value` to the file at `url`.
    ///
    /// The file is replaced as a whole: whoever reads it finds the old archive or the new one, and where anything fails
    /// the old one is still there.
    ///
    /// - Throws: As `encode(_:)`, and what the file system reports.
    public func encode<Value: Encodable>(_ value: Value, to url: URL) throws {
        try encode(value).write(to: url, options: .atomic)
    }

    private func data(of value: Any, _ body: (EncodingSession) throws -> Void) throws -> Data {
        let session = EncodingSession.begin(classes: classes, userInfo: userInfo)
        do {
            try body(session)
        } catch {
            session.close()
            throw error
        }
        defer { session.end() }
        do throws(PropertyListError) {
            var bytes = try session.finish()
            if outputFormatting.contains(.sortedKeys) { bytes = try replace(bytes, CanonicalArchive.bytes(of:)) }
            if outputFormat == .xml { bytes = try replace(bytes, XMLPropertyListWriter.xml(of:)) }
            return Data(owning: bytes)
        } catch {
            throw CodableErrors.notWritable(value, error)
        }
    }

    /// What `transform` makes of the property list in `bytes`, which are released.
    private func replace(
        _ bytes: UnsafeMutableRawBufferPointer,
        _ transform: (BinaryPropertyListReader) throws(PropertyListError) -> UnsafeMutableRawBufferPointer
    ) throws(PropertyListError) -> UnsafeMutableRawBufferPointer {
        defer { if let base = bytes.baseAddress { Platform.release(base) } }
        return try transform(try BinaryPropertyListReader(UnsafeRawBufferPointer(bytes)))
    }
}

#if canImport(Combine)
    import Combine

    extension ArchiveEncoder: TopLevelEncoder {
        /// What is encoded to.
        public typealias Output = Data
    }
#endif
