// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The characters that XML can represent: those of its production 2, "Char".
///
/// CoreFoundation writes and reads the others unchanged. All readers of XML itself, such as Python's plistlib, reject
/// the file.
enum XMLCharacters {
    static func include(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    /// Returns whether the character that begins with the byte `index` of `utf8` is one that XML cannot represent. The
    /// text is valid UTF-8.
    @inline(__always)
    static func isUnrepresentable(_ utf8: RawSpan, at index: Int) -> Bool {
        let byte = utf8[index]
        if byte < 0x20 { return byte != 0x09 && byte != 0x0A && byte != 0x0D }
        // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
        return byte == 0xEF && index + 2 < utf8.byteCount && utf8[index + 1] == 0xBF && utf8[index + 2] >= 0xBE
    }
}

// MARK: - Replacement

extension PropertyList {
    /// Returns the list with U+FFFD for each character that XML cannot represent, in strings and in keys, and the number
    /// of these characters.
    ///
    /// ```swift
    /// let list: PropertyList = ["title": "Bell\u{7}"]
    /// let (replaced, count) = list.replacingCharactersUnrepresentableInXML()
    /// print(replaced["title"]?.string ?? "", count)    // Bell� 1
    /// let xml = try replaced.data(format: .xml)
    /// ```
    ///
    /// XML cannot represent U+0000 to U+001F, except tab, line feed and carriage return, and U+FFFE and U+FFFF. Two
    /// keys of a dictionary may become equal; it then has both.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values and bytes of text.
    public func replacingCharactersUnrepresentableInXML() -> (list: PropertyList, count: Int) {
        var count = 0
        func replaced(_ text: String) -> String {
            guard !text.unicodeScalars.allSatisfy(XMLCharacters.include) else { return text }
            var replaced = String.UnicodeScalarView()
            for scalar in text.unicodeScalars {
                let isIncluded = XMLCharacters.include(scalar)
                replaced.append(isIncluded ? scalar : "\u{FFFD}")
                if !isIncluded { count += 1 }
            }
            return String(replaced)
        }
        let list = mapped { leaf in
            if case .string(let text) = leaf { .string(replaced(text)) } else { leaf }
        } container: { container, values in
            guard case .dictionary(let entries) = container else { return container.with(values) }
            return .dictionary(Dictionary(zip(entries, values).map { (key: replaced($0.key), value: $1) }))
        }
        return (list, count)
    }
}
