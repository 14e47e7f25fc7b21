import Archiving

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
/// case .attributedString(let text)?: print(text.string)
/// default: break
/// }
/// ```
///
/// An object's elements and fields are values of the archive, which have a `foundationValue()` of their own. Converting an object
/// therefore costs only its own contents, not those of the objects that it refers to.
///
/// Later versions may add cases for further classes, so give every `switch` a `default`. It also handles `nil`, the result for
/// objects of other classes.
public enum FoundationValue: Sendable {
    // MARK: Leaves

    /// The text of an NSString or NSMutableString: a leaf, or an object with `NS.string` or `NS.bytes`.
    case string(String)
    /// An NSNumber.
    case number(Number)
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
    /// An NSValue of another type.
    case objectiveCValue(ObjectiveCValue)

    // MARK: Text

    /// An NSAttributedString or NSMutableAttributedString, or a subclass that archives itself as one, such as NSTextStorage.
    case attributedString(AttributedString)
    /// An NSCharacterSet or NSMutableCharacterSet.
    case characterSet(CharacterSet)

    // MARK: Dates and places

    /// An NSTimeZone: its name, and its rules as a file of the time zone database (TZif), if the archive has them.
    case timeZone(name: String, data: Data?)
    /// An NSLocale.
    case locale(identifier: String)
    /// An NSCalendar.
    case calendar(Calendar)
    /// NSDateComponents: the numbers, and separately the calendar and the time zone.
    case dateComponents(DateComponents, calendar: Calendar?, timeZoneName: String?)
    /// An NSDateInterval.
    case dateInterval(DateInterval)

    // MARK: Others

    /// An NSError. The user info is in the order of the archive, and empty if the error has none.
    case error(
        domain: String, code: Int, userInfo: KeyedArchive.Contents<(key: KeyedArchive.Value, value: KeyedArchive.Value)>
    )
    /// An NSNotification. The user info is as for an error.
    case notification(
        name: String, object: KeyedArchive.Value?,
        userInfo: KeyedArchive.Contents<(key: KeyedArchive.Value, value: KeyedArchive.Value)>)
    /// An NSMeasurement.
    case measurement(value: Double, unit: Unit)
    /// An NSUnit, or NSDimension.
    case unit(Unit)
    /// An NSUnitConverter on its own.
    case unitConverter(Unit.Converter)
    /// An NSURLQueryItem.
    case urlQueryItem(name: String, value: String?)

    // MARK: Colors and fonts

    /// An NSColor or a UIColor: its components in the color space, followed by its opacity from 0 to 1. A catalog color has the
    /// components from the time of archiving.
    ///
    /// Colors in more than 8 catalogs, one defined by the next, are not read.
    case color(components: [Double], space: ColorSpace)
    /// An NSFont or a UIFont: its name, such as "Menlo-Regular", and its size in points.
    case font(name: String, size: Double)

    // MARK: Records

    /// An object whose fields have names: of the classes for paragraphs, pictures, formats, predicates, requests and others, which
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
    public struct Record: Sendable {
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

// MARK: - Numbers

extension FoundationValue {
    /// A number in its archived kind.
    public enum Number: Sendable, Hashable {
        /// A Bool.
        case boolean(Bool)
        /// A signed integer of up to 128 bits.
        case integer(Int128)
        /// A 64-bit real, or a 32-bit real, which a `Double` represents exactly.
        case real(Double)
    }

    /// A C value in an NSValue.
    public struct ObjectiveCValue: Sendable {
        /// The type as from Objective-C's `@encode`: "i", "{?=id}" …
        public let type: String
        /// The archived value. GNUstep archives the bytes, as a C array.
        public let archived: KeyedArchive.Value
        /// The number, or the fields of a struct of numbers in order; `nil` for other types.
        public let numbers: [Number]?
    }
}

// MARK: - Text

extension FoundationValue {
    /// A text and the attributes of its parts.
    public struct AttributedString: Sendable {
        /// A part of the text with the same attributes.
        public struct Run: Sendable {
            /// The range of the run in the string: `text.string[run.range]`, or `NSRange(run.range, in: text.string)`. Runs are
            /// counted in UTF-16, so a boundary can be inside a character.
            public let range: Range<String.Index>
            /// The attributes by name: "NSFont", "NSColor" …
            public let attributes: [String: KeyedArchive.Value]
        }

