// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Unusual uses of encoders and decoders` {
    @Test(arguments: encoderUses)
    func `encode what JSON and property lists do, but for what is explained`(use: EncoderUse) {
        let outcome = use.outcome(.archive)
        for coder in [.json, .propertyList] as [ComparedCoder] where !use.traps.contains(coder) {
            if use.difference?.coders.contains(coder) == true {
                #expect(use.outcome(coder) != outcome, "\(coder)")
            } else {
                #expect(use.outcome(coder) == outcome, "\(coder)")
            }
        }
        if let expected = use.difference?.expected { #expect(outcome == expected) }
    }

    @Test(arguments: decoderUses)
    func `decode what JSON and property lists do, but for what is explained`(use: DecoderUse) {
        let outcome = use.outcome(.archive)
        for coder in [.json, .propertyList] as [ComparedCoder] {
            if use.difference?.coders.contains(coder) == true {
                #expect(use.outcome(coder) != outcome, "\(coder)")
            } else {
                #expect(use.outcome(coder) == outcome, "\(coder)")
            }
        }
        if let expected = use.difference?.expected { #expect(outcome == expected) }
    }
}

private struct Point: Codable, Sendable {
    var x = 1
    var y = 2
}

private final class Owner: Codable {
    var name = "Anna"
}

private struct Stopped: Error {}

/// Encodes a field, and fails then.
private var failing: Encoding {
    Encoding { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(1, forKey: .a)
        throw Stopped()
    }
}

/// What encodes itself without a container.
private var nothing: Encoding { Encoding { _ in } }

private func ignoringErrors(_ body: () throws -> Void) {
    do { try body() } catch {}
}

private let keepsFailed = StayingDifference.json(
    "JSONEncoder keeps what a value had encoded before it failed; here, as in property lists, it is gone")
private let dropsSingle = "JSONEncoder drops the single value without a word, and PropertyListEncoder traps;"

private let encoderUses: [EncoderUse] = [
    EncoderUse("a single value container, and then another value") { encoder in
        _ = encoder.singleValueContainer()
        try Point().encode(to: encoder)
    },
    EncoderUse("a single value container, and then an array") { encoder in
        _ = encoder.singleValueContainer()
        try [1, 2].encode(to: encoder)
    },
    EncoderUse("a single value container that nothing is encoded into") { _ = $0.singleValueContainer() },
    EncoderUse("two single value containers, of which the first is used") { encoder in
        var first = encoder.singleValueContainer()
        _ = encoder.singleValueContainer()
        try first.encode(5)
    },
    EncoderUse("a single value container, then a keyed one") { encoder in
        _ = encoder.singleValueContainer()
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(1, forKey: .a)
    },
    EncoderUse("a dictionary as a single value, then keys") { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(["k": 1])
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(2, forKey: .a)
    },
    EncoderUse("an empty dictionary as a single value, then keys") { encoder in
        var single = encoder.singleValueContainer()
        try single.encode([String: Int]())
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(2, forKey: .a)
    },
    EncoderUse("a dictionary with integer keys as a single value, then keys") { encoder in
        var single = encoder.singleValueContainer()
        try single.encode([4: 1])
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(2, forKey: .a)
    },
    EncoderUse("a dictionary with other keys as a single value, then elements") { encoder in
        var single = encoder.singleValueContainer()
        try single.encode([1.5: 2])
        var container = encoder.unkeyedContainer()
        try container.encode(3)
    },
    EncoderUse("a struct as a single value, then a key that it has") { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(Point())
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(10, forKey: "x")
        try container.encode(3, forKey: "z")
    },
    EncoderUse("a class instance as a single value, then keys") { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(Owner())
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(2, forKey: .a)
    },
    EncoderUse("what has encoded nothing as a single value, then keys") { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(nothing)
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(2, forKey: .a)
    },
    EncoderUse("an array as a single value, then elements") { encoder in
        var single = encoder.singleValueContainer()
        try single.encode([1, 2])
        var container = encoder.unkeyedContainer()
        try container.encode(3)
    },
    EncoderUse("an empty array as a single value, then elements") { encoder in
        var single = encoder.singleValueContainer()
        try single.encode([Int]())
        var container = encoder.unkeyedContainer()
        try container.encode(3)
    },
    EncoderUse("a set as a single value, then elements") { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(Set([1]))
        var container = encoder.unkeyedContainer()
        try container.encode(3)
    },
    EncoderUse("a range as a single value, then elements") { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(1..<2)
        var container = encoder.unkeyedContainer()
        try container.encode(Point())
    },
    EncoderUse("single values in single values, then keys") { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(
            Encoding {
                var single = $0.singleValueContainer()
                try single.encode(["k": 1])
            })
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(2, forKey: .a)
    },
    EncoderUse("nil as a single value") { encoder in
        var single = encoder.singleValueContainer()
        try single.encode(Int?.none)
    },
    EncoderUse(
        "a single value after keys", differs: .both("invalidValue", "\(dropsSingle) here it is an error"),
        traps: [.propertyList]
    ) { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(1, forKey: .a)
        var single = encoder.singleValueContainer()
        try single.encode(2)
    },
    EncoderUse(
        "a single value after a keyed container that nothing is in",
        differs: .both("2", "\(dropsSingle) here nothing is lost"), traps: [.propertyList]
    ) { encoder in
        _ = encoder.container(keyedBy: AnyKey.self)
        var single = encoder.singleValueContainer()
        try single.encode(2)
    },
    EncoderUse("two values, one after the other") { encoder in
        try Point().encode(to: encoder)
        try Owner().encode(to: encoder)
    },
    EncoderUse("two arrays, one after the other") { encoder in
        try [1].encode(to: encoder)
        try [2, 3].encode(to: encoder)
    },
    EncoderUse("two keyed containers in turn") { encoder in
        var first = encoder.container(keyedBy: AnyKey.self)
        var second = encoder.container(keyedBy: AnyKey.self)
        try second.encode(1, forKey: .b)
        try first.encode(2, forKey: .a)
        try second.encode(3, forKey: .a)
    },
    EncoderUse("two unkeyed containers in turn, with their counts") { encoder in
        var first = encoder.unkeyedContainer()
        var second = encoder.unkeyedContainer()
        try first.encode(10)
        try second.encode(second.count)
        try first.encode(first.count)
    },
    EncoderUse("one key twice") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(1, forKey: .a)
        try container.encode(Point(), forKey: .a)
        try container.encodeNil(forKey: .b)
        try container.encode(1, forKey: .b)
    },
    EncoderUse("two nested containers for one key") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        var first = container.nestedContainer(keyedBy: AnyKey.self, forKey: .k)
        try first.encode(1, forKey: .a)
        var second = container.nestedContainer(keyedBy: AnyKey.self, forKey: .k)
        try second.encode(2, forKey: .b)
        try first.encode(3, forKey: .c)
    },
    EncoderUse("two nested unkeyed containers for one key") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        var first = container.nestedUnkeyedContainer(forKey: .k)
        try first.encode(1)
        var second = container.nestedUnkeyedContainer(forKey: .k)
        try second.encode(2)
        try first.encode(3)
    },
    EncoderUse("a nested container for the key of a struct") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(Point(), forKey: .k)
        try container.encode(Point(), forKey: .a)
        var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: .k)
        try nested.encode(3, forKey: "z")
    },
    EncoderUse("a nested container for the key of a class instance") { encoder in
        let owner = Owner()
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(owner, forKey: .k)
        try container.encode(owner, forKey: .a)
        var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: .k)
        try nested.encode(3, forKey: "z")
    },
    EncoderUse("a nested container in a dictionary in a dictionary") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(["a": ["b": 1]], forKey: .k)
        var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: .k)
        var inner = nested.nestedContainer(keyedBy: AnyKey.self, forKey: .a)
        try inner.encode(3, forKey: "z")
    },
    EncoderUse("a nested unkeyed container for the key of an array") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode([[1]], forKey: .k)
        var nested = container.nestedUnkeyedContainer(forKey: .k)
        var inner = nested.nestedUnkeyedContainer()
        try inner.encode(2)
    },
    EncoderUse("a value for the key of a nested container, which is used afterwards") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: .k)
        try nested.encode(1, forKey: .a)
        try container.encode(5, forKey: .k)
        try nested.encode(2, forKey: .b)
    },
    EncoderUse("a nested container, a struct, and another nested container, for one key") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        var first = container.nestedContainer(keyedBy: AnyKey.self, forKey: .k)
        try first.encode(1, forKey: .a)
        try container.encode(Point(), forKey: .k)
        var second = container.nestedContainer(keyedBy: AnyKey.self, forKey: .k)
        try second.encode(2, forKey: .b)
        try first.encode(3, forKey: .c)
    },
    EncoderUse("two super encoders for one key") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try Point().encode(to: container.superEncoder(forKey: .k))
        try [7].encode(to: container.superEncoder(forKey: .k))
        try Point().encode(to: container.superEncoder())
        try 5.encode(to: container.superEncoder())
    },
    EncoderUse("a super encoder that is not used") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        _ = container.superEncoder(forKey: .k)
    },
    EncoderUse("a nested container, and then a super encoder") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: .k)
        try nested.encode(1, forKey: .a)
        try Point().encode(to: container.superEncoder(forKey: .k))
        try nested.encode(2, forKey: .b)
    },
    EncoderUse("a nested unkeyed container, and then a super encoder with keys") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        var nested = container.nestedUnkeyedContainer(forKey: .k)
        try nested.encode(1)
        try Point().encode(to: container.superEncoder(forKey: .k))
    },
    EncoderUse("a super encoder, and then a nested container") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try Point().encode(to: container.superEncoder(forKey: .k))
        var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: .k)
        try nested.encode(1, forKey: .a)
    },
    EncoderUse("a super encoder, and then a value") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try Point().encode(to: container.superEncoder(forKey: .k))
        try container.encode(5, forKey: .k)
    },
    EncoderUse("a super encoder that is held while a value takes its key") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        let superEncoder = container.superEncoder(forKey: .k)
        try container.encode(5, forKey: .k)
        try Point().encode(to: superEncoder)
    },
    EncoderUse("super encoders between elements") { encoder in
        var container = encoder.unkeyedContainer()
        try container.encode(0)
        try Point().encode(to: container.superEncoder())
        _ = container.nestedContainer(keyedBy: AnyKey.self)
        try container.encode(container.count)
        try 7.encode(to: container.superEncoder())
    },
    EncoderUse("elements after a super encoder that is used later") { encoder in
        var container = encoder.unkeyedContainer()
        let superEncoder = container.superEncoder()
        try container.encode(1)
        try 7.encode(to: superEncoder)
    },
    EncoderUse("containers in containers, out of order") { encoder in
        var container = encoder.unkeyedContainer()
        var list = container.nestedUnkeyedContainer()
        var fields = list.nestedContainer(keyedBy: AnyKey.self)
        try container.encode(1)
        try fields.encode(2, forKey: .a)
        try list.encode(3)
    },
    EncoderUse("nothing at all, everywhere") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(nothing, forKey: .a)
        _ = container.nestedUnkeyedContainer(forKey: .b)
        var list = container.nestedUnkeyedContainer(forKey: .c)
        try list.encode(nothing)
    },
    EncoderUse("an error in a single value, then another single value", differs: keepsFailed) { encoder in
        ignoringErrors {
            var single = encoder.singleValueContainer()
            try single.encode(failing)
        }
        var single = encoder.singleValueContainer()
        try single.encode("x")
    },
    EncoderUse("an error in a single value, then keys", differs: keepsFailed) { encoder in
        ignoringErrors {
            var single = encoder.singleValueContainer()
            try single.encode(failing)
        }
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode("x", forKey: .k)
    },
    EncoderUse("an error in a value that encodes itself in the same place, then keys") { encoder in
        ignoringErrors { try failing.encode(to: encoder) }
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode("x", forKey: .k)
    },
    EncoderUse("an error under a key, then another value") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        ignoringErrors { try container.encode(failing, forKey: .k) }
        try container.encode("x", forKey: .k)
    },
    EncoderUse("an error under a key that has a value") { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(1, forKey: .k)
        ignoringErrors { try container.encode(failing, forKey: .k) }
    },
    EncoderUse(
        "an error under a key, then a single value", differs: .both("x", "\(dropsSingle) here nothing is lost"),
        traps: [.propertyList]
    ) { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        ignoringErrors { try container.encode(failing, forKey: .k) }
        var single = encoder.singleValueContainer()
        try single.encode("x")
    },
    EncoderUse("an error in an element, with the count") { encoder in
        var container = encoder.unkeyedContainer()
        try container.encode(1)
        ignoringErrors { try container.encode(failing) }
        try container.encode(container.count)
    },
    EncoderUse("an error in an element of an array, then another array", differs: keepsFailed) { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        ignoringErrors { try container.encode([failing], forKey: .k) }
        try container.encode([1], forKey: .a)
    },
    EncoderUse("the containers of the value around, from inside") { encoder in
        let outer = encoder.container(keyedBy: AnyKey.self)
        var container = outer
        try container.encode(
            Encoding {
                var outer = outer
                try outer.encode(9, forKey: .a)
                var single = $0.singleValueContainer()
                try single.encode(1)
            }, forKey: .k)
    },
    EncoderUse("another container of the value around, from inside", traps: [.propertyList]) { encoder in
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(
            Encoding {
                var outer = encoder.container(keyedBy: AnyKey.self)
                try outer.encode(9, forKey: .a)
                var single = $0.singleValueContainer()
                try single.encode(1)
            }, forKey: .k)
    },
]

