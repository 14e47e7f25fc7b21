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

    /// Replaces each character of `text` that XML cannot represent by U+FFFD, and returns their number.
    fileprivate static func replace(in text: inout String) -> Int {
        guard !text.unicodeScalars.allSatisfy(include) else { return 0 }
        var count = 0
        var replaced = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isIncluded = include(scalar)
            replaced.append(isIncluded ? scalar : "\u{FFFD}")
            if !isIncluded { count += 1 }
        }
        text = String(replaced)
        return count
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
        var replacement = XMLReplacement()
        let list = replacement.list(self)
        return (list, replacement.count)
    }
}

private struct XMLReplacement {
    private(set) var count = 0
    private var levels: [Level] = []

    private struct Level {
        let container: PropertyList
        var made: [PropertyList] = []

        var next: PropertyList? {
            switch container {
            case .array(let elements), .set(let elements): made.count < elements.count ? elements[made.count] : nil
            case .dictionary(let entries): made.count < entries.count ? entries[made.count].value : nil
            default: nil
            }
        }
    }

    mutating func list(_ list: PropertyList) -> PropertyList {
        var finished = begin(list)
        while let last = levels.indices.last {
            if let value = finished { levels[last].made.append(value) }
            if let next = levels[last].next {
                finished = begin(next)
            } else {
                finished = end(levels.removeLast())
            }
        }
        return finished ?? list
    }

    /// Returns a leaf with its characters replaced. For a container, adds a level and returns nil.
    private mutating func begin(_ list: PropertyList) -> PropertyList? {
        switch list {
        case .string(let text): return .string(replaced(text))
        case .array, .set, .dictionary:
            levels.append(Level(container: list))
            return nil
        default: return list
        }
    }

    private mutating func end(_ level: Level) -> PropertyList {
        switch level.container {
        case .set: return .set(level.made)
        case .dictionary(let entries):
            var keys: [String] = []
            for entry in entries { keys.append(replaced(entry.key)) }
            return .dictionary(PropertyList.Dictionary(zip(keys, level.made).map { (key: $0, value: $1) }))
        default: return .array(level.made)
        }
    }

    private mutating func replaced(_ text: String) -> String {
        var text = text
        count += XMLCharacters.replace(in: &text)
        return text
    }
}
