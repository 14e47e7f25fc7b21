// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A way into the library for bytes from outside.
public struct EntryPoint: Sendable {
    /// The name, which no other entry point has.
    public let name: String
    private let body: @Sendable (Data) throws -> UInt64

    init(_ name: String, _ body: @escaping @Sendable (Data) throws -> UInt64) {
        self.name = name
        self.body = body
    }

    /// Reads `data`, and says what came of it. Nothing is thrown.
    public func run(_ data: Data) -> Outcome {
        let before = Forbidden.count
        let result = outcome { try body(data) }
        guard Forbidden.count == before else {
            return .violation("\(name): a type was made that is neither registered nor asked for")
        }
        guard result != .failure(.other) else { return .violation("\(name): an error that the library does not throw") }
        return result
    }
}

/// All ways into the library.
public enum EntryPoints {
    /// All of them.
    public static let all = inMemory + documents

    /// Those that write no files.
    public static let inMemory: [EntryPoint] =
        propertyLists + looking + decoders + graphs + unarchivers + unknownObjects + editors + deferred + failures
        + fields + queries + typedStreams + sequential

    /// The entry point of that name; nil where there is none.
    public static func named(_ name: String) -> EntryPoint? { all.first { $0.name == name } }
}

// MARK: - Property lists

extension EntryPoints {
    static let propertyLists = [
        EntryPoint("property list, binary again") { data in
            let list = try PropertyList(data)
            let binary = try list.data(format: .binary)
            guard try PropertyList(binary) == list else {
                throw Violation("A property list that was written in the binary format reads as another one")
            }
            return UInt64(binary.count)
        },
        EntryPoint("property list, XML again") { data in
            let list = try PropertyList(data)
            let xml = try list.data(format: .xml)
            let again = try PropertyList(xml)
            guard try again.data(format: .xml) == xml else {
                throw Violation("A property list that was written as XML is written otherwise after it was read")
            }
            return UInt64(xml.count)
        },
        EntryPoint("property list, XML with replaced characters") { data in
            let (list, count) = try PropertyList(data).replacingCharactersUnrepresentableInXML()
            let xml = try list.data(format: .xml)
            guard try PropertyList(xml).replacingCharactersUnrepresentableInXML().count == 0 else {
                throw Violation("A character that XML does not have was not replaced")
            }
            return UInt64(xml.count + count)
        },
        EntryPoint("property list, description") { data in
            UInt64(try PropertyList(data).description.utf8.count)
        },
    ]
}

// MARK: - Looking

extension EntryPoints {
    static let looking = [
        EntryPoint("archive, all values") { data in
            var reading = ArchiveReading(try KeyedArchive(data))
            return try reading.run()
        },
        EntryPoint("archive, dump") { data in
            var digest = Digest()
            let archive = try KeyedArchive(data)
            digest.combine(archive.description)
            digest.combine(archive.tree)
            return digest.value
        },
        EntryPoint("archive, dump with options") { data in
            let archive = try KeyedArchive(data)
            var text = ""
            archive.dump(
                to: &text,
                options: KeyedArchive.DumpOptions(byteLimit: 3, depthLimit: 4, indentationLimit: 2, listsClasses: true))
            archive.root.dump(to: &text)
            return UInt64(text.utf8.count)
        },
        EntryPoint("archive, validate") { data in
            let archive = try KeyedArchive(data)
            let problems = archive.problems(limit: 10)
            do {
                try archive.validate()
                guard problems.isEmpty else { throw Violation("validate() passes, and there is: \(problems[0])") }
            } catch let error as KeyedArchiveError {
                guard problems.first == error else { throw Violation("validate() throws another error: \(error)") }
                throw error
            }
            return UInt64(archive.objects.count)
        },
        EntryPoint("archive, references") { data in
            let archive = try KeyedArchive(data)
            let references = try archive.references()
            var digest = Digest()
            for object in archive.objects.prefix(20) {
                guard references.owners(of: object).count <= references.count(of: object) else {
                    throw Violation("A value has more owners than references")
                }
                digest.combine(references.count(of: object))
            }
            digest.combine(archive.root.reachableObjects.count)
            digest.combine(archive.root.reachableByteCount)
            digest.combine(archive.unreachableObjects.count)
            return digest.value
        },
        EntryPoint("archive, paths") { data in
            let archive = try KeyedArchive(data)
            var digest = Digest()
            for object in archive.objects.suffix(8) {
                guard let path = archive.path(to: object) else { continue }
                digest.combine(path.description)
                guard archive[path] == object else { throw Violation("The path \(path) does not lead to its value") }
            }
            return digest.value
        },
        EntryPoint("archive, property list") { data in
            let archive = try KeyedArchive(data)
            let list = try archive.propertyList()
            guard try PropertyList(data) == list else {
                throw Violation("The property list of an archive is another one than that of its bytes")
            }
            let again = try KeyedArchive(list)
            guard again.objects.count == archive.objects.count else {
                throw Violation("The archive of a property list has \(again.objects.count) objects")
            }
            return UInt64((try? archive.data(format: .xml).count) ?? 0)
        },
        EntryPoint("archive, parts") { data in
            let archive = try KeyedArchive(data)
            var digest = Digest()
            var decoder = ArchiveDecoder()
            decoder.classes = Registries.standard
            for value in archive.objects.prefix(20) {
                digest.combine((try? value.decode(String.self, using: decoder)) ?? "")
                digest.combine(try? value.decode(Double.self, using: decoder))
                digest.combine((try? value.decode(Corner.self, using: decoder).y) ?? 0)
                digest.combine((try? value.decode(Node.self, using: decoder).name) ?? "")
                digest.combine((try? value.decode(Folder.self, using: decoder).name) ?? "")
            }
            return digest.value
        },
    ]
}
