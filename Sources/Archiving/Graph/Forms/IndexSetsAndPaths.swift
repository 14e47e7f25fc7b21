// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Index sets

/// The ranges of an NSIndexSet: in ascending order, none of them empty.
package struct IndexRanges: CocoaParts {
    package let ranges: [Range<Int>]

    static var cocoaClass: CocoaClass { .indexSet }
    package var visits: Int { 2 * ranges.count }

    private init(_ ranges: [Range<Int>]) { self.ranges = ranges }

    init<Value: Codable>(of value: Value) throws {
        var ranges: [Range<Int>] = []
        var location = 0
        for (key, part) in try EncodedParts(of: value).list {
            guard case .integer(let number) = part else { continue }
            if key == "location" { location = number }
            if key == "length" { ranges.append(location..<location + number) }
        }
        self.ranges = ranges
    }

    func value<Value: Codable>(as type: Value.Type) throws -> Value? {
        let list = ranges.flatMap { range in
            [("location", EncodedParts.Part.integer(range.lowerBound)), ("length", .integer(range.count))]
        }
        return try EncodedParts(list).value(of: type)
    }

    package func object(in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        var entries = [("NSRangeCount", graph.integer(Int64(ranges.count), inline: true))]
        if ranges.count > 1 {
            let integers = ranges.flatMap { [UInt64($0.lowerBound), UInt64($0.count)] }
            entries.append(("NSRangeData", graph.data(PackedIntegers(integers).bytes)))
        } else if let range = ranges.first {
            entries.append(("NSLocation", graph.integer(Int64(range.lowerBound), inline: true)))
            entries.append(("NSLength", graph.integer(Int64(range.count), inline: true)))
        }
        return graph.object("NSIndexSet", entries)
    }

    package static func read(
        _ value: ArchivedValue, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> IndexRanges? {
        var entries = contents.entries(of: value)
        guard let count = try entries.integer("NSRangeCount") else { return nil }
        guard count > 1 else {
            guard count >= 0 else { throw entries.damaged("NSRangeCount", "a number of ranges") }
            guard count == 1 else { return IndexRanges([]) }
            let location = try entries.integer("NSLocation") ?? 0
            let length = try entries.integer("NSLength") ?? 0
            guard location >= 0, length >= 0, location <= Int.max - length else {
                throw entries.damaged("NSLength", "the length of a range of indexes")
            }
            return IndexRanges(length == 0 ? [] : [location..<location + length])
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
        return IndexRanges(ranges)
    }

    /// IndexSet reads its own form without checking it.
    package static func ownForm(from decoder: any Decoder) throws -> IndexRanges? {
        struct Indexes: Decodable {
            struct Interval: Decodable {
                var location, length: Int
            }
            var indexes: [Interval]
        }
        return IndexRanges(
            try Indexes(from: decoder).indexes.map { interval in
                let (location, length) = (interval.location, interval.length)
                guard location >= 0, length >= 0, location <= Int.max - length else {
                    throw KeyedArchiveError.invalid(
                        nil, "Found an invalid range: location \(location), length \(length)")
                }
                return location..<location + length
            })
    }
}

// MARK: - Index paths

extension IndexPath: CocoaValue {
    package var visits: Int { count }

    package func object(in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        var entries = [("NSIndexPathLength", graph.integer(Int64(count), inline: true))]
        if count > 1 {
            let integers = map { UInt64(bitPattern: Int64($0)) }
            entries.append(("NSIndexPathData", graph.data(PackedIntegers(integers).bytes)))
        } else if let index = first {
            entries.append(("NSIndexPathValue", graph.integer(Int64(index), inline: true)))
        }
        return graph.object("NSIndexPath", entries)
    }

    package static func read(
        _ value: ArchivedValue, in contents: ArchiveContents
    ) throws(KeyedArchiveError) -> IndexPath? {
        try contents.indexPath(value).map { IndexPath(indexes: $0) }
    }
}

extension ArchiveContents {
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
        var integers = PackedIntegers.integers(in: bytes, count: length)?.map { Int64(bitPattern: $0) }
        let size = MemoryLayout<UInt64>.size
        if integers == nil, bytes.count / size == length, bytes.count % size == 0 {
            // GNUstep stores 64 bits for each index, with the lower 32 bits first and in big-endian byte order.
            integers = (0..<length).map { Int64(bytes.number(at: $0 * size, size: 4)) }
        }
        guard let integers else {
            throw entries.damaged("NSIndexPathData", "data with as many indexes as NSIndexPathLength says")
        }
        let indexes = integers.compactMap { Int(exactly: $0) }
        guard indexes.count == length else {
            throw entries.damaged("NSIndexPathData", "indexes of \(Int.bitWidth) bits")
        }
        return indexes
    }
}
