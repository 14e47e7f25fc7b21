// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

/// The errors of an author of a type with declared fields stop the program with a sentence.
@Suite(.inTurn) struct `An author of declared fields` {
    struct TwoFields: ArchivedFields {
        var first = 1
        var second = 2
        static let fields = FieldList<TwoFields> {
            Field("number", \.first)
            Field("number", \.second)
        }
    }

    struct AliasedFields: ArchivedFields {
        var first = 1
        var second = 2
        static let fields = FieldList<AliasedFields> {
            Field("first", \.first, aliases: ["second"])
            Field("second", \.second)
        }
    }

    struct OtherFields: ArchivedFields {
        var first = 1
        static let fields = FieldList<TwoFields> { Field("first", \.first) }
    }

    class Base: ArchivedFields {
        var name = ""
        required init() {}
        class var fields: FieldList<Base> { FieldList { Field("name", \.name) } }
    }

    final class Sibling: Base {
        var number = 0
        override class var fields: FieldList<Base> {
            super.fields.extended(by: Sibling.self) { Field("number", \.number) }
        }
    }

    /// Extended by the fields of another subclass.
    final class Confused: Base {
        override class var fields: FieldList<Base> {
            super.fields.extended(by: Sibling.self) { Field("number", \.number) }
        }
    }

    /// A subclass with a key of its superclass.
    final class Repeating: Base {
        var other = ""
        override class var fields: FieldList<Base> {
            super.fields.extended(by: Repeating.self) { Field("name", \.other) }
        }
    }

    final class WeakChild: ArchivedFields {
        @WeakReference var parent: WeakChild?
        static let fields = FieldList<WeakChild> { Field("parent", \.parent) }
        init() {}
    }

    final class ConditionalChild: ArchivedFields {
        @WeakReference var parent: ConditionalChild?
        @WeakReference var other: ConditionalChild?
        static let fields = FieldList<ConditionalChild> {
            Field("parent", \.parent, .conditional)
            Field("other", \._other)
        }
        init() {}
    }

    @Test func `learns from a check that a field archives the value of a weak wrapper in full`() throws {
        let error = #expect(throws: FieldError.self) { try ArchiveEncoder().checkFields(of: WeakChild()) }
        #expect(error?.description.contains("Write Field(\"parent\", \\._parent)") == true)
        try ArchiveEncoder().checkFields(of: ConditionalChild())
        let (parent, child) = (ConditionalChild(), ConditionalChild())
        (child.parent, child.other) = (parent, parent)
        let again = try roundTrip(child)
        #expect(again.parent == nil && again.other == nil)
    }

    @Test func `cannot give two fields one key`() async {
        let encoding = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try ArchiveEncoder().encode(TwoFields())
            exit(0)
        }
        #expect(encoding.said("TwoFields.fields has two fields with the key \"number\""))
        let decoding = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try ArchiveDecoder().decode(TwoFields.self, from: ArchiveEncoder().encode(["number": 1]))
            exit(0)
        }
        #expect(decoding.said("TwoFields.fields has two fields with the key \"number\""))
        let alias = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try ArchiveEncoder().encode(AliasedFields())
            exit(0)
        }
        #expect(alias.said("two fields with the key \"second\""))
        let inherited = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try ArchiveEncoder().encode(Repeating())
            exit(0)
        }
        #expect(inherited.said("two fields with the key \"name\""))
    }

    @Test func `cannot list fields of a type that is none of its superclasses`() async {
        let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try ArchiveEncoder().encode(OtherFields())
            exit(0)
        }
        #expect(other.said("OtherFields.fields has a field of", "TwoFields"))
        let sibling = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try ArchiveEncoder().encode(Confused())
            exit(0)
        }
        #expect(sibling.said("Confused.fields has a field of", "Sibling"))
        let json = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try JSONEncoder().encode(Confused())
            exit(0)
        }
        #expect(json.said("Confused.fields has a field of", "Sibling"))
    }
}

extension ExitTest.Result? {
    /// Whether the program said all of the texts before it stopped.
    fileprivate func said(_ first: String, _ second: String) -> Bool { said(first) && said(second) }
}
