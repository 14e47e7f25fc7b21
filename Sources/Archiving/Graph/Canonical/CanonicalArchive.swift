// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// Converts an archive to an equivalent one whose bytes depend only on the value. The order in which the program encoded its
/// objects does not matter, nor does the order of sets and dictionaries, whose hash seeds vary between processes.
///
/// - Keys of objects are sorted by their UTF-8.
/// - Every scalar is stored once, and has at most one leaf. Every class entry is stored once.
/// - Elements of sets, and keys of dictionaries, are sorted: leaves by value (`CanonicalScalars`), then objects by class and
///   contents (`CanonicalOrder`). Equal objects are never merged.
/// - Slots are numbered in the order of a traversal from `$top`. A class entry follows the first object of the class.
///   Unreachable objects are omitted.
///
/// The order of objects with equal contents and equal references to them does not affect the bytes; see
/// `PartitionRefinement.refineToTheEnd()`.
enum CanonicalArchive {
    /// Returns the canonical form of the archive `list`, which this library's writer has written.
    ///
    /// - Parameter hasChecksum: Whether the archive gets the entry of a checksum, without the checksum itself.
    /// - Returns: The bytes of a binary archive.
    /// - Throws: `PropertyListError` if the list is damaged or not such an archive, or if the result is larger than 4 GiB.
    /// - Complexity: O(*n* log *n*), where *n* is the number of objects in the list; O(*n* log² *n*) if sets, or the keys of
    ///   dictionaries, contain objects. The memory is proportional to *n*.
    static func bytes(
        of list: BinaryPropertyListReader, hasChecksum: Bool = false
    ) throws(PropertyListError) -> StoredBytes {
        var contents = try CanonicalContents.read(list)
        contents.orderElements()
        var writer = CanonicalWriter(contents, byteCapacity: list.objects.limit)
        return try writer.write(hasChecksum: hasChecksum)
    }
}

/// Numbers the slots of an archive and writes it.
private struct CanonicalWriter: ~Copyable {
    typealias Part = CanonicalContents.Part
    typealias Reference = BinaryPropertyListWriter.Reference

    private let contents: CanonicalContents
    private var list: BinaryPropertyListWriter
    private var numbering: SlotNumbering
    private var scalarReferences: [Reference]
    private var uidReferences: [Reference]
    private var pairs = [Reference]()
    private var elements = [Reference]()

    /// The reference of an object that has not been written yet.
    private static let none = UInt32.max

    init(_ contents: consuming CanonicalContents, byteCapacity: Int) {
        numbering = SlotNumbering(contents)
        scalarReferences = Array(repeating: Self.none, count: contents.scalars.count)
        uidReferences = Array(repeating: Self.none, count: numbering.slots.count)
        list = BinaryPropertyListWriter(byteCapacity: byteCapacity, objectCapacity: 2 * contents.slots.count)
        self.contents = contents
    }

    mutating func write(hasChecksum: Bool) throws(PropertyListError) -> StoredBytes {
        let checksum = hasChecksum ? [list.append(StoredChecksum.key.description), appendedChecksum()] : []
        var slots = [Reference]()
        for part in numbering.slots {
            switch part.kind {
            case .object: slots.append(appendContents(of: Int(part.value)))
            case .classEntry: slots.append(appendContents(of: Int(contents.classes[Int(part.value)])))
            default: slots.append(scalar(part.value))
            }
            guard list.bytes.count <= BinaryFormat.byteLimit else { throw Self.tooLarge }
        }
        var root = [Reference]()
        root.append(scalar(contents.scalars.rank(of: "$archiver")))
        root.append(scalar(contents.root.archiver))
        root.append(scalar(contents.scalars.rank(of: "$objects")))
        root.append(list.append(array: slots))
        root.append(scalar(contents.scalars.rank(of: "$top")))
        root.append(appendContents(of: contents.topSlot, before: checksum))
        root.append(scalar(contents.scalars.rank(of: "$version")))
        root.append(scalar(contents.root.version))
        guard let bytes = list.finish(top: list.append(pairs: root)) else {
            throw Self.tooLarge
        }
        return bytes
    }

    private static var tooLarge: PropertyListError { PropertyListError(.tooLarge, at: BinaryFormat.byteLimit) }
}

