// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

/// Objects whose contents are not what their class has.
@Suite(.inTurn) struct `An object in a typedstream` {
    private static let any = Reader.sequentialAny
    private static let text = Reader.sequential(AttributedText.self)
    private typealias Group = TypedStream.Group

    // MARK: - In itself

    static let cycles: [Attack] =
        Attack.streams(
            "an array", [any, .sequential(Nest.self)], .otherError,
            { raw in
                let array = raw.array([])
                raw.set(array, RawStream.list([array]))
                return array
            })
        + Attack.streams(
            "a dictionary as its value, or as its key", [any], .otherError,
            { raw in
                let dictionary = raw.dictionary([])
                raw.set(dictionary, RawStream.list([raw.text("a"), dictionary], count: 1))
                return dictionary
            })
        + Attack.streams(
            "a set", [any], .otherError,
            { raw in
                let set = raw.set([])
                raw.set(set, [RawStream.integer(1, .unsignedInt), RawStream.reference(set)])
                return set
            })
        + Attack.streams(
            "an attributed text", [any, text], .otherError,
            { raw in
                let dictionary = raw.dictionary([])
                let text = raw.attributed("a", [(1, 1)], [dictionary])
                raw.set(dictionary, RawStream.list([raw.text("a"), text], count: 1))
                return text
            })
        + Attack.streams(
            "a URL as its base", [any, .sequential(URL.self)], .otherError,
            { raw in
                let url = raw.object("NSURL")
                raw.set(
                    url,
                    [Group([.character], [.integer(1)]), RawStream.reference(url), RawStream.reference(raw.text("a"))])
                return url
            })
        + Attack.streams(
            "an object that does not publish itself", [any, .sequential(Ring.self)], .otherError,
            { raw in
                let ring = raw.object("Ring")
                raw.set(ring, [RawStream.reference(ring)])
                return ring
            })
        + Attack.streams(
            "two objects that do not publish themselves", [any, .sequential(Ring.self)], .otherError,
            { raw in
                let (first, second) = (raw.object("Ring"), raw.object("Ring"))
                raw.set(first, [RawStream.reference(second)])
                raw.set(second, [RawStream.reference(first)])
                return first
            })

    @Test(arguments: cycles)
    func `that needs itself is an error`(attack: Attack) { attack.run() }

    // MARK: - Counts

    static let counts: [Attack] =
        [Int(Int32.max), -1, Int(Int32.min), 2].flatMap { count in
            Attack.streams("\(count) elements of 1", [any, .sequential([String].self)], .otherError) { raw in
                raw.object("NSArray", RawStream.list([raw.text("a")], count: count))
            }
                + Attack.streams("\(count) entries of 1", [any, .sequential([String: String].self)], .otherError) {
                    raw in
                    raw.object("NSDictionary", RawStream.list([raw.text("a"), raw.text("b")], count: count))
                }
                + Attack.streams("\(count) bytes of 1", [any, .sequential(Data.self)], .otherError) { raw in
                    raw.object(
                        "NSData", [RawStream.integer(count), Group([.array(count: 1, of: .character)], [.bytes([1])])])
                }
        }
        + Attack.streams("fewer elements than there are", [any, .sequential([String].self)], .otherError) { raw in
            raw.object("NSArray", RawStream.list([raw.text("a")], count: 0))
        }
        + Attack.streams("a set of 4 294 967 295", [any, .sequential(Set<String>.self)], .otherError) { raw in
            raw.object("NSSet", [RawStream.integer(Int(UInt32.max), .unsignedInt), RawStream.reference(raw.text("a"))])
        }

    @Test(arguments: counts)
    func `whose count lies is an error`(attack: Attack) { attack.run() }

    // MARK: - Runs

    /// Runs that a text of five characters, two of them a pair of surrogates, cannot have, and what the error is.
    static let runs: [(runs: [(Int, Int)], code: ArchivingError.Code)] = [
        ([(1, 0), (1, 5)], .damaged), ([(1, 6)], .damaged), ([(1, 3), (1, 3)], .damaged),
        ([(1, Int(UInt32.max))], .damaged), ([(0, 5)], .damaged), ([(-1, 5)], .damaged), ([(2, 5)], .damaged),
        ([(1, 2), (3, 3)], .damaged), ([(Int(Int32.max), 5)], .damaged), ([(Int(Int32.min), 5)], .damaged),
        ([(1, 5), (1, 1)], .typeMismatch),
    ]

