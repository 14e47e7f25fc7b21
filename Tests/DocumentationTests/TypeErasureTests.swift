// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

private final class Owner: Codable {
    var name: String
    init(name: String) { self.name = name }
}

private struct CopyingEncodable: Encodable {
    let base: any Encodable

    func encode(to encoder: any Encoder) throws {
        try base.encode(to: encoder)
    }
}

private struct AnyEncodable: Encodable {
    let base: any Encodable

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(base)
    }
}

/// The code of the article on type erasure, and what else it says.
@Suite(.inTurn)
struct `The article on type erasure`: DocumentedOutput {
    @Test func `keeps the identity of what a container encodes, and loses that of what encodes itself`() throws {
        let owner = Owner(name: "Anna")

        let copies = try ArchiveEncoder().encode([CopyingEncodable(base: owner), CopyingEncodable(base: owner)])
        let two = try ArchiveDecoder().decode([Owner].self, from: copies)
        print(two[0] === two[1])  // false

        let references = try ArchiveEncoder().encode([AnyEncodable(base: owner), AnyEncodable(base: owner)])
        let one = try ArchiveDecoder().decode([Owner].self, from: references)
        print(one[0] === one[1])  // true

        #expect(try KeyedArchive(copies).root[0].className?.hasSuffix("CopyingEncodable") == true)
        #expect(try KeyedArchive(references).root[0].className?.hasSuffix("Owner") == true)
    }
}
