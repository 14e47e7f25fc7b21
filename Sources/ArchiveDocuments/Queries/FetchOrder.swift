// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// An order of fetched instances.
public struct FetchOrder<Element>: Sendable {
    /// Returns a negative number if the first instance comes first, a positive one if the second does, and 0 if neither does.
    package let compare: @Sendable (Element, Element) -> Int
    let column: @Sendable (FetchTranslation) -> FetchColumn

    /// The order of the values of `keyPath`, from the smallest. NaN is last.
    ///
    /// - Parameter keyPath: The property.
    public static func ascending<Value: Comparable & SendableMetatype>(
        _ keyPath: any KeyPath<Element, Value> & Sendable
    ) -> FetchOrder {
        FetchOrder {
            compareValues($0[keyPath: keyPath], $1[keyPath: keyPath])
        } column: {
            $0.column(keyPath, isDescending: false)
        }
    }

    /// The order of the values of `keyPath`, from the largest. NaN is first.
    ///
    /// - Parameter keyPath: The property.
    public static func descending<Value: Comparable & SendableMetatype>(
        _ keyPath: any KeyPath<Element, Value> & Sendable
    ) -> FetchOrder {
        FetchOrder {
            compareValues($1[keyPath: keyPath], $0[keyPath: keyPath])
        } column: {
            $0.column(keyPath, isDescending: true)
        }
    }
}

@inline(__always)
private func compareValues<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
    if left < right { return -1 }
    if right < left { return 1 }
    // Only NaN differs from itself.
    return (left == left ? 0 : 1) - (right == right ? 0 : 1)
}

extension FetchTranslation {
    fileprivate func column<Element, Value: Comparable>(
        _ keyPath: KeyPath<Element, Value>, isDescending: Bool
    ) -> FetchColumn {
        let field: FetchExpression<Value> = FetchField(FetchElement<Element>(), keyPath, self)
        func column<Known: Comparable>(_ field: FetchExpression<Known>) -> FetchColumn {
            SortedColumn(field, isDescending: isDescending) { ($0 as? Element)?[keyPath: keyPath] as? Known }
        }
        // The usual types, for which the compiler knows the comparison.
        if let field = field as? FetchExpression<Int> { return column(field) }
        if let field = field as? FetchExpression<Double> { return column(field) }
        if let field = field as? FetchExpression<String> { return column(field) }
        return column(field)
    }
}

/// Values of the matches: those that they are sorted by, or those that are the result.
class FetchColumn {
    let isDescending: Bool

    init(isDescending: Bool) { self.isDescending = isDescending }

    var text: String { "" }
    /// The parts that are not read in place: the reasons.
    var doubts: [String] { [] }
    /// The number of the property among those of the translation; nil if the class does not declare it.
    var property: Int? { nil }

    /// Appends the value of the object of `reader`.
    ///
    /// - Throws: `FetchDoubt` if only a decoded object has it.
    func append(_ reader: FetchReader) throws { throw FetchDoubt.error }

    func append(_ instance: Any) {}

    func removeLast() {}

    /// Keeps the values at `places`, in this order.
    func keep(_ places: ArraySlice<Int>) {}

    func compare(_ left: Int, _ right: Int) -> Int { 0 }
}

class ValueColumn<Value>: FetchColumn {
    private let expression: FetchExpression<Value>
    private let read: (Any) -> Value?
    fileprivate(set) var values: [Value] = []

    init(_ expression: FetchExpression<Value>, isDescending: Bool = false, _ read: @escaping (Any) -> Value?) {
        self.expression = expression
        self.read = read
        super.init(isDescending: isDescending)
    }

    override var text: String { expression.text }
    override var doubts: [String] { expression.doubts }
    override var property: Int? { expression.property }

    override func append(_ reader: FetchReader) throws { values.append(try expression.value(reader)) }

    override func append(_ instance: Any) {
        // An instance of the class has the property.
        if let value = read(instance) { values.append(value) }
    }

    override func removeLast() { values.removeLast() }

    override func keep(_ places: ArraySlice<Int>) { values = places.map { values[$0] } }
}

private final class SortedColumn<Value: Comparable>: ValueColumn<Value> {
    override var text: String { super.text + (isDescending ? ", descending" : ", ascending") }

    override func compare(_ left: Int, _ right: Int) -> Int {
        isDescending ? compareValues(values[right], values[left]) : compareValues(values[left], values[right])
    }
}
