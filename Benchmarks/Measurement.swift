// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The times one contender took for one task, in nanoseconds per call, one entry per round.
struct Samples {
    private(set) var times: [Double] = []

    /// The time with the least disturbance by other processes; not a number if no round was measured.
    var minimum: Double { times.min() ?? .nan }

    /// The median time. With an even number of rounds, it is the mean of the middle two.
    ///
    /// - Precondition: At least one round was measured.
    var median: Double {
        let sorted = times.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    mutating func add(_ time: Double) {
        times.append(time)
    }
}

/// The part of samples that results contain: nanoseconds per call.
struct Timing: Codable {
    var minimum: Double
    var median: Double
    var rounds: Int

    /// - Precondition: At least one round was measured.
    init(_ samples: Samples) {
        minimum = samples.minimum
        median = samples.median
        rounds = samples.times.count
    }
}

/// Returns the processor time of one call in nanoseconds, as the mean of `calls` consecutive calls.
///
/// Every result lives until the clock has been read, so that the time excludes deallocation.
func timePerCall<Result>(calls: Int, _ body: () throws -> Result) rethrows -> Double {
    var results: [Result] = []
    results.reserveCapacity(calls)
    let start = processorTime()
    for _ in 0..<calls {
        results.append(try body())
    }
    let end = processorTime()
    withExtendedLifetime(results) {}
    return Double(end - start) / Double(calls)
}
