// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// MARK: - Declared fields

extension EntryPoints {
    static let fields = [
        decoding("fields, sailor", Sailor.self) { try signature(ofSailors: [$0]) },
        decoding("fields, sailors", [Sailor].self) { try signature(ofSailors: $0) },
        decoding("fields, sailors or none", [Sailor?].self) { try signature(ofSailors: $0.compactMap { $0 }) },
        decoding("fields, voyage", Voyage.self, signature),
        decoding("fields, ports", [Port].self) { UInt64($0.count) },
        decoding("fields, kit", Kit.self, signature),
        decoding("fields, attempts", Attempts.self) { attempts in
            try check(attempts.tags ?? [])
            return try signature(ofSailors: [attempts.captain, attempts.voyage?.captain].compactMap { $0 })
        },
        decoding("fields, trunk", Trunk.self) { try signature(ofSailors: $0.owner.map { [$0] } ?? []) },
        decoding("fields, tags", Set<Tag>.self) { tags in
            try check(tags)
            return try signature(ofSailors: tags.sorted { $0.number < $1.number }.compactMap(\.owner))
        },
        decoding("fields, wide", Wide.self, signature),
        decoding("fields, sailor by other names", Sailor.self, names: Registries.renamed) {
            try signature(ofSailors: [$0])
        },
        decoding("fields, sailor without names", Sailor.self, names: ClassRegistry()) {
            try signature(ofSailors: [$0])
        },
        EntryPoint("fields, sailor with small limits") { data in
            try counting {
                var decoder = ArchiveDecoder()
                decoder.classes = Registries.standard
                decoder.limits.nesting = 10
                decoder.limits.objects = 40
                decoder.limits.work = 200
                return try signature(ofSailors: [decoder.decode(Sailor.self, from: data)])
            }
        },
        EntryPoint("fields, crew without unknown objects") { data in
            try counting {
                var decoder = ArchiveDecoder()
                decoder.classes = sailorsOnly(.skip)
                return try signature(ofSailors: decoder.decode([Sailor].self, from: data))
            }
        },
        EntryPoint("fields, crew with unknown objects") { data in
            try counting {
                var decoder = ArchiveDecoder()
                decoder.classes = sailorsOnly(.decodeAsRequested)
                return try signature(ofSailors: decoder.decode([Sailor].self, from: data))
            }
        },
        EntryPoint("fields, unarchiver") { data in
            try counting {
                let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
                defer { unarchiver.finishDecoding() }
                unarchiver.classes = Registries.standard
                if let voyage = try? unarchiver.decode(Voyage.self, forKey: "root") { return try signature(voyage) }
                return try signature(ofSailors: [unarchiver.decode(Sailor.self, forKey: "root")])
            }
        },
        EntryPoint("fields, locker") { data in
            try counting {
                let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
                defer { unarchiver.finishDecoding() }
                unarchiver.classes = Registries.standard
                let locker = try unarchiver.decode(Locker.self, forKey: "root")
                // It may refer to instances of the first call.
                let other = try? unarchiver.decode(Sailor.self, forKey: "sailor")
                return try signature(ofSailors: [locker.owner, other].compactMap { $0 })
            }
        },
        EntryPoint("fields, cargo") { data in
            try counting {
                let cargo = try decoder.decode(Cargo.self, from: data)
                var digest: UInt64 = 1
                var next: Cargo? = cargo
                for _ in 0..<4 {
                    guard let cargo = next else { break }
                    try cargo.load { error in
                        if Outcome.Failure(error) == .other { throw error }
                    }
                    digest ^= try signature(ofSailors: cargo.goods + [cargo.first].compactMap { $0 })
                    next = cargo.next
                }
                return digest
            }
        },
    ]

    /// The names of few classes.
    private static func sailorsOnly(_ policy: ClassRegistry.UnknownClassPolicy) -> ClassRegistry {
        var classes = ClassRegistry()
        classes.register(Sailor.self, name: "Sailor")
        classes.register(Port.self, name: "Port")
        classes.unknownClasses = policy
        return classes
    }

    private static var decoder: ArchiveDecoder {
        var decoder = ArchiveDecoder()
        decoder.classes = Registries.standard
        return decoder
    }

    /// Decodes a type, encodes the value, and decodes it again.
    private static func decoding<Value: Codable & SendableMetatype>(
        _ name: String, _ type: Value.Type, names: ClassRegistry = Registries.standard,
        _ signature: @escaping @Sendable (Value) throws -> UInt64
    ) -> EntryPoint {
        EntryPoint(name) { data in
            try counting {
                var decoder = decoder
                decoder.classes = names
                let value = try decoder.decode(type, from: data)
                let before = try signature(value)
                var encoder = ArchiveEncoder()
                encoder.classes = decoder.classes
                do {
                    let again = try decoder.decode(type, from: encoder.encode(value))
                    guard try signature(again) == before else {
                        throw Violation("A value is another one after it was encoded and decoded")
                    }
                } catch {
                    guard Outcome.Failure(error) == .limit else {
                        throw error as? Violation
                            ?? Violation("A value was decoded, and is not encoded and decoded again: \(error)")
                    }
                }
                return before
            }
        }
    }

