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
        try required(try contents.foundationURL(archived), "NS.relative", "a string")
    }

    func dateInterval() throws(KeyedArchiveError) -> DateInterval? {
        try required(try DateInterval.read(archived, in: contents), "NS.startDate", "a date")
    }
}
