// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// A coder that values are taken through, as a whole.
enum ComparedCoder: CaseIterable {
    case json, propertyList, archive

    /// What `body` encodes as the only element of a list, which each of the coders can have at the top.
    func data(_ body: @escaping (any Encoder) throws -> Void) throws -> Data {
        let value = [Encoding(body)]
        return switch self {
        case .json: try JSONEncoder().encode(value)
        case .propertyList: try PropertyListEncoder().encode(value)
        case .archive: try ArchiveEncoder().encode(value)
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        switch self {
        case .json: try JSONDecoder().decode(type, from: data)
        case .propertyList: try PropertyListDecoder().decode(type, from: data)
        case .archive: try ArchiveDecoder().decode(type, from: data)
        }
    }
}

/// A value of any shape, as a decoder returns it: `{a: 1, b: [nil]}`.
struct DecodedTree: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        if let fields = try? decoder.container(keyedBy: AnyKey.self) {
            let keys = fields.allKeys.sorted { $0.stringValue < $1.stringValue }
            let texts = try keys.map { "\($0.stringValue): \(try fields.decode(Self.self, forKey: $0).text)" }
            text = "{\(texts.joined(separator: ", "))}"
        } else if var elements = try? decoder.unkeyedContainer() {
            var texts: [String] = []
            while !elements.isAtEnd { texts.append(try elements.decode(Self.self).text) }
            text = "[\(texts.joined(separator: ", "))]"
        } else {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                text = "nil"
            } else if let number = try? value.decode(Double.self) {
                text = number == number.rounded() ? "\(Int(number))" : "\(number)"
            } else if let flag = try? value.decode(Bool.self) {
                text = "\(flag)"
            } else {
                text = try value.decode(String.self)
            }
        }
    }
}

/// A difference from the other coders that stays, and why.
struct StayingDifference: Sendable {
    let coders: Set<ComparedCoder>
    /// What this pair does, where neither of the others says it.
    let expected: String?
    let reason: String

    static func json(_ reason: String) -> Self { Self(coders: [.json], expected: nil, reason: reason) }
    static func propertyList(_ reason: String) -> Self { Self(coders: [.propertyList], expected: nil, reason: reason) }
    static func both(_ expected: String, _ reason: String) -> Self {
        Self(coders: [.json, .propertyList], expected: expected, reason: reason)
    }
}

/// One use of an encoder.
struct EncoderUse: CustomTestStringConvertible, @unchecked Sendable {
    let name: String
    let difference: StayingDifference?
    /// Coders that end the process.
    let traps: Set<ComparedCoder>
    let body: (any Encoder) throws -> Void

    init(
        _ name: String, differs difference: StayingDifference? = nil, traps: Set<ComparedCoder> = [],
        _ body: @escaping (any Encoder) throws -> Void
    ) {
        self.name = name
        self.difference = difference
        self.traps = traps
        self.body = body
    }

    /// The value that comes back, or the kind of error.
    func outcome(_ coder: ComparedCoder) -> String {
        do {
            return try coder.decode([DecodedTree].self, from: coder.data(body))[0].text
        } catch {
            return "\(CodingFailure(error).kind)"
        }
    }

    var testDescription: String { name }
}

/// One use of a decoder.
struct DecoderUse: CustomTestStringConvertible, @unchecked Sendable {
    let name: String
    let difference: StayingDifference?
    let source: (any Encoder) throws -> Void
    let body: (any Decoder) throws -> Any?

    init(
        _ name: String, differs difference: StayingDifference? = nil, of source: some Encodable & Sendable,
        _ body: @escaping (any Decoder) throws -> Any?
    ) {
        self.name = name
        self.difference = difference
        self.source = { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(source)
        }
        self.body = body
    }

    /// What the use gives, or the kind of error.
    func outcome(_ coder: ComparedCoder) -> String {
        do {
            let data = try coder.data(source)
            return try DecodingUse.$use.withValue(self) { try coder.decode([DecodingUse].self, from: data)[0].text }
        } catch {
            return "\(CodingFailure(error).kind)"
        }
    }

    var testDescription: String { name }
}

/// What a use of a decoder makes of the value.
private struct DecodingUse: Decodable {
    @TaskLocal static var use: DecoderUse?

    let text: String

    init(from decoder: any Decoder) throws {
        text = try Self.use?.body(decoder).map { "\($0)" } ?? "nil"
    }
}

extension AnyKey {
    static let a: AnyKey = "a"
    static let b: AnyKey = "b"
    static let c: AnyKey = "c"
    static let k: AnyKey = "k"
}
