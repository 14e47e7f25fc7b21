/// A type whose values can stand in a sequential archive.
///
/// Numbers, texts, data, dates, URLs, arrays, sets, dictionaries, optionals of those, and `SequentialCoding` classes are
/// such types. A struct of C can be made one:
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
/// String, Int, Data and many more types have these members, so each says in its name what it is for.
public protocol SequentialValue: SendableMetatype {
    /// The type that a value is encoded as unless the program says another one.
    static var sequentialTypeEncoding: TypeEncoding { get }

    /// The value as it stands in the archive.
    ///
    /// - Throws: `coder.notEncodableError(self, as: type)` where it cannot be encoded as that type.
    func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value

    /// A value that stands in the archive.
    ///
    /// - Throws: `coder.typeMismatchError(Self.self, found: value, of: type)` where it is no value of this type.
    static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Self
}

// MARK: - Integers

extension SequentialValue where Self: FixedWidthInteger {
    /// A number of any type that holds it, or an NSNumber.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` where the type does not hold it.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        if type == .object { return .object(coder.number(self)) }
        if let value = Int64(exactly: self), type.holds(value) { return .integer(value) }
        if let value = UInt64(exactly: self), type.stored(fromUnsigned: value) != nil { return .unsigned(value) }
        throw coder.notEncodableError(self, as: type)
    }

    /// An integer of any type, if this one holds it, or that of an NSNumber.
    ///
    /// - Throws: `SequentialCodingError`: `.numberOutOfRange` where this type does not hold it, `.typeMismatch` where
    ///   something else is there, `.valueNotFound` where nil is.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Self {
        switch value {
        case .integer(let number):
            guard let exact = Self(exactly: number) else {
                throw coder.numberOutOfRangeError(self, found: value, of: type)
            }
            return exact
        case .unsigned(let number):
            guard let exact = Self(exactly: number) else {
                throw coder.numberOutOfRangeError(self, found: value, of: type)
            }
            return exact
        case .object(let index?): return try coder.number(self, at: index)
        default: throw coder.typeMismatchError(self, found: value, of: type)
        }
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

    /// 1 or 0, or an NSNumber.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` where the type is no integer.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        switch type {
        case .bool: .unsigned(self ? 1 : 0)
        case .object: .object(coder.number(self))
        default: try (self ? 1 : 0).sequentialValue(as: type, in: coder)
        }
    }

    /// Whether it is 1; any number but 1 and 0 is an error.
    ///
    /// - Throws: `SequentialCodingError`: `.numberOutOfRange` where it is another number, `.typeMismatch` where
    ///   something else is there, `.valueNotFound` where nil is.
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

// MARK: - Numbers with a fraction

extension Float: SequentialValue {
    /// `f`.
    public static var sequentialTypeEncoding: TypeEncoding { .float }

    /// A number of the type `f` or `d`, or an NSNumber.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` where the type is another one.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        switch type {
        case .float: .float(self)
        case .double: .double(Double(self))
        case .object: .object(coder.number(self))
        default: throw coder.notEncodableError(self, as: type)
        }
    }

    /// A number of the type `f`, or one of the type `d` that a Float holds exactly, or that of an NSNumber.
    ///
    /// - Throws: `SequentialCodingError`: `.numberOutOfRange` where a Float does not hold it, `.typeMismatch` where
    ///   something else is there, an integer included, `.valueNotFound` where nil is.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Float {
        switch value {
        case .float(let number): return number
        case .double(let number):
            let narrow = Float(number)
            guard Double(narrow) == number || number.isNaN else {
                throw coder.numberOutOfRangeError(self, found: value, of: type)
            }
            return narrow
        case .object(let index?): return try coder.number(self, at: index)
        default: throw coder.typeMismatchError(self, found: value, of: type)
        }
    }
}

extension Double: SequentialValue {
    /// `d`.
    public static var sequentialTypeEncoding: TypeEncoding { .double }

    /// A number of the type `d`, or of the type `f` if that holds it exactly, or an NSNumber.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` where the type is another one, or does not hold it.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        switch type {
        case .double: return .double(self)
        case .float:
            let narrow = Float(self)
            guard Double(narrow) == self || isNaN else { throw coder.notEncodableError(self, as: type) }
            return .float(narrow)
        case .object: return .object(coder.number(self))
        default: throw coder.notEncodableError(self, as: type)
        }
    }

    /// A number of the type `d` or `f`, or that of an NSNumber.
    ///
    /// - Throws: `SequentialCodingError`: `.typeMismatch` where something else is there, an integer included,
    ///   `.valueNotFound` where nil is.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Double {
        switch value {
        case .double(let number): return number
        case .float(let number): return Double(number)
        case .object(let index?): return try coder.number(self, at: index)
        default: throw coder.typeMismatchError(self, found: value, of: type)
        }
    }
}
