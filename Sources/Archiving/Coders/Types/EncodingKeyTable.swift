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
    /// The containers that encoders keep, by the depths of the encoders.
    private var containers: [KeptEncodingContainer?] = []
    /// The containers of further encoders of these depths, by the encoder.
    private var otherContainers: [ObjectIdentifier: KeptEncodingContainer] = [:]

    init<Key: CodingKey>(of type: Key.Type, number: UInt32) {
        isIndexed = Reinterpretation.isByte(type)
        isObserved = ObservedKeys.areObserved(type)
        pathNumber = number
        references.append(0, count: Self.initialCount)
    }

    private static var initialCount: Int { 16 }

    /// Removes the data of one archive.
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
    /// The encoder to which the container belongs.
    fileprivate let encoder: EncodingFrame
    /// Whether a value in progress has it.
    fileprivate(set) var isLent = false

    fileprivate init(_ container: ReusedContainer, of encoder: EncodingFrame) {
        self.container = container
        self.encoder = encoder
    }

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
        guard container.isReturned else { return false }
        isLent = false
        return true
    }
}

extension EncodingKeyTable {
    /// Returns a container of `encoder` that is in no use; nil if there is none.
    func freeContainer(of encoder: EncodingFrame) -> KeptEncodingContainer? {
        guard encoder.depth < containers.count, let first = containers[encoder.depth] else { return nil }
        let kept = first.encoder === encoder ? first : otherContainers[ObjectIdentifier(encoder)]
        guard let kept, !kept.isLent else { return nil }
        return kept
    }

    /// Keeps `container`, which a value has from `encoder`; nil if containers cannot be kept.
    func keep<Key: CodingKey>(
        _ container: KeyedEncodingContainer<Key>, of encoder: EncodingFrame
    ) -> KeptEncodingContainer? {
        guard let reused = ReusedContainer.keeping(container) else { return nil }
        let kept = KeptEncodingContainer(reused, of: encoder)
        kept.isLent = true
        let depth = encoder.depth
        if depth < containers.count, let first = containers[depth], first.encoder !== encoder {
            otherContainers[ObjectIdentifier(encoder)] = kept
            return kept
        }
        // The array is changed outside of the property, so that session an element needs no exclusivity check.
        var changed = containers
        containers = []
        while changed.count <= depth { changed.append(nil) }
        changed[depth] = kept
        containers = changed
        return kept
    }

    /// Releases the containers, which reference encoders that reference them.
    func releaseContainers() {
        for case let kept? in containers { kept.encoder.releaseContainer() }
        for kept in otherContainers.values { kept.encoder.releaseContainer() }
        containers = []
        otherContainers = [:]
    }
}
