import Foundation
import FuzzCases
import Testing

/// Mutants of one seed, all made in the same way.
struct MutationRun: Sendable, CustomTestStringConvertible {
    /// What is done to the seed.
    enum Kind: String, Sendable {
        case truncations, bitFlips, trailers, mutations, several
    }

    let seed: String
    let kind: Kind
    /// How many there are of each mutation, or in all; the step from bit to bit.
    var figure = 1

    var testDescription: String { "\(seed), \(kind.rawValue)" }

    var mutants: any Sequence<Mutant> {
        guard let seed = Seeds.named(seed) else { preconditionFailure("No seed is called \(seed)") }
        let bytes = seed.bytes
        switch kind {
        case .truncations: return Mutator.truncations(of: bytes)
        case .bitFlips: return Mutator.bitFlips(of: bytes, step: figure)
        case .trailers: return Mutator.trailers(of: bytes)
        case .mutations: return Mutator.named(of: bytes, count: figure, seed: 6)
        case .several:
            return Mutator.several(of: bytes, count: figure, seed: 6)
        }
    }
}
