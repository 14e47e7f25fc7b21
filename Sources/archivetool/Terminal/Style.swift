// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The kind of a piece of output, which has a colour. Colours add nothing to the text.
enum Style: Sendable {
    case heading, key, className, string, number, uid
    /// A mark of a reference, such as “(cycle)”.
    case mark
    case data
    /// Damage, and values of the left side of a comparison.
    case damage
    /// Values of the right side of a comparison.
    case good
    /// Omissions and other details.
    case faint

    var parameters: String {
        switch self {
        case .heading: "1"
        case .key: "36"
        case .className: "1;34"
        case .string: "32"
        case .number: "33"
        case .uid: "35"
        case .mark: "1;35"
        case .data: "2;33"
        case .damage: "1;31"
        case .good: "1;32"
        case .faint: "2"
        }
    }

    func applied(to text: String) -> String { text.isEmpty ? "" : "\u{1B}[\(parameters)m\(text)\u{1B}[0m" }
}
