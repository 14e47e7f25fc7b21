// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Objects of Foundation's classes in archives that programs on Apple's systems wrote, as Swift values.
///
/// What is expected is worked out from what Python's plistlib found in the same files (`golden`).
@Suite(.inTurn, .needs(.corpus))
struct `Foundation's objects in archives by Apple's frameworks` {
    /// The archive in the file whose name starts with `prefix`.
    private func archive(_ prefix: String) throws -> KeyedArchive {
        try KeyedArchive(Corpus.data(Corpus.name(prefix)))
    }
}

// MARK: - Single files

extension `Foundation's objects in archives by Apple's frameworks` {
    @Test func `are structs in NSValue`() throws {
        let insets = try archive("845208baa7").root.foundationValue()
        guard case .edgeInsets(top: 1, left: 2, bottom: 3, right: 4)? = insets else {
            Issue.record("\(String(describing: insets))")
            return
        }
        let rect = try archive("851d2b82f5").root.foundationValue()
        guard case .rect(x: 400, y: 300, width: 200, height: 300)? = rect else {
            Issue.record("\(String(describing: rect))")
            return
        }
        let range = try archive("cfe09fa388").root.foundationValue()
        guard case .range(location: 97345, length: 98345)? = range else {
            Issue.record("\(String(describing: range))")
            return
        }
    }

    @Test func `are texts with runs`() throws {
        guard case .attributedString(let text, let found)? = try archive("ee2623346b").root.foundationValue() else {
            Issue.record("no attributed string")
            return
        }
        #expect(text == "0123456789")
        let runs = found.map { run in
            "\(text[run.range]) \(run.attributes["Font"]?.string ?? "-") \(run.attributes["Size"]?.integer ?? 0)"
        }
        // 1 without, 1 Helvetica, 4 without …: the pairs 1 0, 1 1, 4 2, 2 1, 1 3, 1 0 in NSAttributeInfo.
        #expect(runs == ["0 - 0", "1 Helvetica 123", "2345 Times 456", "67 Helvetica 123", "8 Times 456", "9 - 0"])
    }

    @Test func `are measurements, notifications and rounding`() throws {
        func record(_ value: KeyedArchive.Value?) throws -> FoundationValue.Record? {
            guard case .record(let record)? = try value?.foundationValue() else { return nil }
            return record
        }
        let degrees = try record(archive("595dcd5ab8").root)
        let angle = try record(degrees?["unit"]?.archived)
        #expect(degrees?["value"]?.archived.double == 90 && angle?["symbol"]?.archived.string == "°")
        let converter = try record(angle?["converter"]?.archived)
        #expect(angle?.className == "NSUnitAngle" && converter?["coefficient"]?.archived.double == 1)
        #expect(converter?["constant"]?.archived.double ?? 0 == 0)
        let zero = try record(archive("ea4a67ee2a").root)
        let unit = try record(zero?["unit"]?.archived)
        #expect(zero?["value"]?.archived.double == 0 && unit?["symbol"]?.archived.string == "")
        #expect(unit?.className == "NSUnit" && unit?["converter"] == nil)
        let notification = try record(archive("79d4f9aa56").root)
        guard case .dictionary(let info)? = notification?["userInfo"]?.value else {
            Issue.record("no notification")
            return
        }
        #expect(notification?["name"]?.archived.string == "notification-name")
        #expect(notification?["object"]?.archived.string == "notification-object")
        #expect(info.map(\.key.string) == ["notification-key"] && info.map(\.value.string) == ["notification-val"])
        let handlers = try archive("5e8dbd682e").objects.filter { $0.className == "NSDecimalNumberHandler" }
        guard handlers.count == 1, case .record(let handler)? = try handlers[0].foundationValue() else {
            Issue.record("no handler")
            return
        }
        #expect(
            "\(handler)" == "NSDecimalNumberHandler (roundingMode: bankers, raisesOnOverflow: true,"
                + " raisesOnUnderflow: true, raisesOnDivisionByZero: true)")
    }

    @Test func `are calendars`() throws {
        let calendars = try archive("56f1526e65").objects.filter { $0.className == "NSCalendar" }
        guard calendars.count == 1, case .record(let calendar)? = try calendars[0].foundationValue() else {
            Issue.record("no calendar")
            return
        }
        #expect(calendar["identifier"]?.archived.string == "gregorian")
        #expect(calendar["locale"]?.archived["NS.identifier"]?.string == "ja-JP")
        #expect(calendar["timeZone"]?.archived["NS.name"]?.string == "GMT")
        #expect(calendar["firstWeekday"]?.archived.integer == 1)
        #expect(calendar["minimumDaysInFirstWeek"]?.archived.integer == 1)
        guard case .date(let start)? = calendar["gregorianStartDate"]?.value else {
            Issue.record("no start")
            return
        }
        #expect(start == Date(timeIntervalSinceReferenceDate: -13_197_600_000))
    }
}

// MARK: - All objects

