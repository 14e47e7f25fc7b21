import Archiving
import Foundation
import TestSupport
import Testing

/// What Foundation's port to Linux gets wrong of keyed archives, one test or more for each of its known defects. It
/// crashes on many of them, so it is not asked: what is expected is Cocoa's contract.
@Suite(.inTurn) struct `What Foundation on Linux gets wrong is right here` {
    /// An archive with `write` at the top, and its unarchiver.
    private func unarchiver(
        _ classes: ClassRegistry = ClassRegistry(), _ write: (KeyedArchiver) throws -> Void
    ) throws -> KeyedUnarchiver {
        let archiver = KeyedArchiver()
        archiver.classes = classes
        try write(archiver)
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        unarchiver.classes = classes
        return unarchiver
    }
}

// MARK: - 1. Cycles, which overflow its stack

extension `What Foundation on Linux gets wrong is right here` {
    @Test func `objects in a circle come back in a circle`() throws {
        let nodes = (0..<3).map { Node("\($0)") }
        for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % 3] }
        defer { for node in nodes { node.next = nil } }
        let first = try unarchiver { try $0.encode(nodes[0], forKey: "node") }.decode(Node.self, forKey: "node")
        let second = try #require(first.next)
        let third = try #require(second.next)
        #expect([first, second, third].map(\.name) == ["0", "1", "2"])
        #expect(third.next === first && first !== second && second !== third)
        first.next = nil
    }

    @Test func `an object that refers to itself comes back as such`() throws {
        let node = Node("a")
        node.next = node
        defer { node.next = nil }
        let copy = try unarchiver { try $0.encode(node, forKey: "node") }.decode(Node.self, forKey: "node")
        #expect(copy.next === copy)
        copy.next = nil
    }

    @Test func `a circle that a class does not close is an error`() throws {
        let node = Node("a")
        node.next = node
        defer { node.next = nil }
        var classes = ClassRegistry()
        classes.register(UnpublishedNode.self, name: "Node")
        let archive = try KeyedArchiver.archivedData(withRootObject: node)
        let error = #expect(throws: UnarchivingError.self) {
            try KeyedUnarchiver.unarchivedObject(of: UnpublishedNode.self, from: archive, classes: classes)
        }
        #expect(error?.code == .cycle)
    }
}

// MARK: - 2. Conditional references, which it keeps only to what came before

extension `What Foundation on Linux gets wrong is right here` {
    @Test func `conditional references lead to what comes before, and to what comes after`() throws {
        let (leaf, absent) = (Leaf("a"), Leaf("b"))
        let unarchiver = try unarchiver { archiver in
            try archiver.encodeConditional(leaf, forKey: "before")
            try archiver.encodeConditional(absent, forKey: "absent")
            try archiver.encode(leaf, forKey: "leaf")
            try archiver.encodeConditional(leaf, forKey: "after")
        }
        let decoded = try unarchiver.decode(Leaf.self, forKey: "leaf")
        #expect(try unarchiver.decode(Leaf.self, forKey: "before") === decoded)
        #expect(try unarchiver.decode(Leaf.self, forKey: "after") === decoded)
        #expect(unarchiver.containsValue(forKey: "absent"))
        #expect(try unarchiver.decodeIfPresent(Leaf.self, forKey: "absent") == nil)
    }
}

// MARK: - 3. Identity, for which it takes equality

extension `What Foundation on Linux gets wrong is right here` {
    @Test func `equal objects stay apart, and are never compared`() throws {
        let (one, two) = (Equal("one"), Equal("two"))
        let unarchiver = try unarchiver { archiver in
            try archiver.encode([one, two, one], forKey: "objects")
            try archiver.encodeConditional(two, forKey: "conditional")
        }
        let objects = try unarchiver.decode([Equal].self, forKey: "objects")
        #expect(objects.map(\.name) == ["one", "two", "one"])
        #expect(objects[0] === objects[2] && objects[0] !== objects[1])
        #expect(try unarchiver.decode(Equal.self, forKey: "conditional") === objects[1])
        #expect([one, two].map(\.comparisons) == [0, 0])
    }

