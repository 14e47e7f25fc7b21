// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

extension Probes {
    /// Subclasses, values behind protocols, names, versions and defaults.
    static func classes(_ report: inout Report) {
        report.section("Classes")
        let coder = Coders(Dog.self, Puppy.self, Parrot.self, Stone.self)
        let dog = Dog("dog", legs: 4)
        let puppy = Puppy("puppy", legs: 4, mother: dog)
        report.graph("subclasses", [dog, puppy, Animal("animal"), dog] as [Animal], coder: coder) { $0 as [Animal] }
        report.graph("generic subclasses", GenericPair(name: "pair", first: puppy, second: [1: dog]), coder: coder)
        var farm = Zoo()
        farm.main = puppy
        farm.all = [dog, Parrot(words: ["hello", "naïve"]), Stone.granite, puppy]
        farm.byName = ["stone": Stone.marble, "dog": dog]
        report.value("behind a protocol", farm, coder: coder) { $0.text == $1.text }
        report.value("versions", Versioned(height: 1.75))
        var settings = Settings()
        (settings.volume, settings.isLoud, settings.names) = (0.25, true, ["a"])
        report.value("defaults", settings)
        report.result("absent values") {
            var data = try ArchiveEncoder().encode(["volume": 1.5])
            let settings = try ArchiveDecoder().decode(Settings.self, from: data)
            data = try ArchiveEncoder().encode(Absent())
            return try "\(settings) \(ArchiveDecoder().decode(Settings.self, from: data))"
        }
    }

    /// Long chains of instances, which take no stack, or are an error.
    static func chains(_ report: inout Report) {
        report.section("Chains")
        for count in [1_000, 20_000] {
            let links = (0..<count).map { Link($0) }
            for (link, next) in zip(links, links.dropFirst()) { link.next = next }
            report.result("chain of \(count) by reference") {
                let data = try ArchiveEncoder().encode(Chain(all: links, first: links[0]))
                let chain = try ArchiveDecoder().decode(Chain.self, from: data)
                let sum = chain.all.reduce(0) { $0 + $1.number }
                let isWhole = zip(chain.all, chain.all.dropFirst()).allSatisfy { $0.next === $1 }
                defer { for link in chain.all { link.next = nil } }
                return "\(data.count) bytes, \(digest(data)), \(sum), \(isWhole), \(chain.first === chain.all[0])"
            }
            for link in links { link.next = nil }
        }
        let plain = (0..<100_000).map { PlainLink($0) }
        for (link, next) in zip(plain, plain.dropFirst()) { link.next = next }
        report.result("chain of plain properties") {
            let data = try ArchiveEncoder().encode(plain[0])
            report.line("chain of plain properties: \(data.count) bytes, \(digest(data))")
            // How far the decoder comes depends on the stack.
            return (try? ArchiveDecoder().decode(PlainLink.self, from: data)) == nil ? "refused" : "read"
        }
        for link in plain { link.next = nil }
    }
}

// MARK: - Types

class Animal: Codable, Linked, Creature {
    let name: String

    init(_ name: String) { self.name = name }

    var links: [(any Linked)?] { [] }
    var text: String { "animal \(name)" }
}

class Dog: Animal {
    var legs: Int

    init(_ name: String, legs: Int) {
        self.legs = legs
        super.init(name)
    }

    private enum CodingKeys: CodingKey { case legs }

    required init(from decoder: any Decoder) throws {
        legs = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .legs)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(legs, forKey: .legs)
        try super.encode(to: encoder)
    }

    override var text: String { "dog \(name) \(legs)" }
}

final class Puppy: Dog {
    var mother: Dog?

    init(_ name: String, legs: Int, mother: Dog?) {
        self.mother = mother
        super.init(name, legs: legs)
    }

    private enum CodingKeys: CodingKey { case mother }

    required init(from decoder: any Decoder) throws {
        mother = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Dog.self, forKey: .mother)
        try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(mother, forKey: .mother)
        try super.encode(to: encoder)
    }

    override var links: [(any Linked)?] { [mother] }
    override var text: String { "puppy \(name) \(legs) of \(mother?.text ?? "-")" }
}

final class GenericPair<First: Codable & Linked, Second: Codable & Linked>: Codable, Linked {
    let name: String
    let first: First
    let second: [Int: Second]

    init(name: String, first: First, second: [Int: Second]) {
        self.name = name
        self.first = first
        self.second = second
    }

    var links: [(any Linked)?] { [first] + second.sorted { $0.key < $1.key }.map(\.value) }
}

protocol Creature: Codable {
    var text: String { get }
}

struct Parrot: Creature {
    var words: Set<String>

    var text: String { "parrot \(words.sorted())" }
}

enum Stone: String, Creature {
    case granite, marble

    var text: String { "stone \(rawValue)" }
}

struct Zoo: Codable {
    @Polymorphic var main: (any Creature)?
    @Polymorphic var all: [any Creature] = []
    @Polymorphic var byName: [String: any Creature] = [:]

    init() { _main = Polymorphic(wrappedValue: nil) }

    var text: String {
        let named = byName.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)" }
        return "\(main?.text ?? "-"); \(all.map(\.text)); \(named)"
    }
}

struct Versioned: Codable, Equatable, ArchiveDescribing {
    static let archiveName = "Contact"
    static let archiveVersion = 3
    static let archiveFallbacks = ["NSObject"]
    var height: Double
}

struct Settings: Codable, Equatable {
    @DefaultZero<Double> var volume: Double
    @DefaultFalse var isLoud: Bool
    @DefaultEmpty<[String]> var names: [String]
}

struct Absent: Codable {}

final class Link: Codable {
    let number: Int
    @Reference var next: Link?

    init(_ number: Int) { self.number = number }
}

struct Chain: Codable {
    @References var all: [Link]
    @Reference var first: Link?

    init(all: [Link], first: Link) {
        self.all = all
        self.first = first
    }
}

final class PlainLink: Codable {
    let number: Int
    var next: PlainLink?

    init(_ number: Int) { self.number = number }
}
