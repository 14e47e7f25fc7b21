// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Repeats one workload with one contender, for `scripts/count-instructions`.
enum Repetition {
    /// Performs the task of a process that was started with `ChildTask.repetition`.
    ///
    /// The process ends without releasing the results, so that the difference between two counts of calls is the cost of the
    /// calls alone.
    static func perform(_ arguments: [String]) throws -> [Double] {
        guard arguments.count == 4, let workload = allWorkloads.first(where: { $0.name == arguments[0] }),
            let contender = Contender(rawValue: arguments[1]), Contender.coders.contains(contender),
            let direction = Direction(rawValue: arguments[2]), let count = Int(arguments[3]), count > 0
        else { throw ChildTask.repetition.misuse(arguments) }
        try perform(workload.prepare(), contender, direction, count)
        return [Double(count)]
    }

    private static func perform(
        _ prepared: some PreparedWorkload, _ contender: Contender, _ direction: Direction, _ count: Int
    ) throws {
        let archive = try prepared.encode(with: contender)
        switch direction {
        case .encode: keepForever(try (0..<count).map { _ in try prepared.encode(with: contender) })
        case .decode: keepForever(try (0..<count).map { _ in try prepared.decode(archive, with: contender) })
        }
    }

    private static func keepForever<Result>(_ results: [Result]) {
        _ = Unmanaged.passRetained(Keeper(results))
    }
}

private final class Keeper<Result> {
    let results: [Result]

    init(_ results: [Result]) {
        self.results = results
    }
}
