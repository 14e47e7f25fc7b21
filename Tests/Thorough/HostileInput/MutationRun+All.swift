// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - All of them

extension MutationRun {
    /// Small seeds of each kind, so that there is time for many mutants: each goes to every entry point.
    static let all: [MutationRun] = truncations + trailers + bitFlips + mutations + several

    /// Cut off at every byte. The large seeds are left to the mutants below, and to the fuzzer.
    private static let truncations: [MutationRun] = [
        ("list", 880), ("list-null-and-set", 60), ("list-duplicate-keys", 60), ("list-widths-2-1", 970),
        ("list-xml-text", 40), ("list-xml-by-hand", 640), ("scalars", 570), ("figures", 620), ("ledger", 430),
        ("heir", 400), ("integers", 640), ("text", 140), ("forbidden-value", 290),
        ("graph-plain", 600), ("graph-hub", 620), ("graph-forbidden", 740), ("folders", 530), ("tokens", 280),
        ("forbidden-objects", 480), ("foundation-values", 790), ("foundation-units", 790),
        ("foundation-calendars", 980), ("shelf-small", 600),
        ("sequential-old-part", 65), ("sequential-next", 59), ("sequential-numbers", 109),
        ("sequential-containers", 100), ("sequential-urls", 80), ("sequential-shapes", 90), ("sequential-parts", 187),
        ("sequential-panes-big-endian", 138), ("sequential-pane-alone", 95), ("sequential-beads", 70),
        ("sequential-story-big-endian", 239),
        ("sequential-values", 369), ("sequential-forbidden", 171),
    ].map { MutationRun(.truncations, $0.0, least: $0.1) }

    private static let trailers: [MutationRun] = ["list", "list-duplicate-keys", "text", "tokens", "graph-hub"].map {
        MutationRun(.trailers, $0, least: 280)
    }

    private static let bitFlips: [MutationRun] = [
        ("list-null-and-set", 1, 510), ("list-duplicate-keys", 1, 510), ("list-xml-text", 1, 360), ("text", 3, 370),
        ("tokens", 7, 320), ("heir", 13, 240), ("ledger", 17, 195), ("graph-hub", 41, 115), ("graph-plain", 41, 115),
        ("folders", 29, 140), ("record", 101, 75), ("cabinet", 113, 70), ("many-keys", 73, 80),
        ("foundation-values", 83, 70), ("attributed-text", 13, 240), ("foundation-collections", 101, 65),
        ("list", 13, 540),
        ("shelf-small", 41, 115), ("shelf", 401, 30), ("stock", 101, 30),
        ("sequential-old-part", 1, 520), ("sequential-next", 1, 470), ("sequential-numbers", 2, 430),
        ("sequential-containers", 2, 400), ("sequential-urls", 2, 320), ("sequential-shapes", 2, 360),
        ("sequential-beads", 1, 560), ("sequential-panes", 5, 220), ("sequential-parts-big-endian", 5, 290),
        ("sequential-story", 5, 380), ("sequential-drawer-big-endian", 17, 330), ("sequential-chest", 17, 270),
        ("sequential-values", 11, 260), ("sequential-unknown", 41, 200),
    ].map { MutationRun(.bitFlips, $0.0, $0.1, least: $0.2) }

    private static let mutations: [MutationRun] =
        [
            ("tokens", 6), ("graph-hub", 6), ("list-xml-by-hand", 4), ("graph-things", 4), ("figures", 4),
            ("record", 3), ("cabinet", 3), ("foundation-values", 3), ("shelf", 1), ("attributed-text", 6),
        ].map { MutationRun(.mutations, $0.0, $0.1, least: 40 * $0.1) } + [MutationRun(.shapes, "tokens", least: 6)]
        + [
            ("sequential-numbers", 12), ("sequential-containers", 12), ("sequential-parts", 12),
            ("sequential-beads", 12),
            ("sequential-panes-big-endian", 12), ("sequential-story", 12), ("sequential-shapes", 12),
            ("sequential-chest", 8), ("sequential-drawer-big-endian", 8), ("sequential-values", 8),
            ("sequential-unknown", 8),
        ].map { MutationRun(.mutations, $0.0, $0.1, least: 30 * $0.1) }

    private static let several: [MutationRun] = [
        "tokens", "heir", "graph-plain", "folders", "list-xml-text", "sequential-parts", "sequential-containers",
        "sequential-story-big-endian", "sequential-chest",
    ].map { MutationRun(.several, $0, 150, least: 150) }

    /// Mutants of which many are values, and how many at least.
    static let values: [MutationRun] =
        [
            ("scalars", 11), ("collections", 23), ("leaves", 23), ("figures", 11), ("ledger", 7),
            ("heir", 7), ("graph-plain", 11), ("graph-ring", 17), ("graph-hub", 11), ("graph-things", 17),
            ("folders", 11), ("record", 17), ("cabinet", 19), ("text", 2),
        ].map { MutationRun(.bitFlips, $0.0, $0.1, least: 90) }
        + [
            ("scalars", 3), ("figures", 3), ("graph-ring", 3), ("graph-things", 3), ("folders", 3),
            ("record", 3), ("cabinet", 3),
        ].map { MutationRun(.mutations, $0.0, $0.1, least: 40) }
}
