// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - By the archiver

extension Seeds {
    static func sequential() throws -> [Seed] {
        var seeds = handmadeStreams()
        for (suffix, order) in [("", TypedStream.ByteOrder.littleEndian), ("-big-endian", .bigEndian)] {
            seeds += try archived(order).map { Seed("sequential-\($0.0)\(suffix)", .sequential, $0.1) }
        }
        return seeds
    }

    private static func archived(_ order: TypedStream.ByteOrder) throws -> [(String, Data)] {
        let (ring, panes) = (beads(4), panes())
        return try withExtendedLifetime((ring, panes)) {
            [
                ("parts", try stream(order) { try $0.encodeRootObject([wheel(), Part("own")]) }),
                ("panes", try stream(order) { try $0.encodeRootObject(panes) }),
                ("pane-alone", try stream(order) { try $0.encodeRootObject(panes.panes[0]) }),
                ("beads", try stream(order) { try $0.encodeRootObject(ring[0]) }),
                ("drawer", try stream(order) { try $0.encodeRootObject(drawer()) }),
                ("chest", try stream(order) { try $0.encodeRootObject(chest(ring)) }),
                ("story", try stream(order) { try $0.encode(story()) }),
                ("values", try stream(order) { try encodeValues(with: $0) }),
                ("unknown", try stream(order) { try encodeUnknown(ring, panes, with: $0) }),
                (
                    "forbidden",
                    try stream(order) {
                        let wheel = Wheel("wheel")
                        wheel.parts = [ForbiddenPart("part")]
                        try $0.encode(wheel)
                        try $0.encode(ForbiddenGadget())
                        try $0.encodeClass(ForbiddenGadget.self)
                    }
                ),
            ]
        }
    }

    /// The bytes of an archive that `encode` makes.
    static func stream(
        _ order: TypedStream.ByteOrder = .littleEndian, _ encode: (SequentialArchiver) throws -> Void
    ) throws -> Data {
        let archiver = SequentialArchiver(byteOrder: order)
        try encode(archiver)
        return try archiver.finishEncoding()
    }

    private static func beads(_ count: Int) -> [Bead] {
        let beads = (0..<count).map { Bead($0 * 100) }
        for (index, bead) in beads.enumerated() { bead.next = beads[(index + 1) % count] }
        return beads
    }

    private static func wheel() -> Wheel {
        let (wheel, shared) = (Wheel("wheel"), Part("shared"))
        wheel.spare = shared
        wheel.parts = [shared, Wheel("inner"), shared]
        return wheel
    }

    private static func panes() -> Pane {
        Pane("window", [Pane("left", [Pane("button")]), Pane("right")])
    }

    private static func drawer() -> Drawer {
        let drawer = Drawer()
        drawer.byNumber = [7: [Part("seventh")]]
        drawer.story = story()
        return drawer
    }

    private static func chest(_ beads: [Bead]) -> Chest {
        let row: [Any] = [1, 2.5, "two", Data([1]), Date(timeIntervalSinceReferenceDate: 1), Float(0.25)]
        let shared: [Any] = [row, row, Optional<Any>.none as Any]
        return Chest([
            shared, ["key": row as Any] as [AnyHashable: Any], ["m"] as Set<AnyHashable>, UInt.max, beads[0], nil,
            story(),
            URL(string: "https://example.org/"), Part("part"),
            TypedStream.TypedValue("{_NSRange=QQ}", .structure([.unsigned(1), .unsigned(2)])),
        ])
    }

    private static func story() -> AttributedText {
        let text = "An owl 🦉 and a link"
        let middle = text.utf16.index(text.startIndex, offsetBy: 8)
        let late = text.utf16.index(text.startIndex, offsetBy: 16)
        let plain: [String: Any] = ["part": 0]
        let link: [String: Any] = ["NSLink": URL(string: "https://example.org/") as Any]
        return AttributedText(
            text,
            runs: [
                (range: text.startIndex..<middle, attributes: plain),
                (range: middle..<late, attributes: link),
                (range: late..<text.endIndex, attributes: plain),
            ])
    }

    private static func encodeValues(with archiver: SequentialArchiver) throws {
        try archiver.encode(Int32(5))
        try archiver.encode(-111, as: .short)
        try archiver.encode(Int64.min)
        try archiver.encode(UInt64.max)
        try archiver.encode(Float(0.1))
        try archiver.encode(-0.0)
        try archiver.encode("title", as: .cString)
        try archiver.encode("title", as: .cString)
        try archiver.encode("atom", as: .atom)
        try archiver.encode("draw:", as: .selector)
        try archiver.encode(nil as String?, as: .cString)
        try archiver.encodeBytes([1, 2, 3])
        try archiver.encodeValues("iI@*", 1, 6, "text", "title")
        try archiver.encodeArray([Int32(1), 300, 70_000])
        try archiver.encodeArray([Speck(x: 1, y: 2), Speck(x: 0.5, y: 3)])
        try archiver.encodeArray([1, -1] as [Int8])
        try archiver.encodeArray([Part("first"), Part("second")])
        try archiver.encode(Speck(x: 1, y: 1.5))
        try archiver.encodeClass(Wheel.self)
        try archiver.encode(["key": [1, 2]])
        try archiver.encode(true, as: .bool)
    }