/// The next element of `container`, as it is.
private func rest(_ container: inout any UnkeyedDecodingContainer) throws -> [Int] {
    var rest: [Int] = []
    while !container.isAtEnd { rest.append(try container.decode(Int.self)) }
    return rest
}

private let decoderUses: [DecoderUse] = [
    DecoderUse("a keyed container of an array", of: [1]) { try $0.container(keyedBy: AnyKey.self).allKeys.count },
    DecoderUse("a keyed container of an empty array", of: [Int]()) {
        try $0.container(keyedBy: AnyKey.self).allKeys.count
    },
    DecoderUse("a keyed container of a range", of: 1..<2) { try $0.container(keyedBy: AnyKey.self).allKeys.count },
    DecoderUse("a keyed container of a number", of: 1) { try $0.container(keyedBy: AnyKey.self).allKeys.count },
    DecoderUse("a keyed container of nil", of: Int?.none) { try $0.container(keyedBy: AnyKey.self).allKeys.count },
    DecoderUse("a keyed container of a dictionary", of: ["a": 1]) {
        try $0.container(keyedBy: AnyKey.self).decode(Int.self, forKey: .a)
    },
    DecoderUse("a keyed container of a dictionary with integer keys", of: [7: 1]) {
        try $0.container(keyedBy: AnyKey.self).decode(Int.self, forKey: "7")
    },
    DecoderUse("an unkeyed container of fields", of: Point()) { try $0.unkeyedContainer().count },
    DecoderUse("an unkeyed container of a number", of: 1) { try $0.unkeyedContainer().count },
    DecoderUse("an unkeyed container of nil", of: Int?.none) { try $0.unkeyedContainer().count },
    DecoderUse("an unkeyed container of a string", of: "text") { try $0.unkeyedContainer().count },
    DecoderUse("a number of fields", of: Point()) { try $0.singleValueContainer().decode(Int.self) },
    DecoderUse("a dictionary of fields", of: Point()) {
        try $0.singleValueContainer().decode([String: Int].self).sorted { $0.key < $1.key }
    },
    DecoderUse("fields of a dictionary", of: ["x": 3, "y": 4]) { try $0.singleValueContainer().decode(Point.self).y },
    DecoderUse("fields first and elements then", of: [1, 2]) { decoder in
        if (try? decoder.container(keyedBy: AnyKey.self)) != nil { return "keyed" }
        var container = try decoder.unkeyedContainer()
        return try rest(&container)
    },
    DecoderUse("all kinds of container in turn", of: Point()) { decoder in
        let first = try decoder.container(keyedBy: AnyKey.self)
        let second = try decoder.container(keyedBy: AnyKey.self)
        let point = try decoder.singleValueContainer().decode(Point.self)
        return [try second.decode(Int.self, forKey: "y"), try first.decode(Int.self, forKey: "x"), point.y]
    },
    DecoderUse("two unkeyed containers, each from the start", of: [1, 2, 3]) { decoder in
        var first = try decoder.unkeyedContainer()
        _ = try first.decode(Int.self)
        var second = try decoder.unkeyedContainer()
        return [try rest(&second), try rest(&first)]
    },
    DecoderUse("a key that is not there", of: Point()) {
        try $0.container(keyedBy: AnyKey.self).decode(Int.self, forKey: .k)
    },
    DecoderUse("an optional for a key that is not there", of: Point()) {
        try $0.container(keyedBy: AnyKey.self).decode(Int?.self, forKey: .k)
    },
    DecoderUse("nil for a key that is not there", of: Point()) {
        try $0.container(keyedBy: AnyKey.self).decodeNil(forKey: .k)
    },
    DecoderUse("what may be absent, and is", of: ["x": 1]) {
        try $0.container(keyedBy: AnyKey.self).decodeIfPresent(Point.self, forKey: .k)?.x
    },
    DecoderUse("what may be absent, and is of another type", of: Point()) {
        try $0.container(keyedBy: AnyKey.self).decodeIfPresent(String.self, forKey: "x")
    },
    DecoderUse(
        "what may be absent, and is, as everything that is asked of an object of another class", of: Point()
    ) {
        try $0.container(keyedBy: AnyKey.self).decodeIfPresent(Point.self, forKey: .k)?.x
    },
    DecoderUse("whether a key has nil", of: ["a": Int?.none]) { decoder in
        let container = try decoder.container(keyedBy: AnyKey.self)
        return [
            container.contains(.a), container.contains(.b), try container.decodeNil(forKey: .a),
            try container.decodeIfPresent(Int.self, forKey: .a) == nil,
        ]
    },
    DecoderUse("nil where a value is expected", of: ["a": Int?.none]) {
        try $0.container(keyedBy: AnyKey.self).decode(Int.self, forKey: .a)
    },
    DecoderUse("nil where fields are wanted", of: ["a": Int?.none]) {
        try $0.container(keyedBy: AnyKey.self).decode(Point.self, forKey: .a).x
    },
    DecoderUse("nested containers that are not there", of: Point()) {
        try $0.container(keyedBy: AnyKey.self).nestedContainer(keyedBy: AnyKey.self, forKey: .k).allKeys.count
    },
    DecoderUse("a nested container of a number", of: Point()) {
        try $0.container(keyedBy: AnyKey.self).nestedContainer(keyedBy: AnyKey.self, forKey: "x").allKeys.count
    },
    DecoderUse("a nested unkeyed container of fields", of: ["a": Point()]) {
        try $0.container(keyedBy: AnyKey.self).nestedUnkeyedContainer(forKey: .a).count
    },
    DecoderUse("a nested container of nil", of: ["a": Int?.none]) {
        try $0.container(keyedBy: AnyKey.self).nestedContainer(keyedBy: AnyKey.self, forKey: .a).allKeys.count
    },
    DecoderUse("the superclass's part that is not there", of: ["x": 1]) {
        try $0.container(keyedBy: AnyKey.self).superDecoder(forKey: .k).singleValueContainer().decodeNil()
    },
    DecoderUse("the superclass's part under the usual key, which is not there", of: ["x": 1]) {
        try $0.container(keyedBy: AnyKey.self).superDecoder().singleValueContainer().decodeNil()
    },
    DecoderUse("fields of the superclass's part that is not there", of: Point()) {
        try $0.container(keyedBy: AnyKey.self).superDecoder(forKey: .k).container(keyedBy: AnyKey.self).allKeys.count
    },
    DecoderUse("more elements than there are", of: [1]) { decoder in
        var container = try decoder.unkeyedContainer()
        return [try container.decode(Int.self), try container.decode(Int.self)]
    },
    DecoderUse("nil at the end", of: [1]) { decoder in
        var container = try decoder.unkeyedContainer()
        _ = try container.decode(Int.self)
        return try container.decodeNil()
    },
    DecoderUse("what may be absent, at the end", of: [1]) { decoder in
        var container = try decoder.unkeyedContainer()
        _ = try container.decode(Int.self)
        return [
            try container.decodeIfPresent(Int.self) == nil, try container.decodeIfPresent([Int].self) == nil,
            try container.decodeIfPresent(Point.self) == nil,
        ]
    },
    DecoderUse("a nested container at the end", of: [Int]()) { decoder in
        var container = try decoder.unkeyedContainer()
        return try container.nestedContainer(keyedBy: AnyKey.self).allKeys.count
    },
    DecoderUse("an element again after a mismatch", of: [1, 2]) { decoder in
        var container = try decoder.unkeyedContainer()
        let text = try? container.decode(String.self)
        let point = try? container.decode(Point.self)
        let fields = try? container.nestedContainer(keyedBy: AnyKey.self)
        let list = try? container.nestedUnkeyedContainer()
        return [text == nil, point == nil, fields == nil, list == nil] as [Any] + (try rest(&container))
    },
    DecoderUse("nil between elements, and the index", of: [1, nil, 3]) { decoder in
        var container = try decoder.unkeyedContainer()
        var seen: [Int] = []
        while !container.isAtEnd {
            if try container.decodeNil() {
                seen.append(-container.currentIndex)
            } else {
                seen.append(try container.decode(Int.self))
            }
        }
        return seen + [container.count ?? -1]
    },
    DecoderUse("the superclass's part among elements", of: [[1], [2]]) { decoder in
        var container = try decoder.unkeyedContainer()
        let first = try container.superDecoder()
        var list = try first.unkeyedContainer()
        return [try rest(&list), try container.decode([Int].self)]
    },
    DecoderUse("one value as several types", of: 3) { decoder in
        let container = try decoder.singleValueContainer()
        return [try container.decode(Int.self) == 3, try container.decode(Double.self) == 3, container.decodeNil()]
    },
    DecoderUse("an integer that is too large", of: 300) { try $0.singleValueContainer().decode(UInt8.self) },
    DecoderUse("a fraction as an integer", of: 1.5) { try $0.singleValueContainer().decode(Int.self) },
    DecoderUse("a whole real as an integer", of: 3.0) { try $0.singleValueContainer().decode(Int.self) },
    DecoderUse(
        "a Double as a Float",
        differs: .propertyList("PropertyListDecoder refuses a Double that is no Float; JSON and this pair round"),
        of: 0.1
    ) { try $0.singleValueContainer().decode(Float.self) },
    DecoderUse("a Double that no Float is near to", of: 1e300) { try $0.singleValueContainer().decode(Float.self) },
    DecoderUse("a number as a Bool", of: 1) { try $0.singleValueContainer().decode(Bool.self) },
    DecoderUse("a Bool as a number", of: true) { try $0.singleValueContainer().decode(Int.self) },
    DecoderUse("a number as a string", of: 1) { try $0.singleValueContainer().decode(String.self) },
    DecoderUse("a string as a number", of: "1") { try $0.singleValueContainer().decode(Int.self) },
    DecoderUse("a decoder and containers that are kept", of: ["a": [1, 2]]) { decoder in
        var keyed: KeyedDecodingContainer<AnyKey>?
        var unkeyed: (any UnkeyedDecodingContainer)?
        struct Keeping: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) { self.decoder = decoder }
        }
        let kept = try decoder.singleValueContainer().decode(Keeping.self).decoder
        keyed = try kept.container(keyedBy: AnyKey.self)
        unkeyed = try keyed?.nestedUnkeyedContainer(forKey: .a)
        keyed = nil
        guard var list = unkeyed else { return nil }
        return try rest(&list)
    },
]
