// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A possession, with the items inside it.
final class Item: Coding {
    let name: String
    let valueInDollars: Int
    /// The serial number; nil for items without one, and for all items of the first version of the program.
    let serialNumber: String?
    let dateCreated: Date
    private(set) var contents: [Item] = []
    /// The item that contains this one. The reference is weak.
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
        // Required values are decoded with `decode`, which throws if they are missing or of another kind.
        name = try coder.decode(String.self, forKey: version == 0 ? Item.nameKey(in: coder) : "name")
        valueInDollars = try coder.decode(Int.self, forKey: "valueInDollars")
        serialNumber = try coder.decodeIfPresent(String.self, forKey: "serialNumber")
        dateCreated = try coder.decode(Date.self, forKey: "dateCreated")

        // The items inside refer back to this one. They can use it now, since all its properties have a value.
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
        // Conditional: an archive of a lens does not include the bag that contains it. The reference is archived if another
        // reference includes the bag.
        try coder.encodeConditional(container, forKey: "container")
    }

    /// Returns the key of the name in unversioned files of other programs, which use one of two keys.
    private static func nameKey(in coder: KeyedUnarchiver) -> String {
        coder.containsValue(forKey: "itemName") ? "itemName" : "name"
    }
}

// MARK: - Names and versions

extension Item: ArchiveDescribing {
    /// Without this name, the archive would contain "items.Item". After a renaming of the program or the class, old files would
    /// be unreadable.
    static let archiveName = "Item"
    /// The names of the class in the Cocoa programs of well-known courses.
    static let archiveAliases = ["BNRItem", "LOItem", "Possession"]
    /// Version 1 had no serial numbers. Version 0 applies to classes without a version, such as Cocoa's.
    static let archiveVersion = 2
}

// MARK: - Contents

extension Item {
    /// Adds `item` to this one.
    func put(_ item: Item) {
        contents.append(item)
        item.container = self
    }

    /// Removes `item` from this one.
    func take(_ item: Item) {
        contents.removeAll { $0 === item }
        item.container = nil
    }

    /// Sets the item that contains this one, if the file does not contain that reference.
    func settle(in container: Item?) { self.container = container }

    /// Returns whether this item is `item` or inside it.
    func isInside(_ item: Item) -> Bool {
        var place: Item? = self
        while let current = place {
            if current === item { return true }
            place = current.container
        }
        return false
    }
}

/// An error in reading or finding an item.
enum ItemError: Error, Equatable, CustomStringConvertible {
    case newerVersion(Int)
    case inTwoPlaces(String)
    case notFound(String)
    case ambiguous(String, numbers: [Int])
    case insideItself(String, container: String)

    var description: String {
        switch self {
        case .newerVersion(let version):
            "An item has version \(version), but this program knows up to \(Item.archiveVersion); use a newer one"
        case .inTwoPlaces(let name): "The item “\(name)” is in two places at once"
        case .notFound(let name): "There is no item “\(name)”; `items list` shows all items"
        case .ambiguous(let name, let numbers):
            "There are \(numbers.count) items “\(name)”; choose one by its number: "
                + numbers.map(String.init).joined(separator: ", ")
        case .insideItself(let name, let container):
            "“\(name)” cannot be put into “\(container)”, which is the same item or inside it"
        }
    }
}
