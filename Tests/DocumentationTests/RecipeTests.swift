// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

/// The code of the pages in docs/recipes, unchanged.
@Suite(.inTurn)
struct `The recipes`: DocumentedOutput {
    private static let pages = Repository.files(withExtension: "md", in: "docs/recipes")

    @Test func `are pages of at most 250 words`() throws {
        #expect(Self.pages.count == 6)
        for page in Self.pages {
            let words = try Repository.text(of: page).split(whereSeparator: \.isWhitespace).count
            #expect(words <= 250, "\(page)")
        }
    }

    // MARK: Favorites

    /// The bytes of a bookmark of /Users/anna: a header of 16 bytes, the place of the table, two names, the array of both, and the
    /// table with one key.
    private static let bookmark = Data(
        streamBytes(
            """
            'book' 60 00 00 00 00 00 04 10 10 00 00 00
            30 00 00 00
            05 00 00 00 01 01 00 00 'Users' 00 00 00
            04 00 00 00 01 01 00 00 'anna'
            08 00 00 00 01 06 00 00 04 00 00 00 14 00 00 00
            """)
            + streamBytes(
                """
                18 00 00 00 FE FF FF FF 01 00 00 00 00 00 00 00 01 00 00 00
                04 10 00 00 20 00 00 00 00 00 00 00
                """))

    @Test func `read the paths of favorites`() throws {
        let favorites = try handmadeArchive(
            ["NS.keys": [.uid(2)], "NS.objects": [.uid(3)], "$class": .uid(4)], "items",
            ["NS.objects": [.uid(5), .uid(10)], "$class": .uid(9)], classEntry("NSDictionary"),
            ["NS.keys": [.uid(6), .uid(7)], "NS.objects": [.uid(8), .uid(11)], "$class": .uid(4)], "Name", "Bookmark",
            "Home", classEntry("NSArray"),
            ["NS.keys": [.uid(12)], "NS.objects": [.uid(13)], "$class": .uid(4)], .data(Self.bookmark), "visibility", 0)
        try TemporaryFolder.with { folder in
            let url = folder["favorites.sfl2"]
            try favorites.write(to: url)
            var printed: [String] = []
            func print(_ name: String, _ path: String) { printed.append("\(name) \(path)") }
            struct FavoriteList: Codable {
                var items: [[String: KeyedArchive.Value]]
            }

            let list = try ArchiveDecoder().decode(FavoriteList.self, from: url)
            for item in list.items {
                print(item["Name"]?.string ?? "-", item["Bookmark"]?.data.flatMap(path(inBookmark:)) ?? "-")
            }
            #expect(printed == ["Home /Users/anna", "- -"])
        }
    }

    @Test func `find no path in a part of a bookmark, and do not trap`() {
        for count in 0..<Self.bookmark.count - 8 {
            let found = path(inBookmark: Self.bookmark.prefix(count))
            #expect(found == nil, "\(count)")
        }
    }

    @Test(.needs(.corpus)) func `read the paths of the favorites of a Mac`() throws {
        let list = try #require(try KeyedArchive(Corpus.data(Corpus.name("de6b0cdfb0"))).root["items"])
        let items = try list.decode([[String: KeyedArchive.Value]].self)
        #expect(items.count == 6 && items[0]["uuid"]?.string == "9E9316D2-BFBC-43D2-B4F4-57F9705FEC49")
        let paths = items.map { $0["Bookmark"]?.data.flatMap(path(inBookmark:)) }
        #expect(paths[0] == nil && paths[1] == "/Applications")
    }

    // MARK: Terminal

    @Test func `read and change the colors of a Terminal profile`() throws {
        let color = try handmadeArchive(
            ["NSRGB": .data(Data("0 0.25 0.5\0".utf8)), "NSColorSpace": 2, "$class": .uid(2)], classEntry("NSColor"))
        try TemporaryFolder.with { folder in
            let url = folder["Farm.terminal"]
            try PropertyList.dictionary(["ANSIBlackColor": .data(color), "name": "Farm", "other": .data(Data([1]))])
                .data(format: .xml).write(to: url)
            let profile = try PropertyList(Data(contentsOf: url))
            for (key, value) in profile.dictionary ?? [:] {
                guard case .data(let data) = value, let archive = try? KeyedArchive(data) else { continue }
                switch try archive.root.foundationValue() {
                case .color(let color)?: print(key, color.components, color.space)
                case .customColor(let components, let space)?: print(key, components, space)
                default: break
                }
            }
        }
        var editor = try KeyedArchiveEditor(KeyedArchive(color))
        try editor.set(.data(Data("1 0.5 0\0".utf8)), at: ["root", "NSRGB"])
        let changed = try editor.propertyList.data()
        guard case .color(let color)? = try KeyedArchive(changed).root.foundationValue() else {
            Issue.record("The changed color is none")
            return
        }
        #expect(color == AttributedText.Color(.deviceRGB, [1, 0.5, 0]))
    }

    // MARK: State files

