import Archiving
import Foundation
import Testing

private final class Node: Codable {
    var name: String
    @WeakReference var parent: Node?
    @Reference var next: Node?
    @References var neighbours: [Node]
    var children: [Node]

    init(_ name: String) {
        self.name = name
        neighbours = []
        children = []
    }
}

struct ReferenceTests {
    @Test func twoNodes() throws {
        let a = Node("a"), b = Node("b")
        a.next = b
        b.next = a
        a.neighbours = [a, b]
        b.children = [Node("c")]
        b.children[0].parent = b
        let data = try ArchiveEncoder().encode(a)
        let copy = try ArchiveDecoder().decode(Node.self, from: data)
        #expect(copy.next?.next === copy)
        #expect(copy.next?.name == "b")
        #expect(copy.neighbours.count == 2 && copy.neighbours[0] === copy && copy.neighbours[1] === copy.next)
        #expect(copy.next?.children[0].parent === copy.next)
    }

    @Test(arguments: [false, true]) func aMillion(isRing: Bool) throws {
        try onThread(stackSize: 512 * 1024) {
            let count = 1_000_000
            let nodes = (0..<count).map { Node("\($0 % 100)") }
            for index in 0..<count where isRing || index + 1 < count { nodes[index].next = nodes[(index + 1) % count] }
            let data = try ArchiveEncoder().encode(nodes[0])
            let copy = try ArchiveDecoder().decode(Node.self, from: data)
            var seen = 0
            var node = copy
            while let next = node.next, next !== copy {
                seen += 1
                node.next = nil
                node = next
            }
            for node in nodes { node.next = nil }
            #expect(seen == count - 1)
        }
    }
}
