import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
        return FetchFunction([root], { "\($0[0]).\(self.propertyName)" }) { try root.value($0)[keyPath: keyPath] }
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
        let transform = translation.translate(transform)
        let isReference = Wrapped.self is AnyClass
        return FetchFunction([wrapped, transform], { "\($0[0])?(\($0[1]))" }) { reader in
            if isReference {
                let object = try wrapped.object(reader)
                if case .none = object { return nil }
                return try Self.result(variable.with(object: object) { try transform.value(reader) })
            }
            guard let value = try wrapped.value(reader) else { return nil }
            return try Self.result(variable.with(value) { try transform.value(reader) })
        }
    }

    private static func result(_ value: RHS.Output) throws -> Result? {
        // The result of the transformation is the result, or an optional one.
        if let result = value as? Result? { return result }
        throw FetchDoubt.error
    }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        let left = translation.translate(lhs)
        let right = translation.translate(rhs)
        return FetchFunction([left, right], { "\($0[0]) ?? \($0[1])" }) { try left.value($0) ?? right.value($0) }
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        let inner = translation.translate(inner)
        return FetchFunction([inner], { "\($0[0])!" }, canFail: true) { reader in
            // Foundation throws its error.
            guard let value = try inner.value(reader) else { throw FetchDoubt.error }
            return value
        }
    }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        let test = translation.translate(test)
        let first = translation.translate(trueBranch)
        let second = translation.translate(falseBranch)
        return FetchFunction([test, first, second], { "(\($0[0]) ? \($0[1]) : \($0[2]))" }) { reader in
            try test.value(reader) ? first.value(reader) : second.value(reader)
        }
    }
}

// MARK: - Numbers

extension PredicateExpressions.Arithmetic: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
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
        return FetchFunction([left, right], { "(\($0[0]) \(sign) \($0[1]))" }, canFail: true) { reader in
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
        let wrapped = translation.translate(wrapped)
        return FetchFunction([wrapped], { "-\($0[0])" }, canFail: true) { -(try wrapped.value($0)) }
    }
}

// MARK: - Ranges

extension PredicateExpressions.Range: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Output> {
        let lower = translation.translate(lower)
        let upper = translation.translate(upper)
        if let first = (lower as? FetchConstant<LHS.Output>)?.constant, let last = (upper as? FetchConstant<LHS.Output>)?.constant,
            first <= last
        {
            return FetchConstant(first..<last)
        }
        return FetchFunction([lower, upper], { "\($0[0])..<\($0[1])" }, canFail: true) { reader in
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
        if let first = (lower as? FetchConstant<LHS.Output>)?.constant, let last = (upper as? FetchConstant<LHS.Output>)?.constant,
            first <= last
        {
            return FetchConstant(first...last)
        }
        return FetchFunction([lower, upper], { "\($0[0])...\($0[1])" }, canFail: true) { reader in
            let (first, last) = (try lower.value(reader), try upper.value(reader))
            guard first <= last else { throw FetchDoubt.error }
            return first...last
        }
    }
}
