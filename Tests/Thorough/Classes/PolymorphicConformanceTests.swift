// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

private protocol Shape {}
private protocol Named {}
private protocol Box<Content> { associatedtype Content }
private class Animal {}

private struct Square: Shape, Codable { var side = 1 }
private final class Dog: Animal, Shape, Named, Codable {
    override init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {}
}
private struct Crate: Box, Codable { typealias Content = Int }

/// How often an `init(from:)` or `init(coder:)` of a type that is no `Shape` has run.
private let intruders = Mutex(0)

private struct Intruder: Codable {
    init() {}
    init(from decoder: any Decoder) throws { intruders.withLock { $0 += 1 } }
}

private final class IntrudingClass: Codable {
    init() {}
    init(from decoder: any Decoder) throws { intruders.withLock { $0 += 1 } }
}

private final class IntrudingObject: Coding {
    init() {}
    init(coder: KeyedUnarchiver) throws { intruders.withLock { $0 += 1 } }
    func encode(with coder: KeyedArchiver) throws {}
}

private final class Window: Coding, Shape {
    init() {}
    init(coder: KeyedUnarchiver) throws {}
    func encode(with coder: KeyedArchiver) throws {}
}

extension ClassRegistry {
    fileprivate static let all: ClassRegistry = {
        var classes = ClassRegistry()
        let types: [any Any.Type] = [
            Square.self, Dog.self, Crate.self, Window.self, Intruder.self, IntrudingClass.self, IntrudingObject.self,
        ]
        for type in types { classes.register(type) }
        return classes
    }()
}

/// What `Value` is decoded as from an archive of `object` alone, by a decoder that knows every class in this file.
private func decoded<Value>(_ object: any Encodable, as type: Value.Type) throws -> Value {
    try decodedAny(Polymorphic<any Encodable>(wrappedValue: object), as: type)
}

private func decodedAny<Value>(_ wrapper: some Encodable, as type: Value.Type) throws -> Value {
    var decoder = ArchiveDecoder()
    decoder.classes = .all
    return try decoder.decode(Polymorphic<Value>.self, from: ArchiveEncoder().encode(wrapper)).wrappedValue
}

private typealias ShapedAnimal = Animal & Shape
private typealias NamedShape = Named & Shape

@Suite(.inTurn) struct `A registered type that does not conform to the requested protocol` {
    private func created(_ body: () throws -> Void) rethrows -> Int {
        intruders.withLock { $0 = 0 }
        try body()
        return intruders.withLock { $0 }
    }

    @Test func `is refused, and before an instance of it is created if a class is requested`() throws {
        let objects: [any Encodable] = [Intruder(), IntrudingClass()]
        for object in objects {
            let error = try failure { try decoded(object, as: (any Shape).self) }
            #expect(error.kind == .typeMismatch && error.says("Intrud", "Shape", "register"))
            #expect(throws: DecodingError.self) { try decoded(object, as: [any Shape].self) }
            #expect(throws: DecodingError.self) { try decoded(object, as: (any NamedShape).self) }
            #expect(throws: DecodingError.self) { try decoded(object, as: (any ShapedAnimal).self) }
            let count = created {
                #expect(throws: DecodingError.self) { try decoded(object, as: Animal.self) }
            }
            #expect(count == 0)
        }
        #expect(try created { _ = try decoded(Intruder(), as: Any.self) } == 1)
        #expect(try created { _ = try decoded(IntrudingClass(), as: AnyObject.self) } == 1)
        let count = created {
            #expect(throws: DecodingError.self) { try decoded(Intruder(), as: AnyObject.self) }
        }
        #expect(count == 0)
    }

    @Test func `is refused behind one that is in its place, in the same array`() throws {
        let mixed: [any Encodable] = [Square(), Intruder()]
        let error = try failure {
            try decodedAny(Polymorphic<[any Encodable]>(wrappedValue: mixed), as: [any Shape].self)
        }
        #expect(error.path == "[1]")
    }

    @Test func `is refused under Coded and of a Coding class`() throws {
        var decoder = ArchiveDecoder()
        decoder.classes = .all
        let data = try ArchiveEncoder().encode(Coded<any Coding>(wrappedValue: IntrudingObject()))
        #expect(throws: DecodingError.self) { try decoder.decode(Coded<any Shape>.self, from: data) }
        #expect(throws: DecodingError.self) { try decoder.decode(Polymorphic<any Shape>.self, from: data) }
        let window = try ArchiveEncoder().encode(Coded<any Coding>(wrappedValue: Window()))
        #expect(try decoder.decode(Coded<any Shape>.self, from: window).wrappedValue is Window)
    }

    @Test func `is refused with JSON`() throws {
        let encoder = JSONEncoder()
        let decoder = JSONDecoder()
        encoder.userInfo[ClassRegistry.userInfoKey] = ClassRegistry.all
        decoder.userInfo[ClassRegistry.userInfoKey] = ClassRegistry.all
        let intruder = try encoder.encode(Polymorphic<any Encodable>(wrappedValue: Intruder()))
        let object = try encoder.encode([Coded<any Coding>(wrappedValue: IntrudingObject())])
        #expect(throws: DecodingError.self) { try decoder.decode(Polymorphic<any Shape>.self, from: intruder) }
        #expect(throws: DecodingError.self) { try decoder.decode([Coded<any Shape>].self, from: object) }
        let square = try encoder.encode(Polymorphic<any Encodable>(wrappedValue: Square(side: 3)))
        let again = try decoder.decode(Polymorphic<any Shape>.self, from: square).wrappedValue
        #expect((again as? Square)?.side == 3)
    }

    @Test func `is distinguished from those that do, for every kind of protocol`() throws {
        #expect(try decoded(Square(), as: (any Shape).self) is Square)
        #expect(try decoded(Dog(), as: (any NamedShape).self) is Dog)
        #expect(try decoded(Dog(), as: (any ShapedAnimal).self) is Dog)
        #expect(try decoded(Dog(), as: Animal.self) is Dog)
        #expect(try decoded(Dog(), as: AnyObject.self) is Dog)
        #expect(try decoded(Crate(), as: (any Box).self) is Crate)
        #expect(try decoded(Crate(), as: (any Box<Int>).self) is Crate)
        #expect(throws: DecodingError.self) { try decoded(Crate(), as: (any Box<String>).self) }
        #expect(throws: DecodingError.self) { try decoded(Square(), as: (any NamedShape).self) }
    }

    @Test func `is known anew when the registry of an unarchiver changes`() throws {
        let archiver = KeyedArchiver()
        archiver.classes.register(Square.self, name: "Thing")
        try archiver.encode(Polymorphic<any Shape>(wrappedValue: Square(side: 5)), forKey: "a")
        let data = try archiver.finishEncoding()
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.classes.register(Square.self, name: "Thing")
        #expect(try unarchiver.decode(Polymorphic<any Shape>.self, forKey: "a").wrappedValue is Square)
        unarchiver.classes = ClassRegistry()
        #expect(throws: ArchivingError.self) { try unarchiver.decode(Polymorphic<any Shape>.self, forKey: "a") }
    }
}
