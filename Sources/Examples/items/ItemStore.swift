// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// All items and their file.
struct ItemStore {
    /// The default file: `items.archive` in the user's folder.
    static let usualFile = URL.homeDirectory.appending(path: "items.archive")

    /// The file of the items.
    let file: URL
    /// The items that are not inside others.
    private(set) var items: [Item] = []

    /// Reads the items in `file`. The store is empty if the file does not exist.
    ///
    /// - Throws: `ArchivingError` if the file is damaged or contains other objects, `ItemError` if the items are inconsistent,
    ///   and the errors of the file system. The file does not change.
    init(file: URL) throws {
        self.file = file
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        // Secure coding is on: only an array of items is decoded, whatever the file contains.
        items = try KeyedUnarchiver.unarchivedObject(of: [Item].self, from: Data(contentsOf: file))
        try Self.settle(items)
    }

    /// Writes all items. The file is replaced as a whole, so it always contains either the old items or the new ones.
    ///
    /// - Throws: The errors of the file system. The file then does not change.
    func save() throws {
        try ArchiveEncoder().encode(Coded(wrappedValue: items), to: file)
    }

    /// Sets the containers of all items that the file does not specify.
    ///
    /// - Throws: `ItemError.inTwoPlaces` if an item is inside two others or inside itself. An archive can contain any graph of
    ///   objects, so such items are possible there.
    private static func settle(_ items: [Item]) throws {
        var seen: Set<ObjectIdentifier> = []
        var waiting: [(item: Item, container: Item?)] = items.map { ($0, nil) }
        while let (item, container) = waiting.popLast() {
            guard seen.insert(ObjectIdentifier(item)).inserted else { throw ItemError.inTwoPlaces(item.name) }
            item.settle(in: container)
            waiting += item.contents.map { ($0, item) }
        }
    }
}

// MARK: - Queries

extension ItemStore {
    /// All items in the order of the list, each followed by its contents. The first has the number 1.
    var allItems: [(item: Item, depth: Int)] {
        var all: [(item: Item, depth: Int)] = []
        var waiting = items.reversed().map { (item: $0, depth: 0) }
        while let next = waiting.popLast() {
            all.append(next)
            waiting += next.item.contents.reversed().map { ($0, next.depth + 1) }
        }
        return all
    }

    /// Returns the item with the given name, or with the given number in the list.
    func item(_ nameOrNumber: String) throws -> Item {
        let all = allItems
        let numbers = all.indices.filter { all[$0].item.name == nameOrNumber }
        if let index = numbers.first {
            guard numbers.count == 1 else {
                throw ItemError.ambiguous(nameOrNumber, numbers: numbers.map { $0 + 1 })
            }
            return all[index].item
        }
        guard let number = Int(nameOrNumber), all.indices.contains(number - 1) else {
            throw ItemError.notFound(nameOrNumber)
        }
        return all[number - 1].item
    }
}

// MARK: - Changes

extension ItemStore {
    /// Adds an item after the others in `container`, or after the outermost items.
    mutating func add(_ item: Item, in container: Item? = nil) {
        if let container { container.put(item) } else { items.append(item) }
    }

    /// Removes an item. Its contents take its place.
    mutating func remove(_ item: Item) {
        let container = item.container
        takeOut(item)
        for content in item.contents {
            item.take(content)
            add(content, in: container)
        }
    }

    /// Moves an item with its contents into another one, or to the outermost level.
    mutating func move(_ item: Item, into container: Item?) throws {
        if let container, container.isInside(item) {
            throw ItemError.insideItself(item.name, container: container.name)
        }
        takeOut(item)
        add(item, in: container)
    }

    private mutating func takeOut(_ item: Item) {
        if let container = item.container { container.take(item) } else { items.removeAll { $0 === item } }
    }
}

// MARK: - Files of other programs

extension ItemStore {
    /// Adds the items of a file from another program, for example a Cocoa program with `NSKeyedArchiver`.
    ///
    /// - Parameter className: The name of the class in that file, if `Item` does not know it.
    /// - Returns: The number of items, including those inside others.
    mutating func add(from file: URL, className: String?) throws -> Int {
        var classes = ClassRegistry()
        if let className {
            classes.register(Item.self, name: Item.archiveName, aliases: Item.archiveAliases + [className])
        }
        var other = self
        other.items = try KeyedUnarchiver.unarchivedObject(
            of: [Item].self, from: Data(contentsOf: file), classes: classes)
        try Self.settle(other.items)
        items += other.items
        return other.allItems.count
    }

    /// Writes an item with its contents, or all items, for another program.
    ///
    /// - Parameters:
    ///   - item: The item; nil for all. The item that contains it is not written, since the reference is conditional.
    ///   - className: The other program's name of the class.
    func write(_ item: Item?, to file: URL, className: String?, format: PropertyListFormat) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        if let className { encoder.classes.register(Item.self, name: className) }
        try encoder.encode(Coded(wrappedValue: item.map { [$0] } ?? items), to: file)
    }
}
