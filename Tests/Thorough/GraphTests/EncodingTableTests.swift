import TestSupport
import Testing

@testable import Archiving

/// The tables that a graph has while it is written, at the sizes at which they change their form.
@Suite(.inTurn) struct `The tables of a graph that is written` {
    private final class Instance {}

    /// The number of instances that fit into the first hash table: it is full at three quarters.
    private static let fewInstances = (ObjectTable.initialCapacity - 1) * 3 / 4

    @Test(arguments: [1, fewInstances - 1, fewInstances, fewInstances + 1, 1000, 40_000])
    func `find every instance, and no other`(count: Int) {
        let instances = (0..<count).map { _ in Instance() }
        let others = (0..<100).map { _ in Instance() }
        let table = ObjectTable()
        for (number, instance) in instances.enumerated() {
            #expect(table.uid(of: instance) == nil)
            table.insert(instance, uid: UInt32(7 + 3 * number))
        }
        #expect((table.bucketCount > ObjectTable.initialCapacity) == (count > Self.fewInstances))
        for (number, instance) in instances.enumerated() {
            #expect(table.uid(of: instance) == UInt32(7 + 3 * number))
            #expect(table[number].object === instance && table[number].uid == UInt32(7 + 3 * number))
        }
        for other in others { #expect(table.uid(of: other) == nil) }
        table.removeAll()
        #expect(table.hasGrown == (count > Self.fewInstances))
        for instance in instances.prefix(100) { #expect(table.uid(of: instance) == nil) }
    }

    /// An instance is kept from when it is entered until the table lets go of it.
    @Test func `keep instances as long as they can be met`() {
        weak var kept: Instance?
        let table = ObjectTable()
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

    /// Steps of every kind, at the largest values that they have.
    @Test func `contain the path to each place`() {
        let paths = CodingPathTable()
        let steps: [CodingPathStep] = [
            .key(UInt32.max), .index(0), .index(Int(UInt32.max)), .dictionaryKey(1 << 31), .missingKey(5), .root,
        ]
        var index = CodingPathTable.root
        for _ in 0..<1000 {
            for step in steps { index = paths.append(step, to: index) }
        }
        let found = paths.steps(to: index)
        #expect(found.count == 6000)
        for (number, step) in found.enumerated() {
            #expect(step.kind == steps[number % 6].kind && step.value == steps[number % 6].value)
        }
        #expect(paths.steps(to: CodingPathTable.root).isEmpty)
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
