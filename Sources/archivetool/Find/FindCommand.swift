import Archiving

extension Command {
    /// The command `find`.
    static let find = Command(
        name: "find",
        summary: "Find values by class, key, value or the way to them.",
        operands: [
            .init(name: "FILE", help: "The file to read; “-” for standard input."),
            .init(name: "PATTERN", help: "Ways to what is looked for; anywhere unless it is given.", isOptional: true),
        ],
        options: [Search.className, Search.key, Search.value, Search.json, Search.count, Search.quiet],
        discussion: """
            Each place that is found is a line: the way to it, which --path takes, and what is there. All that is asked \
            for has to be true of it. In PATTERN, “/” or “.” is between steps, “[*]” and “*” are any step, “..” and “**” any \
            number of them. Everywhere, “*” is any text.

            The exit status is 0 if something was found, and 1 if nothing was.
            """,
        examples: [
            .init("archivetool find farm.plist 'root..animals[*].name'", "The names of animals in lists of that name."),
            .init("archivetool find nib.plist --class 'NS*Button' --json", "For programs, with uids."),
            .init("archivetool find farm.plist --value '*Bella*' --quiet && echo there", "For scripts."),
        ],
        run: { arguments, session in try Search(arguments).run(in: session) })
}

/// What is looked for.
private struct Search {
    static let className = Option(
        name: "class", value: "NAME", help: "Objects whose class, or a superclass of it, is like NAME.")
    static let key = Option(name: "key", value: "KEY", help: "What is under a key like KEY.")
    static let value = Option(
        name: "value", value: "TEXT",
        help: "Strings, numbers and other leaves that are like TEXT, as “show” writes them.")
    static let json = Option(
        name: "json", help: "Write a list of objects with “path”, “uid”, “class” and “value”, where there are such.")
    static let count = Option(name: "count", help: "Write how many places there are, and nothing else.")
    static let quiet = Option(name: "quiet", letter: "q", help: "Write nothing.")

    private let arguments: Arguments
    private let isEverywhere: Bool
    private let pattern: PlacePattern
    private let className: Glob?
    private let key: Glob?
    private let value: Glob?

    init(_ arguments: Arguments) throws(ToolError) {
        self.arguments = arguments
        isEverywhere = arguments.operands.count < 2
        pattern = isEverywhere ? .everything : PlacePattern(arguments.operands[1])
        className = arguments.value(Self.className).map { Glob($0) }
        key = arguments.value(Self.key).map { Glob($0) }
        value = arguments.value(Self.value).map { Glob($0) }
        if isEverywhere, className == nil, key == nil, value == nil {
            throw ToolError(.usage, "What is to be found? --class, --key, --value or PATTERN says it")
        }
    }

    func run(in session: Session) throws -> ExitStatus {
        let input = try Input(arguments.operands[0], in: session)
        session.progress.begin("searching \(input.name)")
        defer { session.progress.end() }
        let graph: ContentGraph
        var hasRoot = false
        do throws(ContentGraph.Unfolding) {
            switch input.content {
            case .archive(let archive):
                graph = try ContentGraph(archive.top, byteCount: input.source.byteCount)
                hasRoot = archive.root != archive.top
            case .propertyList(let list, _, _): graph = try ContentGraph(list, byteCount: input.source.byteCount)
            case .typedStream(let stream): graph = try ContentGraph(stream, byteCount: input.source.byteCount)
            }
        } catch {
            throw ToolError(.unreadable, "\(input.name) cannot be searched: \(error)")
        }
        let root = hasRoot ? graph.edges(of: 0).first { $0.key.map { graph.keys[$0] } == "root" }?.target : nil
        // A way from the root may begin with its name, as for --path.
        let namesRoot = pattern.steps.first == .text(Glob("root")) && !(root.map { hasKeyRoot($0, graph) } ?? false)
        let isFromTop = pattern.isFromTop || namesRoot || root == nil
        let search = PlaceSearch(graph, from: isFromTop ? 0 : root ?? 0, pattern)
        let hits = found(search)
        if arguments.has(Self.quiet) { return hits.isEmpty ? .found : .success }
        if arguments.has(Self.count) {
            session.output.write("\(hits.count)\n")
        } else {
            write(hits, search, isFromTop: isFromTop && root != nil, to: session.output)
        }
        return hits.isEmpty ? .found : .success
    }

    private func hasKeyRoot(_ node: Int, _ graph: ContentGraph) -> Bool {
        graph.edges(of: node).contains { $0.key.map { graph.keys[$0] } == "root" }
    }

    /// The hits that are all that is asked for. An object that is looked for by its class alone is found once.
    private func found(_ search: PlaceSearch) -> [PlaceSearch.Hit] {
        let graph = search.graph
        let classes = className.map { name in
            // All are objects, so that this says nothing.
            graph.classes.map { ([$0.name] + $0.chain.filter { $0 != "NSObject" }).contains { name.matches($0) } }
        }
        let isOnce = isEverywhere && key == nil && value == nil
        var known: Set<Int> = []
        return search.hits.filter { hit in
            let node = graph.nodes[hit.node]
            if let classes {
                guard let index = node.classIndex, classes[index] else { return false }
                if isOnce, !known.insert(hit.node).inserted { return false }
            }
            if let key {
                guard let name = search.key(of: hit), key.matches(name) else { return false }
            }
            if let value {
                guard node.shape == .leaf else { return false }
                return value.matches(node.leaf.searchedText)
            }
            return true
        }
    }

    private func write(_ hits: [PlaceSearch.Hit], _ search: PlaceSearch, isFromTop: Bool, to output: Output) {
        if arguments.has(Self.json) {
            let list = hits.map { hit in
                let node = search.graph.nodes[hit.node]
                return PropertyList.fields([
                    ("path", .string(search.way(to: hit, isFromTop: isFromTop))),
                    ("uid", node.number.map { .integer(Int128($0)) }),
                    ("class", search.graph.className(of: hit.node).map { .string($0) }),
                    ("value", node.shape == .leaf ? node.leaf.jsonValue : nil),
                ])
            }
            var writer = JSONWriter(to: output)
            return writer.write(.array(list), inline: \.isFlat)
        }
        for hit in hits {
            let way = search.way(to: hit, isFromTop: isFromTop)
            let node = search.graph.nodes[hit.node]
            output.write(way.isEmpty ? "" : VisibleText.escaped(way) + ": ", .key)
            if node.shape == .leaf {
                output.write(node.leaf.text(limit: 200) + "\n")
            } else {
                let name = search.graph.className(of: hit.node)
                output.write(name.map { VisibleText.name($0) } ?? node.shape.title, .className)
                output.write((node.number.map { " #\($0)" } ?? ""), .uid)
                output.write("\n")
            }
        }
    }
}

extension ContentGraph.Shape {
    fileprivate var title: String {
        switch self {
        case .leaf: "value"
        case .fields, .dictionary: "dictionary"
        case .list: "array"
        case .set: "set"
        }
    }
}

extension ContentGraph.Leaf {
    /// The text that is looked at: of strings what they are, without quotes.
    fileprivate var searchedText: String {
        switch self {
        case .string(let text): text
        case .bytes(_, let bytes): String(decoding: bytes, as: UTF8.self)
        default: text(limit: .max)
        }
    }

    /// The value: a number or a Bool as one of JSON, all others as text.
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
