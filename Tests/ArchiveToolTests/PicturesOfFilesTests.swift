import Archiving
import Foundation
import Testing

@testable import archivetool

extension Corpus {
    /// The names of the files.
    static let names = paths.map { URL(fileURLWithPath: $0).lastPathComponent }

    /// Where the file of a name is.
    static func path(_ name: String) throws -> String {
        try #require(folder).appendingPathComponent("archives").appendingPathComponent(name).path
    }
}

@Suite(.enabled(if: !Corpus.paths.isEmpty, "No corpus: set ARCHIVING_CORPUS to its folder"))
struct `Files of other programs` {
    @Test func `are all there`() {
        #expect(Corpus.names.count == 229)
    }

    @Test(.timeLimit(.minutes(2)), arguments: Corpus.names)
    func `are drawn in all formats`(name: String) throws {
        let path = try Corpus.path(name)
        let dot = ToolRun.inProcess(["graph", path])
        guard dot.status == 0 else {
            // What is no archive and no list is refused with a sentence.
            #expect(dot.status == 3 && dot.output == "" && dot.errors.hasPrefix("archivetool: error: "))
            return
        }
        let boxCount = dot.output.matches(of: #/(?m)^    n\d+ \[label/#).count
        let edgeCount = dot.output.matches(of: #/(?m)^    n\d+ -> n\d+ /#).count
        #expect(boxCount > 0 && boxCount <= 300)
        let svg = try SVGContents(ToolRun.inProcess(["graph", path, "--format", "svg"]).bytes)
        #expect(svg.boxes.count == boxCount && svg.boxesAreInside && svg.refersToNothing)
        #expect(edgeCount == 0 || !svg.arrows.isEmpty)
        let mermaid = ToolRun.inProcess(["graph", path, "--format", "mermaid"])
        #expect(mermaid.output.matches(of: #/(?m)^    n\d+\["/#).count == boxCount)
    }

    @Test(.timeLimit(.minutes(2)), arguments: Corpus.names)
    func `do not differ from themselves, nor from themselves in another format`(name: String) throws {
        let path = try Corpus.path(name)
        let run = ToolRun.inProcess(["diff", path, path])
        guard run.status == 0 else {
            #expect(run.status == 3)
            return
        }
        #expect(run.output == "no differences\n")
        try Scratch.with { folder in
            for format in ["xml", "binary"] {
                // XML has not all that the binary format has.
                let converted = ToolRun.inProcess(["convert", path, "--to", format])
                guard converted.status == 0 else { continue }
                let other = try folder.write(converted.bytes)
                #expect(ToolRun.inProcess(["diff", path, other]).output == "no differences\n", "\(format)")
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `are compared with each other`() throws {
        // Files that follow each other by size have something in common at times.
        let sizes = try Corpus.names.map { name in
            (try FileManager.default.attributesOfItem(atPath: Corpus.path(name))[.size] as? Int ?? 0, name)
        }
        let names = sizes.sorted { $0 < $1 }.map(\.1)
        for (name, next) in zip(names, names.dropFirst()) {
            let there = try ToolRun.inProcess(["diff", Corpus.path(name), Corpus.path(next)])
            let back = try ToolRun.inProcess(["diff", Corpus.path(next), Corpus.path(name)])
            #expect([0, 1, 3].contains(there.status) && there.status == back.status, "\(name) \(next)")
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: Corpus.names)
    func `have parts that are the same in an archive of their own`(name: String) throws {
        let path = try Corpus.path(name)
        guard let archive = try? KeyedArchive(Data(contentsOf: URL(fileURLWithPath: path))), archive.problems().isEmpty
        else { return }
        try Scratch.with { folder in
            let whole = try folder.write(ToolRun.inProcess(["extract", path, "--path", "/"]).bytes)
            #expect(ToolRun.inProcess(["diff", path, whole]).output == "no differences\n")
            for uid in Swift.stride(from: 1, to: archive.objects.count, by: max(1, archive.objects.count / 6)) {
                let part = ToolRun.inProcess(["extract", path, "--uid", "\(uid)"])
                #expect(part.status == 0)
                let opened = try KeyedArchive(part.bytes)
                let reach = archive.objects[uid].reach.objects.count
                // Nil at a uid of its own is an object like others there.
                #expect(opened.objects.count - 1 == max(1, reach))
                #expect(opened.problems().isEmpty && opened.unreachableObjects.isEmpty)
                #expect(opened.format == archive.format && opened.archiver == archive.archiver)
                #expect(opened.root.className == archive.objects[uid].className)
            }
        }
    }

    @Test(.timeLimit(.minutes(2)), arguments: Corpus.names)
    func `have classes that can be renamed, and be called again what they were`(name: String) throws {
        let path = try Corpus.path(name)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        var names: Set<String> = []
        if let archive = try? KeyedArchive(data), archive.problems().isEmpty {
            names = Set(archive.classes.map(\.name))
        } else if let stream = try? TypedStream(data) {
            names = Set(stream.classes.map(\.name))
        }
        guard let old = names.sorted().first, !old.contains("=") else { return }
        try Scratch.with { folder in
            let run = ToolRun.inProcess(["rename", path, "\(old)=Quite.Another"])
            #expect(run.status == 0, "\(run.errors)")
            let first = try folder.write(run.bytes, to: "first")
            let second = try folder.write(
                ToolRun.inProcess(["rename", first, "Quite.Another=\(old)"]).bytes, to: "second")
            #expect(ToolRun.inProcess(["diff", path, second]).output == "no differences\n")
        }
    }
}

@Suite struct `The picture of the farm` {
    private static let farm = ToolRun.program?.deletingLastPathComponent().appendingPathComponent("farm")

    @Test(
        .enabled("The program farm is not beside the tests") {
            farm.map { FileManager.default.isExecutableFile(atPath: $0.path) } ?? false
        })
    func `in docs is what the tool draws`() throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        try Scratch.with { folder in
            let farm = try #require(Self.farm)
            #expect(try Program.run(farm, [folder["farm.archive"].path]).status == 0)
            let picture = folder["farm-graph.svg"]
            #expect(try ToolRun("graph", folder["farm.archive"].path, "--output", picture.path).status == 0)
            let isSame =
                try Data(contentsOf: picture)
                == Data(contentsOf: repository.appendingPathComponent("docs/farm-graph.svg"))
            #expect(isSame, "scripts/draw-pictures makes it anew")
        }
    }
}
