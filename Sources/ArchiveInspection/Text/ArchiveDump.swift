// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import TreeOutput

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The state of a dump: an archive, or a part of one, that is being written as text.
struct ArchiveDump: ~Copyable {
    let source: ArchiveSource
    let contents: ArchiveContents
    let options: KeyedArchive.DumpOptions
    var tree: DumpTree
    /// The text that a caller provides for data, and the data that has such a text.
    var dataText: DataText
    /// The values that several places refer to. They are determined before anything is written, so that each can be named at its
    /// first place.
    var walk: ArchiveWalk
    /// The forms of dictionaries with many keys, by their numbers in the property list.
    var knownForms: [Int: DumpedForm] = [:]
    var knownClasses: [UInt32: Result<DescribedClass, KeyedArchiveError>] = [:]

    typealias DumpTree = TreeText<Contents, KeyedArchive.Value>

    var output: DumpOutput {
        get { tree.output }
        _modify { yield &tree.output }
    }

    enum Contents {
        case layout(DumpLayout, RecordForm?)
        /// The value at a position of a dictionary, whose key has been written on a line of its own.
        case value(position: Int, reference: Int)
    }

    init(
        _ source: ArchiveSource, options: KeyedArchive.DumpOptions, output: DumpOutput,
        textOfData: ((Data) -> String?)? = nil
    ) {
        self.source = source
        dataText = DataText(textOfData)
        contents = source.contents
        self.options = options
        // An archive has at most one line per byte, unless its objects overlap.
        tree = TreeText(
            output, identityCount: contents.list.objectCount, lineBudget: contents.list.objects.limit)
        walk = ArchiveWalk(contents, followsDamage: false)
    }
}

extension KeyedArchive {
    package struct DumpOptions: Hashable, Sendable {
        package let byteLimit: Int
        package let stringLimit: Int
        package let depthLimit: Int
        /// The levels of indentation, from 1 to 64, after which the contents of an object are written in a section of their own.
        package let indentationLimit: Int
        package let showsUIDs: Bool
        package let listsClasses: Bool
        package let listsUnreachableObjects: Bool

        package init(
            byteLimit: Int = 16, stringLimit: Int = 200, depthLimit: Int = .max, indentationLimit: Int = 16,
            showsUIDs: Bool = true, listsClasses: Bool = false, listsUnreachableObjects: Bool = true
        ) {
            self.byteLimit = max(0, byteLimit)
            self.stringLimit = max(0, stringLimit)
            self.depthLimit = max(0, depthLimit)
            self.indentationLimit = min(max(1, indentationLimit), 64)
            self.showsUIDs = showsUIDs
            self.listsClasses = listsClasses
            self.listsUnreachableObjects = listsUnreachableObjects
        }
    }
}

// MARK: - Archives and values

extension ArchiveDump {
    mutating func writeArchive() {
        walk.visitContents(of: contents.top)
        let unreachable = options.listsUnreachableObjects ? findUnreachable() : []
        writeHeader()
        writeContentsOfTop(indentation: 0)
        writeList("Unreachable objects:", unreachable, areNamed: false)
        if options.listsClasses { writeList("Classes:", classEntries(), areNamed: true) }
        output.flush()
    }

    mutating func writeAll(of value: KeyedArchive.Value) {
        output.startLine(0)
        switch value.place {
        case .top:
            walk.visitContents(of: contents.top)
            output.write("top")
            if options.depthLimit > 0 { writeContentsOfTop(indentation: 1) } else { output.write(" …") }
        case .slot(let uid): walk.visit(uid: uid)
        case .inline(let reference): walk.visit(reference: reference)
        }
        if value.place != .top {
            write(value, indentation: 0, depth: 0)
            writeDataText(indentation: 1)
            writeSections()
        }
        output.flush()
    }

    private mutating func writeHeader() {
        output.startLine(0)
        output.write("Keyed archive")
        if let root = try? contents.node(contents.list.top),
            let archiver = try? contents.value(of: "$archiver", in: root)?.node, archiver.isText
        {
            output.write(" by ")
            writeClassName(archiver)
        }
        output.write(source.format == .xml ? ", XML, " : ", binary, ")
        output.write(LineText.count(contents.slotCount, "object", "objects"))
    }

    private mutating func writeContentsOfTop(indentation: Int) {
        let layout = DumpLayout.fields(contents.top, classPosition: nil)
        tree.open(.layout(layout, nil), count: layout.count, indentation: indentation, depth: indentation)
        writeSections()
    }

