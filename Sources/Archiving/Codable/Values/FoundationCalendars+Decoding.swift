#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Locale: DecodableLeaf {
    /// Names of locales have 157 characters at most. Foundation keeps every locale that was ever asked for.
    private static var nameLimit: Int { 1024 }

    /// What an NSLocale says.
    private struct Archived {
        var name: String
        var isAutoupdating: Bool
        var isCurrent: Bool
    }

    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> Locale {
        let archived = try decoder.contents(at: step()) { contents throws(KeyedArchiveError) in
            var entries = contents.entries(of: value)
            var name = try entries.text("NS.identifier")
            // GNUstep's has the name as its single value.
            if name == nil { name = try entries.text("$0") }
            guard let name else { return Archived?.none }
            return Archived(
                name: name, isAutoupdating: try entries.boolean("autoupdating") == true,
                isCurrent: try entries.boolean("current") == true)
        }
        if let archived {
            if archived.isAutoupdating { return .autoupdatingCurrent }
            if archived.isCurrent, Locale.current.identifier == archived.name { return .current }
            return try locale(named: archived.name, in: decoder, at: step())
        }
        return try decoder.otherForm(of: Locale.self, value, at: step()) { decoder in
            let fields = try decoder.container(keyedBy: ArchiveKey.self)
            // Locale's own form says 2 for the locale that follows the user's settings.
            let current = try fields.decodeIfPresent(Int.self, forKey: ArchiveKey(stringValue: "current"))
            let name = try fields.decode(String.self, forKey: ArchiveKey(stringValue: "identifier"))
            return current == 2 ? .autoupdatingCurrent : try locale(named: name, in: decoder, at: .root)
        }
    }

    fileprivate static func locale(
        named name: String, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> Locale {
        guard name.utf8.count <= nameLimit else {
            throw CodableErrors.invalid(
                "The name of a locale has \(name.utf8.count) bytes; none has more than \(nameLimit)",
                path: decoder.path(step))
        }
        return Locale(identifier: name)
    }
}

extension TimeZone: DecodableLeaf {
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> TimeZone {
        let archived = try decoder.contents(at: step()) { contents throws(KeyedArchiveError) in
            var entries = contents.entries(of: value)
            var name = try entries.text("NS.name")
            if name == nil { name = try entries.text("$0") }
            return (name: name, isCurrent: try entries.boolean("autoupdating") == true)
        }
        if let name = archived.name {
            return archived.isCurrent ? .autoupdatingCurrent : try timeZone(named: name, in: decoder, at: step())
        }
        return try decoder.otherForm(of: TimeZone.self, value, at: step()) { try TimeZone(from: $0) }
    }

    private static func timeZone(
        named name: String, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> TimeZone {
        if let timeZone = TimeZone(identifier: name) ?? offset(named: name).flatMap(TimeZone.init(secondsFromGMT:)) {
            return timeZone
        }
        throw CodableErrors.invalid(
            "This program knows no time zone \"\(name.prefix(80))\". Without the full Foundation it knows GMT and the"
                + " zones a fixed time away from it",
            path: decoder.path(step))
    }

    /// The seconds that "GMT+0130" says, which is how zones without a place are named.
    private static func offset(named name: String) -> Int? {
        let text = name.utf8
        guard text.count == 8, name.hasPrefix("GMT"), let number = Int(name.dropFirst(4)), number >= 0 else {
            return nil
        }
        let seconds = number / 100 * 3600 + number % 100 * 60
        switch text.dropFirst(3).first {
        case UInt8(ascii: "+"): return seconds
        case UInt8(ascii: "-"): return -seconds
        default: return nil
        }
    }
}

// MARK: - Calendars

extension Calendar: DecodableLeaf {
    /// What archives say of a calendar.
    private struct Parts {
        var name: String
        var isAutoupdating = false
        var locale: Locale?
        var timeZone: TimeZone?
        var firstWeekday: Int?
        var minimumDaysInFirstWeek: Int?
    }

    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> Calendar {
        if let parts = try parts(of: value, in: decoder, at: step()) {
            return try calendar(parts, in: decoder, at: step())
        }
        return try decoder.otherForm(of: Calendar.self, value, at: step()) { decoder in
            let fields = try decoder.container(keyedBy: CodableKeys.self)
            // Calendar's own form says 2 for the calendar that follows the user's settings.
            if try fields.decodeIfPresent(Int.self, forKey: .current) == 2 { return .autoupdatingCurrent }
            let parts = Parts(
                name: try fields.decode(String.self, forKey: .identifier),
                locale: try fields.decodeIfPresent(Locale.self, forKey: .locale),
                timeZone: try fields.decodeIfPresent(TimeZone.self, forKey: .timeZone),
                firstWeekday: try fields.decodeIfPresent(Int.self, forKey: .firstWeekday),
                minimumDaysInFirstWeek: try fields.decodeIfPresent(Int.self, forKey: .minimumDaysInFirstWeek))
            return try calendar(parts, in: decoder, at: .root)
        }
    }

    private enum CodableKeys: CodingKey {
        case current, identifier, locale, timeZone, firstWeekday, minimumDaysInFirstWeek
    }

    /// What an NSCalendar says; nil where `value` is none. GNUstep's has three values without keys.
    private static func parts(
        of value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
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

    /// Foundation ends the program where these are not what they have to be, so they are checked first.
    private static func calendar(
        _ parts: Parts, in decoder: ArchiveDecoding, at step: CodingPathStep
    ) throws -> Calendar {
        if parts.isAutoupdating { return .autoupdatingCurrent }
        guard let identifier = CalendarNames.identifier(named: parts.name) else {
            throw CodableErrors.invalid(
                "\"\(parts.name.prefix(80))\" is no calendar that this program knows", path: decoder.path(step))
        }
        guard CalendarNames.isAvailable(identifier) else {
            throw CodableErrors.invalid(
                "The calendar \"\(parts.name)\" comes with the full Foundation, which this program does not load",
                path: decoder.path(step))
        }
        for days in [parts.firstWeekday, parts.minimumDaysInFirstWeek] {
            guard let days, !(1...7).contains(days) else { continue }
            throw CodableErrors.invalid("A calendar with the day \(days) of a week of 7 days", path: decoder.path(step))
        }
        var calendar = Calendar(identifier: identifier)
        // Setting a locale makes a difference even where it is the one that the calendar has.
        if let locale = parts.locale, locale != calendar.locale { calendar.locale = locale }
        if let timeZone = parts.timeZone { calendar.timeZone = timeZone }
        if let firstWeekday = parts.firstWeekday { calendar.firstWeekday = firstWeekday }
        if let minimumDays = parts.minimumDaysInFirstWeek { calendar.minimumDaysInFirstWeek = minimumDays }
        return calendar
    }
}

// MARK: - Date components

extension DateComponents: DecodableLeaf {
    static func leaf(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: @autoclosure () -> CodingPathStep
    ) throws -> DateComponents {
        // One of these is in every NSDateComponents, Apple's or the Foundation of Swift's.
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
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep
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
    /// What NSDateComponents say besides their calendar and their time zone.
    package init(archivedIn entries: inout ObjectEntries) throws(KeyedArchiveError) {
        self.init()
        for (key, field) in DateComponentsFields.integers {
            // The largest integer says that there is none.
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
