// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - References

extension KeyedArchiver {
    @inline(__always)
    func reference<Object: Coding>(
        to object: Object, path: () -> CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        try session.reference(to: object, session.type(coding: Object.self), path: path)
    }
}

// MARK: - Replacements

extension KeyedArchiver {
    /// Returns the instance that is archived for `object`, whose contents the writer with the number `writer` writes.
    @inline(__always)
    func archivedInstance<Object: Coding>(
        for object: Object, _ writer: UInt32, _ path: CodingPathTable.Index
    ) throws -> ArchivedInstance {
        checkOpen()
        // The object decides alone if nothing else can.
        guard !hasDelegate, replacements.isEmpty, session.conditionals.isEmpty else {
            return try otherInstance(for: object, writer, replacement(for: object), path)
        }
        let count = session.instances.count
        let own = object.replacementObject(for: self)
        if own === object, session.instances.count == count, isSecure(type(of: object)) {
            return .itself(writer: writer)
        }
        let named = own === object ? own : replacement(for: object, own)
        return try otherInstance(for: object, writer, named, path)
    }

    /// Returns the instance that is archived for `object`, for which the program named `replacement`.
    @inline(never)
    private func otherInstance(
        for object: any Coding, _ writer: UInt32, _ replacement: (any Coding)?, _ path: CodingPathTable.Index
    ) throws -> ArchivedInstance {
        guard let replacement else { return .null }
        guard isSecure(type(of: replacement)) else {
            throw ArchivingError.notSecure(writing: type(of: replacement), path: session.codingPath(path))
        }
        return .named(replacement, writer: replacement === object ? writer : self.writer(of: replacement))
    }

    private func writer<Object: Coding>(of object: Object) -> UInt32 { session.type(coding: Object.self).writerNumber }

    /// Returns the object to archive instead of `object`: its own replacement, or the delegate's replacement of that.
    /// Both are called once.
    private func replacement(for object: any Coding) -> (any Coding)? {
        if let known = replacements[ObjectIdentifier(object)] { return known.replacement }
        // An instance with a conditional reference was asked when it got that.
        if session.conditionals.slot(of: object) != nil { return object }
        return replacement(for: object, object.replacementObject(for: self))
    }

    /// Returns the object to archive instead of `object`, which names `own` itself.
    @inline(never)
    private func replacement(for object: any Coding, _ own: (any Coding)?) -> (any Coding)? {
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
    private func isSecure(_ type: any Coding.Type) -> Bool {
        !requiresSecureCoding || type.supportsSecureCoding || session.extras.purpose == .copy
    }
}

// MARK: - Conditional instances

/// Encodes references that do not archive the referenced instance. They are decoded as nil unless another reference in
/// the archive, earlier or later, archives the instance; then they are decoded as that instance.
extension KeyedArchiver {
    /// Encodes a reference that does not archive `object`, for a key.
    ///
    /// ```swift
    /// try coder.encodeConditional(superview, forKey: "superview")
    /// ```
    ///
    /// - Throws: `ArchivingError.Code.notSecure`.
    public func encodeConditional(_ object: (any Coding)?, forKey name: String) throws {
        try setConditional(name, object)
    }

    /// Encodes a reference that does not archive `object`, as the next value without a key.
    ///
    /// - Throws: `ArchivingError.Code.notSecure`.
    public func encodeNextConditional(_ object: (any Coding)?) throws { try setConditional(nil, object) }

    func setConditional(_ name: String?, _ object: (any Coding)?) throws {
        if let object { session.extras.observer?.pin(object) }
        try setReference(name) { key in
            try object.map { try conditionalReference(to: $0, at: key) } ?? ArchiveGraph.null
        }
    }

    private func conditionalReference<Object: Coding>(
        to object: Object, at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        try session.conditionalReference(to: object, session.type(coding: Object.self)) { pathIndex(key) }
    }

    func setReference(
        _ name: String?, to reference: (ArchiveGraph.Reference) throws -> ArchiveGraph.Reference
    ) throws {
        let key = key(name)
        try set(name, key, to: try reference(key))
    }

    /// Encodes a conditional reference to `object`, an instance of an `Encodable` class, for a key.
    ///
    /// - Throws: `ArchivingError.Code.notSecure`.
    @_disfavoredOverload
    public func encodeConditional<Object: AnyObject & Encodable>(_ object: Object?, forKey name: String) throws {
        try setConditional(name, object)
    }

    /// Encodes a conditional reference to `object`, an instance of an `Encodable` class, as the next value without a key.
    ///
    /// - Throws: `ArchivingError.Code.notSecure`.
    @_disfavoredOverload
    public func encodeNextConditional<Object: AnyObject & Encodable>(_ object: Object?) throws {
        try setConditional(nil, object)
    }

