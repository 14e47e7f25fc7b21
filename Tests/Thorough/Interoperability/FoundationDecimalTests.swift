// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

#if os(Linux)
    /// Why a `Decimal` is written as Apple's frameworks write it, although Foundation on Linux does not read that: the
    /// format's description says so.
    @Suite(.inTurn) struct `A Decimal in Foundation's coder on Linux` {
        private func read(_ data: Data) throws -> (number: NSDecimalNumber?, error: (any Error)?) {
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
            unarchiver.requiresSecureCoding = false
            unarchiver.decodingFailurePolicy = .setErrorAndReturn
            let number = unarchiver.decodeObject(forKey: "root") as? NSDecimalNumber
            return (number, unarchiver.error)
        }

        @Test func `is an error as Apple's frameworks write it`() throws {
            let data = try ArchiveEncoder().encode(Decimal(12.5))
            #expect(try KeyedArchive(data).root.className == "NSDecimalNumberPlaceholder")
            let (number, error) = try read(data)
            #expect(number == nil && error != nil)
        }

        @Test func `is 0 in the form that it reads`() throws {
            let mantissa = Data([125] + Array(repeating: 0, count: 15))
            let data = try handmadeArchive(
                [
                    "NS.mantissa": .uid(3), "NS.mantissa.bo": 1, "NS.length": 1, "NS.exponent": -1,
                    "NS.negative": false, "NS.compact": true, "$class": .uid(2),
                ], classEntry("NSDecimalNumber", "NSNumber", "NSValue"), .data(mantissa))
            #expect(try ArchiveDecoder().decode(Decimal.self, from: data) == 12.5)
            let (number, error) = try read(data)
            #expect(number?.doubleValue == 0 && error == nil)
        }
    }
#endif
