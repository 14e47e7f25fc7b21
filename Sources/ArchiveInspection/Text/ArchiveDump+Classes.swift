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
