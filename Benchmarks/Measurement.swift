/// The times one contender took for one task, in nanoseconds per call, one entry per round.
struct Samples {
    private(set) var times: [Double] = []

    /// The time least disturbed by the rest of the machine; not a number if no round was timed.
    var minimum: Double { times.min() ?? .nan }

    /// The time in the middle; with an even number of rounds, the mean of the middle two.
    ///
    /// - Precondition: At least one round was timed.
    var median: Double {
        let sorted = times.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    mutating func add(_ time: Double) {
        times.append(time)
    }
}

/// What remains of samples in the results: nanoseconds per call.
struct Timing: Codable {
    var minimum: Double
    var median: Double
    var rounds: Int

    /// - Precondition: At least one round was timed.
    init(_ samples: Samples) {
        minimum = samples.minimum
        median = samples.median
        rounds = samples.times.count
    }
}

/// The processor time of one call in nanoseconds, as the mean of `calls` calls in a row.
///
/// Every result lives until the clock has been read, so that no contender pays for freeing what it made.
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