extension `Foundation's objects in archives by Apple's frameworks` {
    @Test(arguments: Corpus.names)
    func `have the values that plistlib finds`(name: String) throws {
        guard let archive = try? KeyedArchive(Corpus.data(name)), let golden = try GoldenObjects(name) else { return }
        for (uid, object) in golden.list.enumerated() {
            guard let className = golden.foundationClass(of: object) else { continue }
            let value: FoundationValue?
            do {
                value = try archive[uid: UInt32(uid)].foundationValue()
            } catch {
                let bytes = object["NS.uuidbytes"]?.data
                #expect(className == "NSUUID" && bytes?.count != 16, "\(className) \(uid) of \(name): \(error)")
                continue
            }
            let found = try #require(value, "\(className) \(uid) of \(name)")
            #expect(golden.agrees(found, with: object, className), "\(className) \(uid) of \(name): \(found)")
        }
    }

    @Test func `all have a value, those of archives in archives as well`() throws {
        var counts: [String: Int] = [:]
        var failures: [String] = []
        for name in Corpus.names {
            guard let archive = try? KeyedArchive(Corpus.data(name)) else { continue }
            var archives = [archive]
            while let archive = archives.popLast() {
                for object in archive.objects {
                    if object.looksLikeArchive, let inner = try? object.openArchive() { archives.append(inner) }
                    for field in object.fields where field.value.uid == nil && field.value.looksLikeArchive {
                        if let inner = try? field.value.openArchive() { archives.append(inner) }
                    }
                    guard let known = object.class else { continue }
                    let names = [known.name] + known.chain + known.fallbacks
                    guard let className = names.first(where: GoldenObjects.classes.contains) else { continue }
                    do {
                        let value = try object.foundationValue()
                        counts[className, default: 0] += 1
                        if value == nil { failures.append("\(className) \(object.uid ?? 0) of \(name): nil") }
                    } catch {
                        failures.append("\(className) \(object.uid ?? 0) of \(name): \(error)")
                    }
                }
            }
        }
        // Two files have been made anonymous, and have bytes too few.
        #expect(failures.count == 2, "\(failures)")
        for (failure, file) in zip(failures, ["NSUUID 26 of a0e080d024", "NSUUID 10 of f3f913b8c3"]) {
            #expect(failure.hasPrefix(file) && failure.contains("NS.uuidbytes"), "\(failure)")
        }
        // The classes of the table that occur in the corpus, by a search in the golden files.
        let occurring = [
            "NSString", "NSMutableString", "NSMutableData", "NSDate", "NSCalendarDate", "NSURL", "NSUUID", "NSArray",
            "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSCountedSet",
            "NSOrderedSet", "NSMutableOrderedSet", "NSNull", "NSDecimalNumberPlaceholder",
            "NSIndexSet", "NSMutableIndexSet", "NSIndexPath", "NSValue", "NSAttributedString",
            "NSMutableAttributedString", "NSTimeZone", "NSLocale", "NSCalendar", "NSNotification", "NSMeasurement",
            "NSUnit",
        ]
        #expect(occurring.filter { counts[$0, default: 0] == 0 } == [], "\(counts)")
    }
}

// MARK: - Golden files

extension GoldenObjects {
    fileprivate static let classes: Set<String> = [
        "NSString", "NSMutableString", "NSNumber", "NSData", "NSMutableData", "NSDate", "NSCalendarDate", "NSURL",
        "NSUUID", "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet",
        "NSCountedSet", "NSOrderedSet", "NSMutableOrderedSet", "NSNull", "NSDecimalNumber",
        "NSDecimalNumberPlaceholder", "NSIndexSet", "NSMutableIndexSet", "NSIndexPath",
        "NSValue", "NSAttributedString", "NSMutableAttributedString", "NSTimeZone", "NSLocale", "NSCalendar",
        "NSDateComponents", "NSDateInterval", "NSError", "NSNotification", "NSCharacterSet", "NSMutableCharacterSet",
        "NSMeasurement", "NSUnit", "NSDimension", "NSURLQueryItem", "_NSKeyedCoderOldStyleArray",
    ]

    /// The nearest class of an object that is in the table.
    fileprivate func foundationClass(of object: GoldenDump) -> String? {
        guard let entry = classEntry(of: object), let name = entry["$classname"]?.string else { return nil }
        let others = [entry["$classes"], entry["$classhints"]].flatMap { $0?.array ?? [] }
        return ([name] + others.compactMap(\.string)).first(where: Self.classes.contains)
    }

    /// The uids under `name`, or under `prefix` and 0, 1 and so on.
    private func uids(_ object: GoldenDump, _ name: String, _ prefix: String) -> [UInt32?] {
        if case .array(let elements)? = object[name] { return elements.map(\.uid) }
        return (0...).lazy.prefix { object["\(prefix)\($0)"] != nil }.map { object["\(prefix)\($0)"]?.uid }
    }

    /// The numbers in the text of a struct.
    private func numbers(_ value: GoldenDump?) -> [Double]? {
        text(value)?.split { "{}, ".contains($0) }.compactMap { Double($0) }
    }
}

