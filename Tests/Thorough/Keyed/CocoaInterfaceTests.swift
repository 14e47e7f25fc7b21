// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// A member of Cocoa's, and what shows that there is the like of it here.
struct InterfaceCase: Sendable, CustomTestStringConvertible {
    /// The member as docs/cocoa-api.md has it in its first column.
    let member: String
    let body: @Sendable () throws -> Void

    init(_ member: String, _ body: @escaping @Sendable () throws -> Void) {
        self.member = member
        self.body = body
    }

    var testDescription: String { member }
}

/// Every member of Cocoa's keyed coders, by what corresponds to it. docs/cocoa-api.md is the same table in words.
@Suite(.inTurn)
struct `Cocoa's interface` {
    @Test(arguments: codingCases)
    func `of classes that code themselves has its like`(_ interface: InterfaceCase) throws { try interface.body() }

    @Test(arguments: encodingCases)
    func `of coders that write has its like`(_ interface: InterfaceCase) throws { try interface.body() }

    @Test(arguments: decodingCases)
    func `of coders that read has its like`(_ interface: InterfaceCase) throws { try interface.body() }

    @Test(arguments: objectDecodingCases)
    func `of coders that read objects has its like`(_ interface: InterfaceCase) throws { try interface.body() }

    @Test(arguments: archiverCases)
    func `of the archiver and its delegate has its like`(_ interface: InterfaceCase) throws { try interface.body() }

    @Test(arguments: unarchiverCases)
    func `of the unarchiver and its delegate has its like`(_ interface: InterfaceCase) throws { try interface.body() }
}

// MARK: - The document

extension `Cocoa's interface` {
    /// A member in a row of a table in docs/cocoa-api.md.
    struct Row: Sendable, CustomTestStringConvertible {
        var section: String
        var member: String
        var counterpart: String
        /// The name of a test file, or why there is none.
        var test: String

        var testDescription: String { member }

        /// The name of the test file; nil where there is a reason instead.
        var testFile: String? {
            test.hasPrefix("`") && test.hasSuffix("`") ? test.trimmingCharacters(in: ["`"]) : nil
        }
    }

    /// The members of all tables.
    static let rows: [Row] = {
        guard let text = try? Repository.text(of: "docs/cocoa-api.md") else { return [] }
        var section = ""
        var rows: [Row] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
            guard line.hasPrefix("| `") else { continue }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3 else {
                Issue.record("A row of docs/cocoa-api.md has not three cells: \(line)")
                continue
            }
            for member in members(cells[0]) {
                rows.append(Row(section: section, member: member, counterpart: cells[1], test: cells[2]))
            }
        }
        return rows
    }()

    /// The members in a cell. Only the first one has the name of its class in front.
    private static func members(_ cell: String) -> [String] {
        let names = cell.trimmingCharacters(in: ["`"]).components(separatedBy: "`, `")
        guard let type = names[0].firstIndex(of: ".") else { return names }
        return [names[0]] + names.dropFirst().map { "\(names[0][...type])\($0)" }
    }

    /// The names of the test files.
    private static let testFiles = Set(
        Repository.files(withExtension: "swift", in: "Tests")
            .map { URL(filePath: $0).deletingPathExtension().lastPathComponent })

    /// The cases by the file that they are in.
    private static let cases: [String: [InterfaceCase]] = [
        "CocoaInterfaceTests+Coding": codingCases,
        "CocoaInterfaceTests+Encoding": encodingCases,
        "CocoaInterfaceTests+Decoding": decodingCases,
        "CocoaInterfaceTests+Objects": objectDecodingCases,
        "CocoaInterfaceTests+Archiver": archiverCases,
        "CocoaInterfaceTests+Unarchiver": unarchiverCases,
    ]

    @Test(arguments: rows)
    func `is described row by row, each with an existing test or a reason`(_ row: Row) {
        #expect(!row.counterpart.isEmpty)
        guard let file = row.testFile else {
            // A reason is a sentence, and not a dash.
            #expect(row.test.split(separator: " ").count > 3, "no test and no reason: \(row.test)")
            return
        }
        #expect(Self.testFiles.contains(file), "there is no \(file)")
        if let cases = Self.cases[file] {
            #expect(cases.count { $0.member == row.member } == 1, "no case of that name in \(file)")
        }
    }

    @Test func `has no test that the document does not name`() {
        #expect(Self.rows.count > 150)
        #expect(Set(Self.rows.map(\.member)).count == Self.rows.count)
        for (file, cases) in Self.cases {
            let named = Set(Self.rows.filter { $0.testFile == file }.map(\.member))
            #expect(Set(cases.map(\.member)).subtracting(named) == [], "\(file)")
        }
    }
}
