// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import SequentialArchiving

/// Writes a line for each class in a file.
struct ClassList {
    let output: Output

    /// - Throws: `ToolError` if `input` is a property list that is no archive.
    func write(_ input: Input) throws {
        switch input.content {
        case .archive(let archive):
            write(archive)
            if archive.classes.isEmpty { output.write("no classes\n", .heading) }
        case .typedStream(let stream):
            write(stream)
            if stream.classes.isEmpty { output.write("no classes\n", .heading) }
        case .propertyList: _ = try input.archive(for: "show --classes")
        }
    }

    private func write(_ archive: KeyedArchive) {
        var counts: [UInt32: Int] = [:]
        for object in archive.objects {
            if let uid = object.classUID { counts[uid, default: 0] += 1 }
        }
        for described in archive.classes {
            // The chain begins with the class itself, unless the archive has it under another name.
            let superclasses =
                described.chain.first == described.name ? described.chain.dropFirst() : described.chain[...]
            writeLine(
                "#\(described.uid)", described.name, version: described.versions.first ?? 0, Array(superclasses),
                count: counts[described.uid] ?? 0, fallbacks: described.fallbacks)
        }
    }

    private func write(_ stream: TypedStream) {
        var counts: [Int: Int] = [:]
        for object in stream.objects { counts[object.classIndex, default: 0] += 1 }
        for (index, described) in stream.classes.enumerated() {
            let chain = stream.classChain(of: TypedStream.Object(classIndex: index)).dropFirst()
            writeLine(
                "#\(index)", described.name, version: described.version, chain.map(\.name), count: counts[index] ?? 0,
                fallbacks: [])
        }
    }

    /// Names of a chain that are shown.
    private static let nameLimit = 32

    private func writeLine(
        _ label: String, _ name: String, version: Int, _ superclasses: [String], count: Int, fallbacks: [String]
    ) {
        output.write(label, .uid)
        output.write(" ")
        output.write(VisibleText.name(name), .className)
        if version != 0 { output.write(" version \(version)") }
        output.write(list(superclasses, first: " > ", separator: " > "))
        if !fallbacks.isEmpty { output.write(list(fallbacks, first: " (or else ", separator: ", ") + ")") }
        output.write(", \(counted(count, "object"))\n")
    }

    private func list(_ names: [String], first: String, separator: String) -> String {
        guard !names.isEmpty else { return "" }
        let shown =
            names.prefix(Self.nameLimit).map { VisibleText.name($0) } + (names.count > Self.nameLimit ? ["…"] : [])
        return first + shown.joined(separator: separator)
    }
}
