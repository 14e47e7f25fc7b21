// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

@Suite(.inTurn) struct `User info of coders` {
    static let key = CodingUserInfoKey.named("greeting")

    /// Archives what it finds in the user info, on both sides.
    struct Value: Codable {
        var written: String?
        var read: String?

        init() {}
        init(from decoder: any Decoder) throws {
            written = try decoder.singleValueContainer().decode(String.self)
            read = decoder.userInfo[key] as? String
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(encoder.userInfo[key] as? String ?? "nothing")
        }
    }

    final class Holder: Coding {
        var value = Value()
        var written: String?
        var read: String?

        init() {}
        init(coder: KeyedUnarchiver) throws {
            value = try coder.decode(Value.self, forKey: "value")
            written = try coder.decodeIfPresent(String.self, forKey: "written")
            read = coder.userInfo[key] as? String
        }
        func encode(with coder: KeyedArchiver) throws {
            try coder.encode(value, forKey: "value")
            coder.encode(coder.userInfo[key] as? String ?? "nothing", forKey: "written")
        }
    }

    struct Box: Codable {
        @Coded var holder: Holder
    }

    private func expect(_ holder: Holder, wrote: String, reads: String?) {
        #expect(holder.value.written == wrote && holder.written == wrote)
        #expect(holder.value.read == reads && holder.read == reads)
    }

    @Test func `is there for both sides, whichever begins`() throws {
        var encoder = ArchiveEncoder()
        encoder.userInfo[Self.key] = "encoder"
        var decoder = ArchiveDecoder()
        decoder.userInfo[Self.key] = "decoder"
        let data = try encoder.encode(Box(holder: Holder()))
        expect(try decoder.decode(Box.self, from: data).holder, wrote: "encoder", reads: "decoder")

        let archiver = KeyedArchiver()
        archiver.userInfo[Self.key] = "archiver"
        try archiver.encode(Box(holder: Holder()), forKey: "root")
        let unarchiver = try keyedUnarchiver(archiver.finishEncoding())
        unarchiver.userInfo[Self.key] = "unarchiver"
        expect(try unarchiver.decode(Box.self, forKey: "root").holder, wrote: "archiver", reads: "unarchiver")
        #expect(try ArchiveDecoder().decode(Box.self, from: data).holder.read == nil)
    }
}
