// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Index sets

enum IndexSetForm<Value: Codable>: CodedShape {
    static func write(
        _ value: Value, in encoding: EncodingFrame, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let fields = try PlainFields(of: value)
        return encoding.graph.indexSet(fields.indexRanges)
    }

    static func read(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Value {
        let ranges = try decoder.undamaged(decoder.archive.indexSet(value), at: step)
        // IndexSet does not check its own form, so the ranges are checked here.
        let fields =
            try ranges.map(PlainFields.init(indexRanges:))
            ?? decoder.otherForm(of: Value.self, value, at: step) { try PlainFields(indexSetFrom: $0) }
        try decoder.countVisits(fields.count)
        return try fields.value(of: Value.self)
    }
}

extension PlainFields {
    private static var location: String { "location" }
    private static var length: String { "length" }

    var indexRanges: [Range<Int>] {
        var ranges: [Range<Int>] = []
        var location = 0
        for field in list {
            if field.key == Self.location { location = field.value }
            if field.key == Self.length { ranges.append(location..<location + field.value) }
        }
        return ranges
    }

    /// Creates the fields from which an IndexSet decodes itself.
    init(indexRanges: [Range<Int>]) {
        list = []
        list.reserveCapacity(2 * indexRanges.count)
        for range in indexRanges {
            append(Self.location, range.lowerBound)
            append(Self.length, range.count)
        }
    }

    /// Decodes the ranges from the form of IndexSet's own `encode(to:)`, which IndexSet reads without checking them.
    init(indexSetFrom decoder: ProgramDecoder) throws {
        struct Indexes: Decodable {
            struct Interval: Decodable {
                var location, length: Int
            }
            var indexes: [Interval]
        }
        list = []
        for interval in try Indexes(from: decoder).indexes {
            guard interval.location >= 0, interval.length >= 0, interval.location <= Int.max - interval.length else {
                throw DecodingError.invalid(path: decoder.codingPath) { _ in
                    "Found an invalid range: location \(interval.location), length \(interval.length)"
                }
            }
            append(Self.location, interval.location)
            append(Self.length, interval.length)
        }
    }
}

// MARK: - Index paths

extension IndexPath: EncodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        graph.indexPath(self)
    }
}

extension IndexPath: DecodableLeaf {
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> IndexPath {
        let indexes = try decoder.undamaged(decoder.archive.indexPath(value), at: step())
        guard let indexes else {
            return try decoder.otherForm(of: IndexPath.self, value, at: step()) { try IndexPath(from: $0) }
        }
        try decoder.countVisits(indexes.count)
        return IndexPath(indexes: indexes)
    }
}
