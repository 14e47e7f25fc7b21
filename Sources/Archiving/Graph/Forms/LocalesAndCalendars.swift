// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The values `autoupdatingCurrent` are equal to no other value, so an entry of this library marks them. It also marks
// the user's locale, which is more than its name. Other readers ignore the entry and use the name.

// MARK: - Locales

extension Locale: CocoaValue {
    /// The limit for the name of a locale. Names have at most 157 characters; Foundation keeps every requested locale.
    private static var nameLimit: Int { 1024 }

    package func object(in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        var entries = [("NS.identifier", graph.string(identifier))]
        if self == .autoupdatingCurrent {
            entries.append(("autoupdating", graph.boolean(true, inline: true)))
        } else if self == .current {
            entries.append(("current", graph.boolean(true, inline: true)))
        }
        return graph.object("NSLocale", entries)
    }

    package static func read(
        _ value: ArchivedValue, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> Locale? {
        var entries = contents.entries(of: value)
        // GNUstep's has the name as its single value.
        guard let name = try entries.text("NS.identifier", or: "$0") else { return nil }
        let isAutoupdating = try entries.boolean("autoupdating") == true
        let isCurrent = try entries.boolean("current") == true
        if isAutoupdating { return .autoupdatingCurrent }
        if isCurrent, Locale.current.identifier == name { return .current }
        return try locale(named: name, value)
    }

    package static func ownForm(from decoder: any Decoder) throws -> Locale? {
        let fields = try decoder.container(keyedBy: ArchiveKey.self)
        // In Locale's own form, 2 represents the locale that follows the user's settings.
        let current = try fields.decodeIfPresent(Int.self, forKey: ArchiveKey(stringValue: "current"))
        let name = try fields.decode(String.self, forKey: ArchiveKey(stringValue: "identifier"))
        return current == 2 ? .autoupdatingCurrent : try locale(named: name)
    }

    fileprivate static func locale(
        named name: String, _ value: ArchivedValue? = nil
    ) throws(KeyedArchiveError) -> Locale {
        guard name.utf8.count <= nameLimit else {
            throw .invalid(
                value, "Found a locale name of \(name.utf8.count) bytes. The limit is \(nameLimit) bytes")
        }
        return Locale(identifier: name)
    }
}

// MARK: - Time zones

extension TimeZone: CocoaValue {
    /// Writes a time zone by its name. Its rules, which Cocoa stores under `NS.data`, are not available here.
    package func object(in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        var entries = [("NS.name", graph.string(identifier)), ("NS.data", ArchiveGraph.null)]
        if self == .autoupdatingCurrent { entries.append(("autoupdating", graph.boolean(true, inline: true))) }
        return graph.object("NSTimeZone", entries)
    }

    package static func read(
        _ value: ArchivedValue, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> TimeZone? {
        var entries = contents.entries(of: value)
        guard let name = try entries.text("NS.name", or: "$0") else { return nil }
        if try entries.boolean("autoupdating") == true { return .autoupdatingCurrent }
        if let timeZone = TimeZone(identifier: name) ?? offset(named: name).flatMap(TimeZone.init(secondsFromGMT:)) {
            return timeZone
        }
        throw .invalid(
            value,
            "Found a time zone \"\(name.prefix(80))\", which this program does not know. Without the full Foundation it"
                + " knows only GMT and zones with a fixed offset")
    }

    /// Returns the seconds in a name such as "GMT+0130", the form for zones without a place.
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

extension Calendar: CocoaValue {
    package func object(in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        var entries = [("NS.identifier", graph.string(CalendarNames.name(of: identifier)))]
        if let locale { entries.append(("NS.locale", locale.object(in: graph))) }
        entries.append(("NS.timezone", timeZone.object(in: graph)))
        if identifier == .gregorian { entries.append(("NS.gstartdate", graph.date(CalendarNames.gregorianStart))) }
        entries.append(("NS.firstwkdy", graph.integer(Int64(firstWeekday), inline: true)))
        entries.append(("NS.mindays", graph.integer(Int64(minimumDaysInFirstWeek), inline: true)))
        if self == .autoupdatingCurrent { entries.append(("autoupdating", graph.boolean(true, inline: true))) }
        return graph.object("NSCalendar", entries)
    }

    /// Returns the calendar of an NSCalendar. GNUstep's has three values without keys.
    package static func read(_ value: ArchivedValue, in contents: ArchiveContents) throws -> Calendar? {
        var entries = contents.entries(of: value)
        guard let name = try entries.text("NS.identifier", or: "$0") else { return nil }
        let localeName = try entries.text("$1")
        return try calendar(
            name, isAutoupdating: try entries.boolean("autoupdating") == true,
            try Locale.part(entries["NS.locale"], in: contents)
                ?? localeName.map { try Locale.locale(named: $0, value) },
            try TimeZone.part(try entries["NS.timezone"] ?? entries["$2"], in: contents),
            firstWeekday: try entries.integer("NS.firstwkdy"),
            minimumDays: try entries.integer("NS.mindays"), value)
    }

    package static func ownForm(from decoder: any Decoder) throws -> Calendar? {
        enum Keys: CodingKey {
            case current, identifier, locale, timeZone, firstWeekday, minimumDaysInFirstWeek
        }
        let fields = try decoder.container(keyedBy: Keys.self)
        // In Calendar's own form, 2 represents the calendar that follows the user's settings.
        if try fields.decodeIfPresent(Int.self, forKey: .current) == 2 { return .autoupdatingCurrent }
        return try calendar(
            try fields.decode(String.self, forKey: .identifier), isAutoupdating: false,
            try fields.decodeIfPresent(Locale.self, forKey: .locale),
            try fields.decodeIfPresent(TimeZone.self, forKey: .timeZone),
            firstWeekday: try fields.decodeIfPresent(Int.self, forKey: .firstWeekday),
            minimumDays: try fields.decodeIfPresent(Int.self, forKey: .minimumDaysInFirstWeek))
    }

    /// Creates a calendar. The parts are checked first, because Foundation traps on invalid ones.
    private static func calendar(
        _ name: String, isAutoupdating: Bool, _ locale: Locale?, _ timeZone: TimeZone?, firstWeekday: Int?,
        minimumDays: Int?, _ value: ArchivedValue? = nil
    ) throws(KeyedArchiveError) -> Calendar {
        if isAutoupdating { return .autoupdatingCurrent }
        guard let identifier = CalendarNames.identifier(named: name) else {
            throw .invalid(value, "Found a calendar \"\(name.prefix(80))\", which this program does not know")
        }
        guard CalendarNames.isAvailable(identifier) else {
            throw .invalid(
                value,
                "Found a calendar \"\(name)\", which needs the full Foundation. This program does not load it")
        }
        for case let days? in [firstWeekday, minimumDays] where !(1...7).contains(days) {
            throw .invalid(value, "Found the day \(days) of a week of 7 days")
        }
        var calendar = Calendar(identifier: identifier)
        // A set locale changes the calendar even if it is equal to the calendar's own locale.
        if let locale, locale != calendar.locale { calendar.locale = locale }
        if let timeZone { calendar.timeZone = timeZone }
        if let firstWeekday { calendar.firstWeekday = firstWeekday }
        if let minimumDays { calendar.minimumDaysInFirstWeek = minimumDays }
        return calendar
    }
}

private enum CalendarNames {
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
