// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private protocol Shape: Codable {
    var area: Double { get }
}

private struct Square: Shape, Equatable {
    var side: Double
    var area: Double { side * side }
}

private struct Nothing: Shape {
    var area: Double { 0 }
}

/// Encodes itself as one number.
private struct Disc: Shape {
    var radius: Double
    var area: Double { 3 * radius * radius }

    init(radius: Double) { self.radius = radius }
    init(from decoder: any Decoder) throws { radius = try decoder.singleValueContainer().decode(Double.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(radius)
    }
}

/// Encodes itself as its sides, without keys.
private struct Box: Shape {
    var width: Double
    var height: Double
    var area: Double { width * height }

    init(_ width: Double, _ height: Double) { (self.width, self.height) = (width, height) }
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        width = try container.decode(Double.self)
        height = try container.decode(Double.self)
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(width)
        try container.encode(height)
    }
}

/// Encodes itself as another value that has fields.
private struct Turned: Shape {
    var square: Square
    var area: Double { square.area }

    init(_ square: Square) { self.square = square }
    init(from decoder: any Decoder) throws { square = try decoder.singleValueContainer().decode(Square.self) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(square)
    }
}

private enum Size: String, Shape {
    case one
    case two
    var area: Double { self == .one ? 1 : 2 }
}

private enum Sum: Shape {
    case of(Double, Double)
    case none

    var area: Double {
        switch self {
        case .of(let left, let right): left + right
        case .none: 0
        }
    }
}

private class Blob: Shape {
    var area: Double
    init(_ area: Double) { self.area = area }
}

private final class Splash: Blob {}

extension Int: Shape { fileprivate var area: Double { Double(self) } }
extension String: Shape { fileprivate var area: Double { Double(count) } }
extension Date: Shape { fileprivate var area: Double { timeIntervalSinceReferenceDate } }
extension Data: Shape { fileprivate var area: Double { Double(count) } }
extension URL: Shape { fileprivate var area: Double { Double(absoluteString.count) } }
extension Array: Shape where Element == Int { fileprivate var area: Double { Double(reduce(0, +)) } }
extension Dictionary: Shape where Key == String, Value == Int {
    fileprivate var area: Double { Double(values.reduce(0, +)) }
}

private struct Drawing: Codable {
    @Polymorphic var background: any Shape
    @Polymorphic var frame: (any Shape)?
    @Polymorphic var shapes: [any Shape] = []
    @Polymorphic var named: [String: any Shape] = [:]

    init(
        _ background: any Shape, frame: (any Shape)? = nil, shapes: [any Shape] = [], named: [String: any Shape] = [:]
    ) {
        self.background = background
        self.frame = frame
        self.shapes = shapes
        self.named = named
    }
}

extension ClassRegistry {
    /// Every shape in this file, under its own name.
    fileprivate static let shapes: ClassRegistry = {
        var classes = ClassRegistry()
        let types: [any Any.Type] = [
            Square.self, Nothing.self, Disc.self, Box.self, Turned.self, Size.self, Sum.self, Blob.self, Splash.self,
            Int.self, String.self, Date.self, Data.self, URL.self, [Int].self, [String: Int].self,
        ]
        for type in types { classes.register(type) }
        return classes
    }()
}

/// What comes back of `value` where every shape is registered.
private func shapesRoundTrip<Value: Codable>(_ value: Value, format: PropertyListFormat = .binary) throws -> Value {
    var encoder = ArchiveEncoder()
    encoder.outputFormat = format
    var decoder = ArchiveDecoder()
    decoder.classes = .shapes
    return try decoder.decode(Value.self, from: encoder.encode(value))
}

