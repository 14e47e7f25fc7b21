// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Foundation
import TestSupport

/// Fetches with random predicates from a document with random edits, compared with a filter of everything decoded.
package struct RandomFetch {
    private var random: SeededGenerator
    private let folder: TemporaryFolder
    private var document: ArchiveDocument<FetchedLibrary>
    private let journal: ArchiveJournal
    /// The archive of the document's state, and all notes in it.
    private var archive: KeyedArchive?
    private var notes: [FetchedNote] = []
    /// What was done, for reports.
    private var steps: [String] = []

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package init(seed: UInt64, in folder: TemporaryFolder) throws {
        random = SeededGenerator(state: seed)
        self.folder = folder
        journal = Bool.random(using: &random) ? .enabled : .disabled
        let library = FetchedLibrary.random(count: Int.random(in: 0..<12, using: &random), &random)
        if Int.random(in: 0..<8, using: &random) == 0 {
            document = ArchiveDocument(root: library, journal: journal, decoder: FetchedNote.decoder)
        } else {
            try ArchiveEncoder().encode(library, to: folder["library"])
            document = try ArchiveDocument(
                contentsOf: folder["library"], journal: journal, decoder: FetchedNote.decoder)
        }
    }

    /// Fetches `count` times, with an edit before each fifth fetch.
    ///
    /// - Throws: `Failure` if a result differs from that of a filter.
    package mutating func run(count: Int) throws {
        for number in 0..<count {
            if number % 5 == 0 {
                if Bool.random(using: &random) { try edit() }
                // The state of the document, without loading anything of it.
                try document.snapshot().write(to: folder["snapshot"])
                archive = try KeyedArchive(contentsOf: folder["snapshot"])
                let saved = try ArchiveDocument<FetchedLibrary>(
                    contentsOf: folder["snapshot"], decoder: FetchedNote.decoder)
                notes = saved.root.allNotes
            }
            try compare(FetchedNote.self, Self.predicate(&random))
            try compareValues(FetchedNote.self, Self.predicate(&random))
            if Int.random(in: 0..<4, using: &random) == 0 {
                try compare(FetchedReport.self, Self.reportPredicate(&random))
            }
        }
    }

    // MARK: Comparison

    private mutating func compare<Note: FetchedNote>(_ type: Note.Type, _ predicate: Predicate<Note>) throws {
        let orders: [FetchOrder<Note>]
        let key: (Note) -> String
        switch Int.random(in: 0..<7, using: &random) {
        case 0: (orders, key) = ([.ascending(\.year)], { "\($0.year)" })
        case 1: (orders, key) = ([.descending(\.title)], { $0.title.precomposedStringWithCanonicalMapping })
        case 2: (orders, key) = ([.descending(\.price), .ascending(\.small)], { "\($0.price + 0) \($0.small)" })
        case 3: (orders, key) = ([.ascending(\.length)], { "\($0.length)" })
        case 4: (orders, key) = ([.ascending(\.added), .descending(\.year)], { "\($0.added) \($0.year)" })
        default: (orders, key) = ([], { _ in "" })
        }
        let limit = [nil, nil, 0, 1, 3].randomElement(using: &random) ?? nil
        let offset = [0, 0, 1, 4].randomElement(using: &random) ?? 0
        let all = notes.compactMap { $0 as? Note }
        let expected = Result { try all.filter { try predicate.evaluate($0) } }
        guard let archive else { return }
        for isDocument in [true, false] {
            let found = Result {
                try isDocument
                    ? document.fetch(type, where: predicate, sortedBy: orders, offset: offset, limit: limit)
                    : archive.fetch(
                        type, where: predicate, sortedBy: orders, offset: offset, limit: limit,
                        using: FetchedNote.decoder)
            }
            guard case .success(let expected) = expected else {
                // With a limit, the search ends before the instance for which the predicate fails.
                if case .success = found, limit == nil { throw failure("no error", predicate) }
                continue
            }
            guard case .success(let found) = found else { throw failure("\(found)", predicate) }
            let sorted = expected.enumerated().sorted { left, right in
                orders.isEmpty
                    ? left.offset < right.offset
                    : Self.isLess(left.element, right.element, orders) ?? (left.offset < right.offset)
            }.map(\.element)
            let count = min(max(expected.count - offset, 0), limit ?? .max)
            let lines = Dictionary(expected.map { ($0.line, 1) }, uniquingKeysWith: +)
            let foundLines = Dictionary(found.map { ($0.line, 1) }, uniquingKeysWith: +)
            guard found.count == count, found.map(key) == sorted.dropFirst(offset).prefix(count).map(key),
                foundLines.allSatisfy({ $0.value <= lines[$0.key] ?? 0 })
            else {
                let extra = foundLines.filter { $0.value > lines[$0.key] ?? 0 }.keys
                let missing = lines.filter { $0.value > foundLines[$0.key] ?? 0 }.keys
                throw failure(
                    "\(isDocument) \(limit as Any): \(found.count) of \(expected.count), too many: \(extra.sorted()),"
                        + " missing: \(missing.sorted()), keys \(found.map(key)) \(sorted.map(key))", predicate)
            }
        }
    }

    /// Compares the count, and the values of a property, in place of the instances.
    private mutating func compareValues<Note: FetchedNote>(_ type: Note.Type, _ predicate: Predicate<Note>) throws {
        let offset = Int.random(in: 0..<3, using: &random)
        let all = notes.compactMap { $0 as? Note }
        guard let archive, let expected = try? all.filter({ try predicate.evaluate($0) }) else { return }
        let years = expected.map(\.year).sorted()
        let titles = expected.map(\.title).sorted()
        let count = try (
            document.count(type, where: predicate), archive.count(type, where: predicate, using: FetchedNote.decoder)
        )
        guard count == (expected.count, expected.count) else {
            throw failure("\(count) of \(expected.count)", predicate)
        }
        let found = try document.fetch(
            type, \.year, where: predicate, sortedBy: .ascending(\.year), offset: offset, limit: 3)
        let foundTitles = try archive.fetch(type, \.title, where: predicate, using: FetchedNote.decoder)
        guard found == Array(years.dropFirst(offset).prefix(3)), foundTitles.sorted() == titles else {
            throw failure("\(found) of \(years), \(foundTitles) of \(titles)", predicate)
        }
    }

    /// Whether the first note comes first; nil if neither does.
    private static func isLess<Note>(_ left: Note, _ right: Note, _ orders: [FetchOrder<Note>]) -> Bool? {
        for order in orders {
            let result = order.compare(left, right)
            if result != 0 { return result < 0 }
        }
        return nil
    }

    private func failure(_ problem: String, _ predicate: Any) -> Failure {
        Failure(description: "\(problem)\n\(predicate)\nafter \(steps)")
    }

    // MARK: Edits

    private mutating func edit() throws {
        let kind = Int.random(in: 0..<20, using: &random)
        steps.append("\(kind)")
        let authors = FetchedNote.randomAuthors(&random)
        document.root.authors += authors
        func someNote() -> FetchedNote? { document.root.first.randomElement(using: &random) }
        switch kind {
        case 0, 1, 2: if let note = someNote() { change(note) }
        case 3:
            // An instance that the program does not keep.
            if let note = try document.fetch(FetchedNote.self, where: Self.predicate(&random), limit: 2).last {
                change(note)
            }
        case 4: if let note = document.root.second.randomElement(using: &random) { change(note) }
        case 5: if !document.root.second.isEmpty { document.root.second.removeLast() }
        case 6: document.root.second.append(FetchedNote.random(authors, document.root.first, &random))
        case 7: document.root.third.append(FetchedNote.random(authors, document.root.first, &random))
        case 8: if !document.root.third.isEmpty { change(document.root.third[document.root.third.count / 2]) }
        case 9: if !document.root.third.isEmpty { document.root.third.removeFirst() }
        case 10: someNote()?.author?.name = FetchedNote.texts.randomElement(using: &random) ?? ""
        case 11: if let note = someNote() { note.parent = document.root.first.randomElement(using: &random) }
        case 12: document.root.last = Bool.random(using: &random) ? nil : someNote()
        case 13: if !document.root.first.isEmpty { document.root.first.removeFirst() }
        case 14: document.root.first.append(FetchedNote.random(authors, document.root.first, &random))
        case 15:
            let notes = document.root.first
            let library = FetchedLibrary()
            (library.first, library.authors) = (notes, document.root.authors)
            document.root = library
        case 16 where document.url != nil:
            if let note = someNote() {
                change(note)
                document.markChanged(note)
            }
            try document.save(changes: .marked)
        case 17 where document.url != nil:
            try document.save()
            if Bool.random(using: &random) { try document.unload() }
        case 18 where document.url != nil: try document.revert()
        default:
            if document.url == nil { try document.save(to: folder["library"]) } else { try document.save() }
            if Bool.random(using: &random) { try document.compact() }
            if Bool.random(using: &random) {
                document.close()
                document = try ArchiveDocument(
                    contentsOf: folder["library"], journal: journal, decoder: FetchedNote.decoder)
            }
        }
    }

    private mutating func change(_ note: FetchedNote) {
        let other = FetchedNote.random([], [], &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: note.title = other.title
        case 1: (note.year, note.rating, note.small) = (other.year, other.rating, other.small)
        case 2: (note.kind, note.mood, note.tags) = (other.kind, other.mood, other.tags)
        case 3: (note.price, note.subtitle, note.isRead) = (other.price, other.subtitle, other.isRead)
        default: (note.author, note.editor) = (note.editor, nil)
        }
    }
}

