// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Which object is read as which type: `NamesAndSubclasses.md` has the rule.
@Suite(.inTurn) struct `An object is read as the requested type` {
    struct Road: Codable {
        var points: [Double]
        var lanes: Int?
    }

    struct Lanes: Decodable {
        var lanes: Int?
    }

    /// The same elements twice.
    struct Twice: Decodable {
        var roads: [Road]
        var lanes: [Lanes]

        enum CodingKeys: CodingKey { case roads }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            roads = try container.decode([Road].self, forKey: .roads)
            lanes = try container.decode([Lanes].self, forKey: .roads)
        }
    }

    @Test func `by its keys, and absent ones are nil`() throws {
        let data = try ArchiveEncoder().encode(["roads": [Road(points: [1], lanes: 3), Road(points: [2, 3])]])
        let twice = try ArchiveDecoder().decode(Twice.self, from: data)
        #expect(twice.roads.map(\.points) == [[1], [2, 3]])
        #expect(twice.lanes.map(\.lanes) == [3, nil])
    }

    final class Note: Codable {
        var text: String?
        init() {}
    }

    @Test func `unless it is nil, which is no instance`() throws {
        let data = try ArchiveEncoder().encode([Note?.none, Note(), nil])
        for policy in [ClassRegistry.UnknownClassPolicy.fail, .decodeAsRequested, .skip, .placeholder] {
            var decoder = ArchiveDecoder()
            decoder.classes.unknownClasses = policy
            #expect(try decoder.decode([Note?].self, from: data).map { $0 == nil } == [true, false, true])
            let error = try failure { try decoder.decode([Note].self, from: data) }
            #expect(error.kind == .valueNotFound && error.path == "[0]")
        }
    }

    /// Tries types in turn, as type-erased values of many packages do.
    struct Anything: Codable, Equatable {
        var text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                text = "\(value)"
            } else if let value = try? container.decode(Int.self) {
                text = "\(value)"
            } else if let value = try? container.decode(Double.self) {
                text = "\(value)"
            } else if let value = try? container.decode(String.self) {
                text = value
            } else if let value = try? container.decode([Anything].self) {
                text = "\(value.map(\.text))"
            } else {
                text = "\(try container.decode([String: Anything].self).mapValues(\.text))"
            }
        }
    }

    @Test func `or in the form that JSON has for a value of Foundation`() throws {
        struct Values: Encodable {
            var url = URL(string: "https://example.org/a")
            var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
            var date = Date(timeIntervalSinceReferenceDate: 0.5)
            var price = Decimal(string: "27.31")
            var list = ["a"]
        }
        let json = try JSONDecoder().decode([String: Anything].self, from: JSONEncoder().encode(Values()))
        #expect(json["date"]?.text == "0.5" && json["id"]?.text == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        #expect(try ArchiveDecoder().decode([String: Anything].self, from: ArchiveEncoder().encode(Values())) == json)
    }
}
