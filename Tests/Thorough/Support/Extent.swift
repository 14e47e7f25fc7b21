// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// How much of the longest suites runs: some of their cases, or all with `ARCHIVING_WHOLE=1` in the environment.
package enum Extent {
    package static let isWhole = ProcessInfo.processInfo.environment["ARCHIVING_WHOLE"] == "1"

    /// Returns all cases, or every `step`th one; each number `first` has others of them.
    package static func cases<Cases: Collection>(of all: Cases, every step: Int, from first: Int = 0) -> [Cases.Element]
    {
        isWhole ? Array(all) : all.enumerated().filter { $0.offset % step == first % step }.map(\.element)
    }

    /// Returns `whole`, or the part of it that is enough to show that something works.
    package static func count(_ part: Int, of whole: Int) -> Int { isWhole ? whole : part }

    /// Whether the leak sanitizer looks at what the tests leave, with `ARCHIVING_LEAKS=1` in the environment.
    package static let looksForLeaks = ProcessInfo.processInfo.environment["ARCHIVING_LEAKS"] == "1"
}
