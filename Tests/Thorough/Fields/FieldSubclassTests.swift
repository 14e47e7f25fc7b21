// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

// Three levels, and a branch.

private class Shape: ArchivedFields {
    var name = ""
    var links: [Shape] = []
    weak var container: Shape?
    var finished: [String] = []

    required init() {}

    class var fields: FieldList<Shape> {
        FieldList {
            Field("name", \.name)
            Field("links", \.links)
            Field("container", \.container, .conditional)
        }
    }

    func didFinishDecoding() throws { finished.append("Shape") }
}

private class Box: Shape {
    var side = 1.0
    var inner: Box?

    override class var fields: FieldList<Shape> {
        super.fields.extended(by: Box.self) {
            Field("side", \.side)
            Field("inner", \.inner)
        }
    }

    override func didFinishDecoding() throws {
        try super.didFinishDecoding()
        finished.append("Box")
    }
}

private final class RoundedBox: Box {
    var radius = 0.5
    var neighbours: [String: RoundedBox] = [:]

    override class var fields: FieldList<Shape> {
        super.fields.extended(by: RoundedBox.self) {
            Field("radius", \.radius)
            Field("neighbours", \.neighbours)
        }
    }
}

private final class Disc: Shape {
    var radius = 2.0
    var isFilled = false

    override class var fields: FieldList<Shape> {
        super.fields.extended(by: Disc.self) {
            Field("radius", \.radius)
            Field("isFilled", \.isFilled)
        }
    }
}

/// Adds no fields.
private final class PlainBox: Box {}

// MARK: - Names

private class Vehicle: ArchivedFields, ArchiveDescribing {
    class var archiveName: String { "Vehicle" }
    class var archiveFallbacks: [String] { [] }
    var wheels = 0
    var trailer: Vehicle?
    required init() {}
    class var fields: FieldList<Vehicle> {
        FieldList {
            Field("wheels", \.wheels)
            Field("trailer", \.trailer)
        }
    }
}

private final class Truck: Vehicle {
    override class var archiveName: String { "Truck" }
    override class var archiveFallbacks: [String] { ["Vehicle"] }
    var load = 0
    override class var fields: FieldList<Vehicle> {
        super.fields.extended(by: Truck.self) { Field("load", \.load) }
    }
}

// Twins.

private class CodableShape: Codable, ArchiveDescribing {
    class var archiveName: String { "Twin.Shape" }
    var name = ""
    var next: CodableShape?
    init() {}
}

private final class CodableBox: CodableShape {
    override class var archiveName: String { "Twin.Box" }
    var side = 1.0
    override init() { super.init() }

    private enum CodingKeys: CodingKey { case side }

    required init(from decoder: any Decoder) throws {
        side = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .side)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(side, forKey: .side)
    }
}

private class TwinShape: ArchivedFields, ArchiveDescribing {
    class var archiveName: String { "Twin.Shape" }
    var name = ""
    var next: TwinShape?
    required init() {}
    class var fields: FieldList<TwinShape> {
        FieldList {
            Field("name", \.name)
            Field("next", \.next)
        }
    }
}

private final class TwinBox: TwinShape {
    override class var archiveName: String { "Twin.Box" }
    var side = 1.0
    override class var fields: FieldList<TwinShape> {
        super.fields.extended(by: TwinBox.self) { Field("side", \.side) }
    }
}

@Suite(.inTurn) struct `A subclass with declared fields` {
    private func decoder(_ types: any Any.Type...) -> ArchiveDecoder {
        var decoder = ArchiveDecoder()
        for type in types { decoder.classes.register(type) }
        return decoder
    }

