// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

/// An archive without its unreferenced objects.
///
/// Objects keep their uids: the slots of removed objects refer to "$null".
///
/// Sendable because it is immutable after its initialization.
final class ArchiveCompaction: @unchecked Sendable {
    private let contents: ArchiveContents
    /// A bit for each object of the property list, set if the object is kept.
    private var kept: [UInt64]
    private var slots: BitSet
    /// For each word of `kept`, the number of kept objects before it.
    private var counts: [Int] = []
    /// The number of the list of objects.
    private let objects: Int
    /// The number of `$top`.
    private let top: Int
    /// The number of the dictionary of the indexes, if the archive has any.
    private let indexes: Int?
    /// The pages of the indexes, whose entries of removed objects are removed.
    private var pages: Set<Int> = []
    /// The number of the stamp of the indexes.
    private var stamp: Int?
    private var keptCount = 0
    /// The number of bytes of the kept objects in the old archive, without the list of objects.
    private var keptByteCount = 0

    /// Traverses the archive from its root.
    ///
    /// - Parameter others: The uids of additional objects to keep.
    /// - Throws: `KeyedArchiveError` if a visited object is damaged, because compaction would lose it.
    /// - Complexity: O(*n*), where *n* is the number of kept objects.
    init(of contents: ArchiveContents, and others: [UInt32]) throws(KeyedArchiveError) {
        self.contents = contents
        kept = [UInt64](repeating: 0, count: contents.list.objectCount / 64 + 1)
        slots = BitSet(count: contents.slotCount)
        let root = try contents.node(contents.list.top)
        guard let position = try contents.index(of: "$objects", in: root) else {
            throw KeyedArchiveError(.missing(.init("$objects")))
        }
        objects = contents.list.reference(root.count + position, in: root.payload)
        guard let topPosition = try contents.index(of: "$top", in: root) else {
            throw KeyedArchiveError(.missing(.init("$top")))
        }
        top = contents.list.reference(root.count + topPosition, in: root.payload)
        indexes = StoredIndexes.number(in: contents)
        try visitAll([contents.list.top], others)
        if let indexes {
            noteIndexes()
            try visitAll([indexes], [])
        }
        var count = 0
        for word in kept {
            counts.append(count)
            count += word.nonzeroBitCount
        }
        keptCount = count
    }

    /// An upper bound for the number of bytes of the compacted archive.
    var byteCount: Int {
        keptByteCount + contents.slotCount * contents.list.referenceSize + keptCount * contents.list.offsetSize
            + BinaryFormat.headerSize + BinaryFormat.trailerSize
    }

    func keeps(_ uid: UInt32) -> Bool { Int(uid) < contents.slotCount && slots.contains(Int(uid)) }

    /// Returns whether the archive has the object `uid`, and it is not kept. A later save step may have added one.
    func removes(_ uid: UInt32) -> Bool { Int(uid) < contents.slotCount && !slots.contains(Int(uid)) }

    private func noteIndexes() {
        guard let stored = StoredIndexes(in: contents) else { return }
        var objects = [stored.stamp]
        for (_, number) in stored.indexes {
            guard let index = stored.index(at: number) else { continue }
            for group in 0..<index.groupCount { objects += index.pages(group) }
            objects.append(index.othersNumber)
        }
        guard objects.allSatisfy({ !isKept($0) }) else { return }
        stamp = stored.stamp
        pages = Set(objects.dropFirst())
    }

    private func visitAll(_ first: [Int], _ others: [UInt32]) throws(KeyedArchiveError) {
        var remaining = first
        // The slots of removed objects refer to the object of slot 0.
        if contents.slotCount > 0, slots.insert(0) { remaining.append(contents.object(inSlot: 0)) }
        for uid in others where Int(uid) < contents.slotCount && slots.insert(Int(uid)) {
            remaining.append(contents.object(inSlot: Int(uid)))
        }
        var referenceCount = 0
        while let reference = remaining.popLast() {
            guard reference < contents.list.objectCount, keep(reference) else {
                if reference >= contents.list.objectCount { _ = try contents.node(reference) }
                continue
            }
            let start = try start(of: reference)
            if reference == objects {
                // The list is written with all its slots.
                keptByteCount += BinaryFormat.headSize(count: contents.slotCount)
                continue
            }
            let node = try contents.node(reference)
            keptByteCount += node.end(referenceSize: contents.list.referenceSize) - start
            if node.kind == .uid {
                let uid = Int(try contents.uid(node))
                // For an invalid uid, `object(_:)` throws the error.
                guard uid < contents.slotCount else {
                    _ = try contents.object(UInt32(clamping: uid))
                    continue
                }
                if slots.insert(uid) { remaining.append(contents.object(inSlot: uid)) }
                continue
            }
            referenceCount += node.referenceCount
            // Overlapping objects would be written separately and exceed the size of the archive.
            guard referenceCount <= contents.referenceLimit, keptByteCount <= contents.referenceLimit else {
                throw KeyedArchiveError(.limit(.init("references"), contents.referenceLimit))
            }
            for position in 0..<node.referenceCount {
                let inner = contents.list.reference(position, in: node.payload)
                // The indexes are visited after all others.
                if reference == contents.list.top, inner == indexes { continue }
                remaining.append(inner)
            }
        }
    }

    private func start(of reference: Int) throws(KeyedArchiveError) -> Int {
        do throws(PropertyListError) { return try contents.list.offset(of: reference) } catch {
            throw KeyedArchiveError(error)
        }
    }

