// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension KeyedArchive {
    /// Opens the intact part of a damaged or cut archive.
    ///
    /// A binary property list ends with the table of the places of its objects, so that a cut file, or one whose table is damaged, cannot
    /// be opened. This initializer reads the objects in the order of the file, up to the first one that is not whole, and makes a
    /// new table. The objects behind it are lost, and appear as values of the kind `damaged`.
    ///
    /// The list of the objects by uid is behind the objects in archives of this library, and before them in those of Cocoa. If a
    /// part of it is lost, so are the objects with higher uids; if all of it is lost, the archive cannot be opened. If `$top` is
    /// lost, `top` is empty, and `archive[uid: 1]` is the first object. In a file that a document has saved several times, an earlier
    /// version may be whole.
    ///
    /// An archive that opens, and has fewer problems as it is, is opened as it is.
    ///
    /// - Parameter data: The bytes of the file.
    /// - Throws: `KeyedArchiveError` if the bytes do not begin as a binary property list, or have no part of the list of objects.
    /// - Complexity: O(*n*) time and memory, where *n* is the number of bytes.
    public init(salvaging data: Data) throws(KeyedArchiveError) {
        let opened: KeyedArchive
        do throws(KeyedArchiveError) { opened = try KeyedArchive(data) } catch {
            guard let salvaged = ArchiveSalvage.archive(in: data) else { throw error }
            self = salvaged
            return
        }
        let count = opened.problems().count
        guard count > 0, let salvaged = ArchiveSalvage.archive(in: data), salvaged.problems().count < count else {
            self = opened
            return
        }
        self = salvaged
    }
}

/// The objects of a binary property list from its header up to the first one that is not whole, and their numbers.
///
/// Writers number objects by their places, with two exceptions in files of this library: a checksum is moved to the beginning, and a
/// later version of the list of objects, or of `$top`, has the number of the first one.
private struct ArchiveSalvage {
    private let data: Data
    private let scanner: NodeScanner
    private let referenceSize: Int
    /// The objects in the order of their places.
    private var nodes: [(offset: Int, node: Node)] = []
    private var end = BinaryFormat.headerSize
    /// The places of the objects by their numbers.
    private var order: [Int] = []
    /// The number of the list of objects.
    private var list: Int?
    /// The uids' references in a list of objects that is cut.
    private var cutList: [Int] = []
    private var appended = Data()

    private static let referenceSizes = [1, 2, 3, 4]
    /// The number of objects behind the place of the numbers of a checksum, at most.
    private static let objectsAfterChecksum = 8
    private static let lostObjectsPerByte = 2
    private static let keyLimit = 256

    static func archive(in data: Data) -> KeyedArchive? {
        guard data.starts(with: Array("bplist00".utf8)) else { return nil }
        for size in referenceSizes {
            let scan = ArchiveSalvage(data, referenceSize: size)
            for numbering in scan.numberings where numbering.isSound {
                var salvage = numbering
                if let archive = salvage.makeArchive() { return archive }
            }
        }
        return nil
    }

    private init(_ data: Data, referenceSize: Int) {
        self.data = data
        self.referenceSize = referenceSize
        scanner = NodeScanner(bytes: StoredBytes(data), limit: data.count, referenceSize: referenceSize)
        while end < data.count, let node = try? scanner.node(at: end) {
            nodes.append((end, node))
            end = node.end(referenceSize: referenceSize)
        }
    }
}

// MARK: - Numbers

extension ArchiveSalvage {
    /// The possible numbers of the objects.
    private var numberings: [ArchiveSalvage] {
        guard data.count >= StoredChecksum.objects.upperBound, StoredChecksum.hasPlace(StoredBytes(data)) else {
            return [numbered(Array(nodes.indices))]
        }
        let others = Array(nodes.indices.dropFirst(2))
        return (0...Self.objectsAfterChecksum).filter { $0 <= others.count }.map { count in
            let place = others.count - count
            return numbered(Array(others[..<place]) + [0, 1] + Array(others[place...]))
        }
    }

