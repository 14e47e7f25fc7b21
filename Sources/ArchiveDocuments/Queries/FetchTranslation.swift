// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Translates the expressions of one predicate.
final class FetchTranslation {
    private(set) var properties: [FetchProperty] = []
    /// Whether the evaluation can fail for values that only unreached objects have, as arithmetic does.
    var mayTrap = false
    private var variables: [PredicateExpressions.VariableID: FetchNode] = [:]

    func translate<Element>(_ predicate: Predicate<Element>) -> FetchExpression<Bool> {
        variables[predicate.variable.key] = FetchElement<Element>()
        return translate(any: predicate.expression)
    }

    private func translate(any expression: any PredicateExpression<Bool>) -> FetchExpression<Bool> {
        func open<Expression: PredicateExpression<Bool>>(_ expression: Expression) -> FetchExpression<Bool> {
            translate(expression)
        }
        return open(expression)
    }

    func translate<Expression: PredicateExpression>(_ expression: Expression) -> FetchExpression<Expression.Output> {
        func open<Known: TranslatableExpression>(_ known: Known) -> FetchNode { known.translated(by: self) }
        if let known = expression as? any TranslatableExpression,
            let result = open(known) as? FetchExpression<Expression.Output>
        {
            return result
        }
        return UntranslatedExpression(Expression.self)
    }

    /// Returns the number of `property`.
    func add(_ property: FetchProperty) -> Int {
        if let known = properties.firstIndex(where: { $0.keyPath == property.keyPath }) { return known }
        properties.append(property)
        return properties.count - 1
    }

    func variable<Value>(_ variable: PredicateExpressions.Variable<Value>) -> FetchExpression<Value> {
        variables[variable.key] as? FetchExpression<Value> ?? UntranslatedExpression(type(of: variable))
    }

    /// Adds a variable that the expressions set themselves.
    func bind<Value>(_ variable: PredicateExpressions.Variable<Value>) -> FetchVariable<Value> {
        let known = FetchVariable<Value>()
        variables[variable.key] = known
        return known
    }
}

extension LinkedFiles {
    package static let predicates: [any Any.Type] = [PredicateConditions.self, PredicateValues.self]
}

/// An expression of Foundation that is evaluated for objects that are not decoded.
protocol TranslatableExpression: PredicateExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output>
}

/// An expression that only Foundation evaluates, for decoded instances.
private final class UntranslatedExpression<Output>: FetchExpression<Output> {
    private let name: String

    init(_ type: any Any.Type) {
        let name = "\(type)"
        self.name = String(name[..<(name.firstIndex(of: "<") ?? name.endIndex)])
    }

    override var text: String { name }
    override var doubts: [String] { ["the expression \(name)"] }
    override var canFail: Bool { true }
}

/// A constant.
final class FetchConstant<Output>: FetchExpression<Output> {
    let constant: Output

    init(_ value: Output) { constant = value }

    override var text: String {
        if let text = constant as? String { return "\"\(text)\"" }
        if let optional = constant as? any FetchOptional, optional.isNil { return "nil" }
        return "\(constant)"
    }
    override var constantValue: Any? { constant }
    override func value(_ reader: FetchReader) throws -> Output { constant }

    override func object(_ reader: FetchReader) throws -> FetchedObject {
        if let optional = constant as? any FetchOptional, optional.isNil { return .none }
        throw FetchDoubt.error
    }
}

/// A variable inside a predicate, such as an unwrapped optional.
final class FetchVariable<Output>: FetchExpression<Output> {
    private var current: Output?
    private var target = FetchedObject.none

    override var text: String { "$0" }

    func with<Result>(_ value: Output, _ body: () throws -> Result) rethrows -> Result {
        current = value
        defer { current = nil }
        return try body()
    }

    /// Returns the result of `body` while the variable refers to `object`.
    func with<Result>(object: FetchedObject, _ body: () throws -> Result) rethrows -> Result {
        target = object
        defer { target = .none }
        return try body()
    }

    override func value(_ reader: FetchReader) throws -> Output {
        guard let current else { throw FetchDoubt.error }
        return current
    }

    override func object(_ reader: FetchReader) throws -> FetchedObject {
        if case .none = target { throw FetchDoubt.error }
        return target
    }
}

/// An expression with parts.
final class FetchFunction<Output>: FetchExpression<Output> {
    private let parts: [FetchNode]
    /// The texts before, between and behind the parts.
    private let texts: [String]
    private let body: (FetchReader) throws -> Output

    /// The reason for which only instances have the value; nil if parts in place have it.
    private let doubt: String?
    private let ownBounds: [FetchBound]
    private let canFailItself: Bool

    /// - Parameters:
    ///   - bounds: The conditions that hold if the value is true.
    ///   - canFail: Whether the evaluation can fail although those of the parts do not.
    init(
        _ parts: [FetchNode], _ texts: [String], doubt: String? = nil, bounds: [FetchBound] = [],
        canFail: Bool = false, _ body: @escaping (FetchReader) throws -> Output
    ) {
        self.doubt = doubt
        ownBounds = bounds
        canFailItself = canFail
        self.parts = parts
        self.texts = texts
        self.body = body
    }

    override var text: String { zip(texts, parts.map(\.text) + [""]).map { $0 + $1 }.joined() }
    override var doubts: [String] { parts.flatMap(\.doubts) + (doubt.map { [$0] } ?? []) }
    override var bounds: [FetchBound] { ownBounds }
    override var canFail: Bool { canFailItself || parts.contains { $0.canFail } }
    override func value(_ reader: FetchReader) throws -> Output { try body(reader) }
}

/// Two conditions, both of which have to be true.
final class FetchConjunction: FetchExpression<Bool> {
    private let left: FetchExpression<Bool>
    private let right: FetchExpression<Bool>

    init(_ left: FetchExpression<Bool>, _ right: FetchExpression<Bool>) {
        self.left = left
        self.right = right
    }

    override var text: String { left.text + " && " + right.text }
    override var doubts: [String] { left.doubts + right.doubts }
    override var conjuncts: [FetchNode] { left.conjuncts + right.conjuncts }
    override var canFail: Bool { left.canFail || right.canFail }
    override func value(_ reader: FetchReader) throws -> Bool { try left.value(reader) && right.value(reader) }
}
