// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A field without its static types. Its functions receive addresses of values of the type `root`.
@usableFromInline
package class FieldDeclaration: @unchecked Sendable {
    package final let key: String
    final let aliases: [String]
    final let root: any Any.Type
    package final let keyPath: @Sendable () -> AnyKeyPath

    fileprivate init(
        _ key: String, _ aliases: [String], root: any Any.Type, _ keyPath: @escaping @Sendable () -> AnyKeyPath
    ) {
        (self.key, self.aliases, self.root, self.keyPath) = (key, aliases, root, keyPath)
    }

    package final var keys: [String] { [key] + aliases }

    package var isConditional: Bool { false }
    package var isOmittedIfDefault: Bool { false }

    /// Returns the reference to the value of the field; 0 if the field is omitted.
    func write(_ address: ValueAddress, _ encoding: EncodingFrame) throws -> UInt32 { abstract() }

    func read(_ address: ValueAddress, _ decoding: DecodingFrame, _ reference: Int) throws { abstract() }

    func copy(_ address: ValueAddress, from source: ValueAddress) { abstract() }

    /// Sets the field, which the archive does not have, and returns whether it may be absent.
    func setAbsent(_ address: ValueAddress) -> Bool { abstract() }

    /// Returns whether the field has the default, which the new value at `initial` has unless the option names another one.
    func isDefault(_ address: ValueAddress, _ initial: ValueAddress) -> Bool { abstract() }

    func encode(_ address: ValueAddress, _ container: inout KeyedEncodingContainer<ArchiveKey>) throws { abstract() }

    func decode(_ address: ValueAddress, from container: KeyedDecodingContainer<ArchiveKey>) throws { abstract() }

    private func abstract() -> Never { preconditionFailure("FieldDeclaration is abstract") }
}

extension FieldDeclaration {
    @usableFromInline
    static func value<Value: Codable & SendableMetatype>(
        _ property: FieldProperty<Value>, _ options: [FieldOption<Value>]
    ) -> FieldDeclaration {
        let option = FieldOption.merging(options)
        if option.form != nil { return FieldOf(property, option) }
        switch Value.self {
        case is String.Type: return StringField(Reinterpretation.same(property), Reinterpretation.same(option))
        case is Int.Type: return IntegerField(Reinterpretation.same(property), Reinterpretation.same(option))
        case is Double.Type: return RealField(Reinterpretation.same(property), Reinterpretation.same(option))
        case is Bool.Type: return BooleanField(Reinterpretation.same(property), Reinterpretation.same(option))
        default: return FieldOf(property, option)
        }
    }

    @usableFromInline
    static func optional<Value: Codable & SendableMetatype>(
        _ property: FieldProperty<Value?>, _ options: [FieldOption<Value?>]
    ) -> FieldDeclaration {
        let option = FieldOption.merging(options)
        switch Value.self {
        case is String.Type: return OptionalStringField(Reinterpretation.same(property), Reinterpretation.same(option))
        case is Int.Type: return OptionalIntegerField(Reinterpretation.same(property), Reinterpretation.same(option))
        default: return OptionalField(property, option)
        }
    }

    @usableFromInline
    static func instance<Object: AnyObject & Codable & SendableMetatype>(
        _ property: FieldProperty<Object>, _ options: [FieldOption<Object>]
    ) -> FieldDeclaration {
        InstanceField(property, .merging(options))
    }

    @usableFromInline
    static func reference<Object: AnyObject & Codable & SendableMetatype>(
        _ property: FieldProperty<Object?>, _ option: ReferenceOption
    ) -> FieldDeclaration {
        ReferenceField(property, option)
    }

    @usableFromInline
    static func instances<Object: AnyObject & Codable & SendableMetatype>(
        _ property: FieldProperty<[Object]>, _ options: [FieldOption<[Object]>]
    ) -> FieldDeclaration {
        let option = FieldOption.merging(options)
        return option.form == nil ? InstancesField(property, option) : FieldOf(property, option)
    }
}

