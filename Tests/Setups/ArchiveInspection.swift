// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// The code that pages do not have: see `PageProgram`. Each section is a part of another program.
// swift-format-ignore-file: OrderedImports, NeverForceUnwrap

/// An archive of these objects, the first of which is the root.
func archive(_ objects: PropertyList...) throws -> Data {
    let archive: PropertyList = [
        "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
        "$objects": .array(["$null"] + objects),
    ]
    return try archive.data()
}
func classEntry(_ name: String) -> PropertyList {
    ["$classname": .string(name), "$classes": [.string(name), "NSObject"]]
}
func file(_ data: Data) throws -> URL {
    let url = URL.temporaryDirectory.appending(path: "file")
    try data.write(to: url)
    return url
}

// MARK: - ArchiveInspection.md

let data = try ArchiveEncoder().encode(["a"])

// MARK: - EditingArchives.md

/// The farm under the new names.
func read(_ data: Data) throws -> Farm {
    var decoder = ArchiveDecoder()
    decoder.classes.register(Farm.self, name: "Farm")
    decoder.classes.register(Animal.self, name: "Animal")
    decoder.classes.register(Owner.self, name: "Old.Owner")
    return try decoder.decode(Farm.self, from: data)
}
// block
// block
expect(try read(renamed).animals.map(\.weight) == [512.5, 48])
// block
expect(
    try KeyedArchive(editor.propertyList)["root", "animals", 1]?.class?.chain == ["Animal", "LivingThing", "NSObject"])
// block
let changed = try read(editor.propertyList.data())
expect(changed.animals.map(\.name) == ["Bella", "Berta"] && changed.animals.map(\.weight) == [512.5, 480.5])
expect(changed.founded == Date(timeIntervalSinceReferenceDate: 86_400))
// block
expect(try read(editor.propertyList.data()).animals.map(\.owner.name) == ["Grace", "Grace"])
// block
expect(try read(editor.propertyList.data()).animals.map(\.name) == ["Calf", "Berta"])
expect(try editor.propertyList.data().range(of: Data("555-0100".utf8)) != nil)
// block
expect(clean.range(of: Data("555-0100".utf8)) == nil)
// block
expect(try ArchiveDecoder().decode([String].self, from: made) == ["Ada", "Grace"])
expect(try KeyedArchive(made)["version"]?.integer == 2)
// block
expect(archive.archiver == "MyArchiver" && archive["root", "animals", 1, "weight"]?.double == 48)

// MARK: - TreesAndFoundationValues.md

let photo = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52])
let url = try file(
    archive(
        [
            "name": .uid(2), "owner": .uid(3), "animals": .uid(6), "founded": .uid(11), "debts": .uid(0),
            "photo": .data(photo + Data(count: 20_464)), "$class": .uid(13),
        ], "Green Hill", ["name": .uid(4), "farm": .uid(1), "$class": .uid(5)], "Ann", classEntry("Owner"),
        ["NS.objects": [.uid(7), .uid(9), .uid(7)], "$class": .uid(10)],
        ["name": .uid(8), "owner": .uid(3), "$class": .uid(12)], "Bella", ["$class": .uid(14)],
        classEntry("NSArray"), ["NS.time": 549_824_400.0, "$class": .uid(15)], classEntry("Farm.Cow"),
        classEntry("Farm"), classEntry("NSNull"), classEntry("NSDate")))
