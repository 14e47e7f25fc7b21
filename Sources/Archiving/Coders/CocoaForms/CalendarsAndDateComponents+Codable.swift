// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Calendars

extension ArchiveGraph {
    func calendar(_ calendar: Calendar) -> Reference {
        var entries = [("NS.identifier", string(CalendarNames.name(of: calendar.identifier)))]
        if let locale = calendar.locale { entries.append(("NS.locale", self.locale(locale))) }
        entries.append(("NS.timezone", timeZone(calendar.timeZone)))
        if calendar.identifier == .gregorian {
            entries.append(("NS.gstartdate", date(CalendarNames.gregorianStart)))
        }
        entries.append(("NS.firstwkdy", integer(Int64(calendar.firstWeekday), inline: true)))
        entries.append(("NS.mindays", integer(Int64(calendar.minimumDaysInFirstWeek), inline: true)))
        if calendar == .autoupdatingCurrent { entries.append((Self.autoupdatingKey, boolean(true, inline: true))) }
        return object(.calendar, entries)
    }
}

extension Calendar: EncodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        graph.calendar(self)
    }
}

extension Calendar: DecodableLeaf {
    /// The parts of a calendar in an archive.
    private struct Parts {
        var name: String
        var isAutoupdating = false
        var locale: Locale?
        var timeZone: TimeZone?
        var firstWeekday: Int?
        var minimumDaysInFirstWeek: Int?
    }

    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Calendar {
        if let parts = try parts(of: value, in: decoder, at: step()) {
            return try calendar(parts, in: decoder, at: step())
        }
        return try decoder.otherForm(of: Calendar.self, value, at: step()) { decoder in
            let fields = try decoder.container(keyedBy: CodableKeys.self)
            // In Calendar's own form, 2 represents the calendar that follows the user's settings.
            if try fields.decodeIfPresent(Int.self, forKey: .current) == 2 { return .autoupdatingCurrent }
            let parts = Parts(
                name: try fields.decode(String.self, forKey: .identifier),
                locale: try fields.decodeIfPresent(Locale.self, forKey: .locale),
                timeZone: try fields.decodeIfPresent(TimeZone.self, forKey: .timeZone),
                firstWeekday: try fields.decodeIfPresent(Int.self, forKey: .firstWeekday),
                minimumDaysInFirstWeek: try fields.decodeIfPresent(Int.self, forKey: .minimumDaysInFirstWeek))
            return try calendar(parts, in: decoder.decoding, at: .root)
        }
    }

    private enum CodableKeys: CodingKey {
        case current, identifier, locale, timeZone, firstWeekday, minimumDaysInFirstWeek
    }

    /// Returns the parts of an NSCalendar, or nil if `value` is not one. GNUstep's has three values without keys.
    private static func parts(
        of value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Parts? {
        let archived = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in
            var entries = contents.entries(of: value)
            return (
                name: try entries.text("NS.identifier"), locale: try entries["NS.locale"],
                timeZone: try entries["NS.timezone"], firstWeekday: try entries.integer("NS.firstwkdy"),
                minimumDays: try entries.integer("NS.mindays"), isAutoupdating: try entries.boolean("autoupdating"),
                other: (
                    name: try entries.text("$0"), localeName: try entries.text("$1"), timeZone: try entries["$2"]
                )
            )
        }
        guard let name = archived.name ?? archived.other.name else { return nil }
        var parts = Parts(
            name: name, isAutoupdating: archived.isAutoupdating == true, firstWeekday: archived.firstWeekday,
            minimumDaysInFirstWeek: archived.minimumDays)
        if let locale = archived.locale, !locale.isNull {
            parts.locale = try Locale.leaf(locale, in: decoder, at: step)
        } else if let localeName = archived.other.localeName {
            parts.locale = try Locale.locale(named: localeName, in: decoder, at: step)
        }
        if let timeZone = archived.timeZone ?? archived.other.timeZone, !timeZone.isNull {
            parts.timeZone = try TimeZone.leaf(timeZone, in: decoder, at: step)
        }
        return parts
    }

