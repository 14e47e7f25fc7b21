// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

// MARK: Single references

extension `The guide to cycles` {
    /// A custom property wrapper.
    @propertyWrapper
    struct Logged<Value: Codable>: Codable {
        var wrappedValue: Value
    }

    final class Wrapped: Codable {
        @Logged var next: Wrapped?
        init() { next = nil }
    }

    final class InStruct: Codable {
        struct Link: Codable { var target: InStruct? }
        var link = Link()
    }

    final class Unmanaged: Codable {
        unowned(unsafe) var next: Unmanaged?
    }

    final class OtherValue: Codable {
        var next: OtherValue?
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            next = try container.decode(OtherValue?.self, forKey: .next) ?? OtherValue()
        }
    }

    @Test(.needs(.collectionStorage)) func `names plain single references`() throws {
        func check<Value: Codable>(_ value: Value, _ words: String...) throws {
            let error = try failure { try roundTrip(value) }
            #expect(error.kind == .dataCorrupted)
            for word in words + ["leads back to", "@Reference", "publish(self)"] { #expect(error.text.contains(word)) }
        }
        let wrapped = Wrapped()
        wrapped.next = wrapped
        try check(wrapped, "Wrapped (uid 1)", "at the root", "\"next.wrappedValue\"")
        let inStruct = InStruct()
        inStruct.link.target = inStruct
        try check(inStruct, "\"link.target\"")
        let unmanaged = Unmanaged()
        unmanaged.next = unmanaged
        try check(unmanaged, "Unmanaged.next")
        let otherValue = OtherValue()
        otherValue.next = otherValue
        try check(otherValue, "OtherValue.next")
    }

    final class OtherKeys: Codable {
        var next: [OtherKeys] = []
        init() {}
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(next, forKey: "next")
        }
        init(from decoder: any Decoder) throws {
            next = try decoder.container(keyedBy: AnyKey.self).decode([OtherKeys].self, forKey: "next")
        }
    }

    final class OtherName: Codable {
        var stored: [OtherName] = []
        private enum CodingKeys: CodingKey { case next }
        init() {}
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(stored, forKey: .next)
        }
        init(from decoder: any Decoder) throws {
            stored = try decoder.container(keyedBy: CodingKeys.self).decode([OtherName].self, forKey: .next)
        }
    }

    final class OtherType: Codable {
        var children: [OtherType] = []
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            children = try container.decode([OtherType]?.self, forKey: .children) ?? []
        }
    }

    @Test(.needs(.collectionStorage)) func `says that the keys, their names and optionals do not matter`() throws {
        let otherKeys = OtherKeys()
        otherKeys.next = [otherKeys]
        #expect(try { $0.next[0] === $0 }(roundTrip(otherKeys)))
        let otherName = OtherName()
        otherName.stored = [otherName]
        #expect(try { $0.stored[0] === $0 }(roundTrip(otherName)))
        let otherType = OtherType()
        otherType.children = [otherType]
        #expect(try { $0.children[0] === $0 }(roundTrip(otherType)))
    }
}

// MARK: - Failures

extension `The guide to cycles` {
    private struct Refusal: Error {}

    /// Fails if its name is "bad", after it has decoded everything else; and catches what `next` throws.
    final class Link: Codable {
        var name: String
        var next: Link?
        @Reference var reference: Link?
        var refusing: [Refusing] = []

        init(_ name: String) { self.name = name }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            next = try? container.decodeIfPresent(Link.self, forKey: .next)
            _reference = try container.decode(Reference<Link>.self, forKey: .reference)
            refusing = try container.decode([Refusing].self, forKey: .refusing)
            if name == "bad" { throw Refusal() }
        }
    }

    final class Refusing: Codable {
        let link: Link
        init(_ link: Link) { self.link = link }
        init(from decoder: any Decoder) throws {
            link = try decoder.container(keyedBy: CodingKeys.self).decode(Link.self, forKey: .link)
            throw Refusal()
        }
    }

    @Test(.needs(.collectionStorage)) func `says who catches what fails in a cycle`() throws {
        let first = Link("first")
        let second = Link("second")
        let bad = Link("bad")
        // An initializer that throws: the one that has asked catches it.
        (first.next, second.next, bad.reference) = (second, bad, second)
        let again = try roundTrip(first)
        #expect(again.next?.name == "second")
        #expect(again.next?.next == nil)
        // A collection that has waited: no initializer catches its error.
        second.next = nil
        second.refusing = [Refusing(first)]
        #expect(throws: Refusal.self) { try roundTrip(first) }
        // The target of a reference: no initializer catches its error.
        second.refusing = []
        second.reference = bad
        #expect(throws: Refusal.self) { try roundTrip(first) }
        bad.reference = nil
    }

    @Test func `says that a long chain of plain properties throws, and one of references does not`() throws {
        let links = (0..<20_000).map { _ in Link("x") }
        for (link, next) in zip(links, links.dropFirst() + [links[0]]) { link.reference = next }
        var again = try roundTrip(links[0])
        #expect(again.reference?.name == "x")
        // One after the other: all at once would take a large stack.
        while let next = again.reference {
            again.reference = nil
            again = next
        }
        let plain = (0..<20_000).map { _ in Plain(name: "x") }
        for (link, next) in zip(plain, plain.dropFirst() + [plain[0]]) { link.next = next }
        let error = try failure(decoding: Plain.self, fromArchiveOf: plain[0])
        #expect(error.kind == .dataCorrupted)
        #expect(error.says("nested"))
        for link in links { link.reference = nil }
        for link in plain { link.next = nil }
    }
}
