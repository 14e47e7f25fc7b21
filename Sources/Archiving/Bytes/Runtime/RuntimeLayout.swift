// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The facts about Swift's runtime that the library uses and that Swift does not guarantee, with a test for each.
///
/// The first question about an assumption tests it, once per process. If a test fails, on another platform or
/// with another version of Swift, callers take the ordinary path, which is slower and gives the same results. (Without
/// `collections`, a cycle through a plain collection is an error that names `@Reference`.) A test cannot crash: it compares
/// the sizes and bits of its own values.
///
/// `withdraw(_:)` turns one off. `scripts/check-portable` runs tests without any of them.
package enum RuntimeLayout {
    /// A fact that Swift does not guarantee.
    package enum Assumption: UInt32, CaseIterable, Codable, Sendable {
        /// A keyed container of the standard library is one reference to an object. The reference count then shows that
        /// a container that a coder keeps for the next value was released (`ReusedContainer`).
        ///
        /// Source: `KeyedEncodingContainer` and `KeyedDecodingContainer` in the standard library's `Codable.swift` have
        /// one stored property, a class. They are not frozen.
        case keyedContainers
        /// An array, a set and a dictionary are one reference to their storage, which is changed in place while the program
        /// has the only other reference (`LentStorage`).
        ///
        /// Source: the collections of the standard library have one stored property. They are frozen.
        case collections
        /// Equal bits of two strings mean equal text: a string is two words, which contain a short text or refer to a
        /// longer one (`KeyCache`).
        ///
        /// Source: `StringObject.swift` of the standard library. It is frozen.
        case strings

        fileprivate var testedBit: UInt32 { 1 << rawValue }
        @inline(__always)
        fileprivate var heldBit: UInt32 { 1 << (rawValue + 16) }
    }

    /// For each assumption a bit that says whether it was tested, and 16 bits above it one that says whether it holds.
    private static let known = Atomic<UInt32>(0)

    /// Returns whether the assumption holds in this process.
    @inline(__always)
    package static func holds(_ assumption: Assumption) -> Bool {
        known.load(ordering: .relaxed) & assumption.heldBit != 0 || holdsOnceTested(assumption)
    }

    /// Tests the assumption, unless that was done before.
    @inline(never)
    private static func holdsOnceTested(_ assumption: Assumption) -> Bool {
        let bits = known.load(ordering: .relaxed)
        if bits & assumption.testedBit != 0 { return bits & assumption.heldBit != 0 }
        // Another thread gets the same result.
        let holds = LayoutProbe.confirms(assumption)
        let tested = assumption.testedBit | (holds ? assumption.heldBit : 0)
        return known.bitwiseOr(tested, ordering: .relaxed).newValue & assumption.heldBit != 0
    }

    /// Turns an assumption off until the process ends, for tests of the ordinary path.
    package static func withdraw(_ assumption: Assumption) {
        _ = holdsOnceTested(assumption)
        known.bitwiseAnd(~assumption.heldBit, ordering: .relaxed)
    }

    /// Turns all assumptions off.
    package static func withdrawAll() {
        for assumption in Assumption.allCases { withdraw(assumption) }
    }
}
