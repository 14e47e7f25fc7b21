// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Leaves

extension FoundationObject {
    func number() throws(KeyedArchiveError) -> FoundationValue? {
        try required(try contents.numberValue(archived), "NS.number", "a number")
    }

    func data() throws(KeyedArchiveError) -> Data? {
        try required(try contents.data(archived).map { Data($0) }, "NS.data", "data")
    }

    mutating func date() throws(KeyedArchiveError) -> Date? {
        var seconds = try contents.date(archived)
        // GNUstep's NSCalendarDate has it without a key.
        if seconds == nil { seconds = try entries.real("$0") }
        return try required(seconds.map { Date(timeIntervalSinceReferenceDate: $0) }, "NS.time", "a number")
    }

    func uuid() throws(KeyedArchiveError) -> UUID? {
        guard let bytes = try contents.uuid(archived) else { return try lacks("NS.uuidbytes", "data of 16 bytes") }
        return UUID(bytes)
    }

    func url() throws(KeyedArchiveError) -> URL? {
        guard let texts = try contents.urlTexts(archived) else { return try lacks("NS.relative", "a string") }
        do throws(InvalidURL) {
            return try URL(archivedTexts: texts)
        } catch {
            throw entries.damaged("NS.relative", "a URL: \"\(error.text.prefix(80))\"")
        }
    }

    func dateInterval() throws(KeyedArchiveError) -> DateInterval? {
        guard let (start, duration) = try contents.dateInterval(archived) else {
            return try lacks("NS.startDate", "a date")
        }
        return DateInterval(start: Date(timeIntervalSinceReferenceDate: start), duration: duration)
    }
}
