/// A type whose values can be stored in a sequential archive.
///
/// Numbers, texts, data, dates, URLs, `SequentialCoding` classes, and arrays, sets, dictionaries and optionals of these conform.
/// A C struct can conform too:
///
/// ```swift
/// struct Point: SequentialValue {
///     var x, y: Float
///
///     static let sequentialTypeEncoding: TypeEncoding = "{_NSPoint=ff}"
///
///     func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
///         .structure([.float(x), .float(y)])
///     }
///
///     static func fromSequentialValue(
///         _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
///     ) throws -> Point {
///         guard case .structure(let fields) = value, fields.count == 2, case .float(let x) = fields[0],
///             case .float(let y) = fields[1]
///         else { throw coder.typeMismatchError(Point.self, found: value, of: type) }
///         return Point(x: x, y: y)
///     }
/// }
/// ```
///
/// The names of the members contain "sequential", because String, Int, Data and many other types have them.
public protocol SequentialValue: SendableMetatype {
    /// The type that a value is encoded as by default. The default is an object.
    static var sequentialTypeEncoding: TypeEncoding { get }

    /// Returns the stored form of the value.
    ///
    /// - Throws: `coder.notEncodableError(self, as: type)` if the value cannot be encoded as that type.
    func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value

    /// Creates a value from its stored form.
    ///
    /// - Throws: `coder.typeMismatchError(Self.self, found: value, of: type)` if `value` is not the stored form of such a value.
    static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Self
}

extension SequentialValue {
    /// An object.
    public static var sequentialTypeEncoding: TypeEncoding { .object }
}

// MARK: - Integers

extension SequentialValue where Self: FixedWidthInteger {
    /// Returns a number of any type with a sufficient range, or an NSNumber.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` if the number is out of the type's range.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        if type == .object { return .object(coder.number(self)) }
        if let value = Int64(exactly: self), type.holds(value) { return .integer(value) }
        if let value = UInt64(exactly: self), type.stored(fromUnsigned: value) != nil { return .unsigned(value) }
        throw coder.notEncodableError(self, as: type)
    }

    /// Returns an integer of any type, or of an NSNumber, if it is in the range of this type.
    ///
    /// - Throws: `SequentialCodingError`: `.numberOutOfRange` if it is out of range, `.typeMismatch` for other values,
    ///   `.valueNotFound` for nil.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Self {
        let exact: Self?
        switch value {
        case .integer(let number): exact = Self(exactly: number)
        case .unsigned(let number): exact = Self(exactly: number)
        case .object(let index?): return try coder.number(self, at: index)
        default: throw coder.typeMismatchError(self, found: value, of: type)
        }
        guard let exact else { throw coder.numberOutOfRangeError(self, found: value, of: type) }
        return exact
    }
}

extension Int8: SequentialValue {
    /// `c`.
    public static var sequentialTypeEncoding: TypeEncoding { .character }
}

extension UInt8: SequentialValue {
    /// `C`.
    public static var sequentialTypeEncoding: TypeEncoding { .unsignedCharacter }
}

extension Int16: SequentialValue {
    /// `s`.
    public static var sequentialTypeEncoding: TypeEncoding { .short }
}

extension UInt16: SequentialValue {
    /// `S`.
    public static var sequentialTypeEncoding: TypeEncoding { .unsignedShort }
}

extension Int32: SequentialValue {
    /// `i`.
    public static var sequentialTypeEncoding: TypeEncoding { .int }
}

extension UInt32: SequentialValue {
    /// `I`.
    public static var sequentialTypeEncoding: TypeEncoding { .unsignedInt }
}

extension Int64: SequentialValue {
    /// `q`.
    public static var sequentialTypeEncoding: TypeEncoding { .longLong }
}

extension UInt64: SequentialValue {
    /// `Q`.
    public static var sequentialTypeEncoding: TypeEncoding { .unsignedLongLong }
}

extension Int: SequentialValue {
    /// `q`, as NSInteger is encoded.
    public static var sequentialTypeEncoding: TypeEncoding { .longLong }
}

extension UInt: SequentialValue {
    /// `Q`, as NSUInteger is encoded.
    public static var sequentialTypeEncoding: TypeEncoding { .unsignedLongLong }
}

// MARK: - Bool

extension Bool: SequentialValue {
    /// `c`, as Objective-C's BOOL is encoded on most systems.
    public static var sequentialTypeEncoding: TypeEncoding { .character }

    /// Returns 1 or 0, or an NSNumber.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` if the type is not an integer type.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        switch type {
        case .bool: .unsigned(self ? 1 : 0)
        case .object: .object(coder.number(self))
        default: try (self ? 1 : 0).sequentialValue(as: type, in: coder)
        }
    }

    /// Returns `true` for 1 and `false` for 0.
    ///
    /// - Throws: `SequentialCodingError`: `.numberOutOfRange` for another number, `.typeMismatch` for other values,
    ///   `.valueNotFound` for nil.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Bool {
        switch value {
        case .integer(0), .unsigned(0): return false
        case .integer(1), .unsigned(1): return true
        case .integer, .unsigned: throw coder.numberOutOfRangeError(self, found: value, of: type)
        case .object(let index?): return try coder.number(self, at: index)
        default: throw coder.typeMismatchError(self, found: value, of: type)
        }
    }
}

// MARK: - Floating-point numbers

extension SequentialValue where Self: BinaryFloatingPoint {
    /// Returns a number of the type `f` or `d`, or an NSNumber.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` if the type is another one or cannot represent the number.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        switch type {
        case .float:
            let narrow = Float(self)
            guard Self(narrow) == self || isNaN else { throw coder.notEncodableError(self, as: type) }
            return .float(narrow)
        case .double: return .double(Double(self))
        case .object:
            let own = Self.sequentialTypeEncoding
            return .object(coder.number(own, try sequentialValue(as: own, in: coder)))
        default: throw coder.notEncodableError(self, as: type)
        }
    }

    /// Returns a number of the type `f` or `d` that this type represents exactly, or of an NSNumber.
    ///
    /// - Throws: `SequentialCodingError`: `.numberOutOfRange` if this type cannot represent it, `.typeMismatch` for other values,
    ///   including integers, `.valueNotFound` for nil.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Self {
        switch value {
        case .float(let number): return Self(number)
        case .double(let number):
            let narrow = Self(number)
            guard Double(narrow) == number || number.isNaN else {
                throw coder.numberOutOfRangeError(self, found: value, of: type)
            }
            return narrow
        case .object(let index?): return try coder.number(self, at: index)
        default: throw coder.typeMismatchError(self, found: value, of: type)
        }
    }
}

extension Float: SequentialValue {
    /// `f`.
    public static var sequentialTypeEncoding: TypeEncoding { .float }
}

extension Double: SequentialValue {
    /// `d`.
    public static var sequentialTypeEncoding: TypeEncoding { .double }
}
