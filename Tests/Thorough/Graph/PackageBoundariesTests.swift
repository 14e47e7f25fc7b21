// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What the sources of the libraries may use, read from the sources themselves.
@Suite(.inTurn) struct `The libraries' sources` {
    /// The paths and the lines, without comments, of every source file.
    private static func files() throws -> [(name: String, lines: [Substring])] {
        try Repository.libraries().flatMap { library in
            try Repository.files(withExtension: "swift", in: "Sources/\(library)").map { name in
                let lines = try Repository.text(of: name).split(separator: "\n")
                return (name, lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") })
            }
        }
    }

    private static func modules(_ lines: [Substring]) -> [String] {
        lines.compactMap { line in
            let words = line.split(separator: " ")
            guard let position = words.firstIndex(of: "import"), position + 1 < words.count else { return nil }
            // `import struct Module.Name`.
            let kinds: Set = ["struct", "class", "enum", "protocol", "func", "typealias", "let", "var"]
            if kinds.contains(String(words[position + 1])), position + 2 < words.count {
                return words[position + 2].split(separator: ".").first.map(String.init)
            }
            return words[..<position].allSatisfy { $0.hasPrefix("@") || $0 == "public" || $0 == "internal" }
                ? String(words[position + 1]) : nil
        }
    }

    @Test func `import FoundationEssentials where it exists, and nothing that must be installed`() throws {
        let files = try Self.files()
        #expect(files.count > 30)
        let allowed: Set = [
            "FoundationEssentials", "Foundation", "Synchronization", "Combine", "Glibc", "Musl", "Darwin", "Android",
        ]
        for (name, lines) in files {
            let modules = Self.modules(lines)
            // The libraries beside Archiving depend on it. Two of them use texts with attributes, and the text of trees.
            var others = name.hasPrefix("Sources/Archiving/") ? [] : ["Archiving"]
            let usesTexts = ["ArchiveInspection", "SequentialArchiving"].contains { name.hasPrefix("Sources/\($0)/") }
            if usesTexts { others += ["AttributedTexts", "TreeOutput"] }
            if name.hasPrefix("Sources/ArchiveDocuments/") { others.append("Observation") }
            #expect(Set(modules).isSubset(of: allowed.union(others)), "\(name) imports \(modules)")
            #expect(modules.contains("Foundation") == modules.contains("FoundationEssentials"), "\(name)")
            for module in ["Combine", "FoundationEssentials", "Glibc"] where modules.contains(module) {
                #expect(lines.contains { $0.contains("canImport(\(module))") }, "\(name)")
            }
        }
    }

    @Test func `call the C library in Platform, and nowhere else`() throws {
        let systems: Set = ["Glibc", "Musl", "Android", "Darwin"]
        let files = try Self.files().filter { !systems.isDisjoint(with: Self.modules($0.lines)) }
        let names: [Substring] = files.compactMap { $0.name.split(separator: "/").last }
        #expect(names.sorted() == ["Platform+Files.swift", "Platform.swift"])
    }

    @Test func `have no forced try, cast or fatalError that bad bytes could reach`() throws {
        // Misuse of the interface ends the program, in one place.
        for (name, lines) in try Self.files() where !name.hasSuffix("/Misuse.swift") {
            for line in lines {
                for word in ["try!", " as! ", "fatalError("] where line.contains(word) {
                    Issue.record("\(name): \(line)")
                }
            }
        }
    }

    @Test func `are in a package without dependencies`() throws {
        let manifest = try Repository.text(of: "Package.swift")
        #expect(manifest.contains("name: \"Archiving\""))
        #expect(!manifest.contains(".package("))
    }
}
