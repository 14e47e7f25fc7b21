// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// What an archive has under some keys, in a form that does not depend on the numbers of its objects: numbered in the order
/// in which they are met.
private struct NumberedGraph: Equatable {
    var objects: [PropertyList] = []

    init(_ list: PropertyList, keys: [String]) throws {
        guard case .array(let slots)? = list["$objects"] else { throw NoArchive() }
        var numbers: [UInt32: UInt32] = [:]
        var waiting: [UInt32] = []
        func number(_ uid: UInt32) -> UInt32 {
            if uid == 0 || slots[Int(uid)] == "$null" { return 0 }
            if let known = numbers[uid] { return known }
            numbers[uid] = UInt32(numbers.count + 1)
            waiting.append(uid)
            return UInt32(numbers.count)
        }
        func numbered(_ list: PropertyList) -> PropertyList {
            switch list {
            case .uid(let uid): return .uid(number(uid))
            case .array(let elements): return .array(elements.map(numbered))
            case .set(let elements): return .set(elements.map(numbered))
            case .dictionary(let dictionary):
                var entries: [(key: String, value: PropertyList)] = []
                for key in Set(dictionary.keys).sorted() { entries.append((key, numbered(dictionary[key] ?? .null))) }
                return .dictionary(PropertyList.Dictionary(entries))
            default: return list
            }
        }
        for key in keys { objects.append(numbered(list["$top"]?[key] ?? .null)) }
        var next = 0
        while next < waiting.count {
            objects.append(numbered(slots[Int(waiting[next])]))
            next += 1
        }
    }

    struct NoArchive: Error {}
}

@Suite(.inTurn, .needs(.corpus))
struct `Objects of unknown classes in archives by Apple's frameworks` {
    /// The keyed archives that plistlib reads.
    private func archive(_ name: String) throws -> Data? {
        guard let golden = try GoldenDump(of: name), golden["plistlib_parses"] == .boolean(true),
            golden["archiver"]?.string != nil
        else { return nil }
        return try Corpus.data(name)
    }

    @Test(arguments: Corpus.names) func `are written again as they were`(name: String) throws {
        guard let data = try archive(name), let archive = try? KeyedArchive(data), archive.problems().isEmpty else {
            return
        }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        let archiver = KeyedArchiver()
        // Keys without a name of their own are those of values that were encoded without one.
        let keys = archive.top.fields.filter { $0.value.kind == .object && !$0.key.hasPrefix("$") }.map(\.key).sorted()
        for key in keys {
            try archiver.encode(unarchiver.decode(UnknownObject.self, forKey: key), forKey: key)
        }
        let again = try archiver.finishEncoding()
        #expect(try NumberedGraph(PropertyList(again), keys: keys) == NumberedGraph(PropertyList(data), keys: keys))
        #expect(try KeyedArchive(again).problems().isEmpty)
    }

    @Test func `are so in nearly all of the archives`() throws {
        var counts = (archives: 0, written: 0)
        for name in Corpus.names {
            guard let data = try archive(name) else { continue }
            counts.archives += 1
            guard let archive = try? KeyedArchive(data), archive.problems().isEmpty else { continue }
            if archive.top.fields.contains(where: { $0.value.kind == .object && !$0.key.hasPrefix("$") }) {
                counts.written += 1
            }
        }
        // Some have damage planted in them, and some only numbers and strings.
        #expect(counts.archives > 100)
        #expect(counts.written * 10 > counts.archives * 8, "\(counts)")
    }
}
