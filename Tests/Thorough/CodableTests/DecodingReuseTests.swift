import Archiving
import Foundation
import TestSupport
import Testing

@Suite(.inTurn) struct `Decoding after decoding` {
    typealias Owner = `An archive after another`.Owner
    typealias Kind = `An archive after another`.Kind

    struct Animal: Codable, Equatable {
        var kind: Kind
        var name: String
        var weight: Double
        var tags: [String]
        var table: [String: [Bool]]
        var legs: Int?
    }

    static let animal = Animal(
        kind: .hen, name: "Berta", weight: 1.5, tags: ["a", "$null"], table: ["k": [true]], legs: 2)

    /// The animal with its keys in another order and others among them.
    private static func shuffled(_ order: [String]) throws -> Data {
        try ArchiveEncoder().encode(
            Encoding { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                for key in order {
                    switch key {
                    case "kind": try container.encode(animal.kind, forKey: "kind")
                    case "name": try container.encode(animal.name, forKey: "name")
                    case "weight": try container.encode(animal.weight, forKey: "weight")
                    case "tags": try container.encode(animal.tags, forKey: "tags")
                    case "table": try container.encode(animal.table, forKey: "table")
                    case "legs": try container.encode(animal.legs, forKey: "legs")
                    default: try container.encode(key, forKey: AnyKey(key))
                    }
                }
            })
    }

    /// What a call may have done before.
    enum Disturbance: String, CaseIterable {
        case sameValue, otherOrder, fewerKeys, otherTypes, mismatch, missingKey, cycle, damaged, notAnArchive, limits
        case userInfo, keptDecoder, keptContainer, reentrant, configuration, manyKeys, large, xml, inline, smallStack

        func disturb() throws {
            var decoder = ArchiveDecoder()
            switch self {
            case .sameValue: _ = try roundTrip(animal)
            case .otherOrder:
                _ = try decoder.decode(
                    Animal.self,
                    from: shuffled(["extra", "table", "legs", "tags", "more", "weight", "name", "kind"]))
            case .fewerKeys:
                _ = try decoder.decode(
                    Animal.self, from: shuffled(["name", "kind", "table", "weight", "tags"]))
            case .otherTypes: _ = try roundTrip([Kind.cow: ["name": Owner()], .duck: [:]])
            case .mismatch:
                _ = try? decoder.decode([Animal].self, from: ArchiveEncoder().encode(animal))
                _ = try? decoder.decode([String: Kind].self, from: ArchiveEncoder().encode(animal))
            case .missingKey: _ = try? decoder.decode(Animal.self, from: shuffled(["kind", "name"]))
            case .cycle:
                let owner = Owner()
                owner.next = owner
                _ = try? roundTrip([owner])
                owner.next = nil
            case .damaged:
                let data = try ArchiveEncoder().encode([animal])
                for offset in stride(from: 8, to: data.count, by: 5) {
                    var damaged = data
                    damaged[offset] ^= 0xFF
                    _ = try? decoder.decode([Animal].self, from: damaged)
                }
            case .notAnArchive: _ = try? decoder.decode(Animal.self, from: Data(count: 100))
            case .limits:
                decoder.limits.work = 2
                decoder.limits.nesting = 2
                _ = try? decoder.decode([[Animal]].self, from: ArchiveEncoder().encode([[animal]]))
            case .userInfo:
                decoder.userInfo[.named("note")] = "note"
                _ = try decoder.decode(Animal.self, from: ArchiveEncoder().encode(animal))
            case .keptDecoder:
                let captured = try transcode([animal], as: [`What is kept beyond init(from:)`.Captured].self)
                #expect(try Animal(from: captured[0].decoder) == animal)
            case .keptContainer:
                var kept: (any UnkeyedDecodingContainer)?
                try decoding(archiveOf: [animal]) { kept = try $0.unkeyedContainer() }
                #expect(try kept?.decode(Animal.self) == animal)
            case .reentrant:
                let inner = try ArchiveEncoder().encode(animal)
                try decoding(archiveOf: [1]) { decoder in
                    var container = try decoder.unkeyedContainer()
                    #expect(try ArchiveDecoder().decode(Animal.self, from: inner) == animal)
                    #expect(try container.decode(Int.self) == 1)
                }
            case .configuration:
                _ = try decoding(archiveOf: animal) { try Animal(from: $0) }
            case .manyKeys:
                let many = Dictionary(uniqueKeysWithValues: (0..<300).map { ("name\($0)", $0) })
                #expect(try roundTrip(many) == many)
            case .large: #expect(try roundTrip((0..<3000).map { ["name": $0] }).count == 3000)
            case .xml: #expect(try roundTrip(animal, format: .xml) == animal)
            case .inline:
                let data = try handmadeArchive(top: ["root": ["kind": "duck", "name": "inline"]])
                #expect(try decoder.decode([String: String].self, from: data)["name"] == "inline")
            case .smallStack:
                try onThread(stackSize: 512 << 10) {
                    let data = try `A deep graph`.Shape.tree.encode(depth: 32)
                    _ = try ArchiveDecoder().decode(`A deep graph`.Tree.self, from: data)
                }
            }
        }
    }

