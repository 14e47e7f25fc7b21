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

class Window: Coding, Codable {
    let title: String

    init(title: String) { self.title = title }

    required init(coder: KeyedUnarchiver) throws {
        title = try coder.decode(String.self, forKey: "title")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(title, forKey: "title")
    }
}

// MARK: - CodingClasses.md

// block
let prices = KeyedArchiver()
prices.encode(2.5, forKey: "price")
let coder = try KeyedUnarchiver(forReadingFrom: prices.finishEncoding())
// block
expect(speed == 0 && price == 2.5 && discount == nil)
// block
// block
// block
expect(parked is Truck && parked.owner?.name == "Anna" && floor == 3)
let url = try file(garage)
// block
expect(again.owner?.name == "Anna")
let rows = [[anna], [], [anna]]
let rowsArchiver = KeyedArchiver()
try rowsArchiver.encode(Coded(wrappedValue: rows), forKey: "rows")
let archiver = KeyedArchiver()
let unarchiver = try KeyedUnarchiver(forReadingFrom: rowsArchiver.finishEncoding())
// block
expect(again.map(\.count) == [1, 0, 1] && again[0][0] === again[2][0])
// block
// block
// block
let data = try KeyedArchiver.archivedData(withRootObject: Song(title: "La mer"))
expect(try KeyedUnarchiver.unarchivedObject(of: Song.self, from: data).title == "La mer")
// block
// block
// block
let drafts = KeyedArchiver()
try drafts.encodeObject([Draft(song: Song(title: "La mer")), Draft(song: nil)] as [any Coding], forKey: "all")
let song = try KeyedArchive(drafts.finishEncoding()).top["all"]
expect(song?[0]["SongTitle"]?.string == "La mer" && song?[1].string == nil)
// block
let francs = try KeyedUnarchiver.unarchivedObject(
    of: Currency.self, from: KeyedArchiver.archivedData(withRootObject: Currency.known["CHF"]!))
expect(francs === Currency.known["CHF"])
let mixed = KeyedArchiver()
try mixed.encodeObject([anna, "text"] as [Any], forKey: "things")
let data = try mixed.finishEncoding()
// block
expect((things as? [Any])?.count == 2)
let sizes = KeyedArchiver()
sizes.encode(0.5, forKey: "width")
let unarchiver = try KeyedUnarchiver(forReadingFrom: sizes.finishEncoding())
// block
expect(width == 640)

// MARK: - DeclaredFields.md

import ArchiveDocuments

// block
// block
// block
let links = [Link.folder(root), .label("a", size: 2), .nothing]
let again = try ArchiveDecoder().decode([Link].self, from: ArchiveEncoder().encode(links))
guard case .label("a", size: 2) = again[1] else { fatalError() }
// block
// block
final class Entry: ArchivedFields {
    var word = ""
    var index: Index?

    init() {}

    static let fields = FieldList<Entry> {
        Field("word", \.word)
        Field("index", \.index)
    }
}
// block
let data = try ArchiveEncoder().encode(["entries": [["word": "a"], ["word": "b"]]])
let index = try ArchiveDecoder().decode(Index.self, from: data)
expect(index.byWord.count == 2 && index.byWord["b"] === index.entries[1])

// MARK: - GettingStarted.md

// block
// block
loaded[0].author.name = "Jane Austen"
expect(loaded[1].author.name == "Jane Austen")
// block
// block
expect(fromFile.map(\.title) == ["Emma", "Persuasion"] && fromFile[0].author === fromFile[1].author)
// block
// block
expect(try KeyedArchive(ArchiveEncoder().encode(Chapter(title: "One"))).root.className == "Chapter")
let farm = ["cows": 2]
// block
expect(xml.starts(with: Data("<?xml".utf8)))
// block
// block
// block
// block
func shown(_ data: Data) -> [String] {
    do {
        _ = try ArchiveDecoder().decode([Int].self, from: data)
        return []
    } catch {
        let (sentence, suggestion) = alert(for: error)
        return [sentence, suggestion]
    }
}
expect(
    shown(Data("Hello".utf8)) == [
        "The file is plain text, not a property list.", "Choose a file in the binary or the XML property list format.",
    ])
expect(try shown(ArchiveEncoder().encode(["a"]))[1] == "Open the file with the program that wrote it.")

// MARK: - IdentityAndCycles.md

