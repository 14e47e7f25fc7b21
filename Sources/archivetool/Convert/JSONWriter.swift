// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Writes JSON, with a line for each value, in the colours of the output. It escapes invisible characters, so that the text is
/// safe for a terminal.
struct JSONWriter {
    private let output: Output
    private let isCompact: Bool
    private var open: [Level] = []

    private struct Level {
        let end: String
        var isEmpty = true
        let isInline: Bool
        var isPastKey = false
    }

    /// Levels of indentation, so that long chains do not take quadratic space.
    private static let indentationLimit = 64
    private static let lineStarts = (0...indentationLimit).map { "\n" + String(repeating: "  ", count: $0) }

    init(to output: Output, isCompact: Bool = false) {
        self.output = output
        self.isCompact = isCompact
    }

    // MARK: - Containers

    /// Begins an object, which is written on one line if it is inline.
    mutating func beginObject(isInline: Bool = false) { begin("{", "}", isInline) }

    mutating func beginArray(isInline: Bool = false) { begin("[", "]", isInline) }

    mutating func end() {
        guard let level = open.popLast() else { return }
        if !level.isEmpty, !level.isInline { startLine() }
        put(level.end)
        if open.isEmpty { put("\n") }
    }

    mutating func key(_ key: String) {
        startValue()
        putString(key, .key)
        put(isCompact ? ":" : ": ")
        if !open.isEmpty { open[open.count - 1].isPastKey = true }
    }

    private mutating func begin(_ start: String, _ end: String, _ isInline: Bool) {
        startValue()
        put(start)
        open.append(Level(end: end, isInline: isInline || isCompact || open.last?.isInline == true))
    }

    private mutating func startValue() {
        guard !open.isEmpty else { return }
        let last = open.count - 1
        if open[last].isPastKey {
            open[last].isPastKey = false
            return
        }
        if !open[last].isEmpty { put(open[last].isInline && !isCompact ? ", " : ",") }
        open[last].isEmpty = false
        if !open[last].isInline { startLine() }
    }

    private mutating func startLine() {
        put(Self.lineStarts[min(open.count, Self.indentationLimit)])
    }

    // MARK: - Leaves

    mutating func string(_ text: String) {
        startValue()
        putString(text, .string)
        endLeaf()
    }

    mutating func literal(_ text: String) {
        startValue()
        output.write(text, .number)
        endLeaf()
    }

    private mutating func endLeaf() {
        if open.isEmpty { put("\n") }
    }

    // MARK: - Text

    private mutating func put(_ text: String) {
        output.write(text)
    }

    private mutating func putString(_ text: String, _ style: Style) {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
            guard !output.hasColor else { return output.write("\"" + text + "\"", style) }
            put("\"")
            put(text)
            put("\"")
            return
        }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22: quoted += "\\\""
            case 0x5C: quoted += "\\\\"
            case 0x08: quoted += "\\b"
            case 0x09: quoted += "\\t"
            case 0x0A: quoted += "\\n"
            case 0x0C: quoted += "\\f"
            case 0x0D: quoted += "\\r"
            default:
                if ReadableText.isInvisible(scalar) {
                    for unit in String(scalar).utf16 { quoted += Self.escape(unit) }
                } else {
                    quoted.unicodeScalars.append(scalar)
                }
            }
        }
        output.write(quoted + "\"", style)
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

// MARK: - Trees

extension JSONWriter {
    private enum Step {
        case value(PropertyList)
        case element([PropertyList], Int)
        case entry(PropertyList.Dictionary, Int)
        case end
    }

    /// Writes a tree of JSON values. It does not recurse.
    ///
    /// - Parameter isInline: Whether a container is written on one line; by default one that represents a single value.
    mutating func write(_ tree: PropertyList, inline isInline: (PropertyList) -> Bool = \.isTagged) {
        var remaining: [Step] = [.value(tree)]
        while let step = remaining.popLast() {
            switch step {
            case .end: end()
            case .element(let elements, let position):
                if position + 1 < elements.count { remaining.append(.element(elements, position + 1)) }
                remaining.append(.value(elements[position]))
            case .entry(let entries, let position):
                if position + 1 < entries.count { remaining.append(.entry(entries, position + 1)) }
                key(entries[position].key)
                remaining.append(.value(entries[position].value))
            case .value(.array(let elements)):
                beginArray(isInline: isInline(.array(elements)))
                remaining += [.end] + (elements.isEmpty ? [] : [.element(elements, 0)])
            case .value(.dictionary(let entries)):
                beginObject(isInline: isInline(.dictionary(entries)))
                remaining += [.end] + (entries.isEmpty ? [] : [.entry(entries, 0)])
            case .value(.string(let text)): string(text)
            case .value(.null): literal("null")
            case .value(.integer(let value)): literal(Int(exactly: value).map { "\($0)" } ?? "\(value)")
            case .value(.real(let value)): literal("\(value)")
            case .value(.real32(let value)): literal("\(value)")
            case .value(let leaf): literal(leaf.description)
            }
        }
    }
}

extension Output {
    func write(json tree: PropertyList, inline isInline: (PropertyList) -> Bool = \.isTagged) {
        var writer = JSONWriter(to: self)
        writer.write(tree, inline: isInline)
    }
}

extension PropertyList {
    static func fields(_ fields: [(String, PropertyList?)]) -> PropertyList {
        .dictionary(PropertyList.Dictionary(fields.compactMap { key, value in value.map { (key, $0) } }))
    }

    static func count(_ number: Int) -> PropertyList { .integer(Int128(number)) }

    private var isLeaf: Bool { array == nil && dictionary == nil }

    /// Whether it is a dictionary of one leaf whose key begins with one “$”.
    fileprivate var isTagged: Bool {
        guard let entries = dictionary, entries.count == 1 else { return false }
        return entries[0].key.hasPrefix("$") && !entries[0].key.hasPrefix("$$") && entries[0].value.isLeaf
    }

    var isFlat: Bool { dictionary?.allSatisfy(\.value.isLeaf) ?? false }
}
