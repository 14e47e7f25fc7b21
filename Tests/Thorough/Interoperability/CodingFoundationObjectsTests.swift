// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What an unarchiver makes of objects of a program's own classes that Foundation's `NSKeyedArchiver` wrote.
@Suite(.inTurn) struct `Coding reads objects that Foundation writes` {
    /// Foundation names a class with its module.
    private static let classes: [String: any Any.Type] = [
        "InteroperabilityTests.LeafObject": Leaf.self, "InteroperabilityTests.NumberedLeafObject": NumberedLeaf.self,
    ]

    @Test func `an NSArray, NSSet and NSDictionary of objects`() throws {
        let (one, two) = (LeafObject("one"), NumberedLeafObject("two", number: 2))
        try withFoundationArchive(of: [one, two, one] as NSArray, classes: Self.classes) { coder throws in
            let leaves = try coder.decode([Leaf].self, forKey: "object")
            #expect(leaves.map(\.name) == ["one", "two", "one"])
            #expect(leaves[0] === leaves[2] && (leaves[1] as? NumberedLeaf)?.number == 2)
        }
        try withFoundationArchive(of: NSSet(array: [one, two]), classes: Self.classes) { coder throws in
            #expect(try coder.decode(Set<Leaf>.self, forKey: "object").map(\.name).sorted() == ["one", "two"])
        }
        try withFoundationArchive(of: ["a": one, "b": two, "c": one] as NSDictionary, classes: Self.classes) {
            coder throws in
            let leaves = try coder.decode([String: Leaf].self, forKey: "object")
            #expect(leaves.mapValues(\.name) == ["a": "one", "b": "two", "c": "one"])
            #expect(leaves["a"] === leaves["c"])
        }
        try withFoundationArchive(of: two, classes: Self.classes) { coder throws in
            #expect(try coder.decode(Leaf.self, forKey: "object").name == "two")
            #expect(throws: ArchivingError.self) { try coder.decode(LastLeaf.self, forKey: "object") }
        }
    }

    @Test func `one object, in one call`() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: LeafObject("a"), requiringSecureCoding: true)
        let classes = ClassRegistry(Self.classes)
        #expect(try KeyedUnarchiver.unarchivedObject(of: Leaf.self, from: data, classes: classes).name == "a")
        let array = [LeafObject("a"), LeafObject("b")] as NSArray
        let arrayData = try NSKeyedArchiver.archivedData(withRootObject: array, requiringSecureCoding: false)
        let leaves = try KeyedUnarchiver.unarchivedObject(of: [Leaf].self, from: arrayData, classes: classes)
        #expect(leaves.map(\.name) == ["a", "b"])
        let text = try NSKeyedArchiver.archivedData(withRootObject: "text" as NSString, requiringSecureCoding: true)
        #expect(try KeyedUnarchiver.unarchivedObject(of: String.self, from: text) == "text")
        #expect(try KeyedUnarchiver.unarchivedObject(of: [Int.self, String.self], from: text) as? String == "text")
    }

    /// From Foundation to us, and back.
    @Test func `objects that Foundation then reads again`() throws {
        let (one, two) = (LeafObject("one"), NumberedLeafObject("two", number: 2))
        try withFoundationArchive(of: [one, two, one] as NSArray, classes: Self.classes) { coder in
            let archiver = KeyedArchiver()
            archiver.classes.register(Leaf.self, name: "InteroperabilityTests.LeafObject")
            archiver.classes.register(NumberedLeaf.self, name: "InteroperabilityTests.NumberedLeafObject")
            try archiver.encode(try coder.decode([Leaf].self, forKey: "object"), forKey: "root")
            let again = try NSKeyedUnarchiver.unarchivedObject(
                ofClasses: [NSArray.self, LeafObject.self], from: archiver.finishEncoding())
            let leaves = try #require(again as? [LeafObject])
            #expect(leaves.map(\.name) == ["one", "two", "one"])
            #expect(leaves[0] === leaves[2] && (leaves[1] as? NumberedLeafObject)?.number == 2)
        }
    }

    /// Foundation on Linux keeps a conditional reference only where the object came before, and otherwise writes no key.
    @Test func `conditional references`() throws {
        let (leaf, absent) = (LeafObject("a"), LeafObject("b"))
        try withFoundationArchive(of: ConditionalObject(leaf, absent), classes: Self.conditionalClasses) { coder in
            let object = try coder.decode(Conditional.self, forKey: "object")
            #expect(object.leaf.name == "a" && object.conditional === object.leaf && object.absent == nil)
        }
    }

    private static let conditionalClasses = classes.merging(
        ["InteroperabilityTests.ConditionalObject": Conditional.self]
    ) { $1 }

    @Test func `classes that are set for one unarchiver, or that the delegate knows`() throws {
        let name = "InteroperabilityTests.LeafObject"
        try withFoundationArchive(of: LeafObject("a")) { coder throws in
            let error = #expect(throws: ArchivingError.self) { try coder.decode(Leaf.self, forKey: "object") }
            #expect(error?.code == .classNotAllowed && error?.debugDescription.contains(name) == true)
            coder.classes.register(Leaf.self, aliases: [name])
            #expect(try coder.decode(Leaf.self, forKey: "object").name == "a")
        }
        let asker = Asker()
        try withFoundationArchive(of: NumberedLeafObject("a", number: 3)) { coder throws in
            coder.delegate = asker
            let leaf = try coder.decode(Leaf.self, forKey: "object")
            #expect(leaf.name == "a" && (leaf as? NumberedLeaf)?.number == 3)
        }
        let numbered = "InteroperabilityTests.NumberedLeafObject"
        #expect(asker.chains == Array(repeating: [numbered, name, "NSObject"], count: 2))
    }

    @Test func `objects whose classes have no version`() throws {
        try withFoundationArchive(of: LeafObject("a"), classes: ["InteroperabilityTests.LeafObject": Versions.self]) {
            let versions = try $0.decode(Versions.self, forKey: "object")
            #expect(versions.own == 0 && versions.ofSelf == 0)
        }
    }
}

// MARK: - Classes

/// Foundation archives no private class.
final class ConditionalObject: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }

    let leaf: LeafObject
    let absent: LeafObject

    init(_ leaf: LeafObject, _ absent: LeafObject) {
        self.leaf = leaf
        self.absent = absent
    }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(leaf, forKey: "leaf")
        coder.encodeConditionalObject(leaf, forKey: "conditional")
        coder.encodeConditionalObject(absent, forKey: "absent")
    }
}

private final class Conditional: StandIn {
    let leaf: Leaf
    let conditional: Leaf?
    let absent: Leaf?

    init(coder: KeyedUnarchiver) throws {
        leaf = try coder.decode(Leaf.self, forKey: "leaf")
        conditional = try coder.decodeIfPresent(Leaf.self, forKey: "conditional")
        absent = try coder.decodeIfPresent(Leaf.self, forKey: "absent")
    }
}

private final class Versions: StandIn {
    let own: Int?
    let ofSelf: Int?

    init(coder: KeyedUnarchiver) throws {
        own = coder.archivedVersion()
        ofSelf = coder.archivedVersion(of: Versions.self)
    }
}

/// Creates a leaf with a number of every object of an unknown class.
private final class Asker: KeyedUnarchiverDelegate {
    private(set) var chains: [[String]] = []

    func unarchiver(
        _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses: [String]
    ) -> (any Any.Type)? {
        chains.append(originalClasses)
        return NumberedLeaf.self
    }
}
