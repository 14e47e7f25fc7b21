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

    init(_ kind: Kind, _ seed: String, _ figure: Int = 1) {
        self.seed = seed
        self.kind = kind
        self.figure = figure
    }

    var testDescription: String { "\(kind.rawValue) of \(seed)" }

    /// The mutations after which reading goes on until a limit is reached, which takes long.
    static let shapes: Set<String> = [
        "a shared container of the file", "arrays that are shared", "sets that are shared",
        "dictionaries that are shared", "a long chain", "nested deep",
    ]

    /// The mutants, the same ones in each process.
    var mutants: any Sequence<Mutant> {
        guard let found = Seeds.named(seed) else { preconditionFailure("No seed is called \(seed)") }
        let bytes = found.bytes
        return switch kind {
        case .truncations: Mutator.truncations(of: bytes)
        case .bitFlips: Mutator.bitFlips(of: bytes, step: figure)
        case .trailers: Mutator.trailers(of: bytes)
        case .mutations: Mutator.named(of: bytes, count: figure, seed: 6) { !Self.shapes.contains($0) }
        case .shapes: Mutator.named(of: bytes, count: figure, seed: 6) { Self.shapes.contains($0) }
        case .several: Mutator.several(of: bytes, count: figure, seed: 6)
        }
    }

    /// Hands all mutants to `body`.
    func forEach(_ body: (MutantRecipe) -> Void) {
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
    /// Small seeds of each kind, so that there is time for many mutants: each goes to every entry point.
    static let all: [MutationRun] =
        [
            "list", "list-null-and-set", "list-duplicate-keys", "list-widths-2-1", "list-xml-text", "list-xml-by-hand",
            "scalars", "figures", "ledger", "heir", "integers", "text", "forbidden-value", "graph-ring", "graph-plain",
            "graph-hub", "graph-things", "graph-forbidden", "folders", "record", "cabinet", "tokens", "many-keys",
            "forbidden-objects", "foundation-collections", "foundation-values", "foundation-units",
            "foundation-calendars",
        ].map { MutationRun(.truncations, $0) }
        + ["list", "list-duplicate-keys", "text", "tokens", "heir", "graph-hub"].map { MutationRun(.trailers, $0) }
        + [
            ("list-null-and-set", 1), ("list-duplicate-keys", 1), ("list-xml-text", 1), ("text", 1), ("tokens", 3),
            ("heir", 9), ("ledger", 13), ("graph-hub", 23), ("graph-plain", 19), ("folders", 13), ("record", 53),
            ("cabinet", 61), ("many-keys", 53), ("foundation-values", 41), ("foundation-collections", 61),
            ("list", 13),
        ].map { MutationRun(.bitFlips, $0.0, $0.1) }
        + [
            "tokens", "graph-hub", "graph-things", "figures", "record", "cabinet", "foundation-values",
            "list-xml-by-hand",
        ].map { MutationRun(.mutations, $0, 2) }
        + [MutationRun(.shapes, "tokens")]
        + ["tokens", "heir", "graph-plain", "folders", "list-xml-text"].map { MutationRun(.several, $0, 60) }
}
