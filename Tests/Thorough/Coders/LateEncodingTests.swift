// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Encoders and containers that the program still has when the `encode(to:)` that received them has returned.
@Suite(.inTurn) struct `What is kept beyond encode(to:)` {
    /// Where a value leaves its encoder for another one to find.
    final class Drawer {
        var encoder: (any Encoder)?
        var keyed: KeyedEncodingContainer<AnyKey>?
        var unkeyed: (any UnkeyedEncodingContainer)?
        var single: (any SingleValueEncodingContainer)?
    }

    /// What the value leaves in the drawer.
    enum Kept: String, CaseIterable, Codable {
        case encoder, keyed, unkeyed, single, usedSingle, nestedKeyed, nestedUnkeyed, superEncoder, failedEncoder,
            replacedContainer

        /// A value that leaves it.
        func value(in drawer: Drawer) -> Encoding {
            Encoding { encoder in
                switch self {
                case .encoder: drawer.encoder = encoder
                case .keyed: drawer.keyed = encoder.container(keyedBy: AnyKey.self)
                case .unkeyed: drawer.unkeyed = encoder.unkeyedContainer()
                case .single: drawer.single = encoder.singleValueContainer()
                case .usedSingle:
                    drawer.single = encoder.singleValueContainer()
                    try drawer.single?.encode(1)
                case .nestedKeyed:
                    var container = encoder.unkeyedContainer()
                    drawer.keyed = container.nestedContainer(keyedBy: AnyKey.self)
                case .nestedUnkeyed:
                    var container = encoder.container(keyedBy: AnyKey.self)
                    drawer.unkeyed = container.nestedUnkeyedContainer(forKey: "list")
                case .superEncoder:
                    var container = encoder.container(keyedBy: AnyKey.self)
                    drawer.encoder = container.superEncoder()
                case .failedEncoder:
                    drawer.encoder = encoder
                    throw Failure()
                case .replacedContainer:
                    var container = encoder.container(keyedBy: AnyKey.self)
                    drawer.keyed = container.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
                    try container.encode(1, forKey: "a")
                }
            }
        }

        /// Uses what was left.
        static func use(_ drawer: Drawer) throws {
            try drawer.keyed?.encode(1, forKey: "a")
            try drawer.unkeyed?.encode(1)
            try drawer.single?.encode(1)
            var late = drawer.encoder?.unkeyedContainer()
            try late?.encode(1)
        }
    }

    /// When what was left is used.
    enum Moment: String, CaseIterable, Codable {
        case bySibling, byParent, byInstance, afterwards, duringAnother
    }

    final class Later: Encodable {
        let body: () throws -> Void
        init(_ body: @escaping () throws -> Void) { self.body = body }
        func encode(to encoder: any Encoder) throws { try body() }
    }

    static let cases = Kept.allCases.flatMap { kept in Moment.allCases.map { (kept, $0) } }

    @Test(arguments: cases)
    func `stops the program that encodes with it`(kept: Kept, moment: Moment) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [kept, moment] in
            let drawer = Drawer()
            let use = { try Kept.use(drawer) }
            let value = kept.value(in: drawer)
            // An error would end the process as well.
            _ = try? ArchiveEncoder().encode(
                Encoding { encoder in
                    var container = encoder.unkeyedContainer()
                    if moment == .byInstance { try container.encode(Later(use)) }
                    try? container.encode([value])
                    if moment == .byParent { try use() }
                    if moment == .bySibling { try container.encode(Encoding { _ in try use() }) }
                })
            if moment == .duringAnother { _ = try? ArchiveEncoder().encode([Encoding { _ in try use() }]) }
            if moment == .afterwards { try? use() }
            exit(0)
        }
        #expect(result.said("after the encode(to:) that received it had returned"))
    }

    @Test(arguments: Kept.allCases) func `has no path, no userInfo and no elements`(kept: Kept) throws {
        let drawer = Drawer()
        var encoder = ArchiveEncoder()
        encoder.userInfo[.named("key")] = 1
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(0)
            try? container.encode(kept.value(in: drawer))
        }
        for _ in 0..<3 {
            _ = try encoder.encode(["a": value])
            // Memory that the archive gave back is used by others.
            let others = (0..<2000).map { [Int](repeating: -1, count: $0) }
            #expect(drawer.encoder?.codingPath.isEmpty != false)
            #expect(drawer.encoder?.userInfo.isEmpty != false)
            #expect(drawer.keyed?.codingPath.isEmpty != false)
            #expect(drawer.unkeyed?.codingPath.isEmpty != false)
            #expect(drawer.unkeyed?.count ?? 0 == 0)
            #expect(drawer.single?.codingPath.isEmpty != false)
            withExtendedLifetime(others) {}
        }
    }

    @Test func `does not change the archive`() throws {
        var expected: [Kept: String] = [:]
        for kept in Kept.allCases {
            let value = Encoding { encoder in
                var container = encoder.unkeyedContainer()
                let drawer = Drawer()
                try? container.encode(kept.value(in: drawer))
                try? container.encode(kept.value(in: drawer))
                try container.encode(["after": 1])
            }
            expected[kept] = try archiveText(value)
        }
        func text(_ element: String) -> String { "Encoding[\(element), \(element), NSDictionary[@\"after\": @1]]" }
        #expect(expected[.encoder] == text("Encoding{}"))
        #expect(expected[.keyed] == text("Encoding{}"))
        #expect(expected[.unkeyed] == text("Encoding[]"))
        #expect(expected[.single] == text("Encoding{}"))
        #expect(expected[.usedSingle] == text("@1"))
        #expect(expected[.nestedKeyed] == text("Encoding[Encoding{}]"))
        #expect(expected[.nestedUnkeyed] == text("Encoding{list: NSArray[]}"))
        #expect(expected[.superEncoder] == text("Encoding{super: Encoding{}}"))
        #expect(expected[.failedEncoder] == "Encoding[NSDictionary[@\"after\": @1]]")
        #expect(expected[.replacedContainer] == text("Encoding{a: 1}"))
    }

    @Test func `of each of many values has the contents of its value`() throws {
        var containers: [KeyedEncodingContainer<AnyKey>] = []
        let values = (0..<200).map { (number: Int) in
            Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(number, forKey: "number")
                if number % 3 != 0 { containers.append(container) }
            }
        }
        struct Numbered: Decodable { var number: Int }
        for _ in 0..<3 { #expect(try transcode(values, as: [Numbered].self).map(\.number) == Array(0..<200)) }
    }

    @Test func `is none of the containers of a value in progress`() throws {
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
            drawer.unkeyed = container.nestedUnkeyedContainer(forKey: "list")
            try container.encode(child, forKey: "child")
            try drawer.unkeyed?.encode(5)
        }
        let text = try archiveText(parent)
        #expect(
            text
                == #"Encoding{list: NSArray[@5], scalar: 2, array: NSArray[@3], object: Encoding{x: @"deep"}, "#
                + #"child: Encoding{own: 1, last: 4}}"#)
    }
}
