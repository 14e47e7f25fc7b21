import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// All items, and the file that they are kept in.
struct ItemStore {
    /// Where the items are unless `--file` says otherwise: `items.archive` in the user's folder.
    static let usualFile = URL.homeDirectory.appending(path: "items.archive")

    /// Where the items are kept.
    let file: URL
    /// The items that are in no other one.
    private(set) var items: [Item] = []

    /// The store of `file`, which is empty where there is no such file yet.
    ///
    /// - Throws: `UnarchivingError` where the file is damaged or of something else, `ItemError` where it makes no sense, and
    ///   what the file system reports. The file stays as it is.
    init(file: URL) throws {
        self.file = file
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        // Secure coding is on: nothing but an array of items is made, whatever the file says.
        items = try KeyedUnarchiver.unarchivedArray(of: Item.self, from: file)
        try Self.settle(items)
    }

    /// Writes all items. The file is replaced as a whole: it has the old items or the new ones, never half of them.
    ///
    /// - Throws: What the file system reports. Then the file is what it was.
    func save() throws {
        try KeyedArchiver.archive(rootObject: items, to: file)
    }

    /// Lets every item know where it is, as far as the file has not said it.
    ///
    /// - Throws: `ItemError.inTwoPlaces` if an item is in two others, or somewhere in itself. An archive can have such
    ///   items, since it has any graph of objects; a list of possessions cannot.
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

// MARK: - Finding

extension ItemStore {
    /// All items in the order of the list, each followed by its contents; the first one has the number 1.
    var allItems: [(item: Item, depth: Int)] {
        var all: [(item: Item, depth: Int)] = []
        var waiting = items.reversed().map { (item: $0, depth: 0) }
        while let next = waiting.popLast() {
            all.append(next)
            waiting += next.item.contents.reversed().map { ($0, next.depth + 1) }
        }
        return all
    }

    /// The item that is called so, or that has this number in the list.
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
    /// Adds an item behind all others in `container`, or behind all that are in none.
    mutating func add(_ item: Item, in container: Item? = nil) {
        if let container { container.put(item) } else { items.append(item) }
    }

    /// Removes an item. What is in it stays, where the item was.
    mutating func remove(_ item: Item) {
        let container = item.container
        takeOut(item)
        for content in item.contents {
            item.take(content)
            add(content, in: container)
        }
    }

    /// Puts an item with all that is in it into another one, or into none.
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
    /// Adds the items of a file that another program wrote, a Cocoa program with `NSKeyedArchiver` among them.
    ///
    /// - Parameter className: The name of the class in that file, if it is none of those that `Item` knows.
    /// - Returns: How many items there were, those inside others included.
    mutating func add(from file: URL, className: String?) throws -> Int {
        var classes = ClassRegistry()
        if let className {
            classes.register(Item.self, name: Item.archiveName, aliases: Item.archiveAliases + [className])
        }
        var other = self
        other.items = try KeyedUnarchiver.unarchivedArray(of: Item.self, from: file, classes: classes)
        try Self.settle(other.items)
        items += other.items
        return other.allItems.count
    }

    /// Writes an item with all that is in it, or all items, for another program.
    ///
    /// - Parameters:
    ///   - item: The item; nil for all. The item that it is in does not go with it, since the reference is conditional.
    ///   - className: The name by which the other program knows the class.
    func write(_ item: Item?, to file: URL, className: String?, format: PropertyListFormat) throws {
        let archiver = KeyedArchiver()
        archiver.outputFormat = format
        if let className { archiver.classes.register(Item.self, name: className) }
        try archiver.encode(item.map { [$0] } ?? items, forKey: "root")
        try archiver.finishEncoding(to: file)
    }
}
