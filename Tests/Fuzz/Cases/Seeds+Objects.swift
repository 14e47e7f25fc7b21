// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Coding objects

extension Seeds {
    static func objects() throws -> [Seed] {
        let folder = folders()
        let record = record(folder)
        let cabinet = cabinet(folder)
        return [
            Seed("folders", .objects, try archive { try $0.encode(folder, forKey: "root") }),
            Seed("folders-xml", .objects, try archive(.xml) { try $0.encode(folder, forKey: "root") }),
            Seed("record", .objects, try archive { try $0.encode(record, forKey: "root") }),
            Seed("record-xml", .objects, try archive(.xml) { try $0.encode(record, forKey: "root") }),
            Seed("cabinet", .objects, try archive { try $0.encode(cabinet, forKey: "root") }),
            Seed("tokens", .objects, try archive { try $0.encode([Token("shared"), Token("own")], forKey: "root") }),
            Seed(
                "many-keys", .objects,
                try archive { archiver in
                    archiver.encode(true, forKey: "flag")
                    archiver.encode(1 << 40, forKey: "$number")
                    archiver.encode(0.5 as Float, forKey: "ratio")
                    archiver.encodeNextPoint(x: 1, y: 2)
                    archiver.encodeNext("text")
                    archiver.encodeNextBytes([1, 2, 3])
                    try archiver.encode(folder, forKey: "folder")
                    try archiver.encode(Corner(x: 1, y: 2), forKey: "corner")
                    try archiver.encode([Token("own")], forKey: "tokens")
                }),
            Seed(
                "forbidden-objects", .objects,
                try archive { archiver in
                    let parent = Folder("parent")
                    parent.add(ForbiddenFolder("child"))
                    try archiver.encode(parent, forKey: "root")
                    try archiver.encode(ForbiddenObject(), forKey: "object")
                }),
        ]
    }

    private static func folders() -> Folder {
        let root = Folder("root")
        let disk = Disk("disk")
        disk.label = "label"
        disk.size = 512
        root.add(disk)
        root.add(Folder("folder"))
        disk.add(Folder("inner"))
        return root
    }

    private static func record(_ folder: Folder) -> Record {
        let record = Record()
        let stops = ["a", "b", "c"].map { Stop($0) }
        for (index, stop) in stops.enumerated() {
            stop.next = stops[(index + 1) % stops.count]
            stop.disk = folder
        }
        record.stops = ["first": stops[0], "$second": stops[1]]
        record.rows = Coded(wrappedValue: [[stops[0], stops[2]], []])
        record.stop = stops[2]
        return record
    }

    private static func cabinet(_ folder: Folder) -> Cabinet {
        let cabinet = Cabinet()
        let row: [Any] = [true, 1.5, Data([1]), Date(timeIntervalSinceReferenceDate: 1)]
        let stop = Stop("stop")
        cabinet.object = [1, "two", row, ["k": 3], Set<AnyHashable>(["m"])] as [Any]
        cabinet.things = [folder, stop, stop, Corner(x: 1, y: 2)]
        cabinet.entries = ["name": "value", 7: stop]
        cabinet.inherited = "text"
        cabinet.disk = folder
        return cabinet
    }
}

// MARK: - Property lists

extension Seeds {
    static func propertyLists() throws -> [Seed] {
        var seeds = [
            Seed("list", .propertyList, RawWriter().bytes(of: list)),
            Seed("list-null-and-set", .propertyList, RawWriter().bytes(of: ["a": .null, "b": .set([1, "x"])])),
            Seed("list-xml", .propertyList, try list.data(format: .xml)),
            Seed("list-xml-by-hand", .propertyList, Array(handmadeXML.utf8)),
            Seed(
                "list-xml-control", .propertyList,
                Array("<?xml version=\"1.0\"?><dict><key>a\u{7}</key><string>\u{FFFE}&#0;</string></dict>".utf8)),
            Seed("list-xml-text", .propertyList, Array("<?xml version=\"1.0\"?><string>a&#65;b</string>".utf8)),
            Seed("list-duplicate-keys", .propertyList, RawWriter().bytes(of: duplicateKeys)),
        ]
        var wide = RawWriter()
        (wide.offsetSize, wide.referenceSize, wide.integerWidth, wide.uidSize, wide.countWidth) = (8, 8, 4, 16, 4)
        seeds.append(Seed("list-widest", .propertyList, wide.bytes(of: list)))
        for (offset, reference, width) in [(2, 1, 0), (3, 3, 1), (5, 2, 2), (4, 7, 3)] {
            var writer = RawWriter()
            (writer.offsetSize, writer.referenceSize, writer.integerWidth) = (offset, reference, width)
            (writer.uidSize, writer.countWidth, writer.sharesStrings) = (reference, width, false)
            (writer.isReversed, writer.prefersUTF16) = (offset == 3, offset == 5)
            seeds.append(Seed("list-widths-\(offset)-\(reference)", .propertyList, writer.bytes(of: list)))
        }
        return seeds
    }

    /// A list that has every kind of value that both formats have, and every width.
    private static var list: PropertyList {
        [
            "false": false, "true": true, "small": 1, "byte": 255, "short": 65_535, "long": 4_294_967_295,
            "negative": -1, "wide": 9_223_372_036_854_775_807, "unsigned": 18_446_744_073_709_551_615,
            "real": 0.1, "narrow": .real32(0.5), "infinite": .real(.infinity), "text": "text", "wide text": "Grüße 🐄",
            "empty": "", "long text": .string(String(repeating: "x", count: 300)), "data": .data(Data([1, 2, 3])),
            "date": .date(Date(timeIntervalSinceReferenceDate: 86_400)), "uid": .uid(7), "wide uid": .uid(70_000),
            "array": [1, [2, []], "text"], "dictionary": ["key": ["key": [:]]],
            "many": .array((0..<20).map { .integer(Int128($0)) }),
        ]
    }

    private static var duplicateKeys: PropertyList {
        let entries: [PropertyList.Dictionary.Element] = [("a", 1), ("a", "two"), ("b", [:])]
        return .dictionary(PropertyList.Dictionary(entries))
    }

    private static let handmadeXML = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <!-- by hand -->
        <plist version="1.0">
        <dict>
            <key>a &lt; b</key><string><![CDATA[<c>]]>&amp;&#x1F404;</string>
            <key>n</key><integer>0x1F</integer><key>m</key><integer>-12</integer>
            <key>r</key><real>1e-3</real><key>i</key><real>-infinity</real>
            <key>d</key><date>2001-01-02T03:04:05Z</date>
            <key>b</key><data> AQID\tBA== </data>
            <key>u</key><dict><key>CF$UID</key><integer>3</integer></dict>
            <key>l</key><array><true/><false/><array/><dict/><string/></array>
        </dict>
        </plist>
        """
}
