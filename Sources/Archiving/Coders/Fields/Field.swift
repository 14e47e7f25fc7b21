// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A property of a type with declared fields, and its key.
///
/// ```swift
/// Field("title", \.title, aliases: ["name"])
/// Field("count", \.count, .default(1), .omitIfDefault)
/// Field("parent", \.parent, .conditional)
/// ```
///
/// The value of a field is of a `Codable` type, a class instance, an array of class instances, or an optional of these.
/// A field of an optional type is omitted if it is nil, and nil if it is absent.
///
/// The key path has to be writable. It may be computed; the coders then call the property's accessors. The wrapper of a
/// wrapped property is a value as well: `Field("part", \._part)`.
public struct Field<Root: SendableMetatype>: Sendable {
    @usableFromInline let declaration: FieldDeclaration

    /// The key.
    public var key: String { declaration.key }

    /// The former keys of the field, which are read if the key is absent.
    public var aliases: [String] { declaration.aliases }

    /// The property.
    public var keyPath: AnyKeyPath { declaration.keyPath() }

    @usableFromInline
    init(_ declaration: FieldDeclaration) { self.declaration = declaration }
}

/// A field without its static types.
///
/// The functions were specialised for the property when the program was compiled: a coder calls them without looking up any
/// type. They receive the address of a value of the type `root`.
@usableFromInline
final class FieldDeclaration: Sendable {
    /// Returns the reference to the value of the field; 0 if the field is omitted.
    @usableFromInline typealias Write = @Sendable (ValueAddress, EncodingFrame) throws -> UInt32
    /// Sets the field to the value at a reference of the archive.
    @usableFromInline typealias Read = @Sendable (ValueAddress, DecodingFrame, Int) throws -> Void
    /// Sets the field of the first value to that of the second one.
    @usableFromInline typealias Copy = @Sendable (ValueAddress, ValueAddress) -> Void
    @usableFromInline typealias IsDefault = @Sendable (ValueAddress, ValueAddress) -> Bool
    /// Codes the field in the containers of any coder.
    @usableFromInline
    struct ContainerForm: Sendable {
        let encode: @Sendable (ValueAddress, ArchiveKey, inout KeyedEncodingContainer<ArchiveKey>) throws -> Void
        let decode: @Sendable (ValueAddress, ArchiveKey, KeyedDecodingContainer<ArchiveKey>) throws -> Void
    }

    let key: String
    let aliases: [String]
    /// The type that declares the field.
    let root: any Any.Type
    let keyPath: @Sendable () -> AnyKeyPath
    let write: Write
    let read: Read
    let copy: Copy
    /// Sets the field if the archive does not have it; nil if it has to.
    let setAbsent: (@Sendable (ValueAddress) -> Void)?
    /// Returns whether the first value has the default, and the field is omitted; nil if it never is. The second value is new.
    let isDefault: IsDefault?
    /// Whether the field does not archive the instance that it refers to.
    let isConditional: Bool
    private let containerForm: ContainerForm

    @usableFromInline
    init(
        _ key: String, _ aliases: [String], root: any Any.Type,
        keyPath: @escaping @Sendable () -> AnyKeyPath, write: @escaping Write, read: @escaping Read,
        copy: @escaping Copy, setAbsent: (@Sendable (ValueAddress) -> Void)?, isDefault: IsDefault? = nil,
        isConditional: Bool = false, containerForm: ContainerForm
    ) {
        self.key = key
        self.aliases = aliases
        self.root = root
        self.keyPath = keyPath
        self.write = write
        self.read = read
        self.copy = copy
        self.setAbsent = setAbsent
        self.isDefault = isDefault
        self.isConditional = isConditional
        self.containerForm = containerForm
    }

    /// Encodes the field in a keyed container.
    func encode(_ address: ValueAddress, _ container: inout KeyedEncodingContainer<ArchiveKey>) throws {
        if !isConditional { try containerForm.encode(address, ArchiveKey(stringValue: key), &container) }
    }

