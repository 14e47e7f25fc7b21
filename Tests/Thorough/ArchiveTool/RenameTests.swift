// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

@testable import archivetool

@Suite(.inTurn) struct `rename` {
    private func renamed(_ data: Data, _ arguments: String...) throws -> Program.Run {
        try Tool.inProcess("rename", on: data, arguments)
    }

    @Test func `changes the name of the class and in the chains of others`() throws {
        let run = try renamed(`diff`.farm.data(), "Animal", "Beast")
        #expect(run.status == 0)
        #expect(run.errors == "archivetool: note: renamed Animal to Beast: 0 objects, 1 class entry\n")
        var expected = try KeyedArchiveEditor(KeyedArchive(`diff`.farm))
        try expected.replaceObject(23, with: HandMade.classEntry("Cow", "Beast", "NSObject"))
        #expect(try PropertyList(run.bytes) == expected.propertyList)
        let cows = try renamed(`diff`.farm.data(), "Cow", "Farm.Cow")
        #expect(cows.errors == "archivetool: note: renamed Cow to Farm.Cow: 3 objects, 1 class entry\n")
        #expect(try KeyedArchive(cows.bytes).root["animals"]?[2].class?.chain == ["Farm.Cow", "Animal", "NSObject"])
    }

    @Test func `keeps the format and everything else`() throws {
        let xml = try `diff`.farm.data(format: .xml)
        let run = try renamed(xml, "Owner=Keeper", "Farm=Estate")
        #expect(PropertyListFormat(detectedIn: run.bytes) == .xml)
        let back = try renamed(run.bytes, "Keeper=Owner", "Estate=Farm")
        #expect(back.bytes == xml)
    }

