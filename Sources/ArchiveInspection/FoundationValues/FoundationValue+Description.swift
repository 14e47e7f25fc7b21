// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import AttributedTexts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension FoundationValue {
    /// The value as one line of text, with the first elements of collections and the start of long texts.
    public var description: String {
        switch self {
        case .string(let text): LineText.literal(text)
        case .boolean(let value): value.description
        case .integer(let value): value.description
        case .real(let value): value.description
        case .data(let data): Self.text(of: data)
        case .date(let date): Self.text(of: date)
        case .url(let url): LineText.literal(url.absoluteString)
        case .uuid(let uuid): uuid.uuidString
        case .null: "null"
        case .array(let elements): elements.description
        case .dictionary(let entries): entries.description
        case .set(let elements): "set \(elements)"
        case .countedSet(let elements): "set [" + LineText.list(elements) { "\($0.count) × \($0.value)" } + "]"
        case .orderedSet(let elements): "ordered set \(elements)"
        case .cArray(let type, let elements): "C array of \(LineText.literal(type)) \(elements)"
        case .decimal(let decimal): decimal.description
        case .indexSet(let ranges):
            "indexes ["
                + LineText.list(ranges) {
                    $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)...\($0.upperBound - 1)"
                } + "]"
        case .indexPath(let indexes): "index path [" + LineText.list(indexes, \.description) + "]"
        case .range(let location, let length): "{\(location), \(length)}"
        case .point(let x, let y): Geometry.text(of: [x, y])
        case .size(let width, let height): Geometry.text(of: [width, height])
        case .rect(let x, let y, let width, let height): Geometry.text(of: [x, y, width, height])
        case .edgeInsets(let top, let left, let bottom, let right): "{\(top), \(left), \(bottom), \(right)}"
        case .objectiveCValue(let type, let archived, let numbers):
            LineText.literal(type) + " "
                + (numbers.map { "[" + LineText.list($0, \.description) + "]" } ?? archived.description)
        case .attributedString(let string, let runs):
            LineText.literal(string) + (runs.count < 2 ? "" : ", \(runs.count) runs")
        case .characterSet(let number, let range, let string, let bitmap, let isInverted):
            (isInverted ? "all characters but " : "characters: ")
                + (number.map { "set \($0)" } ?? range.map(Self.text) ?? string.map { LineText.literal($0) }
                    ?? "bitmap of " + LineText.count(bitmap?.count ?? 0, "byte", "bytes"))
        case .dateComponents(let components, let calendar, let timeZone):
            Self.text(of: components, calendar, timeZone)
        case .dateInterval(let interval): Self.text(of: interval.start) + " to " + Self.text(of: interval.end)
        case .color(let color): Self.text(of: color)
        case .customColor(let components, let space):
            "color [" + LineText.list(components, \.description) + "], \(space)"
        case .font(let font): "font \(LineText.literal(font.name)), \(font.size)"
        case .record(let record): record.description
        case .choice(let name, _): name
        case .flags(let names, _): "[" + LineText.list(names, \.self) + "]"
        }
    }

    private static func text(of data: Data) -> String {
        var text = ""
        ReadableText.write(data, to: &text)
        return text
    }

    private static func text(of date: Date) -> String { ReadableText.date(date.timeIntervalSinceReferenceDate) }

    private static func text(of range: Range<Int>) -> String {
        "U+\(String(range.lowerBound, radix: 16, uppercase: true))..<U+\(String(range.upperBound, radix: 16, uppercase: true))"
    }

    private static func text(of color: AttributedText.Color) -> String {
        let components = LineText.list(color.components + [color.opacity], \.description)
        let text = "color [\(components)], \(color.space)"
        guard let name = color.name, let catalog = color.catalog else { return text }
        return text + ", \(LineText.literal(name)) in \(LineText.literal(catalog))"
    }

    private static func text(
        of components: DateComponents, _ calendar: KeyedArchive.Value?, _ timeZone: KeyedArchive.Value?
    ) -> String {
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
        if let timeZone { parts.append(timeZone.description) }
        return parts.isEmpty ? "no date components" : parts.joined(separator: ", ")
    }
}

// MARK: - Records

extension FoundationValue.Record {
    /// The class and the fields: `NSSortDescriptor (key: "name", ascending: true)`.
    public var description: String {
        fields.isEmpty
            ? className
            : "\(className) ("
                + LineText.list(fields) { field in
                    LineText.className(field.name) + ": " + (field.value?.description ?? field.archived.description)
                } + ")"
    }
}
