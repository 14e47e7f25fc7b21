// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzCases
import TestSupport
import Testing

/// Mutants of one seed, all made in the same way.
struct MutationRun: Sendable, CustomTestStringConvertible {
    /// What is done to the seed.
    enum Kind: String, Sendable {
        /// It is cut off at every length.
        case truncations
        /// Single bits are flipped.
        case bitFlips
        /// The figures of its trailer are changed.
        case trailers
        /// Each of the mutations is applied on its own, but for those that make it large.
        case mutations
        /// The mutations that make few bytes say much.
        case shapes
        /// One or more mutations are applied.
        case several
    }

    let seed: String
    let kind: Kind
    /// How many there are of each mutation, or in all; of bits, the distance from one to the next.
    let figure: Int
    /// How many there have to be: of mutants, or of values, as the test says.
    let least: Int

    init(_ kind: Kind, _ seed: String, _ figure: Int = 1, least: Int) {
        self.seed = seed
        self.kind = kind
        self.figure = figure
        self.least = least
    }

    var testDescription: String { "\(kind.rawValue) of \(seed)" }

    /// The mutations after which reading goes on until a limit is reached, which takes long.
    static let shapes: Set<String> = [
        "a shared container of the file", "arrays that are shared", "sets that are shared",
        "dictionaries that are shared", "a long chain", "nested deep",
    ]

    /// The mutants, the same ones in each process.
    var mutants: AnySequence<Mutant> {
        guard let found = Seeds.named(seed) else { preconditionFailure("No seed is called \(seed)") }
        let bytes = found.bytes
        return switch kind {
        case .truncations: AnySequence(Mutator.truncations(of: bytes))
        case .bitFlips: AnySequence(Mutator.bitFlips(of: bytes, step: figure))
        case .trailers: AnySequence(Mutator.trailers(of: bytes))
        case .mutations:
            AnySequence(Mutator.named(of: bytes, count: figure, seed: 6) { !Self.shapes.contains($0) })
        case .shapes: AnySequence(Mutator.named(of: bytes, count: figure, seed: 6) { Self.shapes.contains($0) })
        case .several: AnySequence(Mutator.several(of: bytes, count: figure, seed: 6))
        }
    }

    /// Hands all mutants to `body`.
    func readEach(_ body: (MutantRecipe) -> Void) {
        LastMutants.watch { note in
            for mutant in mutants {
                let recipe = MutantRecipe(seed: seed, mutant: mutant)
                note(recipe)
                body(recipe)
            }
        }
    }
}
