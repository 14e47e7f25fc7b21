// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The limit of work: how many steps decoding takes.
@Suite(.inTurn) struct `The work that decoding takes` {
    /// The least limit of work with which `reader` reads `data`. One less is an error that names it.
    private func work(_ data: Data, _ reader: Reader) throws -> Int {
        var limits = DecodingLimits()
        var (low, high) = (0, 1 << 20)
        limits.work = high
        _ = try reader.read(data, limits)
        while low < high {
            let middle = (low + high) / 2
            limits.work = middle
            if (try? reader.read(data, limits)) == nil { low = middle + 1 } else { high = middle }
        }
        limits.work = low - 1
        let failure = limitFailure { try reader.read(data, limits) }
        #expect(failure?.names("work", low - 1) != false, "\(failure.map { "\($0)" } ?? "")")
        return low
    }

    /// Readers, and an archive for them of some size.
    struct Growth: Sendable, CustomTestStringConvertible {
        let reader: Reader
        /// The steps that one more costs at least and at most.
        let cost: ClosedRange<Int>
        let data: @Sendable (Int) -> Data

        var testDescription: String { reader.name }
    }

    static let growths = [
        Growth(reader: .decoder([Int].self), cost: 1...1) { count in
            RawArchive.data { archive in archive.list((0..<count).map { archive.object(archive.integer($0)) }) }
        },
        Growth(reader: .decoder([Int?].self), cost: 1...2) { count in
            RawArchive.data { archive in archive.list(of: archive.object(archive.integer(1)), count: count) }
        },
        Growth(reader: .decoder([Chain].self), cost: 1...8) { count in
            RawArchive.data { archive in archive.list(of: archive.object(archive.fields([])), count: count) }
        },
        Growth(reader: .decoder(Set<String>.self), cost: 1...5) { count in
            RawArchive.data { archive in
                archive.list((0..<count).map { archive.object(archive.text("\($0 + 1_000_000_000_000_000)")) }, "NSSet")
            }
        },
        Growth(reader: .decoder([String: Int].self), cost: 2...9) { count in
            RawArchive.data { archive in
                let keys = (0..<count).map { archive.object(archive.text("\($0 + 1_000_000_000_000_000)")) }
                return archive.table(keys, keys.map { _ in archive.object(archive.integer(1)) })
            }
        },
        // A step, and a step for each 16 bytes.
        Growth(reader: .decoder([String].self), cost: 11...11) { count in
            RawArchive.data { archive in
                archive.list(of: archive.object(archive.text(String(repeating: "a", count: 160))), count: count)
            }
        },
        Growth(reader: .decoder([Data?].self), cost: 11...12) { count in
            RawArchive.data { archive in
                archive.list(of: archive.object(archive.data(Array(repeating: 1, count: 160))), count: count)
            }
        },
        Growth(reader: .listed(), cost: 1...8) { count in
            RawArchive.data { archive in archive.list(of: archive.object(archive.integer(1)), count: count) }
        },
        Growth(reader: .unarchiver("[Link]") { try $0.decode([Link].self, forKey: "root") }, cost: 1...32) { count in
            RawArchive.data { archive in
                archive.list(archive.objects(count) { _, _ in archive.fields([], class: "Link") })
            }
        },
    ]

    @Test(arguments: growths)
    func `grows by the same for each value that is decoded`(growth: Growth) throws {
        let (first, second, third) = try (
            work(growth.data(10), growth.reader), work(growth.data(20), growth.reader),
            work(growth.data(30), growth.reader)
        )
        #expect(third - second == second - first)
        #expect(growth.cost.contains((second - first) / 10) && (second - first) % 10 == 0, "\(first), \(second)")
    }

    /// `levels` containers, each of which has the one before it twice.
    private static func doubled(
        _ levels: Int, innermost: (RawArchive) -> Int = { $0.object($0.integer(1)) },
        _ container: (RawArchive, Int) -> Int
    ) -> Data {
        RawArchive.data { archive in
            (0..<levels).reduce(innermost(archive)) { inner, _ in container(archive, inner) }
        }
    }

    static let unfolding: [(String, Data, Reader)] = {
        let lists = doubled(30) { archive, inner in archive.list([inner, inner]) }
        let inner = doubled(30) { archive, inner in archive.object(archive.array([inner, inner])) }
        let structures = doubled(30, innermost: { $0.object($0.fields([])) }) { archive, inner in
            archive.object(archive.fields([("next", archive.list([inner, inner]))]))
        }
        let tables = doubled(30) { archive, inner in
            archive.table([archive.text("a"), archive.text("b")].map { archive.object($0) }, [inner, inner])
        }
        return [
            ("lists", lists, .decoder(Guess.self)), ("lists", lists, .listed()),
            ("containers", inner, .decoder(Guess.self)),
            ("containers", inner, .listed()),
            ("structures", structures, .decoder(Chain.self)),
            ("dictionaries", tables, .decoder(Guess.self)), ("dictionaries", tables, .listed()),
        ]
    }()

    @Test(arguments: unfolding)
    func `stops a small archive that unfolds to 2^30 values`(name: String, data: Data, reader: Reader) throws {
        #expect(data.count < 5000)
        var limits = DecodingLimits()
        limits.work = 5_000
        let failure = limitFailure(name) { try reader.read(data, limits) }
        #expect(failure?.names("work", 5_000) != false, "\(failure.map { "\($0)" } ?? "")")
    }
}
