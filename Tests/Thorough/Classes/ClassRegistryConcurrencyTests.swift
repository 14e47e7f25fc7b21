// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// A registry is a value: a registration in a copy affects only that copy, whatever tasks use them at the time.
@Suite(.inTurn) struct `A class registry that many tasks copy and change` {
    class Base: Codable {
        var number = 0
    }

    final class First: Base {}
    final class Second: Base {}

    final class Third: Coding {
        let number: Int
        init(_ number: Int) { self.number = number }
        init(coder: KeyedUnarchiver) throws { number = try coder.decode(Int.self, forKey: "number") }
        func encode(with coder: KeyedArchiver) throws { coder.encode(number, forKey: "number") }
    }

    private static let base = {
        var classes = ClassRegistry()
        classes.register(First.self, name: "First")
        return classes
    }()

    @Test func `has in each copy what was registered there, and nothing else`() async throws {
        let shared = Self.base
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for index in 0..<200 {
                        var own = shared
                        own.register(Second.self, name: "Second \(task) \(index)", aliases: ["Alias \(task)"])
                        own.unknownClasses = .skip
                        #expect(own.type(named: "Second \(task) \(index)") == Second.self)
                        #expect(own.type(named: "Alias \(task)") == Second.self)
                        #expect(own.type(named: "Alias \(task ^ 1)") == nil)
                        #expect(shared.type(named: "Alias \(task)") == nil)
                        #expect(shared.name(for: Second.self) != own.name(for: Second.self))
                        #expect(shared.unknownClasses == .fail)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(shared.type(named: "First") == First.self)
    }

    /// Those that decode have the shared registry; the others change copies of it, of the decoder and of the encoder.
    @Test func `creates nothing for those who decode that others have registered meanwhile`() async throws {
        var writer = ArchiveEncoder()
        writer.classes = Self.base
        writer.classes.register(Second.self, name: "Second")
        let second = try writer.encode([Second()])
        let first = try writer.encode([First()])
        var reader = ArchiveDecoder()
        reader.classes = Self.base
        let (encoder, decoder) = (writer, reader)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        guard task % 2 == 0 else {
                            var own = decoder
                            own.classes.register(Second.self, name: "Second")
                            #expect(try own.decode([Base].self, from: second)[0] is Second)
                            var other = encoder
                            other.classes.register(Base.self, name: "Root \(task)")
                            #expect(try KeyedArchive(other.encode(Base())).root.className == "Root \(task)")
                            continue
                        }
                        // Not known here: neither its class nor anything else is made of it.
                        #expect(throws: DecodingError.self) { _ = try decoder.decode([Base].self, from: second) }
                        #expect(try decoder.decode([Base].self, from: first)[0] is First)
                        let root = try KeyedArchive(encoder.encode(Base())).root.className
                        #expect(root == ClassRegistry().name(for: Base.self))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The names that an archiver or an unarchiver is given are those of one archive.
    @Test func `has no names of an archiver or an unarchiver that was made with it`() async throws {
        let shared = Self.base
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for index in 0..<50 {
                        let archiver = KeyedArchiver()
                        archiver.classes = shared
                        archiver.classes.register(Third.self, name: "Third \(task)")
                        try archiver.encode(Third(index), forKey: "third")
                        let data = try archiver.finishEncoding()
                        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
                        unarchiver.classes = shared
                        unarchiver.classes.register(Third.self, aliases: ["Third \(task)"])
                        #expect(try unarchiver.decode(Third.self, forKey: "third").number == index)
                        #expect(shared.type(named: "Third \(task)") == nil)
                        // Without the name it is another class.
                        let other = try KeyedUnarchiver(forReadingFrom: data)
                        other.classes = shared
                        #expect(throws: ArchivingError.self) { _ = try other.decode(Third.self, forKey: "third") }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
