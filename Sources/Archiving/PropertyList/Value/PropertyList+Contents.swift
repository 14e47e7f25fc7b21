// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Contents

/// Accesses the contents of a value of one kind; each property is `nil` for other kinds. Nothing is converted, except
/// between kinds of numbers if the value stays the same.
///
/// ```swift
/// let list = try PropertyList(data)
/// let name = list["$archiver"]?.string
/// let count = list["$objects"]?.array?.count
/// ```
extension PropertyList {
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The Boolean value.
    public var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The integer; `nil` if it does not fit into an `Int`.
    public var integer: Int? {
        if case .integer(let value) = self { Int(exactly: value) } else { nil }
    }

    /// The number as a 64-bit real; `nil` for an integer that `Double` cannot represent exactly.
    public var double: Double? {
        switch self {
        case .real(let value): value
        case .real32(let value): Double(value)
        case .integer(let value): Double(exactly: value)
        default: nil
        }
    }

    /// The string.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The bytes.
    public var data: Data? {
        if case .data(let value) = self { value } else { nil }
    }

    /// The point in time.
    public var date: Date? {
        if case .date(let value) = self { value } else { nil }
    }

    /// The uid: the number of the referenced object.
    public var uid: UInt32? {
        if case .uid(let value) = self { value } else { nil }
    }

    /// The values of the array.
    public var array: [PropertyList]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The values by their keys.
    public var dictionary: Dictionary? {
        if case .dictionary(let value) = self { value } else { nil }
    }
}

extension PropertyList {
    /// Returns the list with its leaves replaced by `transform`, in order, without recursion.
    package func mapLeaves<Failure: Error>(
        _ transform: (PropertyList) throws(Failure) -> PropertyList
    ) throws(Failure) -> PropertyList {
        try mapped(leaf: transform) { list, values throws(Failure) in list.with(values) }
    }

    /// Returns the list with its leaves and containers replaced. `container` gets each container and its new values.
    package func mapped<Failure: Error>(
        leaf transform: (PropertyList) throws(Failure) -> PropertyList,
        container: (PropertyList, [PropertyList]) throws(Failure) -> PropertyList
    ) throws(Failure) -> PropertyList {
        guard childCount != nil else { return try transform(self) }
        var levels = [MappingLevel(container: self, count: childCount ?? 0)]
        while true {
            let last = levels.count - 1
            let position = levels[last].made.count
            if position < levels[last].count {
                let child = levels[last].container.child(position)
                if let count = child.childCount {
                    levels.append(MappingLevel(container: child, count: count))
                } else {
                    levels[last].made.append(try transform(child))
                }
            } else {
                let result = try container(levels[last].container, levels[last].made)
                levels.removeLast()
                guard !levels.isEmpty else { return result }
                levels[last - 1].made.append(result)
            }
        }
    }

    package func forEachLeaf(_ body: (PropertyList) -> Void, key: (String) -> Void = { _ in }) {
        var remaining = [self]
        while let value = remaining.popLast() {
            switch value {
            case .array(let elements), .set(let elements): remaining += elements
            case .dictionary(let entries):
                for (name, value) in entries {
                    key(name)
                    remaining.append(value)
                }
            default: body(value)
            }
        }
    }

    var childCount: Int? {
        switch self {
        case .array(let elements), .set(let elements): elements.count
        case .dictionary(let entries): entries.count
        default: nil
        }
    }

    func child(_ position: Int) -> PropertyList {
        switch self {
        case .array(let elements), .set(let elements): elements[position]
        case .dictionary(let entries): entries[position].value
        default: self
        }
    }

    package func with(_ values: [PropertyList]) -> PropertyList {
        switch self {
        case .array: return .array(values)
        case .set: return .set(values)
        case .dictionary(let entries):
            var made = PropertyList.Dictionary()
            for (entry, value) in zip(entries, values) { made.append(key: entry.key, value: value) }
            return .dictionary(made)
        default: return self
        }
    }
}

private struct MappingLevel {
    let container: PropertyList
    let count: Int
    var made: [PropertyList] = []
}
