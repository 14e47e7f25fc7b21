// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The Swift value of an object of one of Foundation's classes, such as the results of `JSONSerialization` and property
/// lists.
///
/// On Linux these classes are in the full Foundation, which this code must not load. It identifies them by name and
/// converts the objects with casts. A program that has such an object also has the conformances that the casts need.
enum BridgedObject {
    case null
    case value(Any)

    init?(_ value: Any) {
        // Only this: a cast of another value to AnyHashable would visit all elements of an array.
        let object = type(of: value) == AnyHashable.self ? (value as? AnyHashable)?.base ?? value : value
        guard let type = type(of: object) as? AnyClass else { return nil }
        let names = Self.classNames(type)
        if names.contains("NSNull") {
            self = .null
        } else if names.contains("NSNumber") {
            guard let number = Self.number(object, names) else { return nil }
            self = .value(number)
        } else if !names.contains("NSCountedSet"), let bridged = Self.bridged(object) {
            // A counted set would lose its counts.
            self = .value(bridged)
        } else {
            return nil
        }
    }

    private static func classNames(_ type: AnyClass) -> Set<String> {
        var names: Set<String> = []
        var next: AnyClass? = type
        while let type = next {
            names.insert(_typeName(type, qualified: false))
            next = _getSuperclass(type)
        }
        return names
    }

    private static func bridged(_ object: Any) -> Any? {
        if let value = object as? String { return value }
        if let value = object as? [Any] { return value }
        if let value = object as? [AnyHashable: Any] { return value }
        if let value = object as? Set<AnyHashable> { return value }
        if let value = object as? Data { return value }
        if let value = object as? Date { return value }
        if let value = object as? URL { return value }
        if let value = object as? UUID { return value }
        return nil
    }

    private static func number(_ object: Any, _ names: Set<String>) -> Any? {
        if names.contains("NSDecimalNumber") { return object as? Decimal }
        if names.contains("__NSCFBoolean") { return object as? Bool }
        if isReal(object) { return object as? Double }
        if let value = object as? Int64 { return value }
        if let value = object as? UInt64 { return value }
        return object as? Double
    }

    /// Returns whether `object`, an NSNumber, was created from a real number. A cast cannot decide: 3.0 also casts to
    /// an integer.
    private static func isReal(_ object: Any) -> Bool {
        #if canImport(FoundationEssentials)
            // The text of a real number has a point or an exponent, or is that of infinity or NaN.
            return !"\(object)".allSatisfy { $0.isNumber || $0 == "-" }
        #else
            return (object as? NSNumber).map(LoadedFoundation.isReal) ?? false
        #endif
    }
}
