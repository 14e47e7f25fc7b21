// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import TreeOutput

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The written form of a value.
enum DumpedForm {
    /// A number, a string, data, a date, or nil.
    case leaf
    /// An object of one of Foundation's classes that is written like a leaf.
    case leafObject(DescribedClass, LeafObject)
    /// A container of the property list.
    case container
    /// An object of a class, which is at `classPosition` among its entries.
    case object(DescribedClass, classPosition: Int)
    /// An object whose class cannot be determined.
    case damagedObject(KeyedArchiveError)
    case classEntry
}

// MARK: - Finding

extension ArchiveDump {
    /// Returns the form of `value`; nil if the archive is damaged there.
    mutating func form(of value: KeyedArchive.Value) -> DumpedForm? {
        guard let archived = value.archived else { return nil }
        switch archived.node.kind {
        case .array, .set: return .container
        case .dictionary: break
        default: return .leaf
        }
        guard archived.node.count > DumpLayout.smallCount, let reference = value.reference else {
            return findForm(of: archived)
        }
        if let known = knownForms[reference] { return known }
        let form = findForm(of: archived)
        knownForms[reference] = form
        return form
    }

    private mutating func findForm(of archived: ArchivedValue) -> DumpedForm {
        let node = archived.node
        do throws(KeyedArchiveError) {
            guard node.count > 0 else { return .container }
            // Writers put the class last.
            let last = try contents.node(contents.list.reference(node.count - 1, in: node.payload))
            let position =
                contents.list.objects.isString(last, "$class")
                ? node.count - 1 : try contents.index(of: "$class", in: node)
            if let position {
                let value = try contents.node(contents.list.reference(node.count + position, in: node.payload))
                if value.kind == .uid {
                    let described = try describedClass(contents.uid(value))
                    if let leaf = try? contents.leafObject(archived, of: described) {
                        return .leafObject(described, leaf)
                    }
                    return .object(described, classPosition: position)
                }
            }
            // A large dictionary is written as a plain one.
            guard node.count <= DumpLayout.smallCount else { return .container }
            return try contents.value(of: "$classname", in: node) == nil ? .container : .classEntry
        } catch {
            return .damagedObject(error)
        }
    }

    mutating func isClassEntry(_ uid: UInt32) -> Bool {
        if case .classEntry? = form(of: source.object(uid)) { return true }
        return false
    }

    mutating func isLeaf(_ value: KeyedArchive.Value) -> Bool {
        switch form(of: value) {
        case nil, .leaf?, .leafObject?: true
        case .container?, .object?, .damagedObject?, .classEntry?: false
        }
    }

    mutating func showsUID(_ value: KeyedArchive.Value) -> Bool {
        switch form(of: value) {
        case nil, .leaf?: false
        case .leafObject?: options.showsUIDs
        case .container?, .object?, .damagedObject?, .classEntry?: options.showsUIDs || isShared(value)
        }
    }

    private func isShared(_ value: KeyedArchive.Value) -> Bool {
        value.uid.map { Int($0) < contents.slotCount && walk.sharedSlots.contains(Int($0)) } ?? false
    }
}

// MARK: - Writing

extension ArchiveDump {
    /// Writes the line of `value`, and opens its contents if they follow.
    ///
    /// - Parameters:
    ///   - indentation: The levels that the line is indented by.
    ///   - depth: The levels of contents around it.
    ///   - isSection: Whether it is the first line of a section.
    mutating func write(_ value: KeyedArchive.Value, indentation: Int, depth: Int, isSection: Bool = false) {
        guard let archived = value.archived, let form = form(of: value) else {
            return output.write("damaged: " + (value.damage?.finding ?? ""))
        }
        var record: RecordForm?
        switch form {
        case .leaf: return writeLeaf(archived)
        case .leafObject(let described, let leaf):
            writeClassName(described.name)
            if options.showsUIDs { writeLabel(value) }
            output.write(" ")
            return writeLeafObject(leaf)
        case .classEntry: return writeClassEntry(archived.node, uid: value.uid)
        case .container:
            let kind = archived.node.kind
            output.write(kind == .array ? "array" : kind == .set ? "set" : "dictionary")
        case .object(let described, _):
            writeClassName(described.name)
            record = described.form
        case .damagedObject: output.write("object")
        }
        let reference = value.reference ?? 0
        if let mark = tree.mark(of: reference) {
            writeLabel(value, isNeeded: true)
            return output.write(mark.description)
        }
        let isCut = depth >= options.depthLimit
        if isCut, archived.node.count > DumpLayout.smallCount {
            // Counting its elements at every reference to it would take too long.
            writeLabel(value, isNeeded: isSection)
            return output.write(" …")
        }
        let (layout, damage) = layout(of: archived, form)
        let isPostponed = !isCut && layout.count > 0 && indentation >= options.indentationLimit
        writeLabel(value, isNeeded: isSection || isPostponed)
        guard !isPostponed else {
            output.write(" (below)")
            return tree.postpone(value, reference, depth: depth)
        }
        if let summary = layout.summary { output.write(", " + summary) }
        if let damage { output.write(" (damaged: " + damage.finding + ")") }
        guard layout.count > 0 else { return }
        guard !isCut else { return output.write(" …") }
        tree.open(
            .layout(layout, record), count: layout.count, of: reference, indentation: indentation + 1, depth: depth + 1)
    }

