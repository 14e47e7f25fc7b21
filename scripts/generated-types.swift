// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Prints Tests/Thorough/Coders/GeneratedTypes.swift: `scripts/generated-types` has the usage.

/// SplitMix64, so that a seed gives the same types everywhere.
struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
    mutating func isOne(of count: Int) -> Bool { below(count) == 0 }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// A type of a property.
indirect enum Kind: Equatable {
    case leaf(String)
    case type(Int)
    case optional(Kind)
    case array(Kind)
    case dictionary(Kind)

    /// The Swift type; that of the changed model if `isChanged`.
    func text(_ isChanged: Bool) -> String {
        switch self {
        case .leaf(let name): name
        case .type(let number): (isChanged ? "C" : "T") + "\(number)"
        case .optional(let kind): kind.text(isChanged) + "?"
        case .array(let kind): "[\(kind.text(isChanged))]"
        case .dictionary(let kind): "[String: \(kind.text(isChanged))]"
        }
    }

    var isOptional: Bool { if case .optional = self { true } else { false } }
}

struct Property {
    var name: String
    var kind: Kind
}

/// A case with its payload; one case without a name for a struct.
struct Case {
    var name: String
    var properties: [Property]
}

struct Model {
    var isEnumeration: Bool
    var cases: [Case]
}

let leaves = ["Int", "Int8", "UInt16", "Int64", "Double", "Float", "Bool", "String"]
let names = [
    "id", "name", "count", "weight", "isOpen", "parts", "owner", "tags", "rate", "größe", "year", "first name", "x",
    "kind",
]

func kind(_ random: inout Random, below number: Int, depth: Int = 0) -> Kind {
    switch random.below(depth > 1 ? 6 : 12) {
    case 0...4: .leaf(random.pick(leaves))
    case 5: number > 0 ? .type(random.below(number)) : .leaf(random.pick(leaves))
    case 6, 7: number > 0 ? .type(max(0, number - 1 - random.below(min(number, 20)))) : .leaf(random.pick(leaves))
    case 8, 9:
        // An optional of an optional is decoded as nil by some coders.
        switch kind(&random, below: number, depth: depth + 1) {
        case .optional(let inner): .optional(inner)
        case let inner: .optional(inner)
        }
    case 10: .array(kind(&random, below: number, depth: depth + 1))
    default: .dictionary(kind(&random, below: number, depth: depth + 1))
    }
}

func properties(_ random: inout Random, below number: Int, from: Int) -> [Property] {
    var free = names
    return (0..<from + random.below(5)).map { _ in
        let name = free.remove(at: random.below(free.count))
        return Property(name: name, kind: kind(&random, below: number))
    }
}

func model(_ random: inout Random, _ number: Int) -> Model {
    guard number > 3, random.isOne(of: 4) else {
        return Model(
            isEnumeration: false, cases: [Case(name: "", properties: properties(&random, below: number, from: 1))])
    }
    let cases = (0..<1 + random.below(3)).map { place in
        Case(name: "case\(place)", properties: properties(&random, below: number, from: 0))
    }
    return Model(isEnumeration: true, cases: cases)
}

/// Changes `model` as a next version of its program may, or not at all.
func changed(_ model: Model, _ random: inout Random) -> Model {
    var model = model
    for _ in 0..<random.below(3) {
        let place = random.below(model.cases.count)
        var properties = model.cases[place].properties
        let index = properties.isEmpty ? nil : random.below(properties.count)
        switch (random.below(8), index) {
        case (0, let index?): properties.remove(at: index)
        case (1, let index?): properties[index].name += "2"
        case (2, let index?): properties[index].kind = .leaf(random.pick(leaves))
        case (3, let index?):
            if case .leaf = properties[index].kind { properties[index].kind = .leaf(random.pick(leaves)) }
        case (4, let index?):
            if !properties[index].kind.isOptional { properties[index].kind = .optional(properties[index].kind) }
        case (5, let index?):
            if case .optional(let inner) = properties[index].kind { properties[index].kind = inner }
        case (6, let index?):
            if case .array(let inner) = properties[index].kind { properties[index].kind = inner }
        case (7, _) where !properties.contains { $0.name == "added" }:
            let added = Kind.leaf(random.pick(leaves))
            properties.append(Property(name: "added", kind: random.isOne(of: 3) ? added : .optional(added)))
        default: break
        }
        if !model.isEnumeration, properties.isEmpty { continue }
        model.cases[place].properties = properties
    }
    return model
}

// MARK: - Text

func quoted(_ name: String) -> String { name == "class" || name.contains(" ") ? "`\(name)`" : name }

func text(_ name: String, _ model: Model, _ isChanged: Bool, _ head: String) -> String {
    func list(_ properties: [Property]) -> [String] {
        properties.map { "\(quoted($0.name)): \($0.kind.text(isChanged))" }
    }
    if !model.isEnumeration {
        return "struct \(name): \(head)\(list(model.cases[0].properties).map { "var " + $0 }.joined(separator: "; ")) }"
    }
    let cases = model.cases.map { one in
        one.name + (one.properties.isEmpty ? "" : "(\(list(one.properties).joined(separator: ", ")))")
    }
    return "indirect enum \(name): \(head)case \(cases.joined(separator: ", ")) }"
}

let count = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 300 : 300
var random = Random(state: CommandLine.arguments.count > 2 ? UInt64(CommandLine.arguments[2]) ?? 1 : 1)
print(
    """
    // This source file is part of swift-archiving.
    // SPDX-License-Identifier: Apache-2.0

    // Made by `scripts/generated-types`; do not edit.
    // swift-format-ignore-file
    """)
print()
for number in 0..<count {
    let original = model(&random, number)
    print(text("T\(number)", original, false, "GeneratedType { typealias Changed = C\(number); "))
    print(text("C\(number)", changed(original, &random), true, "Codable, Equatable { "))
}
print("\nlet generatedTypes: [any GeneratedType.Type] = [")
for start in stride(from: 0, to: count, by: 16) {
    print("    " + (start..<min(start + 16, count)).map { "T\($0).self" }.joined(separator: ", ") + ",")
}
print("]")
