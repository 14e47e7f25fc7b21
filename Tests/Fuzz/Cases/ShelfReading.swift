// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Everything on a shelf, loaded part by part.
final class ShelfReading {
    private var digest = Digest()
    /// Whether there is more than is read, or a limit was met.
    private(set) var isCutOff = false
    /// Whether an object has another class than the requested one. Whether that is an error depends on the other classes that the
    /// archive names, also for unreferenced objects.
    private(set) var hasOtherClasses = false
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var shelves: [Shelf] = []
    private var stocks: [Stock] = []
    private var nodes: [Node] = []
    private var folders: [Folder] = []

    private static let countLimit = 300

    /// Reads the contents of `shelf`, and everything that it reaches.
    ///
    /// - Throws: `Violation` if a part has an error that the library does not throw.
    init(_ shelf: Shelf) throws {
        combine(shelf, \.shelves)
        try readAll()
    }

    /// As `init(_:)`, of what is in stock.
    init(_ stock: Stock) throws {
        combine(stock, \.stocks)
        try readAll()
    }

    /// A number for all of it except weak references: whether these have a target depends on what is loaded.
    var value: UInt64 { digest.value }

    /// Unloads every part that was not changed.
    ///
    /// - Returns: How many were unloaded.
    func unload() throws -> Int {
        let stocks = stocks
        return try shelves.reduce(0) { try $0 + unload($1) } + stocks.reduce(0) { try $0 + unload($1) }
    }

    /// Takes cycles apart, so that everything is released.
    func takeApart() {
        for node in nodes {
            (node.next, node.partner, node.byName) = (nil, nil, nil)
            (node.neighbours, node.named, node.children) = ([], [:], [])
        }
        for folder in folders { folder.folders = [] }
        for shelf in shelves { shelf.shelves = [] }
    }

    private func readAll() throws {
        var read = (shelves: 0, stocks: 0, nodes: 0, folders: 0)
        while true {
            if read.shelves < shelves.count {
                try self.read(shelves[read.shelves])
                read.shelves += 1
            } else if read.stocks < stocks.count {
                try self.read(stocks[read.stocks])
                read.stocks += 1
            } else if read.nodes < nodes.count {
                self.read(nodes[read.nodes])
                read.nodes += 1
            } else if read.folders < folders.count {
                self.read(folders[read.folders])
                read.folders += 1
            } else {
                return
            }
        }
    }

    private func combine<Object: AnyObject>(
        _ object: Object?, _ objects: ReferenceWritableKeyPath<ShelfReading, [Object]>
    ) {
        guard let object else { return digest.combine(-1) }
        let known = numbers[ObjectIdentifier(object)]
        digest.combine(known ?? numbers.count)
        guard known == nil else { return }
        guard numbers.count < Self.countLimit else {
            isCutOff = true
            return
        }
        numbers[ObjectIdentifier(object)] = numbers.count
        self[keyPath: objects].append(object)
    }

    private func combine<Object: AnyObject>(
        _ list: [Object], _ objects: ReferenceWritableKeyPath<ShelfReading, [Object]>
    ) {
        digest.combine(list.count)
        for object in list { combine(object, objects) }
    }

    private func combine<Object: AnyObject>(
        _ list: [String: Object], _ objects: ReferenceWritableKeyPath<ShelfReading, [Object]>
    ) {
        digest.combine(list.count)
        for (key, object) in list.sorted(by: { $0.key < $1.key }) {
            digest.combine(key)
            combine(object, objects)
        }
    }
}

// MARK: - Objects

extension ShelfReading {
    private func read(_ shelf: Shelf) throws {
        digest.combine(shelf.name)
        combine(shelf.node, \.nodes)
        combine(shelf.stock.wrappedValue, \.stocks)
        try read(shelf.$nodes) { combine($0, \.nodes) }
        try read(shelf.$main) { combine($0, \.nodes) }
        try read(shelf.$named) { combine($0, \.nodes) }
        try read(shelf.$tags) { tags in
            for tag in tags.sorted() { digest.combine(tag) }
        }
        try read(shelf.$corners) { digest.combine($0.count) }
        try read(shelf.$text) { digest.combine($0) }
        try read(shelf.$data) { digest.combine($0) }
        try read(shelf.$numbers) { numbers in
            for number in numbers { digest.combine(number) }
        }
        try read(shelf.$things) { things in
            for thing in things { digest.combine("\(type(of: thing.wrappedValue))") }
        }
        try read(shelf.$shelves) { combine($0, \.shelves) }
    }

    private func read(_ stock: Stock) throws {
        digest.combine(stock.name)
        try read(stock.$folders) { combine($0, \.folders) }
        try read(stock.$first) { combine($0, \.folders) }
        try read(stock.$byName) { combine($0, \.folders) }
        try read(stock.$numbers) { numbers in
            for number in numbers { digest.combine(number) }
        }
    }

    private func read(_ node: Node) {
        digest.combine(node.name)
        digest.combine(node.number ?? -1)
        digest.combine(node is Branch ? 1 : 0)
        combine(node.held, \.nodes)
    }

    private func read(_ folder: Folder) {
        digest.combine(folder.name)
        digest.combine(folder.size)
        digest.combine(folder is Disk ? 1 : 0)
        combine(folder.folders, \.folders)
    }

    /// Loads a part, twice if it cannot be loaded.
    private func read<Value: Emptiable>(_ part: Deferred<Value>, _ body: (Value) -> Void) throws {
        do {
            try part.load()
            body(part.wrappedValue)
        } catch {
            let failure = Outcome.Failure(error)
            guard failure != .other else {
                throw Violation("A part has an error that is none of the library's: \(error)")
            }
            guard !part.isLoaded, part.error != nil, (try? part.load()) == nil else {
                throw Violation("A part that cannot be loaded is loaded: \(error)")
            }
            _ = part.wrappedValue
            if failure == .limit { isCutOff = true }
            if failure == .mismatch || failure == .notAllowed { hasOtherClasses = true }
            digest.combine("error")
        }
    }
}

// MARK: - Letting go

extension ShelfReading {
    private func unload(_ shelf: Shelf) throws -> Int {
        try [
            unload(shelf.$nodes), unload(shelf.$main), unload(shelf.$named), unload(shelf.$tags),
            unload(shelf.$corners), unload(shelf.$text), unload(shelf.$data), unload(shelf.$numbers),
            unload(shelf.$things), unload(shelf.$shelves),
        ].count { $0 }
    }

    private func unload(_ stock: Stock) throws -> Int {
        try [
            unload(stock.$folders), unload(stock.$first), unload(stock.$byName), unload(stock.$numbers),
        ].count { $0 }
    }

    private func unload<Value>(_ part: Deferred<Value>) throws -> Bool {
        guard part.isLoaded else { return false }
        do {
            try part.unload()
            return true
        } catch {
            // What damaged bytes give may be encoded otherwise.
            guard Outcome.Failure(error) != .other else { throw error }
            return false
        }
    }
}
