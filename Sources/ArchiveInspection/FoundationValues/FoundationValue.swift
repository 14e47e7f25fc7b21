import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What an object of one of Foundation's classes is in Swift: `KeyedArchive.Value.foundationValue()`.
///
/// ```swift
/// switch try archive.root["frame"]?.foundationValue() {
/// case .rect(let x, let y, let width, let height)?: print("at \(x), \(y): \(width) by \(height)")
/// case .attributedString(let text)?: print(text.string)
/// default: break
/// }
/// ```
///
/// What an object holds is values of the archive again, which have a `foundationValue()` of their own. So an object costs
/// what it has itself, and nothing that it refers to.
///
/// More cases may be added, one for each further class of Foundation's, so give every `switch` a `default`. It also takes
/// nil, which objects of other classes are.
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
    /// The NSNull that stands for nil in containers.
    case null

    // MARK: Containers

    /// The elements of an NSArray or NSMutableArray.
    case array(KeyedArchive.Value.Elements)
    /// The keys and values of an NSDictionary or NSMutableDictionary, in the order of the archive.
    case dictionary(KeyedArchive.Value.Entries)
    /// The elements of an NSSet or NSMutableSet, in the order of the archive.
    case set(KeyedArchive.Value.Elements)
    /// The different elements of an NSCountedSet, and how many times each is in it: once or more.
    case countedSet([(value: KeyedArchive.Value, count: Int)])
    /// The elements of an NSOrderedSet or NSMutableOrderedSet.
    case orderedSet(KeyedArchive.Value.Elements)
    /// An array of C: its Objective-C type, such as "i", and its elements.
    case cArray(type: String, elements: KeyedArchive.Value.Elements)

    // MARK: Numbers and indexes

    /// An NSDecimalNumber; most archives call the class NSDecimalNumberPlaceholder.
    case decimal(Decimal)
    /// An NSDecimalNumberHandler.
    case decimalNumberHandler(DecimalNumberHandler)
    /// The ranges of an NSIndexSet or NSMutableIndexSet: in ascending order, none of them empty.
    case indexSet([Range<Int>])
    /// The indexes of an NSIndexPath.
    case indexPath([Int])

    // MARK: Structs in NSValue

    /// An NSRange. The location of one that stands for "not found" is the largest integer.
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

    /// An NSAttributedString or NSMutableAttributedString, also as what inherits from it, such as NSTextStorage.
    case attributedString(AttributedString)
    /// An NSCharacterSet or NSMutableCharacterSet.
    case characterSet(CharacterSet)

    // MARK: Dates and places

    /// An NSTimeZone: its name, and its rules as a file of the time zone database (TZif), where the archive has them.
    case timeZone(name: String, data: Data?)
    /// An NSLocale.
    case locale(identifier: String)
    /// An NSCalendar.
    case calendar(Calendar)
    /// NSDateComponents: the numbers, without calendar and time zone, and those beside them.
    case dateComponents(DateComponents, calendar: Calendar?, timeZoneName: String?)
    /// An NSDateInterval.
    case dateInterval(DateInterval)

    // MARK: Others

    /// An NSError. The keys and values of its user info are in the order of the archive; none where there is no user info.
    case error(domain: String, code: Int, userInfo: KeyedArchive.Value.Entries)
    /// An NSNotification; the user info as that of an error.
    case notification(name: String, object: KeyedArchive.Value?, userInfo: KeyedArchive.Value.Entries)
    /// An NSMeasurement.
    case measurement(value: Double, unit: Unit)
    /// An NSUnit, or NSDimension.
    case unit(Unit)
    /// An NSUnitConverter on its own.
    case unitConverter(Unit.Converter)
    /// An NSURLQueryItem.
    case urlQueryItem(name: String, value: String?)

    // MARK: Colors and fonts

    /// An NSColor or a UIColor: its components in the space, and after them how opaque it is, from 0 to 1. A color by its
    /// name in a catalog has the components that it had when it was archived.
    case color(components: [Double], space: ColorSpace)
    /// An NSFont or a UIFont: its name, such as "Menlo-Regular", and its size in points.
    case font(name: String, size: Double)
}

// MARK: - Numbers

extension FoundationValue {
    /// A number as the archive has it.
    public enum Number: Sendable, Hashable {
        /// A Bool.
        case boolean(Bool)
        /// An integer of up to 128 bits with its sign.
        case integer(Int128)
        /// A real of 64 bits, or one of 32, which a `Double` holds exactly.
        case real(Double)
    }

    /// How an NSDecimalNumberHandler rounds, and what it makes an exception of.
    public struct DecimalNumberHandler: Sendable, Hashable {
        /// Where results are rounded to.
        public enum RoundingMode: Int, Sendable {
            /// To the nearest; half way between two, away from zero.
            case plain
            /// To the smaller one.
            case down
            /// To the larger one.
            case up
            /// To the nearest; half way between two, to the even one.
            case bankers
        }

