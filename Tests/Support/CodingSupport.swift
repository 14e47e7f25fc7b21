// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Testing

/// What comes back of `value` through an archive.
package func roundTrip<Value: Codable>(_ value: Value, format: PropertyListFormat = .binary) throws -> Value {
    var encoder = ArchiveEncoder()
    encoder.outputFormat = format
    return try ArchiveDecoder().decode(Value.self, from: encoder.encode(value))
}

/// The archive of `value`, decoded as another type.
package func transcode<Value: Decodable>(
    _ value: some Encodable, as type: Value.Type, format: PropertyListFormat = .binary
) throws -> Value {
    var encoder = ArchiveEncoder()
    encoder.outputFormat = format
    return try ArchiveDecoder().decode(type, from: encoder.encode(value))
}

/// An archive made by hand.
///
/// - Parameter objects: The slots from uid 1 on.
package func handmadeArchive(
    top: PropertyList = ["root": .uid(1)], _ objects: PropertyList..., format: PropertyListFormat = .binary
) throws -> Data {
    try handmadeArchive(top: top, objects: objects, format: format)
}

package func handmadeArchive(
    top: PropertyList = ["root": .uid(1)], objects: [PropertyList], format: PropertyListFormat = .binary
) throws -> Data {
    let list: PropertyList = [
        "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": top, "$objects": .array(["$null"] + objects),
    ]
    return try list.data(format: format)
}

extension CodingUserInfoKey {
    /// The key `name`.
    package static func named(_ name: String) -> CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: name) else { preconditionFailure("\(name) is no key") }
        return key
    }
}

// MARK: - Errors

/// The parts of a `DecodingError` or an `EncodingError` that tests ask about.
package struct CodingFailure: CustomStringConvertible {
    package enum Kind {
        case typeMismatch, valueNotFound, keyNotFound, dataCorrupted, invalidValue, other
    }

    package var kind: Kind
    /// The coding path, `animals[3].name`.
    package var path: String
    /// What the error says, with the library's underlying error.
    package var text: String
    /// The requested type, of a mismatch or a missing value.
    package var type: (any Any.Type)?
    /// The key that was not found.
    package var key: String?

    package init(_ error: any Error) {
        switch error {
        case DecodingError.typeMismatch(let type, let context): self.init(.typeMismatch, context, type)
        case DecodingError.valueNotFound(let type, let context): self.init(.valueNotFound, context, type)
        case DecodingError.keyNotFound(let key, let context):
            self.init(.keyNotFound, context, key: key.stringValue)
        case DecodingError.dataCorrupted(let context): self.init(.dataCorrupted, context)
        case EncodingError.invalidValue(_, let context):
            self.init(
                kind: .invalidValue, path: context.codingPath.text,
                text: Self.text(context.debugDescription, context.underlyingError))
        default:
            self.init(kind: .other, path: "", text: "\(error)")
        }
    }

    private init(
        _ kind: Kind, _ context: DecodingError.Context, _ type: (any Any.Type)? = nil, key: String? = nil
    ) {
        self.init(
            kind: kind, path: context.codingPath.text,
            text: Self.text(context.debugDescription, context.underlyingError), type: type, key: key)
    }

    private static func text(_ description: String, _ underlying: (any Error)?) -> String {
        underlying.map { "\(description): \($0)" } ?? description
    }

    private init(kind: Kind, path: String, text: String, type: (any Any.Type)? = nil, key: String? = nil) {
        self.kind = kind
        self.path = path
        self.text = text
        self.type = type
        self.key = key
    }

    /// Whether the description has all of `parts`.
    package func says(_ parts: String...) -> Bool { parts.allSatisfy { text.contains($0) } }

    package var description: String { "\(kind) at \"\(path)\": \(text)" }
}

extension [any CodingKey] {
    /// `animals[3].name`; an empty key as `""`.
    package var text: String {
        var text = ""
        for key in self {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + (key.stringValue.isEmpty ? "\"\"" : key.stringValue)
            }
        }
        return text
    }
}

/// The error that `body` throws; an issue is recorded where it throws none.
package func failure(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
) throws -> CodingFailure {
    do {
        let result = try body()
        throw NoFailure(result: "\(result)".prefix(200).description)
    } catch let error as NoFailure {
        Issue.record("No error, but \(error.result)", sourceLocation: sourceLocation)
        throw error
    } catch {
        return CodingFailure(error)
    }
}

