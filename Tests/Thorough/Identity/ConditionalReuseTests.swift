// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

/// Which instances a conditional reference keeps, for how long, and what is left of it for the next archive.
@Suite(.inTurn) struct `A conditional object and its archive` {
    struct Failure: Error {}

    @Test func `is not mixed up with another that took its address`() throws {
        // Each temporary would die as soon as it is met, if the archive did not keep it: the next one has its address then.
        let value = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            for index in 0..<3000 {
                try container.encodeConditional(Owner("unseen \(index)"))
                try container.encode(Owner("seen \(index)"))
                try container.encode([WeakReference(wrappedValue: Owner("gone \(index)"))])
            }
        }
        var owners: [String?] = []
        try decoding(archiveOf: value) { decoder in
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd {
                owners.append(try container.decode(Owner?.self)?.name)
                owners.append(try container.decode(Owner?.self)?.name)
                #expect(try container.decode([Owner?].self).count == 1)
            }
        }
        #expect(owners == (0..<3000).flatMap { [nil, "seen \($0)"] })
    }

    @Test func `is released when the archive is done, or has failed`() throws {
        weak var leaked: Owner?
        do {
            let owner = Owner("unseen")
            leaked = owner
            let value = Encoding { encoder in
                var container = encoder.unkeyedContainer()
                try container.encodeConditional(owner)
            }
            _ = try ArchiveEncoder().encode(value)
        }
        #expect(leaked == nil)
        do {
            let owner = Owner("unseen")
            leaked = owner
            let value = Encoding { encoder in
                var container = encoder.unkeyedContainer()
                try container.encodeConditional(owner)
                throw Failure()
            }
            #expect(throws: Failure.self) { try ArchiveEncoder().encode(value) }
        }
        #expect(leaked == nil)
    }

    @Test func `leaves nothing for the next archive`() throws {
        struct Pair: Codable {
            @WeakReference var weak: Owner? = nil
            var strong: Owner?
        }
        let owner = Owner("a")
        let encoder = ArchiveEncoder()
        let conditional = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            for _ in 0..<3 { try container.encodeConditional(owner) }
        }
        let failing = Encoding { encoder in
            var container = encoder.unkeyedContainer()
            try container.encodeConditional(owner)
            try container.encode(owner)
            throw Failure()
        }
        let alone = try encoder.encode(Pair(weak: owner, strong: nil))
        let both = try encoder.encode(Pair(weak: owner, strong: owner))
        #expect(alone != both)
        for _ in 0..<3 {
            _ = try encoder.encode(conditional)
            #expect(try encoder.encode(Pair(weak: owner, strong: owner)) == both)
            _ = try? encoder.encode(failing)
            #expect(try encoder.encode(Pair(weak: owner, strong: nil)) == alone)
            #expect(try encoder.encode(Pair(weak: owner, strong: owner)) == both)
            #expect(try ArchiveDecoder().decode(Pair.self, from: alone).weak == nil)
            let again = try ArchiveDecoder().decode(Pair.self, from: both)
            #expect(again.weak != nil)
            #expect(again.weak === again.strong)
        }
    }

    @Test func `archived on several threads belongs to each archive alone`() throws {
        nonisolated(unsafe) let owner = Owner("a")
        let results = Mutex<[[String?]]>([])
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            let value = Encoding { encoder in
                var container = encoder.unkeyedContainer()
                try container.encodeConditional(owner)
                if index.isMultiple(of: 2) { try container.encode(owner) }
            }
            let names = try? transcode(value, as: [Owner?].self).map { $0?.name }
            results.withLock { $0.append(names ?? []) }
        }
        let all = results.withLock { $0 }
        #expect(all.count == 64)
        #expect(all.filter { $0 == ["a", "a"] }.count == 32)
        #expect(all.filter { $0 == [nil] }.count == 32)
    }

    // MARK: - Canonical archives

    /// The same graph, met in another order: what is conditional must not depend on it.
    @Test(arguments: PropertyListFormat.allCases)
    func `has its place in a canonical archive, whatever the order`(format: PropertyListFormat) throws {
        let encoder = ArchiveEncoder(format, .sortedKeys)
        let (seen, unseen) = (Owner("seen"), Owner("unseen"))
        func archive(_ order: [Int]) throws -> Data {
            try encoder.encode(
                Encoding { encoder in
                    var container = encoder.container(keyedBy: AnyKey.self)
                    for step in order {
                        switch step {
                        case 0: try container.encodeConditional(seen, forKey: "seen")
                        case 1: try container.encodeConditional(unseen, forKey: "unseen")
                        case 2: try container.encode(["k": seen], forKey: "strong")
                        default: try container.encodeConditional(unseen, forKey: "again")
                        }
                    }
                })
        }
        let first = try archive([0, 1, 2, 3])
        for order in [[3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]] { #expect(try archive(order) == first) }
        try decoding(first) { decoder in
            let container = try decoder.container(keyedBy: AnyKey.self)
            let strong = try container.decode([String: Owner].self, forKey: "strong")
            #expect(try container.decode(Owner.self, forKey: "seen") === strong["k"])
            #expect(try container.decodeNil(forKey: "unseen"))
            #expect(try container.decodeNil(forKey: "again"))
        }
    }
}