        /// The text.
        public let string: String
        /// The runs in order. They cover the whole string, and none is empty.
        public let runs: [Run]
    }

    /// A set of characters in its archived form.
    public struct CharacterSet: Sendable, Hashable {
        /// The forms of a set.
        public enum Members: Sendable, Hashable {
            /// One of Foundation's own sets, by its number: 1 control characters, 2 whitespaces, 3 whitespaces and newlines, 4
            /// decimal digits, 5 letters, 6 lowercase letters, 7 uppercase letters, 8 non-base characters, 9 decomposable
            /// characters, 10 alphanumerics, 11 punctuation, 12 illegal characters, 13 capitalized letters, 14 symbols, 15
            /// newlines. The bitmap is for readers that do not know the number. It describes the final set, already inverted if
            /// `isInverted` is true.
            case builtIn(Int, bitmap: Data?)
            /// The Unicode scalars of a range.
            case range(Range<Int>)
            /// The characters of a string.
            case string(String)
            /// One bit per Unicode scalar, lowest first. The first plane has 8192 bytes, without the zero bytes at its end if
            /// they are cut off. Each other plane with members has its number and 8192 bytes.
            case bitmap(Data)
        }

        /// The members of the set before inversion.
        public let members: Members
        /// Whether the set contains all characters except the members.
        public let isInverted: Bool
    }
}

// MARK: - Colors

extension FoundationValue {
    /// The meaning of the components of a color.
    public enum ColorSpace: Sendable {
        /// One component, from 0 for black to 1 for white, of a device-independent color.
        case calibratedWhite
        /// One component, from 0 for black to 1 for white.
        case deviceWhite
        /// Red, green and blue, from 0 to 1, of a device-independent color.
        case calibratedRGB
        /// Red, green and blue, from 0 to 1. It is the only space with three components in archives of UIKit's colors.
        case deviceRGB
        /// Cyan, magenta, yellow and black, from 0 to 1.
        case deviceCMYK
        /// An NSColorSpace of the archive, which determines the number of components.
        case custom(KeyedArchive.Value)
        /// The names of a catalog and of a color in it, such as "System" and "textColor", and the space of the components: a
        /// catalog again if the color is defined by another color of a catalog.
        indirect case catalog(String, name: String, components: ColorSpace)
    }
}

// MARK: - Calendars and units

extension FoundationValue {
    /// An NSCalendar.
    public struct Calendar: Sendable, Hashable {
        /// The name: "gregorian", "buddhist" …
        public let identifier: String
        /// The locale.
        public let localeIdentifier: String?
        /// The time zone.
        public let timeZoneName: String?
        /// The first day of the week: 1 is Sunday.
        public let firstWeekday: Int?
        /// The minimum number of days in the first week of a year.
        public let minimumDaysInFirstWeek: Int?
        /// The start of the Gregorian calendar.
        public let gregorianStart: Date?
    }

    /// An NSUnit: the unit of a dimension, or a symbol alone.
    public struct Unit: Sendable {
        /// The conversion of a value to the base unit of the dimension.
        public enum Converter: Sendable {
            /// value · coefficient + constant.
            case linear(coefficient: Double, constant: Double)
            /// reciprocal / value.
            case reciprocal(Double)
            /// An object of another class.
            case other(KeyedArchive.Value)
        }

        /// The name of the class, which determines the dimension: "NSUnitLength". "NSUnit" has no dimension.
        public let className: String
        /// The symbol: "km".
        public let symbol: String
        /// The converter of a dimension.
        public let converter: Converter?
    }
}
