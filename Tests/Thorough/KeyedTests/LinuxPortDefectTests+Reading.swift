import Archiving
import Foundation
import TestSupport
import Testing

// MARK: - 6. Missing keys, which abort it

extension `What Foundation on Linux gets wrong is right here` {
    private func unarchiver(_ top: PropertyList, _ objects: PropertyList...) throws -> KeyedUnarchiver {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: handmadeArchive(top: top, objects: objects))
        unarchiver.classes = Self.classes
        return unarchiver
    }

    private static let classes: ClassRegistry = {
        var classes = ClassRegistry()
        classes.register(Animal.self, name: "Animal")
        classes.register(Dog.self, name: "Dog")
        classes.register(Plant.self, name: "Plant")
        return classes
    }()

    /// What an error says that `body` throws.
    private func code(_ body: () throws -> Any?) -> UnarchivingError.Code? {
        #expect(throws: UnarchivingError.self) { _ = try body() }?.code
    }

    @Test func `what is missing is nil, zero and false`() throws {
        let unarchiver = try unarchiver(["other": 1])
        #expect(try unarchiver.decodeIfPresent(Animal.self, forKey: "key") == nil)
        #expect(try unarchiver.decodeObject(of: [Animal.self], forKey: "key") == nil)
        #expect(try unarchiver.decodeObject(forKey: "key") == nil)
        #expect(try unarchiver.decodeArray(of: [Animal.self], forKey: "key") == nil)
        #expect(try unarchiver.decodeString(forKey: "key") == nil && unarchiver.decodeData(forKey: "key") == nil)
        #expect(try unarchiver.decodeDate(forKey: "key") == nil && unarchiver.decodeBytes(forKey: "key") == nil)
        #expect(try !unarchiver.decodeBool(forKey: "key"))
        #expect(try unarchiver.decodeInteger(forKey: "key") == 0 && unarchiver.decodeInt32(forKey: "key") == 0)
        #expect(try unarchiver.decodeInt64(forKey: "key") == 0 && unarchiver.decodeDouble(forKey: "key") == 0)
        #expect(try unarchiver.decodeFloat(forKey: "key") == 0)
        #expect(try unarchiver.decodePoint(forKey: "key") == (x: 0, y: 0))
        #expect(try unarchiver.decodeRect(forKey: "key") == (x: 0, y: 0, width: 0, height: 0))
        #expect(!unarchiver.containsValue(forKey: "key"))
    }

    @Test func `what is missing is an error where a value is asked for`() throws {
        let unarchiver = try unarchiver(["nil": .uid(0)])
        for key in ["missing", "nil"] {
            #expect(code { try unarchiver.decode(Animal.self, forKey: key) } == .valueNotFound)
            #expect(code { try unarchiver.decode(Int.self, forKey: key) } == .valueNotFound)
        }
        #expect(unarchiver.containsValue(forKey: "nil"))
    }
}

// MARK: - 7. Numbers, which it bends until they fit

extension `What Foundation on Linux gets wrong is right here` {
    @Test func `a number that does not fit is an error`() throws {
        let unarchiver = try unarchiver(
            ["large": 0x100_0000_0000, "real": 1.9, "whole": 2.0, "seven": 7, "object": .uid(1), "text": .uid(3)],
            ["name": .uid(3), "$class": .uid(2)], ["$classname": "Animal"], "5")
        #expect(code { try unarchiver.decodeInt32(forKey: "large") } == .numberOutOfRange)
        #expect(code { try unarchiver.decode(Int8.self, forKey: "large") } == .numberOutOfRange)
        #expect(try unarchiver.decode(Int8.self, forKey: "seven") == 7)
        #expect(try unarchiver.decodeInt64(forKey: "large") == 1 << 40)
        for key in ["real", "whole", "object", "text"] {
            #expect(code { try unarchiver.decodeInteger(forKey: key) } == .typeMismatch, "\(key)")
            #expect(code { try unarchiver.decodeInt32(forKey: key) } == .typeMismatch, "\(key)")
        }
        for key in ["seven", "large", "real", "object", "text"] {
            #expect(code { try unarchiver.decodeBool(forKey: key) } == .typeMismatch, "\(key)")
        }
        #expect(code { try unarchiver.decodeDouble(forKey: "seven") } == .typeMismatch)
        #expect(try unarchiver.decodeDouble(forKey: "real") == 1.9)
    }

