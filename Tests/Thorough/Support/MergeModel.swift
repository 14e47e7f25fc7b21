// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import TestSupport

/// A small graph of objects that is edited and merged without the library.
///
/// An object has an identity. Its list, its dictionary, its set and its point are values: each belongs to one object.
package struct MergeModel: Equatable {
    package struct Point: Equatable {
        package var x: Int
        package var y: Int
    }

    package enum Entry: Equatable {
        case text(String)
        case node(Int)
    }

    package struct Node: Equatable {
        package var name: String
        package var count = 0
        package var next: Int?
        package var list: [Int] = []
        package var entries: [String: Entry] = [:]
        package var words: Set<String> = []
        package var point: Point?

        package init(name: String) { self.name = name }

        /// The objects that this one refers to.
        var references: [Int] {
            (next.map { [$0] } ?? []) + list
                + entries.values.compactMap { entry in
                    if case .node(let id) = entry { id } else { nil }
                }
        }
    }

    /// The objects by their numbers. The root is 0.
    package var nodes: [Int: Node] = [0: Node(name: "root")]

    package init() {}

    /// The numbers of the objects that the root reaches.
    package var reachable: Set<Int> {
        var reached: Set<Int> = [0]
        var remaining = [0]
        while let id = remaining.popLast() {
            for other in nodes[id]?.references ?? [] where reached.insert(other).inserted { remaining.append(other) }
        }
        return reached
    }

    mutating func removeUnreachable() {
        let reached = reachable
        nodes = nodes.filter { reached.contains($0.key) }
    }
}

// MARK: - Random edits

extension MergeModel {
    /// Creates a random graph.
    package init(using generator: inout SeededGenerator) {
        for id in 1...7 {
            nodes[id] = Node(name: "object \(id)")
            nodes[Int.random(in: 0..<id, using: &generator)]?.list.append(id)
        }
        edit(12, newNumbers: 10, using: &generator)
    }

    /// Makes random changes.
    ///
    /// - Parameter newNumbers: The number of the first new object.
    package mutating func edit(_ count: Int, newNumbers: Int, using generator: inout SeededGenerator) {
        var nextID = newNumbers
        for _ in 0..<count {
            editOnce(&nextID, &generator)
            removeUnreachable()
        }
    }

    private mutating func editOnce(_ nextID: inout Int, _ generator: inout SeededGenerator) {
        let ids = nodes.keys.sorted()
        guard let id = ids.randomElement(using: &generator), let target = ids.randomElement(using: &generator),
            var node = nodes[id]
        else { return }
        let number = Int.random(in: 0..<50, using: &generator)
        let key = ["red", "green", "blue", "grey"].randomElement(using: &generator) ?? ""
        func insert(_ other: Int) {
            guard !node.list.contains(other) else { return }
            node.list.insert(other, at: Int.random(in: 0...node.list.count, using: &generator))
        }
        switch Int.random(in: 0..<17, using: &generator) {
        case 0: node.name = "name \(number)"
        case 1: node.count = number
        case 2: node.next = number.isMultiple(of: 3) ? nil : target
        case 3, 4, 5:
            nodes[nextID] = Node(name: "new \(nextID)")
            if number.isMultiple(of: 4) { node.next = nextID } else { insert(nextID) }
            nextID += 1
        case 6: insert(target)
        case 7, 8:
            if !node.list.isEmpty { node.list.remove(at: number % node.list.count) }
        case 9:
            guard node.list.count > 1, number.isMultiple(of: 3) else { break }
            insert(node.list.remove(at: number % node.list.count))
        case 10: node.entries[key] = .text("value \(number)")
        case 11: node.entries[key] = .node(target)
        case 12: node.entries[key] = nil
        case 13: if node.words.remove(key) == nil { node.words.insert(key) }
        case 14:
            if node.point == nil { node.point = Point(x: 0, y: 0) }
            node.point?.x = number
        case 15: node.point?.y = number
        default: if number.isMultiple(of: 2) { node.point = nil }
        }
        nodes[id] = node
    }
}

// MARK: - Archives

extension MergeModel {
    /// An archive of a model, which keeps the uids of objects, and of values that have not changed.
    package struct Archive {
        private var objects: [PropertyList] = ["$null"]
        private var classes: [String: UInt32] = [:]
        private var texts: [String: UInt32] = [:]
        private var uids: [Int: UInt32] = [:]
        private var values: [String: (value: PropertyList, uid: UInt32)] = [:]
        /// The names of the objects, and of their values, by their uids.
        package private(set) var names: [UInt32: String] = [:]

        package init() {}

        /// The uid of an object; nil if the archive has never had it.
        package func uid(of id: Int) -> UInt32? { uids[id] }

        /// Writes a model as a new version of the archive.
        package mutating func write(_ model: MergeModel) -> PropertyList {
            for id in model.nodes.keys.sorted() where uids[id] == nil {
                uids[id] = add("$null", "node \(id)")
            }
            for (id, node) in model.nodes.sorted(by: { $0.key < $1.key }) {
                guard let uid = uids[id] else { continue }
                objects[Int(uid)] = object(id, node)
            }
            return [
                "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": reference(0)],
                "$objects": .array(objects),
            ]
        }

        private mutating func add(_ object: PropertyList, _ name: String? = nil) -> UInt32 {
            objects.append(object)
            let uid = UInt32(objects.count - 1)
            if let name { names[uid] = name }
            return uid
        }

        private func reference(_ id: Int?) -> PropertyList { .uid(id.flatMap { uids[$0] } ?? 0) }

        private mutating func text(_ text: String) -> PropertyList {
            let uid = texts[text] ?? add(.string(text))
            texts[text] = uid
            return .uid(uid)
        }

