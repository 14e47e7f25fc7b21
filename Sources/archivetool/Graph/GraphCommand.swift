import Archiving
import SequentialArchiving

extension Command {
    /// The command `graph`.
    static let graph = Command(
        name: "graph",
        summary: "Draw the objects of an archive, and what refers to what.",
        operands: [.input],
        options: GraphDrawing.options,
        discussion: """
            Each object and each container is a box with its class, its uid and its plain values; arrows lead from the \
            keys and positions to what is there. An object is drawn once, however often it is referred to, so that shared \
            objects and cycles are seen. Property lists are drawn as trees, typedstreams by the positions of their values.

            The formats are SVG (a picture), HTML (a page with all objects, to move in, search and unfold) and DOT (for \
            Graphviz). A picture fits on a screen: siblings that are alike are one box with their number, and what does not \
            fit is folded into a row. --all draws everything.

            Dashed arrows lead back to what their box hangs under, as a child's reference to its parent. An archive does \
            not say which references were conditional; --conditional names keys whose references are to be dashed as well. \
            A conditional reference whose object nothing else archived is “nil (not archived)”.
            """,
        examples: [
            Example("archivetool graph farm.archive -o farm.svg", "Draws a picture."),
            Example("archivetool graph farm.archive -o farm.html", "Writes a page for a browser."),
            Example(
                "archivetool graph farm.archive --path owner --depth 2 | dot -Tpdf -o owner.pdf",
                "Lets Graphviz draw what is two steps from the owner."),
        ],
        run: { arguments, session in
            let drawing = try GraphDrawing(arguments)
            let input = try Input(arguments.operands.first, in: session)
            return try drawing.draw(input, in: session)
        })
}

/// What a command line asks to be drawn, and how.
private struct GraphDrawing {
    private static let format = Option(
        name: "format", letter: "f", value: "FORMAT", choices: ["svg", "html", "dot"],
        help:
            "“svg”, “html” or “dot”. Unless it is given: “svg” where FILE of --output ends in .svg, “html” for .html, and"
            + " “dot”.")
    private static let depth = Option(
        name: "depth", value: "N", help: "Draw N steps from where the picture begins.")
    private static let limit = Option(
        name: "limit", value: "N", help: "Draw at most N boxes; 300 unless it is given.")
    private static let size = Option(
        name: "size", value: "N",
        help: "The width and the height of the picture are N at most; 4000 unless it is given.")
    private static let all = Option(
        name: "all", help: "Draw all objects, each as a box of its own, however large the picture is.")
    private static let leaves = Option(
        name: "leaves", help: "Draw strings, numbers and other leaves that are objects of their own as boxes, too.")
    private static let conditional = Option(
        name: "conditional", value: "KEY",
        help: "Draw references under KEY dashed, or under Class.KEY those of a class. May be given several times.")

    static let options = [format] + Selection.options + [depth, limit, size, all, leaves, conditional]

    private let arguments: Arguments
    private let format: String
    private var options = PictureOptions()
    private let htmlLimit: Int

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        let file = arguments.value(.output) ?? ""
        format =
            arguments.value(Self.format)
            ?? (file.hasSuffix(".svg") ? "svg" : file.hasSuffix(".html") ? "html" : "dot")
        options.showsAll = arguments.has(Self.all)
        options.boxLimit =
            try arguments.integer(Self.limit, in: 1...100_000) ?? (options.showsAll ? 100_000 : options.boxLimit)
        htmlLimit = try arguments.integer(Self.limit, in: 1...1_000_000) ?? 100_000
        if format == "html" { options.size = HTMLPage.firstSize }
        options.size =
            try arguments.integer(Self.size, in: 500...1_000_000).map { Double($0) }
            ?? (options.showsAll ? nil : options.size)
        options.depth = try arguments.integer(Self.depth, in: 0...Int.max)
        options.showsLeaves = arguments.has(Self.leaves)
        options.conditionalKeys = Set(arguments.values(Self.conditional))
    }

    func draw(_ input: Input, in session: Session) throws -> ExitStatus {
        session.progress.begin("reading \(input.name)")
        let graph = try ContentGraph(input, arguments)
        session.progress.begin("drawing \(input.name)")
        let name = "Object graph of \(VisibleText.escaped(input.source.url?.lastPathComponent ?? input.name))"
        var (maker, shown) = PictureMaker.fitting(graph, options)
        if format == "html" {
            maker.options.textLimit = HTMLPage.textLimit
            HTMLPage.write(maker, shown: shown, limit: htmlLimit, name: name, to: session.output)
            return .success
        }
        var picture = maker.picture(shown)
        picture.name = name
        session.output.write(format == "svg" ? SVGPicture.document(picture) : DOTPicture.document(picture))
        session.progress.end()
        for key in options.conditionalKeys.sorted() where !picture.hasReference(under: key) {
            session.note("no reference that is drawn is under the key “\(key)”, which --conditional names")
        }
        if picture.omittedCount > 0 {
            let all = maker.tree.nodes.count
            session.note(
                "\(all - picture.omittedCount) of \(all) objects are drawn; see --path, --depth, --size and --all")
        }
        return .success
    }
}

extension ContentGraph {
    /// What `input` holds, or the part of it that `--path` or `--uid` choose.
    fileprivate init(_ input: Input, _ arguments: Arguments) throws {
        let byteCount = input.source.byteCount
        do {
            switch input.content {
            case .archive(let archive):
                let part = try Selection.value(in: archive, arguments)
                // One object is drawn as such, several keys as a box that leads to what is under them.
                let whole = archive.top.count == 1 ? archive.root : archive.top
                try self.init(part ?? whole, byteCount: byteCount, detail: .texts)
            case .propertyList(let list, _, _):
                if arguments.has(Selection.uid) {
                    throw ToolError(.usage, "\(input.name) is a property list, whose values have no uids; use --path")
                }
                let part = try arguments.value(Selection.path).map { try ValuePath($0).value(in: list) }
                try self.init(part ?? list, byteCount: byteCount)
            case .typedStream(let stream):
                try self.init(stream, object: try Self.object(in: stream, input, arguments), byteCount: byteCount)
            }
        } catch let error as Unfolding {
            throw ToolError(.unreadable, "\(input.name) cannot be drawn: \(error)")
        }
    }

    private static func object(in stream: TypedStream, _ input: Input, _ arguments: Arguments) throws -> Int? {
        if arguments.has(Selection.path) {
            throw ToolError(.usage, "\(input.name) is a typedstream, whose values have no keys; use --uid")
        }
        guard let number = try arguments.integer(Selection.uid, in: 0...Int(UInt32.max)) else { return nil }
        guard stream.objects.indices.contains(number) else {
            throw ToolError(
                .unreadable,
                "There is no object #\(number) in \(input.name): it has \(stream.objects.count), from #0 on")
        }
        return number
    }
}
