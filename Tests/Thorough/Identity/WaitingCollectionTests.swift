// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

private typealias ItemLife = LifeToken<WaitingItem>

/// Is contained in what it belongs to.
private final class WaitingItem: Codable {
    private let life = ItemLife()
    let number: Int
    var owner: ItemOwner?

    private enum CodingKeys: CodingKey { case number, owner }
    init(_ number: Int, _ owner: ItemOwner) { (self.number, self.owner) = (number, owner) }
}

/// A part of an owner, with items that belong to the owner.
private struct Content: Codable {
    var items: [WaitingItem] = []
    /// Is absent in archives of `Content`.
    struct Former: Decodable {
        var items: [WaitingItem]
        var missing: Int
    }
    /// The same inside of another struct.
    struct Nested: Decodable {
        struct Inner: Decodable {
            var items: [WaitingItem]
        }
        var inner: Inner
        init(from decoder: any Decoder) throws {
            inner = try Inner(from: decoder)
            throw InitializerFailure(number: 1)
        }
    }
    /// Drops what it decodes.
    struct Summary: Decodable {
        var count: Int
        private enum CodingKeys: CodingKey { case items }
        init(from decoder: any Decoder) throws {
            count = try decoder.container(keyedBy: CodingKeys.self).decode([WaitingItem].self, forKey: .items).count
        }
    }
    struct Strict: Decodable {
        struct Empty: Error {}
        var items: [WaitingItem]
        private enum CodingKeys: CodingKey { case items }
        init(from decoder: any Decoder) throws {
            items = try decoder.container(keyedBy: CodingKeys.self).decode([WaitingItem].self, forKey: .items)
            if items.isEmpty { throw Empty() }
        }
    }
    struct Sorted: Decodable {
        var items: [WaitingItem]
        private enum CodingKeys: CodingKey { case items }
        init(from decoder: any Decoder) throws {
            items = try decoder.container(keyedBy: CodingKeys.self).decode([WaitingItem].self, forKey: .items)
            items.sort { $0.number > $1.number }
        }
    }
}

private final class ItemOwner: Codable {
    private let life = ItemLife()
    /// What the initializer tries first.
    enum Trial: Int, CaseIterable { case nothing, former, nested, summary, strict, sorted, caughtStrict }
    static let key = CodingUserInfoKey.named("trial")

    var content = Content()
    var countInTheInitializer = -1

    private enum CodingKeys: CodingKey { case content }
    init() {}
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch decoder.userInfo[Self.key] as? Trial {
        case .former: #expect((try? container.decode(Content.Former.self, forKey: .content)) == nil)
        case .nested: #expect((try? container.decode(Content.Nested.self, forKey: .content)) == nil)
        case .summary: #expect(try container.decode(Content.Summary.self, forKey: .content).count == 0)
        case .strict: _ = try container.decode(Content.Strict.self, forKey: .content)
        case .sorted: content.items = try container.decode(Content.Sorted.self, forKey: .content).items
        case .caughtStrict: #expect((try? container.decode(Content.Strict.self, forKey: .content)) == nil)
        default: break
        }
        if decoder.userInfo[Self.key] as? Trial != .sorted {
            content = try container.decode(Content.self, forKey: .content)
        }
        countInTheInitializer = content.items.count
    }

    static func withItems() -> ItemOwner {
        let owner = ItemOwner()
        owner.content.items = (0..<3).map { WaitingItem($0, owner) }
        return owner
    }
    func clear() { content.items = [] }
}

