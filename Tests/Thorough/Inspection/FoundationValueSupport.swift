// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Foundation
import TestSupport
import Testing

@testable import Archiving

/// An archive with one object, by hand.
struct ArchivedForm: CustomTestStringConvertible, Sendable {
    let className: String
    let chain: [String]
    let hints: [String]
    let object: PropertyList
    /// The objects from uid 3 on.
    let others: [PropertyList]
    /// What is to come out of it, as text, or what the error has to say.
    let expected: String

    init(
        _ className: String, _ object: PropertyList, _ expected: String, chain: [String] = [], hints: [String] = [],
        _ others: PropertyList...
    ) {
        self.init(className, object, expected, chain: chain, hints: hints, others: others)
    }

    init(
        _ className: String, _ object: PropertyList, _ expected: String, chain: [String] = [], hints: [String] = [],
        others: [PropertyList]
    ) {
        self.className = className
        self.chain = chain
        self.hints = hints
        self.object = object
        self.others = others
        self.expected = expected
    }

    var testDescription: String { "\(className): \(expected)" }

    /// The class entry of `name`.
    static func entry(_ name: String, chain: [String] = [], hints: [String] = []) -> PropertyList {
        var entry: PropertyList.Dictionary = ["$classname": .string(name)]
        if !chain.isEmpty { entry["$classes"] = .array(chain.map { .string($0) }) }
        if !hints.isEmpty { entry["$classhints"] = .array(hints.map { .string($0) }) }
        return .dictionary(entry)
    }

    func value(format: PropertyListFormat = .binary) throws -> FoundationValue? {
        guard case .dictionary(var object) = object else { throw CocoaError(.coderInvalidValue) }
        object["$class"] = .uid(2)
        let objects = [.dictionary(object), Self.entry(className, chain: chain, hints: hints)] + others
        return try KeyedArchive(handmadeArchive(objects: objects, format: format)).root.foundationValue()
    }
}

extension FoundationValue {
    /// The value in a line, all of it.
    var text: String {
        switch self {
        case .string(let text): "string \(text)"
        case .boolean(let value): "boolean \(value)"
        case .integer(let value): "integer \(value)"
        case .real(let value): "real \(value)"
        case .data(let data): "data \(data.hex)"
        case .date(let date): "date \(date.timeIntervalSinceReferenceDate)"
        case .url(let url): "url \(url.relativeString)" + (url.baseURL.map { " of \($0.absoluteString)" } ?? "")
        case .uuid(let uuid): "uuid \(uuid.uuidString)"
        case .null: "null"
        case .array(let elements): "array \(elements.map(\.text))"
        case .dictionary(let entries): "dictionary \(entries.text)"
        case .set(let elements): "set \(elements.map(\.text))"
        case .countedSet(let elements): "counted set \(elements.map { "\($0.value.text) × \($0.count)" })"
        case .orderedSet(let elements): "ordered set \(elements.map(\.text))"
        case .cArray(let type, let elements): "C array \(type) \(elements.map(\.text))"
        case .decimal(let decimal): "decimal \(decimal)"
        case .indexSet(let ranges): "index set \(ranges)"
        case .indexPath(let indexes): "index path \(indexes)"
        case .range(let location, let length): "range \(location) \(length)"
        case .point(let x, let y): "point \(x) \(y)"
        case .size(let width, let height): "size \(width) \(height)"
        case .rect(let x, let y, let width, let height): "rect \(x) \(y) \(width) \(height)"
        case .edgeInsets(let top, let left, let bottom, let right): "insets \(top) \(left) \(bottom) \(right)"
        case .objectiveCValue(let type, let archived, let numbers):
            "value \(type) \(archived.text) \(numbers.map { "\($0.map(\.text))" } ?? "no numbers")"
        case .attributedString(let text, let runs):
            "attributed string \(text)"
                + runs.map { run in
                    let attributes = run.attributes.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" }
                    return " | \(NSRange(run.range, in: text)) \(attributes)"
                }.joined()
        case .characterSet(let number, let range, let string, let bitmap, let isInverted):
            "character set"
                + [
                    number.map { " built-in \($0)" }, range.map { " range \($0)" }, string.map { " string \($0)" },
                    bitmap.map { " bitmap \($0.hex)" }, isInverted ? " inverted" : nil,
                ].compactMap(\.self).joined()
        case .dateComponents(let components, let calendar, let timeZone):
            "components \(components.fieldsText) \(calendar?.text ?? "no calendar") \(timeZone?.text ?? "no zone")"
        case .dateInterval(let interval):
            "interval \(interval.start.timeIntervalSinceReferenceDate) \(interval.duration)"
        case .color(let color):
            "color \(color.components + [color.opacity]) "
                + (color.name.map { "\(color.catalog ?? "").\($0) " } ?? "") + "\(color.space)"
        case .customColor(let components, let space): "color \(components) custom \(space.className ?? "?")"
        case .font(let font): "font \(font.name) \(font.size)"
        case .record(let record): "record \(record.className) \(record.text)"
        case .choice(let name, let number): "\(name) \(number)"
        case .flags(let names, let number): "\(names) \(number)"
        }
    }
}

// MARK: - Parts

extension FoundationValue.Record {
    fileprivate var text: [String] {
        fields.map { "\($0.name) \($0.key): \($0.value?.text ?? "archived \($0.archived.text)")" }
    }
}

extension KeyedArchive.Value {
    /// A leaf as it is, another value by its class and its uid.
    fileprivate var text: String {
        if let string { return string }
        if let integer { return String(integer) }
        if let double { return String(double) }
        return "\(className ?? "\(kind)") at \(uid.map(String.init) ?? "no uid")"
    }
}

extension KeyedArchive.Contents where Element == (key: KeyedArchive.Value, value: KeyedArchive.Value) {
    fileprivate var text: [String] { map { "\($0.key.text): \($0.value.text)" } }
}

extension Data {
    fileprivate var hex: String { map { String(format: "%02x", $0) }.joined() }
}

extension DateComponents {
    fileprivate var fieldsText: String {
        let fields: [(String, Int?)] = [
            ("era", era), ("year", year), ("quarter", quarter), ("month", month), ("day", day), ("hour", hour),
            ("minute", minute), ("second", second), ("nanosecond", nanosecond), ("weekday", weekday),
            ("weekdayOrdinal", weekdayOrdinal), ("weekOfMonth", weekOfMonth), ("weekOfYear", weekOfYear),
            ("yearForWeekOfYear", yearForWeekOfYear),
        ]
        let texts = fields.compactMap { name, value in value.map { "\(name) \($0)" } }
        return "\(texts)" + (isLeapMonth.map { $0 ? " leap month" : " no leap month" } ?? "")
    }
}
