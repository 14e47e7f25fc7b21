// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `The name of a Coding class` {
    class Item: Coding {
        let name: String

        init(_ name: String) { self.name = name }

        required init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }
        func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "name") }
    }

    final class Special: Item {}

    final class Named: Item, ArchiveDescribing {
        static let archiveName = "LONamed"
        static let archiveAliases = ["LOFormerly"]
    }

    final class Box<Content>: Item {}

    private final class Hidden: Item {}

    /// An archive of one object with a name, as another program writes it.
    private func foreign(_ className: String, chain: [String] = [], hints: [String] = []) throws -> Data {
        let chain = chain.isEmpty ? [className, "NSObject"] : chain
        var entry: PropertyList.Dictionary = [
            "$classname": .string(className), "$classes": .array(chain.map { .string($0) }),
        ]
        if !hints.isEmpty { entry["$classhints"] = .array(hints.map { .string($0) }) }
        return try handmadeArchive(["name": .uid(2), "$class": .uid(3)], "N", .dictionary(entry))
    }

    // MARK: - Writing

    @Test func `is its full Swift name unless it says something else`() throws {
        let archiver = KeyedArchiver()
        #expect(archiver.classes.name(for: Item.self).hasSuffix(".Item"))
        #expect(archiver.classes.name(for: Item.self).hasPrefix("KeyedTests."))
        #expect(archiver.classes.name(for: Named.self) == "LONamed")
        #expect(archiver.classes.name(for: CodedItem.self) == "TestSupport.CodedItem")
        // What differs from run to run is no part of it.
        #expect(!archiver.classes.name(for: Hidden.self).contains("unknown context"))
        #expect(archiver.classes.name(for: Box<Int>.self).hasSuffix(".Box<Swift.Int>"))
        #expect(archiver.classes.name(for: Box<Int>.self) != archiver.classes.name(for: Box<String>.self))
    }

    @Test func `is set in an archiver, also if the type declares one itself`() throws {
        let archiver = KeyedArchiver()
        archiver.classes.register(Special.self, name: "Special")
        archiver.classes.register(Item.self, name: "LOItem")
        archiver.classes.register(Named.self, name: "LOOther")
        archiver.classes.register(AnyValue.self, name: "Point")
        #expect(
            archiver.classes.name(for: Item.self) == "LOItem" && archiver.classes.name(for: Named.self) == "LOOther")
        try archiver.encode([Item("a"), Special("b"), Named("c")], forKey: "root")
        try archiver.encode(AnyValue(name: "d"), forKey: "value")
        let archive = try InspectedArchive(archiver.finishEncoding())
        #expect(Set(archive.classNames) == ["NSArray", "LOItem", "Special", "LOOther", "Point"])
        let chain: [PropertyList] = ["LOOther", "LOItem", "NSObject"]
        #expect(archive.classEntry("LOOther")?["$classes"] == .array(chain))
        // Another one knows nothing of it.
        #expect(KeyedArchiver().classes.name(for: Named.self) == "LONamed")
    }

    struct AnyValue: Codable {
        var name: String
    }

    // MARK: - Reading

    @Test func `comes back for nested, generic and private classes`() throws {
        func again<Object: Item>(_ object: Object) throws -> Item {
            try KeyedUnarchiver.unarchivedObject(
                of: Object.self, from: KeyedArchiver.archivedData(withRootObject: object))
        }
        #expect(try again(Box<Int>("box")) is Box<Int>)
        #expect(try again(Box<[String: Box<Int>]>("box")) is Box<[String: Box<Int>]>)
        #expect(try again(Hidden("hidden")).name == "hidden")
        #expect(try again(Named("named")).name == "named")
        let data = try KeyedArchiver.archivedData(withRootObject: Box<Int>("box"))
        let error = try archivingError { try KeyedUnarchiver.unarchivedObject(of: Box<String>.self, from: data) }
        #expect(error.code == .classNotAllowed && error.debugDescription.contains("Box<Swift.Int>"))
        let items = try KeyedUnarchiver.unarchivedObject(
            of: [Item].self,
            from: KeyedArchiver.archivedData(withRootObject: [Box<Int>("1"), Hidden("2")]),
            classes: classRegistry(Box<Int>.self, Hidden.self))
        #expect(items[0] is Box<Int> && items[1] is Hidden)
    }

    /// The source of a name.
    enum Naming: String, CaseIterable {
        case register
        case alias
        case archiveAlias
        case delegate
        case hint
    }

    @Test(arguments: Naming.allCases, [true, false])
    func `may be another one that the program knows`(naming: Naming, asSuperclass: Bool) throws {
        final class Knowing: KeyedUnarchiverDelegate {
            func unarchiver(
                _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
            ) -> (any Any.Type)? { name == "LOFormerly" ? Named.self : nil }
        }
        let knowing = Knowing()
        let name = naming == .archiveAlias ? "LOFormerly" : naming == .delegate ? "LOFormerly" : "LOElse"
        let data = try foreign(name, hints: naming == .hint ? ["LOUnknown", "LONamed"] : [])
        let unarchiver = try keyedUnarchiver(data)
        switch naming {
        case .register: unarchiver.classes.register(Named.self, name: "LOElse")
        case .alias: unarchiver.classes.register(Named.self, aliases: ["LOElse"])
        case .archiveAlias, .hint: unarchiver.classes.register(Named.self)
        case .delegate: unarchiver.delegate = knowing
        }
        if asSuperclass {
            #expect(try unarchiver.decode(Item.self, forKey: "root") is Named)
        } else {
            #expect(try unarchiver.decode(Named.self, forKey: "root").name == "N")
        }
        #expect(unarchiver.archivedClassName(forKey: "root") == name)
        let listed = try keyedUnarchiver(data)
        listed.classes = unarchiver.classes
        listed.delegate = unarchiver.delegate
        #expect(try listed.decodeObject(of: asSuperclass ? [Item.self] : [Named.self], forKey: "root") is Named)
    }

    @Test func `can be given to another class after it was read`() throws {
        let unarchiver = try keyedUnarchiver(foreign("LONamed"))
        #expect(try archivingError { try unarchiver.decode(Item.self, forKey: "root") }.code == .classNotAllowed)
        unarchiver.classes.register(Special.self, aliases: ["LONamed"])
        #expect(try unarchiver.decode(Item.self, forKey: "root") is Special)
    }

    @Test func `is never an unknown one`() throws {
        for name in ["LOElse", "Item", "OldModule.Item", "Swift.Int", "NSObject"] {
            let unarchiver = try keyedUnarchiver(foreign(name))
            let error = try archivingError { try unarchiver.decode(Item.self, forKey: "root") }
            #expect(error.code == .classNotAllowed && error.debugDescription.contains(name))
            unarchiver.classes.unknownClasses = .decodeAsRequested
            #expect(try type(of: unarchiver.decode(Item.self, forKey: "root")) == Item.self)
        }
    }

    @Test func `of a registered class is not taken for another, whatever the policy is`() throws {
        let unarchiver = try keyedUnarchiver(foreign("LOElse"))
        unarchiver.classes.unknownClasses = .decodeAsRequested
        unarchiver.classes.register(CodedItem.self, aliases: ["LOElse"])
        #expect(try archivingError { try unarchiver.decode(Item.self, forKey: "root") }.code == .classNotAllowed)
        #expect(
            try archivingError { try unarchiver.decodeObject(of: [Item.self], forKey: "root") }.code
                == .classNotAllowed)
    }

    // MARK: - Fallbacks

    final class Circle: Item, ArchiveDescribing {
        static let archiveFallbacks = ["LORound", "LOShape"]
    }

    final class CodableCircle: Codable, ArchiveDescribing {
        static let archiveFallbacks = ["LORound", "LOShape"]
        var name = "c"
    }

    struct CodablePoint: Codable, ArchiveDescribing {
        static let archiveFallbacks = ["LOLocation"]
        var name = "p"
    }

    @Test func `is followed by its fallbacks in the archive`() throws {
        let data = try keyedArchive {
            try $0.encode(Circle("a"), forKey: "circle")
            try $0.encode(CodableCircle(), forKey: "codable")
            try $0.encode(CodablePoint(), forKey: "point")
            try $0.encode(Item("b"), forKey: "item")
        }
        let archive = try InspectedArchive(data)
        #expect(archive.classEntry("Circle")?["$classhints"] == ["LORound", "LOShape"])
        #expect(archive.classEntry("CodableCircle")?["$classhints"] == ["LORound", "LOShape"])
        #expect(archive.classEntry("CodablePoint")?["$classhints"] == ["LOLocation"])
        #expect(archive.classEntry("Item")?["$classhints"] == nil)
    }

    struct Row: CustomTestStringConvertible {
        var hints: [String]
        var registered: [(type: any Any.Type, name: String)]
        /// nil for an error.
        var made: Item.Type?

        var testDescription: String { "\(hints), \(registered.map { "\($0.type) as \($0.name)" }) registered" }
    }

    static let rows = [
        Row(hints: ["A", "B"], registered: [(Special.self, "A"), (Named.self, "B")], made: Special.self),
        Row(hints: ["B", "A"], registered: [(Special.self, "A"), (Named.self, "B")], made: Named.self),
        Row(hints: ["X", "B"], registered: [(Special.self, "A"), (Named.self, "B")], made: Named.self),
        // A fallback that is invalid there is skipped.
        Row(hints: ["A", "B"], registered: [(CodedItem.self, "A"), (Named.self, "B")], made: Named.self),
        Row(hints: ["A", "I"], registered: [(CodedItem.self, "A"), (Item.self, "I")], made: Item.self),
        Row(hints: ["A"], registered: [(CodedItem.self, "A")], made: nil),
        Row(hints: ["X", "Y"], registered: [(Named.self, "B")], made: nil),
        // The object's own name comes first.
        Row(hints: ["A"], registered: [(Special.self, "A"), (Named.self, "LOElse")], made: Named.self),
        Row(hints: ["A"], registered: [(Special.self, "A"), (CodedItem.self, "LOElse")], made: nil),
    ]

    @Test(arguments: rows)
    func `is replaced by the first valid fallback`(row: Row) throws {
        for isListed in [false, true] {
            let unarchiver = try keyedUnarchiver(foreign("LOElse", hints: row.hints))
            for (type, name) in row.registered { unarchiver.classes.register(type, name: name) }
            func decode() throws -> Any? {
                isListed
                    ? try unarchiver.decodeObject(of: [Item.self], forKey: "root")
                    : try unarchiver.decode(Item.self, forKey: "root")
            }
            if let made = row.made {
                let object = try #require(try decode() as? Item)
                #expect(type(of: object) == made, "\(isListed)")
            } else {
                #expect(try archivingError { try decode() }.code == .classNotAllowed, "\(isListed)")
            }
        }
    }

    @Test func `may be found by its fallbacks without any registration`() throws {
        let data = try foreign("LOElse", hints: ["LOUnknown", "LONamed"])
        #expect(try KeyedUnarchiver.unarchivedObject(of: Named.self, from: data).name == "N")
        // And for types that are Codable.
        var decoder = ArchiveDecoder()
        decoder.classes.register(CodableCircle.self, name: "LONamed")
        decoder.classes.register(CodablePoint.self, name: "LOPoint")
        #expect(try decoder.decode(CodableCircle.self, from: data).name == "N")
        #expect(try decoder.decode(Polymorphic<any Codable>.self, from: data).wrappedValue is CodableCircle)
    }
}
