// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A graph whose archive is so large that it is loaded from its file page by page.
public struct Catalogue: Codable, ArchiveDescribing {
    /// The same in all programs.
    public static let archiveName = "Catalogue"

    /// What is in it.
    public var items: [Item]

    /// A catalogue of `count` items, which share ten owners. An item takes some 150 bytes in an archive.
    public init(count: Int) {
        let owners = (0..<10).map { Owner(name: "owner \($0)") }
        items = (0..<count).map { Item(number: $0, owner: owners[$0 % 10]) }
        for index in items.indices { items[index].next = next(of: index) }
    }

    /// The items are in chains of a hundred: one that goes in a recursion has to fit the stack.
    private func next(of index: Int) -> Item? {
        index % 100 < 99 && index + 1 < items.count ? items[index + 1] : nil
    }

    /// Whether it is as it was made.
    public var isWhole: Bool {
        for (index, item) in items.enumerated() {
            guard item.number == index, item.name == Item.name(index), item.image.count == 40 + index % 30,
                item.owner === items[index % 10].owner, item.next === next(of: index)
            else { return false }
        }
        return true
    }

    /// A thing in a catalogue, with a value of each kind.
    public final class Item: Codable, ArchiveDescribing {
        /// The same in all programs.
        public class var archiveName: String { "Item" }

        /// Its position.
        public let number: Int
        /// Some forty characters.
        public let name: String
        /// One of seven tags, and a number that belongs to the item.
        public let tags: [String: Double]
        /// Forty to seventy bytes.
        public let image: Data
        /// One that others have as well.
        public let owner: Owner
        /// The one after it; nil for the last of a hundred.
        @Reference public var next: Item?

        init(number: Int, owner: Owner) {
            self.number = number
            name = Self.name(number)
            tags = ["tag \(number % 7)": Double(number) / 3]
            image = Data(repeating: UInt8(truncatingIfNeeded: number), count: 40 + number % 30)
            self.owner = owner
        }

        static func name(_ number: Int) -> String { "the item with the number \(number)" }
    }

    /// The owner of many items.
    public final class Owner: Codable, ArchiveDescribing {
        /// The same in all programs.
        public class var archiveName: String { "Owner" }

        /// Who it is.
        public let name: String

        init(name: String) { self.name = name }
    }
}
