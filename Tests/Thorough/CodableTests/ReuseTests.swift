import Foundation
import TestSupport
import Testing

@testable import Archiving

/// Coders keep memory from one call for the next. Nothing of what a call did may show in another one.
@Suite(.inTurn) struct `An archive after another` {
    final class Owner: Codable {
        var name = "owner"
        var next: Owner?
    }

    enum Kind: String, Codable {
        case cow, duck, hen
    }

    struct Animal: Codable {
        var kind = Kind.hen
        var name = "shared text"
        var weight = 1.5
        var owner = Owner()
        var tags = ["shared text", "duck", "$null"]
        var numbers = [1, 2, 1]
        var table = ["k": [true]]
    }

    /// What a call may have done before.
    enum Disturbance: String, CaseIterable, Codable {
        case sameValue, otherTypes, failure, failingRoot, failureWithInstances, failingInstance, caughtFailure, userInfo
        case classes
        case nested, lateContainer, reentrant, configuration, manyKeys, manyTypes, large, xml, otherThread, smallStack

        func disturb() throws {
            var encoder = ArchiveEncoder()
            switch self {
            case .sameValue: _ = try encoder.encode(Animal())
            case .otherTypes:
                _ = try encoder.encode([Kind.cow: ["duck": Owner()]])
                _ = try encoder.encode(["shared text": [1.5: Kind.duck]])
            case .failure:
                _ = try? encoder.encode([
                    Encoding { encoder in
                        var container = encoder.container(keyedBy: AnyKey.self)
                        try container.encode(Animal(), forKey: "name")
                        throw Failure()
                    }
                ])
            case .failingRoot:
                for form in 0..<`A value whose encode(to:) throws`.Failing.forms {
                    _ = try? encoder.encode(`A value whose encode(to:) throws`.Failing(form: form))
                }
                _ = try? encoder.encode(FailingInstance())
            case .failureWithInstances, .failingInstance:
                _ = try? encoder.encode(
                    Encoding { encoder in
                        var container = encoder.unkeyedContainer()
                        for _ in 0..<3 { try container.encode(Owner()) }
                        try container.encode(FailingInstance())
                        for _ in 0..<3 { try container.encode(Owner()) }
                        if self == .failureWithInstances { throw Failure() }
                    })
            case .caughtFailure:
                _ = try encoder.encode(
                    Encoding { encoder in
                        var container = encoder.container(keyedBy: AnyKey.self)
                        try? container.encode(Encoding { _ in throw Failure() }, forKey: "a")
                        try container.encode(Owner(), forKey: "b")
                    })
            case .userInfo:
                encoder.userInfo[.named("note")] = "note"
                _ = try encoder.encode(Animal())
            case .classes:
                encoder.classes.register(Animal.self, name: "LOAnimal")
                encoder.classes.register(Owner.self, name: "LOOwner")
                _ = try encoder.encode(Animal())
            case .nested:
                _ = try encoder.encode(
                    Encoding { encoder in
                        var container = encoder.container(keyedBy: AnyKey.self)
                        var list = container.nestedUnkeyedContainer(forKey: "name")
                        try list.encode(Owner())
                        _ = container.superEncoder()
                    })
            case .lateContainer:
                var kept: [any UnkeyedEncodingContainer] = []
                _ = try encoder.encode([Encoding { kept.append($0.unkeyedContainer()) }])
                #expect(kept.count == 1)
            case .reentrant:
                _ = try encoder.encode(
                    Encoding { encoder in
                        var container = encoder.singleValueContainer()
                        try container.encode([UInt8](ArchiveEncoder().encode(Animal())))
                    })
            case .configuration: _ = try encoder.encode(Configured(), configuration: "duck")
            case .manyKeys:
                _ = try encoder.encode(
                    Encoding { encoder in
                        var container = encoder.container(keyedBy: AnyKey.self)
                        for index in 0..<200 { try container.encode("duck", forKey: AnyKey("\(index)")) }
                        for index in 0..<200 { try container.encode(1.5, forKey: AnyKey("\(index)")) }
                    })
            case .manyTypes: _ = try Level<Disturbance>.roundTrips(40)
            case .large: _ = try encoder.encode((0..<5000).map { ["\($0)": Double($0)] })
            case .xml:
                encoder.outputFormat = .xml
                _ = try encoder.encode(Animal())
            case .otherThread: try onThread(stackSize: 1 << 20) { _ = try ArchiveEncoder().encode(Animal()) }
            case .smallStack: try onThread(stackSize: 512 << 10) { _ = try `A deep graph`.Shape.tree.encode(depth: 40) }
            }
        }
    }

