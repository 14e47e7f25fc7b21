// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// An option of a field whose values are of the type `Value`.
public struct FieldOption<Value: Codable & SendableMetatype>: Sendable {
    enum Absent: Sendable {
        /// An absent field is an error.
        case required
        case initial
        case value(@Sendable () -> Value)
    }

    struct Form: Sendable {
        let write: @Sendable (Value, EncodingFrame) throws -> UInt32
        let read: @Sendable (DecodingFrame, Int) throws -> Value
    }

    private(set) var absent = Absent.required
    /// Compares a value with the default; nil if every value is written.
    private(set) var isEqual: (@Sendable (Value, Value) -> Bool)?
    private(set) var form: Form?
    private(set) var omitsAbsent = false
    /// Whether nil is written as null, because an absent field may get another value.
    private(set) var writesNull = false

    private init(_ absent: Absent = .required, isEqual: (@Sendable (Value, Value) -> Bool)? = nil) {
        (self.absent, self.isEqual) = (absent, isEqual)
    }

    @usableFromInline
    init(
        write: @escaping @Sendable (Value, EncodingFrame) throws -> UInt32,
        read: @escaping @Sendable (DecodingFrame, Int) throws -> Value
    ) {
        form = Form(write: write, read: read)
    }

    static func merging(_ options: [FieldOption]) -> FieldOption {
        var merged = FieldOption()
        for option in options {
            if case .required = option.absent {} else { merged.absent = option.absent }
            merged.isEqual = option.isEqual ?? merged.isEqual
            merged.form = option.form ?? merged.form
        }
        if merged.isEqual != nil, case .required = merged.absent { merged.absent = .initial }
        guard case .required = merged.absent else {
            merged.writesNull = true
            return merged
        }
        if let type = absentValueType(Value.self) {
            merged.absent = .value { absentValue(of: type) }
            merged.omitsAbsent = true
        }
        return merged
    }

    /// Returns `reference`, or that of null in place of no reference, if the field is not omitted then.
    @inline(__always)
    func written(_ reference: UInt32) -> UInt32 { reference == 0 && writesNull ? ArchiveGraph.null : reference }
}

// MARK: - Options

extension FieldOption {
    /// An absent field keeps the value that `init()` has set.
    public static var `default`: FieldOption { FieldOption(.initial) }

    /// An absent field gets `value`.
    ///
    /// - Parameter value: The value, which is computed for each absent field.
    public static func `default`(_ value: @autoclosure @escaping @Sendable () -> Value) -> FieldOption {
        FieldOption(.value(value))
    }
}

extension FieldOption where Value: Equatable {
    /// The field is omitted if its value equals the default: that of ``FieldOption/default(_:)``, or without it the value
    /// that `init()` sets.
    ///
    /// Other readers of the archive find no value for the key.
    public static var omitIfDefault: FieldOption { FieldOption(isEqual: { $0 == $1 }) }
}

extension FieldOption where Value: RawRepresentable, Value.RawValue: Codable & SendableMetatype {
    /// A value is archived as its raw value, and decoded by `init(rawValue:)`.
    ///
    /// The coders do not call `encode(to:)` and `init(from:)` of `Value`. The author of the declaration promises that they encode
    /// and decode only the raw value, as those do that the compiler provides for an enumeration.
    @inlinable
    public static var rawValue: FieldOption {
        FieldOption(
            write: { try $1.field($0.rawValue) },
            read: { try $0.field(rawValue: $0.fieldValue(Value.RawValue.self, $1)) })
    }
}

extension FieldOption {
    /// Values are archived as their raw values, as with ``FieldOption/rawValue``.
    @inlinable
    public static func rawValues<Element: RawRepresentable & Codable & SendableMetatype>() -> FieldOption
    where Value == [Element], Element.RawValue: Codable & SendableMetatype {
        FieldOption(
            write: { try $1.field($0.map { $0.rawValue }) },
            read: { decoder, reference in
                try decoder.fieldValue([Element.RawValue].self, reference).map { try decoder.field(rawValue: $0) }
            })
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
