// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The facts about Swift's runtime that the library uses and that Swift does not guarantee, with a test for each.
///
/// The first question about an assumption tests it, once per process. If a test fails, on another platform or
/// with another version of Swift, callers take the ordinary path, which is slower and gives the same results. (Without
/// `collections`, a cycle through a plain collection is an error that names `@Reference`.) A test cannot crash: it compares
/// the sizes and bits of its own values.
///
/// `withdraw(_:)` turns one off. `scripts/check-portable` runs tests without any of them.
package enum RuntimeLayout {
    /// A fact that Swift does not guarantee.
    package enum Assumption: UInt32, CaseIterable, Codable, Sendable {
        /// A keyed container of the standard library is one reference to an object. The reference count then shows that
        /// a container that a coder keeps for the next value was released (`ReusedContainer`).
        ///
        /// Source: `KeyedEncodingContainer` and `KeyedDecodingContainer` in the standard library's `Codable.swift` have
        /// one stored property, a class. They are not frozen.
        case keyedContainers
        /// An array, a set and a dictionary are one reference to their storage, which is changed in place while the program
        /// has the only other reference (`LentStorage`).
        ///
        /// Source: the collections of the standard library have one stored property. They are frozen.
        case collections
        /// Equal bits of two strings mean equal text: a string is two words, which contain a short text or refer to a
        /// longer one (`KeyCache`).
        ///
        /// Source: `StringObject.swift` of the standard library. It is frozen.
        case strings

        fileprivate var testedBit: UInt32 { 1 << rawValue }
        @inline(__always)
        fileprivate var heldBit: UInt32 { 1 << (rawValue + 16) }
    }

    /// For each assumption a bit that says whether it was tested, and 16 bits above it one that says whether it holds.
    private static let known = Atomic<UInt32>(0)

    /// Returns whether the assumption holds in this process.
    @inline(__always)
    package static func holds(_ assumption: Assumption) -> Bool {
        known.load(ordering: .relaxed) & assumption.heldBit != 0 || holdsOnceTested(assumption)
    }

    /// Tests the assumption, unless that was done before.
    @inline(never)
    private static func holdsOnceTested(_ assumption: Assumption) -> Bool {
        let bits = known.load(ordering: .relaxed)
        if bits & assumption.testedBit != 0 { return bits & assumption.heldBit != 0 }
        // Another thread gets the same result.
        let holds = LayoutProbe.confirms(assumption)
        let tested = assumption.testedBit | (holds ? assumption.heldBit : 0)
        return known.bitwiseOr(tested, ordering: .relaxed).newValue & assumption.heldBit != 0
    }

    /// Turns an assumption off until the process ends, for tests of the ordinary path.
    package static func withdraw(_ assumption: Assumption) {
        _ = holdsOnceTested(assumption)
        known.bitwiseAnd(~assumption.heldBit, ordering: .relaxed)
    }

    /// Turns all assumptions off.
    package static func withdrawAll() {
        for assumption in Assumption.allCases { withdraw(assumption) }
    }
}

/// The tests of the assumptions in `RuntimeLayout`.
///
/// A test compares sizes and the bits of its own values. It uses none of them as an object.
enum LayoutProbe {
    /// Returns whether the assumption holds for the types and values of the test.
    static func confirms(_ assumption: RuntimeLayout.Assumption) -> Bool {
        switch assumption {
        case .keyedContainers: confirmsKeyedContainers
        case .collections: confirmsCollections
        case .strings: confirmsStrings
        }
    }

    // MARK: References

    private enum Key: CodingKey { case only }

    private static var confirmsKeyedContainers: Bool {
        // The types of keys are dynamic: the runtime would search the conformance of a known one.
        let keys: [any CodingKey.Type] = [Key.self]
        return keys.allSatisfy { containersAreReferences($0) }
    }

    private static func containersAreReferences<Key: CodingKey>(_ key: Key.Type) -> Bool {
        isReference(KeyedEncodingContainer<Key>.self) && isReference(KeyedDecodingContainer<Key>.self)
    }

    /// Whether values of `type` are one word that is retained and released: a reference.
    private static func isReference<Value>(_ type: Value.Type) -> Bool {
        MemoryLayout<Value>.size == MemoryLayout<Int>.size && !_isPOD(type)
    }

    private static var confirmsCollections: Bool {
        let types: [any Any.Type] = [
            [Int].self, [String].self, [Object].self, ContiguousArray<Int>.self, Set<String>.self,
            [String: Object].self,
        ]
        func isCollection<Value>(_ type: Value.Type) -> Bool { isReference(type) }
        guard types.allSatisfy({ _openExistential($0, do: isCollection) }) else { return false }
        // The elements of an array lie in its storage, behind a header of a few words.
        let array = [Object(), Object()]
        // Safe because the address is only compared.
        let elements = unsafe array.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        let distance = elements &- (words(of: array).first ?? 0)
        return 1...128 ~= distance && words(of: array) == words(of: array)
    }

    private static func words<Value>(of value: Value) -> [UInt] {
        // Safe because the words are those of a value, and are only copied.
        unsafe withUnsafeBytes(of: value) { unsafe [UInt]($0.bindMemory(to: UInt.self)) }
    }

    // MARK: Strings

    private static var confirmsStrings: Bool {
        guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size else { return false }
        let short = "key"
        let long = String(repeating: "a long key ", count: 3)
        let (shortCopy, longCopy, other) = (short, long, String(repeating: "a long kex ", count: 3))
        return bytes(of: short) == bytes(of: shortCopy) && bytes(of: long) == bytes(of: longCopy)
            && bytes(of: short) != bytes(of: "kex") && bytes(of: long) != bytes(of: other)
            && bytes(of: "") != [UInt8](repeating: 0, count: 16)
    }

    private static func bytes<Value>(of value: Value) -> [UInt8] {
        // Safe because the bytes are those of a value, and are only copied.
        unsafe withUnsafeBytes(of: value) { unsafe [UInt8]($0) }
    }
}

private final class Object {
    let number = 7
}
