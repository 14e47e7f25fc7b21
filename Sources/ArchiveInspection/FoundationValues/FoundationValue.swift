// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import AttributedTexts

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The Swift value of an object of one of Foundation's classes: the result of `KeyedArchive.Value.foundationValue()`.
///
/// ```swift
/// switch try archive.root["frame"]?.foundationValue() {
/// case .rect(let x, let y, let width, let height)?: print("at \(x), \(y): \(width) by \(height)")
/// case .attributedString(let text, _)?: print(text)
/// default: break
/// }
/// ```
///
/// An object's elements and fields are values of the archive, which have a `foundationValue()` of their own. Converting an object
/// therefore costs only its own contents, not those of the objects that it refers to.
///
/// Later versions may add cases for further classes, so give every `switch` a `default`. It also handles `nil`, the result for
/// objects of other classes.
public enum FoundationValue: Sendable, CustomStringConvertible {
    // MARK: Leaves

    /// The text of an NSString or NSMutableString: a leaf, or an object with `NS.string` or `NS.bytes`.
    case string(String)
    /// An NSNumber with a Bool.
    case boolean(Bool)
    /// An NSNumber with a signed integer of up to 128 bits.
    case integer(Int128)
    /// An NSNumber with a 64-bit real, or a 32-bit real, which a `Double` represents exactly.
    case real(Double)
    /// The bytes of NSData or NSMutableData, copied.
    case data(Data)
    /// An NSDate, or NSCalendarDate.
    case date(Date)
    /// An NSURL, with the base that it is relative to.
    case url(URL)
    /// An NSUUID.
    case uuid(UUID)
    /// The NSNull that represents nil in containers.
    case null

    // MARK: Containers

    /// The elements of an NSArray or NSMutableArray.
    case array(KeyedArchive.Contents<KeyedArchive.Value>)
    /// The keys and values of an NSDictionary or NSMutableDictionary, in the order of the archive.
    case dictionary(KeyedArchive.Contents<(key: KeyedArchive.Value, value: KeyedArchive.Value)>)
    /// The elements of an NSSet or NSMutableSet, in the order of the archive.
    case set(KeyedArchive.Contents<KeyedArchive.Value>)
    /// The distinct elements of an NSCountedSet with their counts, which are at least 1.
    case countedSet([(value: KeyedArchive.Value, count: Int)])
    /// The elements of an NSOrderedSet or NSMutableOrderedSet.
    case orderedSet(KeyedArchive.Contents<KeyedArchive.Value>)
    /// A C array: its Objective-C type, such as "i", and its elements.
    case cArray(type: String, elements: KeyedArchive.Contents<KeyedArchive.Value>)

    // MARK: Numbers and indexes

    /// An NSDecimalNumber; most archives call the class NSDecimalNumberPlaceholder.
    case decimal(Decimal)
    /// The ranges of an NSIndexSet or NSMutableIndexSet: in ascending order, none of them empty.
    case indexSet([Range<Int>])
    /// The indexes of an NSIndexPath.
    case indexPath([Int])

    // MARK: Structs in NSValue

    /// An NSRange. The location is the largest integer if the range represents "not found".
    case range(location: Int, length: Int)
    /// An NSPoint or CGPoint.
    case point(x: Double, y: Double)
    /// An NSSize or CGSize.
    case size(width: Double, height: Double)
    /// An NSRect or CGRect.
    case rect(x: Double, y: Double, width: Double, height: Double)
    /// An NSEdgeInsets.
    case edgeInsets(top: Double, left: Double, bottom: Double, right: Double)
    /// An NSValue of another type: the type as from Objective-C's `@encode`, "i", "{?=id}" …; what was archived, which is a C array
    /// of bytes if GNUstep wrote it; and the number, or the numbers in a struct, in order. `numbers` is `nil` for other types.
    case objectiveCValue(type: String, archived: KeyedArchive.Value, numbers: [FoundationValue]?)

    // MARK: Text

