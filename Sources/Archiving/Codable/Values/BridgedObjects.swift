#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What an object of one of Foundation's classes is in Swift, such as those that `JSONSerialization` and property lists give.
///
/// On Linux those classes are in the full Foundation, which is not loaded for this. They are known by their names, and casts
/// turn the objects into values: a program that has such an object has the conformances that casts look for as well.
enum BridgedObject {
    /// NSNull.
    case null
    case value(Any)

    /// What `value` is; nil where it is no object of one of those classes.
    init?(_ value: Any) {
        // To cast anything else to AnyHashable would go through all that an array holds.
        let object = type(of: value) == AnyHashable.self ? (value as? AnyHashable)?.base ?? value : value
        guard let type = type(of: object) as? AnyClass else { return nil }
        let names = Self.classNames(type)
        if names.contains("NSNull") {
            self = .null
        } else if names.contains("NSNumber") {
            guard let number = Self.number(object, names) else { return nil }
            self = .value(number)
        } else if !names.contains("NSCountedSet"), let bridged = Self.bridged(object) {
            // The counts of a counted set would be lost.
            self = .value(bridged)
        } else {
            return nil
        }
    }

    /// The names of `type` and the classes that it inherits from.
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

    /// The number that `object`, an NSNumber, has: as the kind that it was made of.
    private static func number(_ object: Any, _ names: Set<String>) -> Any? {
        if names.contains("NSDecimalNumber") { return object as? Decimal }
        if names.contains("__NSCFBoolean") { return object as? Bool }
        if isReal(object) { return object as? Double }
        if let value = object as? Int64 { return value }
        if let value = object as? UInt64 { return value }
        return object as? Double
    }

    /// Whether `object`, an NSNumber, was made of a real number. Casts do not tell: 3.0 can be cast to an integer.
    private static func isReal(_ object: Any) -> Bool {
        #if canImport(FoundationEssentials)
            // The text of a real number has a point, an exponent, or is that of infinity or none.
            return !"\(object)".allSatisfy { $0.isNumber || $0 == "-" }
        #else
            guard let number = object as? NSNumber else { return false }
            return ["f", "d"].contains(String(cString: number.objCType))
        #endif
    }
}
