// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// The key objects of one `CodingKey` type in one archive, and the containers of this key type.
///
/// Nearly every key type is an enum without payloads. Its value is one byte, which is the index in this table, so that the name
/// of a key is requested once. Keys of other types are looked up by name each time.
final class EncodingKeyTable {
    /// The key objects by the bytes of keys; 0 until a key is used.
    private let references = PlainTable<ArchiveGraph.Reference>()
    private let isIndexed: Bool
    /// The number of the key type in the table of paths.
    private let pathNumber: UInt32
    /// Whether the keys are those of a class with the macro `@Observable`.
    private let isObserved: Bool

    init<Key: CodingKey>(of type: Key.Type, number: UInt32) {
        isIndexed = Reinterpretation.isByte(type)
        isObserved = ObservedKeys.areObserved(type)
        pathNumber = number
        references.append(0, count: 16)
    }

    func reset() {
        if isIndexed { references.reset(repeating: 0, count: references.count) }
    }

    @inline(__always)
    func reference<Key: CodingKey>(_ key: Key, in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        guard isIndexed else { return graph.userKey(key.stringValue) }
        let byte = Reinterpretation.byte(of: key)
        if byte < references.count, references[byte] != 0 { return references[byte] }
        return enter(key, byte, graph) ?? graph.userKey(key.stringValue)
    }

    /// Returns the same as `reference(_:in:)`, and the step to the value of `key`; nil for a key whose value archives omit.
    @inline(__always)
    func place<Key: CodingKey>(
        ifArchived key: Key, in graph: ArchiveGraph
    ) -> (reference: ArchiveGraph.Reference, step: CodingPathStep)? {
        guard isIndexed else {
            let reference = graph.userKey(key.stringValue)
            return (reference, .key(reference))
        }
        let byte = Reinterpretation.byte(of: key)
        let known = byte < references.count ? references[byte] : 0
        guard let reference = known != 0 ? known : enter(key, byte, graph) else { return nil }
        return (reference, .givenKey(pathNumber, byte: byte))
    }

    @inline(never)
    private func enter<Key: CodingKey>(_ key: Key, _ byte: Int, _ graph: ArchiveGraph) -> ArchiveGraph.Reference? {
        if byte >= references.count { references.append(0, count: byte + 1 - references.count) }
        guard let name = isObserved ? ObservedKeys.name(of: key) : key.stringValue else { return nil }
        let reference = graph.userKey(name)
        references[byte] = reference
        return reference
    }

    /// Returns the step to the part for `key`, whose key object is `reference`.
    @inline(__always)
    func step<Key: CodingKey>(_ key: Key, _ reference: ArchiveGraph.Reference) -> CodingPathStep {
        guard isIndexed else { return .key(reference) }
        return .givenKey(pathNumber, byte: Reinterpretation.byte(of: key))
    }
}

// MARK: - Containers

/// A keyed container that serves one value after another.
final class KeptEncodingContainer {
    private let container: ReusedContainer
    /// Whether a value in progress has it.
    private(set) var isLent = true

    init(_ container: ReusedContainer) { self.container = container }

    /// Whether the container is in no use, and has keys of the type `type`.
    @inline(__always)
    func isFree(keyedBy type: any Any.Type) -> Bool { !isLent && container.isEncodingContainer(keyedBy: type) }

    /// Returns the container, which has keys of the type `type`, for a value.
    @inline(__always)
    func lend<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        isLent = true
        return container.encodingContainer(keyedBy: type)
    }

    /// Takes the container back from a value.
    ///
    /// - Returns: Whether the program has released it.
    @inline(never)
    func takeBack() -> Bool {
        isLent = !container.isReturned
        return !isLent
    }
}
