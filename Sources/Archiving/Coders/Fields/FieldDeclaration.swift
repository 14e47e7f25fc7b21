// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A field without its static types. Its functions receive addresses of values of the type `root`.
@usableFromInline
class FieldDeclaration: @unchecked Sendable {
    final let key: String
    final let aliases: [String]
    /// The type that declares the field.
    final let root: any Any.Type
    final let keyPath: @Sendable () -> AnyKeyPath
    /// Whether the field does not archive the instance that it refers to.
    final let isConditional: Bool
    /// Returns the reference to the value of the field; 0 if the field is omitted.
    final let write: Write
    /// Sets the field to the value at a reference.
    final let read: Read

    typealias Write = @Sendable (ValueAddress, EncodingFrame) throws -> UInt32
    typealias Read = @Sendable (ValueAddress, DecodingFrame, Int) throws -> Void

    fileprivate init<Value>(
        _ property: FieldProperty<Value>, _ isConditional: Bool, _ write: @escaping Write, _ read: @escaping Read
    ) {
        (key, aliases, root, keyPath) = (property.key, property.aliases, property.root, property.keyPath)
        (self.isConditional, self.write, self.read) = (isConditional, write, read)
    }

    /// The key and the former keys.
    final var keys: [String] { [key] + aliases }
    var isOmittedIfDefault: Bool { false }

    /// Sets the field of the value at `address` to that of the value at `source`.
    func copy(_ address: ValueAddress, from source: ValueAddress) { abstract() }

    /// Sets the field if the archive does not have it.
    ///
    /// - Returns: Whether it may be absent.
    func setAbsent(_ address: ValueAddress) -> Bool { abstract() }

    /// Returns whether the field has the default, which the new value at `initial` has unless the option names another one.
    func isDefault(_ address: ValueAddress, _ initial: ValueAddress) -> Bool { abstract() }

    /// Encodes the field in a keyed container of any coder.
    func encode(_ address: ValueAddress, _ container: inout KeyedEncodingContainer<ArchiveKey>) throws { abstract() }

    /// Decodes the field from a keyed container of any coder.
    func decode(_ address: ValueAddress, from container: KeyedDecodingContainer<ArchiveKey>) throws { abstract() }

    private func abstract() -> Never { preconditionFailure("FieldDeclaration is abstract") }
}

private final class FieldOf<Value: Codable & SendableMetatype>: FieldDeclaration, @unchecked Sendable {
    private let property: FieldProperty<Value>
    private let option: FieldOption<Value>

    init(
        _ property: FieldProperty<Value>, _ option: FieldOption<Value>, _ isConditional: Bool,
        write: @escaping Write, read: @escaping Read
    ) {
        (self.property, self.option) = (property, option)
        super.init(property, isConditional, write, read)
    }

    override var isOmittedIfDefault: Bool { option.isEqual != nil }

    override func copy(_ address: ValueAddress, from source: ValueAddress) {
        property.set(address, property.get(source))
    }

    override func setAbsent(_ address: ValueAddress) -> Bool {
        switch option.absent {
        case .required: return false
        case .initial: break
        case .value(let value): property.set(address, value())
        }
        return true
    }

    override func isDefault(_ address: ValueAddress, _ initial: ValueAddress) -> Bool {
        guard let isEqual = option.isEqual else { return false }
        if case .value(let value) = option.absent { return isEqual(property.get(address), value()) }
        return isEqual(property.get(address), property.get(initial))
    }

    override func encode(_ address: ValueAddress, _ container: inout KeyedEncodingContainer<ArchiveKey>) throws {
        let value = property.get(address)
        if isConditional || !option.writesNull && isAbsent(value) { return }
        try container.encode(value, forKey: ArchiveKey(stringValue: key))
    }

    override func decode(_ address: ValueAddress, from container: KeyedDecodingContainer<ArchiveKey>) throws {
        let present = keys.lazy.map { ArchiveKey(stringValue: $0) }.first { container.contains($0) }
        if present == nil, setAbsent(address) { return }
        // Of an absent key the container has the error.
        property.set(address, try container.decode(Value.self, forKey: present ?? ArchiveKey(stringValue: key)))
    }
}

// MARK: - Kinds of fields

extension FieldDeclaration {
    /// Returns the field whose values `write` writes and `read` reads.
    ///
    /// It is inlined, so that the functions of a field are specialised for its type.
    @inline(__always)
    private static func field<Value: Codable & SendableMetatype>(
        _ property: FieldProperty<Value>, _ option: FieldOption<Value>, isConditional: Bool = false,
        write: @escaping @Sendable (Value, EncodingFrame) throws -> UInt32,
        read: @escaping @Sendable (DecodingFrame, Int) throws -> Value
    ) -> FieldDeclaration {
        let (get, set) = (property.get, property.set)
        return FieldOf(property, option, isConditional) {
            try write(get($0), $1)
        } read: {
            set($0, try read($1, $2))
        }
    }

