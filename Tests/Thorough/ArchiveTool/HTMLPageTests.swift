// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

/// `graph --format html`: the page of a graph.
@Suite(.inTurn) struct `Pages` {
    private func page(_ list: PropertyList, _ options: String...) throws -> String {
        let run = try TemporaryFolder.with {
            Tool.inProcess(["graph", try $0.write(list, to: "some file.plist"), "--format", "html"] + options)
        }
        try #require(run.status == 0 && run.errors == "", "\(run.errors)")
        return run.output
    }

    /// What is in front of the data, the data, and what is behind them.
    private func parts(_ page: String) throws -> (start: String, data: String, end: String) {
        let start = try #require(page.range(of: #"<script type="application/json" id="data">"#))
        let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
        return (
            String(page[..<start.upperBound]), String(page[start.upperBound..<end.lowerBound]),
            String(page[end.lowerBound...])
        )
    }

    private struct Contents {
        var name = ""
        var titles: [String] = []
        var rows: [[String]] = []
        var parents: [Int] = []
        var shown: [Int] = []
    }

    private func contents(_ page: String) throws -> Contents {
        let found = try JSONSerialization.jsonObject(with: Data(parts(page).data.utf8))
        let data = try #require(found as? [String: Any])
        let strings = try #require(data["strings"] as? [String])
        let boxes = try #require(data["boxes"] as? [[Int]])
        var contents = Contents(name: data["name"] as? String ?? "", shown: data["shown"] as? [Int] ?? [])
        for box in boxes {
            contents.titles.append("\(strings[box[0]]) \(strings[box[1]])")
            contents.parents.append(box[3])
            contents.rows.append(
                stride(from: 5, to: box.count, by: 3).map { row in
                    let target = box[row + 2]
                    return "\(strings[box[row]]): " + (target >= 0 ? "→ \(target)" : strings[box[row + 1]])
                })
        }
        return contents
    }

