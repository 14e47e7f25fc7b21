// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What values throw that fail on purpose.
struct Failure: Error, Equatable {}

@Suite(.inTurn) struct `A value whose encode(to:) throws` {
    /// Writes something of every kind, then throws.
    struct Failing: Encodable {
        var form = 0
        static let forms = 5

        func encode(to encoder: any Encoder) throws {
            switch form {
            case 0: break
            case 1:
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode("half", forKey: "a")
                var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: "b")
                try nested.encode([1, 2], forKey: "c")
                _ = container.superEncoder()
            case 2:
                var container = encoder.unkeyedContainer()
                try container.encode("half")
                try container.encode(["x": [1.5]])
                _ = container.nestedUnkeyedContainer()
            case 3:
                var container = encoder.singleValueContainer()
                try container.encode(["half"])
            default:
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode([["deep": Failing(form: 1)]], forKey: "a")
            }
            throw Failure()
        }
    }

    final class FailingInstance: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode("half", forKey: "a")
            throw Failure()
        }
    }

    @Test(arguments: 0..<Failing.forms)
    func `throws that error, from any depth`(form: Int) throws {
        let encoder = ArchiveEncoder()
        #expect(throws: Failure()) { try encoder.encode(Failing(form: form)) }
        #expect(throws: Failure()) { try encoder.encode([Failing(form: form)]) }
        #expect(throws: Failure()) { try encoder.encode(["a": Failing(form: form)]) }
        #expect(throws: Failure()) { try encoder.encode([Optional(Failing(form: form))]) }
        #expect(throws: Failure()) { try encoder.encode(FailingInstance()) }
        #expect(throws: Failure()) { try encoder.encode(["a": [FailingInstance()]]) }
        #expect(try roundTrip(["fine"]) == ["fine"])
    }

    @Test(arguments: 0..<Failing.forms)
    func `leaves nothing in a keyed container that catches the error`(form: Int) throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: "before")
            #expect(throws: Failure()) { try container.encode(Failing(form: form), forKey: "failing") }
            #expect(throws: Failure()) { try container.encode([Failing(form: form)], forKey: "list") }
            #expect(throws: Failure()) { try container.encode(["k": Failing(form: form)], forKey: "table") }
            try container.encode(["x": [2]], forKey: "after")
        }
        #expect(try archiveText(value) == #"Encoding{before: 1, after: NSDictionary[@"x": NSArray[@2]]}"#)
    }

    @Test(arguments: 0..<Failing.forms)
    func `leaves nothing in an unkeyed container that catches the error`(form: Int) throws {
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encode(1)
            #expect(throws: Failure()) { try container.encode(Failing(form: form)) }
            #expect(container.count == 1)
            #expect(throws: Failure()) { try container.encode([Failing(form: form)]) }
            try container.encode(["x": [2]])
            #expect(container.count == 2)
        }
        #expect(try archiveText(value) == #"Encoding[@1, NSDictionary[@"x": NSArray[@2]]]"#)
    }

    @Test(arguments: 0..<Failing.forms)
    func `leaves a single value container free for another value`(form: Int) throws {
        let value = Encoding { encoder in
            var container = encoder.singleValueContainer()
            #expect(throws: Failure()) { try container.encode(Failing(form: form)) }
            try container.encode("instead")
        }
        #expect(try archiveText([value, value]) == #"NSArray[@"instead", @"instead"]"#)
    }

    @Test(arguments: 0..<Failing.forms)
    func `in an instance's fields is caught there`(form: Int) throws {
        final class Catching: Encodable {
            let form: Int
            init(_ form: Int) { self.form = form }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try? container.encode(Failing(form: form), forKey: "failing")
                try container.encode("fine", forKey: "name")
            }
        }
        #expect(
            try archiveText([Catching(form), Catching(form)])
                == #"NSArray[Catching{name: @"fine"}, Catching{name: @"fine"}]"#)
    }

    @Test func `keeps what was under the key before`() throws {
        let value = Encoding { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode("old", forKey: "a")
            try? container.encode(Failing(form: 1), forKey: "a")
        }
        #expect(try archiveText(value) == #"Encoding{a: @"old"}"#)
    }

    @Test func `does not spoil leaves that it was the first to write`() throws {
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try? container.encode(Failing(form: 1))
            try? container.encode(Failing(form: 2))
            try container.encode("half")
            try container.encode(1.5)
            try container.encode([1, 2])
        }
        #expect(try archiveText(value) == #"Encoding[@"half", @1.5, NSArray[@1, @2]]"#)
    }

    @Test func `does not spoil instances that it was the first to refer to`() throws {
        final class Name: Codable { var text = "n" }
        let name = Name()
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try? container.encode(
                Encoding { encoder in
                    var inner = encoder.unkeyedContainer()
                    try inner.encode(name)
                    throw Failure()
                })
            try container.encode(name)
            try container.encode([name])
        }
        #expect(try archiveText(value) == #"Encoding[#1=Name{text: @"n"}, NSArray[#1]]"#)
    }
}
