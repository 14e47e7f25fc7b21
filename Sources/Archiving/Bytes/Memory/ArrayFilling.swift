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

// MARK: - Numbers of any type

/// A type of numbers, as their memory shows it: one function reads or stores the numbers of all types.
///
/// The *bits* of a number are those of its value in 64 bits: of a signed integer, with its sign; of a real, its own bits.
struct NumberForm: BitwiseCopyable {
    /// The number of bytes of a number: 1, 2, 4 or 8.
    let size: Int
    let isReal: Bool
    /// The limits of an integer as a signed number; a number of 64 bits without a sign ends at the greatest of those with one.
    private let least, greatest: Int64

    init<Integer: FixedWidthInteger>(integer type: Integer.Type) {
        size = Integer.bitWidth / 8
        isReal = false
        (least, greatest) = (Int64(clamping: Integer.min), Int64(clamping: Integer.max))
    }

    init(realOfSize size: Int) {
        self.size = size
        isReal = true
        (least, greatest) = (.min, .max)
    }

    @inline(__always)
    func contains(_ bits: UInt64) -> Bool {
        let number = Int64(bitPattern: bits)
        return number >= least && number <= greatest
    }

    /// The bits of the number at `index` among `numbers`.
    @inline(__always)
    func bits(_ numbers: RawSpan, at index: Int) -> UInt64 {
        let hasSign = least < 0 && !isReal
        switch size {
        case 8: return numbers.value(UInt64.self, at: index &* 8)
        case 4:
            let number = numbers.value(UInt32.self, at: index &* 4)
            return hasSign ? UInt64(truncatingIfNeeded: Int32(bitPattern: number)) : UInt64(number)
        case 2:
            let number = numbers.value(UInt16.self, at: index &* 2)
            return hasSign ? UInt64(truncatingIfNeeded: Int16(bitPattern: number)) : UInt64(number)
        default:
            let number = numbers.value(UInt8.self, at: index)
            return hasSign ? UInt64(truncatingIfNeeded: Int8(bitPattern: number)) : UInt64(number)
        }
    }
}

/// An array of numbers that receives their bits in order.
@safe
struct NumberFilling: ~Copyable {
    private let base: UnsafeMutableRawPointer
    private let size: Int
    private let capacity: Int
    fileprivate(set) var count = 0

    fileprivate init(_ base: UnsafeMutableRawPointer, size: Int, capacity: Int) {
        // Safe because the caller has memory for `capacity` numbers for as long as the value lives.
        unsafe self.base = base
        self.size = size
        self.capacity = capacity
    }

    @inline(__always)
    mutating func append(_ bits: UInt64) {
        precondition(count < capacity, "An array receives more elements than it has room for")
        // Safe because the memory has room for `capacity` numbers of `size` bytes.
        let place = unsafe base + count &* size
        switch size {
        case 8: unsafe place.storeBytes(of: bits, as: UInt64.self)
        case 4: unsafe place.storeBytes(of: UInt32(truncatingIfNeeded: bits), as: UInt32.self)
        case 2: unsafe place.storeBytes(of: UInt16(truncatingIfNeeded: bits), as: UInt16.self)
        default: unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: bits), as: UInt8.self)
        }
        count &+= 1
    }
}

extension Array where Element: BitwiseCopyable {
    /// Creates an array of numbers, of whose type every bit pattern is a number.
    @inline(__always)
    init(numbers capacity: Int, _ body: (inout NumberFilling) throws -> Void) rethrows {
        // Safe because `body` cannot keep the filling, and so many numbers are initialised as it counts.
        try unsafe self.init(unsafeUninitializedCapacity: capacity) { buffer, count in
            guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
            var filling = unsafe NumberFilling(base, size: MemoryLayout<Element>.size, capacity: capacity)
            defer { count = filling.count }
            try body(&filling)
        }
    }
}
