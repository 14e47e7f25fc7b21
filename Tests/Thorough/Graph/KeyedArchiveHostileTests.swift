// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// Archives that are small and describe something huge. What is asked of them takes time in proportion to their bytes: the
/// limits of time here are many times of what that needs, and a small part of what anything else would.
@Suite(.inTurn) struct `An archive that is hostile` {
    /// All that goes through a whole archive.
    private func goThrough(_ archive: KeyedArchive) {
        _ = archive.problems()
        _ = archive.root.reachableObjects
        _ = archive.top.reachableObjects
        _ = archive.unreachableObjects
        _ = archive.classes
        _ = archive.path(to: archive[uid: 0])
        if let last = archive.objects.last { _ = archive.path(to: last) }
        if let references = try? archive.references() { _ = references.owners(of: archive.root) }
    }

    private func isQuick(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) rethrows {
        let start = Self.threadTime
        try body()
        #expect(Self.threadTime - start < 5, "seconds", sourceLocation: sourceLocation)
    }

    /// What this thread has used of the processor: others may be busy.
    private static var threadTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test(arguments: [0xA2, 0xC2, 0xD2] as [UInt8])
    func `whose containers unfold to 2^40 others costs what its bytes cost`(marker: UInt8) throws {
        var raw = ByteArchive(slots: [12])
        for level in 0..<40 {
            let next = UInt8(13 + level)
            raw.objects.append([marker] + (marker == 0xD2 ? [10, 2, next, next] : [next, next]))
        }
        raw.objects.append(hex("80 01"))
        try isQuick {
            let archive = try raw.open()
            goThrough(archive)
            #expect(archive.problems().isEmpty)
            var value = archive.root
            for _ in 0..<40 { value = marker == 0xD2 ? try #require(value["root"]) : value[1] }
            #expect(value == archive.root)
            #expect(archive.root.reachableObjects.map(\.uid) == [1])
            #expect(try archive.references().count(of: archive.root) >= 2)
            #expect(throws: PropertyListError.self) { try archive.data(format: .xml) }
            #expect(throws: (any Error).self) { try archive.root.decode([[[Int]]].self) }
        }
    }

    @Test func `whose objects share a long key costs what its bytes cost`() throws {
        // 64 KiB that 1000 objects have as their key: several hundred times the bytes of the archive.
        let key = String(repeating: "k", count: 1 << 16)
        let last: UInt32 = 1000
        let things = (1...last).map { number -> PropertyList in
            [key: .integer(Int128(number)), "$class": .uid(last + 3)]
        }
        let references = (1...last).map { PropertyList.uid($0 + 1) }
        let all: PropertyList = ["NS.objects": .array(references), "$class": .uid(last + 2)]
        let archive = try KeyedArchive(
            handmadeArchive(objects: [all] + things + [classEntry("NSArray"), classEntry("Thing")]))
        try isQuick {
            // What is in the first is found. What is in the last would take longer than the archive is worth.
            let first = try #require(archive.root[0].fields.first).value
            #expect(archive.path(to: first) == KeyedArchive.Path([.key("root"), .index(0), .key(key)]))
            let last = try #require(archive.root[999].fields.first).value
            #expect(archive.path(to: last) == nil)
            #expect(archive.path(to: archive.root[999]) == KeyedArchive.Path([.key("root"), .index(999)]))
        }
    }

    @Test func `whose objects unfold to 2^40 others costs what its bytes cost`() throws {
        let objects = (2...41 as ClosedRange<UInt32>).map { next -> PropertyList in
            ["NS.objects": [.uid(next), .uid(next)], "$class": .uid(42)]
        }
        let archive = try KeyedArchive(handmadeArchive(objects: objects + ["end", classEntry("NSArray")]))
        isQuick { goThrough(archive) }
        #expect(archive.problems().isEmpty && archive.root.reachableObjects.count == 42)
        #expect(archive.path(to: archive[uid: 41])?.steps.count == 41)
        #expect(try archive.references().count(of: archive[uid: 41]) == 2)
    }

    @Test func `whose containers contain themselves is gone through once`() throws {
        let archive = try ByteArchive(slots: [12, 13, 14], hex("A2 0C 0D"), hex("D1 0A 0C"), hex("C2 0E 0C")).open()
        isQuick { goThrough(archive) }
        #expect(archive.root[0] == archive[uid: 1][0] && archive.root[0][0][0][1]["root"]?[0].count == 2)
        #expect(archive.problems().first?.code == .damaged)
        #expect(throws: (any Error).self) { try archive.data(format: .xml) }
        #expect(throws: (any Error).self) { try archive.root.decode([[[Int]]].self) }
        #expect(ArchiveSurvey(archive).contradictions.isEmpty)
    }

    /// An archive with `count` slots, which all are the object 12 of the property list.
    private func aliased(_ count: Int, _ object: [UInt8], _ more: [UInt8]...) throws -> KeyedArchive {
        try ByteArchive(slots: Array(repeating: 12, count: count), objects: [object] + more).open()
    }

    #if DEBUG
        private static let many = 100_000
    #else
        private static let many = 1_000_000
    #endif

    @Test func `with a million references to one object is gone through once`() throws {
        let archive = try aliased(Self.many, ascii("x"))
        isQuick { goThrough(archive) }
        #expect(archive.objects.count == Self.many + 1 && archive[uid: UInt32(Self.many)].string == "x")
        #expect(archive.unreachableObjects.count == Self.many - 1)
        #expect(archive.problems().isEmpty)
    }

    @Test func `whose objects are all one list of all objects costs what its bytes cost`() throws {
        // 1.6 billion references from 200 thousand bytes.
        let count = 40_000
        var uids: [[UInt8]] = []
        for uid in 0..<200 { uids.append([0x81] + BinaryFile.number(UInt64(uid * 200), size: 2)) }
        let list = BinaryFile.head(0xA0, count: count) + (0..<count).map { UInt8(13 + $0 % 200) }
        let archive = try ByteArchive(slots: Array(repeating: 12, count: count), objects: [list] + uids).open()
        isQuick { _ = archive.problems() }
        isQuick { _ = archive.root.reachableObjects }
        isQuick { _ = archive.unreachableObjects }
        isQuick { _ = archive.classes }
        isQuick {
            let error = #expect(throws: KeyedArchiveError.self) { try archive.references() }
            #expect(error?.code == .limit && error?.description.contains("references") == true)
        }
        isQuick { #expect(archive.path(to: archive[uid: 39_800]) == ["root", 199]) }
        isQuick { #expect(archive.path(to: archive[uid: 1]) == ["root"]) }
        isQuick { #expect(archive.path(to: archive[uid: 39_799]) == nil) }
    }

    @Test(arguments: [false, true])
    func `whose objects are all one dictionary of many keys costs what its bytes cost`(hasClass: Bool) throws {
        let count = 15_000
        // Every key is "$null", so that a class is looked for to the end; or one is a class, in the middle.
        var keys = Array(repeating: UInt8(9), count: count)
        var values = keys
        if hasClass { (keys[count / 2], values[count / 2]) = (13, 14) }
        let archive = try aliased(
            count, BinaryFile.head(0xD0, count: count) + keys + values, ascii("$class"), hex("81 0002"))
        isQuick { _ = archive.problems() }
        isQuick { _ = archive.classes }
        isQuick { _ = archive.path(to: archive[uid: 14_999]) }
        isQuick { _ = archive.unreachableObjects }
        isQuick { _ = try? archive.references() }
    }

    private static let nesting = PropertyListLimits.nesting

    // The root and $objects are two levels; the innermost array is empty, and is none.
    @Test(arguments: [100, nesting - 1, nesting, nesting + 1, 5000])
    func `that is nested deeply takes no stack`(depth: Int) throws {
        let archive = try KeyedArchive(`Damage in an archive`.nestedArrays(depth, backwards: false))
        try onThread(stackSize: 256 << 10) {
            goThrough(archive)
            var value = archive.root
            for _ in 1..<depth { value = value[0] }
            #expect(value.kind == .array && value.count == 0)
            #expect(archive.problems().isEmpty == (depth < Self.nesting))
            #expect(throws: (any Error).self) { try archive.root.decode(Int.self) }
        }
    }
}
