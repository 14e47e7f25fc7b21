// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

private class Unsafe: Coding {
    class var supportsSecureCoding: Bool { false }

    init() {}
    required init(coder: KeyedUnarchiver) throws { CreationLog.note(Self.self, coder.userInfo) }
    func encode(with coder: KeyedArchiver) throws {}
}

private final class Safe: Unsafe {
    override class var supportsSecureCoding: Bool { true }
}

@Suite(.inTurn) struct `A class that does not support secure coding` {
    private let refusal = "a class that does not support secure coding"

    /// An unarchiver, and what it makes.
    private func open(_ data: Data, requiringSecureCoding: Bool = true) throws -> (KeyedUnarchiver, CreationLog) {
        let unarchiver = try keyedUnarchiver(
            data, requiringSecureCoding: requiringSecureCoding, registering: [Safe.self, Unsafe.self])
        let log = CreationLog()
        unarchiver.userInfo[CreationLog.key] = log
        return (unarchiver, log)
    }

    @Test func `is not archived beside a subclass that does, nor in a Codable value`() throws {
        struct Box: Codable {
            @Coded var unsafe: [Unsafe]
        }
        let error = try archivingError { try KeyedArchiver().encode([Safe(), Unsafe()], forKey: "all") }
        #expect(error.code == .notSecure && error.codingPath.text == "all[1]" && "\(error)".contains("Unsafe"))
        let box = Box(unsafe: [Unsafe()])
        #expect(try archivingError { try KeyedArchiver().encode(box, forKey: "box") }.code == .notSecure)
    }

    @Test(arguments: [false, true])
    func `is not archived in the place of another, also where conditional references came first`(
        conditionalFirst: Bool
    ) throws {
        final class Original: Coding {
            let unsafe = Unsafe()
            init() {}
            init(coder: KeyedUnarchiver) throws {}
            func encode(with coder: KeyedArchiver) throws {}
            func replacementObject(for coder: KeyedArchiver) -> (any Coding)? { unsafe }
        }
        let original = Original()
        let error = try archivingError {
            try keyedArchive {
                if conditionalFirst { try $0.encodeConditional(original, forKey: "weak") }
                try $0.encode(original, forKey: "one")
            }
        }
        #expect(error.code == .notSecure)
        let direct = try archivingError {
            try keyedArchive {
                if conditionalFirst { try $0.encodeConditional(original, forKey: "weak") }
                try $0.encode(original.unsafe, forKey: "one")
            }
        }
        #expect(direct.code == .notSecure)
    }

    @Test func `is not made, unless that is allowed`() throws {
        let data = try keyedArchive(requiringSecureCoding: false) {
            try $0.encode(Unsafe(), forKey: "one")
            try $0.encode([Safe(), Unsafe()], forKey: "all")
        }
        let (unarchiver, log) = try open(data)
        let error = try archivingError { try unarchiver.decode(Unsafe.self, forKey: "one") }
        #expect(error.code == .notSecure && error.codingPath.text == "one" && "\(error)".contains("Unsafe"))
        #expect(
            try archivingError { try unarchiver.decodeObject(of: [Unsafe.self], forKey: "one") }.code == .notSecure)
        #expect(log.all.isEmpty)
        #expect(try archivingError { try unarchiver.decode([Unsafe].self, forKey: "all") }.code == .notSecure)
        #expect(log.all == ["Safe"])
        let (trusting, made) = try open(data, requiringSecureCoding: false)
        #expect(try trusting.decode([Unsafe].self, forKey: "all").count == 2 && made.all == ["Safe", "Unsafe"])
    }

    @Test func `is not made by a decoder, whatever was copied or decoded before`() throws {
        struct Box: Codable {
            @Coded var unsafe: Unsafe
        }
        let data = try KeyedArchiver.archivedData(
            withRootObject: Box(unsafe: Unsafe()), requiringSecureCoding: false)
        let safe = try ArchiveEncoder().encode(Box(unsafe: Safe()))
        var decoder = ArchiveDecoder()
        decoder.classes.register(Safe.self)
        // More than once: a session may be used again, and other tests use it too.
        for _ in 0..<8 {
            #expect(try type(of: deepCopy(of: Box(unsafe: Unsafe())).unsafe) == Unsafe.self)
            let error = try #require(throws: DecodingError.self) { try decoder.decode(Box.self, from: data) }
            #expect("\(error)".contains(refusal))
            #expect(try decoder.decode(Box.self, from: safe).unsafe is Safe)
        }
    }

    @Test func `is made in parts that are decoded later, too, if that is allowed`() throws {
        struct Page: Codable {
            @Coded var unsafe: Unsafe
        }
        struct Book: Codable {
            @Deferred var pages: [Page]
        }
        let data = try keyedArchive(requiringSecureCoding: false) {
            try $0.encode(Book(pages: [Page(unsafe: Unsafe())]), forKey: "book")
        }
        let trusting = try KeyedUnarchiver(forReadingFrom: data, requiringSecureCoding: false)
        let trusted = try trusting.decode(Book.self, forKey: "book")
        let book = try KeyedUnarchiver(forReadingFrom: data).decode(Book.self, forKey: "book")
        trusting.finishDecoding()
        try trusted.$pages.load()
        #expect(type(of: trusted.pages[0].unsafe) == Unsafe.self)
        let error = try #require(throws: DecodingError.self) { try book.$pages.load() }
        #expect("\(error)".contains(refusal))
    }
}
