// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import SequentialArchiving

/// Renames classes in an archive and in archives in its data.
struct ClassRenaming {
    /// The old and new names. All change at the same time, so two classes can exchange their names.
    let names: [(old: String, new: String)]
    /// Whether archives in data change as well.
    let changesNested: Bool

    /// For each of `names`, the number of objects of the class.
    private(set) var objectCounts: [Int]
    /// For each of `names`, the number of class entries of the class and its subclasses.
    private(set) var entryCounts: [Int]
    /// For each of `names`, whether a class had the new name before.
    private(set) var wasTaken: [Bool]
    /// The names of all classes.
    private(set) var known: Set<String> = []
    /// The number of archives in data that have changed.
    private(set) var nestedCount = 0

    /// Levels of archives in data of archives.
    private static let levelLimit = 16

    init(_ names: [(old: String, new: String)], changesNested: Bool) {
        self.names = names
        self.changesNested = changesNested
        objectCounts = names.map { _ in 0 }
        entryCounts = objectCounts
        wasTaken = names.map { _ in false }
    }

    /// `archive` with the new names; nil if no name changes.
    ///
    /// - Throws: `KeyedArchiveError` if it is damaged.
    mutating func renamed(_ archive: KeyedArchive) throws(KeyedArchiveError) -> KeyedArchiveEditor? {
        try renamed(archive, level: 0)
    }

    /// `list`, which is no archive, with the new names in the archives in its data; nil if no name changes.
    ///
    /// - Throws: `KeyedArchiveError` if an archive is damaged.
    mutating func renamed(_ list: PropertyList) throws(KeyedArchiveError) -> PropertyList? { try changed(list, 0) }

    private mutating func renamed(_ archive: KeyedArchive, level: Int) throws(KeyedArchiveError) -> KeyedArchiveEditor?
    {
        var editor = try KeyedArchiveEditor(archive)
        var hasChanged = false
        let present = count(in: archive)
        // Temporary names ensure that no name changes twice.
        let passing = names.indices.map { "\u{FFFD}\($0)\u{FFFD}" }
        for index in names.indices where present[index] {
            try editor.renameClass(names[index].old, to: passing[index])
            hasChanged = true
        }
        for index in names.indices where present[index] { try editor.renameClass(passing[index], to: names[index].new) }
        if changesNested, level < Self.levelLimit {
            for uid in 0..<UInt32(truncatingIfNeeded: archive.objects.count) {
                guard let object = editor[uid: uid], let changed = try changed(object, level) else { continue }
                try editor.replaceObject(uid, with: changed)
                hasChanged = true
            }
        }
        return hasChanged ? editor : nil
    }

    /// Counts the classes with old names and their objects.
    ///
    /// - Returns: For each of `names` whether the archive has it.
    private mutating func count(in archive: KeyedArchive) -> [Bool] {
        var present = names.map { _ in false }
        for described in archive.classes {
            known.insert(described.name)
            for (index, name) in names.enumerated() {
                if described.name == name.new { wasTaken[index] = true }
                guard described.name == name.old || described.chain.contains(name.old) else { continue }
                present[index] = true
                entryCounts[index] += 1
            }
        }
        guard present.contains(true) else { return present }
        for object in archive.objects {
            guard let className = object.className else { continue }
            for (index, name) in names.enumerated() where className == name.old { objectCounts[index] += 1 }
        }
        return present
    }

    /// `object` with the changed archives in its data; nil if none has changed.
    private mutating func changed(_ object: PropertyList, _ level: Int) throws(KeyedArchiveError) -> PropertyList? {
        var hasChanged = false
        let result = try object.mapLeaves { (leaf: PropertyList) throws(KeyedArchiveError) -> PropertyList in
            guard case .data(let data) = leaf, let other = try renamed(data, level) else { return leaf }
            hasChanged = true
            return .data(other)
        }
        return hasChanged ? result : nil
    }

    /// The changed archive or typedstream in `data`; nil if it is none, or does not change.
    private mutating func renamed(_ data: Data, _ level: Int) throws(KeyedArchiveError) -> Data? {
        if TypedStream.isBeginning(data) {
            guard var stream = try? TypedStream(data), rename(&stream) else { return nil }
            guard let result = try? stream.data() else { return nil }
            nestedCount += 1
            return result
        }
        guard let format = PropertyListFormat(detectedIn: data.prefix(64)) else { return nil }
        guard let archive = try? KeyedArchive(data) else {
            // A list of settings in data may have archives in its data.
            guard level < Self.levelLimit, let list = try? PropertyList(data), !list.hasKeysOfArchives else {
                return nil
            }
            return try changed(list, level + 1).flatMap { try? $0.data(format: format) }
        }
        // A damaged archive does not change.
        guard let editor = try? renamed(archive, level: level + 1) else { return nil }
        guard let result = try? editor.propertyList.data(format: archive.format) else { return nil }
        nestedCount += 1
        return result
    }

    /// Changes the names in `stream`.
    ///
    /// - Returns: Whether it has any of the old names.
    mutating func rename(_ stream: inout TypedStream) -> Bool {
        var hasChanged = false
        for position in stream.classes.indices {
            let className = stream.classes[position].name
            known.insert(className)
            for (index, name) in names.enumerated() where className == name.new { wasTaken[index] = true }
            guard let index = names.firstIndex(where: { $0.old == className }) else { continue }
            stream.classes[position].name = names[index].new
            entryCounts[index] += 1
            objectCounts[index] += stream.objects.count { $0.classIndex == position }
            hasChanged = true
        }
        return hasChanged
    }
}

extension PropertyList {
    /// Whether the list has a key of keyed archives, and was therefore meant to be one.
    var hasKeysOfArchives: Bool { ["$objects", "$archiver", "$top"].contains { self[$0] != nil } }
}
