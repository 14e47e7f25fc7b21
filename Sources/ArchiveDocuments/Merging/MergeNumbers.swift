// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Numbers for the values and the keys of the three archives of a merge: equal ones have the same number.
///
/// Values are compared by their bytes. Comparing or hashing a `String` with many combining marks takes unbounded time.
final class MergeNumbers {
    private var leaves: [[UInt8]: Int] = [:]
    private var contents: [[Int]: Int] = [:]
    private var keys: [ExactText: Int] = [ExactText(""): 0]
    private(set) var names: [String] = [""]
    private(set) var classKey = 0
    private(set) var superKey = 0

    init() {
        classKey = key("$class")
        superKey = key("super")
    }

    func key(_ name: String) -> Int {
        let number = keys[ExactText(name), default: names.count]
        if number == names.count {
            keys[ExactText(name)] = number
            names.append(name)
        }
        return number
    }

    private var next: Int { leaves.count + contents.count + 1 }

    private func number(_ contents: [Int]) -> Int {
        let number = self.contents[contents] ?? next
        self.contents[contents] = number
        return number
    }

    /// Returns the numbers of all values of an archive in the comparison of the base with mine or theirs: equal values have equal
    /// numbers, and nil has 0.
    ///
    /// - Parameter other: The other one of the compared archives.
    func numbers(of side: MergeSide, _ origin: MergeOrigin, comparedWith other: MergeSide) throws -> [Int] {
        var numbers = [Int](repeating: 0, count: side.values.count)
        for (value, found) in side.values.enumerated() where found.hasIdentity || found.form == .record {
            let isOfBase = origin == .base || side.has(value, of: other)
            numbers[value] = number([-1, isOfBase ? 0 : origin.rawValue, value])
        }
        for value in side.order {
            let found = side.values[value]
            switch found.form {
            case .null: break
            // Both archives have the object, which has an identity for this comparison.
            case .record where side.has(value, of: other): break
            case .leaf, .unit: numbers[value] = try number(of: found, numbers)
            case .record, .list, .set, .dictionary:
                var parts = found.parts.map { part in
                    (found.form.hasValueKeys ? numbers[part.key] : part.key, numbers[part.value])
                }
                if found.form != .list { parts.sort { $0 < $1 } }
                numbers[value] = number([found.form.rawValue, found.className] + parts.flatMap { [$0.0, $0.1] })
            }
        }
        return numbers
    }

    /// Returns the number of a value that is taken as a whole. The class of an object counts by its name.
    private func number(of value: MergeSide.Value, _ numbers: [Int]) throws -> Int {
        var list = value.list
        if value.classUID != 0, case .dictionary(var entries) = list {
            entries["$class"] = .integer(Int128(value.className))
            list = .dictionary(entries)
        }
        let numbered = list.mapped { leaf in
            leaf.uid.map { .uid(UInt32(truncatingIfNeeded: numbers[Int($0)])) } ?? leaf
        } container: { container, values in
            guard let entries = container.dictionary else { return container.with(values) }
            return .dictionary(
                PropertyList.Dictionary(
                    zip(entries.keys, values).sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }))
        }
        let bytes = [UInt8](try numbered.data())
        let number = leaves[bytes] ?? next
        leaves[bytes] = number
        return number
    }
}