// MARK: - Values

/// A field of a value of any type. Subclasses have the functions of the types that need no look-up.
private class FieldOf<Value: Codable & SendableMetatype>: FieldDeclaration, @unchecked Sendable {
    final let get: @Sendable (ValueAddress) -> Value
    final let set: @Sendable (ValueAddress, consuming Value) -> Void
    final let option: FieldOption<Value>

    init(_ property: FieldProperty<Value>, _ option: FieldOption<Value>) {
        (get, set, self.option) = (property.get, property.set, option)
        super.init(property.key, property.aliases, root: property.root, property.keyPath)
    }

    final override var isOmittedIfDefault: Bool { option.isEqual != nil }

    override func write(_ address: ValueAddress, _ encoding: EncodingFrame) throws -> UInt32 {
        let value = get(address)
        if let form = option.form { return try form.write(value, encoding) }
        if option.omitsAbsent, isAbsent(value) { return 0 }
        return option.written(try encoding.field(value))
    }

    override func read(_ address: ValueAddress, _ decoding: DecodingFrame, _ reference: Int) throws {
        let form = option.form
        set(address, try form?.read(decoding, reference) ?? decoding.fieldValue(Value.self, reference))
    }

    final override func copy(_ address: ValueAddress, from source: ValueAddress) { set(address, get(source)) }

    override func setAbsent(_ address: ValueAddress) -> Bool {
        switch option.absent {
        case .required: return false
        case .initial: break
        case .value(let value): set(address, value())
        }
        return true
    }

    final override func isDefault(_ address: ValueAddress, _ initial: ValueAddress) -> Bool {
        guard let isEqual = option.isEqual else { return false }
        if case .value(let value) = option.absent { return isEqual(get(address), value()) }
        return isEqual(get(address), get(initial))
    }

    final override func encode(
        _ address: ValueAddress, _ container: inout KeyedEncodingContainer<ArchiveKey>
    ) throws {
        let value = get(address)
        if isConditional || !option.writesNull && isAbsent(value) { return }
        try container.encode(value, forKey: ArchiveKey(stringValue: key))
    }

    final override func decode(
        _ address: ValueAddress, from container: KeyedDecodingContainer<ArchiveKey>
    ) throws {
        let present = keys.lazy.map { ArchiveKey(stringValue: $0) }.first { container.contains($0) }
        if present == nil, setAbsent(address) { return }
        // Of an absent key the container has the error.
        set(address, try container.decode(Value.self, forKey: present ?? ArchiveKey(stringValue: key)))
    }
}

private final class StringField: FieldOf<String>, @unchecked Sendable {
    override func write(_ address: ValueAddress, _ encoding: EncodingFrame) -> UInt32 {
        encoding.graph.string(get(address))
    }

    override func read(_ address: ValueAddress, _ decoding: DecodingFrame, _ reference: Int) throws {
        set(address, try decoding.fieldLeaf(reference))
    }
}

private final class IntegerField: FieldOf<Int>, @unchecked Sendable {
    override func write(_ address: ValueAddress, _ encoding: EncodingFrame) -> UInt32 {
        encoding.graph.usualInteger(Int64(get(address)), inline: true)
    }

    override func read(_ address: ValueAddress, _ decoding: DecodingFrame, _ reference: Int) throws {
        set(address, try decoding.fieldLeaf(reference))
    }
}

private final class RealField: FieldOf<Double>, @unchecked Sendable {
    override func write(_ address: ValueAddress, _ encoding: EncodingFrame) -> UInt32 {
        encoding.graph.usualReal(get(address), inline: true)
    }

    override func read(_ address: ValueAddress, _ decoding: DecodingFrame, _ reference: Int) throws {
        set(address, try decoding.fieldLeaf(reference))
    }
}

private final class BooleanField: FieldOf<Bool>, @unchecked Sendable {
    override func write(_ address: ValueAddress, _ encoding: EncodingFrame) -> UInt32 {
        encoding.graph.boolean(get(address), inline: true)
    }

