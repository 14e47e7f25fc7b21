/// An order of fetched instances.
public struct FetchOrder<Element>: Sendable {
    /// Returns a negative number if the first instance comes first, a positive one if the second does, and 0 if neither does.
    let compare: @Sendable (Element, Element) -> Int

    /// The order of the values of `keyPath`, from the smallest. NaN is last.
    ///
    /// - Parameter keyPath: The property.
    public static func ascending<Value: Comparable & SendableMetatype>(
        _ keyPath: any KeyPath<Element, Value> & Sendable
    ) -> FetchOrder {
        FetchOrder { compareValues($0[keyPath: keyPath], $1[keyPath: keyPath]) }
    }

    /// The order of the values of `keyPath`, from the largest. NaN is first.
    ///
    /// - Parameter keyPath: The property.
    public static func descending<Value: Comparable & SendableMetatype>(
        _ keyPath: any KeyPath<Element, Value> & Sendable
    ) -> FetchOrder {
        FetchOrder { compareValues($1[keyPath: keyPath], $0[keyPath: keyPath]) }
    }
}

private func compareValues<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
    if left < right { return -1 }
    if right < left { return 1 }
    // Only NaN differs from itself.
    return (left == left ? 0 : 1) - (right == right ? 0 : 1)
}

extension Array {
    /// Returns the first `limit` elements in the order of `orders`; equal ones stay in the order that they have.
    func inOrder(of orders: [FetchOrder<Element>], limit: Int) -> [Element] {
        if orders.isEmpty { return Array(prefix(limit)) }
        let sorted = enumerated().sorted { left, right in
            for order in orders {
                let result = order.compare(left.element, right.element)
                if result != 0 { return result < 0 }
            }
            return left.offset < right.offset
        }
        return sorted.prefix(limit).map(\.element)
    }
}
