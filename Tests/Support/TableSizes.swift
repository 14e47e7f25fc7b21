// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Numbers of elements at which the library may use another table, or a larger one.
///
/// Tests whose subject is a table use them. They concern every power of two, so that they depend on the size of no table.
package enum TableSizes {
    /// 3, 4, 5, 7, 8, 9, 15, 16, 17, … around each power of two up to `limit`.
    package static func upTo(_ limit: Int) -> [Int] {
        sequence(first: 4) { $0 * 2 }.prefix { $0 <= limit }.flatMap { [$0 - 1, $0, $0 + 1] }
    }
}
