// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

/// A string of a typedstream is stored once, and a byte can refer to it. A reader that scanned it at each reference would take
/// almost forever.
@Suite(.inTurn) struct `A long string of a typedstream that is met often` {
    private static let count = 100_000
    private typealias Group = TypedStream.Group

    private func checkAgain(_ stream: TypedStream, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> TypedStream
    {
        let data = try stream.data()
        let read = try TypedStream(data)
        // To compare the streams would be to compare each string as often as it is met: their files are compared.
        #expect(read.groups.count == stream.groups.count && data.count < 4 << 20, sourceLocation: sourceLocation)
        #expect(try read.data() == data, sourceLocation: sourceLocation)
        return read
    }

    @Test func `is looked through once as an atom`() throws {
        var stream = TypedStream()
        let name = TypedStream.Value.name(Array(repeating: 0x61, count: 1 << 20))
        stream.groups = Array(repeating: Group([.atom], [name]), count: Self.count)
        _ = try checkAgain(stream)
    }

    @Test func `is looked through once as a C string`() throws {
        var stream = TypedStream()
        stream.cStrings = Array(repeating: Array(repeating: 0x61, count: 1 << 20), count: Self.count)
        stream.groups = (0..<Self.count).map { Group([.cString], [.cString($0)]) }
        _ = try checkAgain(stream)
    }

    @Test func `is looked through once as types`() throws {
        var stream = TypedStream()
        let fields = TypeEncoding.structure(name: nil, fields: Array(repeating: .int, count: 1 << 20))
        stream.groups = Array(
            repeating: Group([.array(count: 1, of: .array(count: 0, of: fields))], [.array([.array([])])]),
            count: Self.count)
        let data = try checkAgain(stream).data()
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        for _ in 0..<Self.count / 10 { #expect(throws: ArchivingError.self) { try unarchiver.decode(String.self) } }
    }

    @Test func `is one text in memory as the name of classes`() throws {
        var stream = TypedStream()
        let name = String(repeating: "C", count: 16 << 10)
        stream.classes = (0..<Self.count).map { TypedStream.Class(name, version: $0 % 100) }
        stream.groups = (0..<Self.count).map { Group([.class], [.class($0)]) }
        let read = try checkAgain(stream)
        let places = Set(read.classes.map { $0.name.utf8.withContiguousStorageIfAvailable { $0.baseAddress } })
        #expect(places.count == 1)
    }

    @Test func `is written once for unknown objects`() throws {
        let data = RawStream.data { raw in
            let name = raw.cString(String(repeating: "a", count: 1 << 20))
            return raw.array(
                (0..<Self.count / 4).map { _ in raw.object("Stranger", [Group([.cString], [.cString(name)])]) })
        }
        let archiver = SequentialArchiver()
        try archiver.encodeObject(SequentialUnarchiver(forReadingFrom: data).decodeObject())
        #expect(try archiver.finishEncoding() == data)
    }
}

/// Classes may have a thousand superclasses, which they share.
@Suite(.inTurn) struct `A long chain of classes in a typedstream` {
    @Test func `is gone through once for all classes that share it`() throws {
        let raw = RawStream()
        let top = (0..<990).reduce(raw.type("NSString")) { superclass, number in
            raw.subclass("Class \(number % 7)", of: superclass)
        }
        for number in 0..<50_000 {
            let type = raw.subclass(number.isMultiple(of: 2) ? "Trier" : "Text", of: top)
            raw.add(
                RawStream.reference(
                    raw.object(of: type, number.isMultiple(of: 2) ? [] : [.init([.bytes], [.bytes([0x61])])])))
        }
        let unarchiver = try SequentialUnarchiver(forReadingFrom: raw.file)
        unarchiver.classes = .sequential
        for number in 0..<50_000 {
            let object = try unarchiver.decodeObject()
            #expect(number.isMultiple(of: 2) ? object is Trier : object as? String == "a")
        }
    }
}

/// What is handed over later, and what is kept.
@Suite(.inTurn) struct `What a typedstream leaves behind` {
    private static func hook(_ raw: RawStream, fails: Bool) -> Int {
        let next = raw.object("Hook", [RawStream.reference(nil)])
        let more: [TypedStream.Group] = fails ? [RawStream.reference(raw.text("no number"))] : []
        return raw.object("Hook", [RawStream.reference(next)] + more)
    }

    @Test func `is no reference to an instance that was not made`() throws {
        let raw = RawStream()
        raw.add(RawStream.reference(Self.hook(raw, fails: true)))
        raw.add(RawStream.reference(Self.hook(raw, fails: true)))
        let data = raw.file
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        unarchiver.classes = .sequential
        #expect(throws: ArchivingError.self) { try unarchiver.decode(Hook.self) }
        // What is read next would hand the next one to an instance that is gone.
        #expect(throws: ArchivingError.self) { try unarchiver.decode([Hook].self) }
        unarchiver.skipRemainingValues()
        #expect(unarchiver.isAtEnd)
    }

    @Test func `is no reference to an instance whose failure was caught`() throws {
        let data = RawStream.data { raw in
            raw.object("Trier", [RawStream.reference(raw.array([Self.hook(raw, fails: true)]))])
        }
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        unarchiver.classes = .sequential
        #expect(throws: ArchivingError.self) { try unarchiver.decode(Trier.self) }
        let whole = RawStream.data { raw in
            raw.object("Trier", [RawStream.reference(raw.array([Self.hook(raw, fails: false)]))])
        }
        _ = try SequentialUnarchiver.unarchivedObject(of: Trier.self, from: whole, classes: .sequential)
    }

    /// An instance that another one takes the place of, before the one that it waits for is there.
    private final class Mask: SequentialCoding, ArchiveDescribing {
        static let archiveName = "Mask"
        weak var hook: Hook?
        init(coder: SequentialUnarchiver) throws {
            try coder.decodeReference(Hook.self) { [unowned self] in hook = $0 }
        }
        func encode(with coder: SequentialArchiver) throws {}
        func awakeAfter(using coder: SequentialUnarchiver) throws -> any SequentialCoding { Face() }
    }

    private final class Face: SequentialCoding {
        init() {}
        init(coder: SequentialUnarchiver) throws {}
        func encode(with coder: SequentialArchiver) throws {}
    }

    @Test func `is no reference to an instance that was replaced`() throws {
        let data = RawStream.data { raw in raw.object("Mask", [RawStream.reference(Self.hook(raw, fails: false))]) }
        let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
        unarchiver.classes = .sequential
        unarchiver.classes.register(Mask.self)
        #expect(try unarchiver.decodeObject() is Face)
    }

    @Test func `is no unknown object that keeps itself`() throws {
        let data = RawStream.data { raw in
            raw.array([raw.object("Stranger"), raw.object("Hook", [RawStream.reference(nil)])])
        }
        weak var unknown: UnknownSequentialObject?
        weak var hook: Hook?
        try {
            let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
            unarchiver.classes = .sequential
            unarchiver.classes.unknownClasses = .placeholder
            let objects = try #require(try unarchiver.decodeObject() as? [Any])
            unknown = objects[0] as? UnknownSequentialObject
            hook = objects[1] as? Hook
            #expect(unknown != nil && hook != nil)
        }()
        #expect(unknown == nil && hook == nil)
    }
}