    /// Creates a calendar. The parts are checked first, because Foundation traps on invalid ones.
    private static func calendar(
        _ parts: Parts, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Calendar {
        if parts.isAutoupdating { return .autoupdatingCurrent }
        guard let identifier = CalendarNames.identifier(named: parts.name) else {
            throw DecodingError.invalid(path: decoder.path(step)) { _ in
                "Found a calendar \"\(parts.name.prefix(80))\", which this program does not know"
            }
        }
        guard CalendarNames.isAvailable(identifier) else {
            throw DecodingError.invalid(path: decoder.path(step)) { _ in
                "Found a calendar \"\(parts.name)\", which needs the full Foundation. This program does not load it"
            }
        }
        for days in [parts.firstWeekday, parts.minimumDaysInFirstWeek] {
            guard let days, !(1...7).contains(days) else { continue }
            throw DecodingError.invalid(path: decoder.path(step)) { _ in
                "Found the day \(days) of a week of 7 days"
            }
        }
        var calendar = Calendar(identifier: identifier)
        // A set locale changes the calendar even if it is equal to the calendar's own locale.
        if let locale = parts.locale, locale != calendar.locale { calendar.locale = locale }
        if let timeZone = parts.timeZone { calendar.timeZone = timeZone }
        if let firstWeekday = parts.firstWeekday { calendar.firstWeekday = firstWeekday }
        if let minimumDays = parts.minimumDaysInFirstWeek { calendar.minimumDaysInFirstWeek = minimumDays }
        return calendar
    }
}

/// The names of NSCalendar's identifiers in archives.
enum CalendarNames {
    /// 1582-10-15, the beginning of the Gregorian calendar, in seconds from 2001-01-01, as Apple's frameworks write it.
    static let gregorianStart = -13_197_600_000.0

    private static let names: [(identifier: Calendar.Identifier, name: String)] = {
        var names: [(Calendar.Identifier, String)] = [
            (.gregorian, "gregorian"), (.iso8601, "iso8601"), (.buddhist, "buddhist"), (.chinese, "chinese"),
            (.coptic, "coptic"), (.ethiopicAmeteMihret, "ethiopic"), (.ethiopicAmeteAlem, "ethiopic-amete-alem"),
            (.hebrew, "hebrew"), (.indian, "indian"), (.islamic, "islamic"), (.islamicCivil, "islamic-civil"),
            (.islamicTabular, "islamic-tbla"), (.islamicUmmAlQura, "islamic-umalqura"), (.japanese, "japanese"),
            (.persian, "persian"), (.republicOfChina, "roc"),
        ]
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            names += [
                (.bangla, "bangla"), (.dangi, "dangi"), (.gujarati, "gujarati"), (.kannada, "kannada"),
                (.malayalam, "malayalam"), (.marathi, "marathi"), (.odia, "odia"), (.tamil, "tamil"),
                (.telugu, "telugu"), (.vietnamese, "vietnamese"), (.vikram, "vikram"),
            ]
        }
        return names
    }()

    static func name(of identifier: Calendar.Identifier) -> String {
        names.first { $0.identifier == identifier }?.name ?? "\(identifier)"
    }

    static func identifier(named name: String) -> Calendar.Identifier? {
        names.first { $0.name == name }?.identifier
    }

    /// Returns whether the program has the calendar. Without ICU there are two, and a request for another one traps.
    static func isAvailable(_ identifier: Calendar.Identifier) -> Bool {
        identifier == .gregorian || identifier == .iso8601 || hasInternationalization
    }

    /// Without the full Foundation, all locales are the same.
    private static let hasInternationalization = Locale(identifier: "de").identifier == "de"
}

// MARK: - Date components

