// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// The kind of a link from one instance to others.
enum LinkKind: String, CaseIterable {
    // Plain single references.
    case single, inStruct, inPayload, doubly, weakly, single2, toCoding
    // Collections.
    case array, nested, set, keys, values, inPayloads, optional, contiguous, marks, toCodings
    // Wrappers.
    case inMarks, reference, references, named, weakReference
    // To instances with declared fields.
    case toFields, listOfFields
    // The own properties of one class.
    case extra, next, list, vertex, vertices, vertexSet, vertexTable

    enum Form { case plain, special, fields, coding }

    /// The kinds that instances of the form have.
    static func all(of form: Form) -> [LinkKind] {
        allCases.filter { kind in
            switch kind {
            case .extra: form == .special
            case .next, .list: form == .fields || form == .coding
            case .vertex, .vertices, .vertexSet, .vertexTable: form == .fields
            default: true
            }
        }
    }

    /// Whether the kind has at most one target.
    var isSingle: Bool {
        switch self {
        case .single, .inStruct, .inPayload, .doubly, .weakly, .single2, .toCoding, .reference, .weakReference,
            .toFields,
            .extra, .next, .vertex:
            true
        default: false
        }
    }

    /// Whether the link, from an instance of the form `form`, is a plain single reference.
    func isPlain(from form: Form) -> Bool {
        switch self {
        case .single, .inStruct, .inPayload, .doubly, .weakly, .single2, .toCoding, .extra, .next: form != .fields
        default: false
        }
    }

    /// Whether the link is a wrapper, which opens a cycle anywhere.
    var isWrapper: Bool {
        switch self {
        case .inMarks, .reference, .references, .named, .weakReference: true
        default: false
        }
    }

    /// Whether each target occurs once.
    var isSet: Bool {
        switch self {
        case .set, .keys, .values, .named, .marks, .inMarks, .vertexSet, .vertexTable: true
        default: false
        }
    }

    /// The forms of the targets of links from instances of the form `form`.
    func targets(from form: Form) -> [Form] {
        switch self {
        case .toCoding, .toCodings: [.coding]
        case .toFields, .listOfFields: [.fields]
        case .next, .list: [form]
        default: [.plain, .special]
        }
    }
}

/// A graph as numbers, from which the instances are made, and by which it is known whether they can be decoded.
struct MixedPlan: CustomStringConvertible {
    struct Node {
        var form: LinkKind.Form
        /// Whether its initializer publishes the instance.
        var publishes: Bool
        var links: [LinkKind: [Int]] = [:]
    }

    var nodes: [Node]
    /// The order in which the root has the instances.
    var order: [Int]

    init(_ count: Int, using generator: inout SeededGenerator) {
        let publishing = [0, 0, 30, 60][Int.random(in: 0..<4, using: &generator)]
        let (plain, other) = (
            [0, 2, 4, 8][Int.random(in: 0..<4, using: &generator)], Int.random(in: 5...25, using: &generator)
        )
        func isChosen(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
        var nodes = (0..<count).map { _ in
            let form: LinkKind.Form =
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: .fields
                case 1: .coding
                case 2, 3: .special
                default: .plain
                }
            return Node(form: form, publishes: (form == .plain || form == .coding) && isChosen(publishing))
        }
        for number in nodes.indices {
            let node = nodes[number]
            for kind in LinkKind.all(of: node.form) where isChosen(kind.isPlain(from: node.form) ? plain : other) {
                let forms = kind.targets(from: node.form)
                // What an instance reads after it has published itself may lead back to others only through wrappers.
                let candidates = nodes.indices.filter {
                    forms.contains(nodes[$0].form)
                        && (!node.publishes || kind.isWrapper || nodes[$0].publishes || nodes[$0].form == .fields)
                }
                var targets: [Int] = []
                for _ in 0..<(kind.isSingle ? 1 : Int.random(in: 1...3, using: &generator)) {
                    if let target = candidates.randomElement(using: &generator) { targets.append(target) }
                }
                if kind.isSet { targets = Set(targets).sorted() }
                if !targets.isEmpty { nodes[number].links[kind] = targets }
            }
        }
        self.nodes = nodes
        order = nodes.indices.shuffled(using: &generator)
    }

    /// Whether the graph has a cycle of plain single references between instances that do not publish themselves.
    var hasPlainCycle: Bool {
        hasCycle(of: { !$0.publishes && $0.form != .fields }, by: { $0.isPlain(from: $1) })
    }

    /// Whether it has one in which the initializers store instances that have published themselves, and which only the program can open.
    var hasPublishedCycle: Bool { hasCycle(of: \.publishes, by: { kind, _ in !kind.isWrapper }) }

