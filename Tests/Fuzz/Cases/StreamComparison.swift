// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

/// Compares objects of two typedstreams with all that they refer to.
struct StreamComparison {
    private let left: TypedStream
    private let right: TypedStream
    /// The position in `right` of each object of `left` that was met, and the other way round.
    private var partners: [Int: Int] = [:]
    private var reversePartners: [Int: Int] = [:]
    private var waiting: [(Int, Int)] = []

    /// How two objects differ; nil where they do not.
    static func difference(of left: UnknownSequentialObject, _ right: UnknownSequentialObject) -> String? {
        var comparison = StreamComparison(left: left.stream, right: right.stream)
        guard comparison.pair(left.index, right.index) else { return "not the same identity" }
        return comparison.run()
    }

    private init(left: TypedStream, right: TypedStream) {
        self.left = left
        self.right = right
    }

    private mutating func run() -> String? {
        while let (first, second) = waiting.popLast() {
            let (object, other) = (left.objects[first], right.objects[second])
            guard areSame(object.classIndex, other.classIndex) else { return "the classes of object \(first)" }
            guard object.groups.count == other.groups.count else { return "the number of groups of object \(first)" }
            for (group, otherGroup) in zip(object.groups, other.groups) {
                guard group.types == otherGroup.types, areSame(group.values, otherGroup.values) else {
                    return "a group of the types \(group.types) of object \(first)"
                }
            }
        }
        return nil
    }

    private func areSame(_ first: Int?, _ second: Int?) -> Bool {
        var (first, second) = (first, second)
        while let index = first, let other = second {
            let (entry, otherEntry) = (left.classes[index], right.classes[other])
            guard entry.name == otherEntry.name, entry.version == otherEntry.version else { return false }
            (first, second) = (entry.superclassIndex, otherEntry.superclassIndex)
        }
        return first == nil && second == nil
    }

    private mutating func areSame(_ values: [TypedStream.Value], _ others: [TypedStream.Value]) -> Bool {
        guard values.count == others.count else { return false }
        for (value, other) in zip(values, others) {
            switch (value, other) {
            case (.object(let first?), .object(let second?)):
                guard pair(first, second) else { return false }
            case (.class(let first?), .class(let second?)):
                guard areSame(first, second) else { return false }
            case (.cString(let first?), .cString(let second?)):
                guard left.cStrings[first] == right.cStrings[second] else { return false }
            case (.array(let values), .array(let others)), (.structure(let values), .structure(let others)):
                guard areSame(values, others) else { return false }
            default:
                guard value == other else { return false }
            }
        }
        return true
    }

    /// Whether two objects may be the same one; they are compared later.
    private mutating func pair(_ first: Int, _ second: Int) -> Bool {
        if let known = partners[first] { return known == second }
        guard reversePartners[second] == nil else { return false }
        partners[first] = second
        reversePartners[second] = first
        waiting.append((first, second))
        return true
    }
}
