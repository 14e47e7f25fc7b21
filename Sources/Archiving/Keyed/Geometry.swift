/// Points, sizes and rectangles as Cocoa archives them: as text, `{x, y}` or `{{x, y}, {width, height}}`.
///
/// Source: NSStringFromPoint and its like in Apple's documentation; the texts are in every archive that has a frame.
enum Geometry {
    /// The text of a pair of numbers. A whole number has no fraction, as Cocoa writes it.
    static func text(_ numbers: [Double]) -> String {
        "{" + numbers.map(text).joined(separator: ", ") + "}"
    }

    /// The text of two pairs of numbers.
    static func text(_ first: [Double], _ second: [Double]) -> String {
        "{\(text(first)), \(text(second))}"
    }

    private static func text(_ number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The numbers in `text`, which has as many as are asked for, in whatever braces; nil where it has not.
    static func numbers(in text: String, count: Int) -> [Double]? {
        let parts = text.split { $0 == "{" || $0 == "}" || $0 == "," || $0 == " " }
        guard parts.count == count else { return nil }
        let numbers = parts.compactMap { Double($0) }
        return numbers.count == count ? numbers : nil
    }
}
