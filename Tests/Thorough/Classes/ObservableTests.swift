// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: NoLeadingUnderscores

import Archiving
import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

// The compiler says that the registrar of an observable class is not decoded. It is right, and it is silent where the keys are
// written out as it would write them.

@Observable private final class Model: Codable {
    var title: String
    var count = 1
    var parent: Model?
    var children: [Model] = []
    weak var friend: Model?
    @ObservationIgnored var note = "n"

    private enum CodingKeys: CodingKey {
        case _title, _count, _parent, _children, _friend, note, _$observationRegistrar
    }

    init(_ title: String) { self.title = title }
}

/// The keys of this one are the compiler's.
@Observable private final class Written: Encodable {
    var title = "a"
    var count = 1
}

/// The same without the macro.
private final class PlainModel: Codable {
    var title: String
    var count = 1
    var parent: PlainModel?
    var children: [PlainModel] = []
    weak var friend: PlainModel?
    var note = "n"

    init(_ title: String) { self.title = title }
}

private final class PlainWritten: Encodable {
    var title = "a"
    var count = 1
}

/// What the macro makes of a class, as coders see it that know nothing of it.
private final class UnderscoredModel: Codable {
    struct Registrar: Codable {}

    var title: String
    var parent: UnderscoredModel?
    var children: [UnderscoredModel] = []

    init(_ title: String) { self.title = title }

    private enum CodingKeys: String, CodingKey {
        case title = "_title"
        case count = "_count"
        case children = "_children"
        case parent = "_parent"
        case note
        case registrar = "_$observationRegistrar"
    }

    init(from decoder: any Decoder) throws { title = "" }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Registrar(), forKey: .registrar)
        try container.encode(children, forKey: .children)
        try container.encode(title, forKey: .title)
        try container.encodeIfPresent(parent, forKey: .parent)
        try container.encode(7, forKey: .count)
        try container.encode("old", forKey: .note)
    }
}

@Observable private final class Named: Codable {
    var title = "a"
    var count = 2

    private enum CodingKeys: String, CodingKey {
        case _title = "heading"
        case _count
    }
}

@Observable private final class Twins: Codable {
    var seen = 1
    @ObservationIgnored var hidden = 2
    @ObservationIgnored var _hidden = 3

    private enum CodingKeys: CodingKey { case _seen, hidden, _hidden, _$observationRegistrar }
}

@Observable private final class Migrated: Codable, ArchiveMigrating {
    static let archiveName = "Migrated"
    static let archiveVersion = 1
    static let archiveMigrations: [ArchiveMigration] = [.from(0) { $0.rename("name", to: "title") }]
    var title: String
    var owners: [Migrated] = []

    private enum CodingKeys: CodingKey { case _title, _owners, _$observationRegistrar }

    init(_ title: String) { self.title = title }
}

@Suite(.inTurn) struct `An observable class` {
    @Test func `is archived as if it were none`() throws {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Model.self, name: "Model")
        var plain = ArchiveEncoder()
        plain.classes.register(PlainModel.self, name: "Model")
        let (model, twin) = (Model("a"), PlainModel("a"))
        model.children = [Model("b"), model]
        model.children[0].children = [model]
        model.friend = model.children[0]
        twin.children = [PlainModel("b"), twin]
        twin.children[0].children = [twin]
        twin.friend = twin.children[0]
        let data = try encoder.encode(model)
        #expect(try data == plain.encode(twin))
        #expect(try KeyedArchive(data).root.keys == ["title", "count", "children", "friend", "note"])
        // The tables of a session are used again.
        #expect(try encoder.encode(model) == data)

