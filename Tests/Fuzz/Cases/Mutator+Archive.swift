// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

// MARK: - Objects

extension Mutator {
    static let archiveMutations: [Mutation] = [
        onArchive("a uid leads elsewhere") { archive, generator in
            let count = archive.objects.count
            let edges: [UInt32] = [0, 1, UInt32(count), UInt32(count) - 1, 1 << 31, .max]
            let new = generator.once(in: 4) ? generator.pick(edges) : UInt32(generator.below(count))
            archive.changeOneUID(using: &generator) { $0 = new }
        },
        onArchive("an object refers to itself") { archive, generator in
            guard let uid = archive.pick(using: &generator, where: { $0.hasUIDs }) else { return }
            archive.changeUID(in: uid, using: &generator) { $0 = UInt32(uid) }
        },
        onArchive("an object of another class") { archive, generator in
            let classes = archive.classUIDs
            guard let uid = archive.pick(using: &generator, where: { $0["$class"] != nil }), !classes.isEmpty else {
                return
            }
            archive.objects[uid].set("$class", .uid(UInt32(generator.pick(classes))))
        },
        onArchive("a class by another name") { archive, generator in
            guard let uid = archive.classUIDs.randomElement(using: &generator) else { return }
            let name = PropertyList.string(generator.pick(archive.classNames + classNames))
            if generator.once(in: 2) { archive.objects[uid].set("$classname", name) }
            if case .array(var chain)? = archive.objects[uid]["$classes"], !chain.isEmpty, !generator.once(in: 3) {
                chain[generator.below(chain.count)] = name
                archive.objects[uid].set("$classes", .array(chain))
            }
        },
        onArchive("an object of a forbidden class") { archive, generator in
            guard let uid = archive.pick(using: &generator, where: { $0["$class"] != nil }) else { return }
            let name = PropertyList.string(generator.pick(Forbidden.names))
            var chain: [PropertyList] = [name]
            if case .uid(let old)? = archive.objects[uid]["$class"], archive.objects.indices.contains(Int(old)),
                case .array(let superclasses)? = archive.objects[Int(old)]["$classes"], generator.once(in: 2)
            {
                chain += superclasses
            }
            archive.objects.append(["$classname": name, "$classes": .array(chain)])
            archive.objects[uid].set("$class", .uid(UInt32(archive.objects.count - 1)))
        },
        onArchive("a class with hints") { archive, generator in
            guard let uid = archive.classUIDs.randomElement(using: &generator) else { return }
            archive.objects[uid].set("$classname", .string("Unknown\(generator.below(3))"))
            let hints = (0...generator.below(3)).map { _ in
                PropertyList.string(generator.pick(archive.classNames + classNames))
            }
            archive.objects[uid].set("$classhints", .array(hints))
        },
        onArchive("a collection in itself") { archive, generator in
            guard let uid = archive.pick(using: &generator, where: { $0["NS.objects"] != nil }) else { return }
            archive.objects[uid].changeList(generator.once(in: 4) ? "NS.keys" : "NS.objects") { elements in
                elements.insert(.uid(UInt32(uid)), at: generator.below(elements.count + 1))
            }
        },
        onArchive("more keys than values, or fewer") { archive, generator in
            guard let uid = archive.pick(using: &generator, where: { $0["NS.keys"] != nil }) else { return }
            let longer = generator.once(in: 2)
            archive.objects[uid].changeList(generator.once(in: 2) ? "NS.keys" : "NS.objects") { elements in
                if longer {
                    elements += Array(repeating: .uid(1), count: 1 + generator.below(20))
                } else if !elements.isEmpty {
                    elements.removeLast()
                }
            }
        },
        onArchive("equal keys, or elements") { archive, generator in
            guard let uid = archive.pick(using: &generator, where: { $0["NS.objects"] != nil }) else { return }
            let key = archive.objects[uid]["NS.keys"] == nil || generator.once(in: 2) ? "NS.objects" : "NS.keys"
            archive.objects[uid].changeList(key) { elements in
                guard let first = elements.randomElement(using: &generator) else { return }
                elements[generator.below(elements.count)] = first
            }
        },
        onArchive("an object as another") { archive, generator in
            let (first, second) = (generator.below(archive.objects.count), generator.below(archive.objects.count))
            archive.objects[first] = archive.objects[second]
        },
        onArchive("two objects change places") { archive, generator in
            archive.objects.swapAt(generator.below(archive.objects.count), generator.below(archive.objects.count))
        },
        onArchive("an object less") { archive, generator in
            archive.objects.remove(at: generator.below(archive.objects.count))
        },
        onArchive("a value inside instead of a reference") { archive, generator in
            let objects = archive.objects
            archive.changeOneValue(using: &generator) { value, _ in
                if case .uid(let uid) = value, objects.indices.contains(Int(uid)) { value = objects[Int(uid)] }
            }
        },
        onArchive("a reference instead of a value inside") { archive, generator in
            let uid = UInt32(archive.objects.count)
            var moved: PropertyList?
            archive.changeOneValue(using: &generator) { value, _ in
                moved = value
                value = .uid(uid)
            }
            archive.objects.append(moved ?? "$null")
        },
        onArchive("an object of one's own") { archive, generator in
            let uid = UInt32(archive.objects.count)
            archive.objects.append(generator.pick(values))
            archive.changeOneUID(using: &generator) { $0 = uid }
        },
        onArchive("another root") { archive, generator in
            let key = generator.pick(["root", "root", "$0", "flag", "folder"])
            archive.top.set(key, .uid(UInt32(generator.below(archive.objects.count))))
        },
    ]

