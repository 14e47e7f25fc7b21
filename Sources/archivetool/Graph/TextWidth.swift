/// How wide text is in a picture, for which no font can be asked.
enum TextWidth {
    /// The width of `text` in a font whose letters have the same width.
    static func monospaced(_ text: String, size: Double) -> Double {
        Double(text.unicodeScalars.reduce(0) { $0 + cells($1) }) * 0.604 * size
    }

    /// The columns that a scalar takes: none if it joins with the one in front of it, two for the scripts of East Asia and for
    /// pictures.
    private static func cells(_ scalar: Unicode.Scalar) -> Int {
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
