/// How values of a type go into an archive, and come out of it.
enum TypeKind: UInt8 {
    /// By `encode(to:)` and `init(from:)`.
    case value
    /// As `value`, and equal ones the same each time, so that the result is remembered: an enumeration of one byte that is its
    /// raw value.
    case memoizable
    /// As `value`, once for each id.
    case once
    /// An instance of a class: by `encode(to:)` and `init(from:)`, once.
    case instance
    /// An instance of a class: by `encode(with:)` and `init(coder:)`, once.
    case coding
    /// The archive has a form of its own for it.
    case native

    /// The kind of `type`.
    ///
    /// - Parameters:
    ///   - isNative: Whether the archive has a form of its own for it.
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