    @Test func `zero and one are false and true`() throws {
        let unarchiver = try unarchiver(["zero": 0, "one": 1])
        #expect(try !unarchiver.decodeBool(forKey: "zero") && unarchiver.decodeBool(forKey: "one"))
    }
}

// MARK: - 8. and 9. Classes that are not allowed, which abort it or come through

extension `What Foundation on Linux gets wrong is right here` {
    /// A plant under "plant", a dog under "dog", both in an array under "array".
    private func garden() throws -> KeyedUnarchiver {
        try unarchiver(
            ["plant": .uid(1), "dog": .uid(2), "array": .uid(6)], ["$class": .uid(4)],
            ["name": .uid(3), "$class": .uid(5)],
            "Rex", ["$classname": "Plant"], ["$classname": "Dog", "$classes": ["Dog", "Animal", "NSObject"]],
            ["NS.objects": [.uid(2), .uid(1)], "$class": .uid(7)], ["$classname": "NSArray"])
    }

    @Test func `an object of another class is an error`() throws {
        let unarchiver = try garden()
        let made = Counter()
        Plant.$count.withValue(made) {
            #expect(code { try unarchiver.decode(Animal.self, forKey: "plant") } == .classNotAllowed)
            #expect(code { try unarchiver.decodeIfPresent(Animal.self, forKey: "plant") } == .classNotAllowed)
            #expect(code { try unarchiver.decodeObject(of: [Animal.self], forKey: "plant") } == .classNotAllowed)
        }
        #expect(made.value == 0)
        #expect(try unarchiver.decode(Animal.self, forKey: "dog") is Dog)
    }

    @Test func `an object of another class is nil and an error where that is wanted`() throws {
        let unarchiver = try garden()
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        #expect(try unarchiver.decodeObject(of: [Animal.self], forKey: "plant") == nil)
        #expect((unarchiver.error as? UnarchivingError)?.code == .classNotAllowed)
        #expect(throws: (any Error).self) { try unarchiver.decode(Animal.self, forKey: "plant") }
    }

    @Test func `a narrower list after a wider one is enforced`() throws {
        let unarchiver = try garden()
        #expect(try unarchiver.decodeObject(of: [Animal.self, Plant.self], forKey: "plant") is Plant)
        #expect(code { try unarchiver.decodeObject(of: [Animal.self], forKey: "plant") } == .classNotAllowed)
        #expect(code { try unarchiver.decode(Animal.self, forKey: "plant") } == .classNotAllowed)
        #expect(throws: Never.self) { try unarchiver.decode(Plant.self, forKey: "plant") }
        #expect(try unarchiver.decodeObject(of: [Animal.self], forKey: "dog") is Dog)
        #expect(code { try unarchiver.decodeObject(of: [Plant.self], forKey: "dog") } == .classNotAllowed)
    }

