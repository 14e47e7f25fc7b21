// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Index sets

extension ArchiveGraph {
    /// Writes an NSIndexSet of `ranges`, which are in ascending order and not adjacent, and returns its uid.
    func indexSet(_ ranges: [Range<Int>]) -> Reference {
        var entries = [("NSRangeCount", integer(Int64(ranges.count), inline: true))]
        if ranges.count > 1 {
            var packed = PackedIntegers()
            for range in ranges {
                packed.append(UInt64(range.lowerBound))
                packed.append(UInt64(range.count))
            }
            entries.append(("NSRangeData", data(packed.bytes)))
        } else if let range = ranges.first {
            entries.append(("NSLocation", integer(Int64(range.lowerBound), inline: true)))
            entries.append(("NSLength", integer(Int64(range.count), inline: true)))
        }
        return object(.indexSet, entries)
    }
}

extension ArchiveContents {
    /// Returns the nonempty ranges of an NSIndexSet, in ascending order.
    package func indexSet(_ value: ArchivedValue) throws(KeyedArchiveError) -> [Range<Int>]? {
        var entries = entries(of: value)
        guard let count = try entries.integer("NSRangeCount") else { return nil }
        guard count > 1 else {
            guard count >= 0 else { throw entries.damaged("NSRangeCount", "a number of ranges") }
            guard count == 1 else { return [] }
            let location = try entries.integer("NSLocation") ?? 0
            let length = try entries.integer("NSLength") ?? 0
            guard location >= 0, length >= 0, location <= Int.max - length else {
                throw entries.damaged("NSLength", "the length of a range of indexes")
            }
            return length == 0 ? [] : [location..<location + length]
        }
        guard let bytes = try entries.bytes("NSRangeData") else { throw entries.damaged("NSRangeData", "data") }
        let (integerCount, overflow) = count.multipliedReportingOverflow(by: 2)
        guard !overflow, let integers = PackedIntegers.integers(in: bytes, count: integerCount) else {
            throw entries.damaged("NSRangeData", "data with as many ranges as NSRangeCount says")
        }
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(count)
        var end: UInt64 = 0
        for index in stride(from: 0, to: integerCount, by: 2) {
            let (location, length) = (integers[index], integers[index + 1])
            guard location >= end, location <= UInt64(Int.max), length > 0, length <= UInt64(Int.max) - location else {
                throw entries.damaged("NSRangeData", "ranges of indexes in ascending order")
            }
            end = location + length
            ranges.append(Int(location)..<Int(end))
        }
        return ranges
    }
}

// MARK: - Index paths

extension ArchiveGraph {
    /// Writes an NSIndexPath and returns its uid.
    func indexPath(_ indexes: some Collection<Int>) -> Reference {
        var entries = [("NSIndexPathLength", integer(Int64(indexes.count), inline: true))]
        if indexes.count > 1 {
            var packed = PackedIntegers()
            for index in indexes { packed.append(UInt64(bitPattern: Int64(index))) }
            entries.append(("NSIndexPathData", data(packed.bytes)))
        } else if let index = indexes.first {
            entries.append(("NSIndexPathValue", integer(Int64(index), inline: true)))
        }
        return object(.indexPath, entries)
    }
}

extension ArchiveContents {
    /// Returns the indexes of an NSIndexPath.
    package func indexPath(_ value: ArchivedValue) throws(KeyedArchiveError) -> [Int]? {
        var entries = entries(of: value)
        guard let length = try entries.integer("NSIndexPathLength") else { return nil }
        guard length > 1 else {
            guard length >= 0 else { throw entries.damaged("NSIndexPathLength", "a number of indexes") }
            guard length == 1 else { return [] }
            guard let index = try entries.integer("NSIndexPathValue") else {
                throw entries.damaged("NSIndexPathValue", "an integer")
            }
            return [index]
        }
        guard let bytes = try entries.bytes("NSIndexPathData") else { throw entries.damaged("NSIndexPathData", "data") }
        if let integers = PackedIntegers.integers(in: bytes, count: length) {
            return try Self.indexes(integers.map { Int64(bitPattern: $0) }, &entries)
        }
        let size = MemoryLayout<UInt64>.size
        guard bytes.count / size == length, bytes.count % size == 0 else {
            throw entries.damaged("NSIndexPathData", "data with as many indexes as NSIndexPathLength says")
        }
        // GNUstep stores 64 bits for each index, with the lower 32 bits first and in big-endian byte order.
        let integers = (0..<length).map {
            Int64(bytes.number(at: $0 * size, size: 4))
        }
        return try Self.indexes(integers, &entries)
    }

    private static func indexes(
        _ integers: [Int64], _ entries: inout ObjectEntries
    ) throws(KeyedArchiveError) -> [Int] {
        var indexes: [Int] = []
        indexes.reserveCapacity(integers.count)
        for integer in integers {
            guard let index = Int(exactly: integer) else {
                throw entries.damaged("NSIndexPathData", "indexes of \(Int.bitWidth) bits")
            }
            indexes.append(index)
        }
        return indexes
    }
}
