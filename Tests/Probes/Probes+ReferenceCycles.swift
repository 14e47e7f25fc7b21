// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation

extension Probes {
    /// Cycles through the wrappers, and of classes that publish themselves.
    static func referenceCycles(_ report: inout Report) {
        report.section("Cycles through references")
        let nodes = (0..<5).map { ReferenceNode("\($0)") }
        for (index, node) in nodes.enumerated() {
            let next = nodes[(index + 1) % nodes.count]
            node.next = next
            node.owner = nodes[0]
            node.list = [next, nodes[0], next]
            node.set = [next, nodes[4]]
            node.byName = ["next": next, "self": node]
        }
        report.graph("references", nodes[0])
        report.graph("references, reversed", Array(nodes.reversed())) { $0 as [ReferenceNode] }
        report.graph("published", Hub(spokes: 4))
    }

    /// Cycles of `Coding` classes, and of both kinds of classes.
    static func codingCycles(_ report: inout Report) {
        report.section("Cycles of Coding classes")
        let folders = ["root", "a", "b"].map { Folder($0) }
        folders[0].contents = [folders[1], folders[2], folders[1]]
        for folder in folders { (folder.parent, folder.favourite) = (folders[0], folders[2]) }
        folders[1].note = Note("note")
        folders[1].note?.folder = folders[1]
        do {
            let data = try KeyedArchiver.archivedData(withRootObject: folders[0])
            try report.keep(data, as: "coding.plist")
            let after = shape([try KeyedUnarchiver.unarchivedObject(of: Folder.self, from: data)])
            report.line("coding: \(data.count) bytes, \(after)")
            if after != shape([folders[0]]) { report.failure("coding was \(shape([folders[0]]))") }
        } catch {
            report.failure("coding: \(error)")
        }
        report.graph("coded", Mixed(folder: folders[0], note: folders[1].note)) { [$0.folder, $0.note] }
    }

    /// Cycles that cannot be closed are errors, which name the property.
    static func unsoundCycles(_ report: inout Report) {
        report.section("Cycles that are errors")
        report.graph("no property that can wait", Knot("a"))
        report.graph("filtered", Filtered("a"))
    }
}

// MARK: - Classes

final class ReferenceNode: Codable, Linked, Hashable {
    let name: String
    @Reference var next: ReferenceNode?
    @WeakReference var owner: ReferenceNode?
    @References var list: [ReferenceNode]
    @References var set: Set<ReferenceNode>
    @References var byName: [String: ReferenceNode]

    init(_ name: String) {
        self.name = name
        (list, set, byName) = ([], [], [:])
    }

    static func == (left: ReferenceNode, right: ReferenceNode) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    var links: [(any Linked)?] {
        let lists: [[ReferenceNode?]] = [
            [next, owner], list, set.sorted { $0.name < $1.name }, byName.sorted { $0.key < $1.key }.map(\.value),
        ]
        return lists.flatMap { $0 }
    }
}

final class Hub: Codable, Linked {
    let name: String
    private var spokes: [Spoke] = []

    init(spokes count: Int) {
        name = "hub"
        spokes = (0..<count).map { Spoke("\($0)", self) }
    }

    private enum CodingKeys: CodingKey { case name, spokes }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        decoder.publish(self)
        spokes = try container.decode([Spoke].self, forKey: .spokes)
    }

    var links: [(any Linked)?] { spokes }
}

final class Spoke: Codable, Linked {
    let name: String
    unowned let hub: Hub

    init(_ name: String, _ hub: Hub) {
        self.name = name
        self.hub = hub
    }

    var links: [(any Linked)?] { [hub] }
}

final class Folder: Coding, Linked {
    let name: String
    var contents: [Folder] = []
    @Reference var favourite: Folder?
    weak var parent: Folder?
    var note: Note?

    init(_ name: String) { self.name = name }

    init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        coder.publish(self)
        contents = try coder.decode([Folder].self, forKey: "contents")
        _favourite = try coder.decode(Reference<Folder>.self, forKey: "favourite")
        parent = try coder.decodeIfPresent(Folder.self, forKey: "parent")
        note = try coder.decodeIfPresent(Note.self, forKey: "note")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        try coder.encode(contents, forKey: "contents")
        try coder.encode(_favourite, forKey: "favourite")
        try coder.encodeConditional(parent, forKey: "parent")
        try coder.encode(note, forKey: "note")
    }

    var links: [(any Linked)?] { contents + [favourite, parent, note] }
}

/// A Codable class that refers to a `Coding` class.
final class Note: Codable, Linked {
    let name: String
    @Coded var folder: Folder?

    init(_ name: String) { self.name = name }

    var links: [(any Linked)?] { [folder] }
}

struct Mixed: Codable {
    @Coded var folder: Folder
    var note: Note?
}

/// A class whose only property that can wait belongs to a struct.
final class Knot: Codable, Linked {
    struct Part: Codable {
        var knot: Knot?
    }

    let name: String
    var part = Part()

    init(_ name: String) {
        self.name = name
        part.knot = self
    }

    var links: [(any Linked)?] { [part.knot] }
}

/// A class whose initializer does not keep what it decodes.
final class Filtered: Codable, Linked {
    let name: String
    private var others: [Filtered] = []

    init(_ name: String) {
        self.name = name
        others = [self]
    }

    private enum CodingKeys: CodingKey { case name, others }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        others = try container.decode([Filtered].self, forKey: .others).filter { $0.name != "b" }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(others, forKey: .others)
    }

    var links: [(any Linked)?] { others }
}
