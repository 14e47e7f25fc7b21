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
}

/// The declarations of a type about its archived form, found by one look-up of its conformances.
struct TypeDeclarations {
    /// The type, if it declares anything. Most types do not.
    let declared: (any ArchivedType.Type)?
    /// The way in which the values are coded, unless archives have their own form for the type.
    let kind: TypeKind
    /// The declared fields; nil if the type codes itself.
    let fields: FieldPlan?

    init(_ type: any Any.Type) {
        declared = type as? any ArchivedType.Type
        if type is AnyClass {
            kind = declared is any Coding.Type ? .coding : .instance
        } else {
            kind = archiveDescription(of: type) is any ArchivedOnce.Type ? .once : .value
        }
        fields = kind == .value || kind == .instance ? FieldPlan.plan(ifDeclaredBy: type) : nil
    }
}
