// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

/// The values that fields of generic types have before they are set.
private enum InitialValues {
    private static let all = Mutex<[ObjectIdentifier: any Sendable]>([:])

    static func enter<Value: Sendable>(_ value: Value) {
        all.withLock { if $0[ObjectIdentifier(Value.self)] == nil { $0[ObjectIdentifier(Value.self)] = value } }
    }

    static func value<Value: Sendable>(of type: Value.Type = Value.self) -> Value {
        guard let value = all.withLock({ $0[ObjectIdentifier(type)] }) as? Value else {
            preconditionFailure("\(type) has no initial value")
        }
        return value
    }
}

/// A field of any type, in a generic type.
private struct Box<Value: Codable & Equatable & Sendable>: ArchivedFields, ArchiveDescribing, Equatable {
    static var archiveName: String { "Box" }

    private var stored: Value
    /// The coders call the accessors.
    var value: Value {
        get { stored }
        set { stored = newValue }
    }

    init() { stored = InitialValues.value() }
    init(_ value: Value) {
        stored = value
        InitialValues.enter(value)
    }

    static var fields: FieldList<Box> { FieldList { Field("value", \.value) } }
}

/// A field that may be nil.
private struct OptionalBox<Value: Codable & Equatable & Sendable>: ArchivedFields, ArchiveDescribing, Equatable {
    static var archiveName: String { "Box" }

    var value: Value?

    init() {}
    init(_ value: Value?) { self.value = value }

    static var fields: FieldList<OptionalBox> { FieldList { Field("value", \.value) } }
}

private enum Twin {
    struct Box<Value: Codable & Equatable & Sendable>: Codable, ArchiveDescribing, Equatable {
        static var archiveName: String { "Box" }
        var value: Value
    }

    struct OptionalBox<Value: Codable & Equatable & Sendable>: Codable, ArchiveDescribing, Equatable {
        static var archiveName: String { "Box" }
        var value: Value?
    }
}

private enum Color: String, Codable { case red, green }
private enum Level: Int, Codable {
    case low = -1
    case high = 7
}
private enum Weight: Double, Codable {
    case light = 0.5
    case heavy = 100
}
private enum Figure: Codable, Equatable {
    case nothing
    case circle(radius: Double)
    indirect case group([Figure])
}

private struct Options: OptionSet, Codable, Hashable { let rawValue: Int }

/// A struct with declared fields, which is hashed by them.
private struct Point: ArchivedFields, ArchiveDescribing, Hashable {
    static let archiveName = "Point"

    var x = 0.0
    var y = 0.0
    var label: String?

    init() {}
    init(_ x: Double, _ y: Double, _ label: String? = nil) { (self.x, self.y, self.label) = (x, y, label) }

    static let fields = FieldList<Point> {
        Field("x", \.x)
        Field("y", \.y)
        Field("label", \.label)
    }
}

private struct Line: ArchivedFields, Hashable {
    var start = Point()
    var end: Point?
    var between: [Point] = []

    init() {}
    init(_ start: Point, _ end: Point?, _ between: [Point]) {
        (self.start, self.end, self.between) = (start, end, between)
    }

    static let fields = FieldList<Line> {
        Field("start", \.start)
        Field("end", \.end)
        Field("between", \.between)
    }
}

/// A Codable type with fields of types with declared fields.
private struct Drawing: Codable, Equatable {
    var lines: [String: Line]
    var point: Point
    var none: Line?
}

struct FieldShape: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let check: @Sendable () throws -> Void

    init<Value: Codable & Equatable & Sendable>(_ value: Value, _ more: Value...) {
        InitialValues.enter(more.last ?? value)
        testDescription = "\(Value.self)"
        check = {
            for value in [value] + more {
                InitialValues.enter(Value?.none)
                try expectSameArchive(Box(value), Twin.Box(value: value))
                try expectSameArchive(OptionalBox(value), Twin.OptionalBox(value: value))
                try expectSameArchive(OptionalBox<Value>(nil), Twin.OptionalBox<Value>(value: nil))
                try expectSameArchive(Box<Value?>(value), Twin.Box<Value?>(value: value))
            }
        }
    }
}

@Suite(.inTurn) struct `A declared field` {
    private static let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
    private static let uuid = UUID()

