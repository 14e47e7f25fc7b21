// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Cycles of one `Codable` and one `Coding` instance: how each side looks when the other one is met.
@Suite(.inTurn) struct `A cycle through Coding and Codable` {
    /// What closes the cycle.
    enum Way: String, CaseIterable {
        /// A collection of the Codable class that waits.
        case collection
        /// The Codable class publishes itself.
        case publishedDecoder
        /// The Coding class publishes itself.
        case publishedCoder
        /// The Coding class refers to the other by `decodeReference`.
        case reference
        /// No instance publishes itself.
        case none
    }

    /// Refers to its member in a collection, or in a single reference.
    final class Group: Codable {
        let way: String
        @Coded private var members: [Member]
        var member: Member? {
            get { members.first }
            set { members = newValue.map { [$0] } ?? [] }
        }

        init(_ way: Way) {
            self.way = way.rawValue
            members = []
        }

        private enum CodingKeys: CodingKey { case way, member, members }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(way, forKey: .way)
            if way == Way.collection.rawValue {
                try container.encode(_members, forKey: .members)
            } else {
                try container.encode(Coded(wrappedValue: member), forKey: .member)
            }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            way = try container.decode(String.self, forKey: .way)
            switch Way(rawValue: way) {
            case .collection: _members = try container.decode(Coded<[Member]>.self, forKey: .members)
            case .publishedDecoder:
                _members = Coded(wrappedValue: [])
                decoder.publish(self)
                member = try container.decode(Coded<Member>.self, forKey: .member).wrappedValue
            default:
                _members = Coded(wrappedValue: [try container.decode(Coded<Member>.self, forKey: .member).wrappedValue])
            }
        }
    }

    final class Member: Coding {
        let way: Way
        private(set) weak var group: Group?
        @Reference private var reference: Group?

        var owner: Group? { group ?? reference }

        init(_ group: Group, _ way: Way) {
            self.group = group
            self.way = way
        }

        init(coder: KeyedUnarchiver) throws {
            way = Way(rawValue: try coder.decode(String.self, forKey: "way")) ?? .none
            if way == .publishedCoder { coder.publish(self) }
            if way == .reference {
                _reference = try coder.decode(Reference<Group>.self, forKey: "group")
            } else {
                group = try coder.decode(Group.self, forKey: "group")
            }
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(way.rawValue, forKey: "way")
            try coder.encode(group, forKey: "group")
        }

        func open() { reference = nil }
    }

    private static func makeGroup(_ way: Way) -> Group {
        let group = Group(way)
        group.member = Member(group, way)
        return group
    }

    /// Begins with each of the two, from each side; gives the group, and the member.
    private static func decode(_ way: Way, start: Int, keep: inout [AnyObject]) throws -> (Group, Member) {
        let group = makeGroup(way)
        let member = try #require(group.member)
        struct First: Codable {
            @Coded var member: Member
        }
        let data = try keyedArchive {
            try $0.encode(group, forKey: "root")
            try $0.encode(member, forKey: "member")
            try $0.encode(First(member: member), forKey: "first")
        }
        let unarchiver = try keyedUnarchiver(data)
        keep.append(unarchiver)
        switch start {
        case 0:
            let group = try ArchiveDecoder().decode(Group.self, from: data)
            keep.append(group)
            return (group, try #require(group.member))
        case 1: keep.append(try unarchiver.decode(Group.self, forKey: "root"))
        case 2: keep.append(try unarchiver.decode(Member.self, forKey: "member"))
        default: keep.append(try unarchiver.decode(First.self, forKey: "first").member)
        }
        return (
            try unarchiver.decode(Group.self, forKey: "root"), try unarchiver.decode(Member.self, forKey: "member")
        )
    }

    /// The four ways in, and whether each can be gone: what is published after its reference was met is too late.
    @Test(arguments: Way.allCases, 0..<4)
    func `is closed by either side`(way: Way, start: Int) throws {
        let beginsWithGroup = start < 2
        let isPossible =
            switch way {
            case .collection, .reference: true
            case .publishedDecoder: beginsWithGroup
            case .publishedCoder: !beginsWithGroup
            case .none: false
            }
        var keep: [AnyObject] = []
        if isPossible {
            let (group, member) = try Self.decode(way, start: start, keep: &keep)
            #expect(group.member === member && member.owner === group)
            member.open()
        } else {
            var others: [AnyObject] = []
            let error = #expect(throws: (any Error).self) {
                _ = try Self.decode(way, start: start, keep: &others)
            }
            if start == 0 {
                #expect((error as? DecodingError) != nil)
            } else {
                #expect((error as? ArchivingError)?.code == .cycle, "\(String(describing: error))")
            }
        }
    }
}

@Suite(.inTurn) struct `An initializer that throws after its instance was handed out` {
    struct Refusal: Error, Equatable {
        var name: String
    }

    final class Parent: Coding {
        let name: String
        private(set) var child: Child?

        init(_ name: String, hasChild: Bool) {
            self.name = name
            child = hasChild ? Child(self) : nil
        }

        init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            coder.publish(self)
            child = try coder.decodeIfPresent(Child.self, forKey: "child")
            throw Refusal(name: name)
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            try coder.encode(child, forKey: "child")
        }
    }

    final class Child: Coding {
        unowned let parent: Parent

        init(_ parent: Parent) { self.parent = parent }
        init(coder: KeyedUnarchiver) throws { parent = try coder.decode(Parent.self, forKey: "parent") }
        func encode(with coder: KeyedArchiver) throws { try coder.encode(parent, forKey: "parent") }
    }

    /// Catches what its parent throws.
    final class Patient: Coding {
        let parent: Parent
        let isEmpty: Bool

        init(_ parent: Parent) {
            self.parent = parent
            isEmpty = false
        }
        init(coder: KeyedUnarchiver) throws {
            isEmpty = (try? coder.decode(Parent.self, forKey: "parent")) == nil
            parent = Parent("none", hasChild: false)
        }
        func encode(with coder: KeyedArchiver) throws { try coder.encode(parent, forKey: "parent") }
    }

    struct Box: Codable {
        @Coded var patient: Patient
    }

    @Test func `lets the whole decoding fail, even if the error is caught`() throws {
        let patient = Patient(Parent("P", hasChild: true))
        let data = try KeyedArchiver.archivedData(withRootObject: patient)
        #expect(throws: Refusal(name: "P")) { try KeyedUnarchiver.unarchivedObject(of: Patient.self, from: data) }
        let box = try ArchiveEncoder().encode(Box(patient: patient))
        #expect(throws: Refusal(name: "P")) { try ArchiveDecoder().decode(Box.self, from: box) }
    }

    @Test func `stays so for every later call`() throws {
        let data = try keyedArchive {
            try $0.encode(Patient(Parent("P", hasChild: true)), forKey: "patient")
            try $0.encode(CodedItem("i", 1), forKey: "item")
        }
        let unarchiver = try keyedUnarchiver(data)
        #expect(throws: Refusal(name: "P")) { try unarchiver.decode(Patient.self, forKey: "patient") }
        #expect(throws: Refusal(name: "P")) { try unarchiver.decode(CodedItem.self, forKey: "item") }
    }

    @Test func `is an error like any other if no other object has it`() throws {
        let patient = Patient(Parent("P", hasChild: false))
        let data = try KeyedArchiver.archivedData(withRootObject: patient)
        #expect(try KeyedUnarchiver.unarchivedObject(of: Patient.self, from: data).isEmpty)
        let box = try ArchiveEncoder().encode(Box(patient: patient))
        #expect(try ArchiveDecoder().decode(Box.self, from: box).patient.isEmpty)
    }
}
