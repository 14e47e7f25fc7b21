/// A type that the archive has a form of its own for: `init(from:)` is asked only where the archive holds another form.
///
/// Array, Set, Dictionary and Optional conform where their elements are decodable.
protocol NativelyDecodable: SendableMetatype {
    /// Reads `value` as a part of `decoder`, and initialises the memory at `address` with the result.
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws
}

extension DecodingFacts {
    /// What reads the values of `type`, where `init(from:)` does not.
    static func nativeReader<Value: Decodable>(for type: Value.Type) -> ValueReader? {
        if let reader = scalarReader(for: type) ?? numericArrayReader(for: type) { return reader }
        if let native = type as? any NativelyDecodable.Type {
            return { try native.read($0, in: $1, at: $2, into: $3) }
        }
        return nil
    }

    private static func scalarReader(for type: any Any.Type) -> ValueReader? {
        if type == Int.self { return integerReader(Int.self) }
        if type == Int8.self { return integerReader(Int8.self) }
        if type == Int16.self { return integerReader(Int16.self) }
        if type == Int32.self { return integerReader(Int32.self) }
        if type == Int64.self { return integerReader(Int64.self) }
        if type == Int128.self { return integerReader(Int128.self) }
        if type == UInt.self { return integerReader(UInt.self) }
        if type == UInt8.self { return integerReader(UInt8.self) }
        if type == UInt16.self { return integerReader(UInt16.self) }
        if type == UInt32.self { return integerReader(UInt32.self) }
        if type == UInt64.self { return integerReader(UInt64.self) }
        if type == UInt128.self { return integerReader(UInt128.self) }
        if type == Bool.self { return reader { try $1.boolean($0, at: $2) } }
        if type == Double.self { return reader { try $1.double($0, at: $2) } }
        if type == Float.self { return reader { try $1.float($0, at: $2) } }
        if type == String.self { return reader { try $1.string($0, at: $2) } }
        return nil
    }

    private static func integerReader<Integer: FixedWidthInteger & Sendable>(_: Integer.Type) -> ValueReader {
        reader { try $1.integer($0, at: $2) as Integer }
    }

    /// A reader that stores what `body` gives.
    static func reader<Value>(
        _ body: @escaping @Sendable (ArchivedValue, ArchiveDecoding, CodingPathStep) throws -> Value
    ) -> ValueReader {
        { value, decoder, step, address in
            let result = try body(value, decoder, step)
            address.initializeMemory(as: Value.self, to: result)
        }
    }

    private static func numericArrayReader(for type: any Any.Type) -> ValueReader? {
        if type == [Int].self { return integerArrayReader(Int.self) }
        if type == [Int8].self { return integerArrayReader(Int8.self) }
        if type == [Int16].self { return integerArrayReader(Int16.self) }
        if type == [Int32].self { return integerArrayReader(Int32.self) }
        if type == [Int64].self { return integerArrayReader(Int64.self) }
        if type == [UInt].self { return integerArrayReader(UInt.self) }
        if type == [UInt8].self { return integerArrayReader(UInt8.self) }
        if type == [UInt16].self { return integerArrayReader(UInt16.self) }
        if type == [UInt32].self { return integerArrayReader(UInt32.self) }
        if type == [UInt64].self { return integerArrayReader(UInt64.self) }
        if type == [Double].self {
            return reader { try $1.leafArray($0, at: $2) { try $0.double($1, at: $2) } }
        }
        if type == [Float].self {
            return reader { try $1.leafArray($0, at: $2) { try $0.float($1, at: $2) } }
        }
        if type == [String].self {
            return reader { try $1.leafArray($0, at: $2) { try $0.string($1, at: $2) } }
        }
        return nil
    }

    private static func integerArrayReader<Integer: FixedWidthInteger & Sendable>(_: Integer.Type) -> ValueReader {
        reader { try $1.leafArray($0, at: $2) { try $0.integer($1, at: $2) as Integer } }
    }
}

// MARK: - Arrays and sets

