// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// Objects that the Foundation of this machine archives, as Swift values again.
///
/// NSError and NSDecimalNumber are not among them: swift-corelibs-foundation ends the program that archives one.
@Suite(.inTurn) struct `Foundation's objects by NSKeyedArchiver` {
    private func value(_ object: Any) throws -> FoundationValue? {
        try KeyedArchive(foundationArchive(of: object)).root.foundationValue()
    }

    @Test func `are dates, URLs, identifiers and null`() throws {
        guard case .date(let date)? = try value(NSDate(timeIntervalSinceReferenceDate: 5.5)),
            case .uuid(let uuid)? = try value(NSUUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") as Any),
            case .null? = try value(NSNull()),
            case .url(let url)? = try value(
                NSURL(string: "c?d", relativeTo: URL(string: "http://a.b/e")) as Any),
            case .dateInterval(let interval)? = try value(
                NSDateInterval(start: Date(timeIntervalSinceReferenceDate: 10), duration: 5))
        else {
            Issue.record("another value")
            return
        }
        #expect(date == Date(timeIntervalSinceReferenceDate: 5.5))
        #expect(uuid.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        #expect(url == URL(string: "c?d", relativeTo: URL(string: "http://a.b/e")))
        #expect(interval == DateInterval(start: Date(timeIntervalSinceReferenceDate: 10), duration: 5))
    }

    @Test func `are index sets and index paths`() throws {
        let indexes = NSMutableIndexSet(indexesIn: NSRange(location: 3, length: 4))
        guard case .indexSet(let one)? = try value(NSIndexSet(indexSet: indexes as IndexSet)) else {
            Issue.record("no index set")
            return
        }
        #expect(one == [3..<7])
        indexes.add(900)
        guard case .indexSet(let two)? = try value(indexes),
            case .indexPath(let path)? = try value(NSIndexPath(indexes: [1, 200, 3], length: 3)),
            case .indexPath(let short)? = try value(NSIndexPath(index: 4))
        else {
            Issue.record("another value")
            return
        }
        #expect(two == [3..<7, 900..<901])
        #expect(path == [1, 200, 3] && short == [4])
    }

    @Test func `are sets with counts and order`() throws {
        let set = NSCountedSet(array: ["a", "b", "a"])
        guard case .countedSet(let counted)? = try value(set),
            case .orderedSet(let ordered)? = try value(NSOrderedSet(array: ["x", "y", "x"]))
        else {
            Issue.record("another value")
            return
        }
        #expect(Set(counted.map { "\($0.value.string ?? "") \($0.count)" }) == ["a 2", "b 1"])
        #expect(ordered.map(\.string) == ["x", "y"])
    }

    @Test func `are structs in NSValue`() throws {
        var number: Int32 = -7
        guard case .point(x: 1.5, y: -2)? = try value(NSValue(point: NSPoint(x: 1.5, y: -2))),
            case .size(width: 1e20, height: 0.1)? = try value(NSValue(size: NSSize(width: 1e20, height: 0.1))),
            case .rect(x: 1, y: 2, width: 3, height: 4.5)? = try value(
                NSValue(rect: NSRect(x: 1, y: 2, width: 3, height: 4.5))),
            case .range(location: NSNotFound, length: 4)? = try value(
                NSValue(range: NSRange(location: NSNotFound, length: 4))),
            case .edgeInsets(top: 1, left: 2, bottom: 3, right: 4)? = try value(
                NSValue(edgeInsets: NSEdgeInsets(top: 1, left: 2, bottom: 3, right: 4))),
            case .objectiveCValue(type: "i", let archived, let numbers)? = try value(
                NSValue(bytes: &number, objCType: "i")),
            case .integer(-7)? = numbers?.first
        else {
            Issue.record("another value")
            return
        }
        #expect(numbers?.count == 1 && archived.integer == -7)
    }

    @Test func `are texts with the runs that they have`() throws {
        let text = NSMutableAttributedString(string: "Hi 😀 there")
        text.addAttribute(NSAttributedString.Key("greeting"), value: "yes", range: NSRange(location: 0, length: 2))
        text.addAttribute(
            NSAttributedString.Key("face"), value: NSNumber(value: 3), range: NSRange(location: 3, length: 2))
        guard case .attributedString(let string, let archived)? = try value(text) else {
            Issue.record("no attributed string")
            return
        }
        #expect(string == text.string)
        // As Foundation itself has them.
        var expected: [String] = []
        text.enumerateAttributes(in: NSRange(location: 0, length: text.length)) { attributes, range, _ in
            expected.append("\(range) \(attributes.keys.map(\.rawValue))")
        }
        let runs: [String] = archived.map { run in
            "\(NSRange(run.range, in: text.string)) \(Array(run.attributes.keys))"
        }
        #expect(runs == expected)
        let parts: [String] = archived.map { String(string[$0.range]) }
        #expect(parts == ["Hi", " ", "😀", " there"])
        #expect(archived[0].attributes["greeting"]?.string == "yes")
        #expect(archived[2].attributes["face"]?.integer == 3)
        guard case .attributedString("plain", let plain)? = try value(NSAttributedString(string: "plain")) else {
            Issue.record("no attributed string")
            return
        }
        #expect(plain.count == 1 && plain[0].attributes.isEmpty)
    }

    @Test func `are character sets`() throws {
        func check(
            _ set: CharacterSet, builtIn: Int? = nil, range: Range<Int>? = nil, string: String? = nil,
            bitmap: Data? = nil,
            isInverted: Bool = false
        ) throws {
            guard
                case .characterSet(let aBuiltIn, let aRange, let aString, let aBitmap, let inverted)? =
                    try value(set as NSCharacterSet)
            else {
                Issue.record("no character set")
                return
            }
            #expect((aBuiltIn, aRange, aString, aBitmap, inverted) == (builtIn, range, string, bitmap, isInverted))
        }
        try check(.letters, builtIn: 5)
        try check(.letters.inverted, builtIn: 5, isInverted: true)
        try check(CharacterSet(charactersIn: "A"..."Z"), range: 65..<91)
        try check(CharacterSet(charactersIn: "abc"), string: "abc")
        let symbols = CharacterSet.symbols.inverted
        try check(symbols, builtIn: 14, bitmap: symbols.bitmapRepresentation, isInverted: true)
        let others = CharacterSet(charactersIn: "abc").inverted
        try check(others, bitmap: others.bitmapRepresentation)
    }

    @Test func `are units and measurements`() throws {
        func text(_ object: Any) throws -> String? { try value(object)?.description }
        #expect(
            try text(NSMeasurement(doubleValue: 5, unit: UnitLength.miles))?
                .hasPrefix("NSMeasurement (value: 5.0, unit: NSUnitLength #") == true)
        #expect(try text(Unit(symbol: "bale")) == "NSUnit (symbol: \"bale\")")
        guard case .record(let economy)? = try value(UnitFuelEfficiency.milesPerGallon),
            case .record(let converter)? = try economy["converter"]?.archived.foundationValue()
        else {
            Issue.record("another value")
            return
        }
        #expect(economy.className == "NSUnitFuelEfficiency" && economy["symbol"]?.archived.string == "mpg")
        #expect("\(converter)" == "NSUnitConverterReciprocal (reciprocal: 235.215)")
    }

