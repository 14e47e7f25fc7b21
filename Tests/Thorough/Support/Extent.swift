// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// How much of the longest suites runs: some of their cases, or all with `ARCHIVING_WHOLE=1` in the environment.
package enum Extent {
    package static let isWhole = ProcessInfo.processInfo.environment["ARCHIVING_WHOLE"] == "1"

    /// Returns all cases, or every `step`th one.
    package static func cases<Cases: Collection>(of all: Cases, every step: Int) -> [Cases.Element] {
        isWhole ? Array(all) : all.enumerated().filter { $0.offset % step == 0 }.map(\.element)
    }
}