    @Test func `a narrower list is enforced inside of collections that were decoded before`() throws {
        let unarchiver = try garden()
        #expect(try unarchiver.decodeArray(of: [Animal.self, Plant.self], forKey: "array")?.count == 2)
        #expect(code { try unarchiver.decodeArray(of: [Animal.self], forKey: "array") } == .classNotAllowed)
        #expect(code { try unarchiver.decode([Animal].self, forKey: "array") } == .classNotAllowed)
        #expect(
            code { try unarchiver.decodeObject(of: [Animal.self, Plant.self], forKey: "array") } == .classNotAllowed)
    }

    @Test func `without a list nothing is decoded`() throws {
        #expect(code { try garden().decodeObject(forKey: "plant") } == .classNotAllowed)
    }

    @Test func `leaves and dictionaries without a class are checked`() throws {
        let unarchiver = try unarchiver(
            [
                "text": .uid(1), "number": .uid(2), "data": .uid(3), "bool": .uid(4), "dictionary": .uid(5),
                "array": .uid(6), "inline": "text",
            ],
            "text", 7, .data(Data([1])), true, ["name": "Rex"], [.uid(1)])
        for key in unarchiver.allKeys {
            #expect(
                throws: UnarchivingError.self, "\(key)",
                performing: { try unarchiver.decodeObject(of: [Animal.self], forKey: key) })
            #expect(
                throws: UnarchivingError.self, "\(key)", performing: { try unarchiver.decode(Animal.self, forKey: key) }
            )
        }
        #expect(code { try unarchiver.decodeObject(of: [Int.self], forKey: "text") } == .classNotAllowed)
        #expect(code { try unarchiver.decodeObject(of: [String.self], forKey: "number") } == .classNotAllowed)
        #expect(try unarchiver.decodeObject(of: [String.self], forKey: "text") as? String == "text")
    }

    @Test func `a uid is no object`() throws {
        for object in [PropertyList.uid(1), .uid(2), .uid(0)] {
            let unarchiver = try unarchiver(["root": .uid(1)], object, "text")
            #expect(throws: UnarchivingError.self) { try unarchiver.decodeObject(of: [String.self], forKey: "root") }
            #expect(throws: UnarchivingError.self) { try unarchiver.decode(String.self, forKey: "root") }
            #expect(throws: UnarchivingError.self) { try unarchiver.decode(Animal.self, forKey: "root") }
        }
    }
}

// MARK: - 10. Values, which crash it or change

extension `What Foundation on Linux gets wrong is right here` {
    @Test func `decimals, intervals and texts that can be changed come through`() throws {
        let interval = DateInterval(start: Date(timeIntervalSinceReferenceDate: 100), duration: 60.5)
        let decimal = try #require(Decimal(string: "-12345.6789"))
        let archiver = KeyedArchiver()
        try archiver.encode(decimal, forKey: "decimal")
        try archiver.encode(interval, forKey: "interval")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        #expect(try unarchiver.decode(Decimal.self, forKey: "decimal") == decimal)
        #expect(try unarchiver.decode(DateInterval.self, forKey: "interval") == interval)
        #expect(try unarchiver.decode(DateInterval.self, forKey: "interval").duration == 60.5)

        let texts = try self.unarchiver(
            ["text": .uid(1)], ["NS.string": "text", "$class": .uid(2)],
            ["$classname": "NSMutableString", "$classes": ["NSMutableString", "NSString", "NSObject"]])
        #expect(try texts.decodeString(forKey: "text") == "text")
        #expect(texts.archivedClassName(forKey: "text") == "NSMutableString")
    }
}

// MARK: - 11. Dictionaries with more keys than values, where it reads past the end

extension `What Foundation on Linux gets wrong is right here` {
    @Test(
        arguments: [
            ([.uid(2), .uid(3)], [.uid(2)]), ([.uid(2)], [.uid(2), .uid(3)]), ([.uid(2)], []), ([], [.uid(2)]),
        ] as [([PropertyList], [PropertyList])])
    func `a dictionary whose keys and values are not equally many is an error`(
        keys: [PropertyList], values: [PropertyList]
    ) throws {
        let unarchiver = try unarchiver(
            ["root": .uid(1)], ["NS.keys": .array(keys), "NS.objects": .array(values), "$class": .uid(4)], "a", "b",
            ["$classname": "NSDictionary"])
        #expect(code { try unarchiver.decode([String: String].self, forKey: "root") } == .damaged)
        #expect(
            code { try unarchiver.decodeObject(of: [[AnyHashable: Any].self, String.self], forKey: "root") }
                == .damaged)
        #expect(
            code { try unarchiver.decodeDictionary(keysOf: [String.self], valuesOf: [String.self], forKey: "root") }
                == .damaged)
    }
}

// MARK: - Classes

private class Animal: Coding {
    let name: String

    required init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }

    func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "name") }
}

private final class Dog: Animal {}

private final class Plant: Coding {
    /// How many have been made, where somebody counts.
    @TaskLocal static var count: Counter?

    init(coder: KeyedUnarchiver) throws { Self.count?.value += 1 }

    func encode(with coder: KeyedArchiver) throws {}
}

private final class Counter: @unchecked Sendable {
    var value = 0
}
