import Archiving
import Foundation
import Testing

private let peers = Surroundings.folder("ARCHIVING_GNUSTEP_PEERS", or: ".build/gnustep-peers")

/// The classes of GNUstep's peer programs, written by hand as they are there.
private final class Item: Coding, ArchiveNamed {
    static let archiveName = "Item"

    let name: String
    let serialNumber: String?
    let valueInDollars: Int
    let dateCreated: Date

    init(_ name: String, serialNumber: String? = nil, valueInDollars: Int, dateCreated: Date) {
        self.name = name
        self.serialNumber = serialNumber
        self.valueInDollars = valueInDollars
        self.dateCreated = dateCreated
    }

    init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        serialNumber = try coder.decodeString(forKey: "serialNumber")
        valueInDollars = try coder.decodeInteger(forKey: "valueInDollars")
        dateCreated = try coder.decode(Date.self, forKey: "dateCreated")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        coder.encode(serialNumber, forKey: "serialNumber")
        coder.encode(valueInDollars, forKey: "valueInDollars")
        coder.encode(dateCreated, forKey: "dateCreated")
    }
}

private final class View: Coding, ArchiveNamed {
    static let archiveName = "View"

    let title: String
    private(set) var subviews: [View] = []
    private(set) weak var superview: View?
    let alpha: Double
    let hidden: Bool

    init(_ title: String, alpha: Double = 1, hidden: Bool = false, _ subviews: [View] = []) {
        self.title = title
        self.subviews = subviews
        self.alpha = alpha
        self.hidden = hidden
        for view in subviews { view.superview = self }
    }

    init(coder: KeyedUnarchiver) throws {
        title = try coder.decode(String.self, forKey: "title")
        alpha = try coder.decodeDouble(forKey: "alpha")
        hidden = try coder.decodeBool(forKey: "hidden")
        coder.publish(self)
        subviews = try coder.decode([View].self, forKey: "subviews")
        superview = try coder.decodeIfPresent(View.self, forKey: "superview")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(title, forKey: "title")
        try coder.encode(subviews, forKey: "subviews")
        try coder.encodeConditional(superview, forKey: "superview")
        coder.encode(alpha, forKey: "alpha")
        coder.encode(hidden, forKey: "hidden")
    }
}

/// GNUstep's keyed archiver and unarchiver against objects that encode themselves.
@Suite(.enabled(if: peers != nil, "No peers: build them, and set ARCHIVING_GNUSTEP_PEERS to their folder"))
struct `GNUstep and Coding classes` {
    private static let date = Date(timeIntervalSinceReferenceDate: 531_000_000.25)

    /// What GNUstep's unarchiver makes of the root that `write` encodes, without line ends and indentation.
    private func read(_ format: PropertyListFormat = .binary, _ write: (KeyedArchiver) throws -> Void) throws -> String
    {
        try withTemporaryFolder { folder in
            let archiver = KeyedArchiver()
            archiver.outputFormat = format
            try write(archiver)
            let archive = folder.appending(path: "archive")
            try archiver.finishEncoding().write(to: archive)
            let program = try #require(peers).appending(path: "peer_read")
            let output = try ProgramOutput(program, archive.path)
            #expect(output.status == 0, "\(output.text)")
            return output.text.split { $0.isWhitespace }.joined(separator: " ")
        }
    }

    /// The archives that GNUstep's archiver writes, by name.
    private static let written: [String: Data] = {
        guard let program = peers?.appending(path: "peer_write") else { return [:] }
        let archives = try? withTemporaryFolder { folder in
            _ = try ProgramOutput(program, folder.path)
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            return try files.map { ($0.lastPathComponent, try Data(contentsOf: $0)) }
        }
        return Dictionary(uniqueKeysWithValues: archives ?? [])
    }()

