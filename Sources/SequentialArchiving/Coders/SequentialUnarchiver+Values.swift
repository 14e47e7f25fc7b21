import Archiving

// MARK: - Single values

extension SequentialUnarchiver {
    /// The next value.
    ///
    /// Integers may have any width, as long as the type holds the number; the same goes for numbers with a fraction.
    ///
    /// ```swift
    /// let name = try unarchiver.decode(String.self)
    /// let parent = try unarchiver.decode(View?.self)
    /// let views = try unarchiver.decode([View].self)
    /// ```
    ///
    /// - Throws: `SequentialCodingError`: `.typeMismatch` where something else was encoded there, or several values by one call;
    ///   `.numberOutOfRange`, `.valueNotFound` for nil, `.classNotAllowed`, `.cycle`, `.atEnd`, `.valuesLeft`; `.damaged` where
    ///   an object is not what its class writes; `.limit`. What an `init(coder:)` throws.
    public func decode<Value: SequentialValue>(_ type: Value.Type) throws -> Value {
        try nextGroup { group in
            guard group.types.count == 1 else { throw severalValues(group, wanted: "\(type)") }
            return try type.fromSequentialValue(group.values[0], of: group.types[0], in: self)
        }
    }

    /// The next value, which was encoded as the type `encoding`. Cocoa's `decodeValue(ofObjCType:at:)`.
    ///
    /// - Throws: As `decode(_:)`, and `.typeMismatch` where it was encoded as another type.
    public func decode<Value: SequentialValue>(_ type: Value.Type, as encoding: TypeEncoding) throws -> Value {
        try nextGroup { group in
            guard group.types.count == 1, group.types[0].matches(encoding) else {
                throw otherTypes(group, wanted: [encoding])
            }
            return try type.fromSequentialValue(group.values[0], of: group.types[0], in: self)
        }
    }

    private func severalValues(_ group: TypedStream.Group, wanted: String) -> SequentialCodingError {
        let types = TypeEncoding.start(of: group.types)
        return error(
            .typeMismatch,
            "Found \(group.values.count) values that were encoded by one call, \"\(types)\", where one \(wanted) is"
                + " wanted. Decode them by one call: decodeValues(\"\(types)\", as: …)")
    }

    private func otherTypes(_ group: TypedStream.Group, wanted: [TypeEncoding]) -> SequentialCodingError {
        error(
            .typeMismatch,
            "Found values of the types \"\(TypeEncoding.start(of: group.types))\", where"
                + " \"\(TypeEncoding.text(of: wanted))\" is wanted. Decode in the order in which they were encoded")
    }

    /// The name of the class that is next, of the type `#`; nil where none is there.
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

    /// Hands over the instance that is next when there is nothing else to do: it may lead back to what is being decoded, and
    /// takes no stack however long the chain.
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
    ///   - body: What is done with it, before the program's own call returns. Called at once where nil is there.
    /// - Throws: As `decode(_:)`. What goes wrong later is thrown by the program's own call, and by every one after that: others
    ///   have instances by then that are not complete.
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
    /// The next values, which were encoded by one call.
    ///
    /// ```swift
    /// let (index, length) = try unarchiver.decodeValues("iI", as: Int.self, Int.self)
    /// ```
    ///
    /// - Parameters:
    ///   - types: The types that they were encoded as. Names of structs do not count.
    ///   - values: The types of the values.
    /// - Throws: As `decode(_:)`, and `TypedStreamError` where `types` are no types. Traps where there are more of them than
    ///   values, or fewer.
    public func decodeValues<each Value: SequentialValue>(
        _ types: String, as values: repeat (each Value).Type
    ) throws -> (repeat each Value) {
        let types = try TypeEncoding.list(types)
        var count = 0
        for _ in repeat each values { count += 1 }
        require(
            types.count == count, "\(count) values, and \(types.count) types in \"\(TypeEncoding.text(of: types))\"")
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

    /// The elements of the array of C that is next, such as `[3i]`.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - count: How many there have to be; nil for any number.
    /// - Throws: As `decode(_:)`, and `.typeMismatch` where there are more elements, or fewer.
    public func decodeArray<Element: SequentialValue>(of type: Element.Type, count: Int? = nil) throws -> [Element] {
        try nextGroup { group in
            guard group.types.count == 1, case .array(let found, let element) = group.types[0],
                found == count ?? found, let values = group.values[0].elements(of: element)
            else { throw otherTypes(group, wanted: [.array(count: count ?? 0, of: Element.sequentialTypeEncoding)]) }
            return try elements(values, of: element, as: type)
        }
    }

    /// The values of an array of C as values of a type.
    func elements<Element: SequentialValue>(
        _ values: [TypedStream.Value], of encoding: TypeEncoding, as type: Element.Type
    ) throws -> [Element] {
        try count(values.count)
        return try values.map { try type.fromSequentialValue($0, of: encoding, in: self) }
    }

    /// The bytes that are next, of the type `+`, or an array of `c` or `C`; nil where none are there.
    ///
    /// - Throws: As `decode(_:)`.
    public func decodeBytes() throws -> [UInt8]? {
        try nextGroup { group in
            guard group.types.count == 1, case .bytes(let bytes) = group.values[0] else {
                throw otherTypes(group, wanted: [.bytes])
            }
            try counted(data: bytes?.count ?? 0)
            return bytes
        }
    }
}