@Suite(.inTurn, .needs(.collectionStorage)) struct `A collection that waits` {
    /// Encodes a dictionary as the fields of an object, as other encoders do.
    final class Album: Codable {
        let photos: [String: Photo]

        private enum CodingKeys: CodingKey { case photos }

        init() {
            var photos: [String: Photo] = [:]
            for name in ["a", "b"] { photos[name] = Photo() }
            self.photos = photos
            for photo in photos.values { photo.album = self }
        }

        init(from decoder: any Decoder) throws {
            photos = try decoder.container(keyedBy: CodingKeys.self).decode([String: Photo].self, forKey: .photos)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            var fields = container.nestedContainer(keyedBy: AnyKey.self, forKey: .photos)
            for (name, photo) in photos { try fields.encode(photo, forKey: AnyKey(name)) }
        }
    }

    final class Photo: Codable {
        weak var album: Album?
    }

    @Test func `may be a dictionary in the form of an object with fields`() throws {
        let again = try roundTrip(Album())
        #expect(again.photos.keys.sorted() == ["a", "b"])
        #expect(again.photos.values.allSatisfy { $0.album === again })
    }

    private func decode(_ trial: ItemOwner.Trial) throws -> ItemOwner {
        let original = ItemOwner.withItems()
        defer { original.clear() }
        var decoder = ArchiveDecoder()
        decoder.userInfo[ItemOwner.key] = trial
        return try decoder.decode(ItemOwner.self, from: ArchiveEncoder().encode(original))
    }

    // MARK: Whose it is

    @Test(arguments: [ItemOwner.Trial.nothing, .former, .nested, .caughtStrict])
    private func `is empty in the initializer and filled after it, also after others that failed`(
        trial: ItemOwner.Trial
    ) throws {
        let before = ItemLife.count
        do {
            let copy = try decode(trial)
            #expect(copy.countInTheInitializer == 0)
            #expect(copy.content.items.map(\.number) == [0, 1, 2])
            #expect(copy.content.items.allSatisfy { $0.owner === copy })
            copy.clear()
        }
        #expect(ItemLife.count == before)
    }

    @Test(arguments: [ItemOwner.Trial.summary, .sorted])
    private func `is an error if a struct that succeeds drops or transforms it`(trial: ItemOwner.Trial) throws {
        let before = ItemLife.count
        let error = try failure { try decode(trial) }
        #expect(error.path == "content.items" && error.says("dropped", "@References"), "\(error)")
        #expect(ItemLife.count == before)
    }

    @Test func `is named by the error of an initializer that throws because it is empty`() throws {
        let before = ItemLife.count
        let error = try failure { try decode(.strict) }
        #expect(error.says("empty collection", "@References", "Empty"), "\(error)")
        #expect(ItemLife.count == before)
    }

    /// An instance inside of something that fails.
    private final class Box: Codable {
        var items: [Boxed] = []
    }

    private final class Boxed: Codable {
        unowned let owner: Boxing
        init(_ owner: Boxing) { self.owner = owner }
    }

    private struct FormerBox: Decodable {
        var box: Box
        var missing: Int
    }

    private final class Boxing: Codable {
        var first: Box?
        var second = Box()
        private enum CodingKeys: CodingKey { case first, second, wrapped }
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            first = (try? container.decode(FormerBox.self, forKey: .wrapped))?.box
            second = try container.decode(Box.self, forKey: .second)
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(["box": second], forKey: .wrapped)
            try container.encode(second, forKey: .second)
        }
    }

    @Test func `is kept by a complete instance, even if what has requested that fails`() throws {
        let boxing = Boxing()
        boxing.second.items = [Boxed(boxing), Boxed(boxing)]
        let copy = try roundTrip(boxing)
        #expect(copy.first == nil)
        #expect(copy.second.items.count == 2 && copy.second.items.allSatisfy { $0.owner === copy })
    }

    // MARK: When it is filled

    /// The root, with a list that waits for it.
    private final class Root: Codable {
        var trees: [Tree] = []
        var leaves: [Leaf] = []
    }

    private final class Tree: Codable {
        let part: TreePart
        let side: Side
        init(_ part: TreePart, _ side: Side) { (self.part, self.side) = (part, side) }
    }

    /// Complete inside of an attempt of its tree, for which its leaves wait.
    private final class TreePart: Codable {
        var leaves: [Leaf] = []
    }

    private final class Leaf: Codable {
        unowned var tree: Tree?
        let name: String
        init(_ name: String) { self.name = name }
    }

    /// Ends the attempt of its tree inside of the root.
    private final class Side: Codable {
        unowned let root: Root
        init(_ root: Root) { self.root = root }
    }

    @Test func `is filled when the instance is decoded after an attempt that has failed`() throws {
        let root = Root()
        for index in 0..<3 {
            let part = TreePart()
            let tree = Tree(part, Side(root))
            part.leaves = ["a", "b"].map { Leaf("\(index)\($0)") }
            for leaf in part.leaves { leaf.tree = tree }
            root.trees.append(tree)
            root.leaves += part.leaves
        }
        let copy = try roundTrip(root)
        #expect(copy.trees.count == 3 && copy.leaves.map(\.name) == ["0a", "0b", "1a", "1b", "2a", "2b"])
        for (index, tree) in copy.trees.enumerated() {
            #expect(tree.side.root === copy && tree.part.leaves.count == 2)
            for (leaf, other) in zip(tree.part.leaves, copy.leaves[(2 * index)...]) {
                #expect(leaf === other && leaf.tree === tree)
            }
        }
    }

    /// Sees what its inner instances have.
    private final class Team: Codable {
        let captain: Captain
        let membersOfTheCaptain: Int
        private enum CodingKeys: CodingKey { case captain }
        init(_ captain: Captain) { (self.captain, membersOfTheCaptain) = (captain, 0) }
        init(from decoder: any Decoder) throws {
            captain = try decoder.container(keyedBy: CodingKeys.self).decode(Captain.self, forKey: .captain)
            membersOfTheCaptain = captain.members.count
        }
    }

    private final class Captain: Codable {
        var members: [Member] = []
    }

    private final class Member: Codable {
        unowned let captain: Captain
        init(_ captain: Captain) { self.captain = captain }
    }

    @Test func `is filled before its instance is handed to an initializer`() throws {
        let captain = Captain()
        captain.members = [Member(captain), Member(captain)]
        let copy = try roundTrip(Team(captain))
        #expect(copy.membersOfTheCaptain == 2 && copy.captain.members.allSatisfy { $0.captain === copy.captain })
    }

    // MARK: Who has none

    private struct Style: Codable, ArchivedOnce {
        var id: Int
        var users: [StyleUser]
    }

    private final class StyleUser: Codable {
        var style: Style?
        var styles: [Style] = []
    }

    @Test func `is never inside of a value that is archived once`() throws {
        let user = StyleUser()
        user.styles = [Style(id: 1, users: [user]), Style(id: 1, users: [user]), Style(id: 2, users: [])]
        defer { user.styles = [] }
        let copy = try roundTrip(user)
        #expect(copy.styles.map(\.id) == [1, 1, 2] && copy.styles.map(\.users.count) == [1, 1, 0])
        #expect(copy.styles[0].users[0] === copy && copy.styles[1].users[0] === copy)
        copy.styles = []
        user.styles = []
        user.style = Style(id: 3, users: [user])
        defer { user.style = nil }
        let error = try failure { try roundTrip(user) }
        #expect(error.path == "style.users[0]" && error.says("leads back to the StyleUser"), "\(error)")
    }

    /// Publishes itself before it decodes its parts, or does not.
    private final class Publishing: Codable {
        var early: [Publishing] = []
        var late: [Other] = []
        private enum CodingKeys: CodingKey { case late }
        init() {}
        init(from decoder: any Decoder) throws {
            decoder.publish(self)
            late = try decoder.container(keyedBy: CodingKeys.self).decode([Other].self, forKey: .late)
        }
    }

    private final class Other: Codable {
        var publishing: Publishing?
        var next: Other?
    }

    @Test func `is the error of an instance that has published itself`() throws {
        let (outer, inner, publishing) = (Other(), Other(), Publishing())
        (outer.publishing, publishing.late, inner.next) = (publishing, [inner], outer)
        defer { publishing.late = [] }
        let error = try failure { try roundTrip(outer) }
        #expect(error.says("Other.next", "leads back to the Other"), "\(error)")
        // What leads back to the published instance needs no collection that waits.
        let copy = try roundTrip(publishing)
        #expect(copy.late[0].next?.publishing === copy)
        copy.late = []
    }

    // MARK: Sets

    /// Has the hash of a name that another instance has, and of its own number: elements with equal hashes would be beside each other,
    /// where look-ups for another hash may find all of them.
    private final class Named: Codable, Hashable {
        @WeakReference var source: Source?
        let id: Int
        init(_ id: Int, _ source: Source) {
            self.id = id
            self.source = source
        }
        static func == (left: Named, right: Named) -> Bool {
            left.id == right.id && left.source?.name == right.source?.name
        }
        func hash(into hasher: inout Hasher) {
            hasher.combine(id)
            hasher.combine(source?.name ?? "")
        }
    }

    private final class Source: Codable {
        var name = "a name"
        var named: Set<Named> = []
        /// Makes the set wait.
        var others: [Source] = []
    }

    @Test func `of elements that do not hash by values of their own is an error that says so`() throws {
        let source = Source()
        source.named = Set((0..<30).map { Named($0, source) })
        let data = try ArchiveEncoder().encode(source)
        let error = try failure(decoding: Source.self, from: data)
        #expect(error.path == "named" && error.says("Hash by values of its own"), "\(error)")
    }

    // MARK: Conversions of the empty array

    private final class ListedItem: Codable {
        let id: Int
        var list: ListedItems?
        init(_ id: Int, _ list: ListedItems) { (self.id, self.list) = (id, list) }
    }

    private final class ListedItems: Codable {
        enum Making: CaseIterable { case plain, reversed, cut, copied, filtered, view, slice }
        static let key = CodingUserInfoKey.named("making")

        var members: [ListedItem] = []
        var view = [ListedItem]().reversed()
        var slice: ArraySlice<ListedItem> = []

        private enum CodingKeys: CodingKey { case members }
        init() {}
        init(from decoder: any Decoder) throws {
            let decoded = try decoder.container(keyedBy: CodingKeys.self).decode([ListedItem].self, forKey: .members)
            switch decoder.userInfo[Self.key] as? Making ?? .plain {
            case .plain: members = decoded
            case .reversed: members = decoded.reversed()
            case .cut: members = Array(decoded.dropFirst())
            case .copied: members = Array(decoded.prefix(1))
            case .filtered: members = decoded.filter { $0.id > 0 }
            case .view: view = decoded.reversed()
            case .slice: slice = decoded.prefix(1)
            }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(members, forKey: .members)
        }
    }

    /// How the initializer has converted the empty array is not known: `IdentityAndCycles`, "One limit".
    @Test(arguments: [
        (ListedItems.Making.plain, [0, 1, 2]), (.reversed, [0, 1, 2]), (.cut, [0, 1, 2]), (.copied, [0, 1, 2]),
        (.view, [2, 1, 0]), (.slice, []),
    ])
    private func `is filled in its storage, however an initializer has converted it`(
        making: ListedItems.Making, ids: [Int]
    ) throws {
        let list = ListedItems()
        list.members = (0..<3).map { ListedItem($0, list) }
        defer { list.members = [] }
        var decoder = ArchiveDecoder()
        decoder.userInfo[ListedItems.key] = making
        let copy = try decoder.decode(ListedItems.self, from: ArchiveEncoder().encode(list))
        #expect(copy.members.map(\.id) + copy.view.map(\.id) + copy.slice.map(\.id) == ids)
        (copy.members, copy.view, copy.slice) = ([], [].reversed(), [])
    }

    @Test func `is an error if an initializer makes another array of it`() throws {
        let list = ListedItems()
        list.members = [ListedItem(0, list)]
        defer { list.members = [] }
        var decoder = ArchiveDecoder()
        decoder.userInfo[ListedItems.key] = ListedItems.Making.filtered
        let error = try failure { try decoder.decode(ListedItems.self, from: ArchiveEncoder().encode(list)) }
        #expect(error.says("has dropped it", "@References"), "\(error)")
    }
}
