// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Data

extension ArchiveGraph {
    func data(_ bytes: RawSpan) -> Reference { leaf(list.append(data: bytes)) }

    package func data(_ bytes: [UInt8]) -> Reference { bytes.withBytes { data($0) } }

    /// Writes data in line, for a key under which Cocoa's coders encode bytes.
    package func dataInLine(_ bytes: [UInt8]) -> Reference { bytes.withBytes { list.append(data: $0) } }
}

extension ArchiveContents {
    @inline(__always)
    package func data(_ value: ArchivedValue) throws(KeyedArchiveError) -> StoredBytes? {
        if value.node.kind == .data { return try countedBytes(value.node) }
        return try dataObject(value)
    }

    @inline(never)
    private func dataObject(_ value: ArchivedValue) throws(KeyedArchiveError) -> StoredBytes? {
        var entries = entries(of: value)
        if let bytes = try entries.bytes("NS.data") { return bytes }
        return try entries.bytes("NS.bytes")
    }
}

// MARK: - Dates

extension ArchiveGraph {
    /// Returns the uid of the NSDate `seconds` after 2001-01-01 00:00 UTC. Equal dates share one object.
    func date(_ seconds: Double) -> Reference {
        let (place, entry) = numbers.find(seconds.bitPattern, .date)
        if entry.leaf != 0 { return entry.leaf }
        let slot = reserveSlot()
        numbers[place].leaf = slot.uid
        if cocoaNames.dateKey == 0 { cocoaNames.dateKey = key("NS.time") }
        let time = list.append(seconds)
        if cocoaNames.dateClass == 0 { cocoaNames.dateClass = classUID(.date) }
        fill(slot, key: cocoaNames.dateKey, value: time, classUID: cocoaNames.dateClass)
        return slot.uid
    }
}

extension ArchiveContents {
    /// Returns the seconds from 2001-01-01 00:00 UTC to a date: an NSDate or, from GNUstep, a date of the property list.
    @inline(never)
    package func date(_ value: ArchivedValue) throws(KeyedArchiveError) -> Double? {
        // Faster for a date with the same key as an earlier one.
        let time = try firstValue(of: value.node, ifKeyIs: notes?.timeKey)
        if let time, time.kind == .real64 { return list.objects.real64(time) }
        if value.node.kind == .date { return list.objects.real64(value.node) }
        var entries = entries(of: value)
        let seconds = try entries.real("NS.time")
        if let key = firstKey(of: value.node, ifNamed: "NS.time") { notes?.timeKey = key }
        return seconds
    }
}

// MARK: - Date intervals

extension DateInterval: CocoaValue {
    package func object(in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        graph.object(
            "NSDateInterval",
            [
                ("NS.startDate", graph.date(start.timeIntervalSinceReferenceDate)),
                ("NS.endDate", graph.date(end.timeIntervalSinceReferenceDate)),
                ("NS.duration", graph.real(duration, inline: true)),
            ])
    }