extension GoldenObjects {
    /// Whether `value` is what `object` says.
    fileprivate func agrees(_ value: FoundationValue, with object: GoldenDump, _ className: String) -> Bool {
        switch value {
        case .string(let text): return text == self.text(object)
        case .data(let data): return data == bytes(object)
        case .date(let date): return date.timeIntervalSinceReferenceDate == object["NS.time"]?.number
        case .uuid(let uuid): return withUnsafeBytes(of: uuid.uuid) { Data($0) } == object["NS.uuidbytes"]?.data
        case .url(let url):
            let base = text(follow(object["NS.base"])?["NS.relative"])
            let relative = text(object["NS.relative"])
            return url == relative.flatMap { URL(string: $0, relativeTo: base.flatMap { URL(string: $0) }) }
        case .null: return className == "NSNull"
        case .array(let elements), .set(let elements), .orderedSet(let elements):
            guard case .array = value else {
                return className.hasSuffix("Set") && elements.map(uid) == uids(object, "NS.objects", "NS.object.")
            }
            return className.hasSuffix("Array") && elements.map(uid) == uids(object, "NS.objects", "NS.object.")
        case .dictionary(let entries):
            return entries.map { uid($0.key) } == uids(object, "NS.keys", "NS.key.")
                && entries.map { uid($0.value) } == uids(object, "NS.objects", "NS.object.")
        case .countedSet(let elements):
            return elements.map { uid($0.value) } == uids(object, "", "NS.object")
                && elements.enumerated().allSatisfy { Double($1.count) == object["NS.count\($0)"]?.number }
        case .decimal(let decimal):
            let expected = self.decimal(object)
            return decimal == expected || decimal.isNaN && expected?.isNaN == true
        case .indexPath(let indexes):
            if let index = object["NSIndexPathValue"]?.number { return indexes.map(Double.init) == [index] }
            return indexes == integers(object["NSIndexPathData"])
        case .indexSet(let ranges):
            if let location = object["NSLocation"]?.number, let length = object["NSLength"]?.number {
                return ranges == [Int(location)..<Int(location + length)]
            }
            return ranges.flatMap { [$0.lowerBound, $0.count] } == integers(object["NSRangeData"])
        default: return structAgrees(value, with: object, className)
        }
    }

    private func structAgrees(_ value: FoundationValue, with object: GoldenDump, _ className: String) -> Bool {
        let special = object["NS.special"]?.number
        switch value {
        case .point(let x, let y): return special == 1 && [x, y] == numbers(object["NS.pointval"])
        case .size(let width, let height): return special == 2 && [width, height] == numbers(object["NS.sizeval"])
        case .rect(let x, let y, let width, let height):
            return special == 3 && [x, y, width, height] == numbers(object["NS.rectval"])
        case .range(let location, let length):
            return special == 4 && Double(location) == follow(object["NS.rangeval.location"])?.number
                && Double(length) == follow(object["NS.rangeval.length"])?.number
        case .edgeInsets(let top, let left, let bottom, let right):
            let keys = ["top", "left", "bottom", "right"]
            return special == 12 && [top, left, bottom, right] == keys.map { object["NS.edgeval.\($0)"]?.number }
        case .attributedString(let text, let runs): return textAgrees(text, runs, with: object)
        case .record(let record):
            // A text, or a number, under the key that the archive has.
            return record.fields.allSatisfy { field in
                guard let value = field.value else { return true }
                switch value {
                case .string(let string): return string == text(object[field.key])
                case .real(let real): return real == object[field.key]?.number
                default: return true
                }
            }
        default: return false
        }
    }

    private func textAgrees(
        _ text: String, _ runs: [(range: Range<String.Index>, attributes: [String: KeyedArchive.Value])],
        with object: GoldenDump
    ) -> Bool {
        guard text == self.text(object["NSString"]) else { return false }
        let attributes = follow(object["NSAttributes"])
        var expected: [(length: Int, attributes: GoldenDump?)] = [(text.utf16.count, attributes)]
        if object["NSAttributeInfo"] != nil, case .array(let dictionaries)? = attributes?["NS.objects"] {
            let pairs = integers(object["NSAttributeInfo"])
            expected = stride(from: 0, to: pairs.count, by: 2).map { (pairs[$0], follow(dictionaries[pairs[$0 + 1]])) }
        }
        guard text != "" else { return runs.isEmpty }
        return runs.count == expected.count
            && zip(runs, expected).allSatisfy { run, expected in
                let keys = expected.attributes.map { uids($0, "NS.keys", "NS.key.") } ?? []
                let values = expected.attributes.map { uids($0, "NS.objects", "NS.object.") } ?? []
                let pairs = zip(keys.map { $0.flatMap { self.text(list[Int($0)]) } ?? "" }, values)
                return NSRange(run.range, in: text).length == expected.length
                    && run.attributes.mapValues(uid) == Dictionary(uniqueKeysWithValues: pairs)
            }
    }

    private func uid(_ value: KeyedArchive.Value) -> UInt32? { value.uid }
}
