// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A type whose author declares which property has which key.
///
/// ```swift
/// final class Node: ArchivedFields {
///     var name = ""
///     var children: [Node] = []
///     weak var parent: Node?
///
///     init() {}
///
///     static let fields = FieldList<Node> {
///         Field("name", \.name)
///         Field("children", \.children)
///         Field("parent", \.parent, .conditional)
///     }
/// }
/// ```
///
/// The coders of this module create an instance with ``init()`` and then set its fields. So every field opens the cycles that contain
/// it, and graphs of any size need no more stack than small ones. An archive has
/// the same form as that of a Codable type with the same keys, and every reader of archives reads it.
///
/// The protocol includes `Codable`. A type that implements neither `encode(to:)` nor `init(from:)` gets both from its
/// declaration, with the same keys, so that other encoders and decoders can be used as well. They write a conditional
/// reference as nothing, and know no references and no cycles. If a type has its own `encode(to:)` or `init(from:)`, the
/// coders of this module do not call them.
///
/// A class that is not final declares its fields as `class var`, and a subclass adds its own with
/// ``FieldList/extended(by:_:)``. <doc:DeclaredFields> explains when to declare fields.
public protocol ArchivedFields: ArchivedType, Codable, SendableMetatype {
    /// The type that ``fields`` is a list of: the type itself or, for a subclass, the class that declares `fields` first.
    associatedtype FieldRoot: SendableMetatype

    /// Creates a value whose fields are set afterwards.
    ///
    /// A field that is absent in the archive and has the option ``FieldOption/default`` keeps its initial value.
    init()

    /// The fields, in the order in which they are encoded. A coder reads the property once for each type.
    static var fields: FieldList<FieldRoot> { get }

    /// Called after decoding. The default implementation does nothing.
    ///
    /// For a class instance, the whole graph is complete, including all references. The instance that was created last is called
    /// first. For a struct, its own fields are set; the fields of instances that it refers to may not be.
    /// <doc:DeclaredFields> has the order in which fields are set.
    ///
    /// If only a subclass needs the method, the class that declares ``fields`` first has to implement it, too.
    ///
    /// - Throws: An error that ends the decoding.
    mutating func didFinishDecoding() throws
}

extension ArchivedFields {
    /// Does nothing.
    public mutating func didFinishDecoding() throws {}
}

// MARK: - Lists of fields

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

// MARK: - Codable

/// A conformance to `Codable` by the declaration, for the coders of other modules.
extension ArchivedFields {
    /// Encodes the fields in a keyed container.
    ///
    /// - Throws: The errors of the encoder.
    /// - Complexity: O(*n*), where *n* is the size of the fields.
    public func encode(to encoder: any Encoder) throws {
        let plan = FieldPlan.plan(of: Swift.type(of: self))
        var container = encoder.container(keyedBy: ArchiveKey.self)
        var value = self
        try ValueAddress.with(&value) { address in
            for field in plan.fields { try field.encode(address, &container) }
        }
    }

    /// Creates a value from the fields in a keyed container.
    ///
    /// - Throws: The errors of the decoder. `DecodingError.keyNotFound` if a field without a default is absent.
    /// - Complexity: O(*n*), where *n* is the size of the fields.
    public init(from decoder: any Decoder) throws {
        self.init()
        let plan = FieldPlan.plan(of: Swift.type(of: self))
        let container = try decoder.container(keyedBy: ArchiveKey.self)
        try ValueAddress.with(&self) { address in
            for field in plan.fields { try field.decode(address, from: container) }
        }
        try didFinishDecoding()
    }
}
