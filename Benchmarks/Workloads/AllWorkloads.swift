// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// Every workload, in the order of the table.
///
/// Each has its own seed, so that its data does not depend on which others run.
var allWorkloads: [any Workload] {
    let graphs = graphWorkloads(count: 100_000)
    let values: [any Workload] = [
        CodableWorkload(name: "farm", calls: 2_000) { Farm.oldMacDonalds },
        CodableWorkload(name: "farms") { Farm.many(count: 10_000, seed: 1) },
        CodableWorkload(name: "statuses") { Timeline.example(count: 1_000, seed: 2) },
        CodableWorkload(name: "polygons") { FeatureCollection.example(seed: 3) },
        CodableWorkload(name: "integers") { integers(count: 1_000_000, seed: 4) },
        CodableWorkload(name: "doubles") { doubles(count: 1_000_000, seed: 11) },
        CodableWorkload(name: "decimals") { decimals(count: 1_000_000, seed: 5) },
        CodableWorkload(name: "strings") { strings(count: 200_000, seed: 6) },
    ]
    let variants: [any Workload] = [
        // Two of the values by `Coding`.
        VariantWorkload(
            name: "coding farm", calls: 2_000, make: { (CodingFarm(.oldMacDonalds), .oldMacDonalds) },
            encode: { try KeyedArchiver.archivedData(withRootObject: $0) },
            decode: { try KeyedUnarchiver.unarchivedObject(of: CodingFarm.self, from: $0) },
            isFaithful: CodingFarm.isFaithful, isPlainFaithful: { (original: Farm, decoded, _) in original == decoded }),
        VariantWorkload(
            name: "coding statuses",
            make: {
                let timeline = Timeline.example(count: 1_000, seed: 2)
                return (CodingTimeline(timeline), timeline)
            },
            encode: { try KeyedArchiver.archivedData(withRootObject: $0) },
            decode: { try KeyedUnarchiver.unarchivedObject(of: CodingTimeline.self, from: $0) },
            isFaithful: CodingTimeline.isFaithful, isPlainFaithful: { original, decoded, _ in original == decoded }),
    ]
    let dictionaries: [any Workload] = [
        CodableWorkload(name: "catalog") { Catalog.example(seed: 8) },
        CodableWorkload(name: "labels") { LabelledShop.example(count: 2_000, seed: 15) },
    ]
    // Two of the values by declared fields.
    let fields: [any Workload] = [
        VariantWorkload(
            fields: "fields farm", calls: 2_000, make: { (FieldsFarm(.oldMacDonalds), .oldMacDonalds) },
            isFaithful: { original, decoded, _ in original == decoded },
            isPlainFaithful: { (original: Farm, decoded, _) in original == decoded }),
        VariantWorkload(
            fields: "fields statuses",
            make: {
                let timeline = Timeline.example(count: 1_000, seed: 2)
                return (FieldsTimeline(timeline), timeline)
            },
            isFaithful: { original, decoded, _ in original == decoded },
            isPlainFaithful: { original, decoded, _ in original == decoded }),
    ]
    let rows = values + graphs[..<4] + variants + graphs[4..<5]
    return rows + fields + graphs[5...] + dictionaries + modelWorkloads
}

/// Models whose types try alternatives, look for keys, and read an object more than once; each with default settings, and with
/// `.sortedKeys` for this library and for JSON.
private var modelWorkloads: [any Workload] {
    inBothOrders("json value") { JSONValue.events(count: 400, seed: 16) }
        + inBothOrders("api document") { APIDocument.example(pathCount: 60, schemaCount: 80, seed: 17) }
        + inBothOrders("animation") { Animation.example(layerCount: 40, seed: 18) }
        + inBothOrders("route") { RouteResponse.example(stepCount: 300, seed: 19) }
        + inBothOrders("geojson") { GeoDocument.example(count: 400, seed: 20) }
}

private func inBothOrders<Value: Codable & Equatable>(
    _ name: String, make: @escaping () -> Value
) -> [any Workload] {
    var sorted = ArchiveEncoder()
    sorted.outputFormatting = .sortedKeys
    return [
        CodableWorkload(name: name, make: make), CodableWorkload(name: "\(name) sorted", encoder: sorted, make: make),
    ]
}

/// The workloads of class instances, of which each value has `count`, in the order of the table.
func graphWorkloads(count: Int) -> [any Workload] {
    [
        CodableWorkload(name: "tree", make: { Branch.tree(count: count, seed: 14) }, isFaithful: Branch.isFaithful),
        CodableWorkload(name: "graph", make: { Node.graph(count: count, seed: 7) }, isFaithful: Node.isFaithful),
        // The same graph as in the row above: the difference is the cost of references.
        VariantWorkload<ReferencingNode, Node>(
            graph: "references", count: count, encode: { try ArchiveEncoder().encode($0) },
            decode: { try ArchiveDecoder().decode(ReferencingNode.self, from: $0) }),
        // The same graph by `Coding`.
        VariantWorkload<CodingNode, Node>(
            graph: "coding", count: count, encode: { try KeyedArchiver.archivedData(withRootObject: $0) },
            decode: { try KeyedUnarchiver.unarchivedObject(of: CodingNode.self, from: $0) }),
        // Children that refer back to their parent. The peers do not support cycles, so their children do not refer back.
        VariantWorkload(
            name: "parents",
            make: { (WeakFamily.example(count: count, seed: 13), LooseFamily.example(count: count, seed: 13)) },
            encode: { try ArchiveEncoder().encode($0) },
            decode: { try ArchiveDecoder().decode(WeakFamily.self, from: $0) }, isFaithful: WeakFamily.isFaithful,
            isPlainFaithful: LooseFamily.isFaithful),
        // The same with plain properties, one of which closes the cycle through the array of children.
        VariantWorkload(
            name: "plain parents",
            make: { (Family.example(count: count, seed: 13), LooseFamily.example(count: count, seed: 13)) },
            encode: { try ArchiveEncoder().encode($0) }, decode: { try ArchiveDecoder().decode(Family.self, from: $0) },
            isFaithful: Family.isFaithful, isPlainFaithful: LooseFamily.isFaithful),
        // Three of the graphs by declared fields.
        VariantWorkload(
            fields: "fields tree",
            make: { (FieldsBranch.tree(count: count, seed: 14), Branch.tree(count: count, seed: 14)) },
            isFaithful: FieldsBranch.isFaithful, isPlainFaithful: Branch.isFaithful),
        VariantWorkload(
            fields: "fields graph",
            make: { (FieldsNode.graph(count: count, seed: 7), Node.graph(count: count, seed: 7)) },
            isFaithful: FieldsNode.isFaithful, isPlainFaithful: Node.isFaithful),
        VariantWorkload(
            fields: "fields parents",
            make: { (FieldsFamily.example(count: count, seed: 13), LooseFamily.example(count: count, seed: 13)) },
            isFaithful: FieldsFamily.isFaithful, isPlainFaithful: LooseFamily.isFaithful),
    ]
}
