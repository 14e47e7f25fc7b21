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
    /// Archives of encoders, documents and Cocoa begin with the list of the objects by uid and the names of the format, about four bytes
    /// for each object. A file without them cannot be opened. A file that a document has saved several times has the objects of the
    /// last version that is whole. Archives from a property list, and edited ones, end with the list.
    ///
    /// An archive that opens, and has fewer problems as it is, is opened as it is.
    ///
    /// - Parameter data: The bytes of the file.
    /// - Throws: `KeyedArchiveError` if the bytes do not begin as a binary property list, or lack the list of objects.
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
/// Writers number objects by their places, with these exceptions in files of this library: `$top`, the list of objects and the root
/// are at the beginning, after a checksum, and have other numbers; a later version of the list has the number of the first one.
private struct ArchiveSalvage {
    private let data: Data
    private let scanner: NodeScanner
    private let referenceSize: Int
    /// The objects in the order of their places.
    private var nodes: [(offset: Int, node: Node)] = []
    private var end = BinaryFormat.headerSize
    /// The indices of the objects in `nodes` by their numbers; nil for lost ones.
    private var order: [Int?] = []
    /// The number of the list of objects.
    private var list: Int?
    /// The number of keys of the objects, each of which is a string. Other sizes of references, and other numbers, give fewer.
    private var keyCount = 0

    private static let referenceSizes = [1, 2, 3, 4]
    /// The number of objects behind the place of the numbers of a checksum, at most.
    private static let objectsAfterChecksum = 8
    /// The maximum number of entries of a root, or of `$top`, that is looked at.
    private static let rootLimit = 32
    private static let rootCandidates = 2
    private static let offsetSizes = [1, 2, 3, 4, 8]
    private static let comparedEntries = 4
    private static let lostObjectsPerByte = 2
    private static let keyLimit = 256

    static func archive(in data: Data) -> KeyedArchive? {
        guard data.starts(with: Array("bplist00".utf8)) else { return nil }
        var best: ArchiveSalvage?
        for size in referenceSizes {
            let scan = ArchiveSalvage(data, referenceSize: size)
            for numbers in scan.knownNumbers {
                for known in numbers {
                    let salvage = scan.numbered(known)
                    if salvage.keyCount > best?.keyCount ?? 0, salvage.root != nil { best = salvage }
                }
                if best?.referenceSize == size { break }
            }
        }
        return best?.makeArchive()
    }

    private init(_ data: Data, referenceSize: Int) {
        self.data = data
        self.referenceSize = referenceSize
        scanner = NodeScanner(bytes: StoredBytes(data), limit: data.count, referenceSize: referenceSize)
        // No archive has a null. Systems fill lost parts of files with zeros.
        while end < data.count, let node = try? scanner.node(at: end), node.kind != .null {
            nodes.append((end, node))
            end = node.end(referenceSize: referenceSize)
        }
    }
}

// MARK: - Numbers

extension ArchiveSalvage {
    /// The possible numbers of the objects that have not those of their places, with their indices: first those in archives of the
    /// encoders.
    private var knownNumbers: [[[Int: Int]]] {
        guard nodes.contains(where: { $0.node.kind == .dictionary }) else { return [] }
        guard data.count >= StoredChecksum.objects.upperBound, StoredChecksum.hasPlace(StoredBytes(data)) else {
            return [numbersOfFirst(0), [[:]]]
        }
        guard nodes.count > 2 else { return [] }
        // The last entry of `$top` is the checksum, or the first one. In a sorted archive, it has the first numbers.
        let pairs = outerPairs(of: nodes[2].node) + [(0, 1)]
        let numbers = numbersOfFirst(2).flatMap { first in
            pairs.map { key, value in first.merging([(key, 0), (value, 1)]) { known, _ in known } }
        }
        let others = (0...Self.objectsAfterChecksum).filter { $0 <= nodes.count - 2 }.map { count in
            [nodes.count - 2 - count: 0, nodes.count - 1 - count: 1]
        }
        return [numbers, others]
    }

