import Archiving
import Foundation
import Testing

/// A program that keeps a list of things in a file.
@Suite("The item store")
struct ItemStoreTests {
    private typealias Item = ItemStore.Item

    /// A folder that is there while `body` runs.
    private func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ItemStore-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// A store with two items, in `folder`.
    private func filledStore(in folder: URL) throws -> ItemStore {
        let store = try ItemStore(file: folder.appendingPathComponent("items.archive"))
        let bear = Item(
            name: "Rusty bear", valueInDollars: 74, serialNumber: "4B1Z9",
            dateCreated: Date(timeIntervalSinceReferenceDate: 700_000_000.25))
        let spork = Item(
            name: "Shiny spork", valueInDollars: 3, dateCreated: Date(timeIntervalSinceReferenceDate: -1.5))
        store.add(bear)
        store.add(spork)
        return store
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("begins empty, without a file")
    func first() throws {
        try withFolder { folder in
            let store = try ItemStore(file: folder.appendingPathComponent("items.archive"))
            guard case .new = store.start else { throw UnexpectedStart(store.start) }
            #expect(store.items.isEmpty)
            #expect(try names(in: folder) == [])
        }
    }

    @Test("finds all items again, in their order")
    func again() throws {
        try withFolder { folder in
            let store = try filledStore(in: folder)
            try store.save()

            let again = try ItemStore(file: store.file)
            guard case .loaded = again.start else { throw UnexpectedStart(again.start) }
            #expect(again.items.map(\.name) == ["Rusty bear", "Shiny spork"])
            #expect(again.items.map(\.valueInDollars) == [74, 3])
            #expect(again.items.map(\.serialNumber) == ["4B1Z9", nil])
            #expect(again.items.map(\.dateCreated.timeIntervalSinceReferenceDate) == [700_000_000.25, -1.5])
        }
    }

    @Test("writes when it is asked to, and not before")
    func onRequest() throws {
        try withFolder { folder in
            let store = try filledStore(in: folder)
            #expect(try names(in: folder) == [])
            try store.save()
            #expect(try names(in: folder) == ["items.archive"])
            store.move(from: 1, to: 0)
            store.remove(store.items[1])
            #expect(try ItemStore(file: store.file).items.map(\.name) == ["Rusty bear", "Shiny spork"])
            try store.save()
            #expect(try ItemStore(file: store.file).items.map(\.name) == ["Shiny spork"])
            #expect(try names(in: folder) == ["items.archive"])
        }
    }

    @Test("saves nothing but an empty list when it is empty")
    func empty() throws {
        try withFolder { folder in
            let store = try ItemStore(file: folder.appendingPathComponent("items.archive"))
            try store.save()
            let again = try ItemStore(file: store.file)
            guard case .loaded = again.start else { throw UnexpectedStart(again.start) }
            #expect(again.items.isEmpty)
        }
    }

    @Test("has an item once that is in the list twice")
    func twice() throws {
        try withFolder { folder in
            let store = try filledStore(in: folder)
            store.add(store.items[0])
            try store.save()
            let again = try ItemStore(file: store.file)
            #expect(again.items.count == 3)
            #expect(again.items[2] === again.items[0])
            #expect(again.items[1] !== again.items[0])
        }
    }

    // MARK: Files that cannot be read

    /// What may have become of the file.
    enum Damage: String, CaseIterable {
        case empty, text, cutInHalf, lastByteMissing, otherPropertyList, otherObject, missingField, numberAsText

        func damaged(_ data: Data) throws -> Data {
            switch self {
            case .empty: return Data()
            case .text: return Data("<html>404 Not Found</html>".utf8)
            case .cutInHalf: return data.prefix(data.count / 2)
            case .lastByteMissing: return data.dropLast()
            case .otherPropertyList: return try (["version": 1] as PropertyList).data(format: .binary)
            case .otherObject: return try KeyedArchiver.archivedData(withRootObject: "a string")
            case .missingField: return try itemArchive(["name": "Bear", "$class": .uid(3)])
            case .numberAsText:
                return try itemArchive(
                    ["name": "Bear", "valueInDollars": "74", "dateCreated": .date(Date()), "$class": .uid(3)])
            }
        }

        /// An archive of a list of one item, which has `entries`.
        private func itemArchive(_ entries: PropertyList) throws -> Data {
            try handmadeArchive(
                ["NS.objects": [.uid(2)], "$class": .uid(4)], entries,
                ["$classname": "Item", "$classes": ["Item", "NSObject"]],
                ["$classname": "NSArray", "$classes": ["NSArray", "NSObject"]])
        }
    }

    @Test("survives a file that it cannot read, and keeps it", arguments: Damage.allCases)
    func damage(_ damage: Damage) throws {
        try withFolder { folder in
            let store = try filledStore(in: folder)
            try store.save()
            let data = try damage.damaged(Data(contentsOf: store.file))
            try data.write(to: store.file)

            let again = try ItemStore(file: store.file)
            guard case .damaged(let error, let url) = again.start else { throw UnexpectedStart(again.start) }
            #expect(again.items.isEmpty)
            #expect(url.lastPathComponent == "items.archive.damaged")
            #expect(try Data(contentsOf: url) == data)
            #expect(!"\(error)".isEmpty)

            // It goes on as if there had been no file.
            again.add(Item(name: "New chair", valueInDollars: 10))
            try again.save()
            #expect(try ItemStore(file: store.file).items.map(\.name) == ["New chair"])
            #expect(try names(in: folder) == ["items.archive", "items.archive.damaged"])
        }
    }

    @Test("keeps every file that it could not read")
    func severalDamaged() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("items.archive")
            for number in 1...3 {
                try Data("damage \(number)".utf8).write(to: file)
                _ = try ItemStore(file: file)
            }
            let expected = ["items.archive.damaged", "items.archive.damaged 2", "items.archive.damaged 3"]
            #expect(try names(in: folder) == expected)
            let contents = try expected.map {
                try String(decoding: Data(contentsOf: folder.appendingPathComponent($0)), as: UTF8.self)
            }
            #expect(contents == ["damage 1", "damage 2", "damage 3"])
        }
    }

    @Test("says what is wrong with a file")
    func explanation() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("items.archive")
            try Damage.missingField.damaged(Data()).write(to: file)
            guard case .damaged(let error, _) = try ItemStore(file: file).start else { throw NoDamage() }
            let unarchivingError = try #require(error as? UnarchivingError)
            #expect(unarchivingError.code == .valueNotFound)
            #expect("\(unarchivingError)".contains("valueInDollars"))
        }
    }

    @Test(
        "is told what is wrong whichever byte of a file is another one", arguments: [0x00, 0x01, 0x7F, 0xFF] as [UInt8])
    func everyByte(_ change: UInt8) throws {
        let items = [
            Item(name: "Rusty bear", valueInDollars: 74, serialNumber: "4B1Z9"), Item(name: "b", valueInDollars: 3),
        ]
        let data = try KeyedArchiver.archivedData(withRootObject: items + items)
        var errorCount = 0
        for position in data.indices {
            var damaged = data
            damaged[position] = change == 0x00 ? 0x00 : damaged[position] ^ change
            do {
                // A byte of a name, a number or a date may be any other.
                #expect(try KeyedUnarchiver.unarchivedArray(of: Item.self, from: damaged).count == 4)
            } catch is UnarchivingError {
                errorCount += 1
            }
        }
        #expect(errorCount > data.count / 4)
    }

    // MARK: Saving that fails

    @Test("leaves the old file where an item cannot be saved")
    func failingItem() throws {
        try withFolder { folder in
            let store = try filledStore(in: folder)
            try store.save()
            let before = try Data(contentsOf: store.file)

            store.add(Item(name: "", valueInDollars: 12))
            #expect(throws: ItemStore.SaveError.noName(valueInDollars: 12)) { try store.save() }
            #expect(try Data(contentsOf: store.file) == before)
            #expect(try names(in: folder) == ["items.archive"])
            #expect(try ItemStore(file: store.file).items.count == 2)

            // The store has lost nothing either, and can be saved when the item has a name.
            #expect(store.items.count == 3)
            store.items[2].name = "Nameless"
            try store.save()
            #expect(try ItemStore(file: store.file).items.map(\.name) == ["Rusty bear", "Shiny spork", "Nameless"])
        }
    }

    @Test("throws where there is no place for the file, and keeps its items")
    func noFolder() throws {
        try withFolder { folder in
            let store = try ItemStore(file: folder.appendingPathComponent("missing/items.archive"))
            store.add(Item(name: "Bear", valueInDollars: 1))
            #expect(throws: (any Error).self) { try store.save() }
            #expect(store.items.count == 1)
            #expect(try names(in: folder) == [])
        }
    }

    // MARK: Other programs

    @Test("reads what the Cocoa program of that name has written")
    func cocoa() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("items.archive")
            let archive = try handmadeArchive(
                ["NS.objects": [.uid(2)], "$class": .uid(7)],
                [
                    "itemName": "unused", "name": .uid(3), "serialNumber": .uid(0), "valueInDollars": 74,
                    "dateCreated": .uid(4), "$class": .uid(6),
                ],
                "Rusty bear",
                ["NS.time": 1.5, "$class": .uid(5)],
                ["$classname": "NSDate", "$classes": ["NSDate", "NSObject"]],
                ["$classname": "LOItem", "$classes": ["LOItem", "NSObject"]],
                ["$classname": "NSMutableArray", "$classes": ["NSMutableArray", "NSArray", "NSObject"]])
            try archive.write(to: file)
            let store = try ItemStore(file: file)
            guard case .loaded = store.start else { throw UnexpectedStart(store.start) }
            #expect(store.items.map(\.name) == ["Rusty bear"])
            #expect(store.items.map(\.serialNumber) == [nil])
            #expect(store.items.map(\.dateCreated.timeIntervalSinceReferenceDate) == [1.5])
        }
    }

    private struct UnexpectedStart: Error, CustomStringConvertible {
        let description: String
        init(_ start: ItemStore.Start) { description = "\(start)" }
    }

    private struct NoDamage: Error {}
}