    @Test(arguments: Disturbance.allCases)
    func `gives the value it would have given without`(disturbance: Disturbance) throws {
        let data = try ArchiveEncoder().encode(Self.animal)
        let order = ["legs", "extra", "weight", "kind", "tags", "name", "table"]
        let shuffled = try Self.shuffled(order)
        for other in [disturbance] + Disturbance.allCases {
            try other.disturb()
            try disturbance.disturb()
            #expect(try ArchiveDecoder().decode(Animal.self, from: data) == Self.animal, "after \(other)")
            #expect(try ArchiveDecoder().decode(Animal.self, from: shuffled) == Self.animal, "after \(other)")
        }
    }

    @Test func `is on another thread than the first, and measures that one's stack`() async {
        await #expect(processExitsWith: .success) {
            let flat = try onThread(stackSize: 8 << 20) { try `A deep graph`.Shape.tree.encode(depth: 32) }
            let objects = (0..<20_000).map { (index: UInt32) -> PropertyList in
                let children: PropertyList = index == 19_999 ? [] : [.uid(index + 2)]
                return ["children": ["NS.objects": children]]
            }
            let deep = try handmadeArchive(objects: objects)
            for _ in 0..<3 {
                for stackSize in [8 << 20, 512 << 10] {
                    let error = try onThread(stackSize: stackSize) {
                        _ = try ArchiveDecoder().decode(`A deep graph`.Tree.self, from: flat)
                        return try failure(decoding: `A deep graph`.Tree.self, from: deep)
                    }
                    #expect(error.kind == .dataCorrupted)
                    #expect(error.says("nested"))
                }
            }
        }
    }

    @Test func `does not keep the data or the userInfo of the first`() throws {
        final class Note: Sendable {}
        final class Flag: @unchecked Sendable { var isSet = false }
        let released = Flag()
        weak var left: Note?
        do {
            let note = Note()
            left = note
            var decoder = ArchiveDecoder()
            decoder.userInfo[.named("note")] = note
            let bytes = [UInt8](try ArchiveEncoder().encode(Self.animal))
            let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
            memory.copyMemory(from: bytes, byteCount: bytes.count)
            let data = Data(
                bytesNoCopy: memory, count: bytes.count,
                deallocator: .custom { memory, _ in
                    memory.deallocate()
                    released.isSet = true
                })
            #expect(try decoder.decode(Animal.self, from: data) == Self.animal)
        }
        #expect(left == nil)
        #expect(released.isSet)
    }

    @Test func `of data that is changed meanwhile goes on with what was given`() throws {
        var data = try ArchiveEncoder().encode([Self.animal, Self.animal])
        var kept: (any UnkeyedDecodingContainer)?
        try decoding(data) { kept = try $0.unkeyedContainer() }
        for offset in data.indices { data[offset] = 0 }
        #expect(try kept?.decode(Animal.self) == Self.animal)
        #expect(try kept?.decode(Animal.self) == Self.animal)
    }

    @Test func `of a part of other data is right, wherever it lies`() throws {
        let data = try ArchiveEncoder().encode(Self.animal)
        for offset in 0..<17 {
            let padded = Data(count: offset) + data + Data(count: 5)
            let part = padded.dropFirst(offset).prefix(data.count)
            #expect(try ArchiveDecoder().decode(Animal.self, from: part) == Self.animal)
        }
    }

    @Test func `many archives by many threads gives each its own`() async throws {
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for seed in 0..<8 {
                group.addTask {
                    var animal = Self.animal
                    animal.name = "animal \(seed)"
                    animal.kind = seed % 2 == 0 ? .cow : .duck
                    let data = try ArchiveEncoder().encode([animal])
                    var wrong = 0
                    for index in 0..<300 {
                        if index % 50 == 0 { try Disturbance.allCases[(seed + index) % 9].disturb() }
                        if try ArchiveDecoder().decode([Animal].self, from: data) != [animal] { wrong += 1 }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
