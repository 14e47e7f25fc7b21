// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Nested containers

/// A value that encodes itself with nested containers and containers without keys.
public struct Ledger: Codable, Equatable {
    var title = "ledger"
    var pairs = [Corner(x: 1, y: 1)]
    var limits = [1, 2]
    var inner = "inner"

    private enum CodingKeys: String, CodingKey {
        case title = "$title"
        case pairs, nested
    }

    private enum NestedKeys: CodingKey {
        case limits, inner
    }

    /// A ledger with one pair.
    public init() {}

    /// Reads a title, pairs of numbers without keys, and two values one level further in.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decode(String.self, forKey: .title)
        var list = try container.nestedUnkeyedContainer(forKey: .pairs)
        pairs = []
        while !list.isAtEnd {
            var pair = try list.nestedUnkeyedContainer()
            pairs.append(Corner(x: try pair.decode(Double.self), y: try pair.decode(Int.self)))
        }
        let nested = try container.nestedContainer(keyedBy: NestedKeys.self, forKey: .nested)
        limits = try nested.decodeIfPresent([Int].self, forKey: .limits) ?? []
        inner = try nested.decode(String.self, forKey: .inner)
    }

    /// Writes what `init(from:)` reads.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        var list = container.nestedUnkeyedContainer(forKey: .pairs)
        for corner in pairs {
            var pair = list.nestedUnkeyedContainer()
            try pair.encode(corner.x)
            try pair.encode(corner.y)
        }
        var nested = container.nestedContainer(keyedBy: NestedKeys.self, forKey: .nested)
        try nested.encode(limits, forKey: .limits)
        try nested.encode(inner, forKey: .inner)
    }
}

// MARK: - Superclasses

/// A superclass that encodes its part in a container of its own.
public class Ancestor: Codable, Equatable {
    var house = "house"
    var age: Int?

    /// An ancestor of no age.
    public init() {}

    /// Whether both have the same values.
    public static func == (left: Ancestor, right: Ancestor) -> Bool {
        left.house == right.house && left.age == right.age
    }
}

/// A subclass that has its superclass's part under "super".
public final class Heir: Ancestor {
    var share = 0.5
    var corners: [Corner] = []

    private enum CodingKeys: CodingKey {
        case share, corners
    }

    /// An heir of half.
    public override init() { super.init() }

    /// Reads both parts.
    public required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        share = try container.decode(Double.self, forKey: .share)
        corners = try container.decode([Corner].self, forKey: .corners)
        try super.init(from: container.superDecoder())
    }

    /// Writes both parts.
    public override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(share, forKey: .share)
        try container.encode(corners, forKey: .corners)
        try super.encode(to: container.superEncoder())
    }
}
