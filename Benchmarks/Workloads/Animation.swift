// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An animation of vector graphics, with the structure of Lottie files: a family of classes, whose member a key of each object
/// names, and keyframes that are one value or many.
struct Animation: Codable, Equatable {
    var version = "5.7.4"
    var size: CGSize
    var startFrame: Double
    var endFrame: Double
    var layers: [Layer]

    struct Layer: Equatable {
        var name: String
        var index: Int
        var parent: Int?
        var isHidden: Bool
        var position: Keyframes<Vector>
        var opacity: Keyframes<Double>
        var anchor: CGPoint
        var shapes: [Shape]
    }
}

extension Animation.Layer: Codable {
    enum CodingKeys: String, CodingKey {
        case name = "nm"
        case index = "ind"
        case parent
        case hidden = "hd"
        case position = "p"
        case opacity = "o"
        case anchor = "a"
        case shapes
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name) ?? "Layer"
        index = try container.decode(Int.self, forKey: .index)
        parent = try container.decodeIfPresent(Int.self, forKey: .parent)
        isHidden = try container.decodeIfPresent(Bool.self, forKey: .hidden) ?? false
        position = try container.decode(Keyframes<Vector>.self, forKey: .position)
        opacity = try container.decode(Keyframes<Double>.self, forKey: .opacity)
        anchor = try container.decode(CGPoint.self, forKey: .anchor)
        shapes = try container.decodeShapes(forKey: .shapes)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(index, forKey: .index)
        try container.encodeIfPresent(parent, forKey: .parent)
        if isHidden { try container.encode(true, forKey: .hidden) }
        try container.encode(position, forKey: .position)
        try container.encode(opacity, forKey: .opacity)
        try container.encode(anchor, forKey: .anchor)
        try container.encode(shapes, forKey: .shapes)
    }
}

// MARK: - Values

/// Two or three coordinates in an array, or one number that is all of them.
struct Vector: Codable, Equatable {
    var x: Double
    var y: Double
    var z: Double

    init(_ x: Double, _ y: Double, _ z: Double = 0) { (self.x, self.y, self.z) = (x, y, z) }

    init(from decoder: any Decoder) throws {
        if let number = try? decoder.singleValueContainer().decode(Double.self) {
            self.init(number, number, number)
        } else {
            var container = try decoder.unkeyedContainer()
            self.init(
                try container.decode(Double.self), try container.decode(Double.self),
                try container.decodeIfPresent(Double.self) ?? 0)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(x)
        try container.encode(y)
        if z != 0 { try container.encode(z) }
    }
}

/// A value that does not change, or the values at some frames.
struct Keyframes<Value: Codable & Equatable>: Codable, Equatable {
    struct Keyframe: Codable, Equatable {
        enum CodingKeys: String, CodingKey {
            case value = "s"
            case time = "t"
            case hold = "h"
            case inTangent = "i"
            case outTangent = "o"
        }

        var value: Value
        var time: Double
        var hold: Int?
        var inTangent: CGPoint?
        var outTangent: CGPoint?
    }

    private enum CodingKeys: String, CodingKey {
        case keyframes = "k"
    }

    var keyframes: [Keyframe]

    init(_ keyframes: [Keyframe]) { self.keyframes = keyframes }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let value = try? container.decode(Value.self, forKey: .keyframes) {
            keyframes = [Keyframe(value: value, time: 0)]
            return
        }
        keyframes = []
        var list = try container.nestedUnkeyedContainer(forKey: .keyframes)
        while !list.isAtEnd { keyframes.append(try list.decode(Keyframe.self)) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if keyframes.count == 1 {
            try container.encode(keyframes[0].value, forKey: .keyframes)
        } else {
            var list = container.nestedUnkeyedContainer(forKey: .keyframes)
            for keyframe in keyframes { try list.encode(keyframe) }
        }
    }
}

/// A path with its vertices and their tangents.
struct CurvePath: Codable, Equatable {
    enum CodingKeys: String, CodingKey {
        case isClosed = "c"
        case vertices = "v"
        case inTangents = "i"
        case outTangents = "o"
    }

    var isClosed: Bool
    var vertices: [CGPoint]
    var inTangents: [CGPoint]
    var outTangents: [CGPoint]
}

// MARK: - The family of shapes

extension KeyedDecodingContainer {
    /// Returns shapes of the classes that their key `ty` names. Two containers go through the array: one for the names, one for
    /// the instances.
    fileprivate func decodeShapes(forKey key: Key) throws -> [Shape] {
        var names = try nestedUnkeyedContainer(forKey: key)
        var instances = names
        var shapes: [Shape] = []
        while !names.isAtEnd {
            let kind = try names.nestedContainer(keyedBy: Shape.TypeKey.self).decode(Shape.Kind.self, forKey: .type)
            shapes.append(try instances.decode(kind.shapeType))
        }
        return shapes
    }
}

class Shape: Codable, Equatable {
    enum Kind: String, Codable {
        case group = "gr"
        case path = "sh"
        case ellipse = "el"
        case rectangle = "rc"
        case fill = "fl"
        case stroke = "st"

