/// Writes values and object graphs by key into a keyed archive.
///
/// The archiver owns the graph.
final class KeyedArchiver {
    /// The graph. Its address is stable for as long as the archiver lives.
    let graph: UnsafeMutablePointer<ArchiveGraph>
    let classes: ClassRegistry

    init(classes: ClassRegistry) {
        self.classes = classes
        graph = .allocate(capacity: 1)
        graph.initialize(to: ArchiveGraph())
    }

    deinit {
        graph.deinitialize(count: 1)
        graph.deallocate()
    }
}

// MARK: - Instances

extension KeyedArchiver {
    /// Writes the contents of every instance that was met, and of those met on the way.
    func writePendingInstances() throws {
        while let instance = graph.pointee.pending.popFirst() {
            try instance.writer._withUnsafeGuaranteedRef { try $0.write(instance) }
        }
    }
}

// MARK: - The archive

extension KeyedArchiver {
    /// Enters `value` into `$top` under `key`.
    func addTop(key: ArchiveGraph.Reference, value: ArchiveGraph.Reference) {
        graph.pointee.top.append(key)
        graph.pointee.top.append(value)
    }

    /// Ends the archive.
    ///
    /// - Returns: The bytes of the binary archive, which the caller releases with `Platform.release(_:)`.
    func finish() throws(PropertyListError) -> UnsafeMutableRawBufferPointer {
        guard let bytes = graph.pointee.finish() else {
            throw PropertyListError(.tooLarge, at: BinaryFormat.byteLimit)
        }
        return bytes
    }
}
