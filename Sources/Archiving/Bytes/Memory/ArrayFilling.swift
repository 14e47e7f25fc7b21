// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// An array that receives its elements in order, up to a known number.
///
/// They are stored in their final place: appending to an array of a generic element type costs a lookup each.
@safe
struct ArrayFilling<Element>: ~Copyable {
    private let base: UnsafeMutablePointer<Element>
    let capacity: Int
    fileprivate(set) var count = 0

    fileprivate init(_ base: UnsafeMutablePointer<Element>, capacity: Int) {
        // Safe because the caller has memory for `capacity` elements for as long as the value lives.
        unsafe self.base = base
        self.capacity = capacity
    }

    @inline(__always)
    mutating func append(_ element: consuming Element) {
        precondition(count < capacity, "An array receives more elements than it has room for")
        // Safe because the memory has room for `capacity` elements, of which `count` are initialised.
        unsafe (base + count).initialize(to: element)
        count &+= 1
    }

    /// Appends the elements that `element` returns for the first `numberCount` numbers from the index `first` on, up to the first
    /// nil.
    ///
    /// - Returns: The index of the number without an element, or the number of numbers.
    @inline(__always)
    mutating func append(
        _ numbers: borrowing MutableSpan<Int>, _ numberCount: Int, from first: Int, _ element: (Int) -> Element?
    ) -> Int {
        precondition(
            first >= 0 && first <= numberCount && numberCount <= numbers.count
                && numberCount &- first <= capacity &- count,
            "An array receives more elements than it has room for")
        // Safe because the memory has room for an element for each number from `first` on.
        var place = unsafe base + count
        var index = first
        while index < numberCount, let element = element(numbers[index]) {
            unsafe place.initialize(to: element)
            unsafe place += 1
            index &+= 1
        }
        count &+= index &- first
        return index
    }
}

extension Array {
    @inline(__always)
    init(filling capacity: Int, _ body: (inout ArrayFilling<Element>) throws -> Void) rethrows {
        // Safe because `body` cannot keep the filling, and so many elements are initialised as it counts.
        try unsafe self.init(unsafeUninitializedCapacity: capacity) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            var filling = unsafe ArrayFilling(base, capacity: capacity)
            defer { count = filling.count }
            try body(&filling)
        }
    }
}