// MARK: - Predicates

extension RandomFetch {
    /// Returns a random predicate of notes.
    static func predicate(_ random: inout SeededGenerator) -> Predicate<FetchedNote> {
        if Bool.random(using: &random) { return simple(&random) }
        var copy = random
        defer { random = copy }
        return Predicate { combined($0, depth: 3, &copy) }
    }

    static func reportPredicate(_ random: inout SeededGenerator) -> Predicate<FetchedReport> {
        let number = Int.random(in: 0..<5, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return #Predicate<FetchedReport> { $0.pages > number }
        case 1: return #Predicate<FetchedReport> { $0.pages == number || $0.year > 2010 }
        default: return #Predicate<FetchedReport> { $0.title != "Emma" }
        }
    }

    private static func simple(_ random: inout SeededGenerator) -> Predicate<FetchedNote> {
        let text = FetchedNote.texts.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return numeric(&random)
        case 1: return textual(text, &random)
        case 2: return referring(text, &random)
        default: return other(text, &random)
        }
    }

    private static func numeric(_ random: inout SeededGenerator) -> Predicate<FetchedNote> {
        let year = Int.random(in: 1990..<2030, using: &random)
        let number = Int.random(in: 0..<5, using: &random)
        let small: Int8 = Bool.random(using: &random) ? 1 : -2
        let price = FetchedNote.numbers.randomElement(using: &random) ?? 0
        let weight = Float(price)
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return #Predicate<FetchedNote> { $0.year > year }
        case 1: return #Predicate<FetchedNote> { $0.year <= year && $0.year >= 2000 }
        case 2: return #Predicate<FetchedNote> { $0.rating == nil }
        case 3: return #Predicate<FetchedNote> { $0.rating ?? 3 > number }
        case 4:
            // A predicate may unwrap.
            // swift-format-ignore: NeverForceUnwrap
            return #Predicate<FetchedNote> { $0.rating != nil && $0.rating! > number }
        case 5: return #Predicate<FetchedNote> { $0.rating == number }
        case 6: return #Predicate<FetchedNote> { $0.rating != number }
        case 7: return #Predicate<FetchedNote> { $0.small == small }
        case 8: return #Predicate<FetchedNote> { $0.price < price }
        case 9: return #Predicate<FetchedNote> { $0.price == price || $0.weight > weight }
        case 10: return #Predicate<FetchedNote> { (2000..<2010).contains($0.year) }
        case 11: return #Predicate<FetchedNote> { (2000...2020).contains($0.year) && $0.isRead }
        case 12: return #Predicate<FetchedNote> { $0.year * 2 - number > 4020 }
        case 13:
            // A predicate may unwrap.
            // swift-format-ignore: NeverForceUnwrap
            return #Predicate<FetchedNote> { $0.rating! > number }
        case 14: return #Predicate<FetchedNote> { -$0.year < -2010 }
        default: return #Predicate<FetchedNote> { $0.weight != weight }
        }
    }

    private static func textual(_ text: String, _ random: inout SeededGenerator) -> Predicate<FetchedNote> {
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return #Predicate<FetchedNote> { $0.title.contains(text) }
        case 1: return #Predicate<FetchedNote> { $0.title.starts(with: text) }
        case 2: return #Predicate<FetchedNote> { $0.title == text }
        case 3: return #Predicate<FetchedNote> { $0.title != text }
        case 4: return #Predicate<FetchedNote> { $0.title < text }
        case 5: return #Predicate<FetchedNote> { $0.title.count == 4 }
        case 6: return #Predicate<FetchedNote> { $0.title.isEmpty }
        case 7: return #Predicate<FetchedNote> { $0.subtitle == text }
        case 8: return #Predicate<FetchedNote> { $0.subtitle?.contains(text) == true }
        case 9: return #Predicate<FetchedNote> { $0.subtitle?.starts(with: text) ?? true }
        case 10: return #Predicate<FetchedNote> { $0.subtitle == nil }
        case 11: return #Predicate<FetchedNote> { $0.subtitle != nil }
        case 12: return #Predicate<FetchedNote> { ($0.subtitle ?? "Emma") == text }
        case 13: return #Predicate<FetchedNote> { $0.title == $0.subtitle ?? "" }
        case 14: return #Predicate<FetchedNote> { text.contains($0.title) }
        default: return #Predicate<FetchedNote> { $0.tags.filter { $0 == text }.count == 1 || $0.tags.max() == text }
        }
    }

    private static func referring(_ text: String, _ random: inout SeededGenerator) -> Predicate<FetchedNote> {
        switch Int.random(in: 0..<11, using: &random) {
        case 0: return #Predicate<FetchedNote> { $0.author?.name == text }
        case 1: return #Predicate<FetchedNote> { $0.author == nil }
        case 2: return #Predicate<FetchedNote> { $0.author != nil }
        case 3: return #Predicate<FetchedNote> { $0.author?.name.contains("e") == true }
        case 4: return #Predicate<FetchedNote> { $0.author?.mentor?.name == text }
        case 5: return #Predicate<FetchedNote> { $0.editor?.name ?? "Emma" == text }
        case 6: return #Predicate<FetchedNote> { $0.parent?.title == text }
        case 7: return #Predicate<FetchedNote> { $0.parent?.year ?? 0 > 2000 }
        case 8: return #Predicate<FetchedNote> { $0.parent?.parent?.author?.name == text }
        case 9:
            // A predicate may unwrap.
            // swift-format-ignore: NeverForceUnwrap
            return #Predicate<FetchedNote> { $0.author != nil && $0.author!.name == text }
        default: return #Predicate<FetchedNote> { $0.parent?.rating == 2 }
        }
    }

    private static func other(_ text: String, _ random: inout SeededGenerator) -> Predicate<FetchedNote> {
        let kind = FetchedNote.Kind.allCases.randomElement(using: &random) ?? .novel
        let mood = FetchedNote.Mood.allCases.randomElement(using: &random) ?? .low
        let date = Date(timeIntervalSinceReferenceDate: 1)
        let bytes = Data([7, 7])
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return #Predicate<FetchedNote> { $0.kind == kind }
        case 1: return #Predicate<FetchedNote> { $0.mood == mood }
        case 2: return #Predicate<FetchedNote> { $0.mood != mood && $0.kind != kind }
        case 3: return #Predicate<FetchedNote> { $0.tags.contains(text) }
        case 4: return #Predicate<FetchedNote> { $0.tags.contains { $0.contains(text) } }
        case 5: return #Predicate<FetchedNote> { $0.tags.allSatisfy { $0.count > 2 } }
        case 6: return #Predicate<FetchedNote> { $0.tags.isEmpty || $0.tags.first == text }
        case 7: return #Predicate<FetchedNote> { $0.added > date }
        case 8: return #Predicate<FetchedNote> { $0.added == date }
        case 9: return #Predicate<FetchedNote> { $0.bytes == bytes }
        case 10: return #Predicate<FetchedNote> { $0.bytes.count == 1 }
        case 11: return #Predicate<FetchedNote> { $0.length > 3 }
        case 12: return #Predicate<FetchedNote> { $0.isRead }
        case 13: return #Predicate<FetchedNote> { $0.isRead == true ? $0.year > 2010 : $0.small == 1 }
        case 14: return #Predicate<FetchedNote> { $0.mood.rawValue > 0 }
        default: return #Predicate<FetchedNote> { _ in true }
        }
    }
}