    /// Decodes the field from a keyed container.
    func decode(_ address: ValueAddress, from container: KeyedDecodingContainer<ArchiveKey>) throws {
        let names = [key] + aliases
        if let present = names.first(where: { container.contains(ArchiveKey(stringValue: $0)) }) {
            try containerForm.decode(address, ArchiveKey(stringValue: present), container)
        } else if let setAbsent {
            setAbsent(address)
        } else {
            // The container has the error.
            try containerForm.decode(address, ArchiveKey(stringValue: key), container)
        }
    }
}

// MARK: - Values

extension Field {
    /// Creates a field of a value.
    ///
    /// - Parameters:
    ///   - key: The key in the archive. It is unique among the fields of the type.
    ///   - keyPath: The property.
    ///   - aliases: Former keys, which are read if the key is absent.
    ///   - options: Options: see ``FieldOption``.
    @inlinable
    @inline(__always)
    @_disfavoredOverload
    public init<Value: Codable & SendableMetatype>(
        _ key: String, _ keyPath: @autoclosure @escaping @Sendable () -> WritableKeyPath<Root, Value>,
        aliases: [String] = [], _ options: FieldOption<Value>...
    ) {
        let option = FieldOption<Value>.merging(options)
        let write: FieldDeclaration.Write
        let read: FieldDeclaration.Read
        // The compiler decides these branches: each closure has code for one type.
        if Value.self == String.self {
            write = {
                let value = Reinterpretation.same($0.value(Root.self) { $0[keyPath: keyPath()] }, as: String.self)
                return $1.field(string: value)
            }
            read = {
                $0[as: Root.self][keyPath: keyPath()] = Reinterpretation.same(try $1.fieldString($2), as: Value.self)
            }
        } else if Value.self == Int.self {
            write = {
                let value = Reinterpretation.same($0.value(Root.self) { $0[keyPath: keyPath()] }, as: Int.self)
                return $1.field(integer: value)
            }
            read = {
                $0[as: Root.self][keyPath: keyPath()] = Reinterpretation.same(try $1.fieldInteger($2), as: Value.self)
            }
        } else if Value.self == Double.self {
            write = {
                let value = Reinterpretation.same($0.value(Root.self) { $0[keyPath: keyPath()] }, as: Double.self)
                return $1.field(real: value)
            }
            read = {
                $0[as: Root.self][keyPath: keyPath()] = Reinterpretation.same(try $1.fieldReal($2), as: Value.self)
            }
        } else if Value.self == Bool.self {
            write = {
                let value = Reinterpretation.same($0.value(Root.self) { $0[keyPath: keyPath()] }, as: Bool.self)
                return $1.field(boolean: value)
            }
            read = {
                $0[as: Root.self][keyPath: keyPath()] = Reinterpretation.same(try $1.fieldBoolean($2), as: Value.self)
            }
        } else {
            write = {
                let value = $0.value(Root.self) { $0[keyPath: keyPath()] }
                return try $1.field(value)
            }
            read = { $0[as: Root.self][keyPath: keyPath()] = try $1.fieldValue(Value.self, $2) }
        }
        self.init(
            FieldDeclaration(
                key, aliases, root: Root.self, keyPath: { keyPath() },
                write: option.write(write) { $0.value(Root.self) { $0[keyPath: keyPath()] } },
                read: option.read(read) { $0[as: Root.self][keyPath: keyPath()] = $1 },
                copy: { $0[as: Root.self][keyPath: keyPath()] = $1.value(Root.self) { $0[keyPath: keyPath()] } },
                setAbsent: option.absent { $0[as: Root.self][keyPath: keyPath()] = $1 },
                isDefault: option.isDefault { $0.value(Root.self) { $0[keyPath: keyPath()] } },
                containerForm: option.containerForm({ $0.value(Root.self) { $0[keyPath: keyPath()] } }) {
                    $0[as: Root.self][keyPath: keyPath()] = $1
                }))
    }
}

// MARK: - Optional values