/// The error of decoding `type` from `data`.
package func failure<Value: Decodable>(
    decoding type: Value.Type, from data: Data, sourceLocation: SourceLocation = #_sourceLocation
) throws -> CodingFailure {
    try failure(sourceLocation: sourceLocation) { try ArchiveDecoder().decode(type, from: data) }
}

/// The error of decoding `type` from the archive of `value`.
package func failure<Value: Decodable>(
    decoding type: Value.Type, fromArchiveOf value: some Encodable, sourceLocation: SourceLocation = #_sourceLocation
) throws -> CodingFailure {
    let data = try ArchiveEncoder().encode(value)
    return try failure(decoding: type, from: data, sourceLocation: sourceLocation)
}

private struct NoFailure: Error {
    let result: String
}

// MARK: - Threads

/// What `body` gives on a thread of its own whose stack has `stackSize` bytes.
package func onThread<Result: Sendable>(stackSize: Int, _ body: @escaping @Sendable () throws -> Result) throws
    -> Result
{
    let call = ThreadCall(body)
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        call.make()
        done.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    done.wait()
    return try #require(call.result).get()
}

/// Made by one thread; then, after a semaphore, its result is read by the other.
///
/// The thread lets go of the function before it says that it is done: what the function refers to may need more stack to be
/// destroyed than the thread has.
private final class ThreadCall<Result: Sendable>: @unchecked Sendable {
    private var body: (@Sendable () throws -> Result)?
    private(set) var result: Swift.Result<Result, any Error>?

    init(_ body: @escaping @Sendable () throws -> Result) { self.body = body }

    func make() {
        guard let body = body.take() else { return }
        result = Swift.Result { try body() }
    }
}

// MARK: - Keys

/// A key of any name.
package struct AnyKey: CodingKey, ExpressibleByStringLiteral, Hashable {
    package var stringValue: String
    package var intValue: Int? { nil }

    package init(_ name: String) { stringValue = name }
    package init(stringValue: String) { self.stringValue = stringValue }
    package init(stringLiteral value: String) { stringValue = value }
    package init?(intValue: Int) { nil }
}

/// A value that encodes itself with a closure.
package struct Encoding: Encodable {
    package let body: (any Encoder) throws -> Void

    package init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }

    package func encode(to encoder: any Encoder) throws { try body(encoder) }
}

/// What `body` gives for the decoder of the root of `data`.
package func decoding<Result>(_ data: Data, _ body: @escaping (any Decoder) throws -> Result) throws -> Result {
    try ArchiveDecoder().decode(DecodedByClosure<Result>.self, from: data, configuration: body).result
}

/// What `body` gives for the decoder of the archive of `value`.
package func decoding<Result>(
    archiveOf value: some Encodable, _ body: @escaping (any Decoder) throws -> Result
) throws -> Result {
    try decoding(ArchiveEncoder().encode(value), body)
}

private struct DecodedByClosure<Result>: DecodableWithConfiguration {
    let result: Result

    init(from decoder: any Decoder, configuration: (any Decoder) throws -> Result) throws {
        result = try configuration(decoder)
    }
}

// MARK: - Numbers

/// All of the standard library.
package let integerTypes: [any (FixedWidthInteger & ArchivableLeaf & Codable & Sendable).Type] = [
    Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self, UInt16.self,
    UInt32.self, UInt64.self, UInt128.self,
]

// MARK: - Many types

/// A type for every number: `Level<Level<Level<Never>>>` for 3.
package struct Level<Below>: Codable {
    package var value: Int

    /// Takes this type and those that are built on it through an archive, and gives the sum of the values.
    package static func roundTrips(_ count: Int) throws -> Int {
        let again = try roundTrip([Level(value: count), Level(value: 0)])[0].value
        return count == 0 ? again : again + (try Level<Level>.roundTrips(count - 1))
    }
}

// MARK: - Programs that stop

extension ExitTest.Result? {
    /// Whether the program said `text` before it stopped.
    package func said(_ text: String) -> Bool {
        String(decoding: self?.standardErrorContent ?? [], as: UTF8.self).contains(text)
    }
}
