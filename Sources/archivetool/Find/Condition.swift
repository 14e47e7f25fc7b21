// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// A condition on the fields of an object: `year > 2000 && author.name contains "Jane"`.
///
///     condition   = conjunction { "||" conjunction }
///     conjunction = term { "&&" term }
///     term        = "!" term | "(" condition ")" | operand [ operator operand ]
///     operator    = "==" | "!=" | "<" | "<=" | ">" | ">=" | "contains" | "starts with"
///     operand     = path | number | text in quotes | "true" | "false" | "nil"
///     path        = name { ( "." | "/" ) name | "[" position "]" }
indirect enum Condition {
    case either([Condition])
    case all([Condition])
    case not(Condition)
    case comparison(Operand, Operator, Operand)
    case isTrue(Operand)

    enum Operand {
        case path([String])
        case constant(ContentGraph.Leaf)
    }

    enum Operator: String, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case less = "<"
        case greater = ">"
        case contains
        case startsWith = "starts with"
    }

    static let nestingLimit = 64

    init(_ text: String) throws(ToolError) {
        var parser = ConditionParser(text)
        self = try parser.parse()
    }
}

// MARK: - Evaluation

extension Condition {
    func selects(_ node: Int, in graph: inout ContentGraph) throws(ContentGraph.Refusal) -> Bool {
        let shape = graph.nodes[node].shape
        guard shape == .fields || shape == .dictionary else { return false }
        return try isTrue(for: node, in: &graph)
    }

    func isTrue(for node: Int, in graph: inout ContentGraph) throws(ContentGraph.Refusal) -> Bool {
        switch self {
        case .either(let parts):
            for part in parts where try part.isTrue(for: node, in: &graph) { return true }
            return false
        case .all(let parts):
            for part in parts where try !part.isTrue(for: node, in: &graph) { return false }
            return true
        case .not(let part): return try !part.isTrue(for: node, in: &graph)
        case .isTrue(let operand): return try operand.value(for: node, in: &graph).leaf(in: graph) == .boolean(true)
        case .comparison(let left, let sign, let right):
            let values = (try left.value(for: node, in: &graph), try right.value(for: node, in: &graph))
            // The elements of a list are compared.
            if sign == .contains, case .node(let list) = values.0 { try graph.expand(list) }
            return sign.compare(values.0, values.1, in: graph)
        }
    }
}

private enum ConditionValue {
    case leaf(ContentGraph.Leaf)
    case node(Int)

    /// The value of a leaf; nil for an object.
    func leaf(in graph: ContentGraph) -> ContentGraph.Leaf? {
        switch self {
        case .leaf(let leaf): leaf
        case .node(let node): graph.nodes[node].shape == .leaf ? graph.nodes[node].leaf : nil
        }
    }
}

extension Condition.Operand {
    fileprivate func value(
        for node: Int, in graph: inout ContentGraph
    ) throws(ContentGraph.Refusal) -> ConditionValue {
        switch self {
        case .constant(let leaf): return .leaf(leaf)
        case .path(let steps):
            var node = node
            for step in steps {
                try graph.expand(node)
                let edges = graph.edges(of: node)
                let target =
                    edges.first { graph.key(of: $0) == step }
                    ?? Int(step).flatMap { number in
                        let isList =
                            graph.nodes[node].shape == .list && edges.indices.contains(edges.startIndex + number)
                        return isList && number >= 0 ? edges[edges.startIndex + number] : nil
                    }
                // An absent value is nil.
                guard let target else { return .leaf(.null) }
                node = target.target
            }
            return .node(node)
        }
    }
}

extension Condition.Operator {
    fileprivate func compare(_ left: ConditionValue, _ right: ConditionValue, in graph: ContentGraph) -> Bool {
        switch self {
        case .equal: return isEqual(left, right, in: graph)
        case .notEqual: return !isEqual(left, right, in: graph)
        case .contains:
            if case .node(let node) = left, graph.nodes[node].shape == .list || graph.nodes[node].shape == .set {
                return graph.edges(of: node).contains { isEqual(.node($0.target), right, in: graph) }
            }
            return haveTexts(left, right, in: graph) { $0.contains($1) }
        case .startsWith: return haveTexts(left, right, in: graph) { $0.starts(with: $1) }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard let order = order(left.leaf(in: graph), right.leaf(in: graph)) else { return false }
            switch self {
            case .less: return order < 0
            case .lessOrEqual: return order <= 0
            case .greater: return order > 0
            default: return order >= 0
            }
        }
    }

    private func haveTexts(
        _ left: ConditionValue, _ right: ConditionValue, in graph: ContentGraph, _ relation: (String, String) -> Bool
    ) -> Bool {
        guard let text = left.leaf(in: graph)?.comparedText, let part = right.leaf(in: graph)?.comparedText else {
            return false
        }
        return HashedText.isSafe(text) && HashedText.isSafe(part) && relation(text, part)
    }

    private func isEqual(_ left: ConditionValue, _ right: ConditionValue, in graph: ContentGraph) -> Bool {
        guard let first = left.leaf(in: graph), let second = right.leaf(in: graph) else {
            if case .node(let left) = left, case .node(let right) = right { return left == right }
            return false
        }
        if let order = order(first, second) { return order == 0 }
        // Without an order, a real is NaN, or the other value is no number.
        if case .real = first { return false }
        return first == second
    }

