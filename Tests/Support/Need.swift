// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Testing

/// Something that a test needs, and that the machine may lack: another program, files, a right.
///
/// A test that needs one has the trait `.needs(…)`, and skips itself without it. No test returns early instead. The reason that is
/// printed has one form, by which `scripts/check-skips` knows what is missing: "needs", the name, and what helps.
package struct Need: Sendable {
    /// One or two words, which `scripts/check-skips` reads.
    let name: String
    /// How to get it.
    let remedy: String
    let isMet: @Sendable () -> Bool

    package init(_ name: String, _ remedy: String, isMet: @escaping @Sendable () -> Bool) {
        self.name = name
        self.remedy = remedy
        self.isMet = isMet
    }
}

extension Trait where Self == ConditionTrait {
    /// The test skips itself without `need`.
    package static func needs(_ need: Need) -> Self {
        .enabled("needs \(need.name): \(need.remedy)") { need.isMet() }
    }
}

// MARK: - What several suites need

extension Need {
    /// A program of this package, which SwiftPM builds with the tests.
    package static func program(_ name: String) -> Need {
        Need("program \(name)", "SwiftPM builds it with the tests") { Program.built(name) != nil }
    }

    /// Another program, in the search path.
    package static func tool(_ name: String) -> Need {
        Need("tool \(name)", "install it in the search path") { Program.installed(name) != nil }
    }

    /// Cycles through plain collections.
    package static let collectionStorage = Need("collections that are one reference", "unset ARCHIVING_PORTABLE") {
        !RuntimeAssumptions.areWithdrawn && RuntimeLayout.holds(.collections)
    }
}
