// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Encoders and containers that outlive the `encode(to:)` they were made for.
@Suite(.inTurn) struct `What is kept beyond encode(to:)` {
    /// Where a value leaves its encoder for another one to find.
    final class Drawer {
        var encoder: (any Encoder)?
        var keyed: KeyedEncodingContainer<AnyKey>?
        var unkeyed: (any UnkeyedEncodingContainer)?
        var single: (any SingleValueEncodingContainer)?
    }

    @Test func `a keyed container is written to by a later sibling`() throws {
        let drawer = Drawer()
        let value = [
            Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: "a")
                drawer.keyed = container
            },
            Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(2, forKey: "b")
                try drawer.keyed?.encode("late", forKey: "c")
                try drawer.keyed?.encode(3, forKey: "a")
            },
        ]
        #expect(try archiveText(value) == #"NSArray[Encoding{a: 3, c: @"late"}, Encoding{b: 2}]"#)
    }

    @Test func `an unkeyed container is written to by a later sibling`() throws {
        let drawer = Drawer()
        let value = [
            Encoding { encoder in
                var container = encoder.unkeyedContainer()
                try container.encode(1)
                drawer.unkeyed = container
            },
            Encoding { encoder in
                var container = encoder.singleValueContainer()
                try container.encode("sibling")
                try drawer.unkeyed?.encode([2])
                try drawer.unkeyed?.encode(3)
            },
        ]
        #expect(try archiveText(value) == #"NSArray[Encoding[@1, NSArray[@2], @3], @"sibling"]"#)
    }

    @Test func `each of many keyed containers is written to when all values are complete`() throws {
        var containers: [KeyedEncodingContainer<AnyKey>] = []
        let values = (0..<20).map { (number: Int) in
            Encoding { encoder in
                containers.append(encoder.container(keyedBy: AnyKey.self))
                guard number == 19 else { return }
                for index in containers.indices { try containers[index].encode(index, forKey: "number") }
            }
        }
        struct Numbered: Decodable { var number: Int }
        #expect(try transcode(values, as: [Numbered].self).map(\.number) == Array(0..<20))
    }

    @Test func `an encoder that has no container yet`() throws {
        let drawer = Drawer()
        let first = Encoding { drawer.encoder = $0 }
        func second(_ body: @escaping (any Encoder) throws -> Void) -> Encoding {
            Encoding { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(true)
                if let late = drawer.encoder { try body(late) }
            }
        }
        let keyed = second { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "a")
        }
        #expect(try archiveText([first, keyed]) == "NSArray[Encoding{a: 1}, @true]")
        let unkeyed = second { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(1)
        }
        #expect(try archiveText([first, unkeyed]) == "NSArray[Encoding[@1], @true]")
        for (value, text) in [(5, "@5"), ("x", #"@"x""#), ([1], "NSArray[@1]"), (["a": 1], #"NSDictionary[@"a": @1]"#)]
            as [(any Encodable, String)]
        {
            let single = second { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(value)
            }
            #expect(try archiveText([first, single]) == "NSArray[\(text), @true]")
        }
    }

    final class Named: Codable {
        var name = "shared"
    }

    @Test func `a single value container encodes a new instance`() throws {
        let drawer = Drawer()
        let named = Named()
        let value = [
            Encoding { drawer.single = $0.singleValueContainer() },
            Encoding { encoder in
                var container = encoder.unkeyedContainer()
                try drawer.single?.encode(named)
                try container.encode(named)
            },
        ]
        try decoding(archiveOf: value) { decoder in
            var container = try decoder.unkeyedContainer()
            #expect(try container.decode(Named.self).name == "shared")
            #expect(try container.decode([Named].self).map(\.name) == ["shared"])
        }
    }

    @Test func `nested containers, of a value that is done, are written to by a later sibling`() throws {
        let drawer = Drawer()
        let value = [
            Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                var middle = container.nestedContainer(keyedBy: AnyKey.self, forKey: "middle")
                drawer.unkeyed = middle.nestedUnkeyedContainer(forKey: "list")
                try container.encode(1, forKey: "after")
            },
            Encoding { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(2)
                try drawer.unkeyed?.encode("late")
                drawer.keyed = drawer.unkeyed?.nestedContainer(keyedBy: AnyKey.self)
            },
            Encoding { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(3)
                try drawer.keyed?.encode("later", forKey: "x")
            },
        ]
        #expect(
            try archiveText(value)
                == #"NSArray[Encoding{middle: Encoding{list: NSArray[@"late", Encoding{x: @"later"}]}, after: 1}, @2, @3]"#
        )
    }

    @Test func `a class instance's container is written to by another instance`() throws {
        final class First: Encodable {
            let drawer: Drawer
            init(_ drawer: Drawer) { self.drawer = drawer }
            func encode(to encoder: any Encoder) throws { drawer.keyed = encoder.container(keyedBy: AnyKey.self) }
        }
        final class Second: Encodable {
            let drawer: Drawer
            init(_ drawer: Drawer) { self.drawer = drawer }
            func encode(to encoder: any Encoder) throws {
                try drawer.keyed?.encode("from second", forKey: "a")
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: "b")
            }
        }
        let drawer = Drawer()
        let first = First(drawer)
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(first)
            try container.encode(Second(drawer))
            try container.encode(first)
        }
        #expect(try archiveText(value) == #"Encoding[#1=First{a: @"from second"}, Second{b: 1}, #1]"#)
    }

    @Test func `a parent's container is written to by the value inside it`() throws {
        let drawer = Drawer()
        let child = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "own")
            try drawer.keyed?.encode(2, forKey: "scalar")
            try drawer.keyed?.encode([3], forKey: "array")
            try drawer.keyed?.encode(
                Encoding { encoder in
                    var container = encoder.container(keyedBy: AnyKey.self)
                    try container.encode("deep", forKey: "x")
                }, forKey: "object")
            try container.encode(4, forKey: "last")
        }
        let parent = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            drawer.keyed = container
            try container.encode(child, forKey: "child")
            drawer.keyed = nil
        }
        let text = try archiveText(parent)
        #expect(
            text
                == #"Encoding{scalar: 2, array: NSArray[@3], object: Encoding{x: @"deep"}, child: Encoding{own: 1, last: 4}}"#
        )
    }

    /// Leaves its encoder, and looks like an enumeration that always encodes itself in the same way.
    enum Keeper: Int, Encodable {
        case only

        func encode(to encoder: any Encoder) throws {
            (encoder.userInfo[.named("encoders")] as? Encoders)?.all.append(encoder)
        }
    }

    final class Encoders: @unchecked Sendable {
        var all: [any Encoder] = []
    }

    @Test func `equal values that left their encoders are written separately`() throws {
        enum Species: String, Encodable { case cow }
        let encoders = Encoders()
        var encoder = ArchiveEncoder()
        encoder.userInfo[.named("encoders")] = encoders
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(Species.cow)
            try container.encode(Keeper.only)
            try container.encode(Keeper.only)
            for (index, late) in encoders.all.enumerated() {
                var fields = late.container(keyedBy: AnyKey.self)
                try fields.encode(index, forKey: "x")
            }
        }
        #expect(try archiveText(value, by: encoder) == #"Encoding[@"cow", Keeper{x: 0}, Keeper{x: 1}]"#)
    }

    @Test func `a failed value's encoder accepts no more, and affects no other`() throws {
        let drawer = Drawer()
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try? container.encode(
                Encoding { encoder in
                    drawer.encoder = encoder
                    throw Failure()
                })
            try container.encode(1)
        }
        #expect(try archiveText(value) == "Encoding[@1]")
        #expect(try #require(drawer.encoder).codingPath.isEmpty)
    }

    @Test func `an encoder returns its path and userInfo after the archive is finished`() async {
        await #expect(processExitsWith: .success) {
            let drawer = Drawer()
            func keep(_ form: Int) -> Encoding {
                Encoding { encoder in
                    drawer.encoder = encoder
                    switch form {
                    case 0: break
                    case 1: drawer.keyed = encoder.container(keyedBy: AnyKey.self)
                    case 2: drawer.unkeyed = encoder.unkeyedContainer()
                    default:
                        drawer.single = encoder.singleValueContainer()
                        if form == 4 { try drawer.single?.encode(1) }
                    }
                }
            }
            for form in 0...4 {
                _ = try ArchiveEncoder().encode([["a": keep(form)]])
                // Memory that the archive gave back is used by others.
                let others = (0..<2000).map { [Int](repeating: -1, count: $0) }
                _ = drawer.encoder?.codingPath.map(\.stringValue)
                _ = drawer.encoder?.userInfo.count
                _ = drawer.keyed?.codingPath
                _ = drawer.unkeyed?.codingPath
                _ = drawer.single?.codingPath
                withExtendedLifetime(others) {}
            }
        }
    }

    @Test(arguments: [0, 1, 2, 3], [false, true])
    func `a container that is written to after the archive is finished stops the program`(
        form: Int, whileAnotherIsEncoded: Bool
    ) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [form, whileAnotherIsEncoded] in
            let drawer = Drawer()
            _ = try ArchiveEncoder().encode([
                Encoding { encoder in
                    switch form {
                    case 0: drawer.keyed = encoder.container(keyedBy: AnyKey.self)
                    case 1: drawer.unkeyed = encoder.unkeyedContainer()
                    case 2: drawer.single = encoder.singleValueContainer()
                    default: drawer.encoder = encoder
                    }
                }
            ])
            let write = {
                try drawer.keyed?.encode(1, forKey: "a")
                try drawer.unkeyed?.encode(1)
                try drawer.single?.encode(1)
                var late = drawer.encoder?.unkeyedContainer()
                try late?.encode(1)
            }
            if whileAnotherIsEncoded { _ = try ArchiveEncoder().encode([Encoding { _ in try write() }]) }
            try write()
        }
        #expect(result.said("after the archive it belongs to was finished"))
    }
}
