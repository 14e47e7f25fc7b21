// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// A small generator with a fixed sequence per seed: the same data on every machine in every run.
///
/// The algorithm is Sebastiano Vigna's SplitMix64. The helpers do not use the standard library, whose mapping from bits to ranges
/// may change between versions.
struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Returns a number in the range, with nearly equal probabilities.
    mutating func integer(in range: Range<Int>) -> Int {
        let scaled = next().multipliedFullWidth(by: UInt64(range.count)).high
        return range.lowerBound + Int(scaled)
    }

    /// Returns a number in the range, with six decimals as in coordinates and prices.
    mutating func decimal(in range: Range<Double>) -> Double {
        let fraction = Double(next() >> 11) * 0x1p-53
        let value = range.lowerBound + fraction * (range.upperBound - range.lowerBound)
        return (value * 1e6).rounded() / 1e6
    }

    /// Returns true in the given percentage of calls.
    mutating func chance(percent: Int) -> Bool {
        integer(in: 0..<100) < percent
    }

    /// Returns one of the elements.
    ///
    /// - Precondition: The array is not empty.
    mutating func choice<Element>(_ elements: [Element]) -> Element {
        elements[integer(in: 0..<elements.count)]
    }

    /// Returns some of the elements, with repetition.
    mutating func choices<Element>(_ elements: [Element], count: Range<Int>) -> [Element] {
        (0..<integer(in: count)).map { _ in choice(elements) }
    }
}
