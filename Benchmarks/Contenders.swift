// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The contenders of a comparison.
///
/// Every call creates new coders, as most programs do.
enum Contender: String, CaseIterable, Codable, CodingKeyRepresentable {
    /// This library.
    case archive
    case json
    /// The binary format.
    case propertyList
    /// The lower bound: Codable's own cost without any output.
    case empty
    /// This library with plain properties and default settings, for comparison with a row that stores the same value in another
    /// way.
    case plain

    /// The contenders of every comparison, in the order in which they take turns.
    static let peers: [Contender] = [.archive, .json, .propertyList, .empty]

    /// The peers with output.
    static let coders: [Contender] = [.archive, .json, .propertyList]

    /// Whether the output can be decoded.
    var producesOutput: Bool { self != .empty }

    /// Whether one instance with two references is decoded as one instance.
    var keepsIdentity: Bool { self == .archive || self == .plain }

    /// Encodes a value. The empty contender returns no bytes.
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

    /// Decodes the output of the same contender.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        switch self {
        case .archive, .plain: return try ArchiveDecoder().decode(type, from: data)
        case .json: return try JSONDecoder().decode(type, from: data)
        case .propertyList: return try PropertyListDecoder().decode(type, from: data)
        case .empty: preconditionFailure("the empty encoder has no output to decode")
        }
    }
}
