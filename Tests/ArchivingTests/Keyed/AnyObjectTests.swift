import Archiving
import Foundation
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

@Suite("Values of any type")
struct AnyObjectTests {
    /// An unarchiver for `value` under "value".
    private func unarchiver(for value: Any?, secure: Bool = true) throws -> KeyedUnarchiver {
        let archiver = KeyedArchiver()
        try archiver.encodeObject(value, forKey: "value")
        return try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding(), requiringSecureCoding: secure)
    }

    /// `value`, archived and decoded as one of `types`.
    private func back(_ value: Any?, of types: [any Any.Type]) throws -> Any? {
        try unarchiver(for: value).decodeObject(of: types, forKey: "value")
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
    private func isNil(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional && mirror.children.isEmpty
    }

    /// Values that need something in the list, and how it is said.
    static let containers: [(@Sendable () -> Any, any Any.Type)] = [
        ({ [1] as [Any] }, [Any].self), ({ ["a": 1] as [String: Any] }, [AnyHashable: Any].self),
        ({ Set<AnyHashable>([1]) }, Set<AnyHashable>.self),
    ]

    @Test(arguments: containers.indices)
    func `are containers only where those are listed`(index: Int) throws {
        let (make, type) = Self.containers[index]
        let leaves: [any Any.Type] = [Int.self, String.self]
        let others = Self.containers.indices.filter { $0 != index }.map { Self.containers[$0].1 }
        for types in [leaves, leaves + others, []] {
            let error = try keyedFailure { try back(make(), of: types) as Any }
            #expect(error.code == "classNotAllowed")
            #expect(error.path == "value")
        }
        #expect(try back(make(), of: leaves + [type]) != nil)
        // What is inside counts as well.
        #expect(try keyedFailure { try back(make(), of: [type]) as Any }.code == "classNotAllowed")
    }

    @Test func `in arrays and dictionaries may be listed by the method`() throws {
        let array = try unarchiver(for: [1, "two", nil] as [Any?])
        let elements = try #require(try array.decodeArray(of: [Int.self, String.self], forKey: "value"))
        #expect(elements.count == 3)
        #expect(elements[0] as? Int == 1)
        #expect(isNil(elements[2]))
        let error = try keyedFailure { try array.decodeArray(of: [Int.self], forKey: "value") as Any }
        #expect(error.code == "classNotAllowed")
        #expect(error.path == "value[1]")
        #expect(error.says("the string \"two\""))
        let dictionary = try unarchiver(for: ["a": 1, "b": 2] as [String: Any])
        let entries = try dictionary.decodeDictionary(keysOf: [String.self], valuesOf: [Int.self], forKey: "value")
        #expect(entries as? [String: Int] == ["a": 1, "b": 2])
        let others: [(keys: [any Any.Type], values: [any Any.Type])] = [
            ([Int.self], [Int.self]), ([String.self], [String.self]), ([], [Int.self]), ([String.self], []),
        ]
        for (keys, values) in others {
            let error = try keyedFailure {
                try dictionary.decodeDictionary(keysOf: keys, valuesOf: values, forKey: "value") as Any
            }
            #expect(error.code == "classNotAllowed")
        }
    }

    @Test func `are no array where a dictionary or a leaf is, and no dictionary where an array is`() throws {
        let unarchiver = try Archiving.KeyedUnarchiver(
            forReadingFrom: KeyedPlace.top.archive { archiver in
                try archiver.encodeObject(["a": 1] as [String: Any], forKey: "dictionary")
                try archiver.encodeObject([1] as [Any], forKey: "array")
                archiver.encode("text", forKey: "text")
            })
        let types: [any Any.Type] = [Int.self, String.self]
        for key in ["dictionary", "text"] {
            let error = try keyedFailure { try unarchiver.decodeArray(of: types, forKey: key) as Any }
            #expect(error.code == "typeMismatch")
            #expect(error.path == key)
        }
        for key in ["array", "text"] {
            let error = try keyedFailure {
                try unarchiver.decodeDictionary(keysOf: types, valuesOf: types, forKey: key) as Any
            }
            #expect(error.code == "typeMismatch")
            #expect(error.path == key)
        }
    }

    @Test func `hold what the list says everywhere below`() throws {
        let holder = AnyHolder([AnyHolder("deep"), 5] as [Any])
        let types: [any Any.Type] = [AnyHolder.self, [Any].self, String.self, Int.self]
        let result = try #require(back(holder, of: types) as? AnyHolder)
        let inner = try #require(result.content as? [Any])
        #expect((inner[0] as? AnyHolder)?.content as? String == "deep")
        #expect(inner[1] as? Int == 5)
        let error = try keyedFailure { try back(holder, of: [AnyHolder.self, [Any].self, Int.self]) as Any }
        #expect(error.code == "classNotAllowed")
        #expect(error.path == "value.content[0].content")
        #expect(error.says("the string \"deep\""))
    }

    @Test func `without a list are an error where secure coding is required, and at the top`() throws {
        let error = try keyedFailure { try unarchiver(for: 5).decodeObject(forKey: "value") as Any }
        #expect(error.code == "classNotAllowed")
        #expect(error.path == "value")
        let trusting = try unarchiver(for: [1, "a", AnyHolder(2.5), nil] as [Any?], secure: false)
        trusting.classes.register(AnyHolder.self)
        let values = try #require(trusting.decodeObject(forKey: "value") as? [Any])
        #expect(values[0] as? Int == 1)
        #expect(values[1] as? String == "a")
        #expect((values[2] as? AnyHolder)?.content as? Double == 2.5)
        #expect(isNil(values[3]))
    }

    @Test func `that nothing can archive are an error with the path, and leave the archive as it was`() throws {
        struct Opaque {}
        let archiver = KeyedArchiver()
        archiver.encode(1, forKey: "before")
        let value: [String: Any] = ["a": [1, Opaque()] as [Any]]
        let error = try keyedFailure { try archiver.encodeObject(value, forKey: "value") }
        #expect(error.code == "notEncodable")
        #expect(error.path == "value.a[1]")
        #expect(error.says("Opaque"))
        archiver.encode(2, forKey: "after")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        #expect(unarchiver.allKeys == ["before", "after"])
        #expect(try unarchiver.decodeInteger(forKey: "after") == 2)
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
