// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@testable import archivetool

@Suite(.inTurn) struct `A condition of "find"` {
    private static let books: PropertyList = [
        "a": [
            "title": "Emma", "year": 1815, "price": .real(9.5), "isRead": true, "tags": ["novel", "irony"],
            "author": ["name": "Jane"], "added": .date(Date(timeIntervalSinceReferenceDate: 0)),
        ],
        "b": ["title": "Über \"Emma\"", "year": 2001, "price": .real(.nan), "isRead": false, "big": .integer(1 << 70)],
        "c": ["title": "caf\u{E9}", "year": .real(2001.5), "author": ["name": "Zoë"], "author name": "x"],
    ]

    private func found(_ condition: String) throws -> String {
        let run = try Tool.inProcess("find", on: Self.books.data(), ["*", "--where", condition])
        #expect(run.status < 2, "\(run.errors)")
        return run.output.split(separator: "\n").map { String($0.prefix(1)) }.joined()
    }

    @Test(
        arguments: [
            ("year == 1815", "a"), ("year > 1900", "bc"), ("year >= 2001 && year < 2001.5", "b"), ("2001 < year", "c"),
            ("year != 1815", "bc"), ("!(year == 1815)", "bc"), ("!isRead", "bc"), ("isRead", "a"),
            ("isRead == false", "b"), ("title contains 'Emma'", "ab"), (#"title contains "\"Emma""#, "b"),
            ("title == 'cafe\u{301}'", "c"), ("title starts with 'E' || year > 2001", "ac"),
            ("title starts  with 'Em' && year<2000", "a"), ("tags contains 'irony'", "a"), ("tags[1] == 'irony'", "a"),
            ("tags[5] == nil", "abc"), ("author.name == 'Jane'", "a"), ("author.name != nil", "ac"),
            ("author == nil", "b"), ("price > 9", "a"), ("price == price", "ac"), ("big > 1e20", "b"),
            ("big == 1180591620717411303424", "b"), ("year == '1815'", ""), ("title < 'F'", "a"),
            ("added contains '2001-01-01'", "a"), ("isRead == 1", ""), ("title contains 1", ""), ("nothing", ""),
            ("(year == 1815 || year == 2001) && !(isRead)", "b"), ("year > -1", "abc"),
        ])
    func `selects objects by their fields`(condition: String, titles: String) throws {
        #expect(try found(condition) == titles, "\(condition)")
    }

    @Test func `goes with the class of objects`() throws {
        let run = try Tool.inProcess(
            "find", on: HandMade.farm.data(), ["--class", "Farm.Animal", "--where", "name == 'Bella'"])
        #expect(run.output == "animals/0: Farm.Cow #6\n")
    }

    @Test(arguments: [
        ("", "a value is missing at the end"), ("year >", "a value is missing at the end"),
        ("(year > 1", "“)” is missing"), ("year > 1 1", "“&&”, “||” or the end is missing"),
        ("title == 'x", "the text in quotes has no end"), ("author. == 1", "a step of the path “author” is missing"),
        ("tags[1 == 2", "“]” is missing"), ("year > 1.2.3", "“1.2.3” is no number"), ("? == 1", "“?” begins no value"),
        (String(repeating: "(", count: 100_000), "there are more than 64 levels"),
        (String(repeating: "!", count: 100_000), "there are more than 64 levels"),
    ])
    func `that is none is a mistake, which is named`(condition: String, problem: String) throws {
        let run = try Tool.inProcess("find", on: Self.books.data(), ["--where", condition])
        #expect(run.status == 2 && run.errors.contains(problem), "\(run.errors)")
    }

    @Test func `ends in circles and with texts that take long to compare`() throws {
        let marks = String(repeating: "\u{301}", count: 100_000)
        let list: PropertyList = ["a": ["name": .string("e" + marks)], "b": ["name": .string("e" + marks + "x")]]
        for condition in ["name == name", "name < 'f'", "name contains 'e'", "name starts with 'e'"] {
            let run = try Tool.inProcess("find", on: list.data(), ["*", "--where", condition])
            #expect(run.status < 2)
        }
        let path = String(repeating: "owner.farm.", count: 10_000) + "name == 'Green Hill'"
        let run = try Tool.inProcess("find", on: HandMade.farm.data(), ["/root", "--where", path])
        #expect(run.output == "/root: Farm #1\n")
    }
}
