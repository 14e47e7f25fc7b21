// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport

/// A random fetch of indexed notes.
package struct IndexedFetch: CustomStringConvertible {
    private let predicate: Predicate<IndexedNote>
    private let orders: [Order]
    private let limit: Int?
    package let description: String

    private enum Order: String, CaseIterable {
        case tag, year, yearDescending, textDescending

        var order: FetchOrder<IndexedNote> {
            switch self {
            case .tag: .ascending(\.tag)
            case .year: .ascending(\.year)
            case .yearDescending: .descending(\.year)
            case .textDescending: .descending(\.text)
            }
        }

        func compare(_ left: IndexedNote, _ right: IndexedNote) -> Int {
            func compare<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
                left < right ? -1 : right < left ? 1 : 0
            }
            return switch self {
            case .tag: compare(left.tag, right.tag)
            case .year: compare(left.year, right.year)
            case .yearDescending: compare(right.year, left.year)
            case .textDescending: compare(right.text, left.text)
            }
        }
    }

    package init(using generator: inout SeededGenerator) {
        let tag = "tag \(Int.random(in: 0...8, using: &generator))"
        let year = Int.random(in: 1995...2032, using: &generator)
        let last = year + Int.random(in: 0...9, using: &generator)
        let kind = IndexedNote.Kind.allCases.randomElement(using: &generator) ?? .plain
        let number = Double(Int.random(in: 0...11, using: &generator))
        let choice = Int.random(in: 0..<12, using: &generator)
        predicate = Self.predicate(choice, tag, year, last, kind, number)
        orders = (0..<Int.random(in: 0...2, using: &generator)).compactMap { _ in
            Order.allCases.randomElement(using: &generator)
        }
        limit = Bool.random(using: &generator) ? Int.random(in: 0...30, using: &generator) : nil
        description =
            "predicate \(choice) with \(tag), \(year), \(last), \(kind), \(number), \(orders.map(\.rawValue)), limit \(limit ?? -1)"
    }

    private static func predicate(
        _ choice: Int, _ tag: String, _ year: Int, _ last: Int, _ kind: IndexedNote.Kind, _ number: Double
    ) -> Predicate<IndexedNote> {
        switch choice {
        case 0: return #Predicate<IndexedNote> { $0.tag == tag }
        case 1: return #Predicate<IndexedNote> { $0.tag == tag && $0.year > year }
        case 2: return #Predicate<IndexedNote> { $0.tag == tag && $0.year >= year && $0.year < last }
        case 3: return #Predicate<IndexedNote> { $0.tag > tag }
        case 4: return #Predicate<IndexedNote> { $0.tag <= tag && $0.year == year }
        case 5: return #Predicate<IndexedNote> { year < $0.year && tag == $0.tag }
        case 6:
            return #Predicate<IndexedNote> { $0.tag == tag && (year...last).contains($0.year) && $0.text.contains("1") }
        case 7: return #Predicate<IndexedNote> { $0.due == nil }
        case 8: return #Predicate<IndexedNote> { $0.due == number && $0.tag == tag }
        case 9: return #Predicate<IndexedNote> { $0.tag == tag || $0.year == year }
        case 10: return #Predicate<IndexedNote> { $0.kind == kind && $0.tag == tag }
        default: return #Predicate<IndexedNote> { $0.kind == kind && !($0.year < year) }
        }
    }

    /// Returns what the document finds.
    package func result(in document: ArchiveDocument<IndexedLibrary>) throws -> [IndexedNote] {
        switch orders.count {
        case 0: try document.fetch(IndexedNote.self, where: predicate, limit: limit)
        case 1: try document.fetch(IndexedNote.self, where: predicate, sortedBy: orders[0].order, limit: limit)
        default:
            try document.fetch(
                IndexedNote.self, where: predicate, sortedBy: orders[0].order, orders[1].order, limit: limit)
        }
    }

    /// Returns what the archive finds.
    package func result(in archive: KeyedArchive) throws -> [IndexedNote] {
        switch orders.count {
        case 0: try archive.fetch(IndexedNote.self, where: predicate, limit: limit)
        case 1: try archive.fetch(IndexedNote.self, where: predicate, sortedBy: orders[0].order, limit: limit)
        default:
            try archive.fetch(
                IndexedNote.self, where: predicate, sortedBy: orders[0].order, orders[1].order, limit: limit)
        }
    }

    /// Returns why `found` is not the result of a filter of the notes of `library`; nil if it is. Notes have different texts.
    package func defect(of found: [IndexedNote], in library: IndexedLibrary) throws -> String? {
        let matches = try library.allNotes.filter { try predicate.evaluate($0) }
        guard found.count == min(matches.count, limit ?? .max) else {
            return "\(self) finds \(found.count) of \(matches.count)"
        }
        let texts = Set(matches.map(\.text))
        guard Set(found.map(\.text)).count == found.count, found.allSatisfy({ texts.contains($0.text) }) else {
            return "\(self) finds others"
        }
        // Notes with equal values of the orders are in any order here.
        let sorted = matches.sorted { compare($0, $1) < 0 }
        for (left, right) in zip(found, sorted) where compare(left, right) != 0 { return "\(self) has another order" }
        return nil
    }

    private func compare(_ left: IndexedNote, _ right: IndexedNote) -> Int {
        for order in orders {
            let result = order.compare(left, right)
            if result != 0 { return result }
        }
        return 0
    }
}