    /// Returns -1, 0 or 1 for two numbers or two texts; nil for other values, and for NaN.
    private func order(_ left: ContentGraph.Leaf?, _ right: ContentGraph.Leaf?) -> Int? {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return left < right ? -1 : left > right ? 1 : 0
        case (.real(let left, _), .real(let right, _)):
            return left < right ? -1 : left > right ? 1 : left == right ? 0 : nil
        case (.integer(let left), .real(let right, _)): return order(left, right)
        case (.real(let left, _), .integer(let right)): return order(right, left).map { -$0 }
        default:
            guard let left = left?.comparedText, let right = right?.comparedText else { return nil }
            guard HashedText.isSafe(left), HashedText.isSafe(right) else {
                let (left, right) = (Array(left.utf8), Array(right.utf8))
                return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
            }
            return left < right ? -1 : left > right ? 1 : 0
        }
    }

    private func order(_ left: Int128, _ right: Double) -> Int? {
        guard !right.isNaN else { return nil }
        guard let whole = Int128(exactly: right.rounded(.down)) else { return right > 0 ? -1 : 1 }
        if left != whole { return left < whole ? -1 : 1 }
        return right == right.rounded(.down) ? 0 : -1
    }
}

extension ContentGraph.Leaf {
    fileprivate var comparedText: String? {
        switch self {
        case .string(let text): text
        case .bytes(_, let bytes): String(validating: bytes, as: UTF8.self)
        case .date, .named: text(limit: .max)
        default: nil
        }
    }
}

// MARK: - Parsing

private struct ConditionParser {
    private let characters: [Character]
    private var position = 0
    private var depth = 0

    init(_ text: String) { characters = Array(text) }

    mutating func parse() throws(ToolError) -> Condition {
        let condition = try disjunction()
        skipSpace()
        guard position == characters.count else { throw error("“&&”, “||” or the end is missing") }
        return condition
    }

    private mutating func disjunction() throws(ToolError) -> Condition {
        var parts = [try conjunction()]
        while take("||") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .either(parts)
    }

    private mutating func conjunction() throws(ToolError) -> Condition {
        var parts = [try term()]
        while take("&&") { parts.append(try term()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func term() throws(ToolError) -> Condition {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Condition.nestingLimit else {
            throw error("there are more than \(Condition.nestingLimit) levels of “!” and parentheses")
        }
        if take("!") { return .not(try term()) }
        if take("(") {
            let condition = try disjunction()
            guard take(")") else { throw error("“)” is missing") }
            return condition
        }
        let left = try operand()
        guard let sign = sign() else { return .isTrue(left) }
        return .comparison(left, sign, try operand())
    }

    private mutating func sign() -> Condition.Operator? {
        for sign in Condition.Operator.allCases where sign != .contains && sign != .startsWith {
            if take(sign.rawValue) { return sign }
        }
        let start = position
        switch word() {
        case "contains": return .contains
        case "starts" where word() == "with": return .startsWith
        default:
            position = start
            return nil
        }
    }

    private mutating func operand() throws(ToolError) -> Condition.Operand {
        skipSpace()
        guard let first = peek else { throw error("a value is missing at the end") }
        if first == "\"" || first == "'" { return .constant(.string(try quoted(first))) }
        if first.isNumberStart { return .constant(try number()) }
        guard let name = word() else { throw error("“\(first)” begins no value") }
        switch name {
        case "true": return .constant(.boolean(true))
        case "false": return .constant(.boolean(false))
        case "nil", "null": return .constant(.null)
        default: break
        }
        var steps = [name]
        while let next = peek, next == "." || next == "/" || next == "[" {
            position += 1
            guard let step = word(withoutSpace: true) else { throw error("a step of the path “\(name)” is missing") }
            if next == "[" {
                guard peek == "]" else { throw error("“]” is missing") }
                position += 1
            }
            steps.append(step)
        }
        return .path(steps)
    }

    private mutating func quoted(_ quote: Character) throws(ToolError) -> String {
        position += 1
        var text = ""
        while let next = peek, next != quote {
            position += 1
            if next == "\\", let escaped = peek {
                text.append(escaped)
                position += 1
            } else {
                text.append(next)
            }
        }
        guard peek == quote else { throw error("the text in quotes has no end") }
        position += 1
        return text
    }

    private mutating func number() throws(ToolError) -> ContentGraph.Leaf {
        var text = ""
        while let next = peek, next.isNumberStart || next == "." || next == "e" || next == "E" {
            text.append(next)
            position += 1
        }
        if let integer = Int128(text) { return .integer(integer) }
        if let real = Double(text) { return .real(real, isSingle: false) }
        throw error("“\(text)” is no number")
    }

    private mutating func word(withoutSpace: Bool = false) -> String? {
        if !withoutSpace { skipSpace() }
        var text = ""
        while let next = peek, next.isLetter || next.isNumber || next == "_" || next == "$" {
            text.append(next)
            position += 1
        }
        return text.isEmpty ? nil : text
    }

    private var peek: Character? { position < characters.count ? characters[position] : nil }

    private mutating func skipSpace() {
        while let next = peek, next.isWhitespace { position += 1 }
    }

    private mutating func take(_ text: String) -> Bool {
        skipSpace()
        let text = Array(text)
        guard characters[position...].starts(with: text) else { return false }
        // “!” of “!=” is no negation.
        if text == ["!"], position + 1 < characters.count, characters[position + 1] == "=" { return false }
        position += text.count
        return true
    }

    private func error(_ problem: String) -> ToolError {
        let rest = String(characters[min(position, characters.count)...].prefix(20))
        let place = rest.isEmpty ? "" : ", before “\(rest)”"
        return ToolError(.usage, "The condition is not understood\(place): \(problem)")
    }
}

extension Character {
    fileprivate var isNumberStart: Bool { isASCII && isNumber || self == "-" || self == "+" }
}
