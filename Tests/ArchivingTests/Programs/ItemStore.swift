import Archiving
import Foundation

/// All items, and the file that they are kept in.
///
/// The file is read when the store is made, and written when somebody asks for it. A file that cannot be read is no
/// reason to stop: it is moved aside, so that nothing is lost, and the store begins empty.
final class ItemStore {
    /// What became of the file when the store was made.
    enum Start {
        /// There was none.
        case new
        /// It was read.
        case loaded
        /// It could not be read, and lies at `url` now.
        case damaged(any Error, url: URL)
    }

    let file: URL
    let start: Start
    private(set) var items: [Item]

    /// The store of `file`.
    ///
    /// - Throws: What the file system reports, when it cannot read the file or move it aside.
    init(file: URL) throws {
        self.file = file
        guard FileManager.default.fileExists(atPath: file.path) else {
            items = []
            start = .new
            return
        }
        let data = try Data(contentsOf: file)
        do {
            items = try KeyedUnarchiver.unarchivedArray(of: Item.self, from: data)
            start = .loaded
        } catch {
            items = []
            start = .damaged(error, url: try Self.moveAside(file))
        }
    }

    /// Moves `file` to the first name beside it that is free: "items.archive.damaged", "items.archive.damaged 2", …
    private static func moveAside(_ file: URL) throws -> URL {
        var number = 1
        var url = file.appendingPathExtension("damaged")
        while FileManager.default.fileExists(atPath: url.path) {
            number += 1
            url = file.appendingPathExtension("damaged \(number)")
        }
        try FileManager.default.moveItem(at: file, to: url)
        return url
    }
}

extension ItemStore {
    func add(_ item: Item) {
        items.append(item)
    }

    func remove(_ item: Item) {
        items.removeAll { $0 === item }
    }

    /// Moves the item at one position to another.
    func move(from: Int, to: Int) {
        items.insert(items.remove(at: from), at: to)
    }

    /// Writes all items. Where that fails, the file is what it was.
    func save() throws {
        try KeyedArchiver.archive(rootObject: items, to: file)
    }
}

// MARK: - Items

extension ItemStore {
    /// One of the things that somebody owns.
    final class Item: Coding, ArchiveNamed {
        static let archiveName = "Item"
        static let archiveAliases = ["LOItem"]

        var name: String
        var valueInDollars: Int
        var serialNumber: String?
        let dateCreated: Date

        init(name: String, valueInDollars: Int, serialNumber: String? = nil, dateCreated: Date = Date()) {
            self.name = name
            self.valueInDollars = valueInDollars
            self.serialNumber = serialNumber
            self.dateCreated = dateCreated
        }

        init(coder: KeyedUnarchiver) throws {
            name = try coder.decode(String.self, forKey: "name")
            valueInDollars = try coder.decode(Int.self, forKey: "valueInDollars")
            serialNumber = try coder.decodeString(forKey: "serialNumber")
            dateCreated = try coder.decode(Date.self, forKey: "dateCreated")
        }

        func encode(with coder: KeyedArchiver) throws {
            guard !name.isEmpty else { throw SaveError.noName(valueInDollars: valueInDollars) }
            coder.encode(name, forKey: "name")
            coder.encode(valueInDollars, forKey: "valueInDollars")
            coder.encode(serialNumber, forKey: "serialNumber")
            coder.encode(dateCreated, forKey: "dateCreated")
        }
    }

    /// Why an item cannot be saved.
    enum SaveError: Error, Equatable {
        case noName(valueInDollars: Int)
    }
}
