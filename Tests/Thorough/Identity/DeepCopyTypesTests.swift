// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private protocol Shape: Codable {
    var area: Double { get }
}

private struct Square: Shape {
    var side: Double
    var area: Double { side * side }
}

private enum Size: String, Shape {
    case one
    var area: Double { 1 }
}

private final class Blob: Shape {
    var area: Double
    init(_ area: Double) { self.area = area }
}

extension Double: Shape { fileprivate var area: Double { self } }

private class Animal: Codable {
    var name = "a"
    init() {}
}

private class Dog: Animal {}

private final class Puppy: Dog {
    var age = 1
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        age = try container.decode(Int.self, forKey: "age")
        try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(age, forKey: "age")
        try super.encode(to: container.superEncoder())
    }
}

/// What a deep copy has for the types in it, none of which is registered anywhere.
@Suite(.inTurn) struct `Types in a deep copy` {
    private func names(_ animals: [Animal]) -> [String] { animals.map { "\(type(of: $0))" } }

    @Test func `are those of the original, subclasses too`() throws {
        let puppy = Puppy()
        puppy.age = 7
        puppy.name = "Rex"
        let copy = try deepCopy(of: [puppy, Animal(), Dog(), puppy])
        #expect(names(copy) == ["Puppy", "Animal", "Dog", "Puppy"])
        #expect((copy[0] as? Puppy)?.age == 7 && copy[0].name == "Rex")
        #expect(copy[0] === copy[3] && copy[0] !== puppy)
        let root: Animal = puppy
        #expect(try deepCopy(of: root) is Puppy)
    }

    @Test func `are distinguished although their names are equal`() throws {
        func first() -> Animal {
            final class Local: Animal {}
            return Local()
        }
        func second() -> Animal {
            final class Local: Animal {}
            return Local()
        }
        let animals = [first(), second(), first()]
        let classes = animals.map { ObjectIdentifier(type(of: $0)) }
        #expect(Set(classes).count == 2)
        #expect(Set(animals.map { ClassRegistry().name(for: type(of: $0)) }).count == 1)
        #expect(try deepCopy(of: animals).map { ObjectIdentifier(type(of: $0)) } == classes)
    }

    @Test func `are distinguished although they declare the same name`() throws {
        final class Left: Animal, ArchiveDescribing { class var archiveName: String { "Same" } }
        final class Right: Animal, ArchiveDescribing { class var archiveName: String { "Same" } }
        struct Both: Codable {
            var left: Left
            var right: Right
            var animals: [Animal]
        }
        let both = Both(left: Left(), right: Right(), animals: [Right(), Left(), Animal()])
        let copy = try deepCopy(of: both)
        #expect(names(copy.animals) == ["Right", "Left", "Animal"])
        #expect(copy.left !== both.left && copy.right !== both.right)
    }

    @Test func `are distinguished although a subclass has its superclass's name`() throws {
        enum Inner { fileprivate final class Animal: Dog {} }
        let copy = try deepCopy(of: [Inner.Animal(), Dog(), Puppy()] as [Dog])
        #expect(copy[0] is Inner.Animal && !(copy[1] is Inner.Animal) && copy[2] is Puppy)
    }

    @Test func `are those of the original if a protocol is requested`() throws {
        struct Drawing: Codable {
            @Polymorphic var shape: any Shape
            @Polymorphic var maybe: (any Shape)?
            @Polymorphic var shapes: [any Shape]
            @Polymorphic var byName: [String: any Shape]
            var blob: Blob
        }
        let blob = Blob(5)
        let drawing = Drawing(
            shape: blob, maybe: nil, shapes: [Square(side: 2), Size.one, 1.5, blob], byName: ["b": blob], blob: blob)
        let copy = try deepCopy(of: drawing)
        #expect(copy.shapes.map(\.area) == [4, 1, 1.5, 5])
        #expect(copy.shapes[0] is Square && copy.shapes[1] is Size && copy.shapes[2] is Double)
        #expect(copy.maybe == nil)
        #expect(copy.blob !== blob)
        #expect(copy.shape as? Blob === copy.blob && copy.shapes[3] as? Blob === copy.blob)
        #expect(copy.byName["b"] as? Blob === copy.blob)
        #expect(try deepCopy(of: Polymorphic<any Shape>(wrappedValue: blob)).wrappedValue as? Blob !== blob)
    }

