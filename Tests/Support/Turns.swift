// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Lets the suites of a run take turns.
///
/// Swift Testing starts all tests at once. Then each seems to take as long as the run, none is reported before all have finished,
/// and one that hangs looks like those that wait. With `@Suite(.inTurn)`, as many suites run at a time as there are processors,
/// and the tests of a suite run one after the other. A test's time is then its own, results are printed as suites end, and the
/// last tests that have started are the suspects in a run that hangs.
package struct InTurn: SuiteTrait, TestScoping {
    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        _ = RuntimeAssumptions.areWithdrawn
        // A suite within another has the turn of that one.
        if Turns.isTaken { return try await function() }
        await Turns.all.begin()
        let result: Result<Void, any Error>
        do {
            try await Turns.$isTaken.withValue(true) {
                try await ParallelizationTrait.serialized.provideScope(
                    for: test, testCase: testCase, performing: function)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await Turns.all.end()
        try result.get()
    }
}

extension Trait where Self == InTurn {
    /// The suite waits for its turn, and its tests run one after the other.
    package static var inTurn: Self { InTurn() }
}

/// As many turns as there are processors.
private actor Turns {
    static let all = Turns()

    /// Whether the task runs within a suite that has its turn.
    @TaskLocal static var isTaken = false

    private var free = max(1, ProcessInfo.processInfo.activeProcessorCount)
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func end() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