    /// The objects without references to them, whose references are counted.
    private mutating func findUnreachable() -> [UInt32] {
        var found: [UInt32] = []
        for slot in 1..<max(1, contents.slotCount) where !walk.slots.contains(slot) {
            let uid = UInt32(truncatingIfNeeded: slot)
            guard !isClassEntry(uid) else { continue }
            found.append(uid)
            walk.visit(uid: uid)
        }
        return found
    }

    private mutating func classEntries() -> [UInt32] {
        var found: [UInt32] = []
        for slot in 1..<max(1, contents.slotCount) {
            let uid = UInt32(truncatingIfNeeded: slot)
            if isClassEntry(uid) { found.append(uid) }
        }
        return found
    }

    private mutating func writeList(_ heading: String, _ uids: [UInt32], areNamed: Bool) {
        guard !uids.isEmpty else { return }
        tree.startHeading(heading)
        for uid in uids where tree.lineBudget > 0 {
            let value = source.object(uid)
            output.startLine(1)
            if !areNamed, !showsUID(value) { output.write("#\(uid): ") }
            write(value, indentation: 1, depth: 0)
            writeDataText(indentation: 2)
            writeLines()
        }
        writeSections()
    }
}

// MARK: - Lines

extension ArchiveDump {
    private mutating func writeSections() {
        writeLines()
        while let (value, depth) = tree.startSection() {
            write(value, indentation: 0, depth: depth, isSection: true)
            writeLines()
        }
    }

    private mutating func writeLines() {
        while let line = tree.nextLine() {
            switch line.contents {
            case .layout(let layout, let form): writeItem(of: layout, form, line)
            case .value(let position, let reference):
                output.write("[\(position)] value: ")
                write(source.value(reference), in: line)
            }
            writeDataText(indentation: line.indentation + 1)
        }
    }

    private mutating func writeItem(of layout: DumpLayout, _ form: RecordForm?, _ line: DumpTree.Line) {
        let list = contents.list
        switch layout {
        case .fields(let node, let classPosition):
            var position = line.position
            if let classPosition, position >= classPosition { position += 1 }
            let key = list.reference(position, in: node.payload)
            let value = list.reference(node.count + position, in: node.payload)
            guard let name = try? contents.node(key), name.isText else {
                return writeEntry(key: key, value: value, line)
            }
            output.writeFieldName(TextBytes(name, in: list.objects))
            output.write(": ")
            let place = source.value(value)
            write(place, in: line)
            if let form { writeMeaning(of: place, under: name, form) }
        case .entries(let keys, let values):
            writeEntry(
                key: keys.reference(line.position, in: contents), value: values.reference(line.position, in: contents),
                line)
        case .elements(let elements):
            output.write("[\(line.position)]: ")
            write(source.value(elements.reference(line.position, in: contents)), in: line)
        case .members(let elements):
            output.write("- ")
            write(source.value(elements.reference(line.position, in: contents)), in: line)
        case .countedMembers(let members):
            let member = members[line.position]
            output.write("- \(member.count) × ")
            write(source.value(member.reference), in: line)
        }
    }

    private mutating func writeEntry(key: Int, value: Int, _ line: DumpTree.Line) {
        let key = source.value(key)
        guard isLeaf(key) else {
            output.write("[\(line.position)] key: ")
            tree.open(
                .value(position: line.position, reference: value), count: 1, indentation: line.indentation,
                depth: line.depth)
            return write(key, in: line)
        }
        write(key, in: line)
        // The text of data in a key would have to precede the value.
        dataText.pending = nil
        output.write(": ")
        write(source.value(value), in: line)
    }

    private mutating func write(_ value: KeyedArchive.Value, in line: DumpTree.Line) {
        write(value, indentation: line.indentation, depth: line.depth)
    }
}

// MARK: - Archives

extension KeyedArchive {
    /// The archive as readable text: the value of each key with everything that it reaches.
    ///
    ///     Keyed archive by NSKeyedArchiver, binary, 14 objects
    ///     root: Farm #1
    ///         name: "Green Hill"
    ///         owner: Owner #3
    ///             name: "Ann"
    ///             farm: Farm #1 (cycle)
    ///         animals: NSArray #6, 2 elements
    ///             [0]: Cow #7
    ///                 name: "Bella"
    ///                 owner: Owner #3 (above)
    ///             [1]: NSNull #9
    ///         founded: NSDate #11 2018-06-04T17:00:00Z
    ///         photo: 20480 bytes <89504e47 0d0a1a0a 0000000d 49484452 …>
    ///
    /// The contents of an object are written once, at the first reference to it. Other references show its uid. The text of an
    /// archive is the same in every process.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values. `dump(to:)` does not need memory for the whole text.
    public var tree: String {
        var output = ""
        dump(to: &output)
        return output
    }

