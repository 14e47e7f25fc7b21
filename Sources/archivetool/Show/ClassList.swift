// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

/// The classes of a file, with the numbers of their objects.
struct ClassList {
    private struct Entry {
        let number: Int
        let name: String
        let version: Int
        let superclasses: [String]
        let count: Int
        var fallbacks: [String] = []
    }

    private var entries: [Entry] = []

    /// - Throws: `ToolError` if `input` is a property list that is no archive.
    init(_ input: Input) throws {
        switch input.content {
        case .archive(let archive): add(archive)
        case .typedStream(let stream): add(stream)
        case .propertyList: _ = try input.archive(for: "show --classes")
        }
    }

    private mutating func add(_ archive: KeyedArchive) {
        var counts: [UInt32: Int] = [:]
        for object in archive.objects {
            if let uid = object.classUID { counts[uid, default: 0] += 1 }
        }
        entries = archive.classes.map { described in
            // The chain begins with the class itself, unless the archive has it under another name.
            let superclasses =
                described.chain.first == described.name ? described.chain.dropFirst() : described.chain[...]
            return Entry(
                number: Int(described.uid), name: described.name, version: described.versions.first ?? 0,
                superclasses: Array(superclasses), count: counts[described.uid] ?? 0, fallbacks: described.fallbacks)
        }
    }

    private mutating func add(_ stream: TypedStream) {
        var counts: [Int: Int] = [:]
        for object in stream.objects { counts[object.classIndex, default: 0] += 1 }
        entries = stream.classes.enumerated().map { index, described in
            let chain = stream.classChain(of: TypedStream.Object(classIndex: index)).dropFirst()
            return Entry(
                number: index, name: described.name, version: described.version, superclasses: chain.map(\.name),
                count: counts[index] ?? 0)
        }
    }

    // MARK: - Reports

    /// Names of a chain that are shown.
    private static let nameLimit = 32

    func write(to output: Output) {
        if entries.isEmpty { output.write("no classes\n", .heading) }
        for entry in entries {
            output.write("#\(entry.number)", .uid)
            output.write(" ")
            output.write(VisibleText.name(entry.name), .className)
            if entry.version != 0 { output.write(" version \(entry.version)") }
            output.write(list(entry.superclasses, first: " > ", separator: " > "))
            if !entry.fallbacks.isEmpty {
                output.write(list(entry.fallbacks, first: " (or else ", separator: ", ") + ")")
            }
            output.write(", \(counted(entry.count, "object"))\n")
        }
    }

    private func list(_ names: [String], first: String, separator: String) -> String {
        guard !names.isEmpty else { return "" }
        let shown =
            names.prefix(Self.nameLimit).map { VisibleText.name($0) } + (names.count > Self.nameLimit ? ["…"] : [])
        return first + shown.joined(separator: separator)
    }

    /// Writes an object for each class, with as many superclasses as the text has.
    func writeJSON(to output: Output) {
        let list = entries.map { entry in
            func names(_ names: [String]) -> PropertyList { .array(names.prefix(Self.nameLimit).map { .string($0) }) }
            return PropertyList.fields([
                ("uid", .count(entry.number)), ("class", .string(entry.name)), ("version", .count(entry.version)),
                ("superclasses", names(entry.superclasses)),
                ("fallbacks", entry.fallbacks.isEmpty ? nil : names(entry.fallbacks)), ("objects", .count(entry.count)),
            ])
        }
        var writer = JSONWriter(to: output)
        writer.write(.array(list), inline: { $0.dictionary != nil })
    }
}
