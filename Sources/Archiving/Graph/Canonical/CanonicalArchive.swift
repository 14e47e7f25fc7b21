/// Makes of an archive the one that means the same and whose bytes depend on nothing but the value: not on the order in
/// which sets and dictionaries, whose hash seeds differ from process to process, or the user's own code, encoded things.
///
/// - Keys of objects are sorted by their UTF-8.
/// - Every scalar is there once, and is one leaf where it is one. Every class entry is there once.
/// - Elements of sets, and keys of dictionaries, are sorted: leaves by value (`CanonicalScalars`), then objects by class
///   and contents (`CanonicalOrder`). Objects are never merged, however equal they are.
/// - Slots are numbered in the order in which a walk from `$top` meets them, class entries after the object that had them
///   first. What the walk does not meet is left out.
///
/// An order among objects that are equal in all they have and are referred to alike makes no difference to the bytes;
/// see `PartitionRefinement.refineToTheEnd()`.
enum CanonicalArchive {
    /// The canonical form of the archive `list`, which this library's writer made.
    ///
    /// - Returns: The bytes of a binary archive, which the caller releases with `Platform.release(_:)`.
    /// - Throws: `PropertyListError` where the list is damaged or no such archive, or the result is larger than 4 GiB.
    /// - Complexity: O(*n* log *n*), where *n* is the number of objects in the list, and O(*n* log² *n*) where sets, or
    ///   the keys of dictionaries, hold objects. Memory in proportion to *n*.
    static func bytes(of list: BinaryPropertyListReader) throws(PropertyListError) -> UnsafeMutableRawBufferPointer {
        var contents = try CanonicalContents.read(list)
        contents.orderElements()
        var writer = CanonicalWriter(contents, byteCapacity: list.objects.limit)
        return try writer.write()
    }
}

/// Numbers the slots of an archive and writes it.
private struct CanonicalWriter: ~Copyable {
    typealias Part = CanonicalContents.Part
    typealias Reference = BinaryPropertyListWriter.Reference

    private let contents: CanonicalContents
    private var list: BinaryPropertyListWriter
    private var numbering: SlotNumbering
    private var scalarReferences: PlainArray<Reference>
    private var uidReferences: PlainArray<Reference>
    private var pairs = PlainArray<Reference>(capacity: 64)
    private var elements = PlainArray<Reference>(capacity: 64)

    /// The reference of what was not written yet.
    private static let none = UInt32.max

    init(_ contents: consuming CanonicalContents, byteCapacity: Int) {
        numbering = SlotNumbering(contents)
        scalarReferences = PlainArray(repeating: Self.none, count: contents.scalars.count)
        uidReferences = PlainArray(repeating: Self.none, count: numbering.slots.count)
        list = BinaryPropertyListWriter(byteCapacity: byteCapacity, objectCapacity: 2 * contents.slots.count)
        self.contents = contents
    }

    mutating func write() throws(PropertyListError) -> UnsafeMutableRawBufferPointer {
        var slots = PlainArray<Reference>(capacity: numbering.slots.count)
        for part in numbering.slots.elements {
            switch part.kind {
            case .object: slots.append(appendContents(of: Int(part.value)))
            case .classEntry: slots.append(appendContents(of: Int(contents.classes[Int(part.value)])))
            default: slots.append(scalar(part.value))
            }
            guard list.bytes.count <= BinaryFormat.byteLimit else { throw Self.tooLarge }
        }
        var root = PlainArray<Reference>(capacity: 8)
        root.append(scalar(contents.scalars.rank(of: "$archiver")))
        root.append(scalar(contents.root.archiver))
        root.append(scalar(contents.scalars.rank(of: "$objects")))
        root.append(list.append(array: UnsafeBufferPointer(slots.elements)))
        root.append(scalar(contents.scalars.rank(of: "$top")))
        root.append(appendContents(of: contents.topSlot))
        root.append(scalar(contents.scalars.rank(of: "$version")))
        root.append(scalar(contents.root.version))
        guard let bytes = list.finish(top: list.append(dictionary: root.base, count: root.count / 2)) else {
            throw Self.tooLarge
        }
        return bytes
    }

    private static var tooLarge: PropertyListError { PropertyListError(.tooLarge, at: BinaryFormat.byteLimit) }
}

// MARK: - Objects

extension CanonicalWriter {
    /// The object that the scalar of `rank` is.
    private mutating func scalar(_ rank: CanonicalScalars.Rank) -> Reference {
        if scalarReferences[Int(rank)] == Self.none {
            scalarReferences[Int(rank)] = contents.scalars.append(rank, to: &list)
        }
        return scalarReferences[Int(rank)]
    }

    /// The uid object that leads to the slot `number`.
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
    private mutating func appendContents(of slot: Int) -> Reference {
        pairs.removeAll()
        let end = contents.slots[slot].parts.upperBound
        var place = contents.slots[slot].parts.lowerBound
        while place < end {
            let part = contents.parts[place]
            place += 1
            guard part.kind == .array else {
                pairs.append(reference(part))
                continue
            }
            elements.removeAll()
            for _ in 0..<part.value {
                elements.append(reference(contents.parts[place]))
                place += 1
            }
            pairs.append(list.append(array: UnsafeBufferPointer(elements.elements)))
        }
        return list.append(dictionary: pairs.base, count: pairs.count / 2)
    }
}

/// The new numbers of slots.
private struct SlotNumbering: ~Copyable {
    typealias Part = CanonicalContents.Part

    /// What is in each slot: a leaf, an object or a class entry.
    private(set) var slots: PlainArray<Part>
    private var leaves: PlainArray<UInt32>
    private var objects: PlainArray<UInt32>
    private var classes: PlainArray<UInt32>

    /// The number of what has none yet.
    private static let none = UInt32.max

    /// An object whose contents are being walked through.
    struct Frame: BitwiseCopyable {
        let slot: CanonicalContents.Slot
        var place: Int
    }

    /// Numbers what `$top` of `contents` leads to in the order of a walk.
    init(_ contents: borrowing CanonicalContents) {
        slots = PlainArray(capacity: contents.slots.count)
        leaves = PlainArray(repeating: Self.none, count: contents.scalars.count)
        objects = PlainArray(repeating: Self.none, count: contents.slots.count)
        classes = PlainArray(repeating: Self.none, count: contents.classes.count)
        _ = add(Part(.leaf, contents.root.null))
        var frames = PlainArray<Frame>(capacity: 64)
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

    /// The number of the slot that `part` refers to.
    func number(_ part: Part) -> UInt32 {
        switch part.kind {
        case .leaf: leaves[Int(part.value)]
        case .object: objects[Int(part.value)]
        default: classes[Int(part.value)]
        }
    }

    /// Gives what `part` refers to the next number, and tells whether it had none.
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
