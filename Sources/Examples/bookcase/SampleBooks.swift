// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

extension Bookcase {
    /// Returns a bookcase with made-up books, which are the same every time.
    ///
    /// - Parameter progress: Receives the completed part, from 0 to 1.
    static func sample(shelfCount: Int, booksPerShelf: Int, progress: (Double) -> Void) -> Bookcase {
        var random = SampleGenerator()
        let authors = (1...max(1, shelfCount * booksPerShelf / 100)).map { number in
            Author(name: "\(random.element(of: firstNames)) \(random.element(of: lastNames)) \(number)")
        }
        let shelves = (0..<shelfCount).map { shelf in
            let books = (0..<booksPerShelf).map { position in
                let subject = "\(random.element(of: kinds)) \(random.element(of: subjects))"
                return Book(
                    title: "\(subject) \(shelf * booksPerShelf + position + 1)",
                    author: random.element(of: authors), year: 1900 + random.number(below: 125))
            }
            progress(Double(shelf + 1) / Double(shelfCount))
            return Shelf(books: books)
        }
        return Bookcase(shelves: shelves, authors: authors)
    }

    private static let firstNames = ["Ada", "Ben", "Clara", "Emil", "Fatima", "Hiro", "Ines", "Noor"]
    private static let lastNames = ["Abe", "Berg", "Costa", "Dupont", "Evans", "Okafor", "Silva", "Weiss"]
    private static let kinds = ["A History of", "Notes on", "The Art of", "Letters about", "An Introduction to"]
    private static let subjects = ["Gardens", "the Sea", "Numbers", "Old Machines", "Trees", "Maps", "the Weather"]
}

/// A generator of numbers, which are the same every time.
private struct SampleGenerator {
    private var state: UInt64 = 1

    mutating func number(below count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }

    mutating func element<Element>(of list: [Element]) -> Element { list[number(below: list.count)] }
}
