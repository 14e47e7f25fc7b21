// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An object with deferred parts of every kind.
public final class Shelf: Codable {
    var name: String
    var node: Node?
    var stock = Coded<[Stock]>(wrappedValue: [])
    @WeakReference var owner: Node?
    @Deferred var nodes: [Node]
    @Deferred var main: Node?
    @Deferred var named: [String: Node]
    @Deferred var tags: Set<String>
    @Deferred var corners: Set<Corner>
    @Deferred var text: String
    @Deferred var data: Data
    @Deferred var numbers: [Int]
    @Deferred var things: [Polymorphic<any Thing>]
    @Deferred var shelves: [Shelf]

    /// A shelf with nothing on it.
    public init(_ name: String) {
        self.name = name
        nodes = []
        main = nil
        named = [:]
        tags = []
        corners = []
        text = ""
        data = Data()
        numbers = []
        things = []
        shelves = []
    }
}

/// A shelf whose nodes are decoded one by one. Its archived form is that of `Shelf`.
final class ListedShelf: Codable {
    var name: String
    @Deferred var nodes: ArchivedList<Node?>
    @Deferred var named: ArchivedDictionary<String, Node>
    @Deferred var numbers: ArchivedList<Int?>
}

/// A `Coding` class with deferred parts.
public final class Stock: Coding {
    let name: String
    @Deferred var folders: [Folder]
    @Deferred var first: Folder?
    @Deferred var byName: [String: Folder]
    @Deferred var numbers: [Int]

    init(_ name: String, _ folders: [Folder]) {
        self.name = name
        self.folders = folders
        first = folders.first
        byName = Dictionary(folders.map { ($0.name, $0) }) { first, _ in first }
        numbers = [1, 2]
    }

    /// Reads the name, and where the parts are.
    public init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        _folders = try coder.decodeDeferred([Folder].self, forKey: "folders")
        _first = try coder.decodeDeferred(Folder?.self, forKey: "first")
        _byName = try coder.decodeDeferred([String: Folder].self, forKey: "byName")
        _numbers = try coder.decodeDeferred([Int].self, forKey: "numbers")
    }

    /// Writes what `init(coder:)` reads.
    public func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        try coder.encodeDeferred($folders, forKey: "folders")
        try coder.encodeDeferred($first, forKey: "first")
        try coder.encodeDeferred($byName, forKey: "byName")
        try coder.encodeDeferred($numbers, forKey: "numbers")
    }
}
