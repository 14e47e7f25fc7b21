// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What became of the values that an archive was decoded as when they were encoded and decoded again.
public struct Repetition: Sendable {
    /// How many types the root was decoded as.
    public private(set) var valueCount = 0
    /// A sentence for each value that was another one afterwards.
    public private(set) var differences: [String] = []

    /// Decodes the root of the archive in `data` as the types it may be, and what that gives once more.
    public init(of data: Data) {
        guard let archive = try? KeyedArchive(data) else { return }
        for subject in Subject.subjects(of: archive) {
            guard case .value = subject.reading(data) else { continue }
            valueCount += 1
            if let sentence = subject.again(data) { differences.append("a \(subject.name) \(sentence)") }
        }
    }
}
