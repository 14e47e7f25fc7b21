// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The coding path of an encoder` {
    final class Log {
        var paths: [String] = []
    }

    /// Notes where it is.
    struct Probe: Encodable {
        let log: Log

        func encode(to encoder: any Encoder) throws {
            log.paths.append(encoder.codingPath.text)
            var container = encoder.singleValueContainer()
            log.paths.append(container.codingPath.text)
            try container.encode(1)
        }
    }

    /// Notes where it is, from the work list.
    final class Instance: Encodable {
        let log: Log
        let probe: Probe

        init(log: Log) {
            self.log = log
            probe = Probe(log: log)
        }

        func encode(to encoder: any Encoder) throws {
            log.paths.append(encoder.codingPath.text)
            var container = encoder.container(keyedBy: AnyKey.self)
            log.paths.append(container.codingPath.text)
            try container.encode(probe, forKey: "probe")
            try container.encode(["k": [probe]], forKey: "more")
        }
    }

    private func paths(of make: (Log) -> some Encodable) throws -> [String] {
        let log = Log()
        _ = try ArchiveEncoder().encode(make(log))
        return log.paths
    }

    @Test func `is empty at the root`() throws {
        #expect(try paths { Probe(log: $0) } == ["", ""])
        #expect(try paths { Optional(Probe(log: $0)) } == ["", ""])
    }

    @Test func `has keys and positions`() throws {
        struct Fields: Encodable { var a: Probe, b: [Probe], c: [String: [Probe?]], d: Probe? }
        let found = try paths {
            let probe = Probe(log: $0)
            return Fields(a: probe, b: [probe, probe], c: ["k": [nil, probe]], d: probe)
        }
        #expect(found == ["a", "a", "b[0]", "b[0]", "b[1]", "b[1]", "c.k[1]", "c.k[1]", "d", "d"])
    }

    @Test func `has keys as the user has them, and positions as integers`() throws {
        let log = Log()
        _ = try ArchiveEncoder().encode(
            Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                for name in ["", "$class", "$$x", "\u{e9}", "NS.objects"] {
                    try container.encode(
                        Encoding { encoder in
                            log.paths += encoder.codingPath.map(\.stringValue)
                            var container = encoder.singleValueContainer()
                            try container.encode(1)
                        }, forKey: AnyKey(name))
                }
                try container.encode(
                    [
                        1: [
                            Encoding { encoder in
                                #expect(encoder.codingPath.map(\.intValue) == [nil, 1, 0])
                                #expect(encoder.codingPath.map(\.stringValue).prefix(2) == ["list", "1"])
                            }
                        ]
                    ], forKey: "list")
            })
        #expect(log.paths == ["", "$class", "$$x", "\u{e9}", "NS.objects"])
    }

    @Test func `of dictionaries has the key's text`() throws {
        #expect(try paths { [7: Probe(log: $0)] } == ["[7]", "[7]"])
        #expect(try paths { [2.5: Probe(log: $0)] } == ["2.5", "2.5"])
        #expect(try paths { [true: Probe(log: $0)] } == ["true", "true"])
        #expect(try paths { ["a": ["b": Probe(log: $0)]] } == ["a.b", "a.b"])
        #expect(try paths { ["$x": Probe(log: $0)] } == ["$x", "$x"])
    }

    @Test func `in an instance starts where the instance was met first`() throws {
        struct Fields: Encodable { var list: [Instance?], other: Instance }
        let found = try paths {
            let instance = Instance(log: $0)
            return Fields(list: [nil, instance], other: instance)
        }
        #expect(
            found == [
                "list[1]", "list[1]", "list[1].probe", "list[1].probe", "list[1].more.k[0]", "list[1].more.k[0]",
            ])
        #expect(try paths { Instance(log: $0) }.prefix(3) == ["", "", "probe"])
    }

    @Test func `goes through instances in instances`() throws {
        final class Node: Encodable {
            let log: Log
            var next: Node?
            init(log: Log, next: Node?) {
                self.log = log
                self.next = next
            }
            func encode(to encoder: any Encoder) throws {
                log.paths.append(encoder.codingPath.text)
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(["k": [next]], forKey: "next")
            }
        }
        let found = try paths { log in
            [Node(log: log, next: Node(log: log, next: Node(log: log, next: nil)))]
        }
        #expect(found == ["[0]", "[0].next.k[0]", "[0].next.k[0].next.k[0]"])
    }

    @Test func `has the keys of nested containers and super`() throws {
        let found = try paths { log in
            Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                var keyed = container.nestedContainer(keyedBy: AnyKey.self, forKey: "keyed")
                log.paths.append(keyed.codingPath.text)
                try keyed.encode(Probe(log: log), forKey: "x")
                var list = keyed.nestedUnkeyedContainer(forKey: "list")
                log.paths.append(list.codingPath.text)
                try list.encode(1)
                try list.encode(Probe(log: log))
                let inner = list.nestedContainer(keyedBy: AnyKey.self)
                log.paths.append(inner.codingPath.text)
                let innerList = list.nestedUnkeyedContainer()
                log.paths.append(innerList.codingPath.text)
                let listSuper = list.superEncoder()
                log.paths.append(listSuper.codingPath.text)
                let parent = container.superEncoder()
                log.paths.append(parent.codingPath.text)
                var parentFields = parent.container(keyedBy: AnyKey.self)
                try parentFields.encode(Probe(log: log), forKey: "y")
                let other = container.superEncoder(forKey: "other")
                log.paths.append(other.codingPath.text)
                log.paths.append(container.codingPath.text)
            }
        }
        #expect(
            found == [
                "keyed", "keyed.x", "keyed.x", "keyed.list", "keyed.list[1]", "keyed.list[1]", "keyed.list[2]",
                "keyed.list[3]", "keyed.list[4]", "super", "super.y", "super.y", "other", "",
            ])
    }

    @Test func `has the case and the label in enumerations with payload`() throws {
        enum Payload: Encodable {
            case probe(Probe)
            case labelled(other: [Probe])
        }
        #expect(try paths { Payload.probe(Probe(log: $0)) } == ["probe._0", "probe._0"])
        #expect(
            try paths { [Payload.labelled(other: [Probe(log: $0)])] }
                == ["[0].labelled.other[0]", "[0].labelled.other[0]"])
    }

    @Test func `does not change where a single value is passed on`() throws {
        struct Wrapper: Encodable {
            var probe: Probe
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(probe)
            }
        }
        #expect(try paths { ["a": Wrapper(probe: Probe(log: $0))] } == ["a", "a"])
    }

    @Test func `stays right for containers that are kept while others are written`() throws {
        let log = Log()
        _ = try ArchiveEncoder().encode([
            "a": Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                let list = container.nestedUnkeyedContainer(forKey: "list")
                try container.encode([["deep": Probe(log: log)]], forKey: "other")
                log.paths.append(list.codingPath.text)
                log.paths.append(container.codingPath.text)
                log.paths.append(encoder.codingPath.text)
            }
        ])
        #expect(log.paths == ["a.other[0].deep", "a.other[0].deep", "a.list", "a", "a"])
    }

    @Test func `is empty for an encoder whose encode(to:) has returned`() throws {
        var kept: [any Encoder] = []
        var found: [String] = []
        _ = try ArchiveEncoder().encode([
            "outer": [
                Encoding { encoder in
                    var container = encoder.container(keyedBy: AnyKey.self)
                    try container.encode(Encoding { kept.append($0) }, forKey: "inner")
                },
                Encoding { encoder in
                    var container = encoder.container(keyedBy: AnyKey.self)
                    try container.encode(
                        Encoding { _ in found = kept.map(\.codingPath.text) }, forKey: "later")
                },
            ]
        ])
        #expect(found == [""])
    }

    @Test func `is in the error that encode(to:) makes of it`() throws {
        struct Refusing: Encodable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(
                    self, .init(codingPath: encoder.codingPath, debugDescription: "I refuse"))
            }
        }
        final class Holder: Encodable {
            var refusing = [Refusing()]
        }
        let error = try failure { try ArchiveEncoder().encode(["a": [Holder()]]) }
        #expect(error.kind == .invalidValue)
        #expect(error.path == "a[0].refusing[0]")
    }
}