    private func unarchiver(_ name: String, requiringSecureCoding: Bool = true) throws -> KeyedUnarchiver {
        let data = try #require(Self.written[name], "peer_write wrote \(Self.written.keys.sorted())")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data, requiringSecureCoding: requiringSecureCoding)
        unarchiver.classes.register(Item.self)
        unarchiver.classes.register(View.self)
        return unarchiver
    }
}

// MARK: - Reading ours

extension `GNUstep and Coding classes` {
    @Test(arguments: PropertyListFormat.allCases)
    func `an item is read`(format: PropertyListFormat) throws {
        let mac = Item("Shiny Mac", serialNumber: "1A2B", valueInDollars: -9_000_000_000, dateCreated: Self.date)
        // The date has no fraction in the way of GNUstep's leaves in XML, but has in the form of an object.
        #expect(
            try read(format) { try $0.encode(mac, forKey: "root") }
                == "Item(name=Shiny Mac serial=1A2B value=-9000000000 date=531000000.250000)")
        let nameless = Item("", valueInDollars: .min, dateCreated: Date(timeIntervalSinceReferenceDate: -1e9))
        #expect(
            try read(format) { try $0.encode(nameless, forKey: "root") }
                == "Item(name= serial=(null) value=-9223372036854775808 date=-1000000000.000000)")
    }

    @Test(arguments: ["ä", "𝄞", "日本語", "<&>", "$", "$class", String(repeating: "ß", count: 300)])
    func `texts are read`(name: String) throws {
        let item = Item(name, serialNumber: name, valueInDollars: 0, dateCreated: Self.date)
        for format in PropertyListFormat.allCases {
            #expect(
                try read(format) { try $0.encode(item, forKey: "root") }
                    == "Item(name=\(name) serial=\(name) value=0 date=531000000.250000)")
        }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `one instance is read as one`(format: PropertyListFormat) throws {
        let spork = Item("Rusty Spork ☃", valueInDollars: 42, dateCreated: Self.date)
        let other = Item("a", valueInDollars: 1, dateCreated: Self.date)
        let text = try read(format) { try $0.encode([spork, other, spork], forKey: "root") }
        #expect(text.contains("date=531000000.250000") && text.hasSuffix("identity 1"), "\(text)")
        let twin = Item("a", valueInDollars: 1, dateCreated: Self.date)
        #expect(try read(format) { try $0.encode([other, twin, twin], forKey: "root") }.hasSuffix("identity 0"))
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `numbers of every width are read`(format: PropertyListFormat) throws {
        #expect(try item(format) { $0.encode(Int8.min, forKey: "valueInDollars") } == "-128")
        #expect(try item(format) { $0.encode(Int8.max, forKey: "valueInDollars") } == "127")
        #expect(try item(format) { $0.encode(UInt8.max, forKey: "valueInDollars") } == "255")
        #expect(try item(format) { $0.encode(Int16.min, forKey: "valueInDollars") } == "-32768")
        #expect(try item(format) { $0.encode(UInt16.max, forKey: "valueInDollars") } == "65535")
        #expect(try item(format) { $0.encode(Int32.min, forKey: "valueInDollars") } == "-2147483648")
        #expect(try item(format) { $0.encode(UInt32.max, forKey: "valueInDollars") } == "4294967295")
        #expect(try item(format) { $0.encode(Int64.max, forKey: "valueInDollars") } == "9223372036854775807")
        #expect(try item(format) { $0.encode(true, forKey: "valueInDollars") } == "1")
    }

    /// The value that GNUstep finds in an item that has only what `write` encodes.
    private func item(
        _ format: PropertyListFormat, _ write: @escaping (KeyedArchiver) throws -> Void
    ) throws -> Substring? {
        let text = try read(format) { archiver in
            archiver.setClassName("Item", for: Record.self)
            try archiver.encode(Record(write), forKey: "root")
        }
        return try text.firstMatch(of: Regex("value=([^ ]+) ", as: (Substring, Substring).self))?.output.1
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `a farm is read from objects that have no class of their own`(format: PropertyListFormat) throws {
        final class Place: Coding {
            init() {}
            init(coder: KeyedUnarchiver) throws {}

            func encode(with coder: KeyedArchiver) throws {
                coder.encode(Float(51.5), forKey: "latitude")
                coder.encode(0.25, forKey: "longitude")
            }
        }
        let text = try read(format) { archiver in
            archiver.setClassName("Farm", for: Record.self)
            archiver.setClassName("Location", for: Place.self)
            let farm = Record { coder in
                coder.encode("Old MacDonald", forKey: "name")
                try coder.encode(Place(), forKey: "location")
                try coder.encode([1, 2, 4], forKey: "animals")
                coder.encode("nobody asks", forKey: "$owner")
            }
            archiver.encode(7, forKey: "count")
            try archiver.encode(farm, forKey: "root")
        }
        #expect(text == "Farm(name=Old MacDonald location=Location(51.500000 0.250000) animals=1,2,4)")
    }

    /// What Foundation on Linux cannot: a circle of objects that refer to each other.
    @Test(arguments: PropertyListFormat.allCases)
    func `circles are read`(format: PropertyListFormat) throws {
        let root = View("root", [View("a", alpha: 0.25, hidden: true), View("b", alpha: 0.5)])
        let text = try read(format) { try $0.encode(root, forKey: "root") }
        let views = text.filter { !"\"\\ ".contains($0) }
        #expect(
            views == "View(title=rootalpha=1hidden=0superview=nilsubviews=("
                + "View(title=aalpha=0.25hidden=1superview=rootsubviews=()),"
                + "View(title=balpha=0.5hidden=0superview=rootsubviews=())))")
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `conditional references to nothing are nil`(format: PropertyListFormat) throws {
        let root = View("root", [View("orphan", alpha: 0.5)])
        let text = try read(format) { try $0.encode(root.subviews[0], forKey: "root") }
        #expect(text == "View(title=orphan alpha=0.5 hidden=0 superview=nil subviews=())")
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `conditional references to what comes later are read`(format: PropertyListFormat) throws {
        let root = View("root", [View("child")])
        let text = try read(format) { archiver in
            try archiver.encodeConditional(root, forKey: "early")
            try archiver.encode(root.subviews[0], forKey: "root")
            try archiver.encode(root, forKey: "late")
        }
        #expect(text == "View(title=child alpha=1 hidden=0 superview=root subviews=())")
    }
}

// MARK: - Reading theirs

extension `GNUstep and Coding classes` {
    @Test func `items come out as one where they were one`() throws {
        let items = try unarchiver("items.archive").decode([Item].self, forKey: "root")
        #expect(items.map(\.name) == ["Rusty Spork ☃", "Shiny Mac", "Rusty Spork ☃"])
        #expect(items.map(\.serialNumber) == [nil, "1A2B3C4D", nil])
        #expect(items.map(\.valueInDollars) == [42, -9_000_000_000, 42])
        #expect(items.map(\.dateCreated) == [Self.date, Self.date, Self.date])
        #expect(items[0] === items[2] && items[0] !== items[1])
    }

    @Test func `views come out with their superviews`() throws {
        let root = try unarchiver("views.archive").decode(View.self, forKey: "root")
        #expect(root.title == "root" && root.alpha == 1 && !root.hidden && root.superview == nil)
        #expect(root.subviews.map(\.title) == ["child 0", "child 1", "child 2"])
        #expect(root.subviews.map(\.alpha) == [0, 0.25, 0.5])
        #expect(root.subviews.map(\.hidden) == [false, true, false])
        #expect(root.subviews.allSatisfy { $0.superview === root && $0.subviews.isEmpty })
    }

    @Test func `a superview that nobody else archived is nil`() throws {
        let unarchiver = try unarchiver("orphan.archive")
        let orphan = try unarchiver.decode(View.self, forKey: "root")
        #expect(orphan.title == "child 1" && orphan.superview == nil)
        #expect(unarchiver.archivedClassName(forKey: "root") == "View")
    }

    @Test func `several keys of an XML archive lead to their objects`() throws {
        let unarchiver = try unarchiver("multi.xml.archive")
        let first = try unarchiver.decode(Item.self, forKey: "first")
        let second = try unarchiver.decode(Item.self, forKey: "second")
        #expect(first.name == "Rusty Spork ☃" && second.serialNumber == "1A2B3C4D")
        // GNUstep writes a date of the property list, and one in XML has no fraction.
        #expect(first.dateCreated == Date(timeIntervalSinceReferenceDate: 531_000_000))
        #expect(try unarchiver.decodeInteger(forKey: "count") == 5)
        #expect(try unarchiver.decode(Item.self, forKey: "$dollar") === first)
        #expect(Set(unarchiver.allKeys) == ["first", "second", "count", "$dollar"])
        #expect(!unarchiver.containsValue(forKey: "root"))
    }

    /// Every value of the dictionary at the root becomes a top-level object of its own.
    private func values() throws -> KeyedUnarchiver {
        guard case .dictionary(var archive) = try PropertyList(try #require(Self.written["values.archive"])),
            case .uid(let root)? = archive["$top"]?["root"], let dictionary = archive["$objects"]?[Int(root)],
            case .array(let keys)? = dictionary["NS.keys"], case .array(let values)? = dictionary["NS.objects"]
        else { throw CocoaError(.coderReadCorrupt) }
        let names = keys.map { key -> String in
            guard case .uid(let uid) = key, case .string(let name)? = archive["$objects"]?[Int(uid)] else { return "?" }
            return name
        }
        archive["$top"] = .dictionary(.init(zip(names, values).map { (key: $0, value: $1) }))
        return try KeyedUnarchiver(forReadingFrom: PropertyList.dictionary(archive).data())
    }

    @Test func `values of Foundation's classes come out as Swift's`() throws {
        let values = try values()
        #expect(try values.decodeString(forKey: "s") == "text")
        #expect(try values.decodeString(forKey: "ms") == "mut")
        #expect(values.archivedClassName(forKey: "s") == nil)
        #expect(values.archivedClassName(forKey: "ms") == "NSMutableString")
        #expect(try values.decodeInteger(forKey: "i") == 7)
        #expect(try values.decodeDouble(forKey: "d") == 2.5)
        #expect(try values.decodeBool(forKey: "b"))
        // GNUstep writes 64 bits with a sign: what was UInt64.max is -1, and no UInt64.
        #expect(try values.decodeInt64(forKey: "u64") == -1)
        #expect(throws: UnarchivingError.self) { try values.decode(UInt64.self, forKey: "u64") }
        #expect(try values.decodeData(forKey: "data") == Data([0, 1, 2, 255]))
        #expect(try values.decodeDate(forKey: "date") == Date(timeIntervalSinceReferenceDate: 1e9))
        #expect(try values.decode(URL.self, forKey: "url") == URL(string: "https://example.org/a?b=c"))
        #expect(
            try values.decode(UUID.self, forKey: "uuid") == UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(values.archivedClassName(forKey: "dec") == "NSDecimalNumber")
        #expect(try values.decode(Decimal.self, forKey: "dec") == Decimal(string: "12345.6789"))
        #expect(try values.decode(Set<String>.self, forKey: "set") == ["x", "y"])
        #expect(values.archivedClassName(forKey: "null") == "NSNull")
        #expect(values.archivedClassName(forKey: "empty") == "NSArray")
        let empty = try values.decodeObject(of: [[Any].self, [AnyHashable: Any].self], forKey: "empty") as? [Any]
        #expect((empty?.first as? [Any])?.isEmpty == true && (empty?.last as? [AnyHashable: Any])?.isEmpty == true)
    }
}