    private func numbered(_ places: [Int]) -> ArchiveSalvage {
        var result = self
        guard let null = places.firstIndex(where: { isText(nodes[$0].node, "$null") }) else { return result }
        for place in places {
            let node = nodes[place].node
            if node.kind == .array, node.count > 0, reference(0, in: node) == null {
                if let list = result.list {
                    result.order[list] = place
                    continue
                }
                result.list = result.order.count
            }
            result.order.append(place)
        }
        result.readCutList(null)
        return result
    }

    /// Reads the list of objects at the end, if the file is cut inside of it.
    private mutating func readCutList(_ null: Int) {
        guard end < data.count else { return }
        let bytes = StoredBytes(data)
        let marker = bytes.byte(at: end)
        guard marker >> 4 == 0xA else { return }
        var start = end + 1
        if marker & 0x0F == 0x0F {
            guard start < data.count, bytes.byte(at: start) >> 4 == 1 else { return }
            start += 1 + 1 << Int(bytes.byte(at: start) & 0x0F)
        }
        var references: [Int] = []
        while start + referenceSize <= data.count {
            references.append(Int(bytes.number(at: start, size: referenceSize)))
            start += referenceSize
        }
        if references.first == null { cutList = references }
    }

    private func reference(_ position: Int, in node: Node) -> Int {
        Int(scanner.bytes.number(at: node.payload + position * referenceSize, size: referenceSize))
    }

    private func node(_ number: Int) -> Node? { order.indices.contains(number) ? nodes[order[number]].node : nil }

    private func isText(_ node: Node, _ text: String) -> Bool { scanner.isString(node, text) }

    /// Whether every key of a dictionary is a string. No other size of references, and no other numbers, have this.
    private var isSound: Bool {
        var keyCount = 0
        for place in order where nodes[place].node.kind == .dictionary {
            let dictionary = nodes[place].node
            for position in 0..<dictionary.count {
                guard let key = node(reference(position, in: dictionary)) else { continue }
                guard key.kind == .ascii || key.kind == .utf16 else { return false }
                keyCount += 1
            }
        }
        return keyCount > 0
    }
}

// MARK: - The archive

extension ArchiveSalvage {
    private mutating func makeArchive() -> KeyedArchive? {
        let root = order.lastIndex { place in
            entry("$objects", of: nodes[place].node) != nil && entry("$top", of: nodes[place].node) != nil
        }
        let rootNode = root.flatMap { node($0) }
        var offsets = order.map { nodes[$0].offset }
        // Lost objects keep their numbers, and have no place.
        let lostCount = max(0, highestReference + 1 - offsets.count)
        guard lostCount <= Self.lostObjectsPerByte * data.count else { return nil }
        offsets += Array(repeating: 0, count: lostCount)
        if !cutList.isEmpty {
            // The references of a cut list are fewer than those of an older one only if more than the new objects are lost.
            let known = list.flatMap { node($0) }?.count ?? 0
            if cutList.count > known { list = append(.array, cutList, &offsets) }
        }
        guard let list else { return nil }
        func value(_ name: String, _ kind: Node.Kind) -> Int? {
            rootNode.flatMap { entry(name, of: $0) }.flatMap { node($0)?.kind == kind ? $0 : nil }
        }
        var top = value("$top", .dictionary)
        if let known = top, let node = node(known) { top = latestTop(known, node) }
        let (archiver, version) = (value("$archiver", .ascii), value("$version", .integer))
        var entries = [
            (append("$version", &offsets), version ?? append(version: &offsets)), (append("$objects", &offsets), list),
            (append("$top", &offsets), top ?? append(.dictionary, [], &offsets)),
        ]
        if let archiver { entries.append((append("$archiver", &offsets), archiver)) }
        let number = append(.dictionary, entries.map(\.0) + entries.map(\.1), &offsets)
        guard offsets.count < 1 << (8 * referenceSize) else { return nil }
        return try? KeyedArchive(bytes(offsets, top: number))
    }

