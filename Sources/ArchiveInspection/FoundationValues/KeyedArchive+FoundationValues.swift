// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Foundation's values

extension KeyedArchive.Value {
    /// Returns the Swift value of an object of one of Foundation's classes, written by Apple's frameworks, by Foundation on Linux
    /// or by GNUstep.
    ///
    /// ```swift
    /// if case .dictionary(let entries)? = try archive.root.foundationValue() {
    ///     for (key, value) in entries { print(key.string ?? "?", try value.foundationValue() as Any) }
    /// }
    /// ```
    ///
    /// The class is found by its name. If that is unknown, the nearest known class in `$classes` or `$classhints` applies: an
    /// object of a subclass of NSDate is a date. Leaves without a class (strings, numbers, data and dates) have a value too.
    ///
    /// - Returns: The value. `nil` for nil, for objects of other classes, for objects that do not have the form of their class if
    ///   several forms are in use, as of AppKit's classes, and for containers of the property list.
    /// - Throws: `KeyedArchiveError` if the object lacks a key of a class whose form is certain, or contradicts itself. The error
    ///   has the uid of the object, the key and the expected value.
    /// - Complexity: O(*n*), where *n* is the number of entries, bytes, characters or runs of the object itself. The objects that
    ///   it refers to are not read.
    public func foundationValue() throws(KeyedArchiveError) -> FoundationValue? {
        if let damage { throw damage }
        guard let archived, !archived.isNull, place != .top else { return nil }
        guard archived.node.kind == .dictionary else { return try leaf(archived) }
        guard let found = try FoundationClass.find(archived, in: source.contents) else { return nil }
        var object = FoundationObject(archived, isItself: found.isItself, in: source)
        return try object.value(of: found.class)
    }

    /// The name of the class through which `foundationValue()` reads this object: its own class, or the nearest known one. `nil`
    /// for objects of other classes, and for other values.
    ///
    /// If an object has such a class and `foundationValue()` returns `nil`, the object has a form that is not known.
    ///
    /// - Complexity: O(*n*), where *n* is the number of superclasses and fallbacks of the class.
    public var foundationClassName: String? {
        guard let archived, place != .top else { return nil }
        return (try? FoundationClass.find(archived, in: source.contents))?.name
    }

    private func leaf(_ archived: ArchivedValue) throws(KeyedArchiveError) -> FoundationValue? {
        switch archived.node.kind {
        case .ascii, .utf16: .string(source.contents.list.objects.string(archived.node))
        case .true, .false, .integer, .real32, .real64: try source.contents.numberValue(archived)
        case .data: .data(Data(source.contents.list.objects.bytes(archived.node)))
        case .date:
            .date(Date(timeIntervalSinceReferenceDate: source.contents.list.objects.real64(archived.node)))
        default: nil
        }
    }
}

extension FoundationObject {
    fileprivate mutating func value(of known: FoundationClass) throws(KeyedArchiveError) -> FoundationValue? {
        switch known {
        case .cocoa(let known): try value(of: known)
        case .countedSet: try countedSet().map { .countedSet($0) }
        case .cArray: try cArray().map { .cArray(type: $0.type, elements: $0.elements) }
        case .color: try color()
        case .font: try font()
        case .record(let form): try record(form).map { .record($0) }
        }
    }

    private mutating func value(of known: CocoaClass) throws(KeyedArchiveError) -> FoundationValue? {
        switch known {
        case .string: try string().map { .string($0) }
        case .number: try number()
        case .data: try data().map { .data($0) }
        case .date: try date().map { .date($0) }
        case .url: try url().map { .url($0) }
        case .uuid: try uuid().map { .uuid($0) }
        case .null: .null
        case .array: try elements().map { .array($0) }
        case .dictionary: try dictionary().map { .dictionary($0) }
        case .set: try elements().map { .set($0) }
        case .orderedSet: try elements().map { .orderedSet($0) }
        case .decimalNumber: try decimal().map { .decimal($0) }
        case .indexSet: try indexSet().map { .indexSet($0) }
        case .indexPath: try indexPath().map { .indexPath($0) }
        case .value: try value()
        case .attributedString: try attributedString()
        case .characterSet: try characterSet()
        // These have record forms.
        case .personName, .affineTransform, .timeZone, .locale, .calendar, .measurement: nil
        case .dateComponents: try dateComponents()
        case .dateInterval: try dateInterval().map { .dateInterval($0) }
        }
    }

    private func decimal() throws(KeyedArchiveError) -> Decimal? {
        guard let number = try contents.decimal(archived) else { return try lacks("NS.mantissa", "data") }
        guard let decimal = try? Decimal(number) else { throw entries.damaged("NS.mantissa", "a decimal number") }
        return decimal
    }

    private func indexSet() throws(KeyedArchiveError) -> [Range<Int>]? {
        try required(try IndexRanges.read(archived, in: contents)?.ranges, "NSRangeCount", "an integer")
    }

    private func indexPath() throws(KeyedArchiveError) -> [Int]? {
        try required(try contents.indexPath(archived), "NSIndexPathLength", "an integer")
    }

    private mutating func dateComponents() throws(KeyedArchiveError) -> FoundationValue? {
        .dateComponents(
            try DateComponents(archivedIn: &entries), calendar: try value("NS.calendar"),
            timeZone: try value("NS.timezone"))
    }
}