        fileprivate var shapeType: Shape.Type {
            switch self {
            case .group: ShapeGroup.self
            case .path: PathShape.self
            case .ellipse: Ellipse.self
            case .rectangle: RoundedRectangle.self
            case .fill: Fill.self
            case .stroke: Stroke.self
            }
        }
    }

    enum TypeKey: String, CodingKey {
        case type = "ty"
    }

    private enum CodingKeys: String, CodingKey {
        case name = "nm"
        case type = "ty"
        case hidden = "hd"
    }

    let name: String
    let kind: Kind
    let isHidden: Bool

    init(_ kind: Kind, _ name: String) {
        self.name = name
        self.kind = kind
        isHidden = name.hasSuffix("7")
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name) ?? "Layer"
        kind = try container.decode(Kind.self, forKey: .type)
        isHidden = try container.decodeIfPresent(Bool.self, forKey: .hidden) ?? false
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(kind, forKey: .type)
        if isHidden { try container.encode(true, forKey: .hidden) }
    }

    /// Returns whether `other`, a shape of the same class, is equal.
    func isEqual(to other: Shape) -> Bool { name == other.name && kind == other.kind && isHidden == other.isHidden }

    static func == (left: Shape, right: Shape) -> Bool { type(of: left) == type(of: right) && left.isEqual(to: right) }
}

final class ShapeGroup: Shape {
    private enum CodingKeys: String, CodingKey {
        case items = "it"
    }

    let items: [Shape]

    init(_ name: String, _ items: [Shape]) {
        self.items = items
        super.init(.group, name)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        items = try container.decodeShapes(forKey: .items)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(items, forKey: .items)
    }

    override func isEqual(to other: Shape) -> Bool {
        super.isEqual(to: other) && items == (other as? ShapeGroup)?.items
    }
}

final class PathShape: Shape {
    private enum CodingKeys: String, CodingKey {
        case path = "ks"
        case direction = "d"
    }

    let path: Keyframes<CurvePath>
    let direction: Int?

    init(_ name: String, _ path: Keyframes<CurvePath>, direction: Int?) {
        self.path = path
        self.direction = direction
        super.init(.path, name)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        path = try container.decode(Keyframes<CurvePath>.self, forKey: .path)
        direction = try container.decodeIfPresent(Int.self, forKey: .direction)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .path)
        try container.encodeIfPresent(direction, forKey: .direction)
    }

    override func isEqual(to other: Shape) -> Bool {
        guard super.isEqual(to: other), let other = other as? PathShape else { return false }
        return path == other.path && direction == other.direction
    }
}

class Ellipse: Shape {
    private enum CodingKeys: String, CodingKey {
        case position = "p"
        case size = "s"
    }

    let position: Keyframes<Vector>
    let size: Keyframes<Vector>

    init(_ kind: Kind, _ name: String, position: Keyframes<Vector>, size: Keyframes<Vector>) {
        self.position = position
        self.size = size
        super.init(kind, name)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        position = try container.decode(Keyframes<Vector>.self, forKey: .position)
        size = try container.decode(Keyframes<Vector>.self, forKey: .size)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(position, forKey: .position)
        try container.encode(size, forKey: .size)
    }

    override func isEqual(to other: Shape) -> Bool {
        guard super.isEqual(to: other), let other = other as? Ellipse else { return false }
        return position == other.position && size == other.size
    }
}

final class RoundedRectangle: Ellipse {
    private enum CodingKeys: String, CodingKey {
        case radius = "r"
    }

    let radius: Keyframes<Double>

    init(_ name: String, position: Keyframes<Vector>, size: Keyframes<Vector>, radius: Keyframes<Double>) {
        self.radius = radius
        super.init(.rectangle, name, position: position, size: size)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        radius = try container.decode(Keyframes<Double>.self, forKey: .radius)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(radius, forKey: .radius)
    }

    override func isEqual(to other: Shape) -> Bool {
        super.isEqual(to: other) && radius == (other as? RoundedRectangle)?.radius
    }
}

class Fill: Shape {
    private enum CodingKeys: String, CodingKey {
        case color = "c"
        case opacity = "o"
    }

    /// Red, green, blue and alpha.
    let color: Keyframes<[Double]>
    let opacity: Keyframes<Double>

    init(_ kind: Kind, _ name: String, color: Keyframes<[Double]>, opacity: Keyframes<Double>) {
        self.color = color
        self.opacity = opacity
        super.init(kind, name)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        color = try container.decode(Keyframes<[Double]>.self, forKey: .color)
        opacity = try container.decode(Keyframes<Double>.self, forKey: .opacity)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(color, forKey: .color)
        try container.encode(opacity, forKey: .opacity)
    }

