// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import ArchiveDocuments
import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Structs

/// The grade of a sailor, which is archived as its raw value.
public enum Rating: String, Codable, CaseIterable {
    case low, middle, high
}

/// A struct with declared fields, which refuses negative numbers when it is complete.
public struct Port: ArchivedFields, Hashable {
    var name = "port"
    var number = 1
    var depth: Double?
    var grade = Rating.low

    /// Creates a value with initial values.
    public init() {}

    /// The declared fields.
    public static let fields = FieldList<Port> {
        Field("name", \.name)
        Field("number", \.number, aliases: ["no"], .default, .omitIfDefault)
        Field("depth", \.depth)
        Field("grade", \.grade, .rawValue, .default(.middle))
    }

    /// Refuses negative numbers.
    public func didFinishDecoding() throws {
        if number < 0 { throw Refusal() }
    }
}

/// A struct by `init(from:)` that has instances with declared fields.
public struct Kit: Codable {
    var owner: Sailor?
    var port = Port()
    var users: [Sailor] = []
}

/// A struct by `init(from:)` that catches errors.
public struct Attempts: Codable {
    var voyage: Voyage?
    var captain: Sailor?
    var tags: Set<Tag>?

    /// Reads what can be read.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        voyage = try? container.decode(Voyage.self, forKey: .voyage)
        captain = try? container.decode(Sailor.self, forKey: .captain)
        tags = try? container.decode(Set<Tag>.self, forKey: .tags)
    }

    init(_ voyage: Voyage, _ tags: Set<Tag>) { (self.voyage, captain, self.tags) = (voyage, voyage.captain, tags) }
}

/// A root with declared fields: structs with fields in each other, and instances.
public struct Voyage: ArchivedFields {
    var name = ""
    var captain = Sailor()
    var crew: [Sailor] = []
    var port = Port()
    var ports: [Port] = []
    var visited: Set<Port> = []
    var byName: [String: Port] = [:]
    var kit = Kit()
    var wide: Wide?
    var tags: Set<Tag> = []

    /// Creates a value with initial values.
    public init() {}

    /// The declared fields.
    public static let fields = FieldList<Voyage> {
        Field("name", \.name, .default("unnamed"))
        Field("captain", \.captain)
        Field("crew", \.crew, aliases: ["men", "hands"])
        Field("port", \.port)
        Field("ports", \.ports, .default, .omitIfDefault)
        Field("visited", \.visited)
        Field("byName", \.byName)
        Field("kit", \.kit)
        Field("wide", \.wide)
        Field("tags", \.tags, .default)
    }
}

// MARK: - Classes

/// An instance in a graph of declared fields, which refuses negative numbers when the graph is complete.
public class Sailor: ArchivedFields, FragileNode {
    /// The name before the fields are read.
    static let unread = "\u{1}unread"

    final var name = Sailor.unread
    final var number = 3
    final var weight = 0.5
    final var isAshore = false
    final var nickname: String?
    final var age: Int?
    final var mate: Sailor?
    final weak var boss: Sailor?
    final var friend: Sailor?
    final var crew: [Sailor] = []
    final var guests: [Sailor?] = []
    final var byName: [String: Sailor] = [:]
    final var home = Port()
    final var shelter: Port?
    final var visited: Set<Port> = []
    final var grades: [Rating] = []
    final var tags: Set<Tag> = []
    final var counts: [Tag: Int] = [:]
    final var trunk: Trunk?
    final var kit: Kit?
    @Coded final var locker: Locker? = nil
    @Reference final var far: Sailor?
    final var note = Data()
    private let life = Life(Lives.current)

    /// Creates an instance with initial values.
    public required init() { Lives.current?.add(self) }

    /// The declared fields.
    public class var fields: FieldList<Sailor> {
        FieldList {
            Field("name", \.name, aliases: ["title"])
            Field("number", \.number, aliases: ["no"], .default(3), .omitIfDefault)
            Field("weight", \.weight, .default)
            Field("isAshore", \.isAshore, .default)
            Field("nickname", \.nickname)
            Field("age", \.age)
            Field("mate", \.mate, aliases: ["partner"])
            Field("boss", \.boss, .conditional)
            Field("friend", \.friend, .conditional)
            Field("crew", \.crew, .default)
            Field("guests", \.guests, .default)
            Field("byName", \.byName, .default)
            Field("home", \.home, .default)
            Field("shelter", \.shelter)
            Field("visited", \.visited, .default, .omitIfDefault)
            Field("grades", \.grades, .rawValues(), .default)
            Field("tags", \.tags, .default)
            Field("counts", \.counts, .default)
            Field("trunk", \.trunk)
            Field("kit", \.kit)
            Field("locker", \._locker, .default)
            Field("far", \._far, .default)
            Field("note", \.note, .default, .omitIfDefault)
        }
    }

    /// Refuses negative numbers.
    public func didFinishDecoding() throws {
        if number < 0 { throw Refusal() }
        for sailor in held where sailor.name == Self.unread { Lives.current?.noteUnread() }
    }

    /// What the sailor refers to that it holds and archives.
    final var held: [Sailor] {
        let named = byName.sorted { $0.key < $1.key }.map(\.value)
        let owners = tags.sorted { $0.number < $1.number } + counts.keys.sorted { $0.number < $1.number }
        let kits = [kit?.owner, trunk?.owner, locker?.owner, far].compactMap { $0 } + (kit?.users ?? [])
        return [mate, subordinate].compactMap { $0 } + crew + guests.compactMap { $0 } + named
            + owners.compactMap(\.owner) + kits
    }

