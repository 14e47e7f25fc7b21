// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The contents of a file that is written repeatedly: a version, and contents that show whether all of them are of that version.
public struct VersionedContent: Codable, Sendable, ArchiveDescribing {
    /// The same in all programs.
    public static let archiveName = "VersionedContent"

    /// The number of the version, from which everything else follows.
    public let version: Int
    /// Up to a hundred lines, which say which version they are of.
    public let lines: [String]
    /// 10 KB to 2 MB, of which every page says which version it is of, and which page of it.
    public let bytes: Data

    /// The version `version`. The next one may be shorter, or a hundred times as long.
    public init(version: Int) {
        var numbers = Numbers(state: UInt64(truncatingIfNeeded: version))
        let floor = 10_000 << Int(numbers.next() % 8)
        let count = floor + Int(numbers.next() % UInt64(floor / 2))
        self.version = version
        lines = (0..<Int(numbers.next() % 100)).map { "version \(version), line \($0)" }
        bytes = Self.bytes(count, numbers)
    }

    /// Whether all of it is of its version. Nothing else could be in it.
    public var isWhole: Bool {
        let expected = VersionedContent(version: version)
        return lines == expected.lines && bytes == expected.bytes
    }

    /// Pages of 4 KiB that are the same but for their number: quick to make, since writers are to write.
    private static func bytes(_ count: Int, _ numbers: Numbers) -> Data {
        var numbers = numbers
        var page = (0..<512).map { _ in numbers.next() }
        var bytes = Data(capacity: count + 4096)
        while bytes.count < count {
            page[0] = UInt64(bytes.count)
            page.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        return bytes.prefix(count)
    }

    /// Numbers that follow from the first one (SplitMix64).
    private struct Numbers {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
            return bits ^ bits >> 31
        }
    }
}
