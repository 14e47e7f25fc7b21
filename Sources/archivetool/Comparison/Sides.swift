// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The sides of a comparison, as positions in lists of two.
enum Side {
    static let left = 0
    static let right = 1
    static let both = [left, right]
}

/// A value for each side of a comparison.
struct Sides<Value> {
    var left: Value
    var right: Value

    init(_ left: Value, _ right: Value) {
        self.left = left
        self.right = right
    }

    subscript(side: Int) -> Value { side == Side.left ? left : right }
}

extension Sides: Equatable where Value: Equatable {}
extension Sides: Hashable where Value: Hashable {}
