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

    /// Appends the elements that `element` returns for the numbers in `range`, up to the first nil.
    ///
    /// - Returns: The number of that nil, or the end of the range.
    @inline(__always)
    mutating func append(_ range: Range<Int>, _ element: (Int) -> Element?) -> Int {
        precondition(range.count <= capacity &- count, "An array receives more elements than it has room for")
        var number = range.lowerBound
        // Safe because the memory has room for an element for each number of the range.
        var place = unsafe base + count
        while number < range.upperBound, let element = element(number) {
            unsafe place.initialize(to: element)
            unsafe place += 1
            number &+= 1
        }
        count &+= number &- range.lowerBound
        return number
    }
}

extension Array {
    /// Creates an array of the elements that `body` appends, at most `capacity`.
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
