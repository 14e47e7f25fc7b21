// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts the bytes of large blocks that a call fills with zeros, for tests.
///
/// A call for a part of an archive must not clear memory in proportion to the whole archive.
package final class ClearedMemory: Sendable {
    private static let current = TaskLocal<ClearedMemory?>(wrappedValue: nil)
    private let byteCount = Atomic(0)

    /// The size up to which a block does not count: few calls are worth less.
    static var floor: Int { 1 << 14 }

    private init() {}

    package static func byteCount(during body: () throws -> Void) rethrows -> Int {
        let counter = ClearedMemory()
        try current.withValue(counter, operation: body)
        return counter.byteCount.load(ordering: .relaxed)
    }

    @inline(never)
    static func note(_ byteCount: Int) {
        current.get()?.byteCount.wrappingAdd(byteCount, ordering: .relaxed)
    }
}
