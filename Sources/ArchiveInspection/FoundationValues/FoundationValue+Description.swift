import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension FoundationValue: CustomStringConvertible {
    /// The value as one line of text, with the first elements of collections and the start of long texts.
    public var description: String {
        switch self {
        case .string(let text): DumpOutput.literal(text)
        case .number(let number): number.description
        case .data(let data): Self.text(of: data)
        case .date(let date): Self.text(of: date)
        case .url(let url): DumpOutput.literal(url.absoluteString)
        case .uuid(let uuid): uuid.uuidString
        case .null: "null"
        case .array(let elements): elements.description
        case .dictionary(let entries): entries.description
        case .set(let elements): "set \(elements)"
        case .countedSet(let elements): "set [" + DumpOutput.list(elements) { "\($0.count) × \($0.value)" } + "]"
        case .orderedSet(let elements): "ordered set \(elements)"
        case .cArray(let type, let elements): "C array of \(DumpOutput.literal(type)) \(elements)"
        case .decimal(let decimal): decimal.description
        case .indexSet(let ranges):
            "indexes ["
                + DumpOutput.list(ranges) {
                    $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)...\($0.upperBound - 1)"
                } + "]"
        case .indexPath(let indexes): "index path [" + DumpOutput.list(indexes, \.description) + "]"
        case .range(let location, let length): "{\(location), \(length)}"
        case .point(let x, let y): Geometry.text(of: [x, y])
        case .size(let width, let height): Geometry.text(of: [width, height])
        case .rect(let x, let y, let width, let height): Geometry.text(of: [x, y, width, height])
        case .edgeInsets(let top, let left, let bottom, let right): "{\(top), \(left), \(bottom), \(right)}"
        case .objectiveCValue(let value): value.description
        case .attributedString(let string): string.description
        case .characterSet(let set): set.description
        case .timeZone(let name, _): "time zone " + DumpOutput.literal(name)
        case .locale(let identifier): "locale " + DumpOutput.literal(identifier)
        case .calendar(let calendar): calendar.description
        case .dateComponents(let components, let calendar, let timeZoneName):
            Self.text(of: components, calendar, timeZoneName)
        case .dateInterval(let interval): Self.text(of: interval.start) + " to " + Self.text(of: interval.end)
        case .error(let domain, let code, let userInfo):
            "error \(code) of \(DumpOutput.literal(domain))" + (userInfo.isEmpty ? "" : ", \(userInfo)")
        case .notification(let name, _, let userInfo):
            "notification " + DumpOutput.literal(name) + (userInfo.isEmpty ? "" : ", \(userInfo)")
        case .measurement(let value, let unit): "\(value) \(unit)"
        case .unit(let unit): unit.description
        case .unitConverter(let converter): converter.description
        case .urlQueryItem(let name, let value):
            DumpOutput.literal(name) + (value.map { " = " + DumpOutput.literal($0) } ?? "")
        case .color(let components, let space):
            "color [" + DumpOutput.list(components, \.description) + "], \(space)"
        case .font(let name, let size): "font \(DumpOutput.literal(name)), \(size)"
        case .record(let record): record.description
        case .choice(let name, _): name
        case .flags(let names, _): "[" + DumpOutput.list(names, \.self) + "]"
        }
    }

    private static func text(of data: Data) -> String {
        var text = ""
        ReadableText.write(data, to: &text)
        return text
    }

    private static func text(of date: Date) -> String { ReadableText.date(date.timeIntervalSinceReferenceDate) }

    private static func text(of components: DateComponents, _ calendar: Calendar?, _ timeZoneName: String?) -> String {
        let numbers: [(name: String, number: Int?)] = [
            ("era", components.era), ("year", components.year), ("quarter", components.quarter),
            ("month", components.month), ("day", components.day), ("hour", components.hour),
            ("minute", components.minute), ("second", components.second), ("nanosecond", components.nanosecond),
            ("weekday", components.weekday), ("weekday ordinal", components.weekdayOrdinal),
            ("week of month", components.weekOfMonth), ("week of year", components.weekOfYear),
            ("year for week of year", components.yearForWeekOfYear),
        ]
        var parts = numbers.compactMap { part in part.number.map { "\(part.name) \($0)" } }
        if let calendar { parts.append(calendar.description) }
        if let timeZoneName { parts.append("time zone " + DumpOutput.literal(timeZoneName)) }
        return parts.isEmpty ? "no date components" : parts.joined(separator: ", ")
    }
}

