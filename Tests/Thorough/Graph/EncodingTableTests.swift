// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Archiving

/// The tables that a graph has while it is written, at the sizes at which they change their form.
@Suite(.inTurn) struct `The tables of a graph that is written` {
    private final class Instance {}

    /// The number of instances that fit into the first hash table.
    private static let fewInstances = EncodedInstanceTable.limit(ofBuckets: EncodedInstanceTable.initialCapacity)

    @Test(arguments: [1, fewInstances - 1, fewInstances, fewInstances + 1, 1000, 40_000, 80_000])
    func `find every instance, and no other`(count: Int) {
        let instances = (0..<count).map { _ in Instance() }
        let others = (0..<100).map { _ in Instance() }
        let table = EncodedInstanceTable()
        for (number, instance) in instances.enumerated() {
            #expect(table.uid(of: instance) == nil)
            table.insert(instance, uid: UInt32(7 + 3 * number))
        }
        #expect((table.bucketCount > EncodedInstanceTable.initialCapacity) == (count > Self.fewInstances))
        // Half as many buckets are too few.
        #expect(
            table.bucketCount == EncodedInstanceTable.initialCapacity
                || EncodedInstanceTable.limit(ofBuckets: table.bucketCount / 2) < count)
        for (number, instance) in instances.enumerated() {
            #expect(table.uid(of: instance) == UInt32(7 + 3 * number))
            #expect(table[number].object === instance && table[number].uid == UInt32(7 + 3 * number))
        }
        for other in others { #expect(table.uid(of: other) == nil) }
        table.removeAll()
        // Tables of up to 512 buckets are kept.
        #expect(table.hasGrown == (count > EncodedInstanceTable.limit(ofBuckets: 512)))
        for instance in instances.prefix(100) { #expect(table.uid(of: instance) == nil) }
    }

    /// An instance that was not found gets the bucket where the search ended, unless another instance has it by then.
    @Test func `find instances that are inserted in another order than they are looked up`() {
        let instances = (0..<1000).map { _ in Instance() }
        let table = EncodedInstanceTable()
        for place in stride(from: 0, to: instances.count, by: 2) {
            #expect(table.uid(of: instances[place + 1]) == nil)
            #expect(table.uid(of: instances[place]) == nil)
            table.insert(instances[place + 1], uid: UInt32(place + 1))
            table.insert(instances[place], uid: UInt32(place))
        }
        for (place, instance) in instances.enumerated() { #expect(table.uid(of: instance) == UInt32(place)) }
    }

    /// An instance is kept from when it is entered until the table lets go of it.
    @Test func `keep instances as long as they can be met`() {
        weak var kept: Instance?
        let table = EncodedInstanceTable()
        do {
            let instance = Instance()
            kept = instance
            table.insert(instance, uid: 1)
        }
        #expect(kept != nil)
        table.endSearch()
        #expect(kept != nil)
        table.removeAll()
        #expect(kept == nil)
    }

    /// Steps of every kind, at the largest values that they have. The root is no step that users see.
    @Test func `contain the path to each place`() {
        let paths = CodingPathTable()
        let steps: [CodingPathStep] = [
            .key(UInt32.max), .index(0), .index(Int(UInt32.max)), .dictionaryKey(1 << 31),
            paths.step(to: ArchiveKey(stringValue: "other")), paths.step(to: ArchiveKey(integer: -7)), .root,
        ]
        var index = CodingPathTable.root
        for _ in 0..<1000 {
            for step in steps { index = paths.append(step, to: index) }
        }
        let found = paths.path(to: index) { ArchiveKey(stringValue: "\($0.kind) \($0.value)") }
        let texts = found.map { $0.intValue.map { String($0) } ?? $0.stringValue }
        let expected = ["key 4294967295", "0", "4294967295", "dictionaryKey 2147483648", "other", "-7"]
        #expect(texts == Array(repeating: expected, count: 1000).flatMap { $0 })
        #expect(paths.values(to: CodingPathTable.root).isEmpty)
    }

    /// Elements of arrays in arrays, with other steps between them.
    @Test func `contain the path to each element of arrays`() {
        let paths = CodingPathTable()
        var expected: [(index: CodingPathTable.Index, steps: [UInt32])] = []
        func add(_ step: CodingPathStep, _ parent: CodingPathTable.Index, _ steps: [UInt32]) -> CodingPathTable.Index {
            let index = paths.append(step, to: parent)
            expected.append((index, steps + [step.value]))
            return index
        }
        // The elements of the root come first, so that the table begins with a run.
        for number in 0..<3 { _ = add(.index(number), CodingPathTable.root, []) }
        for number: UInt32 in 100..<200 {
            let array = add(.key(number), CodingPathTable.root, [])
            for row in 0..<Int(number % 4) {
                let inner = add(.index(row), array, [number])
                for column in 0..<Int(number % 5) { _ = add(.index(column), inner, [number, UInt32(row)]) }
            }
            // An array whose first elements have no path, and one with gaps.
            for element in 7..<10 { _ = add(.index(element), array, [number]) }
            for element in [20, 22, 23, 25] { _ = add(.index(element), array, [number]) }
        }
        #expect(Set(expected.map(\.index)).count == expected.count)
        for (index, steps) in expected { #expect(paths.values(to: index) == steps) }
        paths.removeAll()
        let key = paths.append(.key(5), to: CodingPathTable.root)
        #expect(paths.values(to: key) == [5])
    }

    @Test func `contain the elements of an array as one entry and a run`() {
        let paths = CodingPathTable()
        let array = paths.append(.key(1), to: CodingPathTable.root)
        let stored = paths.storedCount
        let elements = (0..<10_000).map { paths.append(.index($0), to: array) }
        #expect(paths.storedCount == stored + 1)
        for (number, element) in elements.enumerated() {
            #expect(paths.values(to: element) == [1, UInt32(number)])
        }
        // No more memory than for separate entries in any case.
        let other = CodingPathTable()
        for number: UInt32 in 0..<1000 {
            let array = other.append(.key(number), to: CodingPathTable.root)
            for element in 0..<Int(number % 3) { _ = other.append(.index(element), to: array) }
        }
        #expect(other.storedCount <= 1 + 1000 + 999)
    }

    /// What waits is written in the order in which it was met, in turns of any length.
    @Test(arguments: [1, 7, PendingInstances.writtenLimit, PendingInstances.keptCapacity + 1])
    func `have instances that wait in their order`(length: Int) {
        let pending = PendingInstances()
        var met: UInt32 = 0
        var written: UInt32 = 0
        func pop() -> Bool {
            guard let writer = pending.firstWriter() else { return false }
            // Only the writer of an instance takes it.
            #expect(writer == written % 3 && pending.popFirst(of: writer + 1).map { _ in true } == nil)
            guard let (item, number) = pending.popFirst(of: writer) else { return false }
            #expect(item.slot == written && item.path == written + 1 && number == Int(written))
            written += 1
            return true
        }
        for turn in 0..<4 {
            for _ in 0..<length {
                pending.append(.init(writer: met % 3, slot: met, path: met + 1))
                met += 1
            }
            for _ in 0..<length / 2 { #expect(pop()) }
            if turn == 2 { while pop() {} }
        }
        while pop() {}
        #expect(written == met && met == UInt32(4 * length))
        #expect(pending.capacity <= PendingInstances.keptCapacity)
        pending.reset()
        written = 0
        pending.append(.init(writer: 0, slot: 0, path: 1))
        #expect(pop() && !pop())
    }
}

extension CodingPathTable {
    /// The values of the steps from the root to `index`, which are keys and positions.
    fileprivate func values(to index: Index) -> [UInt32] {
        path(to: index) { ArchiveKey(intValue: Int($0.value)) }.map { UInt32(truncatingIfNeeded: $0.intValue ?? -1) }
    }
}
