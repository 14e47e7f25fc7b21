// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private enum Style: String, Codable { case plain, bold }

private struct Inner: ArchivedFields, Equatable {
    var number = 0
    init() {}
    init(_ number: Int) { self.number = number }
    static let fields = FieldList<Inner> { Field("number", \.number) }
}

private final class Leaf: ArchivedFields {
    var name = "leaf"
    init() {}
    static let fields = FieldList<Leaf> { Field("name", \.name) }
}

// MARK: - Types whose only field is required

private protocol Requiring: ArchivedFields {}
private struct RequiredText: Requiring {
    var value = ""
    static let fields = FieldList<RequiredText> { Field("value", \.value) }
}
private struct RequiredInteger: Requiring {
    var value = 0
    static let fields = FieldList<RequiredInteger> { Field("value", \.value) }
}
private struct RequiredReal: Requiring {
    var value = 0.0
    static let fields = FieldList<RequiredReal> { Field("value", \.value) }
}
private struct RequiredFlag: Requiring {
    var value = false
    static let fields = FieldList<RequiredFlag> { Field("value", \.value) }
}
private struct RequiredStyle: Requiring {
    var value = Style.bold
    static let fields = FieldList<RequiredStyle> { Field("value", \.value, .rawValue) }
}
private struct RequiredStruct: Requiring {
    var value = Inner()
    static let fields = FieldList<RequiredStruct> { Field("value", \.value) }
}
private struct RequiredArray: Requiring {
    var value: [Int] = []
    static let fields = FieldList<RequiredArray> { Field("value", \.value) }
}
private final class RequiredInstance: Requiring {
    var value = Leaf()
    static let fields = FieldList<RequiredInstance> { Field("value", \.value) }
}
private final class RequiredInstances: Requiring {
    var value: [Leaf] = []
    static let fields = FieldList<RequiredInstances> { Field("value", \.value) }
}

// MARK: - Defaults

private struct Defaults: ArchivedFields {
    var number = 7
    var text = "initial"
    var flag = true
    var real = 1.5
    var style = Style.bold
    var styles: [Style] = [.bold]
    var list = [1]
    var inner = Inner(5)
    var leaf = Leaf()
    var leaves = [Leaf()]
    var optional: Int? = 3
    var optionalLeaf: Leaf? = Leaf()
    var given = 0
    var givenText = ""
    var givenOptional: Int?

    init() {}

    static let fields = FieldList<Defaults> {
        Field("number", \.number, .default)
        Field("text", \.text, .default)
        Field("flag", \.flag, .default)
        Field("real", \.real, .default)
        Field("style", \.style, .rawValue, .default)
        Field("styles", \.styles, .rawValues(), .default)
        Field("list", \.list, .default)
        Field("inner", \.inner, .default)
        Field("leaf", \.leaf, .default)
        Field("leaves", \.leaves, .default)
        Field("optional", \.optional, .default)
        Field("optionalLeaf", \.optionalLeaf)
        Field("given", \.given, .default(42))
        Field("givenText", \.givenText, .default("given"))
        Field("givenOptional", \.givenOptional, .default(8))
    }
}

private struct Omitting: ArchivedFields, Equatable {
    var number = 7
    var given = 42
    var text = ""
    var list: [Int] = []
    var inner = Inner(5)
    var style = Style.plain
    var optional: Int?
    var preset: Int? = 4
    var always = 0

    init() {}

    static let fields = FieldList<Omitting> {
        Field("number", \.number, .omitIfDefault)
        Field("given", \.given, .default(41), .omitIfDefault)
        Field("text", \.text, .default, .omitIfDefault)
        Field("list", \.list, .omitIfDefault)
        Field("inner", \.inner, .omitIfDefault)
        Field("style", \.style, .omitIfDefault, .rawValue)
        Field("optional", \.optional, .omitIfDefault)
        Field("preset", \.preset, .omitIfDefault)
        Field("always", \.always)
    }
}

// MARK: - Former keys