    override func read(_ address: ValueAddress, _ decoding: DecodingFrame, _ reference: Int) throws {
        set(address, try decoding.fieldLeaf(reference))
    }
}

// MARK: - Optional values

/// A field that is omitted if it is nil, unless an absent one has another default.
private class OptionalField<Wrapped: Codable & SendableMetatype>: FieldOf<Wrapped?>, @unchecked Sendable {
    override func write(_ address: ValueAddress, _ encoding: EncodingFrame) throws -> UInt32 {
        guard let value = get(address) else { return option.written(0) }
        return option.written(try encoding.field(value))
    }

    override func read(_ address: ValueAddress, _ decoding: DecodingFrame, _ reference: Int) throws {
        set(address, try decoding.fieldValueIfPresent(Wrapped.self, reference))
    }

    final override func setAbsent(_ address: ValueAddress) -> Bool {
        // Without the cast that the default of any type needs.
        guard option.omitsAbsent else { return super.setAbsent(address) }
        set(address, nil)
        return true
    }
}

private final class OptionalStringField: OptionalField<String>, @unchecked Sendable {
    override func write(_ address: ValueAddress, _ encoding: EncodingFrame) -> UInt32 {
        get(address).map { encoding.graph.string($0) } ?? option.written(0)
    }

    override func read(_ address: ValueAddress, _ decoding: DecodingFrame, _ reference: Int) throws {
        set(address, try decoding.fieldLeafIfPresent(reference))
    }
}

private final class OptionalIntegerField: OptionalField<Int>, @unchecked Sendable {
    override func write(_ address: ValueAddress, _ encoding: EncodingFrame) -> UInt32 {
        get(address).map { encoding.graph.usualInteger(Int64($0), inline: true) } ?? option.written(0)
    }

    override func read(_ address: ValueAddress, _ decoding: DecodingFrame, _ reference: Int) throws {
        set(address, try decoding.fieldLeafIfPresent(reference))
    }
}

// MARK: - Class instances

private final class InstanceField<Object: AnyObject & Codable & SendableMetatype>: FieldOf<Object>, @unchecked Sendable
{
    override func write(_ address: ValueAddress, _ encoding: EncodingFrame) throws -> UInt32 {
        try encoding.field(instance: get(address))
    }

    override func read(_ address: ValueAddress, _ decoding: DecodingFrame, _ reference: Int) throws {
        set(address, try decoding.fieldInstance(Object.self, reference))
    }
}

/// A reference to an instance, or to none, which may be a conditional one.
private final class ReferenceField<Object: AnyObject & Codable & SendableMetatype>: OptionalField<Object>,
    @unchecked Sendable
{
    private let kind: ReferenceOption

    init(_ property: FieldProperty<Object?>, _ kind: ReferenceOption) {
        self.kind = kind
        super.init(property, .merging([]))
    }

    override var isConditional: Bool { kind == .conditional }

    override func write(_ address: ValueAddress, _ encoding: EncodingFrame) throws -> UInt32 {
        guard let object = get(address) else { return 0 }
        return try kind == .strong ? encoding.field(instance: object) : encoding.field(conditional: object)
    }

    override func read(_ address: ValueAddress, _ decoding: DecodingFrame, _ reference: Int) throws {
        let object =
            try kind == .strong
            ? decoding.fieldInstanceIfPresent(Object.self, reference)
            : decoding.fieldConditionalInstance(Object.self, reference)
        set(address, object)
    }
}

private final class InstancesField<Object: AnyObject & Codable & SendableMetatype>: FieldOf<[Object]>,
    @unchecked Sendable
{
    override func write(_ address: ValueAddress, _ encoding: EncodingFrame) throws -> UInt32 {
        try encoding.field(instances: get(address))
    }

    override func read(_ address: ValueAddress, _ decoding: DecodingFrame, _ reference: Int) throws {
        set(address, try decoding.fieldInstances(Object.self, reference))
    }
}
