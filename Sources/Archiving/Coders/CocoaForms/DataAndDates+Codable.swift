// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Data

extension Data: EncodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        withBytes { graph.data($0) }
    }
}

extension Data: DecodableArrayElement {
    enum ArrayForm: LeafArrayDecoding { typealias Element = Data }

    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Data {
        let bytes = try decoder.undamaged(decoder.archive.data(value), at: step())
        guard let bytes else { return try elements(of: value, in: decoder, at: step()) }
        return Data(bytes)
    }

    /// Decodes the bytes of an array of numbers.
    @inline(never)
    private static func elements(
        of value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Data {
        guard value.node.kind == .array || value.node.kind == .dictionary else {
            throw decoder.mismatch(Data.self, value, step)
        }
        return Data(try UInt8.ArrayForm.read(value, in: decoder, at: step))
    }
}

// MARK: - Dates

extension Date: EncodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        graph.date(timeIntervalSinceReferenceDate)
    }
}

extension Date: DecodableArrayElement {
    enum ArrayForm: LeafArrayDecoding { typealias Element = Date }

    @inline(__always)
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> Date {
        let seconds = try decoder.undamaged(decoder.archive.date(value), at: step())
        guard let seconds else { return try number(value, in: decoder, at: step()) }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// Decodes a date that is stored as a number of seconds.
    @inline(never)
    private static func number(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: CodingPathStep
    ) throws -> Date {
        switch value.node.kind {
        case .real64, .real32, .integer:
            Date(timeIntervalSinceReferenceDate: try decoder.double(value, at: step))
        default: throw decoder.mismatch(Date.self, value, step)
        }
    }
}

// MARK: - Intervals of dates

extension DateInterval: EncodableLeaf {
    func reference(in graph: ArchiveGraph, inline: Bool) -> ArchiveGraph.Reference {
        return graph.dateInterval(
            start: start.timeIntervalSinceReferenceDate, end: end.timeIntervalSinceReferenceDate,
            duration: duration)
    }
}

extension DateInterval: DecodableLeaf {
    static func leaf(
        _ value: ArchivedValue, in decoder: DecodingFrame, at step: @autoclosure () -> CodingPathStep
    ) throws -> DateInterval {
        let parts = try decoder.undamaged(decoder.archive.dateInterval(value), at: step())
        if let (start, duration) = parts {
            return DateInterval(start: Date(timeIntervalSinceReferenceDate: start), duration: duration)
        }
        let interval = try decoder.otherForm(of: DateInterval.self, value, at: step()) { try DateInterval(from: $0) }
        guard interval.duration >= 0 else {
            let sentence = "Found a date interval of \(interval.duration) seconds. The minimum is 0 seconds"
            throw DecodingError.invalid(path: decoder.path(step())) { _ in
                sentence
            }
        }
        return interval
    }
}
