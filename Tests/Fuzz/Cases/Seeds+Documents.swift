// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Deferred parts

extension Seeds {
    static func deferred() throws -> [Seed] {
        let whole = try archive(shelf())
        let list = try PropertyList(whole)
        var wide = RawWriter()
        (wide.offsetSize, wide.referenceSize, wide.integerWidth, wide.uidSize, wide.countWidth) = (8, 8, 3, 4, 2)
        var reversed = RawWriter()
        (reversed.isReversed, reversed.referenceSize, reversed.offsetSize) = (true, 2, 3)
        let forbidden = Shelf("forbidden")
        forbidden.nodes = [ForbiddenNode("child"), Node("other")]
        forbidden.main = forbidden.nodes[0]
        forbidden.things = [Polymorphic(wrappedValue: ForbiddenValue())]
        forbidden.stock = Coded(wrappedValue: [Stock("stock", [ForbiddenFolder("folder")])])
        // As many objects as a byte can number, or a few less.
        let many = Shelf("many")
        many.nodes = (0..<75).map { Node("\($0)") }
        let small = Shelf("small")
        small.nodes = [Node("a")]
        small.main = small.nodes[0]
        return [
            Seed("shelf", .deferred, whole),
            Seed("shelf-widest", .deferred, wide.bytes(of: list)),
            Seed("shelf-reversed", .deferred, reversed.bytes(of: list)),
            Seed("shelf-lies", .deferred, RawWriter().bytes(of: exchanged(list))),
            Seed("shelf-small", .deferred, try archive(small)),
            Seed("shelf-many", .deferred, try archive(many)),
            Seed("shelf-forbidden", .deferred, try archive(forbidden)),
            Seed("stock", .deferred, try archive { try $0.encode(stock(), forKey: "root") }),
        ]
    }

    private static func shelf() -> Shelf {
        let shelf = Shelf("shelf")
        let nodes = ["a", "b", "c"].map { Node($0) }
        let branch = Branch("branch")
        branch.corner = Corner(x: 5, y: 6)
        branch.children = [nodes[0]]
        nodes[0].next = nodes[1]
        nodes[1].partner = branch
        nodes[2].owner = nodes[0]
        nodes[2].named = ["a": nodes[0]]
        shelf.node = nodes[2]
        shelf.owner = nodes[1]
        shelf.nodes = nodes + [branch]
        shelf.main = branch
        shelf.named = ["a": nodes[0], "$b": branch]
        shelf.tags = ["x", "y"]
        shelf.corners = [Corner(x: 1, y: 2), Corner(x: 3, y: 4)]
        shelf.text = "naïve"
        shelf.data = Data([0, 1, 2, 255])
        shelf.numbers = [1, 1 << 40]
        shelf.things = [Polymorphic(wrappedValue: Brick(side: 2)), Polymorphic(wrappedValue: nodes[0])]
        let other = Shelf("other")
        other.nodes = [nodes[1]]
        other.shelves = [other]
        shelf.shelves = [other, shelf]
        shelf.stock = Coded(wrappedValue: [stock()])
        return shelf
    }

    private static func stock() -> Stock {
        let disk = Disk("disk")
        disk.label = "label"
        disk.add(Folder("inner"))
        return Stock("stock", [disk, Folder("folder")])
    }

    /// The archive `list` in which every part of the root is another one.
    private static func exchanged(_ list: PropertyList) -> PropertyList {
        guard case .dictionary(var root) = list, case .array(var objects)? = root["$objects"], objects.count > 1,
            case .dictionary(var shelf) = objects[1]
        else { return list }
        let others: Set<String> = ["$class", "name", "node", "stock", "owner"]
        let keys = shelf.map(\.key).filter { !others.contains($0) }
        let values = keys.map { shelf[$0] }
        for (index, key) in keys.enumerated() { shelf[key] = values[(index + 3) % keys.count] }
        objects[1] = .dictionary(shelf)
        root["$objects"] = .array(objects)
        return .dictionary(root)
    }
}
