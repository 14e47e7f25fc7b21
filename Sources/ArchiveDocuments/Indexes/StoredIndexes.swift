// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// The indexes of an archive: for each the uids of the objects of some classes, in the order of the values of some of their fields.
///
/// They are plain data under the key `$indexes` of the archive's root, so that unarchivers do not read them, and that they keep no
/// object in the archive. Another program that writes the whole archive may keep them although its objects have other uids or
/// values. Therefore they have a stamp: an integer whose value is its own offset in the file.
package struct StoredIndexes {
    package static let stampKey = "stamp"
    package static let unreachedKey = "unreached"
    /// The maximum number of indexes of an archive. Each is read by a save.
    package static let limit = 64

    private let contents: ArchiveContents
    private let node: Node
    /// The number of the dictionary in the property list.
    package let number: Int
    /// The number of the stamp in the property list.
    package let stamp: Int
    /// The objects that the top of the archive does not reach, and that may have entries; nil if they are not known.
    package let unreached: Set<UInt32>?

    /// Reads the indexes of an archive.
    ///
    /// - Returns: `nil` if the archive has none, or if another program has written it since.
    package init?(in contents: ArchiveContents) {
        guard let number = Self.number(in: contents), let node = try? contents.node(number), node.kind == .dictionary,
            node.count <= Self.limit + 2,
            let stamp = Self.entry(Self.stampKey, of: node, in: contents), let stampNode = try? contents.node(stamp),
            stampNode.kind == .integer, let offset = try? contents.list.offset(of: stamp),
            contents.list.objects.integer(stampNode) == Int128(offset)
        else { return nil }
        self.contents = contents
        self.node = node
        self.number = number
        self.stamp = stamp
        let uids = Self.entry(Self.unreachedKey, of: node, in: contents).flatMap { try? contents.node($0) }
        unreached = uids?.kind == .data ? uids.map { Set(contents.entries(ofIndex: $0)) } : nil
    }

    /// Returns the number of the object under `$indexes` in the property list, in any state; nil if there is none.
    package static func number(in contents: ArchiveContents) -> Int? {
        guard let root = try? contents.node(contents.list.top) else { return nil }
        return entry(KeyedArchiveFormat.indexesKey, of: root, in: contents)
    }

    /// Returns the index `name`; nil if there is none, or if it is damaged.
    package func index(_ name: String) -> StoredIndex? {
        Self.entry(name, of: node, in: contents).flatMap { StoredIndex($0, in: contents) }
    }

    /// Returns the index whose dictionary is the object `number` of the property list; nil if it is damaged.
    package func index(at number: Int) -> StoredIndex? { StoredIndex(number, in: contents) }

    package var indexes: [(name: String, number: Int)] {
        (0..<node.count).compactMap { position in
            guard let key = try? contents.node(contents.list.reference(position, in: node.payload)),
                key.kind == .ascii || key.kind == .utf16
            else { return nil }
            let name = String(decoding: contents.text(key), as: UTF8.self)
            guard name != Self.stampKey, name != Self.unreachedKey else { return nil }
            return (name, contents.list.reference(node.count + position, in: node.payload))
        }
    }

    fileprivate static func entry(_ name: String, of node: Node, in contents: ArchiveContents) -> Int? {
        guard node.kind == .dictionary else { return nil }
        for position in 0..<node.count
        where contents.isStoredKey(contents.list.reference(position, in: node.payload), name) {
            return contents.list.reference(node.count + position, in: node.payload)
        }
        return nil
    }
}

