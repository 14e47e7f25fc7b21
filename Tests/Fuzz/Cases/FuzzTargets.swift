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

    private init(_ name: String, _ seeds: [Seed], _ entryPoints: [EntryPoint], _ agreements: [Agreement] = []) {
        self.name = name
        self.seeds = seeds
        self.entryPoints = entryPoints
        self.agreements = agreements
    }

    /// Tries `data`.
    ///
    /// - Returns: A sentence on what the library does with it that it must not do; nil where there is nothing of the kind.
    public func violation(in data: Data) -> String? {
        for entryPoint in entryPoints {
            if let sentence = entryPoint.run(data).violation { return "\(entryPoint.name): \(sentence)" }
        }
        for agreement in agreements {
            if let sentence = agreement.violation(in: data) { return sentence }
        }
        return nil
    }
}

extension FuzzTarget {
    /// All targets there are.
    public static let all = [
        FuzzTarget(
            "property-list", Seeds.of([.propertyList, .foundation], xml: false), EntryPoints.propertyLists),
        FuzzTarget(
            "xml", Seeds.of(Set(Seed.Kind.allCases), binary: false),
            EntryPoints.propertyLists + EntryPoints.looking.prefix(1)),
        FuzzTarget("keyed-archive", Seeds.of(Set(Seed.Kind.allCases), xml: false), EntryPoints.looking),
        FuzzTarget("decoder", Seeds.of([.value]), EntryPoints.decoders),
        FuzzTarget("graph", Seeds.of([.graph]), EntryPoints.graphs.filter { !$0.name.contains("names") }),
        FuzzTarget("unarchiver", Seeds.of([.objects, .foundation]), EntryPoints.unarchivers),
        FuzzTarget(
            "names", Seeds.of([.graph, .objects], xml: false),
            (EntryPoints.graphs + EntryPoints.unarchivers).filter { $0.name.contains("names") }),
        FuzzTarget("unknown-objects", Seeds.of([.graph, .objects], xml: false), EntryPoints.unknownObjects),
        FuzzTarget("editor", Seeds.of([.graph, .objects, .foundation], xml: false), EntryPoints.editors),
        FuzzTarget("agreement", Seeds.of(Set(Seed.Kind.allCases)), [], Agreement.all),
    ]

    /// The target of that name; nil where there is none.
    public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
