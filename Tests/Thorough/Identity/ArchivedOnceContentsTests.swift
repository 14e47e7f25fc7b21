// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Archived once, with others of its own type inside, and with instances.
private struct Group: Codable, ArchivedOnce {
    let id: String
    var members: [Group] = []
    var owner: Owner?
}

@Suite(.inTurn) struct `What is inside a value that is archived once` {
    @Test func `keeps the identity of the instances in it`() throws {
        struct Village: Codable {
            var groups: [Group]
            var owner: Owner
        }
        let owner = Owner("o")
        let group = Group(id: "a", owner: owner)
        let other = Group(id: "b", members: [group], owner: owner)
        let again = try roundTrip(Village(groups: [group, other], owner: owner))
        #expect(again.owner.name == "o")
        #expect(again.groups[0].owner === again.owner)
        #expect(again.groups[1].owner === again.owner)
        #expect(again.groups[1].members[0].owner === again.owner)
    }

    @Test func `may have others with other ids inside`() throws {
        let leaf = Group(id: "leaf")
        let (left, right) = (Group(id: "left", members: [leaf]), Group(id: "right", members: [leaf]))
        let group = Group(id: "top", members: [left, right])
        #expect(try InspectedArchive(of: [group, leaf]).count(ofClass: "Group") == 4)
        let again = try roundTrip([group, leaf])
        #expect(again[0].members.map(\.id) == ["left", "right"])
        #expect(again[0].members.map { $0.members.map(\.id) } == [["leaf"], ["leaf"]])
        #expect(again[1].id == "leaf")
    }

    @Test func `cannot have itself inside`() throws {
        let group = Group(id: "a", members: [Group(id: "b"), Group(id: "c", members: [Group(id: "a")])])
        let error = try failure { try ArchiveEncoder().encode(["g": [group]]) }
        #expect(error.kind == .invalidValue)
        #expect(error.path == "g[0].members[1].members[0]")
        #expect(error.says("Group", "id", "g[0].members[1].members[0]"))
        #expect(try failure { try ArchiveEncoder().encode(group) }.path == "members[1].members[0]")
    }

    @Test func `in an archive that says that it has itself inside is damage`() throws {
        let data = try handmadeArchive(
            ["id": "a", "members": .uid(2), "$class": .uid(4)], ["NS.objects": [.uid(3)], "$class": .uid(5)],
            ["id": "b", "members": .uid(2), "$class": .uid(4)], ["$classname": "Group", "$classes": ["Group"]],
            classEntry("NSArray"))
        let error = try failure(decoding: Group.self, from: data)
        #expect(error.kind == .dataCorrupted)
        #expect(error.path == "members[0].members[0]")
        #expect(error.says("uid 3", "itself"))
    }

    @Test func `that failed to encode itself may be encoded again`() throws {
        struct Picky: Codable, ArchivedOnce {
            struct Refusal: Error {}
            let id: Int
            var accepts: Bool
            func encode(to encoder: any Encoder) throws {
                guard accepts else { throw Refusal() }
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(id, forKey: "id")
                try container.encode(accepts, forKey: "accepts")
            }
        }
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            #expect(throws: Picky.Refusal.self) { try container.encode(Picky(id: 1, accepts: false)) }
            try container.encode(Picky(id: 1, accepts: true))
            try container.encode(Picky(id: 1, accepts: false))
        }
        #expect(try transcode(value, as: [Picky].self).map(\.accepts) == [true, true])
    }

    @Test func `may refer back to itself through a class instance`() throws {
        final class Home: Codable {
            var tenants: [Tenant] = []
        }
        struct Tenant: Codable, ArchivedOnce {
            let id: Int
            var home: Home
        }
        let tenant = Tenant(id: 1, home: Home())
        tenant.home.tenants = [tenant]
        defer { tenant.home.tenants = [] }
        let fromHome = try roundTrip([tenant.home])[0]
        #expect(fromHome.tenants.count == 1 && fromHome.tenants[0].home === fromHome)
        fromHome.tenants = []
        let fromTenant = try roundTrip([tenant])[0]
        #expect(fromTenant.home.tenants.count == 1 && fromTenant.home.tenants[0].home === fromTenant.home)
        fromTenant.home.tenants = []
    }

    @Test func `may refer back to itself through a reference`() throws {
        final class Home: Codable {
            var tenant: Tenant?
        }
        struct Tenant: Codable, ArchivedOnce {
            let id: Int
            @Reference var home: Home? = nil
        }
        let home = Home()
        var tenant = Tenant(id: 1)
        tenant.home = home
        home.tenant = tenant
        defer { home.tenant = nil }
        let again = try #require(try roundTrip([home.tenant])[0]?.home)
        #expect(again.tenant?.home === again)
        again.tenant = nil
    }

    @Test func `keeps nothing alive after decoding`() throws {
        weak var leaked: Owner?
        do {
            let again = try roundTrip([Group(id: "a", owner: Owner("o")), Group(id: "a", owner: Owner("o"))])
            leaked = again[0].owner
            #expect(leaked?.name == "o")
            #expect(again[1].owner === leaked)
        }
        #expect(leaked == nil)
    }
}
