import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

private class Part: Coding {
    class var supportsSecureCoding: Bool { true }
    let name: String

    init(_ name: String) { self.name = name }
    required init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }
    func encode(with coder: KeyedArchiver) { coder.encode(name, forKey: "name") }
    var description: String { "\(type(of: self)) \(name)" }
}

private final class Wheel: Part {}

private final class Draft: Part {
    override class var supportsSecureCoding: Bool { false }
}

private struct Box: Codable {
    @Coded var part: Part
}

private struct Answer: Codable {
    static let key = CodingUserInfoKey.named("answer")
    let text: String

    init() { text = "" }
    init(from decoder: any Decoder) throws { text = "\(decoder.userInfo[Self.key] ?? "none")" }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(encoder.userInfo[Self.key] ?? "none")")
    }
}

private struct Pages: Codable {
    @Deferred var numbers: [Int]
}

private struct Refusing: Encodable {
    struct Refusal: Error {}
    func encode(to encoder: any Encoder) throws { throw Refusal() }
}

private final class Person: Codable, Hashable {
    let name: String
    var friends: Set<Person> = []

    init(_ name: String) { self.name = name }
    static func == (left: Person, right: Person) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A call, and the part of its result or of its error that no earlier call may change.
private struct Call: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let result: String
    private let body: @Sendable () throws -> String

    init(_ description: String, _ result: String, _ body: @escaping @Sendable () throws -> String) {
        (testDescription, self.result, self.body) = (description, result, body)
    }

    func check(after earlier: Call? = nil) {
        let found: String
        do { found = try body() } catch { found = "\(error)" }
        #expect(found.contains(result), "\(testDescription) after \(earlier?.testDescription ?? "nothing")")
    }
}

extension Call {
    private static let insecure = "does not support secure coding"