/// One index of an archive.
package struct StoredIndex {
    package static let classesKey = "classes"
    package static let othersKey = "others"
    package static let pagesKey = "pages"

    package enum Part: UInt8 {
        /// They are not in the index.
        case none
        /// They are sorted by their fields.
        case sorted
        /// A reader has to decode them.
        case others
    }

    /// The place of an entry. A place after the last entry of a page is that of the first entry after it.
    package struct Place: Comparable {
        package var group = 0
        package var page = 0
        package var entry = 0

        package init() {}

        package static func < (left: Place, right: Place) -> Bool {
            (left.group, left.page, left.entry) < (right.group, right.page, right.entry)
        }

        fileprivate init(group: Int, page: Int = 0) {
            self.group = group
            self.page = page
        }
    }

    package static let entrySize = 4
    package static let pageLimit = 512
    package static let groupLimit = 256
    private static let classSize = 5

    private let contents: ArchiveContents
    private let groups: Node
    /// The number of the list of groups in the property list.
    package let number: Int
    package let classes: [UInt32: Part]
    /// The number of the list of ``others`` in the property list.
    package let othersNumber: Int
    /// The objects that are not sorted, because their fields are absent or have other forms.
    package let others: [UInt32]

    fileprivate init?(_ number: Int, in contents: ArchiveContents) {
        func node(_ name: String, _ kind: Node.Kind) -> Node? {
            guard let entries = try? contents.node(number),
                let reference = StoredIndexes.entry(name, of: entries, in: contents),
                let node = try? contents.node(reference), node.kind == kind
            else { return nil }
            return node
        }
        guard let entries = try? contents.node(number),
            let pagesNumber = StoredIndexes.entry(Self.pagesKey, of: entries, in: contents),
            let othersNumber = StoredIndexes.entry(Self.othersKey, of: entries, in: contents),
            let pages = node(Self.pagesKey, .array), let classes = node(Self.classesKey, .data),
            let others = node(Self.othersKey, .data), classes.count % Self.classSize == 0,
            others.count % Self.entrySize == 0
        else { return nil }
        // In a damaged file, a list could be in others many times.
        var pageCount = 0
        for group in 0..<pages.count {
            guard let list = try? contents.node(contents.list.reference(group, in: pages.payload)), list.kind == .array
            else { return nil }
            pageCount += list.count
            guard pageCount <= contents.list.objectCount else { return nil }
        }
        self.contents = contents
        self.number = pagesNumber
        self.othersNumber = othersNumber
        groups = pages
        self.others = contents.entries(ofIndex: others)
        let bytes = contents.list.bytes
        var parts: [UInt32: Part] = [:]
        for place in stride(from: classes.payload, to: classes.payload + classes.count, by: Self.classSize) {
            let uid = UInt32(bytes.number(at: place, size: Self.entrySize))
            guard let part = Part(rawValue: bytes.byte(at: place + Self.entrySize)) else { return nil }
            parts[uid] = part
        }
        self.classes = parts
    }

    package static func bytes(of classes: [UInt32: Part]) -> [UInt8] {
        classes.sorted { $0.key < $1.key }.flatMap { uid, part in bytes(of: uid) + [part.rawValue] }
    }

    package static func bytes(of uids: [UInt32]) -> [UInt8] { uids.flatMap { bytes(of: $0) } }

    private static func bytes(of uid: UInt32) -> [UInt8] {
        [UInt8(uid >> 24), UInt8(uid >> 16 & 0xFF), UInt8(uid >> 8 & 0xFF), UInt8(uid & 0xFF)]
    }
}

// MARK: - Pages

extension StoredIndex {
    /// The maximum number of entries of an index that is not damaged.
    package var entryLimit: Int { contents.slotCount }

    package var groupCount: Int { groups.count }

    package func pages(_ group: Int) -> [Int] {
        guard let node = self.group(group) else { return [] }
        return (0..<node.count).map { contents.list.reference($0, in: node.payload) }
    }

    package func number(ofGroup group: Int) -> Int { contents.list.reference(group, in: groups.payload) }

    package func entries(_ group: Int, _ page: Int) -> [UInt32] {
        self.page(group, page).map { contents.entries(ofIndex: $0) } ?? []
    }

    private func group(_ group: Int) -> Node? {
        guard group < groups.count, let node = try? contents.node(number(ofGroup: group)), node.kind == .array else {
            return nil
        }
        return node
    }

    private func page(_ group: Int, _ page: Int) -> Node? {
        guard let list = self.group(group), page < list.count,
            let node = try? contents.node(contents.list.reference(page, in: list.payload)), node.kind == .data
        else { return nil }
        return node
    }

