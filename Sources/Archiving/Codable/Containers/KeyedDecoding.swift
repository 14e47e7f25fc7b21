/// A keyed container: each call finds the field of a key and passes its value to the decoder.
///
/// The standard library copies a container for each requested field. This type therefore retains nothing, and copying
/// it needs no reference counting. Its lender, or `KeptKeyedDecoding`, retains the objects that it references.
struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol, BitwiseCopyable {
    private let container: Unmanaged<ReusableContainer>
    /// The decoder's session owns it.
    private let keys: UnsafeMutablePointer<DecodingKeyTable>

    init(_ container: ReusableContainer, _ keys: UnsafeMutablePointer<DecodingKeyTable>) {
        self.container = .passUnretained(container)
        self.keys = keys
    }

    @inline(__always)
    private func withDecoder<Result>(_ body: (ArchiveDecoding) throws -> Result) rethrows -> Result {
        guard let coder = container._withUnsafeGuaranteedRef({ $0.coder }) else {
            misuse("A container was used after its decoder was deallocated")
        }
        return try Unmanaged<ArchiveDecoding>.fromOpaque(coder)._withUnsafeGuaranteedRef(body)
    }

    var codingPath: [any CodingKey] { withDecoder { $0.codingPath } }
}

// MARK: - Fields

extension KeyedDecoding {
    /// Returns the position of the field of `key`, or nil if it is absent.
    @inline(__always)
    private func position(of key: Key, _ decoder: ArchiveDecoding) throws -> Int? {
        if keys.pointee.isIndexed {
            let entry = keys.pointee.entry(key)
            if let position = decoder.nextField(ifKey: entry.pointee.referencePlusOne &- 1) { return position }
            if keys.pointee.isObserved { return try decoder.observedField(key, entry) }
            return try decoder.field(key, entry)
        }
        return try decoder.field(key, nil)
    }

    /// Returns the step to the field of `key` at `position`.
    @inline(__always)
    private func step(_ key: Key, _ position: Int, _ decoder: ArchiveDecoding) -> CodingPathStep {
        keys.pointee.step(key) ?? decoder.step(position)
    }

    /// Returns the position of the field of `key`. An absent field is an error.
    @inline(__always)
    private func requiredPosition(of key: Key, _ decoder: ArchiveDecoding) throws -> Int {
        guard let position = try position(of: key, decoder) else {
            throw CodableErrors.keyNotFound(key, present: decoder.firstKeyNames(), path: decoder.path())
        }
        return position
    }

    /// Returns the result of `body` for the field of `key`: its decoder, value, and position.
    @inline(__always)
    private func required<Result>(
        _ key: Key, _ body: (ArchiveDecoding, ArchivedValue, Int) throws -> Result
    ) throws -> Result {
        try withDecoder { decoder in
            let position = try requiredPosition(of: key, decoder)
            return try body(decoder, decoder.fieldValue(position), position)
        }
    }

    /// Returns the number in the field of `key`.
    ///
    /// A number in its usual form is read directly; `body` decodes any other form.
    @inline(__always)
    private func required<Leaf: DecodableLeaf>(
        leaf key: Key, _ body: (ArchiveDecoding, ArchivedValue, Int) throws -> Leaf
    ) throws -> Leaf {
        try withDecoder { decoder in
            let position = try requiredPosition(of: key, decoder)
            if let leaf: Leaf = decoder.leaf(position) { return leaf }
            return try body(decoder, decoder.fieldValue(position), position)
        }
    }

    var allKeys: [Key] {
        withDecoder { decoder in
            let keys: [Key] = decoder.keyNames().compactMap { Key(stringValue: $0) ?? ObservedKeys.key($0) }
            if keys.isEmpty { decoder.noteMissed(nil) } else { decoder.noteSeen() }
            return keys
        }
    }

    func contains(_ key: Key) -> Bool {
        withDecoder { decoder in
            guard let position = try? position(of: key, decoder) else { return false }
            // Usually the next call decodes this key.
            decoder.frame.pointee.fields.next = position
            decoder.noteSeen()
            return true
        }
    }
}

// MARK: - Values

extension KeyedDecoding {
    func decodeNil(forKey key: Key) throws -> Bool {
        try required(key) { decoder, value, _ in decoder.isNil(value) }
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try required(leaf: key) { try $0.boolean($1, at: step(key, $2, $0)) }
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try withDecoder { decoder in
            let position = try requiredPosition(of: key, decoder)
            if let text = decoder.usualString(position) { return text }
            return try decoder.string(decoder.fieldValue(position), at: step(key, position, decoder))
        }
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try required(leaf: key) { try $0.double($1, at: step(key, $2, $0)) }
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try required(leaf: key) { try $0.float($1, at: step(key, $2, $0)) }
    }

    @inline(__always)
    private func integer<Integer: FixedWidthInteger & DecodableLeaf>(_ key: Key) throws -> Integer {
        try required(leaf: key) { try $0.integer($1, at: step(key, $2, $0)) }
    }

    /// Returns the position of the field of `key`, for rare types. An absent field is an error.
    @inline(never)
    private func rarePosition(of key: Key, _ decoder: ArchiveDecoding) throws -> Int {
        try requiredPosition(of: key, decoder)
    }

