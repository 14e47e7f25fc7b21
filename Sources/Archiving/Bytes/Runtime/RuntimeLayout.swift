// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The facts about Swift's runtime that the library uses and that Swift does not guarantee, with a test for each.
///
/// The first question about an assumption tests it, once per process. If a test fails, on another platform or
/// with another version of Swift, callers take the ordinary path, which is slower and gives the same results. (Without
/// `storedProperties`, a cycle through plain properties is an error that names `@Reference`.) A test cannot crash: it asks
/// the runtime for the description of its types before it reads memory by that description, and it reads only its own
/// values. No fact about the storage of values is used elsewhere.
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
        /// An array, a set and a dictionary are one reference to their storage. An array can be stored as a reference
        /// (`Reinterpretation.initialize`), and a property with the same storage is found (`Placeholder`).
        ///
        /// Source: the collections of the standard library have one stored property. They are frozen.
        case collections
        /// Equal bits of two strings mean equal text: a string is two words, which contain a short text or refer to a
        /// longer one (`KeyCache`).
        ///
        /// Source: `StringObject.swift` of the standard library. It is frozen.
        case strings
        /// The runtime describes the stored properties of a class, and where they are (`StoredProperty`).
        ///
        /// Source: the functions that `Mirror` uses. They are a part of the runtime's stable binary interface on Apple's
        /// platforms, as are the records in `docs/ABI/TypeMetadata.rst` of the Swift project.
        case storedProperties
        /// The runtime creates a type from its mangled name (`ExistentialMetatype`).
        ///
        /// Source: `docs/ABI/Mangling.rst` of the Swift project; stable on Apple's platforms.
        case mangledNames

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
