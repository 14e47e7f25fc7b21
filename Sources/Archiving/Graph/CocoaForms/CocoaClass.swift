// Each file of this folder handles a family of Cocoa's classes: `ArchiveGraph` writes them, `ArchiveContents` reads them.
// Format: `docs/keyed-archive-format.md`, section 4. The values are numbers, texts and bytes. `Codable/CocoaForms` converts
// them to Foundation's types, in files with similar names.
//
// Each reading function returns nil if the value is not such an object, and throws an error if the object is damaged. An object
// is identified by its keys, since classes with other names (subclasses, bridges to other languages) have the same keys.

/// Foundation's classes of value objects, and the colors and fonts of AppKit and UIKit. Source: `docs/keyed-archive-format.md`,
/// section 4.
package enum CocoaClass: Sendable {
    case string, number, data, date, url, uuid
    case array, dictionary, set, countedSet, orderedSet, null
    case decimalNumber, decimalNumberHandler, indexSet, indexPath, value
    case attributedString, characterSet, personName, affineTransform
    case timeZone, locale, calendar, dateComponents, dateInterval
    case error, notification, urlQueryItem
    case measurement, unit, linearConverter, reciprocalConverter
    case cArray
    case color, font

    /// The maximum number of bytes of a class name in this list.
    static let nameLimit = 64

    /// Creates the class for `name` in an archive. Fails if it is not in this list.
    init?(named name: String) {
        guard let known = Self.names[name] else { return nil }
        self = known
    }

    private static let names: [String: CocoaClass] = {
        var names: [String: CocoaClass] = [
            "NSString": .string, "NSMutableString": .string, "NSNumber": .number, "NSData": .data,
            "NSMutableData": .data, "NSDate": .date, "NSCalendarDate": .date, "NSURL": .url, "NSUUID": .uuid,
            "NSArray": .array, "NSMutableArray": .array, "NSDictionary": .dictionary,
            "NSMutableDictionary": .dictionary, "NSSet": .set, "NSMutableSet": .set, "NSCountedSet": .countedSet,
            "NSOrderedSet": .orderedSet, "NSMutableOrderedSet": .orderedSet, "NSNull": .null,
            "NSDecimalNumber": .decimalNumber, "NSDecimalNumberPlaceholder": .decimalNumber,
            "NSDecimalNumberHandler": .decimalNumberHandler, "NSIndexSet": .indexSet, "NSMutableIndexSet": .indexSet,
            "NSIndexPath": .indexPath, "NSValue": .value, "NSAttributedString": .attributedString,
            "NSMutableAttributedString": .attributedString, "NSCharacterSet": .characterSet,
            "NSMutableCharacterSet": .characterSet, "NSBitmapCharSet": .characterSet, "NSTimeZone": .timeZone,
            "NSLocale": .locale, "NSCalendar": .calendar, "NSDateComponents": .dateComponents,
            "NSPersonNameComponents": .personName, "NSAffineTransform": .affineTransform,
            "NSDateInterval": .dateInterval, "NSError": .error, "NSNotification": .notification,
            "GSNotification": .notification, "NSURLQueryItem": .urlQueryItem, "NSMeasurement": .measurement,
            "NSUnit": .unit, "NSDimension": .unit, "NSUnitConverterLinear": .linearConverter,
            "NSUnitConverterReciprocal": .reciprocalConverter, "_NSKeyedCoderOldStyleArray": .cArray,
            "NSColor": .color, "UIColor": .color, "NSFont": .font, "UIFont": .font,
        ]
        for dimension in [
            "Acceleration", "Angle", "Area", "ConcentrationMass", "Dispersion", "Duration", "ElectricCharge",
            "ElectricCurrent", "ElectricPotentialDifference", "ElectricResistance", "Energy", "Frequency",
            "FuelEfficiency", "Illuminance", "InformationStorage", "Length", "Mass", "Power", "Pressure", "Speed",
            "Temperature", "Volume",
        ] {
            names["NSUnit" + dimension] = .unit
        }
        return names
    }()
}

extension ArchiveContents {
    /// Returns the Foundation class that the class entry `uid` describes, otherwise its nearest superclass in this list,
    /// otherwise the first such fallback of the entry; `nil` if there is none.
    ///
    /// - Returns: The class, and whether it is the class itself rather than a superclass or a fallback.
    package func cocoaClass(
        _ uid: UInt32
    ) throws(KeyedArchiveError) -> (class: CocoaClass, isItself: Bool)? {
        if let known = CocoaClass(named: try className(uid)) { return (known, true) }
        let entry = try object(uid)
        for key in ["$classes", "$classhints"] as [StaticString] {
            guard let names = try value(of: key, in: entry.node)?.node, names.kind == .array else { continue }
            try countWork(names.count)
            for position in 0..<min(names.count, KeyedArchiveFormat.superclassLimit) {
                let name = try node(list.reference(position, in: names.payload))
                guard name.kind == .ascii, name.count <= CocoaClass.nameLimit,
                    let known = CocoaClass(named: list.objects.string(name))
                else { continue }
                return (known, false)
            }
        }
        return nil
    }
}

// MARK: - Frequent classes

extension ArchiveGraph {
    /// The keys and classes of frequent objects, so that they are not looked up for each object; 0 until the first one.
    struct CocoaNames: BitwiseCopyable {
        var dateKey: Reference = 0
        var dateClass: Reference = 0
        var uuidKey: Reference = 0
        var uuidClass: Reference = 0
        var relativeKey: Reference = 0
        var baseKey: Reference = 0
        var urlClass: Reference = 0
        var nullObject: Reference = 0
    }
}
