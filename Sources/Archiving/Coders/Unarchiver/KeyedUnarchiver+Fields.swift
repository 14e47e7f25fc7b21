// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// MARK: - Finding fields

/// The fields of the object in progress.
extension KeyedUnarchiver {
    /// The position of the next field, if its key is known to be `name`. Fields are usually requested in the file's
    /// order.
    @inline(__always)
    func nextPosition(ifNamed name: String) -> Int? {
        let position = current.fields.next
        guard position < current.fields.count, let key = keys.value(of: name),
            archive.list.reference(position, in: current.fields.keys) == key.reference
        else { return nil }
        return position
    }

    /// As `nextPosition(ifNamed:)`, for a key that was not requested before.
    @inline(never)
    fileprivate func nextPosition(ifNamedFirst name: String) -> Int? {
        guard keys.value(of: name) == nil, name.utf8.first != UInt8(ascii: "$") else { return nil }
        let found = try? current.fields.next(ifNamed: name, in: archive)
        guard let position = found ?? nil else { return nil }
        let reference = archive.list.reference(position, in: current.fields.keys)
        keys.set(UnarchivedKey(reference: reference), for: name)
        return position
    }

    /// Finds the field under the key `name`; nil if there is none. The search for the next field starts after it.
    @inline(__always)
    private func position(of name: String) throws(KeyedArchiveError) -> Int? {
        var position = nextPosition(ifNamed: name)
        if position == nil { position = try findPosition(of: name) }
        guard let position else { return nil }
        current.fields.next = position &+ 1
        return position
    }

    /// As `position(of:)`, by searching the keys.
    @inline(never)
    private func findPosition(of name: String) throws(KeyedArchiveError) -> Int? {
        let known = keys.value(of: name) ?? UnarchivedKey()
        var key = known
        let archivedName = KeyMangling.archivedKey(name)
        var position = try current.fields.next(ifNamed: archivedName, in: archive)
        if position == nil {
            position = try search { fields throws(KeyedArchiveError) in
                try fields.position(of: archivedName, &key.number, in: session)
            }
        }
        if let position {
            // Another object may have both keys of which this is one only by Unicode's rules.
            if current.fields.isExact(archivedName, at: position, in: session) {
                key.reference = archive.list.reference(position, in: current.fields.keys)
            }
            if position != current.fields.next { beginRun(at: position) }
        }
        if key != known { keys.set(key, for: name) }
        return position
    }

    /// Returns the result of `body`, which searches the fields. They are changed outside of the property, so that accesses
    /// to it need no exclusivity check.
    @inline(__always)
    private func search(
        _ body: (inout ObjectFields) throws(KeyedArchiveError) -> Int?
    ) throws(KeyedArchiveError) -> Int? {
        var fields = current.fields
        defer { current.fields = fields }
        return try body(&fields)
    }

    /// Records that the field at `position`, which is not the next one, is requested.
    @inline(never)
    private func beginRun(at position: Int) {
        guard let requests = session.requests else { return }
        var fields = current.fields
        let run = fields.beginRun(at: position)
        current.fields = fields
        requests.note(run, of: fields)
    }

    /// Forgets that the field that was found last was requested: it cannot be read as requested.
    @inline(never)
    func forgetRequest() {
        var fields = current.fields
        let run = fields.forgetLast()
        current.fields = fields
        session.requests?.note(run, of: fields)
    }

    /// Records what was requested of the object in progress, which is complete.
    @inline(never)
    func recordRequests(_ type: any Any.Type) throws {
        // It keeps all of its contents itself.
        guard type != UnknownObject.self else { return }
        try undamaged(
            session.requests?.record(current.uid, current.fields, of: type, hasUnkeyedValues: true, in: archive),
            at: current.path)
    }

    /// The reference in the field at `position`.
    @inline(__always)
    func reference(at position: Int) -> Int {
        archive.list.reference(position, in: current.fields.values)
    }

    /// The reference in the field `name`; nil if there is none.
    @inline(__always)
    func fieldReference(_ name: String) throws -> Int? {
        checkOpen()
        return try undamaged(position(of: name).map { reference(at: $0) }, at: name)
    }

    /// The value of the field `name`; nil if there is none.
    @inline(never)
    func field(_ name: String) throws -> ArchivedValue? {
        guard let reference = try fieldReference(name) else { return nil }
        return try value(reference, name)
    }

    /// The value that `reference`, in the field `name`, refers to.
    @inline(__always)
    private func value(_ reference: Int, _ name: String) throws -> ArchivedValue {
        try undamaged(archive.value(reference), at: name)
    }

    /// Returns the result of `read`, an expression that reads the archive for the key `name`, with its error converted to
    /// an `ArchivingError`.
    @inline(__always)
    func undamaged<Result>(
        _ read: @autoclosure () throws(KeyedArchiveError) -> Result, at name: String
    ) throws -> Result {
        do throws(KeyedArchiveError) { return try read() } catch { throw unread(.damaged(error), name) }
    }

    /// Returns the error of the value for the key `name`, which cannot be decoded as requested.
    @inline(never)
    func unread(_ failure: ValueFailure, _ name: String) -> ArchivingError {
        if session.requests != nil { forgetRequest() }
        return .value(failure, in: session, path: path(name))
    }

