// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// When a coder calls the methods of Coding classes, and of its delegate.
@Suite(.inTurn)
struct `A coder that calls Coding classes` {
    /// A link of a chain. The last one may fail.
    final class Link: Coding {
        struct Broken: Error {}

        let next: Link?
        let isBroken: Bool
        nonisolated(unsafe) static var encodedCount = 0

        init(next: Link?, isBroken: Bool = false) {
            self.next = next
            self.isBroken = isBroken
        }

        init(coder: KeyedUnarchiver) throws {
            next = try coder.decodeIfPresent(Link.self, forKey: "next")
            isBroken = false
        }

        func encode(with coder: KeyedArchiver) throws {
            if isBroken { throw Broken() }
            let before = Self.encodedCount
            try coder.encode(next, forKey: "next")
            // The next one is written when this one is complete.
            #expect(Self.encodedCount == before)
            Self.encodedCount += 1
        }
    }

    @Test func `writes an object when the one that refers to it is complete`() throws {
        let archiver = KeyedArchiver()
        try archiver.encode(Link(next: Link(next: Link(next: nil))), forKey: "chain")
        #expect(Link.encodedCount == 3)

        #expect(throws: Link.Broken.self) {
            try archiver.encode(Link(next: Link(next: nil, isBroken: true)), forKey: "broken")
        }
        #expect(throws: Link.Broken.self) { try archiver.finishEncoding() }
    }

    /// Writes down everything that is called, in order.
    private final class Diary: KeyedArchiverDelegate, KeyedUnarchiverDelegate {
        nonisolated(unsafe) static var lines: [String] = []

        static func name(_ object: (any Coding)?) -> String { object.map { "\(type(of: $0))" } ?? "nil" }

        func archiver(_ archiver: KeyedArchiver, willEncode object: any Coding) -> (any Coding)? {
            Self.lines.append("willEncode \(Self.name(object))")
            return object is Second ? Third() : object
        }

        func archiver(_ archiver: KeyedArchiver, didEncode object: any Coding) {
            Self.lines.append("didEncode \(Self.name(object))")
        }

        func archiver(
            _ archiver: KeyedArchiver, willReplace object: any Coding, with replacement: (any Coding)?
        ) {
            Self.lines.append("willReplace \(Self.name(object)) with \(Self.name(replacement))")
        }

        func unarchiver(
            _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
        ) -> (any Any.Type)? {
            Self.lines.append("cannotDecode")
            return First.self
        }

        func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: any Coding) -> (any Coding)? {
            Self.lines.append("didDecode \(Self.name(object))")
            return Third()
        }

        func unarchiver(
            _ unarchiver: KeyedUnarchiver, willReplace object: any Coding, with replacement: any Coding
        ) {
            Self.lines.append("willReplace \(Self.name(object)) with \(Self.name(replacement))")
        }
    }

    /// The superclass of the others, so that they can replace each other.
    class First: Coding {
        init() {}
        required init(coder: KeyedUnarchiver) throws { Diary.lines.append("init \(type(of: self))") }
        func encode(with coder: KeyedArchiver) throws { Diary.lines.append("encode \(type(of: self))") }
        func replacementObject(for coder: KeyedArchiver) -> (any Coding)? {
            Diary.lines.append("replacementObject \(type(of: self))")
            return type(of: self) == First.self ? Second() : self
        }
        func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding {
            Diary.lines.append("awakeAfter \(type(of: self))")
            return Second()
        }
        var archivedClass: any Coding.Type {
            Diary.lines.append("archivedClass \(type(of: self))")
            return type(of: self)
        }
        class var unarchivedClass: any Coding.Type {
            // A class is asked when it is looked for, which may be more than once.
            let line = "unarchivedClass \(self)"
            if self == First.self, Diary.lines.last != line { Diary.lines.append(line) }
            return self == First.self ? Fourth.self : self
        }
    }

    final class Second: First {}
    final class Third: First {}
    final class Fourth: First {}

    @Test func `asks instances and delegates in one order`() throws {
        let diary = Diary()
        Diary.lines = []
        let archiver = KeyedArchiver()
        archiver.delegate = diary
        let first = First()
        try archiver.encode([first, first], forKey: "all")
        #expect(
            Diary.lines == [
                "replacementObject First", "willReplace First with Second", "willEncode Second",
                "willReplace Second with Third", "encode Third", "archivedClass Third", "didEncode Third",
            ])

        let data = try handmadeArchive(
            ["$class": .uid(2)], ["$classname": "Zeroth", "$classes": ["Zeroth", "NSObject"]])
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.delegate = diary
        Diary.lines = []
        let object = try unarchiver.decodeObject(of: [First.self], forKey: "root")
        #expect(object is Third)
        #expect(
            Diary.lines == [
                "cannotDecode", "unarchivedClass First", "init Fourth", "awakeAfter Fourth",
                "willReplace Fourth with Second", "didDecode Second", "willReplace Second with Third",
            ])
    }
}