    @Test func `list the documents of a state file`() throws {
        let state = try handmadeArchive(
            top: ["State": .uid(1)],
            objects: [
                ["NS.keys": [.uid(2)], "NS.objects": [.uid(3)], "$class": .uid(8)], "44D4104C",
                ["NS.keys": [.uid(4), .uid(5)], "NS.objects": [.uid(6), .uid(7)], "$class": .uid(8)],
                "IDEWindowFrame", "IDEDocument", "{{24, 67}, {1400, 810}}",
                ["documentURL": .uid(10), "$class": .uid(9)], classEntry("NSDictionary"),
                classEntry("DVTDocumentLocation"),
                ["NS.base": .uid(0), "NS.relative": .uid(11), "$class": .uid(12)], "file:///Users/anna/Farm/Barn.swift",
                classEntry("NSURL"),
            ])
        try TemporaryFolder.with { folder in
            let url = folder["UserInterfaceState.xcuserstate"]
            try state.write(to: url)
            let archive = try KeyedArchive(contentsOf: url)
            print(archive.top.keys)  // ["State"]
            var files: Set<URL> = []
            for object in archive.objects {
                guard case .url(let file)? = try object.foundationValue(), file.isFileURL else { continue }
                files.insert(file)
            }
            print(files.map(\.path).sorted())  // ["/Users/anna/Farm/Barn.swift"]
            for (window, state) in archive.top["State"]?.entries ?? archive.root.entries {
                print(window.string ?? "-", state["IDEWindowFrame"]?.string ?? "-")  // 44D4104C {{24, 67}, {1400, 810}}
            }
        }
    }

    // MARK: Messages

    @Test func `read a message and its history`() throws {
        let attributedBody = try SequentialSamples.attributedBody()
        let text = try AttributedText(attributedBody)
        print(text.string)  // Bo: see￼
        for mention in text.mentions { print(text.string[mention.range], mention.value) }  // Bo bo@example.com
        for link in text.links { print(text.string[link.range], link.value) }  // see https://example.com
        for attachment in text.attachments { print(attachment.value) }  // at_0_1
        do {
            var names: [[String]] = []
            func print(_ text: Substring, _ keys: [String]) { names.append(keys) }
            for run in text.runs {
                print(text.string[run.range], run.attributes.keys.sorted())
            }
            #expect(names.map(\.count) == [1, 0, 1, 1])
        }
        let summary: PropertyList = ["ec": ["0": [["t": .data(SequentialSamples.hello), "d": 700_000_000]]], "otr": 1]
        #expect(texts(in: summary) == ["Hello"])
    }

    @Test(.needs(.corpus), arguments: [("d9faf88d1b", 2), ("e3e3831ad3", 3)])
    func `read the history of an edited message of a Mac`(file: String, count: Int) throws {
        let history = texts(in: try PropertyList(Corpus.data(Corpus.name(file))))
        #expect(history.count >= count && history.allSatisfy { !$0.isEmpty })
    }

    // MARK: User defaults

    @Test func `read and write archives in preferences`() throws {
        try TemporaryFolder.with { folder in
            let url = folder["farm.plist"]
            let window = try handmadeArchive(
                ["title": .uid(2), "$class": .uid(3)], "Untitled", classEntry("Window"))
            try PropertyList.dictionary(["count": 3, "window": .data(window)]).data().write(to: url)
            let settings = try PropertyList(Data(contentsOf: url))
            for (key, value) in settings.dictionary ?? [:] {
                guard case .data(let data) = value, let archive = try? KeyedArchive(data) else { continue }
                print(key, archive.root.className ?? "-")  // window Window
            }
            struct Window: Codable {
                var title: String
            }

            if case .data(let data)? = settings["window"] {
                let window = try ArchiveDecoder().decode(Window.self, from: data)
                print(window.title)  // Untitled
            }
            var entries = settings.dictionary ?? [:]
            var encoder = ArchiveEncoder()
            encoder.classes.register(Window.self, name: "Window")
            entries["window"] = .data(try encoder.encode(Window(title: "Farm")))
            try PropertyList.dictionary(entries).data().write(to: url)
            // Foundation reads the list, and plainly the archive in it.
            let read = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
            let list = try #require(read as? [String: Any])
            #expect(list["count"] as? Int == 3)
            let archive = try KeyedArchive(#require(list["window"] as? Data))
            #expect(archive.root.className == "Window" && archive.root["title"]?.string == "Farm")
        }
    }
}

// MARK: Functions of the pages

private func path(inBookmark data: Data) -> String? {
    func number(_ offset: Int) -> Int? {
        guard offset <= data.count - 4 else { return nil }
        return data.dropFirst(offset).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    guard let header = number(12), let table = number(header) else { return nil }
    func record(_ offset: Int) -> Range<Int>? {
        number(header + offset).map { header + offset + 8..<header + offset + 8 + $0 }
    }
    let first = header + table + 20
    for entry in 0..<min(number(first - 4) ?? 0, data.count / 12) where number(first + 12 * entry) == 0x1004 {
        guard let names = number(first + 12 * entry + 4).flatMap(record) else { return nil }
        return stride(from: names.lowerBound, to: min(names.upperBound, data.count), by: 4).reduce("") {
            let name = number($1).flatMap(record) ?? 0..<0
            return $0 + "/" + String(decoding: data.dropFirst(name.lowerBound).prefix(name.count), as: UTF8.self)
        }
    }
    return nil
}

private func texts(in summary: PropertyList) -> [String] {
    switch summary {
    case .data(let data): (try? AttributedText(data)).map { [$0.string] } ?? []
    case .array(let elements): elements.flatMap(texts)
    case .dictionary(let entries): entries.flatMap { texts(in: $0.value) }
    default: []
    }
}
