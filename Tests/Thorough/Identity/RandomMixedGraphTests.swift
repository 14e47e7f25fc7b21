// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Graphs of references of all kinds: in collections, structs and payloads, in wrappers, of instances that publish themselves, in
/// declared fields and of Coding classes.
@Suite(.inTurn, .needs(.collectionStorage)) struct `A random graph of references of all kinds` {
    /// Decodes the graph of `seed` and says whether that succeeded.
    private static func check(_ seed: UInt64, _ count: Int) throws -> Bool {
        let before = Life.count
        var generator = SeededGenerator(state: seed)
        let plan = MixedPlan(count, using: &generator)
        // The instances of such a cycle have stored each other themselves, and stay if the decoding fails.
        if Extent.looksForLeaks, plan.hasPublishedCycle, plan.hasPlainCycle { return false }
        var encoder = ArchiveEncoder()
        encoder.classes.register(SpecialVertex.self)
        encoder.outputFormat = seed % 8 == 1 ? .xml : .binary
        encoder.outputFormatting = seed % 4 == 2 ? .sortedKeys : []
        let data: Data
        do {
            let root = MixedRoot(plan)
            defer { root.clear() }
            data = try encoder.encode(root)
        }
        try #require(Life.count == before, "seed \(seed): the model is alive")
        let (classes, isKeyed) = (encoder.classes, seed % 4 == 3)
        func decode() throws -> MixedRoot {
            if isKeyed {
                let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
                unarchiver.classes = classes
                defer { unarchiver.finishDecoding() }
                return try unarchiver.decode(MixedRoot.self, forKey: "root")
            }
            var decoder = ArchiveDecoder()
            decoder.classes = classes
            return try decoder.decode(MixedRoot.self, from: data)
        }
        do {
            let copy = try decode()
            let differences = copy.differences(from: plan)
            copy.clear()
            try #require(!plan.hasPlainCycle, "seed \(seed) has a cycle of plain references\n\(plan)")
            try #require(differences == [], "seed \(seed)\n\(plan)")
        } catch let error where error is DecodingError || error is ArchivingError {
            let failure = CodingFailure(error)
            try #require(plan.hasPlainCycle, "seed \(seed): \(failure)\n\(plan)")
            try #require(failure.says("leads back to", "publish(self)"), "seed \(seed): \(failure)")
            if plan.hasPublishedCycle { return false }
            try #require(
                Life.count == before, "seed \(seed): \(Life.count - before) are alive after \(failure)\n\(plan)")
            return false
        }
        try #require(Life.count == before, "seed \(seed): \(Life.count - before) are alive\n\(plan)")
        return true
    }

    @Test func `fails exactly if a cycle has only plain single references, and leaves nothing in memory`() throws {
        try onThread(stackSize: 64 << 20) {
            var (successes, failures) = (0, 0)
            for seed in 0..<(Extent.isWhole ? 10_000 : 400) as Range<Int> {
                if try Self.check(UInt64(seed), 1 + seed % 9) { successes += 1 } else { failures += 1 }
            }
            // Both happen often.
            #expect(successes * 4 > failures && failures * 10 > successes, "\(successes), \(failures)")
        }
    }

    @Test func `of many instances comes back as well`() throws {
        try onThread(stackSize: 64 << 20) {
            for seed in 100_000..<100_012 as Range<Int> { _ = try Self.check(UInt64(seed), 40) }
        }
    }
}
