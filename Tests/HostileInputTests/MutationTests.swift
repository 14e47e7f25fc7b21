import Foundation
import FuzzCases
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
        /// Each of the mutations is applied on its own.
        case mutations
        /// One or more mutations are applied.
        case several
    }

    let seed: String
    let kind: Kind
    /// How many there are of each mutation, or in all; of bits, the distance from one to the next.
    let figure: Int
    /// The least number of mutants.
    let count: Int

    init(_ seed: String, _ kind: Kind, _ figure: Int = 1, count: Int) {
        self.seed = seed
        self.kind = kind
        self.figure = figure
        self.count = count
    }

    var testDescription: String { "\(seed), \(kind.rawValue)" }

    /// Hands all mutants to `body`.
    func forEach(_ body: (MutantRecipe) -> Void) {
        guard let found = Seeds.named(seed) else { preconditionFailure("No seed is called \(seed)") }
        let bytes = found.bytes
        let mutants: any Sequence<Mutant> =
            switch kind {
            case .truncations: Mutator.truncations(of: bytes)
            case .bitFlips: Mutator.bitFlips(of: bytes, step: figure)
            case .trailers: Mutator.trailers(of: bytes)
            case .mutations: Mutator.named(of: bytes, count: figure, seed: 6)
            case .several: Mutator.several(of: bytes, count: figure, seed: 6)
            }
        LastMutants.watch { note in
            for mutant in mutants {
                let recipe = MutantRecipe(seed: seed, mutant: mutant)
                note(recipe)
                body(recipe)
            }
        }
    }
}

extension MutationRun {
    /// Small seeds of each kind, so that there is time for many mutants: every mutant goes to every entry point.
    static let all: [MutationRun] = []
}

/// Tens of thousands of damaged archives, the same ones in each run, each of which is read in every way there is.
@Suite struct `A mutant` {
    /// Issues after which a run stops: one that fails everywhere has been told of enough.
    private static let issueLimit = 5

    @Test(arguments: MutationRun.all)
    func `is an error or a value at every entry point`(run: MutationRun) {
        var mutantCount = 0
        var valueCount = 0
        var issueCount = 0
        run.forEach { recipe in
            mutantCount += 1
            guard issueCount < Self.issueLimit else { return }
            let data = Data(recipe.mutant.bytes)
            for entryPoint in EntryPoints.all {
                switch entryPoint.run(data) {
                case .value: valueCount += 1
                case .failure(.other):
                    issueCount += 1
                    Issue.record("\(entryPoint.name): an error that is none of the library's. It was \(recipe)")
                case .failure: break
                case .violation(let sentence):
                    issueCount += 1
                    Issue.record("\(entryPoint.name): \(sentence). It was \(recipe)")
                }
            }
            for agreement in Agreement.all {
                guard let sentence = agreement.violation(in: data) else { continue }
                issueCount += 1
                Issue.record("\(sentence). It was \(recipe)")
            }
        }
        #expect(mutantCount >= run.count)
        // A mutant that is cut off is no value for anybody; of the others, some are.
        #expect(run.kind == .truncations || run.kind == .trailers || valueCount > mutantCount)
    }
}