    private func graph() -> (shape: Shape, box: Box, rounded: RoundedBox, disc: Disc, plain: PlainBox) {
        let graph = (shape: Shape(), box: Box(), rounded: RoundedBox(), disc: Disc(), plain: PlainBox())
        (graph.shape.name, graph.box.name, graph.rounded.name) = ("shape", "box", "rounded")
        (graph.disc.name, graph.plain.name) = ("disc", "plain")
        graph.shape.links = [graph.box, graph.rounded, graph.disc, graph.plain, graph.shape]
        (graph.box.side, graph.box.inner, graph.box.container) = (3, graph.rounded, graph.shape)
        (graph.rounded.side, graph.rounded.radius, graph.rounded.inner) = (4, 0.25, graph.rounded)
        (graph.rounded.neighbours, graph.rounded.links) = (["self": graph.rounded], [graph.disc, graph.shape])
        (graph.disc.radius, graph.disc.isFilled, graph.disc.container) = (7, true, graph.rounded)
        (graph.plain.side, graph.plain.inner) = (9, graph.box)
        return graph
    }

    private func clear(_ shapes: [Shape]) {
        for shape in shapes {
            shape.links = []
            (shape as? Box)?.inner = nil
            (shape as? RoundedBox)?.neighbours = [:]
        }
    }

