// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension LinkedFiles { package enum PredicateConditions {} }

// MARK: - Logic

extension PredicateExpressions.Conjunction: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Bool> {
        let left = translation.translate(lhs)
        let right = translation.translate(rhs)
        return FetchConjunction(left, right)
    }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Bool> {
        let left = translation.translate(lhs)
        let right = translation.translate(rhs)
        return FetchFunction([left, right], ["(", " || ", ")"]) { try left.value($0) || right.value($0) }
    }
}

extension PredicateExpressions.Negation: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Bool> {
        let wrapped = translation.translate(wrapped)
        return FetchFunction([wrapped], ["!(", ")"]) { try !wrapped.value($0) }
    }
}

// MARK: - Comparisons

extension PredicateExpressions.Comparison: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Bool> {
        let left = translation.translate(lhs)
        let right = translation.translate(rhs)
        let op = op
        let sign =
            switch op {
            case .lessThan: "<"
            case .lessThanOrEqual: "<="
            case .greaterThan: ">"
            case .greaterThanOrEqual: ">="
            @unknown default: "?"
            }
        let pieces = ["", " \(sign) ", ""]
        let bounds = [FetchBound(left, op, right), FetchBound(right, op.reversed, left)].compactMap { $0 }
        // The usual types, for which the compiler knows the comparison.
        if let left = left as? FetchExpression<Int>, let limit = (right as? FetchConstant<Int>)?.constant {
            return FetchFunction([left, right], pieces, bounds: bounds) {
                try Self.compare(left.value($0), limit, op)
            }
        }
        if let left = left as? FetchExpression<Double>, let limit = (right as? FetchConstant<Double>)?.constant {
            return FetchFunction([left, right], pieces, bounds: bounds) {
                try Self.compare(left.value($0), limit, op)
            }
        }
        return FetchFunction([left, right], pieces, bounds: bounds) {
            try Self.compare(left.value($0), right.value($0), op)
        }
    }

    @inline(__always)
    private static func compare<Value: Comparable>(
        _ left: Value, _ right: Value, _ op: PredicateExpressions.ComparisonOperator
    ) throws -> Bool {
        switch op {
        case .lessThan: left < right
        case .lessThanOrEqual: left <= right
        case .greaterThan: left > right
        case .greaterThanOrEqual: left >= right
        @unknown default: throw FetchDoubt.error
        }
    }
}

extension PredicateExpressions.Equal: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Bool> {
        let (left, right) = (translation.translate(lhs), translation.translate(rhs))
        return FetchEquality.translated(left, right, isEqual: true)
    }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Bool> {
        let (left, right) = (translation.translate(lhs), translation.translate(rhs))
        return FetchEquality.translated(left, right, isEqual: false)
    }
}

private enum FetchEquality {
    static func translated<Value: Equatable>(
        _ left: FetchExpression<Value>, _ right: FetchExpression<Value>, isEqual: Bool
    ) -> FetchExpression<Bool> {
        let pieces = ["", " \(isEqual ? "==" : "!=") ", ""]
        let bounds = isEqual ? [FetchBound(left, right), FetchBound(right, left)].compactMap { $0 } : []
        if let constant = (right as? FetchConstant<Value>)?.constant {
            if (constant as? any FetchOptional)?.isNil == true {
                return FetchFunction([left, right], pieces, bounds: bounds) { try left.isNil($0) == isEqual }
            }
            if let left = left as? FetchExpression<Int>, let number = constant as? Int {
                return FetchFunction([left, right], pieces, bounds: bounds) {
                    try (left.value($0) == number) == isEqual
                }
            }
            if let text = constant as? String, Value.self == String.self {
                let pattern = StoredPattern(text)
                return FetchFunction([left, right], pieces, bounds: bounds) { reader in
                    if let reference = try left.reference(reader),
                        let result = reader.contents.storedText(reference, equals: pattern)
                    {
                        return result == isEqual
                    }
                    return try (left.value(reader) == constant) == isEqual
                }
            }
        }
        let isReference =
            Value.self is AnyClass || (Value.self as? any FetchOptionalType.Type)?.isReference == true
        return FetchFunction(
            [left, right], pieces, doubt: isReference ? "a comparison of instances" : nil, bounds: bounds
        ) {
            try (left.value($0) == right.value($0)) == isEqual
        }
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Bool> {
        let range = translation.translate(range)
        let element = translation.translate(element)
        let bounds = [FetchBound(element, in: range)].compactMap { $0 }
        return FetchFunction([range, element], ["(", ").contains(", ")"], bounds: bounds) { reader in
            try range.value(reader).contains(element.value(reader))
        }
    }
}

// MARK: - Sequences and texts

extension PredicateExpressions.SequenceContains: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Bool> {
        let sequence = translation.translate(sequence)
        let element = translation.translate(element)
        return FetchFunction([sequence, element], ["", ".contains(", ")"]) { reader in
            try sequence.value(reader).contains(element.value(reader))
        }
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Bool> {
        let sequence = translation.translate(sequence)
        let variable = translation.bind(variable)
        let test = translation.translate(test)
        return FetchFunction([sequence, test], ["", ".contains { ", " }"]) { reader in
            try sequence.value(reader).contains { element in try variable.with(element) { try test.value(reader) } }
        }
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Bool> {
        let sequence = translation.translate(sequence)
        let variable = translation.bind(variable)
        let test = translation.translate(test)
        return FetchFunction([sequence, test], ["", ".allSatisfy { ", " }"]) { reader in
            try sequence.value(reader).allSatisfy { element in try variable.with(element) { try test.value(reader) } }
        }
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Bool> {
        let base = translation.translate(base)
        let prefix = translation.translate(prefix)
        let pattern = (prefix as? FetchConstant<String>).map { StoredPattern($0.constant) }
        let isText = Base.Output.self == String.self
        return FetchFunction([base, prefix], ["", ".starts(with: ", ")"]) { reader in
            if isText, let pattern, let reference = try base.reference(reader),
                let result = reader.contents.storedText(reference, startsWith: pattern)
            {
                return result
            }
            return try base.value(reader).starts(with: prefix.value(reader))
        }
    }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
    func translated(by translation: FetchTranslation) -> FetchExpression<Bool> {
        let base = translation.translate(base)
        let other = translation.translate(other)
        let pattern = (other as? FetchConstant<String>).map { StoredPattern($0.constant) }
        let isText = Base.Output.self == String.self
        return FetchFunction([base, other], ["", ".contains(", ")"]) { reader in
            if isText, let pattern, let reference = try base.reference(reader),
                let result = reader.contents.storedText(reference, contains: pattern)
            {
                return result
            }
            return try base.value(reader).contains(other.value(reader))
        }
    }
}
