// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// An option of a field whose values are of the type `Value`.
public struct FieldOption<Value: Codable & SendableMetatype>: Sendable {
    /// The value of a field that the archive does not have.
    fileprivate enum Absent: Sendable {
        /// An absent field is an error, or nil if the type of its values is optional.
        case required
        /// The value that `init()` has set.
        case initial
        case value(@Sendable () -> Value)
    }

    /// Another form of the values than that of their type.
    fileprivate struct Form: Sendable {
        let write: @Sendable (Value, EncodingFrame) throws -> UInt32
        let read: @Sendable (DecodingFrame, Int) throws -> Value
    }

    fileprivate var absent = Absent.required
    /// Compares a value with the default; nil if every value is written.
    fileprivate var isEqual: (@Sendable (Value, Value) -> Bool)?
    fileprivate var form: Form?
    /// Returns whether a value is omitted; nil if no value of the type is.
    fileprivate var isAbsent: (@Sendable (Value) -> Bool)?
    /// Whether nil is written as null, because an absent field may get another value.
    fileprivate var writesNull = false

    fileprivate init() {}
}

// MARK: - Options

extension FieldOption {
    /// An absent field keeps the value that `init()` has set.
    public static var `default`: FieldOption {
        var option = FieldOption()
        option.absent = .initial
        return option
    }

    /// An absent field gets `value`.
    ///
    /// - Parameter value: The value, which is computed for each absent field.
    public static func `default`(_ value: @autoclosure @escaping @Sendable () -> Value) -> FieldOption {
        var option = FieldOption()
        option.absent = .value(value)
        return option
    }
}

extension FieldOption where Value: Equatable {
    /// The field is omitted if its value equals the default: that of ``FieldOption/default(_:)``, or without it the value
    /// that `init()` sets.
    ///
    /// Other readers of the archive find no value for the key.
    public static var omitIfDefault: FieldOption {
        var option = FieldOption()
        option.isEqual = { $0 == $1 }
        return option
    }
}

extension FieldOption where Value: RawRepresentable, Value.RawValue: Codable & SendableMetatype {
    /// A value is archived as its raw value, and decoded by `init(rawValue:)`.
    ///
    /// The coders do not call `encode(to:)` and `init(from:)` of `Value`. The author of the declaration promises that they encode
    /// and decode only the raw value, as those do that the compiler provides for an enumeration.
    public static var rawValue: FieldOption {
        var option = FieldOption()
        option.form = Form(
            write: { try $1.field($0.rawValue) },
            read: { try $0.field(rawValue: $0.fieldValue(Value.RawValue.self, $1)) })
        return option
    }
}

extension FieldOption {
    /// Values are archived as their raw values, as with ``FieldOption/rawValue``.
    public static func rawValues<Element: RawRepresentable & Codable & SendableMetatype>() -> FieldOption
    where Value == [Element], Element.RawValue: Codable & SendableMetatype {
        var option = FieldOption()
        option.form = Form(
            write: { try $1.field($0.map { $0.rawValue }) },
            read: { decoder, reference in
                try decoder.fieldValue([Element.RawValue].self, reference).map { try decoder.field(rawValue: $0) }
            })
        return option
    }
}

/// An option of a reference to a class instance.
public enum ReferenceOption: Sendable {
    /// The reference archives the instance. It is the default.
    case strong
    /// The reference does not archive the instance. It is decoded as nil unless another reference archives the instance:
    /// the form of a reference back, to a parent or an owner.
    ///
    /// An `ArchiveDocument` decodes the instance with the reference, and keeps both: use ``WeakReference`` for a reference to a part
    /// that is to be loaded later.
    case conditional
}

// MARK: - The functions of a field

extension FieldOption {
    /// Returns all of `options` as one.
    ///
    /// - Parameter isOptional: Whether the functions of the field omit nil.
    @usableFromInline
    static func merging(_ options: [FieldOption], isOptional: Bool = false) -> FieldOption {
        var merged = FieldOption()
        for option in options {
            if case .required = option.absent {} else { merged.absent = option.absent }
            if let isEqual = option.isEqual { merged.isEqual = isEqual }
            if let form = option.form { merged.form = form }
        }
        if merged.isEqual != nil, case .required = merged.absent { merged.absent = .initial }
        if case .required = merged.absent {
            if !isOptional, let type = absentValueType(Value.self) {
                merged.absent = .value { absentValue(of: type) }
                merged.isAbsent = { Archiving.isAbsent($0) }
            }
        } else {
            merged.writesNull = true
        }
        return merged
    }

    /// Returns the function that writes a field: `write`, unless the values have another form.
    @usableFromInline
    func write(
        _ write: @escaping FieldDeclaration.Write, _ value: @escaping @Sendable (ValueAddress) -> Value
    ) -> FieldDeclaration.Write {
        if let form { return { try form.write(value($0), $1) } }
        if writesNull {
            return {
                let reference = try write($0, $1)
                return reference == 0 ? ArchiveGraph.null : reference
            }
        }
        guard let isAbsent else { return write }
        return { isAbsent(value($0)) ? 0 : try write($0, $1) }
    }

    /// Returns the function that reads a field: `read`, unless the values have another form.
    @usableFromInline
    func read(
        _ read: @escaping FieldDeclaration.Read, _ set: @escaping @Sendable (ValueAddress, Value) -> Void
    ) -> FieldDeclaration.Read {
        guard let form else { return read }
        return { set($0, try form.read($1, $2)) }
    }

    /// Returns the function that sets an absent field; nil if that is an error.
    @usableFromInline
    func absent(
        _ set: @escaping @Sendable (ValueAddress, Value) -> Void
    ) -> (@Sendable (ValueAddress) -> Void)? {
        switch absent {
        case .initial: return { _ in }
        case .value(let value): return { set($0, value()) }
        case .required: return nil
        }
    }

    /// Returns the function that determines whether a field has its default, and is omitted; nil if it never is. It
    /// compares the first value with the second one, which is new.
    @usableFromInline
    func isDefault(
        _ value: @escaping @Sendable (ValueAddress) -> Value
    ) -> (@Sendable (ValueAddress, ValueAddress) -> Bool)? {
        guard let isEqual else { return nil }
        if case .value(let constant) = absent { return { address, _ in isEqual(value(address), constant()) } }
        return { isEqual(value($0), value($1)) }
    }

    /// Returns the functions that code the field in keyed containers of any coder. A nil value is omitted, unless the field has
    /// another default.
    @usableFromInline
    func containerForm(
        _ value: @escaping @Sendable (ValueAddress) -> Value, _ set: @escaping @Sendable (ValueAddress, Value) -> Void
    ) -> FieldDeclaration.ContainerForm {
        FieldDeclaration.ContainerForm(
            encode: { address, key, container in
                let value = value(address)
                if !writesNull, Archiving.isAbsent(value) { return }
                try container.encode(value, forKey: key)
            },
            decode: { address, key, container in set(address, try container.decode(Value.self, forKey: key)) })
    }
}
