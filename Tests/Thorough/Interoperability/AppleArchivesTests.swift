// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Archives that programs on Apple's systems wrote, decoded into Swift values.
///
/// What is expected is worked out from what Python's plistlib found in the same files (`golden`).
@Suite(.inTurn, .needs(.corpus))
struct `Archives by Apple's frameworks` {
    private func decode<Value: Decodable>(_ type: Value.Type, _ prefix: String) throws -> Value {
        try ArchiveDecoder().decode(type, from: Corpus.data(Corpus.name(prefix)))
    }
}

// MARK: - Single files

extension `Archives by Apple's frameworks` {
    @Test func `hold index paths and index sets`() throws {
        #expect(try decode(IndexPath.self, "030fa94824") == IndexPath(indexes: [4, 8, 15, 16, 23, 42]))
        #expect(try decode(IndexPath.self, "70d8cdf20b") == IndexPath(index: 52))
        #expect(try decode(IndexSet.self, "710daba8e0") == IndexSet(integersIn: 0..<50))
        #expect(try decode(IndexSet.self, "a3ce8664b3") == IndexSet())
        #expect(try decode(IndexSet.self, "ec2cad45d2") == IndexSet())
    }

    @Test func `hold dates, identifiers and data`() throws {
        #expect(try decode(Date.self, "3dfe2edc47") == Date(timeIntervalSinceReferenceDate: 1_210_536_312))
        #expect(try decode(UUID.self, "177451d43b") == UUID(uuidString: "0AD863BA-7584-40CF-8896-BD87B3280C34"))
        #expect(try decode(UUID.self, "78c5182640") == UUID(uuidString: "E98A110A-1409-47AB-B9C9-66F2633F570F"))
        #expect(try decode(Data.self, "215a2f788a") == Data("hello".utf8))
    }

    @Test func `hold objects whose fields become a struct's`() throws {
        struct Record: Decodable {
            var uuid: UUID
            var start: Date
            var finish: Date?
            var title: String
        }
        let record = try decode(Record.self, "c2fef40df5")
        #expect(record.uuid == UUID(uuidString: "A8F5C718-D234-49B0-A891-136F94C41213"))
        #expect(record.start == Date(timeIntervalSinceReferenceDate: 625_945_468.42794))
        #expect(record.finish == nil && record.title == "Suite Set Up")

        struct RichLink: Decodable {
            struct Metadata: Decodable {
                var version: Int
                var originalURL: URL
            }
            var richLinkIsPlaceholder: Bool
            var richLinkMetadata: Metadata
        }
        let link = try decode(RichLink.self, "d40860defe")
        #expect(!link.richLinkIsPlaceholder && link.richLinkMetadata.version == 1)
        let url = "https://www.icloud.com/reminders/ZmFrZXVybF9mb3JfcmVtaW5kZXI#TestList"
        #expect(link.richLinkMetadata.originalURL == URL(string: url))
    }

    @Test func `hold calendars, time zones and locales`() throws {
        struct Formatter: Decodable {
            enum CodingKeys: String, CodingKey {
                case calendar = "NS.calendar"
                case locale = "NS.locale"
                case timeZone = "NS.timeZone"
            }
            var calendar: Calendar?
            var locale: Locale?
            var timeZone: TimeZone
        }
        let zoned = try decode(Formatter.self, "6fc3ac7ad4")
        #expect(zoned.timeZone == .gmt && zoned.calendar == nil)
        let formatter = try decode(Formatter.self, "56f1526e65")
        #expect(formatter.timeZone == TimeZone(secondsFromGMT: 3600))
        #expect(formatter.locale == Locale(identifier: "ja-JP"))
        #expect(formatter.calendar?.identifier == .gregorian && formatter.calendar?.timeZone == .gmt)
        #expect(formatter.calendar?.locale == Locale(identifier: "ja-JP"))
        #expect(formatter.calendar?.firstWeekday == 1 && formatter.calendar?.minimumDaysInFirstWeek == 1)
    }
}

// MARK: - All objects