        var decoder = ArchiveDecoder()
        decoder.classes.register(Model.self, name: "Model")
        #expect(try decoder.decode(Model.self, from: plain.encode(twin)).children[0].title == "b")
    }

    @Test func `has the same names with the keys of the compiler`() throws {
        let data = try ArchiveEncoder().encode(Written())
        #expect(try KeyedArchive(data).root.keys == ["title", "count"])
        let plain = try KeyedArchive(ArchiveEncoder().encode(PlainWritten()))
        #expect(try KeyedArchive(data).objects.count == plain.objects.count)
    }

    @Test func `comes back, and is observed`() throws {
        let model = Model("a")
        model.count = 5
        model.note = "other"
        let again = try roundTrip(model)
        #expect(again.title == "a" && again.count == 5 && again.note == "other" && again.parent == nil)
        let changes = Mutex(0)
        withObservationTracking {
            _ = again.title
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        again.title = "b"
        #expect(changes.withLock { $0 } == 1)
    }

    @Test func `closes cycles through its collections`() throws {
        let root = Model("root")
        root.children = [Model("a"), Model("b"), root]
        for child in root.children.prefix(2) { child.parent = root }
        root.children[0].friend = root.children[1]
        root.children[1].friend = root
        let again = try roundTrip(root)
        #expect(again.children.map(\.title) == ["a", "b", "root"])
        #expect(again.children.prefix(2).allSatisfy { $0.parent === again })
        #expect(again.children[2] === again)
        #expect(again.children[0].friend === again.children[1])
        #expect(again.children[1].friend === again)

        let child = try roundTrip(root.children[1])
        #expect(child.parent?.children[1] === child)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `is read from files that have underscores and a registrar`(format: PropertyListFormat) throws {
        let old = UnderscoredModel("a")
        old.children = [UnderscoredModel("b"), UnderscoredModel("c")]
        old.children[1].parent = old
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        let again = try ArchiveDecoder().decode(Model.self, from: encoder.encode(old))
        #expect(again.title == "a" && again.count == 7 && again.note == "old")
        #expect(again.children.map(\.title) == ["b", "c"])
        #expect(again.children.map(\.count) == [7, 7])
        #expect(again.children[0].parent == nil)
        #expect(again.children[1].parent === again)
        #expect(try KeyedArchive(ArchiveEncoder().encode(again)).root.keys.contains("title"))
    }

    @Test func `keeps the names in coding keys that are written by hand`() throws {
        let named = Named()
        named.title = "b"
        let data = try ArchiveEncoder().encode(named)
        #expect(try KeyedArchive(data).root.keys == ["heading", "_count"])
        #expect(try ArchiveDecoder().decode(Named.self, from: data).title == "b")
    }

    @Test func `keeps an underscore that distinguishes two properties`() throws {
        let twins = Twins()
        (twins.seen, twins.hidden, twins._hidden) = (4, 5, 6)
        let data = try ArchiveEncoder().encode(twins)
        #expect(try Set(KeyedArchive(data).root.keys) == ["seen", "hidden", "_hidden"])
        let again = try ArchiveDecoder().decode(Twins.self, from: data)
        #expect(again.seen == 4 && again.hidden == 5 && again._hidden == 6)
    }

    @Test func `names a key that is absent`() throws {
        struct Other: Codable {
            var count = 1
        }
        let error = try failure { try ArchiveDecoder().decode(Model.self, from: ArchiveEncoder().encode(Other())) }
        #expect(error.kind == .keyNotFound)
        #expect(error.says("title"))
    }

    @Test func `can be migrated`() throws {
        final class Old: Codable, ArchiveDescribing {
            static let archiveName = "Migrated"
            var name: String
            var owners: [Old] = []
            init(_ name: String) { self.name = name }
        }
        let old = Old("a")
        old.owners = [Old("b")]
        old.owners[0].owners = [old]
        let again = try ArchiveDecoder().decode(Migrated.self, from: ArchiveEncoder().encode(old))
        #expect(again.title == "a" && again.owners.map(\.title) == ["b"])
        #expect(again.owners[0].owners[0] === again)
        #expect(try roundTrip(again).owners[0].title == "b")
    }

    @Test func `has the macro's names with other coders`() throws {
        let json = String(decoding: try JSONEncoder().encode(Twins()), as: UTF8.self)
        #expect(json.contains("\"_seen\""))
    }
}
