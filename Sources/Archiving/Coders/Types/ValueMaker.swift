// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The way to decode the objects of a class if a protocol is requested.
enum ValueMaker {
    case coding(any Coding.Type)
    case decodable(any Decodable.Type)

    /// A class entry and the requested protocol.
    struct Key: Hashable {
        let classUID: UInt32
        let requested: ObjectIdentifier
    }

    /// Creates the maker of objects of the class `type`; nil if they cannot be decoded.
    init?(_ type: any Any.Type) {
        if let coding = conformance(of: type, to: (any Coding.Type).self) {
            self = .coding(coding)
        } else if let decodable = type as? any Decodable.Type {
            self = .decodable(decodable)
        } else {
            return nil
        }
    }

    /// The type of the decoded objects.
    var type: any Any.Type {
        switch self {
        case .coding(let type): type.unarchivedClass
        case .decodable(let type): type
        }
    }
}
