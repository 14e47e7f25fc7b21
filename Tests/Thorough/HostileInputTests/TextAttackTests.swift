import Archiving
import Foundation
import TestSupport
import Testing

/// Swift compares and hashes strings as Unicode requires, which takes time quadratic in the number of consecutive combining
/// marks.
@Suite(.inTurn) struct `A text with very many combining marks` {
    /// Marks of two classes by turns, so that they have to be sorted.
    private static let marks = "e" + String(repeating: "\u{301}\u{323}", count: 20_000)

    /// `A reader stays in proportion to the archive` has how many are read where the type is known.
    static let hashed: [Attack] =
        Attack.each("a key", [.listed()], .limit("combining marks")) { archive in
            archive.table([archive.object(archive.text(marks))], [archive.object(archive.integer(1))])
        }
        + Attack.each("an element", [.listed()], .limit("combining marks")) { archive in
            archive.list([archive.object(archive.text(marks))], "NSSet")
        }

    @Test(arguments: hashed)
    func `is refused where it would be hashed as one of many types`(attack: Attack) { attack.run() }

    static let others: [Attack] = Attack.each(
        "a value", [.decoder([String].self), .listed(), .decoder(Guess.self)], .value
    ) { archive in
        archive.list([archive.object(archive.text(marks))])
    }

    @Test(arguments: others)
    func `is a text like any other where it is not`(attack: Attack) { attack.run() }

    /// Keys of objects and names of classes are looked up by every decoder.
    static let names: [Attack] =
        Attack.each("a key of an object", [.decoder(Chain.self), .decoder(Strict.self)], .limit("combining marks")) {
            archive in
            archive.object(archive.fields([(marks, archive.integer(1))]))
        }
        + Attack.each(
            "the name of a class",
            [.decoder(Relative.self), .unarchiver("Link") { try $0.decode(Link.self, forKey: "root") }],
            .otherError
        ) { archive in archive.object(archive.fields([], class: marks)) }

    @Test(arguments: names)
    func `is refused as a name`(attack: Attack) { attack.run() }
}
