// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.inTurn) struct `Records by Foundation's archiver` {
    /// The fields of `object` as text, by name.
    private func fields(_ object: Any, _ className: String) throws -> [String: String] {
        guard case .record(let record)? = try KeyedArchive(foundationArchive(of: object)).root.foundationValue() else {
            Issue.record("no record")
            return [:]
        }
        #expect(record.className == className)
        let fields = record.fields.map { ($0.name, $0.value?.description ?? $0.archived.description) }
        return Dictionary(uniqueKeysWithValues: fields)
    }

    @Test func `are the names of a person`() throws {
        let name = NSPersonNameComponents()
        name.givenName = "Ann"
        name.familyName = "Lee"
        name.nickname = "A"
        let expected = ["givenName": "\"Ann\"", "familyName": "\"Lee\"", "nickname": "\"A\""]
        #expect(try fields(name, "NSPersonNameComponents") == expected)
    }

    @Test func `are a pattern and a match`() throws {
        let pattern = try NSRegularExpression(pattern: "a(b)", options: [.caseInsensitive, .anchorsMatchLines])
        let expected = ["pattern": "\"a(b)\"", "options": "[caseInsensitive, anchorsMatchLines]"]
        #expect(try fields(pattern, "NSRegularExpression") == expected)

        let match = try #require(pattern.firstMatch(in: "xab", range: NSRange(location: 0, length: 3)))
        let archive = try KeyedArchive(foundationArchive(of: match))
        guard case .record(let record)? = try archive.root.foundationValue(),
            case .array(let ranges)? = record["ranges"]?.value,
            case .integer(1)? = record["location"]?.value, case .integer(2)? = record["length"]?.value
        else {
            Issue.record("no match")
            return
        }
        #expect(try ranges.map { try $0.foundationValue()?.description ?? "" } == ["{1, 2}", "{2, 1}"])
        #expect(record["regularExpression"]?.archived["NSPattern"]?.string == "a(b)")
    }

    @Test func `are formats`() throws {
        let dates = ISO8601DateFormatter()
        dates.formatOptions = [.withFullDate, .withTime]
        // The date has the years, the months, the days and the hyphens.
        #expect(
            try fields(dates, "NSISO8601DateFormatter")["formatOptions"]
                == "[withYear, withMonth, withDay, withTime, withDashSeparatorInDate]")

        let bytes = ByteCountFormatter()
        bytes.allowedUnits = [.useKB, .useMB]
        bytes.countStyle = .binary
        bytes.includesUnit = false
        let expected = ["allowedUnits": "[useKB, useMB]", "countStyle": "binary", "omitsUnit": "true"]
        #expect(try fields(bytes, "NSByteCountFormatter") == expected)

        let intervals = DateIntervalFormatter()
        intervals.dateStyle = .long
        intervals.timeStyle = .none
        let styles = try fields(intervals, "NSDateIntervalFormatter")
        #expect(styles["dateStyle"] == "long" && styles["timeStyle"] == "none" && styles["usesTemplate"] == "false")
    }

    #if canImport(FoundationNetworking)
        @Test func `are requests and responses`() throws {
            let url = try #require(URL(string: "http://a.b/c"))
            let request = NSMutableURLRequest(url: url)
            request.httpMethod = "POST"
            request.httpBody = Data([1, 2, 3])
            request.setValue("x", forHTTPHeaderField: "X-A")
            request.cachePolicy = .returnCacheDataElseLoad
            request.timeoutInterval = 12.5
            let fields = try fields(request, "NSURLRequest")
            #expect(fields["url"] == "\"http://a.b/c\"" && fields["httpMethod"] == "\"POST\"")
            #expect(fields["httpBody"] == "3 bytes <010203>" && fields["timeoutInterval"] == "12.5")
            #expect(fields["cachePolicy"] == "returnCacheDataElseLoad" && fields["networkServiceType"] == "default")
            #expect(fields["allHTTPHeaderFields"] == "[\"X-A\": \"x\"]" && fields["httpShouldHandleCookies"] == "true")

            let response = try #require(
                HTTPURLResponse(
                    url: url, statusCode: 404, httpVersion: "HTTP/1.1",
                    headerFields: ["Content-Type": "text/plain; charset=utf-8"]))
            let found = try self.fields(response, "NSURLResponse")
            #expect(found["statusCode"] == "404" && found["url"] == "\"http://a.b/c\"")
            #expect(found["mimeType"] == "\"text/plain\"" && found["textEncodingName"] == "\"utf-8\"")
            #expect(found["allHeaderFields"] == "[\"Content-Type\": \"text/plain; charset=utf-8\"]")
        }
    #endif
}

// MARK: - GNUstep

/// What GNUstep Base 1.28 writes of objects of these classes, by hand.
@Suite(.inTurn) struct `Records by GNUstep's archiver` {
    private func value(_ object: PropertyList, _ names: String...) throws -> FoundationValue? {
        guard case .dictionary(var fields) = object else { return nil }
        fields["$class"] = .uid(2)
        let objects: [PropertyList] = [
            .dictionary(fields), classEntry(names), ["$0": "NSLocalTimeZone", "$class": .uid(4)],
            classEntry("NSTimeZone"),
        ]
        return try KeyedArchive(handmadeArchive(objects: objects)).root.foundationValue()
    }

    @Test func `are patterns, orders and formats of dates`() throws {
        #expect(
            try value(["pattern": "a(b)", "options": 1], "NSRegularExpression", "NSObject")?.description
                == "NSRegularExpression (pattern: \"a(b)\", options: [caseInsensitive])")
        #expect(
            try value(
                ["NSKey": "name", "NSAscending": false, "NSSelector": "compare:"], "NSSortDescriptor", "NSObject")?
                .description == "NSSortDescriptor (key: \"name\", ascending: false, selector: \"compare:\")")
        #expect(
            try value(
                ["NS.timeZone": .uid(3), "NS.formatOptions": 3], "NSISO8601DateFormatter", "NSFormatter", "NSObject")?
                .description
                == "NSISO8601DateFormatter (formatOptions: [withYear, withMonth], timeZone: NSTimeZone #3 (1 field))")
    }

    @Test func `are unknown where its form has no keys`() throws {
        #expect(try value(["$0": 1, "$2": 0, "$3": 44], "NSNumberFormatter", "NSFormatter", "NSObject") == nil)
        #expect(try value([:], "NSAffineTransform", "NSObject") == nil)
        #expect(try value([:], "NSHTTPURLResponse", "NSURLResponse", "NSObject")?.description == "NSURLResponse")
    }
}
