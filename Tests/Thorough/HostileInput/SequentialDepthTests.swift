// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import SequentialArchiving
import TestSupport
import Testing

/// Objects in each other that no stack has room for.
@Suite(.inTurn) struct `A long chain in a typedstream` {
    private static let count = 100_000
    private static let small = 512 << 10
    private static let large = 256 << 20

    static let chains: [(String, Data, Reader)] = {
        let lists = RawStream.data { raw in raw.chain("NSArray", count) { RawStream.list($0.map { [$0] } ?? []) } }
        let sets = RawStream.data { raw in
            raw.chain("NSSet", 50_000) { next in
                [RawStream.integer(next == nil ? 0 : 1, .unsignedInt)] + (next.map { [RawStream.reference($0)] } ?? [])
            }
        }
        let rings = RawStream.data { $0.chain("Ring", count) }
        return [
            ("arrays", lists, .sequentialAny), ("arrays", lists, .sequential(Nest.self)),
            ("sets", sets, .sequentialAny),
            ("instances", rings, .sequential(Ring.self)), ("instances", rings, .sequentialAny),
        ]
    }()

    @Test(arguments: chains.indices)
    func `is the error of a limit on a small stack`(index: Int) throws {
        let (name, data, reader) = Self.chains[index]
        let text = try onThread(stackSize: Self.small) {
            limitFailure(name) { try reader.read(data) }.map { "\($0)" } ?? ""
        }
        #expect(text.contains("nested") && text.utf8.count < 8000)
    }

    @Test func `is a value where references are handed over later`() throws {
        let data = RawStream.data { $0.chain("Hook", Self.count) }
        let count = try onThread(stackSize: Self.small) {
            try SequentialUnarchiver.unarchivedObject(of: Hook.self, from: data, classes: .sequential).takeApart()
        }
        #expect(count == Self.count)
    }

    @Test func `of unknown objects is a value, and is written again`() throws {
        let data = RawStream.data { $0.chain("Stranger", Self.count) }
        let written = try onThread(stackSize: Self.small) {
            let unknown = try SequentialUnarchiver.unarchivedObject(of: UnknownSequentialObject.self, from: data)
            return try SequentialArchiver.archivedData(withRootObject: unknown)
        }
        #expect(written == data)
    }

    @Test func `that was read on a large stack is the error of a limit where it is written on a small one`() throws {
        let data = RawStream.data { raw in raw.chain("NSArray", 8000) { RawStream.list($0.map { [$0] } ?? []) } }
        let kept = Kept()
        try onThread(stackSize: Self.large) {
            kept.value = try SequentialUnarchiver(forReadingFrom: data).decodeObject()
            // There is room enough here.
            let archiver = SequentialArchiver()
            try archiver.encodeObject(kept.value)
            #expect(try archiver.finishEncoding() == data)
        }
        let text = try onThread(stackSize: Self.small) {
            limitFailure { try SequentialArchiver().encodeObject(kept.value) }.map { "\($0)" } ?? ""
        }
        #expect(text.contains("nested"))
        try onThread(stackSize: Self.large) { kept.value = nil }
    }

    @Test func `is found to be too deep on the thread that reads, not on the one that came first`() throws {
        let raw = RawStream()
        raw.add(RawStream.reference(raw.array([])))
        raw.add(RawStream.reference(raw.chain("NSArray", 9000) { RawStream.list($0.map { [$0] } ?? []) }))
        let data = raw.file
        let kept = Kept()
        try onThread(stackSize: Self.large) {
            let unarchiver = try SequentialUnarchiver(forReadingFrom: data)
            // 100 levels, so that the stack is measured.
            _ = try unarchiver.decodeObject()
            kept.value = unarchiver
        }
        let text = try onThread(stackSize: Self.small) {
            limitFailure { try (kept.value as? SequentialUnarchiver)?.decodeObject() }.map { "\($0)" } ?? ""
        }
        #expect(text.contains("stack"))
    }

    /// Handed from one thread to the next.
    private final class Kept: @unchecked Sendable {
        var value: Any?
    }
}
