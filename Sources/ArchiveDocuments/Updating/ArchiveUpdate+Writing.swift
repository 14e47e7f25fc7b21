// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Writing

extension ArchiveUpdate {
    /// The least number of bytes of a reference with which the old archive can be extended.
    var referenceSize: Int { BinaryFormat.referenceSize(objectCount: old.list.objectCount + appended.count) }

    var isPossible: Bool { referenceSize <= old.list.referenceSize }

    /// Writes the old archive, which is `source`, followed by the appended objects.
    ///
    /// The old objects keep their places, except the list of objects, if it is the last one. If the list of objects or `$top`
    /// changes, its new contents are written after them under the old number: the offset table at the end of the archive stores
    /// the new offset.
    ///
    /// - Returns: The number of bytes that were not copied.
    func write(_ source: ArchiveSource, to output: inout ArchiveOutput) throws -> Int {
        let list = old.list
        let objects = try rootEntry("$objects")
        let kept = try keptByteCount
        try output.write(0..<kept, of: source)
        try output.write(appended)
        var copiedCount = kept
        var moved: [Replacement] = []
        if let top {
            moved.append(Replacement(place: try rootEntry("$top"), number: kept + appended.offset(ofObject: top)))
        }
        if let indexes {
            let offset = kept + appended.offset(ofObject: indexes.number)
            moved.append(Replacement(place: indexes.replaced, number: offset))
        }
        if changesSlots {
            moved.append(Replacement(place: objects, number: output.count))
            copiedCount += try writeSlots(source, to: &output)
        }
        let table = output.count
        var offsetSize = min(list.offsetSize, 8)
        while offsetSize < 8, table >> (8 * offsetSize) > 0 { offsetSize += 1 }
        copiedCount += try writeOffsets(source, offsetSize, moved, to: &output)
        let added = list.objectCount..<list.objectCount + appended.count
        for number in added { try output.write(UInt64(kept + appended.offset(ofObject: number)), size: offsetSize) }
        try output.finish(
            offsetSize: offsetSize, referenceSize: list.referenceSize, objectCount: added.upperBound, top: list.top,
            table: table)
        return output.count - copiedCount
    }

    private var changesSlots: Bool { !changedSlots.isEmpty || !addedSlots.isEmpty }

    var keptByteCount: Int {
        get throws {
            let end = old.slots + old.slotCount * old.list.referenceSize
            guard changesSlots, end == old.list.objects.limit else { return old.list.objects.limit }
            // The list of objects is the last object, so no other object follows its start.
            let objects = try rootEntry("$objects")
            return (try? old.list.offset(of: objects)) ?? old.list.objects.limit
        }
    }

    var byteCount: Int {
        let list = old.list
        let kept = (try? keptByteCount) ?? list.objects.limit
        return kept + appended.byteCount + (changesSlots ? (old.slotCount + addedSlots.count) * list.referenceSize : 0)
            + (list.objectCount + appended.count) * list.offsetSize + BinaryFormat.trailerSize
    }

    /// Writes the list of objects.
    ///
    /// - Returns: The number of its bytes that were copied.
    private func writeSlots(_ source: ArchiveSource, to output: inout ArchiveOutput) throws -> Int {
        let size = old.list.referenceSize
        try output.writeHead(of: .array, count: old.slotCount + addedSlots.count)
        let copied = try copy(
            NumberList(start: old.slots, count: old.slotCount, size: size), of: source,
            but: changedSlots.map { Replacement(place: Int($0.uid), number: $0.reference) }, to: &output)
        try output.write(addedSlots, size: size)
        return copied
    }

    /// Writes the offsets of the old objects.
    ///
    /// - Returns: The number of bytes that were copied.
    private func writeOffsets(
        _ source: ArchiveSource, _ offsetSize: Int, _ moved: [Replacement], to output: inout ArchiveOutput
    ) throws -> Int {
        let list = old.list
        guard offsetSize != list.offsetSize else {
            return try copy(
                NumberList(start: list.objects.limit, count: list.objectCount, size: offsetSize), of: source,
                but: moved,
                to: &output)
        }
        for number in 0..<list.objectCount {
            guard let offset = list.tableEntry(number) else { throw ArchiveOutput.unreadable }
            let replacement = moved.first { $0.place == number }
            try output.write(replacement.map { UInt64($0.number) } ?? offset, size: offsetSize)
        }
        return 0
    }

    private func rootEntry(_ name: StaticString) throws -> Int {
        guard let root = try? old.node(old.list.top), let place = (try? old.index(of: name, in: root)) ?? nil else {
            throw ArchiveOutput.unreadable
        }
        return old.list.reference(root.count + place, in: root.payload)
    }
}

/// Numbers of the same size in the bytes of an archive.
private struct NumberList {
    let start: Int
    let count: Int
    let size: Int
}

/// A new number for a position in a list.
private struct Replacement {
    let place: Int
    let number: Int
}

extension ArchiveUpdate {
    /// Copies a list of numbers of the old archive with replacements.
    ///
    /// - Returns: The number of bytes that were copied.
    private func copy(
        _ list: NumberList, of source: ArchiveSource, but replacements: [Replacement], to output: inout ArchiveOutput
    ) throws -> Int {
        var position = list.start
        for replacement in replacements.sorted(by: { $0.place < $1.place }) {
            let place = list.start + replacement.place * list.size
            try output.write(position..<place, of: source)
            try output.write(UInt64(replacement.number), size: list.size)
            position = place + list.size
        }
        try output.write(position..<list.start + list.count * list.size, of: source)
        return (list.count - replacements.count) * list.size
    }
}