    /// An NSAttributedString or NSMutableAttributedString, or a subclass that archives itself as one, such as NSTextStorage: the
    /// text, and its runs in order with their attributes by name, "NSFont", "NSColor" … The runs cover the whole text, and none is
    /// empty. They are counted in UTF-16, so a boundary can be inside a character.
    ///
    /// `decode(AttributedText.self)` returns the same text with the attributes as values.
    case attributedString(String, runs: [(range: Range<String.Index>, attributes: [String: KeyedArchive.Value])])
    /// An NSCharacterSet or NSMutableCharacterSet: one of Foundation's own sets, or a range of Unicode scalars, or the characters of
    /// a string, or otherwise a bitmap. If `isInverted` is true, the set has all characters except these.
    ///
    /// Foundation's sets: 1 control characters, 2 whitespaces, 3 whitespaces and newlines, 4 decimal digits, 5 letters, 6 lowercase
    /// letters, 7 uppercase letters, 8 non-base characters, 9 decomposable characters, 10 alphanumerics, 11 punctuation, 12 illegal
    /// characters, 13 capitalized letters, 14 symbols, 15 newlines. They can have a bitmap for readers that do not know the number.
    /// It describes the final set, already inverted if `isInverted` is true.
    ///
    /// A bitmap has one bit per Unicode scalar, lowest first. The first plane has 8192 bytes, without the zero bytes at its end if
    /// they are cut off. Each other plane with members has its number and 8192 bytes.
    case characterSet(builtIn: Int?, range: Range<Int>?, string: String?, bitmap: Data?, isInverted: Bool)

    // MARK: Dates

    /// NSDateComponents: the numbers, and separately the calendar and the time zone.
    case dateComponents(DateComponents, calendar: KeyedArchive.Value?, timeZone: KeyedArchive.Value?)
    /// An NSDateInterval.
    case dateInterval(DateInterval)

    // MARK: Colors and fonts

    /// An NSColor or a UIColor. A catalog color has its name, and the components from the time of archiving. It can be defined by
    /// another catalog color, whose name is not in the value.
    case color(AttributedText.Color)
    /// An NSColor in a color space of the archive, an NSColorSpace: the components, and the opacity from 0 to 1 as the last one.
    case customColor(components: [Double], space: KeyedArchive.Value)
    /// An NSFont or a UIFont.
    case font(AttributedText.Font)

    // MARK: Records

    /// An object whose fields have names: of the classes for calendars, units, errors, paragraphs, pictures, formats, predicates, requests and others, which
    /// the table of docs/keyed-archive-format.md lists.
    case record(Record)
    /// The name of an integer in a field of a record: "center" for the alignment 2.
    case choice(String, number: Int)
    /// The names of the bits of an integer in a field of a record, lowest first. Each bit that is set has a name.
    case flags([String], number: Int)
}

// MARK: - Records

extension FoundationValue {
    /// The fields of an object, with the names of the properties that they are in a program.
    ///
    /// ```swift
    /// if case .record(let style)? = try archive.root["NSParagraphStyle"]?.foundationValue() {
    ///     print(style["lineSpacing"]?.value ?? "not set")
    /// }
    /// ```
    public struct Record: Sendable, CustomStringConvertible {
        /// A field.
        public struct Field: Sendable {
            /// The name of the property: "alignment". The key of the archive if that is not a known one.
            public let name: String
            /// The key of the archive: "NSAlignment".
            public let key: String
            /// The value: a text, a number, a choice … `nil` for other objects, for unknown keys, and if the archive has another
            /// kind of value than the key usually has. Then `archived` has the contents.
            public let value: FoundationValue?
            /// The value in the archive.
            public let archived: KeyedArchive.Value
        }

        /// The name of the class that determines the fields. The object may be of a subclass, or of the mutable class.
        public let className: String
        /// The known fields, in the order of the table, then all others in the order of the archive. A field with nil is not among
        /// them.
        public let fields: [Field]

        /// The field with the public name `name`; `nil` if the object does not have it.
        ///
        /// - Complexity: O(*n*), where *n* is the number of fields.
        public subscript(name: String) -> Field? { fields.first { $0.name == name } }
    }
}

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