// block
let italy = [Country(id: "IT", name: "Italy"), Country(id: "IT", name: "Italia")]
let countries = try ArchiveDecoder().decode([Country].self, from: ArchiveEncoder().encode(italy))
expect(countries.map(\.name) == ["Italy", "Italy"])
// block
enum HandWritten {
    final class Member: Codable {
        var isCaptain = true
    }
    // block
}
let captains = HandWritten.Team(members: [HandWritten.Member()])
let team = try ArchiveDecoder().decode(HandWritten.Team.self, from: ArchiveEncoder().encode(captains))
expect(team.captains.count == 1)
// block
// block
// A ring is never released, and the release of a chain would need much stack.
var stationCount = 0
for start in [first, ring] {
    var next: Station? = start
    while let station = next {
        (next, station.next) = (station.next, nil)
        stationCount += 1
    }
}
expect(stationCount == 100_002)  // each starts and ends with the same one
// block
// block
// block
let index = try ArchiveDecoder().decode(Index.self, from: ArchiveEncoder().encode(Index(words: ["a", "b"])))
expect(index.byWord.count == 2 && index.entries.allSatisfy { $0.index === index })

// MARK: - LookingIntoArchives.md

let document = try ArchiveEncoder().encode(["title": "Inside"])
let bytes = PropertyList.data(Data(repeating: 7, count: 20_480))
func farm(owner: UInt32, document: Data, photo: PropertyList) throws -> Data {
    let farm: PropertyList = [
        "name": .uid(2), "owner": .uid(owner), "animals": .uid(6), "prices": .uid(10), "photo": photo,
        "document": .uid(14), "$class": .uid(13),
    ]
    return try archive(
        farm, "Green Hill", ["name": .uid(4), "farm": .uid(1), "$class": .uid(5)], "Ann", classEntry("Owner"),
        ["NS.objects": [.uid(7), .uid(8)], "$class": .uid(9)],
        ["name": "Bella", "weight": .real32(612.5), "owner": .uid(3), "$class": .uid(12)],
        ["name": "Daisy", "weight": .real32(480.25), "owner": .uid(3), "$class": .uid(12)], classEntry("NSArray"),
        ["NS.keys": ["milk"], "NS.objects": [1.5], "$class": .uid(11)], classEntry("NSDictionary"),
        classEntry("Animal"), classEntry("Farm"), .data(document), "unused")
}
let url = try file(farm(owner: 3, document: document, photo: bytes))
// block
expect(owner?.name == "Ann")
// block
// block
expect(archive.format == .binary && archive.archiver == "NSKeyedArchiver" && archive.objects.count == 16)
// block
expect(animals?.count == 2 && bella?["name"]?.string == "Bella" && third == nil)
// block
expect(archive["root", "animals", 1, "name"]?.string == "Daisy")
// block
// block
expect(archive.root["animals"]?[0]["weight"]?.double == 612.5 && archive.root["name"]?.integer == nil)
// block
expect(archive.root["owner"] == archive.root["animals"]?[0]["owner"] && archive.root["owner"]?.uid == 3)
expect(archive.root["owner"]?["farm"] == archive.root)
// block
expect(owner?.name == "Ann" && weights == [612.5, 480.25] && prices == ["milk": 1.5])
let whole = archive
let archive = try KeyedArchive(farm(owner: 99, document: document, photo: bytes))
// block
let archive = whole
// block

// MARK: - MainActorModels.md

import ArchiveDocuments

// block
// block
// block
let keeper = try KeyedUnarchiver.unarchivedObject(
    of: Keeper.self, from: KeyedArchiver.archivedData(withRootObject: Keeper(names: ["Anna", "Bert"])))
let url = URL.temporaryDirectory.appending(path: "accounts")
// block
expect(try ArchiveDecoder().decode(Account.self, from: url).friends[0].name == "Bert")
final class Game: Codable { var score = 7 }
// block
let gameURL = URL.temporaryDirectory.appending(path: "game")
try await save(Game(), to: gameURL)
expect(try ArchiveDecoder().decode(Game.self, from: gameURL).score == 7)

// MARK: - MigratingFromJSONEncoder.md

let jane = Author(name: "Jane")
let date = Date(timeIntervalSinceReferenceDate: 0)
let library = Library(books: ["Emma", "Persuasion"].map { Book(title: $0, author: jane, printed: date) })
// block
// block
// block
// block
// block
let url = try file(JSONEncoder().encode(library))
for _ in 1...2 {
    let library = try loadLibrary(from: url)
    expect(library.books[0].author === library.books[1].author)
    expect(try KeyedArchive(contentsOf: url).format == .binary)
}
try Data("no library".utf8).write(to: url)
expect((try? loadLibrary(from: url)) == nil)

// MARK: - MigratingFromNSCoding.md

import ArchiveInspection

// block
final class ItemList: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true
    let title: String
    private(set) var items: [Item] = []

    init(title: String) { self.title = title }

    func add(_ item: Item) {
        items.append(item)
        item.list = self
    }

    required init?(coder: NSCoder) {
        guard let title = coder.decodeObject(of: NSString.self, forKey: "title") else { return nil }
        self.title = title as String
        super.init()
        items = coder.decodeObject(of: [NSArray.self, Item.self], forKey: "items") as? [Item] ?? []
    }

    func encode(with coder: NSCoder) {
        coder.encode(title as NSString, forKey: "title")
        coder.encode(items as NSArray, forKey: "items")
    }
}
enum Keyed {
    // block
    final class ItemList: Coding {
        let title: String
        private(set) var items: [Item] = []

