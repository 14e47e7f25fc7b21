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
