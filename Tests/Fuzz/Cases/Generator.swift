// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Random numbers that are the same in every process: what a fuzzer finds can be found again.
///
/// The generator is SplitMix64, by Guy Steele, Doug Lea and Christine Flood (2014).
public struct Generator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// A generator whose numbers depend on `seed` alone.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A number from 0 up to, and without, `count`; 0 where that is none.
    public mutating func below(_ count: Int) -> Int {
        count > 1 ? Int(truncatingIfNeeded: next() % UInt64(count)) : 0
    }

    /// Whether something that happens once in `count` times happens.
    public mutating func once(in count: Int) -> Bool { below(count) == 0 }

    /// One of `choices`, of which there is at least one.
    public mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element {
        choices[choices.index(choices.startIndex, offsetBy: below(choices.count))]
    }
}

/// A number for what was read, the same in every process, by which two readings are compared.
struct Digest {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func combine(_ number: UInt64) {
        value = (value ^ number) &* 0x100_0000_01B3
        value ^= value >> 29
    }

    mutating func combine(_ number: some BinaryInteger) { combine(UInt64(truncatingIfNeeded: number)) }

    mutating func combine(_ number: Double?) { combine(number?.bitPattern ?? 0x7FF8_0000_0000_0001) }

    mutating func combine(_ text: String) {
        for byte in text.utf8 { combine(UInt64(byte)) }
        combine(text.utf8.count)
    }

    mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { combine(UInt64(byte)) }
        combine(0x1F)
    }
}
