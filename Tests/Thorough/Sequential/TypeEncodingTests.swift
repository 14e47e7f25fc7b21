// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import SequentialArchiving

@Suite(.inTurn) struct `The types of values in a typedstream` {
    // MARK: - Valid ones

    static let characters: [(text: String, type: TypeEncoding)] = [
        ("c", .character), ("C", .unsignedCharacter), ("s", .short), ("S", .unsignedShort), ("i", .int),
        ("I", .unsignedInt), ("l", .long), ("L", .unsignedLong), ("q", .longLong), ("Q", .unsignedLongLong),
        ("B", .bool), ("f", .float), ("d", .double), ("*", .cString), ("%", .atom), (":", .selector), ("+", .bytes),
        ("#", .class), ("@", .object), ("!", .ignored),
    ]

    static let lists: [(text: String, types: [TypeEncoding])] = [
        ("", []),
        ("iI", [.int, .unsignedInt]),
        ("*@ss", [.cString, .object, .short, .short]),
        ("[4i]", [.array(count: 4, of: .int)]),
        ("[0i]", [.array(count: 0, of: .int)]),
        ("[2147483647!]", [.array(count: 2_147_483_647, of: .ignored)]),
        ("[2[3d]]@", [.array(count: 2, of: .array(count: 3, of: .double)), .object]),
        ("{_NSPoint=ff}", [.structure(name: "_NSPoint", fields: [.float, .float])]),
        // No name, an empty one, and the one that @encode writes for none.
        ("{ff}", [.structure(name: nil, fields: [.float, .float])]),
        ("{=ff}", [.structure(name: "", fields: [.float, .float])]),
        ("{?=ff}", [.structure(name: "?", fields: [.float, .float])]),
        ("{}", [.structure(name: nil, fields: [])]),
        ("{a=}", [.structure(name: "a", fields: [])]),
        // The name is the one of the struct inside.
        ("{{a=i}f}", [.structure(name: nil, fields: [.structure(name: "a", fields: [.int]), .float])]),
        (
            "{[2{a=i}]}",
            [
                .structure(name: nil, fields: [.array(count: 2, of: .structure(name: "a", fields: [.int]))])
            ]
        ),
        (
            "{o={p=ff}[2c]}i",
            [
                .structure(
                    name: "o",
                    fields: [.structure(name: "p", fields: [.float, .float]), .array(count: 2, of: .character)]),
                .int,
            ]
        ),
        ("{vector<int, 3>=i}", [.structure(name: "vector<int, 3>", fields: [.int])]),
        ("{Maß=i}", [.structure(name: "Maß", fields: [.int])]),
    ]

    @Test(arguments: characters)
    func `of one character`(text: String, type: TypeEncoding) throws {
        #expect(try TypeEncoding(parsing: text) == type)
        #expect(try TypeEncoding.list(text) == [type])
        #expect(type.description == text)
        #expect(type.character == text.utf8.first)
    }

    @Test func `of one character are all different`() {
        #expect(Set(Self.characters.map(\.type)).count == 20 && Self.characters.count == 20)
    }

