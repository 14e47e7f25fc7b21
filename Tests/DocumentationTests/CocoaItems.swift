// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Foundation

// The classes that the article on migrating from NSCoding begins with. They are at the top of a file of their own, since
// Foundation archives no others on Linux, and the classes that they become have the same names.

final class Item: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true

    let name: String
    let count: Int
    let price: Double
    let added: Date?
    let tags: [String]
    weak var list: ItemList?

    init(name: String, count: Int, price: Double, added: Date?, tags: [String]) {
        self.name = name
        self.count = count
        self.price = price
        self.added = added
        self.tags = tags
    }

    required init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = name as String
        count = coder.decodeInteger(forKey: "count")
        price = coder.decodeDouble(forKey: "price")
        let hasDate = coder.containsValue(forKey: "added")
        added = hasDate ? coder.decodeObject(of: NSDate.self, forKey: "added") as Date? : nil
        tags = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "tags") as? [String] ?? []
        if coder.containsValue(forKey: "list") { list = coder.decodeObject(of: ItemList.self, forKey: "list") }
    }

    func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        coder.encode(count, forKey: "count")
        coder.encode(price, forKey: "price")
        coder.encode(added as NSDate?, forKey: "added")
        coder.encode(tags as NSArray, forKey: "tags")
        coder.encodeConditionalObject(list, forKey: "list")
    }
}

final class ItemList: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true

    let title: String
    private(set) var items: [Item] = []

    init(title: String) { self.title = title }

    func add(_ item: Item) {
        items.append(item)
        item.list = self
    }

    required init?(coder: NSCoder) {
        guard let title = coder.decodeObject(of: NSString.self, forKey: "title") else { return nil }
        self.title = title as String
        super.init()
        items = coder.decodeObject(of: [NSArray.self, Item.self], forKey: "items") as? [Item] ?? []
    }

    func encode(with coder: NSCoder) {
        coder.encode(title as NSString, forKey: "title")
        coder.encode(items as NSArray, forKey: "items")
    }
}

/// What programs with these classes do.
enum CocoaProgram {
    static func saved(_ list: ItemList) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)
    }

    static func savedAndLoaded(_ list: ItemList) throws -> ItemList? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)
        let again = try NSKeyedUnarchiver.unarchivedObject(ofClass: ItemList.self, from: data)
        return again
    }

    static func loaded(_ forOldPrograms: Data) throws -> ItemList? {
        let list = try NSKeyedUnarchiver.unarchivedObject(ofClass: ItemList.self, from: forOldPrograms)
        return list
    }

    static func list() -> ItemList {
        let list = ItemList(title: "Garden")
        let date = Date(timeIntervalSinceReferenceDate: 86_400)
        list.add(Item(name: "Spade", count: 2, price: 12.5, added: date, tags: ["tool", "iron"]))
        list.add(Item(name: "Seeds", count: 300, price: 0.5, added: nil, tags: []))
        return list
    }
}
