// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Initializers that throw

extension EntryPoints {
    static let failures = [
        EntryPoint("failure, node") { data in
            try counting { lives in
                _ = try decoder(lives).decode(Fragile.self, from: data)
            }
        },
        EntryPoint("failure, nodes") { data in
            try counting { lives in
                _ = try decoder(lives).decode([Fragile].self, from: data)
            }
        },
        EntryPoint("failure, cell") { data in
            try counting { lives in
                let unarchiver = try unarchiver(data, lives)
                defer { unarchiver.finishDecoding() }
                _ = try unarchiver.decode(FragileCell.self, forKey: "root")
            }
        },
        EntryPoint("failure, parts") { data in
            try counting { lives in
                let root = try decoder(lives).decode([Fragile].self, from: data)
                try withExtendedLifetime(root) {
                    // Not the nodes of the parts as well: those may have parts without an end.
                    for node in lives.nodes.prefix(16) { try load(node, lives) }
                }
            }
        },
    ]

    private static func decoder(_ lives: Lives) -> ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.classes = Registries.standard
        decoder.userInfo[Lives.key] = lives
        return decoder
    }

    private static func unarchiver(_ data: Data, _ lives: Lives) throws -> KeyedUnarchiver {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.classes = Registries.standard
        unarchiver.userInfo[Lives.key] = lives
        return unarchiver
    }

    /// Loads the parts of `node`. If all of them fail, they leave no instance.
    private static func load(_ node: any FragileNode, _ lives: Lives) throws {
        let count = lives.count
        var failures = 0
        try node.load { error in
            if Outcome.Failure(error) == .other { throw error }
            failures += 1
        }
        guard failures < 2 || lives.count == count else {
            throw Violation("Parts that cannot be decoded leave \(lives.count - count) instances")
        }
    }

    /// Checks that no instance is left after `body`, whether it throws or the caller clears all references.
    private static func counting(_ body: (Lives) throws -> Void) throws -> UInt64 {
        let lives = Lives()
        do {
            try body(lives)
        } catch {
            guard lives.count == 0 else {
                throw Violation("A decoding that fails leaves \(lives.count) instances: \(error)")
            }
            throw error
        }
        // What is left here are cycles of the archive that only weak references needed.
        for node in lives.nodes { node.takeApart() }
        guard lives.count == 0 else { throw Violation("\(lives.count) instances are left without references") }
        return 1
    }
}
