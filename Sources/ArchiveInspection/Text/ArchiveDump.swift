import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The state of a dump: an archive, or a part of one, that is being written as text.
///
/// It does not recurse. `frames` contains the open containers, and `sections` contains those whose indentation would be too deep.
/// The contents of each container are written once: a bit per container records that. The length of the text is therefore
/// proportional to the archive, whatever shared references and cycles it has.
struct ArchiveDump: ~Copyable {
    let source: ArchiveSource
    let contents: ArchiveContents
    let options: KeyedArchive.DumpOptions
    var output: DumpOutput
    /// The text that a caller provides for data, and the data that has such a text.
    var dataText: DataText
    /// The objects that several written places refer to.
    var census: ReferenceCensus
    /// Containers whose contents are written completely or partly.
    var written: BitSet
    /// Containers around the current place, whose contents are being written.
    var open: BitSet
    /// Containers whose contents follow in a section.
    var waiting: BitSet
    var frames: [Frame] = []
    private var sections: [Section] = []
    private var nextSection = 0
    /// The number of lines that may still be written. An archive has at most one line per byte, unless its objects overlap.
    private var budget: Int
    /// The roles of dictionaries with many keys, by their numbers in the property list.
    var knownDictionaries: [Int: DictionaryRole] = [:]
    /// The descriptions of class entries, by their numbers in the property list.
    var knownClasses: [Int: DescribedClass] = [:]

    /// A container whose contents are being written.
    struct Frame {
        /// Its number in the property list; nil for `top`.
        let reference: Int?
        let layout: DumpLayout
        /// The description of the class, which has names for numbers.
        var form: RecordForm?
        /// The levels of indentation of its contents.
        let indentation: Int
        /// The levels of contents around its own.
        let depth: Int
        var position = 0
        /// Whether the key at `position` has been written on a line of its own.
        var isPastKey = false
    }

    /// A container whose contents are written after the open ones.
    struct Section {
        let reference: Int
        let uid: UInt32?
        let depth: Int
    }

    init(
        _ source: ArchiveSource, options: KeyedArchive.DumpOptions, output: DumpOutput,
        textOfData: ((Data) -> String?)? = nil
    ) {
        self.source = source
        dataText = DataText(textOfData)
        contents = source.contents
        self.options = options.clamped
        self.output = output
        census = ReferenceCensus(contents)
        written = BitSet(count: contents.list.objectCount)
        open = BitSet(count: contents.list.objectCount)
        waiting = BitSet(count: contents.list.objectCount)
        budget = contents.list.objects.limit
    }
}

extension KeyedArchive.DumpOptions {
    fileprivate var clamped: KeyedArchive.DumpOptions {
        var options = self
        options.byteLimit = max(0, byteLimit)
        options.stringLimit = max(0, stringLimit)
        options.depthLimit = max(0, depthLimit)
        options.indentationLimit = min(max(1, indentationLimit), 64)
        return options
    }
}

// MARK: - Archives and values

extension ArchiveDump {
    /// Writes the whole archive.
    mutating func writeArchive() {
        census.countContents(of: contents.top)
        var unreachable = BitSet(count: contents.slotCount)
        let unreachableCount = options.listsUnreachableObjects ? findUnreachable(&unreachable) : 0
        writeHeader()
        writeContentsOfTop(indentation: 0)
        if unreachableCount > 0 { writeUnreachable(unreachable) }
        if options.listsClasses { writeClasses() }
        output.flush()
    }

    /// Writes the value at `place` and everything that it reaches.
    mutating func write(_ place: KeyedArchive.Value.Place) {
        output.startLine(0)
        switch place {
        case .top:
            census.countContents(of: contents.top)
            output.write("top")
            if options.depthLimit > 0 { writeContentsOfTop(indentation: 1) } else { output.write(" …") }
        case .slot(let uid):
            census.count(uid: uid)
            write(resolve(uid: uid))
        case .inline(let reference):
            census.count(reference: reference)
            write(resolve(reference))
        }
        output.flush()
    }

    private mutating func write(_ value: DumpedValue) {
        write(value, indentation: 0, depth: 0)
        writeDataText(indentation: 1)
        writeFrames()
    }

    private mutating func writeHeader() {
        output.startLine(0)
        output.write("Keyed archive")
        if let root = try? contents.node(contents.list.top),
            let archiver = try? contents.value(of: "$archiver", in: root)?.node,
            archiver.kind == .ascii || archiver.kind == .utf16
        {
            output.write(" by ")
            output.writeClassName(TextBytes(archiver, in: contents.list.objects))
        }
        output.write(source.format == .xml ? ", XML, " : ", binary, ")
        output.write(DumpOutput.count(contents.slotCount, "object", "objects"))
    }

    private mutating func writeContentsOfTop(indentation: Int) {
        let layout = DumpLayout.fields(contents.top, classPosition: nil)
        frames.append(Frame(reference: nil, layout: layout, indentation: indentation, depth: indentation))
        writeFrames()
    }

    /// Collects the objects without references to them in `found`, and counts their references.
    private mutating func findUnreachable(_ found: inout BitSet) -> Int {
        var count = 0
        for slot in 1..<max(1, contents.slotCount) where !census.slots.contains(slot) {
            let uid = UInt32(truncatingIfNeeded: slot)
            guard !isClassEntry(uid) else { continue }
            _ = found.insert(slot)
            count += 1
            census.count(uid: uid)
        }
        return count
    }