    @Test func `one, true and one point zero keep their types`() throws {
        let unarchiver = try unarchiver { archiver in
            archiver.encode(1, forKey: "integer")
            archiver.encode(true, forKey: "bool")
            archiver.encode(1.0, forKey: "real")
            try archiver.encodeObject([1, true, 1.0, 1, true] as [Any], forKey: "mixed")
        }
        #expect(try unarchiver.decodeInteger(forKey: "integer") == 1)
        #expect(try unarchiver.decodeBool(forKey: "bool"))
        #expect(try unarchiver.decodeDouble(forKey: "real") == 1)
        #expect(throws: UnarchivingError.self) { try unarchiver.decodeInteger(forKey: "bool") }
        #expect(throws: UnarchivingError.self) { try unarchiver.decodeInteger(forKey: "real") }
        #expect(throws: UnarchivingError.self) { try unarchiver.decodeDouble(forKey: "integer") }
        let mixed = try #require(
            try unarchiver.decodeArray(of: [Int.self, Bool.self, Double.self], forKey: "mixed"))
        #expect(mixed.map { "\(type(of: $0)) \($0)" } == ["Int 1", "Bool true", "Double 1.0", "Int 1", "Bool true"])
    }
}

// MARK: - 4. Names and replacements, which have no effect

extension `What Foundation on Linux gets wrong is right here` {
    @Test func `setClassName has an effect`() throws {
        let archiver = KeyedArchiver()
        archiver.setClassName("Branch", for: Leaf.self)
        #expect(archiver.className(for: Leaf.self) == "Branch")
        try archiver.encode(Leaf("a"), forKey: "leaf")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        #expect(unarchiver.archivedClassName(forKey: "leaf") == "Branch")
        unarchiver.setClass(Leaf.self, forClassName: "Branch")
        #expect(unarchiver.class(forClassName: "Branch") == Leaf.self)
        #expect(try unarchiver.decode(Leaf.self, forKey: "leaf").name == "a")
    }

    @Test func `replacementObject has an effect, once for each instance`() throws {
        let archiver = KeyedArchiver()
        let log = ArchivingLog()
        archiver.delegate = log
        let proxy = Proxy(Leaf("real"))
        try archiver.encode(proxy, forKey: "one")
        try archiver.encode(proxy, forKey: "two")
        try archiver.encode(Proxy(nil), forKey: "none")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        let leaf = try unarchiver.decode(Leaf.self, forKey: "one")
        #expect(leaf.name == "real")
        #expect(try unarchiver.decode(Leaf.self, forKey: "two") === leaf)
        #expect(try unarchiver.decodeIfPresent(Leaf.self, forKey: "none") == nil)
        #expect(log.replaced == ["Proxy by Leaf", "Proxy by nil"])
    }

    @Test func `what the delegate puts in the place of an object is archived`() throws {
        let archiver = KeyedArchiver()
        let log = ArchivingLog()
        log.replacement = Leaf("other")
        archiver.delegate = log
        try archiver.encode(Leaf("a"), forKey: "leaf")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        #expect(try unarchiver.decode(Leaf.self, forKey: "leaf").name == "other")
        #expect(log.replaced == ["Leaf by Leaf"])
        // Once for the object, not for each reference; not for nil.
        #expect(log.encoded == ["Leaf"])
    }

    @Test func `awakeAfter has an effect, and the delegate is told`() throws {
        let shared = Singleton.shared
        let unarchiver = try unarchiver { try $0.encode([shared, shared], forKey: "objects") }
        let log = UnarchivingLog()
        unarchiver.delegate = log
        let objects = try unarchiver.decode([Singleton].self, forKey: "objects")
        #expect(objects.count == 2 && objects.allSatisfy { $0 === shared })
        #expect(log.replaced == ["Singleton by Singleton"])
        #expect(log.decoded == 1)
    }
}

// MARK: - 5. Generic and nested classes, which abort it

extension `What Foundation on Linux gets wrong is right here` {
    enum Nest {
        final class Bird: Coding {
            let name: String

            init(_ name: String) { self.name = name }
            init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }

            func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "name") }
        }
    }

    @Test func `generic and nested classes are archived`() throws {
        let bird = Nest.Bird("wren")
        let unarchiver = try unarchiver { archiver in
            try archiver.encode(Box(bird), forKey: "box")
            try archiver.encode(Box(Box(bird)), forKey: "boxes")
        }
        let box = try unarchiver.decode(Box<Nest.Bird>.self, forKey: "box")
        #expect(box.contents.name == "wren")
        #expect(try unarchiver.decode(Box<Box<Nest.Bird>>.self, forKey: "boxes").contents.contents === box.contents)
        #expect(unarchiver.archivedClassName(forKey: "box")?.contains("Box<") == true)
        #expect(throws: UnarchivingError.self) { try unarchiver.decode(Box<Leaf>.self, forKey: "box") }
    }
}

