// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Integers of all magnitudes: as many small counts as large identifiers, one in sixteen negative.
func integers(count: Int, seed: UInt64) -> [Int] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
        let magnitude = random.integer(in: 0..<(1 << random.integer(in: 1..<41)))
        return random.integer(in: 0..<16) == 0 ? -magnitude : magnitude
    }
}

/// Results of calculations. They use all bits of a number, so that text needs up to 17 digits.
func doubles(count: Int, seed: UInt64) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
        let length = random.decimal(in: -100.0..<100.0)
        return length * random.decimal(in: 0.1..<10.0) + random.decimal(in: 0.0..<1.0) / 3
    }
}

/// Readings of an instrument with six decimals: short as text, but not in an archive.
func decimals(count: Int, seed: UInt64) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in random.decimal(in: -1_000.0..<1_000.0) }
}

/// Words, names and identifiers of 3 to 40 characters: one in four repeated, one in ten not ASCII.
func strings(count: Int, seed: UInt64) -> [String] {
    let syllables = [
        "ar", "chi", "ve", "ke", "yed", "gra", "ph", "no", "de", "sto", "ne", "ri", "ver", "lo", "ft", "um",
    ]
    let foreignSyllables = ["ä", "łó", "ß", "ñe", "ç", "東", "京", "мо", "ре", "Ω", "ø", "🐓"]
    var random = SplitMix64(seed: seed)
    var common: [String] = []
    return (0..<count).map { index in
        if index > 2_000, random.chance(percent: 25) {
            return random.choice(common)
        }
        var text = random.choices(syllables, count: 1..<9).joined()
        if random.chance(percent: 10) {
            text += random.choices(foreignSyllables, count: 1..<5).joined()
        }
        text += "-\(random.integer(in: 0..<1_000_000))"
        if common.count < 2_000 {
            common.append(text)
        }
        return text
    }
}