        private mutating func reference(toClass name: String) -> PropertyList {
            let uid = classes[name] ?? add(["$classname": .string(name), "$classes": [.string(name), "NSObject"]])
            classes[name] = uid
            return .uid(uid)
        }

        private mutating func value(_ value: PropertyList, _ name: String) -> PropertyList {
            if let known = values[name], known.value == value { return .uid(known.uid) }
            let uid = add(value, name)
            values[name] = (value, uid)
            return .uid(uid)
        }

        private mutating func object(_ id: Int, _ node: Node) -> PropertyList {
            let keys = node.entries.keys.sorted()
            let list: PropertyList = [
                "NS.objects": .array(node.list.map { reference($0) }), "$class": reference(toClass: "NSArray"),
            ]
            let entries: PropertyList = [
                "NS.keys": .array(keys.map { text($0) }),
                "NS.objects": .array(
                    keys.map { key in
                        switch node.entries[key] {
                        case .text(let value)?: text(value)
                        case .node(let id)?: reference(id)
                        case nil: .uid(0)
                        }
                    }),
                "$class": reference(toClass: "NSMutableDictionary"),
            ]
            let words: PropertyList = [
                "NS.objects": .array(node.words.sorted().map { text($0) }), "$class": reference(toClass: "NSSet"),
            ]
            let point = node.point.map { point -> PropertyList in
                ["x": .integer(Int128(point.x)), "y": .integer(Int128(point.y)), "$class": reference(toClass: "Point")]
            }
            return [
                "id": .integer(Int128(id)), "name": text(node.name), "count": .integer(Int128(node.count)),
                "next": reference(node.next), "list": value(list, "list \(id)"),
                "entries": value(entries, "entries \(id)"), "words": value(words, "words \(id)"),
                "point": point.map { value($0, "point \(id)") } ?? .uid(0), "$class": reference(toClass: "Node"),
            ]
        }
    }

    /// Why an archive is not that of a model.
    package struct Defect: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads an archive, in which each object must be once, and nothing else.
    ///
    /// - Parameter uids: Receives the uids of the objects.
    package init(_ list: PropertyList, uids: inout [Int: UInt32]) throws {
        guard let objects = list["$objects"]?.array, let root = list["$top"]?["root"]?.uid else {
            throw Defect(description: "There is no root")
        }
        var reader = Reader(objects: objects)
        nodes = [:]
        _ = try reader.id(of: root)
        while let uid = reader.remaining.popLast() {
            let id = try reader.id(of: uid)
            guard nodes[id] == nil else { throw Defect(description: "Object \(id) is in the archive twice") }
            nodes[id] = try reader.node(uid)
            uids[id] = uid
        }
        for uid in objects.indices where !reader.used.contains(uid) && objects[uid] != "$null" {
            throw Defect(description: "Nothing refers to the object at uid \(uid), \(objects[uid])")
        }
    }

    private struct Reader {
        let objects: [PropertyList]
        var used: Set<Int> = [0]
        var remaining: [UInt32] = []

        init(objects: [PropertyList]) { self.objects = objects }

        mutating func object(_ value: PropertyList?) throws -> PropertyList {
            guard let uid = value?.uid, Int(uid) < objects.count else {
                throw Defect(description: "There is no object at \(value.map { "\($0)" } ?? "none")")
            }
            used.insert(Int(uid))
            let object = objects[Int(uid)]
            if let entry = object["$class"]?.uid { used.insert(Int(entry)) }
            return object
        }

        func name(ofClass object: PropertyList) -> String? {
            object["$class"]?.uid.flatMap { objects[Int($0)]["$classname"]?.string }
        }

        mutating func id(of uid: UInt32) throws -> Int {
            let isNew = !used.contains(Int(uid))
            let object = try object(.uid(uid))
            guard name(ofClass: object) == "Node", let id = object["id"]?.integer else {
                throw Defect(description: "The object at uid \(uid) is \(object)")
            }
            if isNew { remaining.append(uid) }
            return id
        }

        mutating func node(_ uid: UInt32) throws -> Node {
            let object = objects[Int(uid)]
            var node = Node(name: try self.object(object["name"]).string ?? "")
            node.count = object["count"]?.integer ?? -1
            if let next = object["next"]?.uid, next != 0 { node.next = try id(of: next) }
            let list = try self.object(object["list"])
            guard name(ofClass: list) == "NSArray" else { throw Defect(description: "\(list) is no list") }
            for element in list["NS.objects"]?.array ?? [] { node.list.append(try id(of: element.uid ?? 0)) }
            let entries = try self.object(object["entries"])
            for (key, value) in zip(entries["NS.keys"]?.array ?? [], entries["NS.objects"]?.array ?? []) {
                let key = try self.object(key).string ?? ""
                guard node.entries[key] == nil else { throw Defect(description: "\(key) is twice in a dictionary") }
                if let uid = value.uid, Int(uid) < objects.count, let text = objects[Int(uid)].string {
                    used.insert(Int(uid))
                    node.entries[key] = .text(text)
                } else {
                    node.entries[key] = .node(try id(of: value.uid ?? 0))
                }
            }
            for word in try self.object(object["words"])["NS.objects"]?.array ?? [] {
                guard let text = try self.object(word).string, node.words.insert(text).inserted else {
                    throw Defect(description: "A word is no text, or twice in a set")
                }
            }
            if let point = object["point"]?.uid, point != 0 {
                let fields = try self.object(.uid(point))
                node.point = Point(x: fields["x"]?.integer ?? -1, y: fields["y"]?.integer ?? -1)
            }
            return node
        }
    }
}
