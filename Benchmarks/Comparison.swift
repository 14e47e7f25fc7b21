// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The times and sizes of all contenders for one workload.
struct Comparison: Codable {
    var name: String
    var encoding: [Contender: Timing] = [:]
    var decoding: [Contender: Timing] = [:]
    /// The bytes of the archive, or of the contender's output.
    var sizes: [Contender: Int] = [:]
}

extension Comparison {
    /// Verifies every contender by a round trip, then measures them in turns.
    ///
    /// - Throws: `UnfaithfulRoundTrip` if a value changed, or the errors of a coder.
    init(of workload: some Workload, rounds: Int) throws {
        self = try Comparison(
            name: workload.name, calls: workload.calls, rounds: rounds, prepared: workload.prepare())
    }

    private init(name: String, calls: Int, rounds: Int, prepared: some PreparedWorkload) throws {
        self.init(name: name)
        var archives: [Contender: Data] = [:]
        var roundsLeft: [Contender: Int] = [:]
        var samples: [Direction: [Contender: Samples]] = [:]

        for contender in prepared.contenders {
            let start = processorTime()
            if contender.producesOutput {
                let archive = try prepared.encode(with: contender)
                guard prepared.isFaithful(try prepared.decode(archive, with: contender), to: contender) else {
                    throw UnfaithfulRoundTrip(contender: contender, workload: name)
                }
                archives[contender] = archive
                sizes[contender] = archive.count
            }
            let seconds = Double(processorTime() - start) / 1e9
            roundsLeft[contender] = min(rounds, contender.roundLimit(forSecondsPerRound: seconds * Double(calls)))
        }

        for _ in 0..<rounds {
            // Encoding and decoding are interleaved too, so that a slow minute of the machine affects all contenders.
            let running = prepared.contenders.filter { roundsLeft[$0, default: 0] > 0 }
            for contender in running {
                let time = try timePerCall(calls: calls) { try prepared.encode(with: contender) }
                samples[.encode, default: [:]][contender, default: Samples()].add(time)
                roundsLeft[contender, default: 0] -= 1
            }
            for contender in running {
                guard let archive = archives[contender] else { continue }
                let time = try timePerCall(calls: calls) { try prepared.decode(archive, with: contender) }
                samples[.decode, default: [:]][contender, default: Samples()].add(time)
            }
        }
        encoding = samples[.encode, default: [:]].mapValues(Timing.init)
        decoding = samples[.decode, default: [:]].mapValues(Timing.init)
    }
}

extension Contender {
    /// The maximum number of rounds of a contender.
    ///
    /// The property list coder is ten to two hundred times slower than the others. Two rounds show that, or one if it is long.
    fileprivate func roundLimit(forSecondsPerRound seconds: Double) -> Int {
        guard self == .propertyList else { return .max }
        return seconds > 1 ? 1 : 2
    }
}

/// A contender that changes the value. Measuring it would be pointless.
struct UnfaithfulRoundTrip: Error, CustomStringConvertible {
    var contender: Contender
    var workload: String

    var description: String { "\(contender.rawValue) changed the value of '\(workload)' in a round trip" }
}