    @Test func `comes back with the fields of all levels, in cycles`() throws {
        let graph = graph()
        defer { clear([graph.shape, graph.box, graph.rounded, graph.disc, graph.plain]) }
        let data = try ArchiveEncoder().encode(graph.shape)
        let copy = try decoder(Box.self, RoundedBox.self, Disc.self, PlainBox.self).decode(Shape.self, from: data)
        try #require(copy.links.count == 5)
        defer { clear(copy.links) }
        let (box, plain) = (try #require(copy.links[0] as? Box), try #require(copy.links[3] as? PlainBox))
        let (rounded, disc) = (try #require(copy.links[1] as? RoundedBox), try #require(copy.links[2] as? Disc))
        #expect(type(of: copy) == Shape.self && type(of: box) == Box.self && copy.links[4] === copy)
        #expect([copy, box, rounded, disc, plain].map(\.name) == ["shape", "box", "rounded", "disc", "plain"])
        #expect(box.side == 3 && box.inner === rounded && box.container === copy)
        #expect(rounded.side == 4 && rounded.radius == 0.25 && rounded.inner === rounded)
        #expect(rounded.neighbours["self"] === rounded && rounded.links.elementsEqual([disc, copy]) { $0 === $1 })
        #expect(disc.radius == 7 && disc.isFilled && disc.container === rounded)
        #expect(plain.side == 9 && plain.inner === box && plain.container == nil)
        #expect(copy.finished == ["Shape"] && disc.finished == ["Shape"])
        for box in [box, rounded, plain] { #expect(box.finished == ["Shape", "Box"]) }
    }

    @Test func `has its superclasses in its class entry, and its fields after theirs`() throws {
        let graph = graph()
        defer { clear([graph.shape, graph.box, graph.rounded, graph.disc, graph.plain]) }
        let archive = try KeyedArchive(ArchiveEncoder().encode(graph.rounded))
        let names = archive.root.class?.chain.map { InspectedArchive.lastPart(of: $0) }
        #expect(names == ["RoundedBox", "Box", "Shape", "NSObject"])
        #expect(archive.root.keys == ["name", "links", "side", "inner", "radius", "neighbours"])
    }

    @Test func `is found by name, unless it is requested itself`() throws {
        let graph = graph()
        defer { clear([graph.shape, graph.box, graph.rounded, graph.disc, graph.plain]) }
        let disc = Disc()
        disc.name = "alone"
        let data = try ArchiveEncoder().encode(disc)
        #expect(try ArchiveDecoder().decode(Disc.self, from: data).name == "alone")
        // As its superclass, if no name is registered: as with Codable classes.
        let asShape = Result { try ArchiveDecoder().decode(Shape.self, from: data) }
        final class Codables {
            class Base: Codable { var name = "a" }
            final class Derived: Base {}
        }
        let twin = Result {
            try ArchiveDecoder().decode(Codables.Base.self, from: ArchiveEncoder().encode(Codables.Derived()))
        }
        let (isShape, isTwin) = ((try? asShape.get()) != nil, (try? twin.get()) != nil)
        #expect(isShape == isTwin, "\(asShape) \(twin)")
        if let shape = try? asShape.get() { #expect(type(of: shape) == Shape.self && shape.name == "alone") }
        let whole = try ArchiveEncoder().encode(graph.shape)
        #expect(throws: DecodingError.self) { try decoder(Disc.self).decode(Box.self, from: whole) }
    }

    @Test func `in a field of a subclass has to be one of it`() throws {
        let (box, other) = (Box(), Disc())
        box.links = [other]
        let data = try ArchiveEncoder().encode(box)
        // The disc where a box is expected.
        var list = try PropertyList(data)
        guard case .dictionary(var root) = list, case .array(var objects)? = root["$objects"],
            let position = objects.firstIndex(where: { $0["links"] != nil && $0["side"] != nil }),
            case .dictionary(var object) = objects[position],
            let disc = objects.firstIndex(where: { $0["isFilled"] != nil })
        else { throw CocoaError(.coderReadCorrupt) }
        object["inner"] = .uid(UInt32(disc))
        objects[position] = .dictionary(object)
        root["$objects"] = .array(objects)
        list = .dictionary(root)
        let error = try failure { try decoder(Disc.self, Box.self).decode(Box.self, from: list.data(format: .binary)) }
        #expect(error.kind == .typeMismatch && error.path == "inner", "\(error)")
    }

    @Test func `that is unknown is decoded as its fallback`() throws {
        let (truck, trailer) = (Truck(), Truck())
        (truck.wheels, truck.load, truck.trailer, trailer.wheels, trailer.trailer) = (6, 3, trailer, 4, truck)
        defer { (truck.trailer, trailer.trailer) = (nil, nil) }
        let data = try ArchiveEncoder().encode([truck as Vehicle])
        let known = try decoder(Truck.self).decode([Vehicle].self, from: data)
        let copy = try #require(known[0] as? Truck)
        defer { copy.trailer?.trailer = nil }
        #expect(copy.wheels == 6 && copy.load == 3 && (copy.trailer as? Truck)?.wheels == 4)
        #expect(copy.trailer?.trailer === copy)
        let unknown = try ArchiveDecoder().decode([Vehicle].self, from: data)
        defer { unknown[0].trailer?.trailer = nil }
        #expect(type(of: unknown[0]) == Vehicle.self && unknown[0].wheels == 6 && unknown[0].trailer?.wheels == 4)
        #expect(unknown[0].trailer?.trailer === unknown[0])
    }

    @Test func `has the archive of a Codable subclass with the same keys`() throws {
        let (shape, box) = (TwinShape(), TwinBox())
        (shape.name, shape.next, box.name, box.side) = ("a", box, "b", 5)
        let (codable, codableBox) = (CodableShape(), CodableBox())
        (codable.name, codable.next, codableBox.name, codableBox.side) = ("a", codableBox, "b", 5)
        #expect(try archiveText(shape) == archiveText(codable))
        var encoder = ArchiveEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(shape) == encoder.encode(codable))
        for data in [try encoder.encode(shape), try ArchiveEncoder().encode(codable)] {
            let copy = try decoder(TwinBox.self).decode(TwinShape.self, from: data)
            #expect(copy.name == "a" && (copy.next as? TwinBox)?.side == 5 && copy.next?.name == "b")
            let twin = try decoder(CodableBox.self).decode(CodableShape.self, from: data)
            #expect(twin.name == "a" && (twin.next as? CodableBox)?.side == 5 && twin.next?.name == "b")
        }
    }

    @Test func `comes back as an element of every type on the way to the root`() throws {
        let disc = Disc()
        let list: [Shape] = [disc, disc, Shape()]
        let copy = try decoder(Disc.self).decode([Shape].self, from: ArchiveEncoder().encode(list))
        #expect(copy[0] === copy[1] && copy[0] is Disc && !(copy[2] is Disc))
        let table = try decoder(Disc.self).decode(
            [String: Shape].self, from: ArchiveEncoder().encode(["d": disc as Shape]))
        #expect(table["d"] is Disc)
        struct Pair: Codable { var shape: Shape, disc: Disc, again: Shape }
        let pair = try decoder(Disc.self).decode(
            Pair.self, from: ArchiveEncoder().encode(Pair(shape: disc, disc: disc, again: disc)))
        #expect(pair.shape === pair.disc && pair.again === pair.disc)
    }
}
