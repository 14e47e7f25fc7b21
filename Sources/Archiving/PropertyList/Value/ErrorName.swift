// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The name of a kind of an error. It is not a `String`, so that an error that is created and discarded, as by `try?`,
/// causes no allocation.
package struct ErrorName: Hashable, Sendable, CustomStringConvertible {
    private let text: StaticString

    package init(_ text: StaticString) { self.text = text }

    package var description: String { text.description }

    package static func == (left: Self, right: Self) -> Bool { left.description == right.description }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
