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
}

// MARK: - Reading

extension Geometry {
    /// The two numbers in `{x, y}`; nil where `text` is anything else. Spaces may be missing, or be more.
    static func pair(in text: String) -> (Double, Double)? {
        var rest = text.utf8[...]
        guard let pair = pair(&rest), isEnd(&rest) else { return nil }
        return pair
    }

    /// The four numbers in `{{x, y}, {width, height}}`; nil where `text` is anything else.
    static func pairs(in text: String) -> (Double, Double, Double, Double)? {
        var rest = text.utf8[...]
        guard skip("{", &rest), let first = pair(&rest), skip(",", &rest), let second = pair(&rest), skip("}", &rest),
            isEnd(&rest)
        else { return nil }
        return (first.0, first.1, second.0, second.1)
    }

    private static func pair(_ rest: inout Substring.UTF8View) -> (Double, Double)? {
        guard skip("{", &rest), let first = number(&rest), skip(",", &rest), let second = number(&rest),
            skip("}", &rest)
        else { return nil }
        return (first, second)
    }

    private static func skipSpaces(_ rest: inout Substring.UTF8View) {
        while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    }

    private static func isEnd(_ rest: inout Substring.UTF8View) -> Bool {
        skipSpaces(&rest)
        return rest.isEmpty
    }

    private static func skip(_ character: Unicode.Scalar, _ rest: inout Substring.UTF8View) -> Bool {
        skipSpaces(&rest)
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private static func number(_ rest: inout Substring.UTF8View) -> Double? {
        skipSpaces(&rest)
        let text = rest.prefix { byte in
            switch byte {
            // Digits, and the letters of "inf" and "nan"; no "x", since hexadecimal digits are none of Cocoa's.
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "i"), UInt8(ascii: "n"), UInt8(ascii: "f"),
                UInt8(ascii: "a"):
                true
            default: false
            }
        }
        guard let number = Double(Substring(text)) else { return nil }
        rest = rest[text.endIndex...]
        return number
    }
}
