// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private typealias Farm = `The tree of an archive`

@Suite(.inTurn) struct `What a dump shows` {
    // MARK: - Strings and data

    @Test func `is strings as literals, whatever they hold`() throws {
        let strings: [(String, String)] = [
            ("", #""""#),
            ("it's", #""it's""#),
            ("a\"b\\c", #""a\"b\\c""#),
            ("tab\tline\r\nnul\0", #""tab\tline\r\nnul\0""#),
            ("\u{1}\u{1F}\u{7F}\u{85}\u{9F}\u{A0}", "\"\\u{01}\\u{1F}\\u{7F}\\u{85}\\u{9F}\u{A0}\""),
            ("Käse 🧀 漢字", "\"Käse 🧀 漢字\""),
            // Nothing turns the line around or ends it.
            ("\u{202E}x\u{2069}\u{2028}\u{2029}\u{FEFF}", #""\u{202E}x\u{2069}\u{2028}\u{2029}\u{FEFF}""#),
            // An accent joins what is in front of it, but not the quote, and not an escape.
            ("\u{301}e\u{301}\n\u{301}", "\"\\u{301}e\u{301}\\n\\u{301}\""),
        ]
        let archive = try openArchive(top: ["strings": .array(strings.map { .string($0.0) })])
        for (position, (text, literal)) in strings.enumerated() {
            let value = try #require(archive["strings", .index(position)])
            #expect(value.description.unicodeScalars.elementsEqual(literal.unicodeScalars), "\(text.debugDescription)")
        }
    }

    @Test func `is as much of long strings and data as the options say`() throws {
        let limit = 200
        let archive = try openArchive(
            top: [
                "fits": .string(String(repeating: "a", count: limit)),
                "long": .string(String(repeating: "a", count: limit + 1)),
                // 199 units, and two for the last character.
                "pair": .string(String(repeating: "ä", count: limit - 1) + "😀"),
                "mutable": .uid(1), "utf8": .uid(3), "data": .data(Data(repeating: 0xAB, count: 17)),
            ], ["NS.string": .string(String(repeating: "m", count: 1000)), "$class": .uid(2)],
            classEntry("NSMutableString"),
            ["NS.bytes": .data(Data(String(repeating: "é", count: 150).utf8)), "$class": .uid(4)],
            classEntry("NSString"))
        let many = String(repeating: "a", count: limit)
        #expect(
            archive.text() == """
                fits: "\(many)"
                long: "\(many)"… (length 201)
                pair: "\(String(repeating: "ä", count: 199))"… (length 201)
                mutable: NSMutableString #1 "\(String(repeating: "m", count: 200))"… (length 1000)
                utf8: NSString #3 "\(String(repeating: "é", count: 100))"… (length 300)
                data: 17 bytes <abababab abababab abababab abababab …>
                """)
        #expect(
            archive.text(.init(byteLimit: 5, stringLimit: 3)) == """
                fits: "aaa"… (length 200)
                long: "aaa"… (length 201)
                pair: "äää"… (length 201)
                mutable: NSMutableString #1 "mmm"… (length 1000)
                utf8: NSString #3 "é"… (length 300)
                data: 17 bytes <abababab ab …>
                """)
        #expect(
            archive.text(.init(byteLimit: -1, stringLimit: -1)) == """
                fits: ""… (length 200)
                long: ""… (length 201)
                pair: ""… (length 201)
                mutable: NSMutableString #1 ""… (length 1000)
                utf8: NSString #3 ""… (length 300)
                data: 17 bytes
                """)
        let all = archive.text(.init(byteLimit: .max, stringLimit: .max))
        #expect(all.contains("pair: \"\(String(repeating: "ä", count: 199))😀\"\n"))
        #expect(all.contains("utf8: NSString #3 \"\(String(repeating: "é", count: 150))\"\n"))
        #expect(all.hasSuffix("data: 17 bytes <abababab abababab abababab abababab ab>"))
    }

    @Test func `is names as they are where they are words, and a part of them where they are long`() throws {
        let long = String(repeating: "K", count: 201)
        let archive = try openArchive(
            top: ["a.b_c$9": .uid(1), "9a": .uid(3), "a-b": .uid(5), long: 1, "$$\(long)": 2],
            ["$class": .uid(2)], classEntry("Box<Swift.Int, (unknown context at $1).K>"),
            ["$class": .uid(4)], classEntry("Farm #1 (cycle)\n"),
            ["$class": .uid(6)], classEntry(long))
        #expect(
            archive.text() == """
                a.b_c$9: Box<Swift.Int, (unknown context at $1).K> #1
                "9a": "Farm #1 (cycle)\\n" #3
                "a-b": "\(String(repeating: "K", count: 200))"… (length 201) #5
                "\(String(repeating: "K", count: 200))"… (length 201): 1
                "$\(String(repeating: "K", count: 198))"… (length 202): 2
                """)
    }

    // MARK: - Levels

    @Test func `is as many levels of contents as the options say`() throws {
        let archive = try KeyedArchive(handmadeArchive(objects: Farm.farm))
        #expect(archive.text(.init(depthLimit: 0)) == "root: Farm #1 …")
        #expect(
            archive.text(.init(depthLimit: 1)) == """
                root: Farm #1
                    name: "Green Hill"
                    owner: Owner #3 …
                    animals: NSArray #6, 3 elements …
                \(Farm.values())
                """)
        // The owner is written at the first place where there is room for it.
        #expect(
            archive.root["animals"]?.text(.init(depthLimit: 2)) == """
                NSArray #6, 3 elements
                    [0]: Farm.Cow #7
                        name: "Bella"
                        owner: Owner #3 …
                    [1]: NSNull #9
                    [2]: Farm.Cow #7 (above)
                """)
        #expect(archive.root["animals"]?.text(.init(depthLimit: -5)) == "NSArray #6, 3 elements …")
        #expect(archive.root["owner"]?.text(.init(depthLimit: 0)) == "Owner #3 …")
        #expect(archive.root["name"]?.text(.init(depthLimit: 0)) == "\"Green Hill\"")
    }

    @Test func `continues in a section of its own if its indentation would be too deep`() throws {
        let archive = try KeyedArchive(handmadeArchive(objects: Farm.farm))
        #expect(
            archive.text(.init(indentationLimit: 1)) == """
                root: Farm #1
                    name: "Green Hill"
                    owner: Owner #3 (below)
                    animals: NSArray #6 (below)
                \(Farm.values())

                Owner #3
                    name: "Ann"
                    farm: Farm #1 (above)

                NSArray #6, 3 elements
                    [0]: Farm.Cow #7 (below)
                    [1]: NSNull #9
                    [2]: Farm.Cow #7 (below)

                Farm.Cow #7
                    name: "Bella"
                    owner: Owner #3 (above)
                """)
        #expect(archive.text(.init(indentationLimit: 0)) == archive.text(.init(indentationLimit: 1)))
        #expect(archive.text(.init(indentationLimit: .max)) == archive.text())
        // Levels go on counting in sections.
        #expect(
            archive.root["animals"]?.text(.init(depthLimit: 2, indentationLimit: 1)) == """
                NSArray #6, 3 elements
                    [0]: Farm.Cow #7 (below)
                    [1]: NSNull #9
                    [2]: Farm.Cow #7 (below)

                Farm.Cow #7
                    name: "Bella"
                    owner: Owner #3 …
                """)
    }

    @Test func `gives containers without a uid a name of their own in sections`() throws {
        let archive = try openArchive(top: ["lists": [["a"], [], [:]]])
        let text = archive.text(.init(indentationLimit: 1))
        let match = try #require(text.firstMatch(of: /array @(\d+) \(below\)/))
        #expect(
            text == """
                lists: array, 3 elements
                    [0]: array @\(match.1) (below)
                    [1]: array, 0 elements
                    [2]: dictionary, 0 entries

                array @\(match.1), 1 element
                    [0]: "a"
                """)
    }

    // MARK: - Uids, classes, unreachable objects

    @Test func `is the uids of objects that are needed, where no others are wanted`() throws {
        let archive = try KeyedArchive(handmadeArchive(objects: Farm.farm))
        #expect(
            archive.text(.init(showsUIDs: false)) == """
                root: Farm #1
                    name: "Green Hill"
                    owner: Owner #3
                        name: "Ann"
                        farm: Farm #1 (cycle)
                    animals: NSArray, 3 elements
                        [0]: Farm.Cow #7
                            name: "Bella"
                            owner: Owner #3 (above)
                        [1]: NSNull
                        [2]: Farm.Cow #7 (above)
                \(Farm.values().replacing(" #11", with: ""))
                """)
        // A reference to a section needs a name as well.
        let text = archive.text(.init(indentationLimit: 1, showsUIDs: false))
        #expect(text.contains("\n    animals: NSArray #6 (below)\n") && text.contains("\n\nNSArray #6, 3 elements\n"))
    }

    @Test func `is the classes, where they are wanted`() throws {
        let archive = try openArchive(
            top: ["root": .uid(1), "class": .uid(3)],
            ["$class": .uid(2)], classEntry("Farm.Cow", "Farm.Animal"),
            ["$classname": "Alone"],
            ["$classname": "New", "$classes": ["Old", "NSObject"], "$classhints": ["Old", "Oldest"]],
            ["$classname": "Long", "$classes": .array(["Long"] + (1...17).map { .string("C\($0)") })],
            ["$classname": "Odd", "$classes": ["Odd", 3]])
        let names = (1...16).map { "C\($0)" }.joined(separator: ", ")
        let tree = """
            root: Farm.Cow #1
            class: class Alone #3
            """
        #expect(archive.text() == tree)
        #expect(
            archive.text(.init(listsClasses: true)) == tree + "\n\n" + """
                Classes:
                    class Farm.Cow #2: Farm.Animal, NSObject
                    class Alone #3
                    class New #4: Old, NSObject (or else Old, Oldest)
                    class Long #5: \(names), …
                    class Odd #6: damaged
                """)
        #expect(try openArchive(top: ["a": 1]).text(.init(listsClasses: true)) == "a: 1")
    }

    @Test func `is the unreachable objects`() throws {
        let archive = try openArchive(
            ["$class": .uid(2)], classEntry("Root"),
            ["next": .uid(4), "$class": .uid(5)], ["next": .uid(3), "text": .uid(6), "$class": .uid(5)],
            classEntry("Garbage"), "leaf", "alone", "$null", ["lost"], ["NS.time": 0.0, "$class": .uid(11)],
            classEntry("NSDate"), .uid(1))
        #expect(
            archive.text() == """
                root: Root #1

                Unreachable objects:
                    Garbage #3
                        next: Garbage #4
                            next: Garbage #3 (cycle)
                            text: "leaf"
                    #7: "alone"
                    #8: nil
                    array #9, 1 element
                        [0]: "lost"
                    NSDate #10 2001-01-01T00:00:00Z
                    #12: damaged: object 12 is itself a uid
                """)
        #expect(archive.text(.init(listsUnreachableObjects: false)) == "root: Root #1")
        #expect(
            archive.text(.init(indentationLimit: 1, showsUIDs: false)) == """
                root: Root

                Unreachable objects:
                    Garbage #3 (below)
                    #7: "alone"
                    #8: nil
                    #9: array #9 (below)
                    #10: NSDate 2001-01-01T00:00:00Z
                    #12: damaged: object 12 is itself a uid

                Garbage #3
                    next: Garbage #4 (below)

                array #9, 1 element
                    [0]: "lost"

                Garbage #4
                    next: Garbage #3 (above)
                    text: "leaf"
                """)
    }
}