    private mutating func writeUnreachable(_ uids: borrowing BitSet) {
        output.leaveLine()
        output.startLine(0)
        output.write("Unreachable objects:")
        for slot in 1..<contents.slotCount where uids.contains(slot) && budget > 0 {
            let value = resolve(uid: UInt32(truncatingIfNeeded: slot))
            output.startLine(1)
            if !showsUID(value) { output.write("#\(slot): ") }
            write(value, indentation: 1, depth: 0)
            writeDataText(indentation: 2)
            writeOpenFrames()
        }
        writeFrames()
    }

    private mutating func writeClasses() {
        var isFirst = true
        for slot in 1..<max(1, contents.slotCount) {
            let uid = UInt32(truncatingIfNeeded: slot)
            guard isClassEntry(uid) else { continue }
            if isFirst {
                output.leaveLine()
                output.startLine(0)
                output.write("Classes:")
                isFirst = false
            }
            output.startLine(1)
            write(resolve(uid: uid), indentation: 1, depth: 0)
        }
    }
}

// MARK: - Frames and sections

extension ArchiveDump {
    /// Writes the contents of the open containers, and the sections that they add.
    private mutating func writeFrames() {
        writeOpenFrames()
        while nextSection < sections.count, budget > 0 {
            let section = sections[nextSection]
            nextSection += 1
            // The written ones are removed from time to time.
            if nextSection >= 1024, nextSection * 2 >= sections.count {
                sections.removeFirst(nextSection)
                nextSection = 0
            }
            output.leaveLine()
            output.startLine(0)
            waiting.remove(section.reference)
            let value = if let uid = section.uid { resolve(uid: uid) } else { resolve(section.reference) }
            write(value, indentation: 0, depth: section.depth, isSection: true)
            writeOpenFrames()
        }
    }

    /// Writes the contents of the open containers.
    private mutating func writeOpenFrames() {
        while let frame = frames.last {
            guard frame.position < frame.layout.count else {
                frames.removeLast()
                if let reference = frame.reference { open.remove(reference) }
                continue
            }
            guard budget > 0 else { return stop() }
            budget -= 1
            output.startLine(frame.indentation)
            writeItem(frame)
            writeDataText(indentation: frame.indentation + 1)
        }
    }

    /// Ends a dump with more lines than an archive can have.
    private mutating func stop() {
        output.startLine(0)
        output.write("… (objects overlap: the dump stops here)")
        frames.removeAll()
    }

    /// Adds a section for the container at `place`.
    mutating func postpone(_ place: DumpedPlace, depth: Int) {
        _ = waiting.insert(place.reference)
        sections.append(Section(reference: place.reference, uid: place.uid, depth: depth))
    }

    private mutating func writeItem(_ frame: Frame) {
        let last = frames.count - 1
        switch frame.layout {
        case .fields(let node, let classPosition):
            var position = frame.position
            if let classPosition, position >= classPosition { position += 1 }
            let key = contents.list.reference(position, in: node.payload)
            let value = contents.list.reference(node.count + position, in: node.payload)
            if let name = try? contents.node(key), name.kind == .ascii || name.kind == .utf16 {
                output.writeFieldName(TextBytes(name, in: contents.list.objects))
                output.write(": ")
                frames[last].position += 1
                write(resolve(value), in: frame)
                if let form = frame.form { writeMeaning(of: value, under: name, form) }
            } else {
                writeEntry(frame, key: key, value: value)
            }
        case .entries(let keys, let values):
            writeEntry(
                frame, key: keys.reference(frame.position, in: contents),
                value: values.reference(frame.position, in: contents))
        case .elements(let elements):
            output.write("[\(frame.position)]: ")
            frames[last].position += 1
            write(resolve(elements.reference(frame.position, in: contents)), in: frame)
        case .members(let elements):
            output.write("- ")
            frames[last].position += 1
            write(resolve(elements.reference(frame.position, in: contents)), in: frame)
        case .countedMembers(let members):
            let member = members[frame.position]
            output.write("- \(member.count) × ")
            frames[last].position += 1
            write(resolve(member.reference), in: frame)
        }
    }

    /// Writes a key and its value, on one line if the key is a leaf.
    private mutating func writeEntry(_ frame: Frame, key: Int, value: Int) {
        let last = frames.count - 1
        let key = resolve(key)
        if frame.isPastKey {
            output.write("[\(frame.position)] value: ")
            frames[last].isPastKey = false
            frames[last].position += 1
            write(resolve(value), in: frame)
        } else if isLeaf(key) {
            write(key, in: frame)
            // The text of data in a key would have to precede the value.
            dataText.pending = nil
            output.write(": ")
            frames[last].position += 1
            write(resolve(value), in: frame)
        } else {
            output.write("[\(frame.position)] key: ")
            frames[last].isPastKey = true
            write(key, in: frame)
        }
    }

    private mutating func write(_ value: DumpedValue, in frame: Frame) {
        write(value, indentation: frame.indentation, depth: frame.depth)
    }
}
