// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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

    /// The number of calls per sample, for values too small for the clock.
    var calls: Int { get }

    /// Creates the value, which is the same every time. It is created when the workload runs, so that its memory does not affect
    /// other workloads.
    func prepare() -> any PreparedWorkload
}

/// The value of a workload, and the way contenders encode and decode it.
protocol PreparedWorkload {
    associatedtype Decoded

    /// The contenders, in the order in which they take turns.
    var contenders: [Contender] { get }

    func encode(with contender: Contender) throws -> Data

    /// Decodes the output of the same contender.
    func decode(_ archive: Data, with contender: Contender) throws -> Decoded

    /// Whether a decoded value equals the original. Shared instances must still be shared if the contender keeps identity.
    func isFaithful(_ decoded: Decoded, to contender: Contender) -> Bool
}

/// The two directions between a value and its archive.
enum Direction: String, CaseIterable, Codable {
    case encode, decode
}

// MARK: - Values of one type

/// A workload of one type of value.
struct CodableWorkload<Value: Codable>: Workload {
    var name: String
    var calls = 1
    /// The encoder of workloads about settings; nil for default settings. If it is not nil, an encoder with default settings is
    /// the contender `plain`.
    var encoder: ArchiveEncoder? = nil
    /// Creates the value.
    var make: () -> Value
    /// Whether a decoded value equals the original. `sharing` is true if shared instances must still be shared.
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
        guard let encoder else { return try contender.encode(value) }
        switch contender {
        case .archive: return try encoder.encode(value)
        case .json where encoder.outputFormatting.contains(.sortedKeys):
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return try encoder.encode(value)
        default: return try contender.encode(value)
        }
    }

    func decode(_ archive: Data, with contender: Contender) throws -> Value {
        try contender.decode(Value.self, from: archive)
    }

    func isFaithful(_ decoded: Value, to contender: Contender) -> Bool {
        isFaithful(value, decoded, contender.keepsIdentity)
    }
}

// MARK: - Variants of a value

/// A value that this library encodes in another form than its peers, which use `Plain`.
///
/// This library also encodes `Plain` as a contender of its own, so that the ratio of the two forms comes from interleaved rounds.
struct VariantWorkload<Variant, Plain: Codable>: Workload {
    var name: String
    var calls = 1
    var make: () -> (variant: Variant, plain: Plain)
    var encode: (Variant) throws -> Data
    var decode: (Data) throws -> Variant
    /// Whether a decoded value equals the original. `sharing` is true if shared instances must still be shared.
    var isFaithful: (_ original: Variant, _ decoded: Variant, _ sharing: Bool) -> Bool
    var isPlainFaithful: (_ original: Plain, _ decoded: Plain, _ sharing: Bool) -> Bool

    func prepare() -> any PreparedWorkload {
        let (variant, plain) = make()
        return PreparedVariant(variant: variant, plain: plain, workload: self)
    }
}

extension VariantWorkload where Variant: GraphNode, Plain == Node {
    /// Creates a workload of the class graph of `count` instances.
    init(
        graph name: String, count: Int, encode: @escaping (Variant) throws -> Data,
        decode: @escaping (Data) throws -> Variant
    ) {
        self.init(
            name: name,
            make: { (Variant.graph(count: count, seed: 7), Node.graph(count: count, seed: 7)) },
            encode: encode, decode: decode, isFaithful: Variant.isFaithful, isPlainFaithful: Node.isFaithful)
    }
}

extension VariantWorkload where Variant: ArchivedFields {
    /// Creates a workload of a value with declared fields.
    init(
        fields name: String, calls: Int = 1, make: @escaping () -> (variant: Variant, plain: Plain),
        isFaithful: @escaping (_ original: Variant, _ decoded: Variant, _ sharing: Bool) -> Bool,
        isPlainFaithful: @escaping (_ original: Plain, _ decoded: Plain, _ sharing: Bool) -> Bool
    ) {
        self.init(
            name: name, calls: calls, make: make, encode: { try ArchiveEncoder().encode($0) },
            decode: { try ArchiveDecoder().decode(Variant.self, from: $0) }, isFaithful: isFaithful,
            isPlainFaithful: isPlainFaithful)
    }
}

private struct PreparedVariant<Variant, Plain: Codable>: PreparedWorkload {
    /// One of the two values.
    enum Decoded {
        case variant(Variant)
        case plain(Plain)
    }

    var contenders: [Contender] { Contender.peers + [.plain] }
    let variant: Variant
    let plain: Plain
    let workload: VariantWorkload<Variant, Plain>

    func encode(with contender: Contender) throws -> Data {
        contender == .archive ? try workload.encode(variant) : try contender.encode(plain)
    }

    func decode(_ archive: Data, with contender: Contender) throws -> Decoded {
        contender == .archive
            ? .variant(try workload.decode(archive)) : .plain(try contender.decode(Plain.self, from: archive))
    }

    func isFaithful(_ decoded: Decoded, to contender: Contender) -> Bool {
        switch decoded {
        case .variant(let decoded): workload.isFaithful(variant, decoded, contender.keepsIdentity)
        case .plain(let decoded): workload.isPlainFaithful(plain, decoded, contender.keepsIdentity)
        }
    }
}
