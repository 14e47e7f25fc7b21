// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

/// What lies in a keyed archive, seen as a property list.
package struct InspectedArchive {
    package let list: PropertyList
    /// `$objects`; the index is the uid.
    package let objects: [PropertyList]

    package init(_ data: Data) throws {
        list = try PropertyList(data)
        guard case .array(let objects)? = list["$objects"] else { throw NoArchive() }
        self.objects = objects
    }

    /// The archive of `value`.
    package init(of value: some Encodable, by encoder: ArchiveEncoder = ArchiveEncoder()) throws {
        try self.init(encoder.encode(value))
    }

    package struct NoArchive: Error {
        package init() {}
    }

    /// The value under "root" in `$top`.
    package var root: PropertyList { list["$top"]?["root"] ?? .null }

    /// The object that `value` refers to, where it is a uid.
    package func follow(_ value: PropertyList?) -> PropertyList? {
        guard case .uid(let uid)? = value, objects.indices.contains(Int(uid)) else { return value }
        return objects[Int(uid)]
    }

    /// `$classname` of an object.
    package func className(of object: PropertyList) -> String? {
        guard let entry = follow(object["$class"]), case .string(let name)? = entry["$classname"] else { return nil }
        return name
    }

    /// `$classes` of an object.
    package func classChain(of object: PropertyList) -> [String] {
        guard let entry = follow(object["$class"]), case .array(let names)? = entry["$classes"] else { return [] }
        return names.map { if case .string(let name) = $0 { name } else { "?" } }
    }

    /// `$classname` of every class entry.
    package var classNames: [String] {
        objects.compactMap { if case .string(let name)? = $0["$classname"] { name } else { nil } }
    }

    /// How many objects there are of the class whose name ends in `name`.
    package func count(ofClass name: String) -> Int {
        objects.filter { className(of: $0).map(Self.lastPart) == name }.count
    }

    /// `Dog` of `Farm.Dog`, and of `Farm.(unknown context).Dog`; `Box<Swift.Int>` of `Farm.Box<Swift.Int>`.
    package static func lastPart(of className: String) -> String {
        let head = className.prefix { $0 != "<" }
        let start = head.lastIndex(of: ".").map { head.index(after: $0) } ?? head.startIndex
        return String(className[start...])
    }
}

// MARK: - Text

extension InspectedArchive {
    /// The graph as a line of text, from the root on.
    ///
    /// `Point{x: 1, name: @"A", tags: NSArray[@1, nil]}`: objects by the last part of their class's name and by their entries in
    /// the order of the file, without `$class`; `@` marks a leaf behind a uid, in contrast to an inline leaf; `nil` is uid 0; a
    /// 32-bit real ends in `f`. Objects with two references are numbered at their first occurrence, `#1=Node{next: #1}`; empty
    /// collections, which are one object for all, are not.
    package var text: String { text(of: root) }

    /// The graph from `value` on.
    package func text(of value: PropertyList) -> String {
        var walk = Walk(contents: self)
        walk.count(value)
        return walk.text(value)
    }

    private struct Walk {
        let contents: InspectedArchive
        var visits: [UInt32: Int] = [:]
        var labels: [UInt32: Int] = [:]

        init(contents: InspectedArchive) { self.contents = contents }

        mutating func count(_ value: PropertyList) {
            switch value {
            case .uid(let uid):
                visits[uid, default: 0] += 1
                if visits[uid] == 1, let object = contents.follow(value) { count(object) }
            case .array(let elements): for element in elements { count(element) }
            case .dictionary(let entries):
                for entry in entries where entry.key != "$class" { count(entry.value) }
            default: break
            }
        }

        mutating func text(_ value: PropertyList) -> String {
            switch value {
            case .uid(0): return "nil"
            case .uid(let uid):
                guard let object = contents.follow(value), case .dictionary(let entries) = object else {
                    return "@" + (contents.follow(value).map(leaf) ?? "nothing")
                }
                if let label = labels[uid] { return "#\(label)" }
                guard visits[uid, default: 0] > 1, !isEmptyCollection(object) else { return text(entries, of: object) }
                let label = labels.count + 1
                labels[uid] = label
                return "#\(label)=" + text(entries, of: object)
            case .array(let elements): return "[" + elements.map { text($0) }.joined(separator: ", ") + "]"
            default: return leaf(value)
            }
        }

        private func isEmptyCollection(_ object: PropertyList) -> Bool {
            guard object["NS.objects"] == [], let name = contents.className(of: object) else { return false }
            return ["NSArray", "NSSet", "NSDictionary"].contains(name)
        }

        private mutating func text(_ entries: PropertyList.Dictionary, of object: PropertyList) -> String {
            let name = contents.className(of: object).map(InspectedArchive.lastPart) ?? "?"
            let fields = entries.filter { $0.key != "$class" }
            if fields.count == 1, fields.first?.key == "NS.objects", case .array(let elements)? = fields.first?.value {
                return name + "[" + elements.map { text($0) }.joined(separator: ", ") + "]"
            }
            if name == "NSDictionary", case .array(let keys)? = object["NS.keys"],
                case .array(let values)? = object["NS.objects"]
            {
                let pairs = zip(keys, values).map { text($0) + ": " + text($1) }
                return name + "[" + pairs.joined(separator: ", ") + (keys.count == values.count ? "]" : ", ?]")
            }
            return name + "{" + fields.map { $0.key + ": " + text($0.value) }.joined(separator: ", ") + "}"
        }

        private func leaf(_ value: PropertyList) -> String {
            switch value {
            case .boolean(let value): "\(value)"
            case .integer(let value): "\(value)"
            case .real(let value): "\(value)"
            case .real32(let value): "\(value)f"
            case .string(let value): value == "$null" ? "null" : "\"\(value)\""
            default: "\(value)"
            }
        }
    }
}

/// The text of the archive of `value`.
package func archiveText(_ value: some Encodable, by encoder: ArchiveEncoder = ArchiveEncoder()) throws -> String {
    try InspectedArchive(of: value, by: encoder).text
}