// MARK: - 12. Time, which is quadratic

extension `What Foundation on Linux gets wrong is right here` {
    /// Counted instead of timed: who is compared or hashed, how often anything is asked to encode itself, and how much
    /// comes out.
    @Test func `encoding an array takes one step for each element`() throws {
        let sizes = try [1000, 4000].map { count in
            let objects = (0..<count).map { Equal("\($0 % 10)") }
            let archiver = KeyedArchiver()
            try archiver.encode(objects, forKey: "objects")
            try archiver.encode(objects, forKey: "again")
            let size = try archiver.finishEncoding().count
            #expect(objects.allSatisfy { $0.comparisons == 0 && $0.hashes == 0 && $0.encodings == 1 })
            return size
        }
        #expect(sizes[1] < sizes[0] * 5)
    }
}

// MARK: - Classes

private final class Node: Coding, ArchiveNamed {
    static let archiveName = "Node"

    let name: String
    var next: Node?

    init(_ name: String) { self.name = name }

    init(coder: KeyedUnarchiver) throws {
        name = try coder.decode(String.self, forKey: "name")
        coder.publish(self)
        next = try coder.decodeIfPresent(Node.self, forKey: "next")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(name, forKey: "name")
        try coder.encode(next, forKey: "next")
    }
}

private final class UnpublishedNode: Coding {
    let next: UnpublishedNode?

    init(coder: KeyedUnarchiver) throws { next = try coder.decodeIfPresent(UnpublishedNode.self, forKey: "next") }

    func encode(with coder: KeyedArchiver) throws {}
}

private final class Leaf: Coding {
    let name: String

    init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }

    func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "name") }
}

/// Equal to all others, with the same hash: what tells objects apart by their values takes them for one.
private final class Equal: Coding, Hashable {
    let name: String
    private(set) var comparisons = 0
    private(set) var hashes = 0
    private(set) var encodings = 0

    init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }

    func encode(with coder: KeyedArchiver) throws {
        encodings += 1
        coder.encode(name, forKey: "name")
    }

    static func == (left: Equal, right: Equal) -> Bool {
        left.comparisons += 1
        return true
    }

    func hash(into hasher: inout Hasher) { hashes += 1 }
}

private final class Proxy: Coding {
    let object: Leaf?

    init(_ object: Leaf?) { self.object = object }
    init(coder: KeyedUnarchiver) throws { object = nil }

    func encode(with coder: KeyedArchiver) throws {}
    func replacementObject(for coder: KeyedArchiver) -> (any Coding)? { object }
}

private final class Singleton: Coding, @unchecked Sendable {
    static let shared = Singleton()

    private init() {}
    init(coder: KeyedUnarchiver) throws {}

    func encode(with coder: KeyedArchiver) throws {}
    func awakeAfter(using coder: KeyedUnarchiver) throws -> any Coding { Self.shared }
}

private final class Box<Contents: Coding>: Coding {
    let contents: Contents

    init(_ contents: Contents) { self.contents = contents }
    init(coder: KeyedUnarchiver) throws { contents = try coder.decode(Contents.self, forKey: "contents") }

    func encode(with coder: KeyedArchiver) throws { try coder.encode(contents, forKey: "contents") }
}

// MARK: - Delegates

private final class ArchivingLog: KeyedArchiverDelegate {
    var replacement: Leaf?
    private(set) var replaced: [String] = []
    private(set) var encoded: [String] = []

    func archiver(_ archiver: KeyedArchiver, willEncode object: any Coding) -> (any Coding)? { replacement ?? object }

    func archiver(_ archiver: KeyedArchiver, didEncode object: any Coding) { encoded.append("\(type(of: object))") }

    func archiver(_ archiver: KeyedArchiver, willReplace object: any Coding, with replacement: (any Coding)?) {
        replaced.append("\(type(of: object)) by \(replacement.map { "\(type(of: $0))" } ?? "nil")")
    }
}

private final class UnarchivingLog: KeyedUnarchiverDelegate {
    private(set) var replaced: [String] = []
    private(set) var decoded = 0

    func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: any Coding) -> (any Coding)? {
        decoded += 1
        return object
    }

    func unarchiver(
        _ unarchiver: KeyedUnarchiver, willReplace object: any Coding, with replacement: any Coding
    ) {
        replaced.append("\(type(of: object)) by \(type(of: replacement))")
    }
}
