// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Archiving
import Foundation
import TestSupport
import Testing

/// What Foundation's port to Linux gets wrong of keyed archives, where no other suite has it. It crashes on many of
/// these things, so it is not asked: what is expected is Cocoa's contract.
///
/// The other defects that are known of it, and the suites that have what is right:
///
/// - cycles, which overflow its stack: `CodingCycleTests`
/// - conditional references, which it keeps only to what came before: `CodingConditionalTests`
/// - names and replacements, which have no effect: `CodingNameTests`, `SubstitutionTests`
/// - generic and nested classes, which abort it: `CodingNameTests`
/// - decimals and intervals, which crash it or change: `AnyObjectTests`
/// - missing keys, which abort it: `MissingValueTests`
/// - numbers, which it bends until they fit: `CoercionTests`
/// - classes that are not allowed, which abort it or come through: `SecureCodingTests`, `AnyObjectTests`
/// - dictionaries with more keys than values, where it reads past the end: `HostileCodingTests`
@Suite(.inTurn) struct `What Foundation on Linux gets wrong is right here` {
    // MARK: - Identity, for which it takes equality

    @Test func `equal objects stay apart, and are never compared`() throws {
        let (one, two) = (Equal("one"), Equal("two"))
        let unarchiver = try unarchiver { archiver in
            try archiver.encode([one, two, one], forKey: "objects")
            try archiver.encodeConditional(two, forKey: "conditional")
        }
        let objects = try unarchiver.decode([Equal].self, forKey: "objects")
        #expect(objects.map(\.name) == ["one", "two", "one"])
        #expect(objects[0] === objects[2] && objects[0] !== objects[1])
        #expect(try unarchiver.decode(Equal.self, forKey: "conditional") === objects[1])
        #expect([one, two].map(\.comparisons) == [0, 0])
    }

    @Test func `one, true and one point zero keep their types`() throws {
        let unarchiver = try unarchiver { try $0.encodeObject([1, true, 1.0, 1, true] as [Any], forKey: "mixed") }
        let mixed = try #require(
            try unarchiver.decodeArray(of: [Int.self, Bool.self, Double.self], forKey: "mixed"))
        #expect(mixed.map { "\(type(of: $0)) \($0)" } == ["Int 1", "Bool true", "Double 1.0", "Int 1", "Bool true"])
    }

    // MARK: - Time, which is quadratic

    /// Counted instead of timed: who is compared or hashed, how often anything is asked to encode itself, and how much
    /// comes out.
    @Test func `encoding an array takes one step for each element`() throws {
        let sizes = try [1000, 4000].map { count in
            let objects = (0..<count).map { Equal("\($0 % 10)") }
            let archiver = KeyedArchiver()
            try archiver.encode(objects, forKey: "objects")
            try archiver.encode(objects, forKey: "again")
            let size = try archiver.finishEncoding().count
            #expect(objects.allSatisfy { $0.comparisons == 0 && $0.hashes == 0 && $0.encodings == 1 })
            return size
        }
        #expect(sizes[1] < sizes[0] * 5)
    }
}

// MARK: - Classes

/// Equal to all others, with the same hash: a comparison by value considers them identical.
private final class Equal: Coding, Hashable {
    let name: String
    private(set) var comparisons = 0
    private(set) var hashes = 0
    private(set) var encodings = 0

    init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws { name = try coder.decode(String.self, forKey: "name") }

    func encode(with coder: KeyedArchiver) throws {
        encodings += 1
        coder.encode(name, forKey: "name")
    }

    static func == (left: Equal, right: Equal) -> Bool {
        left.comparisons += 1
        return true
    }

    func hash(into hasher: inout Hasher) { hashes += 1 }
}
