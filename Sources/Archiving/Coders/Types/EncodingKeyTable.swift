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
    /// The containers that frames keep, by their depths.
    private var containers: [KeptEncodingContainer?] = []
    /// The containers of further frames of these depths.
    private var otherContainers: [ObjectIdentifier: KeptEncodingContainer] = [:]

    init<Key: CodingKey>(of type: Key.Type, number: UInt32) {
        isIndexed = Reinterpretation.isByte(type)
        isObserved = ObservedKeys.areObserved(type)
        pathNumber = number
        references.append(0, count: 16)
    }

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
    func step<Key: CodingKey>(_ key: Key, _ reference: ArchiveGraph.Reference) -> CodingPathStep {
        guard isIndexed else { return .key(reference) }
        return .givenKey(pathNumber, byte: Reinterpretation.byte(of: key))
    }
}

// MARK: - Containers

/// A keyed container that serves one value after another.
final class KeptEncodingContainer {
    private let container: ReusedContainer
    /// The frame to which the container belongs.
    fileprivate let frame: EncodingFrame
    /// Whether a value in progress has it.
    fileprivate(set) var isLent = true
    /// The container that this value got before this one.
    private var earlier: KeptEncodingContainer?

    fileprivate init(_ container: ReusedContainer, of frame: EncodingFrame) {
        (self.container, self.frame) = (container, frame)
    }

    /// Whether the container is in no use, and has keys of the type `type`.
    func isFree(keyedBy type: any Any.Type) -> Bool { !isLent && container.isEncodingContainer(keyedBy: type) }

    /// Returns the container, which has keys of the type `type`, for a value.
    func lend<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        isLent = true
        return container.encodingContainer(keyedBy: type)
    }

    /// Remembers `other`, the container that the frame used before, if the value has it.
    func follow(_ other: KeptEncodingContainer?) {
        if let other, other.isLent { earlier = other }
    }

    /// Takes the container back from a value, and those that it got before.
    ///
    /// - Returns: Whether the program has released all.
    @inline(never)
    func takeBack() -> Bool {
        isLent = !container.isReturned
        guard earlier != nil else { return !isLent }
        var areReturned = !isLent
        var next = earlier
        earlier = nil
        while let container = next {
            container.isLent = !container.container.isReturned
            areReturned = areReturned && !container.isLent
            next = container.earlier
            container.earlier = nil
        }
        return areReturned
    }
}

extension EncodingKeyTable {
    /// Returns a container of `frame` that is in no use; nil if there is none.
    func freeContainer(of frame: EncodingFrame) -> KeptEncodingContainer? {
        guard frame.depth < containers.count, let first = containers[frame.depth] else { return nil }
        let kept = first.frame === frame ? first : otherContainers[ObjectIdentifier(frame)]
        guard let kept, !kept.isLent else { return nil }
        return kept
    }

    /// Keeps `container`, which a value has from `frame`; nil if containers cannot be kept.
    func keep<Key: CodingKey>(
        _ container: KeyedEncodingContainer<Key>, of frame: EncodingFrame
    ) -> KeptEncodingContainer? {
        guard let reused = ReusedContainer.keeping(container) else { return nil }
        let kept = KeptEncodingContainer(reused, of: frame)
        let depth = frame.depth
        if depth < containers.count, let first = containers[depth], first.frame !== frame {
            otherContainers[ObjectIdentifier(frame)] = kept
            return kept
        }
        while containers.count <= depth { containers.append(nil) }
        containers[depth] = kept
        return kept
    }

    /// Releases the containers, which reference frames that reference them.
    func releaseContainers() {
        for case let kept? in containers { kept.frame.releaseContainer() }
        for kept in otherContainers.values { kept.frame.releaseContainer() }
        containers = []
        otherContainers = [:]
    }
}
