// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// NSCoder's methods for writing. The text of `topText` has `@` for a reference in the archive, and none for an inline value.
extension `Cocoa's interface` {
    static let encodingCases: [InterfaceCase] = valueEncodingCases + objectEncodingCases + sequenceEncodingCases

    // MARK: By key

    private static let valueEncodingCases: [InterfaceCase] = [
        InterfaceCase("NSCoder.encode(_: Bool, forKey:)") {
            let text = try topText("key") { $0.encode(true, forKey: "key") }
            #expect(text == "true")
        },
        InterfaceCase("NSCoder.encode(_: Int32, forKey:)") {
            let text = try topText("key") { $0.encode(Int32.min, forKey: "key") }
            #expect(text == "-2147483648")
        },
        InterfaceCase("NSCoder.encode(_: Int64, forKey:)") {
            let text = try topText("key") { $0.encode(Int64.min, forKey: "key") }
            #expect(text == "-9223372036854775808")
        },
        InterfaceCase("NSCoder.encode(_: Int, forKey:)") {
            let text = try topText("key") { $0.encode(-5, forKey: "key") }
            #expect(text == "-5")
        },
        InterfaceCase("NSCoder.encode(_: Float, forKey:)") {
            let text = try topText("key") { $0.encode(Float(1.5), forKey: "key") }
            #expect(text == "1.5f")
        },
        InterfaceCase("NSCoder.encode(_: Double, forKey:)") {
            let text = try topText("key") { $0.encode(0.1, forKey: "key") }
            #expect(text == "0.1")
        },
        InterfaceCase("NSCoder.encodeCInt(_:forKey:)") {
            let text = try topText("key") { $0.encode(CInt(12), forKey: "key") }
            #expect(text == "12")
        },
        InterfaceCase("NSCoder.encodeBytes(_:length:forKey:)") {
            let list = try InspectedArchive(keyedArchive { $0.encodeBytes([1, 2, 255], forKey: "key") }).list
            #expect(list["$top"]?["key"] == .data(Data([1, 2, 255])))
        },
        InterfaceCase("NSCoder.encode(_: NSPoint, forKey:)") {
            let text = try topText("key") { $0.encodePoint(x: 1, y: -2.5, forKey: "key") }
            #expect(text == #"@"{1, -2.5}""#)
        },
        InterfaceCase("NSCoder.encode(_: NSSize, forKey:)") {
            let text = try topText("key") { $0.encodeSize(width: 640, height: 480, forKey: "key") }
            #expect(text == #"@"{640, 480}""#)
        },
        InterfaceCase("NSCoder.encode(_: NSRect, forKey:)") {
            let text = try topText("key") { $0.encodeRect(x: 1, y: 2, width: 3, height: 4, forKey: "key") }
            #expect(text == #"@"{{1, 2}, {3, 4}}""#)
        },
    ]

    // MARK: Objects

