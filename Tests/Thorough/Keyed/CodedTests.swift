// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A property that is Coded` {
    class Window: Coding, Hashable {
        let title: String

        init(_ title: String) { self.title = title }

        required init(coder: KeyedUnarchiver) throws { title = try coder.decode(String.self, forKey: "title") }
        func encode(with coder: KeyedArchiver) throws { coder.encode(title, forKey: "title") }

        static func == (left: Window, right: Window) -> Bool { left.title == right.title }
        func hash(into hasher: inout Hasher) { hasher.combine(title) }
    }

    final class Dialog: Window {}

    protocol Shape: Coding {
        var side: Int { get }
    }

    final class Square: Shape {
        let side: Int

        init(side: Int) { self.side = side }

        init(coder: KeyedUnarchiver) throws { side = try coder.decodeInteger(forKey: "side") }
        func encode(with coder: KeyedArchiver) { coder.encode(side, forKey: "side") }
    }

    // MARK: - Shapes

    struct Desktop: Codable {
        @Coded var plain: Window
        @Coded var present: Window?
        @Coded var absent: Window?
        @Coded var list: [Window]
        @Coded var byTitle: [String: Window]
        @Coded var byNumber: [Int: Window]
        @Coded var unique: Set<Window>
        @Coded var nested: [String: [Window?]]
        @Coded var anything: any Coding
        @Coded var nothing: (any Coding)?
        @Coded var shape: any Shape
        @Coded var shapes: [any Shape]

        init(_ window: Window, _ square: Square) {
            (plain, present, absent, list) = (window, window, nil, [window, window])
            (byTitle, byNumber, unique) = (["w": window], [7: window], [window])
            (nested, anything, nothing, shape) = (["n": [nil, window], "e": []], window, nil, square)
            shapes = [square, square]
        }

        var windows: [Window?] {
            [plain, present, byTitle["w"], byNumber[7], unique.first, nested["n"]?.last ?? nil, anything as? Window]
                + list
        }
        var squares: [Square?] { [shape as? Square] + shapes.map { $0 as? Square } }
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `has the one instance in containers of every kind`(format: PropertyListFormat) throws {
        let desktop = Desktop(Window("A"), Square(side: 4))
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        let data = try encoder.encode(desktop)
        let archive = try InspectedArchive(data)
        #expect(archive.count(ofClass: "Window") == 1)
        #expect(archive.count(ofClass: "Square") == 1)

        var decoder = ArchiveDecoder()
        decoder.classes = classRegistry(Window.self, Square.self)
        let copy = try decoder.decode(Desktop.self, from: data)
        #expect(copy.plain.title == "A" && copy.plain !== desktop.plain)
        #expect(copy.windows.count == 9 && copy.windows.allSatisfy { $0 === copy.plain })
        #expect(copy.nested["n"]?.count == 2 && copy.nested["n"]?[0] == nil && copy.nested["e"]?.isEmpty == true)
        #expect(copy.absent == nil && copy.nothing == nil)
        #expect(copy.shape.side == 4)
        #expect(copy.squares.count == 3 && copy.squares.allSatisfy { $0 === copy.shape })
    }

    @Test func `is in the archive what the instance writes by key, and nothing where it is nil`() throws {
        struct Holder: Codable {
            @Coded var window: Window
            @Coded var menu: Window?
            @Coded var all: [Window]
        }
        let window = Window("A")
        #expect(
            try archiveText(Holder(window: window, menu: nil, all: [window, Window("B")]))
                == "Holder{window: #1=Window{title: @\"A\"}, all: NSArray[#1, Window{title: @\"B\"}]}")
        let empty = try roundTrip(Holder(window: window, menu: nil, all: []))
        #expect(empty.menu == nil && empty.all.isEmpty)
    }

    @Test func `may be one of a class, or the payload of an enum, or the root`() throws {
        final class Screen: Codable {
            @Coded var front: Window
            @Coded var others: [Window]

            init(_ front: Window, _ others: [Window]) { (self.front, self.others) = (front, others) }
        }
        enum Focus: Codable {
            case nowhere
            case window(Coded<Window>, screen: Screen)
        }
        let window = Window("A")
        let original = Screen(window, [Window("B"), window])
        let copy = try roundTrip([Focus.nowhere, .window(Coded(wrappedValue: window), screen: original), .nowhere])
        guard case .window(let focused, let screen) = copy[1], case .nowhere = copy[0] else {
            Issue.record("Other cases: \(copy)")
            return
        }
        #expect(focused.wrappedValue === screen.front && screen.front.title == "A")
        #expect(screen.others.map(\.title) == ["B", "A"] && screen.others[1] === screen.front)
        #expect(try roundTrip(Coded(wrappedValue: window)).wrappedValue.title == "A")
        #expect(try roundTrip(Coded<[Window]?>(wrappedValue: [window])).wrappedValue?.map(\.title) == ["A"])
    }

    @Test func `is a subclass where that is registered`() throws {
        struct Holder: Codable {
            @Coded var window: Window
        }
        let data = try ArchiveEncoder().encode(Holder(window: Dialog("D")))
        let error = try failure(decoding: Holder.self, from: data)
        #expect(error.kind == .typeMismatch && error.path == "window" && error.says("Dialog"))
        var decoder = ArchiveDecoder()
        decoder.classes.register(Dialog.self)
        #expect(try decoder.decode(Holder.self, from: data).window is Dialog)
    }

    @Test func `waits for a cycle where it is a collection`() throws {
        final class Owner: Codable {
            let name: String
            @Coded var all: [Pet] = []
            @Coded var byName: [String: Pet] = [:]

            init(_ name: String) { self.name = name }
        }
        final class Pet: Coding {
            unowned let owner: Owner

            init(_ owner: Owner) { self.owner = owner }

            init(coder: KeyedUnarchiver) throws { owner = try coder.decode(Owner.self, forKey: "owner") }
            func encode(with coder: KeyedArchiver) throws { try coder.encode(owner, forKey: "owner") }
        }
        let owner = Owner("O")
        owner.all = [Pet(owner), Pet(owner)]
        owner.byName = ["first": owner.all[0]]
        let copy = try roundTrip(owner)
        #expect(copy.name == "O" && copy.all.count == 2)
        #expect(copy.byName["first"] === copy.all[0] && copy.all.allSatisfy { $0.owner === copy })
    }

    // MARK: - Other coders

    struct Small: Codable, Equatable {
        @Coded var plain: Window
        @Coded var absent: Window?
        @Coded var list: [Window]
        @Coded var byTitle: [String: Window?]
    }

    @Test func `is the data of an archive of its own under other encoders`() throws {
        let window = Window("A")
        let small = Small(plain: window, absent: nil, list: [window, Window("B")], byTitle: ["n": nil, "w": window])
        let json = try JSONEncoder().encode(small)
        let fields = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(Set(fields.keys) == ["plain", "list", "byTitle"])
        let text = try #require(fields["plain"] as? String)
        let inner = try #require(Data(base64Encoded: text))
        #expect(try InspectedArchive(inner).text == "Window{title: @\"A\"}")
        #expect((fields["list"] as? [String])?.count == 2)

        #expect(try JSONDecoder().decode(Small.self, from: json) == small)
        let list = try PropertyListEncoder().encode(small)
        let copy = try PropertyListDecoder().decode(Small.self, from: list)
        #expect(copy == small)
        // There is no graph that they could share.
        #expect(copy.plain !== copy.list[0])
    }

    @Test func `finds values of a protocol under other decoders in the registry of their userInfo`() throws {
        struct Drawing: Codable {
            @Coded var shape: any Shape
            @Coded var shapes: [String: any Shape]
        }
        let data = try JSONEncoder().encode(
            Drawing(shape: Square(side: 1), shapes: ["a": Square(side: 2)]))
        let decoder = JSONDecoder()
        decoder.userInfo[ClassRegistry.userInfoKey] = classRegistry(Square.self, Window.self)
        let copy = try decoder.decode(Drawing.self, from: data)
        #expect(copy.shape.side == 1 && copy.shapes["a"]?.side == 2)
        decoder.userInfo = [:]
        #expect(throws: (any Error).self) { try decoder.decode(Drawing.self, from: data) }
    }

    @Test func `says with a DecodingError where it is what is wrong under other decoders`() throws {
        struct Holder: Codable {
            @Coded var window: Window
        }
        struct Other: Codable {
            @Coded var window: Square
        }
        for json in [#"{"window": "AAAA"}"#, #"{"window": 1}"#, "{}"] {
            #expect(throws: DecodingError.self, "\(json)") {
                try JSONDecoder().decode(Holder.self, from: Data(json.utf8))
            }
        }
        let other = try JSONEncoder().encode(Other(window: Square(side: 1)))
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Holder.self, from: other) }
    }

    @Test func `is equal and hashed as its value is`() {
        #expect(
            Coded(wrappedValue: Window("A")) == Coded(wrappedValue: Window("A"))
                && Coded(wrappedValue: Window("A")) != Coded(wrappedValue: Window("B")))
        #expect(Set([Coded(wrappedValue: Window("A")), Coded(wrappedValue: Window("A"))]).count == 1)
    }
}
