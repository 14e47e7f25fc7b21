// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The code that pages do not have: see `PageProgram`. Each section is a part of another program.
// swift-format-ignore-file: OrderedImports, NeverForceUnwrap

import SequentialArchiving

/// A file with an archive of these objects, the first of which is under `key`.
func file(_ name: String, key: String = "root", _ objects: PropertyList...) throws -> URL {
    let archive: PropertyList = [
        "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": .dictionary([key: .uid(1)]),
        "$objects": .array(["$null"] + objects),
    ]
    let url = URL.temporaryDirectory.appending(path: name)
    try archive.data().write(to: url)
    return url
}
func classEntry(_ name: String) -> PropertyList {
    ["$classname": .string(name), "$classes": [.string(name), "NSObject"]]
}

/// Bytes in hexadecimal digits, and texts between quotation marks.
func bytes(_ notation: String) -> Data {
    var data = Data()
    for (position, part) in notation.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
        let words = part.split(whereSeparator: \.isWhitespace)
        data += position % 2 == 1 ? Data(part.utf8) : Data(words.compactMap { UInt8($0, radix: 16) })
    }
    return data
}
func typedStream(_ notation: String) -> Data { bytes("04 0B 'streamtyped' 81 E8 03 " + notation) }
let hello = """
    84 01 '@' 84 84 84 0F 'NSMutableString' 01 84 84 08 'NSString' 01 84 84 08 'NSObject' 00 85 84 01 '+' 05 'Hello' 86
    """
let attributedBody = try SequentialArchiver.archivedData(
    withRootObject: AttributedText([
        ("Bo", ["__kIMMentionConfirmedMention": "bo@example.com"]), (": ", [:]),
        ("see", ["__kIMLinkAttributeName": URL(string: "https://example.com")!]),
        ("\u{FFFC}", ["__kIMFileTransferGUIDAttributeName": "at_0_1"]),
    ]))

/// A file of the corpus that `ARCHIVING_CORPUS` names, if there is one.
func corpusFile(_ prefix: String) -> URL? {
    guard let corpus = ProcessInfo.processInfo.environment["ARCHIVING_CORPUS"] else { return nil }
    let folder = URL(filePath: corpus).appending(path: "archives")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.first { $0.hasPrefix(prefix) }.map { folder.appending(path: $0) }
}

// MARK: - favorites.md

// A header of 16 bytes, the place of the table, two names, the array of both, and the table with one key.
let bookmark = bytes(
    """
    'book' 60 00 00 00 00 00 04 10 10 00 00 00 30 00 00 00 05 00 00 00 01 01 00 00 'Users' 00 00 00
    04 00 00 00 01 01 00 00 'anna' 08 00 00 00 01 06 00 00 04 00 00 00 14 00 00 00
    18 00 00 00 FE FF FF FF 01 00 00 00 00 00 00 00 01 00 00 00 04 10 00 00 20 00 00 00 00 00 00 00
    """)
let url = try file(
    "favorites.sfl2",
    ["NS.keys": [.uid(2)], "NS.objects": [.uid(3)], "$class": .uid(4)], "items",
    ["NS.objects": [.uid(5)], "$class": .uid(9)], classEntry("NSDictionary"),
    ["NS.keys": [.uid(6), .uid(7)], "NS.objects": [.uid(8), .uid(10)], "$class": .uid(4)], "Name", "Bookmark", "Home",
    classEntry("NSArray"), .data(bookmark))
// block
// block
for count in 0..<bookmark.count - 8 { expect(path(inBookmark: bookmark.prefix(count)) == nil) }
// The list of a Mac.
if let list = corpusFile("de6b0cdfb0") {
    let items = try KeyedArchive(Data(contentsOf: list)).root["items"]?.decode([[String: KeyedArchive.Value]].self)
    let paths = items?.map { $0["Bookmark"]?.data.flatMap(path(inBookmark:)) }
    expect(items?.count == 6 && paths?[0] == nil && paths?[1] == "/Applications")
}

// MARK: - messages.md

// block
// block
// block
expect(texts(in: ["ec": ["0": [["t": .data(typedStream(hello)), "d": 700_000_000]]], "otr": 1]) == ["Hello"])
// Edited messages of a Mac.
for (name, count) in [("d9faf88d1b", 2), ("e3e3831ad3", 3)] {
    guard let file = corpusFile(name) else { continue }
    let history = texts(in: try PropertyList(Data(contentsOf: file)))
    expect(history.count >= count && history.allSatisfy { !$0.isEmpty })
}

// MARK: - state-files.md

