// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

// MARK: Archives and classes for the cases

extension `Cocoa's interface` {
    /// An unarchiver of what `body` encodes.
    static func reread(requiringSecureCoding: Bool = true, _ body: (KeyedArchiver) throws -> Void) throws
        -> KeyedUnarchiver
    {
        let data = try keyedArchive(requiringSecureCoding: requiringSecureCoding, body)
        return try KeyedUnarchiver(forReadingFrom: data, requiringSecureCoding: requiringSecureCoding)
    }

    /// The value in `$top` under `key` of the archive that `body` encodes, as text; objects in full.
    static func topText(_ key: String, _ body: (KeyedArchiver) throws -> Void) throws -> String {
        let inspected = try InspectedArchive(keyedArchive(body))
        guard case .dictionary(let top)? = inspected.list["$top"] else { return "no $top" }
        guard let value = top[key] else { return "nothing" }
        return inspected.text(of: value)
    }

    /// A class with a name, and maybe a friend.
    final class Bell: Coding, Hashable, ArchiveDescribing {
        static let archiveName = "Bell"

        let name: String
        var friend: Bell?

        init(_ name: String, friend: Bell? = nil) {
            self.name = name
            self.friend = friend
        }

        init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            friend = try coder.decodeIfPresent(Bell.self, forKey: "friend")
        }

        func encode(with coder: KeyedArchiver) throws {
            coder.encode(name, forKey: "name")
            if let friend { try coder.encode(friend, forKey: "friend") }
        }

        static func == (left: Bell, right: Bell) -> Bool { left.name == right.name }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// Another one, which is no bell.
    final class Whistle: Coding, ArchiveDescribing {
        static let archiveName = "Whistle"

        let pitch: Int

        init(pitch: Int) { self.pitch = pitch }

        init(coder: KeyedUnarchiver) throws { pitch = try coder.decodeInteger(forKey: "pitch") }

        func encode(with coder: KeyedArchiver) throws { coder.encode(pitch, forKey: "pitch") }
    }

    /// A struct that is Codable and nothing else.
    struct Tone: Codable, Hashable {
        var pitch: Int
        var name: String?
    }

    /// The code of the `ArchivingError` that `body` throws.
    static func unarchivingCode(_ body: () throws -> some Any) -> ArchivingError.Code? {
        #expect(throws: ArchivingError.self) { _ = try body() }?.code
    }
}