extension ArchiveGraph {
    /// Apple's reader rejects a calendar or a time zone that is present and nil. Foundation on Linux rejects one that is
    /// absent, and reads an absent integer as 0. Both read the largest integer as an undefined component, so an object
    /// that Linux can read has all integers. Other objects have no entry for an undefined component, as Apple's.
    func dateComponents(_ components: DateComponents) -> Reference {
        var entries: [(String, Reference)] = []
        let calendar = components.calendar.map { self.calendar($0) }
        let timeZone = components.timeZone.map { self.timeZone($0) }
        let isComplete = writesAbsentDateParts || calendar != nil && timeZone != nil
        for (key, part) in [("NS.calendar", calendar), ("NS.timezone", timeZone)] {
            if let part = part ?? (isComplete ? Self.null : nil) { entries.append((key, part)) }
        }
        for (key, field) in DateComponentsFields.integers {
            guard let value = components[keyPath: field] ?? (isComplete ? Int.max : nil) else { continue }
            entries.append((key.description, integer(Int64(value), inline: true)))
        }
        // Cocoa's components have no undefined leap month. A separate Bool marks a defined one.
        let isLeapMonth = components.isLeapMonth
        entries.append(("NS.leapMonth", integer(Int64(isLeapMonth == true ? 1 : 0), inline: true)))
        if let isLeapMonth { entries.append(("NS.isLeapMonth", boolean(isLeapMonth, inline: true))) }
        if let isRepeatedDay = DateComponentsFields.isRepeatedDay(of: components) {
            entries.append(("NS.repeatedDay", boolean(isRepeatedDay, inline: true)))
            entries.append(("NS.isRepeatedDay", boolean(isRepeatedDay, inline: true)))
        } else {
            entries.append(("NS.repeatedDay", boolean(false, inline: true)))
        }
        return object(.dateComponents, entries)
    }
}

extension DateComponents: EncodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        graph.dateComponents(self)
    }
}

extension DateComponents: DecodableLeaf {
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> DateComponents {
        // Every NSDateComponents has one of these, whether Apple's frameworks or Swift's Foundation wrote it.
        let isNative = try decoder.contents(at: step()) { contents throws(KeyedArchiveError) in
            var entries = contents.entries(of: value)
            if try entries["NS.leapMonth"] != nil { return true }
            return try entries["NS.isLeapMonth"] != nil
        }
        guard isNative else {
            return try decoder.otherForm(of: DateComponents.self, value, at: step()) { try DateComponents(from: $0) }
        }
        return try native(value, in: decoder, at: step())
    }

    private static func native(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> DateComponents {
        var (components, calendar, timeZone) = try decoder.contents(at: step) { contents throws(KeyedArchiveError) in
            var entries = contents.entries(of: value)
            let calendar = try entries["NS.calendar"] ?? .null
            let timeZone = try entries["NS.timezone"] ?? .null
            return (try DateComponents(archivedIn: &entries), calendar, timeZone)
        }
        if !calendar.isNull { components.calendar = try Calendar.leaf(calendar, in: decoder, at: step) }
        if !timeZone.isNull { components.timeZone = try TimeZone.leaf(timeZone, in: decoder, at: step) }
        return components
    }
}

extension DateComponents {
    /// Creates the components of an NSDateComponents without its calendar and time zone.
    package init(archivedIn entries: inout ObjectEntries) throws(KeyedArchiveError) {
        self.init()
        for (key, field) in DateComponentsFields.integers {
            // The largest integer represents an undefined component.
            guard let number = try entries.integer(key), number != Int.max else { continue }
            self[keyPath: field] = number
        }
        let leapMonth = try entries.boolean("NS.leapMonth") ?? false
        isLeapMonth = try entries.boolean("NS.isLeapMonth") ?? (leapMonth ? true : nil)
        let repeatedDay = try entries.boolean("NS.repeatedDay") ?? false
        if let isRepeatedDay = try entries.boolean("NS.isRepeatedDay") ?? (repeatedDay ? true : nil) {
            DateComponentsFields.setIsRepeatedDay(of: &self, to: isRepeatedDay)
        }
    }
}

/// The fields of date components and their keys.
enum DateComponentsFields {
    typealias Field = any WritableKeyPath<DateComponents, Int?> & Sendable

    static let integers: [(key: StaticString, field: Field)] = [
        ("NS.era", \.era), ("NS.year", \.year), ("NS.month", \.month), ("NS.day", \.day), ("NS.hour", \.hour),
        ("NS.minute", \.minute), ("NS.second", \.second), ("NS.weekday", \.weekday),
        ("NS.weekdayOrdinal", \.weekdayOrdinal), ("NS.quarter", \.quarter), ("NS.nanosec", \.nanosecond),
        ("NS.weekOfMonth", \.weekOfMonth), ("NS.weekOfYear", \.weekOfYear), ("NS.yearForWOY", \.yearForWeekOfYear),
        ("NS.dayOfYear", \.dayOfYear),
    ]

    static func isRepeatedDay(of components: DateComponents) -> Bool? {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return components.isRepeatedDay }
        return nil
    }

    static func setIsRepeatedDay(of components: inout DateComponents, to value: Bool) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { components.isRepeatedDay = value }
    }
}
