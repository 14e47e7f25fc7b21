// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Synchronization

/// An error of an initializer.
struct InitializerFailure: Error, Equatable {
    let number: Int
}

/// Counts the instances that have one in a property, also those whose initializer has thrown before all properties had
/// a value.
///
/// Only one suite may use it: others run at the same time.
final class LifeToken<Suite> {
    init() { lifeCounts.withLock { $0[ObjectIdentifier(Suite.self), default: 0] += 1 } }

    deinit { lifeCounts.withLock { $0[ObjectIdentifier(Suite.self), default: 0] -= 1 } }

    /// The number of instances that are alive.
    static var count: Int { lifeCounts.withLock { $0[ObjectIdentifier(Suite.self), default: 0] } }
}

private let lifeCounts = Mutex<[ObjectIdentifier: Int]>([:])

/// A number that is not negative: its initializer throws, as the initializers of a program do.
struct CheckedNumber<Suite>: Codable {
    var value: Int
    private let token = LifeToken<Suite>()

    init(_ value: Int) { self.value = value }

    init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Int.self)
        if value < 0 { throw InitializerFailure(number: value) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
