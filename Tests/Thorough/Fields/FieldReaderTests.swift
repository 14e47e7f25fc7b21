// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveInspection
import Archiving
import Foundation
import TestSupport
import Testing

private class Tree: ArchivedFields, ArchiveDescribing {
    class var archiveName: String { "Tree" }
    var name = ""
    var height = 0.0
    var isOld = false
    var count = 0
    var children: [Tree] = []
    var favourite: Tree?
    var planted = Date.distantPast
    weak var parent: Tree?
    required init() {}
    class var fields: FieldList<Tree> {
        FieldList {
            Field("name", \.name)
            Field("height", \.height)
            Field("isOld", \.isOld)
            Field("count", \.count)
            Field("children", \.children)
            Field("favourite", \.favourite)
            Field("planted", \.planted)
            Field("parent", \.parent, .conditional)
        }
    }
}

private final class Oak: Tree {
    override class var archiveName: String { "Oak" }
    var acorns: [Int] = []
    override class var fields: FieldList<Tree> {
        super.fields.extended(by: Oak.self) { Field("acorns", \.acorns) }
    }
}

/// What Foundation makes of a tree.
final class TreeObject: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let name: String
    let height: Double
    let isOld: Bool
    let count: Int
    let children: [TreeObject]
    let favourite: TreeObject?
    let planted: Date?
    let acorns: [Int]?

    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
        self.name = String(describing: name)
        height = coder.decodeDouble(forKey: "height")
        isOld = coder.decodeBool(forKey: "isOld")
        count = coder.decodeInteger(forKey: "count")
        children = coder.decodeObject(of: [NSArray.self, TreeObject.self], forKey: "children") as? [TreeObject] ?? []
        // On Linux, an absent object is an error.
        favourite =
            coder.containsValue(forKey: "favourite")
            ? coder.decodeObject(of: TreeObject.self, forKey: "favourite") : nil
        planted = coder.decodeObject(of: NSDate.self, forKey: "planted").map {
            Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate)
        }
        acorns =
            coder.containsValue(forKey: "acorns")
            ? coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "acorns") as? [Int] : nil
    }

    func encode(with coder: NSCoder) {}
}

/// What Foundation archives as a tree.
final class WrittenTreeObject: NSObject, NSCoding {
    let name: String
    let children: [WrittenTreeObject]

    init(_ name: String, _ children: [WrittenTreeObject]) { (self.name, self.children) = (name, children) }
    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        coder.encode(0.5, forKey: "height")
        coder.encode(true, forKey: "isOld")
        coder.encode(7, forKey: "count")
        coder.encode(children as NSArray, forKey: "children")
        coder.encode(children.last, forKey: "favourite")
        coder.encode(Date(timeIntervalSinceReferenceDate: 5) as NSDate, forKey: "planted")
    }
}

@Suite(.inTurn) struct `Readers of archives of declared fields` {
    private func trees() -> Tree {
        let (tree, oak, shared) = (Tree(), Oak(), Tree())
        (tree.name, tree.height, tree.isOld, tree.count) = ("tree ä", 2.5, true, -3)
        tree.planted = Date(timeIntervalSinceReferenceDate: 1000.5)
        (oak.name, oak.acorns, oak.children, oak.parent) = ("oak", [1, 2], [shared], tree)
        (shared.name, shared.parent) = ("shared", oak)
        (tree.children, tree.favourite) = ([oak, shared], shared)
        return tree
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `find a farm`(format: PropertyListFormat) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        let data = try encoder.encode(DeclaredFarm.example)
        #expect(try FarmObject.farm(in: data) == .example)
        let twin = try ArchiveEncoder.sampleFarm(format).encode(SampleFarm.example)
        #expect(try InspectedArchive(data).text == InspectedArchive(twin).text)
    }

    @Test(arguments: PropertyListFormat.allCases)
    func `find trees by Foundation, with shared instances`(format: PropertyListFormat) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        let classes: [String: AnyClass] = ["Tree": TreeObject.self, "Oak": TreeObject.self]
        let object = try withFoundationUnarchiver(of: encoder.encode(trees()), classes: classes) {
            $0.decodeObject(of: TreeObject.self, forKey: NSKeyedArchiveRootObjectKey)
        }
        let tree = try #require(object)
        #expect(tree.name == "tree ä" && tree.height == 2.5 && tree.isOld && tree.count == -3 && tree.acorns == nil)
        #expect(tree.planted == Date(timeIntervalSinceReferenceDate: 1000.5))
        try #require(tree.children.map(\.name) == ["oak", "shared"] && tree.children[0].children.count == 1)
        #expect(tree.favourite === tree.children[1] && tree.children[0].acorns == [1, 2])
        #expect(tree.children[0].children[0] === tree.children[1])
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func `are these types, of what Foundation writes`(format: PropertyListSerialization.PropertyListFormat) throws {
        let shared = WrittenTreeObject("shared", [])
        let object = WrittenTreeObject("root", [WrittenTreeObject("child", [shared]), shared])
        var decoder = ArchiveDecoder()
        let name = NSStringFromClass(WrittenTreeObject.self)
        decoder.classes.register(Tree.self, name: "Tree", aliases: [name])
        let tree = try decoder.decode(Tree.self, from: foundationArchive(of: object, format: format))
        #expect(tree.name == "root" && tree.height == 0.5 && tree.isOld && tree.count == 7 && tree.parent == nil)
        #expect(tree.children.map(\.name) == ["child", "shared"] && tree.favourite === tree.children[1])
        #expect(tree.children[0].favourite === tree.children[1] && tree.planted.timeIntervalSinceReferenceDate == 5)
    }

    @Test(.needs(.tool("python3")), arguments: PropertyListFormat.allCases)
    func `find trees by plistlib`(format: PropertyListFormat) throws {
        var encoder = ArchiveEncoder()
        encoder.outputFormat = format
        let archives = [try encoder.encode(trees())]
        func evaluate(_ expression: String) throws -> String { try Plistlib.evaluate(expression, in: archives) }
        #expect(try evaluate("c(top['root'])") == "['Tree', 'NSObject']")
        #expect(try evaluate("o(o(top['root'])['name'])") == "tree ä")
        #expect(try evaluate("[o(top['root'])[key] for key in ('height', 'isOld', 'count')]") == "[2.5, True, -3]")
        let children = "o(o(top['root'])['children'])['NS.objects']"
        #expect(try evaluate("[c(child)[0] for child in \(children)]") == "['Oak', 'Tree']")
        #expect(try evaluate("c(\(children)[0])") == "['Oak', 'Tree', 'NSObject']")
        #expect(try evaluate("o(top['root'])['favourite'] == \(children)[1]") == "True")
        #expect(try evaluate("o(\(children)[0])['parent'] == top['root']") == "True")
        #expect(try evaluate("'parent' in o(top['root']) and number(o(top['root'])['parent'])") == "False")
    }

    @Test func `find no problem, and every object is reachable`() throws {
        let archive = try KeyedArchive(ArchiveEncoder().encode(trees()))
        #expect(archive.problems().isEmpty && archive.unreachableObjects.isEmpty)
        #expect(
            archive.root["children"]?[0]["parent"] == archive.root
                && archive.root["favourite"]?["name"]?.string == "shared")
    }
}
