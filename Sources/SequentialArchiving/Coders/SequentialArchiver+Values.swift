import Archiving

// MARK: - Single values

extension SequentialArchiver {
    /// Encodes a value as the type that it has unless another one is said: a group of its own.
    ///
    /// - Throws: `SequentialCodingError.Code.notEncodable` where the value does not fit its type; at the top of the archive also
    ///   what `encode(with:)` of an object throws.
    public func encode<Value: SequentialValue>(_ value: Value) throws {
        try encode(value, as: Value.sequentialTypeEncoding)
    }

    /// Encodes a value as a type that the program says: a group of its own. Cocoa's `encodeValue(ofObjCType:at:)`.
    ///
    /// ```swift
    /// try archiver.encode(flags, as: .unsignedInt)
    /// try archiver.encode("attributes", as: .cString)
    /// ```
    ///
    /// - Throws: As `encode(_:)`.
    public func encode<Value: SequentialValue>(_ value: Value, as type: TypeEncoding) throws {
        try checkOpen()
        try append(type, value.sequentialValue(as: type, in: self))
    }

    /// Encodes an instance of a class that is known only when the program runs, or nil.
    ///
    /// - Throws: As `encode(_:)`.
    @_disfavoredOverload
    public func encode(_ object: (any SequentialCoding)?) throws {
        try checkOpen()
        try append(.object, .object(object.flatMap { index(of: $0) }))
    }

    /// Encodes the object that the archive is about. There is one in an archive.
    ///
    /// - Throws: As `encode(_:)`.
    public func encodeRootObject<Root: SequentialValue>(_ root: Root) throws {
        countRoot()
        try encode(root, as: .object)
    }

    /// Encodes a reference to `object` that does not put it into the archive: it leads to the object if anything else
    /// encodes it, before or after, and is nil otherwise.
    ///
    /// A view encodes its superview like this, so that a part of a window can be archived without the rest.
    ///
    /// - Throws: As `encode(_:)`.
    public func encodeConditional(_ object: (any SequentialCoding)?) throws {
        try checkOpen()
        try append(.object, .object(object.flatMap { conditionalIndex(of: $0) }))
    }

    /// Encodes a class by its name: the type `#`.
    ///
    /// - Throws: As `encode(_:)`.
    public func encodeClass(_ type: (any SequentialCoding.Type)?) throws {
        try checkOpen()
        try append(.class, .class(type.map { classIndex(of: $0) }))
    }
}

// MARK: - Several values in one group

extension SequentialArchiver {
    /// Encodes several values as one group, as one call of Cocoa's `encodeValuesOfObjCTypes` does. They have to be decoded
    /// by one call as well.
    ///
    /// ```swift
    /// try archiver.encodeValues("iI", index, length)
    /// ```
    ///
    /// - Parameters:
    ///   - types: A type for each value, as Objective-C's `@encode` writes them.
    ///   - values: The values.
    /// - Throws: As `encode(_:)`, and `TypedStreamError` where the types are none. Traps where there are more types than
    ///   values, or fewer.
    public func encodeValues<each Value: SequentialValue>(_ types: String, _ values: repeat each Value) throws {
        try checkOpen()
        let types = try TypeEncoding.list(types)
        var count = 0
        for _ in repeat each values { count += 1 }
        require(
            types.count == count, "\(count) values, and \(types.count) types in \"\(TypeEncoding.text(of: types))\"")
        var encoded: [TypedStream.Value] = []
        for value in repeat each values {
            encoded.append(try value.sequentialValue(as: types[encoded.count], in: self))
        }
        try append(types, encoded)
    }

    /// Encodes the elements as one array of C, such as `[3i]`. Cocoa's `encodeArray(ofObjCType:count:at:)`.
    ///
    /// An array that is encoded with `encode(_:)` is an object, `NSArray`.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - type: The type that each of them has; its own unless the program says another one.
    /// - Throws: As `encode(_:)`.
    public func encodeArray<Element: SequentialValue>(_ elements: [Element], of type: TypeEncoding? = nil) throws {
        try checkOpen()
        let type = type ?? Element.sequentialTypeEncoding
        let values = try elements.map { try $0.sequentialValue(as: type, in: self) }
        try append(.array(count: elements.count, of: type), .array(values, of: type))
    }

    /// Encodes bytes with their number: the type `+`. Cocoa's `encodeBytes(_:length:)`.
    ///
    /// - Throws: As `encode(_:)`.
    public func encodeBytes(_ bytes: [UInt8]) throws {
        try checkOpen()
        try append(.bytes, .bytes(bytes))
    }
}

extension TypedStream.Value {
    /// The elements of an array: bytes where they are those.
    static func array(_ values: [TypedStream.Value], of type: TypeEncoding) -> TypedStream.Value {
        guard type == .character || type == .unsignedCharacter else { return .array(values) }
        return .bytes(
            values.map {
                switch $0 {
                case .integer(let number): UInt8(truncatingIfNeeded: number)
                case .unsigned(let number): UInt8(truncatingIfNeeded: number)
                default: 0
                }
            })
    }

    /// The elements of an array of `type`; nil where it is none.
    func elements(of type: TypeEncoding) -> [TypedStream.Value]? {
        switch (self, type) {
        case (.array(let values), _): values
        case (.bytes(let bytes?), .character): bytes.map { .integer(Int64(Int8(bitPattern: $0))) }
        case (.bytes(let bytes?), .unsignedCharacter): bytes.map { .unsigned(UInt64($0)) }
        default: nil
        }
    }
}
