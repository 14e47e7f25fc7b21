// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The values `autoupdatingCurrent` are equal to no other value, so an entry of this library marks them. It also marks
// the user's locale, which is more than its name. Other readers ignore the entry and use the name.

extension ArchiveGraph {
    static var autoupdatingKey: String { "autoupdating" }
}

// MARK: - Locales

extension ArchiveGraph {
    func locale(_ locale: Locale) -> Reference {
        var entries = [("NS.identifier", string(locale.identifier))]
        if locale == .autoupdatingCurrent {
            entries.append((Self.autoupdatingKey, boolean(true, inline: true)))
        } else if locale == .current {
            entries.append(("current", boolean(true, inline: true)))
        }
        return object(.locale, entries)
    }
}

extension Locale: EncodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        graph.locale(self)
    }
}

extension Locale: DecodableLeaf {
    /// The limit for the name of a locale. Names have at most 157 characters; Foundation keeps every requested locale.
    private static var nameLimit: Int { 1024 }

    /// The contents of an NSLocale.
    private struct Archived {
        var name: String
        var isAutoupdating: Bool
        var isCurrent: Bool
    }

    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Locale {
        let archived = try decoder.contents(at: step()) { contents throws(KeyedArchiveError) in
            var entries = contents.entries(of: value)
            var name = try entries.text("NS.identifier")
            // GNUstep's has the name as its single value.
            if name == nil { name = try entries.text("$0") }
            guard let name else { return Archived?.none }
            return Archived(
                name: name, isAutoupdating: try entries.boolean("autoupdating") == true,
                isCurrent: try entries.boolean("current") == true)
        }
        if let archived {
            if archived.isAutoupdating { return .autoupdatingCurrent }
            if archived.isCurrent, Locale.current.identifier == archived.name { return .current }
            return try locale(named: archived.name, in: decoder, at: step())
        }
        return try decoder.otherForm(of: Locale.self, value, at: step()) { decoder in
            let fields = try decoder.container(keyedBy: ArchiveKey.self)
            // In Locale's own form, 2 represents the locale that follows the user's settings.
            let current = try fields.decodeIfPresent(Int.self, forKey: ArchiveKey(stringValue: "current"))
            let name = try fields.decode(String.self, forKey: ArchiveKey(stringValue: "identifier"))
            return current == 2 ? .autoupdatingCurrent : try locale(named: name, in: decoder.decoding, at: .root)
        }
    }

    static func locale(
        named name: String, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Locale {
        guard name.utf8.count <= nameLimit else {
            throw DecodingError.invalid(path: decoder.path(step)) { _ in
                "Found a locale name of \(name.utf8.count) bytes. The limit is \(nameLimit) bytes"
            }
        }
        return Locale(identifier: name)
    }
}

// MARK: - Time zones

extension ArchiveGraph {
    /// Writes a time zone by its name. Its rules, which Cocoa stores under `NS.data`, are not available here.
    func timeZone(_ timeZone: TimeZone) -> Reference {
        var entries = [("NS.name", string(timeZone.identifier)), ("NS.data", Self.null)]
        if timeZone == .autoupdatingCurrent { entries.append((Self.autoupdatingKey, boolean(true, inline: true))) }
        return object(.timeZone, entries)
    }
}

extension TimeZone: EncodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        graph.timeZone(self)
    }
}

extension TimeZone: DecodableLeaf {
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> TimeZone {
        let archived = try decoder.contents(at: step()) { contents throws(KeyedArchiveError) in
            var entries = contents.entries(of: value)
            var name = try entries.text("NS.name")
            if name == nil { name = try entries.text("$0") }
            return (name: name, isCurrent: try entries.boolean("autoupdating") == true)
        }
        if let name = archived.name {
            return archived.isCurrent ? .autoupdatingCurrent : try timeZone(named: name, in: decoder, at: step())
        }
        return try decoder.otherForm(of: TimeZone.self, value, at: step()) { try TimeZone(from: $0) }
    }

    private static func timeZone(
        named name: String, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> TimeZone {
        if let timeZone = TimeZone(identifier: name) ?? offset(named: name).flatMap(TimeZone.init(secondsFromGMT:)) {
            return timeZone
        }
        throw DecodingError.invalid(path: decoder.path(step)) { _ in
            "Found a time zone \"\(name.prefix(80))\", which this program does not know. Without the full Foundation it"
                + " knows only GMT and zones with a fixed offset"
        }
    }

    /// Returns the seconds in a name such as "GMT+0130", the form for zones without a place.
    private static func offset(named name: String) -> Int? {
        let text = name.utf8
        guard text.count == 8, name.hasPrefix("GMT"), let number = Int(name.dropFirst(4)), number >= 0 else {
            return nil
        }
        let seconds = number / 100 * 3600 + number % 100 * 60
        switch text.dropFirst(3).first {
        case UInt8(ascii: "+"): return seconds
        case UInt8(ascii: "-"): return -seconds
        default: return nil
        }
    }
}
