// MARK: - All of them

extension MutationRun {
    /// Small seeds of each kind, so that there is time for many mutants: each goes to every entry point.
    static let all: [MutationRun] = truncations + trailers + bitFlips + mutations + several

    private static let truncations = [
        ("list", 880), ("list-null-and-set", 60), ("list-duplicate-keys", 60), ("list-widths-2-1", 970),
        ("list-xml-text", 40), ("list-xml-by-hand", 640), ("scalars", 570), ("figures", 620), ("ledger", 430),
        ("heir", 400), ("integers", 640), ("text", 140), ("forbidden-value", 290), ("graph-ring", 900),
        ("graph-plain", 630), ("graph-hub", 620), ("graph-things", 770), ("graph-forbidden", 820), ("folders", 530),
        ("record", 990), ("cabinet", 1090), ("tokens", 280), ("many-keys", 790), ("forbidden-objects", 480),
        ("foundation-collections", 890), ("foundation-values", 790), ("foundation-units", 790),
        ("foundation-calendars", 980),
    ].map { MutationRun(.truncations, $0.0, least: $0.1) }

    private static let trailers = ["list", "list-duplicate-keys", "text", "tokens", "graph-hub"].map {
        MutationRun(.trailers, $0, least: 280)
    }

    private static let bitFlips = [
        ("list-null-and-set", 1, 510), ("list-duplicate-keys", 1, 510), ("list-xml-text", 1, 360), ("text", 3, 370),
        ("tokens", 5, 460), ("heir", 9, 350), ("ledger", 13, 260), ("graph-hub", 31, 160), ("graph-plain", 29, 170),
        ("folders", 19, 220), ("record", 71, 110), ("cabinet", 79, 110), ("many-keys", 53, 120),
        ("foundation-values", 59, 100), ("foundation-collections", 71, 100), ("list", 13, 540),
    ].map { MutationRun(.bitFlips, $0.0, $0.1, least: $0.2) }

    private static let mutations =
        [
            "tokens", "graph-hub", "graph-things", "figures", "record", "cabinet", "foundation-values",
            "list-xml-by-hand",
        ].map { MutationRun(.mutations, $0, 2, least: 85) } + [MutationRun(.shapes, "tokens", least: 6)]

    private static let several = ["tokens", "heir", "graph-plain", "folders", "list-xml-text"].map {
        MutationRun(.several, $0, 30, least: 30)
    }

    /// Mutants of which many are values, and how many at least.
    static let values: [MutationRun] =
        [
            ("scalars", 7), ("collections", 17), ("leaves", 17), ("figures", 7), ("ledger", 5),
            ("heir", 5), ("graph-plain", 7), ("graph-ring", 11), ("graph-hub", 7), ("graph-things", 11),
            ("folders", 7), ("record", 11), ("cabinet", 13), ("text", 1),
        ].map { MutationRun(.bitFlips, $0.0, $0.1, least: 150) }
        + [
            ("scalars", 4), ("figures", 4), ("graph-ring", 4), ("graph-things", 4), ("folders", 4),
            ("record", 4), ("cabinet", 4),
        ].map { MutationRun(.mutations, $0.0, $0.1, least: 50) }
}
