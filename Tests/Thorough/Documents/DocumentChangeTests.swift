// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Many short lives of documents with values of all kinds, which are saved after some edits.
@Suite(.inTurn) struct `A document with random contents` {
    struct Point: Codable, Hashable {
        var x: Int
        var y: Double
        var label: String?
    }

    final class Node: Codable {
        var name = ""
        var note: String?
        var points: [Point] = []
        var names: Set<String> = []
        var places: Set<Point> = []
        var labels: [String: Int] = [:]
        var lists: [String: [String]] = [:]
        var numbered: [Int: Point] = [:]
        var named: [String: Node] = [:]
        var date: Date?
        var children: [Node] = []
        @Reference var next: Node?
        @WeakReference var friend: Node?
        @Deferred var hidden: [Node]
        @Deferred var one: Node?
        @Deferred var texts: [String]
        @Deferred var map: [String: Node]
        @Deferred var bytes: Data

        init() {
            hidden = []
            one = nil
            texts = []
            map = [:]
            bytes = Data()
        }

        var neighbours: [Node] {
            let single = [next, one].compactMap { $0 }
            return children + hidden + single + [map, named].flatMap { $0.sorted { $0.key < $1.key }.map(\.value) }
        }

        /// Makes one change.
        func edit(_ other: Node, _ random: inout SeededGenerator) throws {
            func text() -> String {
                ["", "a", "ab", "ä", "x\u{301}", "a longer text"].randomElement(using: &random) ?? ""
            }
            func point() -> Point {
                Point(
                    x: Int.random(in: 0..<3, using: &random), y: Bool.random(using: &random) ? 0 : -0.0,
                    label: Bool.random(using: &random) ? nil : text())
            }
            let isOdd = Bool.random(using: &random)
            switch Int.random(in: 0..<26, using: &random) {
            case 0: name = text()
            case 1: note = isOdd ? nil : text()
            case 2: points.append(point())
            case 3: names.formSymmetricDifference([text(), text()])
            case 4: places.formSymmetricDifference([point()])
            case 5: labels[text()] = points.count
            case 6: lists[text()] = [text(), text()]
            case 7: numbered[names.count] = point()
            case 8: named[text()] = other
            case 9: date = Date(timeIntervalSinceReferenceDate: Double(points.count))
            case 10, 11: children.append(Node())
            case 12: children.append(other)
            case 13: if !children.isEmpty { children.remove(at: children.count / 2) }
            case 14: next = isOdd ? nil : other
            case 15, 16: friend = isOdd ? nil : other
            case 17: hidden.append(isOdd ? Node() : other)
            case 18: if !hidden.isEmpty { hidden.remove(at: hidden.count / 2) }
            case 19: one = isOdd ? nil : other
            case 20: texts.append(text())
            case 21: map[text()] = isOdd ? nil : other
            case 22: bytes.append(contentsOf: Data(text().utf8))
            case 23:
                one = Node()
                if isOdd { friend = one }
            default:
                do {
                    try $hidden.unload()
                    try $one.unload()
                    try $map.unload()
                } catch let error as ArchiveDocumentError {
                    #expect(error.code == .partChanged)
                }
            }
        }
    }

    /// In a function, since the macro takes `try` from what it takes apart.
    private func hasChanges(_ document: ArchiveDocument<Node>) throws -> Bool { try document.hasChanges() }

    @Test(arguments: Extent.cases(of: 0..<20 as Range<UInt64>, every: 4))
    func `has no changes after a save, nor after it is opened`(lane: UInt64) throws {
        try TemporaryFolder.with { folder in
            let url = folder["document"]
            for life in 0..<12 {
                var random = SeededGenerator(state: lane << 32 | UInt64(life))
                var document = ArchiveDocument(root: Node())
                try document.save(to: url)
                for step in 1...Int.random(in: 5...60, using: &random) {
                    func walk() -> Node {
                        var node = document.root
                        for _ in 0..<Int.random(in: 0..<6, using: &random) {
                            guard let other = node.neighbours.randomElement(using: &random) else { break }
                            node = other
                        }
                        return node
                    }
                    try walk().edit(walk(), &random)
                    guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                    let compacts = Int.random(in: 0..<5, using: &random) == 0
                    _ = try compacts ? document.compact() : document.save()
                    #expect(try !hasChanges(document), "life \(life), after \(step) steps")
                    guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                    document = try ArchiveDocument(contentsOf: url)
                    #expect(try !hasChanges(document), "life \(life), opened after \(step) steps")
                }
            }
        }
    }
}
