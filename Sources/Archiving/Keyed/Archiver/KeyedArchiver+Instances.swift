// MARK: - Objects

extension KeyedArchiver {
    /// The writer of instances with the static type `type`.
    @inline(__always)
    func writer<Object: Coding>(_ type: Object.Type) -> Unmanaged<CodingWriter> {
        let key = PointerTable<CodingType>.key(type)
        if let known = state.pointee.types.find(key) { return known.pointee.writer }
        return makeWriter(type, key)
    }

    @inline(never)
    private func makeWriter<Object: Coding>(_ type: Object.Type, _ key: UnsafeRawPointer) -> Unmanaged<CodingWriter> {
        let writer = CodingWriting<Object>(self)
        shared.pointee.keep(writer)
        let graph = graph
        let record = CodingType(writer: .passUnretained(writer))
        _ = state.pointee.types.insert(key, record, in: &graph.pointee.arena)
        return .passUnretained(writer)
    }

    /// The reference to `object`.
    ///
    /// - Parameter path: The coding path of the reference.
    @inline(__always)
    func reference<Object: Coding>(
        to object: Object, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        if let known = graph.pointee.objects.uid(of: address) { return known }
        return try writer(Object.self)._withUnsafeGuaranteedRef { try $0.newReference(to: address, path: path) }
    }

    /// The reference to `object`, at `address`, which has no uid yet.
    @inline(__always)
    func newReference<Object: Coding>(
        to object: Object, at address: UnsafeRawPointer, _ writer: CodingWriter, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        let replacement: (any Coding)?
        if !hasDelegate, openState().pointee.replacements.isEmpty {
            let own = object.replacementObject(for: self)
            if own === object { return try enter(object, at: address, writer, path: path) }
            replacement = self.replacement(for: object, own)
        } else {
            replacement = self.replacement(for: object)
            if replacement === object { return try enter(object, at: address, writer, path: path) }
        }
        guard let replacement else { return ArchiveGraph.null }
        return try enter(replacement: replacement, path: path)
    }

    @inline(never)
    private func enter<Object: Coding>(
        replacement object: Object, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        return try writer(Object.self)._withUnsafeGuaranteedRef { try enter(object, at: address, $0, path: path) }
    }

    /// The uid of `object`, at `address`. The contents of a new instance are added to the pending ones.
    @inline(__always)
    private func enter<Object: Coding>(
        _ object: Object, at address: UnsafeRawPointer, _ writer: CodingWriter, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        // A call of its replacementObject(for:) may have encoded it.
        if let known = graph.pointee.objects.uid(of: address) { return known }
        try checkSecure(type(of: object), path: path)
        return graph.pointee.newInstance(address, writer: .passUnretained(writer), path: path())
    }

    /// The reference to `object` for a property that does not archive it.
    func conditionalReference<Object: Coding>(
        to object: Object, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        if let known = graph.pointee.objects.uid(of: address) { return known }
        guard let replacement = replacement(for: object) else { return ArchiveGraph.null }
        try checkSecure(type(of: replacement), path: path)
        // The instance is asked for a replacement once, and may be encoded again before it has a uid.
        if state.pointee.replacements[ObjectIdentifier(object)] == nil {
            state.pointee.replacements[ObjectIdentifier(object)] = .init(original: object, replacement: object)
        }
        return graph.pointee.conditionalInstance(
            UnsafeRawPointer(Unmanaged.passUnretained(replacement as AnyObject).toOpaque()))
    }

    /// Returns the object to archive instead of `object`: its own replacement, or the delegate's replacement of that.
    /// Both are called once.
    private func replacement<Object: Coding>(for object: Object) -> (any Coding)? {
        let state = openState()
        if !state.pointee.replacements.isEmpty, let known = state.pointee.replacements[ObjectIdentifier(object)] {
            return known.replacement
        }
        return replacement(for: object, object.replacementObject(for: self))
    }