    private func isKept(_ reference: Int) -> Bool {
        reference < contents.list.objectCount && kept[reference >> 6] & 1 << UInt64(reference & 63) != 0
    }

    /// Marks an object as kept.
    ///
    /// - Returns: Whether it was not marked before.
    private func keep(_ reference: Int) -> Bool {
        let bit: UInt64 = 1 << UInt64(reference & 63)
        defer { kept[reference >> 6] |= bit }
        return kept[reference >> 6] & bit == 0
    }

    private func number(_ reference: Int) -> Int {
        let before = kept[reference >> 6] & (1 << UInt64(reference & 63) - 1)
        return counts[reference >> 6] + before.nonzeroBitCount
    }
}

// MARK: - Writing

extension ArchiveCompaction {
    /// Writes the compacted archive.
    ///
    /// - Parameters:
    ///   - minimum: The minimum width of a reference in bytes. A file with wider references has space for more objects.
    ///   - isChecked: Whether the archive gets a checksum if it has none.
    /// - Returns: The number of bytes that were written.
    func write(
        referenceSize minimum: Int, isChecked: Bool = false, to output: inout ArchiveOutput
    ) throws -> Int {
        let list = contents.list
        try output.writeHeader()
        let checksum = contents.checksumObjects
        let checksumPlace = isChecked || checksum != nil ? try output.writeChecksum() : nil
        let added = isChecked && checksum == nil ? (key: keptCount, value: keptCount + 1) : nil
        let objectCount = added == nil ? keptCount : keptCount + 2
        let referenceSize = max(minimum, BinaryFormat.referenceSize(objectCount: objectCount))
        // An object can grow only by wider references. Overlapping objects take more bytes than before.
        let byteLimit = UInt64(byteCount / list.referenceSize) * UInt64(referenceSize) + UInt64(byteCount) + 64
        var offsetSize = 1
        while offsetSize < 8, byteLimit >> (8 * offsetSize) > 0 { offsetSize += 1 }
        var offsets = [Int](repeating: 0, count: keptCount)
        for reference in firstObjects where offsets[self.number(reference)] == 0 {
            offsets[self.number(reference)] = output.count
            try write(reference, referenceSize, reference == top ? added : nil, to: &output)
        }
        var number = 0
        for (index, word) in kept.enumerated() {
            var rest = word
            while rest != 0 {
                let reference = index << 6 | rest.trailingZeroBitCount
                rest &= rest - 1
                defer { number += 1 }
                guard offsets[number] == 0 else { continue }
                if let checksum, let checksumPlace, reference == checksum.key || reference == checksum.value {
                    offsets[number] = reference == checksum.key ? checksumPlace.key : checksumPlace.value
                    continue
                }
                offsets[number] = output.count
                try write(reference, referenceSize, reference == top ? added : nil, to: &output)
            }
        }
        if added != nil, let checksumPlace { offsets += [checksumPlace.key, checksumPlace.value] }
        let table = output.count
        try output.write(offsets, size: offsetSize)
        try output.finish(
            offsetSize: offsetSize, referenceSize: referenceSize, objectCount: objectCount, top: self.number(list.top),
            table: table)
        return output.count
    }

    /// `$top`, the list of objects and the root if they are at the beginning of a new archive, so that a file that is cut has them:
    /// they have consecutive numbers. Without `$top`, they are those of a sorted archive.
    private var firstObjects: [Int] {
        guard isNumber(of: objects, before: contents.list.top) else { return [] }
        return (isNumber(of: top, before: objects) ? [top] : []) + [objects, contents.list.top]
    }

    private func isNumber(of reference: Int, before next: Int) -> Bool { number(reference) + 1 == number(next) }

    /// Writes the object `reference`, a dictionary if it gets the entry `added`.
    private func write(
        _ reference: Int, _ referenceSize: Int, _ added: (key: Int, value: Int)?, to output: inout ArchiveOutput
    ) throws {
        if reference == objects { return try writeSlots(referenceSize, to: &output) }
        // All of them could be read during the traversal.
        guard let node = try? contents.node(reference) else { throw ArchiveOutput.unreadable }
        if reference == stamp { return try output.write(integer: output.count) }
        if pages.contains(reference), node.kind == .data {
            let entries = contents.entries(ofIndex: node)
            return try output.write(data: StoredIndex.bytes(of: entries.filter { keeps($0) }))
        }
        if added == nil {
            try output.write(reference, of: contents.list)
        } else {
            try output.writeHead(of: .dictionary, count: node.count + 1)
        }
        for position in 0..<node.referenceCount {
            if let added, position == node.count { try output.write(UInt64(added.key), size: referenceSize) }
            let inner = contents.list.reference(position, in: node.payload)
            try output.write(UInt64(number(inner)), size: referenceSize)
        }
        guard let added else { return }
        // Without own entries, both follow the head.
        if node.count == 0 { try output.write(UInt64(added.key), size: referenceSize) }
        try output.write(UInt64(added.value), size: referenceSize)
    }

    private func writeSlots(_ referenceSize: Int, to output: inout ArchiveOutput) throws {
        try output.writeHead(of: .array, count: contents.slotCount)
        guard contents.slotCount > 0 else { return }
        let null = number(contents.object(inSlot: 0))
        for slot in 0..<contents.slotCount {
            let reference = slots.contains(slot) ? number(contents.object(inSlot: slot)) : null
            try output.write(UInt64(reference), size: referenceSize)
        }
    }
}
