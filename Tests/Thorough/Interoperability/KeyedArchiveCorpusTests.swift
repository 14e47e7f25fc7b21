// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Every archive of Apple's programs, object by object, against what Python's plistlib found in it.
@Suite(.inTurn, .needs(.corpus))
struct `Archives by Apple's frameworks, looked into` {
    /// A row of the manifest.
    struct File: CustomTestStringConvertible, Sendable {
        let name: String
        let kind: String
        let origin: String
        let isParsed: Bool

        var testDescription: String { name }
        var isKeyed: Bool { kind.hasPrefix("keyed") }

        func data() throws -> Data { try Corpus.data(name) }
        func golden() throws -> GoldenDump { try #require(try GoldenDump(of: name)) }
    }

    static let files: [File] = {
        guard let manifest = Corpus.folder?.appending(path: "manifest.tsv"),
            let text = try? String(contentsOf: manifest, encoding: .utf8)
        else { return [] }
        let rows = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let places = Dictionary(uniqueKeysWithValues: (rows.first ?? []).enumerated().map { (String($1), $0) })
        func field(_ row: [Substring], _ name: String) -> String {
            places[name].map { $0 < row.count ? String(row[$0]) : "" } ?? ""
        }
        return rows.dropFirst().map { row in
            File(
                name: field(row, "file"), kind: field(row, "kind"), origin: field(row, "origin"),
                isParsed: field(row, "plistlib_parses") == "yes")
        }
    }()

    /// Archives with a defect by which their root is none, by the beginnings of their names: the version is another one,
    /// `$objects` or `$top` are missing or are something else.
    private static let refused = [
        "c2c4baef0a", "f70b6bbc37", "9a8dfb679d", "2ff8b38bd2", "914cbbe3d5",
    ]

    /// Archives with a defect inside, and the uid that is said with it.
    private static let damaged: [String: UInt32] = [
        // Objects whose class is `true`, or has no name, or is text; a root that is out of range.
        "01f31e52d6": 1, "97ec5ca71f": 1, "2e516bf67b": 1, "555c60f7f8": 1, "ba2fd93522": 5, "a8ff5db113": 10,
        // A class whose chain is no array.
        "cb8ffc5d55": 2,
    ]

    private static func isRefused(_ file: File) -> Bool { refused.contains { file.name.hasPrefix($0) } }

    /// Those that can be opened.
    static let archives = files.filter { $0.isKeyed && !isRefused($0) }

    @Test func `are all there`() {
        #expect(Self.files.count == 229 && Self.archives.count > 140)
        #expect(Self.files.map(\.name).sorted() == Corpus.names)
    }
}

// MARK: - Object by object

extension `Archives by Apple's frameworks, looked into` {
    @Test(arguments: archives)
    func `hold what plistlib finds in them`(file: File) throws {
        let golden = try file.golden()
        let data = try file.data()
        let archive = try KeyedArchive(data)
        #expect(archive.format == (file.kind == "keyed-xml" ? .xml : .binary))
        try GoldenComparison(archive, golden, at: file.name).compare()
        #expect(try archive.format == .xml || archive.data(format: .binary) == data)
    }

    @Test(arguments: Extent.cases(of: archives, every: 3))
    func `hold the same after they were written in the other format, and back`(file: File) throws {
        let golden = try file.golden()
        let archive = try KeyedArchive(file.data())
        // Nibs have keyboard shortcuts such as U+001B, which XML does not have.
        guard try PropertyList(archive.data()).replacingCharactersUnrepresentableInXML().count == 0 else {
            let error = #expect(throws: PropertyListError.self) { try archive.data(format: .xml) }
            #expect(error?.code == .unrepresentableInXML && error?.character == "\u{1B}")
            return
        }
        let xml = try KeyedArchive(archive.data(format: .xml))
        #expect(xml.format == .xml)
        try GoldenComparison(xml, golden, at: file.name + " as XML", wasXML: true).compare()
        let binary = try KeyedArchive(xml.data(format: .binary))
        #expect(binary.format == .binary)
        try GoldenComparison(binary, golden, at: file.name + " as binary", wasXML: true).compare()
        let list = try PropertyList(archive.data(format: .binary))
        try GoldenComparison(KeyedArchive(list.data()), golden, at: file.name + " by way of a list").compare()
    }