    package static func read(
        _ value: ArchivedValue, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> DateInterval? {
        var entries = contents.entries(of: value)
        guard let start = try entries.date("NS.startDate") else { return nil }
        // Writers other than Apple's frameworks store the end and no duration.
        let end = try entries.date("NS.endDate")
        let duration = try entries.real("NS.duration") ?? end.map { $0 - start }
        guard let duration, duration >= 0 else { throw entries.damaged("NS.duration", "0 seconds or more") }
        return DateInterval(start: Date(timeIntervalSinceReferenceDate: start), duration: duration)
    }

    package static func ownForm(from decoder: any Decoder) throws -> DateInterval? {
        let interval = try DateInterval(from: decoder)
        guard interval.duration >= 0 else {
            throw KeyedArchiveError.invalid(
                nil, "Found a date interval of \(interval.duration) seconds. The minimum is 0 seconds")
        }
        return interval
    }
}

// MARK: - Date components

extension DateComponents: CocoaValue {
    /// Apple's reader rejects a calendar or a time zone that is present and nil. Foundation on Linux rejects one that is
    /// absent, and reads an absent integer as 0. Both read the largest integer as an undefined component, so an object
    /// that Linux can read has all integers. Other objects have no entry for an undefined component, as Apple's.
    package func object(in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        var entries: [(String, ArchiveGraph.Reference)] = []
        let calendar = calendar?.object(in: graph)
        let timeZone = timeZone?.object(in: graph)
        let isComplete = graph.writesAbsentDateParts || calendar != nil && timeZone != nil
        for (key, part) in [("NS.calendar", calendar), ("NS.timezone", timeZone)] {
            if let part = part ?? (isComplete ? ArchiveGraph.null : nil) { entries.append((key, part)) }
        }
        for (key, field) in Self.integers {
            guard let value = self[keyPath: field] ?? (isComplete ? Int.max : nil) else { continue }
            entries.append((key.description, graph.integer(Int64(value), inline: true)))
        }
        // Cocoa's components have no undefined leap month. A separate Bool marks a defined one.
        entries.append(("NS.leapMonth", graph.integer(isLeapMonth == true ? 1 : 0, inline: true)))
        if let isLeapMonth { entries.append(("NS.isLeapMonth", graph.boolean(isLeapMonth, inline: true))) }
        let isRepeatedDay = knownRepeatedDay
        entries.append(("NS.repeatedDay", graph.boolean(isRepeatedDay == true, inline: true)))
        if let isRepeatedDay { entries.append(("NS.isRepeatedDay", graph.boolean(isRepeatedDay, inline: true))) }
        return graph.object("NSDateComponents", entries)
    }

    package static func read(_ value: ArchivedValue, in contents: ArchiveContents) throws -> DateComponents? {
        var entries = contents.entries(of: value)
        // Every NSDateComponents has one of these, whether Apple's frameworks or Swift's Foundation wrote it.
        let hasLeapMonth = try entries["NS.leapMonth"] != nil
        guard try hasLeapMonth || entries["NS.isLeapMonth"] != nil else { return nil }
        var components = try DateComponents(archivedIn: &entries)
        components.calendar = try Calendar.part(entries["NS.calendar"], in: contents)
        components.timeZone = try TimeZone.part(entries["NS.timezone"], in: contents)
        return components
    }

    package init(archivedIn entries: inout ObjectEntries) throws(KeyedArchiveError) {
        self.init()
        for (key, field) in Self.integers {
            // The largest integer represents an undefined component.
            guard let number = try entries.integer(key), number != Int.max else { continue }
            self[keyPath: field] = number
        }
        let leapMonth = try entries.boolean("NS.leapMonth") ?? false
        isLeapMonth = try entries.boolean("NS.isLeapMonth") ?? (leapMonth ? true : nil)
        let repeatedDay = try entries.boolean("NS.repeatedDay") ?? false
        knownRepeatedDay = try entries.boolean("NS.isRepeatedDay") ?? (repeatedDay ? true : nil)
    }

    private static let integers: [(key: StaticString, field: any WritableKeyPath<DateComponents, Int?> & Sendable)] = [
        ("NS.era", \.era), ("NS.year", \.year), ("NS.month", \.month), ("NS.day", \.day), ("NS.hour", \.hour),
        ("NS.minute", \.minute), ("NS.second", \.second), ("NS.weekday", \.weekday),
        ("NS.weekdayOrdinal", \.weekdayOrdinal), ("NS.quarter", \.quarter), ("NS.nanosec", \.nanosecond),
        ("NS.weekOfMonth", \.weekOfMonth), ("NS.weekOfYear", \.weekOfYear), ("NS.yearForWOY", \.yearForWeekOfYear),
        ("NS.dayOfYear", \.dayOfYear),
    ]

    /// Whether the day is repeated; nil if that is undefined, and on platforms that have no such component.
    private var knownRepeatedDay: Bool? {
        get {
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return isRepeatedDay }
            return nil
        }
        set {
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), let newValue {
                isRepeatedDay = newValue
            }
        }
    }
}