extension IndexedLibrary {
    /// The notes that the library reaches.
    fileprivate var allNotes: [IndexedNote] {
        var notes: [IndexedNote] = []
        var known: Set<ObjectIdentifier> = []
        var remaining = Array(self.notes) + pinned
        while let note = remaining.popLast() {
            guard known.insert(ObjectIdentifier(note)).inserted else { continue }
            notes.append(note)
            if let next = note.next { remaining.append(next) }
        }
        return notes
    }

    /// A library of `count` notes.
    package static func example(count: Int) -> IndexedLibrary {
        let library = IndexedLibrary()
        library.notes = ArchivedList(
            (0..<count).map { number in
                let note = IndexedNote("tag \(number % 7)", 2000 + number * 7919 % 31, "text \(number)")
                note.kind = IndexedNote.Kind.allCases[number % 3]
                note.due = number % 5 == 0 ? nil : Double(number % 11)
                return note
            })
        return library
    }

    /// Makes a random change.
    package func edit(using generator: inout SeededGenerator) {
        let count = notes.count
        let place = Int.random(in: 0..<count, using: &generator)
        let number = Int.random(in: 0..<40, using: &generator)
        let text = "new \(UInt64.random(in: 0...(.max), using: &generator))"
        switch Int.random(in: 0..<11, using: &generator) {
        case 0: notes[place].tag = "tag \(number % 9)"
        case 1: notes[place].year = 1995 + number
        case 2: notes[place].text += " 1"
        case 3: notes[place].due = number < 20 ? nil : Double(number % 11)
        case 4: notes[place].kind = .done
        case 5: notes.append(IndexedNote("tag \(number % 3)", 1995 + number, text))
        case 6: if count > 10 { notes.remove(at: place) }
        case 7: pinned.append(notes[place])
        case 8: if !pinned.isEmpty { pinned.removeLast() }
        case 9: notes[place].next = number < 20 ? nil : notes[number % count]
        default: notes[place].next = IndexedNote("tag 3", 1995 + number, text)
        }
    }
}

extension IndexedFetch {
    package struct Defect: Error, CustomStringConvertible { package let description: String }

    /// Checks random fetches in the life of a document with `count` notes, against a library in memory with the same changes.
    package static func checkLife(seed: UInt64, count: Int) throws {
        try TemporaryFolder.with { folder in
            let url = folder["notes"]
            var generator = SeededGenerator(state: seed)
            let mirror = IndexedLibrary.example(count: count)
            try ArchiveDocument(root: IndexedLibrary.example(count: count)).save(to: url)
            for session in 0..<3 {
                let document = try ArchiveDocument<IndexedLibrary>(
                    contentsOf: url, journal: (Int(seed % 3) + session) % 2 == 0 ? .enabled : .disabled)
                for step in 0..<20 {
                    for _ in 0..<Int.random(in: 0...4, using: &generator) {
                        var copy = generator
                        mirror.edit(using: &copy)
                        document.root.edit(using: &generator)
                    }
                    try check(document, mirror, "seed \(seed), session \(session), step \(step)", &generator)
                    if step % 3 == 2 {
                        try document.save()
                        try checkFile(document, "seed \(seed), session \(session), step \(step)", &generator)
                    }
                    if step % 11 == 10 { try document.compact() }
                    if step % 7 == 6, try !document.hasChanges() { try document.unload() }
                    try check(document, mirror, "seed \(seed), session \(session), step \(step), later", &generator)
                }
                try document.save()
                document.close()
            }
        }
    }

    private static func check(
        _ document: ArchiveDocument<IndexedLibrary>, _ mirror: IndexedLibrary, _ place: String,
        _ generator: inout SeededGenerator
    ) throws {
        let fetch = IndexedFetch(using: &generator)
        if let defect = try fetch.defect(of: fetch.result(in: document), in: mirror) {
            throw Defect(description: "\(place): \(defect)")
        }
    }

    /// Checks a fetch in the file of `document` against one in the same archive without indexes.
    private static func checkFile(
        _ document: ArchiveDocument<IndexedLibrary>, _ place: String, _ generator: inout SeededGenerator
    ) throws {
        guard let archive = document.archive else { return }
        guard case .dictionary(let entries) = try archive.propertyList() else { return }
        let plain = try KeyedArchive(.dictionary(PropertyList.Dictionary(entries.filter { $0.key != "$indexes" })))
        for _ in 0..<3 {
            let fetch = IndexedFetch(using: &generator)
            guard try fetch.result(in: archive).map(\.text) == fetch.result(in: plain).map(\.text) else {
                throw Defect(description: "\(place): \(fetch) finds others than without an index")
            }
        }
    }
}
