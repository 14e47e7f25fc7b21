// MARK: - Classes

extension KeyedUnarchiver {
    /// Returns the type to decode `value` as if `requested` is requested: the class that its entry names, if that is
    /// `requested` or a registered class that inherits from it.
    ///
    /// - Throws: An error if the class is another one, or the value is not an object.
    @inline(__always)
    func actualType(
        _ requested: UnarchivedType, _ value: ArchivedValue, _ place: ValuePlace
    ) throws -> UnarchivedType {
        let found: UInt32?
        do throws(KeyedArchiveError) {
            found = value.isNull ? nil : try archive.classUIDInLine(of: value.node)
        } catch {
            throw unread(.damaged(error), pathIndex(place))
        }
        guard let uid = found else { throw unread(.mismatch(requested.type, value), pathIndex(place)) }
        return try requested.matches[uid] ?? findActualType(requested, uid, value, place)
    }

    @inline(never)
    private func findActualType(
        _ requested: UnarchivedType, _ uid: UInt32, _ value: ArchivedValue, _ place: ValuePlace
    ) throws -> UnarchivedType {
        do throws(ValueFailure) {
            return try reading.record(
                of: value, classUID: uid, as: requested, requested.matches, .strict, supply: supply
            ) {
                ($0 as? any Coding.Type).map { record($0) }
            }
        } catch {
            throw unread(error, pathIndex(place))
        }
    }

    /// The delegate's type for an unknown class.
    private func supply(_ name: String, _ chain: [String]) -> (any Any.Type)? {
        delegate?.unarchiver(self, cannotDecodeObjectOfClassName: name, originalClasses: chain)
    }
}

// MARK: - Unknown classes

extension KeyedUnarchiver {
    /// Returns whether `value`, which is requested as `requested`, is skipped: an object of an unknown class, if the
    /// registry's policy is `.skip`.
    @inline(__always)
    func isSkipped<Object: Coding>(
        _ requested: Object.Type, _ value: ArchivedValue, at place: ValuePlace
    ) throws -> Bool {
        reading.settings.classes.unknownClasses == .skip
            ? try isUnknown(record(requested), value, at: place) : false
    }

    /// Returns whether the class of the object that `reference` references, requested as `requested`, is unknown.
    @inline(never)
    func isUnknown(
        _ requested: UnarchivedType, _ reference: Int, at place: ValuePlace
    ) throws -> Bool {
        let value = try undamaged(archive.value(reference), at: pathIndex(place))
        return try isUnknown(requested, value, at: place)
    }

    /// Returns whether the class of `value`, which is requested as `requested`, is unknown.
    @inline(never)
    func isUnknown(
        _ requested: UnarchivedType, _ value: ArchivedValue, at place: ValuePlace
    ) throws -> Bool {
        let uid = try undamaged(value.isNull ? nil : archive.classUID(of: value.node), at: pathIndex(place))
        guard let uid else { return false }
        do throws(ValueFailure) {
            return try reading.isUnknown(
                classUID: uid, as: requested, requested.matches, .strict, supply: supply)
        } catch {
            throw unread(error, pathIndex(place))
        }
    }
}
