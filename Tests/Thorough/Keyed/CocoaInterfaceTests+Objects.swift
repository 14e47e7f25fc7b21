// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What NSCoder has for reading objects.
extension `Cocoa's interface` {
    static let objectDecodingCases: [InterfaceCase] = objectCases + collectionCases + topLevelCases

    /// An unarchiver of two bells under "bells", the first of them under "bell", a whistle under "whistle", two tones
    /// by name under "tones", and the bells by name under "named".
    private static func bells() throws -> KeyedUnarchiver {
        let bells = [Bell("Big Ben"), Bell("Emmanuel")]
        let coder = try reread { archiver in
            try archiver.encode(bells, forKey: "bells")
            try archiver.encode(bells[0], forKey: "bell")
            try archiver.encode(Whistle(pitch: 3), forKey: "whistle")
            try archiver.encode(["Big Ben": bells[0], "Emmanuel": bells[1]], forKey: "named")
            try archiver.encode(["a": Tone(pitch: 440), "b": Tone(pitch: 494)], forKey: "tones")
        }
        coder.classes.register(Bell.self)
        coder.classes.register(Whistle.self)
        return coder
    }

    // MARK: Objects

    private static let objectCases: [InterfaceCase] = [
        InterfaceCase("NSCoder.decodeObject()") {
            let coder = try reread(requiringSecureCoding: false) { archiver in
                try archiver.encodeNext(Bell("Big Ben"))
                archiver.encodeNext("a string")
            }
            coder.classes.register(Bell.self)
            #expect((try coder.decodeNextObject() as? Bell)?.name == "Big Ben")
            #expect(try coder.decodeNextObject() as? String == "a string")
        },
        InterfaceCase("NSCoder.decodeObject(forKey:)") {
            let data = try keyedArchive { try $0.encode(Bell("Big Ben"), forKey: "bell") }
            let coder = try KeyedUnarchiver(forReadingFrom: data, requiringSecureCoding: false)
            coder.classes.register(Bell.self)
            #expect((try coder.decodeObject(forKey: "bell") as? Bell)?.name == "Big Ben")
            #expect(try coder.decodeObject(forKey: "missing") == nil)
            // With secure coding, the caller has to specify the allowed classes.
            let secure = try KeyedUnarchiver(forReadingFrom: data)
            #expect(unarchivingCode { try secure.decodeObject(forKey: "bell") as Any } == .classNotAllowed)
        },
        InterfaceCase("NSCoder.decodeObject(of: T.Type, forKey:)") {
            let coder = try bells()
            #expect(try coder.decodeIfPresent(Bell.self, forKey: "bell")?.name == "Big Ben")
            #expect(try coder.decodeIfPresent(Bell.self, forKey: "missing") == nil)
            #expect(unarchivingCode { try coder.decodeIfPresent(Bell.self, forKey: "whistle") } == .classNotAllowed)
        },
        InterfaceCase("NSCoder.decodeObject(of: [AnyClass]?, forKey:)") {
            let coder = try bells()
            #expect((try coder.decodeObject(of: [Bell.self, Whistle.self], forKey: "whistle") as? Whistle)?.pitch == 3)
            #expect(try coder.decodeObject(of: [Bell.self], forKey: "missing") == nil)
            // What was made already under a wider list is not handed out under a narrower one.
            let code = unarchivingCode { try coder.decodeObject(of: [Bell.self], forKey: "whistle") as Any }
            #expect(code == .classNotAllowed)
        },
        InterfaceCase("NSCoder.decodePropertyList()") {
            let coder = try reread { try $0.encodeNextObject(["pitches": [440, 880]] as [String: [Int]]) }
            let list = try coder.decodeNextObject(of: propertyListTypes)
            #expect(list as? [AnyHashable: [Int]] == ["pitches": [440, 880]])
        },
        InterfaceCase("NSCoder.decodePropertyList(forKey:)") {
            let coder = try reread { archiver in
                try archiver.encodeObject([1, "two", 2.5, true] as [Any], forKey: "list")
                try archiver.encodeObject([Bell("no list")] as [Any], forKey: "other")
            }
            coder.classes.register(Bell.self)
            let list = try coder.decodeObject(of: propertyListTypes, forKey: "list") as? [Any]
            #expect(list?.map { "\($0)" } == ["1", "two", "2.5", "true"])
            let code = unarchivingCode { try coder.decodeObject(of: propertyListTypes, forKey: "other") as Any }
            #expect(code == .classNotAllowed)
        },
    ]

