// MARK: - The new file

extension ArchiveUpdate {
    /// Whether the old archive can be continued: its references have room for the numbers of all objects.
    var isPossible: Bool {
        let size = old.list.referenceSize
        return size >= 8 || old.list.objectCount + offsets.count <= 1 << (8 * size)
    }

    /// Writes the old archive, which `storage` has, with what was appended.
    ///
    /// The old objects stay where they are. The list of objects and `$top`, if they change, are written anew behind them, under
    /// the numbers that they had: the offset table, which every archive ends with, says where they are.
    ///
    /// - Returns: The bytes that were not copied.
    func write(_ storage: ArchiveStorage, to output: FileReplacement.Output) throws(FileReplacement.Failure) -> Int {
        let kept = old.list.objects.limit
        try storage.copy(kept, to: output)
        var writer = ChunkedOutput(output)
        try writer.write(UnsafeRawBufferPointer(start: bytes.base, count: bytes.count))
        var moved: [Int: Int] = [:]
        let places = try rootPlaces()
        if let top {
            moved[places.top] = kept + offsets[top - old.list.objectCount]
        }
        if !changedSlots.isEmpty || !addedSlots.isEmpty {
            moved[places.objects] = kept + writer.count
            try writeSlots(to: &writer)
        }
        let tableOffset = kept + writer.count
        var offsetSize = 1
        while offsetSize < 8, tableOffset >> (8 * offsetSize) > 0 { offsetSize += 1 }
        for number in 0..<old.list.objectCount {
            guard let offset = moved[number].map({ UInt64($0) }) ?? old.list.tableEntry(number) else {
                throw .unreadable
            }
            try writer.write(number: offset, size: offsetSize)
        }
        for offset in offsets { try writer.write(number: UInt64(kept + offset), size: offsetSize) }
        try writer.write(number: UInt64(offsetSize) << 8 | UInt64(old.list.referenceSize), size: 8)
        try writer.write(number: UInt64(old.list.objectCount + offsets.count), size: 8)
        try writer.write(number: UInt64(old.list.top), size: 8)
        try writer.write(number: UInt64(tableOffset), size: 8)
        try writer.finish()
        return writer.count
    }

    /// Writes the list of objects.
    private func writeSlots(to writer: inout ChunkedOutput) throws(FileReplacement.Failure) {
        let size = old.list.referenceSize
        let count = old.slotCount + addedSlots.count
        var head = ByteWriter(capacity: 16)
        head.advance(head.end.store(marker: BinaryFormat.Marker.array, count: count))
        try writer.write(UnsafeRawBufferPointer(start: head.base, count: head.count))
        for slot in 0..<old.slotCount {
            let reference = changedSlots[UInt32(truncatingIfNeeded: slot)] ?? old.object(inSlot: slot)
            guard reference != .max else { throw .unreadable }
            try writer.write(number: UInt64(reference), size: size)
        }
        for reference in addedSlots { try writer.write(number: UInt64(reference), size: size) }
    }

    /// The numbers of the list of objects and of `$top`.
    private func rootPlaces() throws(FileReplacement.Failure) -> (objects: Int, top: Int) {
        guard let root = try? old.node(old.list.top),
            let objects = (try? old.index(of: "$objects", in: root)) ?? nil,
            let top = (try? old.index(of: "$top", in: root)) ?? nil
        else { throw .unreadable }
        return (
            old.list.reference(root.count + objects, in: root.payload),
            old.list.reference(root.count + top, in: root.payload)
        )
    }
}
