// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A condition of a predicate that an index can find: a property is between two constants.
struct FetchBound {
    struct Limit {
        let value: ArchiveIndexValue
        let isIncluded: Bool
    }

    let property: Int
    private(set) var lower: Limit?
    private(set) var upper: Limit?
    /// Whether the condition compares by `<`, whose order the index has to have.
    private(set) var isRange = true

    /// The condition `field == constant`; nil if the expressions are others.
    init?<Value>(_ field: FetchExpression<Value>, _ constant: FetchExpression<Value>) {
        guard let property = field.property, let value = Self.value(constant) else { return nil }
        self.property = property
        lower = Limit(value: value, isIncluded: true)
        upper = lower
        isRange = false
    }

    /// The comparison of a field with a constant; nil if the expressions are others.
    init?<Value>(
        _ field: FetchExpression<Value>, _ op: PredicateExpressions.ComparisonOperator,
        _ constant: FetchExpression<Value>
    ) {
        guard let property = field.property, let value = Self.value(constant) else { return nil }
        self.property = property
        switch op {
        case .lessThan: upper = Limit(value: value, isIncluded: false)
        case .lessThanOrEqual: upper = Limit(value: value, isIncluded: true)
        case .greaterThan: lower = Limit(value: value, isIncluded: false)
        case .greaterThanOrEqual: lower = Limit(value: value, isIncluded: true)
        @unknown default: return nil
        }
    }

    /// The condition that a constant range contains a field; nil if the expressions are others.
    init?(_ field: FetchNode, in range: FetchNode) {
        guard let property = field.property, let limits = (range.constantValue as? any FetchRange)?.limits else {
            return nil
        }
        self.property = property
        (lower, upper) = limits
    }

    var equalValue: ArchiveIndexValue? { isRange ? nil : lower?.value }

    mutating func narrow(by other: FetchBound) {
        if let limit = other.lower {
            let order = lower.map { ArchiveIndexValue.compare(limit.value, $0.value) } ?? 1
            if order > 0 || order == 0 && !limit.isIncluded { lower = limit }
        }
        if let limit = other.upper {
            let order = upper.map { ArchiveIndexValue.compare(limit.value, $0.value) } ?? -1
            if order < 0 || order == 0 && !limit.isIncluded { upper = limit }
        }
    }

    private static func value<Value>(_ constant: FetchExpression<Value>) -> ArchiveIndexValue? {
        (constant.constantValue as? any ArchiveIndexKey)?.archiveIndexValue
    }
}

extension PredicateExpressions.ComparisonOperator {
    var reversed: Self {
        switch self {
        case .lessThan: .greaterThan
        case .lessThanOrEqual: .greaterThanOrEqual
        case .greaterThan: .lessThan
        case .greaterThanOrEqual: .lessThanOrEqual
        @unknown default: self
        }
    }
}

/// A range of keys of an index.
private protocol FetchRange {
    var limits: (lower: FetchBound.Limit?, upper: FetchBound.Limit?)? { get }
}

extension FetchRange {
    fileprivate static func limit(_ value: Any, _ isIncluded: Bool) -> FetchBound.Limit? {
        (value as? any ArchiveIndexKey).map { FetchBound.Limit(value: $0.archiveIndexValue, isIncluded: isIncluded) }
    }
}

extension Range: FetchRange {
    fileprivate var limits: (lower: FetchBound.Limit?, upper: FetchBound.Limit?)? {
        (Self.limit(lowerBound, true), Self.limit(upperBound, false))
    }
}

extension ClosedRange: FetchRange {
    fileprivate var limits: (lower: FetchBound.Limit?, upper: FetchBound.Limit?)? {
        (Self.limit(lowerBound, true), Self.limit(upperBound, true))
    }
}

extension PartialRangeFrom: FetchRange {
    fileprivate var limits: (lower: FetchBound.Limit?, upper: FetchBound.Limit?)? {
        (Self.limit(lowerBound, true), nil)
    }
}

extension PartialRangeThrough: FetchRange {
    fileprivate var limits: (lower: FetchBound.Limit?, upper: FetchBound.Limit?)? {
        (nil, Self.limit(upperBound, true))
    }
}

extension PartialRangeUpTo: FetchRange {
    fileprivate var limits: (lower: FetchBound.Limit?, upper: FetchBound.Limit?)? {
        (nil, Self.limit(upperBound, false))
    }
}
