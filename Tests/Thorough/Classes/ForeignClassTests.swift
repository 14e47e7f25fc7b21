// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private struct Window: Codable, Equatable {
    var title: String?
    var width: Int?
}

private final class Door: Codable {
    var title: String?
    var width: Int?
}

/// Its keys depend on the archive.
private struct Anything: Decodable, Equatable {
    var names: [String]

    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue).sorted()
    }

    struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// Asks for known keys only, by the list of the present ones.
private struct Listed: Decodable, Equatable {
    enum CodingKeys: CodingKey { case title, width }

    init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: CodingKeys.self).allKeys
    }
}

/// Asks only whether keys are present.
private struct Presence: Decodable, Equatable {
    var hasTitle: Bool
    var hasWidth: Bool

    enum CodingKeys: CodingKey { case title, width }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        hasWidth = container.contains(.width)
        hasTitle = container.contains(.title)
    }
}

/// Asks for no key.
private struct Nothing: Decodable, Equatable {
    enum CodingKeys: CodingKey { case title }

    init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: CodingKeys.self) }
}

/// Has its parts in the containers of others.
private struct Nested: Decodable, Equatable {
    var title: String?

    enum CodingKeys: CodingKey { case missing, frame }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        _ = try container.decodeIfPresent(Int.self, forKey: .missing)
        let frame = try container.nestedContainer(keyedBy: Window.Keys.self, forKey: .frame)
        title = try frame.decodeIfPresent(String.self, forKey: .title)
    }
}

extension Window {
    fileprivate enum Keys: CodingKey { case title }
}

private class Base: Codable {
    var title: String?
    init() {}
}

/// Its own key is optional, and the superclass decodes itself from the same fields.
private final class Derived: Base {
    var width: Int?

    enum CodingKeys: CodingKey { case width }

    required init(from decoder: any Decoder) throws {
        width = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Int.self, forKey: .width)
        try super.init(from: decoder)
    }
}

@propertyWrapper private struct Wrapped<Value: Codable & Equatable>: Codable, Equatable {
    var wrappedValue: Value
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    init(from decoder: any Decoder) throws { wrappedValue = try Value(from: decoder) }
    func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// An object of a class that is not the requested type, under any of its names.
@Suite(.inTurn) struct `Objects of a foreign class` {
    /// The archive of an object of `name` with `fields`.
    private func archive(_ name: String..., fields: [String: PropertyList]) throws -> Data {
        var fields = fields
        fields["$class"] = .uid(2)
        return try handmadeArchive(.dictionary(.init(fields)), classEntry(name), ["title": "a", "$class": .uid(2)])
    }

    @Test func `without any of the type's keys are an error, as a struct and as a class`() throws {
        let data = try archive("LOView", fields: ["LOTitle": "a", "LOWidth": 3])
        for error in [try failure(decoding: Window.self, from: data), try failure(decoding: Door.self, from: data)] {
            #expect(error.kind == .typeMismatch)
            #expect(error.says("LOView", "uid 1", "\"title\", \"width\"", "\"LOTitle\"", "aliases: [\"LOView\"]"))
        }
    }

    @Test func `are an error inside other values, with the path`() throws {
        let object: PropertyList = ["LOTitle": "a", "$class": .uid(3)]
        let data = try handmadeArchive(
            ["NS.objects": [.uid(2)], "$class": .uid(4)], object, classEntry("LOView"), classEntry("NSArray"))
        let error = try failure(decoding: [Window].self, from: data)
        #expect(error.kind == .typeMismatch && error.says("LOView", "[0]"))
        let wrapped = try failure(decoding: [Wrapped<Window>].self, from: data)
        #expect(wrapped.kind == .typeMismatch)
    }

    @Test func `with one of the keys are values`() throws {
        let data = try archive("LOView", fields: ["width": 3, "LOTitle": "a"])
        #expect(try ArchiveDecoder().decode(Window.self, from: data) == Window(width: 3))
        #expect(try ArchiveDecoder().decode(Door.self, from: data).width == 3)
        #expect(try ArchiveDecoder().decode(Presence.self, from: data).hasWidth)
        #expect(
            try ArchiveDecoder().decode(Derived.self, from: archive("LOView", fields: ["title": "a", "x": 1])).title
                == "a")
    }

    @Test func `with one of the keys that only contains finds are values, wherever it is`() throws {
        // Both orders of the fields in the file.
        for fields: [String: PropertyList] in [
            ["title": "a", "x": 1], ["title": "a", "A": 1], ["title": "a", "zz": 1],
        ] {
            #expect(try ArchiveDecoder().decode(Presence.self, from: archive("LOView", fields: fields)).hasTitle)
        }
    }

    @Test func `without fields are empty values`() throws {
        #expect(try ArchiveDecoder().decode(Window.self, from: archive("LOView", fields: [:])) == Window())
        #expect(try ArchiveDecoder().decode(Door.self, from: archive("LOView", fields: [:])).title == nil)
    }

    @Test func `are values if the type asks for no key, or for those that are present`() throws {
        let data = try archive("LOView", fields: ["LOTitle": "a", "LOWidth": 3])
        _ = try ArchiveDecoder().decode(Nothing.self, from: data)
        #expect(try ArchiveDecoder().decode(Anything.self, from: data).names == ["LOTitle", "LOWidth"])
        #expect(try failure(decoding: Listed.self, from: data).says("LOView", "requested keys", "\"LOTitle\""))
        let nested = try archive("LOView", fields: ["frame": .uid(3)])
        #expect(try ArchiveDecoder().decode(Nested.self, from: nested).title == "a")
    }

    @Test func `are values under an alias, a superclass or a fallback with a name of the type`() throws {
        let fields: [String: PropertyList] = ["LOTitle": "a"]
        var decoder = ArchiveDecoder()
        decoder.classes.register(Window.self, aliases: ["LOView"])
        #expect(try decoder.decode(Window.self, from: archive("LOView", fields: fields)) == Window())
        #expect(
            try ArchiveDecoder().decode(Window.self, from: archive("LOView", "Other.Window", fields: fields))
                == Window())
        let hinted = try handmadeArchive(
            ["LOTitle": "a", "$class": .uid(2)], ["$classname": "LOView", "$classhints": ["Other.Window"]])
        #expect(try ArchiveDecoder().decode(Window.self, from: hinted) == Window())
    }

    @Test func `are values if unknown classes are decoded as requested`() throws {
        var decoder = ArchiveDecoder()
        decoder.classes.unknownClasses = .decodeAsRequested
        let data = try archive("LOView", fields: ["LOTitle": "a"])
        #expect(try decoder.decode(Window.self, from: data) == Window())
        #expect(try decoder.decode(Door.self, from: data).title == nil)
    }

    @Test func `do not concern dictionaries, or newer objects of the type itself`() throws {
        #expect(try ArchiveDecoder().decode(Window.self, from: ArchiveEncoder().encode(["other": 1])) == Window())
        struct Newer: Encodable { var added = 1 }
        var encoder = ArchiveEncoder()
        encoder.classes.register(Newer.self, name: "App.Window")
        let data = try encoder.encode([Newer(), Newer()])
        #expect(try ArchiveDecoder().decode([Window].self, from: data) == [Window(), Window()])
    }

    @Test func `are an error for a Codable part of a Coding object`() throws {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archive("LOView", fields: ["LOTitle": "a"]))
        #expect(throws: UnarchivingError.self) { try unarchiver.decode(Window.self, forKey: "root") }
    }
}
