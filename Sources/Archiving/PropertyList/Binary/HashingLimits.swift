// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Limits for strings that are hashed, or compared with others: keys and class names.
package enum HashedText {
    /// The number of consecutive combining marks that such a string may have. No word of any language has more than a
    /// few.
    ///
    /// Before it hashes or compares a string, Swift sorts each run of combining marks, in time that grows with the
    /// square of the run's length: a key of 80 KB could take a second at every comparison.
    package static let markLimit = 256

    /// Returns whether hashing `text` takes time in proportion to its length.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the string; O(1) for short ones.
    @inline(__always)
    package static func isSafe(_ text: String) -> Bool {
        text.utf8.count <= markLimit || hasShortRuns(text)
    }

    /// Returns whether the texts are equal. If comparing them would take too long, only equal bytes make them equal.
    package static func areEqual(_ text: String, _ other: String) -> Bool {
        text.utf8.elementsEqual(other.utf8) || isSafe(text) && isSafe(other) && text == other
    }

    @inline(never)
    private static func hasShortRuns(_ text: String) -> Bool {
        var run = 0
        for scalar in text.unicodeScalars {
            // Most texts have no characters at or above the first block of combining marks.
            if scalar.value < 0x300 || scalar.properties.canonicalCombiningClass == .notReordered {
                run = 0
            } else {
                run += 1
                if run > markLimit { return false }
            }
        }
        return true
    }
}

/// Limits for sets that are elements of sets, or keys, if no type determines their elements.
///
/// Swift takes several times as long to hash a `Set<AnyHashable>` as an `AnyHashable` as to hash its elements. So the
/// time grows exponentially with the depth: a few hundred bytes of archive could take weeks.
package enum HashedSets {
    static let depthLimit = 4

    /// Returns whether `value` is a set that may not be hashed, since it contains sets to a depth of `depthLimit`
    /// levels.
    ///
    /// - Complexity: O(*n*), where *n* is the number of elements down to the limit; O(1) for anything but a set.
    package static func areTooDeep(_ value: Any) -> Bool {
        guard let set = value as? Set<AnyHashable> else { return false }
        return depth(of: set, depthLimit) >= depthLimit
    }

    private static func depth(of set: Set<AnyHashable>, _ limit: Int) -> Int {
        guard limit > 1 else { return 1 }
        return 1
            + set.reduce(0) { most, element in
                (element.base as? Set<AnyHashable>).map { max(most, depth(of: $0, limit - 1)) } ?? most
            }
    }

    package static let sentence =
        "sets nested in each other deeper than \(depthLimit) levels: to compare them with others would take too long"
}
