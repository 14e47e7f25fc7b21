// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Testing

@Suite(.inTurn) struct `A decoder that the program keeps after the call` {
    @Test func `decodes an instance of a Coding class, whose coder was kept, too`() throws {
        let data = try ArchiveEncoder().encode(Written(leaf: Leaf(name: "a")))
        let kept = try ArchiveDecoder().decode(Kept.self, from: data)
        #expect(kept.leaf.coder != nil)
        let leaf = try kept.decoder.container(keyedBy: Kept.CodingKeys.self).decode(Coded<Leaf>.self, forKey: .leaf)
        #expect(leaf.wrappedValue === kept.leaf)
    }

    @Test func `decodes an instance of a Coding class that the call has not requested`() throws {
        let data = try ArchiveEncoder().encode(Written(leaf: Leaf(name: "a")))
        let decoder = try ArchiveDecoder().decode(OnlyDecoder.self, from: data).decoder
        let leaf = try decoder.container(keyedBy: Kept.CodingKeys.self).decode(Coded<Leaf>.self, forKey: .leaf)
        #expect(leaf.wrappedValue.name == "a")
    }
}

private final class Leaf: Coding {
    let name: String
    private(set) var coder: KeyedUnarchiver?

    init(name: String) { self.name = name }

    init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        self.coder = coder
    }

    func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "name") }
}

private struct Written: Encodable {
    @Coded var leaf: Leaf
}

/// Keeps its decoder, and its leaf keeps the coder.
private struct Kept: Decodable {
    let decoder: any Decoder
    let leaf: Leaf

    enum CodingKeys: CodingKey { case leaf }

    init(from decoder: any Decoder) throws {
        self.decoder = decoder
        leaf = try decoder.container(keyedBy: CodingKeys.self).decode(Coded<Leaf>.self, forKey: .leaf).wrappedValue
    }
}

private struct OnlyDecoder: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) { self.decoder = decoder }
}
