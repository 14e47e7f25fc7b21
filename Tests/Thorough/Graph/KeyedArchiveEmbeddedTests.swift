// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `An archive in data of an archive` {
    @Test(arguments: PropertyListFormat.allCases, PropertyListFormat.allCases)
    func `is opened where it lies`(outer: PropertyListFormat, inner: PropertyListFormat) throws {
        let innerData = try handmadeArchive(["name": "inner", "$class": .uid(2)], classEntry("Thing"), format: inner)
        let archive = try openArchive(
            top: ["root": .uid(1), "inline": .data(innerData)], .data(innerData),
            ["NS.data": .data(innerData), "$class": .uid(3)], classEntry("NSMutableData", "NSData"),
            ["NS.bytes": .data(innerData), "$class": .uid(3)], format: outer)
        for value in [archive.root, archive.top["inline"], archive[uid: 2], archive[uid: 4]] {
            let value = try #require(value)
            #expect(value.looksLikeArchive && value.data == innerData)
            let opened = try value.openArchive()
            #expect(opened.root["name"]?.string == "inner" && opened.root.className == "Thing")
            #expect(opened.format == inner && opened.objects.count == 3)
            #expect(try opened.data(format: inner) == innerData || inner == .xml)
            #expect(opened.problems().isEmpty)
            #expect(opened.root != archive.root)
        }
        #expect(try archive.root.openArchive().root != archive.root.openArchive().root, "Opened twice, they are two")
    }

    @Test func `is kept though the outer one is gone, ten deep`() throws {
        var data = try handmadeArchive("the innermost")
        for level in 0..<10 {
            data = try handmadeArchive(
                ["level": .integer(Int128(level)), "inner": .data(data), "$class": .uid(2)], classEntry("Box"),
                format: level % 3 == 1 ? .xml : .binary)
        }
        func innermost(_ data: Data) throws -> KeyedArchive {
            var archive = try KeyedArchive(data)
            for level in (0..<10).reversed() {
                #expect(archive.root["level"]?.integer == level)
                archive = try #require(archive.root["inner"]).openArchive()
            }
            return archive
        }
        let archive = try innermost(data)
        let others = try (0..<20).map { _ in try innermost(data) }
        data.removeAll()
        #expect(archive.root.string == "the innermost")
        #expect(others.allSatisfy { $0.root.string == "the innermost" })
        #expect(try archive.data() == handmadeArchive("the innermost"))
    }

    @Test func `is not there in what is no data`() throws {
        let archive = try openArchive(
            ["text": "bplist00", "number": 7, "null": .uid(0), "list": [], "lost": .uid(9), "$class": .uid(2)],
            classEntry("Thing"))
        for (key, value) in archive.root.fields {
            #expect(!value.looksLikeArchive)
            let error = #expect(throws: KeyedArchiveError.self) { try value.openArchive() }
            #expect(error?.code == (key == "lost" ? .damaged : .wrongKind), "\(key)")
            #expect(error?.uid == (key == "lost" ? 9 : key == "null" ? 0 : nil), "\(key)")
        }
        let error = #expect(throws: KeyedArchiveError.self) { try archive.root.openArchive() }
        #expect(error?.code == .wrongKind && error?.uid == 1)
        #expect(error?.description.contains("is not data") == true)
        #expect(throws: KeyedArchiveError.self) { try archive.top.openArchive() }
    }

    @Test func `is not there in other data`() throws {
        let list = try PropertyList.dictionary(["a": 1]).data()
        let archive = try openArchive(
            top: [
                "text": .data(Data("Hello".utf8)), "empty": .data(Data()), "list": .data(list),
                "cut": .data(list.prefix(20)), "head": .data(Data("bplist00".utf8) + Data(repeating: 0xFF, count: 100)),
            ])
        for (key, value) in archive.top.fields {
            let isBroken = key == "cut" || key == "head"
            #expect(value.looksLikeArchive == (key == "list" || isBroken), "\(key)")
            let error = #expect(throws: KeyedArchiveError.self) { try value.openArchive() }
            #expect(error?.code == (isBroken ? .damaged : .notAnArchive), "\(key)")
        }
    }

    @Test func `is read, walked and decoded as any other`() throws {
        let inner = try ArchiveEncoder().encode(["a": [1, 2], "b": [3]])
        let outer = try KeyedArchive(ArchiveEncoder().encode(["document": inner]))
        let opened = try #require(outer.root["document"]).openArchive()
        #expect(try opened.root.decode([String: [Int]].self) == ["a": [1, 2], "b": [3]])
        #expect(try opened.root["b"]?.decode([Int].self) == [3])
        #expect(ArchiveSurvey(opened).damage.isEmpty)
        #expect(try opened.data() == inner)
    }
}
