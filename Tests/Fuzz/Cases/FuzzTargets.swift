// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Entry points that a fuzzer tries together, and what it begins with.
public struct FuzzTarget: Sendable {
    /// The name by which a target is chosen.
    public let name: String
    /// The files that mutations begin with.
    public let seeds: [Seed]
    private let entryPoints: [EntryPoint]
    private let agreements: [Agreement]

    /// Larger seeds would cost more than they contribute.
    private static let seedSize = 6_000

    private init(_ name: String, _ seeds: [Seed], _ entryPoints: [EntryPoint], _ agreements: [Agreement] = []) {
        self.name = name
        self.seeds = seeds.filter { $0.bytes.count <= Self.seedSize }
        self.entryPoints = entryPoints
        self.agreements = agreements
    }

    /// Tries `data` at every entry point.
    ///
    /// - Returns: A sentence on what the library does with it that it must not do; nil where there is nothing of the kind.
    public func violation(in data: Data) -> String? {
        (0..<turns).lazy.compactMap { violation(in: data, turn: $0) }.first
    }

    /// Tries `data` at the entry point whose turn it is: fuzzers try many inputs, and not each of them everywhere.
    ///
    /// - Returns: As `violation(in:)`.
    public func violation(in data: Data, turn: Int) -> String? {
        guard entryPoints.isEmpty else {
            let entryPoint = entryPoints[turn % entryPoints.count]
            return entryPoint.run(data).violation.map { "\(entryPoint.name): \($0)" }
        }
        return agreements[turn % agreements.count].violation(in: data)
    }

    /// The number of entry points.
    public var turns: Int { entryPoints.isEmpty ? agreements.count : entryPoints.count }
}

extension FuzzTarget {
    /// All targets there are.
    public static let all = [
        FuzzTarget(
            "property-list", Seeds.of([.propertyList, .foundation], xml: false), EntryPoints.propertyLists),
        FuzzTarget(
            "xml", Seeds.of(Seed.Kind.keyed, binary: false),
            EntryPoints.propertyLists + EntryPoints.looking.prefix(1)),
        FuzzTarget("keyed-archive", Seeds.of(Seed.Kind.keyed, xml: false), EntryPoints.looking),
        FuzzTarget("decoder", Seeds.of([.value]), EntryPoints.decoders),
        FuzzTarget("graph", Seeds.of([.graph]), EntryPoints.graphs.filter { !$0.name.contains("names") }),
        FuzzTarget("unarchiver", Seeds.of([.objects, .foundation]), EntryPoints.unarchivers),
        FuzzTarget(
            "names", Seeds.of([.graph, .objects], xml: false),
            (EntryPoints.graphs + EntryPoints.unarchivers).filter { $0.name.contains("names") }),
        FuzzTarget("unknown-objects", Seeds.of([.graph, .objects], xml: false), EntryPoints.unknownObjects),
        FuzzTarget("editor", Seeds.of([.graph, .objects, .foundation], xml: false), EntryPoints.editors),
        FuzzTarget("deferred", Seeds.of([.deferred]), EntryPoints.deferred),
        FuzzTarget("failures", Seeds.of([.fragile]), EntryPoints.failures),
        FuzzTarget("fields", Seeds.of([.fields]), EntryPoints.fields + EntryPoints.queries),
        FuzzTarget("document", Seeds.of([.deferred]), EntryPoints.documents),
        FuzzTarget("agreement", Seeds.of(Seed.Kind.keyed), [], Agreement.keyed),
        FuzzTarget("typed-stream", Seeds.of([.sequential]), EntryPoints.typedStreams),
        FuzzTarget("sequential", Seeds.of([.sequential]), EntryPoints.sequential),
        FuzzTarget("sequential-agreement", Seeds.of([.sequential]), [], Agreement.sequential),
    ]

    /// The target of that name; nil where there is none.
    public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
