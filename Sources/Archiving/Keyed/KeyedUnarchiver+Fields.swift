// MARK: - Finding

/// What stands under the keys of what is being read.
extension KeyedUnarchiver {
    /// The value under the key `name`; nil where there is none.
    @inline(__always)
    func field(_ name: String) throws -> ArchivedValue? {
        let state = state
        checkOpen()
        do throws(KeyedArchiveError) {
            if name.utf8.first == UInt8(ascii: "$") { return try field(named: "$" + name) }
            if let next = try state.pointee.object.fields.next(ifNamed: name, in: shared.pointee.archive) {
                state.pointee.object.fields.next = next &+ 1
                return try value(at: next)
            }
            return try field(named: name)
        } catch {
            throw damaged(error, name)
        }
    }

    /// The error of an archive that is damaged at `name`.
    @inline(never)
    func damaged(_ error: KeyedArchiveError, _ name: String) -> UnarchivingError {
        .damaged(error, path: path(name))
    }

    /// The value under the key `name`, `$` mangled as objects have it.
    @inline(never)
    private func field(named name: String) throws(KeyedArchiveError) -> ArchivedValue? {
        let number = shared.pointee.keyNames.number(of: name)
        guard let position = try state.pointee.object.fields.position(of: number, in: shared) else { return nil }
        state.pointee.object.fields.next = position &+ 1
        return try value(at: position)
    }

    @inline(__always)
    private func value(at position: Int) throws(KeyedArchiveError) -> ArchivedValue {
        let archive = shared.pointee.archive
        return try archive.value(archive.list.reference(position, in: state.pointee.object.fields.values))
    }

    /// The next value without a key, and the name that it has; nil where all of them were decoded.
    func nextField() throws -> (name: String, value: ArchivedValue?) {
        checkOpen()
        let name = "$\(state.pointee.object.nonKeyedCount)"
        do throws(KeyedArchiveError) {
            let value = try field(named: name)
            if value != nil { state.pointee.object.nonKeyedCount += 1 }
            return (name, value)
        } catch {
            throw damaged(error, name)
        }
    }
}

// MARK: - Paths

extension KeyedUnarchiver {
    /// The way to what stands under `name`.
    func path(_ name: String) -> [any CodingKey] { keys(state.pointee.object.path) + [ArchiveKey(stringValue: name)] }

    /// The entry in the table of paths of what stands under `name`, which was found last.
    func pathIndex() -> CodingPathTable.Index {
        let shared = shared
        let position = state.pointee.object.fields.next - 1
        let key = shared.pointee.archive.list.reference(position, in: state.pointee.object.fields.keys)
        return shared.pointee.paths.append(
            .key(UInt32(truncatingIfNeeded: key)), to: state.pointee.object.path)
    }

    /// What was asked for under `name` is not there.
    @inline(never)
    func notFound(_ name: String) -> UnarchivingError {
        .keyNotFound(name, present: firstKeys, path: keys(state.pointee.object.path))
    }
}

// MARK: - Keys

extension KeyedUnarchiver {
    /// Whether there is a value under the key, which may be nil.
    ///
    /// - Complexity: O(1) on average.
    public func containsValue(forKey name: String) -> Bool { (try? field(name)) != nil }

    /// The keys of what is being read: of the object in an `init(coder:)`, of the archive's top otherwise. Values without a
    /// key are not among them.
    ///
    /// - Complexity: O(*n*), where *n* is the number of keys.
    public var allKeys: [String] {
        let fields = state.pointee.object.fields
        let archive = shared.pointee.archive
        _ = try? archive.countWork(fields.count)
        return (0..<fields.count).compactMap { position in
            guard let key = try? archive.value(archive.list.reference(position, in: fields.keys)) else { return nil }
            return (try? archive.keyDescription(key)).flatMap(KeyMangling.userKey)
        }
    }

    /// The first of the keys, for an error: it may not cost more than what failed.
    private var firstKeys: [String] {
        let fields = state.pointee.object.fields
        let archive = shared.pointee.archive
        return (0..<fields.count).lazy.compactMap { position -> String? in
            guard let key = try? archive.value(archive.list.reference(position, in: fields.keys)) else { return nil }
            return archive.keyExcerpt(key).flatMap(KeyMangling.userKey)
        }.prefix(UnarchivingError.shownKeyCount + 1).map { $0 }
    }

    /// The name of the class of the object under the key, as the archive has it, such as `NSMutableArray`; nil for what is
    /// no object with a class: nil, strings, numbers and data.
    public func archivedClassName(forKey name: String) -> String? {
        guard let value = try? field(name), let uid = try? shared.pointee.archive.classUID(of: value.node) else {
            return nil
        }
        return try? shared.pointee.archive.className(uid)
    }

    /// The version that the class of the object that is being read has in the archive: what its
    /// `ArchiveVersioned.archiveVersion` was when it was written, 0 where that said nothing; nil outside an object.
    public var archivedVersion: Int? {
        guard let uid = try? shared.pointee.archive.classUID(of: state.pointee.object.value.node) else { return nil }
        return try? shared.pointee.archive.classVersion(at: 0, uid)
    }

    /// The version that `type` has in the archive where it is the class of the object that is being read, or one of its
    /// superclasses; 0 where the archive says nothing of it, nil where the object is of another class.
    ///
    /// - Complexity: O(*n*), where *n* is the number of classes in the chain.
    public func archivedVersion(of type: any Any.Type) -> Int? {
        guard let uid = try? shared.pointee.archive.classUID(of: state.pointee.object.value.node) else { return nil }
        return try? shared.pointee.archive.classVersion(of: type, uid, in: shared.pointee.classes)
    }
}