let url = try file(
    "UserInterfaceState.xcuserstate", key: "State",
    ["NS.keys": [.uid(2)], "NS.objects": [.uid(3)], "$class": .uid(8)], "44D4104C",
    ["NS.keys": [.uid(4), .uid(5)], "NS.objects": [.uid(6), .uid(7)], "$class": .uid(8)],
    "IDEWindowFrame", "IDEDocument", "{{24, 67}, {1400, 810}}", ["documentURL": .uid(10), "$class": .uid(9)],
    classEntry("NSDictionary"), classEntry("DVTDocumentLocation"),
    ["NS.base": .uid(0), "NS.relative": .uid(11), "$class": .uid(12)], "file:///Users/anna/Farm/Barn.swift",
    classEntry("NSURL"))

// MARK: - terminal-colors.md

let color = try Data(
    contentsOf: file(
        "color", ["NSRGB": .data(Data("0 0.25 0.5\0".utf8)), "NSColorSpace": 2, "$class": .uid(2)],
        classEntry("NSColor")))
let url = URL.temporaryDirectory.appending(path: "Farm.terminal")
try PropertyList.dictionary(["ANSIBlackColor": .data(color), "name": "Farm", "other": .data(Data([1]))])
    .data(format: .xml).write(to: url)
// block
// block
guard case .color(let changedColor)? = try KeyedArchive(changed).root.foundationValue() else { fatalError() }
expect(changedColor == AttributedText.Color(.deviceRGB, [1, 0.5, 0]))

// MARK: - user-defaults.md

let window = try Data(
    contentsOf: file("window", ["title": .uid(2), "$class": .uid(3)], "Untitled", classEntry("Window")))
let url = URL.temporaryDirectory.appending(path: "farm.plist")
try PropertyList.dictionary(["count": 3, "window": .data(window)]).data().write(to: url)
// block
// block
// block
// Foundation reads the list, and plainly the archive in it.
let read = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil) as! [String: Any]
let changed = try KeyedArchive(read["window"] as! Data)
expect(read["count"] as? Int == 3 && changed.root.className == "Window")
expect(changed.root["title"]?.string == "Farm")

// MARK: - sequential-archives.md

let archiver = SequentialArchiver()
// block
// block
let old = typedStream(
    """
    84 01 '@' 84 84 84 08 'Landmark' 01 84 84 08 'NSObject' 00 85
    92 84 84 84 08 'NSString' 01 94 84 01 '+' 05 'tower' 86 84 01 'i' 0C 86
    """)
expect(try SequentialUnarchiver.unarchivedObject(of: Landmark.self, from: old).height == 12)
let flags: UInt16 = 65535
do {
    let (coder, index, length) = (archiver, 1, 6)
    // block
}
let coder = try SequentialUnarchiver(forReadingFrom: archiver.finishEncoding())
let types = coder.stream.groups.map { $0.types.map(\.description).joined() }
expect(types == ["i", "S", "*", "@", "iI", "[3f]", "@", "+"])
// block
expect(number == 5 && same == 65535 && title == "title" && name == "title" && index == 1 && length == 6)
expect(vector == [1, 2, 3] && numbers == [1, 2, 3] && bytes == [1, 2, 3] && coder.isAtEnd)
final class View: SequentialCoding {
    var title: String
    var subviews: [View] = []
    weak var superview: View?

    init(title: String) { self.title = title }

    func encode(with coder: SequentialArchiver) throws {
        try coder.encode(title)
        try coder.encode(subviews)
        try coder.encodeConditional(superview)
    }

    // block
}
let view = View(title: "all")
view.subviews = [View(title: "one"), View(title: "two")]
for subview in view.subviews { subview.superview = view }
let again = try SequentialUnarchiver.unarchivedObject(
    of: View.self, from: SequentialArchiver.archivedData(withRootObject: view))
expect(again.subviews.map(\.title) == ["one", "two"] && again.subviews.allSatisfy { $0.superview === again })

// MARK: - swift-archiving.md

struct Farm: Codable {
    var name: String
}
let farm = Farm(name: "The Farm")

// MARK: - typedstream-format.md

let data = typedStream(hello)
// block
expect(try stream.data() == data)
// block
// block
expect(changed == data.dropLast(7) + bytes("07 'Goodbye' 86"))
let oldFile = typedStream(
    """
    84 01 '@' 84 84 84 07 'NSArray' 00 84 84 08 'NSObject' 00 85 84 01 'i' 02
    92 84 84 84 05 'Place' 00 94 92 84 84 84 08 'NSString' 01 94 84 01 '+' 04 'lake' 86 95 03 86
    92 84 96 92 84 98 98 04 'hill' 86 95 01 86 86
    """)
// block
let again = try KeyedUnarchiver(forReadingFrom: newFile).decode([Place].self, forKey: "places")
expect(again.map(\.name) == ["lake", "hill"] && again.map(\.visits) == [3, 1])