    /// Writes the archive as readable text to `target`, piece by piece. `tree` has an example.
    ///
    /// ```swift
    /// struct StandardError: TextOutputStream {
    ///     func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
    /// }
    /// var output = StandardError()
    /// archive.dump(to: &output, depthLimit: 2, listsClasses: true)
    /// ```
    ///
    /// Nothing is decoded, and the archive may be hostile: damaged values are marked as such. The text does not end with a line
    /// feed.
    ///
    /// - Parameters:
    ///   - target: The stream that receives the text, in pieces of about a thousand bytes.
    ///   - byteLimit: The number of bytes of data that are shown, after its length.
    ///   - stringLimit: The number of UTF-16 code units of a string that are shown. A longer string is followed by its length, as
    ///     NSString's `length`.
    ///   - depthLimit: The levels of contents that are shown. 0 is the values under the keys of an archive, or the value itself; 1
    ///     adds their contents, and so on. "…" marks omitted contents.
    ///   - showsUIDs: Whether every object is shown with its uid. Otherwise only shared objects have one.
    ///   - listsClasses: Whether the class entries of the archive are listed at its end.
    ///   - listsUnreachableObjects: Whether objects are listed that cannot be reached from any value encoded by key.
    ///   - textOfData: Returns the text for data that it recognizes, for example as an archive, and otherwise `nil`. The dump
    ///     shows the lines below the data, indented. It is called once for each data, whose bytes are not copied.
    /// - Complexity: O(*n*), where *n* is the number of values that are shown.
    public func dump<Target: TextOutputStream>(
        to target: inout Target, byteLimit: Int = 16, stringLimit: Int = 200, depthLimit: Int = .max,
        showsUIDs: Bool = true, listsClasses: Bool = false, listsUnreachableObjects: Bool = true,
        textOfData: ((Data) -> String?)? = nil
    ) {
        let options = DumpOptions(
            byteLimit: byteLimit, stringLimit: stringLimit, depthLimit: depthLimit, showsUIDs: showsUIDs,
            listsClasses: listsClasses, listsUnreachableObjects: listsUnreachableObjects)
        dump(to: &target, options: options, textOfData: textOfData)
    }

    package func dump(
        to target: inout some TextOutputStream, options: DumpOptions, textOfData: ((Data) -> String?)? = nil
    ) {
        writeDump(to: &target) { output in
            var dump = ArchiveDump(source, options: options, output: output, textOfData: textOfData)
            dump.writeArchive()
        }
    }
}

// MARK: - Values

extension KeyedArchive.Value {
    /// The value and everything that it reaches as readable text, in the form of `KeyedArchive.tree`.
    ///
    /// - Complexity: O(*n*), where *n* is the number of reachable values.
    public var tree: String {
        var output = ""
        dump(to: &output)
        return output
    }

    /// Writes the value and everything that it reaches as readable text to `target`, as `dump(to:)` of archives, whose
    /// parameters it has.
    ///
    /// - Complexity: O(*n*), where *n* is the number of values that are shown.
    public func dump<Target: TextOutputStream>(
        to target: inout Target, byteLimit: Int = 16, stringLimit: Int = 200, depthLimit: Int = .max,
        showsUIDs: Bool = true, textOfData: ((Data) -> String?)? = nil
    ) {
        let options = KeyedArchive.DumpOptions(
            byteLimit: byteLimit, stringLimit: stringLimit, depthLimit: depthLimit, showsUIDs: showsUIDs)
        dump(to: &target, options: options, textOfData: textOfData)
    }

    package func dump(
        to target: inout some TextOutputStream, options: KeyedArchive.DumpOptions,
        textOfData: ((Data) -> String?)? = nil
    ) {
        writeDump(to: &target) { output in
            var dump = ArchiveDump(source, options: options, output: output, textOfData: textOfData)
            dump.writeAll(of: self)
        }
    }
}

/// Calls `body` with an output that writes to `target`.
private func writeDump(to target: inout some TextOutputStream, _ body: (DumpOutput) -> Void) {
    let write = { (piece: String) in target.write(piece) }
    withoutActuallyEscaping(write, do: { write in body(DumpOutput(write)) })
}
