// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Values

extension Mutator {
    static let treeMutations: [Mutation] = [
        onTree("a value of another kind") { list, generator in
            let new = generator.pick(values)
            list.changeOne(using: &generator) { value, _ in value = new }
        },
        onTree("another value of the same kind") { list, generator in
            list.changeOne(using: &generator) { $0.vary(using: &$1) }
        },
        onTree("a value in another's place") { list, generator in
            var found: PropertyList?
            list.changeOne(using: &generator) { value, _ in found = value }
            list.changeOne(using: &generator) { value, _ in value = found ?? value }
        },
        onTree("a key dropped") { list, generator in
            list.changeOneDictionary(using: &generator) { entries, generator in
                entries.remove(at: generator.below(entries.count))
            }
        },
        onTree("a key twice") { list, generator in
            list.changeOneDictionary(using: &generator) { entries, generator in
                let key = generator.pick(entries).key
                let value = generator.once(in: 2) ? generator.pick(entries).value : generator.pick(values)
                entries.insert((key, value), at: generator.below(entries.count + 1))
            }
        },
        onTree("another key") { list, generator in
            list.changeOneDictionary(using: &generator) { entries, generator in
                entries[generator.below(entries.count)].key = generator.pick(keys)
            }
        },
        onTree("a key more") { list, generator in
            list.changeOneDictionary(using: &generator) { entries, generator in
                entries.append((generator.pick(keys), generator.pick(values)))
            }
        },
        onTree("nested deep") { list, generator in
            let levels = generator.pick([3, 20, 100, 300, 508, 511, 520])
            let isDictionary = generator.once(in: 2)
            list.changeOne(using: &generator) { value, _ in
                for _ in 0..<levels { value = isDictionary ? ["k": value] : [value] }
            }
        },
        onTree("many of the same") { list, generator in
            let count = generator.pick([2, 16, 255, 300])
            list.changeOne(using: &generator) { value, _ in
                value = .array(Array(repeating: value, count: value.isLeaf ? count : 2))
            }
        },
        Mutation("other widths", .tree) { bytes, generator in
            guard let list = try? PropertyList(Data(bytes)) else { return nil }
            var writer = RawWriter()
            writer.offsetSize = generator.pick([nil, 2, 3, 4, 5, 7, 8])
            writer.referenceSize = generator.pick([nil, nil, 2, 3, 4, 8])
            writer.integerWidth = generator.below(5)
            writer.uidSize = generator.pick([nil, 4, 5, 8, 9, 16])
            writer.countWidth = generator.pick([nil, 0, 1, 2, 3, 4])
            writer.sharesStrings = generator.once(in: 2)
            writer.isReversed = generator.once(in: 2)
            writer.prefersUTF16 = generator.once(in: 3)
            return writer.bytes(of: list)
        },
    ]

    static func onTree(
        _ name: String, _ level: Mutation.Level = .tree,
        _ body: @escaping @Sendable (inout PropertyList, inout Generator) -> Void
    ) -> Mutation {
        Mutation(name, level) { bytes, generator in
            guard var list = try? PropertyList(Data(bytes)) else { return nil }
            body(&list, &generator)
            if bytes.first == UInt8(ascii: "<"), let xml = try? list.data(format: .xml) { return Array(xml) }
            return RawWriter().bytes(of: list)
        }
    }

    /// Values at the edges of what readers expect.
    static let values: [PropertyList] = [
        .null, true, false, 0, 1, -1, 2, 255, 100_000, .integer(Int128(Int64.max)), .integer(Int128(Int64.min)),
        .integer(Int128(UInt64.max)), .integer(.max), .integer(.min), 0.0, -0.0, 1.5, .real(.nan), .real(.infinity),
        .real(1e308), .real32(0.1), .real32(.nan), "", "$null", "a", "naïve 🐄", "{1, 2}", "{{1, 2}, {3, 4}}",
        "{nan, 1e999}", "NSObject", "340282366920938463463374607431768211455",
        .string(String(repeating: "x", count: 40)),
        .date(Date(timeIntervalSinceReferenceDate: 0)), .date(Date(timeIntervalSinceReferenceDate: .nan)),
        .date(Date(timeIntervalSinceReferenceDate: 1e300)), .data(Data()), .data(Data([0x80])),
        .data(Data(repeating: 0xFF, count: 16)),
        .data(Data([1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7F])),
        .uid(0), .uid(1), .uid(2), .uid(3), .uid(.max), [], [1], ["a", [:]], .set([]), .set([1, 1]), [:],
        ["k": 1], ["$class": .uid(1)], ["NS.objects": [.uid(1)]],
    ]

