// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Few bytes can say that an object has very many keys, since keys may be the same object of the property list, and that it
/// is met very often.
@Suite(.inTurn) struct `An object of many keys that is met often` {
    private static let keyCount = 2000
    private static let count = 2000

    /// The entries of many keys, and then `last`.
    private static func entries(
        _ archive: RawArchive, _ last: [(String, Int)] = [], class name: String? = nil
    ) -> RawArchive.Reference {
        let value = archive.integer(1)
        var entries = (0..<keyCount).map { (key: archive.text("k\($0 % 300)"), value: value) }
        entries += last.map { (key: archive.text($0.0), value: $0.1) }
        if let name { entries.append((key: archive.text("$class"), value: archive.classEntry(name))) }
        return archive.dictionary(entries)
    }

    /// A list of one such object many times.
    private static func list(
        _ last: @escaping @Sendable (RawArchive) -> [(String, Int)] = { _ in [] }, class name: String? = nil
    ) -> @Sendable (RawArchive) -> Int {
        { archive in archive.list(of: entries(archive, last(archive), class: name), count: count) }
    }

    static let values: [Attack] =
        Attack.each(
            "plain",
            [.decoder([Chain].self), .decoder([Lenient].self), .decoder(Guess.self), .decoder([[String: Int]].self)],
            .limit("work"), list())
        + Attack.each(
            "dates", [.decoder([Date].self), .listed()], .limit("work"),
            list({ [("NS.time", $0.integer(1))] }, class: "NSDate"))
        + Attack.each(
            "URLs", [.decoder([URL].self), .listed()], .limit("work"),
            list({ [("NS.base", $0.uid(0)), ("NS.relative", $0.text("a:b"))] }, class: "NSURL"))
        + Attack.each(
            "strings", [.decoder([String].self), .decoder(Set<String>.self), .listed()], .limit("work"),
            list({ [("NS.string", $0.text("text"))] }, class: "NSMutableString"))
        + Attack.each(
            "numbers", [.decoder([Int].self), .decoder([Double].self), .listed()], .limit("work"),
            list({ [("NS.number", $0.integer(1))] }, class: "NSNumber"))
        + Attack.each(
            "data", [.decoder([Data].self), .listed()], .limit("work"),
            list({ [("NS.data", $0.data([1]))] }, class: "NSMutableData"))
        + Attack.each(
            "lists", [.decoder([[Int]].self), .listed()], .limit("work"),
            list({ [("NS.objects", $0.array([]))] }, class: "NSArray"))
        + Attack.each(
            "dictionaries", [.decoder([[String: Int]].self), .listed()], .limit("work"),
            list({ [("NS.keys", $0.array([])), ("NS.objects", $0.array([]))] }, class: "NSDictionary"))
        + Attack.each(
            "date components", [.decoder([DateComponents].self), .listed()], .limit("work"),
            list({ [("NS.leapMonth", $0.integer(0))] }, class: "NSDateComponents"))

    private static let links: ClassRegistry = {
        var classes = ClassRegistry()
        classes.register(Link.self, name: "Link")
        return classes
    }()

    /// Each slot has the same object: each is an instance of its own.
    static let instances: [Attack] =
        Attack.each("instances", [.decoder([Relative].self)], .limit("work")) { archive in
            let object = entries(archive, class: "Relative")
            return archive.list(archive.objects(count) { _, _ in object })
        }
        + Attack.each(
            "Coding instances",
            [
                .unarchiver("[Link]") { try $0.decode([Link].self, forKey: "root") }, .listed(),
                .decoder([Coded<Link>].self, names: links),
            ],
            .limit("work")
        ) { archive in
            let object = entries(archive, class: "Link")
            return archive.list(archive.objects(count) { _, _ in object })
        }
        + Attack.each("elements by key", [.decoder([[Int]].self), .listed()], .limit("work")) { archive in
            let value = archive.integer(1)
            let entries = (0..<keyCount).map { (key: archive.text("NS.object.\($0)"), value: value) }
            let object = archive.dictionary(
                entries + [(key: archive.text("$class"), value: archive.classEntry("NSArray"))])
            return archive.list(archive.objects(count) { _, _ in object })
        }

    @Test(arguments: values + instances)
    func `stops at the limit of work`(attack: Attack) {
        var limits = DecodingLimits()
        limits.work = 50_000
        attack.run(limits)
    }

    @Test(arguments: values.prefix(2) + instances.prefix(2))
    func `stops at 200 000 steps, and 16 for each byte of the archive`(attack: Attack) { attack.run() }

    private static let long = String(repeating: "k", count: 10_000)

    /// An object whose keys are all the same long text.
    private static func sameKeys(_ archive: RawArchive, class name: String? = nil) -> RawArchive.Reference {
        let entry = (key: archive.text(long), value: archive.integer(1))
        var entries = Array(repeating: entry, count: keyCount)
        if let name { entries.append((key: archive.text("$class"), value: archive.classEntry(name))) }
        return archive.object(archive.dictionary(entries))
    }

    static let missing: [Attack] =
        Attack.each("a missing key", [.decoder(Strict.self), .decoder([Strict].self)], .otherError) { archive in
            sameKeys(archive)
        }
        + Attack.each(
            "a missing key of a Coding class",
            [
                .unarchiver("Needy") {
                    $0.classes.register(Needy.self, name: "Needy")
                    return try $0.decode(Needy.self, forKey: "root")
                }
            ], .otherError
        ) { archive in
            sameKeys(archive, class: "Needy")
        }
        + Attack.each(
            "a missing key at the top", [.unarchiver("nothing") { try $0.decode(Link.self, forKey: "nothing") }],
            .otherError
        ) { archive in
            archive.top = Array(repeating: (key: archive.text(long), value: archive.integer(1)), count: keyCount)
            return archive.uid(0)
        }

    private final class Needy: Coding {
        init(coder: KeyedUnarchiver) throws { _ = try coder.decode(Int.self, forKey: "nothing") }

        func encode(with coder: KeyedArchiver) throws {}
    }

    @Test(arguments: missing)
    func `and whose keys are long is described in a short sentence`(attack: Attack) { attack.run() }
}
