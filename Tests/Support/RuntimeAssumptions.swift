// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

/// The assumptions about the runtime in a run of tests.
package enum RuntimeAssumptions {
    /// Whether all are off, as the variable `ARCHIVING_PORTABLE` of the environment requests (`scripts/check-portable`). The first
    /// question turns them off.
    package static let areWithdrawn: Bool = {
        guard ProcessInfo.processInfo.environment["ARCHIVING_PORTABLE"] != nil else { return false }
        RuntimeLayout.withdrawAll()
        return true
    }()
}
