// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Foundation's classes of values that programs decode. Source: `docs/keyed-archive-format.md`, section 4.
package enum CocoaClass: Sendable {
    case string, number, data, date, url, uuid
    case array, dictionary, set, orderedSet, null
    case decimalNumber, indexSet, indexPath, value
    case attributedString, characterSet, personName, affineTransform
    case timeZone, locale, calendar, dateComponents, dateInterval
    case measurement

    package static let nameLimit = 64

    package init?(named name: String) {
        guard let known = Self.names[name] else { return nil }
        self = known
    }

    private static let names: [String: CocoaClass] = [
        "NSString": .string, "NSMutableString": .string, "NSNumber": .number, "NSData": .data, "NSMutableData": .data,
        "NSDate": .date, "NSCalendarDate": .date, "NSURL": .url, "NSUUID": .uuid, "NSArray": .array,
        "NSMutableArray": .array, "NSDictionary": .dictionary, "NSMutableDictionary": .dictionary, "NSSet": .set,
        "NSMutableSet": .set, "NSOrderedSet": .orderedSet, "NSMutableOrderedSet": .orderedSet, "NSNull": .null,
        "NSDecimalNumber": .decimalNumber, "NSDecimalNumberPlaceholder": .decimalNumber, "NSIndexSet": .indexSet,
        "NSMutableIndexSet": .indexSet, "NSIndexPath": .indexPath, "NSValue": .value,
        "NSAttributedString": .attributedString, "NSMutableAttributedString": .attributedString,
        "NSCharacterSet": .characterSet, "NSMutableCharacterSet": .characterSet, "NSBitmapCharSet": .characterSet,
        "NSTimeZone": .timeZone, "NSLocale": .locale, "NSCalendar": .calendar, "NSDateComponents": .dateComponents,
        "NSDateInterval": .dateInterval, "NSMeasurement": .measurement, "NSPersonNameComponents": .personName,
        "NSAffineTransform": .affineTransform,
    ]
}

extension ArchiveContents {
    /// Returns the class in this list that the class entry `uid` describes, or the nearest one.
    func cocoaClass(_ uid: UInt32) throws(KeyedArchiveError) -> CocoaClass? {
        try nearestClass(uid, CocoaClass.init(named:))?.class
    }

    /// Returns what `known` returns for the name of the class entry `uid`, otherwise for its nearest superclass, otherwise for its
    /// first fallback; `nil` if it returns `nil` for all of them.
    ///
    /// - Returns: The class, its name, and whether it is the class itself rather than a superclass or a fallback.
    package func nearestClass<Known>(
        _ uid: UInt32, _ known: (String) -> Known?
    ) throws(KeyedArchiveError) -> (class: Known, name: String, isItself: Bool)? {
        let name = try className(uid)
        if let found = known(name) { return (found, name, true) }
        let entry = try classEntry(uid)
        for key in ["$classes", "$classhints"] as [StaticString] {
            guard let names = try value(of: key, in: entry)?.node, names.kind == .array else { continue }
            try countWork(names.count)
            for position in 0..<min(names.count, KeyedArchiveFormat.superclassLimit) {
                let node = try self.node(list.reference(position, in: names.payload))
                guard node.kind == .ascii, node.count <= CocoaClass.nameLimit else { continue }
                let name = list.objects.string(node)
                if let found = known(name) { return (found, name, false) }
            }
        }
        return nil
    }
}

// MARK: - Frequent classes

extension ArchiveGraph {
    /// The keys and classes of frequent objects, so that they are not looked up for each object; 0 until the first one.
    struct CocoaNames: BitwiseCopyable {
        var objectsKey: Reference = 0
        var keysKey: Reference = 0
        var arrayClass: Reference = 0
        var dictionaryClass: Reference = 0
        /// The uids of the empty collections: one for each kind. Sharing them is not observable, since they are values; Cocoa's
        /// archives share them as well.
        var emptyArray: Reference = 0
        var emptySet: Reference = 0
        var emptyDictionary: Reference = 0
        var nullText: Reference = 0
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
