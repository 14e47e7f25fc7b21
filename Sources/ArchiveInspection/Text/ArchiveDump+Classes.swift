// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import TreeOutput

/// The part of a class entry that is needed to write the objects of the class.
struct DescribedClass {
    let name: Node
    let isSet: Bool
    let form: RecordForm?
}

extension Node {
    var isText: Bool { kind == .ascii || kind == .utf16 }
}

// MARK: - Finding

extension ArchiveDump {
    mutating func describedClass(_ uid: UInt32) throws(KeyedArchiveError) -> DescribedClass {
        if let known = knownClasses[uid] { return try known.get() }
        let contents = contents
        let found = Result { () throws(KeyedArchiveError) in try contents.describedClass(uid) }
        knownClasses[uid] = found
        return try found.get()
    }
}

extension ArchiveContents {
    fileprivate func describedClass(_ uid: UInt32) throws(KeyedArchiveError) -> DescribedClass {
        guard let name = try value(of: "$classname", in: classEntry(uid))?.node, name.isText else {
            throw KeyedArchiveError(.badClass(uid: uid))
        }
        switch try nearestClass(uid, FoundationClass.init(named:))?.class {
        case .cocoa(.set)?, .countedSet?: return DescribedClass(name: name, isSet: true, form: nil)
        case .record(let form)?: return DescribedClass(name: name, isSet: false, form: form)
        default: return DescribedClass(name: name, isSet: false, form: nil)
        }
    }

    /// The text of a name of at most 200 characters.
    fileprivate func nameText(_ name: Node) -> String? {
        name.isText && name.count <= 200 ? list.objects.string(name) : nil
    }
}

// MARK: - Writing

extension ArchiveDump {
    private static var nameLimit: Int { 16 }

    mutating func writeClassName(_ name: Node) {
        output.writeClassName(TextBytes(name, in: contents.list.objects))
    }

    /// Writes a class entry: the class, its superclasses, and its fallbacks from `$classhints`.
    mutating func writeClassEntry(_ entry: Node, uid: UInt32?) {
        let name = (try? contents.value(of: "$classname", in: entry))?.node
        output.write("class ")
        if let name, name.isText { writeClassName(name) } else { output.write("without a name") }
        if let uid { output.write(" #\(uid)") }
        guard let name, name.isText else { return }
        if let chain = names("$classes", of: entry) {
            // The class itself comes first, unless it is archived under another name.
            let text = contents.nameText(name)
            let isItself = text != nil && chain.first.flatMap { contents.nameText($0) } == text
            writeNames(": ", chain.dropFirst(isItself ? 1 : 0))
        }
        if let fallbacks = names("$classhints", of: entry), !fallbacks.isEmpty {
            writeNames(" (or else ", fallbacks[...])
            output.write(")")
        }
    }

    /// The names in a list of a class entry, which are one more than are shown if there are more; nil if there is no list.
    private func names(_ key: StaticString, of entry: Node) -> [Node]? {
        guard let list = try? contents.value(of: key, in: entry)?.node, list.kind == .array else { return nil }
        return (0..<min(list.count, Self.nameLimit + 2)).map { position in
            (try? contents.node(contents.list.reference(position, in: list.payload))) ?? ArchivedValue.null.node
        }
    }

    private mutating func writeNames(_ introduction: String, _ names: ArraySlice<Node>) {
        var separator = introduction
        for name in names.prefix(Self.nameLimit) {
            output.write(separator)
            separator = ", "
            if name.isText { writeClassName(name) } else { output.write("damaged") }
        }
        if names.count > Self.nameLimit { output.write(", …") }
    }
}

/// The way the contents of a container are written.
enum DumpLayout {
    /// By key, in the order of the archive. The class of an object, at `classPosition`, is omitted.
    case fields(Node, classPosition: Int?)
    /// A dictionary of Foundation or of the property list.
    case entries(keys: ArchivedElements, values: ArchivedElements)
    /// An array, or another list with positions.
    case elements(ArchivedElements)
    /// A set.
    case members(ArchivedElements)
    /// An NSCountedSet.
    case countedMembers([(reference: Int, count: Int128)])