    /// Returns a field of a type that needs no look-up.
    @inline(__always)
    private static func leaf<Leaf: DecodableLeaf & Codable & SendableMetatype, Value>(
        _ type: Leaf.Type, _ property: FieldProperty<Value>, _ option: FieldOption<Value>,
        _ write: @escaping @Sendable (Leaf, EncodingFrame) -> UInt32
    ) -> FieldDeclaration {
        field(Reinterpretation.same(property), Reinterpretation.same(option), write: write) { try $0.fieldLeaf($1) }
    }

    @inline(__always)
    private static func optionalLeaf<Leaf: DecodableLeaf & Codable & SendableMetatype, Value>(
        _ type: Leaf.Type, _ property: FieldProperty<Value?>, _ option: FieldOption<Value?>,
        _ write: @escaping @Sendable (Leaf, EncodingFrame) -> UInt32
    ) -> FieldDeclaration {
        let option: FieldOption<Leaf?> = Reinterpretation.same(option)
        return field(Reinterpretation.same(property), option) { value, encoding in
            value.map { write($0, encoding) } ?? option.written(0)
        } read: {
            try $0.fieldLeafIfPresent($1)
        }
    }

    @usableFromInline
    static func value<Value: Codable & SendableMetatype>(
        _ property: FieldProperty<Value>, _ options: [FieldOption<Value>]
    ) -> FieldDeclaration {
        let option = FieldOption.merging(options)
        if let form = option.form { return field(property, option, write: form.write, read: form.read) }
        switch Value.self {
        case is String.Type: return leaf(String.self, property, option) { $1.graph.string($0) }
        case is Int.Type: return leaf(Int.self, property, option) { $1.graph.integer($0, inline: true) }
        case is Double.Type: return leaf(Double.self, property, option) { $1.graph.real($0, inline: true) }
        case is Bool.Type: return leaf(Bool.self, property, option) { $1.graph.boolean($0, inline: true) }
        default: break
        }
        return field(property, option) { value, encoding in
            option.omitsAbsent && isAbsent(value) ? 0 : option.written(try encoding.field(value))
        } read: {
            try $0.fieldValue(Value.self, $1)
        }
    }

    @usableFromInline
    static func optional<Value: Codable & SendableMetatype>(
        _ property: FieldProperty<Value?>, _ options: [FieldOption<Value?>]
    ) -> FieldDeclaration {
        let option = FieldOption.merging(options, absent: { nil })
        switch Value.self {
        case is String.Type: return optionalLeaf(String.self, property, option) { $1.graph.string($0) }
        case is Int.Type: return optionalLeaf(Int.self, property, option) { $1.graph.integer($0, inline: true) }
        default: break
        }
        return field(property, option) { value, encoding in
            option.written(try value.map { try encoding.field($0) } ?? 0)
        } read: {
            try $0.fieldValueIfPresent(Value.self, $1)
        }
    }

    @usableFromInline
    static func instance<Object: AnyObject & Codable & SendableMetatype>(
        _ property: FieldProperty<Object>, _ options: [FieldOption<Object>]
    ) -> FieldDeclaration {
        field(property, .merging(options)) {
            try $1.field(instance: $0)
        } read: {
            try $0.fieldInstance(Object.self, $1)
        }
    }

    @usableFromInline
    static func reference<Object: AnyObject & Codable & SendableMetatype>(
        _ property: FieldProperty<Object?>, _ option: ReferenceOption
    ) -> FieldDeclaration {
        let absent = FieldOption<Object?>.merging([], absent: { nil })
        if option == .conditional {
            return field(property, absent, isConditional: true) { object, encoding in
                try object.map { try encoding.field(conditional: $0) } ?? 0
            } read: {
                try $0.fieldConditionalInstance(Object.self, $1)
            }
        }
        return field(property, absent) { object, encoding in
            try object.map { try encoding.field(instance: $0) } ?? 0
        } read: {
            try $0.fieldInstanceIfPresent(Object.self, $1)
        }
    }

    @usableFromInline
    static func instances<Object: AnyObject & Codable & SendableMetatype>(
        _ property: FieldProperty<[Object]>, _ options: [FieldOption<[Object]>]
    ) -> FieldDeclaration {
        let option = FieldOption.merging(options)
        if option.form != nil { return value(property, options) }
        return field(property, option) {
            try $1.field(instances: $0)
        } read: {
            try $0.fieldInstances(Object.self, $1)
        }
    }
}
