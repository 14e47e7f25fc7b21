import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One of the things that somebody owns, with the things that are in it.
final class Item: Coding {
    let name: String
    let valueInDollars: Int
    /// Nil for what has none, and for all items of the first version of the program.
    let serialNumber: String?
    let dateCreated: Date
    private(set) var contents: [Item] = []
    /// The item that this one is in. It is not this item that keeps it alive.
    private(set) weak var container: Item?

    init(name: String, valueInDollars: Int, serialNumber: String? = nil, dateCreated: Date = Date()) {
        self.name = name
        self.valueInDollars = valueInDollars
        self.serialNumber = serialNumber
        self.dateCreated = dateCreated
    }

    // MARK: Archives

    init(coder: KeyedUnarchiver) throws {
        let version = coder.archivedVersion(of: Item.self) ?? 0
        guard version <= Item.archiveVersion else { throw ItemError.newerVersion(version) }
        // Whatever has to be there is decoded with `decode`, which throws where it is missing or of another kind.
        name = try coder.decode(String.self, forKey: version == 0 ? Item.nameKey(in: coder) : "name")
        valueInDollars = try coder.decode(Int.self, forKey: "valueInDollars")
        serialNumber = try coder.decodeIfPresent(String.self, forKey: "serialNumber")
        dateCreated = try coder.decode(Date.self, forKey: "dateCreated")

        // The items inside refer back to this one. From here on they get it, since all its properties have a value.
        coder.publish(self)
        contents = try coder.decodeIfPresent([Item].self, forKey: "contents") ?? []
        container = try coder.decodeIfPresent(Item.self, forKey: "container")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        coder.encode(valueInDollars, forKey: "valueInDollars")
        coder.encode(serialNumber, forKey: "serialNumber")
        coder.encode(dateCreated, forKey: "dateCreated")
        try coder.encode(contents, forKey: "contents")
        // Conditional: whoever archives a lens does not want the bag that it is in. The reference is in the archive if
        // something else puts the bag there.
        try coder.encodeConditional(container, forKey: "container")
    }

    /// The key of the name in files without a version, which other programs wrote: they use one of these two.
    private static func nameKey(in coder: KeyedUnarchiver) -> String {
        coder.containsValue(forKey: "itemName") ? "itemName" : "name"
    }
}

// MARK: - Names and versions

extension Item: ArchiveDescribing {
    /// Without it the file would say "items.Item", and a file would be lost when the program or the class is renamed.
    static let archiveName = "Item"
    /// Names under which the Cocoa programs of well-known courses have the class.
    static let archiveAliases = ["BNRItem", "LOItem", "Possession"]
    /// Version 1 had no serial numbers. Version 0 is what classes without a version have, Cocoa's among them.
    static let archiveVersion = 2
}

// MARK: - Contents

extension Item {
    /// Puts `item` into this one.
    func put(_ item: Item) {
        contents.append(item)
        item.container = self
    }

    /// Takes `item` out of this one.
    func take(_ item: Item) {
        contents.removeAll { $0 === item }
        item.container = nil
    }

    /// Says which item this one is in, for files in which it does not stand.
    func settle(in container: Item?) { self.container = container }

    /// Whether this item is `item`, or somewhere in it.
    func isInside(_ item: Item) -> Bool {
        var place: Item? = self
        while let current = place {
            if current === item { return true }
            place = current.container
        }
        return false
    }
}

/// Why an item cannot be read, or not be found.
enum ItemError: Error, Equatable, CustomStringConvertible {
    case newerVersion(Int)
    case inTwoPlaces(String)
    case notFound(String)
    case ambiguous(String, numbers: [Int])
    case insideItself(String, container: String)

    var description: String {
        switch self {
        case .newerVersion(let version):
            "An item is of version \(version), and this program knows up to \(Item.archiveVersion); use a newer one"
        case .inTwoPlaces(let name): "The item “\(name)” is in two places at once"
        case .notFound(let name): "There is no item “\(name)”; `items list` shows those that there are"
        case .ambiguous(let name, let numbers):
            "There are \(numbers.count) items “\(name)”; say which by its number: "
                + numbers.map(String.init).joined(separator: ", ")
        case .insideItself(let name, let container):
            "“\(name)” cannot be put into “\(container)”, which is the same thing or in it"
        }
    }
}
