// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

#if canImport(FoundationXML)
    import FoundationXML
#endif

enum GraphNames {
    /// Names that mean something in one of the languages.
    static let all = [
        "a\"b", "back\\slash", "line\nend", "tab\tstop", "null\u{0}byte", "escape\u{1B}[31m", "<b>bold</b>",
        "a & b &lt;",
        "{record|field}", "]]>", "-->", "`code`", "#35;", "1. list", "end", "ünïcödé 漢字 🐄", "right\u{202E}left",
        "\\N\\G\\l",
        "%%", "\u{FFFE}", "", " ", "e\u{301}\u{301}\u{301}", "click n0 \"javascript:alert(1)\"",
    ]
}

@Suite(.inTurn) struct `graph` {
    private func drawn(_ list: PropertyList, _ options: String...) throws -> Program.Run {
        try drawn(list.data(), options)
    }

    private func drawn(_ data: Data, _ options: [String]) throws -> Program.Run {
        try TemporaryFolder.with { Tool.inProcess(["graph", try $0.write(data, to: "some file.plist")] + options) }
    }

    // MARK: - DOT

    @Test func `writes DOT`() throws {
        let run = try drawn(HandMade.farm)
        #expect(run.status == 0 && run.errors == "")
        #expect(
            run.output == #"""
                digraph "Object graph of some file.plist" {
                    rankdir=LR;
                    node [shape=box, style="filled,rounded", fontname="Helvetica", fontsize=11, margin="0.12,0.06"];
                    edge [fontname="Helvetica", fontsize=10, color="#6b7480", arrowsize=0.7];
                    n0 [label="Farm #1\nname: \"Green Hill\"\ldebts: nil\lsize: 12\l", fillcolor="#d1e4fa", color="#2760a5"];
                    n1 [label="Owner #3\nname: \"Ann\"\l", fillcolor="#fae3d1", color="#88511f"];
                    n2 [label="NSArray #5\n", fillcolor="#e9ebee", color="#6b7480"];
                    n3 [label="Farm.Cow #6\nname: \"Bella\"\l", fillcolor="#d1fae4", color="#208850"];
                    n0 -> n1 [label="owner"];
                    n0 -> n2 [label="animals"];
                    n1 -> n0 [label="farm", style=dashed, constraint=false];
                    n2 -> n3 [label="[0]"];
                    n2 -> n3 [label="[1]"];
                    n3 -> n1 [label="owner"];
                }

                """#)
    }

    private func archive(named name: String) -> PropertyList {
        HandMade.archive([
            "$null", .dictionary(["$class": .uid(2), name: .uid(3), "other": .uid(4)] as PropertyList.Dictionary),
            HandMade.classEntry(name.isEmpty ? "Empty" : name, "NSObject"), .string(name),
            ["$class": .uid(2), "back": .uid(1)],
        ])
    }

    @Test(.needs(.tool("dot")), arguments: GraphNames.all)
    func `writes DOT that Graphviz draws, whatever the names are`(name: String) throws {
        let dot = try #require(Program.installed("dot"))
        for options in [[], ["--leaves"]] {
            let text = try drawn(archive(named: name).data(), options).output
            let result = try dot.run(["-Tplain"], input: Data(text.utf8))
            #expect(result.status == 0 && result.errors == "", "\(result.errors)\n\(text)")
            let kinds = result.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
            #expect(kinds.count { $0 == "node" } == (options.isEmpty ? 2 : name.isEmpty ? 3 : 3))
            #expect(kinds.count { $0 == "edge" } == (options.isEmpty ? 2 : 3))
        }
    }

    @Test(arguments: GraphNames.all)
    func `writes only what can be seen`(name: String) throws {
        for format in ["dot", "svg", "html"] {
            let text = try drawn(archive(named: name), "--format", format).output
            let isClean = text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F }
            #expect(isClean && !text.unicodeScalars.contains("\u{202E}"), "\(text)")
        }
    }

    // MARK: - SVG

    @Test func `writes SVG with a box for each object, and an arrow to each`() throws {
        let svg = try SVGContents(drawn(HandMade.farm, "--format", "svg").bytes)
        #expect(svg.title == "Object graph of some file.plist")
        #expect(
            svg.description
                == "4 boxes and 6 references. Classes: Farm (1), Owner (1), Farm.Cow (1). Farm #1: owner → Owner #3,"
                + " animals → NSArray #5. Owner #3: farm → Farm #1 (dashed). NSArray #5: [0] → Farm.Cow #6, [1] →"
                + " Farm.Cow #6. Farm.Cow #6: owner → Owner #3.")
        #expect(svg.boxes.map(\.title) == ["Farm #1", "Owner #3", "NSArray #5", "Farm.Cow #6"])
        #expect(
            svg.arrows.sorted() == [
                "Farm #1 animals → NSArray #5", "Farm #1 owner → Owner #3", "Farm.Cow #6 owner → Owner #3",
                "NSArray #5 [0] → Farm.Cow #6", "NSArray #5 [1] → Farm.Cow #6", "Owner #3 farm → Farm #1",
            ])
        #expect(svg.dashedCount == 1)
        for text in ["name: \"Green Hill\"", "debts: nil", "size: 12", "owner", "[0]", "name: \"Bella\"", "Farm.Cow"] {
            #expect(svg.texts.contains(text), "\(svg.texts)")
        }
        #expect(svg.boxesAreInside && svg.refersToNothing)
    }

    @Test func `writes SVG whose keys and values are isolated from right to left`() throws {
        let list = HandMade.archive([
            "$null", ["$class": .uid(2), "מפתח": "ערך 12", "next": .uid(3), "הבא": .uid(3), "plain": "text"],
            HandMade.classEntry("Thing", "NSObject"), ["$class": .uid(2), "number": 1],
        ])
        let svg = try SVGContents(drawn(list, "--format", "svg").bytes)
        let isolated = "\u{2068}מפתח\u{2069}: \u{2068}\"ערך 12\"\u{2069}"
        #expect(svg.texts.contains(isolated) && svg.texts.contains("\u{2068}הבא\u{2069}"))
        #expect(svg.texts.contains("plain: \"text\"") && svg.texts.contains("next"))
        #expect(svg.arrows.contains("Thing #1 \u{2068}הבא\u{2069} → Thing #3"))
    }

    @Test(.needs(Browser.need))
    func `writes SVG that fills a window, and has its own size as an image`() throws {
        let text = try drawn(HandMade.farm, "--format", "svg").output
        let size = try SVGContents(Data(text.utf8)).size
        let script = """
            const {left, top, width, height} = document.documentElement.getBoundingClientRect();
            const style = getComputedStyle(document.documentElement);
            return [left, top, width, height, document.documentElement.getScreenCTM().a >= 1, style.backgroundColor, style.colorScheme];
            """
        // A window that is larger, up to one and a half times the size, and a smaller one.
        let (width, height) = (Int(size.width), Int(size.height))
        let large = try Browser.texts(of: text, named: "a.svg", width: width + 80, height: height + 60, script)
        #expect(large.prefix(5) == ["0", "0", "\(width + 80)", "\(height + 60)", "true"], "\(large)")
        #expect(large.suffix(2) == ["rgb(255, 255, 255)", "light dark"])
        let small = try Browser.texts(of: text, named: "a.svg", width: 300, height: 200, script)
        #expect(small.prefix(5) == ["0", "0", "\(width)", "\(height)", "true"], "\(small)")
        #expect(text.contains(try Regex("prefers-color-scheme:dark[)][{]\nsvg:root[{]background:#0d1117")))
        let image = try Browser.texts(
            of: "<!DOCTYPE html><body></body>",
            """
            const image = document.body.appendChild(new Image());
            image.src = "data:image/svg+xml;base64,\(Data(text.utf8).base64EncodedString())";
            await image.decode();
            return [image.naturalWidth, image.naturalHeight, image.width, image.height];
            """)
        #expect(image == ["\(width)", "\(height)", "\(width)", "\(height)"])
    }

    @Test(arguments: GraphNames.all)
    func `writes SVG that is XML, whatever the names are`(name: String) throws {
        let svg = try SVGContents(drawn(archive(named: name), "--format", "svg", "--leaves").bytes)
        #expect(svg.boxes.count == 3 && svg.boxesAreInside && svg.refersToNothing)
    }

    @Test func `chooses the format by the name of the file`() throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write(HandMade.farm)
            for (name, start) in [
                ("a.svg", "<svg"), ("a.html", "<!DOCTYPE html>"), ("a.dot", "digraph"),
                ("a", "digraph"),
            ] {
                let run = try Tool.run("graph", file, "-o", folder[name].path)
                #expect(run.status == 0 && run.bytes.isEmpty)
                #expect(try String(contentsOf: folder[name], encoding: .utf8).hasPrefix(start))
            }
            let run = try Tool.run("graph", file, "-o", folder["b.svg"].path, "-f", "dot")
            #expect(run.status == 0)
            #expect(try String(contentsOf: folder["b.svg"], encoding: .utf8).hasPrefix("digraph"))
        }
    }
}
