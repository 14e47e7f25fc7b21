// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The declared fields of a type: see ``ArchivedFields``.
///
/// For a subclass, `Root` is the class that declares its fields first.
public struct FieldList<Root: SendableMetatype>: Sendable {
    let declarations: [FieldDeclaration]

    /// Creates a list of the fields that `fields` names, in the order of their encoding.
    ///
    /// ```swift
    /// static let fields = FieldList<Point> {
    ///     Field("x", \.x)
    ///     Field("y", \.y)
    /// }
    /// ```
    public init(@FieldListBuilder<Root> _ fields: () -> [Field<Root>]) {
        declarations = fields().map(\.declaration)
    }

    private init(_ declarations: [FieldDeclaration]) { self.declarations = declarations }
}

extension FieldList {
    /// Returns the list of a subclass: these fields, followed by those that the subclass adds.
    ///
    /// ```swift
    /// class Shape: ArchivedFields {
    ///     var name = ""
    ///     required init() {}
    ///     class var fields: FieldList<Shape> { FieldList { Field("name", \.name) } }
    /// }
    ///
    /// final class Box: Shape {
    ///     var cornerRadius = 0.0
    ///     override class var fields: FieldList<Shape> {
    ///         super.fields.extended(by: Box.self) { Field("cornerRadius", \.cornerRadius) }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The subclass.
    ///   - fields: Its own fields.
    public func extended<Subclass: SendableMetatype>(
        by type: Subclass.Type, @FieldListBuilder<Subclass> _ fields: () -> [Field<Subclass>]
    ) -> FieldList {
        FieldList(declarations + fields().map(\.declaration))
    }
}

/// Builds the list of a type's fields.
@resultBuilder
public enum FieldListBuilder<Root: SendableMetatype> {
    /// Returns the field of a statement.
    public static func buildExpression(_ field: Field<Root>) -> [Field<Root>] { [field] }

    /// Returns the fields of all statements.
    public static func buildBlock(_ fields: [Field<Root>]...) -> [Field<Root>] { fields.flatMap { $0 } }

    /// Returns the fields of a statement with a condition.
    public static func buildOptional(_ fields: [Field<Root>]?) -> [Field<Root>] { fields ?? [] }

    /// Returns the fields of the first branch.
    public static func buildEither(first fields: [Field<Root>]) -> [Field<Root>] { fields }

    /// Returns the fields of the second branch.
    public static func buildEither(second fields: [Field<Root>]) -> [Field<Root>] { fields }

    /// Returns the fields of a loop.
    public static func buildArray(_ fields: [[Field<Root>]]) -> [Field<Root>] { fields.flatMap { $0 } }
}