    /// Throws if there is no value for the key `name`, or no next one without a key if `name` is nil.
    func requireField(_ name: String?) throws {
        if let name {
            guard try fieldReference(name) != nil else { throw notFound(name) }
            return
        }
        let count = current.nonKeyedCount
        let next = try nextField()
        guard next.value != nil else { throw notFound(next.name) }
        current.nonKeyedCount = count
    }

    /// The next value without a key, and its name; the value is nil if all of them were decoded.
    func nextField() throws -> (name: String, value: ArchivedValue?) {
        checkOpen()
        let name = "$\(current.nonKeyedCount)"
        do throws(KeyedArchiveError) {
            let number = session.keyNames.number(of: name)
            let found = try search { fields throws(KeyedArchiveError) in try fields.position(of: number, in: session) }
            guard let position = found else { return (name, nil) }
            if position != current.fields.next { beginRun(at: position) }
            current.fields.next = position &+ 1
            let value = try archive.value(reference(at: position))
            current.nonKeyedCount += 1
            return (name, value)
        } catch {
            throw unread(.damaged(error), name)
        }
    }
}

// MARK: - Numbers and strings

extension KeyedUnarchiver {
    /// Returns the result of `read` for the number or string in the field `name`, if that is the next field and has its
    /// usual form; nil if the general path has to decode it.
    @inline(__always)
    func leaf<Leaf>(_ name: String, _ read: (Int, ArchiveContents) -> Leaf?) -> Leaf? {
        guard !isFinished,
            let position = nextPosition(ifNamed: name) ?? nextPosition(ifNamedFirst: name),
            let offset = archive.leafOffset(reference(at: position)),
            let leaf = read(offset, archive)
        else { return nil }
        current.fields.next = position &+ 1
        return leaf
    }

    /// The same for a field that may hold nil: the result is then nil. Returns nil if the general path has to decode it.
    @inline(__always)
    func leafIfPresent<Leaf>(_ name: String, _ read: (Int, ArchiveContents) -> Leaf?) -> Leaf?? {
        guard !isFinished,
            let position = nextPosition(ifNamed: name) ?? nextPosition(ifNamedFirst: name)
        else { return nil }
        let reference = reference(at: position)
        if archive.isKnownNull(reference) {
            current.fields.next = position &+ 1
            return .some(nil)
        }
        if let offset = archive.leafOffset(reference) {
            guard let leaf = read(offset, archive) else { return nil }
            current.fields.next = position &+ 1
            return leaf
        }
        guard archive.isNull(reference) else { return nil }
        current.fields.next = position &+ 1
        return .some(nil)
    }
}

// MARK: - Paths

extension KeyedUnarchiver {
    /// The coding path of the field `name`.
    func path(_ name: String) -> [any CodingKey] {
        keys(current.path) + [ArchiveKey(stringValue: name)]
    }

    /// The entry in the table of paths for the value at `place`.
    func pathIndex(_ place: ValuePlace) -> CodingPathTable.Index {
        switch place {
        case .field: pathIndex()
        case .part(let step, let path): paths.append(step, to: path)
        case .path(let path): path
        }
    }

    /// The entry in the table of paths for the field that was found last.
    @inline(never)
    func pathIndex() -> CodingPathTable.Index {
        let position = current.fields.next - 1
        let key = archive.list.reference(position, in: current.fields.keys)
        return paths.append(.key(UInt32(truncatingIfNeeded: key)), to: current.path)
    }

    /// The error of an absent value under `name`.
    @inline(never)
    func notFound(_ name: String) -> ArchivingError {
        current.fields.noteFailure()
        let path = keys(current.path)
        guard name == KeyedArchiveFormat.rootKey, path.isEmpty else {
            return .keyNotFound(name, present: current.fields.firstKeyNames(in: archive), path: path)
        }
        return .missingRoot(current.fields, in: archive)
    }
}

// MARK: - Keys

extension KeyedUnarchiver {
    /// Returns whether the key exists. Its value may be nil.
    ///
    /// - Complexity: O(1) on average.
    public func containsValue(forKey name: String) -> Bool { (try? field(name)) != nil }

    /// The keys of the object that `init(coder:)` decodes, or of the top of the archive outside an object. Values
    /// without a key are not among them.
    ///
    /// - Complexity: O(*n*), where *n* is the number of keys.
    public var allKeys: [String] { current.fields.keyNames(in: archive) }

    /// Returns the class name of the object under the key as stored in the archive, such as `NSMutableArray`; `nil` if
    /// the value has no class: nil, strings, numbers and data.
    public func archivedClassName(forKey name: String) -> String? {
        guard let value = try? field(name), let uid = try? archive.classUID(of: value.node) else {
            return nil
        }
        return try? archive.className(uid)
    }

    /// Returns the archived version of `type`, if it is the class of the object in progress or one of its superclasses:
    /// its `ArchiveDescribing.archiveVersion` at the time of encoding.
    ///
    /// - Parameter type: The class, or `nil` for that of the object, whatever it is.
    /// - Returns: The version; 0 if the archive has none for `type`, `nil` if the object is of another class, and outside
    ///   an object.
    /// - Complexity: O(*n*), where *n* is the number of classes in the chain.
    public func archivedVersion(of type: (any Any.Type)? = nil) -> Int? {
        guard let uid = try? archive.classUID(of: current.value.node) else { return nil }
        guard let type else { return try? archive.classVersion(at: 0, uid) }
        return try? archive.classVersion(of: type, uid, in: session.settings.classes)
    }
}