    final class FailingInstance: Encodable {
        func encode(to encoder: any Encoder) throws { throw Failure() }
    }

    struct ManyFields: Decodable {
        var count = 0

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            // Not in the order of the archive: all keys are numbered.
            for index in (0..<1_000).reversed() {
                #expect(try container.decode(Int.self, forKey: AnyKey("\(index)")) == index)
                count += 1
            }
        }
    }

    struct Configured: EncodableWithConfiguration {
        func encode(to encoder: any Encoder, configuration: String) throws {
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(configuration, forKey: "name")
        }
    }

    @Test(arguments: Disturbance.allCases)
    func `has the bytes it would have without`(disturbance: Disturbance) throws {
        let animal = Animal()
        let expected = try ArchiveEncoder().encode(animal)
        #expect(try ArchiveDecoder().decode(Animal.self, from: expected).owner.name == "owner")
        for _ in 0..<3 {
            try disturbance.disturb()
            #expect(try ArchiveEncoder().encode(animal) == expected)
        }
        for other in Disturbance.allCases {
            try other.disturb()
            try disturbance.disturb()
            #expect(try ArchiveEncoder().encode(animal) == expected, "after \(other)")
        }
    }

    @Test func `is by the coders of the one before if that was small, and by new ones if it was not`() async {
        // In a process of its own, in which no other test takes what is left.
        await #expect(processExitsWith: .success) {
            let small = try ArchiveEncoder().encode(Animal())
            #expect(RootEncoding.idle.isFilled == true)
            _ = try ArchiveDecoder().decode(Animal.self, from: small)
            #expect(DecodingSession.idle.isFilled == true)
            let large = try ArchiveEncoder().encode(
                Encoding { encoder in
                    var container = encoder.container(keyedBy: AnyKey.self)
                    for index in 0..<1_000 { try container.encode(index, forKey: AnyKey("\(index)")) }
                })
            #expect(RootEncoding.idle.isFilled == false)
            #expect(try ArchiveDecoder().decode(ManyFields.self, from: large).count == 1_000)
            #expect(DecodingSession.idle.isFilled == false)
            #expect(try ArchiveEncoder().encode(Animal()) == small)
            #expect(RootEncoding.idle.isFilled == true)
        }
    }

    @Test func `is on another thread than the first, and measures that one's stack`() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<3 {
                // Deep enough for the stack to be looked at, and small.
                try onThread(stackSize: 8 << 20) { _ = try `A deep graph`.Shape.tree.encode(depth: 40) }
                let error = try onThread(stackSize: 512 << 10) {
                    try failure { try `A deep graph`.Shape.tree.encode(depth: 50_000) }
                }
                #expect(error.kind == .invalidValue)
                try onThread(stackSize: 512 << 10) { _ = try `A deep graph`.Shape.tree.encode(depth: 40) }
                try onThread(stackSize: 8 << 20) { _ = try `A deep graph`.Shape.tree.encode(depth: 300) }
            }
        }
    }

    @Test func `does not keep the userInfo of the first alive`() throws {
        final class Note: Sendable {}
        weak var left: Note?
        do {
            let note = Note()
            left = note
            var encoder = ArchiveEncoder()
            encoder.userInfo[.named("note")] = note
            _ = try encoder.encode(Animal())
        }
        #expect(left == nil)
    }

    @Test func `does not take what is written into a container of the first`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var kept: (any UnkeyedEncodingContainer)?
            _ = try ArchiveEncoder().encode([Encoding { kept = $0.unkeyedContainer() }])
            _ = try ArchiveEncoder().encode([Encoding { _ in try kept?.encode("from the past") }])
        }
        #expect(result.said("after the archive it belongs to was finished"))
    }

    @Test func `is made by many threads at once, each with its own`() async throws {
        let expected = try ArchiveEncoder().encode(Animal())
        let wrong = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var wrong = 0
                    for index in 0..<300 {
                        if index % 50 == 0 { try? Disturbance.failureWithInstances.disturb() }
                        if (try? ArchiveEncoder().encode(Animal())) != expected { wrong += 1 }
                    }
                    return wrong
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