    /// Removes nodes without links to others until all that remain are on cycles, or lead to one.
    private func hasCycle(of isIncluded: (Node) -> Bool, by isLink: (LinkKind, LinkKind.Form) -> Bool) -> Bool {
        var remaining = Set(nodes.indices.filter { isIncluded(nodes[$0]) })
        while true {
            let ends = remaining.filter { number in
                let node = nodes[number]
                return !node.links.contains { kind, targets in
                    isLink(kind, node.form) && targets.contains { remaining.contains($0) }
                }
            }
            if ends.isEmpty { return !remaining.isEmpty }
            remaining.subtract(ends)
        }
    }

    var description: String {
        let lines = nodes.enumerated().map { number, node in
            let links = node.links.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key) \($0.value)" }
            return "\(number) \(node.form)\(node.publishes ? " publishes" : ""): " + links.joined(separator: ", ")
        }
        return "order \(order)\n" + lines.joined(separator: "\n")
    }
}

// MARK: - Instances

/// Counts the instances that are alive.
typealias Life = LifeToken<MixedPlan>

/// An instance of a mixed graph.
protocol Knotted: AnyObject {
    var number: Int { get }
    var ties: Ties { get set }
    /// Its own properties, by kind.
    var ownLinks: [LinkKind: [any Knotted]] { get }
    func set(_ kind: LinkKind, _ targets: [any Knotted])
}

extension Knotted {
    var links: [LinkKind: [any Knotted]] { ties.links.merging(ownLinks) { $1 }.filter { !$1.isEmpty } }
}

/// Links of all kinds, in a struct.
struct Ties: Codable {
    struct Link: Codable {
        var before = 1
        var target: Vertex?
    }

    enum Payload: Codable {
        case none
        case one(Vertex)
        case several([Vertex], number: Int)
    }

    struct Mark: Codable, Hashable {
        var id: Int
        var plain: Vertex?
        @Reference var other: Vertex?

        init(_ id: Int, plain: Vertex? = nil, other: Vertex? = nil) {
            (self.id, self.plain) = (id, plain)
            self.other = other
        }
        static func == (left: Mark, right: Mark) -> Bool { left.id == right.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    var array: [Vertex?] = []
    var single: Vertex?
    var set: Set<Vertex> = []
    @Reference var reference: Vertex?
    var link = Link()
    var nested: [[Vertex]] = []
    var payload = Payload.none
    var keys: [Vertex: Int] = [:]
    @References var references: [Vertex]
    var values: [String: Vertex] = [:]
    var payloads: [Payload] = []
    weak var back: Vertex?
    var optional: [Vertex]?
    @WeakReference var weakReference: Vertex?
    var marks: Set<Mark> = []
    @Coded var coding: Cocoa?
    @Coded var codings: [Cocoa]
    var doubly: Vertex??
    var contiguous: ContiguousArray<Vertex> = []
    var fields: Filled?
    @References var named: [String: Vertex]
    var listOfFields: [Filled] = []
    var single2: Vertex?

    init() { (references, codings, named) = ([], [], [:]) }

    mutating func set(_ kind: LinkKind, _ targets: [any Knotted]) {
        let vertices = targets.compactMap { $0 as? Vertex }
        switch kind {
        case .single: single = vertices[0]
        case .inStruct: link = Link(target: vertices[0])
        case .inPayload: payload = .one(vertices[0])
        case .doubly: doubly = .some(vertices[0])
        case .weakly: back = vertices[0]
        case .single2: single2 = vertices[0]
        case .toCoding: coding = targets[0] as? Cocoa
        case .array: array = [nil] + vertices
        case .nested: nested = [[], vertices]
        case .set: set = Set(vertices)
        case .keys: for vertex in vertices { keys[vertex] = vertex.number }
        case .values: for vertex in vertices { values["v\(vertex.number)"] = vertex }
        case .inPayloads: payloads = [.none, .several(vertices, number: 7)]
        case .optional: optional = vertices
        case .contiguous: contiguous = ContiguousArray(vertices)
        case .marks: for vertex in vertices { marks.insert(Mark(vertex.number, plain: vertex)) }
        case .inMarks: for vertex in vertices { marks.insert(Mark(1000 + vertex.number, other: vertex)) }
        case .toCodings: codings = targets.compactMap { $0 as? Cocoa }
        case .reference: reference = vertices[0]
        case .references: references = vertices
        case .named: for vertex in vertices { named["n\(vertex.number)"] = vertex }
        case .weakReference: weakReference = vertices[0]
        case .toFields: fields = targets[0] as? Filled
        case .listOfFields: listOfFields = targets.compactMap { $0 as? Filled }
        case .extra, .next, .list, .vertex, .vertices, .vertexSet, .vertexTable: break
        }
    }

    var links: [LinkKind: [any Knotted]] {
        var links: [LinkKind: [any Knotted]] = [:]
        func one(_ target: (any Knotted)?) -> [any Knotted] { target.map { [$0] } ?? [] }
        links[.single] = one(single)
        links[.inStruct] = link.before == 1 ? one(link.target) : []
        if case .one(let vertex) = payload { links[.inPayload] = [vertex] }
        links[.doubly] = one(doubly ?? nil)
        links[.weakly] = one(back)
        links[.single2] = one(single2)
        links[.toCoding] = one(coding)
        links[.array] = array.first == .some(nil) ? array.dropFirst().compactMap { $0 } : []
        links[.nested] = nested.count == 2 && nested[0].isEmpty ? nested[1] : []
        links[.set] = sorted(set).filter { set.contains($0) }
        links[.keys] = sorted(keys.keys).filter { keys[$0] == $0.number }
        links[.values] = sorted(values.filter { $0 == "v\($1.number)" }.values)
        if payloads.count == 2, case .several(let vertices, 7) = payloads[1] { links[.inPayloads] = vertices }
        links[.optional] = optional ?? []
        links[.contiguous] = Array(contiguous)
        let found = marks.filter { marks.contains($0) }
        links[.marks] = sorted(found.compactMap(\.plain))
        links[.inMarks] = sorted(found.compactMap(\.other))
        links[.toCodings] = codings
        links[.reference] = one(reference)
        links[.references] = references
        links[.named] = sorted(named.filter { $0 == "n\($1.number)" }.values)
        links[.weakReference] = one(weakReference)
        links[.toFields] = one(fields)
        links[.listOfFields] = listOfFields
        return links
    }
}

private func sorted(_ vertices: some Sequence<Vertex>) -> [Vertex] { vertices.sorted { $0.number < $1.number } }

class Vertex: Codable, Hashable, Knotted {
    private let life = Life()
    let number: Int
    let publishes: Bool
    final var ties = Ties()

