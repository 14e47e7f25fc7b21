// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing

private protocol Shape: Codable {
    var area: Double { get }
}

private struct Square: Shape {
    var side: Double
    var area: Double { side * side }
}

private struct Strip: Shape {
    var length: Double
    var width: Double
    var area: Double { length * width }
}

private struct Drawing: Codable {
    var name: String
    @Deferred @Polymorphic var shapes: [any Shape]
}

/// A drawing with coding methods of its own.
private struct HandWritten: Codable {
    var name: String
    @Deferred @Polymorphic var shapes: [any Shape]

    private enum CodingKeys: CodingKey { case name, shapes }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        _shapes = try container.decode(Deferred<Polymorphic<[any Shape]>>.self, forKey: .shapes)
    }
}

@Suite(.inTurn) struct `A deferred property with another wrapper` {
    private func coders() -> (ArchiveEncoder, ArchiveDecoder) {
        var encoder = ArchiveEncoder()
        var decoder = ArchiveDecoder()
        for type in [Square.self, Strip.self] as [any Shape.Type] {
            encoder.classes.register(type, name: "\(type)")
            decoder.classes.register(type, name: "\(type)")
        }
        encoder.classes.register(Drawing.self, name: "Drawing")
        decoder.classes.register(Drawing.self, name: "Drawing")
        return (encoder, decoder)
    }

    private let drawing = Drawing(name: "farm", shapes: [Square(side: 2), Strip(length: 3, width: 0.5)])

    @Test func `holds values of several types of a protocol`() throws {
        let (encoder, decoder) = coders()
        let copy = try decoder.decode(Drawing.self, from: encoder.encode(drawing))
        #expect(!copy.$shapes.isLoaded)
        #expect(copy.shapes.map(\.area) == [4, 1.5] && copy.$shapes.isLoaded)
    }

    @Test func `is set by an initializer that decodes the wrapper`() throws {
        let (encoder, decoder) = coders()
        var other = decoder
        other.classes = ClassRegistry()
        for type in [Square.self, Strip.self] as [any Shape.Type] { other.classes.register(type, name: "\(type)") }
        other.classes.register(HandWritten.self, name: "Drawing")
        let copy = try other.decode(HandWritten.self, from: encoder.encode(drawing))
        #expect(!copy.$shapes.isLoaded && copy.shapes.map(\.area) == [4, 1.5])
    }
}