    /// Returns the object to archive instead of `object`, which names `own` itself.
    @inline(never)
    private func replacement(for object: any Coding, _ own: (any Coding)?) -> (any Coding)? {
        let state = openState()
        var result = own
        if hasDelegate, let delegate {
            if own !== object { delegate.archiver(self, willReplace: object, with: own) }
            if let own {
                result = delegate.archiver(self, willEncode: own)
                if result !== own { delegate.archiver(self, willReplace: own, with: result) }
            }
        }
        if result !== object {
            state.pointee.replacements[ObjectIdentifier(object)] = .init(original: object, replacement: result)
            // The replacement of the original also replaces its replacement, which is not asked again.
            for replacement in [own, result] {
                guard let replacement, replacement !== object else { continue }
                state.pointee.replacements[ObjectIdentifier(replacement)] = .init(
                    original: replacement, replacement: result)
            }
        }
        return result
    }

    @inline(__always)
    private func checkSecure(_ type: any Coding.Type, path: () -> CodingPathTable.Index) throws {
        guard requiresSecureCoding, shared.pointee.purpose == .storage, !type.supportsSecureCoding else { return }
        let steps = graph.pointee.paths.steps(to: path())
        throw ArchivingError.notSecure(type, path: graph.pointee.keys(steps))
    }
}

// MARK: - Pending instances

extension KeyedArchiver {
    /// Writes the pending instances, unless a call already does. An error fails the archive.
    func drain() throws {
        let shared = shared
        shared.pointee.isDraining = true
        // The program may be on another thread than before.
        shared.pointee.stack = StackGuard()
        defer { shared.pointee.isDraining = false }
        do {
            try writing.writePendingInstances()
        } catch {
            shared.pointee.fail(explained(error))
        }
        if let failure = shared.pointee.failure { throw failure }
    }

    /// Whether the program's own call is writing the contents of instances.
    var isWriting: Bool { state.pointee.isInObject || shared.pointee.isDraining }

    /// Writes the contents of `instance` with `writer`.
    @inline(__always)
    func write(_ instance: PendingInstance, with writer: CodingWriter) throws {
        let state = state
        let object = Unmanaged<AnyObject>.fromOpaque(instance.object)
        state.pointee.beginObject(object._withUnsafeGuaranteedRef { type(of: $0) }, at: instance.path)
        defer { state.pointee.endObject() }
        do {
            try writer.encode(instance.object)
        } catch {
            shared.pointee.fail(explained(error))
            throw error
        }
        if let failure = shared.pointee.failure { throw failure }
        let classUID = writer.classUID(of: instance.object)
        graph.pointee.fill(
            instance.slot, entries: &state.pointee.entries.pointee.references, classUID: classUID)
        if hasDelegate { writer.didEncode(instance.object) }
    }

    /// Encodes the instance at `object` with `writer`, and adds its keys and values to `entries` instead of writing them.
    func collect(
        _ object: UnsafeRawPointer, with writer: CodingWriter, into entries: inout PlainArray<ArchiveGraph.Reference>
    ) throws {
        let state = state
        let instance = Unmanaged<AnyObject>.fromOpaque(object)
        state.pointee.beginObject(instance._withUnsafeGuaranteedRef { type(of: $0) }, at: CodingPathTable.root)
        defer { state.pointee.endObject() }
        try writer.encode(object)
        if let failure = shared.pointee.failure { throw failure }
        entries.append(contentsOf: state.pointee.entries.pointee.references)
    }

    /// Writes the contents of `object`, which is `instance` and represents an object of another class.
    @inline(never)
    func write(foreign object: any ForeignCoding, _ instance: PendingInstance) throws {
        let state = state
        state.pointee.beginObject(type(of: object), at: instance.path)
        defer { state.pointee.endObject() }
        do {
            graph.pointee.fill(instance.slot, with: try object.contents(in: self))
        } catch {
            shared.pointee.fail(explained(error))
            throw error
        }
        if hasDelegate { didEncode(object) }
    }

    @inline(never)
    func didEncode(_ object: any Coding) {
        delegate?.archiver(self, didEncode: object)
    }
}