    @Test func `have all objects with their fields`() throws {
        let contents = try contents(page(HandMade.farm))
        #expect(contents.name == "Object graph of some file.plist")
        #expect(contents.titles == ["Farm #1", "Owner #3", "NSArray #5", "Farm.Cow #6"])
        #expect(contents.parents == [0, 0, 0, 2])
        #expect(contents.shown == [0, 1, 2, 3])
        #expect(
            contents.rows == [
                ["name: \"Green Hill\"", "owner: → 1", "animals: → 2", "debts: nil", "size: 12"],
                ["name: \"Ann\"", "farm: → 0"], ["[0]: → 3", "[1]: → 3"], ["name: \"Bella\"", "owner: → 1"],
            ])
    }

    @Test(.needs(.tool("node"))) func `have the elements of a list in order, and the values of objects first`() throws {
        let list: PropertyList = [
            "list": [
                ["a": .array(Array(repeating: [1], count: 70))], 5, ["a": .array(Array(repeating: [2], count: 70))], 6,
            ],
            "x": 1,
        ]
        let parts = try parts(page(list, "--all"))
        // What a browser has, as far as the page asks for it before it draws.
        let script = """
            const any = new Proxy(function () {}, {
                get: (target, key) => key === Symbol.toPrimitive ? () => 0 : key === "length" ? 0 : key === "hash" ? "" : any,
                set: () => true, apply: () => any, construct: () => any,
            });
            for (const name of ["matchMedia", "addEventListener", "requestAnimationFrame", "ResizeObserver", "location", "history"])
                Object.defineProperty(globalThis, name, {value: any, configurable: true});
            globalThis.document = {getElementById: id => id === "data" ? {textContent: process.argv[1]} : any};
            const code = process.argv[2];
            new Function(code + "; console.log(JSON.stringify(boxes.map(b => b.rows.map(r => r.key))));")();
            """
        let code = try #require(parts.end.firstMatch(of: #/<script>(.*)</script>/#.dotMatchesNewlines())).1
        let run = try #require(Program.installed("node")).run(["-e", script, parts.data, String(code)])
        try #require(run.status == 0, "\(run.errors)")
        let keys = try JSONDecoder().decode([[String]].self, from: run.bytes)
        #expect(keys.prefix(2) == [["x", "list"], ["[0]", "[1]", "[2]", "[3]"]])
    }

    @Test func `have what is folded as well`() throws {
        // 3000 objects in a list, of which one is shown for all.
        let objects: [PropertyList] = (0..<3000).map { ["$class": .uid(3), "number": .integer(Int128($0))] }
        let list = HandMade.archive(
            [
                "$null", ["$class": .uid(2), "NS.objects": .array((0..<3000).map { .uid(UInt32($0 + 4)) })],
                HandMade.classEntry("NSArray", "NSObject"), HandMade.classEntry("Thing", "NSObject"),
            ] + objects)
        let contents = try contents(page(list))
        #expect(contents.titles.count == 3001 && contents.shown == [0, 1])
        #expect(contents.rows[3000] == ["number: 2999"])
        #expect(try self.contents(page(list, "--limit", "10")).titles.count == 10)
    }

    // MARK: - Other people's names

    static let attacks =
        GraphNames.all + [
            "</script><script>document.body.id='owned'</script>", "<img src=x onerror=\"document.body.id='owned'\">",
            "<!--<script>", "\u{2028}\u{2029}", "javascript:document.body.id='owned'", "'\"><svg onload=alert(1)>",
            "]]>", "__proto__", "constructor", "&lt;script&gt;alert(1)&lt;/script&gt;",
        ]

    private func archive(named name: String) -> PropertyList {
        HandMade.archive([
            "$null", .dictionary(["$class": .uid(2), name: .uid(3), "other": .uid(4)] as PropertyList.Dictionary),
            HandMade.classEntry(name.isEmpty ? "Empty" : name, "NSObject"), .string(name),
            ["$class": .uid(2), "back": .uid(1)],
        ])
    }

    @Test(arguments: attacks)
    func `have nothing of a file outside of one block of data, in which there is no markup`(name: String) throws {
        let own = try parts(page(HandMade.farm))
        let page = try page(archive(named: name))
        let parts = try parts(page)
        #expect(parts.start == own.start && parts.end == own.end)
        #expect(!parts.data.contains("<") && !parts.data.contains("\n\n"))
        #expect(try contents(page).titles.count == 2)
        // The page loads nothing.
        #expect(own.start.contains("default-src 'none'"))
        for word in ["http:", "https:", "url(", "@import", "innerHTML", "outerHTML", "document.write", "eval("] {
            #expect(!(own.start + own.end).contains(word))
        }
    }

    /// The elements that the script creates.
    private static let panelTags: Set = ["h2", "h3", "p", "ol", "li", "dl", "dt", "dd", "a", "bdi", "button", "mark"]

    @Test(.needs(Browser.need))
    func `are what they are in a browser, whatever the names are`() throws {
        let browser = try #require(Browser.program)
        // All attacks at once: as the names of classes, as keys and as values.
        var objects: [PropertyList] = ["$null", .null]
        var root: PropertyList.Dictionary = ["$class": .uid(2)]
        objects.append(HandMade.classEntry(Self.attacks[0], "NSObject"))
        for (number, name) in Self.attacks.enumerated() {
            root["\(number) \(name)"] = .uid(UInt32(objects.count))
            let uid = UInt32(objects.count + 1)
            objects += [
                .dictionary(["$class": .uid(uid), name: .uid(uid + 1)] as PropertyList.Dictionary),
                HandMade.classEntry(name.isEmpty ? "Empty" : name, "NSObject"), .string(name),
            ]
        }
        objects[1] = .dictionary(root)
        try TemporaryFolder.with { folder in
            let file = try folder.write(Data(page(HandMade.archive(objects)).utf8), to: "page.html")
            // With the fields of an object in the panel, and with all that is found.
            for fragment in ["#1", "#%3C"] {
                let run = try browser.run([
                    "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000",
                    "--user-data-dir=" + folder["profile"].path, "--dump-dom", "file://" + file + fragment,
                ])
                let dom = run.output
                #expect(dom.contains("id=\"panel\"") && !dom.contains("id=\"owned\"") && !dom.contains("<body id"))
                let panel = try #require(
                    dom.firstMatch(of: #/<aside id="panel"[^>]*>(.*?)</aside>/#.dotMatchesNewlines()))
                let tags = Set(panel.1.matches(of: #/<([a-z0-9]+)/#).map { String($0.1) })
                #expect(!tags.isEmpty && tags.isSubset(of: Self.panelTags), "\(tags)")
                #expect(dom.matches(of: #/<script/#).count == 2 && !dom.contains("<img") && !dom.contains("<svg"))
            }
        }
    }
}
