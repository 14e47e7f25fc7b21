import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `An instance in wrappers` {
    final class Owner: Codable {
        var name = "Anna"
    }

    struct Forwarding: Codable {
        var owner: Owner

        init(_ owner: Owner) { self.owner = owner }

        init(from decoder: any Decoder) throws { owner = try Owner(from: decoder) }

        func encode(to encoder: any Encoder) throws { try owner.encode(to: encoder) }
    }

    struct Containing: Codable {
        var owner: Owner

        init(_ owner: Owner) { self.owner = owner }

        init(from decoder: any Decoder) throws {
            owner = try decoder.singleValueContainer().decode(Owner.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(owner)
        }
    }

    @Test func `that hand it to a container is one`() throws {
        let owner = Owner()
        #expect(try archiveText([Containing(owner), Containing(owner)]) == #"NSArray[#1=Owner{name: @"Anna"}, #1]"#)
        let again = try roundTrip([Containing(owner), Containing(owner)])
        #expect(again[0].owner === again[1].owner)
    }

    @Test func `that let it encode itself in their place is a copy in each`() throws {
        let owner = Owner()
        #expect(
            try archiveText([Forwarding(owner), Forwarding(owner)])
                == #"NSArray[Forwarding{name: @"Anna"}, Forwarding{name: @"Anna"}]"#)
        let again = try roundTrip([Forwarding(owner), Forwarding(owner)])
        #expect(again.map(\.owner.name) == ["Anna", "Anna"])
        #expect(again[0].owner !== again[1].owner)
    }
}