extension Field {
    /// Creates a field of a value, or nil. The field is omitted if it is nil, and nil if it is absent.
    ///
    /// - Parameters:
    ///   - key: The key in the archive. It is unique among the fields of the type.
    ///   - keyPath: The property.
    ///   - aliases: Former keys, which are read if the key is absent.
    ///   - options: Options: see ``FieldOption``.
    @inlinable
    @inline(__always)
    @_disfavoredOverload
    public init<Value: Codable & SendableMetatype>(
        _ key: String, _ keyPath: @autoclosure @escaping @Sendable () -> WritableKeyPath<Root, Value?>,
        aliases: [String] = [], _ options: FieldOption<Value?>...
    ) {
        let option = FieldOption<Value?>.merging(options, isOptional: true)
        let write: FieldDeclaration.Write
        let read: FieldDeclaration.Read
        if Value.self == String.self {
            write = {
                let value = Reinterpretation.same($0.value(Root.self) { $0[keyPath: keyPath()] }, as: String?.self)
                return $1.field(ifPresent: value)
            }
            read = {
                $0[as: Root.self][keyPath: keyPath()] = Reinterpretation.same(
                    try $1.fieldStringIfPresent($2), as: Value?.self)
            }
        } else if Value.self == Int.self {
            write = {
                let value = Reinterpretation.same($0.value(Root.self) { $0[keyPath: keyPath()] }, as: Int?.self)
                return $1.field(ifPresent: value)
            }
            read = {
                $0[as: Root.self][keyPath: keyPath()] = Reinterpretation.same(
                    try $1.fieldIntegerIfPresent($2), as: Value?.self)
            }
        } else {
            write = {
                let value = $0.value(Root.self) { $0[keyPath: keyPath()] }
                return try $1.field(ifPresent: value)
            }
            read = { $0[as: Root.self][keyPath: keyPath()] = try $1.fieldValueIfPresent(Value.self, $2) }
        }
        self.init(
            FieldDeclaration(
                key, aliases, root: Root.self, keyPath: { keyPath() },
                write: option.write(write) { $0.value(Root.self) { $0[keyPath: keyPath()] } },
                read: option.read(read) { $0[as: Root.self][keyPath: keyPath()] = $1 },
                copy: { $0[as: Root.self][keyPath: keyPath()] = $1.value(Root.self) { $0[keyPath: keyPath()] } },
                setAbsent: option.absent { $0[as: Root.self][keyPath: keyPath()] = $1 }
                    ?? { $0[as: Root.self][keyPath: keyPath()] = nil },
                isDefault: option.isDefault { $0.value(Root.self) { $0[keyPath: keyPath()] } },
                containerForm: option.containerForm({ $0.value(Root.self) { $0[keyPath: keyPath()] } }) {
                    $0[as: Root.self][keyPath: keyPath()] = $1
                }))
    }
}

// MARK: - Class instances

extension Field {
    /// Creates a field of a class instance.
    ///
    /// - Parameters:
    ///   - key: The key in the archive. It is unique among the fields of the type.
    ///   - keyPath: The property.
    ///   - aliases: Former keys, which are read if the key is absent.
    ///   - options: Options: see ``FieldOption``.
    @inlinable
    @inline(__always)
    public init<Object: AnyObject & Codable & SendableMetatype>(
        _ key: String, _ keyPath: @autoclosure @escaping @Sendable () -> WritableKeyPath<Root, Object>,
        aliases: [String] = [], _ options: FieldOption<Object>...
    ) {
        let option = FieldOption<Object>.merging(options)
        self.init(
            FieldDeclaration(
                key, aliases, root: Root.self, keyPath: { keyPath() },
                write: {
                    let object = $0.value(Root.self) { $0[keyPath: keyPath()] }
                    return try $1.field(instance: object)
                },
                read: { $0[as: Root.self][keyPath: keyPath()] = try $1.fieldInstance(Object.self, $2) },
                copy: { $0[as: Root.self][keyPath: keyPath()] = $1.value(Root.self) { $0[keyPath: keyPath()] } },
                setAbsent: option.absent { $0[as: Root.self][keyPath: keyPath()] = $1 },
                isDefault: option.isDefault { $0.value(Root.self) { $0[keyPath: keyPath()] } },
                containerForm: option.containerForm({ $0.value(Root.self) { $0[keyPath: keyPath()] } }) {
                    $0[as: Root.self][keyPath: keyPath()] = $1
                }))
    }

