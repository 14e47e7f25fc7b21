import Archiving
import Foundation
import Testing

private class Tree: Codable {
    let name: String
    let children: [Tree]
    weak var parent: Tree?
    unowned var root: Tree?
    let link: Tree?

    init(_ name: String, _ children: [Tree] = []) {
        self.name = name
        self.children = children
        link = nil
        for child in children { child.parent = self; child.root = self }
    }
}

private final class Parent: Codable {
    let name: String
    private(set) var children: [Child] = []
    init(_ name: String) { self.name = name }
}

private final class Child: Codable {
    unowned let parent: Parent
    let name: String
    init(_ name: String, _ parent: Parent) { self.name = name; self.parent = parent }
}

private final class Ring: Codable {
    enum CodingKeys: String, CodingKey { case next = "n", others = "o", named = "m" }
    private(set) var next: Ring?
    var others: Set<Holder> = []
    var named: [String: [Ring]]?
    func close(_ ring: Ring) { next = ring }
}
private struct Holder: Hashable, Codable { var id: Int; var ring: Ring
  static func == (a: Holder, b: Holder) -> Bool { a.id == b.id }
  func hash(into h: inout Hasher) { h.combine(id) }
}

struct PlainCycleTests {
    @Test func tree() throws {
        let tree = Tree("root", [Tree("a"), Tree("b", [Tree("c")])])
        let copy = try roundTrip(tree)
        #expect(copy.parent == nil)
        #expect(copy.children[0].parent === copy)
        #expect(copy.children[0].root === copy)
        #expect(copy.children[1].children[0].parent === copy.children[1])
    }
    @Test func unownedParent() throws {
        let parent = Parent("p")
        let child = Child("c", parent)
        let data = try ArchiveEncoder().encode(parent)
        #expect(throws: Never.self) { try ArchiveDecoder().decode(Parent.self, from: data) }
        let copy = try roundTrip(child)
        _ = copy
    }
    @Test func ring() throws {
        let a = Ring(), b = Ring()
        a.close(b); b.close(a)
        a.others = [Holder(id: 1, ring: b), Holder(id: 2, ring: a)]
        b.named = ["x": [a, b]]
        let copy = try roundTrip(a)
        #expect(copy.next?.next === copy)
        #expect(copy.others.count == 2)
        #expect(copy.others.first { $0.id == 2 }?.ring === copy)
        #expect(copy.next?.named?["x"]?[1] === copy.next)
    }
}