    @Test func `exchanges names`() throws {
        let run = try renamed(`diff`.farm.data(), "Owner=Cow", "Cow=Owner")
        #expect(
            run.errors == """
                archivetool: note: renamed Owner to Cow: 1 object, 1 class entry
                archivetool: note: renamed Cow to Owner: 3 objects, 1 class entry

                """)
        let archive = try KeyedArchive(run.bytes)
        #expect(archive.root["owner"]?.className == "Cow")
        #expect(archive.root["favourite"]?.class?.chain == ["Owner", "Animal", "NSObject"])
    }

    @Test func `says that the new name is there already`() throws {
        let run = try renamed(`diff`.farm.data(), "Owner", "Cow")
        #expect(run.status == 0)
        #expect(run.errors.contains("note: a class Cow already existed"))
    }

    @Test func `says which classes there are where none has the name`() throws {
        let run = try renamed(`diff`.farm.data(), "Ownr", "Keeper")
        #expect(run.status == 3 && run.bytes.isEmpty)
        #expect(
            run.errors.contains(
                "is called “Ownr”; did you mean “Owner”? The classes are: Cow, Farm, NSArray, NSDate, NSDictionary, NSSet,"
                    + " Owner\n"), "\(run.errors)")
        // One of several is enough.
        #expect(try renamed(`diff`.farm.data(), "Owner=Keeper", "X=Y").status == 3)
    }

    /// An archive in data in an archive in data, and a typedstream.
    private func nested() throws -> Data {
        var stream = TypedStream()
        stream.classes = [TypedStream.Class("Owner"), TypedStream.Class("Other", superclassIndex: 0)]
        stream.objects = [TypedStream.Object(classIndex: 1), TypedStream.Object(classIndex: 0)]
        stream.groups = [TypedStream.Group(["@", "@"], [.object(0), .object(1)])]
        let inner = HandMade.archive([
            "$null", ["$class": .uid(2), "list": [.data(try stream.data())], "other": .data(Data("bplist00".utf8))],
            HandMade.classEntry("Owner", "NSObject"),
        ])
        let middle = HandMade.archive(holding: try inner.data(format: .xml))
        return try HandMade.archive(holding: middle.data()).data()
    }

    @Test func `changes archives in data where it is asked to`() throws {
        let data = try nested()
        #expect(try renamed(data, "Owner", "Keeper").status == 3)
        let run = try renamed(data, "Owner", "Keeper", "--nested")
        #expect(run.status == 0)
        #expect(
            run.errors == """
                archivetool: note: renamed Owner to Keeper: 2 objects, 2 class entries
                archivetool: note: changed 3 archives in data

                """)
        let middle = try #require(try KeyedArchive(run.bytes).root["document"]?.openArchive())
        let inner = try #require(try middle.root["document"]?.openArchive())
        #expect(inner.format == .xml && inner.root.className == "Keeper")
        let stream = try TypedStream(#require(inner.root["list"]?[0].data))
        #expect(Set(stream.classes.map(\.name)) == ["Keeper", "Other"])
        #expect(inner.root["other"]?.data == Data("bplist00".utf8))
        // Back again, it is what it was.
        #expect(try PropertyList(renamed(run.bytes, "Keeper", "Owner", "--nested").bytes) == PropertyList(data))
    }

    @Test(arguments: [PropertyListFormat.binary, .xml])
    func `changes archives in the data of a property list where it is asked to`(format: PropertyListFormat) throws {
        let inner: PropertyList = ["deeper": .data(try nested()), "count": .integer(3)]
        let list: PropertyList = [
            "window": .data(try nested()), "list": [.data(Data([1, 2])), .string("Owner")],
            "settings": .data(try inner.data(format: .xml)),
        ]
        let data = try list.data(format: format)
        let refused = try renamed(data, "Owner", "Keeper")
        #expect(refused.status == 3 && refused.bytes.isEmpty)
        let run = try renamed(data, "Owner", "Keeper", "--nested")
        #expect(run.status == 0)
        #expect(
            run.errors == """
                archivetool: note: renamed Owner to Keeper: 4 objects, 4 class entries
                archivetool: note: changed 8 archives in data

                """)
        #expect(PropertyListFormat(detectedIn: run.bytes) == format)
        let changed = try PropertyList(run.bytes)
        #expect(changed["list"] == list["list"])
        let window = try #require(changed["window"]?.data)
        #expect(try PropertyList(renamed(window, "Keeper", "Owner", "--nested").bytes) == PropertyList(nested()))
        // Back again, it is what it was.
        #expect(try PropertyList(renamed(run.bytes, "Keeper", "Owner", "--nested").bytes) == list)
    }

    @Test func `refuses a property list without the class, and a damaged archive`() throws {
        let list: PropertyList = ["window": .data(try nested())]
        let run = try renamed(list.data(), "Cow", "Bull", "--nested")
        #expect(run.status == 3 && run.bytes.isEmpty)
        #expect(run.errors.contains("is called “Cow”"), "\(run.errors)")
        let damaged: PropertyList = ["$objects": .string("?"), "window": .data(try nested())]
        let refusal = try renamed(damaged.data(), "Owner", "Keeper", "--nested")
        #expect(refusal.status == 3 && refusal.errors.contains("is a property list and no keyed archive"))
    }

    @Test func `renames classes of typedstreams`() throws {
        let run = try renamed(HandMade.typedStream, "NSString=NSMutableString")
        #expect(run.status == 0)
        #expect(run.errors == "archivetool: note: renamed NSString to NSMutableString: 1 object, 1 class entry\n")
        #expect(try TypedStream(run.bytes).classes.map(\.name).sorted() == ["NSMutableString", "NSObject"])
    }

    @Test func `replaces the file as a whole, with its permissions, by a process`() throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write(`diff`.farm)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
            let run = try Tool.run("rename", file, "Owner", "Keeper", "--in-place")
            #expect(run.status == 0 && run.output == "")
            #expect(run.errors == "archivetool: note: renamed Owner to Keeper: 1 object, 1 class entry\n")
            #expect(try KeyedArchive(Data(contentsOf: folder["list.plist"])).root["owner"]?.className == "Keeper")
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
            #expect(mode == 0o640)
            #expect(try folder.names() == ["list.plist"])
            // What fails leaves the file as it is.
            let before = try Data(contentsOf: folder["list.plist"])
            #expect(try Tool.run("rename", file, "Owner", "Keeper", "--in-place").status == 3)
            #expect(try Data(contentsOf: folder["list.plist"]) == before)
        }
    }

    @Test(.needs(.tool("python3")))
    func `is seen by other programs`() throws {
        let run = try renamed(`diff`.farm.data(), "Farm=Estate", "Animal=Beast", "Cow=Kuh")
        let entries = "[each for each in objects if isinstance(each, dict) and '$classname' in each][:4]"
        #expect(
            try Plistlib.evaluate("[each['$classes'] for each in \(entries)]", in: [run.bytes])
                == "[['Estate', 'NSObject'], ['Owner', 'NSObject'], ['NSArray', 'NSObject'], ['Kuh', 'Beast', 'NSObject']]"
        )
        #expect(
            try Plistlib.evaluate("[each['$classname'] for each in \(entries)]", in: [run.bytes])
                == "['Estate', 'Owner', 'NSArray', 'Kuh']")
    }

    @Test(
        arguments: [
            (["Owner"], "“Owner” has no “=”"), (["A", "B", "C"], "“A” has no “=”"), (["Owner="], "lacks a name"),
            (["=Owner"], "lacks a name"), (["Owner", "Owner"], "are both “Owner”"),
            (["Owner=A", "Owner=B"], "two new names"),
            ([], "NAMES is missing"), (["Owner=A", "--in-place", "-o", "x"], "give one of them"),
        ] as [([String], String)])
    func `says what is wrong with the names`(arguments: [String], message: String) throws {
        let run = try TemporaryFolder.with { folder in
            try Tool.run(
                ["rename", try folder.write(`diff`.farm)]
                    + arguments.map { $0 == "x" ? folder["x"].path : $0 })
        }
        #expect(run.status == 2 && run.output == "")
        #expect(run.errors.contains(message), "\(run.errors)")
    }
}
