import Archiving
import TestSupport
import Testing

@testable import archivetool

@Suite(.inTurn) struct `References that lead back` {
    private func reached(from start: Int, _ edges: [(source: Int, target: Int)], without gone: Int?) -> Set<Int> {
        guard start != gone else { return [] }
        var reached: Set<Int> = [start]
        var queue = [start]
        while let node = queue.popLast() {
            for edge in edges where edge.source == node && edge.target != gone {
                if reached.insert(edge.target).inserted { queue.append(edge.target) }
            }
        }
        return reached
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `lead to what cannot be gone around`(seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        let count = Int.random(in: 1...14, using: &generator)
        let edges = (0..<Int.random(in: 0...2 * count, using: &generator)).map { _ in
            (source: Int.random(in: 0..<count, using: &generator), target: Int.random(in: 0..<count, using: &generator))
        }
        let dominators = Dominators(boxCount: count, edges: edges)
        let all = reached(from: 0, edges, without: nil)
        for dominator in 0..<count {
            let rest = reached(from: 0, edges, without: dominator)
            for node in 0..<count {
                // By its meaning: without the dominator, nothing leads to the node.
                let isOne = all.contains(node) && all.contains(dominator) && !rest.contains(node)
                #expect(dominators.dominates(dominator, node) == isOne, "\(dominator) \(node) in \(edges)")
            }
        }
    }

    @Test func `are no matter of how deep a chain is`() {
        let count = 200_000
        let edges = (0..<count - 1).map { (source: $0, target: $0 + 1) } + [(count - 1, 0)]
        let dominators = Dominators(boxCount: count, edges: edges)
        #expect(dominators.dominates(0, count - 1))
        #expect(!dominators.dominates(count - 1, 0))
    }

    private func dashed(_ objects: [PropertyList], _ options: PictureOptions = PictureOptions()) throws -> [String] {
        let archive = try KeyedArchive(HandMade.archive(objects))
        let picture = Picture(of: try ContentGraph(archive.root, byteCount: 1000), options: options)
        return picture.edges.filter(\.isDashed).map { "\(picture.name(of: $0.source)).\($0.label)" }
    }

    @Test func `are dashed where they lead to an owner, and nowhere else`() throws {
        // A farm with an owner who knows it, and two cows that are friends: each is there without the other.
        let objects: [PropertyList] = [
            "$null", ["$class": .uid(5), "owner": .uid(2), "a": .uid(3), "b": .uid(4)],
            ["$class": .uid(6), "farm": .uid(1)],
            ["$class": .uid(7), "friend": .uid(4), "keeper": .uid(2)],
            ["$class": .uid(7), "friend": .uid(3), "me": .uid(4)],
            HandMade.classEntry("Farm"), HandMade.classEntry("Owner"), HandMade.classEntry("Cow"),
        ]
        #expect(try dashed(objects) == ["Owner #2.farm", "Cow #4.me"])
        var options = PictureOptions()
        options.conditionalKeys = ["keeper"]
        #expect(try dashed(objects, options) == ["Owner #2.farm", "Cow #3.keeper", "Cow #4.me"])
        options.conditionalKeys = ["Cow.friend", "Owner.keeper"]
        #expect(try dashed(objects, options) == ["Owner #2.farm", "Cow #3.friend", "Cow #4.friend", "Cow #4.me"])
    }
}
