/// The way in which values of a type are encoded and decoded.
enum TypeKind: UInt8 {
    /// With `encode(to:)` and `init(from:)`.
    case value
    /// As `value`, with the same result for equal values, so that the result is remembered: an enum of one byte with
    /// raw values.
    case memoizable
    /// As `value`, once for each id.
    case once
    /// A class instance: with `encode(to:)` and `init(from:)`, once.
    case instance
    /// A class instance: with `encode(with:)` and `init(coder:)`, once.
    case coding
    /// In a form that archives have for the type.
    case native

    /// Returns the kind of `type`.
    ///
    /// - Parameters:
    ///   - isNative: Whether archives have their own form for the type.
    ///   - isRawValue: Whether a value is its raw value.
    static func of<Value>(
        _ type: Value.Type, isNative: Bool, isRawValue: @autoclosure () -> Bool
    ) -> TypeKind {
        if isNative { return .native }
        if type is AnyClass { return type is any Coding.Type ? .coding : .instance }
        if archiveDescription(of: type, as: (any ArchivedOnce.Type).self) != nil { return .once }
        return MemoryLayout<Value>.size == 1 && _isPOD(type) && isRawValue() ? .memoizable : .value
    }
}