    @Test func `are calendars, components, time zones and locales`() throws {
        let zone = try #require(NSTimeZone(name: "Europe/Berlin"))
        let components = NSDateComponents()
        components.year = 2020
        components.weekOfYear = 7
        guard case .record(let found)? = try value(zone),
            case .record(let locale)? = try value(NSLocale(localeIdentifier: "de_DE")),
            case .dateComponents(let read, calendar: nil, timeZone: nil)? = try value(components)
        else {
            Issue.record("another value")
            return
        }
        #expect(found["name"]?.archived.string == "Europe/Berlin" && found["data"]?.archived.data == zone.data)
        #expect("\(locale)" == "NSLocale (identifier: \"de_DE\")")
        #expect(read.year == 2020 && read.weekOfYear == 7 && read.month == nil && read.isLeapMonth == false)
        let calendar = try #require(NSCalendar(identifier: .gregorian))
        calendar.timeZone = zone as TimeZone
        calendar.locale = Locale(identifier: "fr_CH")
        calendar.firstWeekday = 2
        calendar.minimumDaysInFirstWeek = 4
        guard case .record(let archived)? = try value(calendar) else {
            Issue.record("no calendar")
            return
        }
        #expect(archived["identifier"]?.archived.string == "gregorian")
        #expect(archived["locale"]?.archived["NS.identifier"]?.string == "fr_CH")
        #expect(archived["timeZone"]?.archived["NS.name"]?.string == "Europe/Berlin")
        #expect(archived["firstWeekday"]?.archived.integer == 2)
        #expect(archived["minimumDaysInFirstWeek"]?.archived.integer == 4)
        guard case .date(let start)? = archived["gregorianStartDate"]?.value else {
            Issue.record("no start")
            return
        }
        #expect(start == Date(timeIntervalSinceReferenceDate: -13_197_600_000))
    }

