/// How wide text is in a picture, for which no font can be asked: estimates for fonts as browsers have them, on the wide side.
enum TextWidth {
    /// The width of `text` in a font whose letters have the same width.
    static func monospaced(_ text: String, size: Double) -> Double {
        text.unicodeScalars.reduce(0) { $0 + cells($1) } * 0.604 * size
    }

    /// The width of `text` in a bold font without serifs.
    static func heading(_ text: String, size: Double) -> Double {
        text.unicodeScalars.reduce(0) { $0 + bold($1) } * size
    }

    private static func bold(_ scalar: Unicode.Scalar) -> Double {
        guard scalar.isASCII else { return cells(scalar) * 0.66 }
        switch scalar {
        case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!", " ", "(", ")", "[", "]", "f", "t", "r", "-":
            return 0.40
        case "m", "w", "M", "W", "@", "%": return 0.98
        case "A"..."Z", "<", ">", "+", "=", "&": return 0.74
        default: return 0.63
        }
    }

    /// The columns that a scalar takes: none if it joins with the one in front of it, two for the scripts of East Asia and for
    /// pictures.
    private static func cells(_ scalar: Unicode.Scalar) -> Double {
        guard !scalar.isASCII else { return 1 }
        if scalar.properties.isGraphemeExtend || scalar.properties.generalCategory == .format { return 0 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F000...0x1FAFF, 0x20000...0x3FFFF:
            return 2
        default: return 1
        }
    }
}
