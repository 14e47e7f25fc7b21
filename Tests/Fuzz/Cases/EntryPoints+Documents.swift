// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Deferred properties

extension EntryPoints {
    static let deferred = [
        EntryPoint("deferred, every part") { data in
            let shelf = try decoder().decode(Shelf.self, from: data)
            let first = try ShelfReading(shelf)
            defer { first.takeApart() }
            _ = try first.unload()
            let second = try ShelfReading(shelf)
            defer { second.takeApart() }
            guard agree(first, second) else {
                throw Violation("Parts that were unloaded and not changed are others when they are loaded again")
            }
            return first.value
        },
        EntryPoint("deferred, encoded without being loaded") { data in
            try encodedAgain(decoder().decode(Shelf.self, from: data)) { _ in }
        },
        EntryPoint("deferred, encoded with some loaded") { data in
            try encodedAgain(decoder().decode(Shelf.self, from: data)) { shelf in
                _ = (shelf.nodes.count, shelf.text, shelf.shelves.first?.named.count)
                _ = shelf.stock.wrappedValue.first?.folders.count
            }
        },
        EntryPoint("deferred, in a Coding class") { data in
            let stock = try KeyedUnarchiver.unarchivedObject(of: Stock.self, from: data, classes: Registries.standard)
            let reading = try ShelfReading(stock)
            defer { reading.takeApart() }
            _ = try reading.unload()
            let archiver = KeyedArchiver()
            archiver.classes = Registries.standard
            try archiver.encode(stock, forKey: "root")
            _ = try archiver.finishEncoding()
            return reading.value
        },
        EntryPoint("lists, every element") { data in
            let shelf = try listDecoder().decode(ListedShelf.self, from: data)
            defer { takeApart(shelf) }
            let elements = try elements(of: shelf)
            if let whole = try? decoder().decode(Shelf.self, from: data), (try? whole.$nodes.load()) != nil {
                defer { try? ShelfReading(whole).takeApart() }
                guard elements.nodes == whole.nodes.map(\.name) else {
                    throw Violation("Elements that are decoded one by one are not those of the array")
                }
            }
            return UInt64(elements.nodes.count + elements.named.count + elements.numbers.count)
        },
        EntryPoint("lists, changed and encoded") { data in
            let shelf = try listDecoder().decode(ListedShelf.self, from: data)
            defer { takeApart(shelf) }
            edit(shelf, data.count)
            let expected = try elements(of: shelf)
            var encoder = ArchiveEncoder()
            encoder.classes = Registries.lists
            let encoded = try encoder.encode(shelf)
            let copy = try listDecoder().decode(ListedShelf.self, from: encoded)
            defer { takeApart(copy) }
            guard try elements(of: copy) == expected else { throw Violation("A list that was encoded is another one") }
            return UInt64(encoded.count)
        },
        EntryPoint("deferred, unknown classes left out") { data in try reading(data, Registries.few(.skip)) },
        EntryPoint("deferred, unknown classes as placeholders") { data in
            try reading(data, Registries.few(.placeholder))
        },
        EntryPoint("deferred, without names") { data in try reading(data, ClassRegistry()) },
        EntryPoint("deferred, with small limits") { data in
            var decoder = decoder()
            decoder.limits.nesting = 10
            decoder.limits.objects = 40
            decoder.limits.work = 200
            let reading = try ShelfReading(decoder.decode(Shelf.self, from: data))
            defer { reading.takeApart() }
            return reading.value
        },
    ]

