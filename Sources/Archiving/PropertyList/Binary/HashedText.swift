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
