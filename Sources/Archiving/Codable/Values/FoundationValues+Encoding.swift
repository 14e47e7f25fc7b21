#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation's types have forms of their own in archives: those of the Cocoa classes that they stand for.

// MARK: - Data, dates and identifiers

extension Data: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        address.assumingMemoryBound(to: Self.self).pointee.withUnsafeBytes { encoder.graph.pointee.data($0) }
    }
}

extension Date: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.date(address.load(as: Self.self).timeIntervalSinceReferenceDate)
    }
}

extension UUID: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        withUnsafeBytes(of: address.load(as: Self.self).uuid) { encoder.graph.pointee.uuid($0) }
    }
}

extension URL: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        let url = address.assumingMemoryBound(to: Self.self).pointee
        guard let base = url.baseURL else {
            return encoder.graph.pointee.url(url.relativeString, base: ArchiveGraph.null)
        }
        // Foundation keeps a base without a base of its own.
        let baseUID = encoder.graph.pointee.url(base.absoluteString, base: ArchiveGraph.null)
        return encoder.graph.pointee.url(url.relativeString, base: baseUID)
    }
}

// MARK: - Numbers and indexes

extension Decimal: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        encoder.graph.pointee.decimal(DecimalNumber(try PlainFields(of: address.load(as: Self.self))))
    }
}

extension IndexPath: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.indexPath(address.assumingMemoryBound(to: Self.self).pointee)
    }
}

/// `Value` is IndexSet.
enum IndexSetEncoding<Value: Encodable>: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) throws -> ArchiveGraph.Reference {
        let fields = try PlainFields(of: address.assumingMemoryBound(to: Value.self).pointee)
        return encoder.graph.pointee.indexSet(fields.indexRanges)
    }
}

// MARK: - Dates and places

extension DateInterval: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        let interval = address.assumingMemoryBound(to: Self.self).pointee
        let graph = encoder.graph
        return graph.pointee.object(
            .dateInterval,
            [
                ("NS.startDate", graph.pointee.date(interval.start.timeIntervalSinceReferenceDate)),
                ("NS.endDate", graph.pointee.date(interval.end.timeIntervalSinceReferenceDate)),
                ("NS.duration", graph.pointee.real(interval.duration, inline: true)),
            ])
    }
}

extension Locale: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.locale(address.assumingMemoryBound(to: Self.self).pointee)
    }
}

extension TimeZone: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.timeZone(address.assumingMemoryBound(to: Self.self).pointee)
    }
}

extension Calendar: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.calendar(address.assumingMemoryBound(to: Self.self).pointee)
    }
}

extension DateComponents: NativelyEncodable {
    static func write(
        valueAt address: UnsafeRawPointer, in encoder: ArchiveEncoding, at step: CodingPathStep, inline: Bool
    ) -> ArchiveGraph.Reference {
        encoder.graph.pointee.dateComponents(address.assumingMemoryBound(to: Self.self).pointee)
    }
}
