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
    /// Whether this is the null of the binary format.
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
