// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Text for people

extension ContentGraph {
    func kind(of node: Int) -> String {
        if let name = className(of: node) { return VisibleText.name(name) }
        return switch nodes[node].shape {
        case .leaf: nodes[node].leaf.kind
        case .list: "array"
        case .set: "set"
        case .fields, .dictionary: "dictionary"
        }
    }

    /// The kind of a node and its number: `Farm #1`.
    func name(of node: Int) -> String { kind(of: node) + (nodes[node].number.map { " #\($0)" } ?? "") }
}

extension ContentGraph.Leaf {
    var kind: String {
        switch self {
        case .null, .nullObject: "nil"
        case .boolean: "Boolean"
        case .integer: "integer"
        case .real: "real"
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .uid: "uid"
        case .named(let name, _): VisibleText.name(name)
        case .bytes(let kind, _): kind
        case .damage: "damaged"
        }
    }

    /// The value on one line, with at most `limit` Unicode scalars of a string.
    func text(limit: Int) -> String {
        switch self {
        case .null: return "nil"
        case .nullObject: return "nil (not archived)"
        case .boolean(let value): return "\(value)"
        case .integer(let value): return "\(value)"
        case .real(let value, let isSingle): return isSingle ? "\(Float(value))" : "\(value)"
        case .string(let value): return VisibleText.literal(value, limit: limit)
        case .data(let value):
            let digits = value.prefix(8).map(\.hexadecimal).joined()
            return counted(value.count, "byte")
                + (digits.isEmpty ? "" : " <\(digits)\(value.count > 8 ? "…" : "")>")
        case .date(let value): return PropertyList.date(Date(timeIntervalSinceReferenceDate: value)).description
        case .uid(let value): return "uid \(value)"
        case .named("NSNull", _): return "null"
        case .named("class", let name): return "class " + VisibleText.name(name)
        // A UUID is never cut.
        case .named(_, let value): return VisibleText.shortened(value, limit: max(limit, 36))
        case .bytes(let kind, let value):
            guard let text = String(validating: value.prefix(4 * limit), as: UTF8.self) else {
                return "\(kind), \(value.count) bytes"
            }
            return kind + " " + VisibleText.literal(text, limit: limit)
        case .damage(let sentence): return "damaged: " + VisibleText.shortened(sentence, limit: max(limit, 200))
        }
    }
}

/// A number with its noun: "1 object", "2 objects", "2 entries".
func counted(_ count: Int, _ noun: String) -> String {
    guard count != 1 else { return "1 \(noun)" }
    // The key, the keys; the entry, the entries.
    let isVowelBefore = noun.dropLast().last.map("aeiou".contains) ?? false
    return "\(count) " + (noun.hasSuffix("y") && !isVowelBefore ? noun.dropLast() + "ies" : noun + "s")
}