    /// The largest number of entries of an object that may be inspected at every reference to it. Larger objects are inspected
    /// once.
    static let smallCount = 16

    var count: Int {
        switch self {
        case .fields(let node, let classPosition): node.count - (classPosition == nil ? 0 : 1)
        case .entries(let keys, _): keys.count
        case .elements(let elements), .members(let elements): elements.count
        case .countedMembers(let members): members.count
        }
    }

    /// The number of items in words; nil for the fields of an object.
    var summary: String? {
        switch self {
        case .fields: nil
        case .entries: LineText.count(count, "entry", "entries")
        case .elements, .members, .countedMembers: LineText.count(count, "element", "elements")
        }
    }
}

extension ArchiveDump {
    /// Returns the layout of the contents of a value with the form `form`. If they are not valid contents of its class, also
    /// returns the damage.
    func layout(
        of archived: ArchivedValue, _ form: DumpedForm
    ) -> (layout: DumpLayout, damage: KeyedArchiveError?) {
        let node = archived.node
        switch form {
        case .object(let described, let classPosition):
            let fields = DumpLayout.fields(node, classPosition: classPosition)
            do throws(KeyedArchiveError) {
                // A damaged object is not written as a leaf: its fields show the contents.
                _ = try contents.leafObject(archived, of: described)
                return (try collectionLayout(of: archived, described) ?? fields, nil)
            } catch {
                return (fields, error)
            }
        // A `$class` that is not a reference is written as an ordinary field.
        case .damagedObject(let error): return (.fields(node, classPosition: nil), error)
        default:
            let elements = ArchivedElements(node)
            guard node.kind == .dictionary else {
                return (node.kind == .set ? .members(elements) : .elements(elements), nil)
            }
            let values = Node(
                kind: .array, count: node.count, payload: node.payload + node.count * contents.list.referenceSize)
            return (.entries(keys: elements, values: ArchivedElements(values)), nil)
        }
    }

    /// The layout of one of Foundation's collections; nil for other objects, for collections with further fields, and for those
    /// that share their list.
    private func collectionLayout(
        of archived: ArchivedValue, _ described: DescribedClass
    ) throws(KeyedArchiveError) -> DumpLayout? {
        let node = archived.node
        guard try contents.mayBeCocoa(node) else { return nil }
        if let (keys, values) = try contents.dictionary(archived) {
            var isWhole = node.count == 1 + 2 * keys.count
            if let ownsKeys = try ownsList("NS.keys", in: node), let ownsValues = try ownsList("NS.objects", in: node) {
                isWhole = node.count == 3 && ownsKeys && ownsValues
            }
            return isWhole ? .entries(keys: keys, values: values) : nil
        }
        if described.isSet, let members = try countedMembers(of: node) { return .countedMembers(members) }
        if let elements = try contents.elements(of: archived) {
            var isWhole = node.count == 1 + elements.count
            if let owns = try ownsList("NS.objects", in: node) { isWhole = owns && node.count == 2 }
            guard isWhole else { return nil }
            return described.isSet ? .members(elements) : .elements(elements)
        }
        return nil
    }

    private func countedMembers(of node: Node) throws(KeyedArchiveError) -> [(reference: Int, count: Int128)]? {
        guard let (elements, counts) = try contents.countedElements(of: node) else { return nil }
        var members: [(reference: Int, count: Int128)] = []
        for position in 0..<elements.count {
            let count = try contents.value(counts.reference(position, in: contents)).node
            guard count.kind == .integer else { return nil }
            members.append((elements.reference(position, in: contents), contents.list.objects.integer(count)))
        }
        return members
    }

    /// Whether the list under `key` of `node` belongs to no other object; nil if `node` has no such list.
    private func ownsList(_ key: StaticString, in node: Node) throws(KeyedArchiveError) -> Bool? {
        guard let position = try contents.index(of: key, in: node) else { return nil }
        let list = source.value(contents.list.reference(node.count + position, in: node.payload))
        guard let kind = list.archived?.node.kind, kind == .array || kind == .set, let reference = list.reference else {
            return nil
        }
        return !walk.shared.contains(reference)
    }
}
