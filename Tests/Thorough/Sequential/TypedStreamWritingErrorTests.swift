// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving
import TestSupport
import Testing
import ThoroughSupport

/// Streams that contradict themselves.
@Suite(.inTurn) struct `A typedstream that a program has made` {
    private func expectError(
        _ code: TypedStreamError.Defect, _ word: String, _ stream: TypedStream,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: TypedStreamError.self, sourceLocation: sourceLocation) { try stream.data() }
        #expect(error?.defect == code && error?.byteOffset == nil, sourceLocation: sourceLocation)
        #expect(error?.description.contains(word) == true, "\(error as Any)", sourceLocation: sourceLocation)
    }

    static let values: [(type: String, value: TypedStream.Value)] = [
        // Numbers that the type does not hold.
        ("c", .integer(128)), ("c", .integer(-129)), ("s", .integer(32768)), ("s", .integer(-32769)),
        ("i", .integer(2_147_483_648)), ("i", .integer(-2_147_483_649)), ("C", .unsigned(256)), ("B", .unsigned(256)),
        ("S", .unsigned(65536)), ("I", .unsigned(4_294_967_296)),
        // These would come back as numbers of 4 bytes.
        ("L", .unsigned(.max)), ("L", .unsigned(18_446_744_071_562_067_968)),
        // Values of another kind.
        ("i", .unsigned(1)), ("I", .integer(1)), ("c", .unsigned(1)), ("C", .integer(1)), ("B", .integer(1)),
        ("q", .double(1)), ("f", .double(1)), ("d", .float(1)), ("f", .integer(1)), ("@", .integer(0)),
        ("@", .class(0)), ("@", .class(nil)), ("#", .object(nil)), ("*", .object(nil)), ("*", .bytes([0x61])),
        ("+", .name([0x61])), ("%", .bytes([0x61])), (":", .cString(nil)), ("!", .integer(0)), ("i", .ignored),
        ("[1i]", .integer(1)), ("[1i]", .structure([.integer(1)])), ("{i}", .array([.integer(1)])),
        ("{i}", .integer(1)), ("[3c]", .array([.integer(1), .integer(2), .integer(3)])), ("[1c]", .bytes(nil)),
        ("[1i]", .bytes([1])), ("[1i]", .array([.unsigned(1)])), ("{ff}", .structure([.float(1), .double(1)])),
    ]

    @Test(arguments: values)
    func `with a value that is none of its type is not written`(type: String, value: TypedStream.Value) throws {
        expectError(.badValue, "does not match the type", handmadeStream([try typedGroup(type, value)]))
    }

    static let counts: [(types: String, values: [TypedStream.Value])] = [
        ("i", []), ("i", [.integer(1), .integer(2)]), ("", [.integer(1)]), ("ii", [.integer(1)]),
        ("[2i]", [.array([.integer(1)])]), ("[2i]", [.array([.integer(1), .integer(1), .integer(1)])]),
        ("[0i]", [.array([.integer(1)])]), ("[2c]", [.bytes([1])]), ("[0C]", [.bytes([1])]),
        ("{ii}", [.structure([.integer(1)])]), ("{}", [.structure([.integer(1)])]), ("{i}", [.structure([])]),
        ("[1[1i]]", [.array([.array([])])]),
    ]

    @Test(arguments: counts)
    func `with more values or fewer than types is not written`(types: String, values: [TypedStream.Value]) throws {
        expectError(
            .badCount, "values in", handmadeStream([TypedStream.Group(try TypeEncoding.list(types), values)]))
    }

    @Test(arguments: [-1, 1, Int.max, Int.min])
    func `with a reference to nothing is not written`(index: Int) throws {
        let object = TypedStream.Object(classIndex: 0)
        let root = TypedStream.Class("A")
        func model(_ types: String, _ value: TypedStream.Value) throws -> TypedStream {
            handmadeStream([try typedGroup(types, value)], objects: [object], classes: [root], cStrings: ["a"])
        }
        expectError(.badReference, "the object at the position \(index)", try model("@", .object(index)))
        expectError(.badReference, "the class at the position \(index)", try model("#", .class(index)))
        expectError(.badReference, "the C string at the position \(index)", try model("*", .cString(index)))
        expectError(
            .badReference, "the object at the position \(index)", try model("[1@]", .array([.object(index)])))
        var lost = try model("@", .object(0))
        lost.objects[0].classIndex = index
        expectError(.badReference, "the class at the position \(index)", lost)
        lost.objects[0].classIndex = 0
        lost.classes[0].superclassIndex = index
        expectError(.badReference, "the class at the position \(index)", lost)
        lost.classes[0].superclassIndex = nil
        #expect(throws: Never.self) { try lost.data() }
    }

    @Test(arguments: [[0], [1, 0], [1, 2, 0], [1, 2, 1], [0, 0]])
    func `with classes that go round is not written`(superclasses: [Int]) throws {
        let classes = superclasses.enumerated().map { TypedStream.Class("C\($0)", superclassIndex: $1) }
        let last = classes.count - 1
        expectError(
            .badClass, "is its own superclass", handmadeStream([try typedGroup("#", .class(last))], classes: classes))
        expectError(
            .badClass, "is its own superclass",
            handmadeStream(
                [try typedGroup("@", .object(0))], objects: [TypedStream.Object(classIndex: last)], classes: classes))
    }

    @Test func `with a C string that has a zero in it is not written`() throws {
        expectError(.badValue, "zero", handmadeStream([try typedGroup("*", .cString(0))], cStrings: ["a\0b"]))
    }

    static let types: [(type: TypeEncoding, word: String)] = [
        // The array around them is the 33rd level.
        ((0..<32).reduce(.int) { type, _ in .array(count: 0, of: type) }, "nested deeper than 32"),
        (.array(count: -1, of: .int), "without a count"),
        (.array(count: 2_147_483_648, of: .ignored), "more than 2147483647"),
        // Names that end earlier than they should.
        (.structure(name: "a=b", fields: []), "bit fields"), (.structure(name: "a}", fields: []), "an unknown type"),
        (.structure(name: "{", fields: []), "an unknown type"), (.structure(name: "=", fields: []), "an unknown type"),
        (.structure(name: "{a", fields: [.int]), "an unknown type"),
        // Two structs, {i} and {b=}.
        (.structure(name: nil, fields: [.structure(name: "i}{b", fields: [])]), "would be read as others"),
    ]

    @Test(arguments: types)
    func `with types that would be read as others is not written`(type: TypeEncoding, word: String) throws {
        // An array of none, so that there is no value that might be wrong before.
        let group = TypedStream.Group([.array(count: 0, of: type)], [.array([])])
        expectError(.badType, word, handmadeStream([group]))
    }

    @Test func `with a class that has a thousand superclasses is not written`() throws {
        // Each has the next one above it.
        let classes = (0...1000).map { TypedStream.Class("A", superclassIndex: $0 < 1000 ? $0 + 1 : nil) }
        expectError(.badClass, "superclasses", handmadeStream([try typedGroup("#", .class(0))], classes: classes))
        let one = handmadeStream([try typedGroup("#", .class(1))], classes: classes)
        #expect(try TypedStream(one.data()).classes.count == 1000)
        // The same, when most of them have been written before.
        let two = handmadeStream([try typedGroup("##", .class(1), .class(0))], classes: classes)
        expectError(.badClass, "superclasses", two)
    }

    @Test(arguments: [-1, 0, 2, 5, 256, Int.max])
    func `of a version that there is not is not written`(version: Int) {
        var stream = handmadeStream([])
        stream.streamerVersion = version
        expectError(.unknownVersion, "version \(version)", stream)
    }

    @Test func `is written though nothing refers to some of it`() throws {
        // What is wrong with these does not matter.
        let object = TypedStream.Object(classIndex: 7, groups: [TypedStream.Group([.int], [])])
        let stream = handmadeStream(
            [try typedGroup("i", .integer(1))], objects: [object], classes: [TypedStream.Class("A")])
        #expect(try stream.data() == streamFile("84 01 'i' 01"))
    }
}
