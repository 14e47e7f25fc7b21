// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Equality walks both trees with a list of the pairs that remain, and hashing examines two levels, so that neither
// takes stack in proportion to the nesting.

extension PropertyList {
    // Disfavoured: the literals in `decode(2.5) == 2.5` are numbers of the standard library, not property lists.

    /// Returns whether both contain equal values of the same kinds, with dictionaries in any order.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values.
    @_disfavoredOverload
    public static func == (left: PropertyList, right: PropertyList) -> Bool {
        var remaining: [(PropertyList, PropertyList)] = []
        func compare(_ left: PropertyList, _ right: PropertyList) -> Bool {
            let summary = left.summary
            guard summary == right.summary else { return false }
            if summary.isContainer { remaining.append((left, right)) }
            return true
        }
        guard compare(left, right) else { return false }
        while let next = remaining.popLast() {
            switch next {
            case (.array(let left), .array(let right)), (.set(let left), .set(let right)):
                guard zip(left, right).allSatisfy(compare) else { return false }
            case (.dictionary(let left), .dictionary(let right)):
                if zip(left, right).allSatisfy({ ExactText($0.key) == ExactText($1.key) }) {
                    guard zip(left, right).allSatisfy({ compare($0.value, $1.value) }) else { return false }
                    continue
                }
                // For equal keys, the first values are compared with each other, then the second ones, and so on.
                var positions = Swift.Dictionary(grouping: right.indices.reversed()) { ExactText(right[$0].key) }
                for entry in left {
                    guard let position = positions[ExactText(entry.key)]?.popLast(),
                        compare(entry.value, right[position].value)
                    else { return false }
                }
            default: break
            }
        }
        return true
    }

    /// Hashes the list into `hasher`: a container's contents, and those of the containers in it.
    public func hash(into hasher: inout Hasher) { hash(into: &hasher, levels: 2) }

    private func hash(into hasher: inout Hasher, levels: Int) {
        hasher.combine(summary)
        guard levels > 0 else { return }
        switch self {
        case .array(let elements), .set(let elements):
            for element in elements { element.hash(into: &hasher, levels: levels - 1) }
        case .dictionary(let dictionary):
            // A sum, because the order does not count.
            var sum = 0
            for entry in dictionary {
                var entryHasher = Hasher()
                entryHasher.combine(entry.key)
                entry.value.hash(into: &entryHasher, levels: levels - 1)
                sum &+= entryHasher.finalize()
            }
            hasher.combine(sum)
        default: break
        }
    }
}

extension PropertyList.Dictionary {
    /// Returns whether both have equal values for the same keys, in any order.
    public static func == (left: PropertyList.Dictionary, right: PropertyList.Dictionary) -> Bool {
        PropertyList.dictionary(left) == PropertyList.dictionary(right)
    }

    /// Hashes the dictionary into `hasher`.
    public func hash(into hasher: inout Hasher) {
        PropertyList.dictionary(self).hash(into: &hasher)
    }
}

// MARK: - Summaries

extension PropertyList {
    /// A leaf, with reals as their bits, or the kind of a container and the number of values in it.
    private enum Summary: Hashable {
        case null
        case boolean(Bool)
        case integer(Int128)
        case real(UInt64)
        case real32(UInt32)
        case string(String)
        case date(UInt64)
        case data(Bytes)
        case uid(UInt32)
        case array(Int)
        case set(Int)
        case dictionary(Int)

        /// Data that is hashed with all its bytes. `Data` itself uses only the first ones.
        struct Bytes: Hashable {
            let data: Data

            func hash(into hasher: inout Hasher) { data.withBytes { hasher.combine($0) } }
        }

        var isContainer: Bool {
            switch self {
            case .array, .set, .dictionary: true
            default: false
            }
        }
    }

    private var summary: Summary {
        switch self {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .real(let value): .real(value.bitPattern)
        case .real32(let value): .real32(value.bitPattern)
        case .string(let value): .string(value)
        case .date(let value): .date(value.timeIntervalSinceReferenceDate.bitPattern)
        case .data(let value): .data(Summary.Bytes(data: value))
        case .uid(let value): .uid(value)
        case .array(let elements): .array(elements.count)
        case .set(let elements): .set(elements.count)
        case .dictionary(let dictionary): .dictionary(dictionary.count)
        }
    }
}

/// A text that equals only texts of the same bytes, as the keys of an archive do. Swift's strings are equal if Unicode's rules
/// for canonical equivalence make them so, such as the two spellings of "é".
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.withUTF8Span { one in right.text.withUTF8Span { one.equals($0) } }
    }

    package func hash(into hasher: inout Hasher) {
        text.withUTF8Span { hasher.combine($0) }
    }
}

extension String {
    var isASCII: Bool { withUTF8Span { $0.isASCII } }
}
