// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Objects that no archiver on this machine can write, or writes otherwise than Apple's does: plistlib puts them together
/// as the format has them.
@Suite(.inTurn, .needs(.tool("python3")))
struct `Coding reads archives by plistlib` {
    /// Hands `read` the archive of `objects`, in both formats; the first of them is under the key "object".
    private func withArchive(
        _ objects: String, archiver: String = "NSKeyedArchiver", classes: [String: any Any.Type] = [:],
        read: (KeyedUnarchiver) throws -> Void
    ) throws {
        for data in try Plistlib.archives(objects, archiver: archiver) {
            let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
            unarchiver.classes = ClassRegistry(classes)
            try read(unarchiver)
        }
    }
}

// MARK: - Texts and numbers

extension `Coding reads archives by plistlib` {
    @Test(arguments: ["", "text", "ä𝄞", "$null"])
    func `an NSMutableString and an NSString that are objects`(text: String) throws {
        for (keys, name) in [
            ("'NS.string': '\(text)'", "NSMutableString"), ("'NS.string': '\(text)'", "NSString"),
            ("'NS.bytes': '\(text)'.encode()", "NSString"),
        ] {
            try withArchive("[{\(keys), '$class': U(2)}, C('\(name)')]") { coder throws in
                #expect(try coder.decodeIfPresent(String.self, forKey: "object") == text)
                #expect(try coder.decode(String.self, forKey: "object") == text)
                #expect(coder.archivedClassName(forKey: "object") == name)
            }
        }
    }

    @Test func `an NSMutableData that is an object`() throws {
        try withArchive(#"[{'NS.data': b'\x01\x02', '$class': U(2)}, C('NSMutableData', 'NSData')]"#) { coder throws in
            #expect(try coder.decodeIfPresent(Data.self, forKey: "object") == Data([1, 2]))
            #expect(coder.archivedClassName(forKey: "object") == "NSMutableData")
        }
    }

    @Test func `an NSNumber that is an object`() throws {
        let `class` = "C('NSNumber', 'NSValue')"
        try withArchive("[{'NS.intval': -7, '$class': U(2)}, \(`class`)]") { coder throws in
            #expect(try coder.decode(Int.self, forKey: "object") == -7)
        }
        try withArchive("[{'NS.dblval': 2.5, '$class': U(2)}, \(`class`)]") { coder throws in
            #expect(try coder.decode(Double.self, forKey: "object") == 2.5)
        }
        try withArchive("[{'NS.boolval': True, '$class': U(2)}, \(`class`)]") { coder throws in
            #expect(try coder.decode(Bool.self, forKey: "object"))
        }
    }

