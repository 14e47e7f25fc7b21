// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Estimates the width of text on a terminal and in a picture, without a font.
enum TextWidth {
    static func monospaced(_ text: String, size: Double) -> Double {
        Double(text.unicodeScalars.reduce(0) { $0 + cells($1) }) * 0.604 * size
    }

    /// The beginning of `text` that has at most `columns` columns.
    static func prefix(of text: String, columns: Int) -> String {
        var rest = columns
        return String(
            text.unicodeScalars.prefix { scalar in
                rest -= cells(scalar)
                return rest >= 0
            })
    }

    /// The columns of a scalar: none for combining marks, two for scripts of East Asia and for emoji.
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
