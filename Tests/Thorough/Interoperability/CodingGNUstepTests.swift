// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The classes of GNUstep's peer programs, written by hand as they are there.
final class PeerItem: Coding, ArchiveDescribing {
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
        serialNumber = try coder.decodeIfPresent(String.self, forKey: "serialNumber")
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

final class PeerView: Coding, ArchiveDescribing {
    static let archiveName = "View"

    let title: String
    private(set) var subviews: [PeerView] = []
    private(set) weak var superview: PeerView?
    let alpha: Double
    let hidden: Bool

    init(_ title: String, alpha: Double = 1, hidden: Bool = false, _ subviews: [PeerView] = []) {
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
        subviews = try coder.decode([PeerView].self, forKey: "subviews")
        superview = try coder.decodeIfPresent(PeerView.self, forKey: "superview")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(title, forKey: "title")
        try coder.encode(subviews, forKey: "subviews")
        try coder.encodeConditional(superview, forKey: "superview")
        coder.encode(alpha, forKey: "alpha")
        coder.encode(hidden, forKey: "hidden")
    }
}

/// An item that can be in a set.
private final class Wrapped: Coding, Hashable {
    let item: PeerItem

    init(_ item: PeerItem) { self.item = item }
    init(coder: KeyedUnarchiver) throws { item = try PeerItem(coder: coder) }

    func encode(with coder: KeyedArchiver) throws { try item.encode(with: coder) }

    static func == (left: Wrapped, right: Wrapped) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// GNUstep's keyed archiver and unarchiver against objects that encode themselves.
@Suite(.inTurn, .needs(.gnustep))
struct `GNUstep and Coding classes` {
    static let date = Date(timeIntervalSinceReferenceDate: 531_000_000.25)

    /// What GNUstep's unarchiver makes of the root that `write` encodes, without line ends and indentation.
    private func read(_ format: PropertyListFormat = .binary, _ write: (KeyedArchiver) throws -> Void) throws -> String
    {
        let archiver = KeyedArchiver()
        archiver.outputFormat = format
        try write(archiver)
        return try GNUstepPeers.read(archiver.finishEncoding())
    }

    func unarchiver(_ name: String) throws -> KeyedUnarchiver {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: GNUstepPeers.archive(name))
        unarchiver.classes.register(PeerItem.self)
        unarchiver.classes.register(PeerView.self)
        return unarchiver
    }
}

// MARK: - Reading ours

extension `GNUstep and Coding classes` {
    @Test(arguments: PropertyListFormat.allCases)
    func `an item is read`(format: PropertyListFormat) throws {
        let mac = PeerItem("Shiny Mac", serialNumber: "1A2B", valueInDollars: -9_000_000_000, dateCreated: Self.date)
        // The date has no fraction in the way of GNUstep's leaves in XML, but has in the form of an object.
        #expect(
            try read(format) { try $0.encode(mac, forKey: "root") }
                == "Item(name=Shiny Mac serial=1A2B value=-9000000000 date=531000000.250000)")
        let nameless = PeerItem("", valueInDollars: .min, dateCreated: Date(timeIntervalSinceReferenceDate: -1e9))
        #expect(
            try read(format) { try $0.encode(nameless, forKey: "root") }
                == "Item(name= serial=(null) value=-9223372036854775808 date=-1000000000.000000)")
    }

    @Test(arguments: ["ä", "𝄞", "日本語", "<&>", "$", "$class", String(repeating: "ß", count: 300)])
    func `texts are read`(name: String) throws {
        let item = PeerItem(name, serialNumber: name, valueInDollars: 0, dateCreated: Self.date)
        for format in PropertyListFormat.allCases {
            #expect(
                try read(format) { try $0.encode(item, forKey: "root") }
                    == "Item(name=\(name) serial=\(name) value=0 date=531000000.250000)")
        }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `one instance is read as one`(format: PropertyListFormat) throws {
        let spork = PeerItem("Rusty Spork ☃", valueInDollars: 42, dateCreated: Self.date)
        let other = PeerItem("a", valueInDollars: 1, dateCreated: Self.date)
        let text = try read(format) { try $0.encode([spork, other, spork], forKey: "root") }
        #expect(text.contains("date=531000000.250000") && text.hasSuffix("identity 1"), "\(text)")
        let twin = PeerItem("a", valueInDollars: 1, dateCreated: Self.date)
        #expect(try read(format) { try $0.encode([other, twin, twin], forKey: "root") }.hasSuffix("identity 0"))
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `sets and dictionaries are read`(format: PropertyListFormat) throws {
        let leaves = Set([PeerItem("only", valueInDollars: 1, dateCreated: Self.date)].map { Wrapped($0) })
        let set = try read(format) { archiver in
            archiver.classes.register(Wrapped.self, name: "Item")
            try archiver.encode(leaves, forKey: "root")
        }
        #expect(set.contains("Item(name=only serial=(null) value=1 date=531000000.250000)"), "\(set)")
        let byName = ["first": PeerItem("a", valueInDollars: 1, dateCreated: Self.date)]
        let dictionary = try read(format) { try $0.encode(byName, forKey: "root") }
        #expect(dictionary.contains("first = \"Item(name=a serial=(null) value=1"), "\(dictionary)")
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
            archiver.classes.register(Record.self, name: "Item")
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
            archiver.classes.register(Record.self, name: "Farm")
            archiver.classes.register(Place.self, name: "Location")
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
        let root = PeerView("root", [PeerView("a", alpha: 0.25, hidden: true), PeerView("b", alpha: 0.5)])
        let text = try read(format) { try $0.encode(root, forKey: "root") }
        let views = text.filter { !"\"\\ ".contains($0) }
        #expect(
            views == "View(title=rootalpha=1hidden=0superview=nilsubviews=("
                + "View(title=aalpha=0.25hidden=1superview=rootsubviews=()),"
                + "View(title=balpha=0.5hidden=0superview=rootsubviews=())))")
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `conditional references to nothing are nil`(format: PropertyListFormat) throws {
        let root = PeerView("root", [PeerView("orphan", alpha: 0.5)])
        let text = try read(format) { try $0.encode(root.subviews[0], forKey: "root") }
        #expect(text == "View(title=orphan alpha=0.5 hidden=0 superview=nil subviews=())")
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `conditional references to what comes later are read`(format: PropertyListFormat) throws {
        let root = PeerView("root", [PeerView("child")])
        let text = try read(format) { archiver in
            try archiver.encodeConditional(root, forKey: "early")
            try archiver.encode(root.subviews[0], forKey: "root")
            try archiver.encode(root, forKey: "late")
        }
        #expect(text == "View(title=child alpha=1 hidden=0 superview=root subviews=())")
    }
}