        init(title: String) { self.title = title }

        func add(_ item: Item) {
            items.append(item)
            item.list = self
        }

        init(coder: KeyedUnarchiver) throws {
            title = try coder.decode(String.self, forKey: "title")
            items = try coder.decodeIfPresent([Item].self, forKey: "items") ?? []
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(title, forKey: "title")
            try coder.encode(items, forKey: "items")
        }
    }
}
// block
func saved(_ list: ItemList) throws -> (Data, ItemList?) {
    // block
    return (data, again)
}
extension Keyed {
    static func readAndWrite(_ oldFile: Data) throws -> Data {
        let date = Date(timeIntervalSinceReferenceDate: 86_400)
        let list = ItemList(title: "Garden")
        list.add(Item(name: "Spade", count: 2, price: 12.5, added: date, tags: ["tool", "iron"]))
        // block
        expect(again.items[0].tags == ["tool", "iron"] && again.items[0].added == date)
        // block
        expect(old.items.map(\.name) == ["Spade", "Seeds"] && old.items.map(\.count) == [2, 300])
        expect(old.items.map(\.added) == [date, nil] && old.items.allSatisfy { $0.list === old })
        // block
        // block
        expect(Set(names).isSuperset(of: ["MyApp.Item", "MyApp.ItemList"]))
        // block
        expect(record.items.map(\.price) == [12.5, 0.5] && record.items.map(\.added) == [date, nil])
        // block
        expect(part?.items.map(\.tags) == [["tool", "iron"], []])
        // block
        return forOldPrograms
    }
}
func loaded(_ forOldPrograms: Data) throws -> ItemList? {
    // block
    return list
}
let date = Date(timeIntervalSinceReferenceDate: 86_400)
NSKeyedUnarchiver.setClass(Item.self, forClassName: "MyApp.Item")
NSKeyedUnarchiver.setClass(ItemList.self, forClassName: "MyApp.ItemList")
let list = ItemList(title: "Garden")
list.add(Item(name: "Spade", count: 2, price: 12.5, added: date, tags: ["tool", "iron"]))
list.add(Item(name: "Seeds", count: 300, price: 0.5, added: nil, tags: []))
// Foundation on Linux decodes no cycle.
expect(try saved(ItemList(title: "Empty")).1?.title == "Empty")
let data = try NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)
// As the program wrote it when it was called MyApp.
var editor = try KeyedArchiveEditor(KeyedArchive(data))
try editor.renameClass(NSStringFromClass(Item.self), to: "MyApp.Item")
try editor.renameClass(NSStringFromClass(ItemList.self), to: "MyApp.ItemList")
let oldFile = try editor.propertyList.data()
let cocoa = try loaded(Keyed.readAndWrite(oldFile))
expect(cocoa?.items.map(\.name) == ["Spade", "Seeds"] && cocoa?.items.map(\.price) == [12.5, 0.5])
expect(cocoa?.items.map(\.added) == [date, nil] && cocoa?.items.map(\.tags) == [["tool", "iron"], []])
// block
let badge = Badge(label: "New")
let here = try KeyedUnarchiver.unarchivedObject(
    of: Badge.self, from: KeyedArchiver.archivedData(withRootObject: badge))
let there = try NSKeyedUnarchiver.unarchivedObject(
    ofClass: Badge.self, from: NSKeyedArchiver.archivedData(withRootObject: badge, requiringSecureCoding: true))
let across = try NSKeyedUnarchiver.unarchivedObject(
    ofClass: Badge.self, from: KeyedArchiver.archivedData(withRootObject: badge))
expect(here.label == "New" && there?.label == "New" && across?.label == "New")

// MARK: - NamesAndSubclasses.md

final class Keeper: Codable {}
struct Cage: Codable {}
// block
// block
expect(try KeyedArchive(ArchiveEncoder().encode(Location(latitude: 47, longitude: 8))).root.className == "Location")

// MARK: - ObservableModels.md

import Observation
import Synchronization

// block
let changes = Mutex(0)
withObservationTracking {
    _ = copy.title
} onChange: {
    changes.withLock { $0 += 1 }
}
copy.title = "Changed"
expect(changes.withLock(\.self) == 1 && copy.selection == 0)
let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(Sketch())) as? [String: Any]
expect(json.map { Set($0.keys) } == ["title", "children"])
// block
let layers = [Layer(), Layer()]
layers[1].below = layers[0]
let copies = try ArchiveDecoder().decode([Layer].self, from: ArchiveEncoder().encode(layers))
expect(copies[1].below === copies[0] && copies[0].below == nil)
// block
show.next = nil