    /// Creates a field of a class instance, or nil.
    ///
    /// - Parameters:
    ///   - key: The key in the archive. It is unique among the fields of the type.
    ///   - keyPath: The property, which may be weak.
    ///   - aliases: Former keys, which are read if the key is absent.
    ///   - option: An option of the reference: see ``ReferenceOption``.
    @inlinable
    @inline(__always)
    public init<Object: AnyObject & Codable & SendableMetatype>(
        _ key: String, _ keyPath: @autoclosure @escaping @Sendable () -> WritableKeyPath<Root, Object?>,
        aliases: [String] = [], _ option: ReferenceOption = .strong
    ) {
        let write: FieldDeclaration.Write
        let read: FieldDeclaration.Read
        if option == .conditional {
            write = {
                let value = $0.value(Root.self) { $0[keyPath: keyPath()] }
                return try $1.field(conditional: value)
            }
            read = { $0[as: Root.self][keyPath: keyPath()] = try $1.fieldConditionalInstance(Object.self, $2) }
        } else {
            write = {
                let value = $0.value(Root.self) { $0[keyPath: keyPath()] }
                return try $1.field(instanceIfPresent: value)
            }
            read = { $0[as: Root.self][keyPath: keyPath()] = try $1.fieldInstanceIfPresent(Object.self, $2) }
        }
        let plain = FieldOption<Object?>.merging([], isOptional: true)
        self.init(
            FieldDeclaration(
                key, aliases, root: Root.self, keyPath: { keyPath() }, write: write,
                read: read,
                copy: { $0[as: Root.self][keyPath: keyPath()] = $1.value(Root.self) { $0[keyPath: keyPath()] } },
                setAbsent: { $0[as: Root.self][keyPath: keyPath()] = nil },
                isConditional: option == .conditional,
                containerForm: plain.containerForm({ $0.value(Root.self) { $0[keyPath: keyPath()] } }) {
                    $0[as: Root.self][keyPath: keyPath()] = $1
                }))
    }

    /// Creates a field of an array of class instances.
    ///
    /// - Parameters:
    ///   - key: The key in the archive. It is unique among the fields of the type.
    ///   - keyPath: The property.
    ///   - aliases: Former keys, which are read if the key is absent.
    ///   - options: Options: see ``FieldOption``.
    @inlinable
    @inline(__always)
    public init<Object: AnyObject & Codable & SendableMetatype>(
        _ key: String, _ keyPath: @autoclosure @escaping @Sendable () -> WritableKeyPath<Root, [Object]>,
        aliases: [String] = [], _ options: FieldOption<[Object]>...
    ) {
        let option = FieldOption<[Object]>.merging(options)
        self.init(
            FieldDeclaration(
                key, aliases, root: Root.self, keyPath: { keyPath() },
                write: option.write({
                    let objects = $0.value(Root.self) { $0[keyPath: keyPath()] }
                    return try $1.field(instances: objects)
                }) {
                    $0.value(Root.self) { $0[keyPath: keyPath()] }
                },
                read: { $0[as: Root.self][keyPath: keyPath()] = try $1.fieldInstances(Object.self, $2) },
                copy: { $0[as: Root.self][keyPath: keyPath()] = $1.value(Root.self) { $0[keyPath: keyPath()] } },
                setAbsent: option.absent { $0[as: Root.self][keyPath: keyPath()] = $1 },
                isDefault: option.isDefault { $0.value(Root.self) { $0[keyPath: keyPath()] } },
                containerForm: option.containerForm({ $0.value(Root.self) { $0[keyPath: keyPath()] } }) {
                    $0[as: Root.self][keyPath: keyPath()] = $1
                }))
    }
}
