// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import Testing

/// The place at which values are encoded by key: the top of an archive, or an object under "root" there.
package enum KeyedPlace: CaseIterable, Sendable {
    case top, object

    /// The archive of what `body` encodes there.
    package func archive(
        format: PropertyListFormat = .binary, _ body: @escaping (KeyedArchiver) throws -> Void
    ) throws -> Data {
        let archiver = KeyedArchiver()
        archiver.outputFormat = format
        switch self {
        case .top: try body(archiver)
        case .object: try archiver.encode(Scribe(body), forKey: "root")
        }
        return try archiver.finishEncoding()
    }

    /// Calls `body` to decode the values there in the archive `data`.
    package func read(_ data: Data, _ body: @escaping (KeyedUnarchiver) throws -> Void) throws {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        switch self {
        case .top: try body(unarchiver)
        case .object:
            unarchiver.userInfo[ScribeReader.key] = ScribeReader(body: body)
            _ = try unarchiver.decode(Scribe.self, forKey: "root")
        }
    }

    /// The values there, without the class.
    package func entries(in archive: InspectedArchive) throws -> PropertyList.Dictionary {
        let place = self == .top ? archive.list["$top"] : archive.follow(archive.root)
        guard case .dictionary(var entries)? = place else { throw InspectedArchive.NoArchive() }
        if self == .object { entries["$class"] = nil }
        return entries
    }

    /// The path to the value under `key` there.
    package func path(_ key: String) -> String { self == .top ? key : "root." + key }
}

/// An object that encodes itself with a closure, and decodes itself with one in the unarchiver's `userInfo`.
package final class Scribe: Coding {
    private let body: (KeyedArchiver) throws -> Void

    package init(_ body: @escaping (KeyedArchiver) throws -> Void) { self.body = body }

    package init(coder: KeyedUnarchiver) throws {
        body = { _ in }
        try (coder.userInfo[ScribeReader.key] as? ScribeReader)?.body(coder)
    }

    package func encode(with coder: KeyedArchiver) throws { try body(coder) }
}

/// How a `Scribe` decodes itself. It stays on the thread that made it.
package struct ScribeReader: @unchecked Sendable {
    package static let key = CodingUserInfoKey.named("scribe")

    package let body: (KeyedUnarchiver) throws -> Void

    package init(body: @escaping (KeyedUnarchiver) throws -> Void) { self.body = body }
}

// MARK: - With and without a key

extension KeyedArchiver {
    /// Encodes `value` under `key`, or as the next value if that is nil.
    package func encode(_ value: some ArchivableLeaf, at key: String?) {
        if let key { encode(value, forKey: key) } else { encodeNext(value) }
    }

    /// Encodes `value` under `key`, or as the next value if that is nil.
    package func encode(_ value: some ArchivableValue, at key: String?) throws {
        if let key { try encode(value, forKey: key) } else { try encodeNext(value) }
    }
}

extension KeyedUnarchiver {
    /// Decodes the value under `key`, or the next one if that is nil.
    package func decodeIfPresent<Value: ArchivableValue>(_ type: Value.Type, at key: String?) throws -> Value? {
        if let key { try decodeIfPresent(type, forKey: key) } else { try decodeNextIfPresent(type) }
    }
}

// MARK: - Errors

/// The parts of an `ArchivingError` that tests ask about; of another error, the name of its type.
package struct KeyedFailure: CustomStringConvertible {
    package var code: String
    /// The coding path, `animals[3].name`.
    package var path = ""
    package var text: String

    package init(_ error: any Error) {
        switch error {
        case let error as ArchivingError:
            self.init(code: error.code.description, path: error.codingPath.text, text: error.debugDescription)
        default: self.init(code: "\(type(of: error))", text: "\(error)")
        }
    }

    private init(code: String, path: String = "", text: String) {
        self.code = code
        self.path = path
        self.text = text
    }

    /// Whether the description has all of `parts`.
    package func says(_ parts: String...) -> Bool { parts.allSatisfy { text.contains($0) } }

    package var description: String { "\(code) at \"\(path)\": \(text)" }
}

/// The error that `body` throws; an issue is recorded where it throws none.
package func keyedFailure(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
) throws -> KeyedFailure {
    do {
        let result = try body()
        throw NoKeyedFailure(result: "\(result)".prefix(200).description)
    } catch let error as NoKeyedFailure {
        Issue.record("No error, but \(error.result)", sourceLocation: sourceLocation)
        throw error
    } catch {
        return KeyedFailure(error)
    }
}

private struct NoKeyedFailure: Error {
    let result: String
}

/// An unarchiver for the archive of what `body` encodes at the top.
package func unarchiver(
    limits: DecodingLimits = DecodingLimits(), of body: (KeyedArchiver) throws -> Void
) throws -> KeyedUnarchiver {
    let archiver = KeyedArchiver()
    try body(archiver)
    return try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding(), limits: limits)
}
