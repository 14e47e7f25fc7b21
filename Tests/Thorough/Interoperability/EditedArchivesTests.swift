// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// What other programs make of archives that were edited.
@Suite(.inTurn) struct `Edited archives` {
    /// An archive of a farm with another name, one animal less in front and one more at the end, and of another class.
    private static func edited(_ format: PropertyListFormat) throws -> Data {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        encoder.classes.register(SampleFarm.self, name: "Old.Farm")
        encoder.classes.register(FarmLocation.self, name: "Location")
        var editor = try KeyedArchiveEditor(KeyedArchive(encoder.encode(SampleFarm.example)))
        try editor.renameClass("Old.Farm", to: "Farm")
        try editor.set("Ä Farm", at: ["root", "name"])
        try editor.set(-1.5, at: ["root", "location", "latitude"])
        try editor.remove(at: ["root", "animals", 0])
        try editor.insert(4, at: ["root", "animals", 8])
        return try editor.propertyList.data(format: format)
    }

    private static let farm = SampleFarm(
        name: "Ä Farm", location: FarmLocation(latitude: -1.5, longitude: 0.269273),
        animals: [.dog, .cow, .turkey, .dog, .chicken, .cow, .turkey, .dog, .cow])

    @Test(arguments: PropertyListFormat.allCases)
    func `are read by Foundation`(format: PropertyListFormat) throws {
        #expect(try FarmObject.farm(in: Self.edited(format)) == Self.farm)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `are read by this library`(format: PropertyListFormat) throws {
        var decoder = ArchiveDecoder()
        decoder.classes = .sampleFarm
        #expect(try decoder.decode(SampleFarm.self, from: Self.edited(format)) == Self.farm)
    }

    private static let classes = [
        NSDictionary.self, NSArray.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
        NSUUID.self,
    ]

    @Test func `are read by Foundation where it wrote them`() throws {
        let uuid = UUID()
        let object: NSDictionary = [
            "list": [1, 2.5, "three"] as NSArray, "date": NSDate(timeIntervalSinceReferenceDate: 5),
            "id": uuid as NSUUID,
            "set": NSSet(array: ["a"]), "gone": "x",
        ]
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        var editor = try KeyedArchiveEditor(KeyedArchive(data))
        try editor.set("two", at: ["root", "list", 1])
        try editor.insert(true, at: ["root", "list", 0])
        try editor.set(6.5, at: ["root", "date", "NS.time"])
        try editor.set(.date(Date(timeIntervalSinceReferenceDate: 9)), at: ["root", "second"])
        try editor.set(.data(Data([1, 2])), at: ["root", "bytes"])
        try editor.insert("b", at: ["root", "set", 1])
        try editor.remove(at: ["root", "gone"])
        editor.removeUnreachableObjects()
        let expected: NSDictionary = [
            "list": [true, 1, "two", "three"] as NSArray, "date": NSDate(timeIntervalSinceReferenceDate: 6.5),
            "id": uuid as NSUUID, "set": NSSet(array: ["a", "b"]),
            "second": NSDate(timeIntervalSinceReferenceDate: 9), "bytes": NSData(data: Data([1, 2])),
        ]
        for format in PropertyListFormat.allCases {
            let again = try NSKeyedUnarchiver.unarchivedObject(
                ofClasses: Self.classes, from: editor.propertyList.data(format: format))
            #expect(again as? NSDictionary == expected)
        }
    }

    @Test func `are read by Foundation where nothing was before`() throws {
        var editor = KeyedArchiveEditor()
        let list = try editor.addArray(
            [1, "two", .null, .date(Date(timeIntervalSinceReferenceDate: 3))].filter { $0 != .null })
        let set = try editor.addSet([.data(Data([7]))])
        let root = try editor.addDictionary(["list": .uid(list), "set": .uid(set), "number": 4.5])
        try editor.set(.uid(root), at: ["root"])
        let expected: NSDictionary = [
            "list": [1, "two", NSDate(timeIntervalSinceReferenceDate: 3)] as NSArray,
            "set": NSSet(array: [NSData(data: Data([7]))]), "number": 4.5,
        ]
        for format in PropertyListFormat.allCases {
            let object = try NSKeyedUnarchiver.unarchivedObject(
                ofClasses: Self.classes, from: editor.propertyList.data(format: format))
            #expect(object as? NSDictionary == expected)
        }
    }
}

