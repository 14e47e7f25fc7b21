// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The runs of an NSAttributedString: parts of its text, each with a dictionary of attributes.
package struct AttributedRuns {
    /// The range of each run, and the position of its dictionary. They cover the whole text, and none is empty.
    package private(set) var runs: [(range: Range<String.Index>, position: Int)] = []
    /// The only dictionary, or the list of dictionaries; nil if the text has no attributes.
    private var attributes: ArchivedValue?
    private var list: ArchivedElements?

    /// The expected value of `NSAttributes`, in an error message.
    package var wanted: String {
        (list == nil ? "a dictionary" : "an array of dictionaries") + " whose keys are strings"
    }

    /// Reads the runs of `text`, the text of the object with `entries`.
    ///
    /// - Throws: `KeyedArchiveError` if the runs do not match the text.
    package init(of text: String, _ entries: inout ObjectEntries) throws(KeyedArchiveError) {
        guard !text.isEmpty else { return }
        let hasInfo = try entries.has("NSAttributeInfo")
        if try entries.has("NSAttributes") { attributes = try entries["NSAttributes"] }
        guard hasInfo else {
            // If the text has only one run, its attributes are stored without a list.
            runs = [(text.startIndex..<text.endIndex, 0)]
            return
        }
        guard let attributes, let list = try entries.contents.elements(of: attributes) else {
            throw entries.damaged("NSAttributes", "an array of dictionaries")
        }
        self.list = list
        // Each run has its length in UTF-16 and the position of its attributes in the list.
        guard let bytes = try entries.bytes("NSAttributeInfo"), let integers = PackedIntegers.integers(in: bytes),
            integers.count % 2 == 0
        else { throw entries.damaged("NSAttributeInfo", "data with pairs of integers") }
        var start = text.startIndex
        var rest = text.utf16.count
        for index in stride(from: 0, to: integers.count, by: 2) {
            guard let length = Int(exactly: integers[index]), length <= rest else { throw Self.badLengths(entries) }
            guard let position = Int(exactly: integers[index + 1]), position < list.count else {
                let wanted = "positions in NSAttributes, which has \(list.count) dictionaries"
                throw entries.damaged("NSAttributeInfo", wanted)
            }
            guard length > 0 else { continue }
            let end = text.utf16.index(start, offsetBy: length)
            runs.append((start..<end, position))
            start = end
            rest -= length
        }
        guard rest == 0 else { throw Self.badLengths(entries) }
    }

    private static func badLengths(_ entries: ObjectEntries) -> KeyedArchiveError {
        entries.damaged("NSAttributeInfo", "lengths of runs that add up to that of the string")
    }

    /// Returns the dictionary of attributes at `position`; nil if the text has no attributes.
    package func dictionary(
        at position: Int, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> ArchivedValue? {
        guard let list else { return attributes }
        return try contents.value(list.reference(position, in: contents))
    }
}
