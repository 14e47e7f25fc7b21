// MARK: - Classes

extension KeyedUnarchiver {
    /// Returns the type to decode `value` as if `requested` is requested: the class that its entry names, if that is
    /// `requested` or a registered class that inherits from it.
    ///
    /// - Throws: An error if the class is another one, or the value is not an object.
    @inline(__always)
    func actualType(
        _ requested: UnarchivedType, _ value: ArchivedValue, _ path: () -> CodingPathTable.Index
    ) throws -> UnarchivedType {
        let found: UInt32?
        do throws(KeyedArchiveError) {
            found = value.isNull ? nil : try archive.classUIDInLine(of: value.node)
        } catch {
            throw damaged(error, path())
        }
        guard let uid = found else { throw noObject(requested, value, path()) }
        return try requested.matches[uid] ?? findActualType(requested, uid, value, path)
    }

    @inline(never)
    private func noObject(
        _ requested: UnarchivedType, _ value: ArchivedValue, _ path: CodingPathTable.Index
    ) -> UnarchivingError {
        UnarchivingError(.mismatch(requested.type, found: value, in: archive, path: keys(path)))
    }

    @inline(never)
    private func findActualType(
        _ requested: UnarchivedType, _ uid: UInt32, _ value: ArchivedValue,
        _ path: () -> CodingPathTable.Index
    ) throws -> UnarchivedType {
        let type = requested.type
        if reading.isOwnClass(uid, of: type), type.unarchivedClass == type {
            requested.matches.remember(requested, forClass: uid)
            return requested
        }
        let name = try contents(at: path()) { contents throws(KeyedArchiveError) in try contents.className(uid)
        }
        let mismatch: ClassMismatch
        do throws(ClassMismatch) {
            let named = try namedType(requested, uid, name)
            if let coding = named as? any Coding.Type {
                let actual = record(coding)
                requested.matches.remember(actual, forClass: uid)
                return actual
            }
            mismatch = ClassMismatch(name: name, chain: [], isStructural: false)
        } catch {
            mismatch = error
        }
        if archive.isNil(value) {
            throw UnarchivingError(.mismatch(type, found: value, in: archive, path: keys(path())))
        }
        throw UnarchivingError(
            .otherClass(
                mismatch, of: value, requested: type, classes: reading.settings.classes, path: keys(path())))
    }
}

// MARK: - Unknown classes

extension KeyedUnarchiver {
    /// Returns whether `value`, which is requested as `requested`, is skipped: an object of an unknown class, if the
    /// registry's policy is `.skip`.
    @inline(__always)
    func isSkipped<Object: Coding>(
        _ requested: Object.Type, _ value: ArchivedValue, path: () -> CodingPathTable.Index
    ) throws -> Bool {
        reading.settings.classes.unknownClasses == .skip
            ? try isUnknown(record(requested), value, path: path) : false
    }

    /// Returns whether the class of the object that `reference` references, requested as `requested`, is unknown.
    @inline(never)
    func isUnknown(
        _ requested: UnarchivedType, _ reference: Int, path: () -> CodingPathTable.Index
    ) throws -> Bool {
        let value = try contents(at: path()) { contents throws(KeyedArchiveError) in try contents.value(reference) }
        return try isUnknown(requested, value, path: path)
    }

    /// Returns whether the class of `value`, which is requested as `requested`, is unknown.
    @inline(never)
    func isUnknown(
        _ requested: UnarchivedType, _ value: ArchivedValue, path: () -> CodingPathTable.Index
    ) throws -> Bool {
        let uid = try contents(at: path()) { contents throws(KeyedArchiveError) in
            value.isNull ? nil : try contents.classUID(of: value.node)
        }
        guard let uid, requested.matches[uid] == nil else { return false }
        if requested.matches.isSkipped(uid) { return true }
        let name = try contents(at: path()) { contents throws(KeyedArchiveError) in try contents.className(uid)
        }
        do throws(ClassMismatch) {
            _ = try namedType(requested, uid, name)
            return false
        } catch {
            if error.isUnknown { requested.matches.rememberSkipped(uid) }
            return error.isUnknown
        }
    }

    /// The type that objects of the class `name`, whose entry is `uid`, are decoded as, for a request of `requested`.
    private func namedType(
        _ requested: UnarchivedType, _ uid: UInt32, _ name: String
    ) throws(ClassMismatch) -> any Any.Type {
        let delegate = delegate
        return try reading.type(
            ofClass: uid, named: name, as: requested.type, requested.matches, .strict
        ) { name, chain in
            delegate?.unarchiver(self, cannotDecodeObjectOfClassName: name, originalClasses: chain)
        }
    }
}