// MARK: - Performance.md

struct Section: Codable {
    var number: Int
}
struct Document: Codable {
    var title = "Poems"
    var sections = (0..<10).map { Section(number: $0) }
}
let url = try file(ArchiveEncoder().encode(Document()))
// block
expect(title == "Poems" && section?.number == 3)

// MARK: - ReadingAppleArchives.md

let url = try file(
    archive(
        ["books": .uid(2), "$class": .uid(11)], ["NS.objects": [.uid(3), .uid(8)], "$class": .uid(10)],
        ["title": .uid(4), "pages": 474, "bought": .uid(5), "$class": .uid(7)], "Emma",
        ["NS.time": 549_824_400.0, "$class": .uid(6)], classEntry("NSDate"), classEntry("LOBook"),
        ["title": .uid(9), "pages": 249, "bought": .uid(0), "$class": .uid(7)], "Persuasion",
        classEntry("NSArray"), classEntry("LOShelf")))
// block
// block
// block
// block
expect(books?.map(\.title) == ["Emma", "Persuasion"] && books?[1].bought == nil)
// block
expect(first?.title == "Emma" && first?.pages == 474)
// block
let again = try KeyedArchive(ArchiveEncoder().encode(shelf))
expect(again.root["books"]?[1]["title"]?.string == "Persuasion" && again.root["books"]?[1].className == "LOBook")
func favourites() throws -> Data {
    try archive(
        ["NS.keys": [.uid(2), .uid(3)], "NS.objects": [.uid(5), .uid(8)], "$class": .uid(4)], "properties", "items",
        classEntry("NSDictionary"), ["NS.keys": [.uid(6)], "NS.objects": [.uid(7)], "$class": .uid(4)],
        "com.apple.visible", true, ["NS.objects": [.uid(10)], "$class": .uid(9)], classEntry("NSArray"),
        ["NS.keys": [.uid(11), .uid(12)], "NS.objects": [.uid(13), .uid(14)], "$class": .uid(4)], "Name", "Bookmark",
        "Documents", .data(Data("book".utf8)))
}
let data = try favourites()
// block
expect(favourites["properties"] == ["com.apple.visible": true])
// block
let settings = URL.temporaryDirectory.appending(path: "settings")
let window = try ArchiveEncoder().encode(["title": "Untitled"])
try PropertyList.dictionary(["window": .data(window)]).data().write(to: settings)
// block
let guide = URL(string: "https://example.com/guide")!
// block
expect(read.links.map { read.string[$0.range] } == ["the guide"])
expect(read.parts(with: "NSFont", as: AttributedText.Font.self).map(\.value) == [bold])
let attributedBody = Data(
    [4, 11] + Array("streamtyped".utf8) + [0x81, 0xE8, 3, 0x84, 1] + Array("@".utf8) + [0x84, 0x84, 0x84, 15]
        + Array("NSMutableString".utf8) + [1, 0x84, 0x84, 8] + Array("NSString".utf8) + [1, 0x84, 0x84, 8]
        + Array("NSObject".utf8) + [0, 0x85, 0x84, 1] + Array("+".utf8) + [5] + Array("Hello".utf8) + [0x86])
// block
// block

// MARK: - SecureDecoding.md

final class Owner: Coding {
    let name: String

    init(name: String) { self.name = name }

    init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
    }
}
let percentages = [40, 60]
// block
expect(messages[1] is Picture && messages.map(\.text) == ["Hello", "A cat"])
let other = try ArchiveEncoder().encode([Message(text: "Hello"), Command(text: "rm")])
expect((try? decoder.decode([Message].self, from: other)) == nil)
// block
expect((things as? [Any])?.count == 3)
// block
expect((try? ArchiveDecoder().decode(Percentage.self, from: ArchiveEncoder().encode(400))) == nil)
// block
// block
expect(read == percentages)
// block
expect(names.contains { $0.contains("Owner") })

// MARK: - TypeErasure.md

final class Owner: Codable {
    var name: String
    init(name: String) { self.name = name }
}

// MARK: - UnknownClasses.md

final class Pen: Codable, ArchiveDescribing {
    static let archiveName = "Pen"
    var name = "red"
}
final class Circle: Shape {
    var pen: Pen
    var area: Double { 3 }
    init(_ pen: Pen) { self.pen = pen }
}
final class Spiral: Shape {
    var turns = 3
    var pen: Pen
    var area: Double { 0 }
    init(_ pen: Pen) { self.pen = pen }
}
var newer = ArchiveEncoder()
newer.classes.register(Circle.self, name: "Circle")
newer.classes.register(Spiral.self, name: "Spiral")
let pen = Pen()
let data = try newer.encode(Drawing(title: "First", shapes: [Circle(pen), Spiral(pen)]))
// block
// block
let archive = try KeyedArchive(saved)
expect(archive.root["title"]?.string == "Changed" && archive.root["shapes"]?[1]["turns"]?.integer == 3)
// What both objects refer to has changed for both.
(drawing.shapes[0] as? Circle)?.pen.name = "blue"
var knowing = decoder
knowing.classes.register(Spiral.self, name: "Spiral")
let again = try knowing.decode(Drawing.self, from: encoder.encode(drawing))
let spiral = again.shapes[1] as? Spiral
expect(spiral?.turns == 3 && spiral?.pen.name == "blue" && spiral?.pen === (again.shapes[0] as? Circle)?.pen)
// block
// block
expect((object as? UnknownObject)?.value["title"]?.string == "First")
// block
expect(known.shapes.count == 1 && known.shapes[0] is Circle)

