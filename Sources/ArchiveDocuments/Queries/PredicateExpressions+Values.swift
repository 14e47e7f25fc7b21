// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension LinkedFiles { package enum PredicateValues {} }

// MARK: - Values and properties

extension PredicateExpressions.Value: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> { FetchConstant(value) }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Wrapped?> { FetchConstant(nil) }
}

extension PredicateExpressions.Variable: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> { translation.variable(self) }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        let root = translation.translate(root)
        if Root.Output.self is AnyClass { return FetchField(root, keyPath, translation) }
        // A property of a value, such as the count of a string.
        return FetchFunction([root], ["", ".\(self.propertyName)"]) { try root.value($0)[keyPath: keyPath] }
    }

    private var propertyName: String {
        switch kind {
        case .collectionCount: "count"
        case .collectionIsEmpty: "isEmpty"
        case .collectionFirst: "first"
        case .bidirectionalCollectionLast: "last"
        default: "(property)"
        }
    }
}

// MARK: - Optionals

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Result?> {
        let wrapped = translation.translate(wrapped)
        let variable = translation.bind(variable)
        return FetchOptionalMap<Wrapped, Result, RHS.Output>(wrapped, variable, translation.translate(transform))
    }
}

/// The value of an expression for the value of an optional one; nil for nil.
private final class FetchOptionalMap<Wrapped, Result, Transformed>: FetchExpression<Result?> {
    private let wrapped: FetchExpression<Wrapped?>
    private let variable: FetchVariable<Wrapped>
    private let transform: FetchExpression<Transformed>

    init(
        _ wrapped: FetchExpression<Wrapped?>, _ variable: FetchVariable<Wrapped>,
        _ transform: FetchExpression<Transformed>
    ) {
        self.wrapped = wrapped
        self.variable = variable
        self.transform = transform
    }

    override var text: String { "\(wrapped.text)?(\(transform.text))" }
    override var doubts: [String] { wrapped.doubts + transform.doubts }
    override var canFail: Bool { wrapped.canFail || transform.canFail }

    override func value(_ reader: FetchReader) throws -> Result? {
        try mapped(reader) { reader throws in
            // The value of the transformation is the result, or an optional one.
            if let result = try transform.value(reader) as? Result? { return result }
            throw FetchDoubt.error
        } none: {
            nil
        }
    }

    override func isNil(_ reader: FetchReader) throws -> Bool {
        guard Result.self is AnyClass else { return try value(reader) == nil }
        if case .none = try object(reader) { return true }
        return false
    }

    override func object(_ reader: FetchReader) throws -> FetchedObject {
        try mapped(reader) {
            try transform.object($0)
        } none: {
            .none
        }
    }

    private func mapped<Mapped>(
        _ reader: FetchReader, _ body: (FetchReader) throws -> Mapped, none: () -> Mapped
    ) throws -> Mapped {
        if Wrapped.self is AnyClass {
            let object = try wrapped.object(reader)
            if case .none = object { return none() }
            return try variable.with(object: object) { try body(reader) }
        }
        guard let value = try wrapped.value(reader) else { return none() }
        return try variable.with(value) { try body(reader) }
    }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        let left = translation.translate(lhs)
        let right = translation.translate(rhs)
        return FetchFunction([left, right], ["", " ?? ", ""]) { try left.value($0) ?? right.value($0) }
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        FetchUnwrapping(translation.translate(inner))
    }
}

/// The value of an optional expression that is not nil.
private final class FetchUnwrapping<Wrapped>: FetchExpression<Wrapped> {
    private let wrapped: FetchExpression<Wrapped?>

    init(_ wrapped: FetchExpression<Wrapped?>) { self.wrapped = wrapped }

    override var text: String { wrapped.text + "!" }
    override var doubts: [String] { wrapped.doubts }
    override var canFail: Bool { true }

    override func value(_ reader: FetchReader) throws -> Wrapped {
        // Foundation throws its error.
        guard let value = try wrapped.value(reader) else { throw FetchDoubt.error }
        return value
    }

    override func object(_ reader: FetchReader) throws -> FetchedObject {
        let object = try wrapped.object(reader)
        if case .none = object { throw FetchDoubt.error }
        return object
    }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        let test = translation.translate(test)
        let first = translation.translate(trueBranch)
        let second = translation.translate(falseBranch)
        return FetchFunction([test, first, second], ["(", " ? ", " : ", ")"]) { reader in
            try test.value(reader) ? first.value(reader) : second.value(reader)
        }
    }
}

// MARK: - Numbers

extension PredicateExpressions.Arithmetic: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        translation.mayTrap = true
        let left = translation.translate(lhs)
        let right = translation.translate(rhs)
        let op = op
        let sign =
            switch op {
            case .add: "+"
            case .subtract: "-"
            case .multiply: "*"
            @unknown default: "?"
            }
        return FetchFunction([left, right], ["(", " \(sign) ", ")"], canFail: true) { reader in
            switch op {
            case .add: try left.value(reader) + right.value(reader)
            case .subtract: try left.value(reader) - right.value(reader)
            case .multiply: try left.value(reader) * right.value(reader)
            @unknown default: throw FetchDoubt.error
            }
        }
    }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        translation.mayTrap = true
        let wrapped = translation.translate(wrapped)
        return FetchFunction([wrapped], ["-", ""], canFail: true) { -(try wrapped.value($0)) }
    }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        translation.mayTrap = true
        let (left, right) = (translation.translate(lhs), translation.translate(rhs))
        return FetchFunction([left, right], ["(", " / ", ")"], canFail: true) { reader in
            let divisor = try right.value(reader)
            // Foundation has the error.
            if divisor == 0 { throw FetchDoubt.error }
            return try left.value(reader) / divisor
        }
    }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        translation.mayTrap = true
        let (left, right) = (translation.translate(lhs), translation.translate(rhs))
        return FetchFunction([left, right], ["(", " % ", ")"], canFail: true) { reader in
            let divisor = try right.value(reader)
            if divisor == 0 { throw FetchDoubt.error }
            return try left.value(reader) % divisor
        }
    }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        let (left, right) = (translation.translate(lhs), translation.translate(rhs))
        return FetchFunction([left, right], ["(", " / ", ")"]) { try left.value($0) / right.value($0) }
    }
}

// MARK: - Ranges

extension PredicateExpressions.Range: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        let lower = translation.translate(lower)
        let upper = translation.translate(upper)
        if let first = (lower as? FetchConstant<LHS.Output>)?.constant,
            let last = (upper as? FetchConstant<LHS.Output>)?.constant, first <= last
        {
            return FetchConstant(first..<last)
        }
        return FetchFunction([lower, upper], ["", "..<", ""], canFail: true) { reader in
            let (first, end) = (try lower.value(reader), try upper.value(reader))
            guard first <= end else { throw FetchDoubt.error }
            return first..<end
        }
    }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        let lower = translation.translate(lower)
        let upper = translation.translate(upper)
        if let first = (lower as? FetchConstant<LHS.Output>)?.constant,
            let last = (upper as? FetchConstant<LHS.Output>)?.constant, first <= last
        {
            return FetchConstant(first...last)
        }
        return FetchFunction([lower, upper], ["", "...", ""], canFail: true) { reader in
            let (first, last) = (try lower.value(reader), try upper.value(reader))
            guard first <= last else { throw FetchDoubt.error }
            return first...last
        }
    }
}
