// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// Which classes Foundation takes the objects of `Coding` classes for.
@Suite(.inTurn) struct `Foundation knows Coding classes by name` {
    /// Decodes the object under "leaf" as Foundation does once it knows these classes.
    private func leaf(
        in archiver: KeyedArchiver, classes: [String: AnyClass], delegate: ClassAsker? = nil
    ) throws -> LeafObject? {
        try withFoundationUnarchiver(of: archiver.finishEncoding(), classes: classes) { unarchiver in
            unarchiver.delegate = delegate
            return unarchiver.decodeObject(of: LeafObject.self, forKey: "leaf")
        }
    }

    @Test func `that the type says itself`() throws {
        let archiver = KeyedArchiver()
        try archiver.encode(NumberedLeaf("a", number: 5), forKey: "leaf")
        let leaf = try leaf(in: archiver, classes: ["NumberedLeaf": NumberedLeafObject.self])
        #expect(leaf?.name == "a" && (leaf as? NumberedLeafObject)?.number == 5)
    }

    @Test func `that are registered`() throws {
        let archiver = KeyedArchiver()
        archiver.classes.register(Leaf.self, name: "OtherModule.Leaf")
        try archiver.encode(Leaf("a"), forKey: "leaf")
        #expect(try leaf(in: archiver, classes: ["OtherModule.Leaf": LeafObject.self])?.name == "a")
    }

    @Test(arguments: ["Set", "Blätter.Blatt", "Box<Leaf>", "$null"])
    func `that are set for one archiver`(name: String) throws {
        for format in PropertyListFormat.allCases {
            let archiver = KeyedArchiver()
            archiver.outputFormat = format
            archiver.classes.register(Leaf.self, name: name)
            try archiver.encode(Leaf("a"), forKey: "leaf")
            #expect(try leaf(in: archiver, classes: [name: LeafObject.self])?.name == "a")
        }
    }

    /// Nothing is said to Foundation: `NSClassFromString` finds the class.
    @Test func `that are those of its own classes`() throws {
        let archiver = KeyedArchiver()
        archiver.classes.register(Leaf.self, name: NSStringFromClass(LeafObject.self))
        try archiver.encode(Leaf("a"), forKey: "leaf")
        #expect(try leaf(in: archiver, classes: [:])?.name == "a")
    }

    @Test func `in archives of one object`() throws {
        let data = try KeyedArchiver.archivedData(withRootObject: Known("a"))
        let leaf = try NSKeyedUnarchiver.unarchivedObject(ofClass: LeafObject.self, from: data)
        #expect(leaf?.name == "a")
        try TemporaryFolder.with { folder in
            try ArchiveEncoder().encode(Coded(wrappedValue: Known("b")), to: folder["leaf"])
            let data = try Data(contentsOf: folder["leaf"])
            #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: LeafObject.self, from: data)?.name == "b")
        }
    }

    /// An object that says that it is an NSDate is one for Foundation.
    @Test func `of Foundation's`() throws {
        let archiver = KeyedArchiver()
        archiver.classes.register(Record.self, name: "NSDate")
        try archiver.encode(Record { $0.encode(86_400.5, forKey: "NS.time") }, forKey: "date")
        archiver.encode(5, forKey: "count")
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.finishEncoding())
        unarchiver.requiresSecureCoding = true
        let date = unarchiver.decodeObject(of: NSDate.self, forKey: "date")
        #expect(date?.timeIntervalSinceReferenceDate == 86_400.5)
        #expect(unarchiver.decodeInteger(forKey: "count") == 5)
    }

    @Test func `and by those of all superclasses`() throws {
        for (leaf, chain) in [
            (Leaf("a"), ["Leaf"]), (NumberedLeaf("a", number: 1), ["NumberedLeaf", "Leaf"]),
            (LastLeaf("a", number: 1), ["LastLeaf", "NumberedLeaf", "Leaf"]),
        ] {
            let archiver = KeyedArchiver()
            try archiver.encode(leaf, forKey: "leaf")
            let asker = ClassAsker()
            #expect(try self.leaf(in: archiver, classes: [:], delegate: asker)?.name == "a")
            #expect(asker.names == [chain[0]])
            #expect(asker.chains == [chain + ["NSObject"]])
        }
    }

    @Test func `by what they fall back to`() throws {
        let archiver = KeyedArchiver()
        try archiver.encode(FallingLeaf("a"), forKey: "leaf")
        // Foundation looks for the second: the first is as unknown as the class itself.
        #expect(try leaf(in: archiver, classes: [:])?.name == "a")
    }

    @Test func `as which they want to be archived`() throws {
        let archiver = KeyedArchiver()
        try archiver.encode(Twig(name: "a"), forKey: "leaf")
        let leaf = try leaf(in: archiver, classes: ["Leaf": LeafObject.self])
        #expect(leaf?.name == "a" && !(leaf is NumberedLeafObject))
    }
}

// MARK: - Leaves

/// A leaf that other programs read as `LeafObject`.
private final class FallingLeaf: Leaf {
    override static var archiveName: String { "FallingLeaf" }
    override static var archiveFallbacks: [String] { ["NoClassAtAll", NSStringFromClass(LeafObject.self)] }
}

/// A leaf under the name that Foundation's leaves have by themselves.
private final class Known: Leaf {
    override static var archiveName: String { NSStringFromClass(LeafObject.self) }
}

/// What is archived as a leaf.
private final class Twig: Coding {
    let name: String

    init(name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }

    var archivedClass: any Coding.Type { Leaf.self }

    func encode(with coder: KeyedArchiver) throws { coder.encode(name, forKey: "name") }
}

/// Makes every class that Foundation does not know a `LeafObject`.
private final class ClassAsker: NSObject, NSKeyedUnarchiverDelegate {
    var names: [String] = []
    var chains: [[String]] = []

    func unarchiver(
        _ unarchiver: NSKeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
    ) -> AnyClass? {
        names.append(name)
        chains.append(originalClasses)
        return LeafObject.self
    }

    func unarchiver(_ unarchiver: NSKeyedUnarchiver, didDecode object: Any?) -> Any? { object }
    func unarchiver(_ unarchiver: NSKeyedUnarchiver, willReplace object: Any, with newObject: Any) {}
    func unarchiverWillFinish(_ unarchiver: NSKeyedUnarchiver) {}
    func unarchiverDidFinish(_ unarchiver: NSKeyedUnarchiver) {}
}