    /// The decoder with the class names that `encoded(_:)` registers.
    private static var decoder: ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.classes.register(Wheel.self, name: "Rad")
        return decoder
    }

    private static func encoded(_ part: Part, _ name: String = "Rad") throws -> Data {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Wheel.self, name: name)
        return try encoder.encode(Box(part: part))
    }

    private static func draft() throws -> Data {
        try KeyedArchiver.archivedData(withRootObject: Box(part: Draft("d")), requiringSecureCoding: false)
    }

    static let all: [Call] = [
        Call("a decoding", "Part p") {
            try ArchiveDecoder().decode(Box.self, from: encoded(Part("p"))).part.description
        },
        Call("a decoding with a registered name", "Wheel w") {
            try decoder.decode(Box.self, from: encoded(Wheel("w"))).part.description
        },
        Call("a decoding without the name", "object of Rad") {
            try ArchiveDecoder().decode(Box.self, from: encoded(Wheel("w"))).part.description
        },
        Call("a decoding as the requested class", "Part w") {
            var decoder = ArchiveDecoder()
            decoder.classes.unknownClasses = .decodeAsRequested
            return try decoder.decode(Box.self, from: encoded(Wheel("w"))).part.description
        },
        Call("a decoding of an insecure class", insecure) {
            var decoder = ArchiveDecoder()
            decoder.classes.register(Draft.self)
            return try decoder.decode(Box.self, from: draft()).part.description
        },
        Call("a decoding with limits", "objects") {
            var decoder = ArchiveDecoder()
            decoder.limits.objects = 2
            return try decoder.decode([Int].self, from: ArchiveEncoder().encode([1, 2, 3])).description
        },
        Call("a decoding without limits", "[1, 2, 3]") {
            try ArchiveDecoder().decode([Int].self, from: ArchiveEncoder().encode([1, 2, 3])).description
        },
        Call("a decoding with user info", "42") {
            var decoder = ArchiveDecoder()
            decoder.userInfo = [Answer.key: 42]
            return try decoder.decode(Answer.self, from: ArchiveEncoder().encode(Answer())).text
        },
        Call("a decoding without user info", "none") {
            try ArchiveDecoder().decode(Answer.self, from: ArchiveEncoder().encode(Answer())).text
        },
        Call("an encoding with user info", "42") {
            var encoder = ArchiveEncoder()
            encoder.userInfo = [Answer.key: 42]
            return try ArchiveDecoder().decode(String.self, from: encoder.encode(Answer()))
        },
        Call("an encoding without user info", "none") {
            try ArchiveDecoder().decode(String.self, from: ArchiveEncoder().encode(Answer()))
        },
        Call("an encoding with a registered name", "true") { "\(try encoded(Wheel("w")).contains("Rad".utf8))" },
        Call("an encoding with another name", "false") { "\(try encoded(Wheel("w"), "Rueda").contains("Rad".utf8))" },
        Call("an encoding of an insecure class", insecure) {
            "\(try ArchiveEncoder().encode(Box(part: Draft("d"))).count)"
        },
        Call("an encoding that fails", "Refusal") { "\(try ArchiveEncoder().encode([Refusing()]).count)" },
        Call("an encoding of packed numbers", "true") {
            var encoder = ArchiveEncoder()
            encoder.numericArrays = .packed
            return "\(try encoder.encode([1.5, 2.5]).contains("NSArray".utf8) == false)"
        },
        Call("an encoding of other numbers", "true") {
            "\(try ArchiveEncoder().encode([1.5, 2.5]).contains("NSArray".utf8))"
        },
        Call("an encoding as XML", "<?xml") {
            var encoder = ArchiveEncoder()
            encoder.outputFormat = .xml
            return String(decoding: try encoder.encode("text"), as: UTF8.self)
        },
        Call("a damaged archive", "trailer") {
            try ArchiveDecoder().decode(Box.self, from: encoded(Part("p")).dropLast(20)).part.description
        },
        Call("a cycle through a set", "a b a") {
            let (a, b) = (Person("a"), Person("b"))
            (a.friends, b.friends) = ([b], [a])
            defer { a.friends = [] }
            let copy = try ArchiveDecoder().decode(Person.self, from: ArchiveEncoder().encode(a))
            defer { copy.friends = [] }
            let friend = try #require(copy.friends.first)
            return "\(copy.name) \(friend.name) \(friend.friends.first === copy ? "a" : "another")"
        },
        Call("a part that is decoded later", "[4, 5]") {
            let pages = try ArchiveDecoder().decode(Pages.self, from: ArchiveEncoder().encode(Pages(numbers: [4, 5])))
            try pages.$numbers.load()
            return "\(pages.numbers)"
        },
        Call("a deep copy", "Wheel w") { try deepCopy(of: Box(part: Wheel("w"))).part.description },
        Call("a deep copy of an insecure instance", "Draft d") {
            try deepCopy(of: Box(part: Draft("d"))).part.description
        },
        Call("a deep copy without Codable", "Draft d") { try deepCopy(of: Draft("d")).description },
        Call("an unarchiving", "Part p") {
            let data = try KeyedArchiver.archivedData(withRootObject: Part("p"))
            return try KeyedUnarchiver.unarchivedObject(of: Part.self, from: data).description
        },
        Call("an unarchiving of an insecure class", insecure) {
            let data = try KeyedArchiver.archivedData(withRootObject: Draft("d"), requiringSecureCoding: false)
            return try KeyedUnarchiver.unarchivedObject(of: Draft.self, from: data).description
        },
        Call("an unarchiving without secure coding", "Draft d") {
            let unarchiver = try KeyedUnarchiver(forReadingFrom: draft(), requiringSecureCoding: false)
            unarchiver.classes.register(Draft.self)
            return try unarchiver.decode(Box.self, forKey: "root").part.description
        },
        Call("an archiving of an insecure class", insecure) {
            "\(try KeyedArchiver.archivedData(withRootObject: Draft("d")).count)"
        },
    ]
}

/// Calls reuse the coders of earlier ones.
@Suite(.inTurn) struct `A call` {
    @Test(arguments: Call.all)
    fileprivate func `has its own result after any other call`(_ call: Call) {
        for earlier in Call.all {
            earlier.check()
            call.check(after: earlier)
            call.check(after: call)
        }
    }
}