extension ArchiveDecoding {
    /// An array of elements that need no decoder of their own.
    @inline(__always)
    fileprivate func leafArray<Element>(
        _ value: ArchivedValue, at step: CodingPathStep,
        _ element: (ArchiveDecoding, ArchivedValue, CodingPathStep) throws -> Element
    ) throws -> [Element] {
        try with(nil, value, step) { decoder in
            let elements = try decoder.elements(of: value, at: .root)
            try decoder.countVisits(elements.count)
            let archive = decoder.archive
            return try [Element](unsafeUninitializedCapacity: elements.count) { buffer, count in
                guard let base = buffer.baseAddress else { return }
                while count < elements.count {
                    let step = CodingPathStep.index(count)
                    let value = try decoder.resolve(elements.reference(count, in: archive), at: step)
                    (base + count).initialize(to: try element(decoder, value, step))
                    count += 1
                }
            }
        }
    }

    /// Hands every element of `value` to `body`.
    fileprivate func forEachElement<Element: Decodable>(
        of value: ArchivedValue, as type: Element.Type, at step: CodingPathStep,
        reserve: (Int) -> Void, _ body: (Element) -> Void
    ) throws {
        try with(nil, value, step) { decoder in
            let elements = try decoder.elements(of: value, at: .root)
            try decoder.countVisits(elements.count)
            reserve(elements.count)
            let known = decoder.session.type(type)
            for index in 0..<elements.count {
                let step = CodingPathStep.index(index)
                let value = try decoder.resolve(elements.reference(index, in: decoder.archive), at: step)
                body(try decoder.decode(type, known, from: value, at: step))
            }
        }
    }
}

extension Array: NativelyDecodable where Element: Decodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        var result: Self = []
        try decoder.forEachElement(of: value, as: Element.self, at: step) {
            result.reserveCapacity($0)
        } _: {
            result.append($0)
        }
        address.initializeMemory(as: Self.self, to: result)
    }
}

extension ContiguousArray: NativelyDecodable where Element: Decodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        var result: Self = []
        try decoder.forEachElement(of: value, as: Element.self, at: step) {
            result.reserveCapacity($0)
        } _: {
            result.append($0)
        }
        address.initializeMemory(as: Self.self, to: result)
    }
}

extension ArraySlice: NativelyDecodable where Element: Decodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        var result: Self = []
        try decoder.forEachElement(of: value, as: Element.self, at: step) {
            result.reserveCapacity($0)
        } _: {
            result.append($0)
        }
        address.initializeMemory(as: Self.self, to: result)
    }
}

extension Set: NativelyDecodable where Element: Decodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        var result: Self = []
        try decoder.forEachElement(of: value, as: Element.self, at: step) {
            result.reserveCapacity($0)
        } _: {
            result.insert($0)
        }
        address.initializeMemory(as: Self.self, to: result)
    }
}

// MARK: - Dictionaries

extension Dictionary: NativelyDecodable where Key: Decodable, Value: Decodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        guard let (keys, values) = try decoder.dictionary(value, at: step) else {
            // Fields of an object, or the alternating keys and values of other encoders.
            let result = try decoder.with(nil, value, step) { try Self(from: $0) }
            address.initializeMemory(as: Self.self, to: result)
            return
        }
        let result = try decoder.with(nil, value, step) { decoder in
            try decoder.countVisits(2 * keys.count)
            let archive = decoder.archive
            let keyType = decoder.session.type(Key.self)
            let valueType = decoder.session.type(Value.self)
            var result = Self(minimumCapacity: keys.count)
            for index in 0..<keys.count {
                let keyReference = keys.reference(index, in: archive)
                let step = CodingPathStep.dictionaryKey(UInt32(truncatingIfNeeded: keyReference))
                let key = try decoder.decode(Key.self, keyType, from: decoder.resolve(keyReference, at: step), at: step)
                let value = try decoder.resolve(values.reference(index, in: archive), at: step)
                result[key] = try decoder.decode(Value.self, valueType, from: value, at: step)
            }
            return result
        }
        address.initializeMemory(as: Self.self, to: result)
    }
}

// MARK: - Optionals

extension Optional: NativelyDecodable where Wrapped: Decodable {
    static func read(
        _ value: ArchivedValue, in decoder: ArchiveDecoding, at step: CodingPathStep,
        into address: UnsafeMutableRawPointer
    ) throws {
        let result: Self =
            decoder.isNil(value)
            ? nil : try decoder.decode(Wrapped.self, decoder.session.type(Wrapped.self), from: value, at: step)
        address.initializeMemory(as: Self.self, to: result)
    }
}