    private static func encodeUnknown(
        _ beads: [Bead], _ panes: Pane, with archiver: SequentialArchiver
    ) throws {
        for name in ["Part", "Wheel", "Pane", "Bead", "Drawer"] {
            archiver.encodeClassName(name, intoClassName: "Unknown\(name)")
        }
        try archiver.encode(wheel())
        try archiver.encode(panes)
        try archiver.encode(beads[1])
        try archiver.encode(["drawer": drawer()])
        try archiver.encode(wheel())
    }
}

// MARK: - By hand

extension Seeds {
    private static let object = "84 01 '@'"
    private static let root = "84 84 08 'NSObject' 00 85"

    private static func handmadeStreams() -> [Seed] {
        [
            // A part of version 0, which has no count.
            Seed(
                "sequential-old-part", .sequential,
                StreamText.bytes(
                    "\(object) 84 84 84 04 'Part' 00 \(root) 92 84 84 84 08 'NSString' 01 94 84 01 '+' 03 'old' 86 86")),
            // NeXT's version of the format, with C strings in its encoding.
            Seed(
                "sequential-next", .sequential,
                StreamText.bytes(
                    "84 02 '*%' 84 84 03 41E142 84 04 'atom' 92 92 94 84 01 ':' 85 84 01 'q' 87 8000000000000001 84 01 'f' 83 3F000000",
                    order: .bigEndian, version: 3, system: 930)),
            Seed(
                "sequential-numbers", .sequential,
                StreamText.bytes(
                    """
                    \(object) 84 84 84 08 'NSNumber' 00 84 84 07 'NSValue' 00 \(root) 84 01 '*' 84 84 01 'i' 97 81 2C01 86
                    92 84 93 96 84 84 01 'd' 98 83 9A9999999999B93F 86 92 84 93 96 84 84 01 'B' 99 01 86
                    92 84 93 96 84 84 01 'Q' 9A FF 86
                    """)),
            Seed(
                "sequential-containers", .sequential,
                StreamText.bytes(
                    """
                    \(object) 84 84 84 0C 'NSDictionary' 00 \(root) 84 01 'i' 02
                    92 84 84 84 08 'NSString' 01 94 84 01 '+' 01 'a' 86
                    92 84 84 84 07 'NSArray' 00 94 95 02 92 95 92 84 96 97 01 'b' 86 86
                    92 84 96 97 03 E281AC 86
                    92 84 84 84 05 'NSSet' 00 94 84 01 'I' 02 92 95 92 84 96 97 01 'c' 86 86
                    86
                    """)),
            Seed(
                "sequential-urls", .sequential,
                StreamText.bytes(
                    """
                    \(object) 84 84 84 05 'NSURL' 00 \(root) 84 01 'c' 01 92 84 93 95 00
                    92 84 84 84 08 'NSString' 01 94 84 01 '+' 0B 'http://a.b/' 86 86 92 84 97 97 01 'c' 86 86
                    """)),
            // Objects that refer to each other before they are complete, structs, arrays, nothing.
            Seed(
                "sequential-shapes", .sequential,
                StreamText.bytes(
                    """
                    \(object) 84 84 84 05 'Shade' 00 \(root) 92 84 84 84 04 'Bead' 00 94 84 01 'q' 07 92 95 86 86
                    84 07 '[2[2s]]' 01 02 03 81 0080 84 0B '{?=i{a=c!}}' 05 06 84 01 '!' 84 00 84 05 '[0@]#' 94
                    """)),
        ]
    }
}

/// Typedstreams as text: bytes as hexadecimal digits, and texts in quotes.
enum StreamText {
    /// The bytes of a typedstream whose contents `text` says.
    static func bytes(
        _ text: String, order: TypedStream.ByteOrder = .littleEndian, version: UInt8 = 4, system: UInt16 = 1000
    ) -> [UInt8] {
        let signature = order == .littleEndian ? "streamtyped" : "typedstream"
        let number = [UInt8(truncatingIfNeeded: system), UInt8(system >> 8)]
        var bytes =
            [version, 11] + Array(signature.utf8) + [0x81] + (order == .littleEndian ? number : number.reversed())
        var rest = Substring(text)
        while let first = rest.first {
            if first == "'" {
                bytes += Array(rest.dropFirst().prefix { $0 != "'" }.utf8)
                rest = rest.dropFirst().drop { $0 != "'" }.dropFirst()
            } else if first.isWhitespace {
                rest.removeFirst()
            } else {
                bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            }
        }
        return bytes
    }
}
