// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.inTurn) struct `Coding away from the caller` {
    /// The queue of the main actor.
    private enum MainQueue {
        private static let key = {
            let key = DispatchSpecificKey<Bool>()
            DispatchQueue.main.setSpecific(key: key, value: true)
            return key
        }()
        static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
    }

    /// A class that is not `Sendable`, and says whether it was coded on the main actor.
    private final class Record: Codable {
        static let onMainActor = Mutex<[Bool]>([])
        var number: Int
        init(_ number: Int) { self.number = number }

        init(from decoder: any Decoder) throws {
            Self.onMainActor.withLock { $0.append(MainQueue.isCurrent) }
            number = try decoder.singleValueContainer().decode(Int.self)
        }

        func encode(to encoder: any Encoder) throws {
            Self.onMainActor.withLock { $0.append(MainQueue.isCurrent) }
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }

    @MainActor @Test func `leaves the main actor, with classes that are not Sendable`() async throws {
        #expect(MainQueue.isCurrent)
        Record.onMainActor.withLock { $0 = [] }
        let note: @Sendable (ArchiveProgress) -> Void = { _ in
            Record.onMainActor.withLock { $0.append(MainQueue.isCurrent) }
        }
        let record = Record(5)
        let data = try await ArchiveEncoder().encode(record, progress: note)
        let again = try await ArchiveDecoder().decode(Record.self, from: data, progress: note)
        again.number += 1
        #expect(again.number == 6)
        try await TemporaryFolder.with { folder in
            let url = folder["archive"]
            try await ArchiveEncoder().encode(Record(7), to: url, progress: note)
            #expect(try await ArchiveDecoder().decode(Record.self, from: url, progress: note).number == 7)
        }
        // Four codings, and one call of the closure for each.
        #expect(Record.onMainActor.withLock(\.self) == Array(repeating: false, count: 8))
    }

    // MARK: Cancellation

    /// A task that a closure cancels when it is called, and how often it was called.
    private final class Canceller: Sendable {
        private let state = Mutex<(task: Task<Void, any Error>?, calls: Int)>((nil, 0))
        var calls: Int { state.withLock(\.calls) }

        /// Cancels the task that codes.
        func cancelOwn() {
            state.withLock { $0.calls += 1 }
            withUnsafeCurrentTask { $0?.cancel() }
        }

        func cancelOther() { state.withLock { $0.task?.cancel() } }

        func set(_ task: Task<Void, any Error>) { state.withLock { $0.task = task } }
    }

    private static let values = Array(0..<30_000).map { ["\($0)"] }

    @Test func `ends at once if the task is cancelled, and the file is as it was`() async throws {
        try await TemporaryFolder.with { folder in
            let url = folder["archive"]
            try ArchiveEncoder().encode("before", to: url)
            let before = try Data(contentsOf: url)
            let canceller = Canceller()
            await #expect(throws: CancellationError.self) {
                try await Task {
                    try await ArchiveEncoder().encode(Self.values, to: url) { _ in canceller.cancelOwn() }
                }.value
            }
            #expect(canceller.calls == 1)
            #expect(try Data(contentsOf: url) == before)
            #expect(try folder.names() == ["archive"])

            let data = try ArchiveEncoder().encode(Self.values)
            await #expect(throws: CancellationError.self) {
                try await Task {
                    _ = try await ArchiveDecoder().decode([[String]].self, from: data) { _ in canceller.cancelOwn() }
                }.value
            }
            #expect(canceller.calls == 2)
        }
    }

    @Test func `is stopped by another task`() async throws {
        let data = try ArchiveEncoder().encode(Self.values)
        let canceller = Canceller()
        let decoding = Task {
            _ = try await ArchiveDecoder().decode([[String]].self, from: data) { _ in canceller.cancelOther() }
        }
        canceller.set(decoding)
        _ = await decoding.result
        // The task may have got to its end before it was known here.
        if decoding.isCancelled {
            await #expect(throws: CancellationError.self) { try await decoding.value }
        }
    }

    @Test func `does not begin in a task that is cancelled`() async throws {
        let data = try ArchiveEncoder().encode([1])
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await ArchiveEncoder().encode([1], progress: nil) },
            { _ = try await ArchiveDecoder().decode([Int].self, from: data, progress: nil) },
            { try await ArchiveEncoder().encode([1], to: URL(filePath: "/dev/null/none"), progress: nil) },
            { _ = try await ArchiveDecoder().decode([Int].self, from: URL(filePath: "/none"), progress: nil) },
        ]
        for call in calls {
            await #expect(throws: CancellationError.self) {
                try await Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await call()
                }.value
            }
        }
    }

    // MARK: Errors

    /// The error that `body` ends with, as text.
    private func error(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "none"
        } catch let error as CocoaError {
            // Its text has the entries of a dictionary, in no fixed order.
            return "\(error.code.rawValue) \(error.filePath ?? "")"
        } catch {
            return "\(error)"
        }
    }

    @Test func `throws what the synchronous methods throw`() async throws {
        struct Failing: Codable {
            struct Failure: Error {}
            func encode(to encoder: any Encoder) throws { throw Failure() }
        }
        let data = try ArchiveEncoder().encode(["a": [1, 2]])
        let nowhere = URL(filePath: "/none/none")
        let (encoder, decoder) = (ArchiveEncoder(), ArchiveDecoder())
        #expect(
            await error { _ = try await decoder.decode([String: [Bool]].self, from: data, progress: nil) }
                == error { _ = try decoder.decode([String: [Bool]].self, from: data) })
        #expect(
            await error { _ = try await decoder.decode([Int].self, from: data.dropLast(3), progress: nil) }
                == error { _ = try decoder.decode([Int].self, from: data.dropLast(3)) })
        #expect(
            await error { _ = try await decoder.decode([Int].self, from: nowhere, progress: nil) }
                == error { _ = try decoder.decode([Int].self, from: nowhere) })
        #expect(
            await error { _ = try await encoder.encode(Failing(), progress: nil) }
                == error { _ = try encoder.encode(Failing()) })
        #expect(
            await error { try await encoder.encode(1, to: nowhere, progress: nil) }
                == error { try encoder.encode(1, to: nowhere) })
    }

    // MARK: Long chains

    private final class Link: Codable {
        let number: Int
        @Reference var next: Link?

        init(_ number: Int, next: Link?) {
            self.number = number
            self.next = next
        }

        /// Swift itself would release a chain recursively.
        deinit {
            var rest = next
            next = nil
            while isKnownUniquelyReferenced(&rest), let link = rest {
                rest = link.next
                link.next = nil
            }
        }
    }

    @Test func `has the stack for a chain of 100 000 instances`() async throws {
        let chain = (0..<100_000).reversed().reduce(nil as Link?) { Link($1, next: $0) }
        let data = try await ArchiveEncoder().encode(chain, progress: nil)
        let first = try await ArchiveDecoder().decode(Link.self, from: data, progress: nil)
        var numbers: [Int] = []
        var link: Link? = first
        while let current = link {
            numbers.append(current.number)
            link = current.next
        }
        #expect(numbers == Array(0..<100_000))
    }
}