    /// Returns the same as `integer(_:)`, for rare types.
    private func rareInteger<Integer: FixedWidthInteger & DecodableLeaf>(_ key: Key) throws -> Integer {
        try withDecoder { decoder in
            let position = try rarePosition(of: key, decoder)
            if let leaf: Integer = decoder.leaf(position) { return leaf }
            return try decoder.integer(decoder.fieldValue(position), at: step(key, position, decoder))
        }
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try rareInteger(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try rareInteger(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try rareInteger(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try rareInteger(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try rareInteger(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try rareInteger(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try rareInteger(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try rareInteger(key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try rareInteger(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        // Outside the closure: values nest, and each surrounding function takes stack.
        let (unmanaged, value, step) = try withDecoder { decoder in
            let position = try requiredPosition(of: key, decoder)
            let isRead = decoder.archive.list.isPresent || !(type is any DeferredDecodable.Type)
            return (
                Unmanaged.passUnretained(decoder),
                isRead ? try decoder.fieldValueInLine(position) : try decoder.fieldValueWithoutLongContents(position),
                self.step(key, position, decoder)
            )
        }
        return try unmanaged._withUnsafeGuaranteedRef { decoder in
            do {
                return try decoder.decode(type, from: value, at: step)
            } catch {
                return try decoder.placeholder(type, key, value, at: step, after: error)
            }
        }
    }
}

// MARK: - Values that may be absent

/// An absent key and a nil are both nil. If the type itself has a nil value, a stored nil is that value, so that
/// `.some(nil)` and nil are distinct.
extension KeyedDecoding {
    /// Returns the same as `required(leaf:_:)`, or nil if the field is absent or nil.
    @inline(__always)
    private func present<Leaf: DecodableLeaf>(
        leaf key: Key, _ body: (ArchiveDecoding, ArchivedValue, Int) throws -> Leaf
    ) throws -> Leaf? {
        try withDecoder { decoder in
            guard let position = try position(of: key, decoder) else { return nil }
            if let leaf: Leaf = decoder.leaf(position) { return leaf }
            let value = try decoder.fieldValue(position)
            return decoder.isNil(value) ? nil : try body(decoder, value, position)
        }
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(leaf: key) { try $0.boolean($1, at: step(key, $2, $0)) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try withDecoder { decoder in
            guard let position = try position(of: key, decoder) else { return nil }
            if let text = decoder.usualString(position) { return text }
            let value = try decoder.fieldValue(position)
            return decoder.isNil(value) ? nil : try decoder.string(value, at: step(key, position, decoder))
        }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(leaf: key) { try $0.double($1, at: step(key, $2, $0)) }
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try present(leaf: key) { try $0.float($1, at: step(key, $2, $0)) }
    }

    @inline(__always)
    private func presentInteger<Integer: FixedWidthInteger & DecodableLeaf>(_ key: Key) throws -> Integer? {
        try present(leaf: key) { try $0.integer($1, at: step(key, $2, $0)) }
    }

    /// Returns the position of the field of `key`, or nil, for rare types.
    @inline(never)
    private func rarePositionIfPresent(of key: Key, _ decoder: ArchiveDecoding) throws -> Int? {
        try position(of: key, decoder)
    }

    /// Returns the same as `presentInteger(_:)`, for rare types.
    private func rarePresentInteger<Integer: FixedWidthInteger & DecodableLeaf>(_ key: Key) throws -> Integer? {
        try withDecoder { decoder in
            guard let position = try rarePositionIfPresent(of: key, decoder) else { return nil }
            if let leaf: Integer = decoder.leaf(position) { return leaf }
            let value = try decoder.fieldValue(position)
            return decoder.isNil(value) ? nil : try decoder.integer(value, at: step(key, position, decoder))
        }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try presentInteger(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try rarePresentInteger(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try rarePresentInteger(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try presentInteger(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try presentInteger(key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try rarePresentInteger(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try rarePresentInteger(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try rarePresentInteger(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try rarePresentInteger(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try rarePresentInteger(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try rarePresentInteger(key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try rarePresentInteger(key) }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try withDecoder { decoder in
            guard let position = try position(of: key, decoder) else { return nil }
            let value = try decoder.fieldValueInLine(position)
            let known = decoder.core.pointee.type(type)
            if decoder.isNil(value), !known.pointee.isOptional { return nil }
            let step = step(key, position, decoder)
            if try decoder.isSkipped(known, value, at: step) { return nil }
            do {
                if known.pointee.kind == .instance {
                    return try decoder.decodeInstance(
                        ifPresent: type, known, from: value, at: step, key,
                        keys.pointee.isIndexed ? keys.pointee.entry(key) : nil)
                }
                return try decoder.decode(type, known, from: value, at: step)
            } catch {
                return try decoder.placeholder(ifPresent: type, key, value, at: step, after: error)
            }
        }
    }
}

// MARK: - Nested containers

extension KeyedDecoding {
    private func nested(_ key: Key) throws -> ArchiveDecoding {
        try required(key) { decoder, value, position in
            try decoder.nestedDecoder(for: value, at: step(key, position, decoder))
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nested(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        try withDecoder { try $0.superDecoder(forKey: ArchiveKey.super, at: nil) }
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try withDecoder { try $0.superDecoder(forKey: key, at: keys.pointee.step(key)) }
    }
}
