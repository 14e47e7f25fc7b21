// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What is missing, collections of other shapes, and which numbers are read as which.
extension `The guide to coding` {
    // MARK: Values

    @Test func `distinguishes missing keys from values`() throws {
        let archiver = KeyedArchiver()
        archiver.encodeNil(forKey: "nothing")
        archiver.encode(2.5, forKey: "price")
        let coder = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        #expect(coder.containsValue(forKey: "nothing"))
        #expect(Set(coder.allKeys) == ["nothing", "price"])

        let speed = try coder.decodeDouble(forKey: "speed")  // 0 if the key is missing
        let price = try coder.decode(Double.self, forKey: "price")  // an error
        let discount = try coder.decodeIfPresent(Double.self, forKey: "discount")  // nil
        #expect(speed == 0 && price == 2.5 && discount == nil)
        #expect(try coder.decodeInteger(forKey: "count") == 0)
        let error = #expect(throws: UnarchivingError.self) { try coder.decode(Double.self, forKey: "discount") }
        #expect(error?.code == .valueNotFound)

        #expect(try coder.decodeIfPresent(String.self, forKey: "nothing") == nil)
        #expect(try coder.decodeIfPresent(Owner.self, forKey: "nothing") == nil)
        let noOwner = #expect(throws: UnarchivingError.self) { try coder.decode(Owner.self, forKey: "nothing") }
        #expect(noOwner?.code == .valueNotFound)
    }

    /// The rows of the document's table: what is in the archive, and what becomes of it.
    struct Conversion: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let value: PropertyList
        let read: @Sendable (KeyedUnarchiver) throws -> String
        let outcome: Result<String, Refused>

        struct Refused: Error, Equatable {
            let code: UnarchivingError.Code
        }

        init(
            _ description: String, _ value: PropertyList, _ outcome: Result<String, Refused>,
            _ read: @escaping @Sendable (KeyedUnarchiver) throws -> String
        ) {
            testDescription = description
            self.value = value
            self.outcome = outcome
            self.read = read
        }
    }

    private static func refused(_ code: UnarchivingError.Code) -> Result<String, Conversion.Refused> {
        .failure(Conversion.Refused(code: code))
    }

    static let conversions: [Conversion] = [
        Conversion("an integer as a narrower one", 200, .success("200")) {
            "\(try $0.decodeIfPresent(UInt8.self, forKey: "key") ?? 0)"
        },
        Conversion("an integer that does not fit", 300, refused(.numberOutOfRange)) {
            "\(try $0.decodeIfPresent(UInt8.self, forKey: "key") ?? 0)"
        },
        Conversion("an integer as a real", 3, .success("3.0")) { "\(try $0.decodeDouble(forKey: "key"))" },
        Conversion("an integer between two reals", 16_777_217, .success("16777216.0")) {
            "\(try $0.decodeFloat(forKey: "key"))"
        },
        Conversion("a real as an integer", 3.0, .success("3")) { "\(try $0.decodeInteger(forKey: "key"))" },
        Conversion("a real that is not whole", 3.5, refused(.numberOutOfRange)) {
            "\(try $0.decodeInteger(forKey: "key"))"
        },
        Conversion("a narrow real as a wide one", .real32(0.5), .success("0.5")) {
            "\(try $0.decodeDouble(forKey: "key"))"
        },
        Conversion("a wide real as a narrow one", 0.1, .success("0.1")) { "\(try $0.decodeFloat(forKey: "key"))" },
        Conversion("a real beyond the narrow ones", 1e300, refused(.numberOutOfRange)) {
            "\(try $0.decodeFloat(forKey: "key"))"
        },
        Conversion("infinity", .real(.infinity), .success("inf")) { "\(try $0.decodeFloat(forKey: "key"))" },
        Conversion("1 as a Bool", 1, .success("true")) { "\(try $0.decodeBool(forKey: "key"))" },
        Conversion("0 as a Bool", 0, .success("false")) { "\(try $0.decodeBool(forKey: "key"))" },
        Conversion("2 as a Bool", 2, refused(.typeMismatch)) { "\(try $0.decodeBool(forKey: "key"))" },
        Conversion("a Bool as a number", true, refused(.typeMismatch)) { "\(try $0.decodeInteger(forKey: "key"))" },
    ]

    @Test(arguments: conversions)
    func `says which numbers are read as which`(_ conversion: Conversion) throws {
        let coder = try KeyedUnarchiver(forReadingFrom: handmadeArchive(top: ["key": conversion.value]))
        do {
            let text = try conversion.read(coder)
            #expect(.success(text) == conversion.outcome)
        } catch let error as UnarchivingError {
            #expect(.failure(Conversion.Refused(code: error.code)) == conversion.outcome)
        }
    }
}
