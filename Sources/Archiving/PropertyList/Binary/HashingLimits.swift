/// Strings that are going to be hashed, or compared with others: keys, and the names of classes.
package enum HashedText {
    /// Combining marks in a row that such a string may have. No word of any language has more than a few.
    ///
    /// Before it hashes or compares a string, Swift sorts each run of combining marks, in time that grows with the square
    /// of the run: a key of 80 KB could take a second, each time that it is looked at.
    package static let markLimit = 256

    /// Whether hashing `text` takes time in proportion to its length.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the string; O(1) for short ones.
    @inline(__always)
    package static func isSafe(_ text: String) -> Bool {
        text.utf8.count <= markLimit || hasShortRuns(text)
    }

    @inline(never)
    private static func hasShortRuns(_ text: String) -> Bool {
        var run = 0
        for scalar in text.unicodeScalars {
            // Most texts have none of the characters from the first block of combining marks up.
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

/// Sets that are elements of sets, or keys, where nobody says what is in them.
///
/// To hash a `Set<AnyHashable>` as an `AnyHashable` takes Swift several times as long as to hash its elements, so that the time
/// grows with a power of the depth: a few hundred bytes of archive could take weeks.
package enum HashedSets {
    /// How many sets may be in each other where they are hashed.
    static let depthLimit = 4

    /// Whether `value` is a set that may not be hashed, since there are sets in it, and in those, and so on.
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

    /// What an error says of such a set.
    package static let sentence =
        "sets nested in each other deeper than \(depthLimit) levels: to compare them with others would take too long"
}
