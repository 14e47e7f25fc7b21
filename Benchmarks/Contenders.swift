import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Everybody who runs in a comparison.
///
/// Coders are made afresh in every call, as most programs do.
enum Contender: String, CaseIterable, Codable, CodingKeyRepresentable {
    /// This library.
    case archive
    case json
    /// The binary format.
    case propertyList
    /// The floor: Codable's own cost, without any output.
    case empty
    /// This library with the same value in plain properties and with plain settings, beside a row that shows another way
    /// to write it.
    case plain

    /// Who takes part in every comparison, in the order in which they take turns.
    static let peers: [Contender] = [.archive, .json, .propertyList, .empty]

    /// Those of them who have output.
    static let coders: [Contender] = [.archive, .json, .propertyList]

    /// Whether what is encoded can be decoded again.
    var producesOutput: Bool { self != .empty }

    /// Whether one instance that is referenced twice comes back as one instance.
    var keepsIdentity: Bool { self == .archive || self == .plain }

    /// Encodes a value; the empty contender answers with no bytes.
    func encode(_ value: some Encodable) throws -> Data {
        switch self {
        case .archive, .plain:
            return try ArchiveEncoder().encode(value)
        case .json:
            return try JSONEncoder().encode(value)
        case .propertyList:
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            return try encoder.encode(value)
        case .empty:
            try value.encode(to: EmptyEncoder())
            return Data()
        }
    }

    /// Decodes what the same contender encoded.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        switch self {
        case .archive, .plain: return try ArchiveDecoder().decode(type, from: data)
        case .json: return try JSONDecoder().decode(type, from: data)
        case .propertyList: return try PropertyListDecoder().decode(type, from: data)
        case .empty: preconditionFailure("the empty encoder leaves nothing to decode")
        }
    }
}