    @Test(arguments: archives)
    func `can be walked through, and know who refers to whom`(file: File) throws {
        let archive = try KeyedArchive(file.data())
        guard archive.problems().isEmpty else { return }
        let references = try archive.references()
        let unreachable = Set(archive.unreachableObjects)
        for object in archive.objects.dropFirst() {
            #expect(object.kind != .damaged)
            // An unreferenced object has no owners. A reachable one has a path, unless only keys or classes refer to it.
            if references.count(of: object) == 0 {
                #expect(unreachable.contains(object), "\(file) \(object.uid as Any)")
            }
        }
        let reached = Set(archive.top.reachableObjects)
        #expect(reached.isDisjoint(with: unreachable))
        #expect(reached.union(unreachable).union([archive[uid: 0]]) == Set(archive.objects), "\(file)")
        for object in archive.objects.prefix(60) {
            guard let path = archive.path(to: object) else { continue }
            #expect(archive[path] == object, "\(file) \(path)")
        }
    }
}

// MARK: - What is refused

extension `Archives by Apple's frameworks, looked into` {
    @Test(arguments: files.filter { isRefused($0) })
    func `with a defect at their root are refused`(file: File) throws {
        let error = #expect(throws: KeyedArchiveError.self) { try KeyedArchive(file.data()) }
        #expect(error?.code == .notAnArchive)
    }

    @Test(arguments: files.filter { !$0.isKeyed })
    func `are distinguished from other files`(file: File) throws {
        let error = #expect(throws: KeyedArchiveError.self) { try KeyedArchive(file.data()) }
        // Files that fuzzers made begin as property lists do, and are none.
        #expect(error?.code == .notAnArchive || error?.code == .damaged && !file.isParsed, "\(error as Any)")
    }

    @Test(arguments: archives)
    func `are sound, or say what is wrong with them`(file: File) throws {
        let archive = try KeyedArchive(file.data())
        let problems = archive.problems()
        if let uid = Self.damaged.first(where: { file.name.hasPrefix($0.key) })?.value {
            #expect(problems.first?.code == .damaged && problems.first?.uid == uid, "\(problems)")
        } else {
            #expect(problems.isEmpty)
        }
    }
}

// MARK: - Archives in archives

extension `Archives by Apple's frameworks, looked into` {
    @Test(arguments: files.filter { $0.isParsed })
    func `hold archives of their own`(file: File) throws {
        for embedded in try file.golden()["embedded"]?.array ?? [] {
            let path = try #require(embedded["path"]?.string)
            let steps = path.split(separator: "/").map(String.init)
            let kind = try #require(embedded["kind"]?.string)
            if file.isKeyed {
                let uid = try #require(steps.first == "$objects" ? UInt32(steps[1]) : nil)
                var value = try KeyedArchive(file.data())[uid: uid]
                for step in steps.dropFirst(2) { value = try #require(value[step]) }
                try compare(value, kind, embedded, at: "\(file) \(path)")
            } else {
                var list = try PropertyList(file.data())
                for step in steps {
                    // The paths have "_" where a key has a stroke.
                    let next = list[step] ?? list[step.replacing("_", with: "/")] ?? Int(step).flatMap { list[$0] }
                    list = try #require(next, "\(file) \(path)")
                }
                // What is no archive has no values; one around it has.
                let around: PropertyList = [
                    "$version": 100_000, "$objects": ["$null", list], "$top": ["root": .uid(1)],
                ]
                try compare(KeyedArchive(around.data()).root, kind, embedded, at: "\(file) \(path)")
            }
        }
    }

    private func compare(_ value: KeyedArchive.Value, _ kind: String, _ embedded: GoldenDump, at path: String) throws {
        #expect(value.data?.count == embedded["size"]?.integer, "\(path)")
        guard kind.hasPrefix("keyed") else {
            #expect(value.looksLikeArchive == (kind == "plist"), "\(path)")
            let error = #expect(throws: KeyedArchiveError.self) { try value.openArchive() }
            #expect(error?.code == .notAnArchive, "\(path)")
            return
        }
        #expect(value.looksLikeArchive)
        let golden = try #require(embedded["golden"])
        try GoldenComparison(value.openArchive(), golden, at: path).compare()
    }
}
