// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
        /// objects, or O(*n* log² *n*) if sets or keys of dictionaries contain objects. Class instances in sets are
        /// distinguished by their contents and by the references to them. Only very regular graphs of instances that
        /// are equal in both can still differ in their order.
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

        /// The implementation of the platform on which the program runs.
        package static var platform: FoundationReader {
            ArchiveGraph.readersRequireDateParts ? .openSource : .apple
        }
    }
}
