// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Single values

extension SequentialArchiver {
    /// Encodes a value as a group of its own. Cocoa's `encodeValue(ofObjCType:at:)`.
    ///
    /// ```swift
    /// try archiver.encode(flags, as: "I")
    /// try archiver.encode("attributes", as: "*")
    /// ```
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - type: The type of the value in the archive; the default type encoding of `Value` if it is `nil`.
    /// - Throws: `ArchivingError.Code.notEncodable` if the value is out of range for its type; at the top of the archive
    ///   also the errors of `encode(with:)` of an object.
    public func encode<Value: SequentialValue>(_ value: Value, as type: TypeEncoding? = nil) throws {
        let type = type ?? Value.sequentialTypeEncoding
        try append(type, value.sequentialValue(as: type, in: self))
    }

    /// Encodes the root object of the archive. An archive has only one.
    ///
    /// - Throws: As `encode(_:)`.
    public func encodeRootObject<Root: SequentialValue>(_ root: Root) throws {
        countRoot()
        try encode(root, as: .object)
    }

    /// Encodes a conditional reference to `object`. It refers to the object if the object is encoded unconditionally elsewhere,
    /// before or after, and is nil otherwise.
    ///
    /// Use it for the superview of a view, for example, so that a part of a window can be archived without the rest.
    ///
    /// - Throws: As `encode(_:)`.
    public func encodeConditional(_ object: (any SequentialCoding)?) throws {
        try append(.object, .object(object.flatMap { conditionalIndex(of: $0) }))
    }

    /// Encodes a class by its name: the type `#`.
    ///
    /// - Throws: As `encode(_:)`.
    public func encodeClass(_ type: (any SequentialCoding.Type)?) throws {
        try append(.class, .class(type.map { classIndex(of: $0) }))
    }
}

// MARK: - Several values in one group

extension SequentialArchiver {
    /// Encodes several values as one group, like one call of Cocoa's `encodeValuesOfObjCTypes`. They must be decoded by one call
    /// as well.
    ///
    /// ```swift
    /// try archiver.encodeValues("iI", index, length)
    /// ```
    ///
    /// - Parameters:
    ///   - types: A type for each value, in the notation of Objective-C's `@encode`.
    ///   - values: The values.
    /// - Throws: As `encode(_:)`, and `TypedStreamError` if `types` is not valid. Traps if the numbers of types and values
    ///   differ.
    public func encodeValues<each Value: SequentialValue>(_ types: String, _ values: repeat each Value) throws {
        try checkOpen()
        let types = try TypeEncoding.list(types)
        var count = 0
        for _ in repeat each values { count += 1 }
        require(
            types.count == count, "\(count) values, but \(types.count) types in \"\(TypeEncoding.text(of: types))\"")
        var encoded: [TypedStream.Value] = []
        for value in repeat each values {
            encoded.append(try value.sequentialValue(as: types[encoded.count], in: self))
        }
        try append(TypedStream.Group(types, encoded))
    }

    /// Encodes the elements as one C array, such as `[3i]`. Cocoa's `encodeArray(ofObjCType:count:at:)`.
    ///
    /// In contrast, `encode(_:)` encodes an array as an object, an `NSArray`.
    ///
    /// - Parameters:
    ///   - elements: The elements.
    ///   - type: The type of each element; the default type encoding of `Element` if it is `nil`.
    /// - Throws: As `encode(_:)`.
    public func encodeArray<Element: SequentialValue>(_ elements: [Element], of type: TypeEncoding? = nil) throws {
        let type = type ?? Element.sequentialTypeEncoding
        try append(
            .array(count: elements.count, of: type),
            .array(elements.map { try $0.sequentialValue(as: type, in: self) }, of: type))
    }

    /// Encodes bytes after their number: the type `+`. Cocoa's `encodeBytes(_:length:)`.
    ///
    /// - Throws: As `encode(_:)`.
    public func encodeBytes(_ bytes: [UInt8]) throws {
        try append(.bytes, .bytes(bytes))
    }
}

extension TypedStream.Value {
    /// Creates an array of `values`, which is stored as bytes if `type` is `c` or `C`.
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

    func elements(of type: TypeEncoding) -> [TypedStream.Value]? {
        switch (self, type) {
        case (.array(let values), _): values
        case (.bytes(let bytes?), .character): bytes.map { .integer(Int64(Int8(bitPattern: $0))) }
        case (.bytes(let bytes?), .unsignedCharacter): bytes.map { .unsigned(UInt64($0)) }
        default: nil
        }
    }
}
