// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing
import ThoroughSupport

/// Coders may keep memory from one call for the next. Nothing of what a call did may show in another one.
@Suite(.inTurn) struct `A call` {
    @Test(arguments: Disturbance.all)
    func `has its own result after any disturbance`(disturbance: Disturbance) throws {
        for call in Call.all {
            call.check()
            try disturbance.disturb()
            call.check(after: disturbance.testDescription)
            call.check(after: call.testDescription, disturbance.testDescription)
        }
    }

    @Test(arguments: Extent.cases(of: Disturbance.all, every: 3))
    func `has its own result after any two disturbances`(disturbance: Disturbance) throws {
        for other in Disturbance.all {
            try other.disturb()
            try disturbance.disturb()
            for call in Call.principal { call.check(after: other.testDescription, disturbance.testDescription) }
        }
    }

    @Test(arguments: Disturbance.onOtherStacks)
    func `has its own result after calls on other stacks, and any disturbance before`(onOtherStack: Disturbance) throws
    {
        for other in Disturbance.all {
            try other.disturb()
            try onOtherStack.disturb()
            for call in Call.all { call.check(after: other.testDescription, onOtherStack.testDescription) }
        }
    }

    @Test(arguments: Call.all)
    func `has its own result after any other call`(call: Call) {
        for earlier in Call.all {
            earlier.check()
            call.check(after: earlier.testDescription)
            call.check(after: call.testDescription, earlier.testDescription)
        }
    }

    @Test func `has its own result while other threads make others`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<Call.all.count {
                        try Disturbance.all[(5 * task + round) % Disturbance.all.count].disturb()
                        // Each begins with another one, so that different ones are made at the same time.
                        for index in Call.all.indices {
                            let call = Call.all[(3 * task + round + index) % Call.all.count]
                            call.check(after: "others, on thread \(task)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: Memory

    /// Says when its data is released.
    private final class Release: @unchecked Sendable {
        private(set) var hasHappened = false

        func data(_ bytes: Data) -> Data {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
            memory.copyMemory(from: [UInt8](bytes), byteCount: bytes.count)
            return Data(
                bytesNoCopy: memory, count: bytes.count,
                deallocator: .custom { memory, _ in
                    memory.deallocate()
                    self.hasHappened = true
                })
        }
    }

    private final class Note: Sendable {}

    @Test func `keeps nothing alive that it was given`() throws {
        let archive = try ArchiveEncoder().encode(Call.Animal())
        let keyedArchive = try Call.Person.archive()
        func check(_ call: (Note, Release) throws -> Void) rethrows {
            weak var left: Note?
            let release = Release()
            do {
                let note = Note()
                left = note
                try call(note, release)
            }
            #expect(left == nil && release.hasHappened)
        }
        try check { note, release in
            var encoder = ArchiveEncoder()
            encoder.userInfo[.named("note")] = note
            _ = try encoder.encode([release.data(archive)])
        }
        try check { note, release in
            var decoder = ArchiveDecoder()
            decoder.userInfo[.named("note")] = note
            _ = try decoder.decode(Call.Animal.self, from: release.data(archive))
        }
        try check { note, release in
            _ = try KeyedArchiver.archivedData(
                withRootObject: Scribe {
                    $0.userInfo = [.named("note"): note]
                    $0.encode(release.data(archive), forKey: "data")
                })
        }
        try check { _, release in
            let ida = try KeyedUnarchiver.unarchivedObject(of: Call.Person.self, from: release.data(keyedArchive))
            ida.friends = []
        }
    }

    @Test func `of data that is changed meanwhile goes on with what was given`() throws {
        var data = try ArchiveEncoder().encode([Call.Animal(), Call.Animal()])
        var kept: (any UnkeyedDecodingContainer)?
        try decoding(data) { kept = try $0.unkeyedContainer() }
        for offset in data.indices { data[offset] = 0 }
        for _ in 0..<2 { #expect(try kept?.decode(Call.Animal.self).description == Call.Animal.text) }
    }

    @Test func `of a part of other data is right, wherever it lies`() throws {
        let data = try ArchiveEncoder().encode(Call.Animal())
        for offset in 0..<17 {
            let padded = Data(count: offset) + data + Data(count: 5)
            let part = padded.dropFirst(offset).prefix(data.count)
            #expect(try ArchiveDecoder().decode(Call.Animal.self, from: part).description == Call.Animal.text)
        }
    }

    // MARK: Stacks

    private typealias Tree = `A deep graph`.Tree
    private typealias Shape = `A deep graph`.Shape

    @Test func `measures the stack of its own thread, not that of an earlier one`() async {
        await #expect(processExitsWith: .success) {
            let objects = (0..<20_000).map { (index: UInt32) -> PropertyList in
                let children: PropertyList = index == 19_999 ? [] : [.uid(index + 2)]
                return ["children": ["NS.objects": children]]
            }
            let deep = try handmadeArchive(objects: objects)
            for _ in 0..<3 {
                for (stackSize, depth) in [(8 << 20, 300), (512 << 10, 40)] {
                    // Deep enough for the stack to be looked at.
                    try onThread(stackSize: stackSize) {
                        _ = try ArchiveDecoder().decode(Tree.self, from: Shape.tree.encode(depth: 32))
                        _ = try Shape.tree.encode(depth: depth)
                    }
                    let errors = try onThread(stackSize: stackSize) {
                        try [
                            failure { try Shape.tree.encode(depth: 50_000) },
                            failure(decoding: Tree.self, from: deep),
                        ]
                    }
                    #expect(errors.map(\.kind) == [.invalidValue, .dataCorrupted])
                    #expect(errors.allSatisfy { $0.says("nested") })
                }
            }
        }
    }

    /// A value that is nothing but another one: nesting without objects.
    private indirect enum Wrapped: Codable {
        case value(Int)
        case wrapped(Wrapped)

        init(depth: Int) {
            self = .value(1)
            for _ in 0..<depth { self = .wrapped(self) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .value(let value): try container.encode(value)
            case .wrapped(let inner): try container.encode(inner)
            }
        }

        init(from decoder: any Decoder) throws {
            let depth = decoder.userInfo[.named("remaining")] as? Countdown
            let container = try decoder.singleValueContainer()
            self =
                depth?.next() == true
                ? .wrapped(try container.decode(Wrapped.self)) : .value(try container.decode(Int.self))
        }
    }

    private final class Countdown: @unchecked Sendable {
        private var count: Int

        init(_ count: Int) { self.count = count }

        func next() -> Bool {
            count -= 1
            return count >= 0
        }
    }

    private struct Failing: Codable {
        init() {}
        init(from decoder: any Decoder) throws { throw Failure() }
        func encode(to encoder: any Encoder) throws { throw Failure() }
    }

    /// A call must not take over a chain of coders that only its first thread's stack was large enough to take down.
    @Test func `has no coders of a deep value to release on a thread with a small stack`() throws {
        let small = try ArchiveEncoder().encode(1)
        for _ in 0..<8 {
            try onThread(stackSize: 512 << 20) {
                _ = try? ArchiveEncoder().encode(Wrapped(depth: 20_000))
                var decoder = ArchiveDecoder()
                decoder.limits.nesting = 100_000
                decoder.userInfo[.named("remaining")] = Countdown(20_000)
                _ = try? decoder.decode(Wrapped.self, from: small)
            }
            // What failing coders have is released.
            try onThread(stackSize: 512 << 10) {
                #expect(throws: Failure.self) { try ArchiveEncoder().encode(Failing()) }
                #expect(throws: Failure.self) { try ArchiveDecoder().decode(Failing.self, from: small) }
            }
        }
    }
}
