// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// An archive that is made to cost more than it weighs, a way to read it, and how that has to end.
package struct Attack: Sendable, CustomTestStringConvertible {
    /// How reading ends.
    package enum End: Sendable {
        /// With the error of a limit, which is named.
        case limit(String)
        /// With an error of another kind, whose text is short.
        case otherError
        /// With a value.
        case value
    }

    package let name: String
    package let reader: Reader
    package let end: End
    private let archive: @Sendable () -> Data

    package init(
        _ name: String, _ reader: Reader, _ end: End,
        _ archive: @escaping @Sendable (RawArchive) -> RawArchive.Reference
    ) {
        self.init(name, reader, end, data: { RawArchive.data(archive) })
    }

    /// An archive of any kind.
    package init(_ name: String, _ reader: Reader, _ end: End, data: @escaping @Sendable () -> Data) {
        self.name = name
        self.reader = reader
        self.end = end
        archive = data
    }

    /// The same archive for several readers.
    package static func each(
        _ name: String, _ readers: [Reader], _ end: End,
        _ archive: @escaping @Sendable (RawArchive) -> RawArchive.Reference
    ) -> [Attack] {
        readers.map { Attack(name, $0, end, archive) }
    }

    package var testDescription: String { "\(name); \(reader.name)" }

    package var data: Data { archive() }
}

extension Attack {
    /// The longest text that an error has, whatever is in the archive.
    private static let errorLength = 8000

    /// Reads the archive, and records an issue where that ends otherwise than it has to.
    package func run(_ limits: DecodingLimits = DecodingLimits(), sourceLocation: SourceLocation = #_sourceLocation) {
        let data = data
        var failure: (any Error)?
        do { _ = try reader.read(data, limits) } catch { failure = error }
        let text = failure.map { "\($0)" } ?? "no error"
        #expect(text.utf8.count < Self.errorLength, "the text of the error", sourceLocation: sourceLocation)
        let excerpt = text.prefix(300)
        switch end {
        case .value: #expect(failure == nil, "\(excerpt)", sourceLocation: sourceLocation)
        case .otherError:
            let isOther = failure.map { LimitFailure($0) == nil } ?? false
            #expect(isOther, "\(excerpt)", sourceLocation: sourceLocation)
        case .limit(let limit):
            let names =
                failure.flatMap { LimitFailure($0) }?.names(limit, figure(of: limit, limits, data)) ?? false
            #expect(names, "\(excerpt)", sourceLocation: sourceLocation)
        }
    }

    /// The limit: the set one, or else the documented one; nil for a limit that cannot be set.
    private func figure(of limit: String, _ limits: DecodingLimits, _ data: Data) -> Int? {
        switch limit {
        case "work": limits.work ?? 1_250_000 + 17 * data.count
        default: nil
        }
    }
}
