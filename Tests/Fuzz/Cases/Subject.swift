// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A type as which the root of an archive is decoded, in all ways there are.
struct Subject: Sendable {
    /// The name of the type, under which its objects are in the archive.
    let name: String
    /// What every reader makes of the root, by the name of the reader.
    let readings: @Sendable (Data) -> [(name: String, outcome: Outcome)]
    /// What the first of the readers makes of it.
    let reading: @Sendable (Data) -> Outcome
    /// What is wrong with a value after it was encoded and decoded; nil where nothing is.
    let again: @Sendable (Data) -> String?

    /// The types that the root of `archive` is decoded as: the one that its class is, or a list of others.
    static func subjects(of archive: KeyedArchive) -> [Subject] {
        guard let name = archive.top["root"]?.className else { return [text] }
        if let known = all.first(where: { $0.name == name || $0.otherNames.contains(name) }) { return [known] }
        switch name {
        case "NSArray", "NSMutableArray": return [figures, ancestors, nodes]
        default: return [all[archive.objects.count % all.count]]
        }
    }

    private var otherNames: [String] {
        switch name {
        case "Node": ["Branch", "Knot", "Twig"]
        case "Folder": ["Disk", "Directory"]
        default: []
        }
    }

    private static let all = [
        codable("Specimen", Specimen.self), codable("Scalars", Scalars.self), codable("Leaves", Leaves.self),
        codable("Collections", Collections.self), codable("Almanac", Almanac.self), codable("Ledger", Ledger.self),
        codable("Graph", Graph.self),
        codable("Node", Node.self), object("Folder", Folder.self), object("Record", Record.self),
        object("Cabinet", Cabinet.self),
    ]

    private static let figures = codable("list of figures", [Figure].self)
    private static let ancestors = codable("list of ancestors", [Ancestor].self)
    private static let nodes = codable("list of nodes", [Node].self)
    private static let text = codable("text", String.self)

    // MARK: - Reading

    private static func codable<Value: Codable & SendableMetatype>(_ name: String, _ type: Value.Type) -> Subject {
        subject(
            name,
            [
                Reader("ArchiveDecoder") { try Agreement.decoder.decode(type, from: $0) },
                Reader("KeyedUnarchiver") {
                    try KeyedUnarchiver.unarchivedObject(of: type, from: $0, classes: Registries.standard)
                },
                Reader("KeyedArchive") { try root(of: $0).decode(type, using: Agreement.decoder) },
            ],
            encode: { try Agreement.encoder.encode($0) })
    }

    private static func object<Object: Coding>(_ name: String, _ type: Object.Type) -> Subject {
        subject(
            name,
            [
                Reader("KeyedUnarchiver") {
                    try KeyedUnarchiver.unarchivedObject(of: type, from: $0, classes: Registries.standard)
                },
                Reader("ArchiveDecoder") {
                    try Agreement.decoder.decode(Coded<Object>.self, from: $0).wrappedValue
                },
                Reader("KeyedArchive") { try root(of: $0).decode(type, using: Agreement.decoder) },
            ],
            encode: { object in try Seeds.archive { try $0.encode(object, forKey: "root") } })
    }

    private static func root(of data: Data) throws -> KeyedArchive.Value {
        let archive = try KeyedArchive(data)
        guard let root = archive.top["root"] else { throw Absent() }
        return root
    }

    private struct Absent: Error {}

    /// A way to decode the root of an archive.
    private struct Reader<Value>: Sendable {
        let name: String
        let read: @Sendable (Data) throws -> Value

        init(_ name: String, _ read: @escaping @Sendable (Data) throws -> Value) {
            self.name = name
            self.read = read
        }
    }

    private static func subject<Value>(
        _ name: String, _ readers: [Reader<Value>],
        encode: @escaping @Sendable (Value) throws -> Data
    ) -> Subject {
        let first = readers[0].read
        return Subject(
            name: name,
            readings: { data in
                readers.map { reader in (reader.name, outcome { digest(try encode(reader.read(data))) }) }
            },
            reading: { data in outcome { digest(try encode(first(data))) } },
            again: { data in
                guard let value = try? first(data) else { return nil }
                return difference(value, first, encode)
            })
    }

    private static func digest(_ data: Data) -> UInt64 {
        var digest = Digest()
        data.withUnsafeBytes { digest.combine($0) }
        return digest.value
    }

    // MARK: - Writing and reading again

    /// What is wrong with `value` after it was encoded and decoded.
    private static func difference<Value>(
        _ value: Value, _ read: (Data) throws -> Value, _ encode: (Value) throws -> Data
    ) -> String? {
        let archived: Data
        do {
            archived = try encode(value)
        } catch {
            return Outcome.Failure(error) == .limit ? nil : "was decoded, and cannot be encoded: \(error)"
        }
        do {
            let again = try read(archived)
            guard try encode(again) == archived else { return "is encoded otherwise after it was decoded again" }
            guard areEqual(value, again) || "\(value)".contains("nan") else {
                return "is not equal to itself after it was encoded and decoded"
            }
            return nil
        } catch {
            return Outcome.Failure(error) == .limit ? nil : "was encoded, and cannot be decoded: \(error)"
        }
    }

    /// Whether both are equal, as far as they can be compared.
    private static func areEqual<Value>(_ value: Value, _ other: Value) -> Bool {
        switch (value, other) {
        case (let value as any Equatable, _): areEqual(value, other)
        case (let value as Graph, let other as Graph):
            EntryPoints.signature(value) == EntryPoints.signature(other)
        case (let value as Node, let other as Node): EntryPoints.signature(value) == EntryPoints.signature(other)
        default: true
        }
    }

    private static func areEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool {
        guard let other = other as? Value else { return false }
        return value == other
    }
}
