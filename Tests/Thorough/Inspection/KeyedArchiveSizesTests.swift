// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Sizes of the objects of an archive` {
    @Test func `are those of the binary format, with inline values`() throws {
        let archive = try openArchive(
            ["$class": .uid(3), "a": .uid(2), "list": [1.5]], "xy", ["$classname": "T", "$classes": ["T"]])
        let sizes = try archive.sizes()
        // References of one byte: 1 for a marker, 1 for each reference, 1 and the length for a string, 2 for a uid, 9 for a
        // real.
        #expect(sizes.byteCount(of: archive[uid: 0]) == 6)
        #expect(sizes.byteCount(of: archive[uid: 1]) == (1 + 6) + (7 + 2 + 5) + (2 + 2) + (2 + 9))
        #expect(sizes.byteCount(of: archive[uid: 2]) == 3)
        #expect(sizes.byteCount(of: archive[uid: 3]) == (1 + 4) + (11 + 9) + 2 + 2)
        #expect(sizes.byteCount(of: archive[uid: 4]) == 0)
        #expect(sizes.byteCount(of: archive.top) == 0)
        #expect(sizes.sharedByteCount == 0)
        // Of a value inside an object, its own.
        let list = try #require(archive.root["list"])
        #expect(sizes.byteCount(of: list) == 2)
        #expect(sizes.byteCount(of: list[0]) == 9)
        let other = try openArchive("a")
        #expect(sizes.byteCount(of: other[uid: 1]) == 0)
    }

    @Test func `count what several objects have apart`() throws {
        let archive = try openArchive(["name": .uid(3), "weight": 2.5], ["name": .uid(3), "height": 2.5], "shared")
        let sizes = try archive.sizes()
        // The key, the uid and the number are in both.
        #expect(sizes.sharedByteCount == 5 + 2 + 9)
        #expect(sizes.byteCount(of: archive[uid: 1]) == 5 + 7)
        #expect(sizes.byteCount(of: archive[uid: 2]) == 5 + 7)
        #expect(sizes.byteCount(of: archive[uid: 3]) == 7)
    }

    @Test func `are all bytes of the file together`() throws {
        final class Node: Codable {
            var name = "node"
            var numbers = [1, 2, 3]
            var next: Node?
        }
        let first = Node()
        first.next = Node()
        first.next?.next = first
        for format in PropertyListFormat.allCases {
            var encoder = ArchiveEncoder()
            encoder.outputFormat = format
            let archive = try KeyedArchive(encoder.encode([first, first]))
            let sizes = try archive.sizes()
            let objects = archive.objects.reduce(0) { $0 + sizes.byteCount(of: $1) }
            let all = objects + sizes.sharedByteCount + sizes.headByteCount + sizes.frameByteCount
            #expect(try all == archive.data(format: .binary).count)
            // The header, the trailer, and a byte at least for each object of the list.
            #expect(sizes.frameByteCount >= 8 + 32 + archive.objects.count)
        }
    }

    @Test func `leave out damage`() throws {
        let archive = try openArchive(["a": .uid(99)], .uid(1))
        #expect(try archive.sizes().byteCount(of: archive[uid: 1]) == 3 + 2 + 2)
    }

    @Test func `go with classes, which have a uid`() throws {
        let archive = try openArchive(["$class": .uid(2)], ["$classname": "T"], "no object")
        #expect(archive.root.classUID == 2)
        #expect(archive[uid: 2].classUID == nil)
        #expect(archive[uid: 3].classUID == nil)
        #expect(archive.top.classUID == nil)
    }
}