    /// What may be in a property list.
    private static let propertyListTypes: [any Any.Type] = [
        [Any].self, [AnyHashable: Any].self, String.self, Int.self, Double.self, Bool.self, Data.self, Date.self,
    ]

    // MARK: Collections

    private static let collectionCases: [InterfaceCase] = [
        InterfaceCase("NSCoder.decodeArrayOfObjects(ofClass:forKey:)") {
            let coder = try bells()
            #expect(try coder.decodeIfPresent([Bell].self, forKey: "bells")?.map(\.name) == ["Big Ben", "Emmanuel"])
            #expect(try coder.decodeIfPresent([Bell].self, forKey: "missing") == nil)
            #expect(unarchivingCode { try coder.decode([Whistle].self, forKey: "bells") } == .classNotAllowed)
        },
        InterfaceCase("NSCoder.decodeArrayOfObjects(ofClasses:forKey:)") {
            let coder = try bells()
            let array = try coder.decodeArray(of: [Whistle.self, Bell.self], forKey: "bells")
            #expect(array?.compactMap { ($0 as? Bell)?.name } == ["Big Ben", "Emmanuel"])
            #expect(try coder.decodeArray(of: [Bell.self], forKey: "missing") == nil)
            let code = unarchivingCode { try coder.decodeArray(of: [Whistle.self], forKey: "bells") as Any }
            #expect(code == .classNotAllowed)
        },
        InterfaceCase("NSCoder.decodeDictionary(withKeyClass:objectClass:forKey:)") {
            let coder = try bells()
            let named = try coder.decodeIfPresent([String: Bell].self, forKey: "named")
            #expect(named?.mapValues(\.name) == ["Big Ben": "Big Ben", "Emmanuel": "Emmanuel"])
            let tones = try coder.decode([String: Tone].self, forKey: "tones")
            #expect(tones.mapValues(\.pitch) == ["a": 440, "b": 494])
        },
        InterfaceCase("NSCoder.decodeDictionary(withKeysOfClasses:objectsOfClasses:forKey:)") {
            let coder = try bells()
            let named = try coder.decodeDictionary(keysOf: [String.self], valuesOf: [Bell.self], forKey: "named")
            #expect(named?.mapValues { ($0 as? Bell)?.name } == ["Big Ben": "Big Ben", "Emmanuel": "Emmanuel"])
            #expect(throws: ArchivingError.self) {
                try coder.decodeDictionary(keysOf: [Int.self], valuesOf: [Bell.self], forKey: "named")
            }
        },
    ]

    // MARK: Errors instead of exceptions

    private static let topLevelCases: [InterfaceCase] = [
        InterfaceCase("NSCoder.decodeTopLevelObject()") {
            let coder = try reread { try $0.encodeNext(Whistle(pitch: 3)) }
            #expect(unarchivingCode { try coder.decodeNextObject(of: [Bell.self]) as Any } == .classNotAllowed)
        },
        InterfaceCase("NSCoder.decodeTopLevelObject(forKey:)") {
            let data = try keyedArchive { try $0.encode(Whistle(pitch: 3), forKey: "one") }
            let coder = try KeyedUnarchiver(forReadingFrom: data, requiringSecureCoding: false)
            // Whistles have not been allowed.
            #expect(throws: ArchivingError.self) { try coder.decodeObject(forKey: "one") }
            coder.classes.register(Whistle.self)
            #expect((try coder.decodeObject(forKey: "one") as? Whistle)?.pitch == 3)
        },
        InterfaceCase("NSCoder.decodeTopLevelObject(of: T.Type, forKey:)") {
            let coder = try bells()
            #expect(try coder.decode(Bell.self, forKey: "bell").name == "Big Ben")
            #expect(unarchivingCode { try coder.decode(Bell.self, forKey: "missing") } == .valueNotFound)
        },
        InterfaceCase("NSCoder.decodeTopLevelObject(of: [AnyClass], forKey:)") {
            let data = try handmadeArchive(top: ["one": .uid(9)], "unused")
            let coder = try KeyedUnarchiver(forReadingFrom: data)
            #expect(unarchivingCode { try coder.decodeObject(of: [Bell.self], forKey: "one") as Any } == .damaged)
        },
    ]
}