    private static func decoder(_ classes: ClassRegistry = Registries.standard) -> ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.classes = classes
        return decoder
    }

    private static func encoder() -> ArchiveEncoder {
        var encoder = ArchiveEncoder()
        encoder.classes = Registries.standard
        return encoder
    }

    private static func reading(_ data: Data, _ classes: ClassRegistry) throws -> UInt64 {
        let reading = try ShelfReading(decoder(classes).decode(Shelf.self, from: data))
        defer { reading.takeApart() }
        _ = try reading.unload()
        return reading.value
    }

    private static func listDecoder() -> ArchiveDecoder { decoder(Registries.lists) }

    /// The elements of a shelf, decoded one by one.
    private struct Elements: Equatable {
        var nodes: [String?] = []
        var named: [String: String] = [:]
        var numbers: [Int?] = []
    }

    private static func elements(of shelf: ListedShelf) throws -> Elements {
        var elements = Elements()
        try shelf.$nodes.load()
        for place in shelf.nodes.indices { elements.nodes.append(try shelf.nodes.element(at: place)?.name) }
        try shelf.$named.load()
        for key in shelf.named.keys { elements.named[key] = try shelf.named.value(forKey: key)?.name }
        try shelf.$numbers.load()
        elements.numbers = try shelf.numbers.elements(in: 0..<shelf.numbers.count)
        return elements
    }

    fileprivate static func takeApart(_ shelf: ListedShelf) {
        for node in shelf.nodes.compactMap({ $0 }) + shelf.named.map(\.value) {
            (node.next, node.partner, node.byName) = (nil, nil, nil)
            (node.neighbours, node.named, node.children) = ([], [:], [])
        }
    }

    private static func edit(_ shelf: ListedShelf, _ seed: Int) {
        var generator = Generator(seed: UInt64(seed))
        for _ in 0...generator.below(5) {
            let count = shelf.nodes.count
            switch generator.below(6) {
            case 0: shelf.nodes.append(Node("new"))
            case 1: shelf.nodes.insert(Node("first"), at: 0)
            case 2 where count > 0: shelf.nodes.remove(at: generator.below(count))
            case 3 where count > 0: shelf.nodes[generator.below(count)] = Node("other")
            case 4: shelf.named["a"] = Node("named")
            default: shelf.numbers.append(generator.below(9))
            }
        }
    }

    private static func agree(_ first: ShelfReading, _ second: ShelfReading) -> Bool {
        first.isCutOff || second.isCutOff || first.value == second.value
    }

    private static func encodedAgain(_ shelf: Shelf, _ body: (Shelf) -> Void) throws -> UInt64 {
        body(shelf)
        let data = try encoder().encode(shelf)
        let first = try ShelfReading(shelf)
        defer { first.takeApart() }
        try check(first, "encoded") { try decoder().decode(Shelf.self, from: data) }
        return first.value
    }

    /// Checks that what `read` gives is what was read before.
    private static func check(_ first: ShelfReading, _ what: String, _ read: () throws -> Shelf) throws {
        let shelf: Shelf
        do {
            shelf = try read()
        } catch {
            // The limits grow with the bytes, which differ. An object of an unknown class is decoded as the requested class only
            // as long as the archive has no object with that class's name.
            if [.limit, .mismatch, .notAllowed].contains(Outcome.Failure(error)) { return }
            throw Violation("A shelf that was \(what) cannot be decoded: \(error)")
        }
        let second = try ShelfReading(shelf)
        defer { second.takeApart() }
        guard first.hasOtherClasses || second.hasOtherClasses || agree(first, second) else {
            throw Violation("A shelf that was \(what) is another one")
        }
    }
}

// MARK: - Documents

