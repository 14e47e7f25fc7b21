// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The tests of the assumptions in `RuntimeLayout`.
///
/// A test asks the runtime for the description of its types before it reads memory by that description. It compares words,
/// and uses one as an object only if it is equal to the address of an object that the test holds.
enum LayoutProbe {
    /// Returns whether the assumption holds for the types and values of the test.
    static func confirms(_ assumption: RuntimeLayout.Assumption) -> Bool {
        switch assumption {
        case .keyedContainers: confirmsKeyedContainers
        case .collections: confirmsCollections
        case .strings: confirmsStrings
        case .storedProperties: confirmsStoredProperties
        case .mangledNames: confirmsMangledNames
        }
    }

    /// Whether pointers in metadata are signed, so that a word there is not an address.
    private static var signsPointers: Bool {
        #if _ptrauth(_arm64e)
            true
        #else
            false
        #endif
    }

    // MARK: References

    private enum Key: CodingKey { case only }

    private static var confirmsKeyedContainers: Bool {
        // The types of keys are dynamic: the runtime would search the conformance of a known one.
        let keys: [any CodingKey.Type] = [Key.self]
        return keys.allSatisfy { containersAreReferences($0) }
    }

    private static func containersAreReferences<Key: CodingKey>(_ key: Key.Type) -> Bool {
        Reflection.isReference(KeyedEncodingContainer<Key>.self)
            && Reflection.isReference(KeyedDecodingContainer<Key>.self)
    }

    private static var confirmsCollections: Bool {
        let types: [any Any.Type] = [
            [Int].self, [String].self, [Object].self, ContiguousArray<Int>.self, Set<String>.self,
            [String: Object].self,
        ]
        return types.allSatisfy(Reflection.isReference)
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

    // MARK: Properties

    /// Whether the runtime describes a class correctly: names, ownership, types and offsets of its properties.
    private static var confirmsStoredProperties: Bool {
        guard !signsPointers else { return false }
        let fields = Reflection.fields(of: Owner.self)
        // The header of an object is two words.
        let limit = 2 * MemoryLayout<Int>.size..<7 * MemoryLayout<Int>.size
        guard fields.map(\.name) == ["byte", "strong", "weakly", "unowned", "list"],
            fields.map(\.isStrong) == [true, true, false, false, true],
            fields[0].type == UInt8.self, fields[1].type == Object?.self, fields[2].type == Object?.self,
            fields[3].type == Object?.self, fields[4].type == [Object].self,
            zip(fields, fields.dropFirst()).allSatisfy({ $0.offset < $1.offset }),
            fields.allSatisfy({ limit.contains($0.offset) }), OwnershipRecord.hasDescriptor(Owner.self)
        else { return false }
        let properties = StoredProperty.described(Owner.self)
        guard properties.map(\.ownership) == [.strong, .strong, .weak, .unowned, .strong] else { return false }
        let owner = Owner()
        let (strong, weakly, unowned) = (Object(), Object(), Object())
        (owner.strong, owner.weakly, owner.unowned) = (strong, weakly, unowned)
        return withExtendedLifetime((strong, weakly, unowned)) {
            properties[1].holds(strong, in: owner) && properties[2].object(in: owner) === weakly
                && properties[3].object(in: owner) === unowned
        }
    }

    // MARK: Names

    /// Whether the runtime returns the metatype of a known protocol, and distinguishes it from a struct.
    private static var confirmsMangledNames: Bool {
        guard !signsPointers else { return false }
        return ExistentialMetatype.recognises((any CodingKey).self, as: (any CodingKey.Type).self, not: Int.self)
    }
}

private final class Object {
    let number = 7
}

/// A class with properties in each of the forms that are set later.
private final class Owner {
    private let byte: UInt8 = 1
    fileprivate var strong: Object?
    fileprivate weak var weakly: Object?
    fileprivate unowned var unowned: Object?
    private var list: [Object] = []
}
