// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `A coding path has the keys that were given` {
    enum Number: Int, CodingKey {
        case a = 7
        case b = -1
    }

    enum Name: String, CodingKey {
        case first = "first name"
    }

    enum Only: CodingKey {
        case one
    }

    final class Node: Encodable {
        var body: (any Encoder) throws -> Void

        init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }

        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    /// Whether the keys are 7, "first name", the position 1, and `one`.
    private func check(_ path: [any CodingKey], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(path.count == 4, sourceLocation: sourceLocation)
        guard path.count == 4 else { return }
        #expect(path[0] as? Number == .a, sourceLocation: sourceLocation)
        #expect(path[0].intValue == 7, sourceLocation: sourceLocation)
        #expect(path[0].stringValue == "a", sourceLocation: sourceLocation)
        #expect(path[1] as? Name == .first, sourceLocation: sourceLocation)
        #expect(path[1].intValue == nil, sourceLocation: sourceLocation)
        #expect(path[2].intValue == 1, sourceLocation: sourceLocation)
        #expect(path[3] as? Only == .one, sourceLocation: sourceLocation)
    }

    /// A value around `body`, which is encoded at that path.
    private func value(_ body: @escaping (any Encoder) throws -> Void) -> Encoding {
        Encoding { encoder in
            var container = encoder.container(keyedBy: Number.self)
            try container.encode(
                Encoding { encoder in
                    var container = encoder.container(keyedBy: Name.self)
                    var list = container.nestedUnkeyedContainer(forKey: .first)
                    try list.encodeNil()
                    try list.encode(
                        Encoding { encoder in
                            var container = encoder.container(keyedBy: Only.self)
                            try container.encode(Encoding(body), forKey: .one)
                        })
                }, forKey: .a)
        }
    }

    @Test func `in an encoder, its containers and its errors`() throws {
        _ = try ArchiveEncoder().encode(
            value { encoder in
                check(encoder.codingPath)
                check(encoder.container(keyedBy: Only.self).codingPath)
            })
        // A second archive of the same process, with the keys in another order.
        do {
            _ = try ArchiveEncoder().encode(
                value { encoder in
                    throw EncodingError.invalidValue(
                        1, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: ""))
                })
        } catch EncodingError.invalidValue(_, let context) {
            check(context.codingPath)
        }
    }

    @Test func `in an instance that is written later`() throws {
        _ = try ArchiveEncoder().encode(
            value { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(Node { check($0.codingPath) })
            })
    }

    @Test func `in an encoder, and in the superclass's part`() throws {
        let data = try ArchiveEncoder().encode(
            Encoding { encoder in
                var container = encoder.container(keyedBy: Number.self)
                try container.encode(
                    Encoding { #expect($0.codingPath.first?.intValue == -1) }, forKey: .b)
                let superEncoder = container.superEncoder(forKey: .a)
                #expect(superEncoder.codingPath.last as? Number == .a)
                try 5.encode(to: superEncoder)
            })
        try decoding(data) { decoder in
            let container = try decoder.container(keyedBy: Number.self)
            #expect(try container.superDecoder(forKey: .a).codingPath.last as? Number == .a)
            #expect(try container.superDecoder(forKey: .b).codingPath.last?.intValue == -1)
        }
    }

    struct Reading: Decodable {
        init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: ""))
        }
    }

    /// Decodes a `Value` at that path.
    struct Inner<Value: Decodable>: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            var list = try container.nestedUnkeyedContainer(forKey: .first)
            #expect(try list.decodeNil())
            let nested = try list.nestedContainer(keyedBy: Only.self)
            _ = try nested.decode(Value.self, forKey: .one)
        }
    }

    private func decoded<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> [any CodingKey] {
        do {
            try decoding(data) { _ = try $0.container(keyedBy: Number.self).decode(Inner<Value>.self, forKey: .a) }
        } catch let error as DecodingError {
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                return context.codingPath
            @unknown default: break
            }
        }
        return []
    }

    @Test func `in a decoder, and in errors of every type`() throws {
        let number = try ArchiveEncoder().encode(
            value { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(300)
            })
        check(try decoded(Reading.self, from: number))
        check(try decoded(UInt8.self, from: number))
        check(try decoded(String.self, from: number))
        check(try decoded(Bool.self, from: number))
        check(try decoded([Int].self, from: number))
        check(try decoded(Node2.self, from: number))
        let text = try ArchiveEncoder().encode(
            value { encoder in
                var single = encoder.singleValueContainer()
                try single.encode("text")
            })
        check(try decoded(Double.self, from: text))
        check(try decoded(Float.self, from: text))
    }

    final class Node2: Decodable {
        var x = 1
    }

    @Test func `and a sentence names them`() throws {
        let error = try failure {
            try ArchiveDecoder().decode([Int: UInt8].self, from: ArchiveEncoder().encode([7: 300]))
        }
        #expect(error.says("300"))
        let fields = Encoding { encoder in
            var container = encoder.container(keyedBy: Number.self)
            try container.encode(300, forKey: .a)
        }
        try decoding(archiveOf: fields) { decoder in
            let container = try decoder.container(keyedBy: Number.self)
            let error = try failure { try container.decode(UInt8.self, forKey: .a) }
            #expect(error.says("at \"a\", "))
        }
    }
}