    /// The highest number that an object refers to.
    private var highestReference: Int {
        var highest = cutList.max() ?? 0
        for place in order {
            let node = nodes[place].node
            for position in 0..<node.referenceCount { highest = max(highest, reference(position, in: node)) }
        }
        return highest
    }

    /// Returns the reference of the value under `name`, if `dictionary` is a dictionary with this key.
    private func entry(_ name: String, of dictionary: Node) -> Int? {
        guard dictionary.kind == .dictionary else { return nil }
        for position in 0..<dictionary.count {
            guard let key = node(reference(position, in: dictionary)), isText(key, name) else { continue }
            return reference(dictionary.count + position, in: dictionary)
        }
        return nil
    }

    /// Returns the number of the last dictionary with the keys of `$top` to which no object refers: a later version of it.
    private func latestTop(_ number: Int, _ top: Node) -> Int {
        let keys = keys(of: top)
        guard !keys.isEmpty else { return number }
        var referenced: Set<Int> = []
        for place in order {
            let node = nodes[place].node
            for position in 0..<node.referenceCount { referenced.insert(reference(position, in: node)) }
        }
        return order.indices.last { other in
            let node = nodes[order[other]].node
            return other > number && node.kind == .dictionary && node.count == top.count && !referenced.contains(other)
                && self.keys(of: node) == keys
        } ?? number
    }

    /// The keys of `dictionary`; empty if one is long, because very many dictionaries may share it.
    private func keys(of dictionary: Node) -> [String] {
        var keys: [String] = []
        for position in 0..<dictionary.count {
            guard let key = node(reference(position, in: dictionary)), key.kind == .ascii || key.kind == .utf16,
                key.count <= Self.keyLimit
            else { return [] }
            keys.append(scanner.string(key))
        }
        return keys
    }

    private func bytes(_ offsets: [Int], top: Int) -> Data {
        var bytes = data.prefix(end) + appended
        let table = bytes.count
        func append(_ number: Int, _ size: Int) {
            for byte in (0..<size).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
        }
        for offset in offsets { append(offset, 8) }
        append(8 << 8 | referenceSize, 8)
        append(offsets.count, 8)
        append(top, 8)
        append(table, 8)
        return bytes
    }

    /// Returns the number of the string `text`, which is short. It is appended if there is none.
    private mutating func append(_ text: String, _ offsets: inout [Int]) -> Int {
        if let known = order.firstIndex(where: { isText(nodes[$0].node, text) }) { return known }
        offsets.append(end + appended.count)
        appended.append(0x50 | UInt8(text.utf8.count))
        appended.append(contentsOf: text.utf8)
        return offsets.count - 1
    }

    private mutating func append(version offsets: inout [Int]) -> Int {
        offsets.append(end + appended.count)
        // The integer 100,000, which all writers have.
        appended.append(contentsOf: [0x12, 0x00, 0x01, 0x86, 0xA0])
        return offsets.count - 1
    }

    private mutating func append(_ kind: Node.Kind, _ references: [Int], _ offsets: inout [Int]) -> Int {
        offsets.append(end + appended.count)
        let count = kind == .dictionary ? references.count / 2 : references.count
        appended.append((kind == .dictionary ? 0xD0 : 0xA0) | UInt8(min(count, 15)))
        if count >= 15 {
            appended.append(0x13)
            for byte in (0..<8).reversed() { appended.append(UInt8(truncatingIfNeeded: count >> (8 * byte))) }
        }
        for reference in references {
            for byte in (0..<referenceSize).reversed() {
                appended.append(UInt8(truncatingIfNeeded: reference >> (8 * byte)))
            }
        }
        return offsets.count - 1
    }
}
