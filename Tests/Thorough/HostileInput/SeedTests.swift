// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzCases
import TestSupport
import Testing

/// The seeds of mutations are valid: otherwise a mutant would prove nothing.
@Suite(.inTurn)
struct `A seed` {
    @Test func `names are given once`() {
        #expect(Set(Seeds.all.map(\.name)).count == Seeds.all.count)
        #expect(Set(EntryPoints.all.map(\.name)).count == EntryPoints.all.count)
        #expect(Set(FuzzTarget.all.map(\.name)).count == FuzzTarget.all.count)
    }

    @Test(arguments: Seeds.of(Seed.Kind.keyed).map(\.name))
    func `Foundation reads a seed as a property list`(name: String) throws {
        let seed = try #require(Seeds.named(name))
        // Foundation on Linux has no set that it could make of one in a property list, and no integers of 128 bits in XML.
        guard !["list-null-and-set", "specimen-xml", "scalars-xml"].contains(name) else { return }
        _ = try PropertyListSerialization.propertyList(from: seed.data, format: nil)
    }

    /// Seeds, and entry points that make a value of each.
    static let whole: [(String, String)] = [
        ("specimen", "decoder, specimen"), ("scalars-xml", "decoder, scalars"), ("leaves", "decoder, leaves"),
        ("almanac", "decoder, almanac"), ("collections", "decoder, collections"), ("figures", "decoder, figures"),
        ("ledger", "decoder, ledger"), ("heir", "decoder, ancestors"), ("integers", "decoder, integers"),
        ("text", "decoder, text"), ("graph", "decoder, graph"), ("graph-xml", "decoder, graph"),
        ("graph-ring", "decoder, graph"), ("graph-plain", "decoder, graph"), ("graph-hub", "decoder, graph"),
        ("graph-things", "decoder, graph"), ("graph", "decoder, graph by other names"),
        ("node-own-names", "decoder, node without names"), ("node", "decoder, node"), ("nodes", "decoder, nodes"),
        ("thing", "decoder, thing"), ("folders", "unarchiver, folder"), ("folders", "unarchiver, by other names"),
        ("record", "unarchiver, record"), ("cabinet", "unarchiver, cabinet"), ("tokens", "unarchiver, array"),
        ("specimen", "unarchiver, specimen"), ("foundation-leaves", "archive, validate"),
        ("many-keys", "unarchiver, every key as everything"), ("graph-things", "unknown objects, as placeholders"),
        ("graph-things", "unknown objects, the root"), ("graph-things", "editor, some edits"),
        ("shelf", "deferred, every part"), ("shelf-widest", "deferred, encoded without being loaded"),
        ("shelf-lies", "deferred, every part"), ("shelf-small", "deferred, encoded with some loaded"),
        ("stock", "deferred, in a Coding class"), ("shelf-reversed", "document, edited, saved and compacted"),
        ("shelf-many", "document, saved again and again"), ("shelf-small", "document, compacted"),
        ("shelf-lies", "document, saved to another file"), ("shelf", "document, loaded, unloaded and saved"),
        ("shelf", "document, closed and saved"),
        ("fragile", "failure, nodes"), ("fragile", "failure, parts"), ("fragile-node", "failure, node"),
        ("fragile-cells", "failure, cell"),
        ("fields-ring", "fields, sailor"), ("fields-ring-xml", "fields, unarchiver"),
        ("fields-crew", "fields, sailors"), ("fields-crew", "fields, crew with unknown objects"),
        ("fields-crew-renamed", "fields, sailor by other names"),
        ("fields-own-names", "fields, sailor without names"), ("fields-tags", "fields, sailor"),
        ("fields-set", "fields, tags"), ("fields-mixed", "fields, sailor"), ("fields-trunk", "fields, trunk"),
        ("fields-kit", "fields, kit"), ("fields-voyage", "fields, voyage"), ("fields-attempts", "fields, attempts"),
        ("fields-ports", "fields, ports"), ("fields-wide", "fields, wide"), ("fields-cargo", "fields, cargo"),
        ("fields-locker", "fields, locker"),
        ("sequential-old-part", "sequential, part"), ("sequential-parts", "sequential, parts"),
        ("sequential-panes", "sequential, pane"), ("sequential-pane-alone-big-endian", "sequential, pane"),
        ("sequential-beads", "sequential, bead"), ("sequential-drawer", "sequential, drawer"),
        ("sequential-drawer-big-endian", "sequential, drawer"), ("sequential-chest", "sequential, chest"),
        ("sequential-story", "sequential, attributed text"), ("sequential-urls", "sequential, whatever is there"),
        ("sequential-numbers", "sequential, whatever is there"),
        ("sequential-containers", "sequential, whatever is there"), ("sequential-shapes", "typedstream, again"),
        ("sequential-next", "typedstream, all values"), ("sequential-values", "sequential, every group as everything"),
        ("sequential-unknown", "sequential, unknown objects again"),
    ]

    @Test(arguments: whole)
    func `an entry point reads a whole seed`(seed: String, entryPoint: String) throws {
        let data = try #require(Seeds.named(seed)).data
        let outcome = try #require(EntryPoints.named(entryPoint)).run(data)
        guard case .value = outcome else {
            Issue.record("\(entryPoint) says \(outcome) of \(seed)")
            return
        }
    }

    @Test(arguments: FuzzTarget.all.map(\.name))
    func `no target finds anything in its seeds`(name: String) throws {
        let target = try #require(FuzzTarget.named(name))
        #expect(!target.seeds.isEmpty)
        for seed in target.seeds {
            let violation = target.violation(in: seed.data)
            #expect(violation == nil, "\(seed.name)")
        }
    }
}
