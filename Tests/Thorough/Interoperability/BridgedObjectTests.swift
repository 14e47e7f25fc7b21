// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Objects of Foundation's classes, encoded as whatever they are` {
    private static let text = """
        {"text": "täxt", "list": [1, 2.5, true, false, null, [], {}, -7], "big": 18446744073709551615, "real": 3.0,
         "nested": {"deep": [{"a": [null]}]}, "none": null, "exponent": 1e100}
        """

    private static let types: [any Any.Type] = [
        [Any].self, [AnyHashable: Any].self, String.self, Bool.self, Int.self, UInt64.self, Double.self,
    ]

    /// `value` as text in which kinds of numbers differ.
    private func description(_ value: Any?) -> String {
        switch value {
        case let list as [Any]: "[\(list.map { description($0) }.joined(separator: ", "))]"
        case let table as [AnyHashable: Any]:
            "{" + table.map { "\($0.key): \(description($0.value))" }.sorted().joined(separator: ", ") + "}"
        case let value?: "\(type(of: value)) \(value)"
        case nil: "nil"
        }
    }

    @Test func `are what JSONSerialization returns`() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Self.text.utf8))
        let data = try keyedArchive { try $0.encodeObject(object, forKey: "root") }
        let again = try KeyedUnarchiver(forReadingFrom: data).decodeObject(of: Self.types, forKey: "root")
        #expect(
            description(again) == """
                {big: UInt64 18446744073709551615, exponent: Double 1e+100, list: [Int 1, Double 2.5, Bool true, Bool false, \
                Optional<Any> nil, [], {}, Int -7], nested: {deep: [{a: [Optional<Any> nil]}]}, none: Optional<Any> nil, \
                real: Double 3.0, text: String täxt}
                """)
    }

    @Test func `are read by Foundation's coder as what they were`() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Self.text.utf8))
        let data = try keyedArchive { try $0.encodeObject(object, forKey: "root") }
        let classes: [AnyClass] = [NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSNull.self]
        let again = try withFoundationUnarchiver(of: data) {
            try #require($0.decodeObject(of: classes, forKey: "root") as? NSDictionary)
        }
        #expect(again["text"] as? String == "täxt" && again["none"] is NSNull)
        let list = try #require(again["list"] as? [Any])
        #expect(list.count == 8 && list[4] is NSNull && list[1] as? Double == 2.5 && list[2] as? Bool == true)
    }

    @Test func `are values of Swift, whichever class they are of`() throws {
        let uuid = NSUUID()
        let date = NSDate(timeIntervalSinceReferenceDate: 5)
        let objects: [(object: Any, wanted: AnyHashable)] = [
            (NSString("a"), "a"), (NSMutableString(string: "b"), "b"), (NSNumber(value: true), true),
            (NSNumber(value: 1), 1), (NSNumber(value: Int8(-1)), -1), (NSNumber(value: 3.0), 3.0),
            (NSNumber(value: Float(0.1)), Double(Float(0.1))), (NSNumber(value: UInt64.max), UInt64.max),
            (NSNumber(value: Double.infinity), Double.infinity), (NSNumber(value: -1e-9), -1e-9),
            (NSDecimalNumber(string: "1.50"), Decimal(1.5)), (NSData(data: Data([1])), Data([1])),
            (date, date as Date),
            (try #require(NSURL(string: "https://a.b")), try #require(URL(string: "https://a.b"))),
            (uuid, uuid as UUID),
            (NSSet(array: ["x"]), Set<AnyHashable>(["x"])), (NSMutableArray(array: ["y"]), ["y"] as [AnyHashable]),
            (AnyHashable(NSNumber(value: 5)), 5),
        ]
        let types: [any Any.Type] =
            Self.types + [Decimal.self, Data.self, Date.self, URL.self, UUID.self, Set<AnyHashable>.self]
        for (object, wanted) in objects {
            let data = try keyedArchive { try $0.encodeObject(object, forKey: "object") }
            let again = try KeyedUnarchiver(forReadingFrom: data).decodeObject(of: types, forKey: "object")
            let hashable = (again as? [AnyHashable]).map { AnyHashable($0) } ?? again as? AnyHashable
            #expect(hashable == wanted, "\(object)")
            // 1, true and 1.0 are equal as AnyHashable may see them.
            if !(again is [Any]) { #expect(type(of: hashable?.base ?? 0) == type(of: wanted.base), "\(object)") }
        }
    }

    @Test func `are one NSNull for all of an archive`() throws {
        let data = try keyedArchive { archiver in
            try archiver.encodeObject([NSNull(), NSNull()] as [Any], forKey: "list")
            try archiver.encodeObject(NSNull(), forKey: "null")
        }
        #expect(try InspectedArchive(data).count(ofClass: "NSNull") == 1)
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        #expect(unarchiver.containsValue(forKey: "null"))
        #expect(try unarchiver.decodeObject(of: Self.types, forKey: "null") == nil)
    }

    @Test func `are an error where they are no values`() throws {
        let plain = try archivingError { try keyedArchive { try $0.encodeObject([NSObject()], forKey: "a") } }
        #expect(plain.code == .notEncodable && plain.description.contains("NSObject"))
        // The counts would be lost.
        let counted = try archivingError {
            try keyedArchive { try $0.encodeObject(NSCountedSet(array: [1, 1]), forKey: "a") }
        }
        #expect(counted.code == .notEncodable)
    }
}
