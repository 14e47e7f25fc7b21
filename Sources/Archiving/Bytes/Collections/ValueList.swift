// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A growing list of values of any type.
///
/// It is an object, which its users hold as a constant. It changes its elements outside of its property, so that an
/// access needs no exclusivity check.
final class ValueList<Element> {
    private var elements: [Element] = []

    var count: Int { elements.count }
    var isEmpty: Bool { elements.isEmpty }
    var last: Element? { elements.last }

    var all: [Element] { elements }

    subscript(index: Int) -> Element {
        get { elements[index] }
        set { change { $0[index] = newValue } }
    }

    /// Appends `element`.
    ///
    /// - Returns: The number of elements.
    @discardableResult
    func append(_ element: Element) -> Int {
        change {
            $0.append(element)
            return $0.count
        }
    }

    /// Removes and returns the last element; nil if there is none.
    func popLast() -> Element? { change { $0.popLast() } }

    func removeAll(from index: Int) -> [Element] {
        change { elements in
            let removed = Array(elements[index...])
            elements.removeSubrange(index...)
            return removed
        }
    }

    @discardableResult
    func removeAll() -> [Element] {
        let removed = elements
        if !removed.isEmpty { elements = [] }
        return removed
    }

    /// Returns the result of `body`, which changes the elements and uses the list for nothing else.
    @inline(__always)
    func change<Result>(_ body: (inout [Element]) -> Result) -> Result {
        var elements = elements
        self.elements = []
        defer { self.elements = elements }
        return body(&elements)
    }
}