private final class Renamed: ArchivedFields {
    var title = "initial"
    var count = 0
    var next: Renamed?
    var children: [Renamed] = []
    weak var parent: Renamed?
    init() {}
    static let fields = FieldList<Renamed> {
        Field("title", \.title, aliases: ["name", "label"])
        Field("count", \.count, aliases: ["number"], .default(9))
        Field("next", \.next, aliases: ["successor"])
        Field("children", \.children, aliases: ["kids"], .default)
        Field("parent", \.parent, aliases: ["owner"], .conditional)
    }
}

@Suite(.inTurn) struct `A declared field that is absent` {
    private static let requiring: [any Requiring.Type] = [
        RequiredText.self, RequiredInteger.self, RequiredReal.self, RequiredFlag.self, RequiredStyle.self,
        RequiredStruct.self, RequiredArray.self, RequiredInstance.self, RequiredInstances.self,
    ]

    private struct Holder<Value: Decodable>: Decodable {
        var parts: [Value]
    }

    /// The archive of a dictionary "parts" with an array of one object with `keys`.
    private func archive(_ keys: PropertyList.Dictionary, class name: String) throws -> Data {
        var object = keys
        object["$class"] = .uid(4)
        return try handmadeArchive(
            ["parts": .uid(2), "$class": .uid(4)], ["NS.objects": [.uid(3)], "$class": .uid(5)], .dictionary(object),
            classEntry(name), classEntry("NSArray"))
    }

    @Test(arguments: requiring)
    private func `is an error with the path and the key`(type: any Requiring.Type) throws {
        func check<Value: Requiring>(_ type: Value.Type) throws {
            let name = ClassRegistry().name(for: type)
            for data in [try archive([:], class: name), try archive(["other": 1, "Value": 2], class: name)] {
                let error = try failure(decoding: Holder<Value>.self, from: data)
                #expect(error.kind == .keyNotFound && error.key == "value" && error.path == "parts[0]", "\(error)")
            }
        }
        try check(type)
    }

    @Test(arguments: requiring)
    private func `is an error if it is null`(type: any Requiring.Type) throws {
        func check<Value: Requiring>(_ type: Value.Type) throws {
            let error = try failure(decoding: Holder<Value>.self, from: archive(["value": .uid(0)], class: "Null"))
            #expect([.valueNotFound, .typeMismatch].contains(error.kind), "\(error)")
            #expect(error.path.hasPrefix("parts[0].value"), "\(error)")
        }
        try check(type)
    }

    @Test func `keeps the initial value, or gets the given one`() throws {
        let data = try handmadeArchive(["$class": .uid(2)], classEntry("Defaults"))
        let value = try ArchiveDecoder().decode(Defaults.self, from: data)
        #expect(value.number == 7 && value.text == "initial" && value.flag && value.real == 1.5)
        #expect(value.style == .bold && value.styles == [.bold] && value.list == [1] && value.inner == Inner(5))
        #expect(value.leaf.name == "leaf" && value.leaves.count == 1 && value.optional == 3)
        // A field without an option is nil, whatever the initializer has set.
        #expect(value.optionalLeaf == nil)
        #expect(value.given == 42 && value.givenText == "given" && value.givenOptional == 8)
    }

    @Test func `keeps nothing of the default if it is present`() throws {
        var value = Defaults()
        (value.number, value.text, value.flag, value.real, value.style) = (0, "", false, 0, .plain)
        (value.styles, value.list, value.inner, value.leaves) = ([], [], Inner(0), [])
        (value.leaf.name, value.given, value.givenText, value.givenOptional) = ("", 0, "", 1)
        let copy = try roundTrip(value)
        #expect(copy.number == 0 && copy.text == "" && !copy.flag && copy.real == 0 && copy.style == .plain)
        #expect(copy.styles == [] && copy.list == [] && copy.inner == Inner(0) && copy.leaves.isEmpty)
        #expect(copy.leaf.name == "" && copy.given == 0 && copy.givenText == "" && copy.givenOptional == 1)
    }

