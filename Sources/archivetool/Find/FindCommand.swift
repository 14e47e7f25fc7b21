// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension Command {
    static let find = Command(
        name: "find",
        summary: "Find values by class, key, value, path or condition.",
        operands: [
            .file,
            .init(name: "PATTERN", help: "The paths to search; all paths without it.", isOptional: true),
        ],
        options: [
            Search.className, Search.key, Search.value, Search.condition, Search.json, Search.count, Search.quiet,
        ],
        discussion: """
            Writes a line for each value that meets all conditions: its path, for --path, and the value. PATTERN is a path \
            as for --path, in which “[*]” and “*” match any step, and “..” and “**” any number of steps. In all options, \
            “*” matches any text.

            A condition compares fields of an object with ==, !=, <, <=, >, >=, “contains” and “starts with”: fields of \
            referenced objects, as in author.name, elements, as in tags[0], numbers, texts in quotes, true, false and \
            nil. &&, ||, ! and parentheses combine comparisons.

            The exit status is 0 if a value was found, and 1 if none was.
            """,
        examples: [
            .init("archivetool find farm.plist 'root..animals[*].name'", "The names of animals in lists of that name."),
            .init("archivetool find nib.plist --class 'NS*Button' --json", "For programs, with uids."),
            .init(
                "archivetool find farm.plist --where 'milk > 10 && name contains \"Bel\"'", "By the fields of objects."),
            .init("archivetool find farm.plist --value '*Bella*' --quiet && echo found", "For scripts."),
        ],
        run: { arguments, session in try Search(arguments).run(in: session) })
}

private struct Search {
    static let className = Option(
        name: "class", value: "NAME",
        help: "Objects if NAME matches their class or one of its superclasses, with or without the name of its module.")
    static let key = Option(name: "key", value: "KEY", help: "Values whose key matches KEY.")
    static let value = Option(
        name: "value", value: "TEXT", help: "Strings, numbers and other leaves that match TEXT, as “show” writes them.")
    static let condition = Option(
        name: "where", value: "CONDITION", help: "Objects whose fields satisfy CONDITION, such as 'year > 2000'.")
    static let json = Option(
        name: "json", help: "Write a list of objects with “path”, and “uid”, “class” and “value” if there are any.")
    static let count = Option(name: "count", help: "Write only the number of values.")
    static let quiet = Option(name: "quiet", letter: "q", help: "Write nothing.")

    private let arguments: Arguments
    private let isEverywhere: Bool
    private let pattern: PlacePattern
    private let className: Glob?
    private let key: Glob?
    private let value: Glob?
    private let condition: Condition?

    init(_ arguments: Arguments) throws(ToolError) {
        self.arguments = arguments
        isEverywhere = arguments.operands.count < 2
        pattern = isEverywhere ? .everything : PlacePattern(arguments.operands[1])
        className = arguments.value(Self.className).map { Glob($0) }
        key = arguments.value(Self.key).map { Glob($0) }
        value = arguments.value(Self.value).map { Glob($0) }
        if let text = arguments.value(Self.condition) { condition = try Condition(text) } else { condition = nil }
        if isEverywhere, className == nil, key == nil, value == nil, condition == nil {
            throw ToolError(.usage, "There is nothing to search for; give --class, --key, --value, --where or PATTERN")
        }
    }

    func run(in session: Session) throws -> ExitStatus {
        let input = try Input(arguments.operands[0], in: session)
        let result: Result
        do throws(ContentGraph.Refusal) {
            result = try search(input)
        } catch {
            throw ToolError(.unreadable, "\(input.name) cannot be searched: \(error)")
        }
        let hits = result.hits
        if let name = arguments.value(Self.className), let className, !arguments.has(Self.quiet) {
            let known = input.classNames
            if !known.contains(where: className.matchesClass) {
                session.note("no class is called “\(name)”" + (nearestClass(to: name, among: known) ?? ""))
            }
        }
        if arguments.has(Self.count), !arguments.has(Self.quiet) {
            session.output.write("\(hits.count)\n")
        } else if !arguments.has(Self.quiet) {
            write(hits, result.search, isFromTop: result.isFromTop, to: session.output)
        }
        return hits.isEmpty ? .found : .success
    }

    private struct Result {
        let search: PlaceSearch
        let hits: [PlaceSearch.Hit]
        let isFromTop: Bool
    }