// MARK: - Python

/// Edited archives in Python's plistlib: those that it wrote, and what it finds in them afterwards.
@Suite(.inTurn, .needs(.tool("python3")))
struct `Edited archives of Python's plistlib` {
    private static let written = """
        [{'name': U(2), 'list': U(3), 'plain': [1, 'x'], '$class': U(5)}, 'old',
         {'NS.objects': [U(4), U(2)], '$class': U(6)}, 2.5, C('Farm.Barn', 'Farm.House'), C('NSArray')]
        """

    @Test func `have what was changed, and the rest`() throws {
        var edited: [Data] = []
        for data in try Plistlib.archives(Self.written, archiver: "PyArchiver") {
            for format in PropertyListFormat.allCases {
                var editor = try KeyedArchiveEditor(KeyedArchive(data))
                try editor.set("new", at: ["object", "name"])
                try editor.set("y", at: ["object", "plain", 1])
                try editor.insert(true, at: ["object", "list", 1])
                try editor.renameClass("Farm.House", to: "House")
                try editor.set(7, at: ["object", "$size"])
                edited.append(try editor.propertyList.data(format: format))
            }
        }
        // A number at the index of what follows; "old" is still in the list.
        #expect(
            try Plistlib.evaluate(
                """
                [o(o(top['object'])['name']), o(top['object'])['plain'], o(top['object'])['$$size'],
                 [o(x) for x in o(o(top['object'])['list'])['NS.objects']], c(top['object']), c(o(top['object'])['list']),
                 archive['$archiver'], len(objects), objects[2]]
                """, in: edited)
                    == """
                    ['new', [1, 'y'], 7, [2.5, True, 'old'], ['Farm.Barn', 'House', 'NSObject'], ['NSArray', 'NSObject'], \
                    'PyArchiver', 9, 'old']
                    """)
    }

    @Test func `lose what was cleared away`() throws {
        for data in try Plistlib.archives(Self.written) {
            var editor = try KeyedArchiveEditor(KeyedArchive(data))
            try editor.remove(at: ["object", "list"])
            try editor.set(.null, at: ["object", "name"])
            editor.removeUnreachableObjects()
            let text = try Plistlib.evaluate("objects", in: [editor.propertyList.data(), editor.propertyList.data()])
            #expect(!text.contains("old") && !text.contains("2.5") && !text.contains("NSArray"))
            #expect(
                try Plistlib.evaluate(
                    "objects[1]['plain'], objects[2:5], len(objects)", in: [editor.propertyList.data()])
                    == "([1, 'x'], ['$null', '$null', '$null'], 6)")
        }
    }
}

// MARK: - GNUstep

@Suite(.inTurn, .needs(.gnustep))
struct `Edited archives of GNUstep` {
    @Test func `are read where this library wrote them`() throws {
        var editor = try KeyedArchiveEditor(KeyedArchive(ArchiveEncoder.sampleFarm().encode(SampleFarm.example)))
        try editor.set("Edited", at: ["root", "name"])
        try editor.set(1.5, at: ["root", "location", "longitude"])
        try editor.remove(at: ["root", "animals", 8])
        let text = try GNUstepPeers.read(editor.propertyList.data())
        #expect(
            text.hasPrefix("Farm(name=Edited location=Location(51.621648 1.500000) animals=1,2,4,3,2,1,4,3)"), "\(text)"
        )
    }

    @Test func `are read where it wrote them`() throws {
        var editor = try KeyedArchiveEditor(KeyedArchive(GNUstepPeers.archive("items.archive")))
        try editor.set("Blunt Spork", at: ["root", 0, "name"])
        try editor.set(43, at: ["root", 0, "valueInDollars"])
        try editor.set(.date(Date(timeIntervalSinceReferenceDate: 5)), at: ["root", 1, "dateCreated"])
        let text = try GNUstepPeers.read(editor.propertyList.data())
        #expect(text.contains("Item(name=Blunt Spork serial=(null) value=43 date=531000000.250000)"), "\(text)")
        #expect(text.contains("value=-9000000000 date=5.000000)"), "\(text)")
        // The first is the third as well.
        #expect(!text.contains("Rusty") && text.contains("identity 1"), "\(text)")
    }
}
