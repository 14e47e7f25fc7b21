// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Objects

extension KeyedArchiver {
    /// The reference to `object`.
    ///
    /// - Parameter path: The coding path of the reference.
    @inline(__always)
    func reference<Object: Coding>(
        to object: Object, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        try session.reference(to: object, session.type(coding: Object.self), path: path)
    }

    /// The reference to `object` for a property that does not archive it.
    func conditionalReference<Object: Coding>(
        to object: Object, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        try session.conditionalReference(to: object, session.type(coding: Object.self), path: path)
    }
}

// MARK: - Replacements

extension KeyedArchiver {
    /// Returns the instance that is archived for `object`, whose contents the writer with the number `writer` writes.
    @inline(__always)
    func archivedInstance<Object: Coding>(
        for object: Object, _ writer: UInt32, path: () -> CodingPathTable.Index
    ) throws -> ArchivedInstance {
        switch answer(of: object) {
        case .itself: return .itself(writer: writer)
        case .other(let own): return try archivedInstance(for: object, writer, answer: own, path: path)
        }
    }

    /// Asks `object` for its replacement, if nothing else can decide on it.
    @inline(__always)
    func answer<Object: Coding>(of object: Object) -> Answer {
        checkOpen()
        guard !hasDelegate, replacements.isEmpty, session.conditionals.isEmpty else { return .other(.none) }
        let count = session.instances.count
        let own = object.replacementObject(for: self)
        guard own === object, session.instances.count == count, isSecure(type(of: object)) else { return .other(own) }
        return .itself
    }

    /// The answer of an instance that is archived.
    enum Answer {
        /// The instance itself is archived.
        case itself
        /// The instance names this one, or nil. The outer nil says that it was not asked.
        case other((any Coding)??)
    }

    /// As `archivedInstance(for:_:path:)`, for an object with the answer `answer`.
    @inline(never)
    func archivedInstance<Object: Coding>(
        for object: Object, _ writer: UInt32, answer: (any Coding)??, path: () -> CodingPathTable.Index
    ) throws -> ArchivedInstance {
        let replacement: (any Coding)?
        switch answer {
        case .none: replacement = self.replacement(for: object)
        case .some(let own): replacement = own === object ? own : self.replacement(for: object, own)
        }
        if replacement === object {
            try checkSecure(type(of: object), path: path)
            return .named(object, writer: writer)
        }
        guard let replacement else { return .null }
        return try named(replacement, path: path)
    }

    @inline(never)
    private func named<Object: Coding>(
        _ replacement: Object, path: () -> CodingPathTable.Index
    ) throws -> ArchivedInstance {
        try checkSecure(type(of: replacement), path: path)
        return .named(replacement, writer: session.type(coding: Object.self).writerNumber)
    }

    /// Returns the object to archive instead of `object`: its own replacement, or the delegate's replacement of that.
    /// Both are called once.
    private func replacement<Object: Coding>(for object: Object) -> (any Coding)? {
        if !replacements.isEmpty, let known = replacements[ObjectIdentifier(object)] {
            return known.replacement
        }
        // An instance with a conditional reference was asked when it got that.
        if session.conditionals.slot(of: object) != nil { return object }
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

    /// Returns whether instances of `type` can be archived.
    @inline(__always)
    private func isSecure(_ type: any Coding.Type) -> Bool {
        !requiresSecureCoding || session.purpose != .storage || type.supportsSecureCoding
    }

    private func checkSecure(_ type: any Coding.Type, path: () -> CodingPathTable.Index) throws {
        if isSecure(type) { return }
        throw ArchivingError.notSecure(writing: type, path: session.codingPath(path()))
    }
}

// MARK: - Pending instances

extension KeyedArchiver {
    /// Writes the pending instances. An error fails the archive.
    func writePendingInstances() throws {
        try session.write { ArchivingError.converted($0) }
    }

    /// Whether the program's own call is writing the contents of instances.
    var isWriting: Bool { isInObject || session.isWorking }

    /// Writes the contents of `instance`, which `encode` encodes, with `references`, the table of the object in progress.
    @inline(__always)
    func write(
        _ instance: PendingInstance, _ references: PlainTable<ArchiveGraph.Reference>, encode: () throws -> Void,
        classUID: () -> ArchiveGraph.Reference
    ) throws {
        try encodeObject(type(of: instance.object), at: instance.path) {
            try failing(encode)
            if let failure = session.failure { throw failure }
        } finish: {
            let classUID = classUID()
            graph.fill(instance.slot, entries: references, classUID: classUID)
        }
    }

    /// Calls `body`, and fails the archive with its error.
    @inline(__always)
    private func failing(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            session.fail(ArchivingError.converted(error))
            throw error
        }
    }

    /// Writes the contents of `object`, which is `instance` and represents an object of another class.
    @inline(never)
    func write(foreign object: any ForeignCoding, _ instance: PendingInstance) throws {
        try encodeObject(type(of: object), at: instance.path) {
            try failing { graph.fill(instance.slot, with: try object.contents(in: self)) }
        } finish: {
        }
        if hasDelegate { didEncode(object) }
    }

    @inline(never)
    func didEncode(_ object: any Coding) {
        delegate?.archiver(self, didEncode: object)
    }
}
