// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

extension Command {
    static let graph = Command(
        name: "graph",
        summary: "Draw the objects of an archive and their references.",
        operands: [.input],
        options: GraphDrawing.options,
        discussion: """
            Each object and each container is a box with its class, its uid and its values; arrows begin at keys and \
            positions. An object is one box, however many references it has. Property lists are drawn as trees, typedstreams \
            with the positions of values.

            The formats are SVG (a picture), HTML (a page of all objects, to search and unfold) and DOT (for Graphviz). A \
            picture has a limited size: equal siblings are one box, and objects that do not fit are folded into a row. \
            --all draws every object.

            Dashed arrows refer back to an object on the path from the first box, as from a child to its parent. An \
            archive does not mark conditional references; --conditional names keys whose references are dashed as well. A \
            conditional reference to an object that was not archived is “nil (not archived)”.
            """,
        examples: [
            Example("archivetool graph farm.archive -o farm.svg", "Draws a picture."),
            Example("archivetool graph farm.archive -o farm.html", "Writes a page for a browser."),
            Example(
                "archivetool graph farm.archive --path owner --depth 2 | dot -Tpdf -o owner.pdf",
                "Draws the owner and objects up to two references away with Graphviz."),
        ],
        run: { try GraphDrawing($0).draw(Input($0.operands.first, in: $1), in: $1) })
}

private struct GraphDrawing {
    private static let format = Option(
        name: "format", letter: "f", value: "FORMAT", choices: ["svg", "html", "dot"],
        help: "“svg”, “html” or “dot”; by default that of the name of the --output file, or “dot”.")
    private static let depth = Option(name: "depth", value: "N", help: "Draw objects up to N references away.")
    private static let limit = Option(name: "limit", value: "N", help: "Draw at most N boxes (300 by default).")
    private static let size = Option(
        name: "size", value: "N", help: "The maximal width and height of the picture (4000 by default).")
    private static let all = Option(
        name: "all", help: "Draw each object as a box, in a picture of any size.")
    private static let leaves = Option(
        name: "leaves", help: "Draw strings, numbers and other leaves with uids as boxes.")
    private static let conditional = Option(
        name: "conditional", value: "KEY",
        help: "Dash references under KEY, or for Class.KEY those of a class. May be given several times.",
        isRepeatable: true)

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
        var part = try Selection.part(of: input, arguments) ?? input.whole
        // The root of an archive with only one key.
        if case .value(let top) = part, top == top.archive.top, top.count == 1 { part = .value(top.archive.root) }
        let graph = try ContentGraph(part, of: input, detail: .texts, to: "drawn")
        let name = "Object graph of \(VisibleText.escaped(input.source.url?.lastPathComponent ?? input.name))"
        var (maker, shown) = PictureMaker.fitting(graph, options)
        if format == "html" {
            maker.options.textLimit = HTMLPage.textLimit
            let page = HTMLPage(
                maker: maker, shown: shown, limit: htmlLimit, name: name, sizes: RetainedSizes(graph, part))
            page.write(to: session.output)
            return .success
        }
        var picture = maker.picture(shown)
        picture.name = name
        session.output.write(format == "svg" ? SVGPicture.document(picture) : DOTPicture.document(picture))
        for key in options.conditionalKeys.sorted() where !picture.hasReference(under: key) {
            session.note("no drawn reference has the key “\(key)” of --conditional")
        }
        if picture.omittedCount > 0 {
            let all = maker.tree.nodes.count
            session.note(
                "\(all - picture.omittedCount) of \(all) objects are drawn; see --path, --depth, --size and --all")
        }
        return .success
    }
}
