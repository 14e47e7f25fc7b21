// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An object of one of Foundation's classes, which is converted to a value.
///
/// Each function returns nil for an object of a subclass with its own archived form, and throws if the object is damaged.
struct FoundationObject {
    let source: ArchiveSource
    let archived: ArchivedValue
    /// Whether the object's own class is one of Foundation's, rather than a superclass of it.
    let isItself: Bool
    var entries: ObjectEntries

    init(_ archived: ArchivedValue, isItself: Bool, in source: ArchiveSource) {
        self.source = source
        self.archived = archived
        self.isItself = isItself
        entries = ObjectEntries(archived, in: source.contents)
    }

    var contents: ArchiveContents { source.contents }

    /// Returns nil for an object of a subclass that has no value under `key`. For Foundation's own class it throws an error that
    /// names `wanted`.
    func lacks<Value>(_ key: StaticString, _ wanted: String) throws(KeyedArchiveError) -> Value? {
        guard isItself else { return nil }
        throw entries.damaged(key, wanted)
    }

    func required<Value>(
        _ found: Value?, _ key: StaticString, _ wanted: String
    ) throws(KeyedArchiveError) -> Value? {
        if let found { return found }
        return try lacks(key, wanted)
    }
}

// MARK: - Entries

extension FoundationObject {
    /// The string under `key`, in any form; nil if the key is absent or holds nil.
    mutating func text(_ key: StaticString) throws(KeyedArchiveError) -> String? {
        guard let entry = try entries[key], !entry.isNull else { return nil }
        guard let text = try contents.text(entry) else { throw entries.damaged(key, "a string") }
        return text
    }

    /// The value under `key`; nil if the key is absent or holds nil.
    mutating func value(_ key: StaticString) throws(KeyedArchiveError) -> KeyedArchive.Value? {
        guard let reference = try entries.reference(key) else { return nil }
        // The referenced value may be damaged. That is reported when it is read.
        if let found = try? contents.value(reference), found.isNull { return nil }
        return source.value(reference)
    }

    /// The number under `key`, in any form; nil if the key is absent or holds nil.
    mutating func number(_ key: StaticString) throws(KeyedArchiveError) -> FoundationValue? {
        guard let entry = try entries[key], !entry.isNull else { return nil }
        guard let number = try contents.numberValue(entry) else { throw entries.damaged(key, "a number") }
        return number
    }
}

extension ArchiveContents {
    func numberValue(_ value: ArchivedValue) throws(KeyedArchiveError) -> FoundationValue? {
        let node = try number(value).node
        switch node.kind {
        case .true: return .boolean(true)
        case .false: return .boolean(false)
        case .integer: return .integer(list.objects.integer(node))
        case .real64: return .real(list.objects.real64(node))
        case .real32: return .real(Double(list.objects.real32(node)))
        default: return nil
        }
    }
}

// MARK: - Leaves

extension FoundationObject {
    func number() throws(KeyedArchiveError) -> FoundationValue? {
        try required(try contents.numberValue(archived), "NS.number", "a number")
    }

    func data() throws(KeyedArchiveError) -> Data? {
        try required(try contents.data(archived).map { Data($0) }, "NS.data", "data")
    }

    mutating func date() throws(KeyedArchiveError) -> Date? {
        var seconds = try contents.date(archived)
        // GNUstep's NSCalendarDate has it without a key.
        if seconds == nil { seconds = try entries.real("$0") }
        return try required(seconds.map { Date(timeIntervalSinceReferenceDate: $0) }, "NS.time", "a number")
    }

    func uuid() throws(KeyedArchiveError) -> UUID? {
        guard let bytes = try contents.uuid(archived) else { return try lacks("NS.uuidbytes", "data of 16 bytes") }
        return UUID(bytes)
    }

    func url() throws(KeyedArchiveError) -> URL? {
        try required(try contents.foundationURL(archived), "NS.relative", "a string")
    }

    func dateInterval() throws(KeyedArchiveError) -> DateInterval? {
        try required(try DateInterval.read(archived, in: contents), "NS.startDate", "a date")
    }
}

/// The class that determines how an object is read.
enum FoundationClass {
    /// A class that programs decode as well.
    case cocoa(CocoaClass)
    case cArray, countedSet
    case color, font
    /// A class whose objects are described by a table.
    case record(RecordForm)

    /// The modules in the names of some classes by Foundation on Linux.
    private static let modules = ["FoundationNetworking.", "Foundation."]

    init?(named name: String) {
        let module = Self.modules.first { name.hasPrefix($0) } ?? ""
        let name = String(name.dropFirst(module.count))
        if let form = RecordForm.named[name] {
            self = .record(form)
        } else if let known = CocoaClass(named: name) {
            self = .cocoa(known)
        } else if let known = Self.names[name] {
            self = known
        } else {
            return nil
        }
    }

    private static let names: [String: FoundationClass] = [
        "_NSKeyedCoderOldStyleArray": .cArray, "NSCountedSet": .countedSet,
        "NSColor": .color, "UIColor": .color, "NSFont": .font, "UIFont": .font,
    ]
}

extension FoundationClass {
    /// Returns the class of the object `value` if it is known, otherwise the nearest known one; nil if there is none, and for other
    /// values.
    static func find(
        _ value: ArchivedValue, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> (class: FoundationClass, name: String, isItself: Bool)? {
        guard value.node.kind == .dictionary, let uid = try contents.classUID(of: value.node) else { return nil }
        return try contents.nearestClass(uid, FoundationClass.init(named:))
    }
}

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
