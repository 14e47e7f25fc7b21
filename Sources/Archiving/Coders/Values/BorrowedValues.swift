// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Calls `body` with the value in `optional`, if there is one, in place.
///
/// Any other access to an optional of a generic type copies it first, with a type lookup.
@inline(__always)
func withPresent<Value: ~Copyable>(
    _ optional: borrowing Value?, _ body: (borrowing Value) throws -> Void
) rethrows {
    switch optional {
    case .none: break
    case .some(let value): try body(value)
    }
}