    private static let objectEncodingCases: [InterfaceCase] = [
        InterfaceCase("NSCoder.encode(_ Any?, forKey:)") {
            let text = try topText("key") { try $0.encodeObject([1, "two", Bell("three")] as [Any], forKey: "key") }
            #expect(text == #"NSArray[@1, @"two", Bell{name: @"three"}]"#)
            #expect(try topText("key") { try $0.encodeObject(nil, forKey: "key") } == "nil")
        },
        InterfaceCase("NSCoder.encodeConditionalObject(_:forKey:)") {
            let bell = Bell("Big Ben")
            // Nothing else archives the bell: nil.
            let alone = try reread { try $0.encodeConditional(bell, forKey: "maybe") }
            #expect(try alone.decodeIfPresent(Bell.self, forKey: "maybe") == nil)
            // Something does, before it or after it: the same bell.
            for conditionalFirst in [true, false] {
                let coder = try reread { archiver in
                    if conditionalFirst { try archiver.encodeConditional(bell, forKey: "maybe") }
                    try archiver.encode(bell, forKey: "surely")
                    if !conditionalFirst { try archiver.encodeConditional(bell, forKey: "maybe") }
                }
                let maybe = try coder.decodeIfPresent(Bell.self, forKey: "maybe")
                #expect(try maybe === coder.decode(Bell.self, forKey: "surely"))
            }
        },
        InterfaceCase("NSCoder.encode(_ object: Any?)") {
            let coder = try reread { archiver in
                try archiver.encodeNextObject(Bell("Big Ben"))
                try archiver.encodeNextObject(nil)
                try archiver.encodeNextObject("a string")
            }
            #expect(try coder.decodeNext(Bell.self).name == "Big Ben")
            #expect(try coder.decodeNextIfPresent(Bell.self) == nil)
            #expect(try coder.decodeNext(String.self) == "a string")
        },
        InterfaceCase("NSCoder.encodeRootObject(_:)") {
            let bell = Bell("Big Ben")
            let root = try InspectedArchive(KeyedArchiver.archivedData(withRootObject: bell))
            #expect(root.text == #"Bell{name: @"Big Ben"}"#)
            #expect(try topText("$0") { try $0.encodeNext(bell) } == root.text)
        },
        InterfaceCase("NSCoder.encodeConditionalObject(_:)") {
            let bell = Bell("Big Ben")
            let coder = try reread { archiver in
                try archiver.encodeNextConditional(bell)
                try archiver.encodeNext(bell)
                try archiver.encodeNextConditional(Bell("Emmanuel"))
            }
            let first = try coder.decodeNextIfPresent(Bell.self)
            #expect(try first === coder.decodeNext(Bell.self))
            #expect(try coder.decodeNextIfPresent(Bell.self) == nil)
        },
    ]

    // MARK: In order

    private static let sequenceEncodingCases: [InterfaceCase] = [
        InterfaceCase("NSCoder.encodeValue(ofObjCType:at:)") {
            let data = try keyedArchive { archiver in
                archiver.encodeNext(Int16(-7))
                archiver.encodeNext(UInt64.max)
                archiver.encodeNext(Float(0.5))
            }
            let top = try InspectedArchive(data).list["$top"]
            #expect(top == ["$0": -7, "$1": .integer(18_446_744_073_709_551_615), "$2": .real32(0.5)])
        },
        InterfaceCase("NSCoder.encode(_ data: Data)") {
            let coder = try reread { $0.encodeNext(Data([1, 2, 3])) }
            #expect(try coder.decodeNext(Data.self) == Data([1, 2, 3]))
        },
        InterfaceCase("NSCoder.encodeArray(ofObjCType:count:at:)") {
            let text = try topText("$0") { try $0.encodeNext([1, 2, 3] as [Int32]) }
            #expect(text == "NSArray[@1, @2, @3]")
        },
        InterfaceCase("NSCoder.encodeBytes(_:length:)") {
            let list = try InspectedArchive(keyedArchive { $0.encodeNextBytes([0, 1]) }).list
            #expect(list["$top"]?["$0"] == .data(Data([0, 1])))
        },
        InterfaceCase("NSCoder.encodePropertyList(_:)") {
            let text = try topText("$0") {
                try $0.encodeNextObject(["pitches": [440, 880.5] as [Any]] as [String: Any])
            }
            #expect(text == #"NSDictionary[@"pitches": NSArray[@440, @880.5]]"#)
        },
        InterfaceCase("NSCoder.encode(_: NSPoint)") {
            let data = try keyedArchive { $0.encodeNextPoint(x: 0.1, y: 1e21) }
            #expect(try InspectedArchive(data).list["$top"] == ["$0": 0.1, "$1": 1e21])
        },
        InterfaceCase("NSCoder.encode(_: NSSize)") {
            let data = try keyedArchive { $0.encodeNextSize(width: 0, height: 1) }
            #expect(try InspectedArchive(data).list["$top"] == ["$0": 0.0, "$1": 1.0])
        },
        InterfaceCase("NSCoder.encode(_: NSRect)") {
            let data = try keyedArchive { $0.encodeNextRect(x: -1, y: 0.5, width: 2, height: 1) }
            #expect(try InspectedArchive(data).list["$top"] == ["$0": -1.0, "$1": 0.5, "$2": 2.0, "$3": 1.0])
        },
    ]
}
