// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

/// Objects that are met often, or contain themselves.
@Suite(.inTurn) struct `A typedstream that is hostile` {
    private static let any = Reader.sequentialAny
    private static let nests = Reader.sequential(Nest.self)

    /// 40 containers, each of which has the one before it twice.
    private static func doubled(
        _ container: @escaping @Sendable (RawStream, Int) -> Int
    ) -> @Sendable (RawStream) -> Int {
        { raw in (0..<40).reduce(raw.array([])) { inner, _ in container(raw, inner) } }
    }

    static let unfolding: [Attack] =
        Attack.streams("lists", [any, nests], .limit("work"), doubled { $0.array([$1, $1]) })
        + Attack.streams(
            "dictionaries", [any], .limit("work"),
            doubled { raw, inner in raw.dictionary([(raw.text("a"), inner), (raw.text("b"), inner)]) })
        + Attack.streams(
            "lists of a class of one's own", [any], .limit("work"),
            { raw in
                let type = raw.subclass("Listing", of: raw.type("NSArray"))
                return (0..<40).reduce(raw.array([])) { inner, _ in
                    raw.object(of: type, RawStream.list([inner, inner]))
                }
            })
        + Attack.streams(
            "attempts", [.sequential(Trier.self)], .limit("work"),
            { raw in
                (0..<30).reduce(raw.text("nobody")) { inner, _ in
                    raw.object(
                        "Trier",
                        [
                            RawStream.reference(inner), RawStream.reference(inner),
                            .init([.int, .int], [.integer(1), .integer(1)]),
                        ])
                }
            })
        + Attack.streams(
            "attributes of many runs", [any, .sequential(AttributedText.self)], .limit("work"),
            { raw in
                let entries = (0..<2000).map { (raw.text("key \($0)"), raw.number($0)) }
                return raw.attributed(
                    String(repeating: "a", count: 20_000), Array(repeating: (1, 1), count: 20_000),
                    [raw.dictionary(entries)])
            })

    @Test(arguments: unfolding)
    func `stops at the limit of work if few bytes represent much`(attack: Attack) {
        var limits = DecodingLimits()
        limits.work = 100_000
        attack.run(limits)
    }

    // MARK: - Long leaves

    private static let long = String(repeating: "a", count: 1 << 16)

    static let leaves: [Attack] =
        Attack.streams(
            "a key", [any, .sequential([String: Int].self)], .limit("work"),
            { raw in raw.dictionary((0..<1000).map { (raw.text(long), raw.number($0)) }) })
        + Attack.streams(
            "an element", [any, .sequential([String].self), .sequential(Set<String>.self)], .limit("work"),
            { raw in raw.set(Array(repeating: raw.text(long), count: 1000)) })
        + Attack.streams(
            "data", [any, .sequential([Data].self)], .limit("work"),
            { raw in
                let bytes = TypedStream.Value.bytes(Array(repeating: 7, count: 1 << 16))
                let data = raw.object(
                    "NSData", [RawStream.integer(1 << 16), .init([.array(count: 1 << 16, of: .character)], [bytes])])
                return raw.array(Array(repeating: data, count: 1000))
            })
        + Attack.streams(
            "the type of numbers", [any, .sequential([TypedStream.TypedValue].self)], .limit("work"),
            { raw in
                let type = TypeEncoding.array(
                    count: 0, of: .structure(name: nil, fields: Array(repeating: .int, count: 1 << 16)))
                let name = TypedStream.Value.cString(raw.cString(type.description))
                let value = raw.object("NSValue", [.init([.cString], [name]), .init([type], [.array([])])])
                return raw.array(Array(repeating: value, count: 1000))
            })
        + Attack.streams(
            "the name of a font", [any, text], .limit("work"),
            { raw in attributes(Array(repeating: raw.font(Array(long.utf8)), count: 1000), raw) })
        + Attack.streams(
            "the name of a font, which is not text", [any, text], .limit("work"),
            { raw in attributes(Array(repeating: raw.font(Array(long.utf8) + [0xFF]), count: 1000), raw) })
        + Attack.streams(
            "the names of a color", [any, text], .limit("work"),
            { raw in
                let name = raw.text(long)
                let white = raw.color(3, [1, 1])
                let names = [name, name, white].map { TypedStream.Value.object($0) }
                let color = raw.object(
                    "NSColor", [.init([.character], [.integer(6)]), .init([.object, .object, .object], names)])
                return attributes(Array(repeating: color, count: 1000), raw)
            })

