// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Prints the declarations in symbol graphs of the compiler, one a line; see scripts/public-interface, which runs it. Names
// those without a documentation comment on the standard error, and exits with 1 then.
//
// Writes two numbers to the file that the environment names in COUNTS: how many of the lines a user of the product learns,
// and how many of these only fulfil a requirement of a protocol. The first number is without conformances, default
// implementations, descriptions, == and hash(into:): a conformance implies them.

import Foundation

/// The part of a symbol graph that is of interest here.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { var precise: String }
        struct Kind: Decodable { var identifier: String }
        struct Fragment: Decodable { var spelling: String }
        struct Comment: Decodable {}
        struct Extension: Decodable { var constraints: [Constraint]? }

        var identifier: Identifier
        var kind: Kind
        var pathComponents: [String]
        var declarationFragments: [Fragment]
        var docComment: Comment?
        var accessLevel: String
        var swiftExtension: Extension?
    }

    struct Relationship: Decodable {
        var kind: String
        var source: String
        var target: String
        var targetFallback: String?
        var swiftConstraints: [Constraint]?
    }

    struct Constraint: Decodable {
        var kind: String
        var lhs: String
        var rhs: String

        var text: String { "\(lhs)\(kind == "sameType" ? " ==" : ":") \(rhs)" }
    }

    /// What a symbol or a conformance asks for, as it stands behind its line.
    static func text(of constraints: [Constraint]?) -> String {
        let constraints = (constraints ?? []).filter { !selfEvident.contains($0.rhs) }
        return constraints.isEmpty ? "" : "  where " + Set(constraints.map(\.text)).sorted().joined(separator: ", ")
    }

    var symbols: [Symbol]
    var relationships: [Relationship]
}

extension SymbolGraph.Symbol {
    /// The names of the types around it, and its own if it is a type; the name of a function at the top.
    var place: String {
        if isType { return pathComponents.joined(separator: ".") }
        if pathComponents.count == 1 { return String(pathComponents[0].prefix { $0 != "(" }) }
        return container
    }

    /// The names of the types around it.
    var container: String { pathComponents.dropLast().joined(separator: ".") }

    /// The declaration on one line.
    var declaration: String {
        let text = declarationFragments.map(\.spelling).joined()
        return (accessLevel == "open" ? "open " : "")
            + text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    var isType: Bool {
        let words = declaration.split(separator: " ")
        return ["struct", "class", "enum", "protocol", "actor"].contains { words.prefix(4).contains($0) }
            && !words.contains("func")
    }
}

/// What the compiler lets nearly every type conform to.
let selfEvident: Set = ["Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"]

let graphs = try CommandLine.arguments.dropFirst().map {
    try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: URL(fileURLWithPath: $0)))
}
let entries = graphs.flatMap(\.symbols)
/// All but the extensions, which say what types of other modules are called, and have no lines of their own.
let symbols = entries.filter { $0.kind.identifier != "swift.extension" }
let relationships = graphs.flatMap(\.relationships)
/// The names of types, without their modules, by the compiler's names for them.
let names = Dictionary(
    entries.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) }, uniquingKeysWith: { $1 })
let requirements = Set(relationships.filter { $0.kind == "requirementOf" }.map(\.source))
let defaults = Set(relationships.filter { $0.kind == "defaultImplementationOf" }.map(\.source))

/// The name of what a relationship leads to: without its module, if it is that of another one.
func target(of relationship: SymbolGraph.Relationship) -> String {
    if let name = names[relationship.target] { return name }
    let name = relationship.targetFallback ?? relationship.target
    return name.split(separator: ".").dropFirst().joined(separator: ".")
}

/// The names of the requirements of each protocol of the product, and of those of Swift that its types fulfil themselves.
var fulfilled = [
    "Encodable": ["encode(to:)"], "Decodable": ["init(from:)"], "RawRepresentable": ["init(rawValue:)", "rawValue"],
    "Collection": ["startIndex", "endIndex", "subscript(_:)", "Element"], "Sequence": ["Element"],
    "ExpressibleByArrayLiteral": ["init(arrayLiteral:)"],
    "ExpressibleByDictionaryLiteral": ["init(dictionaryLiteral:)"],
    "ExpressibleByStringLiteral": ["init(stringLiteral:)"], "ExpressibleByIntegerLiteral": ["init(integerLiteral:)"],
    "ExpressibleByBooleanLiteral": ["init(booleanLiteral:)"], "ExpressibleByFloatLiteral": ["init(floatLiteral:)"],
].mapValues { Set($0) }
for symbol in symbols where requirements.contains(symbol.identifier.precise) {
    fulfilled[symbol.container, default: []].insert(symbol.pathComponents.last ?? "")
}
/// The protocols that each type conforms to.
var protocols: [String: Set<String>] = [:]
for relationship in relationships where relationship.kind == "conformsTo" {
    let source = names[relationship.source] ?? relationship.source
    protocols[source, default: []].insert(target(of: relationship))
}

/// Whether a conformance implies the declaration.
@MainActor func isImplied(_ symbol: SymbolGraph.Symbol) -> Bool {
    defaults.contains(symbol.identifier.precise)
        || ["description", "debugDescription", "==(_:_:)", "hash(into:)"].contains(symbol.pathComponents.last ?? "")
}

/// Whether the declaration only fulfils a requirement of a protocol that its type conforms to.
@MainActor func fulfilsRequirement(_ symbol: SymbolGraph.Symbol) -> Bool {
    guard !requirements.contains(symbol.identifier.precise), let name = symbol.pathComponents.last else { return false }
    return protocols[symbol.container, default: []].contains { fulfilled[$0]?.contains(name) == true }
}

var counted: Set<String> = []
var fulfilling: Set<String> = []
var lines: Set<String> = []
for symbol in symbols {
    var line = "\(symbol.place)  "
    if requirements.contains(symbol.identifier.precise) { line += "requirement " }
    if defaults.contains(symbol.identifier.precise) { line += "default " }
    line += symbol.declaration
    // The declaration of a member of an extension does not say under which conditions it is there.
    line += SymbolGraph.text(of: symbol.swiftExtension?.constraints)
    lines.insert(line)
    if !isImplied(symbol) { counted.insert(line) }
    if !isImplied(symbol), fulfilsRequirement(symbol) { fulfilling.insert(line) }
}
for relationship in relationships where ["conformsTo", "inheritsFrom"].contains(relationship.kind) {
    let target = target(of: relationship)
    guard !selfEvident.contains(target) else { continue }
    let source = names[relationship.source] ?? relationship.source
    lines.insert("\(source)  : \(target)" + SymbolGraph.text(of: relationship.swiftConstraints))
}

// Byte by byte: the order of strings in Swift depends on nothing but the strings.
for line in lines.sorted() { print(line) }
if let file = ProcessInfo.processInfo.environment["COUNTS"] {
    try Data("\(counted.count) \(fulfilling.count)\n".utf8).write(to: URL(fileURLWithPath: file))
}

let undocumented = symbols.filter { $0.docComment == nil }
for symbol in undocumented.map({ "\($0.place)  \($0.declaration)" }).sorted() {
    FileHandle.standardError.write(Data("error: no documentation comment: \(symbol)\n".utf8))
}
exit(undocumented.isEmpty ? 0 : 1)