    /// Keys that mean something to readers.
    static let keys = [
        "$class", "$classname", "$classes", "$classhints", "$top", "$objects", "$version", "$archiver", "root",
        "NS.keys",
        "NS.objects", "NS.object.0", "NS.object.1", "NS.key.0", "NS.string", "NS.bytes", "NS.data", "NS.time",
        "NS.count",
        "NS.size", "NS.type", "NS.special", "NS.base", "NS.relative", "NS.uuidbytes", "NS.number", "NSRangeCount",
        "NSRangeData", "NSLocation", "NSLength", "NSString", "NSAttributes", "NSAttributeInfo", "$0", "$1", "", "name",
        "CF$UID", "super", "children", "next",
    ]
}

// MARK: - Places

extension PropertyList {
    fileprivate var isLeaf: Bool {
        switch self {
        case .array, .set, .dictionary: false
        default: true
        }
    }

    /// The number of values in this one, itself included, for which `condition` holds.
    private func valueCount(where condition: (PropertyList) -> Bool) -> Int {
        let own = condition(self) ? 1 : 0
        return switch self {
        case .array(let elements), .set(let elements):
            elements.reduce(own) { $0 + $1.valueCount(where: condition) }
        case .dictionary(let entries): entries.reduce(own) { $0 + $1.value.valueCount(where: condition) }
        default: own
        }
    }

    /// Lets `body` change one of the values in this one, itself included, for which `condition` holds, if there is any.
    mutating func changeOne(
        using generator: inout Generator, where condition: (PropertyList) -> Bool = { _ in true },
        _ body: (inout PropertyList, inout Generator) -> Void
    ) {
        let count = valueCount(where: condition)
        guard count > 0 else { return }
        var position = generator.below(count)
        change(at: &position, where: condition) { body(&$0, &generator) }
    }

    /// Lets `body` change the value at `position` among those for which `condition` holds, counted from the outside in.
    /// The position is negative afterwards.
    fileprivate mutating func change(
        at position: inout Int, where condition: (PropertyList) -> Bool, _ body: (inout PropertyList) -> Void
    ) {
        if condition(self) {
            position -= 1
            if position < 0 { return body(&self) }
        }
        switch self {
        case .array(var elements):
            self = .null
            elements.change(at: &position, where: condition, body)
            self = .array(elements)
        case .set(var elements):
            self = .null
            elements.change(at: &position, where: condition, body)
            self = .set(elements)
        case .dictionary(let entries):
            var entries = Array(entries)
            for index in entries.indices where position >= 0 {
                entries[index].value.change(at: &position, where: condition, body)
            }
            self = .dictionary(PropertyList.Dictionary(entries))
        default: break
        }
    }

    /// Lets `body` change one of the dictionaries in this value that have entries.
    mutating func changeOneDictionary(
        using generator: inout Generator,
        _ body: (inout [PropertyList.Dictionary.Element], inout Generator) -> Void
    ) {
        changeOne(using: &generator, where: \.hasEntries) { value, generator in
            guard case .dictionary(let entries) = value else { return }
            var list = Array(entries)
            body(&list, &generator)
            value = .dictionary(PropertyList.Dictionary(list))
        }
    }

    private var hasEntries: Bool {
        if case .dictionary(let entries) = self { !entries.isEmpty } else { false }
    }

    /// Becomes another value of the same kind.
    fileprivate mutating func vary(using generator: inout Generator) {
        switch self {
        case .boolean(let flag): self = .boolean(!flag)
        case .integer:
            self = .integer(Int128(truncatingIfNeeded: Int64(bitPattern: generator.next() >> generator.next() % 64)))
        case .real: self = .real(Double(bitPattern: generator.next()))
        case .real32: self = .real32(Float(bitPattern: UInt32(truncatingIfNeeded: generator.next())))
        case .string(let text):
            self = .string(String(text.dropFirst(generator.below(3))) + generator.pick(["", "x", "é"]))
        case .date: self = .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: generator.next())))
        case .data(let data):
            self = .data(Data(data.dropLast(generator.below(3))) + Data([UInt8(truncatingIfNeeded: generator.next())]))
        case .uid: self = .uid(UInt32(generator.below(40)))
        case .array(var elements):
            elements.shuffle(using: &generator)
            self = .array(Array(elements.dropLast(generator.below(2))))
        case .set(let elements): self = .array(elements)
        case .dictionary(let entries):
            self = .dictionary(PropertyList.Dictionary(entries.shuffled(using: &generator)))
        case .null: self = "$null"
        }
    }
}

extension [PropertyList] {
    fileprivate mutating func change(
        at position: inout Int, where condition: (PropertyList) -> Bool, _ body: (inout PropertyList) -> Void
    ) {
        for index in indices where position >= 0 { self[index].change(at: &position, where: condition, body) }
    }
}
