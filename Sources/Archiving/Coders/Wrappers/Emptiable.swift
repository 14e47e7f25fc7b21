// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A type with an empty value: that of a property without a value in the archive (``DefaultEmpty``), of references
/// (``References``) until their instances are decoded, or of a part of an archive that cannot be read.
///
/// Optionals, collections, strings and data conform. A custom collection or option set conforms without any code:
/// `extension Permissions: Emptiable {}`.
public protocol Emptiable {
    /// Creates the empty value.
    init()
}

extension Optional: Emptiable {
    /// Creates `nil`.
    public init() { self = nil }
}

extension Array: Emptiable {}
extension ContiguousArray: Emptiable {}
extension Set: Emptiable {}
extension Dictionary: Emptiable {}
extension String: Emptiable {}
extension Data: Emptiable {}

// MARK: - Absent values

/// A type with a value that coders omit, and that an absent value gets: an optional, or a wrapper.
package protocol AbsentValue: SendableMetatype {
    static var absent: Self { get }
    var isAbsent: Bool { get }
}

extension AbsentValue where Self: Emptiable {
    package static var absent: Self { Self() }
}

extension Optional: AbsentValue {
    package var isAbsent: Bool { self == nil }
}

extension Reference: AbsentValue {
    package static var absent: Self { Reference() }
    package var isAbsent: Bool { wrappedValue == nil }
}

extension WeakReference: AbsentValue {
    package static var absent: Self { WeakReference() }
    package var isAbsent: Bool { isEmpty }
}

extension Coded: AbsentValue where Value: AbsentValue {
    package static var absent: Self { Coded(Value.absent) }
    package var isAbsent: Bool { wrappedValue.isAbsent }
}

extension Polymorphic: AbsentValue where Value: AbsentValue {
    package static var absent: Self { Polymorphic(wrappedValue: Value.absent) }
    package var isAbsent: Bool { wrappedValue.isAbsent }
}

extension Default: AbsentValue {
    package static var absent: Self { Default() }
    package var isAbsent: Bool { false }
}

/// Returns `type` if an absent value has one of its values; nil if absence is an error.
func absentValueType(_ type: any Any.Type) -> (any AbsentValue.Type)? {
    // Without a look-up for types of the program and for the most frequent others, none of which conforms.
    NativeTypes.leaf(type) == nil && NativeTypes.mayInclude(type) ? type as? any AbsentValue.Type : nil
}

func absentValue<Value>(of type: any AbsentValue.Type) -> Value {
    guard let value = type.absent as? Value else { preconditionFailure("\(type) is not \(Value.self)") }
    return value
}

func isAbsent(_ value: Any) -> Bool { (value as? any AbsentValue)?.isAbsent ?? false }