    mutating func writeMeaning(of value: KeyedArchive.Value, under key: Node, _ form: RecordForm) {
        guard key.kind == .ascii, key.count <= CocoaClass.nameLimit,
            let field = form.field(contents.list.objects.string(key)),
            let number = value.archived?.node, number.kind == .integer,
            let meaning = field.kind.meaning(of: contents.list.objects.integer(number))
        else { return }
        if case .flags([], _) = meaning { return }
        output.write(" (\(meaning))")
    }

    /// Writes the uid of `value`, and its number in the property list if the uid is absent or ambiguous.
    private mutating func writeLabel(_ value: KeyedArchive.Value, isNeeded: Bool = false) {
        if let uid = value.uid, options.showsUIDs || isNeeded || isShared(value) { output.write(" #\(uid)") }
        guard let reference = value.reference else { return }
        if walk.shared.contains(reference) || (isNeeded && value.uid == nil) { output.write(" @\(reference)") }
    }

    mutating func writeLeaf(_ value: ArchivedValue) {
        let objects = contents.list.objects
        let node = value.node
        guard !value.isNull else { return output.write("nil") }
        switch node.kind {
        case .null: output.write("nil")
        case .true: output.write("true")
        case .false: output.write("false")
        case .integer: output.write(String(objects.integer(node)))
        case .real64: output.write(objects.real64(node).description)
        case .real32: output.write(objects.real32(node).description + " (32 bits)")
        case .ascii, .utf16: output.writeLiteral(TextBytes(node, in: objects), limit: options.stringLimit)
        case .date: output.write(ReadableText.date(objects.real64(node)))
        case .data: writeData(objects.bytes(node))
        case .uid, .array, .set, .dictionary: break  // followed, or not leaves
        }
    }

    mutating func writeData(_ bytes: StoredBytes) {
        // An XML property list can begin with white space, of which a limited amount is skipped.
        let start = bytes.part(0..<min(bytes.count, Self.formatPrefix))
        let looksLikeArchive = PropertyListFormat(detectedIn: start) != nil
        if !looksLikeArchive, options.byteLimit > 0, Self.isPlainText(bytes) {
            ReadableText.write(bytes, shownByteCount: 0, to: &output)
            output.write(" ")
            output.writeLiteral(TextBytes(utf8: bytes), limit: options.stringLimit)
        } else {
            ReadableText.write(bytes, shownByteCount: options.byteLimit, to: &output)
        }
        if let mark = dataText.ask(bytes) { return output.write(mark.description) }
        if looksLikeArchive { output.write(" (may be an archive)") }
    }

    /// Whether `bytes` are printable ASCII, such as the components of a color, optionally with a final 0.
    private static func isPlainText(_ bytes: StoredBytes) -> Bool {
        let text = bytes.last == 0 ? bytes.dropLast() : bytes[...]
        return !text.isEmpty && text.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// The number of bytes that are searched for the start of a property list.
    private static var formatPrefix: Int { 64 }
}

/// The text below data in a dump, which the caller provides.
struct DataText {
    private let text: ((Data) -> String?)?
    /// Whether the data at a place has a text. The text of each data is requested once.
    private var told: [UInt: Bool] = [:]
    /// The text to be written below the current line.
    var pending: String?

    init(_ text: ((Data) -> String?)?) { self.text = text }

    /// Requests the text of `bytes`, and stores it in `pending`.
    ///
    /// - Returns: The words that follow the data if it has a text; nil if it has none.
    mutating func ask(_ bytes: StoredBytes) -> StaticString? {
        guard let text, !bytes.isEmpty else { return nil }
        if let isTold = told[bytes.place] { return isTold ? " (above)" : nil }
        // Not copied, since data in a hostile archive can overlap many times.
        pending = text(bytes.data)
        told[bytes.place] = pending != nil
        return pending == nil ? nil : ":"
    }
}

extension ArchiveDump {
    /// Writes the text of the data on the line above, if it has one.
    mutating func writeDataText(indentation: Int) {
        guard let text = dataText.pending else { return }
        dataText.pending = nil
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty {
                output.leaveLine()
            } else {
                output.startLine(indentation)
                output.write(String(line))
            }
        }
    }
}