// MARK: - Combinations

extension RandomFetch {
    private typealias Condition = any StandardPredicateExpression<Bool>
    private typealias Note = PredicateExpressions.Variable<FetchedNote>

    /// Returns a random combination of comparisons.
    private static func combined(_ note: Note, depth: Int, _ random: inout SeededGenerator) -> Condition {
        if depth == 0 { return comparison(note, &random) }
        let first = combined(note, depth: depth - 1, &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return negation(first)
        case 1: return conjunction(first, combined(note, depth: depth - 1, &random))
        case 2: return disjunction(first, combined(note, depth: depth - 1, &random))
        default: return first
        }
    }

    private static func negation(_ wrapped: some StandardPredicateExpression<Bool>) -> Condition {
        PredicateExpressions.build_Negation(wrapped)
    }

    private static func conjunction(
        _ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>
    ) -> Condition {
        PredicateExpressions.build_Conjunction(lhs: left, rhs: right)
    }

    private static func disjunction(
        _ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>
    ) -> Condition {
        PredicateExpressions.build_Disjunction(lhs: left, rhs: right)
    }

    private static func comparison(_ note: Note, _ random: inout SeededGenerator) -> Condition {
        let text = FetchedNote.texts.randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return compared(note, \.year, Int.random(in: 1990..<2030, using: &random), &random)
        case 1: return compared(note, \.title, text, &random)
        case 2: return compared(note, \.price, FetchedNote.numbers.randomElement(using: &random) ?? 0, &random)
        case 3: return compared(note, \.small, 1, &random)
        case 4: return equal(note, \.rating, Bool.random(using: &random) ? nil : 2)
        case 5: return equal(note, \.subtitle, Bool.random(using: &random) ? nil : text)
        case 6: return equal(note, \.mood, .high)
        default:
            return PredicateExpressions.build_contains(
                PredicateExpressions.build_KeyPath(root: note, keyPath: \.title), PredicateExpressions.build_Arg(text))
        }
    }

    private static func compared<Value: Comparable & Codable & Sendable>(
        _ note: Note, _ keyPath: KeyPath<FetchedNote, Value> & Sendable, _ value: Value, _ random: inout SeededGenerator
    ) -> Condition {
        let signs: [PredicateExpressions.ComparisonOperator] = [
            .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
        ]
        return PredicateExpressions.build_Comparison(
            lhs: PredicateExpressions.build_KeyPath(root: note, keyPath: keyPath),
            rhs: PredicateExpressions.build_Arg(value), op: signs.randomElement(using: &random) ?? .lessThan)
    }

    private static func equal<Value: Equatable & Codable & Sendable>(
        _ note: Note, _ keyPath: KeyPath<FetchedNote, Value> & Sendable, _ value: Value
    ) -> Condition {
        PredicateExpressions.build_Equal(
            lhs: PredicateExpressions.build_KeyPath(root: note, keyPath: keyPath),
            rhs: PredicateExpressions.build_Arg(value))
    }
}
