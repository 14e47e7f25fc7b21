#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension String: SequentialValue {
    /// `@`: an NSString.
    public static var sequentialTypeEncoding: TypeEncoding { .object }

    /// An NSString, a C string, an atom, the name of a method, or bytes; always in UTF-8.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` where the type is another one, or is that of C strings and
    ///   the text has a zero in it.
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

    /// The text of any of those.
    ///
    /// Bytes that are no UTF-8 are those of NeXT's systems, and read as such; only an NSString is always UTF-8.
    ///
    /// - Throws: `SequentialCodingError`: `.typeMismatch` where something else is there, `.valueNotFound` where nil is.
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
    /// `@`: an NSData.
    public static var sequentialTypeEncoding: TypeEncoding { .object }

    /// An NSData, or bytes.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` where the type is another one.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        switch type {
        case .object: return .object(coder.data(self))
        case .bytes: return .bytes([UInt8](self))
        case .array(let count, .character) where count == self.count,
            .array(let count, .unsignedCharacter) where count == self.count:
            return .bytes([UInt8](self))
        default: throw coder.notEncodableError(self, as: type)
        }
    }

    /// The bytes of any of those.
    ///
    /// - Throws: `SequentialCodingError`: `.typeMismatch` where something else is there, `.valueNotFound` where nil is.
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

extension Date: SequentialValue {
    /// `@`: an NSDate.
    public static var sequentialTypeEncoding: TypeEncoding { .object }

    /// An NSDate.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` where the type is another one.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        guard type == .object else { throw coder.notEncodableError(self, as: type) }
        return .object(coder.date(self))
    }

    /// That of an NSDate.
    ///
    /// - Throws: `SequentialCodingError`: `.typeMismatch` where something else is there, `.valueNotFound` where nil is.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Date {
        guard case .object(let index?) = value else { throw coder.typeMismatchError(self, found: value, of: type) }
        return try coder.date(at: index)
    }
}

extension URL: SequentialValue {
    /// `@`: an NSURL.
    public static var sequentialTypeEncoding: TypeEncoding { .object }

    /// An NSURL.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` where the type is another one.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        guard type == .object else { throw coder.notEncodableError(self, as: type) }
        return .object(coder.url(self))
    }

    /// That of an NSURL, with its base.
    ///
    /// - Throws: `SequentialCodingError`: `.typeMismatch` where something else is there, `.valueNotFound` where nil is.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> URL {
        guard case .object(let index?) = value else { throw coder.typeMismatchError(self, found: value, of: type) }
        return try coder.url(at: index)
    }
}

// MARK: - Optionals and containers

extension Optional: SequentialValue where Wrapped: SequentialValue {
    /// That of the value.
    public static var sequentialTypeEncoding: TypeEncoding { Wrapped.sequentialTypeEncoding }

    /// The value, or nothing, which objects, classes, texts and bytes can be.
    ///
    /// - Throws: What the value throws; `SequentialCodingError.Code.notEncodable` where there is none, and the type has
    ///   no nil.
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

    /// The value; nil where there is none, and for the NSNull that stands for nil in containers.
    ///
    /// - Throws: What reading the value throws.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Wrapped? {
        switch value {
        case .object(nil), .cString(nil), .name(nil), .bytes(nil): return nil
        case .object(let index?) where coder.isNull(at: index): return nil
        case .object(let index?) where try coder.isSkipped(Wrapped.self, at: index): return nil
        default: return try Wrapped.fromSequentialValue(value, of: type, in: coder)
        }
    }
}

extension Array: SequentialValue where Element: SequentialValue {
    /// `@`: an NSArray.
    public static var sequentialTypeEncoding: TypeEncoding { .object }

    /// An NSArray, or an array of C.
    ///
    /// - Throws: What the elements throw; `SequentialCodingError.Code.notEncodable` where the type is another one, or
    ///   an array of another length.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        switch type {
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

    /// The elements of either, or those of an NSSet.
    ///
    /// - Throws: What reading an element throws; `SequentialCodingError`: `.typeMismatch` where something else is
    ///   there, `.valueNotFound` where nil is.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> [Element] {
        switch (value, type) {
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

extension Set: SequentialValue where Element: SequentialValue {
    /// `@`: an NSSet.
    public static var sequentialTypeEncoding: TypeEncoding { .object }

    /// An NSSet.
    ///
    /// - Throws: What the elements throw; `SequentialCodingError.Code.notEncodable` where the type is another one.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        guard type == .object else { throw coder.notEncodableError(self, as: type) }
        return .object(try coder.container(.set, count: count, .unsignedInt, try map { try coder.element($0) }))
    }

    /// The elements of an NSSet.
    ///
    /// - Throws: What reading an element throws; `SequentialCodingError`: `.typeMismatch` where something else is
    ///   there, `.valueNotFound` where nil is.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> Set<Element> {
        guard case .object(let index?) = value else { throw coder.typeMismatchError(self, found: value, of: type) }
        return try coder.set(of: Element.self, at: index)
    }
}

extension Dictionary: SequentialValue where Key: SequentialValue, Value: SequentialValue {
    /// `@`: an NSDictionary.
    public static var sequentialTypeEncoding: TypeEncoding { .object }

    /// An NSDictionary.
    ///
    /// - Throws: What the keys and values throw; `SequentialCodingError.Code.notEncodable` where the type is another
    ///   one.
    public func sequentialValue(as type: TypeEncoding, in coder: SequentialArchiver) throws -> TypedStream.Value {
        guard type == .object else { throw coder.notEncodableError(self, as: type) }
        let contents = try flatMap { [try coder.element($0.key), try coder.element($0.value)] }
        return .object(try coder.container(.dictionary, count: count, .int, contents))
    }

    /// The keys and values of an NSDictionary.
    ///
    /// - Throws: What reading a key or a value throws; `SequentialCodingError`: `.typeMismatch` where something else is
    ///   there, `.valueNotFound` where nil is.
    public static func fromSequentialValue(
        _ value: TypedStream.Value, of type: TypeEncoding, in coder: SequentialUnarchiver
    ) throws -> [Key: Value] {
        guard case .object(let index?) = value else { throw coder.typeMismatchError(self, found: value, of: type) }
        return try coder.dictionary(of: Key.self, Value.self, at: index)
    }
}

extension TypedStream.Value {
    /// The bytes of a run, as a value of the type `+`.
    fileprivate var asBytes: TypedStream.Value { .bytes(bytes) }
}