// MARK: - Records

extension FoundationValue.Record: CustomStringConvertible {
    /// The class and the fields: `NSSortDescriptor (key: "name", ascending: true)`.
    public var description: String {
        fields.isEmpty
            ? className
            : "\(className) ("
                + DumpOutput.list(fields) { field in
                    DumpOutput.className(field.name) + ": " + (field.value?.description ?? field.archived.description)
                } + ")"
    }
}

// MARK: - Numbers

extension FoundationValue.Number: CustomStringConvertible {
    /// The number: `true`, `7`, `1.5`.
    public var description: String {
        switch self {
        case .boolean(let value): value.description
        case .integer(let value): value.description
        case .real(let value): value.description
        }
    }
}

extension FoundationValue.ObjectiveCValue: CustomStringConvertible {
    /// The type and the numbers, or the archived value if it is not numeric: `"{?=ii}" [1, 2]`.
    public var description: String {
        DumpOutput.literal(type) + " "
            + (numbers.map { "[" + DumpOutput.list($0, \.description) + "]" } ?? archived.description)
    }
}

// MARK: - Text

extension FoundationValue.AttributedString: CustomStringConvertible {
    /// The text, and the number of runs if there are several.
    public var description: String {
        DumpOutput.literal(string) + (runs.count < 2 ? "" : ", \(runs.count) runs")
    }
}

extension FoundationValue.CharacterSet: CustomStringConvertible {
    /// The members of the set.
    public var description: String { (isInverted ? "all characters but " : "characters: ") + members.description }
}

extension FoundationValue.CharacterSet.Members: CustomStringConvertible {
    /// The number of the set, the range, the string, or the size of the bitmap.
    public var description: String {
        switch self {
        case .builtIn(let number, _): "set \(number)"
        case .range(let range):
            "U+\(String(range.lowerBound, radix: 16, uppercase: true))..<U+\(String(range.upperBound, radix: 16, uppercase: true))"
        case .string(let text): DumpOutput.literal(text)
        case .bitmap(let bitmap): "bitmap of " + DumpOutput.count(bitmap.count, "byte", "bytes")
        }
    }
}

// MARK: - Colors, calendars and units

extension FoundationValue.ColorSpace: CustomStringConvertible {
    /// The name of the space.
    public var description: String {
        switch self {
        case .calibratedWhite: "calibrated white"
        case .deviceWhite: "device white"
        case .calibratedRGB: "calibrated RGB"
        case .deviceRGB: "device RGB"
        case .deviceCMYK: "device CMYK"
        case .custom(let space): space.description
        case .catalog(let catalog, let name, let components):
            "\(DumpOutput.literal(name)) in \(DumpOutput.literal(catalog)), \(components)"
        }
    }
}

extension FoundationValue.Calendar: CustomStringConvertible {
    /// The name, the locale and the time zone.
    public var description: String {
        "calendar " + DumpOutput.literal(identifier)
            + (localeIdentifier.map { ", locale " + DumpOutput.literal($0) } ?? "")
            + (timeZoneName.map { ", time zone " + DumpOutput.literal($0) } ?? "")
    }
}

extension FoundationValue.Unit: CustomStringConvertible {
    /// The symbol and the name of the class: `km (NSUnitLength)`.
    public var description: String { "\(symbol) (\(DumpOutput.className(className)))" }
}

extension FoundationValue.Unit.Converter: CustomStringConvertible {
    /// The formula, or the object of another class.
    public var description: String {
        switch self {
        case .linear(let coefficient, let constant): "value · \(coefficient) + \(constant)"
        case .reciprocal(let reciprocal): "\(reciprocal) / value"
        case .other(let converter): converter.description
        }
    }
}
