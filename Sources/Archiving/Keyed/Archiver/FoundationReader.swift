// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension KeyedArchiver {
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