    override func isEqual(to other: Shape) -> Bool {
        guard super.isEqual(to: other), let other = other as? Fill else { return false }
        return color == other.color && opacity == other.opacity
    }
}

final class Stroke: Fill {
    private enum CodingKeys: String, CodingKey {
        case width = "w"
        case dashes = "d"
    }

    let width: Keyframes<Double>
    let dashes: [Double]?

    init(
        _ name: String, color: Keyframes<[Double]>, opacity: Keyframes<Double>, width: Keyframes<Double>,
        dashes: [Double]?
    ) {
        self.width = width
        self.dashes = dashes
        super.init(.stroke, name, color: color, opacity: opacity)
    }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        width = try container.decode(Keyframes<Double>.self, forKey: .width)
        dashes = try container.decodeIfPresent([Double].self, forKey: .dashes)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(width, forKey: .width)
        try container.encodeIfPresent(dashes, forKey: .dashes)
    }

    override func isEqual(to other: Shape) -> Bool {
        guard super.isEqual(to: other), let other = other as? Stroke else { return false }
        return width == other.width && dashes == other.dashes
    }
}

// MARK: - Example

extension Animation {
    static func example(layerCount: Int, seed: UInt64) -> Animation {
        var generator = Generator(random: SplitMix64(seed: seed))
        return Animation(
            size: CGSize(width: 512, height: 512), startFrame: 0, endFrame: 180,
            layers: (0..<layerCount).map { generator.layer($0) })
    }

    private struct Generator {
        var random: SplitMix64
        var count = 0

        mutating func layer(_ index: Int) -> Layer {
            Layer(
                name: name("Layer"), index: index, parent: random.chance(percent: 40) ? index / 2 : nil,
                isHidden: random.chance(percent: 5), position: keyframes { $0.vector() },
                opacity: keyframes { $0.random.decimal(in: 0..<100) }, anchor: point(),
                shapes: (0..<random.integer(in: 1..<4)).map { _ in group(depth: 1) })
        }

        mutating func group(depth: Int) -> Shape {
            var items: [Shape] = (0..<random.integer(in: 1..<4)).map { _ in outline() }
            if depth > 0, random.chance(percent: 50) { items.append(group(depth: depth - 1)) }
            items.append(
                Fill(.fill, name("Fill"), color: keyframes { $0.color() }, opacity: keyframes { _ in 100 }))
            if random.chance(percent: 40) {
                items.append(
                    Stroke(
                        name("Stroke"), color: keyframes { $0.color() }, opacity: keyframes { _ in 100 },
                        width: keyframes { $0.random.decimal(in: 1..<9) },
                        dashes: random.chance(percent: 20) ? [4, 2] : nil))
            }
            return ShapeGroup(name("Group"), items)
        }

        private mutating func outline() -> Shape {
            switch random.integer(in: 0..<5) {
            case 0:
                Ellipse(.ellipse, name("Ellipse"), position: keyframes { $0.vector() }, size: keyframes { $0.vector() })
            case 1:
                RoundedRectangle(
                    name("Rectangle"), position: keyframes { $0.vector() }, size: keyframes { $0.vector() },
                    radius: keyframes { Double($0.random.integer(in: 0..<20)) })
            default:
                PathShape(
                    name("Path"), keyframes { $0.path() }, direction: random.chance(percent: 50) ? 1 : nil)
            }
        }

        private mutating func keyframes<Value>(_ value: (inout Generator) -> Value) -> Keyframes<Value> {
            guard random.chance(percent: 20) else { return Keyframes([.init(value: value(&self), time: 0)]) }
            return Keyframes(
                (0..<random.integer(in: 2..<6)).map { number in
                    .init(
                        value: value(&self), time: Double(number * 12), hold: random.chance(percent: 10) ? 1 : nil,
                        inTangent: point(), outTangent: point())
                })
        }

        private mutating func path() -> CurvePath {
            let count = random.integer(in: 3..<9)
            return CurvePath(
                isClosed: random.chance(percent: 80), vertices: points(count), inTangents: points(count),
                outTangents: points(count))
        }

        private mutating func points(_ count: Int) -> [CGPoint] { (0..<count).map { _ in point() } }

        private mutating func point() -> CGPoint {
            CGPoint(x: rounded(random.decimal(in: -256..<256)), y: rounded(random.decimal(in: -256..<256)))
        }

        private mutating func vector() -> Vector {
            Vector(rounded(random.decimal(in: 0..<512)), rounded(random.decimal(in: 0..<512)))
        }

        private mutating func color() -> [Double] { (0..<3).map { _ in random.decimal(in: 0..<1) } + [1] }
        private func rounded(_ number: Double) -> Double { (number * 1_000).rounded() / 1_000 }

        private mutating func name(_ kind: String) -> String {
            count += 1
            return "\(kind) \(count)"
        }
    }
}
