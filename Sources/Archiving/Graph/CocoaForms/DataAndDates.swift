// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Data

extension ArchiveGraph {
    /// Writes data as a leaf and returns its uid.
    func data(_ bytes: RawSpan) -> Reference {
        leaf(list.append(data: bytes))
    }

    /// Writes data as a leaf and returns its uid.
    package func data(_ bytes: [UInt8]) -> Reference { bytes.withBytes { data($0) } }

    /// Writes data in line, for a key under which Cocoa's coders encode bytes.
    package func dataInLine(_ bytes: [UInt8]) -> Reference { bytes.withBytes { list.append(data: $0) } }
}

extension ArchiveContents {
    /// Returns the bytes of data: of a leaf, of an NSMutableData, or of a GNUstep data object.
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

extension ArchiveGraph {
    /// Writes the NSDateInterval from `start` to `end`, in seconds from 2001-01-01 00:00 UTC, and returns its uid.
    func dateInterval(start: Double, end: Double, duration: Double) -> Reference {
        object(
            .dateInterval,
            [
                ("NS.startDate", date(start)), ("NS.endDate", date(end)),
                ("NS.duration", real(duration, inline: true)),
            ])
    }
}

extension ArchiveContents {
    /// Returns the start of an NSDateInterval, in seconds from 2001-01-01 00:00 UTC, and its nonnegative length in seconds.
    package func dateInterval(_ value: ArchivedValue) throws(KeyedArchiveError) -> (start: Double, duration: Double)? {
        var entries = entries(of: value)
        guard let start = try entries.date("NS.startDate") else { return nil }
        // Writers other than Apple's frameworks store the end and no duration.
        let end = try entries.date("NS.endDate")
        let duration = try entries.real("NS.duration") ?? end.map { $0 - start }
        guard let duration, duration >= 0 else { throw entries.damaged("NS.duration", "0 seconds or more") }
        return (start, duration)
    }
}
