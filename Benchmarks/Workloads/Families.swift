// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// A parent with many children. Half of them refer back to it with a plain strong property, half with a weak one.
final class Family: Codable {
    var name: String
    var sons: [Son] = []
    var daughters: [Daughter] = []

    init(name: String) { self.name = name }

    final class Son: Codable {
        var name: String
        var height: Int
        var parent: Family?

        init(name: String, height: Int, parent: Family) {
            (self.name, self.height, self.parent) = (name, height, parent)
        }
    }

    final class Daughter: Codable {
        var name: String
        var height: Int
        weak var parent: Family?

        init(name: String, height: Int, parent: Family) {
            (self.name, self.height, self.parent) = (name, height, parent)
        }
    }

    private static func name(_ generator: inout SplitMix64) -> String {
        "child \(generator.integer(in: 0..<1_000_000))"
    }

    static func example(count: Int, seed: UInt64) -> Family {
        var generator = SplitMix64(seed: seed)
        let family = Family(name: "parent")
        for _ in 0..<count / 2 {
            family.sons.append(
                Son(name: name(&generator), height: generator.integer(in: 40..<200), parent: family))
            family.daughters.append(
                Daughter(name: name(&generator), height: generator.integer(in: 40..<200), parent: family))
        }
        return family
    }

    /// Returns whether `decoded` is an equal family whose children all refer to it.
    static func isFaithful(original: Family, decoded: Family, sharing: Bool) -> Bool {
        original.name == decoded.name && original.sons.count == decoded.sons.count
            && original.daughters.count == decoded.daughters.count
            && zip(original.sons, decoded.sons).allSatisfy {
                $0.name == $1.name && $0.height == $1.height && $1.parent === decoded
            }
            && zip(original.daughters, decoded.daughters).allSatisfy {
                $0.name == $1.name && $0.height == $1.height && $1.parent === decoded
            }
    }
}

/// The same family, in which all children refer back with `@WeakReference`.
final class WeakFamily: Codable {
    var name: String
    var sons: [Child] = []
    var daughters: [Child] = []

    init(name: String) { self.name = name }

    final class Child: Codable {
        var name: String
        var height: Int
        @WeakReference var parent: WeakFamily?

        init(name: String, height: Int, parent: WeakFamily) {
            (self.name, self.height) = (name, height)
            self.parent = parent
        }
    }

    static func example(count: Int, seed: UInt64) -> WeakFamily {
        let example = Family.example(count: count, seed: seed)
        let family = WeakFamily(name: example.name)
        family.sons = example.sons.map { Child(name: $0.name, height: $0.height, parent: family) }
        family.daughters = example.daughters.map { Child(name: $0.name, height: $0.height, parent: family) }
        example.sons = []
        return family
    }

    /// Returns whether `decoded` is an equal family whose children all refer to it.
    static func isFaithful(original: WeakFamily, decoded: WeakFamily, sharing: Bool) -> Bool {
        func isSame(_ left: [Child], _ right: [Child]) -> Bool {
            left.count == right.count
                && zip(left, right).allSatisfy {
                    $0.name == $1.name && $0.height == $1.height && $1.parent === decoded
                }
        }
        return original.name == decoded.name && isSame(original.sons, decoded.sons)
            && isSame(original.daughters, decoded.daughters)
    }
}

/// The same family without references back to the parent.
final class LooseFamily: Codable {
    var name: String
    var sons: [Child] = []
    var daughters: [Child] = []

    init(name: String) { self.name = name }

    final class Child: Codable {
        var name: String
        var height: Int

        init(name: String, height: Int) { (self.name, self.height) = (name, height) }
    }

    static func example(count: Int, seed: UInt64) -> LooseFamily {
        let example = Family.example(count: count, seed: seed)
        let family = LooseFamily(name: example.name)
        family.sons = example.sons.map { Child(name: $0.name, height: $0.height) }
        family.daughters = example.daughters.map { Child(name: $0.name, height: $0.height) }
        example.sons = []
        return family
    }

    static func isFaithful(original: LooseFamily, decoded: LooseFamily, sharing: Bool) -> Bool {
        func isSame(_ left: [Child], _ right: [Child]) -> Bool {
            left.count == right.count && zip(left, right).allSatisfy { $0.name == $1.name && $0.height == $1.height }
        }
        return original.name == decoded.name && isSame(original.sons, decoded.sons)
            && isSame(original.daughters, decoded.daughters)
    }
}