    /// The sailor that only a subclass has.
    var subordinate: Sailor? { nil }

    func load(_ failed: (any Error) throws -> Void) throws {}

    func takeApart() {
        (mate, friend, crew, guests, byName) = (nil, nil, [], [], [:])
        (tags, counts, trunk, kit, locker, far) = ([], [:], nil, nil, nil, nil)
    }
}

/// A subclass with fields of its own, which has to be registered to be made.
public final class Captain: Sailor {
    var rank = 1
    var second: Sailor?

    /// The declared fields.
    override public class var fields: FieldList<Sailor> {
        super.fields.extended(by: Captain.self) {
            Field("rank", \.rank, .default(2))
            Field("second", \.second)
        }
    }

    override var subordinate: Sailor? { second }

    override func takeApart() {
        super.takeApart()
        second = nil
    }
}

/// An instance whose hash is of fields: its own, and one of another instance.
public final class Tag: ArchivedFields, Hashable, FragileNode {
    var number = 0
    var next: Tag?
    var owner: Sailor?
    private let life = Life(Lives.current)

    /// Creates an instance with initial values.
    public init() { Lives.current?.add(self) }

    /// The declared fields.
    public static let fields = FieldList<Tag> {
        Field("number", \.number)
        Field("next", \.next)
        Field("owner", \.owner)
    }

    /// Whether both have the same numbers.
    public static func == (left: Tag, right: Tag) -> Bool {
        left.number == right.number && left.next?.number == right.next?.number
    }

    /// Feeds the numbers into `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(next?.number)
    }

    func load(_ failed: (any Error) throws -> Void) throws {}

    func takeApart() { (owner, next) = (nil, nil) }
}

/// An instance by `init(from:)` with a reference to one with declared fields, which may refer back.
public final class Trunk: Codable, FragileNode {
    var owner: Sailor?
    var inner: Trunk?
    private let life: Life

    private enum CodingKeys: CodingKey {
        case owner, inner
    }

    init(_ owner: Sailor?) {
        self.owner = owner
        life = Life(nil)
    }

    /// Reads the references.
    public init(from decoder: any Decoder) throws {
        life = Life(Lives.current)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        Lives.current?.add(self)
        owner = try container.decodeIfPresent(Sailor.self, forKey: .owner)
        inner = try container.decodeIfPresent(Trunk.self, forKey: .inner)
    }

    func load(_ failed: (any Error) throws -> Void) throws {}

    func takeApart() { (owner, inner) = (nil, nil) }
}

/// A `Coding` instance with a reference to one with declared fields, which may refer back.
public final class Locker: Coding, FragileNode {
    let number: Int
    var owner: Sailor?
    var next: Locker?
    private let life: Life

    init(_ number: Int) {
        self.number = number
        life = Life(nil)
    }

    /// Reads the references.
    public init(coder: KeyedUnarchiver) throws {
        life = Life(Lives.current)
        number = try coder.decodeInteger(forKey: "number")
        Lives.current?.add(self)
        owner = try coder.decodeIfPresent(Sailor.self, forKey: "owner")
        next = try coder.decodeIfPresent(Locker.self, forKey: "next")
    }

    /// Writes what `init(coder:)` reads.
    public func encode(with coder: KeyedArchiver) throws {
        coder.encode(number, forKey: "number")
        try coder.encode(owner, forKey: "owner")
        try coder.encode(next, forKey: "next")
    }

    func load(_ failed: (any Error) throws -> Void) throws {}

    func takeApart() { (owner, next) = (nil, nil) }
}

/// An instance with more fields than there are bits in a word.
public final class Wide: ArchivedFields, FragileNode {
    var numbers = Array(repeating: 0, count: Wide.count)
    var next: Wide?
    var tags: Set<Tag> = []
    private let life = Life(Lives.current)

    static let count = 70

    /// Creates an instance with initial values.
    public init() { Lives.current?.add(self) }

    subscript(index: Int) -> Int {
        get { numbers[index] }
        set { numbers[index] = newValue }
    }

    /// The declared fields.
    public static let fields = FieldList<Wide> {
        for index in 0..<count {
            Field("n\(index)", \.[index], aliases: ["old\(index)"], .default, .omitIfDefault)
        }
        Field("next", \.next)
        Field("tags", \.tags, .default)
    }

    func load(_ failed: (any Error) throws -> Void) throws {}

    func takeApart() { (next, tags) = (nil, []) }
}

/// An instance with a deferred field.
public final class Cargo: ArchivedFields, FragileNode {
    var name = ""
    @Deferred var goods: [Sailor] = []
    @Deferred var first: Sailor? = nil
    var next: Cargo?
    private let life = Life(Lives.current)

    /// Creates an instance with initial values.
    public init() { Lives.current?.add(self) }

    /// The declared fields.
    public static let fields = FieldList<Cargo> {
        Field("name", \.name)
        Field("goods", \._goods)
        Field("first", \._first)
        Field("next", \.next)
    }

    func load(_ failed: (any Error) throws -> Void) throws {
        do { try $goods.load() } catch { try failed(error) }
        do { try $first.load() } catch { try failed(error) }
    }

    func takeApart() { (goods, first, next) = ([], nil, nil) }
}