    /// The possible indices of `$top`, if it is there, the list of objects and the root by their numbers, if they are the objects from
    /// `start` on.
    private func numbersOfFirst(_ start: Int) -> [[Int: Int]] {
        guard let list = nodes.indices.dropFirst(start).prefix(2).first(where: { nodes[$0].node.kind == .array }),
            list + 1 < nodes.count, nodes[list + 1].node.kind == .dictionary
        else { return [] }
        // They have consecutive numbers, the highest ones but for the indexes of a document. The root refers to `$top` and the list.
        let root = nodes[list + 1].node
        let references = (0..<min(root.count, Self.rootLimit)).map { reference(root.count + $0, in: root) }
        let hasTop = list > start
        let numbers = references.filter { !hasTop || references.contains($0 - 1) }.sorted(by: >)
        return numbers.prefix(Self.rootCandidates).map { number in
            hasTop ? [number - 1: start, number: list, number + 1: list + 1] : [number: list, number + 1: list + 1]
        }
    }

    private func outerPairs(of node: Node) -> [(Int, Int)] {
        guard node.kind == .dictionary, node.count > 0 else { return [] }
        return [node.count - 1, 0].map { (reference($0, in: node), reference(node.count + $0, in: node)) }
    }

    /// Gives numbers to all objects in the order of their places, except to those that `known` has.
    private func numbered(_ known: [Int: Int]) -> ArchiveSalvage {
        var result = self
        let others = Set(known.values)
        let null = numberOfNull(known, others)
        result.list = known.keys.first { nodes[known[$0] ?? 0].node.kind == .array }
        for index in nodes.indices where !others.contains(index) {
            let node = nodes[index].node
            while let other = known[result.order.count] { result.order.append(other) }
            if node.kind == .array, node.count > 0, reference(0, in: node) == null {
                if let list = result.list, result.order.indices.contains(list) {
                    if result.isLaterList(node) { result.order[list] = index } else { result.order.append(index) }
                    continue
                }
                if result.list == nil { result.list = result.order.count }
            }
            result.order.append(index)
        }
        for (number, index) in known.sorted(by: { $0.key < $1.key }) where number >= result.order.count {
            guard number / Self.lostObjectsPerByte < data.count else { return self }
            result.order += Array(repeating: nil, count: number - result.order.count) + [index]
        }
        result.removeOtherBytes()
        return result
    }

    /// Returns the number of the first string "$null", to which the first reference of each list of objects refers.
    private func numberOfNull(_ known: [Int: Int], _ others: Set<Int>) -> Int? {
        var number = 0
        for index in nodes.indices where !others.contains(index) {
            while known[number] != nil { number += 1 }
            if isText(nodes[index].node, "$null") { return number }
            number += 1
        }
        return nil
    }

    /// Whether an array is a later version of the list of objects: each uid has the same object, another one between the lists, or none.
    private func isLaterList(_ node: Node) -> Bool {
        guard let list, let known = self.node(list), node.count >= known.count else { return false }
        let null = reference(0, in: node)
        return (0..<known.count).allSatisfy { uid in
            let number = reference(uid, in: node)
            return number == reference(uid, in: known) || number == null || number > list && number < order.count
        }
    }

    /// Removes what only looks like objects: the bytes of the table, and all from the first dictionary on that has a key that is no string.
    private mutating func removeOtherBytes() {
        var end = objectCountBeforeTable
        for index in order.lazy.compactMap({ $0 }) where nodes[index].node.kind == .dictionary && index < end {
            let dictionary = nodes[index].node
            let hasOtherKey = (0..<dictionary.count).contains { position in
                guard let key = node(reference(position, in: dictionary)) else { return false }
                return key.kind != .ascii && key.kind != .utf16
            }
            if hasOtherKey { end = index }
        }
        for number in order.indices {
            guard let index = order[number] else { continue }
            if index >= end {
                order[number] = nil
            } else if nodes[index].node.kind == .dictionary {
                keyCount += nodes[index].node.count
            }
        }
        while order.last == .some(nil) { order.removeLast() }
    }

