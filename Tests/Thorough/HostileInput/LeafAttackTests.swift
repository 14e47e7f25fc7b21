// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// One long string, or one long piece of data, can be referred to by one byte each time.
@Suite(.inTurn) struct `A long leaf that is met often` {
    /// 1400 times 20 000 bytes are more than 20 MB, and 272 for each byte of the archive.
    private static let length = 20_000
    private static let count = 1400

    private static let long = String(repeating: "a", count: length)

    private static func list(
        _ leaf: @escaping @Sendable (RawArchive) -> RawArchive.Reference
    ) -> @Sendable (RawArchive) -> RawArchive.Reference {
        { archive in archive.list(of: archive.object(leaf(archive)), count: count) }
    }

    private static let bytes = Array(repeating: UInt8(7), count: length)

    static let attacks: [Attack] =
        Attack.each(
            "a string",
            [
                .decoder([String].self), .decoder([String?].self), .decoder(Set<String>.self), .decoder(Guess.self),
                .listed(),
            ],
            .limit("work"), list { $0.text(long) })
        + Attack.each(
            "a string of surrogates", [.decoder([String].self), .listed()], .limit("work"),
            list { $0.text(String(repeating: "\u{1F404}", count: length / 4)) })
        + Attack.each(
            "a string in an object", [.decoder([String].self), .listed()], .limit("work"),
            list { $0.fields([("NS.string", $0.text(long))], class: "NSMutableString") })
        + Attack.each(
            "a string in data", [.decoder([String].self), .listed()], .limit("work"),
            list { $0.fields([("NS.bytes", $0.data(bytes))], class: "NSString") })
        + Attack.each(
            "data", [.decoder([Data].self), .decoder([Data?].self), .listed()], .limit("work"),
            list { $0.data(bytes) })
        + Attack.each(
            "data in an object", [.decoder([Data].self), .listed()], .limit("work"),
            list { $0.fields([("NS.data", $0.data(bytes))], class: "NSMutableData") })
        + Attack.each(
            "a URL", [.decoder([URL].self), .listed()], .limit("work"),
            list { $0.fields([("NS.base", $0.uid(0)), ("NS.relative", $0.text("http://" + long))], class: "NSURL") })
        + Attack.each(
            "a number of zeros", [.decoder([Decimal].self), .listed()], .limit("work"),
            list {
                let zeros = $0.text(String(repeating: "0", count: length) + "1")
                return $0.fields([("$0", zeros)], class: "NSDecimalNumber")
            })
        + Attack.each("keys", [.decoder([String: Int].self), .listed()], .limit("work")) { archive in
            let key = archive.object(archive.text(long))
            return archive.table(
                Array(repeating: key, count: count), Array(repeating: archive.object(archive.integer(1)), count: count))
        }
        + Attack.each(
            "texts without keys",
            [
                .unarchiver("strings") { unarchiver in
                    for _ in 0..<count { _ = try unarchiver.decodeIfPresent(String.self, forKey: "root") }
                    return nil
                }
            ], .limit("work"), { $0.object($0.text(long)) })
        + Attack.each(
            "bytes",
            [
                .unarchiver("bytes") { unarchiver in
                    for _ in 0..<count { _ = try unarchiver.decodeBytes(forKey: "root") }
                    return nil
                }
            ], .limit("work"), { $0.object($0.data(bytes)) })

    @Test(arguments: attacks)
    func `stops at the limit of work, of which 16 bytes count one step`(attack: Attack) {
        var limits = DecodingLimits()
        limits.work = 500_000 / 16
        attack.run(limits)
    }

    @Test(
        arguments: Attack.each(
            "a string", [.decoder([String].self), .listed()], .limit("work"), list { $0.text(long) }))
    func `stops at 20 MB, and 272 bytes for each byte of the archive`(attack: Attack) { attack.run() }

    /// 3000 ranges of one index, in three bytes each: two for the place, one for the length.
    private static let ranges: [UInt8] = {
        var bytes: [UInt8] = []
        for place in 0..<3000 { bytes += [UInt8((3 * place) & 0x7F) | 0x80, UInt8((3 * place) >> 7), 1] }
        return bytes
    }()

    static let numbers: [Attack] =
        Attack.each(
            "indexes", [.decoder([IndexPath].self), .listed()], .limit("work"),
            list {
                $0.fields(
                    [("NSIndexPathLength", $0.integer(length)), ("NSIndexPathData", $0.data(bytes))],
                    class: "NSIndexPath")
            })
        + Attack.each(
            "ranges", [.decoder([IndexSet].self), .listed()], .limit("work"),
            list {
                $0.fields([("NSRangeCount", $0.integer(3000)), ("NSRangeData", $0.data(ranges))], class: "NSIndexSet")
            })

    @Test(arguments: numbers)
    func `and becomes many numbers stops at the limit of work`(attack: Attack) { attack.run() }

    /// What a leaf is not.
    static let mismatches: [Attack] =
        Attack.each(
            "a string", [.decoder([Int].self), .decoder([UUID].self), .decoder([Date].self), .decoder([[Int]].self)],
            .otherError, list { $0.text(long) })
        + Attack.each(
            "an object of a class with a long name",
            [
                .decoder([Int].self), .listed(),
                .unarchiver("Link") { try $0.decode([Link].self, forKey: "root") },
            ], .otherError, list { $0.fields([], class: String(repeating: "C", count: 15_000)) })
        + Attack.each(
            "a list of a class with a long name",
            [.unarchiver("leaves") { try $0.decodeObject(of: [Int.self], forKey: "root") }],
            .otherError
        ) { archive in archive.list([], String(repeating: "C", count: 15_000)) }

    @Test(arguments: mismatches)
    func `and has another type than the requested one is described in a short sentence`(attack: Attack) { attack.run() }
}