    private static let shapes: [FieldShape] = [
        FieldShape(0, 1, -1, Int.max, Int.min), FieldShape(Int8.min, 0, Int8.max), FieldShape(Int16.min, Int16.max),
        FieldShape(Int32.min, Int32.max), FieldShape(Int64.min, Int64.max), FieldShape(0, UInt.max),
        FieldShape(UInt8.max, 0), FieldShape(UInt16.max, 0), FieldShape(UInt32.max, 0), FieldShape(UInt64.max, 0),
        FieldShape(Int128.max, 0, Int128.min), FieldShape(UInt128.max, 0),
        FieldShape(0.1, -0.0, Double.infinity, Double.leastNonzeroMagnitude), FieldShape(Float(0.1), -.infinity),
        FieldShape(true, false), FieldShape("", "text", "ä𝄞", "$null", String(repeating: "long", count: 500)),
        FieldShape(Data(), Data([0, 1, 255]), Data(repeating: 7, count: 5000)), FieldShape(date), FieldShape(uuid),
        FieldShape(URL(filePath: "/tmp/ä b")), FieldShape(Decimal(string: "-12345.678") ?? 0),
        FieldShape(IndexSet(integersIn: 3..<9)), FieldShape(Color.red, .green), FieldShape(Level.low, .high),
        FieldShape(Weight.heavy), FieldShape(Options(rawValue: 5)),
        FieldShape(Figure.nothing, .circle(radius: 2), .group([.nothing, .group([])])), FieldShape(3..<5),
        FieldShape([Int](), [1, -2, 3], Array(0..<100)), FieldShape(["a", "b", "a"]), FieldShape([0.5, 2]),
        FieldShape([true, false]), FieldShape([[1], [], [2, 3]]), FieldShape([[["a"]], []]),
        FieldShape([1, nil, 2] as [Int?]), FieldShape([date, date]), FieldShape([Color.green, .red]),
        FieldShape([Data([1]), Data()]), FieldShape(["a": 1, "b": 2], [:]), FieldShape(["k": ["a", "b"]]),
        FieldShape([Color.red: 1, .green: 2]), FieldShape([1: "a", 2: "b"]), FieldShape([uuid: date]),
        FieldShape(["a": nil, "b": 2] as [String: Int?]), FieldShape(Set([1, 2, 3]), []), FieldShape(Set(["a", "b"])),
        FieldShape(Point(1, 2, "p"), Point()), FieldShape([Point(1, 2), Point(3, 4, "q")], []),
        FieldShape(["p": Point(1, 2)]), FieldShape(Set([Point(1, 2), Point(3, 4, "q")])),
        FieldShape([Point(1, 2): Point(3, 4)]),
        FieldShape(Line(Point(1, 2), nil, []), Line(Point(0, 0, "a"), Point(1, 1), [Point(2, 2), Point(3, 3)])),
        FieldShape([[Line(Point(), Point(1, 2), [])], []]),
        FieldShape(Drawing(lines: ["l": Line(Point(), nil, [Point(1, 2)])], point: Point(5, 6, "d"))),
        FieldShape(Box(1)), FieldShape(Box(Box("a"))), FieldShape(OptionalBox(Point(1, 2)), OptionalBox(nil)),
        FieldShape(Twin.Box(value: Point(1, 2))), FieldShape(Box(Twin.Box(value: 3.5))),
    ]

    @Test(arguments: shapes)
    func `has the form of a property of a Codable type, in a generic type and with accessors`(
        shape: FieldShape
    ) throws {
        try shape.check()
    }

    @Test func `of a number that is none comes back`() throws {
        #expect(try roundTrip(Box(Double.nan)).value.isNaN)
        #expect(try roundTrip(OptionalBox(Float.nan)).value?.isNaN == true)
    }

    // MARK: Forms worked out by hand

    @Test func `that is nil has no key, and other scalars are inline`() throws {
        #expect(try archiveText(Point(1.5, 2)) == "Point{x: 1.5, y: 2.0}")
        #expect(try archiveText(Point(1.5, 2, "a")) == "Point{x: 1.5, y: 2.0, label: @\"a\"}")
        #expect(try archiveText(Box(7)) == "Box{value: 7}")
        #expect(try archiveText(Box(true)) == "Box{value: true}")
        #expect(try archiveText(Box(Float(0.5))) == "Box{value: 0.5f}")
        #expect(try archiveText(Box([1, 2])) == "Box{value: NSArray[@1, @2]}")
        #expect(try archiveText(Box(["a": Point(1, 2)])) == "Box{value: NSDictionary[@\"a\": Point{x: 1.0, y: 2.0}]}")
        #expect(try archiveText(Line(Point(), nil, [])) == "Line{start: Point{x: 0.0, y: 0.0}, between: NSArray[]}")
        let entry = try InspectedArchive(of: Point())
        #expect(entry.classChain(of: try #require(entry.follow(entry.root))) == ["Point", "NSObject"])
    }
}