    /// The number of objects before the table: its first entries are the offsets of the first objects.
    private var objectCountBeforeTable: Int {
        let first = order.prefix(Self.comparedEntries).compactMap { $0.map { nodes[$0].offset } }
        let tables = Self.offsetSizes.filter { (first.max() ?? 0) >> (8 * $0) == 0 }.map { size in
            first.flatMap { offset in (0..<size).reversed().map { UInt8(truncatingIfNeeded: offset >> (8 * $0)) } }
        }
        let bytes = scanner.bytes
        return nodes.indices.first { index in
            let start = nodes[index].offset
            return tables.contains { table in
                zip(start..<data.count, table).allSatisfy { bytes.byte(at: $0) == $1 }
            }
        } ?? nodes.count
    }

    private func reference(_ position: Int, in node: Node) -> Int {
        let number = scanner.bytes.number(at: node.payload + position * referenceSize, size: referenceSize)
        // A higher number has no object, also if an Int has 32 bits.
        return Int(min(number, UInt64(Int32.max - 1)))
    }

    private func node(_ number: Int) -> Node? {
        order.indices.contains(number) ? order[number].map { nodes[$0].node } : nil
    }

    private func isText(_ node: Node, _ text: String) -> Bool { scanner.isString(node, text) }
}

// MARK: - The archive

extension ArchiveSalvage {
    /// The number of the last dictionary with the keys and values of a root.
    private var root: Int? {
        guard let list else { return nil }
        return order.indices.last { number in
            guard entry("$objects", of: number) == list, let top = entry("$top", of: number) else { return false }
            return node(top)?.kind == .dictionary
        }
    }

    private func makeArchive() -> KeyedArchive? {
        guard let root, let top = entry("$top", of: root), let topNode = node(top) else { return nil }
        // Lost objects keep their numbers, and have no place.
        let count = max(order.count, highestReference + 1)
        guard (count - order.count) / Self.lostObjectsPerByte <= data.count else { return nil }
        var offsets = order.map { $0.map { nodes[$0].offset } ?? 0 } + Array(repeating: 0, count: count - order.count)
        offsets[top] = offsets[latestTop(top, topNode, before: list.flatMap { order[$0] } ?? 0)]
        return try? KeyedArchive(bytes(offsets, top: root))
    }

    private var presentNodes: some Sequence<Node> { order.lazy.compactMap { $0 }.map { nodes[$0].node } }

    /// The highest number that an object refers to.
    private var highestReference: Int {
        var highest = 0
        for node in presentNodes {
            for position in 0..<node.referenceCount { highest = max(highest, reference(position, in: node)) }
        }
        return highest
    }

    /// Returns the reference of the value under `name`, if the object `number` is a dictionary with this key.
    private func entry(_ name: String, of number: Int) -> Int? {
        guard let dictionary = node(number), dictionary.kind == .dictionary else { return nil }
        for position in 0..<dictionary.count {
            guard let key = node(reference(position, in: dictionary)), isText(key, name) else { continue }
            return reference(dictionary.count + position, in: dictionary)
        }
        return nil
    }

    /// Returns the number of the last dictionary with the keys of `$top` to which no object refers: a later version of it. The list of
    /// objects of the same version, which has the index `end`, is behind it.
    private func latestTop(_ number: Int, _ top: Node, before end: Int) -> Int {
        guard let keys = keys(of: top) else { return number }
        var referenced: Set<Int> = []
        for node in presentNodes {
            for position in 0..<node.referenceCount { referenced.insert(reference(position, in: node)) }
        }
        return order.indices.last { other in
            guard other > number, let index = order[other], index < end else { return false }
            let node = nodes[index].node
            return node.kind == .dictionary && node.count == top.count && !referenced.contains(other)
                && self.keys(of: node) == keys
        } ?? number
    }

    /// The keys of `dictionary`; nil if they are many, or one is long, because very many dictionaries may share it.
    private func keys(of dictionary: Node) -> [String]? {
        guard (1...Self.rootLimit).contains(dictionary.count) else { return nil }
        var keys: [String] = []
        for position in 0..<dictionary.count {
            guard let key = node(reference(position, in: dictionary)), key.kind == .ascii || key.kind == .utf16,
                key.count <= Self.keyLimit
            else { return nil }
            keys.append(scanner.string(key))
        }
        return keys
    }

    private func bytes(_ offsets: [Int], top: Int) -> Data {
        var bytes = Data(data.prefix(end))
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
}