    /// Checks that no instance is left after `body`, whether it throws or the caller clears all references.
    ///
    /// Each session of the library keeps a new instance of each class for later decodings, and a call may get any idle session, or a
    /// new one if other threads have those. So only what is left each time is a fault, and there are more attempts than idle sessions.
    static func counting(_ body: () throws -> UInt64) throws -> UInt64 {
        var sentence = ""
        for _ in 0..<64 {
            let lives = Lives()
            let result = Result { try Lives.$current.withValue(lives, operation: body) }
            if case .failure(let violation as Violation) = result { throw violation }
            if case .success = result {
                if lives.unreadCount > 0 {
                    throw Violation("didFinishDecoding() meets \(lives.unreadCount) instances without fields")
                }
                for node in lives.nodes { node.takeApart() }
            }
            if lives.count == 0 { return try result.get() }
            sentence = "\(lives.count) instances are left after \(result)"
        }
        throw Violation(sentence)
    }

    // MARK: - Signatures

    @Sendable private static func signature(_ voyage: Voyage) throws -> UInt64 {
        var digest = Digest()
        digest.combine(voyage.name)
        digest.combine(voyage.ports.count + voyage.visited.count + voyage.byName.count)
        digest.combine(voyage.tags.count)
        try check(voyage.visited)
        try check(voyage.tags)
        let kit = voyage.kit.users + [voyage.kit.owner].compactMap { $0 }
        digest.combine(Int(truncatingIfNeeded: try signature(ofSailors: [voyage.captain] + voyage.crew + kit)))
        if let wide = voyage.wide { digest.combine(Int(truncatingIfNeeded: try signature(wide))) }
        return digest.value
    }

    @Sendable private static func signature(_ kit: Kit) throws -> UInt64 {
        try signature(ofSailors: kit.users + [kit.owner].compactMap { $0 })
    }

    @Sendable private static func signature(_ wide: Wide) throws -> UInt64 {
        var digest = Digest()
        var seen: Set<ObjectIdentifier> = []
        var next: Wide? = wide
        while let wide = next, seen.insert(ObjectIdentifier(wide)).inserted {
            for number in wide.numbers { digest.combine(number) }
            digest.combine(wide.tags.count)
            try check(wide.tags)
            next = wide.next
        }
        return digest.value
    }

    /// Checks that a set was built with the hashes that its elements have.
    private static func check<Element>(_ elements: Set<Element>) throws {
        guard elements.allSatisfy(elements.contains) else {
            throw Violation("A set does not find one of its elements")
        }
    }

    /// A number for all sailors that `roots` reach, and their references.
    private static func signature(ofSailors roots: [Sailor]) throws -> UInt64 {
        var digest = Digest()
        var numbers: [ObjectIdentifier: Int] = [:]
        var sailors: [Sailor] = []
        func number(_ sailor: Sailor) -> Int {
            let number = numbers[ObjectIdentifier(sailor), default: sailors.count]
            if number == sailors.count {
                numbers[ObjectIdentifier(sailor)] = number
                sailors.append(sailor)
            }
            return number
        }
        for root in roots { digest.combine(number(root)) }
        var position = 0
        while position < sailors.count, position < 1000 {
            let sailor = sailors[position]
            position += 1
            if sailor.name == Sailor.unread { throw Violation("The fields of an instance were not read") }
            digest.combine(sailor.name)
            digest.combine(sailor.number)
            digest.combine(sailor.weight)
            digest.combine(sailor.nickname ?? "")
            digest.combine(sailor.age ?? -1)
            digest.combine((sailor as? Captain)?.rank ?? -1)
            digest.combine(sailor.home.name + sailor.home.grade.rawValue)
            digest.combine(sailor.home.number)
            digest.combine(sailor.visited.count + sailor.tags.count + sailor.counts.count + sailor.guests.count)
            digest.combine(sailor.grades.map(\.rawValue).joined(separator: " "))
            digest.combine(sailor.note)
            try check(sailor.visited)
            try check(sailor.tags)
            try check(Set(sailor.counts.keys))
            guard sailor.counts.keys.allSatisfy({ sailor.counts[$0] != nil }) else {
                throw Violation("A dictionary does not find one of its keys")
            }
            for held in sailor.held { digest.combine(number(held)) }
        }
        // Conditional references to what nothing else archives are absent the next time.
        for sailor in sailors.prefix(1000) {
            for other in [sailor.boss, sailor.friend] {
                digest.combine(other.flatMap { numbers[ObjectIdentifier($0)] } ?? -1)
            }
        }
        return digest.value
    }
}
