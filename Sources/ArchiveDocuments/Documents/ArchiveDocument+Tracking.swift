// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Observation
import Synchronization

extension ArchiveDocument {
    /// Marks `instance` by itself when one of its observed properties changes, as ``markChanged(_:)`` does.
    ///
    /// ```swift
    /// try document.trackChanges(of: book)
    /// book.title = "Emma"
    /// try document.save(changes: .marked)
    /// ```
    ///
    /// The tracked properties are those that `encode(to:)` reads: in a class with declared fields (`ArchivedFields`), or with an
    /// `encode(to:)` of its own. A synthesized `encode(to:)` of an `@Observable` class reads the storage instead of the
    /// properties, and the method throws an error. A property with `@ObservationIgnored`, or one that `encode(to:)` reads in
    /// its storage, is not tracked: mark its changes. ``verifyMarks()`` finds forgotten ones.
    ///
    /// The tracking lasts as long as the document and the instance, also across saves and ``revert()``. Other instances are
    /// not tracked, new ones included. Call the method once for each instance: it calls `encode(to:)`, as the next save does
    /// after a change, also if the instance has left the graph.
    ///
    /// - Throws: ``ArchiveDocumentError`` with the code `notObserved` if no property can be tracked. Errors of `encode(to:)`.
    /// - Complexity: O(*n*), where *n* is the number of properties.
    public func trackChanges(of instance: some AnyObject & Observable & Encodable) throws {
        guard try tracking.add(instance, encoder.userInfo) else { throw ArchiveDocumentError(.notObserved) }
    }

    func markTrackedChanges() {
        for instance in tracking.takeChanged(encoder.userInfo) { marks.insert(instance) }
    }
}

/// The tracked instances of a document.
struct DocumentTracking {
    private struct Tracked {
        weak var instance: (any AnyObject & Encodable)?
    }

    /// By the numbers of `changes`.
    private var tracked: [Int: Tracked] = [:]
    private var nextNumber = 0
    /// The number of entries above which those of deallocated instances are removed.
    private var capacity = 16
    /// The instances that could not be tracked again: they count as changed.
    private var untracked: [Int] = []
    private let changes = TrackedChanges()

    var hasChanges: Bool { !untracked.isEmpty || changes.isNotEmpty }

    /// Tracks an instance until one of the properties changes that its encoding reads.
    ///
    /// - Returns: Whether there is such a property.
    mutating func add(_ instance: some AnyObject & Encodable, _ userInfo: [CodingUserInfoKey: Any]) throws -> Bool {
        let number = nextNumber
        guard try begin(instance, number, userInfo) else { return false }
        nextNumber += 1
        if tracked.count >= capacity {
            tracked = tracked.filter { $0.value.instance != nil }
            capacity = max(16, tracked.count * 2)
        }
        tracked[number] = Tracked(instance: instance)
        return true
    }

    /// Returns the instances that have changed, and tracks them again.
    mutating func takeChanged(_ userInfo: [CodingUserInfoKey: Any]) -> [AnyObject] {
        var result: [AnyObject] = []
        let numbers = untracked + changes.take()
        untracked = []
        for number in numbers {
            guard let instance = tracked[number]?.instance else { continue }
            result.append(instance)
            if (try? begin(instance, number, userInfo)) != true { untracked.append(number) }
        }
        return result
    }

    private func begin(
        _ instance: some AnyObject & Encodable, _ number: Int, _ userInfo: [CodingUserInfoKey: Any]
    ) throws -> Bool {
        // The tracking owns the closure, and the closure the recorder, if there is a tracking.
        weak var recorder: TrackedChanges.Recorder?
        func recording() -> @Sendable () -> Void {
            let new = TrackedChanges.Recorder(changes, number)
            recorder = new
            return { new.record() }
        }
        let reader = ReadingEncoder(userInfo: userInfo)
        let result = withObservationTracking({ Result { try instance.encode(to: reader) } }, onChange: recording())
        try result.get()
        return recorder != nil
    }
}

/// The numbers of instances that have changed. Any thread may record them.
private final class TrackedChanges: Sendable {
    private let numbers = Mutex<[Int]>([])

    var isNotEmpty: Bool { numbers.withLock { !$0.isEmpty } }

    func take() -> [Int] {
        numbers.withLock { numbers in
            defer { numbers = [] }
            return numbers
        }
    }

    final class Recorder: Sendable {
        private let changes: TrackedChanges
        private let number: Int

        init(_ changes: TrackedChanges, _ number: Int) {
            self.changes = changes
            self.number = number
        }

        func record() { changes.numbers.withLock { $0.append(number) } }
    }
}
