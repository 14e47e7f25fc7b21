// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving
import Synchronization

/// The instances that one decoding has created.
public final class Lives: Sendable {
    private struct State {
        var count = 0
        var nodes: [Node] = []
        var unreadCount = 0
    }

    private struct Node: @unchecked Sendable {
        weak var node: (any FragileNode)?
    }

    private let state = Mutex(State())

    /// The number of instances that are alive, also those whose initializer has not finished.
    var count: Int { state.withLock { $0.count } }

    fileprivate func add(_ count: Int) { state.withLock { $0.count += count } }

    func add(_ node: some FragileNode) {
        let node = Node(node: node)
        state.withLock { $0.nodes.append(node) }
    }

    /// The complete instances that are alive.
    var nodes: [any FragileNode] { state.withLock { $0.nodes }.compactMap(\.node) }

    /// The number of references to instances whose fields were not read in time.
    var unreadCount: Int { state.withLock { $0.unreadCount } }

    func noteUnread() { state.withLock { $0.unreadCount += 1 } }

    /// Where instances are counted whose initializers receive no decoder.
    @TaskLocal static var current: Lives?

    static let key: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "lives") else { preconditionFailure("Any name is a key") }
        return key
    }()
}

/// The error of an initializer of these types.
struct Refusal: Error {}

/// An instance of a graph that lives in memory as long as something retains it.
protocol FragileNode: AnyObject {
    /// Loads the parts of the instance. Errors go to `failed`.
    func load(_ failed: (any Error) throws -> Void) throws
    /// Clears all references.
    func takeApart()
}

/// A property that counts the instances with it.
final class Life {
    private let lives: Lives?

    init(_ lives: Lives?) {
        self.lives = lives
        lives?.add(1)
    }

    deinit { lives?.add(-1) }
}

/// A node that refuses negative numbers, before it decodes its references or after it.
public final class Fragile: Codable, FragileNode {
    let number: Int
    var next: Fragile?
    var others: [Fragile] = []
    weak var up: Fragile?
    @Reference var far: Fragile?
    @References var near: [Fragile] = []
    @References var named: [String: Fragile] = [:]
    @WeakReference var owner: Fragile?
    @Deferred var part: [Fragile] = []
    @Deferred var main: Fragile? = nil
    @Coded var cell: FragileCell? = nil
    var last: Int?
    private let life: Life

    private enum CodingKeys: CodingKey {
        case number, next, others, up, far, near, named, owner, part, main, cell, last
    }

    init(_ number: Int) {
        self.number = number
        life = Life(nil)
    }

    /// Reads the references, unless a number is negative.
    public init(from decoder: any Decoder) throws {
        let lives = decoder.userInfo[Lives.key] as? Lives
        life = Life(lives)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        number = try container.decode(Int.self, forKey: .number)
        if number < 0 { throw Refusal() }
        lives?.add(self)
        next = try container.decodeIfPresent(Fragile.self, forKey: .next)
        others = try container.decode([Fragile].self, forKey: .others)
        up = try container.decodeIfPresent(Fragile.self, forKey: .up)
        _far = try container.decode(Reference<Fragile>.self, forKey: .far)
        _near = try container.decode(References<[Fragile]>.self, forKey: .near)
        _named = try container.decode(References<[String: Fragile]>.self, forKey: .named)
        _owner = try container.decode(WeakReference<Fragile>.self, forKey: .owner)
        _part = try container.decode(Deferred<[Fragile]>.self, forKey: .part)
        _main = try container.decode(Deferred<Fragile?>.self, forKey: .main)
        _cell = try container.decode(Coded<FragileCell?>.self, forKey: .cell)
        last = try container.decodeIfPresent(Int.self, forKey: .last)
        if let last, last < 0 { throw Refusal() }
    }

    func load(_ failed: (any Error) throws -> Void) throws {
        do { try $part.load() } catch { try failed(error) }
        do { try $main.load() } catch { try failed(error) }
    }

    func takeApart() {
        (next, others, far, near, named) = (nil, [], nil, [], [:])
        (part, main, cell) = ([], nil, nil)
    }
}

/// The same as a class that codes itself.
public final class FragileCell: Coding, FragileNode {
    let number: Int
    var next: FragileCell?
    var others: [FragileCell] = []
    @Reference var far: FragileCell?
    var node: Fragile?
    private let life: Life

    init(_ number: Int) {
        self.number = number
        life = Life(nil)
    }

    /// Reads the references, unless the number is negative.
    public init(coder: KeyedUnarchiver) throws {
        let lives = coder.userInfo[Lives.key] as? Lives
        life = Life(lives)
        number = try coder.decodeInteger(forKey: "number")
        if number < 0 { throw Refusal() }
        lives?.add(self)
        next = try coder.decodeIfPresent(FragileCell.self, forKey: "next")
        others = try coder.decode([FragileCell].self, forKey: "others")
        _far = try coder.decode(Reference<FragileCell>.self, forKey: "far")
        node = try coder.decodeIfPresent(Fragile.self, forKey: "node")
    }

    /// Writes what `init(coder:)` reads.
    public func encode(with coder: KeyedArchiver) throws {
        coder.encode(number, forKey: "number")
        try coder.encode(next, forKey: "next")
        try coder.encode(others, forKey: "others")
        try coder.encode(far, forKey: "far")
        try coder.encode(node, forKey: "node")
    }

    func load(_ failed: (any Error) throws -> Void) throws {}

    func takeApart() { (next, others, far, node) = (nil, [], nil, nil) }
}
