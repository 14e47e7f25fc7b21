// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private let calendar = Calendar(identifier: .iso8601)
private let timeZone = TimeZone(secondsFromGMT: 3600)

@Suite(.inTurn) struct `Date components of Foundation` {
    private static let all = [
        DateComponents(), DateComponents(year: 2026, month: 11, day: 25),
        DateComponents(era: 0, hour: 0, nanosecond: 5),
        DateComponents(calendar: calendar, year: 2026), DateComponents(timeZone: timeZone, weekday: 3, weekOfYear: 48),
        DateComponents(calendar: calendar, timeZone: timeZone, year: 2026, month: 11, day: 25, quarter: 4),
    ]

    private func foundationReads(_ data: Data) throws -> DateComponents {
        try withFoundationUnarchiver(of: data) {
            try #require($0.decodeObject(of: NSDateComponents.self, forKey: "root")) as DateComponents
        }
    }

    @Test(arguments: all, PropertyListFormat.allCases)
    func `are read by the Foundation of the platform`(components: DateComponents, format: PropertyListFormat) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        let data = try encoder.encode(components)
        #expect(try foundationReads(data) == components)
        #expect(try ArchiveDecoder().decode(DateComponents.self, from: data) == components)

        let archiver = KeyedArchiver()
        #expect(archiver.foundationReader == .platform)
        try archiver.encode(components, forKey: "root")
        #expect(try foundationReads(archiver.finishEncoding()) == components)
    }

    @Test(arguments: all) func `without a calendar or a time zone are read by one Foundation only`(
        components: DateComponents
    ) throws {
        var encoder = ArchiveEncoder()
        encoder.foundationReader = encoder.foundationReader == .apple ? .openSource : .apple
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: encoder.encode(components))
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        let object = unarchiver.decodeObject(of: NSDateComponents.self, forKey: "root")
        if components.calendar != nil, components.timeZone != nil {
            #expect(unarchiver.error == nil && object.map { $0 as DateComponents } == components)
        } else {
            #expect(unarchiver.error != nil)
        }
    }

    @Test(arguments: all) func `are read from what Foundation's coder writes`(components: DateComponents) throws {
        let data = foundationArchive(of: components as NSDateComponents)
        #expect(try ArchiveDecoder().decode(DateComponents.self, from: data) == components)
    }

    /// Apple's reader fails for a calendar or a time zone that is present and nil.
    @Test(arguments: all, [ArchiveEncoder.FoundationReader.apple, .openSource])
    func `have a nil only for the open-source Foundation`(
        components: DateComponents, reader: ArchiveEncoder.FoundationReader
    ) throws {
        var encoder = ArchiveEncoder()
        encoder.foundationReader = reader
        let text = try InspectedArchive(encoder.encode(components)).text
        let isComplete = components.calendar != nil && components.timeZone != nil
        #expect(text.contains("NS.calendar: nil") == (reader == .openSource && components.calendar == nil))
        #expect(text.contains("NS.timezone: nil") == (reader == .openSource && components.timeZone == nil))
        #expect(text.contains("\(Int.max)") == (isComplete || reader == .openSource))
    }

    @Test(.needs(.tool("python3"))) func `have uid 0 for plistlib in the place of what is absent`() throws {
        var encoder = ArchiveEncoder()
        encoder.foundationReader = .openSource
        let data = try encoder.encode(DateComponents(year: 2026))
        let expression = "[(o(top['root'])[key]).data for key in ('NS.calendar', 'NS.timezone')]"
        #expect(try Plistlib.evaluate(expression, in: [data]) == "[0, 0]")
    }
}
