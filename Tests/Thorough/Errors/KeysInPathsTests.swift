// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The keys in coding paths` {
    /// A key that may have an integer besides its text.
    struct Key: CodingKey {
        let stringValue: String
        let intValue: Int?

        init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
        init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
        init(_ text: String, _ integer: Int?) { (stringValue, intValue) = (text, integer) }
    }

    /// A value whose archive has the path of its encoding, and which has that of its decoding.
    struct Probe: Codable, Hashable {
        var encoded: [String] = []
        var decoded: [String] = []

        init() {}

        init(from decoder: any Decoder) throws {
            encoded = try decoder.singleValueContainer().decode([String].self)
            decoded = Self.text(decoder.codingPath)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(Self.text(encoder.codingPath))
        }

        static func text(_ path: [any CodingKey]) -> [String] {
            path.map { key in key.stringValue + (key.intValue.map { " #\($0)" } ?? "") }
        }
    }

    enum Place: Int, CaseIterable {
        case value, superclass, nested, list
    }

    /// A value under `key` in one of four ways; the key of its place is an enumeration's.
    struct Holder: Codable {
        enum Keys: Int, CodingKey { case place, key, integer }
        let place: Place
        let key: Key
        var probe = Probe()

        init(_ place: Place, _ key: Key) { (self.place, self.key) = (place, key) }

        init(from decoder: any Decoder) throws {
            let own = try decoder.container(keyedBy: Keys.self)
            place = try #require(Place(rawValue: own.decode(Int.self, forKey: .place)))
            key = try Key(own.decode(String.self, forKey: .key), own.decodeIfPresent(Int.self, forKey: .integer))
            let container = try decoder.container(keyedBy: Key.self)
            switch place {
            case .value: probe = try container.decode(Probe.self, forKey: key)
            case .superclass: probe = try Probe(from: container.superDecoder(forKey: key))
            case .nested:
                let nested = try container.nestedContainer(keyedBy: Key.self, forKey: key)
                probe = try nested.decode(Probe.self, forKey: key)
            case .list:
                var list = try container.nestedUnkeyedContainer(forKey: key)
                probe = try list.decode(Probe.self)
            }
        }

        func encode(to encoder: any Encoder) throws {
            var own = encoder.container(keyedBy: Keys.self)
            try own.encode(place.rawValue, forKey: .place)
            try own.encode(key.stringValue, forKey: .key)
            try own.encodeIfPresent(key.intValue, forKey: .integer)
            var container = encoder.container(keyedBy: Key.self)
            switch place {
            case .value: try container.encode(probe, forKey: key)
            case .superclass: try probe.encode(to: container.superEncoder(forKey: key))
            case .nested:
                var nested = container.nestedContainer(keyedBy: Key.self, forKey: key)
                try nested.encode(probe, forKey: key)
            case .list:
                var list = container.nestedUnkeyedContainer(forKey: key)
                try list.encode(probe)
            }
        }
    }

    static let keys = [
        Key(intValue: 5), Key(intValue: -5), Key(intValue: 1 << 40), Key("five", 5), Key("05", 5), Key("5", nil),
        Key("five", nil), Key("$5", 5), Key("Index 5", 5),
    ]

    @Test(arguments: Place.allCases, keys)
    func `keep their integers, as in JSON`(place: Place, key: Key) throws {
        let holder = Holder(place, key)
        let found = try roundTrip([holder])[0].probe
        let json = try JSONDecoder().decode([Holder].self, from: JSONEncoder().encode([holder]))[0].probe
        #expect(found.decoded == json.decoded)
        #expect(found.encoded == json.decoded)
    }

    @Test func `keep their integers for parts that the archive does not have`() throws {
        for key in Self.keys {
            try decoding(archiveOf: ["a": [String: Int]()]) { decoder in
                let container = try decoder.container(keyedBy: Key.self).nestedContainer(
                    keyedBy: Key.self, forKey: Key("a", nil))
                let path = try container.superDecoder(forKey: key).codingPath
                #expect(Probe.text(path) == ["a"] + Probe.text([key]))
            }
        }
    }

    enum Season: String, Codable { case winter }
    enum Month: String, Codable, CodingKeyRepresentable { case may }
    struct Point: Codable, Hashable { var x = 1 }
    final class Instance: Codable, Hashable {
        init() {}
        static func == (left: Instance, right: Instance) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// Strings, numbers and Boolean values are steps of their text, with integers as in JSON; other keys have a position in the
    /// array of keys and values that JSON has in place of the dictionary.
    @Test func `of dictionaries are the same for encoders and decoders`() throws {
        func check<K: Codable & Hashable>(
            _ key: K, _ step: String, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let found = try roundTrip(["in": [key: [Probe()]]])
            let probe = try #require(found["in"]?.values.first?.first, sourceLocation: sourceLocation)
            #expect(probe.encoded == ["in", step, "Index 0 #0"], sourceLocation: sourceLocation)
            #expect(probe.decoded == ["in", step, "Index 0 #0"], sourceLocation: sourceLocation)
        }
        try check("s", "s")
        try check("", "")
        try check("$s", "$s")
        try check(3, "3 #3")
        try check(Int8(-3), "-3 #-3")
        try check(UInt64.max, "18446744073709551615")
        try check(Int?.some(3), "3 #3")
        try check(Int?.none, "Index 1 #1")
        try check(2.5, "2.5")
        try check(Float(2.5), "2.5")
        try check(true, "true")
        try check(Season.winter, "winter")
        try check(Month.may, "may")
        try check(Date(timeIntervalSince1970: 0), "Index 1 #1")
        try check(UUID(), "Index 1 #1")
        try check(URL(filePath: "/a"), "Index 1 #1")
        try check(Data([1]), "Index 1 #1")
        try check(Point(), "Index 1 #1")
        try check([1], "Index 1 #1")
        try check(Set([1]), "Index 1 #1")
        try check(Instance(), "Index 1 #1")
    }

    @Test func `of dictionaries without types are the same for archivers and unarchivers`() throws {
        let keys: [(any Hashable & Sendable, String)] = [
            ("s", "s"), (7, "7 #7"), (2.5, "2.5"), (Data([1]), "Index 1 #1"),
        ]
        for (key, step) in keys {
            let archiver = KeyedArchiver()
            try archiver.encodeObject([AnyHashable(key): Probe()] as [AnyHashable: Any], forKey: "in")
            let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
            let found = try unarchiver.decodeObject(
                of: [[AnyHashable: Any].self, String.self, Int.self, Double.self, Data.self, Probe.self], forKey: "in")
            let probe = try #require((found as? [AnyHashable: Any])?.values.first as? Probe)
            #expect(probe.encoded == ["in", step])
            #expect(probe.decoded == ["in", step])
        }
    }

    @Test func `are those of the entry in a key that codes itself`() throws {
        struct Wrapped: Codable, Hashable { var probe = Probe() }
        let found = try roundTrip([Wrapped(): 1])
        #expect(found.keys.first?.probe.encoded == ["Index 0 #0", "probe"])
        #expect(found.keys.first?.probe.decoded == ["Index 0 #0", "probe"])
    }
}