    /// Names with a meaning for readers, and some that should have none.
    static let classNames =
        Forbidden.names + [
            "NSArray", "NSMutableArray", "NSSet", "NSOrderedSet", "NSCountedSet", "NSDictionary", "NSString",
            "NSNumber",
            "NSData", "NSDate", "NSURL", "NSUUID", "NSNull", "NSDecimalNumber", "NSIndexSet", "NSIndexPath", "NSValue",
            "NSAttributedString", "NSCharacterSet", "NSTimeZone", "NSLocale", "NSCalendar", "NSDateComponents",
            "NSDateInterval", "NSError", "NSMeasurement", "NSUnitLength", "_NSKeyedCoderOldStyleArray", "NSObject", "",
            "$null", "Swift.Int", "Swift.String", "Foundation.Data", "Archiving.UnknownObject", "Node", "Branch",
            "Knot",
            "Twig", "Folder", "Disk", "Stop", "Brick", "Unit", "Box", "Specimen", "Record", "Other.Node", "Old.Node",
        ]

    private static func onArchive(
        _ name: String, _ body: @escaping @Sendable (inout ArchiveTree, inout Generator) -> Void
    ) -> Mutation {
        onTree(name, .archive) { list, generator in
            guard var archive = ArchiveTree(list) else { return }
            body(&archive, &generator)
            list = archive.list
        }
    }
}

/// A keyed archive as a tree that can be changed into anything.
struct ArchiveTree {
    private var surroundings: PropertyList
    var top: PropertyList
    var objects: [PropertyList]

    /// The archive that `list` is; nil where it is none, or one without objects.
    init?(_ list: PropertyList) {
        guard case .array(let objects)? = list["$objects"], !objects.isEmpty, let top = list["$top"] else { return nil }
        surroundings = list
        self.objects = objects
        self.top = top
    }

    var list: PropertyList {
        var list = surroundings
        list.set("$top", top)
        list.set("$objects", .array(objects))
        return list
    }

    /// The uid of some object for which `condition` holds; nil where there is none.
    func pick(using generator: inout Generator, where condition: (PropertyList) -> Bool) -> Int? {
        objects.indices.filter { condition(objects[$0]) }.randomElement(using: &generator)
    }

    /// The uids of the class entries.
    var classUIDs: [Int] { objects.indices.filter { objects[$0]["$classname"] != nil } }

    /// The names of the classes.
    var classNames: [String] {
        classUIDs.compactMap { if case .string(let name)? = objects[$0]["$classname"] { name } else { nil } }
    }

    /// Lets `body` change a value in one of the objects, or under one of the keys at the top.
    mutating func changeOneValue(
        using generator: inout Generator, _ body: (inout PropertyList, inout Generator) -> Void
    ) {
        let position = generator.below(objects.count + 1)
        if position == objects.count {
            top.changeOne(using: &generator, body)
        } else {
            objects[position].changeOne(using: &generator, body)
        }
    }

    /// Lets `body` change one of the uids.
    mutating func changeOneUID(using generator: inout Generator, _ body: (inout UInt32) -> Void) {
        guard let object = pick(using: &generator, where: { $0.hasUIDs }) else { return }
        changeUID(in: object, using: &generator, body)
    }

    /// Lets `body` change one of the uids in an object.
    mutating func changeUID(in object: Int, using generator: inout Generator, _ body: (inout UInt32) -> Void) {
        objects[object].changeOne(using: &generator, where: \.isUID) { value, _ in
            guard case .uid(var uid) = value else { return }
            body(&uid)
            value = .uid(uid)
        }
    }
}

extension PropertyList {
    /// Whether the value is a uid.
    var isUID: Bool {
        if case .uid = self { true } else { false }
    }

    /// Whether there is a uid in the value.
    var hasUIDs: Bool {
        switch self {
        case .uid: true
        case .array(let elements), .set(let elements): elements.contains(where: \.hasUIDs)
        case .dictionary(let entries): entries.contains { $0.value.hasUIDs }
        default: false
        }
    }

    /// Sets what a dictionary has for `key`.
    mutating func set(_ key: String, _ value: PropertyList) {
        guard case .dictionary(var entries) = self else { return }
        entries[key] = value
        self = .dictionary(entries)
    }

    /// Lets `body` change the list that a dictionary has for `key`.
    mutating func changeList(_ key: String, _ body: (inout [PropertyList]) -> Void) {
        guard case .array(var elements)? = self[key] else { return }
        body(&elements)
        set(key, .array(elements))
    }
}
