// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension String: SequentialValue {
    /// Returns an NSString, a C string, an atom, the name of a method, or bytes, always in UTF-8.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable` if the type is another one, or if the type is that of C strings and
    ///   the text contains a zero character.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        let bytes = Array(utf8)
        switch type {
        case .object: return .object(coder.string(self))
        case .cString where !bytes.contains(0): return .cString(coder.cStringIndex(of: bytes))
        case .atom, .selector: return .name(bytes)
        case .bytes: return .bytes(bytes)
        default: throw coder.notEncodableError(self, as: type)
        }
    }

    /// Returns the text of such a value.
    ///
    /// Bytes that are not valid UTF-8 are read in the 8-bit encoding of NeXT's systems. An NSString is always UTF-8.
    ///
    /// - Throws: `ArchivingError`: `.typeMismatch` for other values, `.valueNotFound` for nil.
    public static func fromSequentialValue(
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

extension Data: SequentialValue {
    /// Returns an NSData, or bytes.
    ///
    /// - Throws: `ArchivingError.Code.notEncodable` if the type is another one.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        switch type.kind {
        case .object: return .object(coder.data(self))
        case .bytes: return .bytes([UInt8](self))
        case .array(let count, .character) where count == self.count,
            .array(let count, .unsignedCharacter) where count == self.count:
            return .bytes([UInt8](self))
        default: throw coder.notEncodableError(self, as: type)
        }
    }

    /// Returns the bytes of such a value.
    ///
    /// - Throws: `ArchivingError`: `.typeMismatch` for other values, `.valueNotFound` for nil.
    public static func fromSequentialValue(
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

extension Optional: SequentialValue where Wrapped: SequentialValue {
    /// The type of the value.
    public static var sequentialTypeEncoding: TypeEncoding { Wrapped.sequentialTypeEncoding }

    /// Returns the value, or null, which objects, classes, texts and bytes can be.
    ///
    /// - Throws: The errors of the value; `ArchivingError.Code.notEncodable` if the value is `nil` and the type has no
    ///   null.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        if let self { return try self.sequentialValue(as: type, in: coder) }
        switch type {
        case .object: return .object(nil)
        case .cString: return .cString(nil)
        case .atom, .selector: return .name(nil)
        case .bytes: return .bytes(nil)
        default: throw coder.notEncodableError("nil", as: type)
        }
    }

    /// Returns the value; `nil` for null and for the NSNull that represents nil in containers.
    ///
    /// - Throws: The errors of the value.
    public static func fromSequentialValue(
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

extension Array: SequentialValue where Element: SequentialValue {
    /// Returns an NSArray or a C array.
    ///
    /// - Throws: The errors of the elements; `ArchivingError.Code.notEncodable` if the type is another one, or an array of
    ///   another length.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        switch type.kind {
        case .object:
            return .object(try coder.container(.array, count: count, .int, try map { try coder.element($0) }))
        case .array(let wanted, let element) where wanted == count:
            return .array(try map { try $0.sequentialValue(as: element, in: coder) }, of: element)
        case .bytes where Element.self == UInt8.self:
            return .array(try map { try $0.sequentialValue(as: .unsignedCharacter, in: coder) }, of: .unsignedCharacter)
                .asBytes
        default: throw coder.notEncodableError(self, as: type)
        }
    }

    /// Returns the elements of an NSArray, a C array or an NSSet.
    ///
    /// - Throws: The errors of the elements; `ArchivingError`: `.typeMismatch` for other values, `.valueNotFound` for nil.
    public static func fromSequentialValue(
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

extension Set: SequentialValue, SequentialObjectValue where Element: SequentialValue {
    func position(in coder: SequentialArchiver) throws -> Int? {
        try coder.container(.set, count: count, .unsignedInt, try map { try coder.element($0) })
    }

    static func value(at index: Int, in coder: SequentialUnarchiver) throws -> Set<Element> {
        try coder.set(of: Element.self, at: index)
    }
}

extension Dictionary: SequentialValue, SequentialObjectValue where Key: SequentialValue, Value: SequentialValue {
    func position(in coder: SequentialArchiver) throws -> Int? {
        let contents = try flatMap { [try coder.element($0.key), try coder.element($0.value)] }
        return try coder.container(.dictionary, count: count, .int, contents)
    }

    static func value(at index: Int, in coder: SequentialUnarchiver) throws -> [Key: Value] {
        try coder.dictionary(of: Key.self, Value.self, at: index)
    }
}

extension TypedStream.Value {
    /// The bytes of a run, as a value of the type `+`.
    fileprivate var asBytes: TypedStream.Value { .bytes(bytes) }
}