    @Test func `are notifications, query items, rounding and C arrays`() throws {
        let notification = NSNotification(
            name: Notification.Name("N"), object: "o" as NSString, userInfo: ["key": "text"])
        let handler = NSDecimalNumberHandler(
            roundingMode: .up, scale: 3, raiseOnExactness: true, raiseOnOverflow: false, raiseOnUnderflow: true,
            raiseOnDivideByZero: false)
        guard case .record(let found)? = try value(notification),
            case .dictionary(let info)? = found["userInfo"]?.value,
            case .record(let rounding)? = try value(handler)
        else {
            Issue.record("another value")
            return
        }
        #expect(found["name"]?.archived.string == "N" && found["object"]?.archived.string == "o")
        let items = try ["v", nil].map { try value(NSURLQueryItem(name: "n", value: $0))?.description }
        #expect(items == [#"NSURLQueryItem (name: "n", value: "v")"#, #"NSURLQueryItem (name: "n")"#])
        #expect(info.map(\.key.string) == ["key"] && info.map(\.value.string) == ["text"])
        #expect("\(rounding)".hasPrefix("NSDecimalNumberHandler (roundingMode: up, scale: 3, raisesOnExactness: true"))
        let flags = ["raisesOnOverflow", "raisesOnUnderflow", "raisesOnDivisionByZero"].map {
            rounding[$0]?.value?.description ?? "false"
        }
        #expect(flags == ["false", "true", "false"])

        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        let numbers: [Int32] = [1, 2, -3]
        numbers.withUnsafeBytes { bytes in
            guard let address = bytes.baseAddress else { return }
            "i".withCString { archiver.encodeArray(ofObjCType: $0, count: numbers.count, at: address) }
        }
        archiver.finishEncoding()
        let array = try KeyedArchive(archiver.encodedData).top["$0"]?.foundationValue()
        guard case .cArray(type: "i", let elements)? = array else {
            Issue.record("no C array")
            return
        }
        #expect(elements.map(\.integer) == [1, 2, -3])
    }
}

// MARK: - GNUstep

@Suite(.inTurn, .needs(.gnustep))
struct `Foundation's objects by GNUstep` {
    @Test func `are the values that its program wrote`() throws {
        let data = try GNUstepPeers.archive("values.archive")
        guard case .dictionary(let entries)? = try KeyedArchive(data).root.foundationValue() else {
            Issue.record("no dictionary")
            return
        }
        let values = Dictionary(uniqueKeysWithValues: entries.map { ($0.key.string ?? "", $0.value) })
        func value(_ key: String) throws -> FoundationValue? { try values[key]?.foundationValue() }
        // Of the largest integer without a sign GNUstep writes the bits, which are those of -1.
        guard case .string("text")? = try value("s"), case .integer(7)? = try value("i"),
            case .real(2.5)? = try value("d"), case .boolean(true)? = try value("b"),
            case .data(let bytes)? = try value("data"), case .date(let date)? = try value("date"),
            case .url(let url)? = try value("url"), case .set(let set)? = try value("set"),
            case .null? = try value("null"), case .integer(-1)? = try value("u64"),
            case .string("mut")? = try value("ms"), case .uuid(let uuid)? = try value("uuid"),
            case .decimal(let decimal)? = try value("dec"), case .array(let empty)? = try value("empty")
        else {
            Issue.record("\(try values.mapValues { try $0.foundationValue() })")
            return
        }
        #expect(bytes == Data([0, 1, 2, 255]) && date == Date(timeIntervalSinceReferenceDate: 1e9))
        #expect(url.absoluteString == "https://example.org/a?b=c" && Set(set.map(\.string)) == ["x", "y"])
        #expect(uuid.uuidString == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        #expect(decimal == Decimal(string: "12345.6789"))
        guard empty.count == 2, case .array(let none)? = try empty[0].foundationValue(),
            case .dictionary(let nothing)? = try empty[1].foundationValue()
        else {
            Issue.record("other elements")
            return
        }
        #expect(none.isEmpty && nothing.isEmpty)
    }
}