    private enum CodingKeys: CodingKey { case number, publishes, ties }

    init(_ number: Int, publishes: Bool) { (self.number, self.publishes) = (number, publishes) }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        number = try container.decode(Int.self, forKey: .number)
        publishes = try container.decode(Bool.self, forKey: .publishes)
        if publishes { decoder.publish(self) }
        ties = try container.decode(Ties.self, forKey: .ties)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number, forKey: .number)
        try container.encode(publishes, forKey: .publishes)
        try container.encode(ties, forKey: .ties)
    }

    static func == (left: Vertex, right: Vertex) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }

    var ownLinks: [LinkKind: [any Knotted]] { [:] }
    func set(_ kind: LinkKind, _ targets: [any Knotted]) { ties.set(kind, targets) }
}

final class SpecialVertex: Vertex {
    private(set) var extra: Vertex?
    private enum CodingKeys: CodingKey { case extra, rest }

    init(_ number: Int) { super.init(number, publishes: false) }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        extra = try container.decodeIfPresent(Vertex.self, forKey: .extra)
        try super.init(from: container.superDecoder(forKey: .rest))
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(extra, forKey: .extra)
        try super.encode(to: container.superEncoder(forKey: .rest))
    }

    override var ownLinks: [LinkKind: [any Knotted]] { [.extra: extra.map { [$0] } ?? []] }
    override func set(_ kind: LinkKind, _ targets: [any Knotted]) {
        if kind == .extra { extra = targets.first as? Vertex } else { super.set(kind, targets) }
    }
}

final class Cocoa: Coding, Knotted {
    private let life = Life()
    let number: Int
    let publishes: Bool
    var ties = Ties()
    private var next: Cocoa?
    private var list: [Cocoa] = []

    init(_ number: Int, publishes: Bool) { (self.number, self.publishes) = (number, publishes) }

    init(coder: KeyedUnarchiver) throws {
        number = try coder.decodeInteger(forKey: "number")
        publishes = try coder.decodeBool(forKey: "publishes")
        if publishes { coder.publish(self) }
        next = try coder.decodeIfPresent(Cocoa.self, forKey: "next")
        list = try coder.decode([Cocoa].self, forKey: "list")
        ties = try coder.decode(Ties.self, forKey: "ties")
    }

    func encode(with coder: KeyedArchiver) throws {
        coder.encode(number, forKey: "number")
        coder.encode(publishes, forKey: "publishes")
        try coder.encode(next, forKey: "next")
        try coder.encode(list, forKey: "list")
        try coder.encode(ties, forKey: "ties")
    }