    @Test func `was omitted because it had the default`() throws {
        var value = Omitting()
        #expect(try KeyedArchive(ArchiveEncoder().encode(value)).root.keys == ["given", "always"])
        #expect(try roundTrip(value) == value)
        value.given = 41
        #expect(try KeyedArchive(ArchiveEncoder().encode(value)).root.keys == ["always"])
        #expect(try roundTrip(value) == value)
        (value.number, value.text, value.list, value.inner, value.style) = (8, "a", [1], Inner(6), .bold)
        (value.optional, value.preset) = (2, 5)
        let keys = try KeyedArchive(ArchiveEncoder().encode(value)).root.keys
        #expect(keys == ["number", "text", "list", "inner", "style", "optional", "preset", "always"])
        #expect(try roundTrip(value) == value)
        let all = [Omitting(), value, Omitting()]
        #expect(try roundTrip(all) == all)
    }

    /// Nil is neither the default nor a value that the archive has.
    @Test func `is not what an optional that is nil, with another default, becomes`() throws {
        var value = Omitting()
        value.preset = nil
        #expect(try roundTrip(value).preset == nil)
        var given = Defaults()
        (given.givenOptional, given.optional) = (nil, nil)
        let copy = try roundTrip(given)
        #expect(copy.givenOptional == nil && copy.optional == nil)
    }

    // MARK: Former keys

    private func renamed(_ keys: PropertyList.Dictionary) throws -> Renamed {
        var object = keys
        object["$class"] = .uid(2)
        let data = try handmadeArchive(
            .dictionary(object), classEntry("Renamed"), "first", "second", "third",
            ["title": .uid(3), "$class": .uid(2)],
            ["title": .uid(4), "$class": .uid(2)], ["NS.objects": [.uid(6), .uid(7)], "$class": .uid(9)],
            classEntry("NSArray"))
        return try ArchiveDecoder().decode(Renamed.self, from: data)
    }

    @Test func `has the value of a former key`() throws {
        #expect(try renamed(["label": .uid(3)]).title == "first")
        #expect(try renamed(["name": .uid(4)]).title == "second")
        let value = try renamed(["name": .uid(3), "number": 5, "successor": .uid(6), "kids": .uid(8)])
        #expect(value.title == "first" && value.count == 5 && value.next?.title == "first")
        #expect(value.children.map(\.title) == ["first", "second"] && value.children[0] === value.next)
        let owned = try renamed(["name": .uid(3), "owner": .uid(7), "kids": .uid(8)])
        #expect(owned.parent?.title == "second" && owned.parent === owned.children[1])
    }

    @Test func `is not one whose key is there beside a former one, in any order`() throws {
        for keys: PropertyList.Dictionary in [
            ["title": .uid(3), "name": .uid(4), "label": .uid(5)],
            ["label": .uid(5), "title": .uid(3), "name": .uid(4)],
            ["name": .uid(4), "label": .uid(5), "title": .uid(3)],
        ] {
            #expect(try renamed(keys).title == "first")
        }
        #expect(try renamed(["label": .uid(5), "name": .uid(4)]).title == "second")
        #expect(try renamed(["name": .uid(4), "label": .uid(5)]).title == "second")
        let value = try renamed(["kids": .uid(0), "number": 3, "title": .uid(3), "count": 4, "children": .uid(8)])
        #expect(value.count == 4 && value.children.count == 2)
    }

    @Test func `without a former key is an error that names the key`() throws {
        let error = try failure { try renamed(["caption": .uid(3)]) }
        #expect(error.kind == .keyNotFound && error.key == "title")
        let inside = try failure { try renamed(["title": .uid(3), "next": .uid(2)]) }
        #expect(inside.path.hasPrefix("next"), "\(inside)")
    }

    @Test func `is written with its key`() throws {
        let value = Renamed()
        #expect(try KeyedArchive(ArchiveEncoder().encode(value)).root.keys == ["title", "count", "children"])
    }
}
