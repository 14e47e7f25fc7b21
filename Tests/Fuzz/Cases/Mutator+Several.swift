// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Some of them

extension Mutator {
    /// `count` mutants that differ from `bytes` by one mutation, or a few, the same ones for the same `seed`.
    public static func several(of bytes: [UInt8], count: Int, seed: UInt64) -> some Sequence<Mutant> {
        (0..<count).lazy.map { number in
            var generator = Generator(seed: seed &+ UInt64(number) &* 7919)
            return Mutant(name: "several mutations, \(number)", bytes: mutate(bytes, using: &generator))
        }
    }

    /// `count` mutants by each of those mutations for whose name `condition` holds, the same ones for the same `seed`.
    public static func named(
        of bytes: [UInt8], count: Int, seed: UInt64, where condition: @escaping @Sendable (String) -> Bool
    ) -> some Sequence<Mutant> {
        mutations.lazy.filter { condition($0.name) }.flatMap { mutation in
            (0..<count).lazy.compactMap { number in
                var generator = Generator(seed: seed &+ UInt64(number) &* 7919)
                return mutation.apply(to: bytes, using: &generator).map {
                    Mutant(name: "\(mutation.name), \(number)", bytes: $0)
                }
            }
        }
    }
}