@Suite(.inTurn) struct `Polymorphic values` {
    @Test(arguments: PropertyListFormat.allCases)
    func `come back as what they were`(format: PropertyListFormat) throws {
        let drawing = Drawing(
            Square(side: 3), frame: Size.two, shapes: [Sum.of(1, 4), Sum.none, Blob(7), Nothing()],
            named: ["disc": Disc(radius: 2), "box": Box(2, 3)])
        let again = try shapesRoundTrip(drawing, format: format)
        #expect(again.background as? Square == Square(side: 3))
        #expect(again.frame as? Size == .two)
        #expect(again.shapes.map { "\(type(of: $0))" } == ["Sum", "Sum", "Blob", "Nothing"])
        #expect(again.shapes.map(\.area) == [5, 0, 7, 0])
        #expect(again.named.count == 2)
        #expect(again.named["disc"] is Disc && again.named["disc"]?.area == 12)
        #expect(again.named["box"] is Box && again.named["box"]?.area == 6)
    }

    @Test func `are stored in the archive as objects of their classes`() throws {
        let drawing = Drawing(
            Square(side: 3), shapes: [Disc(radius: 2), Box(2, 3), Size.two, 5, Nothing()])
        #expect(
            try archiveText(drawing)
                == "Drawing{background: Square{side: 3.0}, shapes: NSArray[Disc{$0: 2.0}, Box[@2.0, @3.0], "
                + #"Size{$0: @"two"}, Int{$0: 5}, Nothing{}], named: NSDictionary[]}"#)
    }

    private static let plain: [any Shape & Sendable] = [
        Disc(radius: 1), Box(4, 5), Turned(Square(side: 2)), Size.one, Nothing(), 12, Int.min, "", "four",
        Date(timeIntervalSinceReferenceDate: 5.5), Data([1, 2, 3]), URL(filePath: "/a"), [1, 2], [Int](),
        ["x": 3, "y": 4], [String: Int](),
    ]

    @Test(arguments: plain.indices, PropertyListFormat.allCases)
    func `may have any form of their own`(index: Int, format: PropertyListFormat) throws {
        let shape = Self.plain[index]
        let again = try shapesRoundTrip([Polymorphic<any Shape>(wrappedValue: shape)], format: format)[0].wrappedValue
        #expect(type(of: again) == type(of: shape))
        #expect(again.area == shape.area)
    }

    @Test func `of a class keep their identity, behind the protocol and as themselves`() throws {
        struct Scene: Codable {
            var blob: Blob
            @Polymorphic var shape: any Shape
            @Polymorphic var shapes: [any Shape]
            @Polymorphic var byName: [String: (any Shape)?]
            var splash: Splash
            @Reference var reference: Blob? = nil
        }
        let blob = Blob(1)
        let splash = Splash(2)
        var scene = Scene(
            blob: blob, shape: blob, shapes: [splash, blob, splash],
            byName: ["b": blob, "n": Optional<any Shape>.none], splash: splash)
        scene.reference = splash
        #expect(try InspectedArchive(of: scene).count(ofClass: "Blob") == 1)
        #expect(try InspectedArchive(of: scene).count(ofClass: "Splash") == 1)
        let again = try shapesRoundTrip(scene)
        let shapes = again.shapes.map { $0 as? Blob }
        #expect(again.shape as? Blob === again.blob)
        #expect(shapes[1] === again.blob)
        #expect(again.byName["b"].flatMap { $0 } as? Blob === again.blob)
        #expect(shapes[0] === again.splash && shapes[2] === again.splash && again.reference === again.splash)
        #expect(again.blob.area == 1 && again.splash.area == 2 && again.blob !== again.splash)
    }