struct StandardOutput: TextOutputStream {
    var text = ""
    mutating func write(_ string: String) { text += string }
}
// block
expect("\(archive)" == "Keyed archive of 16 objects, 21059 bytes, root Farm")
expect((archive.root["animals"] ?? archive.root).tree.hasPrefix("NSArray #6, 3 elements"))
// block
expect(output.text.hasPrefix("Keyed archive by NSKeyedArchiver, binary, 16 objects"))
expect(output.text.contains("class Owner"))
// block
func owned() throws -> Data {
    try archive(
        ["owner": .uid(2), "animals": .uid(4), "$class": .uid(8)], ["name": "Ann", "$class": .uid(3)],
        classEntry("Owner"), ["NS.objects": [.uid(5), .uid(6)], "$class": .uid(9)],
        ["owner": .uid(2), "$class": .uid(7)], ["owner": .uid(2), "$class": .uid(7)], classEntry("Animal"),
        classEntry("Farm"), classEntry("NSArray"), "unused")
}
let archive = try KeyedArchive(owned())
// block
expect(archive.unreachableObjects.map { $0.string } == ["unused"])
func values() throws -> URL {
    try file(
        archive(
            [
                "born": .uid(2), "frame": .uid(3), "title": .uid(4), "table": .uid(5), "name": "Bella",
                "other": .uid(6), "style": .uid(15), "$class": .uid(7),
            ], ["NS.time": 1.5, "$class": .uid(8)],
            ["NS.special": 3, "NS.rectval": "{{1, 2}, {30, 40}}", "$class": .uid(9)],
            ["NSString": "bold", "NSAttributes": .uid(12), "$class": .uid(10)],
            ["NS.keys": ["a"], "NS.objects": [1], "$class": .uid(11)], ["x": 1, "$class": .uid(7)],
            classEntry("Thing"), classEntry("NSDate"), classEntry("NSValue"), classEntry("NSAttributedString"),
            classEntry("NSDictionary"), ["NS.keys": ["NSFont"], "NS.objects": [.uid(13)], "$class": .uid(11)],
            ["NSName": "Helvetica", "$class": .uid(14)], classEntry("NSFont"),
            ["NSLineSpacing": 1.5, "NSAlignment": 2, "$class": .uid(16)], classEntry("NSParagraphStyle")))
}
let url = try values()
// block
// block
// block

// MARK: - KeyedArchiveEditor+Editing.swift

struct Cow: Codable {
    var age = 4
    var home = 0
}
var editor = try KeyedArchiveEditor(KeyedArchive(ArchiveEncoder().encode(["animals": [Cow(), Cow(), Cow(), Cow()]])))
let barn = try editor.addObject(ofClass: "Barn", fields: ["stalls": 12])
// block
let cow = try KeyedArchive(editor.propertyList).root["animals"]?[3]
expect(cow?["age"]?.integer == 7 && cow?["home"]?["stalls"]?.integer == 12)

// MARK: - KeyedArchiveEditor.swift

struct Cow: Codable {
    var name = "Ada"
}
struct Farm: Codable {
    var animals = [Cow(), Cow(), Cow(), Cow()]
    var owner = ["Ann"]
}
var encoder = ArchiveEncoder()
encoder.classes.register(Cow.self, name: "OldFarm.Cow")
let url = try file(encoder.encode(Farm()))
// block
let archive = try KeyedArchive(contentsOf: url)
expect(archive.root["animals"]?[3]["name"]?.string == "Bella" && archive.root["owner"] == nil)
expect(archive.root["animals"]?[0].className == "Cow")
var editor = try KeyedArchiveEditor(KeyedArchive(ArchiveEncoder().encode(["barn": "South"])))
// block
expect(try KeyedArchive(editor.propertyList).root["barn"]?["stalls"]?.integer == 12)

// MARK: - FoundationValue.swift

let frame = try archive(
    ["NS.keys": ["frame", "NSParagraphStyle"], "NS.objects": [.uid(3), .uid(5)], "$class": .uid(2)],
    classEntry("NSDictionary"), ["NS.special": 3, "NS.rectval": "{{1, 2}, {30, 40}}", "$class": .uid(4)],
    classEntry("NSValue"), ["NSLineSpacing": 1.5, "$class": .uid(6)], classEntry("NSParagraphStyle"))
let archive = try KeyedArchive(frame)

// MARK: - FoundationObject.swift

let archive = try KeyedArchive(ArchiveEncoder().encode(["a": 1]))

// MARK: - KeyedArchive+Nesting.swift

let archive = try KeyedArchive(ArchiveEncoder().encode([["a": [1]]]))
// block
expect(depth == 3 && path == [.key("root"), .index(0), .key("a")])

// MARK: - KeyedArchive+Sizes.swift

let archive = try KeyedArchive(ArchiveEncoder().encode(["a": ["b", "c"]]))
// block
let count = archive.objects.map { sizes.byteCount(of: $0) }.reduce(0, +)
expect(try count > 0 && count < archive.data().count)

// MARK: - ArchiveDump.swift

let archive = try KeyedArchive(ArchiveEncoder().encode(["one"]))

// MARK: - FieldCheck.swift

struct Node: ArchivedFields {
    static let sample = Node()
    static let fields = FieldList<Node> {}
}