    private func search(_ input: Input) throws(ContentGraph.Refusal) -> Result {
        var graph = try ContentGraph(input.whole, of: input, isPartial: true)
        func rootIn(_ node: Int) throws(ContentGraph.Refusal) -> Int? {
            try graph.expand(node)
            return graph.edges(of: node).first { graph.key(of: $0) == "root" }?.target
        }
        let root = input.hasRoot ? try rootIn(0) : nil
        var isFromTop = pattern.isFromTop || root == nil
        // As with --path, the path from the root may begin with its name.
        if let root, !isFromTop, pattern.steps.first == .text(Glob("root")) { isFromTop = try rootIn(root) == nil }
        var search = try PlaceSearch(graph, from: isFromTop ? 0 : root ?? 0, pattern)
        input.progress.begin("testing \(counted(search.hits.count, "value"))")
        let hits = try found(&search)
        return Result(search: search, hits: hits, isFromTop: isFromTop && root != nil)
    }

    /// The hits that meet all conditions. A search for a class or a condition alone finds each object once.
    private func found(_ search: inout PlaceSearch) throws(ContentGraph.Refusal) -> [PlaceSearch.Hit] {
        let classes = className.map { name in
            // Every object inherits from NSObject.
            search.graph.classes.map {
                ([$0.name] + $0.chain.filter { $0 != "NSObject" }).contains { name.matchesClass($0) }
            }
        }
        let isOnce = isEverywhere && key == nil && value == nil
        var known: Set<Int> = []
        var hits: [PlaceSearch.Hit] = []
        for hit in search.hits {
            let node = search.graph.nodes[hit.node]
            if let classes {
                guard let index = node.classIndex, classes[index] else { continue }
            }
            if let condition, try !condition.selects(hit.node, in: &search.graph) { continue }
            if isOnce, !known.insert(hit.node).inserted { continue }
            if let key {
                guard let name = search.key(of: hit), key.matches(name) else { continue }
            }
            if let value {
                guard node.shape == .leaf, value.matches(node.leaf.searchedText) else { continue }
            }
            hits.append(hit)
        }
        return hits
    }

    private func write(_ hits: [PlaceSearch.Hit], _ search: PlaceSearch, isFromTop: Bool, to output: Output) {
        let graph = search.graph
        if arguments.has(Self.json) {
            let list = hits.map { hit in
                let node = graph.nodes[hit.node]
                return PropertyList.fields([
                    ("path", .string(search.path(to: hit, isFromTop: isFromTop))),
                    ("uid", node.number.map { .integer(Int128($0)) }),
                    ("class", graph.className(of: hit.node).map { .string($0) }),
                    ("value", node.shape == .leaf ? node.leaf.jsonValue : nil),
                ])
            }
            return output.write(json: .array(list), inline: \.isFlat)
        }
        for hit in hits {
            let path = search.path(to: hit, isFromTop: isFromTop)
            let node = graph.nodes[hit.node]
            output.write(path.isEmpty ? "" : VisibleText.escaped(path) + ": ", .key)
            output.write(node.shape == .leaf ? node.leaf.text(limit: 200) : graph.name(of: hit.node))
            output.write("\n")
        }
    }
}

// MARK: - Names of classes

extension Glob {
    /// Whether it matches the name of a class, or its last component: “Savings” matches “OldApp.Savings”.
    fileprivate func matchesClass(_ name: String) -> Bool { matches(name) || matches(className(withoutModule: name)) }
}

/// The last component of the name of a class; that of “App.Box<App.Cow>” is “Box<App.Cow>”.
private func className(withoutModule name: String) -> Substring {
    name.prefix { $0 != "<" }.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? name[...]
}

/// The question whether the one of `names` is meant that is most similar to `name`, with or without its module; nil if none is.
func nearestClass(to name: String, among names: [String]) -> String? {
    let components = names.map { String(className(withoutModule: $0)) }
    let found = components.firstIndex(of: name).map { names[$0] } ?? nearest(to: name, among: names)
    let near = found ?? nearest(to: name, among: components).flatMap { components.firstIndex(of: $0) }.map { names[$0] }
    return near.map { "; did you mean “\($0)”?" }
}

extension Input {
    fileprivate var classNames: [String] {
        switch content {
        case .archive(let archive): archive.classes.flatMap { [$0.name] + $0.chain }
        case .typedStream(let stream): stream.classes.map(\.name)
        case .propertyList: []
        }
    }

    var hasRoot: Bool { if case .archive(let archive) = content { archive.root != archive.top } else { false } }
}

extension ContentGraph.Leaf {
    fileprivate var searchedText: String {
        switch self {
        case .string(let text): text
        case .bytes(_, let bytes): String(decoding: bytes, as: UTF8.self)
        default: text(limit: .max)
        }
    }

    fileprivate var jsonValue: PropertyList {
        switch self {
        case .null, .nullObject: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .real(let value, _) where value.isFinite: .real(value)
        default: .string(searchedText)
        }
    }
}