    private func entry(_ entry: Int, of page: Node) -> UInt32 {
        UInt32(contents.list.bytes.number(at: page.payload + entry * Self.entrySize, size: Self.entrySize))
    }
}

// MARK: - Searching

extension StoredIndex {
    /// Returns the place of the first entry for which `isBefore` returns false.
    ///
    /// - Complexity: O(log *n*), where *n* is the number of entries.
    package func firstPlace(_ isBefore: (UInt32) throws -> Bool) rethrows -> Place {
        var place = Place()
        place.group = try Self.last(groups.count, { firstEntry(ofGroup: $0) }, isBefore)
        guard let list = group(place.group) else { return place }
        place.page = try Self.last(list.count, { firstEntry(ofPage: $0, place.group) }, isBefore)
        guard let node = page(place.group, place.page) else { return place }
        var end = node.count / Self.entrySize
        while place.entry < end {
            let middle = (place.entry + end) / 2
            if try isBefore(entry(middle, of: node)) { place.entry = middle + 1 } else { end = middle }
        }
        return place
    }

    /// Returns the last of `count` lists whose first entry is before the place; 0 if there is none.
    ///
    /// - Parameter first: Returns the first entry of a list; nil if it is empty.
    private static func last(
        _ count: Int, _ first: (Int) -> UInt32?, _ isBefore: (UInt32) throws -> Bool
    ) rethrows -> Int {
        var (low, high, result) = (0, count, 0)
        while low < high {
            let middle = (low + high) / 2
            var probe = middle
            while probe > low, first(probe) == nil { probe -= 1 }
            guard let uid = first(probe) else {
                low = middle + 1
                continue
            }
            if try isBefore(uid) {
                result = probe
                low = middle + 1
            } else {
                high = probe
            }
        }
        return result
    }

    private func firstEntry(ofGroup group: Int) -> UInt32? {
        guard let list = self.group(group) else { return nil }
        for page in 0..<list.count {
            if let first = firstEntry(ofPage: page, group) { return first }
        }
        return nil
    }

    private func firstEntry(ofPage page: Int, _ group: Int) -> UInt32? {
        guard let node = self.page(group, page), node.count >= Self.entrySize else { return nil }
        return entry(0, of: node)
    }

    /// Returns the entry at `place`, and moves the place behind it; nil at the end.
    package func next(_ place: inout Place) -> UInt32? {
        while place.group < groups.count {
            guard let list = group(place.group), place.page < list.count else {
                place = Place(group: place.group + 1)
                continue
            }
            if let node = page(place.group, place.page), place.entry < node.count / Self.entrySize {
                place.entry += 1
                return entry(place.entry - 1, of: node)
            }
            place = Place(group: place.group, page: place.page + 1)
        }
        return nil
    }

    /// Moves a place after the last entry of a page to the first entry after it, or to the end.
    package func normalize(_ place: inout Place) {
        var next = place
        if self.next(&next) != nil {
            next.entry -= 1
            place = next
        } else {
            place = Place(group: groups.count)
        }
    }

    /// Returns the entry before `place`, and moves the place to it; nil at the start.
    package func previous(_ place: inout Place) -> UInt32? {
        while true {
            if place.entry > 0, let node = page(place.group, place.page) {
                place.entry = min(place.entry, node.count / Self.entrySize) - 1
                if place.entry >= 0 { return entry(place.entry, of: node) }
            }
            if place.page > 0 {
                place.page -= 1
                place.entry = Self.pageEnd
            } else if place.group > 0 {
                place.group -= 1
                place.page = group(place.group)?.count ?? 0
                place.entry = 0
            } else {
                place.entry = 0
                return nil
            }
        }
    }

    private static var pageEnd: Int { .max }
}

extension ArchiveContents {
    package func entries(ofIndex node: Node) -> [UInt32] {
        (0..<node.count / StoredIndex.entrySize).map { entry in
            let place = node.payload + entry * StoredIndex.entrySize
            return UInt32(list.bytes.number(at: place, size: StoredIndex.entrySize))
        }
    }
}
