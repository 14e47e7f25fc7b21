// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// An album of plain values, which are edited and merged without the library.
///
/// A page has an identity, its number. All other values belong to their places. Many of them are equal, and many are empty.
package struct PlainAlbum: Equatable {
    package struct Size: Codable, Hashable {
        package var width: Int
        package var height: Int
    }

    /// Both, one or none of the values: an archive cannot tell one of them from a case of an enumeration.
    package struct Pair: Codable, Hashable {
        package var left: Int?
        package var right: Int?
    }

    package enum Shape: Codable, Hashable {
        case empty
        case circle(radius: Int)
        case box(Size)
        case many([Int])
        case label(String)
    }

    package struct Page: Equatable {
        package var title = ""
        package var tags: Set<String> = []
        package var readers: Set<String> = []
        package var notes: [String] = []
        package var nested: [[Int]] = []
        package var groups: [String: Set<String>] = [:]
        package var counts: [String: [Int]] = [:]
        package var count: Int?
        package var names: [String]?
        package var size = Size(width: 1, height: 1)
        package var sizes: [Size] = []
        package var sizeSet: Set<Size> = []
        package var pair = Pair()
        package var shape = Shape.empty
        package var bits: [Int] = []
    }

    /// The pages by number, and the numbers in the album's list.
    package var pages: [Int: Page] = [:]
    package var order: [Int] = []
    package var favorite: Int?

    /// Removes the pages to which nothing refers.
    mutating func removeUnreachable() {
        let reached = Set(order + (favorite.map { [$0] } ?? []))
        pages = pages.filter { reached.contains($0.key) }
    }
}

// MARK: - Random edits

extension PlainAlbum {
    package init(using generator: inout SeededGenerator) {
        for number in 0..<2 {
            pages[number] = Page(title: "page \(number)")
            order.append(number)
        }
        edit(Int.random(in: 0...30, using: &generator), newNumbers: 10, using: &generator)
    }

    /// Makes random changes.
    ///
    /// - Parameter newNumbers: The number of the first new page.
    package mutating func edit(_ count: Int, newNumbers: Int, using generator: inout SeededGenerator) {
        var next = newNumbers
        for _ in 0..<count {
            switch Int.random(in: 0..<30, using: &generator) {
            case 0:
                pages[next] = Page(title: "new \(next)")
                order.insert(next, at: Int.random(in: 0...order.count, using: &generator))
                next += 1
            case 1: if order.count > 1 { order.remove(at: Int.random(in: 0..<order.count, using: &generator)) }
            case 2: favorite = Bool.random(using: &generator) ? nil : order.randomElement(using: &generator)
            case 3, 4: moveValue(&generator)
            default:
                if let number = pages.keys.sorted().randomElement(using: &generator) {
                    pages[number]?.edit(&generator)
                }
            }
            removeUnreachable()
        }
    }

    /// Moves a value from one page to another.
    private mutating func moveValue(_ generator: inout SeededGenerator) {
        let numbers = pages.keys.sorted()
        guard let from = numbers.randomElement(using: &generator), let to = numbers.randomElement(using: &generator),
            from != to, var old = pages[from], var new = pages[to]
        else { return }
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: (new.notes, old.notes) = (old.notes, [])
        case 1: (new.tags, old.tags) = (old.tags, [])
        case 2: (new.shape, old.shape) = (old.shape, .empty)
        case 3: (new.names, old.names) = (old.names, nil)
        default: new.size = old.size
        }
        (pages[from], pages[to]) = (old, new)
    }
}

extension PlainAlbum.Page {
    fileprivate mutating func edit(_ generator: inout SeededGenerator) {
        let number = Int.random(in: 0..<1000, using: &generator)
        let key = ["red", "green", "blue"].randomElement(using: &generator) ?? ""
        func edited<Element>(_ list: [Element], _ element: (Int) -> Element) -> [Element] {
            var list = list
            let place = Int.random(in: 0...list.count, using: &generator)
            switch number % 3 {
            case 1 where place < list.count: list.remove(at: place)
            case 2 where place < list.count: list[place] = element(number)
            default: list.insert(element(number), at: place)
            }
            return list
        }
        switch Int.random(in: 0..<18, using: &generator) {
        case 0: title = "title \(number)"
        case 1: if tags.remove(key) == nil { tags.insert(key) }
        case 2: if readers.remove(key) == nil { readers.insert(key) }
        case 3: notes = edited(notes) { "note \($0)" }
        case 4: nested = edited(nested) { $0 % 2 == 0 ? [] : [$0] }
        case 5:
            if let place = nested.indices.randomElement(using: &generator) {
                nested[place] = edited(nested[place]) { $0 }
            }
        case 6: groups[key] = number % 4 == 0 ? nil : number % 2 == 0 ? [] : ["x\(number % 3)"]
        case 7: if groups[key] != nil { groups[key]?.insert("y\(number % 3)") }
        case 8: counts[key] = counts[key].map { edited($0) { $0 } } ?? []
        case 9: count = number % 3 == 0 ? nil : number % 2
        case 10: names = number % 5 == 0 ? nil : edited(names ?? []) { "name \($0)" }
        case 11: if number % 2 == 0 { size.width = number % 3 } else { size.height = number % 3 }
        case 12: sizes = edited(sizes) { PlainAlbum.Size(width: $0, height: 1) }
        case 13:
            if let place = sizes.indices.randomElement(using: &generator) { sizes[place].height = number }
        case 14:
            let old = sizeSet.sorted { $0.width < $1.width }.randomElement(using: &generator)
            if let old, number % 2 == 0 { sizeSet.remove(old) }
            sizeSet.insert(PlainAlbum.Size(width: number % 5, height: 0))
        case 15:
            if number % 2 == 0 { pair.left = number % 6 == 0 ? nil : number % 4 } else { pair.right = 7 }
            if number % 5 == 0 { pair.right = nil }
        case 16:
            switch number % 6 {
            case 0: shape = .empty
            case 1: shape = .circle(radius: number % 3)
            case 2: shape = .box(PlainAlbum.Size(width: number % 7, height: 1))
            case 3: shape = .label("label \(number % 3)")
            case 4:
                if case .box(var size) = shape {
                    size.height = number
                    shape = .box(size)
                } else {
                    shape = .many([])
                }
            default:
                if case .many(let list) = shape { shape = .many(edited(list) { $0 }) } else { shape = .many([number]) }
            }
        default: bits = edited(bits) { $0 % 2 }
        }
    }
}