        /// The number of digits behind the point; nil where results are not rounded.
        public let scale: Int?
        /// Where results are rounded to.
        public let roundingMode: RoundingMode
        /// Whether it raises an exception where a result is not exact.
        public let raisesOnExactness: Bool
        /// Whether it raises an exception where a result is too large.
        public let raisesOnOverflow: Bool
        /// Whether it raises an exception where a result is too small.
        public let raisesOnUnderflow: Bool
        /// Whether it raises an exception on division by zero.
        public let raisesOnDivisionByZero: Bool
    }

    /// A value of C in an NSValue.
    public struct ObjectiveCValue: Sendable {
        /// The type, as Objective-C's `@encode` writes it: "i", "{?=id}" …
        public let type: String
        /// The value as it was archived. GNUstep archives the bytes, as a C array.
        public let archived: KeyedArchive.Value
        /// The number, or those of a struct that consists of numbers, one after the other; nil where it is something else.
        public let numbers: [Number]?
    }
}

// MARK: - Text

extension FoundationValue {
    /// A text and the attributes of its parts.
    public struct AttributedString: Sendable {
        /// A part of the text that has the same attributes.
        public struct Run: Sendable {
            /// Where in the string the run is: `text.string[run.range]`, or `NSRange(run.range, in: text.string)`. Runs
            /// are counted in UTF-16, so a boundary may lie inside a character.
            public let range: Range<String.Index>
            /// The attributes by name: "NSFont", "NSColor" …
            public let attributes: [String: KeyedArchive.Value]
        }

        /// The text.
        public let string: String
        /// The runs, one behind the other from the start of the string to its end, none of them empty.
        public let runs: [Run]
    }

    /// A set of characters as it is archived: by what it was made of.
    public struct CharacterSet: Sendable, Hashable {
        /// What a set is made of.
        public enum Members: Sendable, Hashable {
            /// One of Foundation's own, by its number: 1 control characters, 2 whitespaces, 3 whitespaces and newlines,
            /// 4 decimal digits, 5 letters, 6 lowercase letters, 7 uppercase letters, 8 non-base characters, 9
            /// decomposable characters, 10 alphanumerics, 11 punctuation, 12 illegal characters, 13 capitalized letters,
            /// 14 symbols, 15 newlines. The bitmap is there for readers that do not know the number, and of the set as it
            /// is, inverted where `isInverted` says so.
            case builtIn(Int, bitmap: Data?)
            /// The Unicode scalars of a range.
            case range(Range<Int>)
            /// The characters of a string.
            case string(String)
            /// A bit for each Unicode scalar, the lowest first: 8192 bytes for the first plane, which may be cut off
            /// behind the last one that is not 0, and for each other plane that has members its number and 8192 bytes.
            case bitmap(Data)
        }

        /// What the set is made of.
        public let members: Members
        /// Whether the set has all characters but those.
        public let isInverted: Bool
    }
}

// MARK: - Colors

extension FoundationValue {
    /// What the components of a color mean.
    public enum ColorSpace: Sendable {
        /// One component, from 0 for black to 1 for white, of a color that looks the same on every device.
        case calibratedWhite
        /// One component, from 0 for black to 1 for white.
        case deviceWhite
        /// Red, green and blue, from 0 to 1, of a color that looks the same on every device.
        case calibratedRGB
        /// Red, green and blue, from 0 to 1. UIKit's colors have no other space with three components in archives.
        case deviceRGB
        /// Cyan, magenta, yellow and black, from 0 to 1.
        case deviceCMYK
        /// As many components as the space has, which is an NSColorSpace of the archive.
        case custom(KeyedArchive.Value)
        /// The name of a color in a catalog, such as "textColor" in "System", and the space of the components.
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
        /// The days that the first week of a year has at least.
        public let minimumDaysInFirstWeek: Int?
        /// When the Gregorian calendar begins.
        public let gregorianStart: Date?
    }

    /// An NSUnit: of a dimension, or by its symbol alone.
    public struct Unit: Sendable {
        /// How values in a unit become values in the base unit of its dimension.
        public enum Converter: Sendable {
            /// value · coefficient + constant.
            case linear(coefficient: Double, constant: Double)
            /// reciprocal / value.
            case reciprocal(Double)
            /// An object of another class.
            case other(KeyedArchive.Value)
        }

        /// The name of the class, which says the dimension: "NSUnitLength". "NSUnit" has none.
        public let className: String
        /// The symbol: "km".
        public let symbol: String
        /// The converter of a dimension.
        public let converter: Converter?
    }
}