    /// Foundation on Linux crashes when it archives an NSDecimalNumber.
    @Test(arguments: [
        // 123456789 is 0x075BCD15.
        (#"b'\x15\xcd\x5b\x07'"#, 2, -4, false, "12345.6789"), (#"b'\x15\xcd\x5b\x07'"#, 2, 3, true, "-123456789000"),
        (#"b''"#, 0, 0, false, "0"), (#"b'\x01'"#, 1, 0, false, "1"),
        (#"(b'\xff' * 16)"#, 8, 0, false, "340282366920938463463374607431768211455"),
    ])
    func `an NSDecimalNumber`(
        mantissa: String, length: Int, exponent: Int, isNegative: Bool, text: String
    ) throws {
        let object = """
            {'NS.mantissa': \(mantissa).ljust(16, b'\\0'), 'NS.length': \(length), 'NS.exponent': \(exponent),
             'NS.negative': \(isNegative ? "True" : "False"), 'NS.compact': True, 'NS.mantissa.bo': 1, '$class': U(2)}
            """
        for name in ["NSDecimalNumberPlaceholder", "NSDecimalNumber"] {
            try withArchive("[\(object), C('\(name)', 'NSDecimalNumber', 'NSNumber', 'NSValue')]") { coder throws in
                #expect(try coder.decode(Decimal.self, forKey: "object") == Decimal(string: text))
                #expect(coder.archivedClassName(forKey: "object") == name)
            }
        }
    }

    @Test func `an NSDecimalNumber that is none`() throws {
        let object = """
            {'NS.mantissa': bytes(16), 'NS.length': 0, 'NS.exponent': 0, 'NS.negative': True, 'NS.compact': True,
             'NS.mantissa.bo': 1, '$class': U(2)}
            """
        try withArchive("[\(object), C('NSDecimalNumberPlaceholder')]") { coder throws in
            #expect(try coder.decode(Decimal.self, forKey: "object").isNaN)
        }
    }
}

// MARK: - Dates

extension `Coding reads archives by plistlib` {
    /// With a duration, as Apple's frameworks have it; Foundation on Linux has none, and reads one of 0.
    @Test func `an NSDateInterval`() throws {
        let objects = """
            [{'NS.startDate': U(2), 'NS.endDate': U(3), 'NS.duration': 60.0, '$class': U(5)},
             {'NS.time': 100.0, '$class': U(4)}, {'NS.time': 160.0, '$class': U(4)}, C('NSDate'), C('NSDateInterval')]
            """
        try withArchive(objects) { coder throws in
            let interval = try coder.decode(DateInterval.self, forKey: "object")
            #expect(interval == DateInterval(start: Date(timeIntervalSinceReferenceDate: 100), duration: 60))
        }
    }

    /// Only what is defined, as Apple's frameworks have it.
    @Test func `NSDateComponents`() throws {
        let object = "{'NS.year': 2026, 'NS.month': 11, 'NS.leapMonth': 1, '$class': U(2)}"
        try withArchive("[\(object), C('NSDateComponents')]") { coder throws in
            var expected = DateComponents(year: 2026, month: 11)
            expected.isLeapMonth = true
            #expect(try coder.decode(DateComponents.self, forKey: "object") == expected)
        }
    }

    @Test func `an NSTimeZone with its data`() throws {
        let object = "{'NS.name': U(2), 'NS.data': U(3), '$class': U(4)}"
        try withArchive("[\(object), 'Europe/Berlin', b'TZif' + bytes(40), C('NSTimeZone')]") { coder throws in
            #expect(try coder.decode(TimeZone.self, forKey: "object") == TimeZone(identifier: "Europe/Berlin"))
        }
    }
}

// MARK: - Objects with a class of the reader's

extension `Coding reads archives by plistlib` {
    /// Foundation on Linux crashes when it archives an NSError.
    @Test func `an NSError`() throws {
        let objects = """
            [{'NSDomain': U(2), 'NSCode': -5, 'NSUserInfo': U(3), '$class': U(7)}, 'ErrorDomain',
             {'NS.keys': [U(4)], 'NS.objects': [U(5)], '$class': U(6)}, 'NSLocalizedDescription', 'No such thing',
             C('NSDictionary'), C('NSError')]
            """
        try withArchive(objects, classes: ["NSError": ErrorStandIn.self]) { coder throws in
            let error = try coder.decode(ErrorStandIn.self, forKey: "object")
            #expect(error.domain == "ErrorDomain" && error.code == -5)
            #expect(error.userInfo as? [String: String] == ["NSLocalizedDescription": "No such thing"])
        }
        let bare = "[{'NSDomain': U(2), 'NSCode': 4, 'NSUserInfo': U(0), '$class': U(3)}, 'd', C('NSError')]"
        try withArchive(bare, classes: ["NSError": ErrorStandIn.self]) { coder throws in
            let error = try coder.decode(ErrorStandIn.self, forKey: "object")
            #expect(error.domain == "d" && error.code == 4 && error.userInfo == nil)
        }
    }

    /// Foundation on Linux makes one that is immutable, and traps.
    @Test func `an NSMutableCharacterSet`() throws {
        let classes = ["NSMutableCharacterSet": CharacterSetStandIn.self]
        let objects = "[{'NSString': 'xyz', '$class': U(2)}, C('NSMutableCharacterSet', 'NSCharacterSet')]"
        try withArchive(objects, classes: classes) { coder throws in
            #expect(try coder.decode(CharacterSetStandIn.self, forKey: "object").contents == .characters("xyz"))
        }
    }

    /// Neither Foundation nor GNUstep checks this one: it is Cocoa's behaviour with C values in an NSValue.
    @Test func `an NSValue of a C value`() throws {
        final class CValue: StandIn {
            let type: String
            let value: Int

            init(coder: KeyedUnarchiver) throws {
                type = try coder.decodeNext(String.self)
                value = try coder.decodeNext(Int.self)
            }
        }
        let objects = "[{'$0': U(2), '$1': -3, '$class': U(3)}, 'q', C('NSValue')]"
        try withArchive(objects, classes: ["NSValue": CValue.self]) { coder throws in
            let value = try coder.decode(CValue.self, forKey: "object")
            #expect(value.type == "q" && value.value == -3)
        }
    }

    @Test func `an array of C values that is shorter than it says`() throws {
        let objects = """
            [{'NS.count': 1 << 40, 'NS.size': 4, 'NS.type': 105, '$0': 1, '$1': 2, '$class': U(2)},
             C('_NSKeyedCoderOldStyleArray')]
            """
        try withArchive(objects, classes: ["_NSKeyedCoderOldStyleArray": CArrayStandIn.self]) { coder throws in
            #expect(throws: ArchivingError.self) { try coder.decode(CArrayStandIn.self, forKey: "object") }
        }
    }
}

// MARK: - Subclasses of the archiver

extension `Coding reads archives by plistlib` {
    /// Through a subclass of NSKeyedArchiver, collections have a key for every element. Foundation on Linux has no
    /// subclass, and reads no archive of one.
    @Test(arguments: ["NSKeyedArchiver", "MSArchiver", "SCNKeyedArchiver"])
    func `collections with a key for every element`(archiver: String) throws {
        let array =
            "[{'NS.object.0': U(2), 'NS.object.1': U(3), '$class': U(4)}, 'a', 'b', C('NSMutableArray', 'NSArray')]"
        try withArchive(array, archiver: archiver) { coder throws in
            #expect(try coder.decode([String].self, forKey: "object") == ["a", "b"])
            #expect(try coder.decodeArray(of: [String.self], forKey: "object") as? [String] == ["a", "b"])
            #expect(coder.archivedClassName(forKey: "object") == "NSMutableArray")
        }
        let set = "[{'NS.object.0': U(2), 'NS.object.1': U(3), '$class': U(4)}, 'a', 'b', C('NSSet')]"
        try withArchive(set, archiver: archiver) { coder throws in
            #expect(try coder.decode(Set<String>.self, forKey: "object") == ["a", "b"])
        }
        let dictionary = """
            [{'NS.key.0': U(2), 'NS.object.0': U(3), 'NS.key.1': U(4), 'NS.object.1': U(5), '$class': U(6)},
             'a', 1, 'b', 2, C('NSDictionary')]
            """
        try withArchive(dictionary, archiver: archiver) { coder throws in
            #expect(try coder.decode([String: Int].self, forKey: "object") == ["a": 1, "b": 2])
            let values = try coder.decodeDictionary(keysOf: [String.self], valuesOf: [Int.self], forKey: "object")
            #expect(values as? [String: Int] == ["a": 1, "b": 2])
        }
    }

    @Test func `objects of Coding classes with a key for every element`() throws {
        let objects = """
            [{'NS.object.0': U(2), 'NS.object.1': U(2), '$class': U(5)}, {'name': U(3), '$class': U(4)}, 'a', C('Leaf'),
             C('NSArray')]
            """
        try withArchive(objects, archiver: "MyArchiver", classes: ["Leaf": Leaf.self]) { coder throws in
            let leaves = try coder.decode([Leaf].self, forKey: "object")
            #expect(leaves.map(\.name) == ["a", "a"] && leaves[0] === leaves[1])
        }
    }
}
