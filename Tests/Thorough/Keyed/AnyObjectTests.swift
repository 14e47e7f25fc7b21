// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

struct AnyPoint: Codable, Hashable {
    var x: Int
    var label: String?
}

enum AnyColor: String, Codable, Hashable {
    case red, green
}

class AnyShape: Coding {
    let name: String
    init(_ name: String) { self.name = name }
    required init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }
    func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "name") }
}

final class AnyCircle: AnyShape {}

/// A class that says nothing of what it holds.
final class AnyHolder: Coding {
    let content: Any?
    init(_ content: Any?) { self.content = content }
    init(coder: KeyedUnarchiver) throws { content = try coder.decodeObject(forKey: "content") }
    func encode(with coder: KeyedArchiver) throws { try coder.encodeObject(content, forKey: "content") }
}

@Suite(.inTurn)
struct `Values of any type` {
    /// An unarchiver for `value` under "value".
    func unarchiver(for value: Any?, secure: Bool = true) throws -> KeyedUnarchiver {
        let archiver = KeyedArchiver()
        try archiver.encodeObject(value, forKey: "value")
        return try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding(), requiringSecureCoding: secure)
    }

    /// `value`, archived and decoded as one of `types`.
    func back(_ value: Any?, of types: [any Any.Type]) throws -> Any? {
        try unarchiver(for: value).decodeObject(of: types, forKey: "value")
    }

    @Test func `that are containers come back by the types of their contents in the list`() throws {
        let properties: [String: Any] = ["premium": true, "visits": 1]
        for container in [[String: Any].self, [AnyHashable: Any].self] as [any Any.Type] {
            let found = try back(properties, of: [container, Bool.self, Int.self, String.self])
            #expect((found as? [String: Any])?["visits"] as? Int == 1)
        }
        #expect(try back(["a": 1], of: [[String: Int].self]) as? [String: Int] == ["a": 1])
        #expect(try back(["a", "b"], of: [[String].self]) as? [String] == ["a", "b"])
        #expect(try back([["a"], []], of: [[[String]].self]) as? [[String]] == [["a"], []])
        #expect(try back(Set([1, 2]), of: [Set<Int>.self]) as? Set<Int> == [1, 2])
        #expect(try back([AnyPoint(x: 1)], of: [[AnyPoint].self]) as? [AnyPoint] == [AnyPoint(x: 1)])
        #expect(try back([AnyCircle("c")], of: [[AnyCircle].self]) is [AnyCircle])
        #expect(try back(AnyHolder(["a"]), of: [AnyHolder.self, [String].self]) is AnyHolder)
    }

    @Test func `of which a list has the container are refused with other contents`() throws {
        let refused: [(Any, [any Any.Type], String)] = [
            (
                ["a", 1], [[String].self],
                "Found the integer 1 (uid 3) at \"value[1]\", where only Array<String> is allowed"
            ),
            (["a": 1.5], [[String: Int].self], "Found the number 1.5"),
            ([AnyPoint(x: 1)], [[Any].self], "where only Array<Any> is allowed"),
            ("a", [[Int].self], "Found the string \"a\""), ([AnyCircle("c")], [[AnyPoint].self], "AnyCircle"),
        ]
        for (value, types, sentence) in refused {
            let error = try #require(throws: ArchivingError.self) { try back(value, of: types) }
            #expect(error.code == .classNotAllowed && error.description.contains(sentence), "\(error)")
        }
    }

    @Test func `that are leaves come back by the types in the list`() throws {
        #expect(try back("text", of: [String.self]) as? String == "text")
        #expect(try back("$null", of: [String.self]) as? String == "$null")
        #expect(try back(true, of: [Bool.self]) as? Bool == true)
        #expect(try back(7, of: [Int.self]) as? Int == 7)
        #expect(try back(UInt8(7), of: [Int.self]) as? Int == 7)
        #expect(try back(Int64.max, of: [Int64.self]) as? Int64 == .max)
        #expect(try back(1.5, of: [Double.self]) as? Double == 1.5)
        #expect(try back(Float(1.5), of: [Float.self]) as? Float == 1.5)
        #expect(try back(Data([1]), of: [Data.self]) as? Data == Data([1]))
        let date = Date(timeIntervalSinceReferenceDate: 1)
        #expect(try back(date, of: [Date.self]) as? Date == date)
        let url = try #require(URL(string: "https://example.org/a"))
        #expect(try back(url, of: [URL.self]) as? URL == url)
        let uuid = UUID()
        #expect(try back(uuid, of: [UUID.self]) as? UUID == uuid)
        #expect(try back(Decimal(string: "1.25"), of: [Decimal.self]) as? Decimal == Decimal(string: "1.25"))
    }

    @Test func `that are Foundation's come back by their types, and no others`() throws {
        func isBack<Value: Hashable & Encodable>(_ value: Value) throws {
            #expect(try back(value, of: [Value.self]) as? Value == value)
            let error = try keyedFailure { try back(value, of: [String.self, Int.self]) as Any }
            #expect(error.code == "classNotAllowed")
            #expect(error.path == "value")
        }
        try isBack(IndexSet([1, 2, 5]))
        try isBack(IndexPath(indexes: [1, 2]))
        try isBack(DateInterval(start: Date(timeIntervalSinceReferenceDate: 1), duration: 5))
        try isBack(Locale(identifier: "de_DE"))
        try isBack(#require(TimeZone(identifier: "Europe/Berlin")))
        try isBack(DateComponents(year: 5, month: 3))
        try isBack(1...3)
        try isBack(Data([1, 2, 3]).dropFirst())
    }

    @Test func `that are numbers are an Int where they fit, otherwise what of the list they fit`() throws {
        #expect(try back(7, of: [Int8.self, Int.self]) is Int)
        #expect(try back(7, of: [Int8.self, Double.self]) is Int8)
        #expect(try back(300, of: [Int8.self, UInt16.self]) is UInt16)
        #expect(try back(UInt64.max, of: [Int.self, UInt64.self]) as? UInt64 == .max)
        #expect(try back(Int128.min, of: [Int.self, Int128.self]) as? Int128 == .min)
        #expect(try back(UInt128.max, of: [UInt128.self]) as? UInt128 == .max)
        #expect(try back(1.5, of: [Float.self, Double.self]) is Double)
        #expect(try back(Float(1.5), of: [Float.self, Double.self]) is Float)
        #expect(try keyedFailure { try back(300, of: [Int8.self]) as Any }.code == "numberOutOfRange")
        #expect(try keyedFailure { try back(1, of: [Double.self, Bool.self]) as Any }.code == "classNotAllowed")
        #expect(try keyedFailure { try back(true, of: [Int.self]) as Any }.code == "classNotAllowed")
    }

    @Test func `that are nil are nil, however many optionals they are in`() throws {
        #expect(try back(nil, of: [String.self]) == nil)
        #expect(try back(Int??.some(nil) as Any, of: [Int.self]) == nil)
        #expect(try back(Int??.some(5) as Any, of: [Int.self]) as? Int == 5)
    }

    @Test func `that are instances come back once, as the classes in the list or registered ones below`() throws {
        let shape = AnyShape("square")
        let unarchiver = try unarchiver(for: [shape, AnyCircle("circle"), shape] as [Any])
        unarchiver.classes.register(AnyCircle.self)
        let shapes = try #require(
            unarchiver.decodeObject(of: [[Any].self, AnyShape.self], forKey: "value") as? [AnyShape])
        #expect(shapes.map(\.name) == ["square", "circle", "square"])
        #expect(shapes[0] === shapes[2])
        #expect(shapes[1] is AnyCircle)
        #expect(try unarchiver.decodeArray(of: [AnyShape.self], forKey: "value")?[0] as? AnyShape === shapes[0])
        #expect(try unarchiver.decode([AnyShape].self, forKey: "value")[1] === shapes[1])
    }

    @Test func `that are Codable structs and enums come back by their names`() throws {
        let values: [Any] = [AnyPoint(x: 1, label: "a"), AnyColor.green, AnyPoint(x: 2), "green", AnyColor.red]
        let all = try #require(
            back(values, of: [[Any].self, AnyPoint.self, AnyColor.self, String.self]) as? [Any])
        #expect(all[0] as? AnyPoint == AnyPoint(x: 1, label: "a"))
        #expect(all[1] as? AnyColor == .green)
        #expect(all[2] as? AnyPoint == AnyPoint(x: 2))
        #expect(all[3] as? String == "green")
        #expect(all[4] as? AnyColor == .red)
        let error = try keyedFailure { try back(values, of: [[Any].self, AnyPoint.self, String.self]) as Any }
        #expect(error.code == "classNotAllowed")
        #expect(error.path == "value[1]")
        #expect(error.says("AnyColor", "AnyPoint", "String"))
    }

    @Test func `in collections of each other come back with what is nil in them`() throws {
        let value: [AnyHashable: Any] = [
            "list": [1, nil, "two", [3.5, nil] as [Any?]] as [Any?], 5: ["inner": true] as [String: Any],
            "set": Set<AnyHashable>(["x", 9]), "none": Int?.none as Any, "empty": [Any](),
        ]
        let types: [any Any.Type] = [
            [Any].self, [AnyHashable: Any].self, Set<AnyHashable>.self, String.self, Int.self, Double.self, Bool.self,
        ]
        let result = try #require(back(value, of: types) as? [AnyHashable: Any])
        #expect(Set(result.keys) == ["list", 5, "set", "none", "empty"])
        let list = try #require(result["list"] as? [Any])
        #expect(list.count == 4)
        #expect(list[0] as? Int == 1)
        #expect(isNil(list[1]))
        #expect(list[2] as? String == "two")
        let inner = try #require(list[3] as? [Any])
        #expect(inner[0] as? Double == 3.5)
        #expect(isNil(inner[1]))
        #expect((result[5] as? [AnyHashable: Any])?["inner"] as? Bool == true)
        #expect(result["set"] as? Set<AnyHashable> == ["x", 9])
        #expect(try isNil(#require(result["none"])))
        #expect((result["empty"] as? [Any])?.isEmpty == true)
    }

    /// Whether `value` is a nil that an `Any` holds.
    func isNil(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional && mirror.children.isEmpty
    }

    @Test func `that nothing can archive are an error with the path, and leave the archive as it was`() throws {
        struct Opaque {}
        let archiver = KeyedArchiver()
        archiver.encode(1, forKey: "before")
        let value: [String: Any] = ["a": [1, Opaque()] as [Any]]
        let error = try keyedFailure { try archiver.encodeObject(value, forKey: "value") }
        #expect(error.code == "notEncodable")
        #expect(error.path == "value.a[1]")
        #expect(error.says("Opaque", "\"value.a[1]\""))
        archiver.encode(2, forKey: "after")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        #expect(unarchiver.allKeys == ["before", "after"])
        #expect(try unarchiver.decodeInteger(forKey: "after") == 2)
    }

    /// Values of the standard library that are neither `Coding` nor `Encodable`, and the names of their types.
    static let opaque: [(@Sendable () -> Any, String)] = [
        ({ Character("c") }, "Character"), ({ (1, 2) }, "(Int, Int)"), ({ Int.self }, "Int.Type"),
        ({ { 1 } as () -> Int }, "() -> Int"), ({ "text".dropFirst() }, "Substring"),
    ]

    @Test(arguments: opaque.indices)
    func `of types that cannot be encoded are an error that names the type`(index: Int) throws {
        let (make, name) = Self.opaque[index]
        let error = try keyedFailure { try KeyedArchiver().encodeObject(make(), forKey: "value") }
        #expect(error.code == "notEncodable")
        #expect(error.path == "value")
        #expect(error.says(name))
    }

    @Test func `in typed collections come back in untyped ones`() throws {
        let item = CodedItem("item", 1)
        let list = try back([item, nil] as [CodedItem?], of: [[Any].self, CodedItem.self]) as? [Any]
        #expect((list?.first as? CodedItem)?.name == "item")
        #expect(try isNil(#require(list?.last)))
        let numbers = try back([1, nil, 2] as [Int?], of: [[Any].self, Int.self]) as? [Any]
        #expect(numbers?.map { $0 as? Int } == [1, nil, 2])
        let table = try back(
            [AnyPoint(x: 1): item], of: [[AnyHashable: Any].self, CodedItem.self, AnyPoint.self])
        let found = (table as? [AnyHashable: Any])?[AnyPoint(x: 1)] as? CodedItem
        #expect(found?.value == 1)
        let set = try back(Set([HashedItem("a")]), of: [Set<AnyHashable>.self, HashedItem.self])
        #expect(set as? Set<AnyHashable> == [HashedItem("a")])
    }

    @Test func `that are not Hashable are no elements of sets and no keys of dictionaries`() throws {
        let set = try unarchiver(for: Set([HashedItem("a")]))
        // It reads the same key.
        set.classes.register(AnyShape.self, aliases: [ClassRegistry().name(for: HashedItem.self)])
        let error = try keyedFailure {
            try set.decodeObject(of: [Set<AnyHashable>.self, AnyShape.self], forKey: "value") as Any
        }
        #expect(error.code == "typeMismatch")
        #expect(error.path == "value[0]")
        #expect(error.says("AnyShape", "Hashable"))
    }

    @Test func `are instances of one graph with everything else`() throws {
        let item = CodedItem("shared", 1)
        let archiver = KeyedArchiver()
        try archiver.encode(item, forKey: "plain")
        try archiver.encodeObject([item, CodedBox(item: item, title: "box")] as [Any], forKey: "any")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        let values = try #require(
            try unarchiver.decodeArray(of: [CodedItem.self, CodedBox.self], forKey: "any"))
        let plain = try unarchiver.decode(CodedItem.self, forKey: "plain")
        #expect(values[0] as? CodedItem === plain)
        #expect((values[1] as? CodedBox)?.item === plain)
    }
}
