// MARK: - Classes

extension KeyedUnarchiver {
    /// The type that `value` is made as where `requested` is asked for: the class that its entry names, if that is
    /// `requested`, or a registered one that inherits from it.
    ///
    /// - Throws: Where it is something else, or no object at all.
    @inline(__always)
    func actualType(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, _ path: () -> CodingPathTable.Index
    ) throws -> UnsafeMutablePointer<UnarchivedType> {
        let found: UInt32?
        do throws(KeyedArchiveError) {
            found = value.isNull ? nil : try shared.pointee.archive.classUID(of: value.node)
        } catch {
            throw damaged(error, path())
        }
        guard let uid = found else { throw noObject(requested, value, path()) }
        return try requested.pointee.matches[uid] ?? findActualType(requested, uid, value, path)
    }

    @inline(never)
    private func noObject(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, _ path: CodingPathTable.Index
    ) -> UnarchivingError {
        .mismatch(requested.pointee.type, found: value, in: shared.pointee.archive, path: keys(path))
    }

    @inline(never)
    private func findActualType(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ uid: UInt32, _ value: ArchivedValue,
        _ path: () -> CodingPathTable.Index
    ) throws -> UnsafeMutablePointer<UnarchivedType> {
        let type = requested.pointee.type
        if shared.pointee.isOwnClass(uid, of: type), type.unarchivedClass == type {
            requested.pointee.matches.remember(requested, forClass: uid)
            return requested
        }
        let name = try contents(at: path()) { contents throws(KeyedArchiveError) in try contents.className(uid) }
        let mismatch: ClassMismatch
        do throws(ClassMismatch) {
            let named = try namedType(requested, uid, name)
            if let coding = named as? any Coding.Type {
                let actual = record(coding)
                requested.pointee.matches.remember(actual, forClass: uid)
                return actual
            }
            mismatch = ClassMismatch(name: name, chain: [], isStructural: false)
        } catch {
            mismatch = error
        }
        throw UnarchivingError.otherClass(
            mismatch, of: value, requested: type, classes: shared.pointee.classes, path: keys(path()))
    }
}

// MARK: - Classes that nobody knows

extension KeyedUnarchiver {
    /// Whether `value`, which is asked for as `requested`, is left out: an object of a class that nobody knows, where the
    /// registry says so.
    @inline(__always)
    func isSkipped<Object: Coding>(
        _ requested: Object.Type, _ value: ArchivedValue, path: () -> CodingPathTable.Index
    ) throws -> Bool {
        shared.pointee.classes.unknownClasses == .skip ? try isUnknown(record(requested), value, path: path) : false
    }

    /// Whether nobody knows the class of what `reference` leads to, which is asked for as `requested`.
    @inline(never)
    func isUnknown(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ reference: Int, path: () -> CodingPathTable.Index
    ) throws -> Bool {
        let value = try contents(at: path()) { contents throws(KeyedArchiveError) in try contents.value(reference) }
        return try isUnknown(requested, value, path: path)
    }

    /// Whether nobody knows the class of `value`, which is asked for as `requested`.
    @inline(never)
    func isUnknown(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ value: ArchivedValue, path: () -> CodingPathTable.Index
    ) throws -> Bool {
        let uid = try contents(at: path()) { contents throws(KeyedArchiveError) in
            value.isNull ? nil : try contents.classUID(of: value.node)
        }
        guard let uid, requested.pointee.matches[uid] == nil else { return false }
        if requested.pointee.matches.isSkipped(uid) { return true }
        let name = try contents(at: path()) { contents throws(KeyedArchiveError) in try contents.className(uid) }
        do throws(ClassMismatch) {
            _ = try namedType(requested, uid, name)
            return false
        } catch {
            if error.isUnknown { requested.pointee.matches.rememberSkipped(uid) }
            return error.isUnknown
        }
    }

    /// The type that objects of the class `name`, whose entry is `uid`, are made as where `requested` is asked for.
    private func namedType(
        _ requested: UnsafeMutablePointer<UnarchivedType>, _ uid: UInt32, _ name: String
    ) throws(ClassMismatch) -> any Any.Type {
        let delegate = delegate
        return try shared.pointee.type(
            ofClass: uid, named: name, as: requested.pointee.type, &requested.pointee.matches, .strict
        ) { name, chain in
            delegate?.unarchiver(self, cannotDecodeObjectOfClassName: name, originalClasses: chain)
        }
    }
}