extension `Archives by Apple's frameworks` {
    @Test(arguments: Corpus.names)
    func `hold values that come out as plistlib finds them`(name: String) throws {
        guard let file = try GoldenArchive(name) else { return }
        let golden = file.golden
        try file.check(Date.self, ofClasses: "NSDate", "NSCalendarDate") { object in
            object["NS.time"]?.number.map { Date(timeIntervalSinceReferenceDate: $0) }
        }
        try file.check(Data.self, ofClasses: "NSMutableData") { golden.bytes($0) }
        try file.check(URL.self, ofClasses: "NSURL") { object in
            let base = golden.text(golden.follow(object["NS.base"])?["NS.relative"]).flatMap { URL(string: $0) }
            return golden.text(object["NS.relative"]).flatMap { URL(string: $0, relativeTo: base) }
        }
        try file.check(UUID.self, ofClasses: "NSUUID") { object in
            // One file has been made anonymous, and has bytes too few.
            guard let bytes = object["NS.uuidbytes"]?.data, bytes.count == 16 else { return nil }
            return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }
        try file.check(Decimal.self, ofClasses: "NSDecimalNumberPlaceholder") { object in
            // NaN is equal to nothing.
            golden.decimal(object).flatMap { $0.isNaN ? nil : $0 }
        }
        try file.check(IndexPath.self, ofClasses: "NSIndexPath") { object in
            if let index = object["NSIndexPathValue"]?.integer { return IndexPath(index: index) }
            return IndexPath(indexes: golden.integers(object["NSIndexPathData"]))
        }
        try file.check(IndexSet.self, ofClasses: "NSIndexSet", "NSMutableIndexSet") { object in
            if let location = object["NSLocation"]?.integer, let length = object["NSLength"]?.integer {
                return IndexSet(integersIn: location..<location + length)
            }
            let integers = golden.integers(object["NSRangeData"])
            return stride(from: 0, to: integers.count, by: 2).reduce(into: IndexSet()) { set, index in
                set.insert(integersIn: integers[index]..<integers[index] + integers[index + 1])
            }
        }
        try file.check(Locale.self, ofClasses: "NSLocale") { object in
            golden.text(object["NS.identifier"]).map { Locale(identifier: $0) }
        }
        try file.check(TimeZone.self, ofClasses: "NSTimeZone") { object in
            golden.text(object["NS.name"]).flatMap { TimeZone(identifier: $0) }
        }
    }
}

/// An archive, and what plistlib found in it.
private struct GoldenArchive {
    let golden: GoldenObjects
    private let name: String
    private let root: PropertyList.Dictionary
    private let slots: [PropertyList]

    /// Nil where the file is no archive, is one that plistlib cannot read, or holds no values of Foundation's.
    init?(_ name: String) throws {
        guard case .dictionary(let root)? = try? PropertyList(Corpus.data(name)), root["$version"] == 100_000,
            case .array(let slots)? = root["$objects"],
            slots.contains(where: { Self.classes.contains($0["$classname"]) }), let golden = try GoldenObjects(name)
        else { return nil }
        self.golden = golden
        self.name = name
        self.root = root
        self.slots = slots
    }

    private static let classes: [PropertyList?] = [
        "NSDate", "NSMutableData", "NSURL", "NSUUID", "NSDecimalNumberPlaceholder", "NSIndexPath", "NSIndexSet",
        "NSMutableIndexSet", "NSLocale", "NSTimeZone",
    ]

    /// Decodes every object of some classes for which `expected` has a value, and compares it with that.
    func check<Value: Decodable & Equatable>(
        _ type: Value.Type, ofClasses names: String..., expected: (GoldenDump) -> Value?
    ) throws {
        let wanted = golden.list.enumerated().compactMap { uid, object -> (uid: Int, value: Value)? in
            let className = golden.classEntry(of: object)?["$classname"]?.string
            guard let className, names.contains(className) else { return nil }
            return expected(object).map { (uid, $0) }
        }
        // They become the elements of the root, an array.
        var root = root
        root["$objects"] = .array(slots + [["NS.objects": .array(wanted.map { .uid(UInt32($0.uid)) })]])
        root["$top"] = .dictionary(["root": .uid(UInt32(slots.count))])
        let values = try ArchiveDecoder().decode([Value].self, from: PropertyList.dictionary(root).data())
        for (wanted, value) in zip(wanted, values) {
            #expect(value == wanted.value, "object \(wanted.uid) of \(name)")
        }
    }
}
