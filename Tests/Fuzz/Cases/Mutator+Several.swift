// MARK: - One after the other

extension Mutator {
    /// `count` mutants that differ from `bytes` by one mutation, or a few, the same ones for the same `seed`.
    public static func several(of bytes: [UInt8], count: Int, seed: UInt64) -> some Sequence<Mutant> {
        (0..<count).lazy.map { number in
            var generator = Generator(seed: seed &+ UInt64(number) &* 7919)
            return Mutant(name: "several mutations, \(number)", bytes: mutate(bytes, using: &generator))
        }
    }
}
