// MARK: - Objects

extension KeyedArchiver {
    /// The writer of instances with the static type `type`.
    @inline(__always)
    func writer<Object: Coding>(_ type: Object.Type) -> CodingWriter {
        tables.writers.record(of: type) ?? makeWriter(type)
    }

    @inline(never)
    private func makeWriter<Object: Coding>(_ type: Object.Type) -> CodingWriter {
        let writer = CodingWriting<Object>(self)
        tables.writers.enter(writer, for: type)
        return writer
    }

    /// The reference to `object`.
    ///
    /// - Parameter path: The coding path of the reference.
    @inline(__always)
    func reference<Object: Coding>(
        to object: Object, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        if let known = graph.objects.uid(of: object) { return known }
        return try writer(Object.self).newReference(to: object, in: self, path: path)
    }

    /// The reference to `object`, an instance of the class of `writer`.
    @inline(__always)
    func reference(
        to object: AnyObject, _ writer: CodingWriter, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        if let known = graph.objects.uid(of: object) { return known }
        return try writer.newReference(to: object, in: self, path: path)
    }

    /// The reference to `object`, which has no uid yet.
    @inline(__always)
    func newReference<Object: Coding>(
        to object: Object, _ writer: CodingWriter, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        let replacement: (any Coding)?
        checkOpen()
        if !hasDelegate, replacements.isEmpty {
            let own = object.replacementObject(for: self)
            if own === object { return try enter(object, writer, path: path) }
            replacement = self.replacement(for: object, own)
        } else {
            replacement = self.replacement(for: object)
            if replacement === object { return try enter(object, writer, path: path) }
        }
        guard let replacement else { return ArchiveGraph.null }
        return try enter(replacement: replacement, path: path)
    }

    @inline(never)
    private func enter<Object: Coding>(
        replacement object: Object, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        try enter(object, writer(Object.self), path: path)
    }

    /// The uid of `object`. The contents of a new instance are added to the pending ones.
    @inline(__always)
    private func enter<Object: Coding>(
        _ object: Object, _ writer: CodingWriter, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        // A call of its replacementObject(for:) may have encoded it.
        if let known = graph.objects.uid(of: object) { return known }
        try checkSecure(type(of: object), path: path)
        return graph.newInstance(object, writer: writer.number, path: path())
    }

    /// The reference to `object` for a property that does not archive it.
    func conditionalReference<Object: Coding>(
        to object: Object, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        if let known = graph.objects.uid(of: object) { return known }
        guard let replacement = replacement(for: object) else { return ArchiveGraph.null }
        try checkSecure(type(of: replacement), path: path)
        // The instance is asked for a replacement once, and may be encoded again before it has a uid.
        if replacements[ObjectIdentifier(object)] == nil {
            replace(object, with: object)
        }
        return graph.conditionalInstance(replacement)
    }

    /// Returns the object to archive instead of `object`: its own replacement, or the delegate's replacement of that.
    /// Both are called once.
    private func replacement<Object: Coding>(for object: Object) -> (any Coding)? {
        checkOpen()
        if !replacements.isEmpty, let known = replacements[ObjectIdentifier(object)] {
            return known.replacement
        }
        return replacement(for: object, object.replacementObject(for: self))
    }

    /// Returns the object to archive instead of `object`, which names `own` itself.
    @inline(never)
    private func replacement(for object: any Coding, _ own: (any Coding)?) -> (any Coding)? {
        checkOpen()
        var result = own
        if hasDelegate, let delegate {
            if own !== object { delegate.archiver(self, willReplace: object, with: own) }
            if let own {
                result = delegate.archiver(self, willEncode: own)
                if result !== own { delegate.archiver(self, willReplace: own, with: result) }
            }
        }
        if result !== object {
            replace(object, with: result)
            // The replacement of the original also replaces its replacement, which is not asked again.
            for replacement in [own, result] {
                guard let replacement, replacement !== object else { continue }
                replace(replacement, with: result)
            }
        }
        return result
    }

    @inline(__always)
    private func checkSecure(_ type: any Coding.Type, path: () -> CodingPathTable.Index) throws {
        guard requiresSecureCoding, writing.purpose == .storage, !type.supportsSecureCoding else { return }
        let steps = graph.paths.steps(to: path())
        throw ArchivingError.notSecure(type, path: graph.keys(steps))
    }
}

// MARK: - Pending instances

extension KeyedArchiver {
    /// Writes the pending instances, unless a call already does. An error fails the archive.
    func drain() throws {
        writing.isDraining = true
        // The program may be on another thread than before.
        writing.resetStack()
        defer { writing.isDraining = false }
        do {
            try writing.writePendingInstances()
        } catch {
            writing.fail(explained(error))
        }
        if let failure = writing.failure { throw failure }
    }

    /// Whether the program's own call is writing the contents of instances.
    var isWriting: Bool { isInObject || writing.isDraining }

    /// Writes the contents of `instance`, which `encode` encodes.
    @inline(__always)
    func write(
        _ instance: PendingInstance, encode: () throws -> Void, classUID: () -> ArchiveGraph.Reference
    ) throws {
        try encodeObject(type(of: instance.object), at: instance.path) {
            try failing(encode)
            if let failure = writing.failure { throw failure }
        } finish: {
            graph.fill(instance.slot, entries: $0, classUID: classUID())
        }
    }

    /// Calls `body`, and fails the archive with its error.
    @inline(__always)
    private func failing(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            writing.fail(explained(error))
            throw error
        }
    }

    /// Encodes `object` with `encode`, and adds its keys and values to `entries` instead of writing them.
    func collect(
        _ object: AnyObject, into entries: PlainTable<ArchiveGraph.Reference>, _ encode: () throws -> Void
    ) throws {
        try encodeObject(type(of: object), at: CodingPathTable.root) {
            try encode()
            if let failure = writing.failure { throw failure }
        } finish: {
            entries.append(contentsOf: $0)
        }
    }

    /// Writes the contents of `object`, which is `instance` and represents an object of another class.
    @inline(never)
    func write(foreign object: any ForeignCoding, _ instance: PendingInstance) throws {
        try encodeObject(type(of: object), at: instance.path) {
            try failing { graph.fill(instance.slot, with: try object.contents(in: self)) }
        } finish: { _ in
        }
        if hasDelegate { didEncode(object) }
    }

    @inline(never)
    func didEncode(_ object: any Coding) {
        delegate?.archiver(self, didEncode: object)
    }
}