    @_disfavoredOverload
    private func setConditional<Object: AnyObject & Encodable>(_ name: String?, _ object: Object?) throws {
        try setReference(name) { key in
            try object.map { try frame.conditionalReference(to: $0, at: .key(key)) } ?? ArchiveGraph.null
        }
    }
}

// MARK: - Collections of instances

extension KeyedArchiver {
    @inline(__always)
    func reference<Object: Coding>(
        toArray objects: [Object], at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        // Code with the class as a generic parameter would look it up at every step.
        let objects = Reinterpretation.objects(objects)
        if objects.isEmpty { return graph.emptyArray() }
        return try session.reference(toCollection: objects, session.type(coding: Object.self)) {
            pathIndex(key)
        } _: {
            graph.fill($0, array: $1)
        }
    }

    func reference<Object: Coding & Hashable>(
        toSet objects: Set<Object>, at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        if objects.isEmpty { return graph.emptySet() }
        let objects = Reinterpretation.objects(Array(objects))
        return try session.reference(toCollection: objects, session.type(coding: Object.self)) {
            pathIndex(key)
        } _: {
            graph.fill($0, elements: $1, classUID: graph.classUID(.set))
        }
    }

    func reference<Object: Coding>(
        toDictionary objects: [String: Object], at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        if objects.isEmpty { return graph.emptyDictionary() }
        let slot = graph.reserveSlot()
        let path = pathIndex(key)
        var pairs: [ArchiveGraph.Reference] = []
        pairs.reserveCapacity(2 * objects.count)
        for (name, object) in objects {
            let name = graph.string(name)
            pairs.append(name)
            pairs.append(try reference(to: object) { session.path(.dictionaryKey(name), in: path) })
        }
        graph.fill(slot, dictionary: pairs)
        return slot.uid
    }
}

// MARK: - Codable values

extension KeyedArchiver {
    /// Encodes a value and all instances that it references into the same graph. An instance that other objects
    /// reference as well is archived once.
    ///
    /// Numbers, strings and Foundation's values are written in Cocoa's form, and other types as `ArchiveEncoder` writes
    /// them.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - name: The key.
    /// - Throws: Errors of `encode(to:)`, and `ArchivingError` if values are nested deeper than the stack allows, or if
    ///   an instance cannot be archived. After an error nothing is encoded for the key.
    /// - Complexity: O(*n*), where *n* is the number of encoded values.
    @_disfavoredOverload
    public func encode<Value: Encodable>(_ value: Value, forKey name: String) throws {
        try setReference(name) { try reference(toEncodable: value, at: $0) }
    }

    /// Encodes a value, as the object's next one without a key, and all instances that it references.
    ///
    /// - Throws: The errors of `encode(_:forKey:)`.
    @_disfavoredOverload
    public func encodeNext<Value: Encodable>(_ value: Value) throws {
        try setReference(nil) { try reference(toEncodable: value, at: $0) }
    }

    func reference<Value: Encodable>(
        to value: Value, at step: CodingPathStep, in path: CodingPathTable.Index
    ) throws -> ArchiveGraph.Reference {
        let outer = frame.path
        frame.path = path
        defer { frame.path = outer }
        return try frame.reference(to: value, at: step, inline: true)
    }

    func reference<Value: Encodable>(
        toEncodable value: Value, at key: ArchiveGraph.Reference
    ) throws -> ArchiveGraph.Reference {
        // The program may have changed threads.
        if !isWriting { session.meter.resetStack() }
        return try ArchivingError.converting { try reference(to: value, at: .key(key), in: frame.path) }
    }
}

// MARK: - Contents of instances

class CodingWriter<Object: Coding>: InstanceWriter {
    /// The class of the last encoded instance, and the uid of its class entry. The next instance usually has the same
    /// class.
    private final var lastClass: AnyClass?
    private final var lastClassUID: ArchiveGraph.Reference = 0

    @inline(__always)
    private func instance(_ object: AnyObject) -> Object { Reinterpretation.instance(object, as: Object.self) }

    override func archivedInstance(
        for object: AnyObject, in session: EncodingSession, _ path: CodingPathTable.Index
    ) throws -> ArchivedInstance {
        try session.archiver.archivedInstance(for: instance(object), number, path)
    }

    override func writePending(of session: EncodingSession, _ count: inout Int) throws {
        let archiver = session.archiver
        let (graph, references) = (archiver.graph, archiver.frame.references)
        while let pending = try session.nextPendingInstance(of: number, &count) {
            let object = instance(pending.object)
            try archiver.write(type(of: object), at: pending.path) {
                try object.encode(with: archiver)
            } finish: {
                let classUID = classUID(of: object, in: graph)
                graph.fill(pending.slot, entries: references, classUID: classUID)
            }
            if archiver.hasDelegate { archiver.delegate?.archiver(archiver, didEncode: object) }
        }
    }

    @inline(__always)
    private func classUID(of object: Object, in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        let archivedClass = object.archivedClass
        if lastClassUID != 0, lastClass == archivedClass { return lastClassUID }
        return classUID(of: archivedClass, in: graph)
    }

    @inline(never)
    private func classUID(of archivedClass: any Coding.Type, in graph: ArchiveGraph) -> ArchiveGraph.Reference {
        let uid = graph.classUID(of: archivedClass)
        lastClass = archivedClass
        lastClassUID = uid
        return uid
    }

    override func reset() {
        lastClass = nil
        lastClassUID = 0
    }
}