    @Test(arguments: lists)
    func `are read, and say what was read`(text: String, types: [TypeEncoding]) throws {
        #expect(try TypeEncoding.list(text) == types)
        #expect(TypeEncoding.text(of: types) == text)
        #expect(types.map(\.description).joined() == text)
        if types.count == 1 { #expect(try TypeEncoding(parsing: text) == types[0]) }
    }

    @Test func `may have counts with zeros in front, which are lost`() throws {
        // Not a literal, which the compiler would make a type of.
        let text = "[007i]"
        let type = try TypeEncoding(parsing: text)
        #expect(type == .array(count: 7, of: .int))
        #expect(type.description == "[7i]")
    }

    @Test func `are literals`() {
        let size: TypeEncoding = "{_NSSize=ff}"
        #expect(size == .structure(name: "_NSSize", fields: [.float, .float]))
    }

    @Test(arguments: ["[1", "{", "{a=", "{?=["])
    func `are nested up to 32 levels`(opening: String) throws {
        // Each text opens one or two levels.
        let level = opening == "{?=[" ? "{?=[1" : opening
        let levels = opening == "{?=[" ? 2 : 1
        let closing = opening == "{?=[" ? "]}" : opening == "[1" ? "]" : "}"
        func text(_ count: Int) -> String {
            String(repeating: level, count: count) + "i" + String(repeating: closing, count: count)
        }
        #expect(try TypeEncoding(parsing: text(32 / levels)).description == text(32 / levels))
        for count in [32 / levels + 1, 100_000] {
            let error = #expect(throws: TypedStreamError.self) { try TypeEncoding(parsing: text(count)) }
            #expect(error?.defect == .badType && error?.description.contains("nested deeper than 32 levels") == true)
        }
        // Side by side they are not nested.
        #expect(try TypeEncoding.list(String(repeating: text(1), count: 100)).count == 100)
    }

    // MARK: - Those that there are not

    static let refused: [(text: String, reason: String)] = [
        ("^i", "\"^\": pointers, unions, bit fields and functions cannot be archived"),
        ("^v", "\"^\": pointers, unions, bit fields and functions cannot be archived"),
        ("i^", "\"^\": pointers"), ("(u=if)", "\"(\": pointers, unions"), ("b3", "\"b\": pointers, unions, bit fields"),
        ("?", "\"?\": pointers"), ("v", "\"v\": pointers"), ("^?", "\"^\": pointers"), ("{a=^i}", "\"^\": pointers"),
        ("[4^i]", "\"^\": pointers"),
        ("[", "an array without a count"), ("[i]", "an array without a count"), ("[]", "an array without a count"),
        ("[-1i]", "an array without a count"), ("[+1i]", "an array without a count"),
        ("[ 1i]", "an array without a count"),
        ("[4", "ends in the middle of a type"), ("[4[", "an array without a count"),
        ("[4]", "an unknown type: \"]\""), ("[4i", "lacks a \"]\""), ("[4ii]", "lacks a \"]\""),
        ("[4i}", "lacks a \"]\""), ("i]", "an unknown type: \"]\""), ("}", "an unknown type: \"}\""),
        ("{", "lacks a \"}\""), ("{a=", "lacks a \"}\""), ("{a=i", "lacks a \"}\""),
        ("{a=i]", "an unknown type: \"]\""), ("{a=[2i}", "lacks a \"]\""),
        // Structs with unknown fields, objects with their class, and the additions in a method's types.
        ("{_NSZone}", "an unknown type: \"_\""), ("@\"NSString\"", "an unknown type: \"\"\""),
        ("r*", "an unknown type: \"r\""), ("Vv", "an unknown type: \"V\""),
        ("[2147483648i]", "an array of more than 2147483647 elements"),
        ("[9223372036854775808i]", "an array of more than 2147483647 elements"),
        ("[99999999999999999999999999i]", "an array of more than 2147483647 elements"),
        ("x", "an unknown type: \"x\""), (" ", "an unknown type: \" \""),
        ("i i", "an unknown type: \" \""), ("0", "an unknown type: \"0\""),
        ("\u{0}", "an unknown type"), ("é", "an unknown type"),
    ]

    @Test(arguments: refused)
    func `that cannot be archived are refused`(text: String, reason: String) {
        let error = #expect(throws: TypedStreamError.self) { try TypeEncoding.list(text) }
        #expect(error?.defect == .badType && error?.byteOffset == nil)
        #expect(error?.description.contains(reason) == true, "\(error as Any)")
        #expect(error?.description.contains("\"\(text)\"") == true, "\(error as Any)")
    }

    @Test func `are shown in errors as far as there is room`() {
        let text = String(repeating: "i", count: 1000) + "x"
        let error = #expect(throws: TypedStreamError.self) { try TypeEncoding.list(text) }
        #expect(error?.description.contains("\"" + String(repeating: "i", count: 60) + "…\"") == true)
        #expect((error?.description.count ?? 1000) < 200)
    }

    @Test(arguments: [("", 0), ("ii", 2), ("[2i]@@", 3)])
    func `are one, where one is expected`(text: String, count: Int) {
        let error = #expect(throws: TypedStreamError.self) { try TypeEncoding(parsing: text) }
        #expect(error?.defect == .badType)
        #expect(error?.description.contains("\(count) types instead of one") == true)
    }

    // MARK: - What is asked of them

    static let sizes: [(text: String, least: Int)] = [
        ("i", 1), ("d", 1), ("@", 1), ("c", 1), ("!", 0), ("[8S]", 8), ("[0i]", 0), ("[5!]", 0), ("{ff}", 2), ("{}", 0),
        ("{a=!c[3{bb=ii}]}", 7), ("[3[4[5i]]]", 60), ("[2147483647{ii}]", 4_294_967_294),
        // More than can be counted is the most that can be.
        ("[2147483647[2147483647[2147483647i]]]", Int.max), ("{[2147483647[2147483647[2147483647i]]]i}", Int.max),
    ]

    @Test(arguments: sizes)
    func `know how few bytes their values take`(text: String, least: Int) throws {
        #expect(try TypeEncoding(parsing: text).leastByteCount == least)
    }

    static let matches: [(left: String, right: String, isMatch: Bool)] = [
        ("i", "i", true), ("i", "I", false), ("i", "l", false), ("c", "B", false), ("@", "#", false),
        ("{a=ff}", "{b=ff}", true), ("{a=ff}", "{ff}", true), ("{?=ff}", "{=ff}", true), ("{a=ff}", "{a=fd}", false),
        ("{a=ff}", "{a=f}", false), ("{a={b=i}}", "{c={d=i}}", true), ("{a={b=i}}", "{c={d=s}}", false),
        ("[2i]", "[2i]", true), ("[2i]", "[3i]", false), ("[2i]", "[2s]", false), ("[2{a=i}]", "[2{b=i}]", true),
        ("[1i]", "i", false), ("{i}", "i", false), ("{i}", "[1i]", false),
    ]

    @Test(arguments: matches)
    func `match whatever the structs are called`(left: String, right: String, isMatch: Bool) throws {
        #expect(try TypeEncoding(parsing: left).matches(TypeEncoding(parsing: right)) == isMatch)
        #expect(try TypeEncoding(parsing: right).matches(TypeEncoding(parsing: left)) == isMatch)
    }
}
