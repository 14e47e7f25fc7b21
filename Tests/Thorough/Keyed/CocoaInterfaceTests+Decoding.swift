// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What NSCoder has for reading values, and its state.
extension `Cocoa's interface` {
    static let decodingCases: [InterfaceCase] = scalarCases + bytesCases + geometryCases + stateCases

    /// An unarchiver whose `$top` has the entries `top`.
    private static func unarchiver(top: PropertyList, _ objects: PropertyList...) throws -> KeyedUnarchiver {
        try KeyedUnarchiver(forReadingFrom: handmadeArchive(top: top, objects: objects))
    }

    // MARK: Scalars

    private static let scalarCases: [InterfaceCase] = [
        InterfaceCase("NSCoder.containsValue(forKey:)") {
            let coder = try unarchiver(top: ["zero": 0, "nil": .uid(0)])
            #expect(coder.containsValue(forKey: "zero"))
            #expect(coder.containsValue(forKey: "nil"))
            #expect(!coder.containsValue(forKey: "missing"))
        },
        InterfaceCase("NSCoder.decodeBool(forKey:)") {
            let coder = try unarchiver(top: ["yes": true, "one": 1, "seven": 7])
            #expect(try coder.decodeBool(forKey: "yes"))
            #expect(try coder.decodeBool(forKey: "one"))
            #expect(try !coder.decodeBool(forKey: "missing"))
            #expect(unarchivingCode { try coder.decodeBool(forKey: "seven") } == .typeMismatch)
        },
        InterfaceCase("NSCoder.decodeInt32(forKey:)") {
            let coder = try unarchiver(top: ["small": -3, "large": 1_099_511_627_776])
            #expect(try coder.decodeIfPresent(Int32.self, forKey: "small") == -3)
            #expect(try coder.decodeIfPresent(Int32.self, forKey: "missing") ?? 0 == 0)
            #expect(
                unarchivingCode { try coder.decodeIfPresent(Int32.self, forKey: "large") ?? 0 } == .numberOutOfRange)
        },
        InterfaceCase("NSCoder.decodeInt64(forKey:)") {
            let coder = try unarchiver(top: ["large": 1_099_511_627_776, "larger": .integer(9_223_372_036_854_775_808)])
            #expect(try coder.decodeIfPresent(Int64.self, forKey: "large") == 1_099_511_627_776)
            #expect(try coder.decodeIfPresent(Int64.self, forKey: "missing") ?? 0 == 0)
            #expect(
                unarchivingCode { try coder.decodeIfPresent(Int64.self, forKey: "larger") ?? 0 } == .numberOutOfRange)
        },
        InterfaceCase("NSCoder.decodeInteger(forKey:)") {
            let coder = try unarchiver(top: ["number": 3, "real": 1.9])
            #expect(try coder.decodeInteger(forKey: "number") == 3)
            #expect(try coder.decodeInteger(forKey: "missing") == 0)
            #expect(unarchivingCode { try coder.decodeInteger(forKey: "real") } == .numberOutOfRange)
        },
        InterfaceCase("NSCoder.decodeFloat(forKey:)") {
            let coder = try unarchiver(top: ["tenth": 0.1, "huge": 1e300])
            #expect(try coder.decodeFloat(forKey: "tenth") == Float(0.1))
            #expect(try coder.decodeFloat(forKey: "missing") == 0)
            #expect(unarchivingCode { try coder.decodeFloat(forKey: "huge") } == .numberOutOfRange)
        },
        InterfaceCase("NSCoder.decodeDouble(forKey:)") {
            let coder = try unarchiver(top: ["single": .real32(0.5), "integer": 9_007_199_254_740_993])
            #expect(try coder.decodeDouble(forKey: "single") == 0.5)
            #expect(try coder.decodeDouble(forKey: "missing") == 0)
            #expect(try coder.decodeDouble(forKey: "integer") == 9_007_199_254_740_992)
        },
        InterfaceCase("NSCoder.decodeCInt(forKey:)") {
            let value = try unarchiver(top: ["number": 3]).decodeIfPresent(CInt.self, forKey: "number") ?? 0
            #expect(value == 3)
        },
        InterfaceCase("NSCoder.decodeValue(ofObjCType:at:)") {
            let coder = try unarchiver(top: ["$0": -7, "$1": .real32(0.5)])
            #expect(try coder.decode(Int16.self) == -7)
            #expect(try coder.decode(Float.self) == 0.5)
        },
        InterfaceCase("NSCoder.decodeValue(ofObjCType:at:size:)") {
            // The type has its size; what does not fit is an error.
            #expect(unarchivingCode { try unarchiver(top: ["$0": 300]).decode(UInt8.self) } == .numberOutOfRange)
            let value = try unarchiver(top: ["$0": 255]).decode(UInt8.self)
            #expect(value == 255)
        },
    ]

    // MARK: Bytes and arrays

    private static let bytesCases: [InterfaceCase] = [
        InterfaceCase("NSCoder.decodeBytes(forKey:returnedLength:)") {
            let coder = try unarchiver(top: ["bytes": .data(Data([1, 2, 255]))])
            #expect(try coder.decodeBytes(forKey: "bytes") == [1, 2, 255])
            #expect(try coder.decodeBytes(forKey: "missing") == nil)
        },
        InterfaceCase("NSCoder.decodeBytes(forKey:minimumLength:)") {
            let coder = try unarchiver(top: ["bytes": .data(Data([1, 2, 255]))])
            #expect(try coder.decodeBytes(forKey: "bytes", minimumLength: 3) == [1, 2, 255])
            #expect(unarchivingCode { try coder.decodeBytes(forKey: "bytes", minimumLength: 4) } != nil)
        },
        InterfaceCase("NSCoder.decodeBytes(minimumLength:)") {
            let top: PropertyList = ["$0": .data(Data([7, 8])), "$1": .data(Data([9]))]
            let coder = try unarchiver(top: top)
            #expect(try coder.decodeBytes(minimumLength: 2) == [7, 8])
            #expect(unarchivingCode { try coder.decodeBytes(minimumLength: 2) } != nil)
        },
        InterfaceCase("NSCoder.decodeBytes(withReturnedLength:)") {
            let value = try unarchiver(top: ["$0": .data(Data([7, 8]))]).decodeBytes()
            #expect(value == [7, 8])
        },
        InterfaceCase("NSCoder.decodeData()") {
            let value = try unarchiver(top: ["$0": .uid(1)], .data(Data([9]))).decode(Data.self)
            #expect(value == Data([9]))
        },
        InterfaceCase("NSCoder.decodeArray(ofObjCType:count:at:)") {
            let coder = try unarchiver(
                top: ["$0": .uid(1)], ["NS.objects": [.uid(2), .uid(3)], "$class": .uid(4)], 10, 20,
                ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]])
            #expect(try coder.decode([Int32].self) == [10, 20])
        },
    ]

    // MARK: Geometry

    private static let geometryCases: [InterfaceCase] = [
        InterfaceCase("NSCoder.decodePoint()") {
            // Numbers one after the other, or a text.
            let coder = try unarchiver(top: ["$0": 1.0, "$1": .real32(-2.5), "$2": .uid(1)], "{3, 4}")
            #expect(try coder.decodePoint() == (1, -2.5))
            #expect(try coder.decodePoint() == (3, 4))
            #expect(try coder.decodePoint() == (0, 0))
        },
        InterfaceCase("NSCoder.decodeSize()") {
            let coder = try unarchiver(top: ["$0": 640.0, "$1": 480.0, "$2": .uid(1)], "{3, 4}")
            #expect(try coder.decodeSize() == (640, 480))
            #expect(try coder.decodeSize() == (3, 4))
        },
        InterfaceCase("NSCoder.decodeRect()") {
            let coder = try unarchiver(
                top: ["$0": 1.0, "$1": 2.0, "$2": 3.0, "$3": 4.0, "$4": .uid(1)], "{{5, 6}, {7, 8}}")
            #expect(try coder.decodeRect() == (1, 2, 3, 4))
            #expect(try coder.decodeRect() == (5, 6, 7, 8))
        },
        InterfaceCase("NSCoder.decodePoint(forKey:)") {
            let coder = try unarchiver(top: ["point": .uid(1), "no": .uid(2)], "{1e3, 0.5}", "{1; 2}")
            #expect(try coder.decodePoint(forKey: "point") == (1000, 0.5))
            #expect(try coder.decodePoint(forKey: "missing") == (0, 0))
            #expect(unarchivingCode { try coder.decodePoint(forKey: "no").x } == .typeMismatch)
        },
        InterfaceCase("NSCoder.decodeSize(forKey:)") {
            let coder = try unarchiver(top: ["size": .uid(1)], "{3, 4}")
            #expect(try coder.decodeSize(forKey: "size") == (3, 4))
            #expect(try coder.decodeSize(forKey: "missing") == (0, 0))
        },
        InterfaceCase("NSCoder.decodeRect(forKey:)") {
            let coder = try unarchiver(top: ["rect": .uid(1)], "{{0, 0}, {-1, 2}}")
            #expect(try coder.decodeRect(forKey: "rect") == (0, 0, -1, 2))
            #expect(try coder.decodeRect(forKey: "missing") == (0, 0, 0, 0))
        },
    ]

    // MARK: State

    private static let stateCases: [InterfaceCase] = [
        InterfaceCase("NSCoder.version(forClassName:)") {
            let data = try keyedArchive { try $0.encode(Versioned(), forKey: "root") }
            #expect(try KeyedUnarchiver.unarchivedObject(of: Versioned.self, from: data).versionRead == 7)
        },
        InterfaceCase("NSCoder.requiresSecureCoding") {
            let data = try keyedArchive { $0.encode(1, forKey: "one") }
            #expect(try KeyedUnarchiver(forReadingFrom: data).requiresSecureCoding)
            #expect(try !KeyedUnarchiver(forReadingFrom: data, requiringSecureCoding: false).requiresSecureCoding)
        },
        InterfaceCase("NSCoder.allowedClasses") {
            let coder = try reread { try $0.encode(AllowanceProbe(), forKey: "probe") }
            #expect(coder.allowedClasses == nil)
            coder.classes.register(AllowanceProbe.self)
            let probe = try coder.decodeObject(of: [AllowanceProbe.self, Bell.self], forKey: "probe")
            #expect((probe as? AllowanceProbe)?.allowed == ["AllowanceProbe", "Bell"])
        },
        InterfaceCase("NSCoder.failWithError(_:)") {
            let coder = try unarchiver(top: ["one": 1])
            coder.decodingFailurePolicy = .setErrorAndReturn
            coder.fail(with: CocoaError(.fileNoSuchFile))
            #expect((coder.error as? CocoaError)?.code == .fileNoSuchFile)
        },
        InterfaceCase("NSCoder.decodingFailurePolicy") {
            let value = try unarchiver(top: ["one": 1]).decodingFailurePolicy
            #expect(value == .throwError)
        },
        InterfaceCase("NSCoder.error") {
            let coder = try unarchiver(top: ["text": .uid(1), "real": 0.5], "a string")
            coder.decodingFailurePolicy = .setErrorAndReturn
            #expect(coder.error == nil)
            #expect(try coder.decodeInteger(forKey: "real") == 0)
            #expect((coder.error as? ArchivingError)?.code == .numberOutOfRange)
            // The first one stays.
            #expect(try coder.decodeIfPresent(Int32.self, forKey: "text") ?? 0 == 0)
            #expect((coder.error as? ArchivingError)?.codingPath.map(\.stringValue) == ["real"])
        },
    ]

    /// Keeps what its initializer finds allowed.
    final class AllowanceProbe: Coding, ArchiveDescribing {
        static let archiveName = "AllowanceProbe"
        let allowed: [String]?
        init() { allowed = nil }
        init(coder: KeyedUnarchiver) throws { allowed = coder.allowedClasses?.map { "\($0)" } }
        func encode(with coder: KeyedArchiver) throws {}
    }
}
