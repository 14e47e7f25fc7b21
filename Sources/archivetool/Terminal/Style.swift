/// What a piece of the output is, which decides on its colour. Without colours nothing is lost: they never say anything that
/// the text does not say.
enum Style: Sendable {
    /// A heading.
    case heading
    /// The key of a field.
    case key
    /// The name of a class.
    case className
    /// A string.
    case string
    /// A number, a Bool, a date.
    case number
    /// A uid, or the number of an object.
    case uid
    /// What is said of a reference: cycle, above, below.
    case mark
    /// Bytes.
    case data
    /// Damage, and what is only on the left of a comparison.
    case damage
    /// What is good, and what is only on the right of a comparison.
    case good
    /// What was left out, and other things of less weight.
    case faint

    /// The parameters of the control sequence that begins it.
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

    /// `text` in the colour, for output that has colours.
    func applied(to text: String) -> String { text.isEmpty ? "" : "\u{1B}[\(parameters)m\(text)\u{1B}[0m" }
}