    @Test func `are generic ones of the original`() throws {
        class Box<Content: Codable>: Codable {
            var content: Content
            init(_ content: Content) { self.content = content }
        }
        final class Lid<Content: Codable>: Box<Content> {}
        struct Both: Codable {
            var numbers: [Box<Int>]
            var texts: [Box<String>]
        }
        let copy = try deepCopy(of: Both(numbers: [Lid(1), Box(2)], texts: [Box("a"), Lid("b")]))
        #expect(copy.numbers.map { $0 is Lid<Int> } == [true, false])
        #expect(copy.texts.map { $0 is Lid<String> } == [false, true])
        #expect(copy.numbers.map(\.content) == [1, 2] && copy.texts.map(\.content) == ["a", "b"])
    }

    @Test func `know their versions`() throws {
        class Base: Codable, ArchiveDescribing {
            class var archiveVersion: Int { 2 }
            var seen: [Int?] = []
            init() {}
            required init(from decoder: any Decoder) throws {
                seen = [decoder.archivedVersion(), decoder.archivedVersion(of: Base.self)]
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: "x")
            }
        }
        final class Derived: Base {
            override class var archiveVersion: Int { 3 }
        }
        #expect(try deepCopy(of: [Base(), Derived()]).map(\.seen) == [[2, 2], [3, 2]])
    }

    @Test func `keep what is archived once equal`() throws {
        struct Person: Codable, ArchivedOnce {
            let id: Int
            var blob: Blob
        }
        let blob = Blob(1)
        let copy = try deepCopy(of: [Person(id: 1, blob: blob), Person(id: 2, blob: blob), Person(id: 1, blob: blob)])
        #expect(copy.map(\.id) == [1, 2, 1])
        #expect(copy.allSatisfy { $0.blob === copy[0].blob && $0.blob !== blob })
    }

    @Test func `of Foundation's come back equal`() throws {
        struct Values: Codable, Equatable {
            var date = Date(timeIntervalSinceReferenceDate: 700_000_000.123)
            var uuid = UUID()
            var url = URL(string: "b?c=d", relativeTo: URL(string: "https://example.org/a/"))
            var data = Data((0...255).map { UInt8($0) })
            var decimal = Decimal(string: "-123.456")
            var range = 3..<9
            var interval = DateInterval(start: Date(timeIntervalSinceReferenceDate: 5), duration: 7)
            var indexes = IndexSet([1, 2, 9])
            var path = IndexPath(indexes: [1, 2, 3])
            var locale = Locale(identifier: "ja_JP")
            var zone = TimeZone(identifier: "Europe/Berlin")
            var calendar = Calendar(identifier: .hebrew)
            var components = DateComponents(year: 2026, month: 2)
        }
        let values = Values()
        #expect(try deepCopy(of: values) == values)
        let nested = [values.date: [values.uuid: Decimal(1.5)]]
        #expect(try deepCopy(of: nested) == nested)
    }

    @Test func `that hold no instances come back as they are`() throws {
        struct Point: Codable, Equatable {
            var x = 0.1
            var y = Double.nan
        }
        enum Kind: Codable {
            case a
            case b
        }
        #expect(try deepCopy(of: Point()).y.isNaN && deepCopy(of: Point()).x == 0.1)
        #expect(try deepCopy(of: Kind.b) == .b)
        #expect(try deepCopy(of: 5) == 5 && deepCopy(of: "text") == "text" && deepCopy(of: [1, 2]) == [1, 2])
        #expect(try deepCopy(of: ["a", ""]) == ["a", ""] && deepCopy(of: Data([1, 2])) == Data([1, 2]))
        let reals = [Double.infinity, -0.0]
        #expect(try deepCopy(of: reals).map(\.bitPattern) == reals.map(\.bitPattern))
        #expect(try deepCopy(of: [UInt64.max]) == [.max] && deepCopy(of: [Int128.min, .max]) == [.min, .max])
        #expect(try deepCopy(of: Int?.none) == nil && deepCopy(of: [Int?.none, 1]) == [nil, 1])
        #expect(try deepCopy(of: [[String: [Bool]]]()) == [])
    }
}