// MARK: - Objects

extension CanonicalWriter {
    private mutating func appendedChecksum() -> Reference {
        StoredChecksum.bytes(of: 0).withBytes { list.append(data: $0) }
    }

    private mutating func scalar(_ rank: CanonicalScalars.Rank) -> Reference {
        if scalarReferences[Int(rank)] == Self.none {
            scalarReferences[Int(rank)] = contents.scalars.append(rank, to: &list)
        }
        return scalarReferences[Int(rank)]
    }

    /// Returns the uid object of the slot `number`.
    private mutating func uid(_ number: UInt32) -> Reference {
        if uidReferences[Int(number)] == Self.none { uidReferences[Int(number)] = list.append(uid: number) }
        return uidReferences[Int(number)]
    }

    private mutating func reference(_ part: Part) -> Reference {
        switch part.kind {
        case .leaf, .object, .classEntry: uid(numbering.number(part))
        default: scalar(part.value)
        }
    }

    /// Writes the dictionary of `slot`.
    ///
    /// - Parameter first: The pairs before its own.
    private mutating func appendContents(of slot: Int, before first: [Reference] = []) -> Reference {
        pairs.removeAll(keepingCapacity: true)
        pairs += first
        let end = contents.slots[slot].parts.upperBound
        var place = contents.slots[slot].parts.lowerBound
        while place < end {
            let part = contents.parts[place]
            place += 1
            guard part.kind == .array else {
                pairs.append(reference(part))
                continue
            }
            elements.removeAll(keepingCapacity: true)
            for _ in 0..<part.value {
                elements.append(reference(contents.parts[place]))
                place += 1
            }
            pairs.append(list.append(array: elements))
        }
        return list.append(pairs: pairs)
    }
}

private struct SlotNumbering: ~Copyable {
    typealias Part = CanonicalContents.Part

    /// The contents of each slot: a leaf, an object or a class entry.
    private(set) var slots: [Part]
    private var leaves: [UInt32]
    private var objects: [UInt32]
    private var classes: [UInt32]

    /// The number of a part without a number.
    private static let none = UInt32.max

    /// An object whose contents are being traversed.
    struct Frame: BitwiseCopyable {
        let slot: CanonicalContents.Slot
        var place: Int
    }

    /// Numbers the objects that `$top` of `contents` reaches, in the order of a traversal.
    init(_ contents: borrowing CanonicalContents) {
        slots = []
        leaves = Array(repeating: Self.none, count: contents.scalars.count)
        objects = Array(repeating: Self.none, count: contents.slots.count)
        classes = Array(repeating: Self.none, count: contents.classes.count)
        _ = add(Part(.leaf, contents.root.null))
        var frames = [Frame]()
        var frame = Self.frame(contents.topSlot, contents)
        while true {
            if frame.place < frame.slot.end {
                let part = contents.parts[frame.place]
                frame.place += 1
                guard part.kind == .leaf || part.kind == .object, add(part), part.kind == .object else { continue }
                frames.append(frame)
                frame = Self.frame(Int(part.value), contents)
            } else {
                if frame.slot.classEntry != CanonicalContents.Slot.none {
                    _ = add(Part(.classEntry, frame.slot.classEntry))
                }
                guard frames.count > 0 else { return }
                frame = frames.removeLast()
            }
        }
    }

    private static func frame(_ slot: Int, _ contents: borrowing CanonicalContents) -> Frame {
        Frame(slot: contents.slots[slot], place: contents.slots[slot].parts.lowerBound)
    }

    /// Returns the number of the slot that `part` references.
    func number(_ part: Part) -> UInt32 {
        switch part.kind {
        case .leaf: leaves[Int(part.value)]
        case .object: objects[Int(part.value)]
        default: classes[Int(part.value)]
        }
    }

    /// Assigns the next number to the slot that `part` references, if it has none, and returns whether it had none.
    private mutating func add(_ part: Part) -> Bool {
        guard number(part) == Self.none else { return false }
        let number = UInt32(truncatingIfNeeded: slots.count)
        switch part.kind {
        case .leaf: leaves[Int(part.value)] = number
        case .object: objects[Int(part.value)] = number
        default: classes[Int(part.value)] = number
        }
        slots.append(part)
        return true
    }
}
