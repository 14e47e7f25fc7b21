// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private struct Trip: Codable, Equatable {
    var length = Measurement(value: 12.5, unit: UnitLength.miles)
    var heat: Measurement<UnitTemperature>? = Measurement(value: -40, unit: .fahrenheit)
    var steps = [Measurement(value: 1, unit: UnitLength.meters), Measurement(value: 2, unit: .kilometers)]
    var boxes = Measurement(value: 3, unit: Unit(symbol: "boxes"))
}

/// A dimension of the program's own.
private final class UnitDough: Dimension, @unchecked Sendable {
    static let loaf = UnitDough(symbol: "loaf", converter: UnitConverterLinear(coefficient: 0.75, constant: 0.5))
    override class func baseUnit() -> Self { self.init(symbol: "kg", converter: UnitConverterLinear(coefficient: 1)) }
}

@Suite(.inTurn) struct `Measurements of Foundation` {
    private static let classes: [AnyClass] = [
        NSMeasurement.self, NSArray.self, Unit.self, Dimension.self, UnitLength.self, UnitTemperature.self,
        UnitConverterLinear.self,
    ]

    @Test(arguments: PropertyListFormat.allCases)
    func `come back from both coders`(format: PropertyListFormat) throws {
        let again = try roundTrip(Trip(), format: format)
        #expect(again == Trip() && again.length.unit == .miles && again.heat?.unit == .fahrenheit)
        let unarchiver = try unarchiver { archiver in
            try archiver.encode(Trip(), forKey: "trip")
            try archiver.encode(Trip().length, forKey: "length")
            try archiver.encodeObject(Trip().length, forKey: "any")
        }
        #expect(try unarchiver.decode(Trip.self, forKey: "trip") == Trip())
        #expect(try unarchiver.decode(Measurement<UnitLength>.self, forKey: "length") == Trip().length)
        let types: [any Any.Type] = [Measurement<UnitMass>.self, Measurement<UnitLength>.self]
        #expect(try unarchiver.decodeObject(of: types, forKey: "any") as? Measurement<UnitLength> == Trip().length)
    }

    @Test func `are objects of NSMeasurement`() throws {
        let archive = try InspectedArchive(ArchiveEncoder().encode(Trip().length))
        #expect(
            archive.text == """
                NSMeasurement{NS.value: 12.5, NS.unit: NSUnitLength{NS.symbol: @"mi", NS.converter: \
                NSUnitConverterLinear{NS.coefficient: 1609.34, NS.constant: 0.0}}}
                """)
        let unit = try #require(archive.follow(archive.follow(archive.root)?["NS.unit"]))
        #expect(archive.classChain(of: unit) == ["NSUnitLength", "NSDimension", "NSUnit", "NSObject"])
        let converter = try #require(archive.follow(unit["NS.converter"]))
        #expect(archive.classChain(of: converter) == ["NSUnitConverterLinear", "NSUnitConverter", "NSObject"])
    }

    @Test func `are read by Foundation's coder`() throws {
        let length = try withFoundationUnarchiver(of: ArchiveEncoder().encode(Trip().length)) {
            try #require($0.decodeObject(of: Self.classes, forKey: "root") as? NSMeasurement)
        }
        #expect(length.doubleValue == 12.5 && length.unit == UnitLength.miles)
        let boxes = try withFoundationUnarchiver(of: ArchiveEncoder().encode(Trip().boxes)) {
            try #require($0.decodeObject(of: Self.classes, forKey: "root") as? NSMeasurement)
        }
        #expect(boxes.doubleValue == 3 && boxes.unit == Unit(symbol: "boxes"))
    }

    @Test func `are read from what Foundation's coder writes`() throws {
        let heat = NSMeasurement(doubleValue: 451, unit: UnitTemperature.fahrenheit)
        let data = foundationArchive(of: heat)
        let again = try ArchiveDecoder().decode(Measurement<UnitTemperature>.self, from: data)
        #expect(again.value == 451 && again.unit == .fahrenheit)
        let array = foundationArchive(of: [heat, heat] as NSArray)
        #expect(try ArchiveDecoder().decode([Measurement<UnitTemperature>].self, from: array) == [again, again])
        let error = try failure(decoding: Measurement<UnitLength>.self, from: data)
        #expect(error.kind == .typeMismatch && error.says("NSUnitTemperature", "UnitLength"))
    }

    @Test func `may be in a dimension of the program's own`() throws {
        let dough = Measurement(value: 2, unit: UnitDough.loaf)
        let again = try roundTrip(dough)
        #expect(again == dough && again.unit.symbol == "loaf" && again.converted(to: .baseUnit()).value == 2)
    }

    @Test func `are an error where the unit has another converter, or is none`() throws {
        func measurement(_ unit: PropertyList) throws -> Data {
            try handmadeArchive(
                ["NS.value": 30.0, "NS.unit": unit, "$class": .uid(2)], classEntry("NSMeasurement"),
                ["NS.symbol": "mpg", "NS.converter": .uid(5), "$class": .uid(4)],
                classEntry("NSUnitFuelEfficiency", "NSDimension", "NSUnit"),
                ["NS.reciprocal": 235.2, "$class": .uid(6)], classEntry("NSUnitConverterReciprocal", "NSUnitConverter"))
        }
        let type = Measurement<UnitFuelEfficiency>.self
        let reciprocal = try failure { try ArchiveDecoder().decode(type, from: measurement(.uid(3))) }
        #expect(reciprocal.kind == .dataCorrupted && reciprocal.says("mpg", "linear"))
        #expect(try failure { try ArchiveDecoder().decode(type, from: measurement(5)) }.kind == .dataCorrupted)
    }

    @Test func `are read from the form in which they encode themselves`() throws {
        let data = try handmadeArchive(
            ["value": 5.0, "unit": .uid(2), "$class": .uid(5)],
            ["symbol": "km", "converter": .uid(3), "$class": .uid(4)],
            ["coefficient": 1000.0, "constant": 0.0, "$class": .uid(4)], classEntry("Unit"),
            classEntry("Foundation.Measurement<Foundation.UnitLength>"))
        let length = try ArchiveDecoder().decode(Measurement<UnitLength>.self, from: data)
        #expect(length == Measurement(value: 5, unit: .kilometers))
    }
}
