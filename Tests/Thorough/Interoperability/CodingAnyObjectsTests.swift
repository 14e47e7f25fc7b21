// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// What `decodeObject(of:)` makes of objects whose type only the list of the call says, as Foundation's coders do it.
@Suite(.inTurn) struct `Coding reads whatever it is, where it is listed` {
    private static let leaves: [any Any.Type] = [
        String.self, Int.self, Double.self, Bool.self, Data.self, Date.self, URL.self, UUID.self,
    ]
    private static let everything: [any Any.Type] =
        leaves + [[Any].self, [AnyHashable: Any].self, Set<AnyHashable>.self]

    /// An object of Foundation's and the value that it is, which is the only type in the list.
    private func expect<Value: Equatable>(_ object: Any, is value: Value) throws {
        try withFoundationArchive(of: object) { coder throws in
            let decoded = try coder.decodeObject(of: [Value.self], forKey: "object")
            #expect(decoded as? Value == value)
            #expect(throws: ArchivingError.self) { try coder.decodeObject(of: [Other.self], forKey: "object") }
            #expect(throws: ArchivingError.self) { try coder.decodeObject(of: [], forKey: "object") }
        }
    }

    @Test func `values, where their types are listed`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let uuid = UUID()
        let url = try #require(URL(string: "https://example.org/a"))
        try expect("text" as NSString, is: "text")
        try expect(NSNumber(value: 7), is: 7)
        try expect(NSNumber(value: 2.5), is: 2.5)
        try expect(NSNumber(value: true), is: true)
        try expect(NSNumber(value: UInt64.max), is: UInt64.max)
        try expect(Data([1]) as NSData, is: Data([1]))
        try expect(NSMutableData(data: Data([1])), is: Data([1]))
        try expect(date as NSDate, is: date)
        try expect(uuid as NSUUID, is: uuid)
        try expect(url as NSURL, is: url)
        try expect(NSIndexPath(index: 3), is: IndexPath(index: 3))
        try expect(NSLocale(localeIdentifier: "ja_JP"), is: Locale(identifier: "ja_JP"))
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        try expect(berlin as NSTimeZone, is: berlin)
        try expect(
            DateInterval(start: date, duration: 60) as NSDateInterval, is: DateInterval(start: date, duration: 60))
        try expect(NSIndexSet(index: 4), is: IndexSet(integer: 4))
        try expect(NSMutableIndexSet(index: 4), is: IndexSet(integer: 4))
    }

    @Test func `a dictionary of values of all kinds`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        // No number is 1, since Foundation on Linux makes one entry of 1 and true.
        let dictionary: NSDictionary = [
            "text": "text", "integer": 7, "real": 2.5, "bool": true, "data": Data([1]), "date": date,
            "array": ["a", 4, ["b"]] as NSArray, "set": NSSet(array: ["x", "y"]), "none": NSArray(),
            "dictionary": [3: "three"] as NSDictionary, "mutable": NSMutableArray(array: [NSMutableDictionary()]),
        ]
        try withFoundationArchive(of: dictionary) { coder throws in
            let decoded = try coder.decodeObject(of: Self.everything, forKey: "object")
            let values = try #require(decoded as? [String: Any])
            #expect(values["text"] as? String == "text" && values["integer"] as? Int == 7)
            #expect(values["real"] as? Double == 2.5 && values["bool"] as? Bool == true)
            #expect(values["data"] as? Data == Data([1]) && values["date"] as? Date == date)
            let array = try #require(values["array"] as? [Any])
            #expect(array[0] as? String == "a" && array[1] as? Int == 4 && array[2] as? [String] == ["b"])
            #expect(values["set"] as? Set<String> == ["x", "y"])
            #expect((values["none"] as? [Any])?.isEmpty == true)
            #expect(values["dictionary"] as? [Int: String] == [3: "three"])
            #expect(((values["mutable"] as? [Any])?.first as? [AnyHashable: Any])?.isEmpty == true)
        }
    }

    @Test func `not what is listed nowhere, however deep it lies`() throws {
        let url = try #require(NSURL(string: "https://example.org"))
        let types: [any Any.Type] = [[Any].self, [AnyHashable: Any].self, String.self]
        for object in [[["x": url]], ["a", url], [[url]], ["x": [url]]] as [Any] {
            try withFoundationArchive(of: object) { coder throws in
                let error = #expect(throws: ArchivingError.self) {
                    try coder.decodeObject(of: types, forKey: "object")
                }
                #expect(error?.code == .classNotAllowed)
                #expect(error?.debugDescription.contains("NSURL") == true)
                #expect(throws: Never.self) { try coder.decodeObject(of: types + [URL.self], forKey: "object") }
            }
        }
    }

    @Test func `objects of classes that are registered, among values`() throws {
        let leaf = LeafObject("a")
        let classes = ["InteroperabilityTests.LeafObject": Leaf.self]
        try withFoundationArchive(of: [leaf, ["k": leaf], "text"] as NSArray, classes: classes) { coder throws in
            let types: [any Any.Type] = [[Any].self, [AnyHashable: Any].self, String.self, Leaf.self]
            let decoded = try #require(try coder.decodeObject(of: types, forKey: "object") as? [Any])
            let first = try #require(decoded[0] as? Leaf)
            #expect(first.name == "a" && (decoded[1] as? [String: Leaf])?["k"] === first)
            #expect(decoded[2] as? String == "text")
        }
    }

    @Test func `arrays and dictionaries whose elements are listed`() throws {
        try withFoundationArchive(of: ["a", "b"] as NSArray) { coder throws in
            #expect(try coder.decodeArray(of: [String.self], forKey: "object") as? [String] == ["a", "b"])
            #expect(throws: ArchivingError.self) { try coder.decodeArray(of: [Int.self], forKey: "object") }
        }
        try withFoundationArchive(of: ["a": 1, "b": 2] as NSDictionary) { coder throws in
            let decoded = try coder.decodeDictionary(keysOf: [String.self], valuesOf: [Int.self], forKey: "object")
            #expect(decoded as? [String: Int] == ["a": 1, "b": 2])
            #expect(throws: ArchivingError.self) {
                try coder.decodeDictionary(keysOf: [Int.self], valuesOf: [Int.self], forKey: "object")
            }
            #expect(throws: ArchivingError.self) {
                try coder.decodeDictionary(keysOf: [String.self], valuesOf: [String.self], forKey: "object")
            }
        }
    }

    @Test func `NSNull as what is registered for it`() throws {
        let null = NSNull()
        try withFoundationArchive(of: ["a", null] as NSArray, classes: ["NSNull": NullStandIn.self]) { coder throws in
            let types: [any Any.Type] = [[Any].self, String.self, NullStandIn.self]
            let decoded = try coder.decodeObject(of: types, forKey: "object") as? [Any]
            #expect(decoded?.count == 2 && decoded?.first as? String == "a")
            #expect(decoded?.last is NullStandIn)
        }
    }

    /// PyObjC's strings: their class is unknown, and falls back to NSString.
    @Test(.needs(.tool("python3")))
    func `leaves whose class falls back`() throws {
        let objects = """
            [{'NS.string': 'text', 'pytype': 1, '$class': U(2)},
             {**C('OC_BuiltinPythonUnicode', 'OC_PythonUnicode', 'NSString'), '$classhints': ['OC_PythonString', 'NSString']}]
            """
        for data in try Plistlib.archives(objects) {
            let coder = try KeyedUnarchiver(forReadingFrom: data)
            #expect(try coder.decodeIfPresent(String.self, forKey: "object") == "text")
            #expect(try coder.decode(String.self, forKey: "object") == "text")
            #expect(coder.archivedClassName(forKey: "object") == "OC_BuiltinPythonUnicode")
            #expect(try coder.decodeObject(of: [String.self], forKey: "object") as? String == "text")
        }
    }
}

/// A class of which no archive has an object.
private final class Other: StandIn {
    init(coder: KeyedUnarchiver) throws {}
}
