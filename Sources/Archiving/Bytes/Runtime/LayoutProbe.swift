// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

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
