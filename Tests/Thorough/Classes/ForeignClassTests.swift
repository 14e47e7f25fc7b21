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

    @Test func `without any of the type's keys are values without them, as in JSON`() throws {
        let data = try archive("LOView", fields: ["LOTitle": "a", "LOWidth": 3])
        #expect(try JSONDecoder().decode(Window.self, from: Data(#"{"LOTitle": "a"}"#.utf8)) == Window())
        #expect(try ArchiveDecoder().decode(Window.self, from: data) == Window())
        #expect(try ArchiveDecoder().decode(Door.self, from: data).title == nil)
        #expect(try ArchiveDecoder().decode(Wrapped<Window>.self, from: data).wrappedValue == Window())
    }

    private final class Wall: Codable {
        var title: String
    }

    @Test func `are an error if a key is absent that the type needs`() throws {
        let data = try archive("LOView", fields: ["LOTitle": "a"])
        let error = try failure(decoding: Wall.self, from: data)
        #expect(error.kind == .keyNotFound && error.says("\"title\"", "\"LOTitle\""))
    }

    @Test func `of any names are instances of one class`() throws {
        let data = try handmadeArchive(
            ["NS.objects": [.uid(2), .uid(3), .uid(4)], "$class": .uid(8)], ["title": "a", "$class": .uid(5)],
            ["title": "b", "$class": .uid(6)], ["title": "c", "$class": .uid(7)], classEntry("LOView"),
            classEntry("LOWindow"), classEntry(ClassRegistry().name(for: Door.self)), classEntry("NSArray"))
        #expect(try ArchiveDecoder().decode([Door].self, from: data).map(\.title) == ["a", "b", "c"])
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
        _ = try ArchiveDecoder().decode(Listed.self, from: data)
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

    private final class Ledge: Coding {
        init(coder: KeyedUnarchiver) throws {}
        func encode(with coder: KeyedArchiver) throws {}
    }

    @Test func `are an error as a Coding class, for which an absent number is 0, and values as a Codable one`() throws {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archive("LOView", fields: ["LOTitle": "a"]))
        #expect(try unarchiver.decode(Window.self, forKey: "root") == Window())
        let error = #expect(throws: ArchivingError.self) { try unarchiver.decode(Ledge.self, forKey: "root") }
        #expect(error?.code == .classNotAllowed && error?.description.contains("aliases: [\"LOView\"]") == true)
    }

    // MARK: Values of Cocoa

    /// Objects of Cocoa's classes, with the keys that they have in archives of Apple's frameworks.
    private static let values: [(String, [String: PropertyList])] = [
        ("NSURL", ["NS.base": .uid(0), "NS.relative": .uid(3)]), ("NSDate", ["NS.time": 5.5]),
        ("NSUUID", ["NS.uuidbytes": .data(Data(0..<16))]), ("NSMutableString", ["NS.string": "a"]),
        ("NSMutableData", ["NS.data": .data(Data([1]))]), ("NSDecimalNumber", ["NS.mantissa": .data(Data(0..<16))]),
        ("NSDecimalNumberPlaceholder", ["$0": "27.31"]), ("NSIndexPath", ["NSIndexPathLength": 0]),
        ("NSAffineTransform", ["NSTransformStruct": .data(Data(0..<24))]), ("NSTimeZone", ["NS.name": "GMT"]),
        ("NSAttributedString", ["NSString": .uid(3)]), ("NSArray", ["NS.objects": []]), ("NSSet", ["NS.objects": []]),
    ]

    private func archive(of value: (String, [String: PropertyList])) throws -> Data {
        var fields = value.1
        fields["$class"] = .uid(2)
        return try handmadeArchive(.dictionary(.init(fields)), classEntry(value.0), "https://example.org")
    }

    @Test(arguments: values.indices) func `of Cocoa's values have no keys`(index: Int) throws {
        let data = try archive(of: Self.values[index])
        for error in [
            try failure(decoding: Window.self, from: data), try failure(decoding: Door.self, from: data),
            try failure(decoding: Anything.self, from: data), try failure(decoding: Base.self, from: data),
            try failure(decoding: [String: Window].self, from: data),
            try failure(decoding: [String: Int].self, from: data),
        ] {
            #expect(error.kind == .typeMismatch && error.says(Self.values[index].0), "\(error)")
        }
    }

    @Test(arguments: [false, true]) func `of Cocoa's values have keys for a type with their name`(isAlias: Bool) throws
    {
        struct Time: Codable, ArchiveDescribing {
            static let archiveName = "NSDate"
            var time: Double
            enum CodingKeys: String, CodingKey { case time = "NS.time" }
        }
        final class Path: Codable {
            var length: Int?
            enum CodingKeys: String, CodingKey { case length = "NSIndexPathLength" }
        }
        #expect(try ArchiveDecoder().decode(Time.self, from: archive(of: ("NSDate", ["NS.time": 5.5]))).time == 5.5)
        var decoder = ArchiveDecoder()
        if isAlias {
            decoder.classes.register(Path.self, aliases: ["NSIndexPath"])
        } else {
            decoder.classes.register(Path.self, name: "NSIndexPath")
        }
        let path = try archive(of: ("NSIndexPath", ["NSIndexPathLength": 7]))
        #expect(try decoder.decode(Path.self, from: path).length == 7)
    }

    private final class Link: Codable {
        let url: URL
        init(from decoder: any Decoder) throws { url = try decoder.singleValueContainer().decode(URL.self) }
        func encode(to encoder: any Encoder) throws { try url.encode(to: encoder) }
    }

    @Test func `of Cocoa's values are single values, also for a class`() throws {
        let data = try ArchiveEncoder().encode([URL(string: "https://example.org")])
        #expect(try ArchiveDecoder().decode([Link].self, from: data)[0].url.absoluteString == "https://example.org")
    }

    private enum Policy: CaseIterable {
        case fail, placeholder, skip, decodeAsRequested
        var policy: ClassRegistry.UnknownClassPolicy {
            switch self {
            case .fail: .fail
            case .placeholder: .placeholder
            case .skip: .skip
            case .decodeAsRequested: .decodeAsRequested
            }
        }
    }

    @Test(arguments: Policy.allCases) private func `do not include nil, which is no instance of any class`(
        policy: Policy
    ) throws {
        let data = try handmadeArchive(
            ["NS.objects": [.uid(2), .uid(3)], "$class": .uid(6)], ["title": "a", "$class": .uid(5)],
            ["$class": .uid(4)],
            classEntry("NSNull"), classEntry("LOView"), classEntry("NSArray"))
        var decoder = ArchiveDecoder()
        decoder.classes.unknownClasses = policy.policy
        #expect(try decoder.decode([Door?].self, from: data).map { $0?.title } == ["a", nil])
        for error in [
            try failure { try decoder.decode([Door].self, from: data) },
            try failure { try decoder.decode([Window].self, from: data) },
            try failure { try decoder.decode(References<[Door]>.self, from: data) },
        ] {
            #expect(error.kind == .valueNotFound && error.path == "[1]", "\(error)")
        }
    }
}
