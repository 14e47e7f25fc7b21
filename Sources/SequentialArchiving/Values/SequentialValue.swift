// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

extension LinkedFiles {
    package static let sequentialValues: [any Any.Type] = [
        AttributedTexts.self, AppKitValues.self, ParagraphStyles.self,
    ]
}

/// A type whose values can be stored in a sequential archive.
///
/// These types conform. Each can be encoded as the types in the table, the first of which is its default, and is decoded from any of
/// them:
///
/// | type | as |
/// |---|---|
/// | integers, `Bool` | the numbers that can hold the value, of a default type with its size (`c` for a `Bool`); an NSNumber, `@` |
/// | `Float`, `Double` | `f` and `d`, if they represent the value exactly; an NSNumber |
/// | `String` | an NSString; `*`, `%`, `:` and `+` in UTF-8 |
/// | `Data` | an NSData; `+`, and arrays of `c` or `C` |
/// | `Date`, `URL`, sets, dictionaries, `AttributedText` | NSDate, NSURL, NSSet, NSDictionary, NSAttributedString |
/// | its fonts, colors, paragraph styles | NSFont, NSColor, NSParagraphStyle, with numbers rounded to `Float` |
/// | arrays | an NSArray; an array of the same length. An NSSet can be decoded as an array |
/// | `SequentialCoding` classes | an object |
/// | optionals | as the value; nil as null of the types that have one |
///
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

// MARK: - Objects

/// A value that is always one object in an archive.
protocol SequentialObjectValue: SequentialValue {
    /// Returns the position of the object that represents the value; nil for nil.
    func position(in coder: SequentialArchiver) throws -> Int?

    /// Returns the value of the object at a position.
    static func value(at index: Int, in coder: SequentialUnarchiver) throws -> Self
}

extension SequentialObjectValue {
    /// The position of the object, as the value of an object.
    ///
    /// - Throws: An error if `type` is not that of an object.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        guard type == .object else { throw coder.notEncodableError(self, as: type) }
        return .object(try position(in: coder))
    }

    /// Returns the value of the object at the position in `value`.
    ///
    /// - Throws: An error if `value` is no object, or the object has another form.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Self {
        guard case .object(let index?) = value else { throw coder.typeMismatchError(self, found: value, of: type) }
        return try self.value(at: index, in: coder)
    }
}

// MARK: - Integers

extension SequentialValue where Self: FixedWidthInteger {
    /// The type with the size of the integer: `c`, `s`, `i` or `q`, in uppercase if it is unsigned.
    public static var sequentialTypeEncoding: TypeEncoding {
        switch bitWidth {
        case 8: isSigned ? .character : .unsignedCharacter
        case 16: isSigned ? .short : .unsignedShort
        case 32: isSigned ? .int : .unsignedInt
        default: isSigned ? .longLong : .unsignedLongLong
        }
    }

    /// Returns a number of any type with a sufficient range, or an NSNumber.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable` if the number is out of the type's range.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        if type == .object { return .object(coder.number(self)) }
        if let value = Int64(exactly: self), type.holds(value) { return .integer(value) }
        if let value = UInt64(exactly: self), type.stored(fromUnsigned: value) != nil { return .unsigned(value) }
        throw coder.notEncodableError(self, as: type)
    }

    /// Returns an integer of any type, or of an NSNumber, if it is in the range of this type.
    ///
    /// - Throws: `ArchivingError`: `.numberOutOfRange` if it is out of range, `.typeMismatch` for other values,
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

extension Int8: SequentialValue {}
extension UInt8: SequentialValue {}
extension Int16: SequentialValue {}
extension UInt16: SequentialValue {}
extension Int32: SequentialValue {}
extension UInt32: SequentialValue {}
extension Int64: SequentialValue {}
extension UInt64: SequentialValue {}
extension Int: SequentialValue {}
extension UInt: SequentialValue {}

// MARK: - Bool

extension Bool: SequentialValue {
    /// `c`, as Objective-C's BOOL is encoded on most systems.
    public static var sequentialTypeEncoding: TypeEncoding { .character }

    /// Returns 1 or 0, or an NSNumber.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable` if the type is not an integer type.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        switch type {
        case .bool: .unsigned(self ? 1 : 0)
        case .object: .object(coder.number(self))
        default: try (self ? 1 : 0).sequentialValue(as: type, in: coder)
        }
    }

    /// Returns `true` for 1 and `false` for 0.
    ///
    /// - Throws: `ArchivingError`: `.numberOutOfRange` for another number, `.typeMismatch` for other values,
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
    /// `f` for a `Float`, `d` for a `Double`.
    public static var sequentialTypeEncoding: TypeEncoding { Self.self == Float.self ? .float : .double }

    /// Returns a number of the type `f` or `d`, or an NSNumber.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable` if the type is another one or cannot represent the number.
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
    /// - Throws: `ArchivingError`: `.numberOutOfRange` if this type cannot represent it, `.typeMismatch` for other values,
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

extension Float: SequentialValue {}
extension Double: SequentialValue {}
