// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The coding path of a decoder` {
    /// Comes back with the path it was decoded at.
    struct Probe: Codable, Equatable {
        var path = ""
        var containerPath = ""

        init() {}

        init(from decoder: any Decoder) throws {
            path = decoder.codingPath.text
            containerPath = try decoder.singleValueContainer().codingPath.text
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode("probe")
        }
    }

    final class Instance: Codable {
        var path = ""
        var containerPath = ""
        var probe = Probe()
        enum Keys: CodingKey { case probe }

        init() {}
        init(from decoder: any Decoder) throws {
            path = decoder.codingPath.text
            let container = try decoder.container(keyedBy: Keys.self)
            containerPath = container.codingPath.text
            probe = try container.decode(Probe.self, forKey: .probe)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(probe, forKey: .probe)
        }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `has keys, positions and dictionary keys`(format: PropertyListFormat) throws {
        struct Fields: Codable {
            var a = Probe(), b = [Probe(), Probe()], c = ["k": [nil, Probe()]], d: Probe? = Probe(), e = [7: Probe()]
        }
        let again = try roundTrip(Fields(), format: format)
        #expect(again.a.path == "a")
        #expect(again.a.containerPath == "a")
        #expect(again.b.map(\.path) == ["b[0]", "b[1]"])
        #expect(again.c["k"]?[1]?.path == "c.k[1]")
        #expect(again.d?.path == "d")
        #expect(again.e[7]?.path == "e[7]")
        #expect(try roundTrip(Probe()).path == "")
        #expect(try roundTrip(["$x": Probe()])["$x"]?.path == "$x")
    }

    @Test func `in an instance starts where the instance was met first`() throws {
        struct Fields: Codable { var list: [Instance?], other: Instance }
        let instance = Instance()
        let again = try roundTrip(Fields(list: [nil, instance], other: instance))
        #expect(again.other.path == "list[1]")
        #expect(again.other.containerPath == "list[1]")
        #expect(again.other.probe.path == "list[1].probe")
    }

    @Test func `has the keys of nested containers and super`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var keyed = container.nestedContainer(keyedBy: AnyKey.self, forKey: "keyed")
            var list = keyed.nestedUnkeyedContainer(forKey: "$list")
            try list.encode(Probe())
            _ = list.nestedContainer(keyedBy: AnyKey.self)
            _ = list.nestedUnkeyedContainer()
            _ = list.superEncoder()
            var parent = container.superEncoder().container(keyedBy: AnyKey.self)
            try parent.encode(Probe(), forKey: "y")
            _ = container.superEncoder(forKey: "other")
        }
        try decoding(archiveOf: ["root": value]) { decoder in
            let root = try decoder.container(keyedBy: AnyKey.self)
            let container = try root.nestedContainer(keyedBy: AnyKey.self, forKey: "root")
            let keyed = try container.nestedContainer(keyedBy: AnyKey.self, forKey: "keyed")
            #expect(keyed.codingPath.text == "root.keyed")
            var list = try keyed.nestedUnkeyedContainer(forKey: "$list")
            #expect(list.codingPath.text == "root.keyed.$list")
            #expect(try list.decode(Probe.self).path == "root.keyed.$list[0]")
            #expect(try list.nestedContainer(keyedBy: AnyKey.self).codingPath.text == "root.keyed.$list[1]")
            #expect(try list.nestedUnkeyedContainer().codingPath.text == "root.keyed.$list[2]")
            #expect(try list.superDecoder().codingPath.text == "root.keyed.$list[3]")
            let parent = try container.superDecoder()
            #expect(parent.codingPath.text == "root.super")
            #expect(
                try parent.container(keyedBy: AnyKey.self).decode(Probe.self, forKey: "y").path == "root.super.y")
            #expect(try container.superDecoder(forKey: "other").codingPath.text == "root.other")
            #expect(try container.superDecoder(forKey: "missing").codingPath.text == "root.missing")
            #expect(container.codingPath.text == "root")
        }
    }

    @Test func `has the case and the label in enumerations with payload`() throws {
        enum Payload: Codable {
            case probe(Probe)
            case labelled(other: [Probe])
        }
        let again = try roundTrip([Payload.probe(Probe()), .labelled(other: [Probe()])])
        guard case .probe(let probe) = again[0], case .labelled(let others) = again[1] else {
            Issue.record("other cases")
            return
        }
        #expect(probe.path == "[0].probe._0")
        #expect(others[0].path == "[1].labelled.other[0]")
    }

    @Test func `does not change where a single value is passed on`() throws {
        struct Wrapper: Codable {
            var probe = Probe()
            init() {}
            init(from decoder: any Decoder) throws {
                probe = try decoder.singleValueContainer().decode(Probe.self)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(probe)
            }
        }
        #expect(try roundTrip(["a": Wrapper()])["a"]?.probe.path == "a")
    }

    @Test func `of a container stays right while other values are decoded`() throws {
        try decoding(archiveOf: ["a": ["x": [1, 2]], "b": ["y": [3]]]) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            let a = try container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
            var x = try a.nestedUnkeyedContainer(forKey: "x")
            _ = try container.decode([String: [Int]].self, forKey: "b")
            _ = try x.decode(Int.self)
            #expect(x.codingPath.text == "a.x")
            #expect(a.codingPath.text == "a")
            #expect(container.codingPath.text == "")
            let error = try failure { try x.decode(String.self) }
            #expect(error.path == "a.x[1]")
        }
    }

    /// A number, or values in an array or a dictionary, tried in turn, with the paths of the attempts that failed.
    struct Tried: Codable, Equatable {
        var failures: [String] = []
        var number: Int?
        var list: [Tried] = []
        var entries: [String: Tried] = [:]

        init(_ number: Int) { self.number = number }
        init(_ list: [Tried]) { self.list = list }
        init(_ entries: [String: Tried]) { self.entries = entries }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            do {
                number = try container.decode(Int.self)
                return
            } catch DecodingError.typeMismatch(_, let context) { failures.append(context.codingPath.text) }
            do {
                list = try container.decode([Tried].self)
                return
            } catch DecodingError.typeMismatch(_, let context) { failures.append(context.codingPath.text) }
            entries = try container.decode([String: Tried].self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let number {
                try container.encode(number)
            } else if entries.isEmpty {
                try container.encode(list)
            } else {
                try container.encode(entries)
            }
        }
    }

    @Test func `of a failed attempt is that of the value, whatever failed before`() throws {
        let inner = Tried(["c": Tried([Tried(3), Tried([Tried(["d": Tried(4)])])])])
        let value = Tried(["a": Tried(1), "b": Tried([Tried(2), Tried([]), inner, Tried(["e": Tried(5)])])])
        let again = try roundTrip(value)
        #expect(again == (try JSONDecoder().decode(Tried.self, from: JSONEncoder().encode(value))))
        #expect(again.failures == ["", ""])
        #expect(again.entries["b"]?.list[2].failures == ["b[2]", "b[2]"])
        #expect(again.entries["b"]?.list[2].entries["c"]?.list[1].list[0].failures == ["b[2].c[1][0]", "b[2].c[1][0]"])
        #expect(again.entries["b"]?.list[3].failures == ["b[3]", "b[3]"])
    }

    @Test func `has intValue for positions only`() throws {
        struct Positions: Codable {
            var found: [Int?] = []
            init() {}
            init(from decoder: any Decoder) { found = decoder.codingPath.map(\.intValue) }
        }
        let again = try roundTrip(["a": [["b": Positions()], ["b": Positions()]]])
        #expect(again["a"]?[1]["b"]?.found == [nil, 1, nil])
    }
}
