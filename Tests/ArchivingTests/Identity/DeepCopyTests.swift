// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A deep copy` {
    private final class Owner: Codable {
        var name: String
        init(name: String) { self.name = name }
    }

    private struct Farm: Codable {
        var owner: Owner
        var tenant: Owner?
    }

    @Test func `has the shape of the original, and instances of its own`() throws {
        let owner = Owner(name: "Ann")
        let twin = try deepCopy(of: Farm(owner: owner, tenant: owner))
        #expect(twin.owner === twin.tenant && twin.owner !== owner && twin.owner.name == "Ann")
    }
}