extension EntryPoints {
    static let documents = [
        EntryPoint("document, edited, saved and compacted") { data in
            try inFile(data) { document, url in
                edit(document.root, data.count)
                try save(document, url, "saved") { try $0.save() }
                try compact(document, url)
            }
        },
        EntryPoint("document, loaded, unloaded and saved") { data in
            try inFile(data) { document, url in
                _ = try ShelfReading(document.root).unload()
                edit(document.root, data.count)
                try save(document, url, "saved") { try $0.save() }
                edit(document.root, data.count + 1)
                try save(document, url, "saved twice") { try $0.save() }
            }
        },
        EntryPoint("document, compacted") { data in
            try inFile(data) { document, url in
                try compact(document, url)
                edit(document.root, data.count)
                try save(document, url, "saved then") { try $0.save() }
            }
        },
        EntryPoint("document, saved to another file") { data in
            try inFile(data) { document, url in
                edit(document.root, data.count)
                let other = url.deletingLastPathComponent().appendingPathComponent("other")
                try save(document, other, "saved elsewhere") { try $0.save(to: other) }
                guard try Data(contentsOf: url) == data else {
                    throw Violation("Saving elsewhere changes the old file")
                }
            }
        },
        EntryPoint("document, closed and saved") { data in
            try inFile(data) { document, url in
                edit(document.root, data.count)
                document.close()
                try save(document, url, "closed and saved") { try $0.save(to: url) }
                edit(document.root, data.count + 1)
                try save(document, url, "saved then") { try $0.save() }
            }
        },
        EntryPoint("document, saved again and again") { data in
            try inFile(data) { document, url in
                document.compaction = 0.1
                for step in 0..<9 {
                    edit(document.root, data.count + step)
                    try document.save()
                }
                try save(document, url, "saved again and again") { try $0.save() }
            }
        },
    ]

    private typealias Document = ArchiveDocument<Shelf>

    /// Opens `data` as a document, in a folder of its own.
    private static func inFile(_ data: Data, _ body: (Document, URL) throws -> Void) throws -> UInt64 {
        // Most have nothing in them that could be a document, and need no file.
        _ = try decoder().decode(Shelf.self, from: data)
        let folder = folder.appendingPathComponent(UUID().uuidString, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("document")
        try data.write(to: url)
        let document = try Document(contentsOf: url, encoder: encoder(), decoder: decoder())
        defer { try? ShelfReading(document.root).takeApart() }
        try body(document, url)
        return UInt64(try Data(contentsOf: url).count)
    }

    /// In memory, where there is such a folder: what is saved is flushed to the disk.
    private static let folder: URL = {
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        return FileManager.default.isWritableFile(atPath: memory.path)
            ? memory : FileManager.default.temporaryDirectory
    }()

    /// Saves the document with `body`, and checks that its file opens as the document, or is as it was if that fails.
    private static func save(
        _ document: Document, _ url: URL, _ what: String, _ body: (Document) throws -> ArchiveSaveReport
    ) throws {
        let before = try? Data(contentsOf: url)
        do {
            _ = try body(document)
        } catch {
            guard (try? Data(contentsOf: url)) == before else {
                throw Violation("The file of a document that could not be \(what) has changed: \(error)")
            }
            throw error
        }
        try compare(document, url, what)
    }

    /// Compacts the document. If its file cannot be written once more, since something would be lost, it is saved.
    private static func compact(_ document: Document, _ url: URL) throws {
        do {
            _ = try document.compact()
        } catch let error as DecodingError {
            try compare(document, url, "saved, and could not be compacted")
            throw error
        }
        try compare(document, url, "compacted")
    }

    private static func compare(_ document: Document, _ url: URL, _ what: String) throws {
        let reading = try ShelfReading(document.root)
        let again = { try Document(contentsOf: url, encoder: encoder(), decoder: decoder()) }
        try check(reading, what) { try again().root }
    }

    private static func edit(_ shelf: Shelf, _ seed: Int) {
        var generator = Generator(seed: UInt64(seed))
        for _ in 0...generator.below(4) {
            switch generator.below(13) {
            case 0: shelf.name += "x"
            case 1: shelf.nodes.append(Node("new"))
            case 2: shelf.nodes.first?.number = 7
            case 3: shelf.main = shelf.nodes.last
            case 4: shelf.named["k"] = shelf.main
            case 5: shelf.tags.insert("new")
            case 6: shelf.text += "y"
            case 7: shelf.shelves.append(shelf)
            case 8: shelf.data = Data(count: 300)
            case 9: shelf.nodes = (0..<60).map { Node("\($0)") }
            case 10: shelf.stock.wrappedValue.first?.folders.append(Folder("new"))
            case 11: shelf.nodes = []
            default: shelf.owner = shelf.main
            }
        }
    }
}
