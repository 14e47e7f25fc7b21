// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension LinkedFiles {
    package static let sequentialValues: [any Any.Type] = [AttributedTexts.self, AppKitValues.self]
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

// MARK: - Values of this module

/// A value whose stored forms are those in the table of `SequentialValue`.
protocol SequentialStoredValue: SequentialValue {
    func stored(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value

    static func read(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Self
}

extension SequentialStoredValue {
    /// Returns the stored form.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable` if the value cannot be encoded as this type.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        try stored(as: type, in: coder)
    }

    /// Creates a value from its stored form.
    ///
    /// - Throws: `ArchivingError`: `.typeMismatch` for other values, `.valueNotFound` for nil.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Self {
        try read(value, of: type, in: coder)
    }
}

/// A value that is always one object in an archive.
protocol SequentialObjectValue: SequentialStoredValue {
    /// Returns the position of the object that represents the value; nil for nil.
    func position(in coder: SequentialArchiver) throws -> Int?

    static func value(at index: Int, in coder: SequentialUnarchiver) throws -> Self
}

extension SequentialObjectValue {
    func stored(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        guard type == .object else { throw coder.notEncodableError(self, as: type) }
        return .object(try position(in: coder))
    }

    static func read(
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

extension Bool: SequentialStoredValue {
    /// `c`, as Objective-C's BOOL is encoded on most systems.
    public static var sequentialTypeEncoding: TypeEncoding { .character }

    func stored(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        switch type {
        case .bool: .unsigned(self ? 1 : 0)
        case .object: .object(coder.number(self))
        default: try (self ? 1 : 0).sequentialValue(as: type, in: coder)
        }
    }

    static func read(
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

extension String: SequentialStoredValue {
    func stored(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        let bytes = Array(utf8)
        switch type {
        case .object: return .object(coder.string(self))
        case .cString where !bytes.contains(0): return .cString(coder.cStringIndex(of: bytes))
        case .atom, .selector: return .name(bytes)
        case .bytes: return .bytes(bytes)
        default: throw coder.notEncodableError(self, as: type)
        }
    }

    static func read(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> String {
        switch value {
        case .object(let index?): return try coder.string(at: index)
        case .cString(let index?): return try coder.text(coder.stream.cStrings[index])
        case .name(let bytes?), .bytes(let bytes?): return try coder.text(bytes)
        default: throw coder.typeMismatchError(self, found: value, of: type)
        }
    }
}

extension Data: SequentialStoredValue {
    func stored(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        switch type.kind {
        case .object: return .object(coder.data(self))
        case .bytes: return .bytes([UInt8](self))
        case .array(let count, .character) where count == self.count,
            .array(let count, .unsignedCharacter) where count == self.count:
            return .bytes([UInt8](self))
        default: throw coder.notEncodableError(self, as: type)
        }
    }

    static func read(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Data {
        switch value {
        case .object(let index?): return try coder.data(at: index)
        case .bytes(let bytes?): return try coder.counted(Data(bytes))
        default: throw coder.typeMismatchError(self, found: value, of: type)
        }
    }
}

extension Date: SequentialObjectValue {
    func position(in coder: SequentialArchiver) throws -> Int? { coder.date(self) }

    static func value(at index: Int, in coder: SequentialUnarchiver) throws -> Date { try coder.date(at: index) }
}

extension URL: SequentialObjectValue {
    func position(in coder: SequentialArchiver) throws -> Int? { coder.url(self) }

    static func value(at index: Int, in coder: SequentialUnarchiver) throws -> URL { try coder.url(at: index) }
}

// MARK: - Optionals and containers

extension Optional: SequentialValue, SequentialStoredValue where Wrapped: SequentialValue {
    /// The type of the value.
    public static var sequentialTypeEncoding: TypeEncoding { Wrapped.sequentialTypeEncoding }

    func stored(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        if let self { return try self.sequentialValue(as: type, in: coder) }
        switch type {
        case .object: return .object(nil)
        case .cString: return .cString(nil)
        case .atom, .selector: return .name(nil)
        case .bytes: return .bytes(nil)
        default: throw coder.notEncodableError("nil", as: type)
        }
    }

    static func read(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Wrapped? {
        switch value {
        case .object(nil), .cString(nil), .name(nil), .bytes(nil): return nil
        case .object(let index?) where coder.isNull(at: index): return nil
        case .object(let index?) where coder.isSkipped(Wrapped.self, at: index): return nil
        default: return try Wrapped.fromSequentialValue(value, of: type, in: coder)
        }
    }
}

extension Array: SequentialValue, SequentialStoredValue where Element: SequentialValue {
    func stored(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        switch type.kind {
        case .object:
            return .object(try coder.container(.array, count: count, .int, try map { try coder.element($0) }))
        case .array(let wanted, let element) where wanted == count:
            return .array(try map { try $0.sequentialValue(as: element, in: coder) }, of: element)
        case .bytes where Element.self == UInt8.self:
            return .array(try map { try $0.sequentialValue(as: .unsignedCharacter, in: coder) }, of: .unsignedCharacter)
        default: throw coder.notEncodableError(self, as: type)
        }
    }

    static func read(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> [Element] {
        switch (value, type.kind) {
        case (.object(let index?), _): return try coder.array(of: Element.self, at: index)
        case (_, .array(_, let element)):
            guard let values = value.elements(of: element) else {
                throw coder.typeMismatchError(self, found: value, of: type)
            }
            return try coder.elements(values, of: element, as: Element.self)
        case (.bytes(_?), .bytes) where Element.self == UInt8.self:
            return try coder.elements(
                value.elements(of: .unsignedCharacter) ?? [], of: .unsignedCharacter, as: Element.self)
        default: throw coder.typeMismatchError(self, found: value, of: type)
        }
    }
}

extension Set: SequentialValue, SequentialStoredValue, SequentialObjectValue where Element: SequentialValue {
    func position(in coder: SequentialArchiver) throws -> Int? {
        try coder.container(.set, count: count, .unsignedInt, try map { try coder.element($0) })
    }

    static func value(at index: Int, in coder: SequentialUnarchiver) throws -> Set<Element> {
        try coder.set(of: Element.self, at: index)
    }
}

extension Dictionary: SequentialValue, SequentialStoredValue, SequentialObjectValue
where Key: SequentialValue, Value: SequentialValue {
    func position(in coder: SequentialArchiver) throws -> Int? {
        let contents = try flatMap { [try coder.element($0.key), try coder.element($0.value)] }
        return try coder.container(.dictionary, count: count, .int, contents)
    }

    static func value(at index: Int, in coder: SequentialUnarchiver) throws -> [Key: Value] {
        try coder.dictionary(of: Key.self, Value.self, at: index)
    }
}
