// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A text that equals only texts of the same bytes, as the keys of an archive do. Swift's strings are equal if Unicode's rules
/// for canonical equivalence make them so, such as the two spellings of "é".
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.withUTF8Span { one in right.text.withUTF8Span { one.equals($0) } }
    }

    package func hash(into hasher: inout Hasher) {
        text.withUTF8Span { hasher.combine($0) }
    }
}

extension String {
    var isASCII: Bool { withUTF8Span { $0.isASCII } }
}
