#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Equality walks both trees with a list of the pairs that remain, and hashing examines two levels, so that neither
// takes stack in proportion to the nesting.

extension PropertyList: Hashable {
    // Disfavoured: the literals in `decode(2.5) == 2.5` are numbers of the standard library, not property lists.

    /// Returns whether both contain equal values of the same kinds, with dictionaries in any order.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values.
    @_disfavoredOverload
    public static func == (left: PropertyList, right: PropertyList) -> Bool {
        var remaining = [(left, right)]
        while let (left, right) = remaining.popLast() {
            let areEqual =
                switch (left, right) {
                case (.array(let left), .array(let right)), (.set(let left), .set(let right)):
                    compare(left, right, &remaining)
                case (.dictionary(let left), .dictionary(let right)): compare(left, right, &remaining)
                default: leavesAreEqual(left, right)
                }
            if !areEqual { return false }
        }
        return true
    }

    private static func leavesAreEqual(_ left: PropertyList, _ right: PropertyList) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
        case (.real32(let left), .real32(let right)): left.bitPattern == right.bitPattern
        case (.string(let left), .string(let right)): left == right
        case (.date(let left), .date(let right)):
            left.timeIntervalSinceReferenceDate.bitPattern == right.timeIntervalSinceReferenceDate.bitPattern
        case (.data(let left), .data(let right)): left == right
        case (.uid(let left), .uid(let right)): left == right
        default: false
        }
    }

    /// Compares leaves immediately, and adds containers to `remaining`.
    private static func compare(
        _ left: PropertyList, _ right: PropertyList, _ remaining: inout [(PropertyList, PropertyList)]
    ) -> Bool {
        guard left.isContainer else { return leavesAreEqual(left, right) }
        remaining.append((left, right))
        return true
    }

    private static func compare(
        _ left: [PropertyList], _ right: [PropertyList], _ remaining: inout [(PropertyList, PropertyList)]
    ) -> Bool {
        guard left.count == right.count else { return false }
        for (left, right) in zip(left, right) where !compare(left, right, &remaining) { return false }
        return true
    }

    private static func compare(
        _ left: Dictionary, _ right: Dictionary, _ remaining: inout [(PropertyList, PropertyList)]
    ) -> Bool {
        guard left.count == right.count else { return false }
        if zip(left, right).allSatisfy({ $0.key == $1.key }) {
            for (left, right) in zip(left, right) where !compare(left.value, right.value, &remaining) { return false }
            return true
        }
        // For equal keys, the first values are compared with each other, then the second ones, and so on.
        var positions = Swift.Dictionary(grouping: right.indices.reversed()) { right[$0].key }
        for entry in left {
            guard let position = positions[entry.key]?.popLast() else { return false }
            guard compare(entry.value, right[position].value, &remaining) else { return false }
        }
        return true
    }

    private var isContainer: Bool {
        switch self {
        case .array, .set, .dictionary: true
        default: false
        }
    }
}

// MARK: - Hashing

extension PropertyList {
    /// Hashes the list into `hasher`: a container's direct contents, and the contents of small containers and the
    /// beginnings of arrays in it.
    public func hash(into hasher: inout Hasher) {
        hashContents(into: &hasher, arrayLimit: .max, dictionaryLimit: .max) { element, hasher in
            element.hashContents(into: &hasher, arrayLimit: 16, dictionaryLimit: 16) { $0.hashKindAndLeaf(into: &$1) }
        }
    }

    /// Hashes the list into `hasher`, and its contents with `hash`: up to `arrayLimit` elements, and all entries of a
    /// dictionary with at most `dictionaryLimit`.
    private func hashContents(
        into hasher: inout Hasher, arrayLimit: Int, dictionaryLimit: Int,
        _ hash: (PropertyList, inout Hasher) -> Void
    ) {
        hashKindAndLeaf(into: &hasher)
        switch self {
        case .array(let elements), .set(let elements):
            for element in elements.prefix(arrayLimit) { hash(element, &hasher) }
        case .dictionary(let dictionary) where dictionary.count <= dictionaryLimit:
            // A sum, because the order does not count.
            var sum = 0
            for entry in dictionary {
                var entryHasher = Hasher()
                entryHasher.combine(entry.key)
                hash(entry.value, &entryHasher)
                sum &+= entryHasher.finalize()
            }
            hasher.combine(sum)
        default: break
        }
    }

    /// Hashes the kind and, of a container, only the count.
    private func hashKindAndLeaf(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let value):
            hasher.combine(1)
            hasher.combine(value)
        case .integer(let value):
            hasher.combine(2)
            hasher.combine(value)
        case .real(let value):
            hasher.combine(3)
            hasher.combine(value.bitPattern)
        case .real32(let value):
            hasher.combine(4)
            hasher.combine(value.bitPattern)
        case .string(let value):
            hasher.combine(5)
            hasher.combine(value)
        case .date(let value):
            hasher.combine(6)
            hasher.combine(value.timeIntervalSinceReferenceDate.bitPattern)
        case .data(let value):
            hasher.combine(7)
            // All bytes: the hash of `Data` itself uses only the first ones.
            value.withSpan { hasher.combine($0) }
        case .uid(let value):
            hasher.combine(8)
            hasher.combine(value)
        case .array(let elements):
            hasher.combine(9)
            hasher.combine(elements.count)
        case .set(let elements):
            hasher.combine(10)
            hasher.combine(elements.count)
        case .dictionary(let dictionary):
            hasher.combine(11)
            hasher.combine(dictionary.count)
        }
    }
}

extension PropertyList.Dictionary: Hashable {
    /// Returns whether both have equal values for the same keys, in any order.
    public static func == (left: PropertyList.Dictionary, right: PropertyList.Dictionary) -> Bool {
        PropertyList.dictionary(left) == PropertyList.dictionary(right)
    }

    /// Hashes the dictionary into `hasher`.
    public func hash(into hasher: inout Hasher) {
        PropertyList.dictionary(self).hash(into: &hasher)
    }
}
