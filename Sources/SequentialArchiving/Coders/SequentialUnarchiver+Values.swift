// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Single values

extension SequentialUnarchiver {
    /// Decodes the next value.
    ///
    /// An integer is decoded from any integer type, and a floating-point number from any floating-point type, if it is in the
    /// range of `type`.
    ///
    /// ```swift
    /// let name = try unarchiver.decode(String.self)
    /// let parent = try unarchiver.decode(View?.self)
    /// let views = try unarchiver.decode([View].self)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - encoding: The type as which the value was encoded, as in Cocoa's `decodeValue(ofObjCType:at:)`; any if it is `nil`.
    /// - Throws: `ArchivingError`: `.typeMismatch` if a value of another kind was encoded, several values by one call, or
    ///   more values of an object than it decoded; `.valueNotFound` for nil and at the end; `.numberOutOfRange`, `.classNotAllowed`,
    ///   `.cycle`; `.damaged` if an object does not match its class; `.limit`. Also the errors of `init(coder:)`.
    public func decode<Value: SequentialValue>(_ type: Value.Type, as encoding: TypeEncoding? = nil) throws -> Value {
        try nextGroup { group in
            if let encoding {
                guard group.types.count == 1, group.types[0].matches(encoding) else {
                    throw otherTypes(group, wanted: [encoding])
                }
            } else if group.types.count != 1 {
                throw severalValues(group, wanted: "\(type)")
            }
            return try type.fromSequentialValue(group.values[0], of: group.types[0], in: self)
        }
    }

    private func severalValues(_ group: TypedStream.Group, wanted: String) -> ArchivingError {
        let types = TypeEncoding.start(of: group.types)
        return error(
            .typeMismatch,
            "Found \(group.values.count) values that were encoded by one call, \"\(types)\", where one \(wanted) is"
                + " expected. Decode them by one call: decodeValues(\"\(types)\", as: …)")
    }

    private func otherTypes(_ group: TypedStream.Group, wanted: [TypeEncoding]) -> ArchivingError {
        error(
            .typeMismatch,
            "Found values of the types \"\(TypeEncoding.start(of: group.types))\", where"
                + " \"\(TypeEncoding.text(of: wanted))\" is expected. Decode in the order in which they were encoded")
    }

    /// Decodes the name of the next class, of the type `#`; `nil` for null.
    ///
    /// - Throws: As `decode(_:)`.
    public func decodeClassName() throws -> String? {
        try nextGroup { group in
            guard group.types == [.class], case .class(let index) = group.values[0] else {
                throw otherTypes(group, wanted: [.class])
            }
            return index.map { classNameDecoded(forArchiveClassName: stream.classes[$0].name) }
        }
    }

    /// Decodes the next instance later, when nothing else is being decoded, and passes it to `body`. It can therefore be part of
    /// a cycle, and chains of any length need no stack.
    ///
    /// ```swift
    /// required init(coder: SequentialUnarchiver) throws {
    ///     name = try coder.decode(String.self)
    ///     try coder.decodeReference(Node.self) { [unowned self] in next = $0 }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class of the instance.
    ///   - body: The closure that receives the instance before the program's outermost call returns. If the reference is nil, it
    ///     is called immediately.
    /// - Throws: As `decode(_:)`. A later failure is thrown by the program's outermost call, and by every call after that: other
    ///   objects may then refer to incomplete instances.
    public func decodeReference<Object: SequentialCoding>(
        _ type: Object.Type, then body: @escaping (Object?) -> Void
    ) throws {
        try nextGroup { group in
            guard group.types == [.object], case .object(let index) = group.values[0] else {
                throw otherTypes(group, wanted: [.object])
            }
            guard let index else { return body(nil) }
            whenIdle { body(try $0.instance(of: type, at: index)) }
        }
    }
}

// MARK: - Several values of one group

extension SequentialUnarchiver {
    /// Decodes the next values, which were encoded by one call.
    ///
    /// ```swift
    /// let (index, length) = try unarchiver.decodeValues("iI", as: Int.self, Int.self)
    /// ```
    ///
    /// - Parameters:
    ///   - types: The types that they were encoded as. Names of structs are ignored.
    ///   - values: The types of the values.
    /// - Throws: As `decode(_:)`, and `TypedStreamError` if `types` is not valid. Traps if the numbers of types and values
    ///   differ.
    public func decodeValues<each Value: SequentialValue>(
        _ types: String, as values: repeat (each Value).Type
    ) throws -> (repeat each Value) {
        let types = try TypeEncoding.list(types)
        var count = 0
        for _ in repeat each values { count += 1 }
        require(
            types.count == count, "\(count) values, but \(types.count) types in \"\(TypeEncoding.text(of: types))\"")
        return try nextGroup { group in
            guard group.types.count == types.count, zip(group.types, types).allSatisfy({ $0.matches($1) }) else {
                throw otherTypes(group, wanted: types)
            }
            var index = -1
            func next<Next: SequentialValue>(_ type: Next.Type) throws -> Next {
                index += 1
                return try type.fromSequentialValue(group.values[index], of: group.types[index], in: self)
            }
            return (repeat try next((each Value).self))
        }
    }

    /// Decodes the elements of the next C array, such as `[3i]`.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - count: The required number of elements; `nil` for any number.
    /// - Throws: As `decode(_:)`, and `.typeMismatch` if the number of elements differs.
    public func decodeArray<Element: SequentialValue>(of type: Element.Type, count: Int? = nil) throws -> [Element] {
        try nextGroup { group in
            guard group.types.count == 1, case .array(let found, let element) = group.types[0].kind,
                found == count ?? found, let values = group.values[0].elements(of: element)
            else { throw otherTypes(group, wanted: [.array(count: count ?? 0, of: Element.sequentialTypeEncoding)]) }
            return try elements(values, of: element, as: type)
        }
    }

    func elements<Element: SequentialValue>(
        _ values: [TypedStream.Value], of encoding: TypeEncoding, as type: Element.Type
    ) throws -> [Element] {
        try count(values.count)
        return try values.map { try type.fromSequentialValue($0, of: encoding, in: self) }
    }

    /// Decodes the next bytes, of the type `+` or an array of `c` or `C`; `nil` for null.
    ///
    /// - Throws: As `decode(_:)`.
    public func decodeBytes() throws -> [UInt8]? {
        try nextGroup { group in
            guard group.types.count == 1, case .bytes(let bytes) = group.values[0] else {
                throw otherTypes(group, wanted: [.bytes])
            }
            try counted(bytes: bytes?.count ?? 0)
            return bytes
        }
    }
}
