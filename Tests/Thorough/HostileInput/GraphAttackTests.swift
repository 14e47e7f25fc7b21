// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import AttributedTexts
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Objects that refer to each other in ways that let a decoder try again and again, or make the same thing many times.
@Suite(.inTurn) struct `A graph that is hostile` {
    private static let knots: Reader = .decoder([Knot].self)
    private static let links: Reader = .unarchiver("[Link]") { try $0.decode([Link].self, forKey: "root") }

    /// `count` instances, and a list of them as the root.
    private static func graph(
        _ name: String, _ count: Int, _ fields: @escaping @Sendable (RawArchive, Int, [Int]) -> [(String, Int)]
    ) -> @Sendable (RawArchive) -> Int {
        { archive in
            archive.list(
                archive.objects(count) { number, uids in archive.fields(fields(archive, number, uids), class: name) })
        }
    }

    /// Sets in each other, of which the innermost holds a text.
    private static func sets(_ levels: Int, _ archive: RawArchive) -> Int {
        (0..<levels).reduce(archive.object(archive.text("x"))) { inner, _ in archive.list([inner], "NSSet") }
    }

    static let read: [Attack] =
        Attack.each(
            "a long ring", [knots], .value,
            graph("Knot", 5000) { archive, number, uids in
                [("next", uids[(number + 1) % 5000]), ("back", uids[0]), ("all", archive.array([]))]
            })
        + Attack.each(
            "all refer to all", [knots], .value,
            graph("Knot", 100) { archive, _, uids in
                [("all", archive.list(uids)), ("next", uids[0]), ("back", uids[0])]
            })
        + Attack.each(
            "all refer to the first, which has them", [.decoder([Relative].self)], .value,
            graph("Relative", 2000) { archive, number, uids in
                number == 0 ? [("children", archive.list(Array(uids.dropFirst())))] : [("next", uids[0])]
            })
        + Attack.each(
            "pairs", [.decoder([Relative].self)], .value,
            graph("Relative", 2000) { archive, number, uids in [("children", archive.list([uids[number ^ 1]]))] })
        + Attack.each(
            // A link catches the errors of its parts, so a reference back is lost.
            "all refer to all", [links], .otherError,
            graph("Link", 100) { archive, _, uids in [("all", archive.list(uids)), ("any", archive.list(uids))] })
        + Attack.each(
            "a set of sets", [.listed()], .value,
            { archive in
                let sets = (0..<300).map { archive.list([archive.object(archive.integer($0))], "NSSet") }
                return archive.list(sets, "NSSet")
            })
        + Attack.each("4 sets in each other", [.listed()], .value, { sets(4, $0) })
        + Attack.each(
            "a range of all indexes", [.decoder(IndexSet.self), .listed()], .value,
            { archive in
                let fields = [
                    ("NSRangeCount", archive.integer(1)), ("NSLocation", archive.integer(0)),
                    ("NSLength", archive.integer(Int.max - 1)),
                ]
                return archive.object(archive.fields(fields, class: "NSIndexSet"))
            })

    /// The first has the same list of all instances in each instance: 4 million references in 20 thousand bytes. Both are some
    /// thousand steps if each object counts once.
    static let stopped: [Attack] =
        Attack.each(
            "one list of everybody in everybody", [knots], .limit("work"),
            { archive in
                var list = 0
                return archive.list(
                    archive.objects(2000) { number, uids in
                        if number == 0 { list = archive.array(uids) }
                        return archive.fields([("all", list)], class: "Knot")
                    })
            })
        + Attack.each(
            "errors that are caught", [.decoder(Stubborn.self)], .limit("work"),
            { archive in
                (0..<30).reduce(archive.object(archive.text("no structure"))) { inner, _ in
                    archive.object(archive.fields([("next", inner), ("other", inner)]))
                }
            })

    /// 100 attributes are one style of 256 tab stops, which are one object. Without the stops, they are some 500 steps.
    @Test func `has a style of many tab stops under many names`() {
        let attack = Attack("a style", .decoder(AttributedText.self), .limit("work")) { archive in
            let zero = archive.integer(0)
            let stop = archive.fields(
                [("NSType", zero), ("NSTextAlignment", zero), ("NSLocation", zero)], class: "NSTextTab")
            let stops = archive.list(of: archive.object(stop), count: 256)
            let style = archive.object(archive.fields([("NSTabStops", stops)], class: "NSParagraphStyle"))
            let names = (0..<100).map { archive.object(archive.text("name \($0)")) }
            let attributes = archive.table(names, names.map { _ in style })
            return archive.object(
                archive.fields(
                    [("NSString", archive.object(archive.text("a"))), ("NSAttributes", attributes)],
                    class: "NSAttributedString"))
        }
        var limits = DecodingLimits()
        limits.work = 20_000
        attack.run(limits)
    }

    /// To hash a set that has no type takes several times as long as to hash the sets in it.
    static let nestedSets: [Attack] =
        Attack.each("40 sets in each other", [.listed()], .limit("levels"), { sets(40, $0) })
        + Attack.each("5 sets in each other", [.listed()], .limit("levels"), { sets(5, $0) })
        + Attack.each(
            "30 sets that hold the one inside twice", [.listed()], .limit("levels"),
            { archive in
                (0..<30).reduce(archive.object(archive.text("x"))) { inner, _ in archive.list([inner, inner], "NSSet") }
            })

    /// A structure that goes on whatever happens.
    private struct Stubborn: Decodable {
        private enum Keys: CodingKey {
            case next, other
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Keys.self)
            _ = try? fields.decode(Stubborn.self, forKey: .next)
            _ = try? fields.decode(Stubborn.self, forKey: .other)
        }
    }

    @Test(arguments: read)
    func `is read where it costs what its bytes cost`(attack: Attack) { attack.run() }

    @Test(arguments: stopped)
    func `stops at the limit of work where it costs more`(attack: Attack) {
        var limits = DecodingLimits()
        limits.work = 100_000
        attack.run(limits)
    }

    @Test(arguments: nestedSets)
    func `stops where it would take long to hash`(attack: Attack) { attack.run() }

    @Test(arguments: [Reader.decoder([Relative].self), links])
    func `that goes deeper than the stack is an error or a value`(reader: Reader) {
        let name = reader.name.contains("Link") ? "Link" : "Relative"
        let data = RawArchive.data(
            Self.graph(name, 20_000) { _, number, uids in number + 1 < 20_000 ? [("next", uids[number + 1])] : [] })
        do {
            _ = try reader.read(data)
        } catch {
            #expect(LimitFailure(error) != nil, "\("\(error)".prefix(200))")
        }
    }
}
