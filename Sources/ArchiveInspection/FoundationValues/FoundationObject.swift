import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An object of one of Foundation's classes, of which a value is made.
///
/// Each function gives nil for an object of a subclass that has not been written as its superclass writes itself, and
/// throws where the object is damaged.
struct FoundationObject {
    let source: ArchiveSource
    let archived: ArchivedValue
    /// Whether the object is of a class of Foundation's itself, not of one that inherits from it.
    let isItself: Bool
    var entries: ObjectEntries

    init(_ archived: ArchivedValue, isItself: Bool, in source: ArchiveSource) {
        self.source = source
        self.archived = archived
        self.isItself = isItself
        entries = ObjectEntries(archived, in: source.contents)
    }

    var contents: ArchiveContents { source.contents }

    /// What becomes of an object that has nothing under `key`, where there has to be what `wanted` says.
    func lacks<Value>(_ key: StaticString, _ wanted: String) throws(KeyedArchiveError) -> Value? {
        guard isItself else { return nil }
        throw entries.damaged(key, wanted)
    }

    /// `found`, which `key` has to have.
    func required<Value>(
        _ found: Value?, _ key: StaticString, _ wanted: String
    ) throws(KeyedArchiveError) -> Value? {
        if let found { return found }
        return try lacks(key, wanted)
    }
}

// MARK: - Entries

extension FoundationObject {
    /// The string under `key`, in any form; nil where there is none, or nil.
    mutating func text(_ key: StaticString) throws(KeyedArchiveError) -> String? {
        guard let entry = try entries[key], !entry.isNull else { return nil }
        guard let text = try contents.text(entry) else { throw entries.damaged(key, "a string") }
        return text
    }

    /// The string under `key`, or under GNUstep's `other`.
    mutating func text(_ key: StaticString, or other: StaticString) throws(KeyedArchiveError) -> String? {
        if let text = try text(key) { return text }
        return try text(other)
    }

    /// The bytes of the data under `key`, copied; nil where there is none, or nil.
    mutating func data(_ key: StaticString) throws(KeyedArchiveError) -> Data? {
        guard try entries.has(key), let bytes = try entries.bytes(key) else { return nil }
        return Data(bytes)
    }

    /// The value under `key`; nil where there is none, or nil.
    mutating func value(_ key: StaticString) throws(KeyedArchiveError) -> KeyedArchive.Value? {
        guard let reference = try entries.reference(key) else { return nil }
        // Where it leads is not this object's concern: what is damaged there shows itself when it is read.
        if let found = try? contents.value(reference), found.isNull { return nil }
        return source.value(reference)
    }

    /// The keys and values of the dictionary under `key`; none where there is nothing, or nil.
    mutating func dictionary(_ key: StaticString) throws(KeyedArchiveError) -> KeyedArchive.Value.Entries {
        let none = ArchivedElements([])
        guard let entry = try entries[key], !entry.isNull else {
            return KeyedArchive.Value.Entries(source: source, keys: none, values: none)
        }
        let dictionary = FoundationObject(entry, isItself: false, in: source)
        guard entry.node.kind == .dictionary, let (keys, values) = try dictionary.dictionaryReferences() else {
            throw entries.damaged(key, "a dictionary")
        }
        return KeyedArchive.Value.Entries(source: source, keys: keys, values: values)
    }

    /// The number under `key`, in any form; nil where there is none, or nil.
    mutating func number(_ key: StaticString) throws(KeyedArchiveError) -> FoundationValue.Number? {
        guard let entry = try entries[key], !entry.isNull else { return nil }
        guard let number = try contents.numberValue(entry) else { throw entries.damaged(key, "a number") }
        return number
    }
}

extension ArchiveContents {
    /// The number that `value` is, or has inside; nil where it is something else.
    func numberValue(_ value: ArchivedValue) throws(KeyedArchiveError) -> FoundationValue.Number? {
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