    @Test(arguments: runs)
    func `with runs that do not fit its text is an error`(
        runs: [(Int, Int)], code: ArchivingError.Code
    ) throws {
        let attacks = Attack.streams("\(runs)", [Self.any, Self.text], .otherError) { raw in
            raw.attributed("ab🦉c", runs, [raw.dictionary([]), raw.dictionary([])])
        }
        for attack in attacks {
            attack.run()
            #expect(try sequentialError { try AttributedText(attack.data) }.code == code)
        }
    }

    @Test func `with a run that ends inside a pair of surrogates is a text whose runs can be used`() throws {
        let data = RawStream.data { raw in
            let dictionary = { (number: Int) in raw.dictionary([(raw.text("a"), raw.number(number))]) }
            return raw.attributed("ab🦉c", [(1, 3), (2, 2)], [dictionary(1), dictionary(2)])
        }
        let text = try AttributedText(data)
        #expect(text.runs.count == 2)
        #expect(text.runs[0].range.upperBound == text.runs[1].range.lowerBound)
        // What a part of a letter is as a text is up to Swift. It has to be one.
        for run in text.runs { #expect(text.string[run.range].utf8.count <= text.string.utf8.count) }
        #expect(text.parts(with: "a", as: Int.self).map(\.value) == [1, 2])
        let again = try AttributedText(SequentialArchiver.archivedData(withRootObject: text))
        #expect(again.runs.map(\.range) == text.runs.map(\.range))
    }

    // MARK: - Other classes

    static let others: [Attack] =
        Attack.streams("nothing that is a URL", [any, .sequential(URL.self)], .otherError) { raw in
            raw.object("NSURL", [Group([.character], [.integer(0)]), RawStream.reference(raw.text(""))])
        }
        + Attack.streams("17 URLs that are relative to each other", [any, .sequential(URL.self)], .otherError) { raw in
            (0..<17).reduce(nil as Int?) { base, number in
                let name = RawStream.reference(raw.text("http://a/\(number)/"))
                let flag = Group([.character], [.integer(base == nil ? 0 : 1)])
                return raw.object("NSURL", base.map { [flag, RawStream.reference($0), name] } ?? [flag, name])
            } ?? 0
        }
        + Attack.streams(
            "an object of a registered class",
            [
                .sequential(String.self), .sequential(Data.self), .sequential(Date.self), .sequential(URL.self),
                .sequential(Int.self), .sequential([Int].self), .sequential(Set<Int>.self),
                .sequential([Int: Int].self),
                .sequential(TypedStream.TypedValue.self), text, .sequential(Hook.self),
            ], .otherError,
            { raw in raw.object("Ring", [RawStream.reference(nil)]) })
        + Attack.streams(
            "a text",
            [.sequential(Ring.self), .sequential(Ring?.self), .sequential([Int].self), .sequential(Int.self)],
            .otherError, { raw in raw.text("text") })
        + Attack.streams(
            "an object of an unknown class", [.sequential(Ring.self), .sequential(String.self)], .otherError,
            { raw in raw.object("Stranger") })
        + Attack.streams(
            "an object of a registered class as a key, or an element", [any], .otherError,
            { raw in raw.set([raw.object("Ring", [RawStream.reference(nil)])]) })
        + Attack.streams("an array as a key", [any], .otherError) { raw in
            raw.dictionary([(raw.array([]), raw.text("a"))])
        }

    @Test(arguments: others)
    func `of another class than is expected is an error`(attack: Attack) { attack.run() }

    @Test func `has at most 16 URLs that are relative to each other`() throws {
        let data = RawStream.data { raw in
            (0..<16).reduce(nil as Int?) { base, number in
                let name = RawStream.reference(raw.text(base == nil ? "http://a/" : "\(number)/"))
                let flag = Group([.character], [.integer(base == nil ? 0 : 1)])
                return raw.object("NSURL", base.map { [flag, RawStream.reference($0), name] } ?? [flag, name])
            } ?? 0
        }
        #expect(try SequentialUnarchiver.unarchivedObject(of: URL.self, from: data).relativeString == "15/")
    }

    @Test func `that has a value of C with a reference is not written to another archive`() throws {
        let data = RawStream.data { raw in
            let name = TypedStream.Value.cString(raw.cString("@"))
            return raw.object("NSValue", [Group([.cString], [name]), RawStream.reference(raw.text("a"))])
        }
        let value = try SequentialUnarchiver.unarchivedObject(of: TypedStream.TypedValue.self, from: data)
        #expect(value.type == .object)
        let error = #expect(throws: ArchivingError.self) {
            _ = try SequentialArchiver.archivedData(withRootObject: value)
        }
        #expect(error?.code == .notEncodable)
    }
}
