#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The objects that stand for calendars and what belongs to them.
///
/// The sentinels `autoupdatingCurrent` are equal to no other value, so they are marked with an entry of this library's
/// own, as is the user's locale, which is more than its name. Other readers do not look there, and find the name.
extension ArchiveGraph {
    private static var autoupdatingKey: String { "autoupdating" }

    mutating func locale(_ locale: Locale) -> Reference {
        var entries = [("NS.identifier", string(locale.identifier))]
        if locale == .autoupdatingCurrent {
            entries.append((Self.autoupdatingKey, boolean(true, inline: true)))
        } else if locale == .current {
            entries.append(("current", boolean(true, inline: true)))
        }
        return object(.locale, entries)
    }

    /// The rules of the zone, which Cocoa keeps under `NS.data`, are not known here. Readers know them by the name.
    mutating func timeZone(_ timeZone: TimeZone) -> Reference {
        var entries = [("NS.name", string(timeZone.identifier)), ("NS.data", Self.null)]
        if timeZone == .autoupdatingCurrent { entries.append((Self.autoupdatingKey, boolean(true, inline: true))) }
        return object(.timeZone, entries)
    }

    mutating func calendar(_ calendar: Calendar) -> Reference {
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

    /// What is undefined has no entry, as in archives by Apple's frameworks, whose reader refuses a calendar or a time
    /// zone that is there and nil.
    mutating func dateComponents(_ components: DateComponents) -> Reference {
        var entries: [(String, Reference)] = []
        if let calendar = components.calendar { entries.append(("NS.calendar", self.calendar(calendar))) }
        if let timeZone = components.timeZone { entries.append(("NS.timezone", self.timeZone(timeZone))) }
        for (key, field) in DateComponentsFields.integers {
            guard let value = components[keyPath: field] else { continue }
            entries.append((key.description, integer(Int64(value), inline: true)))
        }
        // Cocoa's components have no third state; a Bool of its own says that there is one of the two.
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

// MARK: - Names

/// What NSCalendar's identifiers are in archives.
enum CalendarNames {
    /// 1582-10-15, in seconds from 2001-01-01: when the Gregorian calendar began, as Apple's frameworks write it.
    static let gregorianStart = -13_197_600_000.0

    private static let names: [(identifier: Calendar.Identifier, name: String)] = {
        var names: [(Calendar.Identifier, String)] = [
            (.gregorian, "gregorian"), (.iso8601, "iso8601"), (.buddhist, "buddhist"), (.chinese, "chinese"),
            (.coptic, "coptic"), (.ethiopicAmeteMihret, "ethiopic"), (.ethiopicAmeteAlem, "ethiopic-amete-alem"),
            (.hebrew, "hebrew"), (.indian, "indian"), (.islamic, "islamic"), (.islamicCivil, "islamic-civil"),
            (.islamicTabular, "islamic-tbla"), (.islamicUmmAlQura, "islamic-umalqura"), (.japanese, "japanese"),
            (.persian, "persian"), (.republicOfChina, "roc"),
        ]
        #if compiler(>=6.2)
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                names += [
                    (.bangla, "bangla"), (.dangi, "dangi"), (.gujarati, "gujarati"), (.kannada, "kannada"),
                    (.malayalam, "malayalam"), (.marathi, "marathi"), (.odia, "odia"), (.tamil, "tamil"),
                    (.telugu, "telugu"), (.vietnamese, "vietnamese"), (.vikram, "vikram"),
                ]
            }
        #endif
        return names
    }()

    static func name(of identifier: Calendar.Identifier) -> String {
        names.first { $0.identifier == identifier }?.name ?? "\(identifier)"
    }

    static func identifier(named name: String) -> Calendar.Identifier? {
        names.first { $0.name == name }?.identifier
    }

    /// Whether the program has the calendar. Without ICU there are two, and asking for another one ends the program.
    static func isAvailable(_ identifier: Calendar.Identifier) -> Bool {
        identifier == .gregorian || identifier == .iso8601 || hasInternationalization
    }

    /// Where the full Foundation is not loaded, all locales are the same.
    private static let hasInternationalization = Locale(identifier: "de").identifier == "de"
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
        #if compiler(>=6.2)
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return components.isRepeatedDay }
        #endif
        return nil
    }

    static func setIsRepeatedDay(of components: inout DateComponents, to value: Bool) {
        #if compiler(>=6.2)
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { components.isRepeatedDay = value }
        #endif
    }
}
