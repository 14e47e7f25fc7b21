// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A tree of instances without sharing: every branch has a name and a number of its own, and no children or two to six.
final class Branch: Codable {
    var name: String
    var number: Int
    var children: [Branch] = []

    init(name: String, number: Int) {
        self.name = name
        self.number = number
    }

    /// Creates a tree of `count` branches, with about ten levels for a hundred thousand.
    static func tree(count: Int, seed: UInt64) -> Branch {
        var random = SplitMix64(seed: seed)
        func branch(_ position: Int) -> Branch {
            Branch(name: "branch \(position)", number: random.integer(in: 0..<1_000_000))
        }

        var branches = [branch(0)]
        branches.reserveCapacity(count)
        var parent = 0
        while branches.count < count {
            for _ in 0..<min(count - branches.count, random.integer(in: 2..<7)) {
                let child = branch(branches.count)
                branches[parent].children.append(child)
                branches.append(child)
            }
            parent += 1
        }
        return branches[0]
    }

    /// Returns whether two trees have equal contents.
    static func isFaithful(original: Branch, decoded: Branch, sharing: Bool) -> Bool {
        var pairs = [(original, decoded)]
        while let (left, right) = pairs.popLast() {
            guard left.name == right.name, left.number == right.number, left.children.count == right.children.count
            else { return false }
            pairs += zip(left.children, right.children)
        }
        return true
    }
}
