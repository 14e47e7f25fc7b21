// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// GNUstep's keyed archiver and unarchiver, in two small programs (`peer_write`, `peer_read`).
@Suite(.inTurn, .needs(.gnustep))
struct `GNUstep` {
    private struct Item: Decodable, Equatable {
        var name: String
        var serialNumber: String?
        var valueInDollars: Int
        var dateCreated: Date
    }

    private final class ItemInstance: Decodable {
        let name: String
    }

    private static let spork = Item(
        name: "Rusty Spork ☃", serialNumber: nil, valueInDollars: 42,
        dateCreated: Date(timeIntervalSinceReferenceDate: 531_000_000.25))
    private static let mac = Item(
        name: "Shiny Mac", serialNumber: "1A2B3C4D", valueInDollars: -9_000_000_000,
        dateCreated: Date(timeIntervalSinceReferenceDate: 531_000_000.25))
}

// MARK: - Reading ours

extension `GNUstep` {
    @Test(arguments: PropertyListFormat.allCases)
    func `reads a farm`(format: PropertyListFormat) throws {
        let encoder = ArchiveEncoder.sampleFarm(format)
        for data in [try encoder.encode(SampleFarm.example), try encoder.encode(DeclaredFarm.example)] {
            let text = try GNUstepPeers.read(data)
            #expect(
                text.hasPrefix(
                    "Farm(name=Old MacDonald’s Farm location=Location(51.621648 0.269273) animals=1,2,4,3,2,1,4,3,2)"))
        }
    }

    @Test func `reads Foundation's values`() throws {
        func read(_ value: some Encodable) throws -> String {
            try GNUstepPeers.read(ArchiveEncoder().encode(value))
        }
        #expect(try read(["a", "b", "a"]).contains("identity 1"))
        #expect(try read(URL(string: "b", relativeTo: URL(string: "http://a/"))).contains("http://a/"))
        #expect(try read(Data([1, 2, 255])).contains("0102ff"))
        #expect(try read(Date(timeIntervalSinceReferenceDate: 86_400)).contains("2001-01-02"))
        #expect(try read(["key": [1.5, 2.5]]).contains("1.5"))
        #expect(try read([1, nil, 2] as [Int?]).hasPrefix(#"(1, "<null>", 2)"#))
        #expect(try read(["a": nil, "b": 2] as [String: Int?]) == #"{a = "<null>"; b = 2; }"#)
    }
}

// MARK: - Reading theirs

extension `GNUstep` {
    @Test func `writes items that are one where they were one`() throws {
        let data = try GNUstepPeers.archive("items.archive")
        #expect(try ArchiveDecoder().decode([Item].self, from: data) == [Self.spork, Self.mac, Self.spork])
        let instances = try ArchiveDecoder().decode([ItemInstance].self, from: data)
        #expect(instances.map(\.name) == ["Rusty Spork ☃", "Shiny Mac", "Rusty Spork ☃"])
        #expect(instances[0] === instances[2] && instances[0] !== instances[1])
    }

    /// A view without the reference back, which would form a cycle.
    private struct View: Decodable, Equatable {
        var title: String
        var alpha: Double
        var hidden: Bool
        var subviews: [View]
    }

    private struct Child: Decodable, Equatable {
        struct Parent: Decodable, Equatable {
            var title: String
        }

        var title: String
        var superview: Parent?
    }

    private struct Parents: Decodable {
        var subviews: [Child]
        var superview: Child?
    }

    @Test func `writes views that know their superviews`() throws {
        let data = try GNUstepPeers.archive("views.archive")
        let root = try ArchiveDecoder().decode(View.self, from: data)
        let children = (0..<3).map {
            View(title: "child \($0)", alpha: 0.25 * Double($0), hidden: $0 == 1, subviews: [])
        }
        #expect(root == View(title: "root", alpha: 1, hidden: false, subviews: children))
        let parents = try ArchiveDecoder().decode(Parents.self, from: data)
        #expect(parents.subviews.map(\.superview) == Array(repeating: Child.Parent(title: "root"), count: 3))
        #expect(parents.superview == nil)
    }

    @Test func `writes nothing for a superview without an unconditional reference`() throws {
        let data = try GNUstepPeers.archive("orphan.archive")
        #expect(try ArchiveDecoder().decode(Child.self, from: data) == Child(title: "child 1", superview: nil))
        #expect(try ArchiveDecoder().decode(View.self, from: data).hidden)
    }

    @Test func `writes values of all kinds`() throws {
        struct Values: Decodable {
            enum Key: CodingKey {
                case s, ms, i, d, b, u64, data, date, url, uuid, dec, set, null, empty
            }

            let container: KeyedDecodingContainer<Key>

            init(from decoder: any Decoder) throws {
                container = try decoder.container(keyedBy: Key.self)
            }
        }
        let values = try ArchiveDecoder().decode(Values.self, from: GNUstepPeers.archive("values.archive")).container
        #expect(try values.decode(String.self, forKey: .s) == "text")
        #expect(try values.decode(String.self, forKey: .ms) == "mut")
        #expect(try values.decode(Int.self, forKey: .i) == 7)
        #expect(try values.decode(Double.self, forKey: .d) == 2.5)
        #expect(try values.decode(Bool.self, forKey: .b))
        // GNUstep writes 64 bits with a sign: what was UInt64.max is -1, and no UInt64.
        #expect(try values.decode(Int64.self, forKey: .u64) == -1)
        #expect(throws: DecodingError.self) { try values.decode(UInt64.self, forKey: .u64) }
        #expect(try values.decode(Data.self, forKey: .data) == Data([0, 1, 2, 255]))
        #expect(try values.decode(Date.self, forKey: .date) == Date(timeIntervalSinceReferenceDate: 1e9))
        #expect(try values.decode(URL.self, forKey: .url) == URL(string: "https://example.org/a?b=c"))
        #expect(try values.decode(UUID.self, forKey: .uuid) == UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(try values.decode(Decimal.self, forKey: .dec) == Decimal(string: "12345.6789"))
        #expect(try values.decode(Set<String>.self, forKey: .set) == ["x", "y"])
        #expect(try values.decodeNil(forKey: .null))
        var empty = try values.nestedUnkeyedContainer(forKey: .empty)
        #expect(try empty.decode([Int].self) == [])
        #expect(try empty.decode([String: Int].self) == [:])
    }

    @Test func `writes XML with several keys at the top`() throws {
        let data = try GNUstepPeers.archive("multi.xml.archive")
        let list = try PropertyList(data)
        guard case .dictionary(let top)? = list["$top"], case .dictionary(var root) = list else {
            throw CocoaError(.coderReadCorrupt)
        }
        #expect(top.keys.sorted() == ["$$dollar", "count", "first", "second"])
        #expect(top["count"] == 5)
        #expect(top["first"] == top["$$dollar"])
        for (key, item) in [("first", Self.spork), ("second", Self.mac)] {
            root["$top"] = .dictionary(["root": try #require(top[key])])
            let item = Item(
                name: item.name, serialNumber: item.serialNumber, valueInDollars: item.valueInDollars,
                // A date in XML has no fraction.
                dateCreated: Date(timeIntervalSinceReferenceDate: 531_000_000))
            for format in PropertyListFormat.allCases {
                let archive = try PropertyList.dictionary(root).data(format: format)
                #expect(try ArchiveDecoder().decode(Item.self, from: archive) == item)
            }
        }
    }
}