    private static let text = Reader.sequential(AttributedText.self)

    /// A text of one character with all values as attributes.
    private static func attributes(_ values: [Int], _ raw: RawStream) -> Int {
        let entries = values.enumerated().map { (raw.text("key \($0)"), $1) }
        return raw.attributed("a", [(1, 1)], [raw.dictionary(entries)])
    }

    @Test(arguments: leaves)
    func `stops at the limit of work where a long leaf is met often`(attack: Attack) {
        var limits = DecodingLimits()
        limits.work = 500_000 / 16
        attack.run(limits)
    }

    // MARK: - Sets in sets

    /// Sets that are elements, or keys: the innermost is empty.
    private static func sets(_ levels: Int, _ raw: RawStream) -> Int {
        (1..<levels).reduce(raw.set([])) { inner, _ in raw.set([inner]) }
    }

    static let sets: [Attack] =
        Attack.streams("40", [any], .limit("levels"), { sets(40, $0) })
        + Attack.streams("5", [any], .limit("levels"), { sets(5, $0) })
        + Attack.streams("4", [any], .value, { sets(4, $0) })
        + Attack.streams(
            "4 in a key", [any], .limit("levels"), { raw in raw.dictionary([(sets(4, raw), raw.text("a"))]) })
        + Attack.streams("3 in a key", [any], .value, { raw in raw.dictionary([(sets(3, raw), raw.text("a"))]) })
        + Attack.streams(
            "40, and each one twice", [any], .limit("levels"),
            { raw in (0..<40).reduce(raw.set([])) { inner, _ in raw.set([inner, raw.set([inner])]) } })

    /// To hash a set as an `AnyHashable` takes more than twice as long as to hash its elements: 40 levels take weeks.
    @Test(arguments: sets)
    func `has few sets that are elements of each other`(attack: Attack) { attack.run() }

    // MARK: - Combining marks

    private static let marks = "e" + String(repeating: "\u{301}\u{323}", count: 50_000)

    static let marked: [Attack] =
        Attack.streams(
            "a key", [any, .sequential([String: Int].self)], .limit("combining marks"),
            { raw in raw.dictionary([(raw.text(marks), raw.number(1))]) })
        + Attack.streams(
            "an element", [any, .sequential(Set<String>.self)], .limit("combining marks"),
            { raw in raw.set([raw.text(marks)]) })
        + Attack.streams(
            "the name of an attribute", [any, .sequential(AttributedText.self)], .limit("combining marks"),
            { raw in raw.attributed("a", [(1, 1)], [raw.dictionary([(raw.text(marks), raw.number(1))])]) })
        + Attack.streams(
            "a value", [any, .sequential([String: String].self)], .value,
            { raw in raw.dictionary([(raw.text("a"), raw.text(marks))]) })

    @Test(arguments: marked)
    func `has no text of very many combining marks where texts are compared`(attack: Attack) { attack.run() }

    @Test func `is described in a short sentence, however long its contents`() {
        // 10 000 marks that are one letter with what is before them, and are not reordered.
        let name = "C" + String(repeating: "\u{200D}", count: 5000)
        let types = "{\(name)=\(String(repeating: "i", count: 10_000))}"
        let attacks =
            Attack.streams("a class", [Self.nests], .otherError) { raw in
                raw.array([raw.object(name, [.init([.int], [.integer(1)])])])
            }
            + Attack.streams("types", [Self.any, .sequential(String.self), .sequential(Data.self)], .otherError) {
                raw in
                let type: TypeEncoding = (try? TypeEncoding(parsing: types)) ?? .int
                let value = TypedStream.Value.structure(Array(repeating: .integer(1), count: 10_000))
                return raw.object("NSString", [.init([type], [value])])
            }
        for attack in attacks { attack.run() }
    }
}