    @Test func `that are nil are not there, and what is not there is nil`() throws {
        let drawing = Drawing(1)
        #expect(
            try archiveText(drawing) == "Drawing{background: Int{$0: 1}, shapes: NSArray[], named: NSDictionary[]}")
        #expect(try shapesRoundTrip(drawing).frame == nil)
        struct Explicit: Encodable {
            var background = Polymorphic<any Shape>(wrappedValue: 1)
            var frame: Int??
            var shapes: [Int] = []
            var named: [String: Int] = [:]
            init() { frame = .some(nil) }
        }
        var decoder = ArchiveDecoder()
        decoder.classes = .shapes
        #expect(try decoder.decode(Drawing.self, from: ArchiveEncoder().encode(Explicit())).frame == nil)
    }

    @Test func `may be nil in arrays and dictionaries`() throws {
        let list: [(any Shape)?] = [nil, Size.one, nil]
        let array = try shapesRoundTrip(Polymorphic(wrappedValue: list)).wrappedValue
        #expect(array.map { $0?.area } == [nil, 1, nil])
        let table: [String: (any Shape)?] = ["a": nil, "b": Size.two]
        let dictionary = try shapesRoundTrip(Polymorphic(wrappedValue: table)).wrappedValue
        #expect(dictionary.count == 2)
        #expect(dictionary["a"].map { $0 == nil } == true)
        #expect(dictionary["b"]??.area == 2)
    }

    @Test func `may be in containers of containers`() throws {
        let blob = Blob(9)
        let nested: [[String: [(any Shape)?]]?] = [
            ["x": [blob, nil, 3], "y": []], nil, ["z": [blob]],
        ]
        let again = try shapesRoundTrip(Polymorphic(wrappedValue: nested)).wrappedValue
        #expect(again.count == 3 && again[1] == nil)
        #expect(again[0]?["x"]?.map { $0?.area } == [9, nil, 3])
        #expect(again[0]?["y"]?.isEmpty == true)
        let first = again[0]?["x"]?[0] as? Blob
        #expect(first != nil && first === again[2]?["z"]?[0] as? Blob)
    }

    @Test func `can be keyed by what is no string`() throws {
        let table: [Int: any Shape] = [7: Size.one, -1: Square(side: 2)]
        let again = try shapesRoundTrip(Polymorphic(wrappedValue: table)).wrappedValue
        #expect(again.mapValues(\.area) == [7: 1, -1: 4])
    }

    @Test func `can be the root object`() throws {
        #expect(try archiveText(Polymorphic<any Shape>(wrappedValue: Square(side: 2))) == "Square{side: 2.0}")
        let again = try shapesRoundTrip(Polymorphic<any Shape>(wrappedValue: Square(side: 2)))
        #expect(again.wrappedValue as? Square == Square(side: 2))
        #expect(try shapesRoundTrip(Polymorphic<(any Shape)?>(wrappedValue: nil)).wrappedValue == nil)
    }

    @Test func `can be in unkeyed, single value and nested containers`() throws {
        struct Written: Codable {
            var shapes: [any Shape]

            init(_ shapes: [any Shape]) { self.shapes = shapes }
            init(from decoder: any Decoder) throws {
                var outer = try decoder.container(keyedBy: AnyKey.self).nestedUnkeyedContainer(forKey: "list")
                shapes = [try outer.decode(Polymorphic<any Shape>.self).wrappedValue]
                let inner = try outer.nestedContainer(keyedBy: AnyKey.self)
                shapes.append(try inner.decode(Polymorphic<any Shape>.self, forKey: "shape").wrappedValue)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                var outer = container.nestedUnkeyedContainer(forKey: "list")
                try outer.encode(Polymorphic(wrappedValue: shapes[0]))
                var inner = outer.nestedContainer(keyedBy: AnyKey.self)
                try inner.encode(Polymorphic(wrappedValue: shapes[1]), forKey: "shape")
            }
        }
        struct Single: Codable {
            var shape: any Shape

            init(_ shape: any Shape) { self.shape = shape }
            init(from decoder: any Decoder) throws {
                shape = try decoder.singleValueContainer().decode(Polymorphic<any Shape>.self).wrappedValue
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(Polymorphic(wrappedValue: shape))
            }
        }
        #expect(try shapesRoundTrip([Written([Size.two, Disc(radius: 1)])])[0].shapes.map(\.area) == [2, 3])
        #expect(try shapesRoundTrip([Single(Blob(4)), Single(6)]).map(\.shape.area) == [4, 6])
    }

    @Test func `of a type that is known are archived as without the wrapper`() throws {
        #expect(try archiveText(Polymorphic(wrappedValue: Square(side: 2))) == archiveText(Square(side: 2)))
        #expect(try archiveText(Polymorphic(wrappedValue: [1, 2])) == "NSArray[@1, @2]")
        #expect(try archiveText(Polymorphic(wrappedValue: Size.one as Size?)) == archiveText(Size.one))
        #expect(try roundTrip(Polymorphic(wrappedValue: Square(side: 2))) == Polymorphic(wrappedValue: Square(side: 2)))
        #expect(try roundTrip(Polymorphic(wrappedValue: ["a": [1]])) == Polymorphic(wrappedValue: ["a": [1]]))
    }

    @Test func `may be anything at all, where everything is registered`() throws {
        let values: [Any] = [1, "two", Square(side: 3), Blob(4)]
        let again = try shapesRoundTrip(Polymorphic(wrappedValue: values)).wrappedValue
        #expect(again[0] as? Int == 1)
        #expect(again[1] as? String == "two")
        #expect(again[2] as? Square == Square(side: 3))
        #expect((again[3] as? Blob)?.area == 4)
    }

    @Test func `have the names that are registered for them`() throws {
        var encoder = ArchiveEncoder()
        encoder.classes.register(Square.self, name: "Quadrat")
        encoder.classes.register(Int.self, name: "Zahl")
        let data = try encoder.encode(Polymorphic<[any Shape]>(wrappedValue: [Square(side: 2), 5]))
        #expect(try InspectedArchive(data).classNames.sorted() == ["NSArray", "Quadrat", "Zahl"])
        var decoder = ArchiveDecoder()
        decoder.classes.register(Square.self, name: "Square", aliases: ["Carré", "Quadrat"])
        decoder.classes.register(Int.self, name: "Zahl")
        let again = try decoder.decode(Polymorphic<[any Shape]>.self, from: data).wrappedValue
        #expect(again.map(\.area) == [4, 5])
        #expect(again[0] is Square && again[1] is Int)
    }

    @Test func `give the same bytes for the same value, where that is expected`() throws {
        func drawing(_ names: [String]) -> Drawing {
            var drawing = Drawing(Size.one)
            for name in names { drawing.named[name] = name }
            return drawing
        }
        var encoder = ArchiveEncoder()
        encoder.outputFormatting = .sortedKeys
        let names = (0..<40).map { "name \($0)" }
        let data = try encoder.encode(drawing(names))
        #expect(try encoder.encode(drawing(names.reversed())) == data)
        var decoder = ArchiveDecoder()
        decoder.classes = .shapes
        let again = try decoder.decode(Drawing.self, from: data)
        #expect(again.named.count == 40)
        for name in names { #expect(again.named[name] as? String == name) }
    }

    @Test func `names the protocol that does not require Codable, and what to write`() throws {
        let machine = Machine(parts: [Wheel()])
        // The names of protocols are not known without assumptions about the runtime.
        let sentence = RuntimeAssumptions.areWithdrawn ? "codable" : "`protocol Component: Codable`"
        func says(_ error: EncodingError?) -> Bool {
            guard case .invalidValue(let value, let context) = error else { return false }
            return value is Wheel && "\(context)".contains(sentence)
                && context.codingPath.map(\.stringValue).contains("parts")
        }
        #expect(says(#expect(throws: EncodingError.self) { try ArchiveEncoder().encode(machine) }))
        #expect(says(#expect(throws: EncodingError.self) { try JSONEncoder().encode(machine) }))

        var decoder = ArchiveDecoder()
        decoder.classes.register(Wheel.self, name: "Wheel")
        var encoder = ArchiveEncoder()
        encoder.classes.register(Square.self, name: "Wheel")
        let data = try encoder.encode(["parts": Polymorphic<[any Shape]>(wrappedValue: [Square(side: 1)])])
        let error = #expect(throws: DecodingError.self) {
            try decoder.decode([String: Polymorphic<[any Component]>].self, from: data)
        }
        guard case .typeMismatch(_, let context) = error else { return }
        let text = "\(try #require(context.underlyingError as? ArchivingError))"
        #expect(text.contains(sentence) && text.contains("Wheel"))
    }
}

/// A protocol without Codable.
private protocol Component {}

private struct Wheel: Component {}

private struct Machine: Codable {
    @Polymorphic var parts: [any Component]
}
