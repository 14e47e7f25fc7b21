// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The way in which values of a type are encoded and decoded.
enum TypeKind: UInt8 {
    /// With `encode(to:)` and `init(from:)`.
    case value
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
    /// - Parameter isNative: Whether archives have their own form for the type.
    static func of<Value>(_ type: Value.Type, isNative: Bool) -> TypeKind {
        if isNative { return .native }
        if type is AnyClass { return type is any Coding.Type ? .coding : .instance }
        if archiveDescription(of: type, as: (any ArchivedOnce.Type).self) != nil { return .once }
        return .value
    }
}
