// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// One object that is requested as two classes.
@Suite(.inTurn) struct `One object of an archive` {
    class Owner: Codable {
        var name = "o"
        init() {}
    }

    final class Landlord: Owner {}

    final class Stranger: Codable {
        var name = "s"
    }

    struct Right: Codable {
        var first: Owner
        var maybe: Owner
    }

    private struct Read<First: Decodable, Second: Decodable>: Decodable {
        var first: First
        var maybe: Second
    }

    private func data(_ owner: Owner = Owner()) throws -> Data {
        try ArchiveEncoder().encode(Right(first: owner, maybe: owner))
    }

    private func decoder(_ types: [any (Decodable & AnyObject).Type] = []) -> ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.classes.unknownClasses = .decodeAsRequested
        for type in types { decoder.classes.register(type) }
        return decoder
    }

    // MARK: Two classes

    private struct Awaiting: Decodable {
        @Reference var first: Owner?
        @Reference var maybe: Stranger?
    }

    @Test func `becomes an instance of each of two classes that are unrelated, as in JSON`() throws {
        let read = try ArchiveDecoder().decode(Read<Owner, Stranger>.self, from: data())
        #expect(read.first.name == "o" && read.maybe.name == "o")
        let awaiting = try ArchiveDecoder().decode(Awaiting.self, from: data())
        #expect(awaiting.first?.name == "o" && awaiting.maybe?.name == "o")
        let error = try failure { try decoder([Owner.self]).decode(Read<Owner, Stranger>.self, from: data()) }
        #expect(error.kind == .typeMismatch && error.path == "maybe" && error.says("Owner", "Stranger"))
    }

    @Test func `may be requested as a class and as its subclass`() throws {
        let data = try data(Landlord())
        let known = try decoder([Landlord.self]).decode(Read<Owner, Landlord>.self, from: data)
        #expect(known.first === known.maybe)
        let turned = try decoder([Landlord.self]).decode(Read<Landlord, Owner>.self, from: data)
        #expect(turned.first === turned.maybe)
    }

    // MARK: What is no second class

    private struct Name: Decodable {
        var name: String
    }

    @Test func `may become an instance and values of any type`() throws {
        let read = try decoder().decode(Read<Owner, Name>.self, from: data())
        #expect(read.first.name == "o" && read.maybe.name == "o")
    }

    @Test func `may be kept as it lies in the archive besides`() throws {
        let read = try decoder().decode(Read<Owner, UnknownObject>.self, from: data())
        #expect(read.first.name == "o" && read.maybe.value.className?.contains("Owner") == true)
    }

    private struct Needy: Decodable {
        var first: Stranger
        var absent: Int
    }

    private struct Trying: Decodable {
        var first: Owner
        init(from decoder: any Decoder) throws {
            let failed = try? Needy(from: decoder)
            #expect(failed == nil)
            first = try Read<Owner, Owner>(from: decoder).first
        }
    }

    @Test func `may be requested as another class by a part that failed`() throws {
        #expect(try decoder().decode(Trying.self, from: data()).first.name == "o")
    }

    // MARK: By key

    class Item: Coding {
        var number: Int
        init(_ number: Int) { self.number = number }
        required init(coder: KeyedUnarchiver) throws { number = try coder.decode(Int.self, forKey: "number") }
        func encode(with coder: KeyedArchiver) throws { coder.encode(number, forKey: "number") }
    }

    final class SmallItem: Item {}

    final class Other: Coding {
        let number: Int
        init(coder: KeyedUnarchiver) throws { number = try coder.decode(Int.self, forKey: "number") }
        func encode(with coder: KeyedArchiver) throws { coder.encode(number, forKey: "number") }
    }

    private func unarchiver(_ item: Item) throws -> KeyedUnarchiver {
        let archiver = KeyedArchiver()
        try archiver.encode(item, forKey: "first")
        try archiver.encode(item, forKey: "maybe")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        unarchiver.classes.unknownClasses = .decodeAsRequested
        return unarchiver
    }

    @Test func `becomes an instance of another class by key only if unknown classes are decoded as requested`() throws {
        let unarchiver = try unarchiver(Item(7))
        let item = try unarchiver.decode(Item.self, forKey: "first")
        let other = try unarchiver.decode(Other.self, forKey: "maybe")
        #expect(item.number == 7 && other.number == 7)
        let strict = try self.unarchiver(Item(7))
        strict.classes.unknownClasses = .fail
        #expect(throws: ArchivingError.self) { try strict.decode(Other.self, forKey: "first") }
    }

    @Test func `may be requested as a class and as its subclass by key too`() throws {
        let unarchiver = try unarchiver(SmallItem(7))
        unarchiver.classes.register(SmallItem.self)
        let item = try unarchiver.decode(Item.self, forKey: "first")
        let small = try unarchiver.decode(SmallItem.self, forKey: "maybe")
        #expect(small === item)
    }
}