// MARK: - WhenTypesChange.md

final class Dog: Codable {}
// block
expect(page.width == 210)
enum NewMood: String, Codable { case calm, happy, sad }
let moods = try ArchiveDecoder().decode([Mood].self, from: ArchiveEncoder().encode([NewMood.calm, .sad]))
expect(moods == [.calm, .other("sad")])
expect(try ArchiveDecoder().decode([NewMood].self, from: ArchiveEncoder().encode(moods)) == [.calm, .sad])
enum NewShape: Codable, Equatable {
    case circle(radius: Double)
    case polygon(points: [[Double]], name: String)
}
let newShapes: [NewShape] = [.circle(radius: 2), .polygon(points: [[1, 2], [3, 4]], name: "a")]
let shapes = try ArchiveDecoder().decode([Shape].self, from: ArchiveEncoder().encode(newShapes))
expect(try ArchiveDecoder().decode([NewShape].self, from: ArchiveEncoder().encode(shapes)) == newShapes)

// MARK: - ArchiveDecoder.swift

struct Farm: Codable {
    var name = "The Farm"
}
typealias Library = Farm
let data = try ArchiveEncoder().encode(Farm())
// block
expect(farm.name == "The Farm")
// block
expect(library.name == "The Farm")

// MARK: - ArchiveEncoder.swift

struct Farm: Codable {
    var name = "The Farm"
}
let farm = Farm()
let library = ["The Farm"]
// block
expect(again.name == "The Farm")
// block
expect(try KeyedArchive(data).root.keys == ["NS.year", "NS.month", "NS.leapMonth", "NS.repeatedDay"])

// MARK: - ArchivedCases.swift

final class Node: ArchivedFields {
    init() {}

    static let fields = FieldList<Node> {}
}
// block
let links = try ArchiveDecoder().decode(
    [Link].self, from: ArchiveEncoder().encode([Link.node(Node()), .label("a", size: 2), .nothing]))
guard case .label("a", size: 2) = links[1] else { fatalError() }

// MARK: - ArchivedFields.swift

// block
let node = Node()
node.children = [Node()]
node.children[0].parent = node
let copy = try ArchiveDecoder().decode(Node.self, from: ArchiveEncoder().encode(node))
expect(copy.children[0].parent === copy)

struct Point: ArchivedFields, Equatable {
    var x = 1.0
    var y = 2.0

    // block
}
expect(try ArchiveDecoder().decode(Point.self, from: ArchiveEncoder().encode(Point())) == Point())
// block
let box = Box()
box.cornerRadius = 3
expect(try ArchiveDecoder().decode(Box.self, from: ArchiveEncoder().encode(box)).cornerRadius == 3)

// MARK: - Field.swift

final class Chapter: ArchivedFields {
    var title = ""
    var count = 1
    weak var parent: Chapter?

    init() {}

    static let fields = FieldList<Chapter> {
        // block
    }
}
expect(try KeyedArchive(ArchiveEncoder().encode(Chapter())).root.keys == ["title"])

// MARK: - KeyedArchive+Decoding.swift

struct Owner: Codable {
    var name = "Ann"
}
func family() throws -> Data {
    try archive(
        ["children": .uid(2), "$class": .uid(4)], ["NS.objects": [.uid(3)], "$class": .uid(6)],
        ["parent": .uid(1), "$class": .uid(5)], ["$classname": "Parent"], ["$classname": "Child"],
        ["$classname": "NSArray"])
}
let url = try file(ArchiveEncoder().encode(["owner": Owner()]))
// block
expect(owner.name == "Ann")
// block
let data = try family()
let parent = try ArchiveDecoder().decode(Parent.self, from: data)
expect(parent.children.map { $0.parent === parent } == [true])

// MARK: - KeyedUnarchiver+Values.swift

// block
var classes = ClassRegistry()
classes.register(Node.self, name: "Node")
let data = try archive(["next": .uid(1), "$class": .uid(2)], ["$classname": "Node"])
let node = try KeyedUnarchiver.unarchivedObject(of: Node.self, from: data, classes: classes)
expect(node.next === node)

