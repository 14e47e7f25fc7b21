import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One row of the tables: a value that every contender encodes and decodes.
protocol Workload {
    /// The name that `--only` takes.
    var name: String { get }

    /// Calls per sample, for values too small for the clock.
    var calls: Int { get }

    /// Makes the value: the same one every time. It is made when the workload runs, so that the others are not charged for
    /// its memory.
    func prepare() -> any PreparedWorkload
}

/// The value of a workload, and how contenders encode and decode it.
protocol PreparedWorkload {
    associatedtype Decoded

    /// Who takes part, in the order in which they take turns.
    var contenders: [Contender] { get }

    func encode(with contender: Contender) throws -> Data

    /// Decodes what the same contender encoded.
    func decode(_ archive: Data, with contender: Contender) throws -> Decoded

    /// Whether a decoded value is the original; shared instances must still be shared where the contender keeps identity.
    func isFaithful(_ decoded: Decoded, to contender: Contender) -> Bool
}

/// The two ways between a value and its archive.
enum Direction: String, CaseIterable, Codable {
    case encode, decode
}

// MARK: - Values of one type

/// A workload of one type of value.
struct CodableWorkload<Value: Codable>: Workload {
    var name: String
    var calls = 1
    /// An encoder with other settings than its own, where that is what the workload is about. An encoder with none takes
    /// part as well then, as the contender `plain`.
    var encoder: ArchiveEncoder? = nil
    /// Makes the value.
    var make: () -> Value
    /// Whether a decoded value is the original; told whether shared instances must still be shared.
    var isFaithful: (_ original: Value, _ decoded: Value, _ sharing: Bool) -> Bool

    func prepare() -> any PreparedWorkload {
        PreparedValue(value: make(), encoder: encoder, isFaithful: isFaithful)
    }
}

extension CodableWorkload where Value: Equatable {
    init(name: String, calls: Int = 1, encoder: ArchiveEncoder? = nil, make: @escaping () -> Value) {
        self.init(name: name, calls: calls, encoder: encoder, make: make) { original, decoded, _ in original == decoded
        }
    }
}

private struct PreparedValue<Value: Codable>: PreparedWorkload {
    var contenders: [Contender] { encoder == nil ? Contender.peers : Contender.peers + [.plain] }
    let value: Value
    let encoder: ArchiveEncoder?
    let isFaithful: (_ original: Value, _ decoded: Value, _ sharing: Bool) -> Bool

    func encode(with contender: Contender) throws -> Data {
        if let encoder, contender == .archive { return try encoder.encode(value) }
        return try contender.encode(value)
    }

    func decode(_ archive: Data, with contender: Contender) throws -> Value {
        try contender.decode(Value.self, from: archive)
    }

    func isFaithful(_ decoded: Value, to contender: Contender) -> Bool {
        isFaithful(value, decoded, contender.keepsIdentity)
    }
}

// MARK: - The class graph in other ways

/// The class graph, which this library takes in another way than as plain properties under Codable.
///
/// Everybody else has the plain graph, and so has this library once more as a contender of its own: the ratio of two
/// ways to write one graph is told from rounds that were interleaved.
struct GraphWorkload<Variant: GraphNode>: Workload {
    var name: String
    var calls: Int { 1 }
    var encode: (Variant) throws -> Data
    var decode: (Data) throws -> Variant

    func prepare() -> any PreparedWorkload {
        PreparedGraph(
            variant: Variant.graph(count: 100_000, seed: 7), plain: Node.graph(count: 100_000, seed: 7), workload: self)
    }
}

private struct PreparedGraph<Variant: GraphNode>: PreparedWorkload {
    /// Either graph.
    enum Decoded {
        case variant(Variant)
        case plain(Node)
    }

    var contenders: [Contender] { Contender.peers + [.plain] }
    let variant: Variant
    let plain: Node
    let workload: GraphWorkload<Variant>

    func encode(with contender: Contender) throws -> Data {
        contender == .archive ? try workload.encode(variant) : try contender.encode(plain)
    }

    func decode(_ archive: Data, with contender: Contender) throws -> Decoded {
        contender == .archive
            ? .variant(try workload.decode(archive)) : .plain(try contender.decode(Node.self, from: archive))
    }

    func isFaithful(_ decoded: Decoded, to contender: Contender) -> Bool {
        switch decoded {
        case .variant(let decoded):
            Variant.isFaithful(original: variant, decoded: decoded, sharing: contender.keepsIdentity)
        case .plain(let decoded):
            Node.isFaithful(original: plain, decoded: decoded, sharing: contender.keepsIdentity)
        }
    }
}
