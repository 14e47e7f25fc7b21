// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The paths of objects of a merge, for conflicts and changes, which refer to them.
final class MergePlaces: Sendable {
    private let graph: MergeGraph

    init(_ graph: MergeGraph) { self.graph = graph }

    func path(to node: Int) -> KeyedArchive.Path { graph.path(to: node) }

    /// The values of an object in the three archives.
    func versions(of node: Int) -> Triple<KeyedArchive.Value?> {
        func version(_ origin: MergeOrigin) -> KeyedArchive.Value? {
            let uid = graph.nodes[node].uids[origin]
            return uid < 0 ? nil : graph.sides[origin].archive[uid: UInt32(truncatingIfNeeded: uid)]
        }
        return Triple(version(.base), version(.mine), version(.theirs))
    }

    /// The values that the three archives have under a key of an object.
    func values(_ values: Triple<MergeValue?>, of node: Int, under key: String?) -> Triple<KeyedArchive.Value?> {
        Triple(
            value(values.base, .base, of: node, under: key), value(values.mine, .mine, of: node, under: key),
            value(values.theirs, .theirs, of: node, under: key))
    }

    func value(
        _ value: MergeValue?, _ origin: MergeOrigin, of node: Int, under key: String?
    ) -> KeyedArchive.Value? {
        let archive = graph.sides[origin].archive
        switch value {
        case nil: return nil
        case .null?: return archive[uid: 0]
        case .reference(let uid)?: return archive[uid: uid]
        case .inline?:
            guard let key else { return nil }
            let uid = graph.nodes[node].uids[origin]
            return uid < 0 ? archive.top[key] : archive[uid: UInt32(truncatingIfNeeded: uid)][key]
        }
    }

    func conflict(
        _ kind: ArchiveMerge.Conflict.Kind, at node: Int, _ key: String?, _ values: Triple<KeyedArchive.Value?>
    ) -> ArchiveMerge.Conflict {
        ArchiveMerge.Conflict(
            kind: kind, className: className(of: node), key: key, base: values.base, mine: values.mine,
            theirs: values.theirs, places: self, node: node)
    }

    func className(of node: Int) -> String? {
        for origin in MergeOrigin.allCases {
            let uid = graph.nodes[node].uids[origin]
            if uid >= 0, graph.sides[origin].classes[uid] != 0 { return graph.names[graph.sides[origin].classes[uid]] }
        }
        return nil
    }

    /// The changes of one archive since the base.
    func changes(_ origin: MergeOrigin) -> [ArchiveMerge.Change] {
        var changes: [ArchiveMerge.Change] = []
        func add(_ node: Int, _ key: String?, _ values: Triple<KeyedArchive.Value?>) {
            changes.append(
                ArchiveMerge.Change(
                    className: className(of: node), key: key, old: values.base, new: values[origin], places: self,
                    node: node))
        }
        for node in graph.nodes.indices where graph.nodes[node].isIn(.base) && graph.nodes[node].isIn(origin) {
            guard graph.elements(node, .base) == nil else {
                if graph.isChanged(node, origin) { add(node, "NS.objects", versions(of: node)) }
                continue
            }
            for row in graph.rows(of: node) {
                let atoms = graph.atoms(row)
                guard atoms[origin] != atoms.base else { continue }
                let name = graph.isRecord(node) ? graph.names[row.key] : nil
                add(node, name ?? keyText(row, node), values(row.values, of: node, under: name))
            }
        }
        return changes
    }

    /// The text of the key of an entry of a dictionary.
    func keyText(_ row: MergeGraph.Row, _ node: Int) -> String? {
        for origin in MergeOrigin.allCases {
            guard let key = row.keys[origin] else { continue }
            return graph.sides[origin].text(key) ?? value(key, origin, of: node, under: nil)?.description
        }
        return nil
    }
}