    var ownLinks: [LinkKind: [any Knotted]] { [.next: next.map { [$0] } ?? [], .list: list] }
    func set(_ kind: LinkKind, _ targets: [any Knotted]) {
        switch kind {
        case .next: next = targets.first as? Cocoa
        case .list: list = targets.compactMap { $0 as? Cocoa }
        default: ties.set(kind, targets)
        }
    }
}

final class Filled: ArchivedFields, Knotted {
    private let life = Life()
    private(set) var number = 0
    var ties = Ties()
    private var next: Filled?
    private var list: [Filled] = []
    private var vertex: Vertex?
    private var vertices: [Vertex] = []
    private var vertexSet: Set<Vertex> = []
    private var vertexTable: [String: Vertex] = [:]

    init() {}
    init(_ number: Int) { self.number = number }

    static let fields = FieldList<Filled> {
        Field("set", \.vertexSet)
        Field("next", \.next)
        Field("vertex", \.vertex)
        Field("ties", \.ties)
        Field("number", \.number)
        Field("list", \.list)
        Field("vertices", \.vertices)
        Field("table", \.vertexTable)
    }

    var ownLinks: [LinkKind: [any Knotted]] {
        [
            .next: next.map { [$0] } ?? [], .list: list, .vertex: vertex.map { [$0] } ?? [], .vertices: vertices,
            .vertexSet: sorted(vertexSet).filter { vertexSet.contains($0) },
            .vertexTable: sorted(vertexTable.filter { $0 == "\($1.number)" }.values),
        ]
    }

    func set(_ kind: LinkKind, _ targets: [any Knotted]) {
        let found = targets.compactMap { $0 as? Vertex }
        switch kind {
        case .next: next = targets.first as? Filled
        case .list: list = targets.compactMap { $0 as? Filled }
        case .vertex: vertex = found.first
        case .vertices: vertices = found
        case .vertexSet: vertexSet = Set(found)
        case .vertexTable: vertexTable = Dictionary(uniqueKeysWithValues: found.map { ("\($0.number)", $0) })
        default: ties.set(kind, targets)
        }
    }
}

/// All instances of a graph.
struct MixedRoot: Codable {
    enum Part: Codable {
        case vertex(Vertex)
        case fields(Filled)
        case coding(Coded<Cocoa>)

        var knot: any Knotted {
            switch self {
            case .vertex(let vertex): vertex
            case .fields(let filled): filled
            case .coding(let cocoa): cocoa.wrappedValue
            }
        }
    }

    var parts: [Part]

    init(_ plan: MixedPlan) {
        let knots = plan.nodes.enumerated().map { number, node -> any Knotted in
            switch node.form {
            case .plain: Vertex(number, publishes: node.publishes)
            case .special: SpecialVertex(number)
            case .fields: Filled(number)
            case .coding: Cocoa(number, publishes: node.publishes)
            }
        }
        for (knot, node) in zip(knots, plan.nodes) {
            for (kind, targets) in node.links { knot.set(kind, targets.map { knots[$0] }) }
        }
        parts = plan.order.map { number in
            switch knots[number] {
            case let vertex as Vertex: .vertex(vertex)
            case let filled as Filled: .fields(filled)
            case let cocoa as Cocoa: .coding(Coded(wrappedValue: cocoa))
            default: preconditionFailure("An instance of no class of the graph")
            }
        }
    }

    /// What differs from `plan`: links, and instances that are there twice.
    func differences(from plan: MixedPlan) -> [String] {
        let knots = parts.map(\.knot)
        guard knots.map(\.number) == plan.order else { return ["the root has \(knots.map(\.number))"] }
        let instances = Dictionary(uniqueKeysWithValues: knots.map { ($0.number, $0) })
        var differences: [String] = []
        for knot in knots {
            let links = knot.links
            let expected = plan.nodes[knot.number].links
            for kind in LinkKind.allCases where expected[kind, default: []] != links[kind, default: []].map(\.number) {
                differences.append(
                    "\(knot.number).\(kind): \(expected[kind] ?? []) became \((links[kind] ?? []).map(\.number))")
            }
            for (kind, targets) in links where !targets.allSatisfy({ instances[$0.number] === $0 }) {
                differences.append("\(knot.number).\(kind) has other instances")
            }
        }
        return differences
    }

    /// Opens all cycles.
    func clear() {
        for part in parts {
            let knot = part.knot
            knot.ties = Ties()
            for kind in [LinkKind.extra, .next, .list, .vertex, .vertices, .vertexSet, .vertexTable] {
                knot.set(kind, [])
            }
        }
    }
}