// MARK: - ArchivedOnce.swift

// block
let data = try ArchiveEncoder().encode([Person(id: 1, name: "Anna"), Person(id: 1, name: "Anna")])
let archive = try KeyedArchive(data)
expect(archive.root[0] == archive.root[1])

// MARK: - DeepCopy.swift

let window = Window(title: "Untitled")
// block
expect(twin !== window && twin.title == "Untitled")

// MARK: - Reference.swift

// block
let first = try JSONDecoder().decode(Node.self, from: Data(#"{"name":"first"}"#.utf8))
first.next = first
let again = try ArchiveDecoder().decode(Node.self, from: ArchiveEncoder().encode(first))
expect(again.next === again)

// MARK: - References.swift

// block
let first = try JSONDecoder().decode(Node.self, from: Data(#"{"neighbours":[]}"#.utf8))
first.neighbours = [first]
let again = try ArchiveDecoder().decode(Node.self, from: ArchiveEncoder().encode(first))
expect(again.neighbours[0] === again)

// MARK: - WeakReference.swift

// block
let node = try JSONDecoder().decode(Node.self, from: Data(#"{"children":[{"children":[]}]}"#.utf8))
node.children[0].parent = node
let again = try ArchiveDecoder().decode(Node.self, from: ArchiveEncoder().encode(node))
expect(again.children[0].parent === again)

// MARK: - ArchiveValue+Codable.swift

struct Color: Codable {
    var red = 0.5
}
struct Favourites: Codable {
    var name = "Documents"
    var color = Color()
}
let data = try ArchiveEncoder().encode(Favourites())
// block
expect(name == "Documents" && color?.red == 0.5)

// MARK: - PropertyList+Codable.swift

let data = try ArchiveEncoder().encode(["visible": true])
// block
expect(settings == ["visible": true])

// MARK: - ArchiveMigrating.swift

// block
// block
enum Old {
    struct Visit: Codable, ArchiveDescribing {
        static let archiveVersion = 1
        var hours = 1.5
        var town = "Oslo"
    }
    struct Point: Codable, ArchiveDescribing {
        static let archiveVersion = 1
        var radius = 2.0
        var angle = 0.0
    }
}
var encoder = ArchiveEncoder()
encoder.classes.register(Old.Visit.self, name: ClassRegistry().name(for: Visit.self))
encoder.classes.register(Old.Point.self, name: ClassRegistry().name(for: Point.self))
let visit = try ArchiveDecoder().decode(Visit.self, from: encoder.encode(Old.Visit()))
expect(visit.place == "Oslo" && visit.minutes == 90)
expect(try ArchiveDecoder().decode(Point.self, from: encoder.encode(Old.Point())) == Point(x: 2, y: 0))

// MARK: - UnknownObject.swift

protocol Motif: Codable {}
struct Pattern: Motif {
    var name = "Stripes"
}
extension UnknownObject: Motif {}
struct Drawing: Codable {
    @Polymorphic var shapes: [any Motif]
}
var encoder = ArchiveEncoder()
encoder.classes.register(Pattern.self, name: "Pattern")
let data = try encoder.encode(Drawing(shapes: [Pattern()]))
// block
expect(try KeyedArchive(saved).root["shapes"]?[0].className == "Pattern")
expect(try KeyedArchive(saved).root["shapes"]?[0]["name"]?.string == "Stripes")

// MARK: - Coded.swift

typealias Menu = Window
// block
let window = Window(title: "front")
let desktop = Desktop(name: "one", front: window, others: [window], byTitle: ["front": window], menu: nil)
let again = try ArchiveDecoder().decode(Desktop.self, from: ArchiveEncoder().encode(desktop))
expect(again.others.first === again.front && again.byTitle["front"] === again.front && again.menu == nil)

// MARK: - Default.swift

// block
// block
expect(try JSONDecoder().decode(Settings.self, from: Data("{}".utf8)).theme == .light)
expect(try JSONDecoder().decode(Settings.self, from: Data(#"{"theme":"dark"}"#.utf8)).theme == .dark)

// MARK: - Polymorphic.swift

struct Circle: Shape {
    var area: Double { 3 }
}
struct Square: Shape {
    var area: Double { 4 }
}
var encoder = ArchiveEncoder()
encoder.classes.register(Circle.self, name: "Circle")
encoder.classes.register(Square.self, name: "Square")
let data = try encoder.encode(
    Drawing(background: Circle(), shapes: [Square(), Circle()], byName: ["one": Square()]))
// block
expect(drawing.shapes.map(\.area) == [4, 3] && drawing.byName["one"]?.area == 4)

// MARK: - ArchiveProgress.swift

struct Library: Codable {
    var books = ["Emma"]
}
let url = try file(ArchiveEncoder().encode(Library()))
// block
expect(library.books == ["Emma"])

// MARK: - KeyedArchive+Path.swift

let animals = ["Ada", "Eve", "Ida", "Bella"].map { ["name": $0] }
let archive = try KeyedArchive(ArchiveEncoder().encode(["animals": animals]))
// block
expect(archive["root", "animals", 3, "name"]?.string == "Bella" && archive[path]?["name"]?.string == "Bella")

// MARK: - KeyedArchive+PropertyList.swift

// block
expect(archive.root.string == "Bella")
struct Owner: Codable {
    var name = "Ann"
    var age = 4
}
let archive = try KeyedArchive(ArchiveEncoder().encode(Owner()))
// block
let list = try archive.root.propertyList()
expect(list["name"] == .uid(2) && list["age"] == 4 && list["$class"] == .uid(3))

// MARK: - KeyedArchive.swift

struct Owner: Codable {
    var name = "Ann"
}
struct Barn: Codable {
    var name = "South"
}
struct Cow: Codable {
    var name: String
    var barn = Barn()
}
struct Farm: Codable {
    var animals = ["Ada", "Eve", "Ida", "Bella"].map { Cow(name: $0) }
    var owner = Owner()
    var barn = Barn()
}
var encoder = ArchiveEncoder()
encoder.classes.register(Cow.self, name: "Farm.Cow")
let url = try file(encoder.encode(Farm()))
// block
expect(owner.name == "Ann")
// block
expect(animal.className == "Farm.Cow" && animal["name"]?.string == "Bella")

// MARK: - ArchiveChecksum.swift

let farm = ["Bella", "Elsa"]
// block
expect(try KeyedArchive(data).top["$crc64"] != nil)
expect(try ArchiveDecoder().decode([String].self, from: data) == farm)

// MARK: - ArchiveDescribing.swift

struct Person: Codable, ArchiveDescribing {
    static let archiveName = "Addresses.Person"
    static let archiveVersion = 1
    var height = 180.0
}
// block
let old = try ArchiveDecoder().decode(Contact.self, from: ArchiveEncoder().encode(Person()))
let data = try ArchiveEncoder().encode(old)
expect(try old.height == 1.8 && ArchiveDecoder().decode(Contact.self, from: data).height == 1.8)
expect(try KeyedArchive(data).root.className == "Contact")
// block
let circle = try JSONDecoder().decode(Circle.self, from: Data("{}".utf8))
expect(try KeyedArchive(ArchiveEncoder().encode(circle)).root.class?.fallbacks == ["Shape"])

// MARK: - ClassRegistry.swift

class Animal: Codable {
    init() {}
}
final class Dog: Animal {}
final class Cat: Animal {}
// block
expect(try KeyedArchive(encoder.encode(Dog())).root.className == "Dog")
var encoder = ArchiveEncoder()
encoder.classes.register(Cat.self, name: "OldModule.Cat")
let data = try encoder.encode([Dog(), Cat()])
// block
expect(animals[0] is Dog && animals[1] is Cat)

// MARK: - CodingLimits.swift

// block
let text = try ArchiveEncoder().encode(String(repeating: "a", count: 1_600_001))
expect((try? decoder.decode(String.self, from: text)) == nil)

indirect enum Chain: Codable {
    case end
    case link(Chain)
}
// block
let chain = (0..<300).reduce(Chain.end) { chain, _ in .link(chain) }
expect((try? encoder.encode(chain)) == nil)
expect((try? encoder.encode(Chain.link(.end))) != nil)

// MARK: - KeyedArchiver+Instances.swift

final class View: Coding {
    weak var superview: Window?

    init() {}

    init(coder: KeyedUnarchiver) throws {
        superview = try coder.decodeIfPresent(Window.self, forKey: "superview")
    }

    func encode(with coder: KeyedArchiver) throws {
        // block
    }
}
let (view, window) = (View(), Window(title: "a"))
view.superview = window
let data = try KeyedArchiver.archivedData(withRootObject: view)
expect(try KeyedUnarchiver.unarchivedObject(of: View.self, from: data).superview == nil)

// MARK: - KeyedArchiver.swift

let window = Window(title: "Untitled")
// block
expect(try KeyedArchive(data).top["count"]?.integer == 3)
// block
expect(try KeyedUnarchiver.unarchivedObject(of: Window.self, from: data).title == "Untitled")

// MARK: - ArchivableLeaf.swift

let (coder, title) = (KeyedArchiver(), "one")
// block
let archive = try KeyedArchive(coder.finishEncoding())
expect(archive.top["count"]?.integer == 3 && archive.top["title"]?.string == "one")

// MARK: - ArchivableValue.swift

// block
final class Owner: Coding {
    let windows: [Window]
    var angle: Angle?

    init(_ windows: [Window]) { self.windows = windows }

    init(coder: KeyedUnarchiver) throws {
        windows = try coder.decode([Window].self, forKey: "windows")
        angle = try coder.decodeIfPresent(Angle.self, forKey: "angle")
    }

    func encode(with coder: KeyedArchiver) throws {
        try coder.encode(windows, forKey: "windows")
        try coder.encode(angle, forKey: "angle")
    }
}
let windows = [Window(title: "a"), Window(title: "b")]
let owner = Owner(windows)
owner.angle = Angle(degrees: 30)
let coder = KeyedArchiver()
// block
let data = try coder.finishEncoding()
expect(try KeyedArchive(data).top["owner"]?["angle"]?.double == 30)
let coder = try KeyedUnarchiver(forReadingFrom: data)
// block
expect(owner.windows.first === windows.first && windows.map(\.title) == ["a", "b"] && owner.angle?.degrees == 30)

// MARK: - Coding.swift

// block
var classes = ClassRegistry()
classes.register(Item.self, name: "Item")
let data = try archive(["name": .uid(2), "value": 4, "$class": .uid(3)], "Daisy", ["$classname": "Item"])
let item = try KeyedUnarchiver.unarchivedObject(of: Item.self, from: data, classes: classes)
expect(item.name == "Daisy" && item.value == 4)

// MARK: - KeyedCoderDelegates.swift

final class Photo: Coding {
    init() {}

    init(coder: KeyedUnarchiver) throws {}

    func encode(with coder: KeyedArchiver) throws {}
}
final class Album: Coding {
    let title: String
    let cover: Photo?

    init(title: String, cover: Photo?) { (self.title, self.cover) = (title, cover) }

    init(coder: KeyedUnarchiver) throws {
        title = try coder.decode(String.self, forKey: "title")
        cover = try coder.decodeIfPresent(Photo.self, forKey: "cover")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(title, forKey: "title")
        try coder.encode(cover, forKey: "cover")
    }
}
let (archiver, album) = (KeyedArchiver(), Album(title: "Farm", cover: Photo()))
// block
let again = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding()).decode(Album.self, forKey: "album")
expect(again.title == "Farm" && again.cover == nil && withoutPhotos.count == 1)

final class Shape: Coding {
    let corners: Int

    init(coder: KeyedUnarchiver) throws {
        corners = try coder.decodeInteger(forKey: "corners")
    }

    func encode(with coder: KeyedArchiver) throws {}
}
func star(_ names: PropertyList) throws -> KeyedUnarchiver {
    let list: PropertyList = [
        "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["shape": .uid(1)],
        "$objects": ["$null", ["corners": 5, "$class": .uid(2)], ["$classname": "Star", "$classes": names]],
    ]
    return try KeyedUnarchiver(forReadingFrom: list.data())
}
let unarchiver = try star(["Star", "Shape", "NSObject"])
// block
expect(shape.corners == 5)
let other = try star(["Star", "NSObject"])
other.delegate = nearestShape
expect((try? other.decode(Shape.self, forKey: "shape")) == nil)

// MARK: - ArchivingError.swift

func window(in unarchiver: KeyedUnarchiver) throws -> Window? {
    var window: Window?
    // block
    return window
}
for (found, title) in [("nothing", "Untitled"), ("window", "Farm"), ("Daisy", nil)] {
    let archiver = KeyedArchiver()
    switch found {
    case "window": try archiver.encode(Window(title: "Farm"), forKey: "window")
    case "nothing": break
    default: archiver.encode(found, forKey: "window")
    }
    expect(try window(in: KeyedUnarchiver(forReadingFrom: archiver.finishEncoding()))?.title == title)
}

// MARK: - KeyedUnarchiver.swift

let archiver = KeyedArchiver()
try archiver.encode(Window(title: "Untitled"), forKey: "window")
archiver.encode(3, forKey: "count")
let data = try archiver.finishEncoding()
// block
expect(window.title == "Untitled" && count == 3)
do {
    let data = try KeyedArchiver.archivedData(withRootObject: Window(title: "Untitled"))
    // block
    expect(window.title == "Untitled")
}
class Node: Coding {
    var children: [Node] = []
    weak var parent: Node?

    init() {}

    // block

    func encode(with coder: KeyedArchiver) throws {
        try coder.encode(children, forKey: "children")
        try coder.encode(parent, forKey: "parent")
    }
}
let node = Node()
node.children = [Node(), Node()]
for child in node.children { child.parent = node }
let again = try KeyedUnarchiver.unarchivedObject(
    of: Node.self, from: KeyedArchiver.archivedData(withRootObject: node))
expect(again.children.count == 2 && again.children.allSatisfy { $0.parent === again })

// MARK: - PropertyList+Contents.swift

let data = try ArchiveEncoder().encode("Bella")
// block
expect(name == "NSKeyedArchiver" && count == 2)

// MARK: - XMLCharacters.swift

// block
expect(try PropertyList(xml) == ["title": "Bell\u{FFFD}"])
